package session

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/spectest"
	"github.com/stile-playground/stile/core/workspace"
	"github.com/stile-playground/stile/grammars"
)

const (
	testedAgent = `(define desk
  (:states
    (Ask (:text "[Ask]"))
    (Act (:text "[Act]") (:one-of "lookup" "refund"))
    (Reply (:text "[Reply]")))
  (:behavior (next Ask (until Act Reply))))
`
	testedDomain = `(define (domain lamps)
  (:predicates (at ?r) (door ?a ?b) (lit ?r))
  (:action walk :parameters (?from ?to) :precondition (and (at ?from) (door ?from ?to)) :effect (and (at ?to) (not (at ?from))))
  (:action light :parameters (?r) :precondition (at ?r) :effect (lit ?r)))
(define (problem evening) (:domain lamps) (:objects hall attic)
  (:init (at hall) (door hall attic))
  (:goal (lit attic)))
`
)

// runTests runs the tests of an archive.
func runTests(t *testing.T, archive string) TestsRunResult {
	t.Helper()
	w, err := workspace.ParseArchive(archive)
	if err != nil {
		t.Fatal(err)
	}
	return result[TestsRunResult](t, New(), "tests.run", TestsRunParams{Files: w.Files})
}

// testsSaid prints a result, a line for each case and each fault.
func testsSaid(r TestsRunResult) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %d/%d/%d\n", r.Verdict, r.Passed, r.Failed, r.Errors)
	for _, c := range r.Cases {
		fmt.Fprintf(&b, "%s:%d %s %s: %s, %q", c.File, c.Line, c.Spec, c.Status, c.Expected, c.Actual)
		if c.Reason != "" {
			b.WriteString(": " + c.Reason)
		}
		b.WriteByte('\n')
	}
	for _, f := range r.Faults {
		fmt.Fprintf(&b, "fault %s:%d %s: %s\n", f.File, f.Line, f.Code, f.Message)
	}
	return b.String()
}

