package automaton

import (
	"fmt"

	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

// Symbolic is a complete deterministic automaton over valuations. The transitions of a
// state are one decision diagram, whose leaves are states, so the cost depends on the
// letters that are distinguished, not on all 2ⁿ (Henriksen et al., MONA, 1995; Duret-Lutz
// et al., CIAA 2025). Its start is state 0, and it is immutable.
type Symbolic struct {
	diagrams *Diagrams
	next     []Diagram // by state
	accept   []bool
}

// NewSymbolic returns the automaton with the given functions from letters to
// states, one for each state, and accepting states. The error is that of the
// store.
func NewSymbolic(diagrams *Diagrams, next []Diagram, accept []bool) (*Symbolic, error) {
	return &Symbolic{diagrams: diagrams, next: next, accept: accept}, diagrams.err
}

// Letters returns the alphabet.
func (s *Symbolic) Letters() Letters { return s.diagrams.Letters }

// NumStates returns the number of states.
func (s *Symbolic) NumStates() int { return len(s.accept) }

// Start returns the start state.
func (s *Symbolic) Start() int { return 0 }

// Accepting reports whether a state accepts.
func (s *Symbolic) Accepting(state int) bool { return s.accept[state] }

// Next returns the successor of a state for a letter.
func (s *Symbolic) Next(state int, holds func(variable int) bool) int {
	return s.diagrams.Eval(s.next[state], holds)
}

// Complement returns the automaton of all words that this one rejects.
func (s *Symbolic) Complement() *Symbolic {
	out := &Symbolic{diagrams: s.diagrams, next: s.next, accept: make([]bool, len(s.accept))}
	for q, accepts := range s.accept {
		out.accept[q] = !accepts
	}
	return out
}

// Product returns the product of two automata over the same letters, with reachable pairs
// only. combine returns whether a pair accepts, given whether each of its states does. It
// spends a state of the meter for each pair and each branch.
func (s *Symbolic) Product(other *Symbolic, combine func(a, b bool) bool, m *meter.Meter) (*Symbolic, error) {
	type pair struct{ a, b int }
	into := NewDiagrams(s.Letters(), m)
	out := &Symbolic{diagrams: into}
	var numbers pairs
	var states []pair
	number := func(a, b int) int {
		if n, ok := numbers.get(int32(a), int32(b)); ok {
			return int(n)
		}
		if err := m.Spend(meter.States, 1); err != nil {
			into.stop(err)
		}
		numbers.put(int32(a), int32(b), int32(len(states)))
		states = append(states, pair{a, b})
		return len(states) - 1
	}
	both := NewCombiner(s.diagrams, other.diagrams, into, number)
	number(0, 0)
	for q := 0; q < len(states) && into.err == nil; q++ {
		p := states[q]
		out.accept = append(out.accept, combine(s.accept[p.a], other.accept[p.b]))
		out.next = append(out.next, both.Apply(s.next[p.a], other.next[p.b]))
	}
	return out, into.err
}

// WithoutEmpty returns an automaton for the same language without the empty word. It is
// the smallest if this one is: it has an additional rejecting state with the transitions
// of the start, unless there is such a state.
func (s *Symbolic) WithoutEmpty() *Symbolic {
	if !s.accept[0] {
		return s
	}
	start := -1
	for q, d := range s.next {
		if d == s.next[0] && !s.accept[q] {
			start = q
			break
		}
	}
	out := s
	if start < 0 {
		start = len(s.next)
		out = &Symbolic{
			diagrams: s.diagrams,
			next:     append(s.next[:start:start], s.next[0]),
			accept:   append(s.accept[:start:start], false),
		}
	}
	return out.renumbered(out.reachable(start))
}

// renumbered returns the automaton of the states in order, which must not lead to other
// states. The state at index i of order becomes state i, so the first becomes the start.
func (s *Symbolic) renumbered(order []int) *Symbolic {
	number := make([]int, s.NumStates())
	for i, q := range order {
		number[q] = i
	}
	into := NewDiagrams(s.Letters(), nil)
	moved := s.mover(into, func(state int) int { return number[state] })
	out := &Symbolic{diagrams: into}
	for _, q := range order {
		out.next = append(out.next, moved(s.next[q]))
		out.accept = append(out.accept, s.accept[q])
	}
	return out
}

// mover returns a function that copies diagrams into another store and gives
// their leaves new numbers.
func (s *Symbolic) mover(into *Diagrams, number func(state int) int) func(Diagram) Diagram {
	copies := make([]Diagram, len(s.diagrams.nodes))
	known := make([]bool, len(s.diagrams.nodes))
	var move func(d Diagram) Diagram
	move = func(d Diagram) Diagram {
		if d.isLeaf() {
			return Leaf(number(d.leaf()))
		}
		if !known[d] {
			b := s.diagrams.nodes[d]
			low := move(b.low)
			copies[d], known[d] = into.branch(int(b.variable), move(b.high), low), true
		}
		return copies[d]
	}
	return move
}

// Minimize returns the smallest complete automaton of the same language, its
// states in the order in which a breadth-first walk finds them. Classes of states are
// refined until none is split (Moore 1956); a round takes time linear in all diagrams
// together. If the variables are exclusive, there are few letters, and a table of transitions is minimized.
func (s *Symbolic) Minimize(m *meter.Meter) (*Symbolic, error) {
	if s.Letters().Exclusive {
		return s.minimizeTable(m)
	}
	_, out, err := s.refined(s.reachable(0), m)
	return out, err
}

// refined returns the equivalence classes of the states in order, which must not lead to other
// states, and the automaton of the classes. Classes are numbered by their first states.
func (s *Symbolic) refined(order []int, m *meter.Meter) (class []int32, out *Symbolic, err error) {
	if err := m.Spend(meter.States, int64(len(order))); err != nil {
		return nil, nil, err
	}
	class = make([]int32, s.NumStates())
	classes := 1
	for _, q := range order {
		if s.accept[q] != s.accept[order[0]] {
			class[q], classes = 1, 2
		}
	}
	for {
		// The branches of a round are released after it, so only the steps of the round are
		// charged, not the nodes.
		into := NewDiagrams(s.Letters(), nil)
		moved := s.mover(into, func(state int) int { return int(class[state]) })
		next := make([]int32, s.NumStates())
		out = &Symbolic{diagrams: into}
		var numbers pairs
		for _, q := range order {
			d := moved(s.next[q])
			n, known := numbers.get(class[q], int32(d))
			if !known {
				n = int32(len(out.next))
				numbers.put(class[q], int32(d), n)
				out.next = append(out.next, d)
				out.accept = append(out.accept, s.accept[q])
			}
			next[q] = n
		}
		if err := m.Step(1 + len(order) + len(into.nodes)); err != nil {
			return nil, nil, err
		}
		// Classes are numbered by their first state. If no class was split, the classes
		// of this round equal those of the last, including their numbers.
		if len(out.next) == classes {
			return class, out, nil
		}
		class, classes = next, len(out.next)
	}
}

// classes returns the class of each state and the automaton of the classes.
func (s *Symbolic) classes(m *meter.Meter) ([]int32, *Symbolic, error) {
	order := make([]int, s.NumStates())
	for q := range order {
		order[q] = q
	}
	return s.refined(order, m)
}

// minimizeTable minimizes an automaton over exclusive variables as a table, with a letter
// for each variable that is tested and one for all others.
func (s *Symbolic) minimizeTable(m *meter.Meter) (*Symbolic, error) {
	column := make([]int, s.Letters().Variables)
	var asked []int
	for _, b := range s.diagrams.nodes {
		column[b.variable] = 1
	}
	for v, is := range column {
		if is > 0 {
			column[v] = len(asked)
			asked = append(asked, v)
		}
	}
	k := len(asked) + 1
	d := &DFA{letters: k, accept: s.accept, next: make([]int32, 0, s.NumStates()*k)}
	for _, root := range s.next {
		row := len(d.next)
		last := s.diagrams.lastOf(root).leaf()
		for range k {
			d.next = append(d.next, int32(last))
		}
		for ; !root.isLeaf(); root = s.diagrams.nodes[root].low {
			b := s.diagrams.nodes[root]
			d.next[row+column[b.variable]] = int32(b.high.leaf())
		}
	}
	small, err := d.Minimize(m)
	if err != nil {
		return nil, err
	}
	out := small.Symbolic(s.Letters(), asked)
	// Variables that distinguish nothing any more must not influence the order.
	return out.renumbered(out.reachable(0)), nil
}

// Symbolic returns the automaton over valuations that reads the letter i where variables[i] holds and
// none before it, and the last letter where none of them holds. The variables are in ascending order.
func (d *DFA) Symbolic(letters Letters, variables []int) *Symbolic {
	into := NewDiagrams(letters, nil)
	out := &Symbolic{diagrams: into, accept: d.accept}
	for q := range d.accept {
		list := Leaf(d.Next(q, len(variables)))
		for i := len(variables) - 1; i >= 0; i-- {
			list = into.branch(variables[i], Leaf(d.Next(q, i)), list)
		}
		out.next = append(out.next, list)
	}
	return out
}

// reachable returns the states that words lead to from a state, in breadth-first
// order: of two letters first the one in which the first variable on which they
// differ does not hold; of exclusive variables first those that hold, in their order.
func (s *Symbolic) reachable(start int) []int {
	found := make([]bool, s.NumStates())
	seen := make([]bool, len(s.diagrams.nodes))
	order := []int{start}
	found[start] = true
	var visit func(d Diagram)
	visit = func(d Diagram) {
		switch {
		case d.isLeaf():
			if q := d.leaf(); !found[q] {
				found[q] = true
				order = append(order, q)
			}
		case !seen[d]:
			seen[d] = true
			first, second := s.diagrams.nodes[d].low, s.diagrams.nodes[d].high
			if s.Letters().Exclusive {
				first, second = second, first
			}
			visit(first)
			visit(second)
		}
	}
	for i := 0; i < len(order); i++ {
		visit(s.next[order[i]])
	}
	return order
}

// Distances returns, by state, the length of a shortest word that leads from it
// to an accepting state, or -1 where none does: such a state is dead.
func (s *Symbolic) Distances() []int {
	// Diagrams are shared, so the predecessors of a node are the same for all states, and one
	// backward walk over the diagrams finds all distances. The nodes of the walk are states, then
	// branches. An edge from a state to the root of its diagram is a step; other edges are not.
	n := s.NumStates()
	node := func(d Diagram) int {
		if d.isLeaf() {
			return d.leaf()
		}
		return n + int(d)
	}
	before := make([][]int32, n+len(s.diagrams.nodes)) // branches that lead here
	roots := make([][]int32, n+len(s.diagrams.nodes))  // states whose diagram this is
	for i, b := range s.diagrams.nodes {
		before[node(b.low)] = append(before[node(b.low)], int32(n+i))
		before[node(b.high)] = append(before[node(b.high)], int32(n+i))
	}
	for q, d := range s.next {
		roots[node(d)] = append(roots[node(d)], int32(q))
	}
	distance := make([]int, n)
	var level []int32
	for q := range distance {
		distance[q] = -1
		if s.accept[q] {
			distance[q] = 0
			level = append(level, int32(q))
		}
	}
	seen := make([]bool, len(before))
	for steps := 1; len(level) > 0; steps++ {
		var next []int32
		for i := 0; i < len(level); i++ { // grows by branches
			at := level[i]
			for _, q := range roots[at] {
				if distance[q] < 0 {
					distance[q] = steps
					next = append(next, q)
				}
			}
			for _, b := range before[at] {
				if !seen[b] {
					seen[b] = true
					level = append(level, b)
				}
			}
		}
		level = next
	}
	return distance
}

// Shortest returns a shortest accepted word: for each letter a minimal set of true
// variables. ok is false if there is none.
func (s *Symbolic) Shortest() (word [][]int, ok bool) {
	distance := s.Distances()
	if distance[0] < 0 {
		return nil, false
	}
	word = [][]int{}
	for q := 0; !s.accept[q]; {
		letter, to := s.letterTo(s.next[q], func(state int) bool { return distance[state] == distance[q]-1 })
		word = append(word, letter)
		q = to
	}
	return word, true
}

// letterTo returns the first letter that leads to a wanted state. In the order of letters
// a variable that does not hold precedes one that holds.
func (s *Symbolic) letterTo(d Diagram, wanted func(state int) bool) (letter []int, state int) {
	bad := make(map[Diagram]bool)
	letter = []int{}
	var walk func(d Diagram) bool
	walk = func(d Diagram) bool {
		if d.isLeaf() {
			state = d.leaf()
			return wanted(state)
		}
		if bad[d] {
			return false
		}
		b := s.diagrams.nodes[d]
		if walk(b.low) {
			return true
		}
		letter = append(letter, int(b.variable))
		if walk(b.high) {
			return true
		}
		letter = letter[:len(letter)-1]
		bad[d] = true
		return false
	}
	walk(d)
	if l := s.Letters(); l.Exclusive && l.Closed && len(letter) == 0 {
		letter = append(letter, l.Variables-1)
	}
	return letter, state
}

// MaxExplicit is the largest table that [Symbolic.Explicit] makes.
const MaxExplicit = 1 << 22

// Explicit returns the automaton as a table with a row of next states for each state. The states
// keep their numbers. The letters are numbered from 0 to n-1; holds reports whether a variable
// holds in a letter. The error has code "limit.table" above [MaxExplicit] entries.
func (s *Symbolic) Explicit(n int, holds func(letter, variable int) bool) (*DFA, error) {
	if s.NumStates()*n > MaxExplicit {
		return nil, source.NewError("limit.table", fmt.Sprintf("a table of %d states and %d letters has more than %d entries", s.NumStates(), n, MaxExplicit))
	}
	d := &DFA{letters: n, accept: s.accept, next: make([]int32, 0, s.NumStates()*n)}
	for q := range s.accept {
		for letter := range n {
			d.next = append(d.next, int32(s.Next(q, func(v int) bool { return holds(letter, v) })))
		}
	}
	return d, nil
}
