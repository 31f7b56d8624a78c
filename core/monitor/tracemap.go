package monitor

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
)

// Mapping maps a part of a conversation to a sequence of states; without states the part
// is ignored. If a call has two states, the first contains the tool's name and the second
// its arguments. With a Tool, the mapping applies only to calls or results of that tool.
type Mapping struct {
	Part   string   `json:"part"` // one of the Part constants
	Tool   string   `json:"tool,omitempty"`
	States []string `json:"states"`
}

// checkMapping returns an error with code "monitor.mapping" for an unknown part or state.
func checkMapping(a *agent.Agent, mapping []Mapping) error {
	for _, m := range mapping {
		if !slices.Contains(partNames, m.Part) {
			return source.NewError("monitor.mapping", fmt.Sprintf("unknown part %q of a conversation; expected %s", m.Part, list(partNames)))
		}
		for _, name := range m.States {
			if message := noState(a, name); message != "" {
				return source.NewError("monitor.mapping", message)
			}
		}
	}
	return nil
}

// noState returns the fault of an unknown state name, or "".
func noState(a *agent.Agent, name string) string {
	if a.Index(name) >= 0 {
		return ""
	}
	message := fmt.Sprintf("unknown state %q of %s", name, a.Name)
	var names []string
	for _, s := range a.States {
		names = append(names, s.Name)
	}
	if near := source.Nearest(name, names); near != "" {
		message += fmt.Sprintf("; did you mean %q?", near)
	}
	return message
}

// mapper turns parts of a conversation into states.
type mapper struct {
	a       *agent.Agent
	mapping []Mapping
	roles   Roles

	question, observation int // states, or -1
	action, input         int
	answers               []int // the last one ends a run
	kinds                 []stateKind
	of                    []stateWords
}

// stateWords are properties of a state that depend only on its texts.
type stateWords struct {
	name, text string // in the form of [agent.PlainName]
	role       string
	thinks     bool // a word suggests thoughts
}

// stateKind classifies a state; see [mapper.know].
type stateKind struct{ thinks, free bool }

func newMapper(a *agent.Agent, mapping []Mapping, roles Roles) *mapper {
	m := &mapper{a: a, mapping: mapping, roles: roles, question: -1, observation: -1, action: -1, input: -1}
	question, known := questionState(a)
	if !known {
		question = -1
	}
	m.of = make([]stateWords, len(a.States))
	for i, s := range a.States {
		text := strings.ToLower(s.Text)
		role := roles.role(s)
		words := text + " " + strings.ToLower(s.Name)
		m.of[i] = stateWords{agent.PlainName(s.Name), agent.PlainName(s.Text), role, slices.ContainsFunc(thoughtWords, func(word string) bool { return strings.Contains(words, word) })}
		switch {
		case s.EnvInput && (m.observation < 0 || m.observation == question) && SourceOf(s) != agent.FromPerson && SourceOf(s) != agent.FromEvaluator:
			m.observation = i // the question only if there is no other state
		case s.EnvInput && m.question < 0 && SourceOf(s) == agent.FromPerson:
			m.question = i
		case role == "action" && s.OfOneTool(): // calls of other tools have no state
		case role == "action" && m.action < 0:
			m.action = i
		case role == "input" && m.input < 0:
			m.input = i
		case role == "" && !s.EnvInput && (strings.Contains(text, "answer") || strings.Contains(text, "response")):
			m.answers = append(m.answers, i)
		}
	}
	if known {
		m.question = question
	}
	if n := len(a.Final); len(m.answers) == 0 && n > 0 && !a.States[a.Final[n-1]].EnvInput {
		m.answers = []int{a.Final[n-1]}
	}
	m.know(nil)
	return m
}

// know classifies the states, given the names of the tools: a state with the name of a
// tool is for calls of that tool.
func (m *mapper) know(tools []string) {
	called := map[string]bool{}
	for _, tool := range tools {
		called[agent.PlainName(tool)] = true
	}
	delete(called, "") // a name without letters matches no state
	m.kinds = make([]stateKind, len(m.a.States))
	for i, s := range m.a.States {
		w := &m.of[i]
		free := !called[w.name] && !called[w.text] && !s.EnvInput && i != m.question && !slices.Contains(m.answers, i) && w.role == ""
		m.kinds[i] = stateKind{thinks: free && w.thinks, free: free}
	}
}

