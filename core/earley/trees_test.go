package earley_test

import (
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/earley"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
)

// spelled returns the word of the letters' names, with spaces between them.
func spelled(t *testing.T, g *grammar.Grammar, text string) []grammar.Symbol {
	t.Helper()
	w, ok := word(g, strings.Fields(text))
	if !ok {
		t.Fatalf("%q has a letter that is none", text)
	}
	return w
}

// treesOf counts the trees of a word in three ways: while the forest is built, from the
// complete forest and, if it is the only word of its length, with the trees of all words
// of that length.
func treesOf(t *testing.T, g *grammar.Grammar, w []grammar.Symbol) (int64, string) {
	t.Helper()
	code := func(err error) string {
		if coded, ok := err.(interface{ Code() string }); ok {
			return coded.Code()
		}
		if err != nil {
			t.Fatal(err)
		}
		return ""
	}
	p := earley.New(g)
	n, err := p.Trees(w, nil)
	f, fault := p.Forest(w, nil)
	if fault != nil {
		t.Fatal(fault)
	}
	again, more := f.Trees()
	if n != again || code(err) != code(more) {
		t.Errorf("%s%d letters: %d trees (%v), and %d (%v) of the whole forest", g, len(w), n, err, again, more)
	}
	return n, code(err)
}

func TestTreesOfSumsAreCatalanNumbers(t *testing.T) {
	g := compile(t, "E -> E + E | n", "")
	catalan := int64(1)
	for k := range 32 {
		w := spelled(t, g, "n"+strings.Repeat(" + n", k))
		n, code := treesOf(t, g, w)
		if catalan > earley.MaxTrees {
			if code != "limit.trees" {
				t.Errorf("%d sums: %d trees (%s), but there are %d", k, n, code, catalan)
			}
			continue
		}
		if n != catalan || code != "" {
			t.Errorf("%d sums: %d trees (%s), but there are %d", k, n, code, catalan)
		}
		f, err := earley.New(g).Forest(w, nil)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, number := range []int64{0, n / 3, n / 2, n - 1} {
			tree, err := f.Tree(number)
			if err != nil {
				t.Fatal(err)
			}
			seen[written(tree)] = true
			if leaves(g, tree) != leaves(g, f.First()) || len(leaves(g, tree)) != len(w) {
				t.Errorf("%d sums: tree %d is of another word", k, number)
			}
		}
		if k > 3 && len(seen) != 4 {
			t.Errorf("%d sums: of four trees %d differ", k, len(seen))
		}
		catalan = catalan * 2 * int64(2*k+1) / int64(k+2)
	}
}

func TestTreesAreCountedUpToMaxInt64(t *testing.T) {
	for _, text := range []string{"S -> A S | A", "S -> S A | A", "S -> A S A | A A | A", "S -> S S ; | A"} {
		g := compile(t, text+"\nA -> B | C\nB -> a\nC -> a", "")
		for _, k := range []int{1, 2, 3, 10, 52, 53, 54, 59} {
			letters := strings.Repeat(" a", k)
			if strings.Contains(text, ";") {
				letters += strings.Repeat(" ;", k-1)
			}
			n, code := treesOf(t, g, spelled(t, g, letters))
			if want := int64(1) << k; k <= 53 && (n != want || code != "") || k > 53 && code != "limit.trees" {
				t.Errorf("%s: %d letters: %d trees (%s), not %d", text, k, n, code, want)
			}
		}
	}
}

func TestInfinitelyManyTreesDifferFromTooMany(t *testing.T) {
	sum := "n" + strings.Repeat(" + n", 40)
	for _, c := range []struct {
		text, word, code string
	}{
		{"S -> E C\nE -> E + E | n\nC -> C | c", sum + " c", ""},
		{"S -> C E\nE -> E + E | n\nC -> C | c", "c " + sum, ""},
		{"S -> E ; E C | D\nE -> E + E | n\nC -> D c\nD -> C | ε", sum + " ; " + sum + " c", "limit.trees"},
		{"S -> E ; E C | D\nE -> E + E | n\nC -> D c\nD -> D D | ε", sum + " ; " + sum + " c", ""},
		{"S -> E | C d\nE -> E + E | n\nC -> C | c", sum, "limit.trees"},
	} {
		g := compile(t, c.text, "")
		want := int64(earley.InfinitelyMany)
		if c.code != "" {
			want = 0
		}
		if n, code := treesOf(t, g, spelled(t, g, c.word)); n != want || code != c.code {
			t.Errorf("%s: %d trees (%s), not %d (%s)", c.text, n, code, want, c.code)
		}
	}
}

// If there are too many trees and the grammar has a cycle, the rest of the forest is built as well.
func TestCycleSearchEndsWithLimit(t *testing.T) {
	g := compile(t, "S -> E C\nE -> E + E | n\nC -> c C | D\nD -> D | d", "")
	w := spelled(t, g, "n"+strings.Repeat(" + n", 40)+strings.Repeat(" c", 60)+" d")
	total := meter.New(meter.Budget{})
	if n, err := earley.New(g).Trees(w, total); n != earley.InfinitelyMany || err != nil {
		t.Fatalf("%d trees, %v", n, err)
	}
	spent := total.Spent(meter.States)
	for _, less := range []int64{1, 10, 30, 60} {
		if n, err := earley.New(g).Trees(w, meter.New(meter.Budget{States: spent - less})); n != 0 || err == nil {
			t.Errorf("with %d states of %d: %d trees, %v", spent-less, spent, n, err)
		}
	}
}

// Of several trees the first takes the productions in their order, and later symbols
// have as much of the word as they can.
func TestFirstTreeGivesLaterSymbolsMost(t *testing.T) {
	for _, c := range []struct{ text, word, tree string }{
		{"S -> P A\nP -> a P | a\nA -> a | a a", "a a a a a", "S(P(aP(aP(a)))A(aa))"},
		{"S -> P A\nP -> P a | a\nA -> a a | a", "a a a a a", "S(P(P(P(a)a)a)A(aa))"},
		{"S -> P A A\nP -> a P | a\nA -> a | a a | ε", "a a a a a", "S(P(a)A(aa)A(aa))"},
		{"S -> S S | a", "a a a a", "S(S(a)S(S(a)S(S(a)S(a))))"},
		{"S -> A B\nA -> a | ε\nB -> a | a a | ε", "a a", "S(A()B(aa))"},
		{"S -> S | A S | a\nA -> A | b | ε", "b a", "S(A(b)S(a))"},
	} {
		g := compile(t, c.text, "")
		tree, err := earley.New(g).Derivation(spelled(t, g, c.word), nil)
		if err != nil {
			t.Fatal(err)
		}
		var write func(tree *earley.Tree) string
		write = func(tree *earley.Tree) string {
			out := g.Names[tree.Symbol]
			if tree.Production < 0 {
				return out
			}
			out += "("
			for _, child := range tree.Children {
				out += write(child)
			}
			return out + ")"
		}
		if got := write(tree); got != c.tree {
			t.Errorf("%s: %s is read as %s, not %s", c.text, c.word, got, c.tree)
		}
	}
}
