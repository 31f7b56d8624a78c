package solve

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/source"
)

func TestLinksListTheVariablesOfConstraints(t *testing.T) {
	const smt = "(declare-const x Int)(declare-const y Int)(define-fun both () Int (+ x y))(define-fun more () Int (+ both 1))\n(assert (! (> more 3) :named enough))(assert-soft (> y 1) :weight 2)(maximize x)"
	const lp = "Minimize\n cost: 2 x\n + 3 y\nSubject To\n a: x >= 1\n x + y >= 2\n y\n <= 5\nBounds\n x <= 9\nEnd\n"
	for _, c := range []struct {
		solver Solver
		text   string
		want   []string
	}{
		{Z3, smt, []string{"enough||(> more 3)|[0 1]", "|soft|(> y 1)|[1]", "|maximize|x|[0]"}},
		{HiGHS, lp, []string{"cost|minimize|2 x + 3 y|[0 1]", "a||x >= 1|[0]", "||x + y >= 2|[0 1]", "||y <= 5|[1]"}},
	} {
		file := source.NewFile("in", c.text)
		p, found := Check(c.solver, file)
		if source.HasErrors(found) {
			t.Fatal(found)
		}
		var got []string
		for _, l := range Links(file, p) {
			got = append(got, fmt.Sprintf("%s|%s|%s|%v", l.Name, l.Sense, l.Text, l.Uses))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("got %q\nwant %q", got, c.want)
		}
	}
}

func TestLinksOfNestedDefinitionsAreLinear(t *testing.T) {
	var b strings.Builder
	b.WriteString("(define-fun d0 () Int 0)")
	for i := 1; i < 20_000; i++ {
		fmt.Fprintf(&b, "(declare-const x%d Int)(define-fun d%d () Int (+ x%d d%d))", i, i, i, i-1)
	}
	b.WriteString("(assert (> d19999 0))")
	file := source.NewFile("in", b.String())
	p, _ := Check(Z3, file)
	if links := Links(file, p); len(links) != 1 {
		t.Errorf("%d links", len(links))
	}
}

func FuzzAnalysesOfAnyText(f *testing.F) {
	f.Add("(declare-const x Int)(assert (! (let ((y x)) (> y |a b|)) :named n))(declare-datatypes ((T 0)) (((nil))))")
	f.Add("Minimize\n obj: x\nSubject To\n c: x >= 1\nBounds\n x free\nEnd\n")
	f.Add("(define-fun f ((x Int)) Int (match x ((_ is 1) 2)))(((")
	f.Fuzz(func(t *testing.T, text string) {
		file := source.NewFile("in", text)
		for _, solver := range []Solver{Z3, HiGHS} {
			p, _ := Check(solver, file)
			for _, l := range Links(file, p) {
				if l.Span.Start < 0 || int(l.Span.End) > len(text) || l.Span.Start > l.Span.End {
					t.Fatalf("%+v", l)
				}
			}
			done := source.Pos(0)
			for _, token := range Tokens(solver, file, 1_000) {
				if token.Span.Start < done || token.Span.End <= token.Span.Start || int(token.Span.End) > len(text) {
					t.Fatalf("%+v behind %d", token, done)
				}
				done = token.Span.End
			}
			for _, o := range Occurrences(solver, file) {
				if o.Kind == "" || o.Span.Start < 0 || int(o.Span.End) > len(text) {
					t.Fatalf("%+v", o)
				}
			}
		}
		NewWithPrelude(source.NewFile("given", text), file).Check()
	})
}
