package session

import (
	"errors"
	"fmt"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/lab"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/plan/compare"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/solve"
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
	// Without lists the methods of which the trial finished no run; theirs are not in the estimate.
	Without []string `json:"without"`
}

// The trials of an estimate: the runs of each method, and the slices of [process.DefaultSlice] steps, which take up
// to a third of a second each in the page. Every trial has a least number of them.
const (
	trialRuns   = 2
	trialGroups = 3 // of an experiment's tasks
	trialSlices = 12
	leastSlices = 2
)

var trialBudget = meter.Budget{Steps: 1 << 36, States: 10_000_000, Tokens: 10_000_000, Calls: 2_000}

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
// no mistakes, so that a model that makes some needs more. Solvers reach their time limit in a trial.
func (s *Session) runEstimate(p RunEstimateParams) (out RunEstimateResult, err error) {
	out.Without = []string{}
	w := s.project(p.Workspace.Files)
	if err := w.Check(); err != nil {
		return out, err
	}
	if p.Workspace.Name == "" && p.Kind != RunBenchmark {
		p.Workspace.Name = w.Main()
	}
	p.Settings = withWording(p.Kind, p.Settings)
	trials, err := newTrials(w, p)
	if err != nil {
		return out, err
	}
	slices := max(leastSlices, trialSlices/len(trials))
	for _, t := range trials {
		rows, fault := t.run(w, p, slices)
		if fault != nil {
			err = fault
		}
		out.add(t, rows)
	}
	if out.Tried > 0 {
		return out, nil
	}
	if err == nil {
		err = source.NewError("run.estimate", "no run of the trial ended")
	}
	return out, err
}

// add adds the methods of a trial.
func (r *RunEstimateResult) add(t trial, rows map[string]trialRow) {
	for _, method := range t.methods {
		row, wanted := rows[method], t.runs[method]
		tried := row.Plans + row.Tasks
		if tried == 0 {
			r.Without = append(r.Without, method)
			continue
		}
		each := func(n int) int { return (n*wanted + tried - 1) / tried }
		r.Calls += each(row.Calls)
		r.Tokens += each(row.PromptTokens + row.CompletionTokens)
		r.Runs += wanted
		r.Tried += tried
	}
}

// run returns the rows of a trial. It ends the trial after a number of slices; its effects fail.
func (t trial) run(w project, p RunEstimateParams, slices int) (map[string]trialRow, error) {
	file, _ := w.File(p.Workspace.Name)
	_, body, err := runBody(p.Kind, w, file, t.settings, consent{})
	if err != nil {
		return nil, err
	}
	tried := process.New(body, p.Seed, trialBudget, nil)
	defer tried.Stop()
	rows := map[string]trialRow{}
	var answers []process.Answer
	for range slices {
		end, err := tried.Resume(answers, 0)
		if err != nil {
			return rows, err
		}
		for _, raw := range end.Events {
			if err := readTrial(rows, raw); err != nil {
				return rows, err
			}
		}
		answers = nil
		for _, e := range end.Effects {
			answers = append(answers, unperformed(e))
		}
		if over := end.State != process.StateWorking && len(answers) == 0; over {
			var limit *meter.LimitError
			if errors.As(end.Err, &limit) {
				return rows, nil
			}
			return rows, end.Err
		}
	}
	return rows, nil
}

