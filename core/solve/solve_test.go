package solve

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

// listed formats faults as "code: text at fault".
func listed(file *source.File, found []source.Diagnostic) []string {
	var out []string
	for _, d := range found {
		out = append(out, d.Code+": "+file.Slice(d.Span))
	}
	return out
}

type faultCase struct {
	name, text string
	want       []string
}

func checkFaults(t *testing.T, solver Solver, cases []faultCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			file := source.NewFile("p", c.text)
			_, found := Check(solver, file)
			if got := listed(file, found); strings.Join(got, "\n") != strings.Join(c.want, "\n") {
				t.Errorf("%s\n got %q\nwant %q", c.text, got, c.want)
			}
			for _, d := range found {
				if d.Span.Start > d.Span.End || int(d.Span.End) > len(c.text) || d.Message == "" {
					t.Errorf("a diagnostic without a place or words: %+v", d)
				}
				for _, f := range d.Fixes {
					after := source.NewFile("p", source.Apply(c.text, f.Edits))
					if _, left := Check(solver, after); source.HasErrors(left) && len(left) >= len(found) {
						t.Errorf("the fix %q mends nothing: %q", f.Title, listed(after, left))
					}
				}
			}
		})
	}
}

func TestSMTFaultsHavePlaces(t *testing.T) {
	const x = "(declare-const x Int)(declare-const r Real)(declare-const b Bool)(declare-fun f (Int Bool) Int)\n"
	checkFaults(t, Z3, []faultCase{
		{"a text without faults", x + "(assert (> x 1))(minimize x)(check-sat)(get-model)", nil},
		{"a real takes a whole number", x + "(assert (< r x))(assert (= r 1))", nil},
		{"an unknown sort", "(declare-const x Integer)", []string{"smt.sort: Integer"}},
		{"a sort that is nearly one", "(declare-sort Colour 0)(declare-const x Color)", []string{"smt.sort: Color"}},
		{"a sort with too many arguments", "(declare-const x (Seq Int Int))", []string{"smt.arity: Seq"}},
		{"an array's sort without an element", "(declare-const x (Array Int))", []string{"smt.arity: Array"}},
		{"an undeclared constant", x + "(assert (> y 1))", []string{"smt.undeclared: y"}},
		{"an undeclared function, once for each use", x + "(assert (> (g x) (g 2)))", []string{"smt.undeclared: g", "smt.undeclared: g"}},
		{"an operator of another language", x + "(assert (== x 1))", []string{"smt.undeclared: =="}},
		{"what is undeclared is not blamed again", x + "(assert (and y (> z 1)))", []string{"smt.undeclared: y", "smt.undeclared: z"}},
		{"a constant declared twice", x + "(declare-const x Real)", []string{"smt.redeclared: x"}},
		{"a name that has a meaning", "(declare-const and Int)", []string{"smt.redeclared: and"}},
		{"an assertion named like a constant", x + "(assert (! (> x 1) :named x))", []string{"smt.redeclared: x"}},
		{"a pop takes declarations back", "(push)(declare-const x Int)(pop)(declare-const x Bool)(assert x)", nil},
		{"after a pop a name is gone", "(push)(declare-const x Int)(pop)(assert (> x 1))", []string{"smt.undeclared: x"}},
		{"a pop too many", x + "(pop)(assert b)", []string{"smt.pop: pop"}},
		{"a function with too few arguments", x + "(assert (> (f 1) 2))", []string{"smt.arity: f"}},
		{"a constant with arguments", x + "(assert (> (x 1) 2))", []string{"smt.arity: x"}},
		{"an operator with too few arguments", x + "(assert (> x))(assert (not))", []string{"smt.arity: >", "smt.arity: not"}},
		{"a command with too many arguments", x + "(assert b b)", []string{"smt.arity: assert"}},
		{"a number is no assertion", x + "(assert (+ x 1))", []string{"smt.mismatch: +"}},
		{"a truth value is not a number", x + "(assert (> (+ b 1) 0))", []string{"smt.mismatch: b"}},
		{"an argument of the wrong sort", x + "(assert (> (f b true) 0))", []string{"smt.mismatch: b"}},
		{"unlike things are not equal", x + "(assert (= x b))", []string{"smt.mismatch: b"}},
		{"branches of one sort", x + "(assert (> (ite b 1 b) 0))", []string{"smt.mismatch: b"}},
		{"a real that is rounded", x + "(assert (> (f r true) 0))", []string{"smt.rounded: r"}},
		{"bits of two widths", "(declare-const a (_ BitVec 8))(assert (= a (bvadd a #x1)))", []string{"smt.mismatch: #x1"}},
		{"bits that are not there", "(declare-const a (_ BitVec 8))(assert (= #b1 ((_ extract 8 8) a)))", []string{"smt.mismatch: extract"}},
		{"an array by the wrong index", "(declare-const a (Array Int Int))(assert (= (select a true) 1))", []string{"smt.mismatch: true"}},
		{"let binds in parallel", x + "(assert (let ((y x) (z (+ y 1))) (> z y)))", []string{"smt.undeclared: y"}},
		{"let hides", x + "(assert (let ((x b)) x))", nil},
		{"a quantifier binds", x + "(assert (forall ((y Int)) (=> (> y 1) (> y x))))(assert (> y 1))", []string{"smt.undeclared: y"}},
		{"a definition knows its parameters", "(define-fun g ((a Int)) Int (+ a 1))(assert (= (g 1) 2))(assert (= a 1))", []string{"smt.undeclared: a"}},
		{"a definition of the wrong sort", "(define-fun g ((a Int)) Bool (+ a 1))", []string{"smt.mismatch: +"}},
		{"datatypes", "(declare-datatypes ((C 0) (P 0)) (((red) (green)) ((pair (fst Int) (snd C)))))(declare-const p P)(assert (= (snd p) red))(assert ((_ is pair) p))", nil},
		{"a field of the wrong datatype", "(declare-datatype C ((red)))(declare-datatype P ((pair (fst Int))))(declare-const c C)(assert (= (fst c) 1))", []string{"smt.mismatch: c"}},
		{"a constructor that is not there", "(declare-datatype C ((red) (green)))(declare-const c C)(assert (= c blue))", []string{"smt.undeclared: blue"}},
		{"a list that is never closed", x + "(assert (> x 1)", []string{"smt.open: ("}},
		{"a list that is not closed before the next", "(declare-const x Int)\n(assert (> x 1)\n(check-sat)\n", []string{"smt.open: ("}},
		{"a parenthesis that closes nothing", x + "(assert (> x 1)))", []string{"smt.close: )"}},
		{"a text without its closing quote", x + "(assert b)(echo \"abc)\n", []string{"smt.open: (", "smt.string: \"abc)"}},
		{"a negative number", x + "(assert (> x -1))", []string{"smt.atom: -1"}},
		{"an unknown command", x + "(asert b)", []string{"smt.command: asert"}},
		{"a word outside of commands", x + "assert b", []string{"smt.form: assert", "smt.form: b"}},
		{"a model before there is one", x + "(assert b)(get-model)(check-sat)", []string{"smt.early: get-model"}},
		{"what is to be the best is a number", x + "(minimize b)", []string{"smt.mismatch: b"}},
		{"nothing is asserted", x, []string{"smt.empty: "}},
	})
}

