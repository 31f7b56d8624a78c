package solve

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/source"
)

const declaredForSorts = `(declare-const b Bool)(declare-const i Int)(declare-const r Real)(declare-const v (_ BitVec 8))(declare-const w (_ BitVec 4))(declare-const s String)
(declare-const a (Array Int Bool))(declare-const m (Array Int Bool Real))(declare-fun f (Int Bool) Real)(declare-fun g (Int) Int)
(declare-datatype C (red (tint (hue Int))))(declare-const c C)(define-sort T (A) (Array A Int))(declare-const t (T Bool))`

// sortWithin returns the sort of a term after the declarations, and the codes of its
// faults.
func sortWithin(t *testing.T, text string) (string, []string) {
	t.Helper()
	file := source.NewFile("p", declaredForSorts+"\n(assert "+text+")")
	c := &smtChecker{
		file: file, sorts: map[string]*sortDef{}, funs: map[string]*funDef{}, locals: map[string][]string{},
		parts: map[string][]string{}, named: map[string]source.Span{}, scopes: []smtScope{{}},
	}
	r := smtReader{text: file.Text, found: &c.found}
	for {
		form, ok := r.next()
		if !ok {
			t.Fatalf("%q is no term", text)
		}
		if form.head() != "assert" {
			c.command(&form)
			continue
		}
		if len(c.found.list) > 0 {
			t.Fatal(c.found.list)
		}
		sort := ""
		for i := range form.items[1:] {
			sort = c.sortOf(&form.items[1+i])
		}
		var codes []string
		for _, d := range c.found.list {
			codes = append(codes, strings.TrimPrefix(d.Code, "smt."))
		}
		if len(c.locals) > 0 {
			t.Errorf("%s: %v is still bound", text, c.locals)
		}
		return sort, codes
	}
}

