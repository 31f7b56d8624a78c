package llm

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/effort"
)

// event returns one server-sent event of a stream.
func event(data string) string { return "data: " + data + "\n\n" }

func textEvent(text string) string {
	quoted, _ := json.Marshal(text)
	return event(`{"choices":[{"delta":{"content":` + string(quoted) + `}}]}`)
}

// named returns an event with a name, as Anthropic sends them.
func named(name, data string) string { return "event: " + name + "\n" + event(data) }

var stream = ": a comment\n\n" + event(`{"choices":[{"delta":{"role":"assistant"}}]}`) + textEvent("Grüße, ") + textEvent("[Act") +
	"data: {\"choices\":[{\"delta\":\ndata: {\"content\":\"two lines\"}}]}\n\n" +
	event(`{"choices":[{"delta":{},"finish_reason":"stop"}]}`) + event(`{"choices":[],"usage":{"prompt_tokens":12,"completion_tokens":7}}`) + event("[DONE]")

// answer joins the deltas of a body.
type answer struct {
	Text, Thinking, Reason, Stop string
	Usage                        Usage
	Calls                        []ToolCall
	Logprobs                     []TokenLogprob
	Done                         bool
	Fault                        Fault
}

// decode feeds a body in pieces and joins the deltas.
func decode(format string, pieces ...string) answer {
	d := NewDecoder(format)
	var out answer
	a := &attempt{}
	add := func(deltas []Delta) {
		for _, delta := range deltas {
			out.Text += delta.Text
			out.Thinking += delta.Thinking
			out.Stop += delta.Stop
			out.Done = out.Done || delta.Done
			out.Logprobs = append(out.Logprobs, delta.Logprobs...)
			a.takeCalls(delta.ToolCalls)
			if delta.Reason != "" {
				out.Reason = delta.Reason
			}
			if delta.Usage != nil {
				out.Usage = *delta.Usage
			}
			if delta.Fault != nil {
				out.Fault = *delta.Fault
			}
		}
	}
	for _, piece := range pieces {
		add(d.Write(piece))
	}
	add(d.End())
	out.Calls = a.reply.ToolCalls
	return out
}

