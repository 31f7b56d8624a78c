package verify_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/earley"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/internal/conformance"
	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/internal/enum"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/verify"
)

func compile(t testing.TB, text, start string) *grammar.Grammar {
	t.Helper()
	syntax, found := grammar.Parse(source.NewFile("g.cfg", text))
	g, more := grammar.Compile(syntax, start)
	if found = append(found, more...); source.HasErrors(found) {
		t.Fatal(found)
	}
	return g
}

func formula(t testing.TB, text string) *ltl.Formula {
	t.Helper()
	list, found := ltl.Parse(source.NewFile("f.ltl", text))
	if len(found) > 0 || len(list) != 1 {
		t.Fatal(found)
	}
	return list[0].Formula
}

// checkCounterexample fails the test unless a word is of the grammar and
// violates the formula.
func checkCounterexample(t *testing.T, g *grammar.Grammar, f *ltl.Formula, word []grammar.Symbol) {
	t.Helper()
	accepted, err := earley.New(g).Recognize(word, nil)
	if err != nil || !accepted || len(word) == 0 {
		t.Fatalf("%v is no word of\n%s", word, g)
	}
	trace := make([]map[string]bool, len(word))
	for i, s := range word {
		trace[i] = map[string]bool{g.Names[s]: true}
	}
	if f.Holds(trace) {
		t.Fatalf("%s holds on %v", f, trace)
	}
}

func TestConformanceGrammarsAndFormulas(t *testing.T) {
	type record struct {
		ID, Grammar, Start, Formula string
		Holds                       bool
		Length                      *int `json:"counterexample_length"`
	}
	for _, r := range conformance.Records[record](t, "cfgxltl.jsonl") {
		g, f := compile(t, r.Grammar, r.Start), formula(t, r.Formula)
		holds, word, err := verify.Grammar(g, f, meter.New(meter.Budget{}))
		if err != nil || holds != r.Holds {
			t.Errorf("%s: holds %v (%v)", r.ID, holds, err)
			continue
		}
		if !holds {
			if len(word) != *r.Length {
				t.Errorf("%s: the counterexample has %d symbols, not %d", r.ID, len(word), *r.Length)
			}
			checkCounterexample(t, g, f, word)
		}
	}
}

// A shortest word of S may consist of one of S and an empty E, which is found later: the
// derivation must not become cyclic.
func TestShortestDerivationHasNoCycle(t *testing.T) {
	g := compile(t, "S -> S E | a\nE -> ε | b", "")
	a, _ := g.Lookup("a")
	b, _ := g.Lookup("b")
	// From the first state a leads to the third, and b from there to the second.
	rows := [][]int{{3, 3}, {3, 3}, {3, 3}, {3, 3}}
	rows[0][a], rows[2][b] = 2, 1
	d := automaton.NewDFA(rows, []bool{false, true, false, false})
	word, found, err := verify.Shortest(g, d, nil)
	if err != nil || !found || !slices.Equal(word, []grammar.Symbol{a, b}) {
		t.Errorf("%v %v %v", word, found, err)
	}
}

func TestCounterexamplesAreShortest(t *testing.T) {
	random := rand.New(rand.NewPCG(21, 1))
	formulas := []*ltl.Formula{
		formula(t, "G(a -> F b)"), formula(t, "F c"), formula(t, "!a W b"), formula(t, "G(a -> WX !a)"), formula(t, "F(b & last)"), formula(t, "false"),
	}
	for range effort.Of(250) {
		text := enum.Grammar(random)
		g := compile(t, text, "")
		words := enum.Words(g, 5)[g.Start]
		for _, f := range formulas {
			holds, word, err := verify.Grammar(g, f, nil)
			if err != nil {
				t.Fatal(err)
			}
			if !holds {
				checkCounterexample(t, g, f, word)
			}
			for w := range words {
				trace := make([]map[string]bool, len(w))
				for i, s := range enum.Symbols(w) {
					trace[i] = map[string]bool{g.Names[s]: true}
				}
				if len(w) > 0 && !f.Holds(trace) && (holds || len(word) > len(w)) {
					t.Fatalf("%s%s: %q violates it, but holds %v with %v", text, f, w, holds, word)
				}
			}
		}
	}
}
