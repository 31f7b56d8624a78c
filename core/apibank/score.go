package apibank

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/bench"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
)

// Transcript is what an agent did for a task.
type Transcript struct {
	Sample   int    `json:"sample_id"`
	Calls    []Made `json:"calls"`    // in their order
	Response string `json:"response"` // the final answer
}

// Made is a call that an agent made. Without an output the simulator's is taken.
type Made struct {
	Text      string          `json:"text,omitempty"`     // the call as it was written, in the place of name and input
	Name      string          `json:"api_name,omitempty"` // of the tool
	Input     json.RawMessage `json:"input,omitempty"`    // an object
	Output    json.RawMessage `json:"output,omitempty"`
	Exception json.RawMessage `json:"exception,omitempty"`
	// Gold is which gold call, from 1, it was predicted for; 0: the one of its own place.
	Gold int `json:"gold,omitempty"`
}

// Judged is what a call came to.
type Judged struct {
	Call    string  `json:"call"`    // as [Call.String] writes it; the text where it cannot be read
	Correct bool    `json:"correct"` // it is a gold call of the task
	Repeat  bool    `json:"repeat"`  // of a correct one
	Gold    int     `json:"gold"`    // which, from 1; 0: none
	InPlace bool    `json:"inPlace"` // it is the gold call that it was predicted for
	Outcome Outcome `json:"outcome"`
	Why     string  `json:"why"` // why it is not correct
}

// TaskScores are the measures of one task.
type TaskScores struct {
	Sample       int        `json:"sample"`
	Correctness  bench.Rate `json:"correctness"`
	Completeness bench.Rate `json:"completeness"`
	Repeats      int        `json:"repeats"`
	Rouge        Rouge      `json:"rouge"`
	Accurate     bool       `json:"accurate"` // every gold call is predicted in its place, and nothing else
	Calls        []Judged   `json:"calls"`
	Missing      []string   `json:"missing"` // gold calls that were not made
}

// Scores are the measures of all tasks of a simulator together. A call is correct when
// the task has a gold call of the same tool with equal input, output and exception; for
// the searcher, with equal output and exception.
type Scores struct {
	// Correctness is different correct calls of all calls made, Completeness the same of
	// all gold calls: 245 in the benchmark's 50 tasks. Repeats counts correct calls that
	// were made again. The three are PMC's (Zhang et al. 2024).
	Correctness  bench.Rate `json:"correctness"`
	Completeness bench.Rate `json:"completeness"`
	Repeats      int        `json:"repeats"`
	// Rouge is the mean of ROUGE-L's F over the tasks, 0 for one without an answer.
	Rouge float64 `json:"rouge"`
	// Accuracy is correct predictions of all predictions, each held against the gold call
	// that it was made for; SampleAccuracy tasks without a fault of all tasks. Both are the
	// benchmark's (Li et al. 2023). A gold call for which nothing was predicted is a fault
	// of its task.
	Accuracy       bench.Rate   `json:"accuracy"`
	SampleAccuracy bench.Rate   `json:"sampleAccuracy"`
	Tasks          []TaskScores `json:"tasks"`
}

// Score measures transcripts. Tasks without one have made no call and given no answer.
// The error, coded [CodeSample], names a transcript of no task, or a second of one.
func (s *Simulator) Score(transcripts []Transcript) (Scores, error) {
	byTask := map[int]Transcript{}
	for _, t := range transcripts {
		at, ok := s.bySample[t.Sample]
		if !ok {
			return Scores{}, noSample(t.Sample)
		}
		if _, twice := byTask[at]; twice {
			return Scores{}, source.NewError(CodeSample, fmt.Sprintf("there are two transcripts of sample %d", t.Sample))
		}
		byTask[at] = t
	}
	tasks := make([]TaskScores, len(s.tasks))
	for i := range s.tasks {
		tasks[i] = s.scoreTask(i, byTask[i])
	}
	return Sum(tasks), nil
}

// Sum returns the measures of tasks together.
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

// Judge measures what was done for one task. The error, coded [CodeSample], names a
// task that is not there.
func (s *Simulator) Judge(t Transcript) (TaskScores, error) {
	at, ok := s.bySample[t.Sample]
	if !ok {
		return TaskScores{}, noSample(t.Sample)
	}
	return s.scoreTask(at, t), nil
}

func noSample(sample int) error {
	return source.NewError(CodeSample, fmt.Sprintf("there is no task with the sample_id %d", sample))
}

// answerOf takes the names of speakers off an answer, as the released evaluation does.
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

// Call returns the call without what came of it.
func (g Gold) Call() Call {
	c, _ := CallOf(g.Name, g.Input)
	return c
}

// judge holds a call against the gold calls of a task, the one of its place first.
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

// call reads a call that was made; fault says why it is none.
func (m Made) call() (c Call, fault string) {
	if m.Text != "" {
		calls, found := FindCalls(m.Text)
		switch {
		case len(calls) > 0:
			return calls[0], ""
		case len(found) > 0:
			return c, found[0].Message
		}
		return c, "there is no call in it, such as [Calculator(formula='1+2')]"
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
