package rules

import (
	"github.com/stile-playground/stile/core/exact"
	"github.com/stile-playground/stile/core/source"
)

const (
	// maxState bounds the rows, members and conditions of a rule: about 200 bytes each.
	maxState = 1_000_000
	// maxSteps bounds the work for one event.
	maxSteps = 20_000_000
)

// limit returns an error of the code limit.rules.
func limit(message string) error { return source.NewError("limit.rules", message) }

var (
	errState = limit("the state of the rule has more than 1000000 entries; add windows to its operators")
	errSteps = limit("the rule needs more than 20000000 steps for one event; bind its variables by atoms")
)

// machine judges an event by one rule after the other: the rule with its state, and the assignment of its variables.
type machine struct {
	monitor *Monitor
	*code
	*status
	err     error // ends the rule
	env     [maxVariables]*Value
	known   set
	event   *Event
	index   int
	time    Decimal
	steps   int
	key     []byte // of a look-up; its memory is reused, as that of one
	one     [1]*bucket
	trail   []int    // the indices of the events of the rows that the present solution depends on
	journal *journal // of a trial; nil: changes are final
}

// machine returns a machine for an event of the monitor.
func (m *Monitor) machine(e *Event, time Decimal, j *journal) *machine {
	out, _ := m.code.machines.Get().(*machine)
	if out == nil {
		out = &machine{}
	}
	out.monitor, out.event, out.index, out.time, out.journal = m, e, m.events, time, j
	return out
}

// release makes the machine available for other events.
func (m *machine) release() {
	to := &m.monitor.code.machines
	*m = machine{key: m.key, trail: m.trail[:0]}
	to.Put(m)
}

func (m *machine) fail(err error) {
	if m.err == nil {
		m.err = err
	}
}

func (m *machine) step(n int) {
	if m.steps += n; m.steps > maxSteps {
		m.fail(errSteps)
	}
}

func (m *machine) grow(n int) {
	if m.size += int32(n); m.size > maxState {
		m.fail(errState)
	}
}

// end returns the last time at which the present event lies in a window.
func (m *machine) end(w *Window) Decimal {
	out, err := m.time.Add(w.Seconds)
	if err != nil {
		m.fail(err)
	}
	return out
}

func (m *machine) set(v int, value *Value) {
	m.env[v] = value
	m.known |= 1 << v
}

func (m *machine) forget(vars set) {
	m.known &^= vars
	vars.each(func(i int) { m.env[i] = nil })
}

func (m *machine) valuesOf(columns []int) []*Value {
	out := make([]*Value, len(columns))
	for i, column := range columns {
		out[i] = m.env[column].Kept()
	}
	return out
}

// solve calls yield for each extension of the assignment under which a formula holds at the present
// event, with the condition that the variables without a value must satisfy. The extensions assign
// values to the variables that the formula binds, and may assign values to others. solve returns
// false as soon as yield returns false.
func (m *machine) solve(n *node, yield func(c *cond) bool) bool {
	if m.step(1); m.err != nil {
		return false
	}
	switch n.op {
	case nodeAtom:
		before := m.known
		ok := !m.match(n.atom) || yield(condTrue)
		m.forget(m.known &^ before)
		return ok
	case nodeCompare:
		return yieldUnlessFalse(m.compare(n.relation, n.terms[0], n.terms[1]), yield)
	case nodeNot:
		return yieldUnlessFalse(condNot(m.condition(n.kids[0])), yield)
	case nodeAnd:
		return m.all(n, m.order(n), condTrue, yield)
	case nodeOr:
		for _, k := range n.kids {
			if !m.solve(k, yield) {
				return false
			}
		}
		return true
	case nodeExists:
		return m.some(n, yield)
	case nodeTable:
		return m.query(n.table, func(r *row) *cond { return m.resolve(r.cond) }, yield)
	case nodeSince:
		return m.query(n.table, func(r *row) *cond {
			c := m.resolve(r.cond)
			if c == condFalse || n.kills == nil {
				return c
			}
			return condAnd(c, condNot(m.exists(n.kills, r.index)))
		}, yield)
	}
	// historically: the operand holds at the present event, and its negation at no earlier one
	if n.binds&^m.known == 0 {
		return yieldUnlessFalse(condNot(m.exists(n.table, -1)), yield)
	}
	return m.solve(n.kids[0], func(c *cond) bool {
		return yieldUnlessFalse(condAnd(m.resolve(c), condNot(m.exists(n.table, -1))), yield)
	})
}

func yieldUnlessFalse(c *cond, yield func(c *cond) bool) bool { return c == condFalse || yield(c) }

