package rules

import (
	"github.com/stile-playground/stile/core/exact"
)

// table describes the state of a temporal operator, its [rows].
type table struct {
	columns []int // the variables outside the operator that its operand binds
	all     set   // the columns
	window  *Window
	latest  bool // the index of the last event matters, so a later row is kept even if an earlier one is unconditional
	slot    int  // of the rows in a monitor
	// grows is set for previous once φ if no row of once φ ends or has a condition: the rows are those that this table had
	// before the present event. A copy would take as long as the table is large, at each event.
	grows *table
}

// rows are the state of a temporal operator: for each assignment of its columns and each condition,
// the last event at which the operand held.
type rows struct {
	buckets dict[*bucket]
	extra   *extra // nil for most tables
}

// extra is the state that only some tables have.
type extra struct {
	queue   []expiry  // of a window, in the order of times
	indexes []*index  // by some of the columns
	next    *upcoming // of previous
}

// index has the buckets by their values in some columns.
type index struct {
	of    set
	lists dict[*list]
}

// upcoming has the solutions of the present event, which are the rows at the next one.
type upcoming struct {
	rows []solution
	end  Decimal // of the window
}

// bucket has the rows of one assignment: at most one of them is without a condition.
type bucket struct {
	values []*Value
	rows   []*row
}

// dead reports whether a bucket was removed from its table.
func (b *bucket) dead() bool { return len(b.rows) == 0 }

// row is an event at which the operand held under a condition.
type row struct {
	cond  *cond
	index int      // of the event
	first int      // of the events; of a state that was loaded, any of them
	end   *Decimal // if there is a window, the last time at which the row counts
}

// list has the buckets that have the same values in some columns. Dead buckets are removed once they
// are the majority.
type list struct {
	buckets []*bucket
	dead    int
}

// expiry is the end of a row's time in the window.
type expiry struct {
	at     *Decimal // the last time at which the row counts
	bucket *bucket
	row    *row
	index  int // the index of the row when the expiry was queued; if the row has another index now, it was renewed
}

// size returns the number of assignments.
func (r *rows) size() int {
	if r == nil {
		return 0
	}
	return r.buckets.size()
}

// some returns the extra state of rows; it is not changed.
func (r *rows) some() extra {
	if r == nil || r.extra == nil {
		return extra{}
	}
	return *r.extra
}

// more returns the extra state of rows to be changed.
func (r *rows) more() *extra {
	if r.extra == nil {
		r.extra = &extra{}
	}
	return r.extra
}

// rows returns the state of a table to which rows can be added.
func (m *machine) rows(t *table) *rows {
	if m.monitor.tables[t.slot] == nil {
		m.replace(t, &rows{})
	}
	return m.monitor.tables[t.slot]
}

func (m *machine) replace(t *table, by *rows) {
	list := m.monitor.tables
	m.journal.keep(func() func() {
		saved := list[t.slot]
		return func() { list[t.slot] = saved }
	})
	list[t.slot] = by
}

// keyOf joins the keys of the values of some columns.
func (t *table) keyOf(values []*Value, of set) string { return string(t.appendKey(nil, values, of)) }

func (t *table) appendKey(key []byte, values []*Value, of set) []byte {
	for i, column := range t.columns {
		if of.has(column) {
			key = exact.AppendKey(key, values[i].Identity())
		}
	}
	return key
}

