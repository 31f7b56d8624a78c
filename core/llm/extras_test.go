package llm

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/process"
)

// Each server has its own field for the effort, and the limit of tokens includes the thoughts.
func TestEffortIsSentInTheFieldOfTheServer(t *testing.T) {
	low := func(server string) Endpoint { return Endpoint{Server: server, Effort: "low"} }
	anthropic := Endpoint{Format: FormatAnthropic, Effort: "high"}
	for _, c := range []struct {
		e    Endpoint
		want string // fields in the body
		not  string
	}{
		{low("openai"), `"reasoning_effort":"low" "max_completion_tokens":4106`, "thinking"},
		{low(""), `"reasoning_effort":"low" "max_tokens":2058`, "thinking"},
		{low("openrouter"), `"reasoning":{"effort":"low"}`, "reasoning_effort"},
		{low("deepseek"), `"thinking":{"type":"enabled"}`, "reasoning_effort"},
		{low("vllm"), `"chat_template_kwargs":{"enable_thinking":true,"reasoning_effort":"low"} "max_tokens":2058`, ""},
		{Endpoint{Server: "vllm", Effort: "none"}, `"chat_template_kwargs":{"enable_thinking":false} "max_tokens":10`, "reasoning_effort"},
		{Endpoint{Server: "deepseek", Effort: "none"}, `"thinking":{"type":"disabled"}`, "enabled"},
		{Endpoint{Server: "openrouter", Effort: "none"}, `"reasoning":{"effort":"none"}`, "enabled"},
		{Endpoint{Thinking: 700}, `"max_tokens":710`, "reasoning"},
		{Endpoint{Effort: "high", Thinking: 700}, `"max_tokens":710 "reasoning_effort":"high"`, ""},
		{anthropic, `"thinking":{"type":"enabled","budget_tokens":16384} "max_tokens":16394`, `"temperature" "tool_choice"`},
		{Endpoint{Format: FormatAnthropic, Effort: "minimal", Thinking: 300}, `"thinking":{"type":"enabled","budget_tokens":1024} "max_tokens":1334`, `"temperature"`},
		{Endpoint{Format: FormatAnthropic, Effort: "none"}, `"thinking":{"type":"disabled"} "temperature":0 "tool_choice"`, "budget_tokens"},
		{Endpoint{Format: FormatAnthropic}, `"temperature":0 "tool_choice"`, "thinking"},
		{Endpoint{Format: FormatOllama, Effort: "none"}, `"think":false`, ""},
		{Endpoint{Format: FormatOllama, Effort: "minimal"}, `"think":"low"`, ""},
		{Endpoint{Format: FormatOllama, Effort: "medium"}, `"think":"medium"`, ""},
		{Endpoint{Format: FormatOllamaGenerate, Effort: "xhigh"}, `"think":"high"`, ""},
		{Endpoint{Format: FormatOllama}, `"stream":true`, `"think"`},
		{Endpoint{Format: FormatGemini}, `"maxOutputTokens":4106`, "thinking"},
		{Endpoint{Format: FormatGemini, Effort: "low"}, `"thinkingConfig":{"includeThoughts":true,"thinkingLevel":"low"} "maxOutputTokens":4106`, "thinkingBudget"},
		{Endpoint{Format: FormatGemini, Effort: "xhigh"}, `"thinkingConfig":{"includeThoughts":true,"thinkingLevel":"high"} "maxOutputTokens":32778`, "thinkingBudget"},
		{Endpoint{Format: FormatGemini, Effort: "none"}, `"thinkingConfig":{"thinkingLevel":"minimal"}`, "thinkingBudget"},
		{Endpoint{Format: FormatGemini, Thinking: 700}, `"thinkingConfig":{"includeThoughts":true,"thinkingBudget":700} "maxOutputTokens":710`, "thinkingLevel"},
		{Endpoint{Format: FormatGemini, Effort: "high", Thinking: 700}, `"thinkingConfig":{"includeThoughts":true,"thinkingBudget":700}`, "thinkingLevel"},
		{Endpoint{Format: FormatGemini, Effort: "none", Thinking: 700}, `"thinkingConfig":{"thinkingLevel":"minimal"}`, "thinkingBudget"},
		{Endpoint{Format: FormatGemini, Model: "gemini-2.5-flash", Effort: "medium"}, `"thinkingConfig":{"includeThoughts":true,"thinkingBudget":8192}`, "thinkingLevel"},
		{Endpoint{Format: FormatGemini, Model: "gemini-2.5-flash", Effort: "xhigh"}, `"thinkingConfig":{"includeThoughts":true,"thinkingBudget":24576}`, "thinkingLevel"},
		{Endpoint{Format: FormatGemini, Model: "gemini-2.5-flash", Effort: "none"}, `"thinkingConfig":{"thinkingBudget":0}`, "thinkingLevel"},
		{Endpoint{Format: FormatBedrock}, `"maxTokens":4106 "temperature":0 "toolChoice":{"any":{}}`, "additional"},
		{Endpoint{Format: FormatBedrock, Model: "us.anthropic.claude-haiku-4-5-20251001-v1:0", Effort: "high"}, `"additionalModelRequestFields":{"thinking":{"type":"enabled","budget_tokens":16384}} "maxTokens":16394`, `"temperature" "toolChoice"`},
		{Endpoint{Format: FormatBedrock, Model: "us.anthropic.claude-haiku-4-5-20251001-v1:0", Effort: "minimal", Thinking: 300}, `"budget_tokens":1024 "maxTokens":1334`, `"temperature"`},
		{Endpoint{Format: FormatBedrock, Model: "us.anthropic.claude-haiku-4-5-20251001-v1:0", Effort: "none"}, `"thinking":{"type":"disabled"} "temperature":0 "toolChoice"`, "budget_tokens"},
		{Endpoint{Format: FormatBedrock, Model: "us.amazon.nova-2-lite-v1:0", Effort: "minimal"}, `"reasoningConfig":{"type":"enabled","maxReasoningEffort":"low"} "temperature":0`, ""},
		{Endpoint{Format: FormatBedrock, Model: "us.amazon.nova-2-lite-v1:0", Effort: "high"}, `"reasoningConfig":{"type":"enabled","maxReasoningEffort":"medium"}`, ""},
		{Endpoint{Format: FormatBedrock, Model: "us.amazon.nova-2-lite-v1:0", Effort: "none"}, `"reasoningConfig":{"type":"disabled"}`, "maxReasoningEffort"},
		{Endpoint{Format: FormatBedrock, Model: "openai.gpt-oss-120b-1:0", Effort: "low"}, `"additionalModelRequestFields":{"reasoning_effort":"low"}`, ""},
		{Endpoint{Format: FormatCompletions, Effort: "low"}, `"max_tokens":2058`, "reasoning"},
		{Endpoint{Format: FormatResponses, Effort: "high"}, `"reasoning":{"effort":"high","summary":"auto"} "max_output_tokens":16394`, "reasoning_effort"},
		{Endpoint{Format: FormatResponses, Effort: "none"}, `"reasoning":{"effort":"none"} "max_output_tokens":4106`, "summary"},
		{Endpoint{Format: FormatResponses}, `"max_output_tokens":4106`, `"reasoning"`},
	} {
		c.e.URL = "https://models.example/v1"
		if c.e.Model == "" {
			c.e.Model = "m"
		}
		h, err := c.e.Encode(Request{Messages: asked, MaxTokens: 10, Tools: []Tool{look}, ToolChoice: "required"})
		if err != nil || c.e.Check() != nil {
			t.Fatal(err, c.e.Check())
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

// If the request has no token limit, the thinking budget is added to the default limit that the format requires.
func TestBudgetIsBelowTheLimit(t *testing.T) {
	h, err := Endpoint{Format: FormatAnthropic, Effort: "high"}.Encode(Request{Messages: asked})
	if err != nil || !strings.Contains(h.Body, `"max_tokens":24576`) {
		t.Error(h.Body, err)
	}
	h, err = Endpoint{Format: FormatBedrock, Model: "anthropic.claude", Effort: "high"}.Encode(Request{Messages: asked})
	if err != nil || !strings.Contains(h.Body, `"maxTokens":24576`) {
		t.Error(h.Body, err)
	}
}

func TestExtraBodyIsMerged(t *testing.T) {
	for _, c := range []struct {
		e       Endpoint
		refused []string
		want    string
	}{
		{Endpoint{Body: []byte(`{"seed":7,"stream_options":{"x":1},"temperature":1}`)}, nil,
			`{"messages":[{"role":"user","content":"hi"}],"model":"m","seed":7,"stream":true,"stream_options":{"include_usage":true,"x":1},"temperature":1}`},
		{Endpoint{Body: []byte(`{"seed":7,"temperature":1}`)}, []string{"seed"},
			`{"messages":[{"role":"user","content":"hi"}],"model":"m","stream":true,"stream_options":{"include_usage":true},"temperature":1}`},
		{Endpoint{Body: []byte(`{"seed":7}`)}, []string{"seed"},
			`{"model":"m","messages":[{"role":"user","content":"hi"}],"temperature":0,"stream":true,"stream_options":{"include_usage":true}}`},
		{Endpoint{Format: FormatOllama, Body: []byte(`{"options":{"num_ctx":8192},"keep_alive":"1h"}`)}, nil,
			`{"keep_alive":"1h","messages":[{"role":"user","content":"hi"}],"model":"m","options":{"num_ctx":8192,"temperature":0},"stream":true}`},
		{Endpoint{Format: FormatGemini, Body: []byte(`{"generationConfig":{"seed":7},"safetySettings":[]}`)}, nil,
			`{"contents":[{"role":"user","parts":[{"text":"hi"}]}],"generationConfig":{"seed":7,"temperature":0},"safetySettings":[]}`},
		{Endpoint{Server: "vllm", Effort: "none", Body: []byte(`{"chat_template_kwargs":{"x":"y"}}`)}, nil,
			`{"chat_template_kwargs":{"enable_thinking":false,"x":"y"},"messages":[{"role":"user","content":"hi"}],"model":"m","stream":true,"stream_options":{"include_usage":true},"temperature":0}`},
	} {
		c.e.URL, c.e.Model = "https://models.example/v1", "m"
		h, err := c.e.encode(Request{Messages: asked[1:]}, concessions{extra: c.refused})
		if err != nil || h.Body != c.want {
			t.Errorf("%s: %s, %v", c.e.Body, h.Body, err)
		}
	}
}

func TestInvalidExtrasAreReported(t *testing.T) {
	for _, c := range []struct {
		e    Endpoint
		want string
	}{
		{Endpoint{Effort: "hihgh"}, "did you mean high?"},
		{Endpoint{Thinking: -1}, "expected 0 to 1000000"},
		{Endpoint{Thinking: maxThinking + 1}, "expected 0 to 1000000"},
		{Endpoint{Body: []byte(`[1]`)}, "not a JSON object"},
		{Endpoint{Body: []byte(`null`)}, "not a JSON object"},
		{Endpoint{Body: []byte(`{`)}, "not a JSON object"},
		{Endpoint{Body: []byte("{\n  \"seed\": 1, \"model\": \"x\"}")}, `line 2, column 14 of the extra body: the run sets "model" itself`},
		{Endpoint{Body: []byte(`{"stream":false}`)}, `line 1, column 2 of the extra body`},
		{Endpoint{Body: []byte(`{"a":"` + strings.Repeat("x", maxExtraBody) + `"}`)}, "the maximum is 65536"},
	} {
		c.e.URL, c.e.Model = "https://models.example/v1", "m"
		if err := c.e.Check(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %.40s: %v", c.e.Effort, c.e.Body, err)
		}
	}
	for _, name := range ReservedFields() {
		e := Endpoint{URL: "https://x", Model: "m", Body: []byte(`{"` + name + `":1}`)}
		if e.Check() == nil {
			t.Errorf("%s may be replaced", name)
		}
		if h, _ := e.Encode(Request{Messages: asked}); strings.Contains(h.Body, `"`+name+`":1`) {
			t.Errorf("%s is replaced: %s", name, h.Body)
		}
	}
}

// A refused setting is omitted from later requests, with a notice, and nothing else is.
func TestRefusedExtrasAreOmitted(t *testing.T) {
	for _, c := range []struct {
		e             Endpoint
		refusal, name string
	}{
		{Endpoint{Effort: "low"}, "Unrecognized request argument supplied: reasoning_effort", "reasoning_effort"},
		{Endpoint{Server: "openrouter", Effort: "low"}, "reasoning is not supported by this model", "reasoning"},
		{Endpoint{Server: "vllm", Effort: "low"}, "chat_template_kwargs: Extra inputs are not permitted", "chat_template_kwargs"},
		{Endpoint{Format: FormatAnthropic, Effort: "low"}, "thinking.type.enabled is not supported for this model", "thinking"},
		{Endpoint{Format: FormatOllama, Effort: "low"}, `"small" does not support thinking`, "think"},
		{Endpoint{Format: FormatResponses, Effort: "low"}, "Unsupported parameter: 'reasoning.effort' is not supported with this model.", "reasoning"},
		{Endpoint{Format: FormatResponses, Effort: "low"}, "Your organization must be verified to generate reasoning summaries.", "summary"},
		{Endpoint{Format: FormatGemini, Effort: "low"}, "Thinking level is not supported for this model.", "thinkingConfig"},
		{Endpoint{Format: FormatBedrock, Effort: "low"}, "Malformed input request: extraneous key [reasoning_effort] is not permitted", "reasoning_effort"},
		{Endpoint{Body: []byte(`{"top_k":5,"min_p":0.1}`)}, "body.min_p: Extra inputs are not permitted", "min_p"},
		{Endpoint{Body: []byte(`{"top_k":5,"k":1}`)}, "unknown field 'top_k'", "top_k"},
	} {
		c.e.Name, c.e.URL, c.e.Model = "e", "https://models.example/v1", "m"
		m, err := New(Spec{Kind: KindEndpoint, Endpoint: &c.e})
		if err != nil {
			t.Fatal(err)
		}
		var bodies []string
		reply, _, err := charged(t, m, Request{Messages: asked}, func(e process.Effect) []process.Answer {
			bodies = append(bodies, e.HTTP.Body)
			if strings.Contains(e.HTTP.Body, `"`+c.name) {
				raw, _ := json.Marshal(map[string]any{"error": map[string]string{"message": c.refusal}})
				return chunks(e.ID, 400, string(raw))
			}
			switch c.e.Format {
			case FormatAnthropic:
				return chunks(e.ID, 200, `{"type":"message","content":[{"type":"text","text":"3"}],"stop_reason":"end_turn","usage":{"output_tokens":1}}`)
			case FormatResponses:
				return chunks(e.ID, 200, `{"object":"response","status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"3"}]}]}`)
			case FormatOllama:
				return chunks(e.ID, 200, `{"message":{"content":"3"},"done":true}`)
			case FormatGemini:
				return chunks(e.ID, 200, `{"candidates":[{"content":{"parts":[{"text":"3"}]},"finishReason":"STOP"}]}`)
			case FormatBedrock:
				return chunks(e.ID, 200, `{"output":{"message":{"content":[{"text":"3"}]}},"stopReason":"end_turn"}`)
			}
			return chunks(e.ID, 200, textEvent("3")+event("[DONE]"))
		})
		if err != nil || reply.Text != "3" || len(bodies) != 2 {
			t.Errorf("%s: %+v %v %q", c.refusal, reply, err, bodies)
		}
		if len(c.e.Body) > 0 && len(bodies) == 2 {
			for _, name := range []string{"top_k", "min_p", "k"} {
				if was, is := strings.Contains(bodies[0], `"`+name+`"`), strings.Contains(bodies[1], `"`+name+`"`); was && is != (name != c.name) {
					t.Errorf("%s: %s", c.refusal, bodies[1])
				}
			}
		}
	}
}
