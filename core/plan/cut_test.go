package plan

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/must"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
)

// completion is an answer of an endpoint, with the reason for its end.
type completion struct {
	text, reason string
	tokens       int
}

// spoken runs a plan with an endpoint: first a log, then answers in order, the last of them repeatedly. It returns the
// plan, its log, the limits of tokens of the requests, the number of messages of each, and the error.
func spoken(t *testing.T, log []process.Answer, settings Settings, answers ...completion) (made Plan, after []process.Answer, limits, messages []int, fault error) {
	t.Helper()
	g := must.Grammar(t, "S -> X Y\nX -> a | b | c\nY -> d | e\n")
	settings.Model = llm.Spec{Kind: llm.KindEndpoint, Endpoint: &llm.Endpoint{Name: "e", URL: "https://x.test/v1", Model: "m"}}
	p := process.New(func(env *process.Env) (any, error) { return runGrammar(env, g, settings) }, 1, meter.Budget{}, log)
	defer p.Stop()
	var given []process.Answer
	for {
		out, err := p.Resume(given, 0)
		if err != nil {
			t.Fatal(err)
		}
		if out.State == process.StateFailed {
			return made, p.Log(), limits, messages, out.Err
		}
		if out.State == process.StateDone {
			if err := json.Unmarshal(out.Result, &made); err != nil {
				t.Fatal(err)
			}
			return made, p.Log(), limits, messages, nil
		}
		given = nil
		for _, e := range out.Effects {
			var body struct {
				MaxTokens int `json:"max_tokens"`
				Messages  []json.RawMessage
			}
			if err := json.Unmarshal([]byte(e.HTTP.Body), &body); err != nil {
				t.Fatal(err)
			}
			limits, messages = append(limits, body.MaxTokens), append(messages, len(body.Messages))
			given = append(given, process.Answer{Effect: e.ID, Value: answers[0].value()})
			if len(answers) > 1 {
				answers = answers[1:]
			}
		}
	}
}

func (c completion) value() []byte {
	body := fmt.Sprintf(`{"choices":[{"message":{"content":%q},"finish_reason":%q}],"usage":{"prompt_tokens":9,"completion_tokens":%d}}`, c.text, c.reason, c.tokens)
	value, _ := json.Marshal(process.HTTPValue{Status: 200, Body: body}) // it always marshals
	return value
}

// An answer that its limit has cut off raises the limit once, for all requests of the run.
func TestAnswersThatAreCutOffRaiseTheLimitOnce(t *testing.T) {
	cut := completion{"First, let me look at the", "length", 76}
	one := completion{"1", "stop", 1}
	for _, c := range []struct {
		name     string
		settings Settings
		answers  []completion
		limits   []int
		says     string // "": the plan is made
	}{
		{"then an answer", Settings{}, []completion{cut, one}, []int{76, 4172, 4168}, ""},
		{"with a limit of the run", Settings{MaxTokens: 20}, []completion{cut, one}, []int{20, 4116, 4116}, ""},
		{"with one attempt", Settings{Attempts: 1}, []completion{cut, one}, []int{76, 4172, 4168}, ""},
		{"twice", Settings{}, []completion{cut}, []int{76, 4172}, "in 2 tries at step 1: the answer was cut off after 76 tokens; raise the tokens per answer"},
		{"at a later choice", Settings{}, []completion{cut, one, cut}, []int{76, 4172, 4168}, "in 1 try at step 3: the answer was cut off"},
		{"after its choice", Settings{}, []completion{{"Choice: 1\nReason: it", "length", 76}, one}, []int{76, 72}, ""},
		{"unreadable, but complete", Settings{}, []completion{{"It depends.", "stop", 3}}, []int{76, 76, 76}, "in 3 tries"},
	} {
		if c.settings.Attempts == 0 {
			c.settings.Attempts = 3
		}
		made, log, limits, messages, err := spoken(t, nil, c.settings, c.answers...)
		switch {
		case !slices.Equal(limits, c.limits):
			t.Errorf("%s: limits %v, want %v", c.name, limits, c.limits)
		case c.says == "" && (err != nil || len(made.Word) != 2), c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)):
			t.Errorf("%s: %v %v", c.name, made.Word, err)
		case c.name == "then an answer" && !slices.Equal(messages, []int{1, 1, 1}):
			t.Errorf("%s: the prompt is not repeated alone: %v messages", c.name, messages)
		}
		again, _, limits, _, fault := spoken(t, log, c.settings)
		if len(limits) > 0 || !slices.Equal(again.Word, made.Word) || fmt.Sprint(fault) != fmt.Sprint(err) {
			t.Errorf("%s: the replay gives %v, %v", c.name, again.Word, fault)
		}
	}
	// A recording of an earlier version repeated the request with the same limit.
	var earlier []process.Answer
	for i := range 3 {
		earlier = append(earlier, process.Answer{Effect: fmt.Sprintf("e%d", i+1), Value: cut.value()})
	}
	_, _, limits, _, err := spoken(t, earlier, Settings{Attempts: 3})
	if len(limits) > 0 || err == nil || !strings.Contains(err.Error(), "in 3 tries at step 1: no choice found") {
		t.Errorf("an earlier recording: %v, %v", limits, err)
	}
}
