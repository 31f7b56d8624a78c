package process_test

import (
	"errors"
	"testing"

	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
)

func TestPauseEndsTheSlice(t *testing.T) {
	body := func(env *process.Env) (any, error) {
		for i := range 3 {
			env.Emit(map[string]any{"kind": "step", "step": i})
			if err := env.Pause(); err != nil {
				return nil, err
			}
		}
		return "over", nil
	}
	p := process.New(body, 1, meter.Budget{Steps: 1 << 36}, nil)
	for i := range 3 {
		out, err := p.Resume(nil, 0)
		if err != nil || out.State != process.StateWorking || len(out.Events) != 1 {
			t.Fatalf("slice %d: %v, %d events, %v", i, out.State, len(out.Events), err)
		}
	}
	if out, err := p.Resume(nil, 0); err != nil || out.State != process.StateDone || string(out.Result) != `"over"` {
		t.Errorf("%v %s %v", out.State, out.Result, err)
	}
	var ended error
	p = process.New(func(env *process.Env) (any, error) {
		ended = env.Pause()
		return nil, ended
	}, 1, meter.Budget{Steps: 1 << 36}, nil)
	if _, err := p.Resume(nil, 0); err != nil {
		t.Fatal(err)
	}
	p.Stop()
	if !errors.Is(ended, process.ErrCancelled) {
		t.Errorf("a process that is stopped goes on with %v", ended)
	}
}
