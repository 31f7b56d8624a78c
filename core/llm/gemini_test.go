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

// generated returns the parts of a random answer of Gemini, and the pieces in which a stream
// delivers them. Only texts without a signature are split.
func generated(random *rand.Rand) (parts, pieces []string) {
	for n := random.IntN(6); n >= 0; n-- {
		text := strings.Repeat("ü\" ", random.IntN(4)) + fmt.Sprint(random.IntN(9))
		part := map[string]any{"text": text}
		if random.IntN(3) == 0 {
			part["thought"] = true
		}
		whole := random.IntN(3) == 0
		if random.IntN(3) == 0 {
			part = map[string]any{"functionCall": map[string]any{"name": "look", "args": map[string]any{"q": text}}}
			if random.IntN(2) == 0 {
				part["functionCall"].(map[string]any)["id"] = fmt.Sprintf("c%d", n)
			}
			whole = true
		}
		if random.IntN(3) == 0 {
			part["thoughtSignature"], whole = "c2ln/+=", true
		}
		raw, _ := json.Marshal(part)
		parts = append(parts, string(raw))
		if whole {
			pieces = append(pieces, string(raw))
			continue
		}
		letters := []rune(text)
		at := random.IntN(len(letters) + 1)
		for _, piece := range []string{string(letters[:at]), string(letters[at:])} {
			part["text"] = piece
			raw, _ := json.Marshal(part)
			pieces = append(pieces, string(raw))
		}
	}
	return parts, pieces
}

// An answer decodes to the same result from one value, from a list of values and from a stream that is cut anywhere,
// and keeps the provider's opaque parts.
func TestGeminisAnswerDoesNotDependOnItsTransport(t *testing.T) {
	random := rand.New(rand.NewPCG(22, 6))
	m, _ := New(Spec{Kind: KindEndpoint, Endpoint: &Endpoint{Name: "e", URL: "https://x.test/v1beta", Model: "m", Format: FormatGemini}})
	for range effort.Sample(2000, 300) {
		parts, pieces := generated(random)
		reason := []string{"STOP", "MAX_TOKENS"}[random.IntN(2)]
		answer := func(parts ...string) string {
			return `{"candidates":[{"content":{"parts":[` + strings.Join(parts, ",") + `],"role":"model"}}],"usageMetadata":{"promptTokenCount":3}}`
		}
		end := `{"candidates":[{"content":{},"finishReason":"` + reason + `"}],"usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":7,"thoughtsTokenCount":2}}`
		var events, list []string
		for _, piece := range pieces {
			events, list = append(events, event(answer(piece))), append(list, answer(piece))
		}
		one := strings.Replace(end, `"content":{}`, `"content":{"parts":[`+strings.Join(parts, ",")+`]}`, 1)
		var first Reply
		for i, body := range []string{one, strings.Join(events, "") + event(end), "[" + strings.Join(append(list, end), "\n,\n") + "]"} {
			at := random.IntN(len(body))
			reply, _, err := charged(t, m, Request{Messages: asked, Tools: []Tool{look}}, func(e process.Effect) []process.Answer {
				return chunks(e.ID, 200, body[:at], body[at:])
			})
			if reply.Milliseconds = 0; i == 0 {
				first = reply
			}
			if err != nil || !reflect.DeepEqual(reply, first) {
				t.Fatalf("%s\n%+v %+v\n%+v %+v %v", body, reply, reply.Opaque, first, first.Opaque, err)
			}
		}
		signed := slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(p, "thoughtSignature") })
		if (first.Opaque != nil) != (signed && len(first.ToolCalls) > 0) {
			t.Fatalf("%s: %+v", one, first)
		}
		checkParts(t, first, parts)
	}
}

// checkParts checks that the next request has the signed parts and the calls at their places.
func checkParts(t *testing.T, reply Reply, parts []string) {
	if reply.Opaque == nil {
		return
	}
	sent := string(reply.Opaque.Content)
	for _, part := range parts {
		if strings.Contains(part, "thoughtSignature") || strings.Contains(part, "functionCall") {
			before, after, found := strings.Cut(sent, part)
			if !found || strings.Contains(before, "functionCall") && !strings.Contains(strings.Join(parts, ""), before[strings.LastIndex(before, `{"functionCall`):strings.LastIndex(before, "}")+1]) {
				t.Fatalf("%s lacks %s", reply.Opaque.Content, part)
			}
			sent = after
		} else if strings.Contains(part, `"thought":true`) && strings.Contains(sent, part) {
			t.Fatalf("%s has the thought %s", reply.Opaque.Content, part)
		}
	}
}

