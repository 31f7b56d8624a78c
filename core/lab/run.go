package lab

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/tool"
	"github.com/stile-playground/stile/core/workspace"
)

// Setup has the functions and limits that runs need.
type Setup struct {
	// Begin returns the process of a run of a kind.
	Begin func(kind string, w workspace.Workspace, name string, settings json.RawMessage) (process.Func, error)
	// Tools returns the tools that a workspace declares, or nil.
	Tools func(w workspace.Workspace) (*tool.Set, error)
	// Budget bounds each run.
	Budget meter.Budget
}

type experimentRun struct {
	x        *Experiment
	env      *process.Env
	setup    Setup
	budget   meter.Budget
	ceiling  meter.Budget  // bounds if no budget is set
	gate     *process.Gate // bounds the requests in flight to the number of concurrent cells
	cells    []Cell
	requests bool // only requests to endpoints count
	notes    []string
	outcomes []Outcome
	known    []bool
	running  int
	spent    Spent
	stopped  string // the reason why no more cells start
	shown    int    // finished cells in the last table event
	done     int
}

// Run runs the cells of an experiment that have no earlier result, several at a time, until
// the budget is spent. Unfinished cells have no result and run again when the experiment
// continues.
func (x *Experiment) Run(env *process.Env, files []workspace.File, setup Setup, s Settings) (*Result, error) {
	cells, notes, err := x.Cells(files, s)
	if err != nil {
		return nil, err
	}
	concurrent := x.Concurrent
	if s.Concurrent > 0 {
		concurrent = min(s.Concurrent, MaxConcurrent)
	}
	r := &experimentRun{x: x, env: env, setup: setup, budget: x.budget(s), ceiling: x.Ceiling(s), gate: process.NewGate(concurrent), cells: cells, notes: notes}
	if slices.ContainsFunc(cells, func(c Cell) bool { return c.endpoint != nil }) {
		r.requests = env.Decide(true, json.RawMessage(`"requests"`)) != nil // nil: recorded while all calls counted
	}
	env.Ceiling().Bound(r.budget.Or(r.ceiling)) // ends an answer that exceeds the bounds
	r.take(s.Earlier)
	var tasks []*process.Task
	for i := range cells {
		if r.known[i] {
			continue
		}
		if err := env.Until(func() bool { return r.running < concurrent }); err != nil {
			return nil, err
		}
		if r.stopped != "" || r.afford(&cells[i], 1, false) != nil {
			break
		}
		r.running++
		tasks = append(tasks, env.Go(func(env *process.Env) error {
			defer func() { r.running-- }()
			return r.cell(env, i)
		}))
	}
	for _, t := range tasks {
		if err := t.Wait(); err != nil {
			return nil, err
		}
	}
	r.count()
	out := &Result{Table: r.table(), Outcomes: []Outcome{}, Spent: r.spent, Stopped: r.stopped}
	for _, o := range r.outcomes {
		if o.State == StateDone || o.State == StateFailed {
			o.Answers = nil // the cell's events contain them
			out.Outcomes = append(out.Outcomes, o)
		}
	}
	env.Emit(TableEvent{"lab.table", out.Table, r.spent, r.stopped})
	return out, nil
}

// Earlier assigns the results of an earlier run to cells, by their indices. It returns
// notes on results without a cell (a method was renamed, or a task is no longer picked) and
// on those whose settings or files have changed. Failed cells run again.
func Earlier(cells []Cell, earlier []Outcome) (known map[int]int, notes []string) {
	known = map[int]int{}
	places := make(map[string]int, len(cells))
	for i, c := range cells {
		places[c.Outcome.Key] = i
	}
	var removed, changed []string
	for i, o := range earlier {
		at, there := places[o.Key]
		switch {
		case o.State != StateDone:
		case !there:
			removed = append(removed, o.Key)
		case o.Stamp != cells[at].Outcome.Stamp:
			changed = append(changed, o.Key)
		default:
			known[at] = i
		}
	}
	// A cell may have both an old and a current result.
	changed = slices.DeleteFunc(changed, func(key string) bool { _, taken := known[places[key]]; return taken })
	if len(removed) > 0 {
		notes = append(notes, fmt.Sprintf("Unused results, because no cell of this run matches: %s, %s.", results(len(removed)), listed(removed)))
	}
	if len(changed) > 0 {
		notes = append(notes, fmt.Sprintf("Unused results, because the settings or files of their cells have changed; these cells run again: %s, %s.", results(len(changed)), listed(changed)))
	}
	return known, notes
}

func results(n int) string {
	if n == 1 {
		return "1 earlier result"
	}
	return fmt.Sprintf("%d earlier results", n)
}

// take adds earlier results.
func (r *experimentRun) take(earlier []Outcome) {
	known, notes := Earlier(r.cells, earlier)
	r.notes = append(r.notes, notes...)
	r.outcomes, r.known = make([]Outcome, len(r.cells)), make([]bool, len(r.cells))
	for i, c := range r.cells {
		r.outcomes[i] = c.Outcome
		if at, ok := known[i]; ok {
			r.outcomes[i], r.known[i] = earlier[at], true
			r.done++
			r.show(i, true)
		}
	}
}

