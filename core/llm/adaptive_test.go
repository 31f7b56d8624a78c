package llm

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
)

const refusedBudget = `{"type":"error","error":{"type":"invalid_request_error","message":"\"thinking.type.enabled\" is not supported for this model. Use \"thinking.type.adaptive\" and \"output_config.effort\" to control thinking behavior."}}`

// Adaptive thinking has an effort next to the format of the output, without a temperature or a forced call.
func TestAdaptiveThinkingIsSentWithItsEffort(t *testing.T) {
	adaptive := concessions{adaptive: true}
	for _, c := range []struct {
		e       Endpoint
		without concessions
		want    string
		not     string
	}{
		{Endpoint{Format: FormatAnthropic, Effort: "high"}, adaptive, `"thinking":{"type":"adaptive","display":"summarized"} "effort":"high"} "format":{"type":"json_schema" "max_tokens":16394`, `budget_tokens "temperature" "any"`},
		{Endpoint{Format: FormatAnthropic, Effort: "minimal"}, adaptive, `"effort":"low"}`, `budget_tokens`},
		{Endpoint{Format: FormatAnthropic, Effort: "xhigh"}, adaptive, `"effort":"xhigh"}`, `budget_tokens`},
		{Endpoint{Format: FormatAnthropic, Effort: "none"}, adaptive, `"thinking":{"type":"disabled"}`, `adaptive "effort"`},
		{Endpoint{Format: FormatAnthropic}, adaptive, `"json_schema"`, `thinking "effort"`},
		{Endpoint{Format: FormatAnthropic, Effort: "high"}, concessions{adaptive: true, display: true}, `"thinking":{"type":"adaptive"} "effort":"high"`, `display`},
		{Endpoint{Format: FormatAnthropic, Effort: "high"}, concessions{adaptive: true, level: true}, `"thinking":{"type":"adaptive","display":"summarized"} "json_schema"`, `"effort"`},
		{Endpoint{Format: FormatAnthropic, Effort: "high"}, concessions{adaptive: true, effort: true}, `"json_schema"`, `adaptive "effort"`},
		{Endpoint{Format: FormatBedrock, Effort: "medium", Model: "us.anthropic.claude-opus-4-7-v1:0"}, adaptive, `"additionalModelRequestFields":{"thinking":{"type":"adaptive","display":"summarized"},"output_config":{"effort":"medium"}} "outputConfig"`, `budget_tokens "temperature"`},
		{Endpoint{Format: FormatBedrock, Effort: "medium", Model: "us.anthropic.claude-opus-4-7-v1:0"}, concessions{adaptive: true, level: true}, `"additionalModelRequestFields":{"thinking":{"type":"adaptive","display":"summarized"}}`, `"effort"`},
	} {
		c.e.URL = "https://models.example"
		h, err := c.e.encode(Request{Messages: asked, MaxTokens: 10, Constraint: &Constraint{Choices: []string{"1", "2"}}}, c.without)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range strings.Fields(c.want) {
			if !strings.Contains(h.Body, part) {
				t.Errorf("%+v: no %s in %s", c.e, part, h.Body)
			}
		}
		for _, part := range strings.Fields(c.not) {
			if strings.Contains(h.Body, part) {
				t.Errorf("%+v: %s in %s", c.e, part, h.Body)
			}
		}
	}
}

