package rules

import (
	"strconv"

	"github.com/stile-playground/stile/core/exact"
)

// aggregate describes the state of an aggregate, its [tally].
type aggregate struct {
	function string // "count", "distinct", "sum", "min" or "max"
	window   *Window
	operand  *node
	v        int // the variable whose values are collected; -1 for a count of events
	locals   set
	free     set
	columns  []int
	all      set
	slot     int // of the tally in a monitor
}

// tally is the state of an aggregate: for each assignment of its columns, the events in the
// window at which its operand held, in the form that its function needs.
type tally struct {
	groups dict[*group]
	queue  []member // members in the window, in the order of times
}

// group has the members of one assignment.
type group struct {
	values   []*Value
	n        int64 // members without a condition
	total    Decimal
	best     []member      // of min and max: the best member; in a window, each is better than all later ones
	distinct *dict[member] // the last member with each value, by the key of the value
	conds    []member      // members with a condition
}

// member is an event with a value, or several events with an equal condition if there is no window.
type member struct {
	group *group
	end   *Decimal // the last time at which the member counts, if there is a window
	index int
	value *Value
	cond  *cond
	n     int64
}

// solution is an assignment of columns under which an operand holds at the present event.
type solution struct {
	values []*Value
	value  *Value // of the aggregate's variable
	cond   *cond
}

// keyOf joins the keys of the values of an aggregate's columns.
func keyOf(values []*Value) string {
	var key []byte
	for _, v := range values {
		key = exact.AppendKey(key, v.Identity())
	}
	return string(key)
}

// collect adds the members that the present event contributes to the groups.
func (m *machine) collect(a *aggregate) {
	var list []*solution
	seen := map[string]*solution{}
	m.solve(a.operand, func(c *cond) bool {
		s := solution{values: m.valuesOf(a.columns)}
		key := keyOf(s.values)
		if a.v >= 0 {
			s.value = m.env[a.v].Kept()
			if a.function != "distinct" && s.value.Kind() != exact.KindNumber {
				return true
			}
			key += s.value.Identity()
		}
		s.cond = condAnd(m.resolve(c), m.equalities(a.all|a.locals))
		if earlier := seen[key]; earlier != nil {
			earlier.cond = condOr(earlier.cond, s.cond)
			return true
		}
		seen[key] = &s
		list = append(list, &s)
		return m.err == nil
	})
	t := m.monitor.tallies[a.slot]
	if t == nil && len(list) > 0 {
		t = &tally{}
		slots := m.monitor.tallies
		m.journal.keep(func() func() { return func() { slots[a.slot] = nil } })
		slots[a.slot] = t
	}
	for _, s := range list {
		key := keyOf(s.values)
		g, _ := t.groups.get(key)
		if g == nil {
			g = &group{values: s.values}
			t.groups.put(key, g)
			m.journal.keep(func() func() { return func() { t.groups.remove(key) } })
			m.grow(1)
		}
		m.journal.group(g)
		e := member{group: g, index: m.index, value: s.value, cond: s.cond, n: 1}
		if a.window != nil {
			end := m.end(a.window)
			e.end = &end
			t.queue = append(t.queue, e)
			m.grow(1)
		}
		m.add(a, e)
	}
}

// add adds a member to its group.
func (m *machine) add(a *aggregate, e member) {
	g := e.group
	if e.cond != condTrue {
		if a.window == nil {
			for i, other := range g.conds {
				if other.cond.key == e.cond.key && (a.function != "distinct" || other.value.Identity() == e.value.Identity()) {
					m.journal.member(&g.conds[i])
					m.merge(a, &g.conds[i], e)
					return
				}
			}
		}
		g.conds = append(g.conds, e)
		m.grow(1 + e.cond.size)
		return
	}
	g.n++
	switch a.function {
	case "sum":
		g.total = m.sum(g.total, e.value.Number())
	case "min", "max":
		for a.window != nil && len(g.best) > 0 && !a.better(g.best[len(g.best)-1].value, e.value) {
			g.best = g.best[:len(g.best)-1]
		}
		switch {
		case a.window != nil || len(g.best) == 0:
			g.best = append(g.best, e)
		case a.better(e.value, g.best[0].value):
			g.best[0] = e
		}
	case "distinct":
		if g.distinct == nil {
			g.distinct = &dict[member]{}
		}
		if _, ok := g.distinct.get(e.value.Identity()); !ok {
			m.grow(1)
		}
		m.journal.value(g, e.value.Identity())
		g.distinct.put(e.value.Identity(), e)
	}
}

