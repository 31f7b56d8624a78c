package main

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/wasm/host"
)

// solvingRuns maps the methods that only this command has, because the core never solves, to kinds
// of runs. The parameters of such a method are the settings of a run, and its result is that of the
// run.
var solvingRuns = map[string]string{"solve.run": session.RunSolve, "rules.prove": session.RunProve}

// solvingHandler implements a method of solvingRuns with the page's solvers under Node.
type solvingHandler struct {
	host.Handler
	kind    string
	solvers *host.Solvers
}

// Handle implements [host.Handler].
func (s solvingHandler) Handle(ctx context.Context, request []byte) ([]byte, error) {
	var asked struct {
		ID     json.RawMessage `json:"id"`
		Params json.RawMessage `json:"params"`
	}
	if err := json.Unmarshal(request, &asked); err != nil {
		return s.Handler.Handle(ctx, request)
	}
	runner := host.Runner{Handler: s.Handler, Solve: s.solvers.Solve}
	outcome, err := runner.Run(ctx, session.RunStartParams{Kind: s.kind, Settings: []byte(asked.Params)})
	var refused *host.CallError
	switch {
	case errors.As(err, &refused):
		return json.Marshal(struct {
			ID    json.RawMessage `json:"id"`
			Error session.Error   `json:"error"`
		}{asked.ID, refused.Fault})
	case err != nil:
		return nil, err
	}
	return json.Marshal(struct {
		ID     json.RawMessage `json:"id"`
		Result json.RawMessage `json:"result"`
	}{asked.ID, outcome.Result})
}
