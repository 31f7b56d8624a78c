package earley

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/internal/must"
	"github.com/stile-playground/stile/core/meter"
)

func TestClearedItemSetIsEmpty(t *testing.T) {
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

func TestFirstShortestCompletionIsReturned(t *testing.T) {
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

func TestWaitingItemsSpendFromMeter(t *testing.T) {
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
		// The kernel has one item of the letter; it is complete, and all other items wait for it.
		{"S -> c" + waiting.String() + "\nA -> a", 60, 70},
		{"S -> c | b B\nB -> c" + predicted.String() + "\nA -> a", 32, 40},
		// A hundred items wait in the kernel, each in a separate rule.
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

// readAll reads a word and returns the work spent.

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

func TestRightRecursionTakesLinearTime(t *testing.T) {
	word := slices.Repeat([]string{"a"}, 2000)
	for _, text := range []string{"S -> a S | b", "S -> a T | a\nT -> S", "S -> X c | X d\nX -> a X | a"} {
		if n := readAll(t, text, word...).Spent(meter.Steps); n > 15*2000 {
			t.Errorf("%s: %d steps for 2000 letters", text, n)
		}
	}
}

func TestWaitingItemsAreMeteredTogether(t *testing.T) {
	word := slices.Repeat([]string{"a"}, 140)
	m := readAll(t, "S -> S S | a", word...)
	items := m.Spent(meter.States)
	if n := m.Spent(meter.Steps); n < 11*items || n > 14*items {
		t.Errorf("%d steps for %d items", n, items)
	}
	// A hundred items wait in sets with two-digit numbers.
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

func TestForestsSpendFromMeter(t *testing.T) {
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

func TestPopBeforeTheFirstLetterDoesNothing(t *testing.T) {
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

func TestPushIsMetered(t *testing.T) {
	g := must.Grammar(t, "S -> a | a b | a c | a d d")
	m := meter.New(meter.Budget{})
	if ok, err := New(g).Start(m).Push(0); !ok || err != nil || m.Spent(meter.Steps) < 1+4 {
		t.Errorf("%d steps, %v", m.Spent(meter.Steps), err)
	}
}
