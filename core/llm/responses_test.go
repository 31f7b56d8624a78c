package llm

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/process"
)

// typed returns an event of a stream of responses.
func typed(name string, fields map[string]any) string {
	fields["type"] = name
	raw, _ := json.Marshal(fields)
	return named(name, string(raw))
}

// streamedResponse returns the items of an answer as a stream. A server may stream no pieces of an
// item, and may name none at its beginning.
func streamedResponse(random *rand.Rand, items []map[string]any, end map[string]any) string {
	var b strings.Builder
	b.WriteString(typed("response.created", map[string]any{"response": map[string]any{"object": "response", "status": "in_progress"}}))
	pieces := func(name string, index int, key string, part int, text string) {
		for rest := []rune(text); len(rest) > 0; {
			n := 1 + random.IntN(len(rest))
			b.WriteString(typed(name, map[string]any{"output_index": index, key: part, "delta": string(rest[:n])}))
			rest = rest[n:]
		}
	}
	for i, item := range items {
		if random.IntN(4) > 0 {
			begun := map[string]any{"type": item["type"], "call_id": item["call_id"], "name": item["name"]}
			b.WriteString(typed("response.output_item.added", map[string]any{"output_index": i, "item": begun}))
			switch item["type"] {
			case "function_call":
				pieces("response.function_call_arguments.delta", i, "x", 0, item["arguments"].(string))
			case "custom_tool_call":
				pieces("response.custom_tool_call_input.delta", i, "x", 0, item["input"].(string))
			case "reasoning":
				for k, part := range item["summary"].([]any) {
					pieces("response.reasoning_summary_text.delta", i, "summary_index", k, part.(map[string]any)["text"].(string))
				}
				for k, part := range item["content"].([]any) {
					pieces("response.reasoning_text.delta", i, "content_index", k, part.(map[string]any)["text"].(string))
				}
			default:
				for k, part := range item["content"].([]any) {
					part := part.(map[string]any)
					if text, ok := part["refusal"].(string); ok {
						pieces("response.refusal.delta", i, "content_index", k, text)
					} else {
						pieces("response.output_text.delta", i, "content_index", k, part["text"].(string))
					}
				}
			}
		}
		b.WriteString(typed("response.output_item.done", map[string]any{"output_index": i, "item": item}))
	}
	b.WriteString(typed("response."+end["status"].(string), map[string]any{"response": end}))
	return b.String()
}

// A streamed answer is read as the same answer in one value.
func TestStreamedResponseIsThatInOneValue(t *testing.T) {
	texts := []string{"a", "Grüße 🌍", "two\n\nlines", `{"q":"ü"}`, " ", "<think>"}
	for seed := range effort.Sample(3000, 600) {
		random := rand.New(rand.NewPCG(uint64(seed), 1))
		text := func() string { return texts[random.IntN(len(texts))] }
		parts := func(kind string, most int) []any {
			out := []any{}
			for range random.IntN(most + 1) {
				out = append(out, map[string]any{"type": kind, "text": text()})
			}
			return out
		}
		items := []map[string]any{}
		for i := range random.IntN(5) {
			item := map[string]any{"id": fmt.Sprint("i", i)}
			switch random.IntN(6) {
			case 0:
				item["type"], item["summary"], item["content"] = "reasoning", parts("summary_text", 2), parts("reasoning_text", 1)
				if random.IntN(2) == 0 {
					item["encrypted_content"] = "e="
				}
			case 1:
				item["type"], item["input"] = "custom_tool_call", text()
			case 2, 3:
				item["type"], item["call_id"], item["name"], item["arguments"] = "function_call", fmt.Sprint("c", i), "look", text()
			default:
				item["type"], item["role"], item["content"] = "message", "assistant", parts("output_text", 2)
				if random.IntN(5) == 0 {
					item["content"] = []any{map[string]any{"type": "refusal", "refusal": text()}}
				}
			}
			items = append(items, item)
		}
		end := map[string]any{"object": "response", "status": "completed", "error": nil, "output": items, "usage": map[string]any{"input_tokens": 3, "output_tokens": 4}}
		switch random.IntN(6) {
		case 0:
			end["status"], end["incomplete_details"] = "incomplete", map[string]any{"reason": "max_output_tokens"}
		case 1:
			end["status"], end["incomplete_details"] = "incomplete", map[string]any{"reason": "content_filter"}
		case 2:
			end["status"], end["error"] = "failed", map[string]any{"code": "server_error", "message": "no"}
		}
		whole, _ := json.Marshal(end)
		stream := streamedResponse(random, items, end)
		one, reply := decode(FormatResponses, string(whole)), repliedWith(t, string(whole))
		if end["status"] == "failed" { // in one value, an error is all that counts
			one = decode(FormatResponses, stream)
			if one.Fault.Message != "no" || one.Fault.Kind != "server_error" {
				t.Fatalf("seed %d: %+v", seed, one)
			}
			continue
		}
		for range 3 {
			cut := random.IntN(len(stream))
			if got := decode(FormatResponses, stream[:cut], stream[cut:]); !reflect.DeepEqual(got, one) {
				t.Fatalf("seed %d:\n%s\n got %+v\nwant %+v", seed, stream, got, one)
			}
		}
		if got := repliedWith(t, stream); got != reply {
			t.Fatalf("seed %d:\n got %s\nwant %s", seed, got, reply)
		}
	}
}

