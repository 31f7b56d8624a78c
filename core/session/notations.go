package session

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/flow"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/lines"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/pushdown"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/tool"
	"github.com/stile-playground/stile/core/verify"
	"github.com/stile-playground/stile/core/view"
	"github.com/stile-playground/stile/core/workspace"
)

// analysisBudget bounds what an editor waits for at each change of a text.
var analysisBudget = meter.Budget{Steps: 5_000_000, States: 200_000}

func compilePushdown(file *source.File) (*pushdown.PDA, []source.Diagnostic) {
	syntax, found := pushdown.Parse(file)
	p, more := pushdown.Compile(syntax)
	return p, append(found, more...)
}

func compileFlow(file *source.File) (*flow.Flow, []source.Diagnostic) {
	syntax, found := flow.Parse(file)
	f, more := flow.Compile(syntax)
	found = append(found, more...)
	if f != nil {
		found = append(found, f.CheckVariables(file)...)
	}
	return f, found
}

// colourLines colours a text of the notations that are written line by line.
func (out *DocumentAnalyzeResult) colourLines(file *source.File, at *places, keywords string) {
	tokens := lines.Lex(file.Text)
	tokens = slices.DeleteFunc(tokens, func(t lines.Token) bool { return t.Kind == lines.Line })
	out.colour(at, len(tokens), func(i int) (string, source.Span) {
		t := tokens[i]
		class := "terminal"
		switch {
		case t.Open:
			class = "invalid"
		case t.Kind == lines.Comment:
			class = "comment"
		case t.Kind == lines.Text:
			class = "string"
		case t.Kind == lines.Arrow || t.Kind == lines.Mark || t.Text == "*" || t.Text == "ε":
			class = "operator"
		case strings.Contains(" "+keywords+" ", " "+t.Text+" "):
			class = "keyword"
		case i+1 < len(tokens) && tokens[i+1].Kind == lines.Arrow || i > 0 && tokens[i-1].Kind == lines.Arrow:
			class = "nonterminal"
		}
		return class, t.Span
	})
}

func analyzePushdown(file *source.File, out *DocumentAnalyzeResult, at *places) []source.Diagnostic {
	p, found := compilePushdown(file)
	out.colourLines(file, at, "start accept empty limit each except backwards for in if as")
	if p == nil {
		out.Summary = "no automaton yet"
		return found
	}
	letters := p.Letters()
	out.Summary = count(len(p.States), "state") + ", " + count(len(p.Transitions), "transition") + ", " + count(len(letters), "letter")
	labels := p.LetterLabels()
	for _, letter := range letters[:min(len(letters), MaxShown)] {
		out.Symbols = append(out.Symbols, Letter{Name: letter, Label: cmp.Or(labels[letter], letter)})
	}
	if !source.HasErrors(found) {
		d, _, _ := view.Pushdown(p, "Pushdown automaton", view.Picture)
		out.Drawing = wireDrawing(d, at)
	}
	return found
}

func analyzeFlow(file *source.File, out *DocumentAnalyzeResult, at *places) []source.Diagnostic {
	f, found := compileFlow(file)
	out.colourLines(file, at, "ask accept stop start let in any order some next as")
	if f == nil {
		out.Summary = "no flowchart yet"
		return found
	}
	questions := 0
	for _, s := range f.States {
		if s.Kind == flow.Ask {
			questions++
		}
	}
	out.Summary = count(len(f.States), "state") + ", " + count(questions, "question")
	out.Outline = make([]OutlineItem, min(len(f.States), MaxShown))
	for i := range out.Outline {
		out.Outline[i] = OutlineItem{Name: f.States[i].Name, Detail: f.States[i].Question}
		at.span(&out.Outline[i].From, &out.Outline[i].To, f.States[i].Span)
	}
	letters := f.Letters()
	for _, letter := range letters[:min(len(letters), MaxShown)] {
		out.Symbols = append(out.Symbols, Letter{Name: letter, Label: letter})
	}
	if !source.HasErrors(found) {
		out.Drawing = wireDrawing(view.Flow(f, view.Picture), at)
	}
	return found
}

