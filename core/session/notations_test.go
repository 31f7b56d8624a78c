package session

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

const (
	counter = "start q Z\naccept q\nq -> q (a, *; A *) (b, A; ε)\na as \"open\"\nlimit 3 a\n"
	asking  = "ask sure \"Are you?\"\n  yes -> good   no -> stop\naccept good \"Then go.\"\n"
)

func kinds(list []Diagnostic) []string {
	var out []string
	for _, d := range list {
		out = append(out, d.Code)
	}
	return out
}

func TestAutomataFlowchartsAndFormulasAreAnalysed(t *testing.T) {
	workspace := []File{
		{Name: "g.cfg", Text: anbn}, {Name: "p.pda", Text: counter}, {Name: "f.flow", Text: asking},
		{Name: "a.agent", Text: "(define x (:states (A (:text \"[A]\")) (B (:text \"[B]\"))) (:behavior (next A B)))"},
		{Name: "of-grammar.ltl", Text: "G (b -> WX b)\n\nlonger: F X a # but\n"},
		{Name: "of-agent.ltl", Text: "A & X B"}, {Name: "of-flow.ltl", Text: "sure.yes"}, {Name: "of-nothing.ltl", Text: "G (x -> F y)"},
	}
	for _, c := range []struct {
		name, kind, summary string
		nodes               int
		codes               []string
	}{
		{"p.pda", "pda", "1 state, 2 transitions, 2 letters", 1, nil},
		{"f.flow", "flow", "3 states, 1 question", 3, nil},
		{"of-grammar.ltl", "ltl", "2 formulas", 3, []string{"ltl.violated", "ltl.holds"}},
		{"of-agent.ltl", "ltl", "1 formula", 3, []string{"ltl.holds"}},
		{"of-flow.ltl", "ltl", "1 formula", 2, []string{"ltl.holds"}},
		{"of-nothing.ltl", "ltl", "1 formula", 3, []string{"ltl.unknown", "ltl.unknown"}},
	} {
		got := result[DocumentAnalyzeResult](t, New(), "document.analyze", DocumentParams{Files: workspace, Name: c.name})
		if string(got.Kind) != c.kind || got.Summary != c.summary || got.Drawing == nil || len(got.Drawing.Nodes) != c.nodes || !slices.Equal(kinds(got.Diagnostics), c.codes) || len(got.Tokens) == 0 {
			t.Errorf("%s: %s %q %v %+v", c.name, got.Kind, got.Summary, kinds(got.Diagnostics), got.Drawing)
		}
	}
	got := result[DocumentAnalyzeResult](t, New(), "document.analyze", DocumentParams{Files: workspace, Name: "of-grammar.ltl"})
	if d := got.Diagnostics[0]; d.Message != "counterexample in g.cfg: a b" || d.Line != 3 {
		t.Errorf("%+v", d)
	}
}

func TestAutomataAndFlowchartsCanBeStepped(t *testing.T) {
	for _, c := range []struct {
		name, text, word, verdict, next string
		stacks                          int
		active                          string
	}{
		{"p.pda", counter, "", "valid", "[a]", 1, "[q0]"},
		{"p.pda", counter, "a a", "valid", "[a b]", 1, "[q0 t0]"},
		{"p.pda", counter, "a a a", "valid", "[b]", 1, "[q0 t0]"},
		{"p.pda", counter, "b", "invalid", "[]", 0, "[]"},
		{"f.flow", asking, "", "incomplete", "[sure.yes]", 1, "[f0]"},
		{"f.flow", asking, "sure.yes", "valid", "[]", 1, "[f0.0 f1]"},
		{"f.flow", asking, "sure.no", "invalid", "[]", 0, "[]"},
	} {
		got := result[StepWalkResult](t, New(), "step.walk", StepWalkParams{Files: files(c.name, c.text), Name: c.name, Word: strings.Fields(c.word)})
		next := []string{}
		for _, l := range got.Next {
			next = append(next, l.Name)
		}
		if got.Verdict != c.verdict || fmt.Sprint(next) != c.next || len(got.Configurations) != c.stacks || fmt.Sprint(got.Active) != c.active {
			t.Errorf("%s %q: %s, next %v, %+v, active %v", c.name, c.word, got.Verdict, next, got.Configurations, got.Active)
		}
	}
	if _, fault := call(t, New(), "step.walk", StepWalkParams{Files: files("a.ltl", "G a &"), Name: "a.ltl"}); fault == nil {
		t.Error("a formula with an error is stepped")
	}
	if _, fault := call(t, New(), "step.walk", StepWalkParams{Files: files("a.md", "notes"), Name: "a.md"}); fault == nil || fault.Code != "step.kind" {
		t.Errorf("got %+v", fault)
	}
}

