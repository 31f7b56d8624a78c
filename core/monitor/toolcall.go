package monitor

import (
	"fmt"
	"sort"
	"strings"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/tool"
)

// Roles name the states that hold the parts of a tool call. A role without a name is
// guessed from the words of the prompts.
type Roles struct {
	Action string `json:"action,omitempty"` // the tool's name
	Input  string `json:"input,omitempty"`  // its input
	Label  string `json:"label,omitempty"`  // the name by which other calls refer to its result
}

// check returns an error with code "monitor.roles" for an unknown state.
func (r Roles) check(a *agent.Agent) error {
	for _, name := range []string{r.Action, r.Input, r.Label} {
		if message := noState(a, name); name != "" && message != "" {
			return source.NewError("monitor.roles", message)
		}
	}
	return nil
}

// action is a tool call that an agent wrote.
type action struct {
	number             int // among the calls for one content, from 1
	label, tool, input string
	arguments          json.RawMessage // instead of the input, from an endpoint with tool calls

	output string
	done   bool
}

// roleWords are the words by which a prompt reveals the role of its state.
var roleWords = []struct {
	role  string
	words []string
}{
	{"label", []string{"label"}},
	{"input", []string{"input", "argument", "query"}},
	{"action", []string{"action", "tool", "call"}},
}

// role returns the role of a state: "action", "input", "label" or "".
func (s Roles) role(state agent.State) string {
	switch state.Name {
	case s.Action:
		return "action"
	case s.Input:
		return "input"
	case s.Label:
		return "label"
	}
	if state.EnvInput {
		return ""
	}
	text := strings.ToLower(state.Text)
	for _, r := range roleWords {
		for _, w := range r.words {
			if strings.Contains(text, w) {
				return r.role
			}
		}
	}
	return ""
}

// actions returns the calls since the last state of the environment. An agent without
// states for calls may have written a call into its last content.
func (e environment) actions() []*action {
	closed := e.segments[:len(e.segments)-1]
	only := ""
	if tools := e.tools.List(); len(tools) == 1 {
		only = tools[0].Name()
	}
	from := len(closed)
	for from > 0 && !e.a.States[e.a.Index(closed[from-1].State)].EnvInput {
		from--
	}
	var out []*action
	label := ""
	for _, s := range closed[from:] {
		switch e.settings.Roles.role(e.a.States[e.a.Index(s.State)]) {
		case "label":
			label = s.Text
		case "action":
			out = append(out, &action{label: label, tool: s.Text})
			label = ""
		case "input":
			if n := len(out); n > 0 {
				out[n-1].input = s.Text
			} else if only != "" {
				out = append(out, &action{label: label, tool: only, input: s.Text})
			}
		}
	}
	if len(out) == 0 && len(closed) > 0 {
		if a, ok := parseAction(closed[len(closed)-1].Text); ok {
			out = append(out, a)
		}
	}
	return out
}

// parseAction finds a call in a text: the lines "Action: …" and "Action Input: …", or
// these names in brackets without colons, or "Search[…]".
func parseAction(text string) (*action, bool) {
	a := &action{}
	given := false
	for _, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if value, ok := afterMark(line, "Action Input"); ok {
			a.input, given = value, true
		} else if value, ok := afterMark(line, "Action"); ok {
			a.tool = value
		}
	}
	if a.tool != "" && given {
		return a, true
	}
	call := a.tool
	if call == "" {
		call = strings.TrimSpace(text)
	}
	name, rest, ok := strings.Cut(call, "[")
	if input, closed := strings.CutSuffix(rest, "]"); ok && closed && name != "" && strings.Trim(name, wordCharacters) == "" {
		return &action{tool: name, input: input}, true
	}
	return nil, false
}

const wordCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"

func afterMark(line, mark string) (string, bool) {
	for _, m := range []string{mark + ":", "[" + mark + "]"} {
		if rest, ok := strings.CutPrefix(line, m); ok {
			return strings.TrimSpace(rest), true
		}
	}
	return "", false
}

// observeTools makes the calls and returns the result of a single call, or a numbered
// list of results.
func (e environment) observeTools(state agent.State) (string, error) {
	actions := e.actions()
	if len(actions) == 0 {
		return "Error: no action could be read; write the name of a tool and its input.", nil
	}
	if err := e.perform(state, actions); err != nil {
		return "", err
	}
	if len(actions) == 1 {
		return actions[0].output, nil
	}
	return numbered(actions), nil
}

// numbered returns a numbered list of results.
func numbered(actions []*action) string {
	var b strings.Builder
	for i, a := range actions {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%d. %s", i+1, a.output)
	}
	return b.String()
}

// perform makes the calls that refer to no missing result concurrently, substitutes their
// results, and repeats this until all calls are made.
func (e environment) perform(state agent.State, actions []*action) error {
	for i, a := range actions {
		a.number = i + 1
	}
	for {
		var ready []*action
		waits := false
		for i, a := range actions {
			if a.done {
				continue
			}
			if e.waitsFor(a, actions[:i]) {
				waits = true
			} else {
				ready = append(ready, a)
			}
		}
		if err := e.together(state, ready); err != nil || !waits {
			return err
		}
		for i, a := range actions {
			if !a.done {
				a.input = substitute(a.input, actions[:i])
			}
		}
	}
}

// waitsFor reports whether a call refers to the missing result of an earlier one.
func (e environment) waitsFor(a *action, before []*action) bool {
	for _, b := range before {
		if !b.done && b.label != "" && strings.Contains(a.input, reference(b.label)) {
			return true
		}
	}
	return false
}

// reference returns the text by which inputs of other calls refer to a result.
func reference(label string) string {
	if strings.HasPrefix(label, "#") {
		return label
	}
	return "#" + label
}

// substitute replaces labels with results, the longest label first, so that #E1 does not
// match the beginning of #E10.
func substitute(input string, actions []*action) string {
	known := []*action{}
	for _, a := range actions {
		if a.done && a.label != "" {
			known = append(known, a)
		}
	}
	sort.SliceStable(known, func(i, j int) bool { return len(known[i].label) > len(known[j].label) })
	for _, a := range known {
		input = strings.ReplaceAll(input, reference(a.label), a.output)
	}
	return input
}

// together makes calls concurrently.
func (e environment) together(state agent.State, actions []*action) error {
	if len(actions) == 1 {
		return e.callTool(e.env, state, actions[0])
	}
	tasks := make([]*process.Task, len(actions))
	for i, a := range actions {
		tasks[i] = e.env.Go(func(env *process.Env) error { return e.callTool(env, state, a) })
	}
	var first error
	for _, t := range tasks {
		if err := t.Wait(); err != nil && first == nil {
			first = err
		}
	}
	return first
}

// callTool makes a call. A failure of the tool is the result, for the model to read. Only
// failures that end the run are returned.
func (e environment) callTool(env *process.Env, state agent.State, a *action) error {
	e.stats.ToolCalls++
	var result tool.Result
	var err error
	if a.arguments != nil {
		a.input = string(a.arguments)
		result, err = e.tools.Run(env, a.tool, a.arguments)
	} else {
		result, err = e.tools.RunText(env, a.tool, a.input)
	}
	if err != nil {
		return err
	}
	a.output, a.done = strings.TrimSpace(result.Text), true
	event := ToolEvent{Kind: "monitor.tool", Sample: e.sample, State: state.Name, Label: a.label, Call: a.number, Tool: a.tool, Input: a.input, Output: a.output}
	if result.Err != nil {
		event.Fault = result.Err.Code
	}
	env.Emit(event)
	return nil
}
