package session

import (
	"fmt"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/lab"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/plan/compare"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
)

// RunEstimateParams are the parameters of a comparison, a benchmark or an experiment, as in [RunStartParams].
type RunEstimateParams struct {
	Kind      string          `json:"kind"`
	Workspace RunWorkspace    `json:"workspace"`
	Settings  json.RawMessage `json:"settings,omitempty"`
	Seed      uint64          `json:"seed,omitempty"`
}

// RunEstimateResult estimates the requests of a run and the tokens of their prompts and answers, without
// thoughts and repeated requests.
type RunEstimateResult struct {
	Calls  int `json:"calls"`
	Tokens int `json:"tokens"`
	Runs   int `json:"runs"`  // plans, tasks or cells of all methods
	Tried  int `json:"tried"` // runs of the trial from which the others are estimated
	// Without lists the methods that the trial could not finish, whose runs are not in the estimate.
	Without []string `json:"without"`
}

// The trial of an estimate: the runs of each method, and its slices of [process.DefaultSlice] steps, which
// take some seconds in the page.
const (
	trialRuns   = 2
	trialSlices = 60
)

var trialBudget = meter.Budget{Steps: 1 << 36, States: 10_000_000, Tokens: 1_000_000, Calls: 2_000}

// trial is the part of a run from which the rest is estimated.
type trial struct {
	settings json.RawMessage
	methods  []string       // in the order of the run
	runs     map[string]int // of each method that the caller wants
}

// trialRow has the cost of a method in a trial.
type trialRow struct {
	Method           string `json:"method"`
	Plans            int    `json:"plans"`
	Tasks            int    `json:"tasks"`
	Calls            int    `json:"calls"`
	PromptTokens     int    `json:"promptTokens"`
	CompletionTokens int    `json:"completionTokens"`
}

// runEstimate tries a few runs of each method with a simulated model, and multiplies their calls and tokens.
// A comparison and an experiment choose at random; on a benchmark, the player knows the solutions and makes
// no mistakes, so that a model that makes some needs more.
func (s *Session) runEstimate(p RunEstimateParams) (out RunEstimateResult, err error) {
	out.Without = []string{}
	w := s.project(p.Workspace.Files)
	if err := w.Check(); err != nil {
		return out, err
	}
	if p.Workspace.Name == "" && p.Kind != RunBenchmark {
		p.Workspace.Name = w.Main()
	}
	t, err := newTrial(w, p)
	if err != nil {
		return out, err
	}
	file, _ := w.File(p.Workspace.Name)
	_, body, err := runBody(p.Kind, w, file, t.settings, consent{})
	if err != nil {
		return out, err
	}
	rows, err := runTrial(body, p.Seed)
	if err != nil {
		return out, err
	}
	for _, method := range t.methods {
		row, wanted := rows[method], t.runs[method]
		tried := row.Plans + row.Tasks
		if tried == 0 {
			out.Without = append(out.Without, method)
			continue
		}
		each := func(n int) int { return (n*wanted + tried - 1) / tried }
		out.Calls += each(row.Calls)
		out.Tokens += each(row.PromptTokens + row.CompletionTokens)
		out.Runs += wanted
		out.Tried += tried
	}
	return out, nil
}

// runTrial returns the rows of a process whose effects all fail. It ends the process after the slices of a trial.
func runTrial(body process.Func, seed uint64) (map[string]trialRow, error) {
	p := process.New(body, seed, trialBudget, nil)
	defer p.Stop()
	rows := map[string]trialRow{}
	var answers []process.Answer
	for range trialSlices {
		end, err := p.Resume(answers, process.DefaultSlice)
		if err != nil {
			return nil, err
		}
		for _, raw := range end.Events {
			if err := readTrial(rows, raw); err != nil {
				return nil, err
			}
		}
		answers = nil
		for _, e := range end.Effects {
			answers = append(answers, process.Answer{Effect: e.ID, Error: &process.EffectError{Code: "estimate", Message: "an estimate performs no effects"}})
		}
		switch {
		case end.State == process.StateFailed:
			return nil, end.Err
		case end.State == process.StateDone, end.State == process.StateWaiting && len(answers) == 0:
			return rows, nil
		}
	}
	return rows, nil
}

