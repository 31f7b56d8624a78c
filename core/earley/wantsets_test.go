package earley_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stile-playground/stile/core/earley"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/meter"
)

// Words long enough that sets have many items, of ambiguous grammars whose
// languages are known.
func TestLongAmbiguousWords(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 1))
	balanced := func(w []string) bool {
		depth := 0
		for _, s := range w {
			if s == "(" {
				depth++
			} else if depth--; depth < 0 {
				return false
			}
		}
		return depth == 0 && len(w) > 0
	}
	expression := func(w []string) bool {
		for i, s := range w {
			if (s == "n") != (i%2 == 0) {
				return false
			}
		}
		return len(w)%2 == 1
	}
	for range effort.Of(30) {
		n := 100 + random.IntN(100)
		var brackets, sum []string
		for depth := 0; len(brackets)+depth < n; {
			if depth == 0 || random.IntN(2) == 0 {
				brackets, depth = append(brackets, "("), depth+1
			} else {
				brackets, depth = append(brackets, ")"), depth-1
			}
		}
		for len(sum) < n {
			sum = append(sum, "n", []string{"+", "*"}[random.IntN(2)])
		}
		for _, c := range []struct {
			grammar string
			word    []string
			is      func([]string) bool
		}{
			{"S -> S S | ( S ) | ( )", brackets, balanced},
			{"S -> S S S | S S | ( S ) | ( )", brackets, balanced},
			{"S -> S + S | S * S | n", sum[:n-1], expression},
			{"S -> A S | S B | n\nA -> S O\nB -> O S\nO -> + | *", sum[:n-1], expression},
		} {
			g := compile(t, c.grammar, "")
			run := earley.New(g).Start(nil)
			for i, name := range c.word {
				symbol, _ := g.Lookup(name)
				if ok, err := run.Push(symbol); !ok || err != nil {
					t.Fatalf("%s: %v is not read at %d (%v)", c.grammar, c.word, i, err)
				}
				if run.Complete() != c.is(c.word[:i+1]) {
					t.Fatalf("%s: %v is complete: %v", c.grammar, c.word[:i+1], run.Complete())
				}
			}
		}
	}
}

// Operators are postfix and optional. Each part of a word therefore waits for its second operand
// with and without an operator.
func TestLongWordsOfOptionalOperators(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 1))
	for _, text := range []string{"S -> S S | S S c | a", "S -> S S c | S S | a", "S -> T | T c | a\nT -> S S", "S -> S R | a\nR -> S | S c"} {
		g := compile(t, text, "")
		a, _ := g.Lookup("a")
		c, _ := g.Lookup("c")
		run := earley.New(g).Start(nil)
		parts := 0
		for at := range effort.Of(140) {
			switch letter := a; {
			case parts >= 2 && (parts > 75 || random.IntN(4) == 0):
				letter = c
				parts -= 2
				fallthrough
			default:
				parts++
				if ok, err := run.Push(letter); !ok || err != nil {
					t.Fatalf("%s: letter %d is not read, with %d parts (%v)", text, at, parts, err)
				}
			}
			if next := run.Next(); !run.Complete() || slices.Contains(next, c) != (parts >= 2) || !slices.Contains(next, a) {
				t.Fatalf("%s: %d letters, %d parts: complete %v, next %v", text, at+1, parts, run.Complete(), next)
			}
		}
	}
}

func TestLinearForestIsLinear(t *testing.T) {
	for _, text := range []string{"S -> a S | a", "S -> S a | a", "S -> A S | ε\nA -> a | b a", "S -> S A | A\nA -> a", "S -> a T | a\nT -> S"} {
		g := compile(t, text, "")
		a, _ := g.Lookup("a")
		word := make([]grammar.Symbol, 20_000)
		for i := range word {
			word[i] = a
		}
		m := meter.New(meter.Budget{})
		f, err := earley.New(g).Forest(word, m)
		if err != nil || len(f.Nodes) > 4*len(word) || m.Spent(meter.Steps) > int64(40*len(word)) {
			t.Fatalf("%s: %d nodes, %d steps (%v)", text, len(f.Nodes), m.Spent(meter.Steps), err)
		}
		if n, err := f.Trees(); n != 1 || err != nil {
			t.Fatalf("%s: %d trees (%v)", text, n, err)
		}
	}
}

func TestUncountableTreesEndWithLimit(t *testing.T) {
	g := compile(t, "E -> E + E | n", "")
	plus, _ := g.Lookup("+")
	n, _ := g.Lookup("n")
	word := []grammar.Symbol{n}
	for len(word) < 601 {
		word = append(word, plus, n)
	}
	_, err := earley.New(g).Trees(word, nil)
	if code, ok := err.(interface{ Code() string }); !ok || code.Code() != "limit.trees" {
		t.Errorf("got %v", err)
	}
}
