// Package bench defines the types that the benchmarks of teams share: rates, and transcripts,
// which are scripted teams that reach a known answer without a model.
package bench

import (
	"strings"

	"github.com/stile-playground/stile/core/json"
)

// Rate is a share with its counts.
type Rate struct {
	Count int     `json:"count"`
	Of    int     `json:"of"`
	Share float64 `json:"share"` // Count / Of; 0 if Of is 0
}

// RateOf returns the rate count / of; its share is 0 if of is 0.
func RateOf(count, of int) Rate {
	r := Rate{Count: count, Of: of}
	if of > 0 {
		r.Share = float64(count) / float64(of)
	}
	return r
}

// Transcript is a team with a task of a benchmark as files of a workspace, after PMC (Zhang
// et al. 2024), and a script of answers that lead to the known result, so that it runs
// without a model.
type Transcript struct {
	Team   string `json:"team"`   // a .team file
	Task   string `json:"task"`   // the question for the team
	Query  string `json:"query"`  // the benchmark's task as JSON
	Script Script `json:"script"` // answers by role
}

// Script has answers for "manager", "supervisor", "deliverer" and "task t1".
type Script map[string][]string

// Rehearsal has the correct solution of a benchmark's task, and typical mistakes. A simulated
// model plays it with any method. The correct entry of each list is the first.
type Rehearsal struct {
	Graph      Graph
	Supervisor string
	Parts      []Part // of the sub-tasks t1, t2, …
	// Answers is the number of variants of the answer for the same results. Answer returns a
	// variant for the outcome of each part.
	Answers int
	Answer  func(parts []int, own int) string
	// Alone returns the answer of a model without tools, with or without the prior
	// knowledge.
	Alone func(known bool, parts []int, own int) string
	Known string // prior knowledge for sole planning
}

// Part is a sub-task: its calls and result. Ways[0] is correct.
type Part struct{ Variants [][]string }

// Transcript returns the files of a team that makes no mistake.
func (r Rehearsal) Transcript(team, task, query string) Transcript {
	right := make([]int, len(r.Parts))
	script := Script{"manager": {Written(r.Graph)}, "deliverer": {r.Answer(right, 0)}}
	if r.Supervisor != "" {
		script["supervisor"] = []string{r.Supervisor}
	}
	for i, p := range r.Parts {
		script["task "+r.Graph.Subtasks[i].ID] = p.Variants[0]
	}
	return Transcript{Team: team, Task: task, Query: query + "\n", Script: script}
}

// Graph is a manager's task graph.
type Graph struct {
	Thought  string    `json:"thought"`
	Subtasks []Subtask `json:"subtasks"`
	Global   []string  `json:"global"`
}

// Subtask is a sub-task of a [Graph].
type Subtask struct {
	ID       string   `json:"id"`
	Task     string   `json:"task"`
	Executor string   `json:"executor"`
	Needs    []string `json:"needs"`
	Local    []string `json:"local"`
}

// Acts formats an executor's call of a tool.
func Acts(thought, tool, input string) string {
	return "[Thought] " + thought + "\n[Action] " + tool + "\n[Action Input] " + input
}

// FinalAnswer formats an executor's result.
func FinalAnswer(text string) string { return "[Final Thought] That is enough.\n[Answer] " + text }

// Written returns a value as JSON; "null" if that fails.
func Written(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return "null"
	}
	return string(text)
}

// Quoted returns a text as a quoted string on one line of a team's file.
func Quoted(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	return `"` + strings.ReplaceAll(strings.ReplaceAll(text, `\`, `\\`), `"`, `\"`) + `"`
}