// unperformed answers an effect of a trial.
func unperformed(e process.Effect) process.Answer {
	code := "estimate"
	if e.Solve != nil {
		code = solve.CodeTimeout // another code counts as a fault of the text, which a model would write again
	}
	return process.Answer{Effect: e.ID, Error: &process.EffectError{Code: code, Message: "an estimate performs no effects"}}
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

// newTrials returns the trials of a run: one of each method or, of an experiment, one of all.
func newTrials(w project, p RunEstimateParams) ([]trial, error) {
	switch p.Kind {
	case RunCompare:
		return compareTrials(p.Settings)
	case RunBenchmark:
		return benchmarkTrials(w, p.Settings)
	case RunLab:
		return labTrials(w, p)
	}
	return nil, source.NewError("run.estimate", fmt.Sprintf("no estimate of runs of the kind %q (expected %s, %s or %s)", p.Kind, RunCompare, RunBenchmark, RunLab))
}

func compareTrials(raw json.RawMessage) (out []trial, err error) {
	var set compare.Settings
	if err := decodeParams(raw, &set); err != nil {
		return nil, err
	}
	wanted := set.Tries
	if wanted == 0 {
		wanted = compare.DefaultTries
	}
	methods := set.Methods
	if len(methods) == 0 {
		methods = compare.DefaultMethods()
	}
	set.Tries = min(wanted, trialRuns)
	set.Model = llm.Spec{Kind: llm.KindUniform}
	for _, method := range methods {
		set.Methods = []string{method}
		if out, err = appendTrial(out, method, wanted, set); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func benchmarkTrials(w project, raw json.RawMessage) (out []trial, err error) {
	var set BenchmarkSettings
	if err := decodeParams(raw, &set); err != nil {
		return nil, err
	}
	if len(set.Tasks) == 0 {
		return nil, source.NewError("run.estimate", "an estimate needs the tasks")
	}
	c, err := openContest(w.Workspace, set.Bare)
	if err != nil {
		return nil, err
	}
	wanted, methods, wording := len(set.Tasks), set.Methods, set.Wording
	if len(methods) == 0 {
		methods = benchmarkMethods
	}
	set.Tasks = set.Tasks[:min(wanted, trialRuns)]
	set.Model, set.Mistakes, set.Budget = nil, 0, meter.Budget{}
	for _, method := range methods {
		set.Methods, set.Wording = []string{method}, wording
		if _, err := set.methods(c); err != nil {
			set.Wording = "" // with a wording, a simulated model that says nothing about a method is refused
		}
		if out, err = appendTrial(out, method, wanted, set); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func appendTrial(list []trial, method string, wanted int, settings any) ([]trial, error) {
	raw, err := json.Marshal(settings)
	return append(list, trial{settings: raw, methods: []string{method}, runs: map[string]int{method: wanted}}), err
}

// labTrials counts the cells of each method that have no earlier result and whose model is an endpoint. The trial has a
// cell of up to three groups of tasks for each method.
func labTrials(w project, p RunEstimateParams) ([]trial, error) {
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
	t := trial{runs: map[string]int{}}
	for i, c := range cells {
		if _, ok := known[i]; ok || c.Outcome.Simulated {
			continue
		}
		if _, ok := t.runs[c.Outcome.Method]; !ok {
			t.methods = append(t.methods, c.Outcome.Method)
		}
		t.runs[c.Outcome.Method]++
	}
	set.Models = []lab.NamedModel{{Name: "trial", Spec: llm.Spec{Kind: llm.KindUniform}}}
	set.Earlier, set.Tasks, set.Seeds, set.Budget = nil, 1, x.Seeds[:min(1, len(x.Seeds))], nil
	if cells, _, err = x.Cells(w.Files, set); err != nil {
		return nil, err
	}
	of := map[string]int{}
	for _, c := range cells {
		of[c.Outcome.Method]++
	}
	at := map[string]int{}
	for _, c := range cells {
		i, n := at[c.Outcome.Method], of[c.Outcome.Method]
		at[c.Outcome.Method]++
		// The first, the last and evenly spaced ones between them.
		if chosen := i*(trialGroups-1)%max(n-1, 1) < trialGroups-1; n > trialGroups && !chosen || t.runs[c.Outcome.Method] == 0 {
			c.Outcome.State = lab.StateDone // without measures: a cell that the trial skips
			set.Earlier = append(set.Earlier, c.Outcome)
		}
	}
	t.settings, err = json.Marshal(set)
	return []trial{t}, err
}