func TestTermsHaveTheirSorts(t *testing.T) {
	for text, want := range map[string]string{
		"1": "Int", "1.5": "Real", "#b0101": "(_ BitVec 4)", "#x0f": "(_ BitVec 8)", `"s"`: "String", "b": "Bool", "true": "Bool", "(_ bv5 8)": "(_ BitVec 8)", "(_ bv5 0)": "(_ BitVec 1)",
		"(+ 1 i)": "Int", "(+ 1 r)": "Real", "(- 1.0)": "Real", "(* i i i)": "Int", "(/ 1 2)": "Real", "(div i 2)": "Int", "(mod i 2)": "Int", "(abs i)": "Int", "(^ i 2)": "Int",
		"(to_real i)": "Real", "(to_int r)": "Int", "(is_int r)": "Bool", "(< 1 r 3)": "Bool", "(= i r)": "Bool", "(distinct i 1 2)": "Bool", "(and b b)": "Bool", "(=> b b b)": "Bool",
		"(ite b i i)": "Int", "(ite b i r)": "Real", "(ite b r i)": "Real", "(ite b c red)": "C", "(ite b unknown i)": "Int undeclared", "(ite b i unknown)": "Int undeclared", "(ite i 1 2)": "Int mismatch", "(ite b r r)": "Real",
		"(select a 1)": "Bool", "(store a 1 b)": "(Array Int Bool)", "(select m 1 b)": "Real", "(store m 1 b 2.5)": "(Array Int Bool Real)", "(select t b)": "Int", "(select a)": " arity", "(select m 1)": " arity",
		"(store a 1)": " arity", "(select i 1)": " mismatch", "(select a b)": "Bool mismatch", "(store a 1 2)": "(Array Int Bool) mismatch", "(select unknown 1)": " undeclared",
		"(bvadd v v)": "(_ BitVec 8)", "(bvnot w)": "(_ BitVec 4)", "(bvult v v)": "Bool", "(bvadd v w)": "(_ BitVec 8) mismatch", "(bvadd i v)": "(_ BitVec 8) mismatch", "(bvcomp v v)": "(_ BitVec 1)",
		"(concat v w)": "(_ BitVec 12)", "(concat v unknown)": " undeclared", "(bv2nat v)": "Int", "(str.len s)": "Int", "(str.++ s s)": "String", "(str.< s s)": "Bool", "(str.replace_re s s s)": "",
		"((_ extract 7 0) v)": "(_ BitVec 8)", "((_ extract 3 3) v)": "(_ BitVec 1)", "((_ extract 6 2) v)": "(_ BitVec 5)", "((_ extract 8 0) v)": " mismatch", "((_ extract 2 3) v)": " mismatch", "((_ extract 4 2) unknown)": "(_ BitVec 3) undeclared",
		"((_ zero_extend 4) v)": "(_ BitVec 12)", "((_ sign_extend 1) w)": "(_ BitVec 5)", "((_ rotate_left 3) v)": "(_ BitVec 8)", "((_ rotate_right 3) w)": "(_ BitVec 4)", "((_ repeat 3) w)": "(_ BitVec 12)",
		"((_ repeat 3) unknown)": " undeclared", "((_ int2bv 5) i)": "(_ BitVec 5)", "((_ int_to_bv 0) i)": "(_ BitVec 1)", "((_ divisible 3) i)": "Bool", "((_ at-most 1) b b)": "Bool", "((_ pble 3 1 2) b b)": "Bool",
		"((_ pbge 3) b)": "Bool", "((_ pbeq 1 2 3 4) b)": "Bool", "((_ at-least 1) i)": "Bool mismatch", "((_ at-most 1 2) b)": " arity", "((_ extract 1) v)": " arity", "((_ to_fp 5 11) r)": "",
		"((_ pbge 3 1 1) b b)": "Bool", "((as g Int) unknown unknown)": "Int undeclared undeclared", "(! b :weight)": "Bool", "(! b :flag :named n4)": "Bool", "(match c ((x x)))": "", "(match c ((red red) (x x)))": "C",
		"((_ is tint) c)": "Bool", "((_ is f) c)": "Bool undeclared", "((_ nothing 1) v)": " undeclared", "(_ extract)": " form", "((_ 1 2) v)": " form", "(_ char 65)": "",
		"(f 1 b)": "Real", "(f 1)": "Real arity", "(g r)": "Int rounded", "(g b)": "Int mismatch", "(hue c)": "Int", "(tint 3)": "C", "red": "C", "(red 1)": "C arity",
		"(let ((x 1) (y b)) (ite y x 2))": "Int", "(let ((i b)) (and i (let ((i 1)) (> i 0)) i))": "Bool", "(let ((i b)) i)": "Bool", "(let (x) 1)": "Int form", "(let ((x 1)))": " arity", "(let x 1)": " form",
		"(forall ((i Bool) (x Int)) (and i (> x 0)))": "Bool", "(exists ((x Int)) x)": "Bool mismatch", "(forall (x) b)": "Bool form", "(lambda ((x Int)) x)": "", "(forall ((x Nothing)) b)": "Bool sort",
		"(! b :named n)": "Bool", "(! i :pattern (b) :named n2)": "Int", "(! b :named)": "Bool form", "(! b n)": "Bool form", "(! b :named b)": "Bool redeclared", "(! b :weight 3 :named n3)": "Bool", "(!)": " arity",
		"(as red C)": "C", "((as const (Array Int Int)) 1)": "(Array Int Int)", "(as red)": " arity", "(match c ((red 1) ((tint h) h)))": "Int", "(match c ((x 1.5)))": "Real", "(match c (red))": " form", "(match c)": " arity",
		"()": " form", "(1 2)": " form", "((f 1 b) 2)": " form", ":named": " form", "nothing": " undeclared", "(nothing 1)": " undeclared", "(not)": "Bool arity", "(+)": " arity", "(/ 1)": "Real arity", "(mod 1)": "Int arity",
		"(+ i unknown)": " undeclared", "(+ i b)": "Real mismatch", "(< i s)": "Bool mismatch", "(= b 1)": "Bool mismatch", "(= 1 b)": "Bool mismatch", "(= unknown b 1)": "Bool undeclared mismatch", "(and b i)": "Bool mismatch",
	} {
		sort, codes := sortWithin(t, text)
		if got := strings.TrimRight(sort+" "+strings.Join(codes, " "), " "); got != want {
			t.Errorf("%s: %q, not %q", text, got, want)
		}
	}
}

