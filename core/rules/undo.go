package rules

// StepUndo is [Monitor.Step] with a function that restores the state before the event. The function
// may be called once, and only if no other event followed. Unless times is set, the time of the event is unknown: see
// [Monitor.WithoutTimes]. The cost does not depend on the size of the state.
func (m *Monitor) StepUndo(e *Event, times bool) (violations []Violation, undo func()) {
	before := *m
	saved := make([]running, len(m.machines))
	for i, r := range m.machines {
		if r != nil {
			saved[i] = *r
			r.journal = &journal{}
		}
	}
	if !times {
		m.WithoutTimes()
	}
	violations = m.Step(e)
	journals := make([]*journal, len(m.machines))
	for i, r := range m.machines {
		if r != nil {
			journals[i], r.journal = r.journal, nil
		}
	}
	return violations, func() {
		for i, r := range m.machines {
			if r != nil {
				journals[i].restore()
				*r = saved[i]
			}
		}
		*m = before
	}
}