func TestHarmfulSMTCommandsAreRejected(t *testing.T) {
	var cases []faultCase
	for _, option := range []string{
		":timeout 10", ":opt.timeout 10", ":sls_timeout 1", ":rlimit 100", ":memory_max_size 4000", ":regular-output-channel \"/tmp/x\"",
		":diagnostic-output-channel \"x\"", ":opt.dump_benchmarks true", ":opt.solution_prefix \"x\"", ":sat.drat.file \"x\"",
		":smt.proof_log \"x\"", ":parallel.enable true", ":sat.threads 4", ":trace true", ":trace_file_name \"x\"", ":dot_proof_file \"x\"", ":no-such 1",
	} {
		cases = append(cases, faultCase{option, "(set-option " + option + ")(assert true)", []string{"smt.forbidden: " + strings.Fields(option)[0]}})
	}
	// Z3 reads a bar after a backslash as a part of the name, so a text in bars here would be
	// commands there.
	cases = append(cases, faultCase{"a backslash in bars", `(declare-const |a\| Bool)(assert |a\|)(declare-const |(exit)| Bool)`, []string{`smt.bar: |a\|`, `smt.bar: |a\|`}},
		faultCase{"a comment of Z3's own", "(assert true)#|(assert false)|#", []string{"smt.atom: #", "smt.form: #", "smt.form: |(assert false)|", "smt.atom: #", "smt.form: #"}})
	for _, command := range []string{"(reset)", "(reset-assertions)", "(include \"/etc/passwd\")", "(check-sat-using (try-for smt 10))", "(apply simplify)", "(eval 1)", "(display true)"} {
		cases = append(cases, faultCase{command, "(assert true)" + command, []string{"smt.forbidden: " + strings.Trim(strings.Fields(command)[0], "()")}})
	}
	checkFaults(t, Z3, cases)
}

