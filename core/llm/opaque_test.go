package llm

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/process"
)

// provider is a stand-in whose first answer is a call with thoughts, and that refuses a second
// request without the fields that it wants back.
type provider struct {
	name  string
	e     Endpoint
	first string // answer with thoughts and a call
	wants string // part of the second request
	says  string // refusal of a request without it
}

var providers = []provider{
	{"DeepSeek", Endpoint{Server: "deepseek"},
		event(`{"choices":[{"delta":{"role":"assistant","content":null,"reasoning_content":"I look "}}]}`) + event(`{"choices":[{"delta":{"reasoning_content":"it \"up\"."}}]}`) +
			event(`{"choices":[{"delta":{"reasoning_content":null,"tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":"look","arguments":"{\"q\":1}"}}]},"finish_reason":"tool_calls"}]}`) + event("[DONE]"),
		`"reasoning_content":"I look it \"up\"."`, "Missing `reasoning_content` field in the assistant message at message index 2."},
	{"a provider that sends an empty thought", Endpoint{},
		event(`{"choices":[{"delta":{"reasoning_content":"","tool_calls":[{"index":0,"id":"c1","function":{"name":"look","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`) + event("[DONE]"),
		`"reasoning_content":""`, "thinking is enabled but reasoning_content is missing in assistant tool call message at index 2"},
	{"Gemini", Endpoint{Server: "gemini"},
		event(`{"choices":[{"delta":{"role":"assistant","tool_calls":[{"index":0,"extra_content":{"google":{"thought_signature":"c2ln+/="}},"id":"c1","type":"function","function":{"name":"look","arguments":"{\"q\":1}"}}]},"finish_reason":"tool_calls"}]}`) + event("[DONE]"),
		`"extra_content":{"google":{"thought_signature":"c2ln+/="}}`, "Function call is missing a thought_signature in functionCall parts."},
	{"a gateway to Gemini", Endpoint{},
		event(`{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c1","function":{"name":"look","arguments":"{}"},"thought_signature":"c2ln"}]},"finish_reason":"tool_calls"}]}`) + event("[DONE]"),
		`"thought_signature":"c2ln"`, "Function call is missing a thought_signature in functionCall parts."},
	{"OpenRouter", Endpoint{Server: "openrouter"},
		event(`{"choices":[{"delta":{"reasoning":"I ","reasoning_details":[{"type":"reasoning.text","text":"I ","format":"anthropic-claude-v1","index":0}]}}]}`) +
			event(`{"choices":[{"delta":{"reasoning":"look","reasoning_details":[{"type":"reasoning.text","text":"look","format":"anthropic-claude-v1","index":0}]}}]}`) +
			event(`{"choices":[{"delta":{"reasoning_details":[{"type":"reasoning.text","signature":"s1","index":0}]}}]}`) +
			event(`{"choices":[{"delta":{"reasoning_details":[{"type":"reasoning.encrypted","data":"e1","id":"r","index":1}]}}]}`) +
			event(`{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c1","function":{"name":"look","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`) + event("[DONE]"),
		`"reasoning_details":[{"type":"reasoning.text","text":"I look","signature":"s1","format":"anthropic-claude-v1","index":0},{"type":"reasoning.encrypted","data":"e1","id":"r","index":1}]`, "reasoning_details are required"},
	{"DeepSeek, as one value", Endpoint{Server: "deepseek"},
		`{"choices":[{"message":{"content":"","reasoning_content":"hm","tool_calls":[{"id":"c1","function":{"name":"look","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`,
		`"reasoning_content":"hm"`, "Missing `reasoning_content` field"},
	{"Anthropic", Endpoint{Format: FormatAnthropic, Effort: "low"},
		named("message_start", `{"type":"message_start","message":{"type":"message","content":[],"usage":{"input_tokens":2,"output_tokens":1}}}`) +
			named("content_block_start", `{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}`) +
			named("content_block_delta", `{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"I "}}`) +
			named("content_block_delta", `{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"look"}}`) +
			named("content_block_delta", `{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"EqQ="}}`) +
			named("content_block_stop", `{"type":"content_block_stop","index":0}`) +
			named("content_block_start", `{"type":"content_block_start","index":1,"content_block":{"type":"redacted_thinking","data":"Em=="}}`) +
			named("content_block_start", `{"type":"content_block_start","index":2,"content_block":{"type":"text","text":"Let "}}`) +
			named("content_block_delta", `{"type":"content_block_delta","index":2,"delta":{"type":"text_delta","text":"me see."}}`) +
			named("content_block_start", `{"type":"content_block_start","index":3,"content_block":{"type":"tool_use","id":"c1","name":"look","input":{}}}`) +
			named("content_block_delta", `{"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta","partial_json":"{\"q\":"}}`) +
			named("content_block_delta", `{"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta","partial_json":"1}"}}`) +
			named("message_delta", `{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":9}}`) + named("message_stop", `{"type":"message_stop"}`),
		`{"role":"assistant","content":[{"type":"thinking","thinking":"I look","signature":"EqQ="},{"type":"redacted_thinking","data":"Em=="},{"type":"text","text":"Let me see."},{"type":"tool_use","id":"c1","name":"look","input":{"q":1}}]},{"role":"user","content":[{"type":"tool_result"`,
		"messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`."},
	{"Anthropic, as one value", Endpoint{Format: FormatAnthropic, Effort: "low"},
		`{"type":"message","content":[{"type":"thinking","thinking":"hm","signature":"EqQ="},{"type":"text","text":" "},{"type":"tool_use","id":"c1","name":"look","input":{"q":1}}],"stop_reason":"tool_use","usage":{"input_tokens":1,"output_tokens":2}}`,
		`"content":[{"type":"thinking","thinking":"hm","signature":"EqQ="},{"type":"tool_use","id":"c1","name":"look","input":{"q":1}}]`, "Expected `thinking`"},
	{"Responses", Endpoint{Format: FormatResponses},
		named("response.output_item.added", `{"type":"response.output_item.added","output_index":0,"item":{"id":"rs_1","type":"reasoning","summary":[]}}`) +
			named("response.reasoning_summary_text.delta", `{"type":"response.reasoning_summary_text.delta","output_index":0,"summary_index":0,"delta":"I look"}`) +
			named("response.output_item.done", `{"type":"response.output_item.done","output_index":0,"item":{"id":"rs_1","type":"reasoning","summary":[{"type":"summary_text","text":"I look"}],"encrypted_content":"gAAA="}}`) +
			named("response.output_text.delta", `{"type":"response.output_text.delta","output_index":1,"delta":"Let me see."}`) +
			named("response.output_item.done", `{"type":"response.output_item.done","output_index":1,"item":{"id":"msg_1","type":"message","role":"assistant","content":[{"type":"output_text","text":"Let me see.","annotations":[]}]}}`) +
			named("response.output_item.added", `{"type":"response.output_item.added","output_index":2,"item":{"id":"fc_1","type":"function_call","call_id":"c1","name":"look","arguments":""}}`) +
			named("response.function_call_arguments.delta", `{"type":"response.function_call_arguments.delta","output_index":2,"delta":"{\"q\":1}"}`) +
			named("response.output_item.done", `{"type":"response.output_item.done","output_index":2,"item":{"id":"fc_1","type":"function_call","call_id":"c1","name":"look","arguments":"{\"q\":1}"}}`) +
			named("response.completed", `{"type":"response.completed","response":{"object":"response","status":"completed","output":[]}}`),
		`{"id":"rs_1","type":"reasoning","summary":[{"type":"summary_text","text":"I look"}],"encrypted_content":"gAAA="},{"id":"msg_1","type":"message","role":"assistant","content":[{"type":"output_text","text":"Let me see.","annotations":[]}]},{"id":"fc_1","type":"function_call","call_id":"c1","name":"look","arguments":"{\"q\":1}"},{"type":"function_call_output","call_id":"c1","output":"40 + 2"}`,
		"Item 'fc_1' of type 'function_call' was provided without its required 'reasoning' item: 'rs_1'."},
	{"Responses, as one value", Endpoint{Format: FormatResponses, Server: "vllm"},
		`{"object":"response","status":"completed","output":[{"type":"reasoning","summary":[],"content":[{"type":"reasoning_text","text":"hm"}],"encrypted_content":"gA"},{"type":"function_call","call_id":"c1","name":"look","arguments":"{}"}]}`,
		`{"type":"reasoning","summary":[],"content":[{"type":"reasoning_text","text":"hm"}],"encrypted_content":"gA"},{"type":"function_call","call_id":"c1","name":"look","arguments":"{}"}`, "reasoning is missing"},
	{"Gemini's own format", Endpoint{Format: FormatGemini, Effort: "low"},
		event(`{"candidates":[{"content":{"parts":[{"text":"I look","thought":true}],"role":"model"}}]}`) +
			event(`{"candidates":[{"content":{"parts":[{"text":"Let "}],"role":"model"}}]}`) + event(`{"candidates":[{"content":{"parts":[{"text":"me see."}],"role":"model"}}]}`) +
			event(`{"candidates":[{"content":{"parts":[{"functionCall":{"id":"c1","name":"look","args":{"q":1}},"thoughtSignature":"c2ln+/="}],"role":"model"}}]}`) +
			event(`{"candidates":[{"content":{"parts":[{"text":"","thoughtSignature":"ZW5k"}],"role":"model"},"finishReason":"STOP"}]}`),
		`{"role":"model","parts":[{"text":"Let me see."},{"functionCall":{"id":"c1","name":"look","args":{"q":1}},"thoughtSignature":"c2ln+/="},{"text":"","thoughtSignature":"ZW5k"}]},{"role":"user","parts":[{"functionResponse":{"id":"c1","name":"look","response":{"output":"40 + 2"}}}]}`,
		"Function call is missing a thought_signature in functionCall parts."},
	{"Gemini's own format, as one value", Endpoint{Format: FormatGemini},
		`{"candidates":[{"content":{"parts":[{"text":"hm","thought":true,"thoughtSignature":"dGh0"},{"functionCall":{"id":"c1","name":"look","args":{}}}],"role":"model"},"finishReason":"STOP"}]}`,
		`"parts":[{"text":"hm","thought":true,"thoughtSignature":"dGh0"},{"functionCall":{"id":"c1","name":"look","args":{}}}]`, "Function call is missing a thought_signature in functionCall parts."},
	{"Bedrock", Endpoint{Format: FormatBedrock, Effort: "low"},
		`{"output":{"message":{"role":"assistant","content":[{"reasoningContent":{"reasoningText":{"text":"I look","signature":"EqQ="}}},{"reasoningContent":{"redactedContent":"Em=="}},{"text":" "},{"toolUse":{"toolUseId":"c1","name":"look","input":{"q":1}}}]}},"stopReason":"tool_use","usage":{"inputTokens":1,"outputTokens":2}}`,
		`{"role":"assistant","content":[{"reasoningContent":{"reasoningText":{"text":"I look","signature":"EqQ="}}},{"reasoningContent":{"redactedContent":"Em=="}},{"toolUse":{"toolUseId":"c1","name":"look","input":{"q":1}}}]},{"role":"user","content":[{"toolResult":{"toolUseId":"c1","content":[{"text":"40 + 2"}]}}]}`,
		"The model returned the following errors: messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`."},
}

