package matrix

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/wasm/host/standin"
)

// misbehaviour is a row of the table: a server that misbehaves at each request, and the cause that
// a run has to name.
type misbehaviour struct {
	name   string
	format string // "": chat completions
	model  string // "": a name that does not state that the model thinks
	serve  func(n int, w http.ResponseWriter, r *http.Request)
	// works reports whether a run reaches its result despite the misbehaviour. With a text, one of
	// its events must contain the text.
	works bool
	// code and says are the error's code and a part of its message; codes has those of single
	// surfaces. The code "verdict" is a result that is not a pass.
	code, says string
	codes      map[string]string
	// most is the maximum number of requests; 0: 16.
	most int
}

// body is a server that always answers with a body.
func body(parts ...string) func(int, http.ResponseWriter, *http.Request) {
	return func(_ int, w http.ResponseWriter, _ *http.Request) { write(w, parts...) }
}

func write(w http.ResponseWriter, parts ...string) {
	for _, part := range parts {
		if _, err := w.Write([]byte(part)); err != nil {
			panic(http.ErrAbortHandler) // the host has ended the request
		}
	}
}

// status is a server that always answers with a status, with headers in pairs.
func status(code int, says string, headers ...string) func(int, http.ResponseWriter, *http.Request) {
	return func(_ int, w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(code)
		write(w, says)
	}
}

func event(data string) string { return "data: " + data + "\n\n" }

// delta is an event with a piece of an answer; a field is JSON.
func delta(fields ...string) string {
	return event(`{"choices":[{"index":0,"delta":{` + strings.Join(fields, ",") + `},"finish_reason":null}]}`)
}

func content(text string) string {
	raw, _ := json.Marshal(text)
	return delta(`"content":` + string(raw))
}

// finish ends a stream with a reason and the tokens that were written.
func finish(reason string, tokens int) string {
	return event(fmt.Sprintf(`{"choices":[{"index":0,"delta":{},"finish_reason":%q}],"usage":{"prompt_tokens":90,"completion_tokens":%d}}`, reason, tokens)) + event("[DONE]")
}

// call is an event with a call.
func call(index int, id, name, arguments string) string {
	raw, _ := json.Marshal(arguments)
	return delta(fmt.Sprintf(`"tool_calls":[{"index":%d,"id":%q,"type":"function","function":{"name":%q,"arguments":%s}}]`, index, id, name, raw))
}

// good is a cooperative server whose bodies a function changes. The server sends them in pieces of a
// size; 0: whole.
func good(provider string, change func(body []byte) []byte, size int) func(int, http.ResponseWriter, *http.Request) {
	server := standin.New(standin.Options{})
	base := ""
	for _, p := range standin.Providers() {
		if p.ID == provider {
			base = p.Base
		}
	}
	return func(_ int, w http.ResponseWriter, r *http.Request) {
		r.URL.Path = "/~provider=" + provider + base + "/chat/completions"
		var out collected
		server.ServeHTTP(&out, r)
		for name, values := range out.Header() {
			w.Header()[name] = values
		}
		w.WriteHeader(out.status)
		all := change(out.body.Bytes())
		for len(all) > 0 {
			n := len(all)
			if size > 0 {
				n = min(n, size)
			}
			write(w, string(all[:n]))
			all = all[n:]
		}
	}
}

// typed is a server with another type of content.
func typed(content string, serve func(int, http.ResponseWriter, *http.Request)) func(int, http.ResponseWriter, *http.Request) {
	return func(n int, w http.ResponseWriter, r *http.Request) { serve(n, renamed{w, content}, r) }
}

type renamed struct {
	http.ResponseWriter
	content string
}

func (r renamed) WriteHeader(status int) {
	r.Header().Set("Content-Type", r.content)
	r.ResponseWriter.WriteHeader(status)
}

type collected struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (c *collected) Header() http.Header {
	if c.header == nil {
		c.header = http.Header{}
	}
	return c.header
}
func (c *collected) WriteHeader(status int)      { c.status = status }
func (c *collected) Write(b []byte) (int, error) { return c.body.Write(b) }
func (c *collected) Flush()                      {}
func same(b []byte) []byte                       { return b }
func replaced(old, by string) func(body []byte) []byte {
	return func(b []byte) []byte { return bytes.ReplaceAll(b, []byte(old), []byte(by)) }
}