// The numbers of arguments are those of SMT-LIB's theories and of Z3.
func TestOperatorsCheckTheNumberOfArguments(t *testing.T) {
	known := map[string]bool{}
	for _, c := range []struct {
		names, argument string
		least, most     int
	}{
		{"true false", "b", 0, 0},
		{"not", "b", 1, 1},
		{"and or", "b", 1, 9},
		{"xor =>", "b", 2, 9},
		{"= distinct < <= > >= / div", "i", 2, 9},
		{"+ - *", "i", 1, 9},
		{"^ mod rem", "i", 2, 2},
		{"abs to_real to_int is_int", "i", 1, 1},
		{"bvneg bvnot bv2nat bv2int ubv_to_int sbv_to_int", "v", 1, 1},
		{"bvand bvor bvxor bvnand bvnor bvxnor bvadd bvmul bvsub bvudiv bvurem bvsdiv bvsrem bvsmod bvshl bvlshr bvashr concat", "v", 2, 9},
		{"bvcomp bvult bvule bvugt bvuge bvslt bvsle bvsgt bvsge", "v", 2, 2},
		{"str.len", "s", 1, 1},
		{"ite", "b", 3, 3},
	} {
		for _, name := range strings.Fields(c.names) {
			known[name] = true
			for n := range 5 {
				_, codes := sortWithin(t, "("+name+strings.Repeat(" "+c.argument, n)+")")
				want := ""
				if n < c.least || n > c.most {
					want = "arity"
				}
				if got := strings.Join(codes, " "); got != want {
					t.Errorf("%s of %d: %q, not %q", name, n, got, want)
				}
			}
		}
	}
	for name := range operators {
		if !known[name] && name != "select" && name != "store" {
			t.Errorf("nothing is said of %s", name)
		}
	}
}

func TestNestingOfSortsIsLimited(t *testing.T) {
	sort := func(n int) string {
		return "(declare-const x " + strings.Repeat("(Seq ", n) + "Int" + strings.Repeat(")", n) + ")(assert true)"
	}
	for n, want := range map[int]int{50: 0, 51: 1} {
		if _, found := Check(Z3, source.NewFile("p", sort(n))); len(found) != want {
			t.Errorf("%d deep: %v", n, found)
		}
	}
	for text, want := range map[string]string{
		"(_ BitVec 65536)": "", "(_ BitVec 65537)": "smt.sort", "(_ BitVec 0)": "smt.sort", "(_ BitVec x)": "smt.sort", "(_ FloatingPoint 5 11)": "", "(_ FloatingPoint 5)": "smt.sort", "()": "smt.sort", "((Seq) Int)": "smt.sort",
		"(Array Int Int Bool)": "", "(Array)": "smt.arity", "Seq": "smt.arity", "(Int Int)": "smt.arity", "3": "smt.sort",
	} {
		_, found := Check(Z3, source.NewFile("p", "(declare-const x "+text+")(assert true)"))
		if len(found) != min(1, len(want)) || len(found) > 0 && found[0].Code != want {
			t.Errorf("%s: %v", text, found)
		}
	}
}

