package earley_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/earley"
	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/internal/enum"
	"github.com/stile-playground/stile/core/meter"
)

func TestAmbiguityOfRandomGrammarsIsThatByBruteForce(t *testing.T) {
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
		a, err := earley.FindAmbiguity(g, 5, meter.New(meter.Budget{}))
		if err != nil {
			t.Fatalf("%s%v", text, err)
		}
		switch {
		case shortest >= 0 && (a.Unambiguous || len(a.Witness) != shortest || a.Witness == nil || a.UpTo != shortest-1):
			t.Fatalf("%sgot %+v, but a word of %d letters is ambiguous", text, a, shortest)
		case shortest < 0 && (a.Witness != nil || a.UpTo != 5):
			t.Fatalf("%sgot %+v, but no word is ambiguous", text, a)
		}
		if a.Witness != nil {
			if n, err := p.Trees(a.Witness, nil); err != nil || n != a.Trees {
				t.Fatalf("%s%v has %d trees (%v), not %d", text, a.Witness, n, err, a.Trees)
			}
		}
		counts, err := earley.CountTrees(g, 5, nil)
		if err != nil {
			if !infinite && !g.Cyclic() {
				t.Fatalf("%s%v", text, err)
			}
		} else if fmt.Sprint(counts) != fmt.Sprint(trees) {
			t.Fatalf("%scounted %v trees, there are %v", text, counts, trees)
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
		{"S -> a S a | a", "", 0, false, 8}, // no LR table, but every word has one tree
		{"S -> S | a", "a", earley.InfinitelyMany, false, 0},
		{"S -> a", "", 0, true, 8},
		{"S -> X a\nX -> X b", "", 0, true, 8}, // no word
	} {
		g := compile(t, c.text, "")
		a, err := earley.FindAmbiguity(g, 8, nil)
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

func TestTheSearchForAmbiguityEndsWithItsBudget(t *testing.T) {
	// Words over many letters, with a reason to look at each: palindromes.
	g := compile(t, "S -> a S a | b S b | c S c | d S d | a | b | c | d", "")
	a, err := earley.FindAmbiguity(g, 1000, meter.New(meter.Budget{Steps: 100_000, States: 10_000}))
	if err != nil || a.Witness != nil || a.Unambiguous || a.UpTo < 1 || a.UpTo >= 1000 {
		t.Errorf("got %+v, %v", a, err)
	}
}

func TestCompletionsAreShortest(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 1))
	for range effort.Of(400) {
		text := enum.Grammar(random)
		g := compile(t, text, "")
		words := enum.Words(g, 7)[g.Start]
		p := earley.New(g)
		for _, s := range enum.Strings(g.NumTerminals, 3) {
			run := p.Start(nil)
			read := true
			for _, symbol := range enum.Symbols(s) {
				ok, err := run.Push(symbol)
				if err != nil {
					t.Fatal(err)
				}
				read = read && ok
			}
			if !read {
				continue
			}
			shortest := -1
			for w := range words {
				if strings.HasPrefix(w, s) && (shortest < 0 || len(w)-len(s) < shortest) {
					shortest = len(w) - len(s)
				}
			}
			rest, ok := run.Completion()
			if ok != (run.Viable()) || shortest >= 0 && len(rest) != shortest || shortest < 0 && ok && len(s)+len(rest) <= 7 {
				t.Fatalf("%s%q is completed by %v (%v), but %d letters are enough", text, s, rest, ok, shortest)
			}
			for _, symbol := range rest {
				if ok, err := run.Push(symbol); !ok || err != nil {
					t.Fatalf("%s%q is completed by %v, which is not read (%v)", text, s, rest, err)
				}
			}
			if ok && !run.Complete() {
				t.Fatalf("%s%q and %v is no word", text, s, rest)
			}
		}
	}
}

func TestWordsAreDrawnEvenly(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 1))
	for range effort.Of(300) {
		text := enum.Grammar(random)
		g := compile(t, text, "")
		language := enum.Words(g, 4)[g.Start]
		count := make([]int, 5)
		for w := range language {
			count[len(w)]++
		}
		words := earley.NewWords(g, nil)
		for length, n := range count {
			w, ok, err := words.Sample(length, random)
			if err != nil || ok != (n > 0) {
				t.Fatalf("%sof length %d: %v %v (%v), there are %d", text, length, w, ok, err, n)
			}
			var s strings.Builder
			for _, symbol := range w {
				s.WriteString(enum.Letter(symbol))
			}
			if ok && (!language[s.String()] || len(w) != length) {
				t.Fatalf("%sdrew %q of length %d", text, s.String(), length)
			}
		}
	}
	// Very ambiguous, so that trees would be drawn unevenly: 64 words of six
	// letters, 100 times each on average.
	g := compile(t, "S -> S S | S S S | a | b", "")
	words := earley.NewWords(g, nil)
	drawn := map[string]int{}
	for range 6400 {
		w, _, err := words.Sample(6, random)
		if err != nil {
			t.Fatal(err)
		}
		drawn[fmt.Sprint(w)]++
	}
	chi := 0.0
	for _, n := range drawn {
		chi += float64((n-100)*(n-100)) / 100
	}
	if len(drawn) != 64 || chi > 104 { // 63 degrees of freedom, p = 0.001
		t.Errorf("%d words, χ² = %.1f", len(drawn), chi)
	}
}
