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
// The status is StatusSolved, StatusInfeasible where there is no plan of up to most
// steps, or StatusUnknown where the solver gave up, with its message.
func SearchSteps(env *process.Env, e *strips.Encoding, from, most int, limits solve.Limits, progress func(steps, bytes int, result *solve.Result)) (steps Steps, plan strips.Plan, status, message string, err error) {
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
