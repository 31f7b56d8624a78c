package ltl_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/source"
)

func TestConjunctionsAreSplitWhereOperatorsDistribute(t *testing.T) {
	for _, c := range []struct{ formula, want string }{
		{"a", "a"},
		{"G !b2 & G !zz", "G !b2; G !zz"},
		{"G (a & b)", "G a; G b"},
		{"G (!a & (b & X c))", "G !a; G b; G X c"},
		{"!F (a | b)", "G !a; G !b"},
		{"!(a | F b)", "!a; G !b"},
		{"a -> b & c", "a -> b; a -> c"},
		{"X (a & b) & WX (a & c)", "X a; X b; WX a; WX c"},
		{"!X (a | b)", "WX !a; WX !b"},
		{"!(a -> b)", "a; !b"},
		{"a | b & c", "a | b; a | c"},
		{"(a & b) U c", "a U c; b U c"},
		{"a R (b & c)", "a R b; a R c"},
		{"a <-> b & c", "a <-> b & c"},
		{"!!(a & b)", "a; b"},
		{"!G (a | b)", "!G (a | b)"},
		{"F (a & b)", "F (a & b)"},
		{"a & b | c", "a & b | c"},
	} {
		list, found := ltl.Parse(source.NewFile("f.ltl", c.formula))
		if len(found) > 0 {
			t.Fatalf("%s: %v", c.formula, found)
		}
		var got []string
		for _, f := range ltl.Conjuncts(list[0].Formula) {
			got = append(got, f.String())
		}
		if s := strings.Join(got, "; "); s != c.want {
			t.Errorf("%s: %s, want %s", c.formula, s, c.want)
		}
	}
}

// The conjuncts of a formula hold together where it holds: on all traces of up to four
// steps over two propositions, of random formulas.
func TestConjunctsAreEquivalentToTheFormula(t *testing.T) {
	random := rand.New(rand.NewPCG(19, 6))
	ops := []ltl.Op{ltl.Not, ltl.Next, ltl.WeakNext, ltl.Finally, ltl.Globally, ltl.And, ltl.And, ltl.Or, ltl.Implies, ltl.Iff, ltl.Until, ltl.Release, ltl.WeakUntil, ltl.StrongRelease}
	var formula func(depth int) *ltl.Formula
	formula = func(depth int) *ltl.Formula {
		if depth == 0 {
			return ltl.NewProp([]string{"a", "b"}[random.IntN(2)])
		}
		op := ops[random.IntN(len(ops))]
		if op <= ltl.Globally {
			return ltl.New(op, formula(depth-1))
		}
		return ltl.New(op, formula(depth-1), formula(depth-1))
	}
	var traces [][]map[string]bool
	for length := 1; length <= 3; length++ {
		for n := range 1 << (2 * length) {
			trace := make([]map[string]bool, length)
			for i := range trace {
				trace[i] = map[string]bool{"a": n>>(2*i)&1 == 1, "b": n>>(2*i+1)&1 == 1}
			}
			traces = append(traces, trace)
		}
	}
	for range 300 {
		f := formula(3)
		parts := ltl.Conjuncts(f)
		for _, trace := range traces {
			all := true
			for _, p := range parts {
				all = all && p.Holds(trace)
			}
			if all != f.Holds(trace) {
				t.Fatalf("%s on %v: it is %v, its conjuncts %v are %v", f, trace, f.Holds(trace), parts, all)
			}
		}
	}
}