// some solves a quantified formula and forgets its variables.
func (m *machine) some(n *node, yield func(c *cond) bool) bool {
	ok := true
	before := m.known
	m.solve(n.kids[0], func(c *cond) bool {
		c = m.resolve(c)
		var saved [maxVariables]*Value
		locals := n.locals & m.known
		locals.each(func(i int) { saved[i] = m.env[i] })
		m.forget(locals)
		certain := c == condTrue && m.known == before
		ok = yieldUnlessFalse(c, yield)
		locals.each(func(i int) { m.set(i, saved[i]) })
		return ok && !certain // one witness is enough
	})
	return ok
}

// condition returns the condition under which a formula holds.
func (m *machine) condition(n *node) *cond {
	out := condFalse
	before := m.known
	m.solve(n, func(c *cond) bool {
		out = condOr(out, condAnd(m.resolve(c), m.equalities(before)))
		return out != condTrue && m.err == nil
	})
	return out
}

// maxDeep is the number of parts after which a conjunction evaluates parts without new values in a
// loop instead of recursion, which the small stack of a browser bounds.
const maxDeep = 32

// all solves the parts of a conjunction that order lists, in this order. c is the condition
// of the parts that were solved before.
func (m *machine) all(n *node, order plan, c *cond, yield func(c *cond) bool) bool {
	before := m.known
	ok := m.allFrom(n, order, c, yield)
	m.forget(m.known &^ before)
	return ok
}

func (m *machine) allFrom(n *node, order plan, c *cond, yield func(c *cond) bool) bool {
	for i, index := range order {
		var part *cond
		switch k := n.kids[index]; {
		case k.op == nodeAtom:
			m.step(1)
			if part = condFalse; m.match(k.atom) {
				part = condTrue
			}
		case k.op == nodeCompare:
			part = m.compare(k.relation, k.terms[0], k.terms[1])
		case k.op == nodeNot:
			part = condNot(m.condition(k.kids[0]))
		case k.binds&^m.known == 0 && len(n.kids) > maxDeep:
			part = m.condition(k)
		default:
			return m.split(n, k, order[i+1:], c, yield)
		}
		if part == condFalse || m.err != nil {
			return m.err == nil
		}
		c = condAnd(c, part)
	}
	return yieldUnlessFalse(m.resolve(c), yield)
}

// split solves a part of a conjunction, and the rest for each of its solutions. It is a function of its own so that only parts
// with several solutions need memory.
func (m *machine) split(n, part *node, rest plan, c *cond, yield func(c *cond) bool) bool {
	return m.solve(part, func(also *cond) bool { return m.all(n, rest, condAnd(c, also), yield) })
}

// order returns the order in which the parts of a conjunction are solved: at each step the part
// with the lowest cost, given the variables that the parts before it bind (see costOf).
func (m *machine) order(n *node) plan {
	n.orders.mu.Lock()
	defer n.orders.mu.Unlock()
	if p, ok := n.orders.of[m.known&n.free]; ok {
		return p
	}
	known := m.known
	var out plan
	used := make([]bool, len(n.kids))
	for range n.kids {
		best, bestCost := -1, 0
		for i, k := range n.kids {
			if cost := costOf(k, known); !used[i] && (best < 0 || cost < bestCost) {
				best, bestCost = i, cost
			}
		}
		used[best] = true
		out = append(out, best)
		known |= n.kids[best].binds
	}
	if n.orders.of == nil {
		n.orders.of = map[set]plan{}
	}
	n.orders.of[m.known&n.free] = out
	return out
}

// costOf estimates the cost of solving a part with some known variables.
func costOf(n *node, known set) int {
	unknown := n.free &^ known
	switch {
	case n.op == nodeAtom:
		return 0
	case unknown == 0 && n.op == nodeCompare:
		return 1
	case unknown == 0:
		return 2
	case unknown&^n.binds == 0 && n.op == nodeHistorically:
		return 3
	case unknown&^n.binds == 0 && n.binds&known != 0:
		return 4
	case unknown&^n.binds == 0:
		return 5
	case n.binds&^known != 0:
		return 6
	}
	return 7
}

// match compares the present event with an atom and assigns the values of its variables.
func (m *machine) match(a *Atom) bool {
	if a.Kind != m.event.Kind || !a.Any && a.Name != m.event.Name {
		return false
	}
	for i := range a.Patterns {
		p := &a.Patterns[i]
		v := m.event.at(p)
		if v == nil || !p.accepts(v) {
			return false
		}
		if p.Var == nil {
			continue
		}
		index := p.Var.Variable.index
		if !m.known.has(index) {
			m.set(index, v)
		} else if m.env[index].Identity() != v.Identity() {
			return false
		}
	}
	return true
}