// analyzeFormulas analyses a file of formulas. The first of them is drawn. Each is
// proven of, or refuted by, the first other spec of the workspace that has all its
// propositions as letters.
func analyzeFormulas(file *source.File, files []File, out *DocumentAnalyzeResult, at *places) []source.Diagnostic {
	list, found := ltl.Parse(file)
	tokens := ltl.Tokens(file)
	out.colour(at, len(tokens), func(i int) (string, source.Span) { return tokens[i].Class, tokens[i].Span })
	out.Summary = count(len(list), "formula")
	out.Outline = make([]OutlineItem, min(len(list), MaxShown))
	for i := range out.Outline {
		out.Outline[i] = OutlineItem{Name: list[i].Name, Detail: list[i].Formula.String()}
		at.span(&out.Outline[i].From, &out.Outline[i].To, list[i].Span)
	}
	if len(list) == 0 {
		return found
	}
	known := vocabularyOf(files)
	spent := int64(0)
	named := map[string]source.Span{}
	for i, n := range list {
		if before, again := named[n.Name]; again && n.Name != "" {
			found = append(found, source.Diagnostic{
				Code: "ltl.duplicate", Severity: source.SeverityWarning, Span: n.NameSpan, Message: "duplicate formula name " + strconv.Quote(n.Name),
				Notes: []source.Note{{Span: before, Message: "first used here"}},
			})
		} else {
			named[n.Name] = n.NameSpan
		}
		if !known.free {
			found = append(found, known.faults(file, n)...)
		}
		if spent > meter.DefaultSteps {
			// An editor waits for this; what a person has to know is where it ends.
			found = append(found, source.Diagnostic{
				Code: "limit.steps", Severity: source.SeverityInfo, Span: n.Span, Message: "the formulas from here on are not judged: those before took all the time there is",
			})
			break
		}
		m := meter.New(analysisBudget)
		for _, s := range known.subjects {
			if s.has(n.Formula) {
				found = append(found, s.judge(n, m))
				break
			}
		}
		spent += m.Spent(meter.Steps) + 20*m.Spent(meter.States) + 1_000
		if i > 0 {
			m = meter.New(constantBudget)
		}
		alphabet, err := ltl.NewAlphabet(n.Formula.Props(), ltl.Powerset)
		if err == nil {
			var d *ltl.Automaton
			if d, err = ltl.Translate(n.Formula, alphabet, m); err == nil {
				if holds, constant := d.Constant(); constant {
					found = append(found, constantFormula(n, holds))
				}
				if i == 0 {
					out.Drawing = wireDrawing(view.Formula(d, n.Formula.String(), view.Picture, nil), at)
				}
				continue
			}
		}
		if i > 0 {
			continue
		}
		found = append(found, source.Diagnostic{Code: errorCode(err), Severity: source.SeverityInfo, Span: n.Span, Message: "the automaton is not drawn: " + err.Error()})
	}
	return found
}

// constantBudget bounds the search for formulas that are always true or always false.
var constantBudget = meter.Budget{Steps: 100_000, States: 2_000}

func constantFormula(n ltl.Named, holds bool) source.Diagnostic {
	message := "unsatisfiable: no trace satisfies this formula"
	if holds {
		message = "trivial: every trace satisfies this formula"
	}
	return source.Diagnostic{Code: "ltl.constant", Severity: source.SeverityWarning, Span: n.Span, Message: message}
}

// toolsFile is the file of a workspace that says what tools do.
const toolsFile = "tools.json"

// openTools reads that file with the tables that it names.
func openTools(f *source.File, w workspace.Workspace) (*tool.Set, []source.Diagnostic) {
	tools, found := tool.Parse(f)
	if tools != nil {
		found = append(found, tools.Load(func(name string) (string, bool) {
			table, ok := w.File(name)
			return table.Text, ok
		})...)
	}
	return tools, found
}

// subject is a spec that formulas speak of.
type subject struct {
	name    string
	letters []string
	verify  func(f *ltl.Formula, m *meter.Meter) (holds bool, counterexample []string, err error)
	things  string // what the spec has
}

// wordsOf is what specs of plans have, where agents have runs.
const wordsOf = "word"

func (s subject) has(f *ltl.Formula) bool {
	for _, name := range f.Props() {
		if !slices.Contains(s.letters, name) {
			return false
		}
	}
	return true
}

// part returns the conjunction of the formula's conjuncts about the spec, nil for none.
func (s subject) part(f *ltl.Formula) (out *ltl.Formula) {
	if s.has(f) {
		return f
	}
	for _, c := range ltl.Conjuncts(f) {
		switch {
		case !s.has(c) || len(c.Props()) == 0:
		case out == nil:
			out = c
		default:
			out = ltl.New(ltl.And, out, c)
		}
	}
	return out
}

