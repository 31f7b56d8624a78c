package solve

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/golden"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

// The messages of a check are tested like its places.
func TestFaultMessages(t *testing.T) {
	const x = "(declare-const x Int)(declare-const b Bool)(declare-const s String)(declare-fun f (Int Bool) Int)(declare-fun g (Int) Int)\n"
	const count = "; convert a Bool with (ite … 1 0)"
	for text, want := range map[string]string{
		"(assert)":                  "assert takes 1 argument, got 0",
		"(minimize)(assert b)":      "minimize takes at least 1 argument, got 0",
		"(assert b)(check-sat b)":   "check-sat takes 0 arguments, got 1",
		"(declare-sort)(assert b)":  "declare-sort takes 1 or 2 arguments, got 0",
		"(define-sort S)(assert b)": "define-sort takes 3 arguments, got 1",
		"(assert (and (xor b) b))":  "xor takes at least 2 arguments, got 1",
		"(assert (> (x 1) 2))":      "unexpected arguments of the constant x",
		"(assert (> (g 1 2) 2))":    "g takes one argument, got 2",
		"(assert (> (f 1) 2))":      "f takes 2 arguments, got 1",
		"(assert (> (f 1 2) 2))":    "expected a Bool as argument 2 of f, got sort Int",
		"(assert (= x b))":          "(= …) needs arguments of one sort, got sort Bool after sort Int" + count,
		"(assert (= b x))":          "(= …) needs arguments of one sort, got sort Int after sort Bool" + count,
		"(assert (= s x))":          "(= …) needs arguments of one sort, got sort Int after sort String",
		"(assert (= x s))":          "(= …) needs arguments of one sort, got sort String after sort Int",
		"(assert (= b s))":          "(= …) needs arguments of one sort, got sort String after sort Bool",
		"(assert yyyyyyy)":          `unknown constant "yyyyyyy"`,
		"(assert ad)":               `unknown constant "ad"`,
		"(assert (yyyyyyy 1))":      `unknown function "yyyyyyy"`,
		"(assert (andd b))":         `unknown function "andd"; did you mean "and"?`,
		"(set-option :regular-output-channel \"x\")(assert b)":    ":regular-output-channel would write a file",
		"(set-option :diagnostic-output-channel \"x\")(assert b)": ":diagnostic-output-channel would write a file",
		"(set-option :trace true)(assert b)":                      "unsupported option :trace; only options that cannot write files, read a clock or start threads are accepted",
		"( )(assert b)":                                           "expected the name of a command, as in (assert …)",
		"(assert ( ))":                                            "expected a term, got ()",
		"(assert (! b :named n))(assert (not n))":                 "",
		"(assert (! b :named n))(assert (n 1))":                   `unknown function "n"`,
		"(pop 0)(assert b)":                                       "",
	} {
		_, found := Check(Z3, source.NewFile("p", x+text))
		got := ""
		if len(found) > 0 {
			got = found[0].Message
		}
		if got != want || len(found) > 1 {
			t.Errorf("%s: %q, not %q; %d in all", text, got, want, len(found))
		}
	}
	for text, want := range map[string]string{
		"(assert b\n(check-sat)\n":                                    "unmatched ( before the next command, (",
		"(assert (= b\n (not b))\n":                                   "unmatched (",
		"(assert (and b\n(not b)\n))":                                 "",
		"(assert (and b (not b)":                                      "unmatched (",
		"(assert (and b\n(not b)\n(or b b)\n)\n(check-sat)(assert b)": "unmatched ( before the next command, (",
		"(assert b\n(check-sat":                                       "unmatched ( before the next command, (",
	} {
		file := source.NewFile("p", "(declare-const b Bool)"+text)
		_, found := Check(Z3, file)
		var got []string
		for _, d := range found {
			got = append(got, d.Message)
			for _, n := range d.Notes {
				got = append(got, file.Slice(n.Span))
			}
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s: %q", text, got)
		}
	}
}

func TestObjectiveIsFirstAndUnique(t *testing.T) {
	const rest = "st\n c: x >= 1\nEnd\n"
	const first = `expected "Minimize" or "Maximize" and an objective; for any solution write "Minimize obj: 0"`
	for text, want := range map[string]string{
		"Minimse\n o: x\n":          `unknown section "Minimse"; did you mean minimize?`,
		"quickly\n o: x\n":          first,
		"":                          first,
		"3 x\n":                     first,
		"min\n x\nmin\n x\n":        "duplicate section",
		"min\n x\nmax\n x\n":        "duplicate section",
		"max\n x\nst\n a: x >= 0\n": "duplicate section",
		"max\n x\n":                 "",
	} {
		_, found := Check(HiGHS, source.NewFile("p", text+rest))
		got := ""
		if len(found) > 0 {
			got = found[0].Message
		}
		if got != want {
			t.Errorf("%q: %q, not %q", text, got, want)
		}
	}
	if _, found := Check(HiGHS, source.NewFile("p", "min\n x + y\nst\n c: x >= 1\nbounds\n x <= 3\nbounds\n y <= 3\nend")); len(found) > 0 {
		t.Error(found)
	}
}