// repliedWith returns the reply to a request that is answered with a body, as JSON.
func repliedWith(t *testing.T, body string) string {
	e := *endpoint.Endpoint
	e.Format = FormatResponses
	m, _ := New(Spec{Kind: KindEndpoint, Endpoint: &e})
	reply, _, err := charged(t, m, Request{Messages: asked, Constraint: &Constraint{Lark: "start: /.*/"}}, func(effect process.Effect) []process.Answer {
		return chunks(effect.ID, 200, body)
	})
	raw, fault := json.Marshal(reply)
	if fault != nil {
		t.Fatal(fault)
	}
	return fmt.Sprint(string(raw), err)
}

// The answer is constrained only if it is the input of one call of the tool, and complete.
func TestInputOfTheToolIsTheAnswer(t *testing.T) {
	call := func(input string) map[string]any {
		return map[string]any{"type": "custom_tool_call", "call_id": "c", "name": "answer", "input": input}
	}
	message := map[string]any{"type": "message", "content": []any{map[string]any{"type": "output_text", "text": "a b"}}}
	for _, c := range []struct {
		name        string
		status      string
		items       []map[string]any
		text        string
		constrained bool
	}{
		{"the input", "completed", []map[string]any{call("a b")}, "a b", true},
		{"an empty input", "completed", []map[string]any{call("")}, "", true},
		{"an input like thoughts", "completed", []map[string]any{call("<think>a</think> b")}, "<think>a</think> b", true},
		{"a text", "completed", []map[string]any{message}, "a b", false},
		{"a text before the input", "completed", []map[string]any{message, call(" c")}, "a b c", false},
		{"two inputs", "completed", []map[string]any{call("a"), call("b")}, "ab", false},
		{"a part of the input", "incomplete", []map[string]any{call("a b")}, "a b", false},
	} {
		for seed := range uint64(20) {
			random := rand.New(rand.NewPCG(seed, 2))
			body := streamedResponse(random, c.items, map[string]any{"object": "response", "status": c.status})
			var reply struct {
				Text        string
				Constrained bool
				ToolCalls   []ToolCall
			}
			if err := json.NewDecoder(strings.NewReader(repliedWith(t, body))).Decode(&reply); err != nil {
				t.Fatal(err)
			}
			if reply.Text != c.text || reply.Constrained != c.constrained || len(reply.ToolCalls) > 0 {
				t.Errorf("%s: %+v", c.name, reply)
			}
		}
	}
}

// A server that refuses the tool answers the same request as free text.
func TestRefusedGrammarIsOmitted(t *testing.T) {
	for _, says := range []string{
		"Invalid value: 'custom'. Supported values are: 'function', 'web_search'.", "Custom tools are not supported with this model.",
		"Invalid grammar: the grammar is too complex.", "tools[0].format: unknown syntax 'lark'",
	} {
		e := *endpoint.Endpoint
		e.Format = FormatResponses
		m, _ := New(Spec{Kind: KindEndpoint, Endpoint: &e})
		var bodies []string
		reply, _, err := charged(t, m, Request{Messages: asked, Constraint: &Constraint{Lark: `start: "a"`}}, func(effect process.Effect) []process.Answer {
			bodies = append(bodies, effect.HTTP.Body)
			if strings.Contains(effect.HTTP.Body, `"custom"`) {
				raw, _ := json.Marshal(map[string]any{"error": map[string]any{"message": says, "type": "invalid_request_error", "param": "tools[0]", "code": "invalid_value"}})
				return chunks(effect.ID, 400, string(raw))
			}
			return chunks(effect.ID, 200, `{"object":"response","status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"a"}]}]}`)
		})
		if err != nil || reply.Text != "a" || reply.Constrained || len(bodies) != 2 || strings.Contains(bodies[1], "tool") {
			t.Errorf("%s: %+v %v %q", says, reply, err, bodies)
		}
	}
}

