package process

import (
	"errors"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/solve"
	"github.com/stile-playground/stile/core/source"
)

// Solve checks a problem, queries the host's solver, and reads the answer. It does not send
// a text with errors. Failures of the solver are not errors but results with a status; the
// error is [ErrCancelled] if the run is stopped. If the reply does not prove an optimum,
// further queries follow, see [solve.Search].
func (e *Env) Solve(solver solve.Solver, text string, limits solve.Limits) (solve.Result, error) {
	file := source.NewFile(string(solver), text)
	problem, found, err := solve.CheckWithin(solver, file, e.Meter())
	if err != nil {
		return solve.Result{}, err
	}
	if source.HasErrors(found) {
		return solve.Faulty(solver, found), nil
	}
	query := solve.Prepare(solver, text, problem, limits)
	first := e.Start(Request{Solve: &query})
	result, err := first.Solved(file, problem)
	if err != nil {
		return result, err
	}
	search := solve.Improve(file, problem, limits, result)
	for {
		query, problem, more := search.Next()
		if !more {
			return search.Result(), nil
		}
		if result, err = first.again(Request{Solve: &query}).Solved(file, problem); err != nil {
			return result, err
		}
		search.Answer(result)
	}
}

// Solved waits for the answer to a [solve.Query] made from a text.
func (p *Pending) Solved(file *source.File, problem solve.Problem) (solve.Result, error) {
	raw, err := p.Value()
	var fault *EffectError
	switch {
	case errors.As(err, &fault):
		return solve.Failed(problem.Solver, fault.Code, fault.Message), nil
	case err != nil:
		return solve.Result{}, err
	}
	var reply solve.Reply
	if err := json.Unmarshal(raw, &reply); err != nil {
		return solve.Failed(problem.Solver, solve.CodeCrashed, "the host's answer was not understood: "+err.Error()), nil
	}
	return solve.Read(file, problem, reply), nil
}
