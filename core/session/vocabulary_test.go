package session

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/process"
)

const (
	ruleGrammar = "S -> refund | ask S | approve refund\n"
	ruleAgent   = "(define a\n  (:states\n    (Ask (:text \"[Ask]\"))\n    (Act (:text \"[Act]\")))\n  (:behavior (next Ask Act)))\n"
	rulePDA     = "start q0 Z\naccept q9\nfor h in 0..9 { q/h -> q/h+1 (t/h, *; *) }\nq0 -> q/0 (go, *; *)\nq/9 -> q9 (end, *; *)\n"
	loopPDA     = "start q Z\naccept q\nq -> q (go, *; *)\nq -> q (end, *; *)\n"
	ruleFlow    = "ask first \"Is it so?\"\n  yes -> good\n  no -> bad\naccept good \"Yes.\"\nstop bad \"No.\"\n"
)

func TestUnknownSymbolsOfFormulasAreErrorsAtTheName(t *testing.T) {
	cfg, agent, pda, flow := File{Name: "g.cfg", Text: ruleGrammar}, File{Name: "a.agent", Text: ruleAgent}, File{Name: "p.pda", Text: rulePDA}, File{Name: "f.flow", Text: ruleFlow}
	pddl := File{Name: "d.pddl", Text: "(define (domain d) (:predicates (on ?a ?b)) (:action put :parameters (?a ?b) :effect (on ?a ?b)))"}
	broken := File{Name: "b.cfg", Text: "S -> refund payout\nT payback\n"}
	for _, c := range []struct {
		name, formula string
		files         []File
		want          string // code "text" message, for each
	}{
		{"known", "G !refund", []File{cfg}, ""},
		{"misspelt", "safe: G !refnd", []File{cfg}, `ltl.unknown "refnd" unknown symbol "refnd"; did you mean "refund"?`},
		{"quoted", `safe: G !"refnd"`, []File{cfg}, `ltl.unknown "\"refnd\"" unknown symbol "refnd"; did you mean "refund"?`},
		{"far off", "G !zz", []File{cfg}, `ltl.unknown "zz" unknown symbol "zz": no spec of the workspace defines it`},
		{"once a formula", "G (zz -> F zz) & F zz", []File{cfg}, `ltl.unknown "zz" unknown symbol "zz": no spec of the workspace defines it`},
		{"each formula", "G !zz\n\nF zz", []File{cfg}, `ltl.unknown "zz" unknown symbol "zz": no spec of the workspace defines it|ltl.unknown "zz" unknown symbol "zz": no spec of the workspace defines it`},
		{"in a conjunct", "safe: G !refund & G !zz", []File{cfg}, `ltl.unknown "zz" unknown symbol "zz": no spec of the workspace defines it`},
		{"of another spec", "G !Act", []File{cfg, agent}, ""},
		{"conjuncts of two specs", "G !Act & G !refund", []File{cfg, agent}, ""},
		{"specs of which none has both", "G (Act -> !refund)", []File{cfg, agent}, `ltl.apart "G (Act -> !refund)" not judged: no single spec defines all of Act, refund`},
		{"an operator glued to a name", "Frefund & GFask & X ask", []File{cfg}, `ltl.unknown "Frefund" unknown symbol "Frefund"; did you mean "F refund"?|ltl.unknown "GFask" unknown symbol "GFask"; did you mean "G F ask"?`},
		{"the period of a sentence", "F refund.", []File{cfg}, `ltl.unknown "refund." unknown symbol "refund."; did you mean "refund"?`},
		{"a constant in capitals", "TRUE U refund", []File{cfg}, `ltl.unknown "TRUE" unknown symbol "TRUE"; did you mean "true"?`},
		{"no spec at all", "G !zz", nil, ""},
		{"notes are no spec", "G !zz", []File{{Name: "README.md", Text: "refund"}}, ""},
		{"family", "F t/3 & F \"t/9\" & F go", []File{pda}, ""},
		{"beyond the family", "F \"t/12\"", []File{pda}, `ltl.unknown "\"t/12\"" unknown symbol "t/12"; did you mean "t/1"?`},
		{"answers", "F first.yes & F first.no", []File{flow}, ""},
		{"no answer", "F first.maybe", []File{flow}, `ltl.unknown "first.maybe" unknown symbol "first.maybe": no spec of the workspace defines it`},
		{"facts and actions", `G "on a b" & F put & F "put a b"`, []File{pddl}, ""},
		{"no fact", `G "onto a b"`, []File{pddl}, `ltl.unknown "\"onto a b\"" unknown symbol "onto a b": no spec of the workspace defines it`},
		{"a spec with errors may define it", "G !payback & F payout", []File{broken}, `ltl.waiting "G !payback & F payout" not judged: fix the errors in b.cfg`},
		{"a spec with errors, without the name", "G !zz", []File{broken}, `ltl.unknown "zz" unknown symbol "zz": no spec of the workspace defines it`},
		{"an automaton with errors", "G !zz", []File{{Name: "p.pda", Text: "start"}}, `ltl.waiting "G !zz" not judged: fix the errors in p.pda`},
		{"a name twice", "safe: G !refund\n\nsafe: F ask", []File{cfg}, `ltl.duplicate "safe" duplicate formula name "safe"`},
		{"always true", "F refund | G !refund", []File{cfg}, `ltl.constant "F refund | G !refund" trivial: every trace satisfies this formula`},
		{"never true", "G ask & F !ask", []File{cfg}, `ltl.constant "G ask & F !ask" unsatisfiable: no trace satisfies this formula`},
		{"never true, not the first", "F ask\n\nX false", nil, `ltl.constant "X false" unsatisfiable: X fails at the last step of a trace; write "WX"`},
	} {
		text := strings.ReplaceAll(strings.ReplaceAll(c.formula, "t/3", `"t/3"`), `""`, `"`)
		out := result[DocumentAnalyzeResult](t, New(), "document.analyze", DocumentParams{Files: append([]File{{Name: "r.ltl", Text: text}}, c.files...), Name: "r.ltl"})
		var got []string
		for _, d := range out.Diagnostics {
			if d.Code != "ltl.holds" && d.Code != "ltl.violated" && d.Code != "ltl.unsatisfiable" {
				got = append(got, d.Code+" \""+strings.ReplaceAll(text[d.Start:d.End], `"`, `\"`)+"\" "+d.Message)
			}
		}
		if s := strings.Join(got, "|"); s != c.want {
			t.Errorf("%s:\n%s, want\n%s", c.name, s, c.want)
		}
	}
}

