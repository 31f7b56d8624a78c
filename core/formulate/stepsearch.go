package formulate

import (
	"fmt"
	"strconv"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/solve"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/strips"
)

// solveSteps finds a shortest plan.
func (r *run) solveSteps(attempt int) error {
	s := &r.solved
	spec, _ := strips.Parse(source.NewFile(FilePDDL, r.model))
	task, err := strips.Ground(spec.Domain, spec.Problem, r.env.Meter())
	if err != nil {
		return err
	}
	encoding, err := task.Encode(r.env.Meter())
	if err != nil {
		return err
	}
	if r.setup.Restrict != nil {
		if err := r.setup.Restrict(r.env, spec, encoding); err != nil {
			return err
		}
	}
	wanted := horizon{}
	if n, fault := json.Tree(r.variables); fault == nil {
		wanted, _ = horizonOf(n)
	}
	limit := r.settings.Horizon
	if limit == 0 {
		limit = DefaultHorizon
	}
	most := limit
	if wanted.Most > 0 {
		most = min(most, wanted.Most)
	}
	if encoding.Extended() && r.settings.Horizon == 0 && wanted.Most == 0 {
		most = 0
	}
	steps, plan, err := r.search(encoding, wanted.From, most, attempt)
	if err != nil {
		return err
	}
	if err := r.examineHorizon(encoding, wanted, &steps, limit, attempt); err != nil {
		return err
	}
	s.steps = &steps
	s.outcome.plan = steps.Plan
	if plan == nil {
		return nil
	}
	s.outcome.objective = fmt.Sprint(len(plan))
	states, fault := strips.Validate(spec.Domain, spec.Problem, plan)
	if fault != nil { // a fault of the encoding, not of the model
		return source.NewError("internal", "the solver's plan cannot be executed: "+fault.Message)
	}
	if steps.Cost = CostOf(spec, states); steps.Cost != nil && spec.Problem.Metric != nil {
		s.outcome.objective = strips.Decimal(states[len(states)-1].Cost)
	}
	for _, state := range states {
		steps.States = append(steps.States, State{orNone(state.Facts), orNone(state.Gains), orNone(state.Loses)})
	}
	if r.setup.Check != nil {
		s.checks = r.setup.Check(spec, plan, states)
	}
	return nil
}

func orNone(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// search finds a plan of at least from and up to most steps, and emits an event for each
// number of steps.
func (r *run) search(e *strips.Encoding, from, most, attempt int) (Steps, strips.Plan, error) {
	s := &r.solved
	steps, plan, status, message, err := SearchSteps(r.env, e, from, most, r.settings.Limits, func(n, bytes int, result *solve.Result) {
		if result != nil {
			r.count(StageSolver, Spent{Solving: result.Milliseconds, Solves: 1})
			slim := *result // the model consists of all propositions, which is useless for a person
			slim.Model = []solve.Value{}
			result = &slim
		}
		r.env.Emit(SolveEvent{Kind: "formulate.solve", Round: r.round, Attempt: attempt, Purpose: "query", Horizon: n, Solver: solve.Z3, Bytes: bytes, Result: result})
	})
	if err == nil {
		s.status, s.message = status, message
		if status == StatusInfeasible && message == "" {
			s.message = "no plan of at most " + count(most, "step")
		}
	}
	return steps, plan, err
}

// examineHorizon reports a horizon of the Formulator that excludes the shortest plan.
func (r *run) examineHorizon(e *strips.Encoding, wanted horizon, steps *Steps, limit, attempt int) error {
	status, message := r.solved.status, r.solved.message
	find := func(format string, arguments ...any) {
		r.find(Finding{Mistake: MistakeHorizon, Stage: StageFormulator, Certain: true, Message: fmt.Sprintf(format, arguments...), File: FileVariables})
	}
	switch {
	case e.Extended() && status == StatusSolved: // the search ignores the minimum
	case status == StatusSolved && wanted.From > steps.Least && len(steps.Plan) == wanted.From:
		fewer, _, err := r.search(e, 0, wanted.From-1, attempt)
		if err != nil {
			return err
		}
		steps.Tried = append(steps.Tried, fewer.Tried...)
		if steps.Optimal = r.solved.status == StatusInfeasible; r.solved.status == StatusSolved {
			find("the horizon excludes plans of fewer than %s, but a plan of %d exists", count(wanted.From, "step"), len(fewer.Plan))
		}
	case status == StatusInfeasible && wanted.Most > 0 && wanted.Most < limit:
		if wanted.Most < steps.Least {
			find("the horizon excludes plans of more than %s, but every plan has at least %d", count(wanted.Most, "step"), steps.Least)
			break
		}
		more, _, err := r.search(e, wanted.Most+1, limit, attempt)
		if err != nil {
			return err
		}
		if r.solved.status == StatusSolved {
			find("the horizon excludes plans of more than %s, but a plan of %d exists", count(wanted.Most, "step"), len(more.Plan))
		}
	}
	r.solved.status, r.solved.message = status, message
	return nil
}

func count(n int, unit string) string {
	if n != 1 {
		unit += "s"
	}
	return strconv.Itoa(n) + " " + unit
}
