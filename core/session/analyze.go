package session

import (
	"slices"
	"strconv"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/pushdown"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/view"
	"github.com/stile-playground/stile/core/workspace"
)

// MaxTokens is how many coloured ranges a reply carries. An editor shows a
// screenful; a text with more is coloured up to there.
const MaxTokens = 20_000

// MaxShown is how many diagnostics a reply carries; nobody reads the next one.
const MaxShown = 200

// DocumentParams name a file of a workspace.
type DocumentParams struct {
	Files []File `json:"files"`
	Name  string `json:"name"`
}

// OutlineItem is a definition in a file.
type OutlineItem struct {
	Name   string `json:"name"`
	Detail string `json:"detail"`
	From   int    `json:"from"`
	To     int    `json:"to"`
}

// Letter is a symbol of a spec's alphabet.
type Letter struct {
	Name  string `json:"name"`
	Label string `json:"label"`
}

// DrawingNode is a [view.Node]; From and To are its text in UTF-16 code units,
// -1 where it has none.
type DrawingNode struct {
	ID        string        `json:"id"`
	Label     string        `json:"label"`
	Detail    string        `json:"detail,omitempty"`
	Kind      view.NodeKind `json:"kind"`
	Start     bool          `json:"start"`
	Accepting bool          `json:"accepting"`
	From      int           `json:"from"`
	To        int           `json:"to"`
}

// DrawingLine is a [view.Line], placed like a [DrawingNode].
type DrawingLine struct {
	ID    string `json:"id"`
	Label string `json:"label"`
	From  int    `json:"from"`
	To    int    `json:"to"`
}

// DrawingEdge is a [view.Edge].
type DrawingEdge struct {
	ID     string        `json:"id"`
	Source string        `json:"source"`
	Target string        `json:"target"`
	Lines  []DrawingLine `json:"lines"`
	Folded int           `json:"folded"`
}

// Drawing is a [view.Drawing] with its Graphviz source.
type Drawing struct {
	Title  string        `json:"title"`
	Nodes  []DrawingNode `json:"nodes"`
	Edges  []DrawingEdge `json:"edges"`
	DOT    string        `json:"dot"`
	Folded int           `json:"folded"`
	Down   bool          `json:"down"`
}

// DocumentAnalyzeResult is all that an editor shows of a file. Drawing is absent
// where the text has no meaning yet.
type DocumentAnalyzeResult struct {
	Kind        workspace.Kind `json:"kind"`
	Summary     string         `json:"summary"`
	Diagnostics []Diagnostic   `json:"diagnostics"`
	Tokens      []Token        `json:"tokens"`
	Outline     []OutlineItem  `json:"outline"`
	Symbols     []Letter       `json:"symbols"`
	Drawing     *Drawing       `json:"drawing,omitempty"`
}

func (s *Session) documentAnalyze(p DocumentParams) (DocumentAnalyzeResult, error) {
	file, err := openDocument(p)
	if err != nil {
		return DocumentAnalyzeResult{}, err
	}
	out := DocumentAnalyzeResult{Kind: workspace.KindOf(p.Name), Outline: []OutlineItem{}, Symbols: []Letter{}, Tokens: []Token{}}
	at := &places{file: file}
	var found []source.Diagnostic
	switch out.Kind {
	case workspace.KindGrammar:
		found = analyzeGrammar(file, &out, at)
	case workspace.KindAgent:
		found = analyzeAgent(file, &out, at)
	case workspace.KindPushdown:
		found = analyzePushdown(file, &out, at)
	case workspace.KindFlow:
		found = analyzeFlow(file, &out, at)
	case workspace.KindFormulas:
		found = analyzeFormulas(file, p.Files, &out, at)
	default:
		if found = analyzeLater(file, p.Files, &out, at); out.Summary != "" {
			break
		}
		out.Summary = "notes"
		found = file.Check()
	}
	at.settle()
	if len(found) > MaxShown {
		source.Sort(found)
		// Warnings leave room for errors.
		slices.SortStableFunc(found, func(a, b source.Diagnostic) int { return int(a.Severity) - int(b.Severity) })
		found = found[:MaxShown:MaxShown]
	}
	out.Diagnostics = wireDiagnostics(file, found)
	return out, nil
}

func openDocument(p DocumentParams) (*source.File, error) {
	w := workspace.Workspace{Files: p.Files}
	if err := w.Check(); err != nil {
		return nil, err
	}
	f, ok := w.File(p.Name)
	if !ok {
		return nil, missingFile(p.Name, w)
	}
	return f.Source(), nil
}