func TestUnsatisfiableFormulaOfASpecIsReported(t *testing.T) {
	const a = `(define a (:states (Ask (:text "[Ask]")) (Act (:text "[Act]")) (Say (:text "[Say]"))) (:behavior (next Ask (or Act Say))))`
	for _, c := range []struct{ formula, spec, text, want string }{
		{"F refund & F reply", "g.cfg", "S -> ask refund | ask reply", "unsatisfiable: no word of g.cfg satisfies this formula"},
		{"F refund & F ask", "g.cfg", "S -> ask refund | ask reply", ""},
		{"F(ask & X F ask)", "g.cfg", "S -> ask S | done\nlimit 1 each", "unsatisfiable: no word of g.cfg satisfies this formula within its limits"},
		{"F(ask & X F ask)", "g.cfg", "S -> ask S | done\nlimit 2 each", ""},
		{"F ask & F done & F log", "g.cfg", "S -> ask S | log | done\nlimit 1 each", "unsatisfiable: no word of g.cfg satisfies this formula within its limits"},
		{"twice: F(Act & X F Act)", "a.agent", a, "unsatisfiable: no run of a.agent satisfies this formula"},
		{"F Act & F Say", "a.agent", a, "unsatisfiable: no run of a.agent satisfies this formula"},
		{"F Act | F Say", "a.agent", a, ""},
		{"F \"t/3\" & F none", "p.pda", rulePDA + "q9 -> q9 (none, *; *)\n", ""},
		{"F \"t/3\" & F go & X go", "p.pda", rulePDA, "unsatisfiable: no word of p.pda satisfies this formula"},
		{"F(go & X F go)", "p.pda", loopPDA + "limit 1 go\n", "unsatisfiable: no word of p.pda satisfies this formula within its limits"},
		{"F(go & X F go)", "p.pda", loopPDA + "limit 2 go\n", ""},
		{"F first.yes & F first.no", "f.flow", ruleFlow, "unsatisfiable: no word of f.flow satisfies this formula"},
	} {
		out := result[DocumentAnalyzeResult](t, New(), "document.analyze", DocumentParams{Files: []File{{Name: "r.ltl", Text: c.formula}, {Name: c.spec, Text: c.text}}, Name: "r.ltl"})
		got := ""
		for _, d := range out.Diagnostics {
			if d.Code == "ltl.unsatisfiable" {
				got += d.Message
			}
		}
		if got != c.want {
			t.Errorf("%s over %s: %q, want %q", c.formula, c.text, got, c.want)
		}
	}
}