func TestRowsEndAtTheNextRow(t *testing.T) {
	for rows, want := range map[string]string{
		"c: x >= 1 d: y >= 2":        "c d",
		"c: x >= 1\n d: y >= 2":      "c d",
		"c: x + y\n d: y >= 2":       "d; expected <=, >= or = and a number",
		"c: x d: y >= 2":             "d; expected <=, >= or = and a number",
		"c: x >= 1 y\n d: y >= 2":    "d; expected a number on the right; move the variables to the left, and split a constraint with two sides",
		"c: x y >= 1\n d: y >= 2":    "d; unexpected product of variables; a term is a number and one variable",
		"c: 3 >= 1\n d: y >= 2":      "c d; missing variable; the variables belong on the left, the number on the right",
		"c: x >= 1\n + y\n d: y = 2": "c d; expected <=, >= or = and a number",
	} {
		p, found := Check(HiGHS, source.NewFile("p", "Minimize\n o: x + y\nSubject To\n "+rows+"\nEnd\n"))
		var names []string
		for _, n := range p.Named {
			names = append(names, n.Name)
		}
		got := strings.Join(names, " ")
		if len(found) > 0 {
			got += "; " + found[0].Message
		}
		if got != want {
			t.Errorf("%q: %q, not %q", rows, got, want)
		}
	}
	p, found := Check(HiGHS, source.NewFile("p", "max\n [ u ^ 2 + 2 u * v ] / 2\nst\n c: x >= 1\nbounds\n inf >= x\nend"))
	if got := fmt.Sprint(len(p.Names), p.Names[0].Name, p.Names[1].Name, p.Names[2].Name, found); got != "3uvx[]" {
		t.Error(got)
	}
}

// Names are compared for a suggestion only up to a number of names.
func TestSuggestionsStopAboveManyNames(t *testing.T) {
	for n, want := range map[int]int{3: 1, 2_000: 1, 2_001: 0} {
		for solver, text := range map[Solver]string{
			Z3:    strings.Replace(problemOf(Z3, n), "(check-sat)", "(assert (> vv1 0))", 1),
			HiGHS: strings.Replace(problemOf(HiGHS, n), "End", "Bounds\n vv1 <= 3\nEnd", 1),
		} {
			_, found := Check(solver, source.NewFile("p", text))
			if len(found) != 1 || len(found[0].Fixes) != want || strings.Contains(found[0].Message, `did you mean "v1"?`) != (want == 1) {
				t.Errorf("%s among %d: %v", solver, n, found)
			}
		}
	}
}

func TestReportedFaultsAreLimited(t *testing.T) {
	for n, want := range map[int]string{MaxFound: "", MaxFound + 1: "not listed: 1 more", MaxFound + 7: "not listed: 7 more"} {
		_, found := Check(Z3, source.NewFile("p", strings.Repeat("(assert y)", n)))
		last := ""
		if len(found) > MaxFound {
			last = found[MaxFound].Message
		}
		if len(found) != MaxFound+min(1, len(want)) || last != want {
			t.Errorf("of %d: %d, %q", n, len(found), last)
		}
	}
	for text, want := range map[string]string{"ab\x00": "source.binary 2 3", strings.Repeat(" ", MaxText+2): fmt.Sprint("limit.text ", MaxText, " ", MaxText+2)} {
		found := unfit(source.NewFile("p", text))
		if got := fmt.Sprint(found[0].Code, " ", found[0].Span.Start, " ", found[0].Span.End); got != want || strings.HasPrefix(want, "limit") && !strings.Contains(found[0].Message, "the maximum is 25 MB") {
			t.Errorf("%s: %s", got, found[0].Message)
		}
	}
}

