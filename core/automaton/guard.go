package automaton

import (
	"sort"

	"github.com/stile-playground/stile/core/meter"
)

// Literal is a variable or its negation.
type Literal struct {
	Variable int
	Negated  bool
}

// Cube is a conjunction of literals, a condition on letters. Every letter satisfies the
// empty cube.
type Cube []Literal

// Transition leads from a state to another for the letters that satisfy one of the cubes
// of its guard.
type Transition struct {
	To    int
	Guard []Cube
}

// MaxCubes is the maximal number of cubes that [Symbolic.Transitions] returns for a state.
const MaxCubes = 4096

// Transitions returns the transitions of a state, with successors in increasing order. The
// guards are irredundant sums of products (Minato 1993): neither a cube nor a
// literal of a cube can be left out. ok is false if they would have more than [MaxCubes] cubes, or if a limit
// of the meter was reached. It spends a step for each branch and each successor, and 50
// for each cube.
func (s *Symbolic) Transitions(state int, m *meter.Meter) ([]Transition, bool) {
	d := s.next[state]
	if m.Step(1+len(s.diagrams.nodes)/16) != nil {
		return nil, false
	}
	if !s.Letters().Exclusive {
		// Each guard iterates over all branches: a state has few.
		into := NewDiagrams(s.Letters(), nil)
		d = s.mover(into, func(to int) int { return to })(d)
		s = &Symbolic{diagrams: into}
	}
	var out []Transition
	room := MaxCubes
	targets := s.diagrams.Leaves(d, map[Diagram]bool{})
	sort.Slice(targets, func(a, b int) bool { return targets[a] < targets[b] })
	for _, to := range targets {
		t := Transition{To: to}
		if s.Letters().Exclusive {
			t.Guard = s.list(d, to)
			room -= len(t.Guard)
		} else {
			t.Guard, room = s.cover(d, to, room, m)
		}
		if room < 0 || m.Step(len(s.diagrams.nodes)+50*len(t.Guard)) != nil {
			return nil, false
		}
		out = append(out, t)
	}
	return out, true
}

// list returns the guard of a state in a diagram over exclusive variables: the
// variables that lead there, or, where all others do, the negation of those that
// do not.
func (s *Symbolic) list(d Diagram, to int) []Cube {
	var single []Cube
	rest := Cube{}
	for !d.isLeaf() {
		b := s.diagrams.nodes[d]
		if b.high == Leaf(to) {
			single = append(single, Cube{{Variable: int(b.variable)}})
		} else {
			rest = append(rest, Literal{Variable: int(b.variable), Negated: true})
		}
		d = b.low
	}
	if d == Leaf(to) {
		return []Cube{rest}
	}
	return single
}

// cover returns an irredundant sum of products for the letters with which a diagram
// leads to a state, and the number of cubes that may still be added; a negative number
// means that the sum is incomplete.
func (s *Symbolic) cover(d Diagram, to, room int, m *meter.Meter) ([]Cube, int) {
	scratch := NewDiagrams(s.Letters(), m)
	is := s.mover(scratch, func(state int) int {
		if state == to {
			return 1
		}
		return 0
	})(d)
	c := coverer{
		s:      scratch,
		and:    NewCombiner(scratch, scratch, scratch, func(a, b int) int { return a & b }),
		or:     NewCombiner(scratch, scratch, scratch, func(a, b int) int { return a | b }),
		andNot: NewCombiner(scratch, scratch, scratch, func(a, b int) int { return a &^ b }),
		room:   room,
	}
	cubes, _ := c.between(is, is)
	if scratch.err != nil {
		return nil, -1
	}
	return cubes, c.room
}

// coverer makes covers of functions whose leaves are 0 and 1.
type coverer struct {
	s               *Diagrams
	and, or, andNot *Combiner
	room            int
}

// between returns cubes that cover at least one function and at most another, and the
// function that they cover (Minato and Morreale).
func (c *coverer) between(least, most Diagram) ([]Cube, Diagram) {
	switch {
	case least == Leaf(0) || c.room < 0 || c.s.err != nil:
		return nil, Leaf(0)
	case most == Leaf(1):
		c.room--
		return []Cube{{}}, Leaf(1)
	}
	v := min(c.s.variable(least), c.s.variable(most))
	least0, least1 := c.s.cofactors(least, v)
	most0, most1 := c.s.cofactors(most, v)
	low, covers0 := c.between(c.andNot.Apply(least0, most1), most0)
	high, covers1 := c.between(c.andNot.Apply(least1, most0), most1)
	left := c.or.Apply(c.andNot.Apply(least0, covers0), c.andNot.Apply(least1, covers1))
	free, covers := c.between(left, c.and.Apply(most0, most1))
	var out []Cube
	for _, cube := range high {
		out = append(out, append(Cube{{Variable: int(v)}}, cube...))
	}
	for _, cube := range low {
		out = append(out, append(Cube{{Variable: int(v), Negated: true}}, cube...))
	}
	out = append(out, free...)
	return out, c.s.branch(int(v), c.or.Apply(covers1, covers), c.or.Apply(covers0, covers))
}