func (r *experimentRun) show(i int, known bool) {
	r.env.Emit(CellEvent{"lab.cell", i, len(r.cells), known, r.outcomes[i]})
}

// count adds the cost of the cells to the run's meter.
func (r *experimentRun) count() {
	m := r.env.Meter()
	r.spent.Calls, r.spent.Tokens, r.spent.Money = int(m.Spent(meter.Calls)), int(m.Spent(meter.Tokens)), float64(m.Spent(meter.Money))/1e6
}

// afford returns an error if the budget does not allow a cell the given number of further calls,
// which are already counted if they are made, or if its tokens or money are spent. If an endpoint is
// asked, only its requests count; otherwise those of the simulated models. Cells without calls, such
// as queries of a solver, are always allowed.
func (r *experimentRun) afford(c *Cell, calls int, made bool) error {
	if r.count(); calls == 0 {
		return nil
	}
	var err error
	if r.requests {
		err = r.affordRequests(c, calls, made)
	} else {
		err = r.affordCalls(calls)
	}
	if err != nil && r.stopped == "" {
		r.stopped = err.Error()
	}
	return err
}

// affordCalls returns an error if the bounds do not allow further calls, of which those of simulated
// models count.
func (r *experimentRun) affordCalls(calls int) error {
	calls += r.spent.Calls - 1
	if err := r.budget.Afford(calls, r.spent.Tokens, r.spent.Money); err != nil {
		return err
	}
	err := r.ceiling.AffordCeiling(calls, r.spent.Tokens, r.spent.Money)
	if err != nil && r.env.Earlier() {
		return nil // a run that was recorded before there was a ceiling
	}
	if err != nil {
		r.env.Revise()
	}
	return err
}

// affordRequests returns an error if the bounds do not allow a cell further requests to an endpoint.
func (r *experimentRun) affordRequests(c *Cell, calls int, made bool) error {
	if c.endpoint == nil {
		return nil
	}
	spent := r.env.Ceiling().Spent()
	total := spent.Calls - 1
	if !made {
		total += calls
	}
	if err := r.budget.Afford(total, spent.Tokens, spent.Money); err != nil {
		return err
	}
	return r.ceiling.AffordCeiling(total, spent.Tokens, spent.Money)
}

// errBudget is the error of a cell that is stopped during its run, because the budget is spent.
var errBudget = errors.New("the budget is used up")

// cell runs a cell. Its error ends the experiment.
func (r *experimentRun) cell(env *process.Env, i int) error {
	c := &r.cells[i]
	r.outcomes[i].State = StateRunning
	r.show(i, false)
	env.Quiet(true)
	made, err := r.nest(env, c)
	env.Quiet(false)
	var fault *source.Error
	var limit *meter.LimitError
	switch {
	case errors.Is(err, errBudget), errors.As(err, &limit): // a limit of the experiment: finished cells keep their results
		return r.requeue(i, err)
	case strings.HasPrefix(source.ErrorCode(made.Err), "limit.") && !env.Earlier() && env.Ceiling().Afford() != nil: // its last answer was cut off
		env.Revise()
		return r.requeue(i, made.Err)
	case errors.As(err, &fault): // the cell cannot start
		made.Err = err
	case err != nil:
		return err
	}
	r.outcomes[i] = c.judge(made, r.setup)
	r.done++
	r.spent.Cells++
	r.count()
	r.show(i, false)
	if enough := max(len(r.cells)/50, 1); r.done-r.shown >= enough {
		r.shown = r.done
		env.Emit(TableEvent{"lab.table", r.table(), r.spent, r.stopped})
	}
	return env.Pause()
}

// requeue queues a cell again, and keeps the first reason why the experiment stops.
func (r *experimentRun) requeue(i int, why error) error {
	r.outcomes[i].State = StateQueued
	if r.stopped == "" {
		r.stopped = why.Error()
	}
	r.show(i, false)
	return nil
}

func (r *experimentRun) nest(env *process.Env, c *Cell) (process.NestedResult, error) {
	body, err := r.setup.Begin(c.Kind, workspace.Workspace{Files: c.Files}, c.Name, c.Settings)
	if err != nil {
		var fault *source.Error
		if errors.As(err, &fault) {
			return process.NestedResult{}, err
		}
		return process.NestedResult{}, source.NewError("lab.cell", err.Error())
	}
	return env.Nest(process.Nested{Body: body, Seed: c.Outcome.RunSeed, Budget: r.setup.Budget, Gate: r.gate, Afford: func(calls int) error {
		if r.afford(c, calls, true) != nil {
			return errBudget
		}
		return nil
	}})
}

func (r *experimentRun) table() Table {
	t := r.x.Table(r.outcomes)
	t.Notes = append(t.Notes, r.notes...)
	if r.stopped != "" {
		t.Notes = append(t.Notes, "Not all cells were run: "+r.stopped+".")
	}
	return t
}
