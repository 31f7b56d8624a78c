package monitor

import (
	"slices"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/tool"
)

// may reports whether a call is allowed next, and whether a message without a call is.
func (n *conversing) may() (calls, answers bool) {
	for _, name := range n.toolNames() {
		states := n.m.states(n.run, PartCall, name, false)
		calls = calls || len(states) > 0 && n.reachable(states) && n.m.accepts(states, name)
	}
	states := n.lastWord()
	return calls, len(states) > 0 && n.reachable(states)
}

// lastWord returns the states for a message without a call: those of an answer, or those of
// a thought if an answer is not allowed and a thought is.
func (n *conversing) lastWord() []int {
	states := n.m.states(n.run, PartText, "", true)
	if len(states) > 0 && n.reachable(states) {
		return states
	}
	if thought := n.m.states(n.run, PartText, "", false); len(thought) > 0 && n.reachable(thought) {
		return thought
	}
	return states
}

// reachable reports whether states are allowed next, with any contents.
func (n *conversing) reachable(states []int) bool {
	run := n.run
	for _, state := range states {
		if n.late(run, state) {
			return false
		}
		for _, s := range n.m.impliedThoughts(run, state) {
			run, _ = run.Step(s)
		}
		var ok bool
		if run, ok = run.Step(state); !ok {
			return false
		}
	}
	return true
}

// callable returns the tools that are allowed next.
func (n *conversing) callable() []string {
	out := []string{}
	for _, name := range n.toolNames() {
		if states := n.m.states(n.run, PartCall, name, false); len(states) > 0 && n.reachable(states) && n.m.accepts(states, name) {
			out = append(out, name)
		}
	}
	return out
}

// accepts reports whether the states of a call may have the name of its tool: only a call of two states
// has a content with the name.
func (m *mapper) accepts(states []int, name string) bool {
	if len(states) < 2 {
		return true
	}
	c := newContents(m.a, states[0])
	return c.read(name) == "" && c.end() == ""
}

// nameable returns the tools that the agent may name in a call. If it may name none of them, the names are not
// those of the tools, and all tools remain.
func (m *mapper) nameable(tools []tool.Callable) []tool.Callable {
	named := slices.DeleteFunc(slices.Clone(tools), func(t tool.Callable) bool {
		return !m.accepts(m.states(m.a.Begin(), PartCall, t.Name(), false), t.Name())
	})
	if len(named) == 0 {
		return tools
	}
	return named
}

// toolNames returns the names of the registered tools, or, if results are simulated, of
// those that the agent and the mapping name.
func (n *conversing) toolNames() []string {
	if n.known != nil {
		return n.known
	}
	n.known = []string{}
	for _, t := range n.tools.List() {
		n.known = append(n.known, t.Name())
	}
	if len(n.known) == 0 {
		if n.m.action >= 0 {
			n.known = append(n.known, n.a.States[n.m.action].OneOf...)
		}
		for _, entry := range n.settings.Mapping {
			if entry.Tool != "" && !slices.Contains(n.known, entry.Tool) {
				n.known = append(n.known, entry.Tool)
			}
		}
		if len(n.known) == 0 {
			n.known = append(n.known, "tool")
		}
	}
	return n.known
}

// anyArguments is the schema of a tool with simulated results.
const anyArguments = `{"type":"object","properties":{"input":{"type":"string"}},"required":["input"]}`

// offered returns the tool definitions for a request.
func (n *conversing) offered(names []string) []llm.Tool {
	known := map[string]tool.Callable{}
	for _, c := range n.tools.List() {
		known[c.Name()] = c
	}
	var out []llm.Tool
	for _, name := range names {
		if c, ok := known[name]; ok {
			out = append(out, llm.Tool{Name: name, Description: c.Description(), Parameters: c.Schema()})
		} else {
			out = append(out, llm.Tool{Name: name, Parameters: json.RawMessage(anyArguments)})
		}
	}
	return out
}
