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

// Roles name the states in which a call is written. Where one is not named, the
// words of the prompts tell.
type Roles struct {
	Action string `json:"action,omitempty"` // the tool's name
	Input  string `json:"input,omitempty"`  // what it is given
	Label  string `json:"label,omitempty"`  // by what others name its result
}

// check returns an error with code "monitor.roles" for a state that the agent has not.
func (r Roles) check(a *agent.Agent) error {
	for _, name := range []string{r.Action, r.Input, r.Label} {
		if message := noState(a, name); name != "" && message != "" {
			return source.NewError("monitor.roles", message)
		}
	}
	return nil
}

// action is a call that an agent wrote.
type action struct {
	number             int // of the calls for one content, from 1
	label, tool, input string
	arguments          json.RawMessage // in the place of the input, where the endpoint gave them

	output string
	done   bool
}

// roleWords are the words of prompts that tell what a state is for.
var roleWords = []struct {
	role  string
	words []string
}{
	{"label", []string{"label"}},
	{"input", []string{"input", "argument", "query"}},
	{"action", []string{"action", "tool", "call"}},
}

// role returns what a state is for: "action", "input", "label" or "".
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

// actions returns the calls that were written since the environment spoke last. An
// agent without states for them may have written one into its last content.
func (r *runner) actions() []*action {
	closed := r.segments[:len(r.segments)-1]
	only := ""
	if tools := r.tools.List(); len(tools) == 1 {
		only = tools[0].Name()
	}
	from := len(closed)
	for from > 0 && !r.a.States[r.a.Index(closed[from-1].State)].EnvInput {
		from--
	}
	var out []*action
	label := ""
	for _, s := range closed[from:] {
		switch r.settings.Roles.role(r.a.States[r.a.Index(s.State)]) {
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

// parseAction reads a call out of a text: lines "Action: …" and "Action Input: …",
// with or without brackets for colons, or "Search[…]".
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

// observeTools makes the calls and returns what came of them: of one its result,
// of several a numbered list.
func (r *runner) observeTools(state agent.State) (string, error) {
	actions := r.actions()
	if len(actions) == 0 {
		return "Error: no action could be read; write the name of a tool and what it is given.", nil
	}
	if err := r.perform(state, actions); err != nil {
		return "", err
	}
	if len(actions) == 1 {
		return actions[0].output, nil
	}
	return numbered(actions), nil
}

// numbered lists results.
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

// perform makes calls: all at once that do not name the results of others, then
// those that name theirs, with the results put in.
func (r *runner) perform(state agent.State, actions []*action) error {
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
			if r.waitsFor(a, actions[:i]) {
				waits = true
			} else {
				ready = append(ready, a)
			}
		}
		if err := r.together(state, ready); err != nil || !waits {
			return err
		}
		for i, a := range actions {
			if !a.done {
				a.input = substitute(a.input, actions[:i])
			}
		}
	}
}

// waitsFor reports whether a call names the result of one before it that is not
// there yet.
func (r *runner) waitsFor(a *action, before []*action) bool {
	for _, b := range before {
		if !b.done && b.label != "" && strings.Contains(a.input, reference(b.label)) {
			return true
		}
	}
	return false
}

// reference is how a result is named in what other calls are given.
func reference(label string) string {
	if strings.HasPrefix(label, "#") {
		return label
	}
	return "#" + label
}

// substitute puts results in the place of their labels, the longest first, so that
// #E1 is not found in #E10.
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

// together makes calls at the same time.
func (r *runner) together(state agent.State, actions []*action) error {
	if len(actions) == 1 {
		return r.callTool(r.env, state, actions[0])
	}
	tasks := make([]*process.Task, len(actions))
	for i, a := range actions {
		tasks[i] = r.env.Go(func(env *process.Env) error { return r.callTool(env, state, a) })
	}
	var first error
	for _, t := range tasks {
		if err := t.Wait(); err != nil && first == nil {
			first = err
		}
	}
	return first
}

// callTool makes a call. What goes wrong with it is its result, for the model to
// read; only what ends the run is an error.
func (r *runner) callTool(env *process.Env, state agent.State, a *action) error {
	r.stats.ToolCalls++
	var result tool.Result
	var err error
	if a.arguments != nil {
		a.input = string(a.arguments)
		result, err = r.tools.Run(env, a.tool, a.arguments)
	} else {
		result, err = r.tools.RunText(env, a.tool, a.input)
	}
	if err != nil {
		return err
	}
	a.output, a.done = strings.TrimSpace(result.Text), true
	e := ToolEvent{Kind: "monitor.tool", Sample: r.sample, State: state.Name, Label: a.label, Call: a.number, Tool: a.tool, Input: a.input, Output: a.output}
	if result.Err != nil {
		e.Fault = result.Err.Code
	}
	env.Emit(e)
	return nil
}