func TestOtherNotationsAreFormatted(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"p.pda", "start  q Z\naccept q\nfor h in 1..2 {\nq -> q ( a,Z;Z )\n}", "start q Z\naccept q\nfor h in 1..2 {\n  q -> q (a, Z; Z)\n}\n"},
		{"f.flow", "ask a \"?\"\nyes -> b\naccept   b", "ask a \"?\"\n  yes -> b\naccept b\n"},
		{"p.ltl", "x: (G(a))&&(b)\n\n\n\n# kept\nF   c # so\n", "x: G a & b\n\n# kept\nF   c # so\n"},
	} {
		got := result[DocumentFormatResult](t, New(), "document.format", DocumentFormatParams{Name: c.name, Text: c.text})
		if got.Text != c.want || !got.Changed {
			t.Errorf("%s: %q, want %q", c.name, got.Text, c.want)
		}
		if again := result[DocumentFormatResult](t, New(), "document.format", DocumentFormatParams{Name: c.name, Text: got.Text}); again.Changed {
			t.Errorf("%s: formatted twice: %q", c.name, again.Text)
		}
		if _, fault := call(t, New(), "document.format", DocumentFormatParams{Name: c.name, Text: "}} ((("}); fault == nil || fault.Code != "source.invalid" {
			t.Errorf("%s: a text with errors: %+v", c.name, fault)
		}
	}
}

func TestFormulasOverManyPropositionsHaveGuards(t *testing.T) {
	var props []string
	formula := "p32"
	for i := 31; i >= 0; i-- {
		formula = fmt.Sprintf("p%d U (%s)", i, formula)
	}
	for i := range 33 {
		props = append(props, fmt.Sprintf("p%d", i))
	}
	got := result[FormulaAutomatonResult](t, New(), "formula.automaton", FormulaParams{Formula: formula, Propositions: props, Letters: "powerset"})
	if got.States != 34 || len(got.Guards) != 34 || len(got.Transitions) != 0 || len(got.Accepting) != 1 {
		t.Errorf("%d states, %d guards, %d rows, accepting %v", got.States, len(got.Guards), len(got.Transitions), got.Accepting)
	}
	got = result[FormulaAutomatonResult](t, New(), "formula.automaton", FormulaParams{Formula: "G (a -> X b)", Propositions: []string{"a", "b"}, Letters: "onehot"})
	if fmt.Sprint(got.Guards[0]) != fmt.Sprint([]FormulaGuard{{1, "a"}, {2, "!a"}}) || len(got.Transitions) != got.States || len(got.Letters) != 2 {
		t.Errorf("%+v", got)
	}
}

func TestFormulasCanBeStepped(t *testing.T) {
	const formulas = "safe: G(pay -> X answer)\n\nlive: F answer\n"
	alone := files("p.ltl", formulas)
	for _, c := range []struct {
		files                          []File
		view, word, verdict, next, lit string
	}{
		{alone, "", "", "incomplete", "[answer pay ∅]", "[q0]"},
		{alone, "", "pay", "incomplete", "[answer]", "[q2 q0>q2]"},
		{alone, "", "pay answer ∅", "valid", "[answer pay ∅]", "[q1 q1>q1]"},
		{alone, "", "pay pay", "invalid", "[]", "[]"},
		{alone, "", "pay&answer answer", "valid", "[answer pay ∅]", "[q1 q2>q1]"},
		{alone, "1", "pay", "incomplete", "[answer pay ∅]", "[q0 q0>q0]"},
		{alone, "1", "answer", "valid", "[answer pay ∅]", "[q1 q0>q1]"},
		{alone, "9", "answer", "valid", "[answer pay ∅]", "[q1 q0>q1]"},
		{alone, "1", "other", "invalid", "[]", "[]"},
		{append(files("g.cfg", "S -> pay S | answer | wait S\n"), alone...), "", "wait", "valid", "[pay answer wait]", "[q1 q0>q1]"},
		{append(files("g.cfg", "S -> pay S | answer | wait S\n"), alone...), "", "pay&answer", "invalid", "[]", "[]"},
	} {
		got := result[StepWalkResult](t, New(), "step.walk", StepWalkParams{Files: c.files, Name: "p.ltl", View: c.view, Word: strings.Fields(c.word)})
		next := []string{}
		for _, l := range got.Next {
			next = append(next, l.Name)
		}
		if got.Verdict != c.verdict || fmt.Sprint(next) != c.next || fmt.Sprint(got.Active) != c.lit {
			t.Errorf("%q %q: %s, next %v, active %v", c.view, c.word, got.Verdict, next, got.Active)
		}
		// The marks are parts of the drawing.
		whole := result[DrawingWholeResult](t, New(), "drawing.whole", DrawingWholeParams{Files: c.files, Name: "p.ltl", View: c.view})
		if whole.Drawing == nil {
			continue
		}
		for _, id := range got.Active {
			node := slices.ContainsFunc(whole.Drawing.Nodes, func(n DrawingNode) bool { return n.ID == id })
			edge := slices.ContainsFunc(whole.Drawing.Edges, func(e DrawingEdge) bool { return e.ID == id })
			if !node && !edge {
				t.Errorf("%q %q: %s is not in the drawing", c.view, c.word, id)
			}
		}
	}
	_, fault := call(t, New(), "step.walk", StepWalkParams{Files: files("p.ltl", "# none\n"), Name: "p.ltl"})
	if fault == nil || fault.Code != "source.invalid" {
		t.Errorf("got %+v", fault)
	}
}
