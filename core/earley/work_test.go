package earley

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
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
	if m.Spent(meter.Steps) < least || m.Spent(meter.Steps) > 2*least || m.Spent(meter.States) < 100 {
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

// readAll reads a word and returns what that took.
func readAll(t *testing.T, text string, letters ...string) *meter.Meter {
	t.Helper()
	g, m := must.Grammar(t, text), meter.New(meter.Budget{})
	r := New(g).Start(m)
	for i, name := range letters {
		letter, _ := g.Lookup(name)
		if ok, err := r.Push(letter); !ok || err != nil {
			t.Fatalf("%s: letter %d, %s, is not read (%v)", text, i, name, err)
		}
	}
	return m
}

func TestReadingToTheRightTakesLinearTime(t *testing.T) {
	word := slices.Repeat([]string{"a"}, 2000)
	for _, text := range []string{"S -> a S | b", "S -> a T | a\nT -> S", "S -> X c | X d\nX -> a X | a"} {
		if n := readAll(t, text, word...).Spent(meter.Steps); n > 15*2000 {
			t.Errorf("%s: %d steps for 2000 letters", text, n)
		}
	}
}

func TestManyThatWaitArePaidForTogether(t *testing.T) {
	word := slices.Repeat([]string{"a"}, 140)
	m := readAll(t, "S -> S S | a", word...)
	items := m.Spent(meter.States)
	if n := m.Spent(meter.Steps); n < 11*items || n > 14*items {
		t.Errorf("%d steps for %d items", n, items)
	}
	// A hundred wait where there are so many sets that ten words have their numbers.
	var text strings.Builder
	text.WriteString("S -> a S | c\nA -> c")
	for i := range 100 {
		fmt.Fprintf(&text, "\nS -> b A x%d", i)
	}
	word = append(slices.Repeat([]string{"a"}, 600), "b", "c")
	without := readAll(t, text.String(), word[:601]...).Spent(meter.Steps)
	if n := readAll(t, text.String(), word...).Spent(meter.Steps) - without; n < 400 || n > 420 {
		t.Errorf("%d steps for the last letter", n)
	}
}

func TestForestsArePaidFor(t *testing.T) {
	g := must.Grammar(t, "S -> S S | a")
	p, m := New(g), meter.New(meter.Budget{})
	word := make([]grammar.Symbol, 60)
	f, err := p.Forest(word, m)
	if err != nil {
		t.Fatal(err)
	}
	read := readAll(t, "S -> S S | a", slices.Repeat([]string{"a"}, len(word))...)
	packed, nodes := 0, len(f.Nodes)
	for _, n := range f.Nodes {
		packed += len(n.Packed)
	}
	states := m.Spent(meter.States) - read.Spent(meter.States)
	if least := int64(nodes + packed/16); states < least || states > 2*least {
		t.Errorf("%d states, at least %d", states, least)
	}
	if steps := m.Spent(meter.Steps) - read.Spent(meter.Steps); steps < int64(2*packed) || steps > int64(8*packed) {
		t.Errorf("%d steps for %d ways", steps, packed)
	}
}

func TestNoStackIsKeptThatNeedsMoreLettersThanAreLeft(t *testing.T) {
	g := must.Grammar(t, "S -> A A B | C D d | E S\nA -> a b c A | a\nB -> b B b | A A | ε\nC -> c D E | ε\nD -> S S | d\nE -> ε")
	w := newWordCounter(g, g.Useful(), nil)
	for s, want := range map[string]int{"a": 1, "S": 2, "A": 1, "B": 2, "C": 2, "D": 1, "E": endless} {
		if symbol, _ := g.Lookup(s); w.least[symbol] != want {
			t.Errorf("%s has words of %d letters, not %d", s, w.least[symbol], want)
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

func TestWhatWasCountedIsKept(t *testing.T) {
	m := meter.New(meter.Budget{})
	w := NewWords(must.Grammar(t, "S -> a S b | S S | b a | ε"), m)
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
		t.Errorf("%d states more, %v", m.Spent(meter.States)-before, err)
	}
}

func TestNothingIsTakenBackBeforeTheFirstLetter(t *testing.T) {
	g := must.Grammar(t, "S -> a | b S")
	r := New(g).Start(nil)
	for range 3 {
		r.Pop()
		if r.Len() != 0 || !r.Viable() || r.Complete() || len(r.Next()) != 2 {
			t.Fatalf("%d letters, next %v", r.Len(), r.Next())
		}
		letter, _ := g.Lookup("b")
		if ok, err := r.Push(letter); !ok || err != nil || r.Len() != 1 {
			t.Fatalf("%v, %v", ok, err)
		}
		r.Pop()
	}
}