// insert adds a row for the event with an index, which is not earlier than the events of the other rows. Without values, the
// row has those of the machine.
func (m *machine) insert(t *table, values []*Value, c *cond, index int) {
	m.step(1)
	s := m.rows(t)
	b := m.bucket(t, s, values)
	m.journal.bucket(s, b)
	var r *row
	switch {
	case c == condTrue:
		// An earlier row holds in fewer cases and leaves the window earlier.
		for _, other := range b.rows {
			if other.cond == condTrue {
				r = other
			} else {
				m.grow(-1 - other.cond.size)
			}
		}
		if r == nil {
			r = &row{cond: c, first: index}
			m.grow(1)
		}
		b.rows = append(m.journal.room(b.rows), r)
	default:
		for _, other := range b.rows {
			if other.cond == condTrue && t.window == nil && !t.latest {
				return
			}
			if other.cond.key == c.key {
				r = other
			}
		}
		if r == nil {
			r = &row{cond: c}
			b.rows = append(b.rows, r)
			m.grow(1 + c.size)
		}
	}
	m.journal.row(r)
	r.index = index
	if t.window != nil {
		end := m.end(t.window)
		r.end = &end
		more := s.more()
		more.queue = append(more.queue, expiry{r.end, b, r, r.index})
		m.grow(1)
	}
}

// bucket returns the bucket of an assignment, a new one if there is none.
func (m *machine) bucket(t *table, s *rows, values []*Value) *bucket {
	if values == nil {
		m.knownKey(t, t.all)
	} else {
		m.key = t.appendKey(m.key[:0], values, t.all)
	}
	b, _ := s.buckets.at(m.key)
	if b == nil {
		if values == nil {
			values = m.valuesOf(t.columns)
		}
		key := string(m.key)
		b = &bucket{values: values}
		s.buckets.put(key, b)
		m.journal.keep(func() func() { return func() { s.buckets.remove(key) } })
		m.grow(1)
		for _, index := range s.some().indexes {
			m.journal.list(index, t.keyOf(values, index.of))
			t.addTo(index, b)
		}
	}
	return b
}

// prune removes the rows that have left the window.
func (m *machine) prune(t *table) {
	s := m.monitor.tables[t.slot]
	queue := s.some().queue
	if len(queue) == 0 {
		return
	}
	n := 0
	m.journal.queue(s)
	for n < len(queue) && m.time.Compare(*queue[n].at) > 0 {
		e := queue[n]
		if m.journal == nil {
			queue[n] = expiry{}
		}
		n++
		m.grow(-1)
		if e.row.index != e.index || e.bucket.dead() {
			continue
		}
		for i, r := range e.bucket.rows {
			if r == e.row {
				m.remove(t, s, e.bucket, i)
				break
			}
		}
	}
	if s.extra.queue = queue[n:]; n == len(queue) && s.size() == 0 {
		m.replace(t, nil)
	}
}

// remove removes a row of a bucket, and the bucket with its last row.
func (m *machine) remove(t *table, s *rows, b *bucket, i int) {
	m.grow(-1 - b.rows[i].cond.size)
	m.journal.bucket(s, b)
	b.rows = append(b.rows[:i:i], b.rows[i+1:]...)
	if len(b.rows) > 0 {
		return
	}
	m.grow(-1)
	key := t.keyOf(b.values, t.all)
	m.journal.keep(func() func() { return func() { s.buckets.put(key, b) } })
	s.buckets.remove(key)
	for _, index := range s.some().indexes {
		key := t.keyOf(b.values, index.of)
		m.journal.list(index, key)
		l, _ := index.lists.get(key)
		if l.dead++; l.dead*2 < len(l.buckets) {
			continue
		}
		live := make([]*bucket, 0, len(l.buckets)-l.dead)
		for _, other := range l.buckets {
			if !other.dead() {
				live = append(live, other)
			}
		}
		if l.buckets, l.dead = live, 0; len(live) == 0 {
			index.lists.remove(key)
		}
	}
}

// wipe removes all rows.
func (m *machine) wipe(t *table) {
	s := m.monitor.tables[t.slot]
	if s == nil {
		return
	}
	size := len(s.some().queue)
	s.buckets.each(func(b *bucket) {
		size++
		for _, r := range b.rows {
			size += 1 + r.cond.size
		}
	})
	m.grow(-size)
	m.replace(t, nil)
}

