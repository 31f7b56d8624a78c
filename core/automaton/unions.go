package automaton

import (
	"slices"

	"github.com/stile-playground/stile/core/meter"
)

// unions are sets of states of a smallest automaton. A set represents the union of the
// languages of its states. Sets have numbers, which are the leaves of diagrams.
type unions struct {
	base     *Symbolic
	into     *Diagrams
	m        *meter.Meter
	sets     [][]int32 // sorted
	numbers  map[string]int
	either   *Combiner
	moved    func(Diagram) Diagram // a diagram of base with sets of one state as leaves
	included pairs                 // an inclusion for pairs of states
	assumed  []assumption          // of the current query
	open     []int                 // assumptions whose successors are not assumed yet
}

// assumption is a pair of states that a query assumes to be an inclusion, and the
// assumption that it follows from, -1 for that of the query itself.
type assumption struct {
	p, q   int32
	parent int
}

// An inclusion states whether the language of a state is included in that of another.
const (
	inclusionUnknown = iota
	inclusionAssumed // unless the current query finds a counterexample
	inclusionHolds
	inclusionFails
)

// maxInclusions bounds the reduction by inclusion. Beyond the bound the answer is no;
// sets that are not reduced are correct, too.
const maxInclusions = 1 << 19 // pairs of states, about 32 bytes each

func newUnions(base *Symbolic, m *meter.Meter) *unions {
	u := &unions{base: base, into: NewDiagrams(base.Letters(), m), m: m, numbers: map[string]int{}}
	u.either = NewCombiner(u.into, u.into, u.into, u.union)
	u.moved = base.mover(u.into, u.single)
	return u
}

// single returns the number of the set of one state. The set of a state that accepts
// nothing is empty.
func (u *unions) single(q int) int {
	if u.base.isNone(q) {
		return u.number(nil)
	}
	return u.number([]int32{int32(q)})
}

// number returns the number of a sorted set.
func (u *unions) number(set []int32) int {
	key := make([]byte, 0, 3*len(set))
	for _, q := range set {
		key = append(key, byte(q), byte(q>>8), byte(q>>16))
	}
	n, ok := u.numbers[string(key)]
	if !ok {
		n = len(u.sets)
		u.numbers[string(key)] = n
		u.sets = append(u.sets, set)
		if err := u.m.Spend(meter.States, int64(1+len(set)/16)); err != nil {
			u.into.stop(err)
		}
	}
	return n
}

// isAll reports whether a set is that of the state that accepts every word.
func (u *unions) isAll(n int) bool {
	set := u.sets[n]
	return len(set) == 1 && u.base.isAll(int(set[0]))
}

// union returns the number of the union of two sets, without states whose language is
// included in that of another one. Inclusion is costly, so it is decided only once there
// are many sets.
func (u *unions) union(a, b int) int {
	x, y := u.sets[a], u.sets[b]
	switch {
	case a == b || len(y) == 0 || u.isAll(a):
		return a
	case len(x) == 0 || u.isAll(b):
		return b
	}
	u.step(1 + (len(x)+len(y))/4)
	if len(u.sets) > u.base.NumStates()+64 {
		x, y = u.maximal(x, y), u.maximal(y, x)
	}
	all := slices.Concat(x, y)
	slices.Sort(all)
	return u.number(slices.Compact(all))
}

func (u *unions) step(n int) {
	if err := u.m.Step(n); err != nil {
		u.into.stop(err)
	}
}

// maximal returns the states of a set whose languages are not included in those of
// others.
func (u *unions) maximal(set, others []int32) []int32 {
	var out []int32
	for _, p := range set {
		if !slices.ContainsFunc(others, func(q int32) bool { return p != q && u.includes(p, q) }) {
			out = append(out, p)
		}
	}
	return out
}