// said returns the states to which the mapping assigns a part; ok is false if the mapping has no entry for it.
func (m *mapper) said(kind, tool string) ([]int, bool) {
	found := -1
	for i, entry := range m.mapping {
		if entry.Part == kind && (entry.Tool == tool && tool != "" || entry.Tool == "" && found < 0) {
			found = i
		}
	}
	if found < 0 {
		return nil, false
	}
	var states []int
	for _, name := range m.mapping[found].States {
		states = append(states, m.a.Index(name))
	}
	return states, true
}

// states returns the states to which a part is mapped after a run. final reports that the
// part is the last text of the model.
func (m *mapper) states(run agent.Run, kind, tool string, final bool) []int {
	if final {
		if states, ok := m.said(PartFinal, ""); ok {
			return states
		}
	}
	if states, ok := m.said(kind, tool); ok {
		return states
	}
	only := func(state int) []int {
		if state < 0 {
			return nil
		}
		return []int{state}
	}
	switch kind {
	case PartUser:
		return only(m.question)
	case PartResult:
		return only(m.observation)
	case PartCall:
		if state, ok := m.named(tool); ok {
			return only(state)
		}
		if m.action >= 0 && m.input >= 0 {
			return []int{m.action, m.input}
		}
		return only(max(m.action, m.input))
	case PartText:
		if final && len(m.answers) > 0 {
			return only(m.answer(run))
		}
		return only(m.thought(run))
	}
	return nil
}

// named returns the state whose name or prompt is the name of a tool.
func (m *mapper) named(tool string) (int, bool) {
	if tool == "" {
		return 0, false
	}
	name := agent.PlainName(tool)
	for i, s := range m.a.States {
		if !s.EnvInput && (m.of[i].name == name || m.of[i].text == name) {
			return i, true
		}
	}
	return 0, false
}

// thoughtWords are words in prompts of states for thoughts.
var thoughtWords = []string{"thought", "think", "plan", "reason", "reflect", "consider"}

// thinks reports whether a state is for thoughts only. Endpoints often hide thoughts or
// omit them, so a missing thought may be implied; no other state may.
func (m *mapper) thinks(state int) bool { return m.kinds[state].thinks }

// free reports whether a state has no fixed purpose: it is not for a question, an answer or
// a call, and the environment does not fill it.
func (m *mapper) free(state int) bool { return m.kinds[state].free }

// thought returns the state for texts of the model between calls, preferably an allowed
// one.
func (m *mapper) thought(run agent.Run) int {
	for _, state := range run.Next() {
		if m.thinks(state) {
			return state
		}
	}
	for state := range m.a.States {
		if m.thinks(state) {
			return state
		}
	}
	for _, state := range run.Next() {
		if m.free(state) {
			return state
		}
	}
	return m.answer(run)
}

// answer returns the state for the model's last text: the last answer state that the
// run allows, or the last answer state if it allows none; -1 if the agent has no answer state.
func (m *mapper) answer(run agent.Run) int {
	for i := len(m.answers) - 1; i >= 0; i-- {
		after := run
		for _, s := range m.impliedThoughts(run, m.answers[i]) {
			after, _ = after.Step(s)
		}
		if _, ok := after.Step(m.answers[i]); ok {
			return m.answers[i]
		}
	}
	if n := len(m.answers); n > 0 {
		return m.answers[n-1]
	}
	return -1
}

// impliedThoughts returns the thoughts that are required before a state, at most three. Conversations
// with tool calls often omit them.
func (m *mapper) impliedThoughts(run agent.Run, state int) []int {
	type place struct {
		run agent.Run
		way []int
	}
	queue := []place{{run, nil}}
	for i := 0; i < len(queue) && len(queue[i].way) <= 3; i++ {
		p := queue[i]
		if _, ok := p.run.Step(state); ok {
			return p.way
		}
		for _, s := range p.run.Next() {
			if m.thinks(s) && m.a.Content(s) == nil {
				after, _ := p.run.Step(s)
				queue = append(queue, place{after, append(slices.Clone(p.way), s)})
			}
		}
	}
	return nil
}

// onlyValue returns the value of arguments with a single key. Other arguments are returned
// unchanged.
func onlyValue(arguments string) string {
	var values map[string]json.RawMessage
	if json.Unmarshal([]byte(arguments), &values) != nil || len(values) != 1 {
		return arguments
	}
	for _, raw := range values {
		var text string
		if json.Unmarshal(raw, &text) == nil {
			return text
		}
		return string(raw)
	}
	return arguments
}
