package ltl_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/ltl"
)

func TestSimplify(t *testing.T) {
	for text, want := range map[string]string{
		"!!a":                  "a",
		"F F a":                "F a",
		"G G (a -> true)":      "true",
		"!X !a":                "WX a",
		"!F !a":                "G a",
		"true U a":             "F a",
		"false R (a & a)":      "G a",
		"a & G a":              "G a",
		"a | F a":              "F a",
		"a & !a":               "false",
		"F (a U b)":            "F b",
		"(a -> a) -> G (b)":    "G b",
		"a W false":            "G a",
		"F last & a":           "a",
		"G (ask -> F answer)":  "G (ask -> F answer)",
		"a U (b U (a U b))":    "a U b",
		"(X false | a) <-> !b": "a <-> !b",
	} {
		if got := ltl.Simplify(parse(t, text)).String(); got != want {
			t.Errorf("%s becomes %s, not %s", text, got, want)
		}
	}
}

func TestSimplifiedFormulasAreEquivalent(t *testing.T) {
	random := rand.New(rand.NewPCG(15, 1))
	for range effort.Of(4000) {
		f := draw(random, 5)
		simple := ltl.Simplify(f)
		if size(simple) > size(f) {
			t.Fatalf("%s becomes %s, which is longer", f, simple)
		}
		for range 20 {
			trace := drawTrace(random, 1+random.IntN(5))
			if f.Holds(trace) != simple.Holds(trace) {
				t.Fatalf("%s becomes %s, which differs on %v", f, simple, trace)
			}
		}
	}
}

func size(f *ltl.Formula) int {
	if f == nil {
		return 0
	}
	return 1 + size(f.Left) + size(f.Right)
}
