package lab

import (
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/workspace"
)

// requesting runs the twelve cells of a simulated model, with 40 calls each, and the twelve of an
// endpoint, with two requests each. It returns the result, the requests, and the log.
func requesting(t *testing.T, s Settings, log []process.Answer) (out Result, requests int, answered []process.Answer) {
	t.Helper()
	x := parsed(t, strings.Replace(twelve, "(simulated first)", `(simulated first) (endpoint "lab")`, 1))
	s.Endpoints = []llm.Endpoint{{Name: "lab", Format: llm.FormatOpenAI, URL: "https://models.example/v1", Model: "m"}}
	setup := Setup{Begin: func(_ string, _ workspace.Workspace, _ string, settings json.RawMessage) (process.Func, error) {
		asks := strings.Contains(string(settings), "models.example")
		return func(env *process.Env) (any, error) {
			if !asks {
				return map[string]any{}, env.Meter().Spend(meter.Calls, 40)
			}
			for range 2 {
				if err := env.Ceiling().Afford(); err != nil {
					return nil, err
				}
				env.Ceiling().Add(1, 0, 0)
				if err := env.Meter().Spend(meter.Calls, 1); err != nil {
					return nil, err
				}
				if _, err := env.Start(process.Request{HTTP: &process.HTTP{URL: "https://models.example", Auth: "endpoint:lab"}}).Value(); err != nil {
					return nil, err
				}
			}
			return map[string]any{}, nil
		}, nil
	}}
	p := process.New(func(env *process.Env) (any, error) { return x.Run(env, twelveFiles, setup, s) }, 1, meter.Budget{}, log)
	var answers []process.Answer
	for {
		got, err := p.Resume(answers, 0)
		if err != nil {
			t.Fatal(err)
		}
		answers = nil
		for _, e := range got.Effects {
			requests++
			answers = append(answers, process.Answer{Effect: e.ID, Value: []byte(`{"status":200}`)})
		}
		switch got.State {
		case process.StateFailed:
			t.Fatal(got.Err)
		case process.StateDone:
			if err := json.Unmarshal(got.Result, &out); err != nil {
				t.Fatal(err)
			}
			return out, requests, p.Log()
		}
	}
}

// The calls of simulated models count neither against the budget of an experiment with an endpoint nor
// against its ceiling; a run that was recorded while they did replays as it was.
func TestOnlyRequestsCount(t *testing.T) {
	all, requests, log := requesting(t, Settings{}, nil)
	if all.Stopped != "" || all.Table.Done != 24 || requests != 24 || all.Spent.Calls != 12*40+24 {
		t.Errorf("%q with %d cells done after %d requests, %d calls", all.Stopped, all.Table.Done, requests, all.Spent.Calls)
	}
	again, more, _ := requesting(t, Settings{}, log)
	if more != 0 || again.Stopped != "" || again.Table.Markdown() != all.Table.Markdown() {
		t.Errorf("replayed: %q after %d requests: %s", again.Stopped, more, again.Table.Markdown())
	}
	for _, calls := range []int{23, 24} {
		s := Settings{Budget: &meter.Budget{Calls: calls}}
		got, requests, log := requesting(t, s, nil)
		if (got.Stopped == "") != (calls == 24) || requests > calls || calls == 23 && !strings.Contains(got.Stopped, "23 calls") {
			t.Errorf("%d calls: %q after %d requests", calls, got.Stopped, requests)
		}
		again, more, _ := requesting(t, s, log)
		if more != 0 || again.Stopped != got.Stopped || again.Table.Markdown() != got.Table.Markdown() {
			t.Errorf("%d calls, replayed: %q after %d requests: %s", calls, again.Stopped, more, again.Table.Markdown())
		}
	}
	// The log of a run that stopped at the ceiling while all calls counted has only its answers.
	var old []process.Answer
	for _, a := range log[:8] {
		if a.Effect != "" && len(a.Value) > 0 && a.Error == nil {
			old = append(old, a)
		}
	}
	before, more, _ := requesting(t, Settings{Budget: &meter.Budget{Calls: 100}}, old)
	if more > 0 || !strings.Contains(before.Stopped, "100 calls") {
		t.Errorf("an earlier log: %q after %d more requests", before.Stopped, more)
	}
}
