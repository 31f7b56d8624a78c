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
