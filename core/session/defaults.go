package session

import (
	"github.com/stile-playground/stile/core/monitor"
	"github.com/stile-playground/stile/core/plan"
)

// RunDefaultsParams are empty.
type RunDefaultsParams struct{}

// RunDefaultsResult is what a run goes by where its settings say nothing.
type RunDefaultsResult struct {
	PlanTemplate string `json:"planTemplate"` // of the prompt of a choice
	PlanAttempts int    `json:"planAttempts"` // to get an answer that can be read

	MonitorTemplate      string `json:"monitorTemplate"`      // of what an agent is told that names no prompt
	MonitorToolsTemplate string `json:"monitorToolsTemplate"` // the same where it calls tools in the endpoint's own way
	MonitorSteps         int    `json:"monitorSteps"`         // states before a run is led out
	MonitorCorrections   int    `json:"monitorCorrections"`   // at one place, before a whole prompt is forced
	MonitorTokens        int    `json:"monitorTokens"`        // of a call
	MonitorSamples       int    `json:"monitorSamples"`       // runs that vote, where another agent stands by
}

func (s *Session) runDefaults(RunDefaultsParams) (RunDefaultsResult, error) {
	return RunDefaultsResult{
		PlanTemplate: plan.DefaultTemplate, PlanAttempts: plan.DefaultAttempts,
		MonitorTemplate: monitor.DefaultTemplate, MonitorToolsTemplate: monitor.DefaultToolsTemplate,
		MonitorSteps: monitor.DefaultMaxSteps, MonitorCorrections: monitor.DefaultMaxCorrections,
		MonitorTokens: monitor.DefaultMaxTokens, MonitorSamples: monitor.DefaultSamples,
	}, nil
}
