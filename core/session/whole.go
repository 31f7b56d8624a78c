//go:build !first

package session

import (
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/flow"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/pushdown"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/view"
	"github.com/stile-playground/stile/core/workspace"
)

func drawingMethods() []Method {
	return []Method{method("drawing.whole", (*Session).drawingWhole)}
}

// DrawingWholeParams name a file and one of its views, "" for that which
// document.analyze draws.
type DrawingWholeParams struct {
	Files []File `json:"files"`
	Name  string `json:"name"`
	View  string `json:"view,omitempty"`
}

// DrawingView is something that a file can be drawn as. From and To are the text that
// is drawn, -1 where that is all of it.
type DrawingView struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	From  int    `json:"from"`
	To    int    `json:"to"`
}

// DrawingPlace is a text that a node or a line of a drawing stands for.
type DrawingPlace struct {
	ID   string `json:"id"`
	From int    `json:"from"`
	To   int    `json:"to"`
}

// DrawingGroup are nodes that can be drawn as one. Folded is where they are, unless
// a person wants otherwise.
type DrawingGroup struct {
	Name   string   `json:"name"`
	Nodes  []string `json:"nodes"`
	Folded bool     `json:"folded"`
}

// DrawingWholeResult is a graph with little left out, which is no drawing yet: it has
// no Graphviz source. Views are empty where there is only one; the first is the usual
// one.
type DrawingWholeResult struct {
	Drawing *Drawing       `json:"drawing,omitempty"`
	View    string         `json:"view"`
	Views   []DrawingView  `json:"views"`
	Places  []DrawingPlace `json:"places"`
	Groups  []DrawingGroup `json:"groups"`
}

// The views of a grammar.
const (
	viewAutomaton = "automaton"
	viewSymbols   = "symbols"
)

// drawingWhole returns a graph whole, with every place of the text that its parts
// stand for. A text with errors has none.
func (s *Session) drawingWhole(p DrawingWholeParams) (DrawingWholeResult, error) {
	file, err := openDocument(DocumentParams{Files: p.Files, Name: p.Name})
	if err != nil {
		return DrawingWholeResult{}, err
	}
	out := &DrawingWholeResult{View: p.View, Views: []DrawingView{}, Places: []DrawingPlace{}, Groups: []DrawingGroup{}}
	w := &wholeDrawing{file: file, out: out}
	switch workspace.KindOf(p.Name) {
	case workspace.KindGrammar:
		w.grammar()
	case workspace.KindPushdown:
		w.pushdown()
	case workspace.KindFlow:
		w.flow()
	case workspace.KindAgent:
		w.agent()
	case workspace.KindFormulas:
		w.formulas()
	case workspace.KindSMT, workspace.KindLP:
		w.solve(p.Files)
	case workspace.KindPDDL:
		w.steps(p.Files)
	}
	w.finish()
	return *out, nil
}

// wholeDrawing is a graph that is being gathered.
type wholeDrawing struct {
	file    *source.File
	out     *DrawingWholeResult
	drawing *view.Drawing
	places  []wholePlace
	views   []source.Span // by view; empty for all of the text
}

type wholePlace struct {
	id   string
	span source.Span
}

func (w *wholeDrawing) place(id string, span source.Span) {
	if span.Len() > 0 {
		w.places = append(w.places, wholePlace{id, span})
	}
}

// named places all that is of one kind and called as a node is.
func (w *wholeDrawing) named(list []source.Occurrence, kinds ...string) {
	nodes := map[string][]string{}
	for _, n := range w.drawing.Nodes {
		nodes[n.Label] = append(nodes[n.Label], n.ID)
	}
	for _, o := range list {
		for _, kind := range kinds {
			if o.Kind == kind {
				for _, id := range nodes[o.Name] {
					w.place(id, o.Span)
				}
			}
		}
	}
}

// view adds a view and reports whether it is the one that is wanted.
func (w *wholeDrawing) view(id, title string, span source.Span) bool {
	if w.out.View == "" {
		w.out.View = id
	}
	w.out.Views = append(w.out.Views, DrawingView{ID: id, Title: title, From: -1, To: -1})
	w.views = append(w.views, span)
	return w.out.View == id
}

