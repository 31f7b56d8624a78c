package main

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/wasm/host"
)

// solveRun is a method of this command only, because the core never solves: its
// parameters are the settings of a run that solves, and its result is the run's.
const solveRun = "solve.run"

// solvingHandler implements solveRun with the page's solvers under Node.
type solvingHandler struct {
	host.Handler
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
	outcome, err := runner.Run(ctx, session.RunStartParams{Kind: session.RunSolve, Settings: []byte(asked.Params)})
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
