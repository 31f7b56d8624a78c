package session

import (
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/lab"
	"github.com/stile-playground/stile/core/plan"
	"github.com/stile-playground/stile/core/plan/baseline"
	"github.com/stile-playground/stile/core/plan/compare"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/workspace"
)

// Kinds of runs for comparison with planning.
const (
	RunBaseline = "baseline" // a model writes a complete plan in free text, which is then checked
	RunCompare  = "compare"  // plans of several methods are counted
)

// BaselineDone is the event of a checked free-text plan.
type BaselineDone struct {
	Kind         string          `json:"kind"` // "baseline.done"
	Method       string          `json:"method"`
	Text         string          `json:"text"`
	Check        PlanCheckResult `json:"check"`
	Calls        int             `json:"calls"`
	Tokens       int             `json:"tokens"`
	Milliseconds int             `json:"milliseconds"`
	Money        float64         `json:"money"`
	Enforced     bool            `json:"enforced,omitempty"` // the server allowed no other answer
	Refusal      bool            `json:"refusal,omitempty"`  // the answer of an endpoint reads like a refusal
}

func baselineBody(w project, file workspace.File, raw json.RawMessage) (process.Func, error) {
	var settings baseline.Settings
	if err := decodeParams(raw, &settings); err != nil {
		return nil, err
	}
	if err := settings.Check(); err != nil {
		return nil, err
	}
	spec, err := openPlannable(w, file, settings.Limits, true)
	if err != nil {
		return nil, err
	}
	return func(env *process.Env) (any, error) {
		checker, err := spec.checker(env.Meter())
		if err != nil {
			return nil, err
		}
		made, err := baseline.Run(env, checker, settings)
		if err != nil {
			return nil, err
		}
		done := BaselineDone{
			Kind: "baseline.done", Method: made.Method, Text: made.Text, Check: wireVerdict(made.Text, made.Check),
			Calls: made.Calls, Tokens: made.Usage.Prompt + made.Usage.Completion, Milliseconds: made.Milliseconds, Money: made.Money, Enforced: made.Enforced, Refusal: made.Refusal,
		}
		env.Emit(done)
		return done, nil
	}, nil
}

func compareBody(w project, file workspace.File, raw json.RawMessage) (process.Func, error) {
	var settings compare.Settings
	if err := decodeParams(raw, &settings); err != nil {
		return nil, err
	}
	if err := settings.Check(); err != nil {
		return nil, err
	}
	spec, err := openPlannable(w, file, settings.Limits, true)
	if err != nil {
		return nil, err
	}
	tools, err := workspaceTools(w.Workspace)
	if err != nil {
		return nil, err
	}
	if settings.Solved && len(settings.Shots) == 0 {
		if settings.Shots, err = lab.Shots(w.Files, settings.Task); err != nil {
			return nil, err
		}
	}
	return func(env *process.Env) (any, error) {
		checker, err := spec.checker(env.Meter())
		if err != nil {
			return nil, err
		}
		planned, err := spec.problem(env.Meter())
		if err != nil {
			return nil, err
		}
		planned.Tools = tools
		return compare.Run(env, checker, settings, func(env *process.Env, s plan.Settings) (*plan.Plan, error) {
			return planned.Run(env, s)
		})
	}, nil
}

// baselineEvents are examples of the events of these runs.
func baselineEvents() []any {
	return []any{
		baseline.Prompt{Kind: "baseline.prompt"}, baseline.Delta{Kind: "baseline.delta"}, BaselineDone{Kind: "baseline.done"},
		compare.Event{Kind: "compare.row"}, compare.Result{Kind: "compare.done"},
	}
}
