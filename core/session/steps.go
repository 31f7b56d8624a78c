//go:build !first

package session

import (
	"github.com/stile-playground/stile/core/formulate"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/solve"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/strips"
	"github.com/stile-playground/stile/core/workspace"
)

// RunSteps is the kind of run in which a solver looks for a shortest plan of a problem
// in PDDL.
const RunSteps = "steps"

// StepsSettings are how a plan is looked for.
type StepsSettings struct {
	From   int          `json:"from,omitempty"` // steps to begin with; 0: what no plan can be shorter than
	Most   int          `json:"most,omitempty"` // steps; 0: formulate.DefaultHorizon
	Limits solve.Limits `json:"limits,omitzero"`
	// Properties says what is made of the workspace's formulas: "enforce" compiles those
	// that speak of the problem into what the solver is given, "check" looks at the plan
	// only, "ignore" does neither; "": "enforce".
	Properties string `json:"properties,omitempty"`
}

// StepsTriedEvent is a number of steps that a solver is asked about, or, with a status,
// what it said.
type StepsTriedEvent struct {
	Kind  string          `json:"kind"` // "steps.tried"
	Bytes int             `json:"bytes"`
	Tried formulate.Tried `json:"tried"`
}

// StepsOutcome is what such a run comes to.
type StepsOutcome struct {
	Status  string            `json:"status"` // one of formulate's Status constants
	Message string            `json:"message"`
	Steps   formulate.Steps   `json:"steps"`
	Checks  []formulate.Check `json:"checks"`
}

func stepsEvents() []any { return []any{StepsTriedEvent{Kind: "steps.tried"}} }

func stepsBody(w workspace.Workspace, file workspace.File, raw json.RawMessage) (process.Func, error) {
	return nil, source.NewError("steps", "not yet")
}

// planChecker returns what checks a plan that has steps against the grammars and the
// formulas of a workspace that speak of its actions.
func planChecker(w workspace.Workspace) func(spec *strips.Spec, plan strips.Plan, states []strips.State) []formulate.Check {
	return nil
}
