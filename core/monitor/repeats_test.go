package monitor

import (
	"errors"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
)

// stubborn runs an agent with an endpoint that always gives the same answer. It returns the number
// of requests and the error of the run.
func stubborn(t *testing.T, settings Settings, answer string) (requests int, err error) {
	t.Helper()
	s := find(t, "react/react.agent")
	settings.Question = "q"
	settings.Model = llm.Spec{Kind: llm.KindEndpoint, Endpoint: &llm.Endpoint{Name: "e", URL: "https://x.test/v1", Model: "m", Server: "openai"}}
	_, _, err = perform(t, s.agent, s.setup, settings, 1, func(e process.Effect) []process.Answer {
		if requests++; requests > 200 {
			t.Fatal("the run does not end")
		}
		value, _ := json.Marshal(process.HTTPValue{Status: 200, Body: answer})
		return []process.Answer{{Effect: e.ID, Value: value}}
	})
	return requests, err
}

func TestModelWithoutProgressEndsTheRun(t *testing.T) {
	text := func(content string) string {
		quoted, _ := json.Marshal(content)
		return `{"choices":[{"message":{"content":` + string(quoted) + `},"finish_reason":"stop"}]}`
	}
	loop := "[Thought] search again\n[Action] Search\n[Action Input] the same"
	call := `{"choices":[{"message":{"content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"Search","arguments":"{\"input\":\"x\"}"}}]},"finish_reason":"tool_calls"}]}`
	for _, c := range []struct {
		name     string
		settings Settings
		answer   string
		most     int
		quote    string
	}{
		{"empty answers", Settings{}, text(""), maxRepeats, "empty answers"},
		{"empty answers of a model with tools", Settings{Surface: SurfaceTools}, text(""), maxRepeats, "empty answers"},
		{"one cycle again and again", Settings{MaxSteps: 1000}, text(loop), 2 * maxInRow, "same answer"},
		{"one call again and again", Settings{Surface: SurfaceTools, MaxSteps: 1000}, call, 2 * maxInRow, "same answer"},
	} {
		requests, err := stubborn(t, c.settings, c.answer)
		var coded *source.Error
		if !errors.As(err, &coded) || coded.ID != "monitor.repeats" || !strings.Contains(err.Error(), c.quote) || requests > c.most {
			t.Errorf("%s: %v, %d requests", c.name, err, requests)
		}
	}
}

// Equal answers that their limit has cut off raise the limit once, and then end the run.
func TestCutAnswersRaiseTheLimitOnce(t *testing.T) {
	cut := `{"choices":[{"message":{"content":"The"},"finish_reason":"length"}],"usage":{"prompt_tokens":9,"completion_tokens":512}}`
	s := find(t, "react/react.agent")
	var limits []int
	settings := Settings{Question: "q", MaxTokens: 512, Model: llm.Spec{Kind: llm.KindEndpoint, Endpoint: &llm.Endpoint{Name: "e", URL: "https://x.test/v1", Model: "m", Server: "vllm"}}}
	_, events, err := perform(t, s.agent, s.setup, settings, 1, func(e process.Effect) []process.Answer {
		var body struct {
			MaxTokens int `json:"max_tokens"`
		}
		if err := json.Unmarshal([]byte(e.HTTP.Body), &body); err != nil {
			t.Fatal(err)
		}
		limits = append(limits, body.MaxTokens)
		value, _ := json.Marshal(process.HTTPValue{Status: 200, Body: cut})
		return []process.Answer{{Effect: e.ID, Value: value}}
	})
	var coded *source.Error
	if !errors.As(err, &coded) || coded.ID != "monitor.repeats" || !strings.Contains(err.Error(), "cut off after 512 tokens") || len(limits) > 2+maxCut {
		t.Errorf("%v, limits %v", err, limits)
	}
	for i, limit := range limits {
		if want := 512 + map[bool]int{true: llm.MoreTokens}[i > 1]; limit != want {
			t.Errorf("request %d has a limit of %d, want %d", i+1, limit, want)
		}
	}
	raised := 0
	for _, e := range events {
		if strings.Contains(string(e), "retrying with up to 4608") {
			raised++
		}
	}
	if raised != 1 {
		t.Errorf("%d reports", raised)
	}
}

func TestDifferentTextsAreProgress(t *testing.T) {
	var r repeats
	p := process.New(func(env *process.Env) (any, error) {
		for i := range 100 {
			if err := r.add(env, llm.Request{Prefix: strings.Repeat("x", i)}, llm.Reply{Text: []string{"next", "then"}[i%2]}); err != nil {
				return nil, err
			}
		}
		return nil, nil
	}, 1, meter.Budget{}, nil)
	defer p.Stop()
	if out, err := p.Resume(nil, 0); err != nil || out.Err != nil {
		t.Error(err, out.Err)
	}
}
