package rules

import "slices"

// Trial is the outcome of an event that is tried without being added to the run.
type Trial struct {
	Violations []Violation // those that [Monitor.Step] would return
	Faults     []int       // the rules that cannot be judged at the event
	Err        error       // the error of the run; if it is set, no rule was judged
}

// Allowed reports whether the event violates no rule and all rules can be judged.
func (t Trial) Allowed() bool { return len(t.Violations) == 0 && len(t.Faults) == 0 && t.Err == nil }

// Try judges an event as the next one of the run without changing the state. In addition to the
// cost of [Monitor.Step], it has to restore each part of the state that the event changes.
func (m *Monitor) Try(e *Event) Trial {
	var out Trial
	if out.Err = m.refuses(e); out.Err != nil {
		return out
	}
	undo := m.undo()
	out.Violations = m.judge(e, undo.journal)
	for i := range m.rules {
		if !m.judged(i) {
			out.Faults = append(out.Faults, i)
		}
	}
	undo.restore()
	return out
}

// journal has the inverses of the changes during a trial. The methods of a nil journal do nothing,
// so that a step outside of a trial costs only a comparison with nil.
type journal struct{ undo []func() }

// restore undoes the changes, the last one first.
func (j *journal) restore() {
	for _, undo := range slices.Backward(j.undo) {
		undo()
	}
}

// keep adds the inverse of the change that the caller makes next.
func (j *journal) keep(inverse func() func()) {
	if j != nil {
		j.undo = append(j.undo, inverse())
	}
}

func (j *journal) bucket(t *rows, b *bucket) {
	if j != nil {
		saved := *b
		j.undo = append(j.undo, func() { *b = saved })
		j.queue(t)
	}
}

func (j *journal) queue(t *rows) {
	if j != nil && t.extra != nil {
		queue := t.extra.queue
		j.undo = append(j.undo, func() { t.extra.queue = queue })
	}
}

func (j *journal) row(r *row) {
	if j != nil {
		saved := *r
		j.undo = append(j.undo, func() { *r = saved })
	}
}

// room returns an empty list to which rows can be appended. Outside of a trial it reuses the memory of rows.
func (j *journal) room(rows []*row) []*row {
	if j != nil {
		return nil
	}
	return rows[:0]
}

// list saves the buckets with a key in an index.
func (j *journal) list(index *index, key string) {
	if j == nil {
		return
	}
	l, ok := index.lists.get(key)
	if !ok {
		j.undo = append(j.undo, func() { index.lists.remove(key) })
		return
	}
	saved := *l
	j.undo = append(j.undo, func() {
		*l = saved
		index.lists.put(key, l)
	})
}

// group saves a group, and copies the list of best members, which changes in place.
func (j *journal) group(g *group) {
	if j != nil {
		saved := *g
		g.best = slices.Clone(g.best)
		j.undo = append(j.undo, func() { *g = saved })
	}
}

func (j *journal) member(e *member) {
	if j != nil {
		saved := *e
		j.undo = append(j.undo, func() { *e = saved })
	}
}

// value saves the entry of a value in a group.
func (j *journal) value(g *group, key string) {
	if j == nil {
		return
	}
	distinct := g.distinct
	saved, ok := distinct.get(key)
	j.undo = append(j.undo, func() {
		if ok {
			distinct.put(key, saved)
		} else {
			distinct.remove(key)
		}
	})
}