// colour places the first of n coloured ranges.
func (out *DocumentAnalyzeResult) colour(at *places, n int, token func(i int) (class string, span source.Span)) {
	out.Tokens = make([]Token, min(n, MaxTokens))
	at.room(2 * len(out.Tokens))
	for i := range out.Tokens {
		class, span := token(i)
		out.Tokens[i].Class = class
		at.span(&out.Tokens[i].From, &out.Tokens[i].To, span)
	}
}

func analyzeGrammar(file *source.File, out *DocumentAnalyzeResult, at *places) []source.Diagnostic {
	g, found := compileGrammar(file, "")
	if g != nil && !source.HasErrors(found) {
		found = append(found, laterGrammar(g)...)
	}
	tokens := grammar.Tokens(file)
	out.colour(at, len(tokens), func(i int) (string, source.Span) { return tokens[i].Class.String(), tokens[i].Span })
	if g == nil {
		out.Summary = "no grammar yet"
		return found
	}
	nonterminals := len(g.Names) - g.NumTerminals
	out.Summary = count(nonterminals, "nonterminal") + ", " + count(g.NumTerminals, "terminal") + ", " + count(len(g.Productions), "production")
	for i := range min(g.NumTerminals, MaxShown) {
		out.Symbols = append(out.Symbols, Letter{Name: g.Names[i], Label: g.Label(grammar.Symbol(i))})
	}
	out.Outline = make([]OutlineItem, min(nonterminals, MaxShown))
	for i := range out.Outline {
		symbol := grammar.Symbol(g.NumTerminals + i)
		out.Outline[i] = OutlineItem{Name: g.Names[symbol], Detail: count(len(g.ByLeft(symbol)), "production")}
		at.span(&out.Outline[i].From, &out.Outline[i].To, g.Span(symbol))
	}
	if !source.HasErrors(found) {
		d, _, _ := view.Pushdown(pushdown.FromGrammar(g), "Pushdown automaton of the grammar", view.Picture)
		out.Drawing = wireDrawing(d, at)
	}
	return found
}

func analyzeAgent(file *source.File, out *DocumentAnalyzeResult, at *places) []source.Diagnostic {
	a, found := compileAgent(file)
	tokens := agent.Tokens(file)
	out.colour(at, len(tokens), func(i int) (string, source.Span) { return tokens[i].Class.String(), tokens[i].Span })
	if a == nil {
		out.Summary = "no agent yet"
		return found
	}
	out.Summary = count(len(a.States), "state") + ", automaton of " + count(a.DFA.NumStates(), "state")
	out.Outline = make([]OutlineItem, min(len(a.States), MaxShown))
	for i := range out.Outline {
		out.Symbols = append(out.Symbols, Letter{Name: a.States[i].Name, Label: a.States[i].Text})
		out.Outline[i] = OutlineItem{Name: a.States[i].Name, Detail: a.States[i].Text}
		at.span(&out.Outline[i].From, &out.Outline[i].To, a.States[i].Span)
	}
	if !source.HasErrors(found) {
		out.Drawing = wireDrawing(view.Agent(a, view.Picture), at)
	}
	return found
}

func count(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return strconv.Itoa(n) + " " + thing
}

// wireDrawing returns the drawing for the wire. With a nil at, or for spans that
// are empty, the places are -1.
func wireDrawing(d view.Drawing, at *places) *Drawing {
	out := &Drawing{
		Title: d.Title, DOT: d.DOT(), Folded: d.Folded, Down: d.Down,
		Nodes: make([]DrawingNode, len(d.Nodes)), Edges: make([]DrawingEdge, len(d.Edges)),
	}
	place := func(from, to *int, s source.Span) {
		if at == nil || s.Len() == 0 {
			*from, *to = -1, -1
			return
		}
		at.span(from, to, s)
	}
	for i, n := range d.Nodes {
		out.Nodes[i] = DrawingNode{ID: n.ID, Label: n.Label, Detail: n.Detail, Kind: n.Kind, Start: n.Start, Accepting: n.Accepting}
		place(&out.Nodes[i].From, &out.Nodes[i].To, n.Span)
	}
	for i, e := range d.Edges {
		out.Edges[i] = DrawingEdge{ID: e.ID, Source: e.From, Target: e.To, Folded: e.Folded, Lines: make([]DrawingLine, len(e.Lines))}
		for j, l := range e.Lines {
			out.Edges[i].Lines[j] = DrawingLine{ID: l.ID, Label: l.Label}
			place(&out.Edges[i].Lines[j].From, &out.Edges[i].Lines[j].To, l.Span)
		}
	}
	return out
}

// DocumentFormatParams are a file; its name's ending gives the language.
type DocumentFormatParams struct {
	Name string `json:"name"`
	Text string `json:"text"`
}
