package strips

import "github.com/stile-playground/stile/core/meter"

// estimate computes a lower bound of the cost to the goal from any state: landmark cuts
// (Helmert and Domshlak 2009) in the relaxation in which no literal that became true
// becomes false again. Compound conditions become literals that follow from their parts
// without cost. The conditional effects of an operator become separate relaxed operators,
// which share its cost: a cut reduces the cost of all of them (Röger, Pommerening and
// Helmert 2014).
type estimate struct {
	t     *Task
	goal  int32
	tests []watched // comparisons, which are literals

	// By relaxed operator.
	needs, adds        [][]int32
	owner              []int32 // the operator; -1 for a condition or the goal, without cost
	missing, supporter []int32

	// By literal. Literal 2f is a fact and 2f+1 its negation.
	needing, adders [][]int32
	depth           []int64
	done            []bool
	zone, before    []bool

	base, cost []int64 // by operator
	stamp      []int32 // by operator: the round of the last cut that contains it
	round      int32
	queue      deep
	changed    map[int][]int32 // by number: the comparisons that contain it
}

type watched struct {
	test    *test
	literal int32
}

const unreachable = int64(1) << 61

func (t *Task) estimate(costs []int64) *estimate {
	e := &estimate{t: t, base: costs, cost: make([]int64, len(costs)), stamp: make([]int32, len(costs)), changed: map[int][]int32{}}
	for range 2*len(t.Facts) + 1 { // the last one is always true
		e.literal()
	}
	e.goal = e.literal()
	top := int32(2 * len(t.Facts))
	needs := make([][]int32, len(t.Operators))
	effects := make([][]int32, 0)
	for i := range t.Operators {
		o := &t.Operators[i]
		needs[i] = e.conjunction(o.Needs, o.Forbids, o.tests)
		for j := range o.when {
			effects = append(effects, append(e.of(o.when[j].test, nil), needs[i]...))
		}
	}
	goal := e.conjunction(t.Goal, t.GoalNot, t.goals)
	e.axioms()
	// Now all comparisons are literals.
	next := 0
	for i := range t.Operators {
		o := &t.Operators[i]
		var adds []int32
		for _, f := range o.Adds {
			adds = append(adds, int32(2*f))
		}
		for _, f := range o.Deletes {
			adds = append(adds, int32(2*f+1))
		}
		for _, c := range o.changes {
			adds = append(adds, e.changed[c.number]...)
		}
		e.add(int32(i), needs[i], adds)
		for j := range o.when {
			w := &o.when[j]
			e.add(int32(i), effects[next], []int32{literalOf(w.fact, w.literal.Negated)})
			next++
		}
	}
	e.add(-1, goal, []int32{e.goal})
	for i, list := range e.needs {
		if len(list) == 0 {
			e.needs[i] = []int32{top}
		}
		for _, l := range e.needs[i] {
			e.needing[l] = append(e.needing[l], int32(i))
		}
		for _, l := range e.adds[i] {
			e.adders[l] = append(e.adders[l], int32(i))
		}
	}
	e.missing, e.supporter = make([]int32, len(e.needs)), make([]int32, len(e.needs))
	return e
}

func (e *estimate) literal() int32 {
	e.needing, e.adders = append(e.needing, nil), append(e.adders, nil)
	e.depth, e.done, e.zone, e.before = append(e.depth, 0), append(e.done, false), append(e.zone, false), append(e.before, false)
	return int32(len(e.depth) - 1)
}

// literalOf returns the literal of a fact or of its negation.
func literalOf(fact int, negated bool) int32 {
	if negated {
		return int32(2*fact + 1)
	}
	return int32(2 * fact)
}

func (e *estimate) add(owner int32, needs, adds []int32) {
	e.needs, e.adds, e.owner = append(e.needs, needs), append(e.adds, adds), append(e.owner, owner)
}

func (e *estimate) conjunction(positive, negative []int, tests []*test) (out []int32) {
	for _, l := range literals(positive, negative) {
		out = append(out, int32(l))
	}
	for _, t := range tests {
		out = e.of(t, out)
	}
	return out
}

// of adds the literals that a test needs.
func (e *estimate) of(t *test, out []int32) []int32 {
	switch t.op {
	case OpLiteral:
		return append(out, literalOf(t.fact, t.literal.Negated))
	case OpAnd:
		for _, part := range t.parts {
			out = e.of(part, out)
		}
		return out
	}
	l := e.literal()
	if t.op == OpCompare {
		e.tests = append(e.tests, watched{t, l})
		for _, side := range []*term{t.left, t.right} {
			side.functions(func(f *term) { e.changed[f.number] = append(e.changed[f.number], l) })
		}
	}
	if t.op == OpOr {
		for _, part := range t.parts {
			e.add(-1, e.of(part, nil), []int32{l})
		}
	}
	return append(out, l)
}