func TestFixOfAnUnknownSymbolReplacesAllItsOccurrences(t *testing.T) {
	text := "safe: G (ask -> F refnd) & F refnd\n"
	out := result[DocumentAnalyzeResult](t, New(), "document.analyze", DocumentParams{Files: []File{{Name: "r.ltl", Text: text}, {Name: "g.cfg", Text: ruleGrammar}}, Name: "r.ltl"})
	fix := out.Diagnostics[0].Fixes[0]
	for i := len(fix.Edits) - 1; i >= 0; i-- {
		text = text[:fix.Edits[i].From] + fix.Edits[i].Text + text[fix.Edits[i].To:]
	}
	if text != "safe: G (ask -> F refund) & F refund\n" {
		t.Error(text)
	}
}

// starts reports why a run does not start.
func starts(t *testing.T, p RunStartParams) *Error {
	t.Helper()
	_, fault := call(t, New(), "run.start", p)
	return fault
}

func TestRunWithAnUnjudgeablePropertyDoesNotStart(t *testing.T) {
	cfg, agent := File{Name: "g.cfg", Text: ruleGrammar}, File{Name: "a.agent", Text: ruleAgent}
	plan, ask := `{"model":{"kind":"first"}`, `{"question":"q","model":{"kind":"first"}`
	for _, c := range []struct{ name, formulas, spec, settings, want string }{
		{"judged", "G !refund | true", "g.cfg", plan + "}", ""},
		{"unknown", "# rules\n\nsafe: G !refnd", "g.cfg", plan + "}", `property "safe" (r.ltl, line 3) cannot be judged: unknown symbol "refnd"; did you mean "refund"?`},
		{"agreed to", "safe: G !refnd", "g.cfg", plan + `,"without":["safe"]}`, ""},
		{"another agreed to", "safe: G !refnd", "g.cfg", plan + `,"without":["live"]}`, `property "safe"`},
		{"one of two", "safe: G !refnd\n\nlive: F zz", "g.cfg", plan + `,"without":["safe"]}`, `property "live"`},
		{"ignored", "safe: G !refnd", "g.cfg", plan + `,"properties":"ignore"}`, ""},
		{"without a name", "G !zz", "g.cfg", plan + "}", `property "G !zz"`},
		{"without a name, agreed to", "G !zz", "g.cfg", plan + `,"without":["G !zz"]}`, ""},
		{"about the agent", "G !Act", "g.cfg", plan + "}", ""},
		{"of both", "both: G (Act -> !refund)", "g.cfg", plan + "}", "no single spec defines all of Act, refund"},
		{"an agent's", "safe: G !Atc", "a.agent", ask + "}", `property "safe" (r.ltl, line 1) cannot be judged: unknown symbol "Atc"`},
		{"an agent's, agreed to", "safe: G !Atc", "a.agent", ask + `,"without":["safe"]}`, ""},
		{"with errors", "safe: G !(", "a.agent", ask + "}", "the spec has errors"},
		{"none yet", "# nothing\n", "a.agent", ask + "}", ""},
	} {
		fault := starts(t, RunStartParams{Workspace: RunWorkspace{Files: []File{cfg, agent, {Name: "r.ltl", Text: c.formulas}}, Name: c.spec}, Settings: []byte(c.settings)})
		switch {
		case c.want == "" && fault != nil:
			t.Errorf("%s: %s", c.name, fault.Message)
		case c.want != "" && (fault == nil || !strings.Contains(fault.Message, c.want)):
			t.Errorf("%s: %+v, want %s", c.name, fault, c.want)
		}
	}
	fault := starts(t, RunStartParams{Workspace: RunWorkspace{Files: []File{cfg, agent, {Name: "r.ltl", Text: "safe: G !refnd\n\nG !zz"}}, Name: "g.cfg"}, Settings: []byte(plan + "}")})
	if fault.Code != "property.unjudged" || strings.Join(fault.Without, ";") != "safe;G !zz" || len(fault.Diagnostics) != 1 || fault.Diagnostics[0].File != "r.ltl" {
		t.Errorf("%+v", fault)
	}
}

