package solve

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/golden"
	"github.com/stile-playground/stile/core/source"
)

const namedSMT = `(set-logic ALL) (declare-sort S 0) (define-sort T () Int)
(declare-const c S)(declare-fun f (Int S) Bool)(declare-fun k () T)
(define-fun g ((x Int) (y S)) Bool (f (+ x k z) y))
(define-const two Int 2)
(declare-datatype D ((nil) e (cons (hd Int) (tl D))))
(declare-datatypes ((P 1)) ((par (A) ((pair (fst A) (snd A))))))
(assert (! (let ((x 1) (c x)) (and (g x c) (forall ((x Int)) (> x two)))) :named first))
(assert (match e ((nil true) ((cons h t) (g h c)) (other (f other u)))))
(assert ((_ is cons) (cons k e)))
(assert-soft first :weight 2)
(get-value (k (fst unknown)))
(echo "k") (push 1) (define-fun-rec h ((n Int)) Int (h n)) (x)
`

const namedLP = `\ a comment
Minimize
 cost: 3 x + 2 y - inf
Subject To
 c1: x + free2 >= 1 \ another
 x - z <= Inf
Bounds
 y free
 -inf <= x <= 4
General
 x
End
`

const occurrencesSMT = `1:31 sort S defined
1:49 sort T defined
2:16 constant c defined
2:18 sort S
2:33 function f defined
2:40 sort S
2:61 constant k defined
2:66 sort T
3:13 function g defined
3:27 sort S
3:17 bound (142) x defined
3:25 bound (150) y defined
3:37 function f
3:42 bound (142) x
3:44 constant k
3:46 name z
3:49 bound (150) y
4:15 constant two defined
5:19 sort D defined
5:23 function nil defined
5:28 constant e defined
5:31 function cons defined
5:37 function hd defined
5:46 function tl defined
5:49 sort D
6:22 sort P defined
6:40 function pair defined
6:46 function fst defined
6:54 function snd defined
7:27 name x
7:19 bound (340) x defined
7:25 bound (346) c defined
7:37 function g
7:39 bound (340) x
7:41 bound (346) c
7:54 bound (375) x defined
7:65 bound (375) x
7:67 constant two
7:82 constraint first defined
8:16 constant e
8:20 function nil
8:32 function cons
8:37 bound (447) h defined
8:39 bound (449) t defined
8:43 function g
8:45 bound (447) h
8:47 constant c
8:52 bound (462) other defined
8:59 function f
8:61 bound (462) other
8:67 name u
9:16 function cons
9:23 function cons
9:28 constant k
9:30 constant e
10:14 constraint first
11:13 constant k
11:16 function fst
11:20 name unknown
12:37 function h defined
12:41 bound (618) n defined
12:54 function h
12:56 bound (618) n
`

const occurrencesLP = `3:2 constraint cost defined
3:10 variable x defined
3:16 variable y defined
5:2 constraint c1 defined
5:6 variable x
5:10 variable free2 defined
6:2 variable x
6:6 variable z defined
8:2 variable y
9:10 variable x
11:2 variable x
`

func TestOccurrencesCoverTheirNames(t *testing.T) {
	for _, c := range []struct {
		solver     Solver
		text, want string
	}{
		{Z3, namedSMT, occurrencesSMT},
		{HiGHS, namedLP, occurrencesLP},
		{Z3, "\x00", ""},
	} {
		file := source.NewFile("x", c.text)
		if got := golden.Occurrences(file, Occurrences(c.solver, file)); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.solver, got, c.want)
		}
	}
}

func TestTokenClasses(t *testing.T) {
	const smt = "; c\n(declare-const |a b| Int)(assert (>= |a b| 1.5 #b01 \"s\")) ; d\n) (f (_ BitVec 8) :named -1) ; e"
	const lp = "Maximize\n o: 2 x + [ y ^ 2 ] / 2\n\\ c\nst\n a: x >= -1 ?\nBounds\n x free\nEnd"
	for _, c := range []struct {
		solver     Solver
		text, want string
	}{
		{Z3, smt, `comment ; c, keyword declare-const, state |a b|, nonterminal Int, keyword assert, operator >=, state |a b|, number 1.5, number #b01, string "s", ` +
			`comment ; d, keyword f, operator _, nonterminal BitVec, number 8, keyword :named, invalid -1, comment ; e`},
		{HiGHS, lp, `keyword Maximize, nonterminal o, number 2, state x, operator +, operator [, state y, operator ^, number 2, operator ], operator /, number 2, ` +
			`comment \ c, keyword st, nonterminal a, state x, operator >=, operator -, number 1, state ?, keyword Bounds, state x, keyword free, keyword End`},
		{HiGHS, "\x00", ""},
	} {
		file := source.NewFile("x", c.text)
		all := Tokens(c.solver, file, 1_000)
		var got []string
		for _, token := range all {
			got = append(got, token.Class+" "+file.Slice(token.Span))
		}
		if text := strings.Join(got, ", "); text != c.want {
			t.Errorf("%s\nwant %s", text, c.want)
		}
		for most := range len(all) {
			if some := Tokens(c.solver, file, most); fmt.Sprint(some) != fmt.Sprint(all[:most]) {
				t.Errorf("the first %d are %v", most, some)
			}
		}
	}
}