// A refused budget changes the request and those after it. A later refusal names the field that it is about.
func TestARefusedBudgetBecomesAdaptive(t *testing.T) {
	for _, c := range []struct {
		said []string // refusals in turn
		why  []string
		last string // in the last request
	}{
		{[]string{refusedBudget}, []string{"a budget for thoughts: retrying with adaptive thinking"}, `"effort":"high"`},
		{[]string{refusedBudget, `{"error":{"message":"thinking.adaptive.display: Extra inputs are not permitted"}}`}, []string{"a budget for thoughts: retrying with adaptive thinking", "thinking.display: retrying without it"}, `"thinking":{"type":"adaptive"}`},
		{[]string{refusedBudget, `{"error":{"message":"This model does not support the effort parameter."}}`}, []string{"a budget for thoughts: retrying with adaptive thinking", "output_config.effort: retrying without it"}, `"adaptive"`},
		{[]string{refusedBudget, `{"error":{"message":"adaptive thinking is not supported on this model"}}`}, []string{"a budget for thoughts: retrying with adaptive thinking", "thinking: retrying without it"}, `"max_tokens"`},
		{[]string{`{"error":{"message":"thinking is not supported by this model"}}`}, []string{"thinking: retrying without it"}, `"max_tokens"`},
	} {
		e := *endpoint.Endpoint
		e.Format, e.Effort = FormatAnthropic, "high"
		m := newEndpointModel(e)
		said, last := c.said, ""
		serve := func(x process.Effect) []process.Answer {
			last = x.HTTP.Body
			answers := chunks(x.ID, 200, `{"type":"message","role":"assistant","content":[{"type":"text","text":"3"}],"stop_reason":"end_turn","usage":{"input_tokens":9,"output_tokens":1}}`)
			if len(said) > 0 {
				answers, said = chunks(x.ID, 400, said[0]), said[1:]
			}
			return answers
		}
		reply, _, err := charged(t, m, Request{Messages: user("1 or 2?"), MaxTokens: 10}, serve)
		if err != nil || reply.Text != "3" || !strings.Contains(last, c.last) || len(said) > 0 {
			t.Errorf("%q: %+v, %v, %s", c.said, reply, err, last)
		}
		first := last
		if _, _, err := charged(t, m, Request{Messages: user("1 or 2?"), MaxTokens: 10}, serve); err != nil || last != first {
			t.Errorf("%q is forgotten: %s", c.said, last)
		}
		if why := replayed(t, e, nil, c.said); !slices.Equal(why, c.why) {
			t.Errorf("%q", why)
		}
	}
	// A recording of an earlier version continues without thoughts.
	if why := replayed(t, Endpoint{Name: "mine", URL: "https://models.example", Model: "m", Format: FormatAnthropic, Effort: "high"}, []string{refusedBudget}, nil); !slices.Equal(why, []string{"thinking: retrying without it"}) {
		t.Errorf("%q", why)
	}
}

// replayed makes a request whose first answers a log without the current rules contains, and then those in said,
// and returns the reports of the retries.
func replayed(t *testing.T, e Endpoint, logged, said []string) (why []string) {
	t.Helper()
	var log []process.Answer
	ids := 0
	for _, text := range logged {
		ids++
		log = append(log, chunks("e"+string(rune('0'+ids)), 400, text)...)
	}
	m := newEndpointModel(e)
	if logged != nil { // the log ends with the answer
		log = append(log, chunks("e"+string(rune('1'+ids)), 200, `{"type":"message","content":[{"type":"text","text":"3"}],"stop_reason":"end_turn"}`)...)
	}
	p := process.New(func(env *process.Env) (any, error) {
		_, err := m.Generate(env, Request{Messages: user("1 or 2?"), MaxTokens: 10}, func(string) bool { return true })
		return nil, err
	}, 1, meter.Budget{}, log)
	defer p.Stop()
	var given []process.Answer
	for {
		out, err := p.Resume(given, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, event := range out.Events {
			var r RetryEvent
			if json.Unmarshal(event, &r) == nil && r.Kind == "llm.retry" {
				why = append(why, strings.TrimPrefix(r.Why, "the model does not support "))
			}
		}
		if out.State == process.StateDone || out.State == process.StateFailed {
			if out.Err != nil {
				t.Error(out.Err)
			}
			return why
		}
		given = nil
		for _, x := range out.Effects {
			answers := chunks(x.ID, 200, `{"type":"message","content":[{"type":"text","text":"3"}],"stop_reason":"end_turn"}`)
			if len(said) > 0 {
				answers, said = chunks(x.ID, 400, said[0]), said[1:]
			}
			given = append(given, answers...)
		}
	}
}