// A result has an identifier only if its call has one.
func TestCallsWithoutIdentifiersGetNone(t *testing.T) {
	var events strings.Builder
	for _, name := range []string{"look", "stop"} {
		events.WriteString(event(`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"` + name + `","args":{}}}]}}]}`))
	}
	got := decode(FormatGemini, events.String(), event(`{"candidates":[{"finishReason":"STOP"}]}`))
	messages := append(slices.Clone(asked), Message{Role: "assistant", ToolCalls: got.Calls})
	for _, c := range got.Calls {
		messages = append(messages, Message{Role: "tool", ToolCallID: c.ID, Content: c.Name + "ed"})
	}
	h, err := Endpoint{Format: FormatGemini, URL: "https://x", Model: "m"}.Encode(Request{Messages: messages})
	want := `{"role":"model","parts":[{"functionCall":{"name":"look","args":{}}},{"functionCall":{"name":"stop","args":{}}}]},{"role":"user","parts":[{"functionResponse":{"name":"look","response":{"output":"looked"}}},{"functionResponse":{"name":"stop","response":{"output":"stoped"}}}]}`
	if err != nil || !strings.Contains(h.Body, want) {
		t.Errorf("%s, %v", h.Body, err)
	}
}

// The list of models has pages; models that generate no text are omitted.
func TestGeminisModelsHavePages(t *testing.T) {
	e := Endpoint{Name: "mine", Format: FormatGemini, URL: "https://models.example/v1beta", Model: "b"}
	var urls []string
	result, events, err := probed(t, ProbeSettings{Endpoint: e}, func(h *process.HTTP) (int, string) {
		if h.Method != "GET" {
			return 200, `{"candidates":[{"content":{"parts":[{"text":"ready"}]},"finishReason":"STOP"}]}`
		}
		urls = append(urls, h.URL)
		if strings.Contains(h.URL, "pageToken") {
			return 200, `{"models":[{"name":"models/b","supportedGenerationMethods":["generateContent","countTokens"]},{"name":"models/c","supportedGenerationMethods":["embedContent"]}]}`
		}
		return 200, `{"models":[{"name":"models/a","supportedGenerationMethods":["generateContent"]}],"nextPageToken":"p&2="}`
	})
	if err != nil || !slices.Equal(result.Models, []string{"a", "b"}) || result.Reply != "ready" || result.Server != "" {
		t.Errorf("%+v %v", result, err)
	}
	if got := strings.Join(urls, " "); got != "https://models.example/v1beta/models?pageSize=1000 https://models.example/v1beta/models?pageSize=1000&pageToken=p%262%3D" {
		t.Error(got)
	}
	if got := stepsOf(events); got != "models ok, model ok, chat ok, logprobs skipped, tools skipped, choice skipped, prefix skipped" {
		t.Error(got)
	}
	// A list without an end has a bound, and a broken page ends it.
	for _, last := range []string{`{"models":[{"name":"models/a"}],"nextPageToken":"p"}`, `{}`} {
		urls = nil
		result, _, err = probed(t, ProbeSettings{Endpoint: e}, func(h *process.HTTP) (int, string) {
			switch {
			case h.Method != "GET":
				return 200, `{"candidates":[{"content":{"parts":[{"text":"ready"}]},"finishReason":"STOP"}]}`
			case strings.Contains(h.URL, "pageToken"):
				urls = append(urls, h.URL)
				return 200, last
			}
			return 200, `{"models":[{"name":"models/a"}],"nextPageToken":"p"}`
		})
		if want := map[bool]int{true: 1, false: maxPages - 1}[last == "{}"]; err != nil || len(urls) != want || len(result.Models) == 0 {
			t.Errorf("%d pages, %+v, %v", len(urls), result, err)
		}
	}
}