func TestEveryFormIsJudged(t *testing.T) {
	const archive = `-- g.cfg --
S -> a S b | ε
a as "Open it"
b as "Close it"
-- g.tests --
accept ε
accept a b
reject a b b
incomplete a
incomplete a b
accept b a
plan valid
  1. Open it
  2. Close it
plan valid
  a a b
-- desk.agent --
` + testedAgent + `-- other.tests --
spec desk.agent
accept Ask Act Reply
run valid
  [Ask] where is it?
  [Act] lookup
  [Reply] on its way
run incomplete
  [Ask] where is it?
  [Act] lookup
run violated as "content"
  [Ask] where is it?

  [Act] delete
run valid as "order"
  [Act] lookup
spec lamps.pddl
plan valid
  (walk hall attic)
  (light attic)
plan valid
  (light attic)
-- lamps.pddl --
` + testedDomain + `-- q.flow --
ask sure "Are you?"
  yes -> good   no -> stop
accept good "Then go."
-- q.tests --
accept sure.yes
reject sure.no
plan valid
  sure.yes
`
	const want = `fail 13/5/0
g.tests:1 g.cfg pass: accept, "accept"
g.tests:2 g.cfg pass: accept, "accept"
g.tests:3 g.cfg pass: reject, "reject": "b" is not valid at position 3; the word is complete before it
g.tests:4 g.cfg pass: incomplete, "incomplete": incomplete; expected a or b
g.tests:5 g.cfg fail: incomplete, "accept"
g.tests:6 g.cfg fail: accept, "reject": "b" is not valid at position 1; expected a
g.tests:7 g.cfg pass: valid, "valid"
g.tests:10 g.cfg fail: valid, "invalid": the plan ends too early: Close it is still needed
other.tests:2 desk.agent pass: accept, "accept"
other.tests:3 desk.agent pass: valid, "valid"
other.tests:7 desk.agent pass: incomplete, "incomplete": incomplete; expected Act or Reply
other.tests:10 desk.agent pass: violated, "violated": "Act" may not begin with "delete"; it must be "lookup" or "refund"
other.tests:14 desk.agent fail: valid, "violated": "Act" is not allowed here; expected "Ask"
other.tests:17 lamps.pddl pass: valid, "valid"
other.tests:20 lamps.pddl fail: valid, "invalid": step 1, (light attic): (at attic) does not hold since the initial state
q.tests:1 q.flow pass: accept, "accept"
q.tests:2 q.flow pass: reject, "reject": "sure.no" is not valid at position 1; expected sure.yes
q.tests:3 q.flow pass: valid, "valid"
`
	if got := testsSaid(runTests(t, archive)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A counterexample of a property is a word of its spec; it is added with its current verdict.
func TestCounterexamplesBecomeCases(t *testing.T) {
	files := []File{{Name: "g.cfg", Text: "S -> a S b | ε\n"}, {Name: "rules.ltl", Text: "safe: G !b\n\nfine: G (a -> F b)\n"}}
	got := result[TestsAddResult](t, New(), "tests.add", TestsAddParams{Files: files, Property: &TestsProperty{File: "rules.ltl", At: 0}})
	if want := "accept a b as \"counterexample of safe\"\n"; got.File.Text != want || got.File.Name != "g.tests" || got.Spec != "g.cfg" || !slices.Equal(got.Word, []string{"a", "b"}) {
		t.Errorf("%+v", got)
	}
	for at, want := range map[int]string{14: "proved for every word", 40: "no formula"} {
		if _, fault := call(t, New(), "tests.add", TestsAddParams{Files: files, Property: &TestsProperty{File: "rules.ltl", At: at}}); fault == nil || !strings.Contains(fault.Message, want) {
			t.Errorf("at %d: %+v", at, fault)
		}
	}
}

// A trace of formulas is judged by all formulas of the file.
func TestTracesOfFormulasAreCases(t *testing.T) {
	const archive = "-- rules.ltl --\nasked: !pay W ask\n\npaid: F pay\n\nG(pay -> WX false)\n-- rules.tests --\naccept ask pay\nreject pay\nincomplete ask\nreject ask\nreject ask&pay ∅\naccept pay\n"
	w, err := workspace.ParseArchive(archive)
	if err != nil {
		t.Fatal(err)
	}
	got, err := New().testsRun(TestsRunParams{Files: w.Files})
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, c := range got.Cases {
		lines = append(lines, c.Status+" "+c.Actual+": "+c.Reason)
	}
	want := []string{
		"pass accept: ", "pass reject: violates asked at position 1", "pass incomplete: incomplete: paid does not hold yet; expected ask, pay or ∅",
		"pass incomplete: incomplete: paid does not hold yet; expected ask, pay or ∅", "pass reject: violates G (pay -> WX false) at position 2", "fail reject: violates asked at position 1",
	}
	if !slices.Equal(lines, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
	}
}

// A case that cannot be judged, or a text with errors, never passes.
func TestFaultsNeverPass(t *testing.T) {
	const g = "-- g.cfg --\nS -> a S b | ε\na as \"Open it\"\n"
	for _, c := range []struct{ what, archive, says string }{
		{"an unknown symbol in an accepted word", g + "-- g.tests --\naccept aa\n", `unknown symbol "aa"`},
		{"an unknown symbol in a rejected word", g + "-- g.tests --\nreject a c\n", `unknown symbol "c" of g.cfg`},
		{"an unknown spec", g + "-- g.tests --\nspec h.cfg\nreject b\n", `unknown spec "h.cfg"; did you mean "g.cfg"?`},
		{"no spec of the name", g + "-- h.tests --\nreject b\n", `no spec is named "h"; write spec g.cfg`},
		{"a spec with errors", "-- g.cfg --\nS -> a | \"\n-- g.tests --\nreject b\n", "fix the errors in g.cfg"},
		{"a spec without words", g + "-- notes.md --\nG a\n-- g.tests --\nspec notes.md\nreject b\n", "notes.md has no words, plans or runs to test"},
		{"formulas with errors", g + "-- rules.ltl --\nF (\n-- rules.tests --\nreject b\n", "fix the errors in rules.ltl"},
		{"a run of a grammar", g + "-- g.tests --\nrun violated\n  a\n", "g.cfg has no runs"},
		{"an unknown keyword", g + "-- g.tests --\nacept a b\n", `did you mean "accept"?`},
		{"a file with a fault and a good case", g + "-- g.tests --\naccept a b\nacept a b\n", "unknown keyword"},
		{"a plan with an unknown step", g + "-- g.tests --\nplan invalid\n  1. Open it\n  2. Paint it\n", "Paint it"},
		{"a plan and a property that cannot be judged", g + "-- rules.ltl --\nG !c\n-- g.tests --\nplan invalid\n  b\n", "cannot be judged"},
		{"a run that cannot be read", "-- d.agent --\n" + testedAgent + "-- d.tests --\nrun violated\n  [Aks] what?\n  [Rply] that\n", ""},
		{"a run and a property that cannot be judged", "-- d.agent --\n" + testedAgent + "-- rules.ltl --\nG !Acct\n-- d.tests --\nrun violated\n  [Act] lookup\n", `unknown state "Acct"`},
		{"an unknown action", "-- d.pddl --\n" + testedDomain + "-- d.tests --\nplan invalid\n  (fly hall attic)\n", "fly"},
		{"an unknown object", "-- d.pddl --\n" + testedDomain + "-- d.tests --\nplan invalid\n  (walk hall cellar)\n", "cellar"},
	} {
		got := runTests(t, c.archive)
		if text := testsSaid(got); got.Verdict != testError || !strings.Contains(text, c.says) {
			t.Errorf("%s: %s", c.what, text)
		}
	}
	if got := runTests(t, g+"-- g.tests --\n# nothing\n"); got.Verdict != testNone {
		t.Errorf("a file without a case: %s", testsSaid(got))
	}
}

// The verdict on a word is that of step.walk, for the words of the gallery, their beginnings and
// their variants.
func TestWordsHaveTheVerdictsOfTheStepper(t *testing.T) {
	examples, err := grammars.All()
	if err != nil {
		t.Fatal(err)
	}
	judged := 0
	for _, e := range examples {
		row := Notations().Of(e.Main)
		if row.Walk == nil {
			continue
		}
		var cases strings.Builder
		var want []string
		cases.WriteString("spec " + e.Main + "\n")
		for _, w := range e.Words {
			words := [][]string{w.Word, w.Word[:len(w.Word)/2], append(slices.Clone(w.Word), w.Word[0])}
			for _, word := range words {
				walked := result[StepWalkResult](t, New(), "step.walk", StepWalkParams{Files: e.Files, Name: e.Main, Word: word})
				c := spectest.Case{Form: spectest.Word, Expect: spectest.Incomplete}
				for _, name := range word {
					c.Word = append(c.Word, spectest.Symbol{Name: name})
				}
				cases.WriteString(c.Write())
				want = append(want, map[string]string{"valid": spectest.Accept, "incomplete": spectest.Incomplete, "invalid": spectest.Reject}[walked.Verdict])
			}
		}
		files := append(slices.Clone(e.Files), File{Name: "all.tests", Text: cases.String()})
		got := result[TestsRunResult](t, New(), "tests.run", TestsRunParams{Files: files, Name: "all.tests"})
		if len(got.Cases) != len(want) {
			t.Fatalf("%s: %d cases, want %d: %s", e.ID, len(got.Cases), len(want), testsSaid(got))
		}
		for i, c := range got.Cases {
			judged++
			unknown := slices.ContainsFunc(got.Faults, func(d Diagnostic) bool { return d.Line == c.Line })
			if c.Actual != want[i] && !(unknown && c.Status == testError) {
				t.Errorf("%s: %s: got %q, want %q (%s)", e.ID, c.Label, c.Actual, want[i], c.Reason)
			}
			if pass := want[i] == spectest.Incomplete; !unknown && pass != (c.Status == testPass) {
				t.Errorf("%s: %s: %s", e.ID, c.Label, c.Status)
			}
		}
	}
	if judged < 100 {
		t.Errorf("only %d words", judged)
	}
}

func TestAddedCasesHaveThePresentVerdict(t *testing.T) {
	files := []File{{Name: "g.cfg", Text: "S -> a S b | ε\n"}, {Name: "desk.agent", Text: testedAgent}}
	add := func(p TestsAddParams) TestsAddResult {
		t.Helper()
		p.Files = files
		got := result[TestsAddResult](t, New(), "tests.add", p)
		i := slices.IndexFunc(files, func(f File) bool { return f.Name == got.File.Name })
		if i < 0 {
			files = append(files, got.File)
		} else {
			files[i] = got.File
		}
		return got
	}
	for _, c := range []struct {
		word   string
		expect string
		added  bool
	}{{"a b", "accept", true}, {"a b b", "reject", true}, {"a", "incomplete", true}, {"", "accept", true}, {"a b", "accept", false}} {
		got := add(TestsAddParams{Spec: "g.cfg", Form: "word", Word: strings.Fields(c.word)})
		if got.Expect != c.expect || got.Added != c.added || got.File.Name != "g.tests" {
			t.Errorf("%q: %+v", c.word, got)
		}
	}
	if got := add(TestsAddParams{Spec: "desk.agent", Form: "run", Text: "[Ask] x\n[Act] delete\n", Title: "deletes"}); got.Expect != "violated" || got.File.Text != "run violated as \"deletes\"\n  [Ask] x\n  [Act] delete\n" {
		t.Errorf("%+v", got)
	}
	got := result[TestsRunResult](t, New(), "tests.run", TestsRunParams{Files: files})
	if got.Verdict != testPass || got.Passed != 5 {
		t.Error(testsSaid(got))
	}
	for _, c := range []struct {
		what, code string
		p          TestsAddParams
	}{
		{"an unknown symbol", "tests.symbol", TestsAddParams{Spec: "g.cfg", Form: "word", Word: []string{"x"}}},
		{"an unknown spec", "workspace.missing", TestsAddParams{Spec: "h.cfg", Form: "word", Word: []string{"a"}}},
		{"a run without a text", "tests.text", TestsAddParams{Spec: "desk.agent", Form: "run", Text: " \n"}},
		{"an unknown verdict", "tests.verdict", TestsAddParams{Spec: "g.cfg", Form: "word", Expect: "valid"}},
		{"a plan of an agent", "tests.kind", TestsAddParams{Spec: "desk.agent", Form: "plan", Text: "x"}},
	} {
		c.p.Files = files
		if _, fault := call(t, New(), "tests.add", c.p); fault == nil || fault.Code != c.code {
			t.Errorf("%s: %+v, want %s", c.what, fault, c.code)
		}
	}
}

// The results of ranges are those of all cases.
func TestRangesOfCasesAreAllCases(t *testing.T) {
	files := []File{{Name: "g.cfg", Text: "S -> a S b | ε\n"}, {Name: "g.tests", Text: "accept a b\nreject a\naccept a\n"}, {Name: "h.tests", Text: "spec g.cfg\naccept ε\nincomplete a b\n"}}
	all := result[TestsRunResult](t, New(), "tests.run", TestsRunParams{Files: files})
	for count := 1; count <= 6; count++ {
		var cases []TestsCase
		for len(cases) < all.Total {
			part := result[TestsRunResult](t, New(), "tests.run", TestsRunParams{Files: files, From: len(cases), Count: count})
			if len(part.Cases) == 0 || part.Total != 5 {
				t.Fatalf("%+v", part)
			}
			cases = append(cases, part.Cases...)
		}
		if !slices.EqualFunc(cases, all.Cases, func(a, b TestsCase) bool { return fmt.Sprint(a) == fmt.Sprint(b) }) {
			t.Errorf("ranges of %d: %+v, want %+v", count, cases, all.Cases)
		}
	}
}

func TestInspectionOfManyCasesIsBounded(t *testing.T) {
	text := strings.Repeat("accept a\n", maxInspected+5)
	got := result[LanguageCheckResult](t, New(), "language.check", DocumentParams{Files: []File{{Name: "g.cfg", Text: "S -> a b\n"}, {Name: "g.tests", Text: text}}, Name: "g.tests"})
	if n := len(got.Diagnostics); n != maxInspected+1 || got.Diagnostics[n-1].Code != "limit.tests" {
		t.Errorf("%d diagnostics", n)
	}
}

// The place of a reason is that of a symbol, of a text, or else the first line of the case.
func TestReasonsHavePlaces(t *testing.T) {
	const text = "accept a a\naccept b as \"é\"\nplan valid\n  ε\nplan valid\n  a b b\n"
	files := []File{{Name: "g.cfg", Text: "S -> a S b | ε\n"}, {Name: "g.tests", Text: text}}
	got := result[TestsRunResult](t, New(), "tests.run", TestsRunParams{Files: files})
	var places []string
	for _, c := range got.Cases {
		runes := []rune(text)
		places = append(places, c.Status+" "+string(runes[c.AtFrom:c.AtTo]))
	}
	if want := []string{"fail accept a a", "fail b", "pass plan valid", "fail b"}; !slices.Equal(places, want) {
		t.Errorf("got %q, want %q\n%s", places, want, testsSaid(got))
	}
}

// The editor shows a failing case as a warning at its reason.
func TestFailingCasesAreDiagnostics(t *testing.T) {
	files := []File{{Name: "g.cfg", Text: "S -> a S b | ε\n"}, {Name: "g.tests", Text: "accept a b\naccept a b b\n"}}
	got := result[LanguageCheckResult](t, New(), "language.check", DocumentParams{Files: files, Name: "g.tests"})
	if len(got.Diagnostics) != 1 || got.Diagnostics[0].Code != "tests.failed" || got.Diagnostics[0].Line != 2 || got.Diagnostics[0].Column != 12 {
		t.Errorf("%+v", got.Diagnostics)
	}
}

// The table of notations decides which forms a spec has.
func TestFormsOfNotations(t *testing.T) {
	var got []string
	for _, row := range Notations() {
		var has []string
		for _, form := range []spectest.Form{spectest.Word, spectest.Plan, spectest.Run} {
			if language.Testable(&row, form) {
				has = append(has, string(form))
			}
		}
		if len(has) > 0 {
			got = append(got, string(row.Kind)+":"+strings.Join(has, "+"))
		}
	}
	if want := "cfg:word+plan pda:word+plan flow:word+plan ltl:word agent:word+run pddl:plan rules:run"; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
}
