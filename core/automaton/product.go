package automaton

import "github.com/stile-playground/stile/core/meter"

// Product returns the product of two automata over the same letters, with reachable pairs
// only. combine returns whether a pair accepts, given whether each of its states does. It
// spends a state of the meter for each pair.
func Product(a, b *DFA, combine func(a, b bool) bool, m *meter.Meter) (*DFA, error) {
	type pair struct{ a, b int32 }
	d := &DFA{letters: a.letters}
	numbers := map[pair]int32{{}: 0}
	pairs := []pair{{}}
	for i := 0; i < len(pairs); i++ {
		if err := m.Spend(meter.States, 1); err != nil {
			return nil, err
		}
		p := pairs[i]
		d.accept = append(d.accept, combine(a.accept[p.a], b.accept[p.b]))
		for letter := range d.letters {
			to := pair{int32(a.Next(int(p.a), letter)), int32(b.Next(int(p.b), letter))}
			n, ok := numbers[to]
			if !ok {
				n = int32(len(pairs))
				numbers[to] = n
				pairs = append(pairs, to)
			}
			d.next = append(d.next, n)
		}
	}
	return d, nil
}

// Complement returns the automaton of all words that this one rejects.
func (d *DFA) Complement() *DFA {
	out := &DFA{letters: d.letters, next: d.next, accept: make([]bool, len(d.accept))}
	for s, accepts := range d.accept {
		out.accept[s] = !accepts
	}
	return out
}

// Shortest returns a shortest accepted word, the first in the order of the letters; ok is
// false if there is none.
func (d *DFA) Shortest() (word []int, ok bool) {
	distance := d.Distances()
	if distance[0] < 0 {
		return nil, false
	}
	word = []int{}
	for state := 0; !d.accept[state]; {
		for letter := range d.letters {
			if to := d.Next(state, letter); distance[to] == distance[state]-1 {
				word = append(word, letter)
				state = to
				break
			}
		}
	}
	return word, true
}