// A sort that uses another one twice, and so on, would exceed any memory.
func TestExpandedSortsAreLimited(t *testing.T) {
	chain := func(n int, body string) string {
		var b strings.Builder
		b.WriteString("(define-sort S0 () Int)")
		for i := 1; i <= n; i++ {
			fmt.Fprintf(&b, "(define-sort S%d () %s)", i, strings.ReplaceAll(body, "S", fmt.Sprintf("S%d", i-1)))
		}
		fmt.Fprintf(&b, "(declare-const x S%d)(assert true)", n)
		return b.String()
	}
	for text, want := range map[string]string{
		chain(20, "S"): "", chain(60, "S"): "limit.depth", chain(7, "(Array S S)"): "", chain(24, "(Array S S)"): "limit.depth",
	} {
		_, found := Check(Z3, source.NewFile("p", text))
		if len(found) > 0 != (want != "") || len(found) > 0 && found[0].Code != want {
			t.Errorf("%.80s: %v", text, found[:min(2, len(found))])
		}
	}
	for length, want := range map[int]int{maxSort: 0, maxSort + 1: 1} {
		name := strings.Repeat("s", length-len("(Seq )"))
		if _, found := Check(Z3, source.NewFile("p", "(declare-sort "+name+" 0)(declare-const x (Seq "+name+"))(assert true)")); len(found) != want {
			t.Errorf("a sort of %d bytes: %d faults", length, len(found))
		}
	}
	// Each use of a name costs as many steps as its definition.
	m := meter.New(meter.Budget{})
	uses := strings.ReplaceAll(chain(7, "(Array S S)"), "(assert true)", strings.Repeat("(assert (forall ((y S7)) true))", 100))
	if _, found, err := CheckWithin(Z3, source.NewFile("p", uses), m); len(found) > 0 || err != nil || m.Spent(meter.Steps) < 100<<7 {
		t.Errorf("%d steps; %v, %v", m.Spent(meter.Steps), found, err)
	}
}