// Every kind of run to which formulas apply rejects an unjudgeable property: plans, the
// baselines, the comparison, teams, shortest plans and experiments.
func TestNoKindOfRunStartsWithAnUnjudgeableProperty(t *testing.T) {
	rules := File{Name: "zz.ltl", Text: "safe: G !zzz\n"}
	for _, c := range []struct{ kind, example, name, settings string }{
		{"plan", "filter", "filter.cfg", `"model":{"kind":"first"}`},
		{"baseline", "filter", "filter.cfg", `"model":{"kind":"first"}`},
		{"compare", "filter", "filter.cfg", `"model":{"kind":"first"}`},
		{"plan", "saga", "saga.pda", `"model":{"kind":"first"}`},
		{"plan", "risk", "risk.flow", `"model":{"kind":"first"}`},
		{"monitor", "react", "react.agent", `"question":"q","model":{"kind":"first"}`},
		{"team", "plaque", "plaque.team", `"model":{"kind":"first"}`},
		{"steps", "blocksworld", "blocksworld.problem/model.pddl", `"most":3`},
	} {
		files := append(galleryFiles(t, c.example), rules)
		p := RunStartParams{Kind: c.kind, Workspace: RunWorkspace{Files: files, Name: c.name}, Settings: []byte("{" + c.settings + "}")}
		if fault := starts(t, p); fault == nil || fault.Code != "property.unjudged" {
			t.Errorf("%s of %s: %+v", c.kind, c.name, fault)
		}
		p.Settings = []byte("{" + c.settings + `,"without":["safe"]}`)
		if fault := starts(t, p); fault != nil {
			t.Errorf("%s of %s, agreed to: %+v", c.kind, c.name, fault)
		}
	}
	lab := append(mixedFiles(t), rules)
	p := RunStartParams{Kind: "lab", Workspace: RunWorkspace{Files: lab, Name: labName(lab)}}
	if fault := starts(t, p); fault == nil || fault.Code != "property.unjudged" {
		t.Errorf("an experiment: %+v", fault)
	}
	p.Settings = []byte(`{"without":["safe"]}`)
	if fault := starts(t, p); fault != nil {
		t.Errorf("an experiment, agreed to: %+v", fault)
	}
}

func labName(files []File) string {
	for _, f := range files {
		if strings.HasSuffix(f.Name, ".lab") {
			return f.Name
		}
	}
	return ""
}

func TestOtherConjunctsAreEnforced(t *testing.T) {
	for _, formula := range []string{"safe: G !ask & G !zz", "safe: G (!ask & !zz)", "safe: !F (zz | ask)", "safe: G !zz & (G !ask & F zz)"} {
		files := []File{{Name: "g.cfg", Text: "S -> ask refund | approve refund\n"}, {Name: "r.ltl", Text: formula}}
		p := RunStartParams{Workspace: RunWorkspace{Files: files}, Settings: []byte(`{"model":{"kind":"first"},"without":["safe"]}`)}
		log, end := ended(t, New(), p)
		if got := string(end.Result); end.State != "done" || !strings.Contains(got, `"word":["approve","refund"]`) {
			t.Errorf("%s: %s %+v", formula, got, end.Error)
		}
		if !strings.Contains(string(log.Settings), `"without":["safe"]`) {
			t.Errorf("the log's settings are %s", log.Settings)
		}
	}
}