func (s subject) judge(n ltl.Named, m *meter.Meter) source.Diagnostic {
	holds, word, err := s.verify(n.Formula, m)
	d := source.Diagnostic{Severity: source.SeverityInfo, Span: n.Span}
	switch {
	case err != nil:
		d.Code, d.Message = errorCode(err), fmt.Sprintf("whether it holds of %s is not known: %v", s.name, err)
	case holds:
		d.Code, d.Message = "ltl.holds", fmt.Sprintf("proven: it holds of every %s of %s", s.things, s.name)
	default:
		d.Code, d.Severity = "ltl.violated", source.SeverityWarning
		d.Message = fmt.Sprintf("violated by this %s of %s: %s", s.things, s.name, strings.Join(word, " "))
	}
	return d
}

// subjectsOf returns the sound specs of a workspace that have words or runs.
func subjectsOf(files []File) []subject {
	var out []subject
	ofGrammar := func(name string, g *grammar.Grammar) {
		out = append(out, subject{name, g.Names[:g.NumTerminals], func(f *ltl.Formula, m *meter.Meter) (bool, []string, error) {
			holds, word, err := verify.Grammar(g, f, m)
			return holds, *wordNames(g, word), err
		}, wordsOf})
	}
	for _, f := range files {
		file := f.Source()
		switch workspace.KindOf(f.Name) {
		case workspace.KindGrammar:
			if g, found := compileGrammar(file, ""); g != nil && !source.HasErrors(found) {
				ofGrammar(f.Name, g)
			}
		case workspace.KindPushdown:
			if p, found := compilePushdown(file); p != nil && !source.HasErrors(found) {
				g, err := p.Grammar(meter.New(analysisBudget))
				if err == nil {
					ofGrammar(f.Name, g)
				} else {
					out = append(out, subject{name: f.Name, verify: func(*ltl.Formula, *meter.Meter) (bool, []string, error) { return false, nil, err }, things: wordsOf})
				}
				out[len(out)-1].letters = p.Letters()
			}
		case workspace.KindFlow:
			if chart, found := compileFlow(file); chart != nil && !source.HasErrors(found) {
				ofGrammar(f.Name, chart.Grammar())
			}
		case workspace.KindAgent:
			a, found := compileAgent(file)
			if a == nil || source.HasErrors(found) {
				continue
			}
			var names []string
			for _, s := range a.States {
				names = append(names, s.Name)
			}
			out = append(out, subject{f.Name, names, func(f *ltl.Formula, m *meter.Meter) (bool, []string, error) {
				return verify.Agent(a, f, m)
			}, "run"})
		}
	}
	return out
}

// stepWords walks the words of an automaton written by hand.
func stepWords(p *pushdown.PDA, word []string, out *StepWalkResult) error {
	m := meter.New(callBudget)
	words, err := p.Words(m)
	if err != nil {
		return err
	}
	walked, err := stepLanguage(words.Grammar, word, out, m)
	if err != nil || !out.Viable {
		return err
	}
	names := *wordNames(words.Grammar, walked)
	list, truncated, err := words.Situations(names, MaxConfigurations, m)
	if err != nil {
		return err
	}
	out.Truncated = truncated
	_, nodeOf, lineOf := view.Pushdown(p, "", view.Picture)
	for _, s := range list {
		out.Configurations = append(out.Configurations, Configuration{State: p.States[s.State], Stack: s.Stack})
		out.light(nodeOf[s.State])
	}
	if len(names) == 0 {
		return nil
	}
	for i, t := range p.Transitions {
		if t.Read == names[len(names)-1] && slices.ContainsFunc(list, func(s pushdown.Situation) bool { return s.State == t.To }) {
			out.light(lineOf[i])
		}
	}
	return nil
}

// stepFlow walks the answers of a flowchart.
func stepFlow(f *flow.Flow, word []string, out *StepWalkResult) error {
	if _, err := stepLanguage(f.Grammar(), word, out, meter.New(callBudget)); err != nil || !out.Viable {
		return err
	}
	state := f.Start
	for _, letter := range word {
		i := slices.IndexFunc(f.States[state].Edges, func(e flow.Edge) bool { return f.Letter(state, e) == letter })
		if i < 0 {
			return nil
		}
		out.Active = []string{view.FlowEdge(state, i)}
		state = f.States[state].Edges[i].To
	}
	out.light(view.FlowNode(state))
	out.Configurations = []Configuration{{State: f.States[state].Name, Stack: []string{}}}
	return nil
}

// light adds a part of the drawing to those that are lit, once.
func (out *StepWalkResult) light(id string) {
	if !slices.Contains(out.Active, id) {
		out.Active = append(out.Active, id)
	}
}