// readTrial adds an event of a comparison, a benchmark or an experiment to the rows.
func readTrial(rows map[string]trialRow, raw json.RawMessage) error {
	var event struct {
		Kind    string       `json:"kind"`
		Row     *trialRow    `json:"row"`
		Outcome *lab.Outcome `json:"outcome"`
	}
	if err := json.Unmarshal(raw, &event); err != nil {
		return err
	}
	switch {
	case event.Row != nil:
		rows[event.Row.Method] = *event.Row // the sums so far
	case event.Outcome != nil && event.Outcome.State == lab.StateDone && len(event.Outcome.Measures) > 0:
		row := rows[event.Outcome.Method]
		row.Tasks++
		for _, m := range event.Outcome.Measures {
			switch m.Name {
			case "calls":
				row.Calls += int(m.Count)
			case "tokens":
				row.PromptTokens += int(m.Count)
			}
		}
		rows[event.Outcome.Method] = row
	}
	return nil
}

// want adds runs to methods.
func (t *trial) want(runs int, methods ...string) {
	if t.runs == nil {
		t.runs = map[string]int{}
	}
	for _, m := range methods {
		if _, ok := t.runs[m]; !ok {
			t.methods = append(t.methods, m)
		}
		t.runs[m] += runs
	}
}

// newTrial returns the trial of a run.
func newTrial(w project, p RunEstimateParams) (t trial, err error) {
	var changed any
	switch p.Kind {
	case RunCompare:
		var set compare.Settings
		if err := decodeParams(p.Settings, &set); err != nil {
			return t, err
		}
		wanted := set.Tries
		if wanted == 0 {
			wanted = compare.DefaultTries
		}
		if len(set.Methods) == 0 {
			set.Methods = compare.DefaultMethods()
		}
		t.want(wanted, set.Methods...)
		set.Tries = min(wanted, trialRuns)
		set.Model = llm.Spec{Kind: llm.KindUniform}
		changed = set
	case RunBenchmark:
		var set BenchmarkSettings
		if err := decodeParams(p.Settings, &set); err != nil {
			return t, err
		}
		if len(set.Tasks) == 0 {
			return t, source.NewError("run.estimate", "an estimate needs the tasks")
		}
		if len(set.Methods) == 0 {
			set.Methods = benchmarkMethods
		}
		t.want(len(set.Tasks), set.Methods...)
		set.Tasks = set.Tasks[:min(len(set.Tasks), trialRuns)]
		set.Model, set.Mistakes, set.Budget = nil, 0, meter.Budget{}
		set.Wording = "" // with a wording, methods about which a simulated model says nothing are refused
		changed = set
	case RunLab:
		if changed, err = t.experiment(w, p); err != nil {
			return t, err
		}
	default:
		return t, source.NewError("run.estimate", fmt.Sprintf("no estimate of runs of the kind %q (expected %s, %s or %s)", p.Kind, RunCompare, RunBenchmark, RunLab))
	}
	t.settings, err = json.Marshal(changed)
	return t, err
}

// experiment counts the cells of each method that have no earlier result, and returns the settings of a trial.
func (t *trial) experiment(w project, p RunEstimateParams) (any, error) {
	var set lab.Settings
	if err := decodeParams(p.Settings, &set); err != nil {
		return nil, err
	}
	x, err := openLab(w, p.Workspace.Name)
	if err != nil {
		return nil, err
	}
	cells, _, err := x.Cells(w.Files, set)
	if err != nil {
		return nil, err
	}
	known, _ := lab.Earlier(cells, set.Earlier)
	for i, c := range cells {
		if _, ok := known[i]; !ok {
			t.want(1, c.Outcome.Method)
		}
	}
	set.Models = []lab.NamedModel{{Name: "trial", Spec: llm.Spec{Kind: llm.KindUniform}}}
	set.Earlier, set.Tasks, set.Seeds, set.Budget = nil, 1, x.Seeds[:min(1, len(x.Seeds))], nil
	if cells, _, err = x.Cells(w.Files, set); err != nil {
		return nil, err
	}
	tried := map[string]int{}
	for _, c := range cells {
		if tried[c.Outcome.Method]++; tried[c.Outcome.Method] > trialRuns {
			c.Outcome.State = lab.StateDone // without measures: a cell that the trial skips
			set.Earlier = append(set.Earlier, c.Outcome)
		}
	}
	return set, nil
}
