package session

import (
	"github.com/stile-playground/stile/core/monitor"
	"github.com/stile-playground/stile/core/plan"
)

// RunDefaultsParams has no fields.
type RunDefaultsParams struct{}

// RunDefaultsResult lists the defaults of the settings of runs.
type RunDefaultsResult struct {
	PlanTemplate string `json:"planTemplate"` // of the prompt of a choice, with the wording of the paper
	PlanAttempts int    `json:"planAttempts"` // attempts to get a readable answer

	Ceiling     DefaultCeiling `json:"ceiling"`     // of the requests to endpoints in a run without a budget
	ManyCeiling DefaultCeiling `json:"manyCeiling"` // the ceiling of a comparison or a benchmark

	MonitorTemplate      string `json:"monitorTemplate"`      // system prompt of an agent without :prompt
	MonitorToolsTemplate string `json:"monitorToolsTemplate"` // system prompt with native tool calls of the endpoint
	MonitorSteps         int    `json:"monitorSteps"`         // states before the run is led to an end
	MonitorCorrections   int    `json:"monitorCorrections"`   // per position, before a complete prompt is forced
	MonitorTokens        int    `json:"monitorTokens"`        // of a call
	MonitorSamples       int    `json:"monitorSamples"`       // runs that vote, with a second agent
}

// DefaultCeiling bounds the requests to endpoints where the settings have no budget.
type DefaultCeiling struct {
	Calls  int     `json:"calls"`
	Tokens int     `json:"tokens"`
	Money  float64 `json:"money"` // dollars; bounds only endpoints whose price is known
}

func runDefaults(RunDefaultsParams) (RunDefaultsResult, error) {
	return RunDefaultsResult{
		Ceiling:      DefaultCeiling{runCeiling.Calls, runCeiling.Tokens, runCeiling.Money},
		ManyCeiling:  DefaultCeiling{manyCeiling.Calls, manyCeiling.Tokens, manyCeiling.Money},
		PlanTemplate: plan.PaperTemplate, PlanAttempts: plan.DefaultAttempts,
		MonitorTemplate: monitor.DefaultTemplate, MonitorToolsTemplate: monitor.DefaultToolsTemplate,
		MonitorSteps: monitor.DefaultMaxSteps, MonitorCorrections: monitor.DefaultMaxCorrections,
		MonitorTokens: monitor.DefaultMaxTokens, MonitorSamples: monitor.DefaultSamples,
	}, nil
}
