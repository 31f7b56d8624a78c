package command

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/gate"
)

// chatDesk returns a proxy without a server.
func chatDesk(t *testing.T) *chatProxy {
	t.Helper()
	desk(t)
	var g guarding
	guard, err := g.open([]string{"spec"})
	if err != nil {
		t.Fatal(err)
	}
	return &chatProxy{guard: guard, path: "/v1"}
}

// part is a part of a call in a chunk, or a complete call.
func part(index int, name, arguments string) string {
	if name == "" {
		return fmt.Sprintf(`{"index":%d,"function":{"arguments":%q}}`, index, arguments)
	}
	return fmt.Sprintf(`{"index":%d,"id":"c%d","type":"function","function":{"name":%q,"arguments":%q}}`, index, index, name, arguments)
}

func delta(members string) string {
	return `{"id":"r","choices":[{"index":0,"delta":{` + members + `},"finish_reason":null}]}`
}

func parts(calls ...string) string { return delta(`"tool_calls":[` + strings.Join(calls, ",") + `]`) }

const (
	chatDone = `[DONE]`
	chatEnd  = `{"id":"r","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`
)

// TestChatStreamStopsAtTheFirstRefusedCall: a call is delivered when it is complete and allowed.
func TestChatStreamStopsAtTheFirstRefusedCall(t *testing.T) {
	p := chatDesk(t)
	for _, c := range []struct {
		name   string
		events []string
		want   string // the delivered names, texts and reasons for the end
		fails  bool
	}{
		{"text", []string{delta(`"role":"assistant","content":"Hi"`), delta(`"content":"!"`), `{"choices":[],"usage":{"total_tokens":3}}`, chatDone}, "Hi ! DONE", false},
		{"allowed call", []string{parts(part(0, "login", "")), parts(part(0, "", `{"a"`)), parts(part(0, "", `:1}`)), chatEnd, chatDone}, `login{"a":1} tool_calls DONE`, false},
		{"refused call", []string{delta(`"content":"Hi"`), parts(part(0, "refund", "{}")), delta(`"content":"late"`), chatEnd, chatDone}, `Hi late The call of "refund" was refused: "refund" is not allowed here; allowed: "login". stop DONE`, false},
		{"calls of one chunk", []string{parts(part(0, "login", "{}"), part(1, "refund", "{}"), part(2, "refund", "{}"), part(3, "logout", "{}")), chatEnd, chatDone},
			`login{} refund{} The call of "refund" was refused: "refund" violates the property "shop.ltl: careful"; allowed: "lookup", "logout". tool_calls DONE`, false},
		{"malformed arguments", []string{parts(part(0, "login", `{"a":1,"a":2}`)), chatEnd, chatDone}, `The call of "login" was refused: malformed arguments`, false},
		{"end without a reason", []string{parts(part(0, "logout", "{}")), chatDone}, `The call of "logout" was refused`, false},
		{"broken stream", []string{parts(part(0, "login", "{}"))}, "", true},
		{"interleaved calls", []string{parts(part(0, "login", "")), parts(part(1, "lookup", "")), parts(part(0, "", "{}")), chatEnd, chatDone}, "", true},
		{"later index", []string{parts(part(1, "login", "{}")), chatEnd, chatDone}, "", true},
		{"other name of the member", []string{parts(`{"index":0,"id":"c","type":"function","function":{"name":"logout","Name":"login","arguments":"{}"}}`), chatEnd, chatDone}, `The call of "logout" was refused`, false},
		{"custom call", []string{parts(`{"index":0,"id":"c","type":"custom","custom":{"name":"login","input":"x"}}`), chatEnd, chatDone}, `was refused: the proxy does not judge calls of the type "custom".`, false},
		{"function_call", []string{delta(`"function_call":{"name":"login"}`), chatDone}, "", true},
		{"two choices", []string{`{"choices":[{"index":0,"delta":{}},{"index":1,"delta":{}}]}`, chatDone}, "", true},
		{"not JSON", []string{`{"choices":`, chatDone}, "", true},
	} {
		session, err := p.guard.Begin(gate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		body := ": comment\r\n\r\n"
		for _, e := range c.events {
			body += "data: " + e + "\n\n"
		}
		text, err := io.ReadAll(newChatStream(io.NopCloser(strings.NewReader(body)), chatText{session: session}))
		if got := strings.Join(delivered(t, string(text)), " "); (err != nil) != c.fails || !strings.Contains(got, c.want) || c.fails && strings.Contains(got, "{}") {
			t.Errorf("%s: %s, error %v", c.name, got, err)
		}
	}
}

// delivered lists the parts of a stream.
func delivered(t *testing.T, body string) (out []string) {
	t.Helper()
	for line := range strings.Lines(body) {
		data, ok := strings.CutPrefix(strings.TrimSpace(line), "data: ")
		switch {
		case !ok:
		case data == chatDone:
			out = append(out, "DONE")
		default:
			var chunk struct {
				Choices []struct {
					Delta        chatMessage
					FinishReason *string `json:"finish_reason"`
				}
			}
			if err := json.Unmarshal([]byte(data), &chunk); err != nil {
				t.Fatal(err)
			}
			for _, c := range chunk.Choices {
				if text := c.Delta.Text; text != "" {
					out = append(out, text)
				}
				for _, call := range c.Delta.ToolCalls {
					out = append(out, call.Function.Name+call.Function.Arguments)
				}
				if c.FinishReason != nil {
					out = append(out, *c.FinishReason)
				}
			}
		}
	}
	return out
}

// TestChatProxyJudgesByTheMessages: the messages of the request are the run so far, and requests
// that cannot be judged are refused.
func TestChatProxyJudgesByTheMessages(t *testing.T) {
	p := chatDesk(t)
	call := func(id, name string) string {
		return fmt.Sprintf(`{"role":"assistant","content":null,"tool_calls":[{"id":%q,"type":"function","function":{"name":%q,"arguments":"{}"}}]},{"role":"tool","tool_call_id":%q,"content":"ok"}`, id, name, id)
	}
	const user = `{"role":"user","content":[{"type":"text","text":"Refund A7."}]}`
	for _, c := range []struct{ name, path, body, want string }{
		{"begin", "/v1/chat/completions", `{"messages":[` + user + `]}`, "login refund logout"},
		{"run", "/v1/chat/completions", `{"messages":[{"role":"system","content":"Be brief."},` + user + `,` + call("a", "login") + `,` + user + `,` + call("b", "refund") + `]}`, "lookup refund logout"},
		{"history with a refused call", "/v1/chat/completions", `{"messages":[` + call("a", "refund") + `]}`, "the session violated its spec"},
		{"forged result", "/v1/chat/completions", `{"messages":[` + call("a", "login") + `,{"role":"tool","tool_call_id":"b","content":"ok"}]}`, "refund logout"},
		{"n", "/v1/chat/completions", `{"n":2,"messages":[]}`, "400"},
		{"functions", "/v1/chat/completions", `{"functions":[],"messages":[]}`, "400"},
		{"function_call", "/v1/chat/completions", `{"messages":[{"role":"assistant","function_call":{"name":"login"}}]}`, "400"},
		{"custom call", "/v1/chat/completions", `{"messages":[{"role":"assistant","tool_calls":[{"id":"a","type":"custom","custom":{}}]}]}`, "400"},
		{"role", "/v1/chat/completions", `{"messages":[{"role":"critic","content":"no"}]}`, "400"},
		{"not JSON", "/v1/chat/completions", `{`, "400"},
		{"another method", "/v1/models/x", `{"messages":[]}`, "404"},
		{"the Responses API", "/v1/responses", `{"input":[]}`, "does not judge the Responses API; set the client to chat completions (/v1/chat/completions)"},
		{"another path", "/chat/completions", `{"messages":[]}`, "404"},
	} {
		w := httptest.NewRecorder()
		r := httptest.NewRequest(http.MethodPost, c.path, strings.NewReader(c.body))
		if !p.request(w, r) {
			if got := fmt.Sprint(w.Code, w.Body); !strings.HasPrefix(got, "40") || !strings.Contains(got, c.want) {
				t.Errorf("%s: %s", c.name, got)
			}
			continue
		}
		session, ok := r.Context().Value(chatKey{}).(*gate.Session)
		if !ok {
			t.Fatal("the request has no session")
		}
		var calls, allowed []string
		for i, name := range []string{"lookup", "login", "refund", "logout"} {
			calls = append(calls, part(i, name, "{}"))
			copied, err := p.guard.Load(session.Save(), gate.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if judgeCall(copied, []byte(calls[i])) == nil {
				allowed = append(allowed, name)
				judgeCall(session, []byte(calls[i]))
			}
		}
		last := judgeCall(session, []byte(part(9, "login", "{}")))
		if got := strings.Join(allowed, " ") + " " + last.Reason; !strings.Contains(got, c.want) {
			t.Errorf("%s: %s", c.name, got)
		}
	}
}

// TestChatAnswersLoseRefusedCalls: the answer has the calls before the first refused one.
func TestChatAnswersLoseRefusedCalls(t *testing.T) {
	p := chatDesk(t)
	for _, c := range []struct{ message, want string }{
		{`{"role":"assistant","content":"Hi"}`, `"content":"Hi"`},
		{`{"role":"assistant","content":null,"tool_calls":[` + part(0, "login", "{}") + `]}`, `"tool_calls":[`},
		{`{"role":"assistant","content":"Hi","tool_calls":[` + part(0, "refund", "{}") + `]}`, `"finish_reason":"stop","index":0,"message":{"content":"Hi\nThe call of \"refund\" was refused: `},
		{`{"role":"assistant","content":null,"tool_calls":[` + part(0, "login", "{}") + `,` + part(1, "login", "{}") + `]}`, `"name":"login","arguments":"{}"}}]}}],"stile":{"tool":"login","code":"order.call"`},
		{`{"role":"assistant","content":null,"function_call":{"name":"login","arguments":"{}"}}`, "function_call"},
	} {
		session, err := p.guard.Begin(gate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		out, err := (&chatText{session: session}).answer([]byte(`{"choices":[{"index":0,"message":` + c.message + `,"finish_reason":"tool_calls"}]}`))
		if got := string(out) + fmt.Sprint(err); !strings.Contains(got, c.want) {
			t.Errorf("%s: %s", c.message, got)
		}
	}
}
