// Package apibank implements level 3 of the benchmark API-Bank (Li et al. 2023): tasks
// that need several tools, which an agent has to find by a search. PMC (Zhang et al.
// 2024) reports results on it.
//
//	tasks, err := apibank.ReadTasks(text)          // a task a line, with its gold calls
//	sim := apibank.NewSimulator(tasks)             // tools that answer as the gold calls do
//	calls, found := apibank.FindCalls(answer)      // [QueryMeeting(user_name='John')]
//	outcome := sim.Do(calls[0])                    // an output, or an exception
//	scores := sim.Score(transcripts)               // correctness, completeness, repeats, ROUGE-L, accuracy
//
// The tools are simulated: they return what the gold calls have recorded.
package apibank

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
)

// Codes of errors, diagnostics and faults.
const (
	CodeTasks     = "apibank.tasks"     // tasks cannot be read
	CodeCall      = "apibank.call"      // a call cannot be read
	CodeTool      = "apibank.tool"      // unknown tool
	CodeParameter = "apibank.parameter" // missing or unknown parameter
	CodeInput     = "apibank.input"     // no record of the tool has this input
	CodeSample    = "apibank.sample"    // unknown task of a transcript
)

// Searcher is the tool that searches for the others.
const Searcher = "ToolSearcher"

// MaxTasks is the maximum number of tasks in a text. The benchmark has 50.
const MaxTasks = 2_000

// Task is a request with the calls that fulfil it.
type Task struct {
	Sample      int    `json:"sample_id"`
	Requirement string `json:"requirement"`
	Response    string `json:"response"` // the reference answer
	Calls       []Gold `json:"api_calls"`
}

// Gold is a recorded call with its result, in the order of the task.
type Gold struct {
	Name      string          `json:"api_name"`
	Input     json.RawMessage `json:"input"`     // an object
	Output    json.RawMessage `json:"output"`    // any value
	Exception json.RawMessage `json:"exception"` // null, or a text
}

// ReadTasks reads tasks: a sequence of JSON objects in the form of [Task], or a list of objects in
// the form of the benchmark's level-3.json, whose "apis" hold the record of each call as "output".
// Tasks without a number are numbered from 0. The error has code [CodeTasks] and names the task.
func ReadTasks(text string) ([]Task, error) {
	trees, fault := json.Trees(text)
	if fault != nil {
		at := source.NewFile("tasks", text).Locate(source.Pos(fault.Offset))
		return nil, source.NewError(CodeTasks, fmt.Sprintf("invalid JSON of the tasks: line %d, column %d: %s", at.Line, at.Column, fault.Message))
	}
	if len(trees) == 1 && trees[0].Kind == '[' {
		trees = trees[0].Items
	}
	if len(trees) == 0 {
		return nil, source.NewError(CodeTasks, "no tasks; write one JSON object per line with sample_id, requirement, response and api_calls")
	}
	if len(trees) > MaxTasks {
		return nil, source.NewError(CodeTasks, fmt.Sprintf("too many tasks: %d (maximum %d)", len(trees), MaxTasks))
	}
	tasks := make([]Task, len(trees))
	numbers := map[int]bool{}
	for i, n := range trees {
		t, said := readTask(n, i, text)
		if said == "" && numbers[t.Sample] {
			said = fmt.Sprintf("duplicate sample %d", t.Sample)
		}
		if said != "" {
			return nil, source.NewError(CodeTasks, fmt.Sprintf("task %d: %s", i+1, said))
		}
		numbers[t.Sample] = true
		tasks[i] = t
	}
	return tasks, nil
}

func readTask(n *json.Node, index int, text string) (t Task, said string) {
	if n.Kind != '{' {
		return t, "expected an object"
	}
	t = Task{Sample: index, Requirement: strings.TrimSpace(n.TextOf("requirement")), Response: n.TextOf("response"), Calls: []Gold{}}
	if id, ok := n.Get("sample_id"); ok {
		number, err := strconv.Atoi(id.Text)
		if id.Kind != '0' || err != nil {
			return t, "\"sample_id\" must be a whole number"
		}
		t.Sample = number
	}
	calls, ok := n.Get("api_calls")
	nested := !ok
	if nested {
		calls, ok = n.Get("apis")
	}
	if !ok || calls.Kind != '[' {
		return t, "missing list \"api_calls\""
	}
	for j, c := range calls.Items {
		input, _ := c.Get("input")
		record := c
		if nested {
			record, _ = c.Get("output")
		}
		output, ok := record.Get("output")
		g := Gold{Name: c.TextOf("api_name"), Input: raw(input, text), Output: raw(output, text), Exception: json.RawMessage("null")}
		if exception, ok := record.Get("exception"); ok {
			g.Exception = raw(exception, text)
		}
		if g.Name == "" || input.Kind != '{' || !ok {
			return t, fmt.Sprintf("call %d has no api_name, input or output", j+1)
		}
		t.Calls = append(t.Calls, g)
	}
	return t, ""
}

// raw returns the text of a value; null if there is none.
func raw(n *json.Node, text string) json.RawMessage {
	if n.Kind == 0 {
		return json.RawMessage("null")
	}
	return json.RawMessage(text[n.At.Start:n.At.End])
}