// bodies is a table of bodies with their decoded answers.
var bodies = []struct {
	name, format, body string
	want               answer
}{
	{"chat", "openai", stream, answer{Text: "Grüße, [Acttwo lines", Reason: StopEnd, Usage: Usage{12, 7}, Done: true}},
	{"chat with tools", "",
		event(`{"choices":[{"delta":{"role":"assistant","content":null,"tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":"look","arguments":""}}]}}]}`) +
			event(`{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"q\":"}}]}}]}`) +
			event(`{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"\"ü\"}"}},{"index":1,"id":"c2","function":{"name":"stop","arguments":"{}"}}]},"finish_reason":"tool_calls"}],"usage":null}`) + event("[DONE]"),
		answer{Reason: StopTools, Done: true, Calls: []ToolCall{{"c1", "look", `{"q":"ü"}`, nil}, {"c2", "stop", "{}", nil}}}},
	{"chat whose calls are all numbered 0", "openai",
		event(`{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"x","arguments":"{}"}}]}}]}`) +
			event(`{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"b","function":{"name":"y","arguments":"{}"}}]},"finish_reason":"stop"}]}`),
		answer{Reason: StopEnd, Done: true, Calls: []ToolCall{{"a", "x", "{}", nil}, {"b", "y", "{}", nil}}}},
	{"chat with logprobs", "openai",
		event(`{"choices":[{"delta":{"content":"2"},"logprobs":{"content":[{"token":"2","logprob":-0.5,"bytes":[50],"top_logprobs":[{"token":"2","logprob":-0.5},{"token":"1","logprob":-1.5}]}]},"finish_reason":"length"}]}`),
		answer{Text: "2", Reason: StopLength, Done: true, Logprobs: []TokenLogprob{{"2", -0.5, []TokenLogprob{{Token: "2", Logprob: -0.5}, {Token: "1", Logprob: -1.5}}}}}},
	{"chat with thoughts", "openai",
		event(`{"choices":[{"delta":{"reasoning_content":"hm "}}]}`) + event(`{"choices":[{"delta":{"reasoning":"hm"}}]}`) +
			event(`{"choices":[{"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"!"}]},{"type":"text","text":"so"}]},"finish_reason":"stop","stop_reason":"END"}]}`),
		answer{Text: "so", Thinking: "hm hm!", Reason: StopText, Stop: "END", Done: true}},
	{"chat as one value", "openai",
		"{\n \"choices\": [{\"message\": {\"role\":\"assistant\",\"content\":\"é\",\"tool_calls\":[{\"id\":\"c1\",\"function\":{\"name\":\"x\",\"arguments\":\"{}\"}},{\"id\":\"c2\",\"function\":{\"name\":\"y\",\"arguments\":\"{}\"}}]},\"finish_reason\":\"stop\"}],\n\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":2}}",
		answer{Text: "é", Reason: StopEnd, Usage: Usage{1, 2}, Done: true, Calls: []ToolCall{{"c1", "x", "{}", nil}, {"c2", "y", "{}", nil}}}},
	{"chat that fails in the middle", "openai", textEvent("a") + event(`{"error":{"message":"overloaded","type":"server_error"}}`) + textEvent("b"),
		answer{Text: "a", Done: true, Fault: Fault{"server_error", "overloaded"}}},
	{"chat that is no JSON", "openai", textEvent("a") + event("not json") + textEvent("b"), answer{Text: "a", Done: true, Fault: Fault{FaultGarbage, "not json"}}},
	{"chat that is a page", "openai", "<html>hello</html>", answer{Done: true, Fault: Fault{FaultGarbage, "<html>hello</html>"}}},
	{"chat cut off", "openai", textEvent("a") + `data: {"choices":[{"delta":{"content":"ne`, answer{Text: "a"}},
	{"chat whose last event is not ended", "openai", textEvent("a") + "data: [DONE]", answer{Text: "a", Done: true}},
	{"chat with a byte order mark", "openai", "\ufeff" + textEvent("a") + event("[DONE]"), answer{Text: "a", Done: true}},
	{"an error as one value", "openai", `{"error":{"message":"no","code":"bad"}}`, answer{Done: true, Fault: Fault{"bad", "no"}}},
	{"another value", "openai", `{"hello":1}`, answer{Done: true, Fault: Fault{FaultGarbage, `{"hello":1}`}}},

	{"completions", "completions",
		event(`{"choices":[{"text":" one","logprobs":{"tokens":[" one"],"token_logprobs":[null],"top_logprobs":[{" one":-0.1," two":-2,"a":-2}]}}]}`) +
			event(`{"choices":[{"text":"","finish_reason":"length"}],"usage":{"prompt_tokens":3,"completion_tokens":1}}`) + event("[DONE]"),
		answer{Text: " one", Reason: StopLength, Usage: Usage{3, 1}, Done: true,
			Logprobs: []TokenLogprob{{" one", 0, []TokenLogprob{{Token: " one", Logprob: -0.1}, {Token: " two", Logprob: -2}, {Token: "a", Logprob: -2}}}}}},

	{"messages", "anthropic",
		named("message_start", `{"type":"message_start","message":{"type":"message","content":[],"usage":{"input_tokens":20,"cache_read_input_tokens":5,"output_tokens":1}}}`) +
			named("content_block_start", `{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":""}}`) + named("ping", `{"type":"ping"}`) +
			named("content_block_delta", `{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hm"}}`) +
			named("content_block_delta", `{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"x"}}`) +
			named("content_block_stop", `{"type":"content_block_stop","index":0}`) +
			named("content_block_start", `{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}`) +
			named("content_block_delta", `{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"Grüße"}}`) +
			named("content_block_start", `{"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"t1","name":"look","input":{}}}`) +
			named("content_block_delta", `{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"q\":"}}`) +
			named("content_block_delta", `{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"1}"}}`) +
			named("message_delta", `{"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":9}}`) +
			named("message_stop", `{"type":"message_stop"}`),
		answer{Text: "Grüße", Thinking: "hm", Reason: StopTools, Usage: Usage{25, 9}, Done: true, Calls: []ToolCall{{"t1", "look", `{"q":1}`, nil}}}},
	{"messages with a stop", "anthropic",
		named("message_delta", `{"type":"message_delta","delta":{"stop_reason":"stop_sequence","stop_sequence":"[Obs]"},"usage":{"output_tokens":3}}`) + named("message_stop", `{"type":"message_stop"}`),
		answer{Reason: StopText, Stop: "[Obs]", Usage: Usage{0, 3}, Done: true}},
	{"messages that fail", "anthropic", named("error", `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`),
		answer{Done: true, Fault: Fault{"overloaded_error", "Overloaded"}}},
	{"a message as one value", "anthropic",
		`{"type":"message","content":[{"type":"text","text":"hi"},{"type":"tool_use","id":"t","name":"n","input":{"a":[1]}}],"stop_reason":"max_tokens","usage":{"input_tokens":1,"output_tokens":2}}`,
		answer{Text: "hi", Reason: StopLength, Usage: Usage{1, 2}, Done: true, Calls: []ToolCall{{"t", "n", `{"a":[1]}`, nil}}}},

	{"responses", "responses",
		named("response.created", `{"type":"response.created","sequence_number":0,"response":{"object":"response","status":"in_progress","output":[],"usage":null}}`) +
			named("response.output_item.added", `{"type":"response.output_item.added","output_index":0,"item":{"id":"rs_1","type":"reasoning","summary":[]}}`) +
			named("response.reasoning_summary_part.added", `{"type":"response.reasoning_summary_part.added","output_index":0,"summary_index":0,"part":{"type":"summary_text","text":""}}`) +
			named("response.reasoning_summary_text.delta", `{"type":"response.reasoning_summary_text.delta","output_index":0,"summary_index":0,"delta":"h"}`) +
			named("response.reasoning_summary_text.delta", `{"type":"response.reasoning_summary_text.delta","output_index":0,"summary_index":0,"delta":"m"}`) +
			named("response.reasoning_summary_text.delta", `{"type":"response.reasoning_summary_text.delta","output_index":0,"summary_index":1,"delta":"so"}`) +
			named("response.output_item.done", `{"type":"response.output_item.done","output_index":0,"item":{"id":"rs_1","type":"reasoning","summary":[{"type":"summary_text","text":"hm"},{"type":"summary_text","text":"so"}],"encrypted_content":"e"}}`) +
			named("response.output_item.added", `{"type":"response.output_item.added","output_index":1,"item":{"id":"msg_1","type":"message","role":"assistant","content":[]}}`) +
			named("response.output_text.delta", `{"type":"response.output_text.delta","output_index":1,"content_index":0,"delta":"Grü","logprobs":[{"token":"Grü","logprob":-1,"top_logprobs":[{"token":"G","logprob":-2}]}]}`) +
			named("response.output_text.delta", `{"type":"response.output_text.delta","output_index":1,"content_index":0,"delta":"ße","logprobs":[]}`) +
			named("response.output_text.done", `{"type":"response.output_text.done","output_index":1,"content_index":0,"text":"Grüße"}`) +
			named("response.output_item.done", `{"type":"response.output_item.done","output_index":1,"item":{"id":"msg_1","type":"message","role":"assistant","content":[{"type":"output_text","text":"Grüße"}]}}`) +
			named("response.completed", `{"type":"response.completed","response":{"object":"response","status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"Grüße"}]}],"usage":{"input_tokens":7,"input_tokens_details":{"cached_tokens":5},"output_tokens":9,"output_tokens_details":{"reasoning_tokens":6},"total_tokens":16}}}`),
		answer{Text: "Grüße", Thinking: "hm\n\nso", Reason: StopEnd, Usage: Usage{7, 9}, Done: true, Logprobs: []TokenLogprob{{"Grü", -1, []TokenLogprob{{Token: "G", Logprob: -2}}}}}},
	{"responses with parallel calls", "responses",
		named("response.output_item.added", `{"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","id":"fc_1","call_id":"c1","name":"look","arguments":""}}`) +
			named("response.output_item.added", `{"type":"response.output_item.added","output_index":1,"item":{"type":"function_call","id":"fc_2","call_id":"c2","name":"stop","arguments":""}}`) +
			named("response.function_call_arguments.delta", `{"type":"response.function_call_arguments.delta","output_index":0,"delta":"{\"q\":"}`) +
			named("response.function_call_arguments.delta", `{"type":"response.function_call_arguments.delta","output_index":1,"delta":"{}"}`) +
			named("response.function_call_arguments.delta", `{"type":"response.function_call_arguments.delta","output_index":0,"delta":"\"ü\"}"}`) +
			named("response.function_call_arguments.done", `{"type":"response.function_call_arguments.done","output_index":0,"arguments":"{\"q\":\"ü\"}"}`) +
			named("response.output_item.done", `{"type":"response.output_item.done","output_index":0,"item":{"type":"function_call","id":"fc_1","call_id":"c1","name":"look","arguments":"{\"q\":\"ü\"}"}}`) +
			named("response.completed", `{"type":"response.completed","response":{"object":"response","status":"completed","output":[]}}`) + event("[DONE]"),
		answer{Reason: StopTools, Done: true, Calls: []ToolCall{{"c1", "look", `{"q":"ü"}`, nil}, {"c2", "stop", "{}", nil}}}},
	{"responses whose items are not streamed", "responses",
		named("response.output_item.done", `{"type":"response.output_item.done","output_index":0,"item":{"type":"reasoning","summary":[],"content":[{"type":"reasoning_text","text":"hm"}]}}`) +
			named("response.output_item.done", `{"type":"response.output_item.done","output_index":1,"item":{"type":"message","content":[{"type":"output_text","text":"a","logprobs":[{"token":"a","logprob":-1}]},{"type":"output_text","text":"b"}]}}`) +
			named("response.output_item.done", `{"type":"response.output_item.done","output_index":2,"item":{"type":"web_search_call","status":"completed","action":{}}}`) +
			named("response.output_item.done", `{"type":"response.output_item.done","output_index":3,"item":{"type":"function_call","call_id":"c1","name":"look","arguments":"{}"}}`) +
			named("response.completed", `{"type":"response.completed","response":{"object":"response","status":"completed"}}`),
		answer{Text: "ab", Thinking: "hm", Reason: StopTools, Done: true, Calls: []ToolCall{{"c1", "look", "{}", nil}}, Logprobs: []TokenLogprob{{"a", -1, nil}}}},
	{"responses whose items have the same place", "responses",
		named("response.output_item.added", `{"type":"response.output_item.added","output_index":0,"item":{"type":"message"}}`) +
			named("response.output_text.delta", `{"type":"response.output_text.delta","output_index":0,"delta":"a"}`) +
			named("response.output_item.done", `{"type":"response.output_item.done","output_index":0,"item":{"type":"message","content":[{"type":"output_text","text":"a"}]}}`) +
			named("response.output_item.added", `{"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","id":"f1"}}`) +
			named("response.output_item.done", `{"type":"response.output_item.done","output_index":0,"item":{"type":"function_call","id":"f1","name":"look","arguments":"{}"}}`) +
			named("response.output_item.done", `{"type":"response.output_item.done","output_index":0,"item":{"type":"function_call","id":"f2","call_id":"c2","name":"stop","arguments":"{}"}}`) +
			named("response.completed", `{"type":"response.completed","response":{"object":"response","status":"completed"}}`),
		answer{Text: "a", Reason: StopTools, Done: true, Calls: []ToolCall{{"f1", "look", "{}", nil}, {"c2", "stop", "{}", nil}}}},
	{"responses of which only the end is streamed", "responses",
		named("response.completed", `{"type":"response.completed","response":{"object":"response","status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"hi"}]}]}}`),
		answer{Text: "hi", Reason: StopEnd, Done: true}},
	{"responses, the limit of tokens", "responses",
		named("response.reasoning_text.delta", `{"type":"response.reasoning_text.delta","output_index":0,"content_index":0,"delta":"hm"}`) +
			named("response.incomplete", `{"type":"response.incomplete","response":{"object":"response","status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},"output":[],"usage":{"input_tokens":1,"output_tokens":2}}}`),
		answer{Thinking: "hm", Reason: StopLength, Usage: Usage{1, 2}, Done: true}},
	{"responses that fail", "responses",
		named("response.output_text.delta", `{"type":"response.output_text.delta","output_index":0,"delta":"a"}`) +
			named("response.failed", `{"type":"response.failed","response":{"object":"response","status":"failed","error":{"code":"server_error","message":"no"},"output":[]}}`),
		answer{Text: "a", Reason: StopEnd, Done: true, Fault: Fault{"server_error", "no"}}},
	{"responses that are cancelled", "responses", named("response.cancelled", `{"type":"response.cancelled","response":{"object":"response","status":"cancelled","error":null}}`),
		answer{Reason: StopEnd, Done: true, Fault: Fault{"cancelled", "the status of the answer is cancelled"}}},
	{"responses with an error", "responses", named("error", `{"type":"error","code":"rate_limit_exceeded","message":"slow down","param":null,"sequence_number":3}`),
		answer{Done: true, Fault: Fault{"rate_limit_exceeded", "slow down"}}},
	{"responses with an error in an object", "responses", named("error", `{"type":"error","error":{"type":"server_error","message":"no"}}`),
		answer{Done: true, Fault: Fault{"server_error", "no"}}},
	{"a response as one value", "responses",
		`{"object":"response","status":"completed","error":null,"output":[{"type":"reasoning","summary":[{"type":"summary_text","text":"a"},{"type":"summary_text","text":"b"}]},{"type":"message","content":[{"type":"output_text","text":"hi"}]},{"type":"function_call","call_id":"c1","name":"x","arguments":"{}"},{"type":"function_call","call_id":"c2","name":"y","arguments":"{}"}],"usage":{"input_tokens":1,"output_tokens":2}}`,
		answer{Text: "hi", Thinking: "a\n\nb", Reason: StopTools, Usage: Usage{1, 2}, Done: true, Calls: []ToolCall{{"c1", "x", "{}", nil}, {"c2", "y", "{}", nil}}}},
	{"a response that is not ready", "responses", `{"object":"response","status":"queued","error":null,"output":[]}`,
		answer{Reason: StopEnd, Done: true, Fault: Fault{"queued", "the status of the answer is queued"}}},
	{"a response of another format", "responses", `{"choices":[]}`, answer{Done: true, Fault: Fault{FaultGarbage, `{"choices":[]}`}}},
	{"a custom call", "responses",
		named("response.output_item.added", `{"type":"response.output_item.added","output_index":0,"item":{"type":"custom_tool_call","call_id":"c1","name":"answer","input":""}}`) +
			named("response.custom_tool_call_input.delta", `{"type":"response.custom_tool_call_input.delta","output_index":0,"delta":"a "}`) +
			named("response.custom_tool_call_input.delta", `{"type":"response.custom_tool_call_input.delta","output_index":0,"delta":"b"}`) +
			named("response.custom_tool_call_input.done", `{"type":"response.custom_tool_call_input.done","output_index":0,"input":"a b"}`) +
			named("response.output_item.done", `{"type":"response.output_item.done","output_index":0,"item":{"type":"custom_tool_call","call_id":"c1","name":"answer","input":"a b"}}`) +
			named("response.completed", `{"type":"response.completed","response":{"object":"response","status":"completed"}}`),
		answer{Text: "a b", Reason: StopEnd, Done: true}},
	{"a custom call as one value", "responses", `{"object":"response","status":"completed","output":[{"type":"custom_tool_call","call_id":"c1","name":"answer","input":"a b"}]}`,
		answer{Text: "a b", Reason: StopEnd, Done: true}},

	{"Ollama's chat", "ollama",
		"{\"message\":{\"role\":\"assistant\",\"content\":\"Grü\"},\"done\":false}\n{\"message\":{\"content\":\"ße\",\"thinking\":\"hm\"},\"logprobs\":[{\"token\":\"ße\",\"logprob\":-1,\"top_logprobs\":[{\"token\":\"ß\",\"logprob\":-2}]}],\"done\":false}\n\n" +
			"{\"message\":{\"content\":\"\"},\"done\":true,\"done_reason\":\"length\",\"prompt_eval_count\":4,\"eval_count\":2}\n",
		answer{Text: "Grüße", Thinking: "hm", Reason: StopLength, Usage: Usage{4, 2}, Done: true, Logprobs: []TokenLogprob{{"ße", -1, []TokenLogprob{{Token: "ß", Logprob: -2}}}}}},
	{"Ollama's calls", "ollama",
		"{\"message\":{\"content\":\"\",\"tool_calls\":[{\"function\":{\"name\":\"a\",\"arguments\":{\"x\":\"é\"}}}]}}\r\n{\"message\":{\"tool_calls\":[{\"function\":{\"name\":\"b\",\"arguments\":{}}}]}}\r\n{\"done\":true}",
		answer{Reason: StopEnd, Done: true, Calls: []ToolCall{{"call_1", "a", `{"x":"é"}`, nil}, {"call_2", "b", `{}`, nil}}}},
	{"Ollama's completion", "ollama-generate", "{\"response\":\"a\",\"done\":false}\n{\"response\":\"b\",\"done\":true,\"done_reason\":\"stop\"}\n", answer{Text: "ab", Reason: StopEnd, Done: true}},
	{"Ollama's answer over several lines", "ollama-generate", "{\n \"response\": \"a\",\n \"done\": true\n}\n", answer{Text: "a", Reason: StopEnd, Done: true}},
	{"Ollama's failure", "ollama", "{\"message\":{\"content\":\"a\"}}\n{\"error\":\"out of memory\"}\n{\"message\":{\"content\":\"b\"}}\n", answer{Text: "a", Done: true, Fault: Fault{"", "out of memory"}}},
	{"Ollama's garbage", "ollama", "{\"message\":{\"content\":\"a\"}}\n<!>\n", answer{Text: "a", Done: true, Fault: Fault{FaultGarbage, "<!>"}}},
	{"Ollama cut off", "ollama", "{\"message\":{\"content\":\"a\"}}\n{\"mess", answer{Text: "a"}},
	{"Gemini", "gemini",
		event(`{"candidates":[{"content":{"parts":[{"text":"hm ","thought":true}],"role":"model"},"index":0}],"usageMetadata":{"promptTokenCount":7,"totalTokenCount":9,"thoughtsTokenCount":2},"modelVersion":"m"}`) +
			event(`{"candidates":[{"content":{"parts":[{"text":"so","thought":true},{"text":"Grü"}],"role":"model"}}]}`) +
			event(`{"candidates":[{"content":{"parts":[{"text":"ße"},{"functionCall":{"id":"f1","name":"look","args":{"q":"ü"}},"thoughtSignature":"c2ln"},{"functionCall":{"name":"stop"}}],"role":"model"},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":7,"toolUsePromptTokenCount":1,"cachedContentTokenCount":3,"candidatesTokenCount":4,"thoughtsTokenCount":5}}`),
		answer{Text: "Grüße", Thinking: "hm so", Reason: StopEnd, Usage: Usage{8, 9}, Done: true, Calls: []ToolCall{{"f1", "look", `{"q":"ü"}`, nil}, {unnamedCall + "2", "stop", "{}", nil}}}},
	{"Gemini with a limit", "gemini", event(`{"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"MAX_TOKENS"}]}`), answer{Text: "a", Reason: StopLength, Done: true}},
	{"Gemini with an empty signed part", "gemini", event(`{"candidates":[{"content":{"parts":[{"text":"a"}]}}]}`) + event(`{"candidates":[{"content":{"parts":[{"text":"","thoughtSignature":"c2ln"}]},"finishReason":"STOP"}]}`),
		answer{Text: "a", Reason: StopEnd, Done: true}},
	{"Gemini as one value", "gemini", "{\n \"candidates\": [{\"content\": {\"parts\": [{\"text\":\"é\"}, {\"functionCall\":{\"name\":\"x\",\"args\":{}}}]},\n\"finishReason\":\"STOP\"}],\"usageMetadata\":{\"promptTokenCount\":1,\"candidatesTokenCount\":2}}",
		answer{Text: "é", Reason: StopEnd, Usage: Usage{1, 2}, Done: true, Calls: []ToolCall{{unnamedCall + "1", "x", "{}", nil}}}},
	{"Gemini as a list", "gemini", "[{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"a\"}]}}]}\n,\n{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"b\"}]},\"finishReason\":\"STOP\"}]}]",
		answer{Text: "ab", Reason: StopEnd, Done: true}},
	{"Gemini that fails in the middle", "gemini", event(`{"candidates":[{"content":{"parts":[{"text":"a"}]}}]}`) + event(`{"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}`),
		answer{Text: "a", Done: true, Fault: Fault{"UNAVAILABLE", "The model is overloaded."}}},
	{"Gemini's error as a list", "gemini", `[{"error":{"code":429,"message":"no","status":"RESOURCE_EXHAUSTED"}}]`, answer{Done: true, Fault: Fault{"RESOURCE_EXHAUSTED", "no"}}},
	{"Gemini with a malformed call", "gemini", event(`{"candidates":[{"content":{"role":"model"},"finishReason":"MALFORMED_FUNCTION_CALL","finishMessage":"Malformed function call: look(."}]}`),
		answer{Done: true, Fault: Fault{"MALFORMED_FUNCTION_CALL", "the answer ended with MALFORMED_FUNCTION_CALL: Malformed function call: look("}}},
	{"Gemini that is no JSON", "gemini", event("not json"), answer{Done: true, Fault: Fault{FaultGarbage, "not json"}}},
	{"Gemini cut off", "gemini", event(`{"candidates":[{"content":{"parts":[{"text":"a"}]}}]}`) + `data: {"candidates":[{"content":{"parts":[{"te`, answer{Text: "a"}},
	{"another value from Gemini", "gemini", `{"hello":1}`, answer{Done: true, Fault: Fault{FaultGarbage, `{"hello":1}`}}},

	{"Bedrock", "bedrock",
		"{\"metrics\":{\"latencyMs\":9},\"output\":{\"message\":{\"content\":[{\"reasoningContent\":{\"reasoningText\":{\"text\":\"hm\",\"signature\":\"c2ln\"}}},{\"reasoningContent\":{\"redactedContent\":\"eA==\"}},{\"text\":\"Grüße\"},{\"toolUse\":{\"toolUseId\":\"t1\",\"name\":\"look\",\"input\":{\"q\":1}}},{\"toolUse\":{\"toolUseId\":\"t2\",\"name\":\"stop\",\"input\":{}}}],\"role\":\"assistant\"}},\n\"stopReason\":\"tool_use\",\"usage\":{\"inputTokens\":5,\"outputTokens\":9,\"totalTokens\":17,\"cacheReadInputTokens\":2,\"cacheWriteInputTokens\":1}}",
		answer{Text: "Grüße", Thinking: "hm", Reason: StopTools, Usage: Usage{8, 9}, Done: true, Calls: []ToolCall{{"t1", "look", `{"q":1}`, nil}, {"t2", "stop", "{}", nil}}}},
	{"Bedrock with a stop", "bedrock", `{"output":{"message":{"role":"assistant","content":[{"text":"a"}]}},"stopReason":"stop_sequence","usage":{"inputTokens":1,"outputTokens":1}}`, answer{Text: "a", Reason: StopText, Usage: Usage{1, 1}, Done: true}},
	{"Bedrock with a limit", "bedrock", `{"output":{"message":{"content":[{"text":"a"}]}},"stopReason":"max_tokens"}`, answer{Text: "a", Reason: StopLength, Done: true}},
	{"Bedrock with a malformed call", "bedrock", `{"output":{"message":{"content":[]}},"stopReason":"malformed_tool_use"}`, answer{Done: true, Fault: Fault{"malformed_tool_use", "the answer ended with malformed_tool_use"}}},
	{"Bedrock's failure", "bedrock", `{"message":"The security token included in the request is invalid."}`, answer{Done: true, Fault: Fault{"", "The security token included in the request is invalid."}}},
	{"another value from Bedrock", "bedrock", `{"output":{}}`, answer{Done: true, Fault: Fault{FaultGarbage, `{"output":{}}`}}},
	{"Bedrock's stream", "bedrock", "data: {\"messageStart\":{\"role\":\"assistant\",\"p\":\"ab\"}}\n\n" +
		"data: {\"contentBlockDelta\":{\"contentBlockIndex\":0,\"delta\":{\"text\":\"a\"}}}\n\ndata: {\"contentBlockDelta\":{\"contentBlockIndex\":0,\"delta\":{\"text\":\"b\"}}}\n\n" +
		"data: {\"contentBlockStop\":{\"contentBlockIndex\":0}}\n\ndata: {\"messageStop\":{\"stopReason\":\"max_tokens\"}}\n\ndata: {\"metadata\":{\"usage\":{\"inputTokens\":3,\"cacheReadInputTokens\":2,\"outputTokens\":4}}}\n\n",
		answer{Text: "ab", Reason: StopLength, Usage: Usage{5, 4}, Done: true}},
	{"a failure in Bedrock's stream", "bedrock", "data: {\"throttlingException\":{\"message\":\"slow down\"}}\n\n", answer{Done: true, Fault: Fault{"throttlingException", "slow down"}}},
	{"an error in Bedrock's stream", "bedrock", "data: {\"error\":{\"code\":\"InternalError\",\"message\":\"no\"}}\n\n", answer{Done: true, Fault: Fault{"InternalError", "no"}}},
	{"a malformed call in Bedrock's stream", "bedrock", "data: {\"messageStop\":{\"stopReason\":\"malformed_tool_use\"}}\n\n", answer{Done: true, Fault: Fault{"malformed_tool_use", "the answer ended with malformed_tool_use"}}},
	{"a corrupt frame of Bedrock's stream", "bedrock", "data: corrupt frame 1 of the binary stream: its checksum is wrong\n\n", answer{Done: true, Fault: Fault{FaultGarbage, "corrupt frame 1 of the binary stream: its checksum is wrong"}}},
	{"a binary stream", "bedrock", "\x00\x00\x00\x6a\x00\n", answer{Done: true, Fault: Fault{FaultGarbage, "\x00\x00\x00\x6a\x00"}}},
	{"nothing", "openai", "", answer{}},
	{"nothing from Ollama", "ollama", " \n", answer{}},
}

