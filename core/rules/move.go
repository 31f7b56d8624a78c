package rules

// Move returns a monitor of another file with the state of this one. Rule i of the file is the rule of this
// monitor with the index from[i]; both have the same program.
func (m *Monitor) Move(f *File, from []int) (*Monitor, error) {
	state := m.save()
	moved := make([]*ruleState, len(from))
	for i, rule := range from {
		moved[i] = state.Rules[rule]
	}
	state.Rules = moved
	return restore(f, state)
}