func (t *table) addTo(index *index, b *bucket) {
	key := t.keyOf(b.values, index.of)
	l, ok := index.lists.get(key)
	if !ok {
		l = &list{}
		index.lists.put(key, l)
	}
	l.buckets = append(l.buckets, b)
}

// knownKey makes the key of the machine's values of some columns.
func (m *machine) knownKey(t *table, of set) {
	m.key = m.key[:0]
	for _, column := range t.columns {
		if of.has(column) {
			m.key = exact.AppendKey(m.key, m.env[column].Identity())
		}
	}
}

// matching returns the buckets that agree with the known values, including dead ones. The list is valid until the next call,
// but its first bucket until that bucket was visited.
func (m *machine) matching(t *table) []*bucket {
	s := m.monitor.tables[t.slot]
	if s.size() == 0 {
		return nil
	}
	of := t.all & m.known
	if m.knownKey(t, of); of == t.all {
		if b, ok := s.buckets.at(m.key); ok {
			m.one[0] = b
			return m.one[:]
		}
		return nil
	}
	if l, ok := m.indexed(t, s, of).lists.at(m.key); ok {
		return l.buckets
	}
	return nil
}

// indexed returns the index by some columns, a new one if there is none.
func (m *machine) indexed(t *table, s *rows, of set) *index {
	more := s.more()
	for _, x := range more.indexes {
		if x.of == of {
			return x
		}
	}
	out := &index{of: of}
	for _, b := range s.sorted() {
		m.step(1)
		t.addTo(out, b)
	}
	indexes := more.indexes
	m.journal.keep(func() func() { return func() { more.indexes = indexes } })
	more.indexes = append(indexes, out)
	return out
}

// sorted returns the buckets in the order of their keys, which does not depend on the iteration of
// maps.
func (r *rows) sorted() []*bucket {
	if r == nil {
		return nil
	}
	return r.buckets.sorted()
}

// bind assigns the values of a bucket to the columns without a value and returns these columns.
func (m *machine) bind(t *table, b *bucket) set {
	var added set
	for i, column := range t.columns {
		if !m.known.has(column) {
			m.set(column, b.values[i])
			added |= 1 << column
		}
	}
	return added
}

// query assigns the values of each bucket that agrees with the known values and calls yield with
// the condition of the bucket: the disjunction of the conditions that rowCond returns for its
// rows.
func (m *machine) query(t *table, rowCond func(r *row) *cond, yield func(c *cond) bool) bool {
	before := t.grows != nil
	if before {
		t = t.grows
	}
	for _, b := range m.matching(t) {
		if b.dead() || before && b.rows[0].first >= m.index {
			continue
		}
		if m.step(1); m.err != nil {
			return false
		}
		added := m.bind(t, b)
		c, last := condFalse, -1
		for i := len(b.rows) - 1; i >= 0 && c != condTrue; i-- {
			if part := rowCond(b.rows[i]); part != condFalse {
				c, last = condOr(c, part), max(last, b.rows[i].index)
			}
		}
		if before {
			last = m.index - 1
		}
		m.trail = append(m.trail, last)
		ok := c == condFalse || yield(c)
		m.trail = m.trail[:len(m.trail)-1]
		m.forget(added)
		if !ok {
			return false
		}
	}
	return true
}

// exists returns the condition under which a row of the table holds whose event is later
// than the event with the index after.
func (m *machine) exists(t *table, after int) *cond {
	out := condFalse
	before := m.known
	m.query(t, func(r *row) *cond {
		if r.index <= after {
			return condFalse
		}
		return m.resolve(r.cond)
	}, func(c *cond) bool {
		out = condOr(out, condAnd(c, m.equalities(before)))
		return out != condTrue
	})
	return out
}

// equalities returns the condition that each variable that is known now, but is not in
// before, has its present value.
func (m *machine) equalities(before set) *cond {
	out := condTrue
	(m.known &^ before).each(func(i int) { out = condAnd(out, condEqual(i, m.env[i])) })
	return out
}
