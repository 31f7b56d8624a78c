package monitor

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/llm"
)

// messages returns what the model is told before its own text: the states, what
// stands in them, who fills them, and the task.
func (r *runner) messages() []llm.Message {
	var b strings.Builder
	b.WriteString("You act step by step. Each step begins on a new line with one of these marks, followed by its content:\n")
	for _, s := range r.a.States {
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
	for _, line := range r.follows() {
		b.WriteString(line + "\n")
	}
	b.WriteString("Write nothing but steps. Stop after the last.")
	messages := []llm.Message{{Role: "system", Content: b.String()}}
	if q := r.settings.Question; q != "" {
		messages = append(messages, llm.Message{Role: "user", Content: q})
	} else {
		messages = append(messages, llm.Message{Role: "user", Content: "Begin."})
	}
	return messages
}

// follows says, state by state, which states can come after it anywhere in the
// behaviour.
func (r *runner) follows() []string {
	after := make([][]bool, len(r.a.States)+1) // the last row: at the beginning
	for i := range after {
		after[i] = make([]bool, len(r.a.States))
	}
	dfa := r.a.DFA
	into := make([]map[int]bool, dfa.NumStates()) // states read on the way into an automaton state
	for q := range into {
		into[q] = map[int]bool{}
	}
	into[dfa.Start()][len(r.a.States)] = true
	for q := range dfa.NumStates() {
		for s := range r.a.States {
			if to := dfa.Next(q, s); r.a.Live(q) && r.a.Live(to) {
				into[to][s] = true
			}
		}
	}
	for q := range dfa.NumStates() {
		for s := range r.a.States {
			if !r.a.Live(q) || !r.a.Live(dfa.Next(q, s)) {
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
				next = append(next, r.a.States[s].Text)
			}
		}
		if len(next) == 0 {
			return name + ": nothing, it is the last"
		}
		return name + ": " + strings.Join(next, " or ")
	}
	out := []string{line("at the beginning", after[len(r.a.States)])}
	for s, state := range r.a.States {
		out = append(out, line("after "+state.Text, after[s]))
	}
	return out
}