func TestLPFaultsHavePlaces(t *testing.T) {
	const head = "Minimize\n obj: 2 x + 3 y\nSubject To\n"
	checkFaults(t, HiGHS, []faultCase{
		{"a text without faults", "\\ a comment\n" + head + " c1: x + y >= 4\n c2: x - 0.5y <= 1e3\n 3 x = 2\nBounds\n x <= 3\n -inf <= y <= 5\nGeneral\n x\nBinary\n y\nEnd\n", nil},
		{"sections by their other names", "max\n x\nst\n x <= 3\nbin\n x\nend", nil},
		{"squares in the objective", "Minimize\n obj: x + [ x ^ 2 + 2 x * y ] / 2\nSubject To\n c: x + y >= 1\nEnd\n", nil},
		{"a sum over several lines", "Minimize\n obj: x\n + y\nSubject To\n c: x\n + y\n >= 1\n d: x >= 1\nEnd\n", nil},
		{"an empty objective", "Minimize\nSubject To\n c: x >= 1\nEnd\n", nil},
		{"a missing objective", "Subject To\n c: x >= 1\nEnd\n", []string{"lp.objective: Subject To"}},
		{"an objective that is nearly one", "Minimse\n obj: x\nSubject To\n c: x >= 1\nEnd\n", []string{"lp.objective: Minimse"}},
		{"no text at all", "", []string{"lp.objective: "}},
		{"no constraints", "Minimize\n obj: x\nEnd\n", nil},
		{"no End", head + " c: x >= 1\n", []string{"lp.end: "}},
		{"words behind End", head + " c: x >= 1\nEnd\nBounds\n x <= 1\n", []string{"lp.end: Bounds"}},
		{"sections out of order", "Minimize\n obj: x\nBounds\n x <= 3\nSubject To\n c: x >= 1\nEnd\n", []string{"lp.section: Subject To"}},
		{"bounds of what is nowhere else", head + " c: x >= 1\nBounds\n z <= 3\nEnd\n", []string{"lp.undeclared: z"}},
		{"a whole number that is nearly a name", "Minimize\n obj: amount\nSubject To\n c: amount >= 1\nGeneral\n amuont\nEnd\n", []string{"lp.undeclared: amuont"}},
		{"two constraints of one name", head + " c: x >= 1\n c: y >= 1\nEnd\n", []string{"lp.redeclared: c"}},
		{"a product", head + " c: 2 x * y >= 1\nEnd\n", []string{"lp.term: *"}},
		{"a product without a sign", head + " c: x y >= 1\nEnd\n", []string{"lp.term: y"}},
		{"a sign of multiplication", head + " c: 2 * x >= 1\nEnd\n", []string{"lp.term: *"}},
		{"parentheses", head + " c: 2 (x + y) >= 1\nEnd\n", []string{"lp.term: ("}},
		{"a variable on the right", head + " c: x >= y\nEnd\n", []string{"lp.right: y"}},
		{"a sum on the right", head + " c: x >= 1 + y\nEnd\n", []string{"lp.right: 1"}},
		{"a number on the left", head + " c: 2 <= x\nEnd\n", []string{"lp.right: x"}},
		{"two sides", head + " c: 1 <= x + y <= 3\nEnd\n", []string{"lp.right: x"}},
		{"a strict bound", head + " c: x > 1\nEnd\n", []string{"lp.strict: >"}},
		{"no relation", head + " c: x + y\n d: x >= 1\nEnd\n", []string{"lp.relation: d"}},
		{"a word of the format as a name", head + " c: free + x >= 1\nEnd\n", []string{"lp.name: free"}},
		{"special ordered sets", head + " c: x >= 1\nSOS\n s: S1:: x:1 y:2\nEnd\n", []string{"lp.sos: SOS"}},
		{"a bound without a number", head + " c: x >= 1\nBounds\n x <= y\nEnd\n", []string{"lp.form: y"}},
		{"each line with a fault is told", head + " c: x y >= 1\n d: x > 2\n e: x <= 3\nGeneral\n q\nEnd\n", []string{"lp.term: y", "lp.strict: >", "lp.undeclared: q"}},
	})
}

