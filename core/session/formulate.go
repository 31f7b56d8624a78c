package session

import (
	"github.com/stile-playground/stile/core/formulate"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/strips"
	"github.com/stile-playground/stile/core/workspace"
)

// RunFormulate is the kind of run in which a model formulates a problem and a solver
// solves it.
const RunFormulate = "formulate"

func formulateMethods() []Method {
	return []Method{pure("formulate.defaults", formulateDefaults)}
}

// FormulateDefaultsParams has no fields.
type FormulateDefaultsParams struct{}

// FormulateDefaultsResult lists the defaults of a run's settings, and the mistakes that a
// simulated model can make on request.
type FormulateDefaultsResult struct {
	Templates     formulate.Templates `json:"templates"`
	Tokens        int                 `json:"tokens"` // of a call
	Rounds        int                 `json:"rounds"`
	Regenerations int                 `json:"regenerations"`
	Horizon       int                 `json:"horizon"`
	Mistakes      []FormulateMistake  `json:"mistakes"`
}

// FormulateMistake is a mistake with its description.
type FormulateMistake struct {
	Name string `json:"name"` // one of the Mistake constants
	Text string `json:"text"`
}

func formulateDefaults(FormulateDefaultsParams) (FormulateDefaultsResult, error) {
	out := FormulateDefaultsResult{
		Templates: formulate.DefaultTemplates(), Tokens: formulate.DefaultMaxTokens,
		Rounds: formulate.DefaultRounds, Regenerations: formulate.DefaultRegenerations, Horizon: formulate.DefaultHorizon,
	}
	for _, m := range formulate.Mistakes() {
		out.Mistakes = append(out.Mistakes, FormulateMistake{m.Name, m.Text})
	}
	return out, nil
}

// formulateEvents are examples of the events of a run that formulates a problem.
func formulateEvents() []any {
	return []any{
		formulate.StageEvent{Kind: "formulate.stage"}, formulate.PromptEvent{Kind: "formulate.prompt"}, formulate.DeltaEvent{Kind: "formulate.delta"},
		formulate.ReplyEvent{Kind: "formulate.reply"}, formulate.ProductEvent{Kind: "formulate.product"}, formulate.OfferEvent{Kind: "formulate.offer"},
		formulate.SolveEvent{Kind: "formulate.solve"}, formulate.FindingEvent{Kind: "formulate.finding"}, formulate.AssessEvent{Kind: "formulate.assess"},
		formulate.DoneEvent{Kind: "formulate.done"},
	}
}

func formulateBody(w project, file workspace.File, raw json.RawMessage) (process.Func, error) {
	var settings formulate.Settings
	if err := decodeParams(raw, &settings); err != nil {
		return nil, err
	}
	if err := settings.Check(); err != nil {
		return nil, err
	}
	problem, err := formulate.Open(file.Name, func(name string) (string, bool) {
		f, ok := w.File(name)
		return f.Text, ok
	})
	if err != nil {
		return nil, err
	}
	setup := formulate.Setup{Check: planChecker(w), Restrict: func(env *process.Env, spec *strips.Spec, e *strips.Encoding) error {
		formulas, err := stepsFormulas(w, spec)
		if err != nil {
			return err
		}
		return restrict(e, formulas, env.Meter())
	}}
	return func(env *process.Env) (any, error) { return problem.Run(env, setup, settings) }, nil
}
