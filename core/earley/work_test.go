package earley

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/internal/must"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/natural"
)

func TestASetOfItemsIsEmptyHoweverOftenItWasCleared(t *testing.T) {
	var s seenItems
	for _, filling := range []uint32{0, 1, math.MaxUint32 - 1, math.MaxUint32} {
		s.filling = filling
		s.clear()
		for rule := range int32(40) {
			if !s.add(item{1 + rule, 0}) || s.add(item{1 + rule, 0}) {
				t.Fatalf("filling %d: rule %d", s.filling, 1+rule)
			}
		}
	}
	// Places that were never used look like this item.
	s.filling = math.MaxUint32
	if s.clear(); !s.add(item{}) {
		t.Error("an empty set has an item")
	}
}

func TestReadingAndCountingArePaidFor(t *testing.T) {
	g := must.Grammar(t, "S -> a | a b | a c | a d d")
	m := meter.New(meter.Budget{})
	if ok, err := New(g).Start(m).Push(0); !ok || err != nil || m.Spent(meter.Steps) < 1+4 {
		t.Errorf("%d steps, %v", m.Spent(meter.Steps), err)
	}
	g = must.Grammar(t, "S -> a S | a")
	m = meter.New(meter.Budget{})
	if _, err := CountWords(g, 100, m); err != nil {
		t.Fatal(err)
	}
	least := int64(0)
	for left := range int64(101) {
		least += left * (1 + left/32)
	}
	if m.Spent(meter.Steps) < least || m.Spent(meter.States) < 100 {
		t.Errorf("%d steps, of %d, and %d states", m.Spent(meter.Steps), least, m.Spent(meter.States))
	}
	// What is left of four hundred terminals is long.
	var b strings.Builder
	caps := make([]int64, 400)
	for i := range caps {
		caps[i] = 1 << 20
		fmt.Fprintf(&b, " t%d", i)
	}
	m = meter.New(meter.Budget{})
	if _, _, err := CountPlans(must.Grammar(t, "S ->"+b.String()), caps, m); err != nil || m.Spent(meter.States) < 400 {
		t.Errorf("%d states, %v", m.Spent(meter.States), err)
	}
}

func TestALetterIsDrawnAtATime(t *testing.T) {
	w := NewWords(must.Grammar(t, "S -> a S | b S | a | b"), nil)
	for length := 1; length < 10; length++ {
		drawn, same := rand.New(rand.NewPCG(1, 1)), rand.New(rand.NewPCG(1, 1))
		word, ok, err := w.Sample(length, drawn)
		for left := length; left > 0; left-- {
			natural.New(1 << left).Below(same.Uint32N)
		}
		if len(word) != length || !ok || err != nil || drawn.Uint64() != same.Uint64() {
			t.Errorf("%d letters of %d, %v, or more was drawn", len(word), length, err)
		}
	}
}

func TestOfTheShortestCompletionsTheFirstIsTaken(t *testing.T) {
	g := must.Grammar(t, "S -> a b b | a c | a d | a e\ne -> f")
	r := New(g).Start(nil)
	if ok, err := r.Push(0); !ok || err != nil {
		t.Fatal(err)
	}
	rest, ok := r.Completion()
	if c, _ := g.Lookup("c"); !ok || len(rest) != 1 || rest[0] != grammar.Symbol(c) {
		t.Errorf("%v", rest)
	}
}

func TestEveryItemThatWaitsIsPaidFor(t *testing.T) {
	var waiting, predicted, many strings.Builder
	for i := range 30 {
		fmt.Fprintf(&waiting, " | b A x%d", i)
		fmt.Fprintf(&predicted, " | A x%d", i)
	}
	for i := range 100 {
		fmt.Fprintf(&many, " | b A x%d", i)
	}
	for _, c := range []struct {
		text        string
		least, most int64 // steps of the second letter
	}{
		// The letter's item of the kernel each; it is complete, and they all wait for it.
		{"S -> c" + waiting.String() + "\nA -> a", 60, 70},
		{"S -> c | b B\nB -> c" + predicted.String() + "\nA -> a", 32, 40},
		// A hundred wait in the kernel, each in a rule of its own.
		{"S -> c" + many.String() + "\nA -> a", 300, 310},
	} {
		g := must.Grammar(t, c.text)
		m := meter.New(meter.Budget{})
		r := New(g).Start(m)
		before := int64(0)
		for _, name := range []string{"b", "a"} {
			before = m.Spent(meter.Steps)
			letter, _ := g.Lookup(name)
			if ok, err := r.Push(letter); !ok || err != nil {
				t.Fatalf("%s: %s is not read (%v)", c.text, name, err)
			}
		}
		if n := m.Spent(meter.Steps) - before; n < c.least || n > c.most {
			t.Errorf("%s: %d steps, not %d to %d", c.text, n, c.least, c.most)
		}
	}
}

func TestCountingTreesIsPaidForAndTriesNoLengthThatLeavesTooLittle(t *testing.T) {
	m := meter.New(meter.Budget{})
	counts, err := CountTrees(must.Grammar(t, "S -> A b b b b b b b b\nA -> A a | a"), 5, m)
	if err != nil || len(counts) != 6 || m.Spent(meter.States) > 6 || m.Spent(meter.Steps) != 0 {
		t.Errorf("%v, %v: %d states, %d steps", counts, err, m.Spent(meter.States), m.Spent(meter.Steps))
	}
	m = meter.New(meter.Budget{})
	counts, err = CountTrees(must.Grammar(t, "S -> a S | a"), 200, m)
	least := int64(0)
	for length := range int64(201) {
		least += length * (1 + length/32)
	}
	if err != nil || counts[200].String() != "1" || m.Spent(meter.Steps) < least || m.Spent(meter.Steps) > 2*least {
		t.Errorf("%v: %d steps, of %d", err, m.Spent(meter.Steps), least)
	}
}

func TestWhereNoLengthWasSearchedForAmbiguityNoneIsNamed(t *testing.T) {
	g := must.Grammar(t, "S -> S S | S a | a")
	a, err := FindAmbiguity(g, 5, meter.New(meter.Budget{Steps: 1, States: 1}))
	if err == nil || a.UpTo != -1 || a.Unambiguous || a.Witness != nil {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestPlansAreCountedUpToALength(t *testing.T) {
	g := must.Grammar(t, "S -> a S | b")
	for a, want := range map[int64]string{0: "1", 7: "8", maxPlanDepth - 1: "10000"} {
		plans, dead, err := CountPlans(g, []int64{a, 1}, nil)
		if err != nil || plans.String() != want || !dead.IsZero() {
			t.Errorf("up to %d times a: %s plans, %s dead ends (%v), not %s", a, plans, dead, err, want)
		}
	}
	if plans, _, err := CountPlans(g, []int64{maxPlanDepth, 1}, nil); err == nil {
		t.Errorf("%s plans", plans)
	}
}

// Of ten terminals that stand for each other it is told how many are left, not which.
func TestTerminalsThatStandForEachOtherAreCountedTogether(t *testing.T) {
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
		plans, dead, err := CountPlans(g, caps, m)
		if err != nil || plans.String() != want || !dead.IsZero() || m.Spent(meter.States) > 60 || m.Spent(meter.Steps) < 10*4*10 {
			t.Errorf("%s: %s plans, %s dead ends (%v), %d states, %d steps", text, plans, dead, err, m.Spent(meter.States), m.Spent(meter.Steps))
		}
	}
}