func TestDecodingDoesNotDependOnTheCuts(t *testing.T) {
	for _, c := range bodies {
		variants := []string{c.body}
		if c.format != FormatOllama && c.format != FormatOllamaGenerate {
			variants = append(variants, strings.ReplaceAll(c.body, "\n", "\r\n"), strings.ReplaceAll(c.body, "\n", "\r"))
		}
		for _, body := range variants {
			if got := decode(c.format, body); !reflect.DeepEqual(got, c.want) {
				t.Fatalf("%s:\n got %+v\nwant %+v", c.name, got, c.want)
			}
			for cut := 0; cut < len(body); cut += effort.Step(7) {
				if got := decode(c.format, body[:cut], body[cut:]); !reflect.DeepEqual(got, c.want) {
					t.Fatalf("%s, cut at %d:\n got %+v\nwant %+v", c.name, cut, got, c.want)
				}
			}
			bytes := make([]string, len(body)) // invalid UTF-8
			for i := range len(body) {
				bytes[i] = body[i : i+1]
			}
			if got := decode(c.format, bytes...); !reflect.DeepEqual(got, c.want) {
				t.Fatalf("%s, byte by byte:\n got %+v\nwant %+v", c.name, got, c.want)
			}
		}
	}
}

func TestTruncatedBodyIsNeverComplete(t *testing.T) {
	for _, c := range bodies {
		if c.want.Fault.Kind != "" || c.want.Fault.Message != "" || !c.want.Done {
			continue
		}
		whole := decode(c.format, c.body)
		for cut := 0; cut < len(c.body); cut += effort.Step(7) {
			got := decode(c.format, c.body[:cut])
			if got.Done && got.Fault == (Fault{}) && (got.Text != whole.Text || !reflect.DeepEqual(got.Calls, whole.Calls)) {
				t.Fatalf("%s, cut off at %d: %+v", c.name, cut, got)
			}
			if !strings.HasPrefix(whole.Text, got.Text) {
				t.Fatalf("%s, cut off at %d: %q", c.name, cut, got.Text)
			}
		}
	}
}

func FuzzDecodingDoesNotDependOnTheCuts(f *testing.F) {
	for i, c := range bodies {
		f.Add(i, c.body, 7)
	}
	f.Add(0, "data:x\r\n\r\ndata: {}\n\n", 3)
	f.Fuzz(func(t *testing.T, format int, s string, cut int) {
		if cut < 0 || cut > len(s) {
			cut = len(s) / 2
		}
		name := formats[uint(format)%uint(len(formats))]
		if one, two := decode(name, s), decode(name, s[:cut], s[cut:]); !reflect.DeepEqual(one, two) {
			t.Errorf("%s %q, cut at %d:\n%+v\n%+v", name, s, cut, one, two)
		}
	})
}

func ExampleNewDecoder() {
	d := NewDecoder(FormatOpenAI)
	for _, piece := range []string{"data: {\"choices\":[{\"delta\":{\"con", "tent\":\"hello\"}}]}\n\n"} {
		for _, delta := range d.Write(piece) {
			fmt.Println(delta.Text)
		}
	}
	// Output: hello
}
