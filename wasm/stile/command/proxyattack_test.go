package command

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stile-playground/stile/core/gate"
)

// attacked are members of a message of a model: those that a client receives, or the error.
var attacked = []struct {
	members, want, thoughts string // thoughts is want with -thoughts, if it differs
}{
	{`"content":"Hi"`, `"content":"Hi"`, ""},
	{`"refusal":"I cannot."`, `"refusal":"I cannot."`, ""},
	{`"content":"Hi","refusal":"no"`, "content and refusal", ""},
	{`"content":"","refusal":"no"`, `"refusal":"no"`, ""},
	{`"content":"Hi","reasoning_content":"SECRET"`, `"content":"Hi"`, "SECRET"},
	{`"content":"Hi","reasoning":"SECRET"`, `"content":"Hi"`, "SECRET"},
	{`"content":"Hi","reasoning_details":[{"text":"SECRET"}]`, `"content":"Hi"`, "SECRET"},
	{`"content":"Hi","thoughts":"SECRET"`, `"content":"Hi"`, ""},
	{`"content":"Hi","Content":"SECRET"`, `"content":"Hi"`, ""},
	{`"content":"Hi","annotations":[{"text":"SECRET"}]`, `"content":"Hi"`, ""},
	{`"content":"Hi","Tool_Calls":[{"id":"SECRET"}]`, `"content":"Hi"`, ""},
	{`"function_call":{"name":"login","arguments":"{}"}`, "function_call", ""},
	{`"audio":{"data":"SECRET"}`, "audio", ""},
	{`"content":[{"type":"text","text":"SECRET"}]`, "texts only", ""},
	{`"refusal":["SECRET"]`, "texts only", ""},
	{`"tool_calls":{"id":"SECRET"}`, "cannot unmarshal", ""},
}

// No member of an answer that is not judged reaches the client.
func TestProxyDeliversJudgedMembers(t *testing.T) {
	p := chatDesk(t)
	for _, c := range attacked {
		for _, thoughts := range []bool{false, true} {
			want := c.want
			if thoughts && c.thoughts != "" {
				want = c.thoughts
			}
			text := func() chatText {
				session, err := p.guard.Begin(gate.Options{})
				if err != nil {
					t.Fatal(err)
				}
				return chatText{session: session, thoughts: thoughts}
			}
			of := text()
			answer := fmt.Sprintf(`{"id":"r","notes":"SECRET","choices":[{"index":0,"logprobs":{"content":[{"token":"SECRET"}]},"message":{%s},"finish_reason":"stop"}]}`, c.members)
			out, err := of.answer([]byte(answer))
			check := func(form, got string) {
				t.Helper()
				if !strings.Contains(got, want) || strings.Contains(got, "SECRET") && want != "SECRET" || strings.Contains(got, "notes") || strings.Contains(got, "logprobs") {
					t.Errorf("%s, %s, thoughts %v: %s", form, c.members, thoughts, got)
				}
			}
			check("answer", string(out)+fmt.Sprint(err))
			chunk := strings.Replace(strings.Replace(answer, "message", "delta", 1), `"stop"`, "null", 1)
			body := "event: x\ndata: " + chunk + "\n\nid: 1\ndata: [DONE]\n\n"
			stream, err := io.ReadAll(newChatStream(io.NopCloser(strings.NewReader(body)), text()))
			check("stream", string(stream)+fmt.Sprint(err))
		}
	}
}