// merge adds the member e to the member into, which has the same condition.
func (m *machine) merge(a *aggregate, into *member, e member) {
	into.n++
	switch a.function {
	case "sum":
		into.value = exact.OfNumber(m.sum(into.value.Number(), e.value.Number()))
	case "min", "max":
		if a.better(e.value, into.value) {
			into.value = e.value
		}
	}
}

func (m *machine) sum(x, y Decimal) Decimal {
	out, err := x.Add(y)
	if err != nil {
		m.fail(err)
	}
	return out
}

// better reports whether the number x replaces y as the minimum or maximum.
func (a *aggregate) better(x, y *Value) bool {
	c := x.Number().Compare(y.Number())
	return a.function == "min" && c < 0 || a.function == "max" && c > 0
}

// expire removes the members that have left the window.
func (m *machine) expire(a *aggregate) {
	t := m.monitor.tallies[a.slot]
	if t == nil || a.window == nil {
		return
	}
	n := 0
	m.journal.keep(func() func() {
		queue := t.queue
		return func() { t.queue = queue }
	})
	for n < len(t.queue) && m.time.Compare(*t.queue[n].end) > 0 {
		e := t.queue[n]
		if m.journal == nil {
			t.queue[n] = member{}
		}
		n++
		m.grow(-1)
		g := e.group
		m.journal.group(g)
		if e.cond != condTrue {
			m.grow(-1 - e.cond.size)
			g.conds = g.conds[1:]
		} else {
			g.n--
			switch a.function {
			case "sum":
				g.total = m.sum(g.total, e.value.Number().Negate())
			case "min", "max":
				if len(g.best) > 0 && g.best[0].index == e.index && g.best[0].value == e.value {
					g.best = g.best[1:]
				}
			case "distinct":
				if last, _ := g.distinct.get(e.value.Identity()); last.index == e.index {
					m.journal.value(g, e.value.Identity())
					g.distinct.remove(e.value.Identity())
					m.grow(-1)
				}
			}
		}
		if g.n == 0 && len(g.conds) == 0 {
			key := keyOf(g.values)
			m.journal.keep(func() func() { return func() { t.groups.put(key, g) } })
			t.groups.remove(key)
			m.grow(-1)
		}
	}
	if t.queue = t.queue[n:]; len(t.queue) == 0 {
		t.queue = nil
	}
}

// evalAggregate returns the value of an aggregate under the values of the machine.
func (m *machine) evalAggregate(a *aggregate) (*Value, answer) {
	if a.all&^m.known != 0 {
		return nil, residual
	}
	var g *group
	if t := m.monitor.tallies[a.slot]; t != nil {
		m.key = m.key[:0]
		for _, column := range a.columns {
			m.key = exact.AppendKey(m.key, m.env[column].Identity())
		}
		g, _ = t.groups.at(m.key)
	}
	return m.evalGroup(a.function, g)
}

// evalGroup returns the value of an aggregate function for the members of a group; a nil group is empty.
func (m *machine) evalGroup(function string, g *group) (*Value, answer) {
	if g == nil {
		g = &group{}
	}
	n, total, best := g.n, g.total, (*Value)(nil)
	if len(g.best) > 0 {
		best = g.best[0].value
	}
	extra := map[string]bool{}
	a := aggregate{function: function}
	for _, e := range g.conds {
		switch m.resolve(e.cond) {
		case condFalse:
			continue
		case condTrue:
		default:
			return nil, residual
		}
		n += e.n
		switch function {
		case "sum":
			total = m.sum(total, e.value.Number())
		case "min", "max":
			if best == nil || a.better(e.value, best) {
				best = e.value
			}
		case "distinct":
			if _, ok := g.distinct.get(e.value.Identity()); !ok {
				extra[e.value.Identity()] = true
			}
		}
	}
	switch function {
	case "count":
		return exact.OfNumber(exact.FromInt(n)), known
	case "distinct":
		return exact.OfNumber(exact.FromInt(int64(g.distinct.size() + len(extra)))), known
	case "sum":
		return exact.OfNumber(total), known
	}
	if best == nil {
		return nil, undefined
	}
	return best, known
}

