package session

import (
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/plan"
	"github.com/stile-playground/stile/core/plan/checker"
	"github.com/stile-playground/stile/core/plan/space"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
)

// plannable is a spec that has plans, with its limits and formulas.
type plannable struct {
	spec       notation.Planner
	limits     grammar.Limits
	properties []space.Property
}

// openPlannable checks a spec, its limits (nil: those that it declares) and, if they are
// enforced, the workspace's formulas about it.
func openPlannable(w project, file workspace.File, limits *grammar.Limits, enforce bool) (*plannable, error) {
	row, f := w.table.Of(file.Name), file.Source()
	if !row.Starts(RunPlan) {
		return nil, source.NewError("plan.kind", file.Name+" has no plans; expected a grammar, an automaton or a flowchart")
	}
	compiled, found := row.Spec(f)
	spec, ok := compiled.(notation.Planner)
	if !ok || source.HasErrors(found) {
		return nil, notation.Invalid(f, found)
	}
	p := &plannable{spec: spec, limits: spec.Limits()}
	if limits != nil {
		p.limits = *limits
	}
	err := spec.CheckLimits(p.limits)
	if err == nil && enforce {
		p.properties, err = workspaceProperties(w, spec.Letters())
	}
	if err != nil {
		return nil, err
	}
	return p, nil
}

// problem prepares planning, which may take long.
func (p *plannable) problem(m *meter.Meter) (plan.Problem, error) {
	return p.spec.Problem(p.limits, m, p.properties)
}

// checker prepares judging plans, which may take long.
func (p *plannable) checker(m *meter.Meter) (*checker.Checker, error) {
	return p.spec.Checker(p.limits, m, p.properties)
}
