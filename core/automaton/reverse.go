package automaton

import "github.com/stile-playground/stile/core/meter"

// Recur returns the product of two automata, s on the left, with one bit, which is true in the
// accepting states. After each letter the bit is truth(left, right, before): left and right report
// whether each automaton accepts after the letter; before is the previous bit or, if delayed is
// true, whether s accepted before the letter. At the start, the bit and before are start.
func (s *Symbolic) Recur(other *Symbolic, delayed, start bool, truth func(left, right, before bool) bool, m *meter.Meter) (*Symbolic, error) {
	type state struct {
		a, b int
		bit  bool
	}
	into := NewDiagrams(s.Letters(), m)
	out := &Symbolic{diagrams: into}
	var numbers [2]pairs
	var states []state
	add := func(a, b int, bit bool) {
		if err := m.Spend(meter.States, 1); err != nil {
			into.stop(err)
		}
		states = append(states, state{a, b, bit})
		out.accept = append(out.accept, bit)
	}
	var both [2]*Combiner
	for i := range both {
		both[i] = NewCombiner(s.diagrams, other.diagrams, into, func(a, b int) int {
			bit := truth(s.accept[a], other.accept[b], i == 1)
			table := &numbers[index(bit)]
			if n, ok := table.get(int32(a), int32(b)); ok {
				return int(n)
			}
			table.put(int32(a), int32(b), int32(len(states)))
			add(a, b, bit)
			return len(states) - 1
		})
	}
	add(0, 0, start)
	if !delayed {
		numbers[index(start)].put(0, 0, 0)
	}
	for q := 0; q < len(states) && into.err == nil; q++ {
		at := states[q]
		before := at.bit
		if delayed && q > 0 {
			before = s.accept[at.a]
		}
		out.next = append(out.next, both[index(before)].Apply(s.next[at.a], other.next[at.b]))
	}
	return out, into.err
}

func index(bit bool) int {
	if bit {
		return 1
	}
	return 0
}

// Delayed returns the automaton of an arbitrary letter followed by a non-empty word that
// this automaton accepts.
func (s *Symbolic) Delayed() *Symbolic {
	s = s.WithoutEmpty()
	into := NewDiagrams(s.Letters(), nil)
	out := &Symbolic{diagrams: into, next: []Diagram{Leaf(1)}, accept: append([]bool{false}, s.accept...)}
	moved := s.mover(into, func(state int) int { return state + 1 })
	for _, d := range s.next {
		out.next = append(out.next, moved(d))
	}
	return out
}

// Reverse returns the automaton of the reversed words (Brzozowski 1962): its states
// are sets of states from which such a word is accepted. All states of this automaton are
// reachable, so the result is the smallest automaton, except for the order of its states.
func (s *Symbolic) Reverse(m *meter.Meter) (*Symbolic, error) {
	into := NewDiagrams(s.Letters(), m)
	out := &Symbolic{diagrams: into}
	n := s.NumStates()
	numbers := map[string]int{}
	var sets [][]bool
	number := func(set []bool) int {
		key := make([]byte, (n+7)/8)
		for q, in := range set {
			if in {
				key[q/8] |= 1 << (q % 8)
			}
		}
		i, ok := numbers[string(key)]
		if !ok {
			i = len(sets)
			numbers[string(key)] = i
			sets = append(sets, set)
			out.accept = append(out.accept, set[0])
			if err := m.Spend(meter.States, int64(1+n/64)); err != nil {
				into.stop(err)
			}
		}
		return i
	}
	number(s.accept)
	for at := 0; at < len(sets) && into.err == nil; at++ {
		out.next = append(out.next, s.before(sets[at], into, number, m))
	}
	if into.err != nil {
		return nil, into.err
	}
	return out.renumbered(out.reachable(0)), nil
}

// before returns the function that maps each letter to the number of the set of states from
// which the letter leads into the given set.
func (s *Symbolic) before(set []bool, into *Diagrams, number func([]bool) int, m *meter.Meter) Diagram {
	scratch := NewDiagrams(s.Letters(), nil)
	moved := s.mover(scratch, func(q int) int { return index(set[q]) })
	// Many states have the same function from letters to 0 or 1: whether they lead into the set.
	var parts []Diagram
	part := map[Diagram]int{}
	of := make([]int, len(s.next)) // by state
	for q, d := range s.next {
		f := moved(d)
		k, ok := part[f]
		if !ok {
			k = len(parts)
			part[f] = k
			parts = append(parts, f)
		}
		of[q] = k
	}
	work := len(s.next) + len(s.diagrams.nodes)
	// The values of the first k parts for a letter have a number; said[k] maps it to the
	// number for one part less and the value of the last part.
	said := make([][]int, len(parts))
	joint := Leaf(0)
	for k, f := range parts {
		var numbers pairs
		c := NewCombiner(scratch, scratch, scratch, func(a, b int) int {
			n, known := numbers.get(int32(a), int32(b))
			if !known {
				n = int32(len(said[k]))
				numbers.put(int32(a), int32(b), n)
				said[k] = append(said[k], 2*a+b)
			}
			return int(n)
		})
		joint = c.Apply(joint, f)
		work += 4 + c.memo.count
		if work >= 1<<12 || k == len(parts)-1 {
			if err := m.Step(work); err != nil {
				into.stop(err)
				return Leaf(0)
			}
			work = 0
		}
	}
	value := make([]bool, len(parts))
	all := &Symbolic{diagrams: scratch}
	return all.mover(into, func(n int) int {
		for k := len(parts) - 1; k >= 0; k-- {
			n = said[k][n]
			value[k] = n%2 == 1
			n /= 2
		}
		next := make([]bool, len(of))
		for q, k := range of {
			next[q] = value[k]
		}
		if err := m.Step(len(parts) + len(of)/4); err != nil {
			into.stop(err)
		}
		return number(next)
	})(joint)
}
