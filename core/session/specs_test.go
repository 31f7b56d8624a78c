package session

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/formulate"
	"github.com/stile-playground/stile/core/notation"
)

const shipping = `; Two suppliers, one roastery.
(declare-const ship.a Int)
(declare-const ship.b Int)
(define-fun total () Int (+ ship.a ship.b))
(assert (! (>= total 10) :named demand))
(assert (and (>= ship.a 0) (>= ship.b 0)))
(assert (! (<= ship.a 6) :named query.1))
(minimize (+ (* 2 ship.a) (* 3 ship.b)))
`

const mixLP = `\ A mix
Minimize
 cost: 2 x + 3 y
Subject To
 c1: x + y >= 10
 query_1: x <= 6
Bounds
 y <= 9
End
`

// said formats the result of document.analyze, one line per item.
func said(t *testing.T, files []File, name string) string {
	t.Helper()
	got := result[DocumentAnalyzeResult](t, New(), "document.analyze", DocumentParams{Files: files, Name: name})
	text := ""
	for _, f := range files {
		if f.Name == name {
			text = f.Text
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", got.Kind, got.Summary)
	for _, d := range got.Diagnostics {
		fmt.Fprintf(&b, "%s %s %q: %s\n", d.Severity, d.Code, text[d.From:d.To], d.Message)
	}
	for _, o := range got.Outline {
		fmt.Fprintf(&b, "- %s, %s: %q\n", o.Name, o.Detail, text[o.From:o.To])
	}
	if got.Drawing != nil {
		fmt.Fprintf(&b, "%d nodes, %d edges, %d folded\n", len(got.Drawing.Nodes), len(got.Drawing.Edges), got.Drawing.Folded)
	}
	for _, token := range got.Tokens {
		if token.From >= token.To || token.To > len(text) {
			t.Errorf("the token %+v is nowhere", token)
		}
	}
	return b.String()
}

func TestAnalysisOfProblemsForSolvers(t *testing.T) {
	api := File{Name: "a.problem/api.smt2", Text: "(define-fun cost ((x Int)) Int (* 2 x))\n"}
	for _, c := range []struct {
		name, text string
		more       []File
		want       string
	}{
		{"a.smt2", shipping, nil, `smt2: 2 variables, 3 constraints, minimize (+ (* 2 ship.a) (* 3 ship.b)…
- demand, constraint: "(! (>= total 10) :named demand)"
- query.1, constraint: "(! (<= ship.a 6) :named query.1)"
- ship.a, Int: "ship.a"
- ship.b, Int: "ship.b"
6 nodes, 7 edges, 0 folded
`},
		{"a.lp", mixLP, nil, `lp: 2 variables, 2 constraints, minimize 2 x + 3 y
- c1, constraint: "c1: x + y >= 10"
- query_1, constraint: "query_1: x <= 6"
- x, Real: "x"
- y, Real: "y"
5 nodes, 5 edges, 0 folded
`},
		{"a.problem/model.smt2", "(declare-const x Int)\n(assert (> (cost x) 2))\n", []File{api}, "smt2: 1 variable, 1 constraint\n- x, Int: \"x\"\n2 nodes, 1 edges, 0 folded\n"},
		{"a.problem/model.smt2", "(define-fun cost () Int 1)\n(assert (> cost 2))\n", []File{api}, `smt2: 0 variables, 1 constraint
error smt.redeclared "cost": duplicate definition of "cost"; use the one in a.problem/api.smt2, line 1
error smt.arity "cost": cost takes one argument, got 0
`},
		{"a.problem/api.smt2", api.Text, nil, "smt2: 0 variables, 0 constraints\n"},
		{"a.smt2", "", nil, "smt2: 0 variables, 0 constraints\nwarning smt.empty \"\": no assertion and no objective: every assignment is a solution\n"},
		{"a.smt2", "(declare-const x Int)(assert (> y 2))", nil, "smt2: 1 variable, 1 constraint\nerror smt.undeclared \"y\": unknown constant \"y\"\n- x, Int: \"x\"\n"},
		{"a.smt2", "(assert", nil, "smt2: 0 variables, 0 constraints\nerror smt.open \"(\": unmatched (\n"},
		{"a.lp", "Maximise x", nil, "lp: 1 variable, 0 constraints, maximize x\nerror lp.end \"\": missing End\n- x, Real: \"x\"\n"},
	} {
		t.Run(c.name+" "+c.text[:min(len(c.text), 20)], func(t *testing.T) {
			if got := said(t, append([]File{{Name: c.name, Text: c.text}}, c.more...), c.name); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func TestLargeProblemIsDrawnFolded(t *testing.T) {
	var b strings.Builder
	for i := range 300 {
		fmt.Fprintf(&b, "(declare-const ship.%d.%d Int)(assert (! (>= ship.%d.%d 0) :named least.%d))\n", i/10, i%10, i/10, i%10, i)
	}
	b.WriteString("(declare-const cost Int)(assert (= cost (+ ship.0.0 ship.1.1)))(minimize cost)")
	got := result[DocumentAnalyzeResult](t, New(), "document.analyze", DocumentParams{Files: []File{{Name: "a.smt2", Text: b.String()}}, Name: "a.smt2"})
	if got.Drawing == nil || len(got.Drawing.Nodes) != 5 || got.Drawing.Nodes[0].Label != "ship …" || got.Drawing.Nodes[0].Detail != "300 of sort Int" || got.Drawing.Nodes[2].Label != "least …" || len(got.Outline) != notation.MaxShown {
		t.Errorf("%+v", got.Drawing)
	}
}

func TestAnalysisOfPDDL(t *testing.T) {
	for _, c := range []struct {
		name, file string
		files      []File
		want       string
	}{
		{"a domain", "lamps.pddl", lampFiles(), `pddl: 2 actions, 3 predicates
- lamp, predicate with 1 parameter: "lamp"
- lit, predicate with 1 parameter: "lit"
- fused, predicate with 0 parameters: "fused"
- light, action with 1 parameter: "light"
- fuse, action with 0 parameters: "fuse"
5 nodes, 4 edges, 0 folded
`},
		{"a problem", "evening.pddl", lampFiles(), "pddl: 2 objects, 8 states\n- hall, object: \"hall\"\n- porch, object: \"porch\"\n8 nodes, 12 edges, 0 folded\n"},
		{"both", "a.pddl", []File{{Name: "a.pddl", Text: "(define (domain d) (:predicates (p)) (:action go :parameters () :effect (p))) (define (problem q) (:domain d) (:goal (p)))"}},
			"pddl: 1 action, 1 predicate, 0 objects, 2 states\n- p, predicate with 0 parameters: \"p\"\n- go, action with 0 parameters: \"go\"\n2 nodes, 1 edges, 0 folded\n"},
		{"an unreachable goal", "a.pddl", []File{{Name: "a.pddl", Text: "(define (domain d) (:predicates (p) (q)) (:action go :parameters () :effect (p))) (define (problem q) (:domain d) (:init) (:goal (q)))"}},
			"pddl: 1 action, 2 predicates, 0 objects\nwarning strips.hopeless \"(q)\": unreachable goal: no action makes (q) true\n- p, predicate with 0 parameters: \"p\"\n- q, predicate with 0 parameters: \"q\"\n- go, action with 0 parameters: \"go\"\n2 nodes, 1 edges, 0 folded\n"},
		{"a problem without :init", "a.pddl", []File{{Name: "a.pddl", Text: "(define (domain d) (:predicates (p) (q)) (:action go :parameters () :effect (p))) (define (problem q) (:domain d) (:goal (q)))"}},
			"pddl: 1 action, 2 predicates, 0 objects\nwarning strips.init \"q\": missing :init: no fact is true at the start\n- p, predicate with 0 parameters: \"p\"\n- q, predicate with 0 parameters: \"q\"\n- go, action with 0 parameters: \"go\"\n2 nodes, 1 edges, 0 folded\n"},
		{"a problem without its domain", "evening.pddl", lampFiles()[1:], "pddl: 2 objects\nerror strips.domain \"lamps\": unknown domain \"lamps\" in this file and the others\n- hall, object: \"hall\"\n- porch, object: \"porch\"\n"},
		{"nothing", "a.pddl", []File{{Name: "a.pddl"}}, "pddl: no domain yet\nerror strips.empty \"\": missing domain or problem; begin with (define (domain name) …)\n"},
		{"no PDDL", "a.pddl", []File{{Name: "a.pddl", Text: "(defin (domain d))"}}, "pddl: no domain yet\nerror strips.define \"defin\": unknown word \"defin\"; did you mean \"define\"?\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := said(t, c.files, c.file); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
	format := result[DocumentFormatResult](t, New(), "document.format", DocumentFormatParams{Name: "lamps.pddl", Text: lampDomain})
	if format.Changed {
		t.Errorf("formatted it is\n%s", format.Text)
	}
	if _, fault := call(t, New(), "document.format", DocumentFormatParams{Name: "a.pddl", Text: "(define"}); fault == nil || fault.Code != "source.invalid" {
		t.Errorf("%+v", fault)
	}
}

func TestAnalysisOfProblemFolders(t *testing.T) {
	all := []File{
		{Name: "a/coffee.problem/task.md", Text: "# Coffee\n\nBeans are bought.\n```\n# no\n```\n## Costs\n"}, {Name: "a/coffee.problem/query.md", Text: "What if?\n"},
		{Name: "a/coffee.problem/data.json", Text: `{"cost": [1, 2], "name": "x", "of": {"a": 1}}`}, {Name: "a/coffee.problem/output.json", Text: `{}`},
	}
	with := func(name, text string) []File {
		return append([]File{{Name: "a/coffee.problem/" + name, Text: text}}, all...)
	}
	for _, c := range []struct {
		name, file string
		files      []File
		want       string
	}{
		{"the task", "task.md", all, "problem: problem coffee, not formulated yet\n- Coffee, : \"# Coffee\"\n- Costs, : \"## Costs\"\n6 nodes, 10 edges, 0 folded\n"},
		{"the data", "data.json", all, "problem: problem coffee, not formulated yet\n- cost, 2 items: \"\\\"cost\\\"\"\n- name, x: \"\\\"name\\\"\"\n- of, 1 member: \"\\\"of\\\"\"\n6 nodes, 10 edges, 0 folded\n"},
		{"faulty data", "goal.json", with("goal.json", "{\n  \"é\": ö}"), "problem: problem coffee, not formulated yet\n" +
			"error problem.json \"ö\": invalid JSON: invalid character 'ö' looking for the beginning of a value\ninfo problem.file \"\": unknown file \"goal.json\" in a problem folder; no stage reads or writes it\n6 nodes, 10 edges, 0 folded\n"},
		{"data that ends too early", "variables.json", with("variables.json", "["), "problem: problem coffee, with variables.json\nerror problem.json \"\": invalid JSON: unexpected end of JSON input\n6 nodes, 10 edges, 0 folded\n"},
		{"what was made", "goal.md", append(with("goal.md", "The least cost."), File{Name: "a/coffee.problem/model.lp", Text: mixLP}), "problem: problem coffee, with goal.md, model.lp\n6 nodes, 10 edges, 0 folded\n"},
		{"a task with steps", "task.md", []File{{Name: "a/coffee.problem/task.md", Text: "A ferry carries one car at a time; cars drive on and off.\n"}, {Name: "a/coffee.problem/query.md", Text: "At first all are in the north. All have to be in the south.\n"}},
			"problem: problem coffee, without data.json, output.json\ninfo problem.steps \"\": the plan seems to be a sequence of actions; choose the notation PDDL for the run, or add model.pddl\n6 nodes, 10 edges, 0 folded\n"},
		{"a task alone", "task.md", all[:1], "problem: problem coffee, without query.md, data.json, output.json\n" +
			"warning formulate.missing \"\": missing or empty file query.md; the domain and the query are separate files\n- Coffee, : \"# Coffee\"\n- Costs, : \"## Costs\"\n6 nodes, 10 edges, 0 folded\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := saidUnits(t, c.files, "a/coffee.problem/"+c.file)
			if got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
	drawing := result[DocumentAnalyzeResult](t, New(), "document.analyze", DocumentParams{Files: all, Name: all[0].Name}).Drawing
	for i, stage := range formulate.Stages {
		if drawing.Nodes[i].ID != stage {
			t.Errorf("node %d is %s, not %s", i, drawing.Nodes[i].ID, stage)
		}
	}
}

// saidUnits is said for a text in which UTF-16 places differ from byte places: it
// contains letters of two bytes.
func saidUnits(t *testing.T, files []File, name string) string {
	t.Helper()
	shorter := append([]File{}, files...)
	for i := range shorter {
		shorter[i].Text = strings.NewReplacer("é", "e", "ö", "o").Replace(shorter[i].Text)
	}
	return strings.NewReplacer("\"o\"", "\"ö\"", "'o'", "'ö'").Replace(said(t, shorter, name))
}

func TestFormulasAboutAProblemAreChecked(t *testing.T) {
	files := lampFiles(File{Name: "a.ltl", Text: "fine: F \"lit hall\"\n\nwrong: F \"lit cellar\"\n\nother: G x\n"})
	got := result[LanguageCheckResult](t, New(), "language.check", DocumentParams{Files: files, Name: "a.ltl"})
	if len(got.Diagnostics) != 1 || got.Diagnostics[0].Line != 3 || !strings.Contains(got.Diagnostics[0].Message, `evening.pddl: unknown object "cellar" in "lit cellar"`) {
		t.Errorf("%+v", got.Diagnostics)
	}
}

func TestArbitraryTextEndsInADiagnostic(t *testing.T) {
	for _, name := range []string{"a.smt2", "a.lp", "a.pddl", "a.problem/task.md", "a.problem/data.json", "a.problem/model.smt2", "a.problem/model.pddl"} {
		for _, text := range []string{"", "\x00", "(", ")", "((((", "\"", "|", "(define", "Minimize", "{\"", "[[[[", strings.Repeat("(", 5_000), strings.Repeat("[", 20_000), "; é𝄞 (", "(assert |é", "\\ é\nMin é: 𝄞\nst\n:\nend"} {
			files := []File{{Name: name, Text: text}}
			s := New()
			got := result[DocumentAnalyzeResult](t, s, "document.analyze", DocumentParams{Files: files, Name: name})
			if got.Summary == "" || got.Summary == "notes" {
				t.Errorf("%s of %.20q: %+v", name, text, got)
			}
			for _, method := range []string{"language.complete", "language.hover", "language.find"} {
				result[map[string]any](t, s, method, LanguagePlaceParams{Files: files, Name: name, At: 1})
			}
			result[LanguageFoldsResult](t, s, "language.folds", DocumentFormatParams{Name: name, Text: text})
			if _, fault := call(t, s, "document.format", DocumentFormatParams{Name: name, Text: text}); fault != nil && fault.Code == "internal" {
				t.Errorf("%s of %.20q: %+v", name, text, fault)
			}
			if _, fault := call(t, s, "run.start", RunStartParams{Workspace: RunWorkspace{Files: files, Name: name}}); fault != nil && fault.Code == "internal" {
				t.Errorf("%s of %.20q: %+v", name, text, fault)
			}
		}
	}
}
