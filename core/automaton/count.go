package automaton

import (
	"math/rand/v2"

	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/natural"
)

// Counter counts the words of an automaton and draws from them, each word as
// likely as any other of its length (the recursive method: Flajolet, Zimmermann
// and Van Cutsem 1994). What it has counted it keeps.
type Counter struct {
	d      *DFA
	m      *meter.Meter
	counts [][]natural.Number // by length, then state
}

// NewCounter returns a counter of an automaton's words.
func NewCounter(d *DFA, m *meter.Meter) *Counter { return &Counter{d: d, m: m} }

// upTo makes sure that the words of up to a length are counted.
func (c *Counter) upTo(length int) error {
	for n := len(c.counts); n <= length; n++ {
		if err := c.m.Spend(meter.States, int64(c.d.NumStates())); err != nil {
			return err
		}
		// A count of n letters is as long as n; so adding one costs as much.
		if err := c.m.Step(len(c.d.next) * (1 + n/32)); err != nil {
			return err
		}
		row := make([]natural.Number, c.d.NumStates())
		for q := range row {
			if n == 0 {
				if c.d.accept[q] {
					row[q] = natural.New(1)
				}
				continue
			}
			for letter := range c.d.letters {
				row[q] = row[q].Plus(c.counts[n-1][c.d.Next(q, letter)])
			}
		}
		c.counts = append(c.counts, row)
	}
	return nil
}

// Count returns how many words of a length the automaton accepts. It costs the
// size of the automaton for each letter; the error is the meter's.
func (c *Counter) Count(length int) (natural.Number, error) {
	if err := c.upTo(length); err != nil {
		return natural.Number{}, err
	}
	return c.counts[length][0], nil
}

// Sample draws a word of a length; ok is false where there is none.
func (c *Counter) Sample(length int, random *rand.Rand) (word []int, ok bool, err error) {
	if err := c.upTo(length); err != nil {
		return nil, false, err
	}
	if c.counts[length][0].IsZero() {
		return nil, false, nil
	}
	word = make([]int, 0, length)
	for q, left := 0, length; left > 0; left-- {
		at := c.counts[left][q].Below(random.Uint32N)
		for letter := range c.d.letters {
			to := c.d.Next(q, letter)
			share := c.counts[left-1][to]
			if at.Less(share) {
				word = append(word, letter)
				q = to
				break
			}
			at = at.Minus(share)
		}
	}
	return word, true, nil
}
