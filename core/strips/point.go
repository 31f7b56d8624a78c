package strips

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// point is a state of a task: one bit for each fact, then one word for each number.
type point []uint64

// noNumber is the word of a number without a value.
const noNumber = uint64(1) << 63

func (s point) has(f int) bool { return s[f/64]&(1<<(f%64)) != 0 }

func (s point) set(f int, holds bool) {
	if holds {
		s[f/64] |= 1 << (f % 64)
	} else {
		s[f/64] &^= 1 << (f % 64)
	}
}

// words returns the number of words for the facts, at least one.
func (t *Task) words() int { return len(t.Facts)/64 + 1 }

func (t *Task) initial() point {
	s := make(point, t.words()+len(t.functions))
	for f, holds := range t.Init {
		s.set(f, holds)
	}
	for i, value := range t.start {
		s[t.words()+i] = noNumber
		if t.defined[i] {
			s[t.words()+i] = uint64(value)
		}
	}
	return s
}

func (t *Task) facts(s point) []bool {
	out := make([]bool, len(t.Facts))
	for f := range out {
		out[f] = s.has(f)
	}
	return out
}

// values returns the values of the functions in a state: "fuel a = 3".
func (t *Task) values(s point) []string {
	var out []string
	for i, name := range t.functions {
		if word := s[t.words()+i]; word != noNumber {
			out = append(out, strings.Trim(name, "()")+" = "+Decimal(int64(word)))
		}
	}
	return out
}

// value returns the value of an expression in a state.
func (t *Task) value(e *term, s point) (int64, fault) {
	if e.op == 0 {
		return e.value, valid
	}
	words := t.words()
	return e.evaluate(func(n int) (int64, bool) {
		word := s[words+n]
		return int64(word), word != noNumber
	})
}

// holds reports whether a test is true in a state.
func (t *Task) holds(c *test, s point) bool {
	switch c.op {
	case OpLiteral:
		return s.has(c.fact) != c.literal.Negated
	case OpCompare:
		left, failed := t.value(c.left, s)
		right, also := t.value(c.right, s)
		if max(failed, also) > undefined {
			t.imprecise = max(failed, also)
		}
		return failed == valid && also == valid && compare(c.compare, left, right)
	}
	for _, part := range c.parts {
		if t.holds(part, s) == (c.op == OpOr) {
			return c.op == OpOr
		}
	}
	return c.op == OpAnd
}

// executable reports whether an operator's precondition holds in a state.
func (t *Task) executable(s point, o *Operator) bool {
	for _, f := range o.Needs {
		if !s.has(f) {
			return false
		}
	}
	for _, f := range o.Forbids {
		if s.has(f) {
			return false
		}
	}
	for _, c := range o.tests {
		if !t.holds(c, s) {
			return false
		}
	}
	return true
}

// successor writes the state after an operator to next and returns the cost of the
// operator, which is 0 in a problem without a metric; ok is false if the operator is not
// executable.
func (t *Task) successor(s, next point, o *Operator) (cost int64, ok bool) {
	if !t.executable(s, o) {
		return 0, false
	}
	copy(next, s)
	for i := range o.changes {
		if !t.change(s, next, &o.changes[i]) {
			return 0, false
		}
	}
	for i := range o.costs {
		c := &o.costs[i]
		if c.test != nil && !t.holds(c.test, s) {
			continue
		}
		value, failed := t.value(c.value, s)
		if failed == valid {
			value, failed = scaled(value, int64(c.number), Unit)
		}
		if t.fails(failed) {
			return 0, false
		}
		cost += value
	}
	for _, c := range t.assigned {
		i := t.words() + c.number
		value, failed := scaled(int64(next[i])-int64(s[i]), c.factor, Unit)
		if t.fails(failed) {
			return 0, false
		}
		cost += value
	}
	for _, f := range o.Deletes {
		next.set(f, false)
	}
	for i := range o.when {
		if e := &o.when[i]; e.literal.Negated && t.holds(e.test, s) {
			next.set(e.fact, false)
		}
	}
	for _, f := range o.Adds {
		next.set(f, true)
	}
	for i := range o.when {
		if e := &o.when[i]; !e.literal.Negated && t.holds(e.test, s) {
			next.set(e.fact, true)
		}
	}
	t.derive(next)
	return cost, true
}

// fails reports whether a number has no value, and records the fault, because the search
// may then miss plans.
func (t *Task) fails(failed fault) bool {
	if failed > undefined {
		t.imprecise = failed
	}
	return failed != valid
}

// change applies an effect on a number, and reports whether the new number has a value.
func (t *Task) change(s, next point, c *change) bool {
	if c.test != nil && !t.holds(c.test, s) {
		return true
	}
	value, failed := t.value(c.value, s)
	if t.fails(failed) {
		return false
	}
	word := &next[t.words()+c.number]
	out, failed := applied(c.change, int64(*word), *word != noNumber, value)
	if t.fails(failed) {
		return false
	}
	*word = uint64(out)
	return true
}

// reached reports whether the goal is true in a state.
func (t *Task) reached(s point) bool {
	if t.Hopeless != "" {
		return false
	}
	for _, f := range t.Goal {
		if !s.has(f) {
			return false
		}
	}
	for _, f := range t.GoalNot {
		if s.has(f) {
			return false
		}
	}
	return !slices.ContainsFunc(t.goals, func(c *test) bool { return !t.holds(c, s) })
}

// errNegative reports a cost below 0.
func errNegative(o *Operator) error {
	return source.NewError("strips.metric", fmt.Sprintf("the cost of %s is negative; the minimum is 0", o.Step))
}

// points is a set of states in the order of their numbers.
type points struct {
	size  int
	words []uint64
	slots []int32 // an open hash table of numbers plus one
	count int
}

func newPoints(size int) *points { return &points{size: size, slots: make([]int32, 1024)} }

func (p *points) at(i int) point { return p.words[i*p.size : (i+1)*p.size : (i+1)*p.size] }

func hash(s point) uint64 {
	h := uint64(14695981039346656037)
	for _, w := range s {
		h = (h ^ w) * 0x9E3779B97F4A7C15
		h ^= h >> 29
	}
	return h
}

// find returns the number of a state, and whether the set contains it.
func (p *points) find(s point) (int, bool) {
	n := int(p.slots[p.slot(s)])
	return n - 1, n > 0
}

// add returns the number of a state, and whether it is new.
func (p *points) add(s point) (int, bool) {
	if 2*p.count >= len(p.slots) {
		p.slots = make([]int32, 2*len(p.slots))
		for i := range p.count {
			p.slots[p.slot(p.at(i))] = int32(i + 1)
		}
	}
	slot := p.slot(s)
	if n := p.slots[slot]; n > 0 {
		return int(n) - 1, false
	}
	p.words = append(p.words, s...)
	p.count++
	p.slots[slot] = int32(p.count)
	return p.count - 1, true
}

// slot returns the slot of a state, or a free one.
func (p *points) slot(s point) int {
	mask := len(p.slots) - 1
	i := int(hash(s)&math.MaxInt32) & mask
	for p.slots[i] > 0 && !slices.Equal(p.at(int(p.slots[i])-1), s) {
		i = (i + 1) & mask
	}
	return i
}