func (w *wholeDrawing) grammar() {
	g, found := compileGrammar(w.file, "")
	if g == nil || source.HasErrors(found) {
		return
	}
	if w.view(viewAutomaton, "Automaton", source.Span{}) {
		p := pushdown.FromGrammar(g)
		d, nodeOf, _ := view.Pushdown(p, "Pushdown automaton of the grammar", view.Whole)
		w.drawing = &d
		// The first state pushes the start symbol, the second has all productions.
		w.place(nodeOf[p.Start], g.Span(g.Start))
		all := source.Span{}
		for _, production := range g.Productions {
			if all.Len() == 0 {
				all = production.Span
			} else if production.Span.Len() > 0 {
				all = all.Join(production.Span)
			}
		}
		for _, id := range nodeOf[1:] {
			w.place(id, all)
		}
	}
	if w.view(viewSymbols, "Symbols", source.Span{}) {
		d := view.Symbols(g, view.Whole)
		w.drawing = &d
		w.named(grammar.Occurrences(w.file), grammar.KindNonterminal)
	}
}

func (w *wholeDrawing) pushdown() {
	p, found := compilePushdown(w.file)
	if p == nil || source.HasErrors(found) {
		return
	}
	d, nodeOf, _ := view.Pushdown(p, "Pushdown automaton", view.Whole)
	w.drawing = &d
	for i := range p.States {
		w.place(nodeOf[i], p.StateSpan(i))
	}
	w.named(pushdown.Occurrences(w.file), pushdown.KindState)
	at := map[string]int{}
	for i, name := range p.States {
		family, _, _ := strings.Cut(name, "/")
		g, ok := at[family]
		if !ok {
			g = len(w.out.Groups)
			at[family] = g
			w.out.Groups = append(w.out.Groups, DrawingGroup{Name: family, Folded: len(p.States) > view.MaxPlain})
		}
		w.out.Groups[g].Nodes = append(w.out.Groups[g].Nodes, nodeOf[i])
	}
	groups := w.out.Groups[:0]
	for _, g := range w.out.Groups {
		if len(g.Nodes) > 1 {
			groups = append(groups, g)
		}
	}
	w.out.Groups = groups
}

func (w *wholeDrawing) flow() {
	f, found := compileFlow(w.file)
	if f == nil || source.HasErrors(found) {
		return
	}
	d := view.Flow(f, view.Whole)
	w.drawing = &d
	w.named(flow.Occurrences(w.file), flow.KindQuestion, flow.KindEnd)
}

func (w *wholeDrawing) agent() {
	a, found := compileAgent(w.file)
	if a == nil || source.HasErrors(found) {
		return
	}
	d := view.Agent(a, view.Whole)
	w.drawing = &d
	w.named(agent.Occurrences(w.file), agent.KindState)
}

func (w *wholeDrawing) formulas() {
	list, found := ltl.Parse(w.file)
	if source.HasErrors(found) {
		return
	}
	for i, n := range list {
		title := n.Name
		if title == "" {
			title = "formula " + strconv.Itoa(i+1)
		}
		if !w.view(strconv.Itoa(i), title, n.Span) {
			continue
		}
		m := meter.New(analysisBudget)
		alphabet, err := ltl.NewAlphabet(n.Formula.Props(), ltl.Powerset)
		if err != nil {
			continue
		}
		automaton, err := ltl.Translate(n.Formula, alphabet, m)
		if err != nil {
			continue
		}
		type said struct {
			line  string
			props []string
		}
		var lines []said
		d := view.Formula(automaton, n.Formula.String(), view.Whole, func(line string, props []string) {
			lines = append(lines, said{line, props})
		})
		w.drawing = &d
		for _, node := range d.Nodes {
			w.place(node.ID, n.Span)
		}
		places := map[string][]source.Span{}
		for _, o := range ltl.Occurrences(w.file) {
			if o.Kind == ltl.KindProposition && o.Span.Start >= n.Span.Start && o.Span.End <= n.Span.End {
				places[o.Name] = append(places[o.Name], o.Span)
			}
		}
		for _, l := range lines {
			for _, prop := range l.props {
				for _, span := range places[prop] {
					w.place(l.line, span)
				}
			}
		}
	}
}

// finish writes what was gathered for the wire.
func (w *wholeDrawing) finish() {
	at := &places{file: w.file}
	if len(w.views) == 1 {
		w.out.Views, w.views = []DrawingView{}, nil
	}
	for i, span := range w.views {
		if span.Len() > 0 {
			at.span(&w.out.Views[i].From, &w.out.Views[i].To, span)
		}
	}
	w.out.Places = make([]DrawingPlace, min(len(w.places), MaxPlaces))
	for i := range w.out.Places {
		w.out.Places[i].ID = w.places[i].id
		at.span(&w.out.Places[i].From, &w.out.Places[i].To, w.places[i].span)
	}
	if w.drawing != nil {
		w.out.Drawing = wireDrawing(*w.drawing, at)
		w.out.Drawing.DOT = ""
	}
	at.settle()
}

// MaxPlaces is how many places of a text drawing.whole returns.
const MaxPlaces = 40_000