// first misbehaves at the first request only.
func first(bad, then func(int, http.ResponseWriter, *http.Request)) func(int, http.ResponseWriter, *http.Request) {
	return func(n int, w http.ResponseWriter, r *http.Request) {
		if n == 1 {
			bad(n, w, r)
			return
		}
		then(n, w, r)
	}
}

// tag returns a tag as the stand-ins encode it.
func tag(name string) string { return `\u003c` + name + `\u003e` }

const thought = "Let me think about 1 and 2. "

// resultOnly is the code of a run that ends with a result that is not a pass.
const resultOnly = ""

// cooperative is the provider without peculiarities.
const cooperative = "azure"

func misbehaviours() []misbehaviour {
	refusal := func(says string) string { return `{"error":{"message":"` + says + `","type":"invalid_request_error"}}` }
	long := strings.Repeat(thought, 400)
	plan := func(code string) map[string]string { return map[string]string{"plan": code} }
	// An answer without a call is refused by an agent that needs one.
	ignored := map[string]string{"plan": "plan.unreadable", "native tools": "monitor.refused"}
	sorry := "I'm sorry, but I can't help with that."
	anthropic := func(reason string) string {
		return "event: message_start\n" + event(`{"type":"message_start","message":{"usage":{"input_tokens":9,"output_tokens":1}}}`) +
			"event: message_delta\n" + event(`{"type":"message_delta","delta":{"stop_reason":"`+reason+`"},"usage":{"output_tokens":1}}`) + "event: message_stop\n" + event(`{"type":"message_stop"}`)
	}
	return []misbehaviour{
		// Thoughts.
		{name: "thoughts up to the limit", serve: body(delta(`"reasoning_content":"`+long+`"`), finish("length", 4000)), code: "llm.thinking", says: "thought for 4000 tokens"},
		{name: "inline thoughts up to the limit", serve: body(content("<think>"+long), finish("length", 4000)), code: "llm.thinking", says: "thought for"},
		{name: "a channel for analysis up to the limit", serve: body(content("<|channel|>analysis<|message|>"+long), finish("length", 4000)), code: "llm.thinking", says: "thought for"},
		{name: "thoughts without end", serve: func(_ int, w http.ResponseWriter, _ *http.Request) {
			for {
				write(w, delta(`"reasoning_content":"`+long+`"`))
			}
		}, code: "limit.tokens", says: "1000000 tokens"},
		{name: "inline thoughts that are not closed", serve: body(content("<think>"+thought), finish("stop", 9)), code: "monitor.repeats", says: "empty answers", codes: plan("plan.unreadable")},
		{name: "inline thoughts in pieces of one byte", serve: good("together", same, 1), works: true},
		{name: "inline thoughts in pieces of five bytes", serve: good("together", same, 5), works: true},
		{name: "inline thoughts without an opening tag", serve: good("together", replaced(tag("think"), ""), 0), model: "qwen3-30b-thinking", works: true},
		{name: "inline thoughts without tags up to the limit", serve: body(content(long), finish("length", 4000)), model: "deepseek-r1", code: "llm.thinking", says: "thought for"},
		{name: "two inline thoughts", serve: good("together", replaced(tag("/think"), tag("/think")+`\n`+tag("think")+"again 2"+tag("/think")), 0), works: true},
		{name: "hidden thoughts up to the limit", format: llm.FormatAnthropic, serve: body(anthropic("max_tokens")), code: "llm.thinking", says: "wrote nothing"},
		{name: "thoughts of Gemini up to the limit", format: llm.FormatGemini, serve: body(event(`{"candidates":[{"content":{"parts":[{"text":"` + thought + `","thought":true}]},"finishReason":"MAX_TOKENS"}],"usageMetadata":{"promptTokenCount":9,"thoughtsTokenCount":4000}}`)), code: "llm.thinking", says: "thought for"},
		{name: "thoughts of Bedrock up to the limit", format: llm.FormatBedrock, serve: body(`{"output":{"message":{"role":"assistant","content":[{"reasoningContent":{"reasoningText":{"text":"` + thought + `"}}}]}},"stopReason":"max_tokens","usage":{"inputTokens":9,"outputTokens":4000}}`), code: "llm.thinking", says: "thought for"},
		// Empty answers.
		{name: "empty answers", serve: body(content(""), finish("stop", 0)), code: "monitor.repeats", says: "empty answers", codes: plan("plan.unreadable")},
		{name: "answers of spaces", serve: body(content(" \n "), finish("stop", 1)), code: "monitor.repeats", says: "empty answers", codes: plan("plan.unreadable")},
		{name: "answers without content", serve: body(delta(`"role":"assistant","content":null`), finish("stop", 0)), code: "monitor.repeats", says: "empty answers", codes: plan("plan.unreadable")},
		{name: "answers without choices", serve: body(event(`{"choices":[]}`), event("[DONE]")), code: "monitor.repeats", says: "empty answers", codes: plan("plan.unreadable")},
		{name: "empty messages of Ollama", format: llm.FormatOllama, serve: body(`{"message":{"content":""},"done":true}` + "\n"), code: "monitor.repeats", says: "empty answers", codes: plan("plan.unreadable")},
		// Refusals.
		{name: "a marked refusal", serve: body(delta(`"refusal":"`+sorry+`"`), finish("stop", 9)), code: "llm.refused", says: sorry[:20]},
		{name: "a content filter", serve: body(content("1"), finish("content_filter", 1)), code: "llm.refused", says: "filter"},
		{name: "a refusal in words", serve: body(content(sorry), finish("stop", 9)), code: "monitor.repeats", says: "I'm sorry", codes: map[string]string{"plan": "plan.refused", "native tools": "monitor.refused"}},
		{name: "Anthropic's refusal", format: llm.FormatAnthropic, serve: body(anthropic("refusal")), code: "llm.refused", says: "refused"},
		{name: "Gemini's safety filter", format: llm.FormatGemini, serve: body(event(`{"candidates":[{"finishReason":"SAFETY","index":0}],"usageMetadata":{"promptTokenCount":9}}`)), code: "llm.refused", says: "filter"},
		{name: "Gemini's blocked prompt", format: llm.FormatGemini, serve: body(event(`{"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"},"usageMetadata":{"promptTokenCount":9}}`)), code: "llm.refused", says: "filter"},
		{name: "Bedrock's guardrail", format: llm.FormatBedrock, serve: body(`{"output":{"message":{"role":"assistant","content":[{"text":"` + sorry + `"}]}},"stopReason":"guardrail_intervened","usage":{"inputTokens":9,"outputTokens":9}}`), code: "llm.refused", says: sorry[:20]},
		{name: "Gemini's malformed calls", format: llm.FormatGemini, serve: body(event(`{"candidates":[{"content":{},"finishReason":"MALFORMED_FUNCTION_CALL","finishMessage":"Malformed function call: f("}]}`)), code: "llm.provider", says: "MALFORMED_FUNCTION_CALL: Malformed function call"},
		{name: "Bedrock's malformed calls", format: llm.FormatBedrock, serve: body(`{"output":{"message":{"role":"assistant","content":[]}},"stopReason":"malformed_tool_use"}`), code: "llm.provider", says: "malformed_tool_use"},
		{name: "a refusal of responses", format: llm.FormatResponses, serve: body(`{"object":"response","status":"completed","output":[{"type":"message","role":"assistant","content":[{"type":"refusal","refusal":"` + sorry + `"}]}],"usage":{"input_tokens":9,"output_tokens":9}}`), code: "llm.refused", says: sorry[:20]},
		// Loops.
		{name: "the same sentence", serve: body(content("That depends on what you want to do with it."), finish("stop", 9)), code: "monitor.repeats", says: "That depends", codes: ignored},
		{name: "two sentences in turn", serve: func(n int, w http.ResponseWriter, _ *http.Request) {
			write(w, content([]string{"That depends.", "On what, I wonder."}[n%2]), finish("stop", 9))
		}, code: "monitor.repeats", says: "same answer", codes: ignored, most: 80},
		{name: "a word without end", serve: body(content(strings.Repeat("so ", 500)), finish("length", 500)), code: "monitor.repeats", says: "cut off after 500 tokens", codes: plan("plan.unreadable"), most: 6},
		{name: "thoughts that leave no room for the text", serve: body(delta(`"reasoning_content":"`+long+`"`), content("The"), finish("length", 4000)), code: "monitor.repeats", says: "cut off after 4000 tokens", codes: plan("plan.unreadable"), most: 6},
		{name: "a text without end", serve: func(_ int, w http.ResponseWriter, _ *http.Request) {
			for {
				write(w, content(strings.Repeat("so ", 5000)))
			}
		}, code: "limit.tokens", says: "1000000 tokens"},
		{name: "arguments without end", serve: func(_ int, w http.ResponseWriter, _ *http.Request) {
			for {
				write(w, call(0, "c1", "Calculator", strings.Repeat("1+", 5000)))
			}
		}, code: "limit.tokens", says: "1000000 tokens"},
		{name: "ever new nonsense", serve: func(n int, w http.ResponseWriter, _ *http.Request) {
			write(w, content(fmt.Sprintf("Thing %c%d is it.", 'a'+n%26, 1000+n)), finish("stop", 9))
		}, code: resultOnly, says: "is no state's prompt", codes: ignored, most: 100},
		{name: "the same call again and again", serve: body(call(0, "c1", "Calculator", `{"expression":"1+1"}`), finish("tool_calls", 9)), code: "monitor.repeats", says: "same answer", codes: plan("plan.unreadable")},
		// Streams.
		{name: "no [DONE]", serve: good(cooperative, replaced("data: [DONE]\n\n", ""), 0), works: true},
		{name: "carriage returns", serve: good(cooperative, replaced("\n", "\r\n"), 7), works: true},
		{name: "comments and named events", serve: good(cooperative, replaced("data: {", ": waiting\n\nevent: chunk\nid: 7\nretry: 9\ndata: {"), 0), works: true},
		{name: "characters in pieces of one byte", serve: good(cooperative, replaced(`"role":"assistant"`, `"role":"assistant","name":"Grüße 🌍"`), 1), works: true},
		{name: "one value instead of a stream", serve: good(cooperative, joined, 0), works: true},
		{name: "a byte order mark", serve: good(cooperative, func(b []byte) []byte { return append([]byte("\ufeff"), b...) }, 0), works: true},
		{name: "data without a space", serve: good(cooperative, replaced("data: ", "data:"), 0), works: true},
		{name: "no final line break", serve: good(cooperative, func(b []byte) []byte { return bytes.TrimRight(b, "\n") }, 0), works: true},
		{name: "no final line break and no [DONE]", serve: good(cooperative, func(b []byte) []byte { return bytes.TrimRight(bytes.TrimSuffix(b, []byte("data: [DONE]\n\n")), "\n") }, 0), works: true},
		{name: "a type of content that is wrong", serve: typed("application/octet-stream", good(cooperative, same, 0)), works: true},
		{name: "a type of content for HTML", serve: typed("text/html; charset=utf-8", good(cooperative, same, 0)), works: true},
		{name: "another name of the model", serve: good(cooperative, replaced(`"object":"chat.completion.chunk"`, `"object":"chat.completion.chunk","model":"other-model-2"`), 0), works: true},
		{name: "invalid JSON in the middle", serve: body(content("The"), "data: {\"choices\": [{\"delta\": garbage\n\n", finish("stop", 1)), code: "llm.garbage", says: "garbage"},
		{name: "an error in the middle", serve: body(content("The"), event(`{"error":{"message":"Overloaded","code":502}}`)), code: "llm.cut", says: "Overloaded"},
		{name: "a connection that breaks", serve: func(_ int, w http.ResponseWriter, _ *http.Request) {
			write(w, content("The"))
			panic(http.ErrAbortHandler)
		}, code: "llm.cut", says: "broke off"},
		{name: "a body that ends early", serve: body(content("The")), code: "llm.cut", says: "in the middle"},
		{name: "a stream without an answer", serve: body(": hello\n\n"), code: "llm.cut", says: "before it began"},
		{name: "keep-alives without end", serve: func(_ int, w http.ResponseWriter, _ *http.Request) {
			for {
				write(w, strings.Repeat(": keep-alive\n\n", 2000))
			}
		}, code: "llm.long", says: "without any part of an answer"},
		{name: "empty pieces without end", serve: func(_ int, w http.ResponseWriter, _ *http.Request) {
			for {
				write(w, strings.Repeat(content(""), 200))
			}
		}, code: "llm.long", says: "without any part of an answer"},
		{name: "a page of HTML", serve: body("<!doctype html>\n<title>Sign in</title>\n"), code: "llm.garbage", says: "doctype"},
		{name: "an empty body", serve: body(""), code: "llm.cut", says: "4 attempts"},
		{name: "binary data", serve: body("\x1f\x8b\x08\x00\xff\xfe"), code: "llm.garbage", says: "format"},
		// Statuses.
		{name: "429 with Retry-After", serve: status(429, refusal("Slow down"), "Retry-After", "2"), code: "llm.rate", says: "4 attempts"},
		{name: "429 without Retry-After", serve: status(429, refusal("Slow down")), code: "llm.rate", says: "4 attempts"},
		{name: "429 with an hour to wait", serve: status(429, refusal("Slow down"), "Retry-After", "3600"), code: "llm.rate", says: "3600 s"},
		{name: "429 once", serve: first(status(429, refusal("Slow down"), "Retry-After", "2"), good(cooperative, same, 0)), works: true, says: "Slow down"},
		{name: "429 for want of money", serve: status(429, `{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}`), code: "llm.quota", says: "payment"},
		{name: "500", serve: status(500, refusal("Internal error")), code: "llm.server", says: "4 attempts"},
		{name: "503 once", serve: first(status(503, "upstream"), good(cooperative, same, 0)), works: true, says: "503"},
		{name: "529 of Anthropic", format: llm.FormatAnthropic, serve: status(529, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`), code: "llm.server", says: "Overloaded"},
		{name: "403 by region", serve: status(403, refusal("Country, region, or territory not supported")), code: "llm.region", says: "region"},
		{name: "403 of a firewall", serve: status(403, "<html>Forbidden</html>"), code: "llm.blocked", says: "Forbidden"},
		{name: "403", serve: status(403, refusal("Forbidden")), code: "llm.key", says: "Forbidden"},
		{name: "400 of a content filter", serve: status(400, `{"error":{"message":"The prompt was filtered","code":"content_filter","status":400}}`), code: "llm.refused", says: "The prompt was filtered"},
		{name: "401", serve: status(401, refusal("Incorrect API key provided: sk-matrix")), code: "llm.key", says: "key"},
		{name: "404 of a model", serve: status(404, refusal("The model gpt-9 does not exist")), code: "llm.model", says: "gpt-9"},
		{name: "a prompt that is too long", serve: status(400, refusal("This model's maximum context length is 4096 tokens")), code: "llm.context", says: "4096"},
		{name: "a redirect", serve: status(307, "", "Location", "https://elsewhere.example/"), code: "llm.path", says: "307"},
		// Calls.
		{name: "lost opaque fields", serve: func(n int, w http.ResponseWriter, r *http.Request) {
			if n == 1 {
				write(w, call(0, "c1", "Calculator", `{"expression":"6*7"}`), finish("tool_calls", 9))
				return
			}
			status(400, refusal("Missing reasoning_content field in the assistant message at message index 2."))(n, w, r)
		}, code: "llm.request", says: "reasoning_content"},
		{name: "calls with invalid JSON", serve: body(call(0, "c1", "Calculator", `{"expression": 6*`), finish("tool_calls", 9)), code: "monitor.repeats", says: "same answer", codes: ignored},
		{name: "calls of an unknown tool", serve: body(call(0, "c1", "Delete", `{"what":"all"}`), finish("tool_calls", 9)), code: "monitor.repeats", says: "same answer", codes: ignored},
		{name: "a call without a name", serve: body(call(0, "c1", "", `{}`), finish("tool_calls", 9)), code: "monitor.repeats", says: "same answer", codes: ignored},
		{name: "calls as text", serve: body(content(`<tool_call>{"name": "Calculator", "arguments": {"expression": "6*7"}}</tool_call>`), finish("stop", 9)), code: "monitor.repeats", says: "tool_call", codes: ignored},
		{name: "two calls with one index", serve: func(n int, w http.ResponseWriter, _ *http.Request) {
			write(w, call(0, "c1", "Calculator", `{"expression":"6*7"}`), call(0, "c2", "Calculator", `{"expression":"1+1"}`), finish("tool_calls", 9))
		}, code: "monitor.repeats", says: "same answer", codes: ignored},
		{name: "equal identifiers of calls", serve: good(cooperative, replaced("call_8FhQ0x2", "call_8FhQ0x1"), 0), works: true},
		{name: "arguments as an object", serve: good(cooperative, replaced(`"arguments":""`, `"arguments":null`), 0), works: true},
		{name: "300 calls in one answer", serve: func(_ int, w http.ResponseWriter, _ *http.Request) {
			for i := range 300 {
				write(w, call(i, fmt.Sprintf("c%d", i), "Calculator", `{"expression":"1+1"}`))
			}
			write(w, finish("tool_calls", 900))
		}, code: "monitor.repeats", says: "same answer", codes: ignored},
		// Usage.
		{name: "no usage", serve: good("lmstudio", same, 0), works: true},
		{name: "usage of null", serve: good(cooperative, replaced(`"usage":{`, `"usage":null,"timings":{`), 0), works: true},
		{name: "negative usage", serve: good(cooperative, replaced(`"completion_tokens":`, `"completion_tokens":-`), 0), works: true},
		{name: "usage as a text", serve: good(cooperative, replaced(`"usage":{`, `"usage":{"prompt_tokens_details":"none",`), 0), works: true},
		{name: "usage in quotes", serve: good(cooperative, replaced(`"completion_tokens":1`, `"completion_tokens":"1"`), 0), works: true},
		{name: "usage in fractions", serve: good(cooperative, replaced(`"prompt_tokens":`, `"prompt_tokens":0.`), 0), works: true},
		{name: "usage that overflows", serve: body(content("That depends."), finish("stop", math.MaxInt64)), code: "limit.tokens", says: "its ceiling"},
		{name: "absurd usage", serve: body(content("That depends."), finish("stop", 1<<40)), code: "limit.tokens", says: "its ceiling"},
	}
}

// joined returns the answer of a stream as one value.
func joined(b []byte) []byte {
	message := map[string]any{"role": "assistant"}
	text, reason := "", "stop"
	var calls []map[string]any
	for _, line := range strings.Split(string(b), "\n") {
		var chunk struct {
			Choices []struct {
				Delta struct {
					Content   string
					ToolCalls []struct {
						ID       string
						Function struct{ Name, Arguments string }
					} `json:"tool_calls"`
				}
				FinishReason string `json:"finish_reason"`
			}
		}
		data, _ := strings.CutPrefix(line, "data: ")
		if json.Unmarshal([]byte(data), &chunk) != nil || len(chunk.Choices) == 0 {
			continue
		}
		c := chunk.Choices[0]
		text += c.Delta.Content
		if c.FinishReason != "" {
			reason = c.FinishReason
		}
		for _, call := range c.Delta.ToolCalls {
			if call.ID != "" {
				calls = append(calls, map[string]any{"id": call.ID, "type": "function", "function": map[string]any{"name": call.Function.Name, "arguments": ""}})
			}
			f := calls[len(calls)-1]["function"].(map[string]any)
			f["arguments"] = f["arguments"].(string) + call.Function.Arguments
		}
	}
	message["content"] = text
	if calls != nil {
		message["tool_calls"] = calls
	}
	raw, _ := json.Marshal(map[string]any{"choices": []any{map[string]any{"message": message, "finish_reason": reason}}})
	return raw
}

// run performs a surface with the server of a row.
func (m misbehaviour) run(t *testing.T, s Surface) Outcome {
	t.Helper()
	e := llm.Endpoint{Name: "e", Format: m.format, URL: "https://standin.invalid/v1", Model: "m", Idle: 60_000}
	if m.format == "" {
		e.Server = "openai"
	}
	if m.model != "" {
		e.Model = m.model
	}
	n := 0
	out, err := s.Run(e, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n++
		m.serve(n, w, r)
	}), nil)
	if err != nil {
		t.Fatalf("%s, %s: %v", m.name, s.Name, err)
	}
	return out
}

// No misbehaviour of a server costs more than the ceiling, ends without its cause, or is a pass.
func TestMisbehaviours(t *testing.T) {
	rows := misbehaviours()
	if len(rows) < 40 {
		t.Errorf("%d rows", len(rows))
	}
	for _, m := range rows {
		for _, s := range Surfaces() {
			if s.Kind == "monitor" && !m.works { // the answer needs a call before it
				s.Files = slices.Clone(s.Files)
				s.Files[0].Text = strings.Replace(agent, "(next Ques (until", "(next Ques Tht Act Act-Inp Obs (until", 1)
			}
			out := m.run(t, s)
			fault := m.judge(s.Name, out)
			t.Logf("%-40s %-15s %3d requests, %7d tokens, passes %v, %s: %.150s", m.name, s.Name, len(out.Requests), out.Ceiling.Tokens, out.Passes, out.Code, out.Message)
			if fault != "" {
				t.Errorf("%s, %s: %s", m.name, s.Name, fault)
			}
		}
	}
}

// judge returns the fault of the outcome, or "".
func (m misbehaviour) judge(surface string, out Outcome) string {
	most := m.most
	if most == 0 {
		most = 16
	}
	code := m.code
	if c := m.codes[surface]; c != "" {
		code = c
	}
	named := strings.Contains(out.Message, m.says)
	if own := map[string]string{"team": "team.graph", "formulate": "formulate.product"}[surface]; own != "" && (code == resultOnly || strings.HasPrefix(code, "monitor.")) {
		code = own // of an answer that cannot be read
		switch m.says {
		case "empty answers":
			named = strings.Contains(out.Message, "the answer is empty")
		case "I'm sorry":
			named = named && strings.Contains(out.Message, "reads like a refusal")
		default:
			named = strings.Contains(out.Message, ": the ") || strings.Contains(out.Message, ": missing")
		}
	}
	switch code {
	case "plan.unreadable": // with the fault of the last answer
		named = named || strings.Contains(out.Message, "at step 1: ")
	case "monitor.refused":
		named = named || strings.Contains(out.Message, "the last one because of: ")
	}
	for _, e := range out.Events {
		named = named || strings.Contains(string(e), m.says)
	}
	switch {
	case len(out.Requests) > most, out.Ceiling.Calls > 200:
		return fmt.Sprintf("%d requests, expected at most %d", len(out.Requests), most)
	case out.Ceiling.Tokens > 1_100_000 && code != "limit.tokens":
		return fmt.Sprintf("%d tokens", out.Ceiling.Tokens)
	case m.works && (!out.Passes || !named):
		return fmt.Sprintf("%s: %s %s", out.Code, out.Message, out.Result)
	case m.works:
		return ""
	case out.Passes:
		return fmt.Sprintf("a pass: %s", out.Result)
	case out.Code != code || !named:
		return fmt.Sprintf("%q: %s", out.Code, out.Message)
	}
	return ""
}

// An answer without end costs no more than the ceiling of dollars.
func TestAnswersEndAtTheCeilingOfDollars(t *testing.T) {
	e := llm.Endpoint{Name: "e", URL: "https://standin.invalid/v1", Model: "gpt-5.2-pro", Server: "openai"}
	text := content(strings.Repeat("so ", 5000))
	out, err := Surfaces()[0].Run(e, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for {
			write(w, text)
		}
	}), nil)
	if err != nil || out.Code != "limit.money" || out.Ceiling.Money > 2.7 || len(out.Requests) != 1 {
		t.Errorf("%v %s %s %+v", err, out.Code, out.Message, out.Ceiling)
	}
}

// A refusal in words may be the answer of an agent, but not without a note.
func TestRefusalsInWordsAreNoted(t *testing.T) {
	for text, refusal := range map[string]bool{"I'm sorry, but I can't help with that.": true, "42": false} {
		out, err := Surfaces()[2].Run(llm.Endpoint{Name: "e", URL: "https://standin.invalid/v1", Model: "m", Server: "openai"}, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			write(w, content(text), finish("stop", 9))
		}), nil)
		if err != nil || out.Code != "" || strings.Contains(string(out.Result), `"refusal":true`) != refusal {
			t.Errorf("%s: %v %s %s", text, err, out.Message, out.Result)
		}
	}
}
