package monitor

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/agent"
)

// Rehearsal is the correct solution of a question. With it, a simulated model writes the
// correct contents, except for its mistakes, and a simulated environment returns the
// correct results of calls. An agent that makes calls answers correctly only after all
// results.
type Rehearsal struct {
	Steps  []RehearsedStep `json:"steps"`
	Final  string          `json:"final"` // the last thought
	Answer string          `json:"answer"`
}

// RehearsedStep is a call with the thought before it and its result.
type RehearsedStep struct {
	Thought string `json:"thought"`
	Tool    string `json:"tool"`
	Input   string `json:"input"`
	Result  string `json:"result"`
}

// Parts of an agent in a rehearsal.
const (
	partThought = "thought"
	partAction  = "action"
	partInput   = "input"
	partLabel   = "label"
	partFinal   = "final"
	partAnswer  = "answer"
)

// partOf returns the part that a state plays in a rehearsal, or "".
func partOf(state agent.State) string {
	if role := (Roles{}).role(state); role != "" {
		return role
	}
	text := strings.ToLower(state.Text)
	switch {
	case strings.Contains(text, "final"):
		return partFinal
	case strings.Contains(text, "answer") || strings.Contains(text, "response"):
		return partAnswer
	case strings.Contains(text, "thought") || strings.Contains(text, "think") || strings.Contains(text, "plan"):
		return partThought
	}
	return ""
}

// acts reports whether the environment of an agent makes calls.
func acts(a *agent.Agent) bool {
	for _, s := range a.States {
		if s.EnvInput && SourceOf(s) != agent.FromPerson && SourceOf(s) != agent.FromEvaluator {
			return true
		}
	}
	return false
}

// known reports whether a text contains the results of all calls.
func (r *Rehearsal) known(text string) bool {
	for _, s := range r.Steps {
		if !strings.Contains(text, s.Result) {
			return false
		}
	}
	return true
}

// says returns the content of a state, given the visits to each state so far and the text
// before it. It returns false if the rehearsal has no text left for the state.
func (r *Rehearsal) says(a *agent.Agent, state int, used []int, text string) (string, bool) {
	part := partOf(a.States[state])
	switch part {
	case partFinal:
		if !hasPart(a, partAnswer) {
			return r.Final + "\nAnswer: " + r.concludes(a, text), used[state] == 0
		}
		return r.Final, used[state] == 0
	case partAnswer:
		return r.concludes(a, text), used[state] == 0
	case "":
		return "", false
	}
	if !acts(a) { // the reasoning is one thought
		var all []string
		for _, step := range r.Steps {
			all = append(all, step.Thought+" "+step.Result+".")
		}
		return strings.Join(append(all, r.Final), " "), part == partThought && used[state] == 0
	}
	n := used[state]
	if part == partThought {
		for i, s := range a.States {
			if !s.EnvInput && partOf(s) == partInput {
				n = used[i] // a thought may be about several calls
			}
		}
	}
	if n >= len(r.Steps) {
		return "", false
	}
	step := r.Steps[n]
	switch part {
	case partAction:
		return step.Tool, true
	case partInput:
		return step.Input, true
	case partLabel:
		return fmt.Sprintf("#E%d", n+1), true
	}
	if !hasPart(a, partInput) { // the thoughts contain the calls
		return step.Thought + "\nAction: " + step.Tool + "\nAction Input: " + step.Input, true
	}
	return step.Thought, true
}

// concludes returns the answer of an agent that has written a text: "unknown" if the agent
// makes calls and the text lacks one of their results.
func (r *Rehearsal) concludes(a *agent.Agent, text string) string {
	if acts(a) && !r.known(text) {
		return "unknown"
	}
	return r.Answer
}

func hasPart(a *agent.Agent, part string) bool {
	for _, s := range a.States {
		if !s.EnvInput && partOf(s) == part {
			return true
		}
	}
	return false
}

// result returns the rehearsed result of a call. A call that differs from every step in its
// tool or its input finds nothing.
func (r *Rehearsal) result(tool, input string) string {
	for _, s := range r.Steps {
		if strings.EqualFold(strings.TrimSpace(tool), s.Tool) && strings.EqualFold(strings.TrimSpace(input), s.Input) {
			return s.Result
		}
	}
	return "Nothing was found."
}

// rehearsed returns the content of a state that a tool, or a model that summarises, solves or judges, would fill.
func (e environment) rehearsed(state agent.State) string {
	source := SourceOf(state)
	if source == agent.FromEvaluator {
		return e.compared(e.settings.Rehearsal.Answer)
	}
	actions := e.actions()
	for i, a := range actions {
		a.number, a.output = i+1, e.settings.Rehearsal.result(a.tool, a.input)
	}
	switch {
	case source == agent.FromSolver:
		return e.settings.Rehearsal.concludes(e.a, numbered(actions))
	case len(actions) == 0:
		return "Error: no action could be read."
	case len(actions) == 1:
		return actions[0].output
	}
	return strings.ReplaceAll(numbered(actions), "\n", " ")
}