func TestBedrockIsCalledWithoutAStream(t *testing.T) {
	e := Endpoint{Format: FormatBedrock, URL: "https://models.example", Model: "m"}
	h, err := e.encode(Request{Messages: asked}, concessions{stream: true})
	if err != nil || h.URL != "https://models.example/model/m/converse" {
		t.Errorf("%s, %v", h.URL, err)
	}
}

func TestBedrockListsNoModels(t *testing.T) {
	e := Endpoint{Name: "mine", Format: FormatBedrock, URL: "https://models.example", Model: "m"}
	result, events, err := probed(t, ProbeSettings{Endpoint: e}, func(h *process.HTTP) (int, string) {
		if h.Method != "POST" || h.URL != "https://models.example/model/m/converse-stream" || h.AuthHeader != "" {
			t.Errorf("%+v", h)
		}
		return 200, `{"output":{"message":{"content":[{"text":"ready"}]}},"stopReason":"end_turn","usage":{"inputTokens":3,"outputTokens":1}}`
	})
	if err != nil || result.Reply != "ready" || result.Usage != (Usage{3, 1}) {
		t.Errorf("%+v %v", result, err)
	}
	if got := stepsOf(events); got != "models skipped, chat ok, logprobs skipped, tools skipped, choice skipped, prefix skipped" {
		t.Error(got)
	}
}

// A model that thinks up to its limit gets a larger one once, and the fault names the cause.
func TestThoughtsWithoutATextAreReportedInEveryFormat(t *testing.T) {
	for format, body := range map[string]string{
		FormatGemini:  `{"candidates":[{"content":{"parts":[{"text":"hm","thought":true}]},"finishReason":"MAX_TOKENS"}],"usageMetadata":{"promptTokenCount":1,"thoughtsTokenCount":99}}`,
		FormatBedrock: `{"output":{"message":{"content":[{"reasoningContent":{"reasoningText":{"text":"hm"}}}]}},"stopReason":"max_tokens","usage":{"inputTokens":1,"outputTokens":99}}`,
	} {
		m, _ := New(Spec{Kind: KindEndpoint, Endpoint: &Endpoint{Name: "e", URL: "https://x.test", Model: "m", Format: format}})
		requests := 0
		_, _, err := charged(t, m, Request{Messages: asked, MaxTokens: 5}, func(e process.Effect) []process.Answer {
			requests++
			if limit := fmt.Sprintf(`okens":%d`, 5+MoreTokens*requests); !strings.Contains(e.HTTP.Body, limit) {
				t.Errorf("%s: no %s in %s", format, limit, e.HTTP.Body)
			}
			return chunks(e.ID, 200, body)
		})
		coded, ok := err.(interface{ Code() string })
		if requests != 2 || !ok || coded.Code() != CodeThinking || !strings.Contains(err.Error(), "thought for 198 tokens and wrote nothing") {
			t.Errorf("%s: %v after %d requests", format, err, requests)
		}
	}
}

// Odd usage neither overflows nor makes an answer unreadable.
func TestOddUsageIsCounted(t *testing.T) {
	for usage, want := range map[string]Usage{
		`{"promptTokenCount":9223372036854775807,"toolUsePromptTokenCount":99999999999999999999,"candidatesTokenCount":-7,"thoughtsTokenCount":2}`: {2 * maxUsage, 2},
		`{"promptTokenCount":"5","candidatesTokenCount":1.5,"thoughtsTokenCount":null}`:                                                            {5, 0},
		`"many"`: {},
	} {
		got := decode(FormatGemini, `{"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"STOP"}],"usageMetadata":`+usage+`}`)
		if got.Usage != want || got.Text != "a" || got.Fault != (Fault{}) {
			t.Errorf("%s: %+v", usage, got)
		}
	}
	got := decode(FormatBedrock, `{"output":{"message":{"content":[{"text":"a"}]}},"stopReason":"end_turn","usage":{"inputTokens":99999999999999999999,"cacheReadInputTokens":-1,"outputTokens":[3]}}`)
	if got.Usage != (Usage{maxUsage, 0}) || got.Text != "a" {
		t.Errorf("%+v", got)
	}
}