// A stream that is split at any byte is delivered as if it arrived at once.
func TestProxyStreamsSplitAnywhere(t *testing.T) {
	p := chatDesk(t)
	body := ": é\r\n\r\n"
	for _, e := range []string{
		delta(`"content":"Grüße \ud83d\ude00 😀"`), parts(part(0, "login", "")), parts(part(0, "", `{"a"`)), parts(part(0, "", `:"é"}`)), parts(part(1, "logout", "{}")), parts(part(2, "refund", "{}")), chatEnd, chatDone,
	} {
		body += "data: " + e + "\r\n\r\n"
	}
	read := func(r io.Reader) string {
		session, err := p.guard.Begin(gate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		out, err := io.ReadAll(newChatStream(io.NopCloser(r), chatText{session: session}))
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	want := read(strings.NewReader(body))
	if !strings.Contains(want, `The call of \"refund\" was refused`) || strings.Count(want, `"name":"lo`) != 2 {
		t.Fatal(want)
	}
	if got := read(iotest.OneByteReader(strings.NewReader(body))); got != want {
		t.Errorf("byte by byte: %s", got)
	}
	for i := range len(body) {
		if got := read(io.MultiReader(strings.NewReader(body[:i]), strings.NewReader(body[i:]))); got != want {
			t.Fatalf("split at %d: %s", i, got)
		}
	}
}

// Requests for answers that the proxy cannot judge are refused, and other spellings of members, too.
func TestProxyRefusesRequests(t *testing.T) {
	p := chatDesk(t)
	for _, body := range []string{
		`{"messages":[],"n":2}`, `{"messages":[],"logprobs":true}`, `{"messages":[],"modalities":["text","audio"]}`, `{"messages":[],"audio":{}}`,
		`{"messages":[],"web_search_options":{}}`, `{"messages":[],"tools":[{"type":"web_search"}]}`, `{"messages":[],"tools":[{}]}`, `{"messages":[],"function_call":"auto"}`,
		`{"messages":[],"Messages":[]}`, `{"messages":[],"N":2}`, `{"messages":{}}`, `{"messages":[7]}`, `[]`, `null{`, ``, `{"messages":[{"role":"user","content":7}]}`,
		`{"messages":[{"role":"assistant","tool_calls":[{"function":7}]}]}`, strings.Repeat(`{"messages":`, 20_000),
	} {
		w := httptest.NewRecorder()
		if p.request(w, httptest.NewRequest(http.MethodPost, "/v1/chat/completions", strings.NewReader(body))) || w.Code != http.StatusBadRequest {
			t.Errorf("%.60s: %d %s", body, w.Code, w.Body)
		}
	}
	w := httptest.NewRecorder()
	r := httptest.NewRequest(http.MethodPost, "/v1/chat/completions", strings.NewReader(`{"messages":[{"role":"user","content":"a"}],"messages":[]}`))
	if !p.request(w, r) {
		t.Fatal(w.Body)
	}
	if body, err := io.ReadAll(r.Body); err != nil || string(body) != `{"messages":[]}` {
		t.Errorf("the server would read %s, %v", body, err)
	}
}

// Servers and clients of MCP cannot hide a result, and no message becomes a permission.
func TestMCPProxyUnderAttack(t *testing.T) {
	desk(t)
	var g guarding
	guard, err := g.open([]string{"spec"})
	if err != nil {
		t.Fatal(err)
	}
	result := func(id string) string {
		return `{"jsonrpc":"2.0","id":` + id + `,"result":{"content":[{"type":"text","text":"ok"}]}}`
	}
	for _, c := range []struct {
		about, id, answer string
		entered           bool
	}{
		{"the same identifier", "1", result("1"), true},
		{"a number of another spelling", "1", result("1.0"), true},
		{"an exponent", "100", result("1e2"), true},
		{"an escaped identifier", `"a"`, result(`"\u0061"`), true},
		{"a text for a number", "1", result(`"1"`), false},
		{"a batch", "1", "[" + result("7") + "," + result("1") + "]", true},
		{"a nested batch", "1", "[[" + result("1") + "]]", true},
		{"another identifier", "1", result("2"), false},
		{"no identifier", "1", `{"jsonrpc":"2.0","result":{}}`, false},
		{"a request of the server with the identifier", "1", `{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{}}`, false},
		{"progress", "1", `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}`, false},
		{"no JSON", "1", `{"jsonrpc":`, false},
		{"an error", "1", `{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no"}}`, true},
	} {
		run, err := newMCPRun(guard, gate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if forward, answer := run.fromClient("", []byte(callRPC(c.id, "login"))); forward == nil {
			t.Fatal(c.about, string(answer))
		}
		run.fromServer("", []byte(c.answer))
		if entered := len(run.calls) == 0; entered != c.entered {
			t.Errorf("%s: entered %v", c.about, entered)
		}
		before := run.session.Save()
		for _, message := range []string{
			`[` + callRPC("5", "refund") + `]`, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, `{"jsonrpc":"2.0","method":"tools/call","params":{"name":"refund"}}`,
			strings.Replace(callRPC("6", "lookup"), `"arguments"`, `"task":{"ttl":1},"arguments"`, 1), strings.Replace(callRPC("7", "lookup"), `"name"`, `"Name"`, 1), `{"id":8,"method":7}`, `7`, ``,
			`{"id":9,"method":"tools/call","params":[]}`, `{"id":9,"method":"tools/call"}`, `{"id":null,"method":"tools/call","params":{"name":"refund"}}`,
		} {
			if forward, _ := run.fromClient("", []byte(message)); forward != nil && bytes.Contains(forward, []byte("tools/call")) {
				t.Errorf("%s: %s is forwarded", c.about, forward)
			}
			if run.session.Save() != before {
				t.Errorf("%s: %s changes the state", c.about, message)
			}
		}
	}
}

// The events of a stream are those that clients read: lines may end with CR, LF or both, and arrive in any parts.
func TestMCPProxyReadsEventsAsClientsDo(t *testing.T) {
	for _, end := range []string{"\n", "\r\n", "\r"} {
		body := strings.Join([]string{": x", "event: message", "data: {\"a\":", "data:1}", "", "id: 7", "data: b", "", ""}, end)
		for i := range len(body) {
			var got []string
			tee := &eventTee{events: events{event: func(data string) error {
				got = append(got, data)
				return nil
			}}}
			for _, one := range []string{body[:i], body[i:]} {
				tee.ReadCloser = io.NopCloser(strings.NewReader(one))
				if _, err := io.ReadAll(tee); err != nil {
					t.Fatal(err)
				}
			}
			if strings.Join(got, "|") != "{\"a\":\n1}|b" {
				t.Fatalf("%q, split at %d: %q", end, i, got)
			}
		}
	}
}

// An answer that the proxy cannot read is not delivered.
//
//stile:race
func TestProxiesRefuseEncodedAnswers(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Encoding", "br")
		_, _ = io.WriteString(w, "SECRET")
	}))
	defer server.Close()
	desk(t)
	for verb, path := range map[string]string{"proxy": "/chat/completions", "mcp-proxy": "/mcp"} {
		flag := map[string]string{"proxy": "-upstream=" + server.URL, "mcp-proxy": "-url=" + server.URL + "/mcp"}[verb]
		address, _ := strings.CutSuffix(serving(t, verb, flag, "spec"), "/mcp")
		r, err := http.Post(address+path, "application/json", strings.NewReader(`{"id":1,"method":"ping","messages":[]}`))
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r.Body)
		if r.StatusCode != http.StatusBadGateway || bytes.Contains(text, []byte("SECRET")) || err != nil || r.Body.Close() != nil {
			t.Errorf("%s: %d %s, %v", verb, r.StatusCode, text, err)
		}
	}
}
