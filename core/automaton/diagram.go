package automaton

import (
	"math/bits"

	"github.com/stile-playground/stile/core/meter"
)

// Letters is an alphabet of valuations: a letter is the set of variables that hold.
type Letters struct {
	Variables int
	// Exclusive means that at most one variable holds in a letter.
	Exclusive bool
	// Closed, with Exclusive, means that exactly one variable holds in a letter. Diagrams
	// then never test the last variable: it holds if no other does.
	Closed bool
}

// Diagram is a function from letters to numbers from 0: an ordered decision
// diagram with many leaves (Fujita, McGeer and Yang 1997). It belongs to
// a [Diagrams], in which equal functions are equal diagrams.
//
// A negative number is a leaf, any other the index of a branch.
type Diagram int32

// Leaf returns the function that maps every letter to n.
func Leaf(n int) Diagram { return ^Diagram(n) }

// leaf returns the number of a leaf.
func (d Diagram) leaf() int { return int(^d) }

func (d Diagram) isLeaf() bool { return d < 0 }

// branch tests a variable. Over exclusive variables high is a leaf, because no other
// variable holds: a diagram is a list of the distinguished letters, and last is the leaf
// for all others.
type branch struct {
	variable  int32
	low, high Diagram
	last      Diagram
}

// Diagrams is a store of diagrams. The first error of its meter ends all work in it: later
// results of operations are meaningless, and Err returns the error.
type Diagrams struct {
	Letters
	nodes []branch
	table []int32 // the unique table: open addressing, index+1, 0 where free
	m     *meter.Meter
	err   error
}

// NewDiagrams returns an empty store. Each branch spends a state of the meter.
func NewDiagrams(letters Letters, m *meter.Meter) *Diagrams {
	return &Diagrams{Letters: letters, m: m}
}

// Err returns the error that ended the work, or nil.
func (s *Diagrams) Err() error { return s.err }

// stop ends all later work with an error.
func (s *Diagrams) stop(err error) {
	if s.err == nil {
		s.err = err
	}
}

// Holds returns the function that is one number where a variable holds and
// another where it does not.
func (s *Diagrams) Holds(variable, yes, no int) Diagram {
	if !s.Exclusive || !s.Closed || variable < s.Variables-1 {
		return s.branch(variable, Leaf(yes), Leaf(no))
	}
	d := Leaf(yes)
	for v := variable - 1; v >= 0; v-- {
		d = s.branch(v, Leaf(no), d)
	}
	return d
}

// branch returns the function that is high where a variable holds and low where
// it does not. Both test later variables only.
func (s *Diagrams) branch(variable int, high, low Diagram) Diagram {
	same := low
	if s.Exclusive {
		high, same = s.lastOf(high), s.lastOf(low)
	}
	if high == same {
		return low
	}
	if 2*len(s.nodes) >= len(s.table) {
		s.grow()
	}
	b := branch{variable: int32(variable), low: low, high: high, last: s.lastOf(low)}
	mask := len(s.table) - 1
	at := b.place(mask)
	for ; s.table[at] != 0; at = (at + 1) & mask {
		if s.nodes[s.table[at]-1] == b {
			return Diagram(s.table[at] - 1)
		}
	}
	if err := s.m.Spend(meter.States, 1); err != nil {
		s.stop(err)
		return low
	}
	s.nodes = append(s.nodes, b)
	s.table[at] = int32(len(s.nodes))
	return Diagram(len(s.nodes) - 1)
}

// lastOf returns the leaf of a diagram for a letter in which no tested variable holds.
func (s *Diagrams) lastOf(d Diagram) Diagram {
	if d.isLeaf() {
		return d
	}
	return s.nodes[d].last
}

// spread is 2^64 over the golden ratio. Multiplication by it moves close keys
// far apart (Knuth, The Art of Computer Programming, vol. 3, §6.4).
const spread = 0x9E3779B97F4A7C15

func (b branch) place(mask int) int {
	key := (uint64(uint32(b.low))<<32 | uint64(uint32(b.high))) * spread
	key = (key ^ key>>29 ^ uint64(b.variable)) * spread
	return int(key >> (64 - bits.Len(uint(mask))))
}

func (s *Diagrams) grow() {
	s.table = make([]int32, max(64, 2*len(s.table)))
	mask := len(s.table) - 1
	for i, b := range s.nodes {
		at := b.place(mask)
		for s.table[at] != 0 {
			at = (at + 1) & mask
		}
		s.table[at] = int32(i + 1)
	}
}