// snapshot is a copy of an aggregate's groups in a condition.
type snapshot struct {
	function string
	columns  []int
	groups   dict[*group]
	free     set
	key      string
	size     int
}

// freezeAggregate copies the groups that agree with the known values. In the columns of the copy, -1
// replaces each variable that has a value.
func (m *machine) freezeAggregate(t *term) *snapshot {
	from := t.frozen
	if from == nil {
		a := t.aggregate
		from = &snapshot{function: a.function, columns: a.columns}
		if t := m.monitor.tallies[a.slot]; t != nil {
			from.groups = t.groups
		}
	}
	out := &snapshot{function: from.function}
	for _, column := range from.columns {
		if column >= 0 && m.known.has(column) {
			column = -1
		}
		out.columns = append(out.columns, column)
	}
	for _, name := range from.groups.keys() {
		if g, _ := from.groups.get(name); m.agrees(from.columns, g.values) {
			out.groups.put(name, m.freezeGroup(g))
		}
	}
	out.finish()
	m.step(out.size)
	return out
}

// finish computes the key, the variables and the size of a copy.
func (s *snapshot) finish() {
	key := []byte(s.function)
	for _, column := range s.columns {
		if key = append(key, " "+strconv.Itoa(column)...); column >= 0 {
			s.free |= 1 << column
		}
	}
	for _, name := range s.groups.keys() {
		g, _ := s.groups.get(name)
		for _, e := range g.conds {
			s.free |= e.cond.free
			s.size += e.cond.size
		}
		s.size += 1 + g.distinct.size() + len(g.conds)
		key = exact.AppendKey(key, name)
		key = exact.AppendKey(key, g.describe())
	}
	s.key = string(key)
}

// agrees reports whether each variable among the columns that is known has the value at the same index of values.
func (m *machine) agrees(columns []int, values []*Value) bool {
	for i, column := range columns {
		if column >= 0 && m.known.has(column) && m.env[column].Identity() != values[i].Identity() {
			return false
		}
	}
	return true
}

func (m *machine) freezeGroup(g *group) *group {
	out := &group{values: g.values, n: g.n, total: g.total}
	if len(g.best) > 0 {
		out.best = []member{{value: g.best[0].value}}
	}
	for _, e := range g.distinct.sorted() {
		out.distinctly(e.value)
	}
	for _, e := range g.conds {
		if c := m.resolve(e.cond); c != condFalse {
			out.conds = append(out.conds, member{value: e.value, cond: c, n: e.n})
		}
	}
	return out
}

// distinctly adds a value to the distinct ones of a copy or of a state that is loaded.
func (g *group) distinctly(v *Value) {
	if g.distinct == nil {
		g.distinct = &dict[member]{}
	}
	g.distinct.put(v.Identity(), member{value: v})
}

// describe returns a text that is equal for groups with equal members.
func (g *group) describe() string {
	b := []byte(strconv.FormatInt(g.n, 10) + " " + g.total.String())
	for _, e := range g.best {
		b = append(b, " "+e.value.Identity()...)
	}
	for _, key := range g.distinct.keys() {
		b = exact.AppendKey(b, key)
	}
	for _, e := range g.conds {
		if e.value != nil {
			b = exact.AppendKey(b, e.value.Identity())
		}
		b = strconv.AppendInt(b, e.n, 10)
		b = exact.AppendKey(b, e.cond.key)
	}
	return string(b)
}

// evalSnapshot evaluates a copy of an aggregate. At most one of its groups agrees with the known values.
func (m *machine) evalSnapshot(s *snapshot) (*Value, answer) {
	for _, column := range s.columns {
		if column >= 0 && !m.known.has(column) {
			return nil, residual
		}
	}
	for _, g := range s.groups.sorted() {
		m.step(1)
		if m.agrees(s.columns, g.values) {
			return m.evalGroup(s.function, g)
		}
	}
	return m.evalGroup(s.function, nil)
}
