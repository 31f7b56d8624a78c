package monitor

import (
	"github.com/stile-playground/stile/core/agent"
)

// Steps lists the states of an agent to which the parts of conversations are mapped, as
// [MapTrace] guesses them; -1 is none. Guards that do not have the complete run use them.
type Steps struct {
	Question, Observation int
	Action, Input         int
	Answers               []int
	Thoughts, Free        []int    // states for texts of the model between calls
	Plain                 []string // by state: the form that the spellings of its name share, "" for the environment's
	PlainText             []string // the same form of its prompt

	m *mapper
}

// StepsOf returns the steps of an agent whose tools have these names, if they are known.
// The error is that of the mapping or the roles.
func StepsOf(a *agent.Agent, mapping []Mapping, roles Roles, tools []string) (Steps, error) {
	if err := checkMapping(a, mapping); err != nil {
		return Steps{}, err
	}
	if err := roles.check(a); err != nil {
		return Steps{}, err
	}
	m := newMapper(a, mapping, roles)
	m.know(tools)
	s := Steps{Question: m.question, Observation: m.observation, Action: m.action, Input: m.input, Answers: m.answers, m: m}
	for i, state := range a.States {
		if m.thinks(i) {
			s.Thoughts = append(s.Thoughts, i)
		}
		if m.free(i) {
			s.Free = append(s.Free, i)
		}
		name, text := agent.PlainName(state.Name), agent.PlainName(state.Text)
		if state.EnvInput {
			name, text = "", ""
		}
		s.Plain, s.PlainText = append(s.Plain, name), append(s.PlainText, text)
	}
	return s, nil
}

// Implied returns the thoughts that must come between the automaton's state q and a state of
// the agent: none if the state may follow q directly, or cannot follow it.
func (s Steps) Implied(q, state int) []int {
	run, ok := s.m.a.At(q)
	if !ok {
		return nil
	}
	return s.m.impliedThoughts(run, state)
}
