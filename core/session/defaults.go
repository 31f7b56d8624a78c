package session

import (
	"github.com/stile-playground/stile/core/monitor"
	"github.com/stile-playground/stile/core/plan"
)

// RunDefaultsParams are empty.
type RunDefaultsParams struct{}

// RunDefaultsResult lists the defaults of the settings of runs.
type RunDefaultsResult struct {
	PlanTemplate string `json:"planTemplate"` // of the prompt of a choice
	PlanAttempts int    `json:"planAttempts"` // attempts to get a readable answer

	MonitorTemplate      string `json:"monitorTemplate"`      // system prompt of an agent without :prompt
	MonitorToolsTemplate string `json:"monitorToolsTemplate"` // the same with native tool calls of the endpoint
	MonitorSteps         int    `json:"monitorSteps"`         // states before the run is led to an end
	MonitorCorrections   int    `json:"monitorCorrections"`   // per position, before a complete prompt is forced
	MonitorTokens        int    `json:"monitorTokens"`        // of a call
	MonitorSamples       int    `json:"monitorSamples"`       // runs that vote, with a second agent
}

func runDefaults(RunDefaultsParams) (RunDefaultsResult, error) {
	return RunDefaultsResult{
		PlanTemplate: plan.DefaultTemplate, PlanAttempts: plan.DefaultAttempts,
		MonitorTemplate: monitor.DefaultTemplate, MonitorToolsTemplate: monitor.DefaultToolsTemplate,
		MonitorSteps: monitor.DefaultMaxSteps, MonitorCorrections: monitor.DefaultMaxCorrections,
		MonitorTokens: monitor.DefaultMaxTokens, MonitorSamples: monitor.DefaultSamples,
	}, nil
}
