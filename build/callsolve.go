package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"

	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/wasm/host"
)

// solvingRuns maps the methods that only this command has, because the core never solves, to kinds
// of runs. The parameters of such a method are the settings of a run, and its result is that of the
// run.
var solvingRuns = map[string]string{"solve.run": session.RunSolve, "rules.prove": session.RunProve, "run.result": anyKind}

// anyKind is the kind of run.result, whose parameters are those of run.start.
const anyKind = "any"

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
	start := session.RunStartParams{Kind: s.kind, Settings: []byte(asked.Params)}
	if s.kind == anyKind {
		start = session.RunStartParams{}
		decoder := json.NewDecoder(bytes.NewReader(asked.Params))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&start); err != nil {
			return json.Marshal(struct {
				ID    json.RawMessage `json:"id"`
				Error session.Error   `json:"error"`
			}{asked.ID, session.Error{Code: "protocol.params", Message: "invalid parameters of run.result: " + err.Error()}})
		}
	}
	outcome, err := runner.Run(ctx, start)
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
