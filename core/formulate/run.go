package formulate

import (
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/strips"
)

// Setup is what a run has of its workspace.
type Setup struct {
	// Check checks a plan that has steps against the specs of the workspace; nil: there
	// are none.
	Check func(spec *strips.Spec, plan strips.Plan, states []strips.State) []Check
}

// Check returns an error for settings that cannot be run.
func (s Settings) Check() error { return s.Model.Check() }

// Run answers the query.
func (p *Problem) Run(env *process.Env, setup Setup, s Settings) (*Result, error) {
	return nil, source.NewError("formulate", "not yet")
}

// DefaultTemplates returns all of them.
func DefaultTemplates() Templates { return Templates{} }

// Named is a mistake with what it is, in words.
type Named struct{ Name, Text string }

// Mistakes returns the mistakes that a simulated model can be told to make.
func Mistakes() []Named { return nil }
