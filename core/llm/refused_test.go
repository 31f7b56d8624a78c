package llm

import (
	"errors"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
)

// A refusal that the provider marks is no answer: it ends the request after one call, with its text.
func TestMarkedRefusalsAreNoAnswers(t *testing.T) {
	anthropic := *endpoint.Endpoint
	anthropic.Format = FormatAnthropic
	responses := *endpoint.Endpoint
	responses.Format = FormatResponses
	gemini, bedrock := anthropic, anthropic
	gemini.Format, bedrock.Format = FormatGemini, FormatBedrock
	for _, c := range []struct {
		name  string
		e     Endpoint
		body  string
		quote string
	}{
		{"a refusal that is streamed", *endpoint.Endpoint, event(`{"choices":[{"delta":{"refusal":"I can't "}}]}`) + event(`{"choices":[{"delta":{"refusal":"help with that."}}]}`) + event(`{"choices":[{"delta":{},"finish_reason":"stop"}]}`) + event("[DONE]"), "I can't help with that; "},
		{"a complete refusal", *endpoint.Endpoint, `{"choices":[{"message":{"content":null,"refusal":"No."},"finish_reason":"stop"}]}`, ": No; "},
		{"a filter", *endpoint.Endpoint, textEvent("1. Take the") + event(`{"choices":[{"delta":{},"finish_reason":"content_filter"}]}`) + event("[DONE]"), "1. Take the"},
		{"a filter before the first word", *endpoint.Endpoint, `{"choices":[{"message":{"content":""},"finish_reason":"content_filter"}]}`, "refused to answer; "},
		{"Anthropic's refusal", anthropic, "event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"refusal\"},\"usage\":{\"output_tokens\":1}}\n\nevent: message_stop\ndata: {\"type\":\"message_stop\"}\n\n", "refused to answer; "},
		{"Anthropic's refusal in one message", anthropic, `{"type":"message","role":"assistant","content":[{"type":"text","text":"No."}],"stop_reason":"refusal","usage":{"output_tokens":1}}`, ": No; "},
		{"a response's refusal", responses, named("response.refusal.delta", `{"type":"response.refusal.delta","output_index":0,"delta":"I can't "}`) + named("response.refusal.delta", `{"type":"response.refusal.delta","output_index":0,"delta":"help."}`) +
			named("response.completed", `{"type":"response.completed","response":{"object":"response","status":"completed"}}`), "I can't help; "},
		{"a response's refusal in one value", responses, `{"object":"response","status":"completed","output":[{"type":"message","content":[{"type":"refusal","refusal":"No."}]}]}`, ": No; "},
		{"a response's filter", responses, named("response.output_text.delta", `{"type":"response.output_text.delta","output_index":0,"delta":"1. Take the"}`) +
			named("response.incomplete", `{"type":"response.incomplete","response":{"object":"response","status":"incomplete","incomplete_details":{"reason":"content_filter"}}}`), "1. Take the"},
		{"Gemini's filter of the prompt", gemini, event(`{"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"},"usageMetadata":{"promptTokenCount":9}}`), "refused to answer; "},
		{"Gemini's filter before the first word", gemini, `{"candidates":[{"finishReason":"SAFETY"}]}`, "refused to answer; "},
		{"Gemini's filter", gemini, event(`{"candidates":[{"content":{"parts":[{"text":"1. Take the"}]}}]}`) + event(`{"candidates":[{"finishReason":"RECITATION"}]}`), "1. Take the"},
		{"Gemini's list of words", gemini, event(`{"candidates":[{"finishReason":"BLOCKLIST"}]}`), "refused to answer; "},
		{"Gemini's personal data", gemini, event(`{"candidates":[{"finishReason":"SPII"}]}`), "refused to answer; "},
		{"Bedrock's guardrail", bedrock, `{"output":{"message":{"content":[{"text":"No."}]}},"stopReason":"guardrail_intervened"}`, ": No; "},
		{"Bedrock's filter", bedrock, `{"output":{"message":{"content":[]}},"stopReason":"content_filtered"}`, "refused to answer; "},
		{"Bedrock's refusal", bedrock, `{"output":{"message":{"content":[]}},"stopReason":"refusal"}`, "refused to answer; "},
	} {
		m, err := New(Spec{Kind: KindEndpoint, Endpoint: &c.e})
		if err != nil {
			t.Fatal(err)
		}
		_, spent, err := charged(t, m, Request{Messages: user("1 or 2?"), MaxTokens: 100}, func(e process.Effect) []process.Answer {
			return chunks(e.ID, 200, c.body)
		})
		var coded *source.Error
		if !errors.As(err, &coded) || coded.ID != CodeRefused || !strings.Contains(err.Error(), c.quote) || spent.Spent(meter.Calls) != 1 {
			t.Errorf("%s: %v, %d calls", c.name, err, spent.Spent(meter.Calls))
		}
	}
}

// A request that offers tools ends at a refusal of them: without tools its answer would have no use.
func TestRefusedToolsEndTheRequest(t *testing.T) {
	e := *endpoint.Endpoint
	e.Server = "openai"
	for _, said := range []string{"registry.ollama.ai/library/gemma does not support tools", "unknown field `tools`"} {
		m, err := New(Spec{Kind: KindEndpoint, Endpoint: &e})
		if err != nil {
			t.Fatal(err)
		}
		_, spent, err := charged(t, m, Request{Messages: asked, Tools: []Tool{look}}, func(e process.Effect) []process.Answer {
			return chunks(e.ID, 400, `{"error":{"message":"`+said+`"}}`)
		})
		var coded *source.Error
		if !errors.As(err, &coded) || coded.ID != CodeTools || !strings.Contains(err.Error(), said) || spent.Spent(meter.Calls) != 1 {
			t.Errorf("%s: %v, %d calls", said, err, spent.Spent(meter.Calls))
		}
	}
}