func TestTooLargeTextIsRejected(t *testing.T) {
	for _, solver := range []Solver{Z3, HiGHS} {
		_, found := Check(solver, source.NewFile("p", strings.Repeat("; nothing but words\n", 50<<20/20)))
		if len(found) != 1 || found[0].Code != "limit.text" || !strings.Contains(found[0].Message, "52 MB") {
			t.Errorf("%s: %+v", solver, found)
		}
	}
}

// problemOf is a problem with this many variables.
func problemOf(solver Solver, n int) string {
	var b strings.Builder
	if solver == Z3 {
		for i := range n {
			fmt.Fprintf(&b, "(declare-const v%d Int)\n(assert (>= v%d %d))\n", i, i, i%7)
		}
		return b.String() + "(check-sat)\n"
	}
	b.WriteString("Minimize\n obj: v0\nSubject To\n")
	for i := range n {
		fmt.Fprintf(&b, " c%d: v%d >= %d\n", i, i, i%7)
	}
	return b.String() + "End\n"
}

func TestManyVariablesAreRead(t *testing.T) {
	for _, solver := range []Solver{Z3, HiGHS} {
		p, found := Check(solver, source.NewFile("p", problemOf(solver, 100_000)))
		if len(p.Names) != 100_000 || p.Constraints != 100_000 || len(found) != 0 {
			t.Errorf("%s: %d variables, %d constraints, %d faults", solver, len(p.Names), p.Constraints, len(found))
		}
	}
}

// TestMeterEndsACheck ends the check of each text at many of its steps.
func TestMeterEndsACheck(t *testing.T) {
	stop := errors.New("stop")
	deep := "(declare-const b Bool)(assert (and " + strings.Repeat("(or b b b)", 20_000) + "))"
	for name, c := range map[string]struct {
		solver Solver
		text   string
	}{"many commands": {Z3, problemOf(Z3, 10_000)}, "one term": {Z3, deep}, "a comment": {Z3, ";" + strings.Repeat("x", 300_000)}, "rows": {HiGHS, problemOf(HiGHS, 10_000)}, "words": {HiGHS, strings.Repeat("x ", 100_000)}} {
		file := source.NewFile("p", c.text)
		m := meter.New(meter.Budget{})
		if _, _, err := CheckWithin(c.solver, file, m); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all := m.Spent(meter.Steps)
		if n := int64(len(c.text)); all < n/2 || all > 4*n {
			t.Errorf("%s: %d steps for %d bytes", name, all, n)
		}
		for _, part := range []int64{4, 2} {
			m := meter.New(meter.Budget{})
			m.SetSlice(all/part, func() error { return stop })
			if _, _, err := CheckWithin(c.solver, file, m); err != stop {
				t.Errorf("%s: %v", name, err)
			}
			// One comment is one step of work.
			if spent := m.Spent(meter.Steps); spent > all/part+all/10 && name != "a comment" {
				t.Errorf("%s: it goes on for %d steps", name, spent-all/part)
			}
		}
	}
}

func TestNumberOfFaultsIsLimited(t *testing.T) {
	_, found := Check(Z3, source.NewFile("p", strings.Repeat("(assert y)\n", 100_000)))
	if len(found) != MaxFound+1 || found[MaxFound].Code != "limit.found" {
		t.Errorf("%d faults", len(found))
	}
}

func TestDeepTermsAreRejected(t *testing.T) {
	text := "(declare-const b Bool)\n(assert " + strings.Repeat("(not ", 5_000) + "b" + strings.Repeat(")", 5_000) + ")\n(assert q)"
	file := source.NewFile("p", text)
	if _, found := Check(Z3, file); len(found) != 2 || found[0].Code != "limit.depth" || found[1].Code != "smt.undeclared" {
		t.Errorf("%q", listed(file, found))
	}
}

