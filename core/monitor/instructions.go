package monitor

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/llm"
)

// instructions returns what a model is told before its own text: the states, what
// stands in them, who fills them, and the task.
func instructions(a *agent.Agent, question string) []llm.Message {
	var b strings.Builder
	b.WriteString("You act step by step. Each step begins on a new line with one of these marks, followed by its content:\n")
	for _, s := range a.States {
		fmt.Fprintf(&b, "%s", s.Text)
		switch {
		case s.EnvInput:
			b.WriteString(" is filled by the environment: stop before it, never write it yourself")
		case len(s.OneOf) > 0:
			fmt.Fprintf(&b, " is exactly %s", list(s.OneOf))
		}
		b.WriteByte('\n')
	}
	b.WriteString("Which mark may come after which:\n")
	for _, line := range follows(a) {
		b.WriteString(line + "\n")
	}
	b.WriteString("Write nothing but steps. Stop after the last.")
	messages := []llm.Message{{Role: "system", Content: b.String()}}
	if question == "" {
		question = "Begin."
	}
	return append(messages, llm.Message{Role: "user", Content: question})
}

// follows says, state by state, which states can come after it anywhere in the
// behaviour.
func follows(a *agent.Agent) []string {
	after := make([][]bool, len(a.States)+1) // the last row: at the beginning
	for i := range after {
		after[i] = make([]bool, len(a.States))
	}
	dfa := a.DFA
	into := make([]map[int]bool, dfa.NumStates()) // states read on the way into an automaton state
	for q := range into {
		into[q] = map[int]bool{}
	}
	into[dfa.Start()][len(a.States)] = true
	for q := range dfa.NumStates() {
		for s := range a.States {
			if to := dfa.Next(q, s); a.Live(q) && a.Live(to) {
				into[to][s] = true
			}
		}
	}
	for q := range dfa.NumStates() {
		for s := range a.States {
			if !a.Live(q) || !a.Live(dfa.Next(q, s)) {
				continue
			}
			for before := range into[q] {
				after[before][s] = true
			}
		}
	}
	line := func(name string, row []bool) string {
		var next []string
		for s, ok := range row {
			if ok {
				next = append(next, a.States[s].Text)
			}
		}
		if len(next) == 0 {
			return name + ": nothing, it is the last"
		}
		return name + ": " + strings.Join(next, " or ")
	}
	out := []string{line("at the beginning", after[len(a.States)])}
	for s, state := range a.States {
		out = append(out, line("after "+state.Text, after[s]))
	}
	return out
}
