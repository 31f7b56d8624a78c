package automaton

import "github.com/stile-playground/stile/core/meter"

// Until returns the smallest automaton of f U g, given the smallest automata of f, which
// is s, and of g, which is other: the words with a suffix in g such that all longer
// suffixes are in f. With weak it returns that of f W g, which also contains the words
// whose suffixes, except the empty one, are all in f.
//
// The construction is that of MONA for two quantifiers (Henriksen et al. 1995): for all
// earlier positions, then for some position. The intermediate automata are minimized, and
// sets of states are reduced by language inclusion, so it often succeeds where a
// construction from the formula would need too many states.
func (s *Symbolic) Until(other *Symbolic, weak bool, m *meter.Meter) (*Symbolic, error) {
	faults, spawned, err := s.Complement().suffixUnions(m)
	if err != nil {
		return nil, err
	}
	ends, begun, err := faults.difference(other, len(spawned), m)
	if err != nil {
		return nil, err
	}
	// A state is a pair: open, the state of faults for the case that g has not begun yet, and
	// set, the states of ends for the positions at which g may have begun.
	into := NewDiagrams(s.Letters(), m)
	u := newUnions(ends, m)
	p := newPairing(into, m)
	number := func(open, set int) int {
		if u.isAll(set) {
			open = 0 // every continuation is accepted
		}
		return p.number(open, set)
	}
	both := NewCombiner(faults.diagrams, u.into, into, number)
	out := &Symbolic{diagrams: into}
	number(0, u.number(nil))
	for q := 0; q < len(p.states) && into.err == nil; q++ {
		open, set := p.states[q].a, p.states[q].b
		out.accept = append(out.accept, u.accepts(set) || weak && !faults.accept[open])
		begin := u.union(set, u.single(begun[open]))
		out.next = append(out.next, both.Apply(faults.next[spawned[open]], u.after(begin)))
		if u.into.err != nil {
			return nil, u.into.err
		}
	}
	if into.err != nil {
		return nil, into.err
	}
	return out.Minimize(m)
}

// suffixUnions returns the smallest automaton whose states are unions of languages of
// states of s. State 0 is the empty union. The first states are those that words lead to:
// the union of the states of s that the non-empty suffixes of a word lead to. For each of these
// states a, spawned[a] is the state of its union with the start of s.
func (s *Symbolic) suffixUnions(m *meter.Meter) (out *Symbolic, spawned []int, err error) {
	u := newUnions(s, m)
	open := []int{u.number(nil)}
	found := map[int]bool{open[0]: true}
	seen := map[Diagram]bool{}
	start := u.single(0)
	var with []int
	for i := 0; i < len(open) && u.into.err == nil; i++ {
		with = append(with, u.union(open[i], start))
		for _, n := range u.into.Leaves(u.after(with[i]), seen) {
			if !found[n] {
				found[n] = true
				open = append(open, n)
			}
		}
	}
	all, err := u.automaton(append(open, with...))
	if err != nil {
		return nil, nil, err
	}
	class, out, err := all.classes(m)
	if err != nil {
		return nil, nil, err
	}
	// Classes are numbered by their first states, so those of open come first.
	for i := range open {
		if int(class[i]) == len(spawned) {
			spawned = append(spawned, int(class[len(open)+i]))
		}
	}
	return out, spawned, nil
}

// difference returns the smallest automaton whose states represent pairs of a state of other and
// a state of s; a pair accepts the words that the former accepts and the latter rejects. For each
// state a < n of s, begun[a] is the state of out for the pair of a and the start state of other.
func (s *Symbolic) difference(other *Symbolic, n int, m *meter.Meter) (out *Symbolic, begun []int, err error) {
	into := NewDiagrams(s.Letters(), m)
	p := newPairing(into, m)
	number := func(a, b int) int {
		if s.isAll(a) || other.isNone(b) {
			a, b = -1, -1 // the empty language
		}
		return p.number(a, b)
	}
	for a := range n {
		begun = append(begun, number(a, 0))
	}
	both := NewCombiner(s.diagrams, other.diagrams, into, number)
	out = &Symbolic{diagrams: into}
	for q := 0; q < len(p.states) && into.err == nil; q++ {
		a, b := p.states[q].a, p.states[q].b
		if a < 0 {
			out.accept = append(out.accept, false)
			out.next = append(out.next, Leaf(q))
			continue
		}
		out.accept = append(out.accept, !s.accept[a] && other.accept[b])
		out.next = append(out.next, both.Apply(s.next[a], other.next[b]))
	}
	if into.err != nil {
		return nil, nil, into.err
	}
	class, out, err := out.classes(m)
	if err != nil {
		return nil, nil, err
	}
	for i, q := range begun {
		begun[i] = int(class[q])
	}
	return out, begun, nil
}

// pairing numbers pairs of states in the order in which they are found. Each spends a
// state of the meter.
type pairing struct {
	numbers pairs
	states  []struct{ a, b int }
	into    *Diagrams
	m       *meter.Meter
}

func newPairing(into *Diagrams, m *meter.Meter) *pairing { return &pairing{into: into, m: m} }

func (p *pairing) number(a, b int) int {
	if n, ok := p.numbers.get(int32(a), int32(b)); ok {
		return int(n)
	}
	if err := p.m.Spend(meter.States, 1); err != nil {
		p.into.stop(err)
	}
	p.numbers.put(int32(a), int32(b), int32(len(p.states)))
	p.states = append(p.states, struct{ a, b int }{a, b})
	return len(p.states) - 1
}

// isNone and isAll report whether a state of a smallest automaton accepts no word, or
// every word.
func (s *Symbolic) isNone(q int) bool { return s.next[q] == Leaf(q) && !s.accept[q] }
func (s *Symbolic) isAll(q int) bool  { return s.next[q] == Leaf(q) && s.accept[q] }
