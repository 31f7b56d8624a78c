package grammar_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/internal/enum"
	"github.com/stile-playground/stile/core/internal/must"
	"github.com/stile-playground/stile/core/meter"
)

func names(g *grammar.Grammar, list []grammar.Symbol) string {
	var out []string
	for _, s := range list {
		if s == grammar.AtEnd {
			out = append(out, "$")
			continue
		}
		out = append(out, g.Names[s])
	}
	return strings.Join(out, " ")
}

func TestLookaheadOfTextbookGrammar(t *testing.T) {
	// The expressions of Aho, Lam, Sethi and Ullman, Example 4.30.
	g := must.Grammar(t, "E -> T X\nX -> + T X | ε\nT -> F Y\nY -> * F Y | ε\nF -> ( E ) | id")
	l := g.Lookahead()
	for _, c := range []struct {
		symbol, first, follow string
		end                   bool
	}{
		{"E", "( id", ")", true},
		{"X", "+", ")", true},
		{"T", "( id", "+ )", true},
		{"Y", "*", "+ )", true},
		{"F", "( id", "+ * )", true},
	} {
		s, _ := g.Lookup(c.symbol)
		sorted := func(list []grammar.Symbol) string {
			words := strings.Fields(names(g, list))
			slices.Sort(words)
			return strings.Join(words, " ")
		}
		want := strings.Fields(c.follow)
		slices.Sort(want)
		if sorted(l.First[s]) != c.first || sorted(l.Follow[s]) != strings.Join(want, " ") || l.AtEnd[s] != c.end {
			t.Errorf("%s: first %s, follow %s, at the end %v", c.symbol, sorted(l.First[s]), sorted(l.Follow[s]), l.AtEnd[s])
		}
	}
	if found := g.LL1(); len(found) > 0 {
		t.Errorf("conflicts %v", found)
	}
	if found := g.LeftRecursion(); found != nil {
		t.Errorf("left recursion %s", names(g, found))
	}
}

func TestConflictsAreFound(t *testing.T) {
	for _, c := range []struct {
		text, recursion string
		ll, lr          int
	}{
		{"S -> a S b | ε", "", 0, 0},
		{"S -> a b | a c", "", 1, 0},
		{"S -> S a | a", "S", 1, 0},
		{"S -> A a\nA -> B b\nB -> S c | d", "S A B", 1, 0},
		{"S -> N S a | b\nN -> ε", "S", 1, 3},
		{"S -> if c S | if c S else S | x", "", 1, 1},
		{"E -> E + E | n", "E", 1, 1},
		{"S -> a S a | ε", "", 1, 2},
	} {
		g := must.Grammar(t, c.text)
		lr, err := g.LR1(nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := g.LL1(); len(got) != c.ll {
			t.Errorf("%s: LL(1) conflicts %v, not %d", c.text, got, c.ll)
		}
		if len(lr.Conflicts) != c.lr {
			t.Errorf("%s: LR(1) conflicts %v, not %d", c.text, lr.Conflicts, c.lr)
		}
		if got := names(g, g.LeftRecursion()); got != c.recursion {
			t.Errorf("%s: left recursion %q, not %q", c.text, got, c.recursion)
		}
	}
}

// A grammar whose symbols are all useful and that is LL(1) is LR(1), too
// (Rosenkrantz and Stearns 1970).
func TestLL1GrammarsAreLR1(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 1))
	both := 0
	for range effort.Of(3000) {
		g := must.Grammar(t, enum.Grammar(random))
		if len(g.LL1()) > 0 || slices.Contains(g.Useful()[g.NumTerminals:], false) {
			continue
		}
		both++
		if lr, err := g.LR1(nil); err != nil || len(lr.Conflicts) > 0 {
			t.Fatalf("%s: LL(1) but not LR(1): %v (%v)", g, lr.Conflicts, err)
		}
	}
	if both == 0 {
		t.Errorf("only %d grammars were LL(1)", both)
	}
}

func TestLargeTableEndsWithLimit(t *testing.T) {
	var b strings.Builder
	b.WriteString("S -> ")
	for i := range 12 {
		if i > 0 {
			b.WriteString(" | ")
		}
		b.WriteString("S o" + string(rune('a'+i)) + " S")
	}
	b.WriteString(" | n\n")
	if _, err := must.Grammar(t, b.String()).LR1(meter.New(meter.Budget{States: 20})); err == nil {
		t.Error("no limit")
	}
}