// The text for a solver requests each existing part of the answer exactly once.
func TestPreparedTextRequestsTheAvailableParts(t *testing.T) {
	for text, want := range map[string]string{
		"(assert true)":                              "check-sat get-model",
		"(assert true)(check-sat)":                   "get-model",
		"(assert (! true :named a))":                 "cores check-sat get-model get-unsat-core",
		"(declare-const x Int)(minimize x)":          "check-sat get-objectives get-model",
		"(assert-soft (! true :named a))(check-sat)": "cores get-objectives get-model get-unsat-core",
	} {
		p, _ := Check(Z3, source.NewFile("p", text))
		before, after, _ := strings.Cut(Prepare(Z3, text, p, Limits{}).Text, text)
		var got []string
		if strings.Contains(before, "(set-option :produce-unsat-cores true)") {
			got = append(got, "cores")
		}
		for _, command := range []string{"check-sat", "get-objectives", "get-model", "get-unsat-core"} {
			if strings.Count(after, "("+command+")") == 1 {
				got = append(got, command)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q", text, got)
		}
	}
}

func TestReasonsForUnknownAreReported(t *testing.T) {
	for reason, want := range map[string]string{
		"canceled": "the work limit was reached", "max. resource limit exceeded": "the work limit was reached",
		"timeout": "the time limit was reached", "(incomplete quantifiers)": "Z3's methods are incomplete for this problem: incomplete quantifiers",
		"": "Z3 gave up without a reason", "unknown": "Z3 gave up without a reason", "(sat.giveup)": "Z3 gave up: sat.giveup",
	} {
		if got := whyUnknown(reason); got != want {
			t.Errorf("%q: %q", reason, got)
		}
	}
}

// A result has the data of Z3 and HiGHS and nothing else of their output.
func TestPartialRepliesAreRead(t *testing.T) {
	file := source.NewFile("p", "(declare-fun f (Int) Int)(declare-const x Int)(assert (! (> x 0) :named a))(minimize x)")
	p, _ := Check(Z3, file)
	for reply, want := range map[string]string{
		"unsupported\nunknown\nstile.reason\n(:reason-unknown \"timeout\")": "unknown \"the time limit was reached\"\n",
		"unsat\nstile.core\n()":  "unsat \"\"\n",
		"unsat\nstile.core\n(a)": "unsat \"one named assertion contradicts the unnamed ones\"\ncore a: (! (> x 0) :named a)\n",
		"sat\nstile.objectives\n(objectives (x 1) (y 2))\nstile.model\n((define-fun-rec f ((n Int)) Int (f n))(declare-fun x () Int 7))": "sat \"\"\nminimize x = 1 [ ] false\nf (Int) Int = (f n)\n",
	} {
		r := Read(file, p, Reply{Text: reply})
		if got := said(file, r); got != want || len(r.Checks) != 1 {
			t.Errorf("%q\n got %q\nwant %q; %v", reply, got, want, r.Checks)
		}
	}
	r := Read(file, p, Reply{Text: "sat\nstile.model\n()\nstile.statistics\n(:conflicts 1 :time 0.01 x 2 :memory)"})
	if got := fmt.Sprint(r.Statistics); got != "[{conflicts 1} {time 0.01}]" {
		t.Error(got)
	}
	file = source.NewFile("p", "Maximize\n obj: x + y\nSubject To\n c: x + y <= 4\nGeneral\n x\nEnd\n")
	p, _ = Check(HiGHS, file)
	for reply, want := range map[string]string{
		`{"status":"timeLimit","objective":3,"names":["x","y"],"values":[1,2]}`: "timeout \"best found in 0 s, not proved optimal\"\nmaximize x + y = 3 [ ] false\nx Int = 1\ny Real = 2\n",
		`{"status":"timeLimit","names":["x","y"],"values":[1,2]}`:               "timeout \"the time limit was reached\"\nmaximize x + y =  [ ] false\n",
		`{"status":"optimal","objective":3,"names":["y","x"],"values":[2]}`:     "sat \"best found, not proved optimal\"\nmaximize x + y = 2 [ ] false\ny Real = 2\n",
		`{"status":"optimal","objective":3,"names":["x","y"],"values":[1.1,2]}`: "sat \"some integer values were rounded\"\nmaximize x + y = 3 [ ] false\nx Int = 1\ny Real = 2\n",
		`{"status":"timeLimit","objective":3,"names":["x"],"values":[1.1]}`:     "timeout \"best found in 0 s, not proved optimal\"\nmaximize x + y = 1 [ ] false\nx Int = 1\n",
		`{"status":"infeasible"}`: "unsat \"\"\nmaximize x + y =  [ ] false\n",
	} {
		if got := said(file, Read(file, p, Reply{Text: reply})); got != want {
			t.Errorf("%s\n got %q\nwant %q", reply, got, want)
		}
	}
}

func TestZ3PlacesAreFoundInAnyText(t *testing.T) {
	for _, c := range []struct {
		text         string
		line, column int
		want         string
	}{{"\n\n(f yy)", 3, 4, "yy"}, {"ab", 1, 1, "ab"}, {"ab", 1, 9, "ab"}, {"(a\nyy", 2, 1, "yy"}} {
		file := source.NewFile("p", c.text)
		if got := file.Slice(placeOf(file, c.line, c.column)); got != c.want {
			t.Errorf("%q, line %d, column %d is at %q", c.text, c.line, c.column, got)
		}
	}
}

// Partial text has an outline and occurrences for its complete parts.
func TestPartialTextHasAnOutlineAndOccurrences(t *testing.T) {
	for text, want := range map[string]string{"(declare-fun f)": "1 0", "(declare-fun Int)": "1 0", "(assert (!))": "0 1", "(declare-const x)(assert (! (> x 1)": "1 0", "(assert (! true))": "0 1"} {
		o := Outlined(Z3, source.NewFile("p", text))
		if got := fmt.Sprint(len(o.Names), " ", len(o.Parts)); got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
	file := source.NewFile("p", "(declare-sort S)(declare-const x S)(declare-datatype T)")
	if got := golden.Occurrences(file, Occurrences(Z3, file)); got != "1:15 sort S defined\n1:32 constant x defined\n1:34 sort S\n1:54 sort T defined\n" {
		t.Error(got)
	}
	for text, part := range map[string]source.Span{" bc": {Start: 0, End: 1}, "a  ": {Start: 1, End: 9}, "abc": {Start: 2, End: 2}} {
		if got := Without("abc", []Part{{Span: part}}); got != text {
			t.Errorf("without %v it is %q", part, got)
		}
	}
}

func TestTextAfterAPreludeBeginsOnANewLine(t *testing.T) {
	for given, want := range map[string]string{"": "", "(declare-const x Int) ; end": "(declare-const x Int) ; end\n", "(declare-const x Int)\n": "(declare-const x Int)\n"} {
		b := NewWithPrelude(source.NewFile("given", given), source.NewFile("in", "(assert true)"))
		p, found := b.Check()
		if b.Text() != want+"(assert true)" || p.Constraints != 1 || len(found) > 0 {
			t.Errorf("%q: %q %v", given, b.Text(), found)
		}
	}
}

func TestNamesHaveFamiliesAndWordsAreReserved(t *testing.T) {
	for name, want := range map[string]string{"ship.a.b": "ship", "|make(oil)|": "make", "x": "x", "..": "..", "": ""} {
		if got := FamilyOf(name); got != want {
			t.Errorf("%q is of %q", name, got)
		}
	}
	for solver, want := range map[Solver]string{Z3: "assert", HiGHS: "subject to"} {
		both := " " + strings.Join(Keywords(solver), " , ") + " "
		if !strings.Contains(both, " "+want+" ") || strings.Contains(both, " assert ") == strings.Contains(both, " subject to ") {
			t.Errorf("%s: %s", solver, both)
		}
	}
}
