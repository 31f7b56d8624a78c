// Package effects runs processes in tests and answers their effects by a function.
package effects

import (
	"testing"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
)

// World answers an effect. An effect without answers remains open.
type World func(e process.Effect) []process.Answer

// None answers nothing.
func None(process.Effect) []process.Answer { return nil }

// Value answers an HTTP effect; headers are names and values in turn.
func Value(e process.Effect, status int, body string, headers ...string) []process.Answer {
	v := process.HTTPValue{Status: status, Body: body, Headers: map[string]string{}}
	for i := 0; i < len(headers); i += 2 {
		v.Headers[headers[i]] = headers[i+1]
	}
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return []process.Answer{{Effect: e.ID, Value: raw}}
}

// Broken answers with an error that has the given code.
func Broken(e process.Effect, code string) []process.Answer {
	return []process.Answer{{Effect: e.ID, Error: &process.EffectError{Code: code, Message: "it broke off"}}}
}

// Play runs a process in a world and returns the effects that it started, in their order. It
// fails the test if the process waits for an effect that the world does not answer.
func Play(t *testing.T, w World, body func(env *process.Env) error) ([]process.Effect, error) {
	t.Helper()
	p := process.New(func(env *process.Env) (any, error) { return "", body(env) }, 1, meter.Budget{}, nil)
	var effects []process.Effect
	var answers []process.Answer
	for {
		out, err := p.Resume(answers, 0)
		if err != nil {
			t.Fatal(err)
		}
		answers = nil
		for _, e := range out.Effects {
			effects = append(effects, e)
			answers = append(answers, w(e)...)
		}
		switch out.State {
		case process.StateDone:
			return effects, nil
		case process.StateFailed:
			return effects, out.Err
		case process.StateWaiting:
			if len(answers) == 0 {
				t.Fatalf("the run waits for %v", effects[len(effects)-1])
			}
		}
	}
}