// includes reports whether the language of state p is included in that of q. It assumes
// the inclusion, and searches the pairs of states that words lead to for a counterexample.
// The search has no recursion over states: a browser's stack ends at a few thousand calls.
func (u *unions) includes(p, q int32) bool {
	u.assumed, u.open = u.assumed[:0], u.open[:0]
	holds := u.assume(p, q, -1)
	for holds && len(u.open) > 0 {
		last := u.open[len(u.open)-1]
		u.open = u.open[:len(u.open)-1]
		a := u.assumed[last]
		holds = u.assumeAll(u.base.next[a.p], u.base.next[a.q], last)
	}
	// An assumption holds if no counterexample was found to any of those that it led to.
	for _, a := range u.assumed {
		e := u.included.find(a.p, a.q)
		switch {
		case e.value == inclusionFails:
		case holds:
			e.value = inclusionHolds
		default:
			e.value = inclusionUnknown
		}
	}
	return holds
}

// assume assumes that the language of p is included in that of q, unless the empty word
// or an earlier query refutes it. Then all assumptions that led to the pair fail.
func (u *unions) assume(p, q int32, parent int) bool {
	if p == q {
		return true
	}
	known, found := u.included.get(p, q)
	switch known {
	case inclusionHolds, inclusionAssumed:
		return true
	case inclusionUnknown:
		u.step(1)
		if (!u.base.accept[p] || u.base.accept[q]) && u.included.count < maxInclusions && u.into.err == nil {
			if !found {
				u.included.put(p, q, inclusionAssumed)
			}
			u.included.find(p, q).value = inclusionAssumed
			u.open = append(u.open, len(u.assumed))
			u.assumed = append(u.assumed, assumption{p, q, parent})
			return true
		}
	}
	for ; parent >= 0; parent = u.assumed[parent].parent {
		u.included.find(u.assumed[parent].p, u.assumed[parent].q).value = inclusionFails
	}
	return false
}

// assumeAll assumes inclusion for the states that two diagrams lead to, letter by letter.
func (u *unions) assumeAll(a, b Diagram, parent int) bool {
	switch {
	case a == b:
		return true
	case a.isLeaf() && b.isLeaf():
		return u.assume(int32(a.leaf()), int32(b.leaf()), parent)
	}
	u.step(1)
	s := u.base.diagrams
	v := min(s.variable(a), s.variable(b))
	aLow, aHigh := s.cofactors(a, v)
	bLow, bHigh := s.cofactors(b, v)
	return u.assumeAll(aLow, bLow, parent) && u.assumeAll(aHigh, bHigh, parent)
}

// after returns the function that maps each letter to the set that a set leads to.
func (u *unions) after(n int) Diagram {
	d := Leaf(u.number(nil))
	for _, q := range u.sets[n] {
		d = u.either.Apply(d, u.moved(u.base.next[q]))
	}
	return d
}

// accepts reports whether the union contains the empty word.
func (u *unions) accepts(n int) bool {
	return slices.ContainsFunc(u.sets[n], func(q int32) bool { return u.base.accept[q] })
}

// automaton returns the automaton of some sets and of all sets that they lead to. Its
// first states are the given sets, in their order.
func (u *unions) automaton(list []int) (*Symbolic, error) {
	number := map[int]int{}
	order := slices.Clone(list)
	for i, n := range order {
		if _, ok := number[n]; !ok {
			number[n] = i
		}
	}
	var next []Diagram
	seen := map[Diagram]bool{}
	for i := 0; i < len(order) && u.into.err == nil; i++ {
		next = append(next, u.after(order[i]))
		for _, n := range u.into.Leaves(next[i], seen) {
			if _, ok := number[n]; !ok {
				number[n] = len(order)
				order = append(order, n)
			}
		}
	}
	if u.into.err != nil {
		return nil, u.into.err
	}
	out := &Symbolic{diagrams: NewDiagrams(u.into.Letters, u.m)}
	moved := (&Symbolic{diagrams: u.into}).mover(out.diagrams, func(n int) int { return number[n] })
	for i, n := range order {
		out.next = append(out.next, moved(next[i]))
		out.accept = append(out.accept, u.accepts(n))
	}
	return out, out.diagrams.err
}
