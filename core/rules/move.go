package rules

import "github.com/stile-playground/stile/core/json"

// Move returns a monitor of another file with the state of this one. Rule i of the file is the rule of this
// monitor with the index from[i]; both have the same program.
func (m *Monitor) Move(f *File, from []int) (*Monitor, error) {
	text, err := m.State()
	if err != nil {
		return nil, err
	}
	var state monitorState
	if err := json.Unmarshal(text, &state); err != nil {
		return nil, err
	}
	moved := []*ruleState{}
	for _, i := range from {
		moved = append(moved, state.Rules[i])
	}
	if state.Rules = moved; len(moved) != len(f.Rules) {
		return nil, errSaved
	}
	if text, err = json.Marshal(state); err != nil {
		return nil, err
	}
	return Load(f, text)
}
