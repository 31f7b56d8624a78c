package counting_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/counting"
	"github.com/stile-playground/stile/core/earley"
	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/internal/enum"
	"github.com/stile-playground/stile/core/meter"
)

func TestAmbiguityEqualsBruteForce(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 1))
	proven, witnesses, open := 0, 0, 0
	for range effort.Of(500) {
		text := enum.Grammar(random)
		g := compile(t, text, "")
		p := earley.New(g)
		shortest := -1
		trees, words := make([]int64, 6), make([]int, 6)
		infinite := false
		for _, s := range enum.Strings(g.NumTerminals, 5) {
			n, err := p.Trees(enum.Symbols(s), nil)
			if err != nil {
				t.Fatal(err)
			}
			if n != 0 {
				words[len(s)]++
			}
			if n == earley.InfinitelyMany {
				infinite = true
			}
			trees[len(s)] += n
			if n != 0 && n != 1 && shortest < 0 {
				shortest = len(s)
			}
		}
		a, err := counting.FindAmbiguity(g, 5, meter.New(meter.Budget{}))
		if err != nil {
			t.Fatalf("%s%v", text, err)
		}
		switch {
		case shortest >= 0 && (a.Unambiguous || len(a.Witness) != shortest || a.Witness == nil || a.UpTo != shortest-1):
			t.Fatalf("%sgot %+v, want a witness of %d letters", text, a, shortest)
		case shortest < 0 && (a.Witness != nil || a.UpTo != 5):
			t.Fatalf("%sgot %+v, want no witness", text, a)
		}
		if a.Witness != nil {
			if n, err := p.Trees(a.Witness, nil); err != nil || n != a.Trees {
				t.Fatalf("%s%v has %d trees (%v), want %d", text, a.Witness, n, err, a.Trees)
			}
		}
		counts, err := counting.Trees(g, 5, nil)
		if err != nil {
			if !infinite && !g.Cyclic() {
				t.Fatalf("%s%v", text, err)
			}
		} else if fmt.Sprint(counts) != fmt.Sprint(trees) {
			t.Fatalf("%scounted %v trees, want %v", text, counts, trees)
		}
		switch {
		case a.Unambiguous:
			proven++
		case a.Witness != nil:
			witnesses++
		default:
			open++
		}
	}
	t.Logf("%d proven unambiguous, %d with a witness, %d open", proven, witnesses, open)
}

func TestAmbiguityOfKnownGrammars(t *testing.T) {
	for _, c := range []struct {
		text, witness string
		trees         int64
		unambiguous   bool
		upTo          int
	}{
		{"S -> a S b | ε", "", 0, true, 8},
		{"E -> E + E | n", "n + n + n", 2, false, 4},
		{"S -> if c S | if c S else S | x", "if c if c x else x", 2, false, 6},
		{"S -> a S a | a", "", 0, false, 8}, // not LR(1), but unambiguous
		{"S -> S | a", "a", earley.InfinitelyMany, false, 0},
		{"S -> a", "", 0, true, 8},
		{"S -> X a\nX -> X b", "", 0, true, 8}, // empty language
	} {
		g := compile(t, c.text, "")
		a, err := counting.FindAmbiguity(g, 8, nil)
		if err != nil {
			t.Fatal(err)
		}
		var witness []string
		for _, s := range a.Witness {
			witness = append(witness, g.Names[s])
		}
		if strings.Join(witness, " ") != c.witness || a.Trees != c.trees || a.Unambiguous != c.unambiguous || a.UpTo != c.upTo {
			t.Errorf("%s: got %+v %q", c.text, a, witness)
		}
	}
}

func TestFindAmbiguityStopsWithItsBudget(t *testing.T) {
	// Palindromes over four letters: the number of words grows exponentially.
	g := compile(t, "S -> a S a | b S b | c S c | d S d | a | b | c | d", "")
	a, err := counting.FindAmbiguity(g, 1000, meter.New(meter.Budget{Steps: 100_000, States: 10_000}))
	if err != nil || a.Witness != nil || a.Unambiguous || a.UpTo < 1 || a.UpTo >= 1000 {
		t.Errorf("got %+v, %v", a, err)
	}
}