// Eval returns the number that a diagram has for a letter.
func (s *Diagrams) Eval(d Diagram, holds func(variable int) bool) int {
	for !d.isLeaf() {
		b := &s.nodes[d]
		if holds(int(b.variable)) {
			d = b.high
		} else {
			d = b.low
		}
	}
	return d.leaf()
}

// Leaves returns the numbers that a diagram has for some letter, except those in seen, to
// which it adds the diagrams that it visits.
func (s *Diagrams) Leaves(d Diagram, seen map[Diagram]bool) []int {
	var out []int
	var walk func(d Diagram)
	walk = func(d Diagram) {
		switch {
		case seen[d]:
		case d.isLeaf():
			seen[d] = true
			out = append(out, d.leaf())
		default:
			seen[d] = true
			walk(s.nodes[d].low)
			walk(s.nodes[d].high)
		}
	}
	walk(d)
	return out
}

// cofactors returns a diagram restricted to letters in which a variable does not hold, and
// to those in which it holds. The diagram tests no earlier variable.
func (s *Diagrams) cofactors(d Diagram, variable int32) (low, high Diagram) {
	if !d.isLeaf() && s.nodes[d].variable == variable {
		return s.nodes[d].low, s.nodes[d].high
	}
	if s.Exclusive {
		return d, s.lastOf(d)
	}
	return d, d
}

// variable returns the first variable that a diagram tests, or Variables for a leaf.
func (s *Diagrams) variable(d Diagram) int32 {
	if d.isLeaf() {
		return int32(s.Variables)
	}
	return s.nodes[d].variable
}

// Combiner combines diagrams of two stores into diagrams of a third, letter by letter, and
// caches the results.
type Combiner struct {
	left, right, into *Diagrams
	leaf              func(a, b int) int
	memo              pairs
}

// NewCombiner returns a combiner. The stores have the same letters and may be the
// same store. leaf combines two numbers, and must be deterministic.
func NewCombiner(left, right, into *Diagrams, leaf func(a, b int) int) *Combiner {
	return &Combiner{left: left, right: right, into: into, leaf: leaf}
}

// Apply combines two diagrams, in time proportional to the product of their
// sizes.
func (c *Combiner) Apply(a, b Diagram) Diagram {
	if c.into.err != nil {
		return Leaf(0)
	}
	if d, ok := c.memo.get(int32(a), int32(b)); ok {
		return Diagram(d)
	}
	var d Diagram
	if a.isLeaf() && b.isLeaf() {
		d = Leaf(c.leaf(a.leaf(), b.leaf()))
	} else {
		v := min(c.left.variable(a), c.right.variable(b))
		aLow, aHigh := c.left.cofactors(a, v)
		bLow, bHigh := c.right.cofactors(b, v)
		low := c.Apply(aLow, bLow)
		d = c.into.branch(int(v), c.Apply(aHigh, bHigh), low)
	}
	if err := c.into.m.Step(1); err != nil {
		c.into.stop(err)
	}
	c.memo.put(int32(a), int32(b), int32(d))
	return d
}

// pairs is a map from pairs of numbers to numbers: a hash table with open addressing,
// because combining diagrams spends most of its time in it.
type pairs struct {
	entries []pairEntry // a power of two
	count   int
}

type pairEntry struct {
	a, b, value int32
	used        bool
}

func pairPlace(a, b int32, mask int) int {
	key := (uint64(uint32(a))<<32 | uint64(uint32(b))) * spread
	return int((key ^ key>>31) * spread >> (64 - bits.Len(uint(mask))))
}

// find returns the entry of a pair, or the free one where it belongs.
func (p *pairs) find(a, b int32) *pairEntry {
	mask := len(p.entries) - 1
	at := pairPlace(a, b, mask)
	for p.entries[at].used && (p.entries[at].a != a || p.entries[at].b != b) {
		at = (at + 1) & mask
	}
	return &p.entries[at]
}

func (p *pairs) get(a, b int32) (int32, bool) {
	if p.count == 0 {
		return 0, false
	}
	e := p.find(a, b)
	return e.value, e.used
}

// put adds a pair that is not in the map.
func (p *pairs) put(a, b, value int32) {
	if 2*p.count >= len(p.entries) {
		old := p.entries
		p.entries = make([]pairEntry, max(64, 2*len(old)))
		for _, e := range old {
			if e.used {
				*p.find(e.a, e.b) = e
			}
		}
	}
	p.count++
	*p.find(a, b) = pairEntry{a, b, value, true}
}
