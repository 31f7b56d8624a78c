package session

import "github.com/stile-playground/stile/core/plan"

// RunDefaultsParams are empty.
type RunDefaultsParams struct{}

// RunDefaultsResult is what a run goes by where its settings say nothing.
type RunDefaultsResult struct {
	PlanTemplate string `json:"planTemplate"` // of the prompt of a choice
	PlanAttempts int    `json:"planAttempts"` // to get an answer that can be read
}

func (s *Session) runDefaults(RunDefaultsParams) (RunDefaultsResult, error) {
	return RunDefaultsResult{PlanTemplate: plan.DefaultTemplate, PlanAttempts: plan.DefaultAttempts}, nil
}
