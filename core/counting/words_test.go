package counting_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/counting"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/internal/conformance"
	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/internal/enum"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

func compile(t *testing.T, text, start string) *grammar.Grammar {
	t.Helper()
	syntax, found := grammar.Parse(source.NewFile("test.cfg", text))
	g, more := grammar.Compile(syntax, start)
	if found = append(found, more...); source.HasErrors(found) {
		t.Fatalf("%q: %v", text, found)
	}
	return g
}

func TestWordCountsOfConformanceData(t *testing.T) {
	type record struct {
		ID, Grammar, Start string
		Words              []int `json:"words_per_length"`
	}
	for _, r := range conformance.Records[record](t, "cfg.jsonl") {
		if len(r.Words) == 0 {
			continue
		}
		counts, err := counting.Words(compile(t, r.Grammar, r.Start), len(r.Words)-1, meter.New(meter.Budget{}))
		if err != nil {
			t.Errorf("%s: %v", r.ID, err)
			continue
		}
		for n, want := range r.Words {
			if counts[n].String() != strconv.Itoa(want) {
				t.Errorf("%s: %s words of length %d, want %d", r.ID, counts[n], n, want)
			}
		}
	}
}

func TestWordCountsEqualBruteForce(t *testing.T) {
	random := rand.New(rand.NewPCG(31, 1))
	for range effort.Of(600) {
		text := enum.Grammar(random)
		g := compile(t, text, "")
		want := make([]int, 6)
		for w := range enum.Words(g, 5)[g.Start] {
			want[len(w)]++
		}
		counts, err := counting.Words(g, 5, nil)
		if err != nil {
			t.Fatal(err)
		}
		for n := range want {
			if counts[n].String() != strconv.Itoa(want[n]) {
				t.Fatalf("%s%s words of length %d, want %d", text, counts[n], n, want[n])
			}
		}
	}
}

func TestWordCountsOfLongWords(t *testing.T) {
	counts, err := counting.Words(compile(t, "S -> a S | b S | ε", ""), 100, meter.New(meter.Budget{}))
	if err != nil || counts[100].String() != "1267650600228229401496703205376" {
		t.Errorf("%v, %v", counts, err)
	}
	// Dyck words: Catalan numbers.
	counts, err = counting.Words(compile(t, "S -> a S b S | ε", ""), 40, meter.New(meter.Budget{}))
	if err != nil || counts[40].String() != "6564120420" || counts[39].String() != "0" {
		t.Errorf("%v, %v", counts, err)
	}
}

func TestSampleIsUniform(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 1))
	for range effort.Of(300) {
		text := enum.Grammar(random)
		g := compile(t, text, "")
		language := enum.Words(g, 4)[g.Start]
		count := make([]int, 5)
		for w := range language {
			count[len(w)]++
		}
		words := counting.NewSampler(g, nil)
		for length, n := range count {
			w, ok, err := words.Sample(length, random)
			if err != nil || ok != (n > 0) {
				t.Fatalf("%slength %d: drew %v, %v (%v), of %d words", text, length, w, ok, err, n)
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
	// The grammar is very ambiguous, so drawing trees instead of words would not be
	// uniform. It has 64 words of six letters, each expected 100 times.
	g := compile(t, "S -> S S | S S S | a | b", "")
	words := counting.NewSampler(g, nil)
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

// The recursion fits into the stack of a browser.
func TestDeepChainsOfTreesEndWithLimit(t *testing.T) {
	chain := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "N%d -> N%d\n", i, i+1)
		}
		fmt.Fprintf(&b, "N%d -> a\n", n)
		return b.String()
	}
	if counts, err := counting.Trees(compile(t, chain(1_000), ""), 1, nil); err != nil || counts[1].Int64() != 1 {
		t.Errorf("1,000 rules: %v, %v, want one tree", counts, err)
	}
	var limit *meter.LimitError
	if counts, err := counting.Trees(compile(t, chain(10_000), ""), 1, nil); !errors.As(err, &limit) {
		t.Errorf("10,000 rules: %v, %v, want a limit", counts, err)
	}
}
