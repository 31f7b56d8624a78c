package grammars_test

import (
	"math/big"
	"testing"

	"github.com/stile-playground/stile/core/counting"
	"github.com/stile-playground/stile/core/grammar"
)

// total returns the number of derivation trees of a grammar with bounded words.
func total(t *testing.T, d *derivable, longest int) *big.Int {
	t.Helper()
	counts, err := counting.Trees(d.Grammar, longest+5, d.meter)
	if err != nil {
		t.Fatal(err)
	}
	sum := new(big.Int)
	for length, n := range counts {
		if length > longest && n.Sign() != 0 {
			t.Errorf("there are words of length %d", length)
		}
		sum.Add(sum, n)
	}
	return sum
}

func TestRecipeCounts(t *testing.T) {
	e := example(t, "cooking")
	d := openGrammar(t, e, "cooking.cfg")
	// Fried broccoli has one more seasoning than blanched.
	if got, want := total(t, d, 39).String(), "1072692225"; got != want { // 1023³ + 2·1023²
		t.Errorf("%s plans, want %s", got, want)
	}
	a, _ := d.Lookup("A")
	s, ok := d.SubsetOf(a)
	if !ok || len(s.Items) != 10 {
		t.Fatalf("A is the subset %+v", s)
	}
	// With one seasoning there are as many plans as recipes.
	one := grammar.New(d.Names[:d.NumTerminals], d.Names[d.NumTerminals:], d.Start, only(d.Grammar, a), nil, grammar.Limits{})
	counts, err := counting.Trees(one, 39, d.meter)
	if err != nil {
		t.Fatal(err)
	}
	recipes := new(big.Int)
	for _, n := range counts {
		recipes.Add(recipes, n)
	}
	if recipes.String() != "3" {
		t.Errorf("%s recipes", recipes.String())
	}
}

// only returns the productions, of a nonterminal the first alone.
func only(g *grammar.Grammar, s grammar.Symbol) []grammar.Production {
	var out []grammar.Production
	for i, p := range g.Productions {
		if p.Left != s || i == g.ByLeft(s)[0] {
			out = append(out, p)
		}
	}
	return out
}