func FuzzCheck(f *testing.F) {
	for _, text := range []string{"(declare-const x Int)(assert (! (> x 1) :named a))(check-sat)", "(declare-datatypes ((L 1)) ((par (T) ((nil) (cons (hd T) (tl (L T)))))))",
		"Minimize\n obj: 2 x\nSubject To\n c: x + y >= 1\nBounds\n x free\nEnd\n", "(", ")", "|", "\"", "min\nst\nc1: c2: <= 3 :", "(let ((x)) y)", "((_ is) x)"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		file := source.NewFile("p", text)
		for _, solver := range []Solver{Z3, HiGHS} {
			p, found := Check(solver, file)
			again, _ := Check(solver, file)
			if fmt.Sprint(p) != fmt.Sprint(again) {
				t.Fatal("read twice a text is two problems")
			}
			for _, d := range found {
				if d.Span.Start < 0 || d.Span.Start > d.Span.End || int(d.Span.End) > len(text) {
					t.Fatalf("%s has no place: %v", d.Code, d.Span)
				}
			}
			Read(file, p, Reply{Text: text})
			q := Prepare(solver, text, p, Limits{})
			if !strings.Contains(q.Text, blanked(text, p.prints)) || strings.Count(q.Text, "\n") < strings.Count(text, "\n") {
				t.Fatal("the solver is not given the text")
			}
		}
	})
}

// Texts of the SMT-LIB library and older tools are accepted, and ignored commands are
// reported at their places.
func TestOlderSMTTextsAreAccepted(t *testing.T) {
	const x = "(declare-const x Int)(assert (> x 1))"
	checkFaults(t, Z3, []faultCase{
		{"an exit at the end", x + "(check-sat)\n(exit)\n; over", nil},
		{"what follows an exit", x + "(exit)(assert nonsense)", []string{"smt.exit: ("}},
		{"options without effect", "(set-option :produce-proofs true)(set-option :smt.mbqi true)(set-option :auto-config false)(set-option :model_validate true)(set-option :pp.decimal true)(set-option :print-success true)(set-option :random-seed 3)" + x,
			[]string{"smt.option: :produce-proofs", "smt.option: :smt.mbqi", "smt.option: :auto-config", "smt.option: :model_validate", "smt.option: :pp.decimal", "smt.option: :print-success"}},
		{"an option that is nearly one", "(set-option :opt.prioriti pareto)" + x, []string{"smt.forbidden: :opt.prioriti"}},
		{"datatypes before 2.6", "(declare-datatypes () ((S A B C)))(declare-const s S)(assert (distinct s A))", []string{"smt.old: () ((S A B C))"}},
		{"datatypes with fields and parameters before 2.6", "(declare-datatypes (T) ((L none (cons (head T) (tail L)))))(declare-const l (L Int))(assert (distinct l none))", []string{"smt.old: (T) ((L none (cons (head T) (tail L))))"}},
		{"a list", "(declare-const l (List Int))(assert (= l l))", []string{"smt.sort: List"}},
		{"a negative number", x + "(assert (> x -5))", []string{"smt.atom: -5"}},
		{"what follows the last question", x + "(push)(assert (< x 9))(check-sat)(pop)(assert (> x 5))", []string{"smt.after: assert"}},
	})
	for text, want := range map[string]string{
		"(declare-const x -5)":                             "(declare-const x (- 5))",
		"(declare-datatypes () ((S A (B (n Int))) (R C)))": "(declare-datatypes ((S 0) (R 0)) (((A) (B (n Int))) ((C))))",
		"(declare-const l (List Int))":                     "(declare-datatypes ((ListOf 1)) ((par (T) ((nil) (insert (head T) (tail (ListOf T)))))))\n(declare-const l (ListOf Int))",
	} {
		_, found := Check(Z3, source.NewFile("p", text))
		got := ""
		for _, d := range found {
			if len(d.Fixes) > 0 && got == "" {
				got = source.Apply(text, d.Fixes[0].Edits)
			}
		}
		if got != want {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
	}
	text := x + "(set-option :pp.decimal true)(push)(check-sat)(pop)(exit)(foo)"
	p, _ := Check(Z3, source.NewFile("p", text))
	for _, removed := range []string{"pp.decimal", "(pop)", "exit", "foo"} {
		if strings.Contains(Prepare(Z3, text, p, Limits{}).Text, removed) {
			t.Errorf("Z3 is given %s", removed)
		}
	}
}
