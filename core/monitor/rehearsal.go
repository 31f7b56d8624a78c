package monitor

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/agent"
)

// Rehearsal is how a question is answered by somebody who knows how: with it a simulated
// model says what belongs there, but for its mistakes, and a simulated environment
// answers calls as tools would. An agent that makes calls answers rightly only where all
// of their results have come.
type Rehearsal struct {
	Steps  []RehearsedStep `json:"steps"`
	Final  string          `json:"final"` // the last thought
	Answer string          `json:"answer"`
}

// RehearsedStep is a call with the thought before it and what comes of it.
type RehearsedStep struct {
	Thought string `json:"thought"`
	Tool    string `json:"tool"`
	Input   string `json:"input"`
	Result  string `json:"result"`
}

// Parts of an agent as a rehearsal sees its states.
const (
	partThought = "thought"
	partAction  = "action"
	partInput   = "input"
	partLabel   = "label"
	partFinal   = "final"
	partAnswer  = "answer"
)

// partOf returns what a state is for, "" where a rehearsal has nothing to say in it.
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

// acts reports whether an agent has states for calls, or has its environment make them.
func acts(a *agent.Agent) bool {
	for _, s := range a.States {
		if s.EnvInput && WayOf(s) != agent.FromPerson && WayOf(s) != agent.FromEvaluator {
			return true
		}
	}
	return false
}

// known reports whether a text has the results of all calls.
func (r *Rehearsal) known(text string) bool {
	for _, s := range r.Steps {
		if !strings.Contains(text, s.Result) {
			return false
		}
	}
	return true
}

// says returns what belongs into a state, after others that came so often and after a
// text; false where the rehearsal has nothing to say there any more.
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
	if !acts(a) { // all of its reasoning is one thought
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
	if !hasPart(a, partInput) { // its calls stand within its thoughts
		return step.Thought + "\nAction: " + step.Tool + "\nAction Input: " + step.Input, true
	}
	return step.Thought, true
}

// concludes returns the answer that somebody gives who has read a text.
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

// result returns what comes of a call.
func (r *Rehearsal) result(input string) string {
	for _, s := range r.Steps {
		if strings.EqualFold(strings.TrimSpace(input), s.Input) {
			return s.Result
		}
	}
	return "Nothing was found."
}

// rehearsed answers in the place of tools, and of models that sum up or solve.
func (r *runner) rehearsed(state agent.State) string {
	way := WayOf(state)
	if way == agent.FromEvaluator {
		return "correct"
	}
	actions := r.actions()
	for i, a := range actions {
		a.number, a.output = i+1, r.settings.Rehearsal.result(a.input)
	}
	switch {
	case way == agent.FromSolver:
		return r.settings.Rehearsal.concludes(r.a, numbered(actions))
	case len(actions) == 0:
		return "Error: no action could be read."
	case len(actions) == 1:
		return actions[0].output
	}
	return strings.ReplaceAll(numbered(actions), "\n", " ")
}
