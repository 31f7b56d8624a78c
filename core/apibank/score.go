package apibank

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/bench"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
)

// Transcript has the calls and the answer of an agent for a task.
type Transcript struct {
	Sample   int    `json:"sample_id"`
	Calls    []Made `json:"calls"`    // in order
	Response string `json:"response"` // the final answer
}

// Made is a call of an agent. If it has no output, the simulator supplies one.
type Made struct {
	Text      string          `json:"text,omitempty"`     // the call as written, instead of name and input
	Name      string          `json:"api_name,omitempty"` // of the tool
	Input     json.RawMessage `json:"input,omitempty"`    // an object
	Output    json.RawMessage `json:"output,omitempty"`
	Exception json.RawMessage `json:"exception,omitempty"`
	// Gold is the index, from 1, of the gold call it was predicted for; 0: the one at its
	// position.
	Gold int `json:"gold,omitempty"`
}

// Judged is the verdict on a call.
type Judged struct {
	Call    string  `json:"call"`    // as formatted by [Call.String]; the text if it is invalid
	Correct bool    `json:"correct"` // it matches a gold call of the task
	Repeat  bool    `json:"repeat"`  // it repeats a correct call
	Gold    int     `json:"gold"`    // the index of the gold call, from 1; 0: none
	InPlace bool    `json:"inPlace"` // it matches the gold call it was predicted for
	Outcome Outcome `json:"outcome"`
	Why     string  `json:"why"` // the reason if it is not correct
}

// TaskScores are the [Scores] of one task.
type TaskScores struct {
	Sample       int        `json:"sample"`
	Correctness  bench.Rate `json:"correctness"`
	Completeness bench.Rate `json:"completeness"`
	Repeats      int        `json:"repeats"`
	Rouge        Rouge      `json:"rouge"`
	Accurate     bool       `json:"accurate"` // the predictions match the gold calls one by one
	Calls        []Judged   `json:"calls"`
	Missing      []string   `json:"missing"` // gold calls without a match
}

// Scores are the measures over all tasks of a simulator. A call is correct if the task has
// a gold call of the same tool with equal input, output and exception; for the searcher,
// with equal output and exception.
type Scores struct {
	// Correctness is the share of distinct correct calls in all calls, Completeness their
	// share in all gold calls (245 in the benchmark's 50 tasks). Repeats counts repeated
	// correct calls. The three are PMC's (Zhang et al. 2024).
	Correctness  bench.Rate `json:"correctness"`
	Completeness bench.Rate `json:"completeness"`
	Repeats      int        `json:"repeats"`
	// Rouge is the mean F of ROUGE-L over the tasks; 0 for a task without an answer.
	Rouge float64 `json:"rouge"`
	// Accuracy is the share of correct predictions, each compared with the gold call it was
	// made for. SampleAccuracy is the share of tasks without a fault; a gold call without a
	// prediction is a fault. Both are the benchmark's (Li et al. 2023).
	Accuracy       bench.Rate   `json:"accuracy"`
	SampleAccuracy bench.Rate   `json:"sampleAccuracy"`
	Tasks          []TaskScores `json:"tasks"`
}

// Score measures transcripts. A task without a transcript has no calls and no answer. The error has
// code [CodeSample] for a transcript of an unknown task or a second transcript of a task.
func (s *Simulator) Score(transcripts []Transcript) (Scores, error) {
	byTask := map[int]Transcript{}
	for _, t := range transcripts {
		at, ok := s.bySample[t.Sample]
		if !ok {
			return Scores{}, noSample(t.Sample)
		}
		if _, twice := byTask[at]; twice {
			return Scores{}, source.NewError(CodeSample, fmt.Sprintf("duplicate transcript of sample %d", t.Sample))
		}
		byTask[at] = t
	}
	tasks := make([]TaskScores, len(s.tasks))
	for i := range s.tasks {
		tasks[i] = s.scoreTask(i, byTask[i])
	}
	return Sum(tasks), nil
}

// Sum returns the scores of several tasks.
func Sum(tasks []TaskScores) Scores {
	out := Scores{Tasks: tasks}
	var unique, made, required, inPlace, accurate int
	for _, scores := range tasks {
		unique += scores.Correctness.Count
		made += scores.Correctness.Of
		required += scores.Completeness.Of
		out.Repeats += scores.Repeats
		out.Rouge += scores.Rouge.F / float64(len(tasks))
		for _, c := range scores.Calls {
			if c.InPlace {
				inPlace++
			}
		}
		if scores.Accurate {
			accurate++
		}
	}
	out.Correctness, out.Completeness = bench.RateOf(unique, made), bench.RateOf(unique, required)
	out.Accuracy, out.SampleAccuracy = bench.RateOf(inPlace, made), bench.RateOf(accurate, len(tasks))
	return out
}