// accepts compares a value with the literals of a pattern.
func (p *Pattern) accepts(v *Value) bool {
	switch p.Test {
	case "":
		return true
	case "~":
		return v.Kind() == exact.KindString && p.search.MatchString(v.Text())
	case "in":
		for _, literal := range p.Values {
			if literal.Identity() == v.Identity() {
				return true
			}
		}
		return false
	case "has":
		if v.Kind() == exact.KindList {
			items, _ := v.Content()
			for _, item := range items {
				if item.Identity() == p.Values[0].Identity() {
					return true
				}
			}
		}
		return false
	}
	return exact.Holds(p.Test, v, p.Values[0])
}

// advance changes the state of the operators by the present event, inner ones first.
func (m *machine) advance(limits *reach) {
	for i, u := range m.updates {
		if m.err != nil {
			return
		}
		may := limits.updates[i]
		switch u.op {
		case updateAggregate:
			if m.expire(u.aggregate); may.node {
				m.collect(u.aggregate)
			}
		case updateOnce:
			if m.prune(u.table); may.node {
				m.insertAll(u)
			}
		case updatePrevious:
			m.previous(u, may)
		case updateSince:
			m.since(u, may)
		}
	}
}

// insertAll adds the solutions of an operand at the present event.
func (m *machine) insertAll(u *update) {
	m.eachSolution(u.node, u.table, func(c *cond) { m.insert(u.table, nil, c, m.index) })
}

// previous replaces the rows of a table by the solutions of the last event, and keeps those of this event for the next one.
func (m *machine) previous(u *update, may parts) {
	if u.table.grows != nil {
		m.wipe(u.table) // after a state was loaded
		if of := m.monitor.tables[u.table.grows.slot]; of.size() > 0 && u.table.all != 0 {
			m.indexed(u.table.grows, of, 0) // which has the order of the saved rows
		}
		return
	}
	last := m.monitor.tables[u.table.slot].some().next
	m.wipe(u.table)
	if last != nil && (u.window == nil || m.time.Compare(last.end) <= 0) {
		for _, s := range last.rows {
			m.insert(u.table, s.values, s.cond, m.index-1)
		}
	}
	next := &upcoming{}
	if may.node {
		next.rows = m.solutions(u.node, u.table)
	}
	if u.window != nil {
		next.end = m.end(u.window)
	}
	if len(next.rows) > 0 || u.window != nil {
		m.rows(u.table).more().next = next
	}
}

// solutions returns the assignments of a table's columns under which an operand holds.
func (m *machine) solutions(n *node, t *table) []solution {
	var out []solution
	m.eachSolution(n, t, func(c *cond) { out = append(out, solution{values: m.valuesOf(t.columns), cond: c}) })
	return out
}

// eachSolution calls visit for each assignment of a table's columns under which an operand holds, with its condition. The
// operand must not depend on the table.
func (m *machine) eachSolution(n *node, t *table, visit func(c *cond)) {
	m.solve(n, func(c *cond) bool {
		c = condAnd(m.resolve(c), m.equalities(t.all))
		if m.step(1 + c.size); c != condFalse {
			visit(c)
		}
		return m.err == nil
	})
}

// since updates a "since": it removes the rows that end because the left side does not hold,
// and adds the rows for the solutions of the right side.
func (m *machine) since(u *update, may parts) {
	if m.prune(u.table); u.kills != nil {
		m.prune(u.kills)
	}
	switch {
	case !may.not:
	case u.kills != nil:
		for _, s := range m.solutions(u.not, u.kills) {
			if s.cond == condTrue && len(s.values) == 0 {
				m.wipe(u.table)
				m.wipe(u.kills)
				break
			}
			if m.monitor.tables[u.table.slot].size() > 0 {
				m.insert(u.kills, s.values, s.cond, m.index)
			}
		}
	case m.monitor.tables[u.table.slot].size() > 0:
		m.finish(u)
	}
	if may.node {
		m.insertAll(u)
	}
	if u.kills != nil && m.monitor.tables[u.table.slot].size() == 0 {
		m.wipe(u.kills)
	}
}

// finish removes the rows of a "since" that end at the present event. The left side of the
// "since" must depend only on the columns of its table.
func (m *machine) finish(u *update) {
	type ending struct {
		bucket *bucket
		row    *row
	}
	var list []ending
	m.solve(u.not, func(c *cond) bool {
		for _, b := range m.matching(u.table) {
			if b.dead() {
				continue
			}
			added := m.bind(u.table, b)
			if m.resolve(c) == condTrue {
				for _, r := range b.rows {
					list = append(list, ending{b, r})
				}
			}
			m.forget(added)
			if m.step(1); m.err != nil {
				return false
			}
		}
		return true
	})
	for _, e := range list {
		for i, r := range e.bucket.rows {
			if r == e.row && !e.bucket.dead() {
				m.remove(u.table, m.monitor.tables[u.table.slot], e.bucket, i)
				break
			}
		}
	}
}