func TestCommandEffectsAreRecorded(t *testing.T) {
	const text = `(set-option :print-success false)(declare-const x Int)(minimize x :id g)(assert-soft (> x 1) :weight 2 :id a)(assert-soft (> x 2) :id a)(assert-soft (> x 2))
(assert (! (> x 0) :named n))(push 2)(assert true)(pop 2)(check-sat)(get-model)(get-info :version)(echo "x")(get-value (x))(check-sat-assuming ((> x 1)))`
	p, found := Check(Z3, source.NewFile("p", text))
	if len(found) > 0 {
		t.Fatal(found)
	}
	var objectives []string
	for _, o := range p.Objectives {
		objectives = append(objectives, o.Sense+" "+o.Expression)
	}
	if got := fmt.Sprint(p.Constraints, p.Checks, len(p.Named), strings.Join(objectives, ", ")); got != "2 2 1minimize x, soft a, soft " {
		t.Errorf("%q", got)
	}
	for text, want := range map[string]string{
		"(push 1000)(assert true)": "", "(push 1001)(assert true)": "smt.form", "(push 2)(pop 3)(assert true)": "smt.pop", "(push 1 2)(assert true)": "smt.arity", "(declare-fun f Int Int)(assert true)": "smt.form",
		"(define-fun f ((x Int) y) Int x)(assert true)": "smt.form", "(define-fun-rec f ((x Int)) Int (f (- x 1)))(assert true)": "", "(define-fun f ((x Int)) Int (f x))(assert true)": "smt.undeclared",
		"(set-option)(assert true)": "smt.form", "(set-option :random-seed)(assert true)": "smt.arity", "(assert-soft true x)": "smt.form", "(assert-soft true :weight)": "smt.form", "(assert-soft)(assert true)": "smt.arity",
		"()(assert true)": "smt.form", "((f))(assert true)": "smt.form", "(minimize)(assert true)": "smt.arity", "(declare-sort S 1 2)(assert true)": "smt.arity", "(declare-sort S 1)(declare-const x (S Int))(assert true)": "",
		"(declare-sort Int 0)(assert true)": "smt.redeclared", "(declare-datatypes ((A 0)) ())(assert true)": "smt.arity", "(declare-datatypes (A) ((x)))(assert true)": "smt.form", "(declare-datatype A (()))(assert true)": "smt.form",
		"(declare-datatype A ((c f)))(assert true)": "smt.form", "(declare-datatype L (par (A) ((nil) (cons (hd A)))))(declare-const l (L Int))(assert true)": "", "(declare-const 3 Int)(assert true)": "smt.form",
	} {
		_, found := Check(Z3, source.NewFile("p", text))
		if len(found) != min(1, len(want)) || len(found) > 0 && found[0].Code != want {
			t.Errorf("%s: %v, not %q", text, found, want)
		}
	}
}

// Every reader accepts a text with a missing part, with faults at places within it.
func TestTextsWithAMissingPieceAreRead(t *testing.T) {
	for text, solver := range map[string]Solver{declaredForSorts + namedSMT: Z3, namedLP + "Maximize\n o: [ x ^ 2 ] / 2 - 3\nst\n c: 2 x >= 1\nend": HiGHS} {
		try := func(text string) {
			file := source.NewFile("p", text)
			p, found := Check(solver, file)
			for _, d := range found {
				if d.Span.Start < 0 || d.Span.Start > d.Span.End || int(d.Span.End) > len(text) {
					t.Errorf("%q: %s stands at %v", text, d.Code, d.Span)
				}
			}
			Links(file, p)
			Occurrences(solver, file)
			Tokens(solver, file, 1_000)
		}
		for _, token := range Tokens(solver, source.NewFile("p", text), 1_000) {
			try(text[:token.Span.Start])
			try(text[:token.Span.Start] + text[token.Span.End:])
			try(text[:token.Span.Start] + "()" + text[token.Span.End:])
		}
		for i := range len(text) {
			if text[i] == '(' || text[i] == ')' {
				try(text[:i] + text[i+1:])
			}
		}
	}
}