// An organization that may not stream a model gets its answers in one piece.
func TestRefusedStreamIsOmitted(t *testing.T) {
	for format, answer := range map[string]string{
		FormatOpenAI:    `{"choices":[{"message":{"content":"a"},"finish_reason":"stop"}]}`,
		FormatResponses: `{"object":"response","status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"a"}]}]}`,
	} {
		e := *endpoint.Endpoint
		e.Format = format
		m, _ := New(Spec{Kind: KindEndpoint, Endpoint: &e})
		var bodies []string
		reply, _, err := charged(t, m, Request{Messages: asked}, func(effect process.Effect) []process.Answer {
			bodies = append(bodies, effect.HTTP.Body)
			if strings.Contains(effect.HTTP.Body, `"stream":true`) {
				return chunks(effect.ID, 400, `{"error":{"message":"Your organization must be verified to stream this model.","param":"stream","code":"unsupported_value"}}`)
			}
			return chunks(effect.ID, 200, answer)
		})
		if err != nil || reply.Text != "a" || len(bodies) != 2 || !strings.Contains(bodies[1], `"stream":false`) || strings.Contains(bodies[1], "stream_options") {
			t.Errorf("%s: %+v %v %q", format, reply, err, bodies)
		}
	}
}

// A model that thinks up to its limit gets a higher one, once.
func TestResponseWithOnlyThoughtsRaisesTheLimit(t *testing.T) {
	e := *endpoint.Endpoint
	e.Format = FormatResponses
	m, _ := New(Spec{Kind: KindEndpoint, Endpoint: &e})
	var limits []int
	_, _, err := charged(t, m, Request{Messages: user("1, 2 or 3?"), MaxTokens: 100}, func(effect process.Effect) []process.Answer {
		var body struct {
			Limit int `json:"max_output_tokens"`
		}
		if err := json.Unmarshal([]byte(effect.HTTP.Body), &body); err != nil {
			t.Fatal(err)
		}
		limits = append(limits, body.Limit)
		return chunks(effect.ID, 200, typed("response.output_item.done", map[string]any{"item": map[string]any{"type": "reasoning", "summary": []any{map[string]any{"text": "hm"}}}})+
			typed("response.incomplete", map[string]any{"response": map[string]any{"object": "response", "status": "incomplete", "incomplete_details": map[string]any{"reason": "max_output_tokens"}, "usage": map[string]any{"output_tokens": body.Limit}}}))
	})
	coded, ok := err.(interface{ Code() string })
	if !ok || coded.Code() != CodeThinking || !slices.Equal(limits, []int{4196, 8292}) {
		t.Errorf("%v %v", limits, err)
	}
}

// Only thoughts that the server can read again are sent back; a cut answer keeps its reason.
func TestThoughtsOfResponsesAreKept(t *testing.T) {
	call := `{"type":"function_call","call_id":"c","name":"look","arguments":"{}"}`
	for thought, kept := range map[string]string{
		`{"type":"reasoning","summary":[],"content":[{"type":"reasoning_text","text":"hm"}]},`: "hm",
		`{"type":"reasoning","summary":[],"encrypted_content":"e="},`:                          "e=",
		`{"type":"reasoning","id":"rs","summary":[{"type":"summary_text","text":"hm"}]},`:      "",
		"": "",
	} {
		var reply Reply
		body := `{"object":"response","status":"incomplete","output":[` + thought + call + `]}`
		if err := json.NewDecoder(strings.NewReader(repliedWith(t, body))).Decode(&reply); err != nil {
			t.Fatal(err)
		}
		if reply.Reason != StopLength || len(reply.ToolCalls) != 1 || (reply.Opaque != nil) != (kept != "") || kept != "" && !strings.Contains(string(reply.Opaque.Content), kept) {
			t.Errorf("%s: %+v", thought, reply)
		}
	}
}

// Each call has its own number from its beginning on, and so has each of its pieces.
func TestCallsOfResponsesAreNumbered(t *testing.T) {
	d := NewDecoder(FormatResponses)
	var got []int
	for _, event := range []string{
		typed("response.output_item.added", map[string]any{"output_index": 4, "item": map[string]any{"type": "function_call", "call_id": "a", "name": "x"}}),
		typed("response.output_item.added", map[string]any{"output_index": 2, "item": map[string]any{"type": "function_call", "call_id": "b", "name": "y"}}),
		typed("response.function_call_arguments.delta", map[string]any{"output_index": 4, "delta": "{"}),
		typed("response.function_call_arguments.delta", map[string]any{"output_index": 2, "delta": "{"}),
		typed("response.function_call_arguments.delta", map[string]any{"output_index": 3, "delta": "lost"}),
	} {
		for _, delta := range d.Write(event) {
			for _, c := range delta.ToolCalls {
				got = append(got, c.Index)
			}
		}
	}
	if !slices.Equal(got, []int{0, 1, 0, 1}) {
		t.Error(got)
	}
}
