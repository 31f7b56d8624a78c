package grammars_test

import (
	"testing"

	"github.com/stile-playground/stile/core/earley"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/natural"
)

// total counts the derivation trees of a grammar whose words are bounded.
func total(t *testing.T, d *derivable, longest int) natural.Number {
	t.Helper()
	counts, err := earley.CountTrees(d.Grammar, longest+5, d.meter)
	if err != nil {
		t.Fatal(err)
	}
	var sum natural.Number
	for length, n := range counts {
		if length > longest && !n.IsZero() {
			t.Errorf("there are words of length %d", length)
		}
		sum = sum.Plus(n)
	}
	return sum
}

func TestThereAreThreeRecipesAndAThousandSeasonings(t *testing.T) {
	e := example(t, "cooking")
	d := openGrammar(t, e, "cooking.cfg")
	// Fried broccoli has a seasoning more than blanched.
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
	counts, err := earley.CountTrees(one, 39, d.meter)
	if err != nil {
		t.Fatal(err)
	}
	recipes := natural.Number{}
	for _, n := range counts {
		recipes = recipes.Plus(n)
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