func TestMessageIsTheFirstError(t *testing.T) {
	fault := func(message string, severity source.Severity) source.Diagnostic {
		return source.Diagnostic{Message: message, Severity: severity}
	}
	for _, c := range []struct {
		found []source.Diagnostic
		want  string
	}{
		{[]source.Diagnostic{fault("a", source.SeverityError)}, "a"},
		{[]source.Diagnostic{fault("w", source.SeverityWarning), fault("a", source.SeverityError), fault("b", source.SeverityError)}, "a; and 1 more"},
		{[]source.Diagnostic{fault("a", source.SeverityError), fault("b", source.SeverityError), fault("c", source.SeverityError)}, "a; and 2 more"},
		{nil, ""},
	} {
		if r := Faulty(Z3, c.found); r.Message != c.want || r.Status != StatusError || len(r.Faults) != len(c.found) {
			t.Errorf("%+v", r)
		}
	}
	for size, want := range map[int]int{MaxText: 0, MaxText + 1: 1} {
		if found := unfit(source.NewFile("p", strings.Repeat(" ", size))); len(found) != want {
			t.Errorf("%d bytes: %v", size, found)
		}
	}
}

func TestFunctionsOfAModelHaveParameters(t *testing.T) {
	file := source.NewFile("p", "(declare-fun f (Int Bool) Int)(declare-const x Int)(assert true)")
	p, _ := Check(Z3, file)
	r := Read(file, p, Reply{Text: "sat\nstile.model\n((define-fun x () Int 1)(define-fun f ((a Int) (b Bool)) Int (ite b a 2)))"})
	if got := fmt.Sprintf("%q %q", r.Model[0].Params, r.Model[1].Params); len(r.Model) != 2 || got != `["a" "b"] []` {
		t.Error(got)
	}
}

func TestRowErrorsNameTheFault(t *testing.T) {
	for row, want := range map[string]string{
		"2 * x >= 1":     "unexpected *; write 3 x",
		"2 / 3 x >= 1":   "unexpected fraction; write decimals",
		"2 ( x ) >= 1":   `"(": unexpected parenthesis; expand the product`,
		"[ x ] >= 1":     `"[": unexpected squares; only an objective may contain them`,
		"x + >= 1":       "expected a number or a variable",
		"x * y >= 1":     "unexpected product of variables; a term is a number and one variable",
		"x ] >= 1":       `expected <=, >= or = and a number`,
		"x + ] y >= 1":   `"]": unexpected character`,
		"3 x 4 >= 1":     "expected + or - between the terms of a sum",
		"x >= 1 <= 3":    "unexpected second side; write two constraints",
		">= 1":           "expected a number or a variable",
		"x < 1":          "no strict bounds in LP; write <=",
		"x >= - inf":     "",
		"x + inf >= 1":   "",
		"x + 3 >= 1":     "",
		"- 2 x - y >= 1": "",
	} {
		_, found := Check(HiGHS, source.NewFile("p", "Minimize\n o: x + y\nSubject To\n c: "+row+"\nEnd\n"))
		got := ""
		if len(found) > 0 {
			got = found[0].Message
		}
		if got != want {
			t.Errorf("%s: %q, not %q", row, got, want)
		}
	}
	_, found := Check(HiGHS, source.NewFile("p", "Minimize\n o: [ x ^ 2 ] / 2 y\nSubject To\n c: x >= 1\nEnd\n"))
	if len(found) != 2 || found[0].Code != "lp.form" || found[1].Code != "lp.term" {
		t.Error(found)
	}
	for row, want := range map[string]string{
		"x free": "", "x <= 3": "", "0 <= x <= 3": "", "-inf <= x": "", "x >= -inf": "", "x": "expected a bound such as 0 <= x <= 3, x >= 1, x = 2 or x free", "3 x": "expected a bound such as 0 <= x <= 3, x >= 1, x = 2 or x free",
		"3 <= 4": "expected a variable", "<= 4": "expected a variable", "x <= y": "expected a number; a bound has one variable", "0 <= x free": `unused variable "free": no constraint and no objective contains it`, "0 < x": "no strict bounds in LP; write <=",
	} {
		_, found := Check(HiGHS, source.NewFile("p", "Minimize\n o: x + y\nSubject To\n c: x >= 1\nBounds\n "+row+"\nEnd\n"))
		got := ""
		if len(found) > 0 {
			got = found[0].Message
		}
		if got != want {
			t.Errorf("%s: %q, not %q", row, got, want)
		}
	}
}