func TestNamesAreQuotedIfNecessary(t *testing.T) {
	for name, want := range map[string]string{
		"": "||", "a": "a", "azAZ09": "azAZ09", "0a": "|0a|", "9": "|9|", "a b": "|a b|", "a|b": "a|b", `a\`: `a\`, "a(": "|a(|", "ä": "|ä|", "~!@$%^&*_-+=<>.?/": "~!@$%^&*_-+=<>.?/",
		"a`": "|a`|", "a{": "|a{|", "A[": "|A[|", "a:": "|a:|", "-1": "-1",
	} {
		if got := Quote(name); got != want {
			t.Errorf("%q: %s, not %s", name, got, want)
		}
	}
}

func TestValuesWithSimilarNamesFormATable(t *testing.T) {
	value := func(name, value string, params ...string) Value {
		return Value{Name: name, Value: value, Params: params}
	}
	for _, c := range []struct {
		what  string
		model []Value
		want  string
	}{
		{"quantities of two things", []Value{value("ship.a.x", "3"), value("ship.b.x", "-1/2"), value("ship.a.y", "0.5"), value("alone", "1")}, "[ship [[a b] [x y]] flow [0 0]=3 [1 0]=-1/2 [0 1]=0.5]"},
		{"a choice", []Value{value("on_1_2", "true"), value("on_1_3", "0"), value("on_2_2", "1")}, "[on [[1 2] [2 3]] grid [0 0]=true [0 1]=0 [1 0]=1]"},
		{"a quantity of each", []Value{value("|make(oil)|", "2"), value("|make(gas)|", "7")}, "[make [[oil gas]] bars [0]=2 [1]=7]"},
		{"truths of each", []Value{value("open[1]", "false"), value("open[2]", "true")}, "[open [[1 2]] bars [0]=false [1]=true]"},
		{"names that share a word behind", []Value{value("x.1.kg", "2"), value("x.2.kg", "")}, "[x kg [[1 2]]  [0]=2 [1]=]"},
		{"three axes", []Value{value("a.1.1.1", "1"), value("a.2.2.2", "1")}, "[a [[1 2] [1 2] [1 2]]  [0 0 0]=1 [1 1 1]=1]"},
		{"values that are no numbers", []Value{value("a.1", "red"), value("a.2", "1")}, "[a [[1 2]]  [0]=red [1]=1]"},
		{"no siblings", []Value{value("a.1", "1"), value("b.1", "1"), value("a.1.2", "1"), value("c", "1"), value("c", "2")}, ""},
		{"functions", []Value{value("f.1", "1", "x"), value("f.2", "1", "x")}, ""},
		{"two families", []Value{value("b.1", "1"), value("a.1", "1"), value("a.2", "1"), value("b.2", "1")}, "[b [[1 2]] bars [0]=1 [1]=1] [a [[1 2]] bars [0]=1 [1]=1]"},
	} {
		var got []string
		for _, f := range Families(c.model) {
			text := fmt.Sprintf("[%s %v %s", f.Name, f.Axes, f.Chart)
			for _, cell := range f.Cells {
				text += fmt.Sprintf(" %v=%s", cell.At, cell.Value)
			}
			got = append(got, text+"]")
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%s: %s\nwant %s", c.what, text, c.want)
		}
	}
	var model []Value
	for i := range MaxCells + 7 {
		model = append(model, value(fmt.Sprintf("x.%d", i), "1"))
	}
	if list := Families(model); len(list) != 1 || len(list[0].Cells) != MaxCells {
		t.Errorf("%d families", len(list))
	}
}

func TestOutlineHasLowerBounds(t *testing.T) {
	const four = "(declare-const a Int)(declare-const b Real)(declare-const c Bool)(declare-fun f (Int) Int)(declare-fun g () Int)"
	for _, c := range []struct {
		solver     Solver
		text, want string
	}{
		{Z3, four, "[false false true true false] "},
		{Z3, four + "(assert (> a 0))", "[true false true true false] bounds"},
		{Z3, four + "(assert (< 0 a))(assert (<= 1.5 b))", "[true true true true false] bounds bounds"},
		{Z3, four + "(assert (<= a 0))(assert (>= 1 b))", "[false false true true false] - -"},
		{Z3, four + "(assert (<= 0 a 3))(assert (< 0 b 1))", "[true true true true false] - -"},
		{Z3, four + "(assert (= a 3))(assert (= 2 b))", "[true true true true false] - -"},
		{Z3, four + "(assert (or (= a 0) (= 1 a) (> b 1)))", "[true false true true false] -"},
		{Z3, four + "(assert (and (>= a 0) (>= g 1)))", "[true false true true true] bounds"},
		{Z3, four + "(assert (and (>= a 0) c))", "[true false true true false] -"},
		{Z3, four + "(assert (and))(assert (>= a b))(assert (>= a))(assert (>= (+ a 1) 0))", "[false false true true false] - - - -"},
		{Z3, four + "(assert (and c (and (> 1 a) (> b 1))))", "[false true true true false] -"},
		{HiGHS, "Minimize\n o: x + y + z\nst\n c: x >= 1\nBounds\n y Free\n z <= 3\nEnd", "[true false true] objective -"},
		{HiGHS, "Minimize\n o: x + y + z\nst\n c: x >= 1\nBounds\n -5 <= x\n y >= -5\n 0 <= z <= -1\nEnd", "[false false true] objective -"},
		{HiGHS, "Minimize\n o: x + y + z\nst\n c: x >= 1\nBounds\n x <= -5\n - inf <= y <= 3\n q free\nEnd", "[true false true] objective -"},
	} {
		o := Outlined(c.solver, source.NewFile("x", c.text))
		var parts []string
		for _, p := range o.Parts {
			switch {
			case p.Bounds:
				parts = append(parts, "bounds")
			case p.Objective():
				parts = append(parts, "objective")
			default:
				parts = append(parts, "-")
			}
		}
		if got := fmt.Sprint(o.Low, " ", strings.Join(parts, " ")); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

func TestOutlinePartsHavePlaces(t *testing.T) {
	for _, c := range []struct {
		solver     Solver
		text, want string
	}{
		{Z3, "(declare-const x Int)(declare-const best Int)\n(assert (! (= best (* 2 x)) :id 3 :named sum))(assert-soft (! (> x 1) :named s))(maximize best)(check-sat)(assert (f x))(check-sat)",
			"sum|(= best (* 2 x))|[1 0]|aims||(assert (! (= best (* 2 x)) :id 3 :named sum)) s|(> x 1)|[0]||soft|(assert-soft (! (> x 1) :named s)) |best|[1]||maximize|(maximize best) |(f x)|[0]|aims||(assert (f x)) 2 1; = * > f; 0:x 1:best; end (check-sat)"},
		{Z3, "(define-const two Int 2)(declare-const x Int)(define-fun more ((y Int)) Int (+ x y two))(minimize (more 1.5))(assert (! true))(assert)(x)",
			"|(more 1.5)|[0]||minimize|(minimize (more 1.5)) |true|[]|||(assert (! true)) 2 1.5; + y true; 0:x; end  defines two more"},
		{HiGHS, "max\n x + inf\nst\n a: x\n + y >= - 3\n 2 x = 1\n b: 3 <= 4\nbin\n x\nend",
			"|x + inf|[0]||maximize|max\n x + inf a|x\n + y >= - 3|[0 1]|aims||a: x\n + y >= - 3 |2 x = 1|[0]|aims||2 x = 1 3 2 1 4; ; 0:x 1:y; end max"},
	} {
		file := source.NewFile("x", c.text)
		o := Outlined(c.solver, file)
		var parts, names []string
		for _, p := range o.Parts {
			aims := ""
			if o.Aims(p) {
				aims = "aims"
			}
			parts = append(parts, fmt.Sprintf("%s|%s|%v|%s|%s|%s", p.Name, strings.TrimSpace(file.Slice(p.Body)), p.Variables, aims, p.Sense, file.Slice(p.Span)))
		}
		for i, n := range o.Names {
			if file.Slice(n.Span) != n.Name {
				t.Errorf("%s stands at %q", n.Name, file.Slice(n.Span))
			}
			names = append(names, fmt.Sprintf("%d:%s", i, n.Name))
		}
		got := strings.Join(parts, " ") + " " + strings.Join(o.Numbers, " ") + "; " + strings.Join(o.Uses, " ") + "; " + strings.Join(names, " ") + "; end " + c.text[o.End:min(int(o.End)+11, len(c.text))]
		if c.solver == HiGHS {
			got = strings.TrimSuffix(got, c.text[o.End:min(int(o.End)+11, len(c.text))]) + "max"
		}
		if len(o.Defines) > 0 {
			got += " defines"
			for _, d := range o.Defines {
				got += " " + d.Name
			}
		}
		if got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

func TestPlacesAfterAPreludeAreThoseOfTheText(t *testing.T) {
	given := source.NewFile("given.smt2", "(declare-const x Int)\n(define-fun double ((n Int)) Int (* 2 n))")
	for _, c := range []struct{ given, text, want string }{
		{given.Text, "(declare-const y Int)\n(assert (! (> (double y) x) :named more))(minimize y)(check-sat)", "names y, named more, best y"},
		{given.Text + "\n", "(declare-const x Int)(assert (> (doble x) 1))", `names ; smt.redeclared "x" duplicate definition of "x"; use the one in given.smt2, line 1; ` +
			`smt.undeclared "doble" unknown function "doble"; did you mean "double"? fixed "(declare-const x Int)(assert (> (double x) 1))"`},
		{"(assert\n", "(assert true)", `names ; smt.given "" given.smt2, line 1, before this text: unmatched ( before the next command`},
		{"(declare-const x Int)\n(assert (> x true))(assert (> x false))", "(assert (> x 1))", `names ; smt.given "" given.smt2, line 2, before this text: expected a number in (> …), got a Bool; convert it with (ite … 1 0)`},
		{given.Text + "\n", "oops (assert (> x 1))", `names ; smt.form "oops" unexpected text outside a command such as (assert …)`},
		{"", "(declare-const y Int)", `names y; smt.empty "" no assertion and no objective: every assignment is a solution`},
		{"", "(declare-const y Int)(declare-const y Int)(assert (> y 1))", `names y; smt.redeclared "y" duplicate declaration of "y" note "y"`},
	} {
		file := source.NewFile("in.smt2", c.text)
		b := NewWithPrelude(source.NewFile(given.Name, c.given), file)
		if !strings.HasSuffix(b.Text(), c.text) || !strings.HasPrefix(b.Text(), c.given) {
			t.Errorf("both texts are %q", b.Text())
		}
		p, found := b.Check()
		var names []string
		for _, n := range p.Names {
			if file.Slice(n.Span) != n.Name {
				t.Errorf("%s stands at %q", n.Name, file.Slice(n.Span))
			}
			names = append(names, n.Name)
		}
		got := "names " + strings.Join(names, " ")
		for _, n := range p.Named {
			got += ", named " + n.Name
			if !strings.Contains(file.Slice(n.Span), n.Name) {
				t.Errorf("%s stands at %q", n.Name, file.Slice(n.Span))
			}
		}
		for _, o := range p.Objectives {
			got += ", best " + file.Slice(o.Span)
		}
		for _, d := range found {
			got += fmt.Sprintf("; %s %q %s", d.Code, file.Slice(d.Span), d.Message)
			for _, n := range d.Notes {
				got += fmt.Sprintf(" note %q", file.Slice(n.Span))
			}
			for _, f := range d.Fixes {
				got += fmt.Sprintf(" fixed %q", source.Apply(c.text, f.Edits))
			}
		}
		if got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.text, got, c.want)
		}
	}
	file := source.NewFile("in.smt2", "(declare-const y Int)(assert (! (> y 1) :named a))(minimize y)")
	b := NewWithPrelude(given, file)
	at := func(text string) source.Span {
		i := source.Pos(strings.LastIndex(b.Text(), text))
		return source.Span{Start: i, End: i + source.Pos(len(text))}
	}
	r := b.Result(Result{
		Objectives: []Objective{{Span: at("minimize y")}}, Model: []Value{{Span: at("x")}, {Span: at("y Int")}}, Core: []Named{{Span: at("(> y 1)")}},
		Faults: []source.Diagnostic{{Code: "solver.error", Span: at("assert")}},
	})
	if got := fmt.Sprintf("%s %v %s %s %s", file.Slice(r.Objectives[0].Span), r.Model[0].Span, file.Slice(r.Model[1].Span), file.Slice(r.Core[0].Span), file.Slice(r.Faults[0].Span)); got != "minimize y {0 0} y Int (> y 1) assert" {
		t.Error(got)
	}
}
