package rules

import "slices"

// undo restores the state of a monitor before an event that was judged with its journal.
type undo struct {
	monitor *Monitor
	before  Monitor
	*journal
}

func (m *Monitor) undo() undo {
	before := *m
	before.rules = slices.Clone(m.rules)
	return undo{m, before, &journal{}}
}

// restore may be called once, and only if no other event followed.
func (u undo) restore() {
	u.journal.restore()
	*u.monitor = u.before
}

// StepUndo is [Monitor.Step] with a function that restores the state before the event. The function
// may be called once, and only if no other event followed. Unless times is set, the time of the event is unknown: see
// [Monitor.WithoutTimes]. The cost does not depend on the size of the state.
func (m *Monitor) StepUndo(e *Event, times bool) (violations []Violation, back func()) {
	undo := m.undo()
	if !times {
		m.WithoutTimes()
	}
	return m.step(e, undo.journal), undo.restore
}