// A run that was recorded when such a formula was silently excluded replays, and its log
// keeps that version; a run without answers has the new one.
func TestRunsOfOldLinksReplay(t *testing.T) {
	files := []File{{Name: "g.cfg", Text: "S -> ask refund | approve refund\n"}, {Name: "r.ltl", Text: "safe: G !ask & G !zz\n\nlive: F refund\n"}}
	settings := []byte(`{"model":{"kind":"first"}}`)
	answers := []process.Answer{{Effect: "e9", Value: []byte(`"x"`)}}
	s := New()
	for _, c := range []struct {
		log  RunLog
		code string
	}{
		{RunLog{Version: 2, Kind: "plan", Name: "g.cfg", Settings: settings, Answers: answers}, ""},
		{RunLog{Version: 2, Kind: "plan", Name: "g.cfg", Settings: settings}, "property.unjudged"},
		{RunLog{Version: 3, Kind: "plan", Name: "g.cfg", Settings: settings, Answers: answers}, "property.unjudged"},
	} {
		raw, fault := call(t, s, "run.start", RunStartParams{Workspace: RunWorkspace{Files: files}, Log: &c.log})
		if c.code != "" {
			if fault == nil || fault.Code != c.code {
				t.Errorf("version %d: %+v", c.log.Version, fault)
			}
			continue
		}
		var started RunStartResult
		if fault != nil || json.Unmarshal(raw, &started) != nil {
			t.Fatalf("%+v", fault)
		}
		if log := result[RunLogResult](t, s, "run.log", RunLogParams{Run: started.Run}).Log; log.Version != 2 {
			t.Errorf("it is recorded again as version %d", log.Version)
		}
		_, end := drive(t, s, started.Run, 0)
		if !strings.Contains(string(end.Result), `"word":["ask","refund"]`) {
			t.Errorf("%s %+v", end.Result, end.Error)
		}
	}
}

func TestPlanIsNotValidIfAPropertyCannotBeJudged(t *testing.T) {
	files := []File{{Name: "g.cfg", Text: ruleGrammar}, {Name: "r.ltl", Text: "safe: G !zz\n"}}
	check := func(text string, without ...string) PlanCheckResult {
		return result[PlanCheckResult](t, New(), "plan.check", PlanCheckParams{Files: files, Name: "g.cfg", Text: text, Without: without})
	}
	if out := check("ask refund"); out.Valid || !strings.Contains(out.Fault, `unknown symbol "zz"`) {
		t.Errorf("%+v", out)
	}
	if out := check("ask refund", "safe"); !out.Valid || len(out.Notes) > 0 {
		t.Errorf("%+v", out)
	}
	if out := check("ask"); out.Valid || strings.Contains(out.Fault, "zz") || len(out.Notes) != 1 {
		t.Errorf("%+v", out)
	}
}

func TestAmbiguityAndWordsHaveLimits(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"S -> S S | a\n", "cfg.ambiguous ambiguous: several derivation trees of a a a"},
		{"S -> a S b | ε\n", ""},
		{"S -> a a\nlimit 1 each\n", "cfg.limit-empty no word satisfies the limits"},
		{"S -> a b\nlimit 1 each\n", ""},
	} {
		var got []string
		for _, d := range result[DocumentAnalyzeResult](t, New(), "document.analyze", DocumentParams{Files: []File{{Name: "g.cfg", Text: c.text}}, Name: "g.cfg"}).Diagnostics {
			got = append(got, d.Code+" "+d.Message)
		}
		if s := strings.Join(got, "|"); s != c.want {
			t.Errorf("%q: %s, want %s", c.text, s, c.want)
		}
	}
}

func TestVariablesOfFlowchartsNeedAValue(t *testing.T) {
	text := "let seller \"Alpha\"\nask first \"Does {selller} own {x} or {x}?\"\n  yes -> good\n  no -> stop as \"{seller} must not.\"\naccept good \"It is.\"\n"
	found := result[DocumentAnalyzeResult](t, New(), "document.analyze", DocumentParams{Files: []File{{Name: "f.flow", Text: text}}, Name: "f.flow"}).Diagnostics
	if len(found) != 2 || found[0].Message != `unknown variable "selller"; did you mean "seller"?` || text[found[0].Start:found[0].End] != "selller" || found[1].Message != `unknown variable "x"` {
		t.Errorf("%+v", found)
	}
}