// answer answers a request as the provider does.
func (p provider) answer(e process.Effect) []process.Answer {
	switch {
	case !strings.Contains(e.HTTP.Body, `"c1"`):
		return chunks(e.ID, 200, strings.SplitAfter(p.first, "\n")...)
	case !strings.Contains(e.HTTP.Body, p.wants):
		raw, _ := json.Marshal(map[string]any{"error": map[string]string{"message": p.says}})
		return chunks(e.ID, 400, string(raw))
	case p.e.Format == FormatAnthropic:
		return chunks(e.ID, 200, `{"type":"message","content":[{"type":"text","text":"42"}],"stop_reason":"end_turn","usage":{"output_tokens":1}}`)
	case p.e.Format == FormatResponses:
		return chunks(e.ID, 200, `{"object":"response","status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"42"}]}]}`)
	}
	switch p.e.Format {
	case FormatGemini:
		return chunks(e.ID, 200, `{"candidates":[{"content":{"parts":[{"text":"42"}]},"finishReason":"STOP"}]}`)
	case FormatBedrock:
		return chunks(e.ID, 200, `{"output":{"message":{"content":[{"text":"42"}]}},"stopReason":"end_turn"}`)
	}
	return chunks(e.ID, 200, textEvent("42")+event("[DONE]"))
}

