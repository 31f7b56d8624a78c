package formulate

import (
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/solve"
	"github.com/stile-playground/stile/core/strips"
)

// SearchSteps looks for a shortest plan. It asks the solver for a plan of each number of steps in
// turn, from the larger of from and the lower bound of the encoding up to most. progress is called
// before each question, with a nil result, and after each answer.
//
// The status is StatusSolved, StatusInfeasible if no plan has up to most steps, or
// StatusUnknown if the solver gave up; message is then the reason.
//
// For an extended task (see [strips.Task.Extended]) it searches for a cheapest plan without
// the solver; most = 0 then means no maximum.
func SearchSteps(env *process.Env, e *strips.Encoding, from, most int, limits solve.Limits, progress func(steps, bytes int, result *solve.Result)) (steps Steps, plan strips.Plan, status, message string, err error) {
	if e.Extended() {
		return SearchStates(env, e, most, limits)
	}
	least, reachable := e.Least()
	steps = Steps{Plan: []string{}, States: []State{}, Tried: []Tried{}, Least: least}
	if !reachable {
		return steps, nil, StatusInfeasible, "the goal is unreachable", nil
	}
	for horizon := max(from, least); horizon <= most; horizon++ {
		text, err := e.Text(horizon, env.Meter())
		if err != nil {
			return steps, nil, "", "", err
		}
		progress(horizon, len(text), nil)
		result, err := env.Solve(solve.Z3, text, limits)
		if err != nil {
			return steps, nil, "", "", err
		}
		progress(horizon, len(text), &result)
		steps.Tried = append(steps.Tried, Tried{horizon, result.Status, result.Milliseconds})
		switch result.Status {
		case solve.StatusUnsat:
			continue
		case solve.StatusSat:
		default:
			return steps, nil, StatusUnknown, or(result.Message, "the solver ended with "+string(result.Status)), nil
		}
		holds := map[string]bool{}
		for _, v := range result.Model {
			holds[v.Name] = v.Value == "true"
		}
		plan, err = e.Plan(horizon, func(symbol string) bool { return holds[symbol] })
		if err != nil {
			return steps, nil, "", "", err
		}
		for _, s := range plan {
			steps.Plan = append(steps.Plan, s.String())
		}
		steps.Optimal = from <= least || horizon > from
		return steps, plan, StatusSolved, "", nil
	}
	return steps, nil, StatusInfeasible, "", nil
}

// stepsPerMillisecond converts a solver's limit of time to elementary operations of a search.
const stepsPerMillisecond = 30_000

// SearchStates searches for a cheapest plan, or without a metric for a shortest one, without the
// solver: by uniform cost and by A* with landmark cuts (see [strips.Encoding.Cheapest]). most is the
// maximum number of steps; 0 means no maximum. The results are those of [SearchSteps], or
// StatusUnbounded if steps can be repeated that improve the metric each time.
func SearchStates(env *process.Env, e *strips.Encoding, most int, limits solve.Limits) (steps Steps, plan strips.Plan, status, message string, err error) {
	steps = Steps{Plan: []string{}, States: []State{}, Tried: []Tried{}, Cheapest: e.Metric(), Largest: e.Largest()}
	least, reachable := e.Least()
	if steps.Least = least; !reachable {
		return steps, nil, StatusInfeasible, "the goal is unreachable", nil
	}
	work := int64(strips.SearchSteps)
	if limits.Milliseconds > 0 {
		work = int64(limits.Milliseconds) * stepsPerMillisecond
	}
	found, err := e.Cheapest(most, work, env.Meter())
	if err != nil {
		return steps, nil, "", "", err
	}
	steps.Optimal, steps.Searched = found.Proved && found.Answer == strips.AnswerSat, found.States
	switch {
	case found.Answer == strips.AnswerUnsat && most == 0:
		return steps, nil, StatusInfeasible, "no plan exists; the search reached all " + count(found.States, "state"), nil
	case found.Answer == strips.AnswerUnsat:
		return steps, nil, StatusInfeasible, "", nil
	case found.NoBest:
		return steps, nil, StatusUnbounded, found.Reason, nil
	case found.Answer == strips.AnswerUnknown:
		return steps, nil, StatusUnknown, found.Reason, nil
	}
	for _, s := range found.Plan {
		steps.Plan = append(steps.Plan, s.String())
	}
	return steps, found.Plan, StatusSolved, found.Reason, nil
}

// CostOf returns the cost of a validated plan, or nil without costs.
func CostOf(spec *strips.Spec, states []strips.State) *float64 {
	if !spec.Problem.Costs(spec.Domain) || len(states) == 0 {
		return nil
	}
	cost := float64(states[len(states)-1].Cost) / strips.Unit
	return &cost
}
