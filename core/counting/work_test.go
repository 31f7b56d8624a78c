package counting

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/must"
	"github.com/stile-playground/stile/core/meter"
)

func TestCountsAreMetered(t *testing.T) {
	g := must.Grammar(t, "S -> a S | a")
	m := meter.New(meter.Budget{})
	if _, err := Words(g, 100, m); err != nil {
		t.Fatal(err)
	}
	least := int64(0)
	for left := range int64(101) {
		least += left * (1 + left/32)
	}
	if m.Spent(meter.Steps) < least || m.Spent(meter.Steps) > 2*least || m.Spent(meter.States) < 100 {
		t.Errorf("%d steps, want at least %d; %d states", m.Spent(meter.Steps), least, m.Spent(meter.States))
	}
	// The key of a state is linear in the number of terminals.
	var b strings.Builder
	caps := make([]int64, 400)
	for i := range caps {
		caps[i] = 1 << 20
		fmt.Fprintf(&b, " t%d", i)
	}
	m = meter.New(meter.Budget{})
	if _, _, err := Plans(must.Grammar(t, "S ->"+b.String()), caps, m); err != nil || m.Spent(meter.States) < 400 {
		t.Errorf("%d states, %v", m.Spent(meter.States), err)
	}
}

func TestSampleDrawsOneNumberPerLetter(t *testing.T) {
	w := NewSampler(must.Grammar(t, "S -> a S | b S | a | b"), nil)
	for length := 1; length < 10; length++ {
		drawn, same := rand.New(rand.NewPCG(1, 1)), rand.New(rand.NewPCG(1, 1))
		word, ok, err := w.Sample(length, drawn)
		for left := length; left > 0; left-- {
			below(big.NewInt(1<<left), same)
		}
		if len(word) != length || !ok || err != nil || drawn.Uint64() != same.Uint64() {
			t.Errorf("%d letters, want %d; %v; or the random source was used differently", len(word), length, err)
		}
	}
}

func TestTreesIsMeteredAndSkipsImpossibleLengths(t *testing.T) {
	m := meter.New(meter.Budget{})
	counts, err := Trees(must.Grammar(t, "S -> A b b b b b b b b\nA -> A a | a"), 5, m)
	if err != nil || len(counts) != 6 || m.Spent(meter.States) > 6 || m.Spent(meter.Steps) != 0 {
		t.Errorf("%v, %v: %d states, %d steps", counts, err, m.Spent(meter.States), m.Spent(meter.Steps))
	}
	m = meter.New(meter.Budget{})
	counts, err = Trees(must.Grammar(t, "S -> a S | a"), 200, m)
	least := int64(0)
	for length := range int64(201) {
		least += length * (1 + length/32)
	}
	if err != nil || counts[200].String() != "1" || m.Spent(meter.Steps) < least || m.Spent(meter.Steps) > 2*least {
		t.Errorf("%v: %d steps, want at least %d", err, m.Spent(meter.Steps), least)
	}
}

func TestFindAmbiguityWithoutBudgetCompletesNoLength(t *testing.T) {
	g := must.Grammar(t, "S -> S S | S a | a")
	a, err := FindAmbiguity(g, 5, meter.New(meter.Budget{Steps: 1, States: 1}))
	if err == nil || a.UpTo != -1 || a.Unambiguous || a.Witness != nil {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestPlansAreCountedUpToMaxDepth(t *testing.T) {
	g := must.Grammar(t, "S -> a S | b")
	for a, want := range map[int64]string{0: "1", 7: "8", maxPlanDepth - 1: "10000"} {
		plans, dead, err := Plans(g, []int64{a, 1}, nil)
		if err != nil || plans.String() != want || dead.Sign() != 0 {
			t.Errorf("a up to %d times: %s plans, %s dead ends (%v), want %s plans", a, plans, dead, err, want)
		}
	}
	if plans, _, err := Plans(g, []int64{maxPlanDepth, 1}, nil); err == nil {
		t.Errorf("%s plans", plans)
	}
}

// The state of ten interchangeable terminals is the number of remaining ones.
func TestInterchangeableTerminalsShareStates(t *testing.T) {
	for _, text := range []string{"S -> T T T T T T T T T T\nT -> %s", "S -> x T T T T T T T T T T\nT -> %s", "S -> x U\nU -> T T T T T T T T T T | T\nT -> %s | y"} {
		g := must.Grammar(t, strings.Replace(text, "%s", "t0 | t1 | t2 | t3 | t4 | t5 | t6 | t7 | t8 | t9", 1))
		caps := make([]int64, g.NumTerminals)
		for i := range caps {
			caps[i] = 1
		}
		want := "3628800"
		if y, ok := g.Lookup("y"); ok {
			caps[y], want = 0, "3628810"
		}
		m := meter.New(meter.Budget{})
		plans, dead, err := Plans(g, caps, m)
		if err != nil || plans.String() != want || dead.Sign() != 0 || m.Spent(meter.States) > 60 || m.Spent(meter.Steps) < 10*4*10 {
			t.Errorf("%s: %s plans, %s dead ends (%v), %d states, %d steps", text, plans, dead, err, m.Spent(meter.States), m.Spent(meter.Steps))
		}
	}
}

func TestStacksThatNeedTooManyLettersAreDropped(t *testing.T) {
	g := must.Grammar(t, "S -> A A B | C D d | E S\nA -> a b c A | a\nB -> b B b | A A | ε\nC -> c D E | ε\nD -> S S | d\nE -> ε")
	w := newWordCounter(g, g.Useful(), nil)
	for s, want := range map[string]int{"a": 1, "S": 2, "A": 1, "B": 2, "C": 2, "D": 1, "E": infinite} {
		if symbol, _ := g.Lookup(s); w.least[symbol] != want {
			t.Errorf("shortest word of %s: %d letters, want %d", s, w.least[symbol], want)
		}
	}
	var check func(set []stack, left int)
	check = func(set []stack, left int) {
		for _, s := range set {
			if len(s) > left || w.length(s) > left || len(s) > 0 && int(s[0]) >= g.NumTerminals {
				t.Fatalf("%v, with %d letters left", s, left)
			}
		}
		for _, move := range w.moves(set, left) {
			check(move.set, left-1)
		}
	}
	check(w.start(5), 5)
}

func TestSamplerCachesCounts(t *testing.T) {
	m := meter.New(meter.Budget{})
	w := NewSampler(must.Grammar(t, "S -> a S b | S S | b a | ε"), m)
	if _, err := w.Count(8); err != nil {
		t.Fatal(err)
	}
	before := m.Spent(meter.States)
	random := rand.New(rand.NewPCG(3, 1))
	for range 5 {
		if word, ok, err := w.Sample(8, random); len(word) != 8 || !ok || err != nil {
			t.Errorf("%v, %v", word, err)
		}
	}
	if _, err := w.Count(8); err != nil || m.Spent(meter.States) != before {
		t.Errorf("%d additional states, %v", m.Spent(meter.States)-before, err)
	}
}
