package rules

import (
	"sort"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/exact"
)

// aggregate is the state of an aggregate: for each assignment of its columns, the events in the
// window at which its operand held, in the form that its function needs.
type aggregate struct {
	function string // "count", "distinct", "sum", "min" or "max"
	window   *Window
	operand  *node
	v        int // the variable whose values are collected; -1 for a count of events
	locals   set
	free     set
	columns  []int
	all      set
	groups   map[string]*group
	queue    []member // members in the window, in the order of times
}

// group has the members of one assignment.
type group struct {
	values   []*Value
	n        int64 // members without a condition
	total    Decimal
	best     []member          // of min and max: the best member; in a window, each is better than all later ones
	distinct map[string]member // the last member with each value, by the key of the value
	conds    []member          // members with a condition
}

// member is an event with a value, or several events with an equal condition if there is no window.
type member struct {
	group *group
	end   Decimal // the last time at which the member counts
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

func (a *aggregate) keyOf(values []*Value) string {
	var b strings.Builder
	for _, v := range values {
		exact.AppendKey(&b, v.Identity())
	}
	return b.String()
}

// collect adds the members that the present event contributes to the groups.
func (m *machine) collect(a *aggregate) {
	m.expire(a)
	var list []*solution
	seen := map[string]*solution{}
	m.solve(a.operand, func(c *cond) bool {
		s := solution{values: m.valuesOf(a.columns)}
		key := a.keyOf(s.values)
		if a.v >= 0 {
			s.value = m.env[a.v]
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
	for _, s := range list {
		key := a.keyOf(s.values)
		g := a.groups[key]
		if g == nil {
			g = &group{values: s.values}
			a.groups[key] = g
			m.journal.keep(func() func() { return func() { delete(a.groups, key) } })
			m.grow(1)
		}
		m.journal.group(g)
		e := member{group: g, index: m.index, value: s.value, cond: s.cond, n: 1}
		if a.window != nil {
			e.end = m.end(a.window)
			a.queue = append(a.queue, e)
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
			g.distinct = map[string]member{}
		}
		if _, ok := g.distinct[e.value.Identity()]; !ok {
			m.grow(1)
		}
		m.journal.value(g, e.value.Identity())
		g.distinct[e.value.Identity()] = e
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
	n := 0
	m.journal.keep(func() func() {
		queue := a.queue
		return func() { a.queue = queue }
	})
	for n < len(a.queue) && m.time.Compare(a.queue[n].end) > 0 {
		e := a.queue[n]
		if m.journal == nil {
			a.queue[n] = member{}
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
				if g.distinct[e.value.Identity()].index == e.index {
					m.journal.value(g, e.value.Identity())
					delete(g.distinct, e.value.Identity())
					m.grow(-1)
				}
			}
		}
		if g.n == 0 && len(g.conds) == 0 {
			m.journal.keep(func() func() { return func() { a.groups[a.keyOf(g.values)] = g } })
			delete(a.groups, a.keyOf(g.values))
			m.grow(-1)
		}
	}
	if a.queue = a.queue[n:]; len(a.queue) == 0 {
		a.queue = nil
	}
}

// evalAggregate returns the value of an aggregate under the values of the machine.
func (m *machine) evalAggregate(a *aggregate) (*Value, answer) {
	if a.all&^m.known != 0 {
		return nil, residual
	}
	return m.evalGroup(a.function, a.groups[a.keyOf(m.valuesOf(a.columns))])
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
			if _, ok := g.distinct[e.value.Identity()]; !ok {
				extra[e.value.Identity()] = true
			}
		}
	}
	switch function {
	case "count":
		return exact.OfNumber(exact.FromInt(n)), known
	case "distinct":
		return exact.OfNumber(exact.FromInt(int64(len(g.distinct) + len(extra)))), known
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
	groups   map[string]*group
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
		from = &snapshot{function: a.function, columns: a.columns, groups: a.groups}
	}
	out := &snapshot{function: from.function, groups: map[string]*group{}}
	for _, column := range from.columns {
		if column >= 0 && m.known.has(column) {
			column = -1
		}
		out.columns = append(out.columns, column)
	}
	for _, name := range sortedKeys(from.groups) {
		if g := from.groups[name]; m.agrees(from.columns, g.values) {
			out.groups[name] = m.freezeGroup(g)
		}
	}
	out.finish()
	m.step(out.size)
	return out
}

// finish computes the key, the variables and the size of a copy.
func (s *snapshot) finish() {
	var key strings.Builder
	key.WriteString(s.function)
	for _, column := range s.columns {
		if key.WriteString(" " + strconv.Itoa(column)); column >= 0 {
			s.free |= 1 << column
		}
	}
	for _, name := range sortedKeys(s.groups) {
		g := s.groups[name]
		for _, e := range g.conds {
			s.free |= e.cond.free
			s.size += e.cond.size
		}
		s.size += 1 + len(g.distinct) + len(g.conds)
		exact.AppendKey(&key, name)
		exact.AppendKey(&key, g.describe())
	}
	s.key = key.String()
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
	for _, key := range sortedKeys(g.distinct) {
		if out.distinct == nil {
			out.distinct = map[string]member{}
		}
		out.distinct[key] = member{value: g.distinct[key].value}
	}
	for _, e := range g.conds {
		if c := m.resolve(e.cond); c != condFalse {
			out.conds = append(out.conds, member{value: e.value, cond: c, n: e.n})
		}
	}
	return out
}

// describe returns a text that is equal for groups with equal members.
func (g *group) describe() string {
	var b strings.Builder
	b.WriteString(strconv.FormatInt(g.n, 10) + " " + g.total.String())
	for _, e := range g.best {
		b.WriteString(" " + e.value.Identity())
	}
	for _, key := range sortedKeys(g.distinct) {
		exact.AppendKey(&b, key)
	}
	for _, e := range g.conds {
		if e.value != nil {
			exact.AppendKey(&b, e.value.Identity())
		}
		b.WriteString(strconv.FormatInt(e.n, 10))
		exact.AppendKey(&b, e.cond.key)
	}
	return b.String()
}

// evalSnapshot evaluates a copy of an aggregate. At most one of its groups agrees with the known values.
func (m *machine) evalSnapshot(s *snapshot) (*Value, answer) {
	for _, column := range s.columns {
		if column >= 0 && !m.known.has(column) {
			return nil, residual
		}
	}
	for _, name := range sortedKeys(s.groups) {
		m.step(1)
		if g := s.groups[name]; m.agrees(s.columns, g.values) {
			return m.evalGroup(s.function, g)
		}
	}
	return m.evalGroup(s.function, nil)
}

// sortedKeys returns the keys of a map in order.
func sortedKeys[V any](of map[string]V) []string {
	out := make([]string, 0, len(of))
	for key := range of {
		out = append(out, key)
	}
	sort.Strings(out)
	return out
}