// model returns the model of the stand-in, which calls tools.
func (p *provider) model(t *testing.T) Model {
	t.Helper()
	p.e.Name, p.e.URL, p.e.Model = "e", "https://models.example/v1", "m"
	caps := p.e.Known()
	caps.Tools = true
	p.e.Capabilities = &caps
	m, err := New(Spec{Kind: KindEndpoint, Endpoint: &p.e})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// after returns a request with the result of the calls of a reply.
func after(r Request, reply Reply) Request {
	r.Messages = append(r.Messages[:len(r.Messages):len(r.Messages)], Message{Role: "assistant", Content: reply.Text, ToolCalls: reply.ToolCalls, Opaque: reply.Opaque},
		Message{Role: "tool", ToolCallID: "c1", Content: "40 + 2"})
	return r
}

func TestProvidersGetTheirOpaqueFieldsBack(t *testing.T) {
	for _, p := range providers {
		m := p.model(t)
		r := Request{Messages: asked, Tools: []Tool{look}}
		reply, _, err := charged(t, m, r, p.answer)
		if err != nil || len(reply.ToolCalls) != 1 || strings.Contains(reply.Text, "look") {
			t.Errorf("%s: %+v %v", p.name, reply, err)
			continue
		}
		// A message survives its JSON.
		again := after(r, reply)
		raw, err := json.Marshal(again.Messages)
		if err != nil || json.Unmarshal(raw, &again.Messages) != nil {
			t.Fatal(err)
		}
		if second, _, err := charged(t, m, again, p.answer); err != nil || second.Text != "42" {
			t.Errorf("%s: %+v %v", p.name, second, err)
		}
		without := after(r, reply)
		without.Messages[2].Opaque, without.Messages[2].ToolCalls[0].Opaque = nil, nil
		if _, _, err := charged(t, m, without, p.answer); err == nil {
			t.Errorf("%s: the stand-in accepts a request without the fields", p.name)
		}
	}
}

// A server that refuses the fields gets the request without them.
func TestRefusedOpaqueFieldsAreOmitted(t *testing.T) {
	for _, p := range providers {
		m := p.model(t)
		r := Request{Messages: asked, Tools: []Tool{look}}
		reply, _, err := charged(t, m, r, p.answer)
		if err != nil {
			t.Fatal(err)
		}
		name := ""
		for _, field := range []string{"reasoning_content", "reasoning_details", "extra_content", "thought_signature", "thoughtSignature", "signature", "encrypted_content"} {
			if name == "" && strings.Contains(p.wants, `"`+field+`"`) {
				name = field
			}
		}
		requests := 0
		last, _, err := charged(t, m, after(r, reply), func(e process.Effect) []process.Answer {
			requests++
			if strings.Contains(e.HTTP.Body, `"`+name+`"`) {
				return chunks(e.ID, 400, fmt.Sprintf(`{"error":{"message":"property '%s' is unsupported"}}`, name))
			}
			p.wants = ""
			return p.answer(e)
		})
		if err != nil || last.Text != "42" || requests != 2 {
			t.Errorf("%s: %+v %v after %d requests", p.name, last, err, requests)
		}
	}
}

// Thoughts are sent back only with calls: elsewhere they cost tokens and are refused.
func TestThoughtsAreNotSentBackWithoutCalls(t *testing.T) {
	m, _ := New(endpoint)
	reply, _, err := charged(t, m, Request{Messages: asked}, func(e process.Effect) []process.Answer {
		return chunks(e.ID, 200, event(`{"choices":[{"delta":{"reasoning_content":"hm"}}]}`)+textEvent("3")+event("[DONE]"))
	})
	if err != nil || reply.Opaque != nil || reply.Text != "3" {
		t.Errorf("%+v %v", reply, err)
	}
}