// Judge measures the transcript of one task. The error has code [CodeSample] for an unknown
// task.
func (s *Simulator) Judge(t Transcript) (TaskScores, error) {
	at, ok := s.bySample[t.Sample]
	if !ok {
		return TaskScores{}, noSample(t.Sample)
	}
	return s.scoreTask(at, t), nil
}

func noSample(sample int) error {
	return source.NewError(CodeSample, fmt.Sprintf("unknown sample_id %d", sample))
}

// answerOf removes the names of speakers from an answer, as the released evaluation does.
func answerOf(text string) string {
	return strings.TrimSpace(strings.ReplaceAll(strings.ReplaceAll(text, "User:", ""), "AI:", ""))
}

func (s *Simulator) scoreTask(index int, t Transcript) TaskScores {
	task := s.tasks[index]
	out := TaskScores{Sample: task.Sample, Rouge: RougeL(task.Response, answerOf(t.Response)), Calls: []Judged{}, Missing: []string{}}
	used := make([]bool, len(task.Calls))
	predicted := make([]bool, len(task.Calls))
	unique, faults := 0, 0
	for i, m := range t.Calls {
		place := i
		if m.Gold > 0 {
			place = m.Gold - 1
		}
		j := s.judge(s.golds[index], m, place)
		if j.Correct {
			if j.Repeat = used[j.Gold-1]; j.Repeat {
				out.Repeats++
			} else {
				unique++
			}
			used[j.Gold-1] = true
		}
		if j.InPlace {
			predicted[place] = true
		} else {
			faults++
		}
		out.Calls = append(out.Calls, j)
	}
	for i, g := range task.Calls {
		if !predicted[i] {
			faults++
		}
		if !used[i] {
			out.Missing = append(out.Missing, g.Call().String())
		}
	}
	out.Correctness, out.Completeness = bench.RateOf(unique, len(t.Calls)), bench.RateOf(unique, len(task.Calls))
	out.Accurate = faults == 0
	return out
}

// Call returns the call without its result.
func (g Gold) Call() Call {
	c, _ := CallOf(g.Name, g.Input)
	return c
}

// judge compares a call with the gold calls of a task, first with the one at its position.
func (s *Simulator) judge(golds []*recorded, m Made, place int) Judged {
	c, fault := m.call()
	if fault != "" {
		return Judged{Call: m.written(), Outcome: failure(CodeCall, "%s", fault), Why: fault}
	}
	j := Judged{Call: c.String(), Outcome: s.Do(c)}
	if len(m.Output) > 0 || len(m.Exception) > 0 {
		j.Outcome = Outcome{Output: orNull(m.Output), Exception: orNull(m.Exception)}
	}
	spec, _ := s.spec(c.Name)
	input, output, exception := treeOf(c.Input()), treeOf(j.Outcome.Output), treeOf(j.Outcome.Exception)
	named, fits := false, func(g *recorded) bool {
		return g.Name == c.Name && (c.Name == Searcher || spec.sameInput(g.input, input)) && same(g.output, output) && same(g.exception, exception)
	}
	if place >= 0 && place < len(golds) && fits(golds[place]) {
		j.InPlace, j.Correct, j.Gold = true, true, place+1
		return j
	}
	for i, g := range golds {
		named = named || g.Name == c.Name
		if fits(g) {
			j.Correct, j.Gold = true, i+1
			return j
		}
	}
	switch {
	case j.Outcome.Failed():
		j.Why = textOf(j.Outcome.Exception)
	case named:
		j.Why = fmt.Sprintf("the task calls %s with another input, or with another output", c.Name)
	default:
		j.Why = fmt.Sprintf("the task does not call %s", c.Name)
	}
	return j
}

func orNull(value json.RawMessage) json.RawMessage {
	if len(value) == 0 {
		return json.RawMessage("null")
	}
	return value
}

// call parses the call; fault is the reason if it is invalid.
func (m Made) call() (c Call, fault string) {
	if m.Text != "" {
		calls, found := FindCalls(m.Text)
		switch {
		case len(calls) > 0:
			return calls[0], ""
		case len(found) > 0:
			return c, found[0].Message
		}
		return c, "no call found; write one such as [Calculator(formula='1+2')]"
	}
	input := m.Input
	if len(input) == 0 {
		input = json.RawMessage("{}")
	}
	c, err := CallOf(m.Name, input)
	if err != nil {
		return c, err.Error()
	}
	return c, ""
}

func (m Made) written() string {
	if m.Text != "" {
		return m.Text
	}
	return m.Name + "(" + string(m.Input) + ")"
}
