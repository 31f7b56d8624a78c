// Package bench is what the benchmarks of teams have in common: rates, and stories, which
// are teams that come to a known answer without a model.
package bench

import (
	"strings"

	"github.com/stile-playground/stile/core/json"
)

// Rate is how many of how many.
type Rate struct {
	Count int     `json:"count"`
	Of    int     `json:"of"`
	Share float64 `json:"share"` // Count / Of, 0 where Of is
}

// RateOf returns a rate with its share.
func RateOf(count, of int) Rate {
	r := Rate{Count: count, Of: of}
	if of > 0 {
		r.Share = float64(count) / float64(of)
	}
	return r
}

// Story is a team with a task of a benchmark, as files of a workspace: who does what and
// what has to hold of it, after PMC (Zhang et al. 2024), and answers by which the team
// comes to what is known, so that it runs without a model.
type Story struct {
	Team   string `json:"team"`   // a .team file
	Task   string `json:"task"`   // what the team is asked
	Query  string `json:"query"`  // the task as the benchmark has it, JSON
	Script Script `json:"script"` // answers by whose they are
}

// Script has answers for "manager", "supervisor", "deliverer" and "task t1".
type Script map[string][]string

// Rehearsal is how a task of a benchmark is done by somebody who knows how, with the
// mistakes that are made at it: a simulated model plays it by whatever method. In its
// lists what is right comes first.
type Rehearsal struct {
	Graph      Graph
	Supervisor string
	Parts      []Part // of the sub-tasks t1, t2, …
	// Answers is how many ways there are to answer, given the same results. Answer gives
	// the answer by how each part has come out and by the way of answering.
	Answers int
	Answer  func(parts []int, own int) string
	// Alone is the answer of one who calls no tools: with what is known beforehand, or
	// without.
	Alone func(known bool, parts []int, own int) string
	Known string // what is known beforehand, for sole planning
}

// Part is how a sub-task is done: calls, and at last the result. Ways[0] is the right one.
type Part struct{ Ways [][]string }

// Story returns the files of the team that plays it without a mistake.
func (r Rehearsal) Story(team, task, query string) Story {
	right := make([]int, len(r.Parts))
	script := Script{"manager": {Written(r.Graph)}, "deliverer": {r.Answer(right, 0)}}
	if r.Supervisor != "" {
		script["supervisor"] = []string{r.Supervisor}
	}
	for i, p := range r.Parts {
		script["task "+r.Graph.Subtasks[i].ID] = p.Ways[0]
	}
	return Story{Team: team, Task: task, Query: query + "\n", Script: script}
}

// Graph is what a manager says.
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

// Acts is an executor's call of a tool.
func Acts(thought, tool, input string) string {
	return "[Thought] " + thought + "\n[Action] " + tool + "\n[Action Input] " + input
}

// Says is an executor's result.
func Says(text string) string { return "[Final Thought] That is enough.\n[Answer] " + text }

// Written is a value as JSON; "null" for one that cannot be written.
func Written(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return "null"
	}
	return string(text)
}

// Quoted is a text as a team's file has it: on one line, in double quotes.
func Quoted(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	return `"` + strings.ReplaceAll(strings.ReplaceAll(text, `\`, `\\`), `"`, `\"`) + `"`
}