// deep is a heap of literals by their depth.
type deep []reachedAt

type reachedAt struct {
	depth   int64
	literal int32
}

func (q *deep) push(x reachedAt) {
	*q = append(*q, x)
	h := *q
	for i := len(h) - 1; i > 0; {
		up := (i - 1) / 2
		if h[up].depth <= h[i].depth {
			return
		}
		h[up], h[i] = h[i], h[up]
		i = up
	}
}

func (q *deep) pop() reachedAt {
	h := *q
	top := h[0]
	h[0] = h[len(h)-1]
	h = h[:len(h)-1]
	*q = h
	for i := 0; ; {
		least := i
		for _, down := range [2]int{2*i + 1, 2*i + 2} {
			if down < len(h) && h[down].depth < h[least].depth {
				least = down
			}
		}
		if least == i {
			return top
		}
		h[least], h[i] = h[i], h[least]
		i = least
	}
}

// bound returns a lower bound of the cost from a state to the goal, or unreachable.
func (e *estimate) bound(s point, m *meter.Meter) (int64, error) {
	copy(e.cost, e.base)
	total := int64(0)
	for {
		if err := m.Step(len(e.needs)/4 + len(e.depth)/4); err != nil {
			return 0, err
		}
		e.reach(s)
		switch e.depth[e.goal] {
		case unreachable:
			return unreachable, nil
		case 0:
			return total, nil
		}
		total += e.cut(s)
	}
}

// starts calls visit for the literals that are true in a state.
func (e *estimate) starts(s point, visit func(int32)) {
	for f := range e.t.Facts {
		if s.has(f) {
			visit(int32(2 * f))
		} else {
			visit(int32(2*f + 1))
		}
	}
	visit(int32(2 * len(e.t.Facts)))
	for _, w := range e.tests {
		if e.t.holds(w.test, s) {
			visit(w.literal)
		}
	}
}

func (e *estimate) price(operator int32) int64 {
	if owner := e.owner[operator]; owner >= 0 {
		return e.cost[owner]
	}
	return 0
}

// reach computes the depth of each literal and the supporter of each relaxed operator,
// which is the deepest literal that the operator needs.
func (e *estimate) reach(s point) {
	for l := range e.depth {
		e.depth[l], e.done[l] = unreachable, false
	}
	for i, list := range e.needs {
		e.missing[i] = int32(len(list))
	}
	e.queue = e.queue[:0]
	e.starts(s, func(l int32) {
		e.depth[l] = 0
		e.queue.push(reachedAt{0, l})
	})
	for len(e.queue) > 0 {
		x := e.queue.pop()
		if e.done[x.literal] {
			continue
		}
		e.done[x.literal] = true
		for _, o := range e.needing[x.literal] {
			if e.missing[o]--; e.missing[o] > 0 {
				continue
			}
			e.supporter[o] = x.literal
			depth := x.depth + e.price(o)
			for _, l := range e.adds[o] {
				if depth < e.depth[l] {
					e.depth[l] = depth
					e.queue.push(reachedAt{depth, l})
				}
			}
		}
	}
}

// cut finds a set of operators such that every plan of the relaxation contains one of
// them. It subtracts the least cost in the set from the cost of each, and returns this
// least cost.
func (e *estimate) cut(s point) int64 {
	clear(e.zone)
	clear(e.before)
	e.zone[e.goal] = true
	list := []int32{e.goal}
	for len(list) > 0 {
		l := list[len(list)-1]
		list = list[:len(list)-1]
		for _, o := range e.adders[l] {
			if e.missing[o] > 0 || e.price(o) > 0 || e.zone[e.supporter[o]] {
				continue
			}
			e.zone[e.supporter[o]] = true
			list = append(list, e.supporter[o])
		}
	}
	e.round++
	var owners []int32
	least := unreachable
	e.starts(s, func(l int32) {
		e.before[l] = true
		list = append(list, l)
	})
	for len(list) > 0 {
		l := list[len(list)-1]
		list = list[:len(list)-1]
		for _, o := range e.needing[l] {
			if e.missing[o] > 0 || e.supporter[o] != l {
				continue
			}
			enters := false
			for _, added := range e.adds[o] {
				enters = enters || e.zone[added]
			}
			if enters {
				least = min(least, e.price(o))
				if owner := e.owner[o]; owner >= 0 && e.stamp[owner] != e.round {
					e.stamp[owner] = e.round
					owners = append(owners, owner)
				}
				continue
			}
			for _, added := range e.adds[o] {
				if !e.before[added] {
					e.before[added] = true
					list = append(list, added)
				}
			}
		}
	}
	for _, o := range owners {
		e.cost[o] -= least
	}
	return least
}
