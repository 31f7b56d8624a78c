package mcp

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/effects"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/tool"
	"github.com/stile-playground/stile/core/tool/web"
)

// call is a request that a server got.
type call struct {
	verb, method, id, body string
	headers                map[string]string
	idle                   int
}

// play runs a client against a server and returns its requests and waits. The deadline of a
// request never expires unless the server returns nil.
func play(t *testing.T, s Server, serve func(e process.Effect, c call) []process.Answer, body func(env *process.Env, c *Client) error) (calls []call, waits []int, err error) {
	t.Helper()
	s.URL = "https://mcp.example/mcp"
	client := New(s)
	_, _ = effects.Play(t, func(e process.Effect) []process.Answer {
		if e.Timer != nil {
			if e.Timer.Milliseconds == client.deadline() {
				return nil
			}
			waits = append(waits, e.Timer.Milliseconds)
			return []process.Answer{{Effect: e.ID, Value: json.RawMessage("null")}}
		}
		var m struct {
			ID     json.RawMessage
			Method string
		}
		_ = json.Unmarshal([]byte(e.HTTP.Body), &m) // a GET and a DELETE have no body
		c := call{e.HTTP.Method, m.Method, string(m.ID), e.HTTP.Body, e.HTTP.Headers, e.HTTP.Idle}
		calls = append(calls, c)
		return serve(e, c)
	}, func(env *process.Env) error {
		err = body(env, client)
		return err
	})
	return calls, waits, err
}

// result is an answer to a request.
func result(e process.Effect, c call, text string, headers ...string) []process.Answer {
	return effects.Value(e, 200, `{"jsonrpc":"2.0","id":`+c.id+`,"result":`+text+`}`, headers...)
}

// hello answers the requests that begin a session, and passes all others to then.
func hello(session string, then func(e process.Effect, c call) []process.Answer) func(e process.Effect, c call) []process.Answer {
	return func(e process.Effect, c call) []process.Answer {
		switch c.method {
		case "server/discover":
			return effects.Value(e, 400, "Bad Request: no session")
		case "initialize":
			return result(e, c, `{"protocolVersion":"2025-06-18"}`, "mcp-session-id", session)
		case "notifications/initialized":
			return effects.Value(e, 202, "")
		}
		return then(e, c)
	}
}

func codeOf(err error) string {
	var fault *tool.CallFault
	if errors.As(err, &fault) {
		return fault.Code
	}
	return ""
}

// Events are read alike wherever the stream is cut and however its lines end.
func TestEventsAreReadWhereverTheyAreCut(t *testing.T) {
	const stream = ": comment\n\nid: 7\nevent: message\ndata: one\n\ndata: two\ndata:three\n\nretry: 250\nid: a\x01b\ndata:  four\n\nretry: -5\nretry: 0\nretry: x\nnonsense\n\nid: ~ ~\n\n"
	for _, end := range []string{"\n", "\r\n", "\r"} {
		text := strings.ReplaceAll(stream, "\n", end)
		for cut := 0; cut <= len(text); cut++ {
			var r eventReader
			got := append(r.write(text[:cut]), r.write(text[cut:])...)
			if !slices.Equal(got, []string{"one", "two\nthree", " four"}) || r.lastID != "~ ~" || r.retry != 250 || r.stray != "nonsense\n" || r.end() != "" {
				t.Fatalf("cut at %d: %q, %+v", cut, got, &r)
			}
		}
	}
	for text, want := range map[string]string{"": "", "data: a": "a", "data: a\n": "a", "data: a\n\n": "", "data: a\ndata: b": "a\nb", "dat": "", "data:\n": ""} {
		var r eventReader
		r.write(text)
		if got := r.end(); got != want {
			t.Errorf("%q ends with %q, want %q", text, got, want)
		}
	}
	for c := range rune(300) {
		var r eventReader
		r.write("id: " + string(c) + "x\n")
		if ok := c >= ' ' && c <= '~'; (r.lastID != "") != ok && c != '\n' && c != '\r' {
			t.Errorf("the id %q is kept: %q", c, r.lastID)
		}
	}
	var r eventReader
	for range web.MaxQuote {
		r.write("?\n")
	}
	if len(r.stray) != web.MaxQuote {
		t.Errorf("%d bytes are kept for a message", len(r.stray))
	}
}

// Every request of a session has its id and its revision; the one that begins it has neither.
func TestRequestsCarryTheSession(t *testing.T) {
	for _, session := range []string{"s1", ""} {
		calls, _, err := play(t, Server{}, hello(session, func(e process.Effect, c call) []process.Answer {
			if c.verb == "DELETE" {
				return effects.Value(e, 405, "")
			}
			return result(e, c, `{"tools":[]}`)
		}), func(env *process.Env, c *Client) error {
			c.Close(env) // nothing is begun
			_, err := c.Connect(env)
			c.Close(env)
			c.Close(env)
			return err
		})
		var verbs []string
		for i, c := range calls {
			verbs = append(verbs, strings.TrimSpace(c.verb+" "+c.method))
			wantSession, wantVersion := session, "2025-06-18"
			switch i {
			case 0:
				wantSession, wantVersion = "", Stateless
			case 1:
				wantSession, wantVersion = "", ""
			}
			if c.headers["Mcp-Session-Id"] != wantSession || c.headers["MCP-Protocol-Version"] != wantVersion || c.headers["Accept"] == "" || (c.headers["Content-Type"] != "") != (c.body != "") {
				t.Errorf("%+v", c)
			}
			if want := map[bool]int{true: closeWait, false: DefaultDeadline}[c.verb == "DELETE"]; c.idle != want {
				t.Errorf("%+v waits %d ms", c, c.idle)
			}
		}
		want := "POST server/discover, POST initialize, POST notifications/initialized, POST tools/list, DELETE"
		if session == "" {
			want = strings.TrimSuffix(want, ", DELETE")
		}
		if got := strings.Join(verbs, ", "); err != nil || got != want {
			t.Errorf("session %q: %s, %v", session, got, err)
		}
	}
	for _, c := range []struct{ idle, deadline, want, limit int }{{0, 0, DefaultDeadline, DefaultDeadline}, {0, 5_000, 5_000, 5_000}, {700, 5_000, 700, 5_000}} {
		client := New(Server{Deadline: c.deadline, Remote: web.Remote{Idle: c.idle}})
		if h := client.message(&session{}, "POST", "x"); h.Idle != c.want || client.deadline() != c.limit {
			t.Errorf("%+v: %d, %d", c, h.Idle, client.deadline())
		}
	}
}

func TestASessionIsBegunOnlyWithAKnownRevision(t *testing.T) {
	for _, c := range []struct {
		name, answer, id string
		status, notified int
		code, says       string
	}{
		{"a known revision", `{"protocolVersion":"2024-11-05"}`, "s", 200, 202, "", ""},
		{"an unknown revision", `{"protocolVersion":"1999-01-01"}`, "s", 200, 202, tool.CodeProtocol, "unsupported revision 1999-01-01"},
		{"no revision", `{}`, "s", 200, 202, tool.CodeProtocol, "missing protocolVersion"},
		{"no object", `7`, "s", 200, 202, tool.CodeProtocol, "missing protocolVersion"},
		{"an id with a space", `{"protocolVersion":"2024-11-05"}`, "a b", 200, 202, tool.CodeProtocol, "session id"},
		{"an id with a control character", `{"protocolVersion":"2024-11-05"}`, "a\x7f", 200, 202, tool.CodeProtocol, "session id"},
		{"an id with a tilde", `{"protocolVersion":"2024-11-05"}`, "!~", 200, 202, "", ""},
		{"nothing at the address", ``, "", 404, 202, tool.CodeStatus, "whose path is often /mcp"},
		{"another method", ``, "", 405, 202, tool.CodeStatus, "whose path is often /mcp"},
		{"a failure", ``, "", 501, 202, tool.CodeStatus, "status 501"},
		{"a refused notification", `{"protocolVersion":"2024-11-05"}`, "s", 200, 400, tool.CodeStatus, "status 400"},
	} {
		_, _, err := play(t, Server{}, func(e process.Effect, call call) []process.Answer {
			switch {
			case call.method == "initialize" && c.status == 200:
				return result(e, call, c.answer, "mcp-session-id", c.id)
			case call.method == "initialize":
				return effects.Value(e, c.status, "")
			case call.method == "notifications/initialized":
				return effects.Value(e, c.notified, "")
			}
			return result(e, call, `{"tools":[]}`)
		}, func(env *process.Env, c *Client) error {
			_, err := c.Connect(env)
			return err
		})
		if codeOf(err) != c.code || (err == nil) != (c.code == "") || err != nil && (!strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "/mcp") != strings.Contains(c.says, "/mcp")) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// A list of tools has pages, a limit, and only the selected tools.
func TestToolsAreListed(t *testing.T) {
	list := func(only []string, pages ...string) (names, abouts []string, err error) {
		at := 0
		_, _, err = play(t, Server{Prefix: "p_", Only: only}, hello("", func(e process.Effect, c call) []process.Answer {
			if want := fmt.Sprintf(`"params":{"cursor":"c%d"}`, at); at > 0 && !strings.Contains(c.body, want) {
				t.Errorf("%s is not in %s", want, c.body)
			}
			page := pages[min(at, len(pages)-1)]
			at++
			next := ""
			if at < len(pages) || page == "more" {
				next = fmt.Sprintf(`,"nextCursor":"c%d"`, at)
			}
			return result(e, c, `{"tools":[`+strings.TrimSuffix(page, "more")+`]`+next+`}`)
		}), func(env *process.Env, c *Client) error {
			tools, err := c.Connect(env)
			for _, made := range tools {
				names, abouts = append(names, made.Name()), append(abouts, made.Description()+" "+string(made.Schema()))
			}
			return err
		})
		return names, abouts, err
	}
	many := func(n int) string {
		var parts []string
		for i := range n {
			parts = append(parts, fmt.Sprintf(`{"name":"t%d"}`, i))
		}
		return strings.Join(parts, ",")
	}
	names, abouts, err := list(nil, `{"name":"a","description":"A","inputSchema":{"type":"object","title":"x"}},{"name":""}`, `{"name":"b","title":"B"}`)
	if err != nil || !slices.Equal(names, []string{"p_a", "p_b"}) || !slices.Equal(abouts, []string{`A {"type":"object","title":"x"}`, `B {"type":"object"}`}) {
		t.Errorf("%q %q %v", names, abouts, err)
	}
	if names, _, err = list([]string{"b"}, `{"name":"a"},{"name":"b"}`); err != nil || !slices.Equal(names, []string{"p_b"}) {
		t.Errorf("%q %v", names, err)
	}
	if names, _, err = list([]string{"b", "c"}, `{"name":"a"},{"name":"b"}`); codeOf(err) != tool.CodeUnknown || len(names) != 1 || !strings.HasSuffix(err.Error(), "no tool c") {
		t.Errorf("%q %v", names, err)
	}
	if names, _, err = list(nil, many(maxListTools)); err != nil || len(names) != maxListTools {
		t.Errorf("%d %v", len(names), err)
	}
	if names, _, err = list(nil, many(maxListTools+1)); codeOf(err) != tool.CodeLong || len(names) != maxListTools {
		t.Errorf("%d %v", len(names), err)
	}
	if _, _, err = list(nil, "more"); codeOf(err) != tool.CodeLong {
		t.Error(err)
	}
	for size, whole := range map[int]bool{32_000: true, 32_001: false} {
		declared := `{"title":"` + strings.Repeat("a", size-12) + `"}`
		_, abouts, err = list(nil, `{"name":"a","inputSchema":`+declared+`}`)
		if (abouts[0] == " "+declared) != whole || (err == nil) != whole || !whole && (codeOf(err) != tool.CodeLong || !strings.HasSuffix(err.Error(), ": a")) {
			t.Errorf("a schema of %d bytes is kept: %v, %v", len(declared), !whole, err)
		}
	}
	if _, _, err = list(nil, `7`); codeOf(err) != tool.CodeProtocol {
		t.Error(err)
	}
}

// called calls a tool whose server answers with serve.
func called(t *testing.T, s Server, session string, serve func(e process.Effect, c call) []process.Answer) (text string, calls []call, waits []int, err error) {
	t.Helper()
	calls, waits, err = play(t, s, hello(session, serve), func(env *process.Env, c *Client) (err error) {
		text, err = (&remoteTool{server: c, remoteName: "t"}).Call(env, json.RawMessage(`{"a":1}`))
		return err
	})
	return text, calls, waits, err
}

func TestResultsBecomeText(t *testing.T) {
	for _, c := range []struct{ result, want, code string }{
		{`{"content":[{"type":"text","text":" a "},{"type":"text","text":"b"}]}`, "a \nb", ""},
		{`{"content":[],"structuredContent":{"a":1}}`, `{"a":1}`, ""}, {`{"content":[{"type":"text","text":"a"}],"structuredContent":{"a":1}}`, "a", ""}, {`{"content":[{"type":"text","text":""}],"structuredContent":{"a":1}}`, `{"a":1}`, ""}, {`{"content":[],"structuredContent":null}`, "", ""},
		{`{"content":[{"type":"image","data":"AAAAAAAA","mimeType":"image/png"}]}`, "(image of type image/png, 6 bytes, which is not text)", ""}, {`{"content":[{"type":"audio","data":"AAAA","mimeType":"x"}],"structuredContent":[1]}`, "(audio of type x, 3 bytes, which is not text)\n[1]", ""},
		{`{"content":[{"type":"resource_link","name":"n","uri":"u"}]}`, "n u", ""}, {`{"content":[{"type":"resource","resource":{"text":"x"}}]}`, "x", ""}, {`{"content":[{"type":"resource","resource":{"uri":"u","mimeType":"m","blob":"AAAAAAAA"}}]}`, "(u of type m, 6 bytes, which is not text)", ""}, {`{"content":[{"type":"other"}]}`, `(a part of type "other")`, ""},
		{`{"content":[{"type":"text","text":"no"}],"isError":true}`, "no", tool.CodeFailed}, {`{"content":[],"isError":true}`, "the tool failed without a message", tool.CodeFailed}, {`7`, "", tool.CodeProtocol},
	} {
		text, calls, _, err := called(t, Server{}, "", func(e process.Effect, call call) []process.Answer { return result(e, call, c.result) })
		if err != nil {
			text = err.Error()
		}
		if codeOf(err) != c.code || c.code != tool.CodeProtocol && text != c.want || !strings.Contains(calls[3].body, `"params":{"name":"t","arguments":{"a":1}}`) {
			t.Errorf("%s: %q %v", c.result, text, err)
		}
	}
}

// Of all messages of a stream only the answer to the request counts, and requests of the
// server are answered.
func TestOnlyTheAnswerCounts(t *testing.T) {
	const good = `"result":{"content":[{"type":"text","text":"good"}]}`
	const bad = `"result":{"content":[{"type":"text","text":"bad"}]}`
	for _, c := range []struct {
		name, body string
		want, code string
	}{
		{"another id", `data: {"id":99,` + bad + "}\n\n" + `data: {"id":3,` + good + "}\n\n", "good", ""},
		{"an id that is a text", `data: {"id":"3",` + good + "}\n\n", "good", ""},
		{"the first of two", `data: {"id":3,` + good + "}\n\n" + `data: {"id":3,` + bad + "}\n\n", "good", ""},
		{"a list", `[{"id":7,` + bad + `},{"id":3,` + good + `}]`, "good", ""},
		{"a notification", `data: {"method":"x"}` + "\n\n" + `data: {"id":3,` + good + "}\n\n", "good", ""},
		{"a request with the same id", `data: {"id":3,"method":"ping",` + bad + "}\n\n" + `data: {"id":3,` + good + "}\n\n", "good", ""},
		{"a notification with a result", `data: {"method":"x",` + bad + "}\n\n" + `data: {"id":3,` + good + "}\n\n", "good", ""},
		{"a message without a result", `data: {"id":3}` + "\n\n" + `data: {"id":3,` + good + "}\n\n", "good", ""},
		{"malformed messages", "data: {\n\ndata: [1\n\n" + `data: {"id":3,` + good + "}\n\n", "good", ""},
		{"an unfinished event", `data: {"id":3,` + good + "}", "good", ""},
		{"a byte order mark", "\ufeff\n " + `{"id":3,` + good + "}", "good", ""},
		{"an error", `{"id":3,"error":{"code":-5,"message":" no "}}`, "mcp.example reports error -5: no", tool.CodeRemote},
		{"nothing", "", "mcp.example did not answer the request", tool.CodeProtocol},
		{"a page", "<html>hi", "expected the answer of an MCP server from mcp.example, got <html>hi", tool.CodeAnswer},
	} {
		var replies []string
		text, _, _, err := called(t, Server{}, "", func(e process.Effect, call call) []process.Answer {
			if call.method != "tools/call" {
				replies = append(replies, call.body)
				return effects.Value(e, 202, "")
			}
			return effects.Value(e, 200, c.body)
		})
		if err != nil {
			text = err.Error()
		}
		if len(replies) > 0 && c.name != "a request with the same id" {
			t.Errorf("%s: the client replies %q", c.name, replies)
		}
		if text != c.want || codeOf(err) != c.code {
			t.Errorf("%s: %q %v", c.name, text, err)
		}
	}
	answered := func(n int) (replies int, err error) {
		_, calls, _, err := called(t, Server{}, "", func(e process.Effect, call call) []process.Answer {
			if call.method != "tools/call" {
				return effects.Value(e, 500, "")
			}
			chunk := strings.Repeat(`data: {"id":"q","method":"ping"}`+"\n\n", n-1) + `data: {"id":"q","method":"sampling"}` + "\n\n"
			return append([]process.Answer{{Effect: e.ID, Chunk: &chunk}}, result(e, call, `{"content":[]}`)...)
		})
		for _, c := range calls {
			if strings.Contains(c.body, `"id":"q"`) {
				if pong, last := strings.Contains(c.body, `"result":{}`), replies == n-1; pong == last || pong == strings.Contains(c.body, `"error":{"code":-32601`) {
					t.Errorf("reply %d of %d is %s", replies+1, n, c.body)
				}
				replies++
			}
		}
		return replies, err
	}
	if n, err := answered(maxAsked); n != maxAsked || codeOf(err) == tool.CodeProtocol && strings.Contains(err.Error(), "too many") {
		t.Errorf("%d replies, %v", n, err)
	}
	if n, err := answered(maxAsked + 1); n != maxAsked || codeOf(err) != tool.CodeProtocol || !strings.Contains(err.Error(), "too many") {
		t.Errorf("%d replies, %v", n, err)
	}
}

// A lost session is begun again, but only once; other refusals are faults.
func TestALostSessionIsBegunAgain(t *testing.T) {
	for _, c := range []struct {
		name, session string
		status        int
		body          string
		begun         int
		code, says    string
	}{
		{"404", "s", 404, "", 2, tool.CodeProtocol, "lost two sessions in a row"},
		{"404 with an error", "s", 404, `{"id":3,"error":{"code":1,"message":"x"}}`, 2, tool.CodeProtocol, "lost two sessions in a row"},
		{"400 of a session", "s", 400, `{"error":{"code":1,"message":"Bad Session"}}`, 2, tool.CodeProtocol, "lost two sessions in a row"},
		{"400 in plain text", "s", 400, "no such session", 2, tool.CodeProtocol, "lost two sessions in a row"},
		{"400 of something else", "s", 400, "no", 1, tool.CodeStatus, "status 400: no"},
		{"400 without a session", "", 400, "session", 1, tool.CodeStatus, "Access-Control-Expose-Headers"},
		{"404 without a session", "", 404, "", 1, tool.CodeStatus, "status 404"},
		{"500", "s", 500, "", 1, tool.CodeStatus, "status 500"},
		{"500 with a message", "s", 500, `{"error":{"code":1,"message":"out of paper"}}`, 1, tool.CodeStatus, "status 500: out of paper"},
		{"500 with another object", "s", 500, `{"a":1}`, 1, tool.CodeStatus, `status 500: {"a":1}`},
	} {
		_, calls, _, err := called(t, Server{}, c.session, func(e process.Effect, call call) []process.Answer {
			if call.verb == "DELETE" {
				return effects.Value(e, 200, "")
			}
			return effects.Value(e, c.status, strings.Replace(c.body, `"id":3`, `"id":`+call.id, 1))
		})
		begun := 0
		for _, call := range calls {
			if call.method == "initialize" {
				begun++
			}
		}
		// The second loss is reported after a third session.
		if begun < c.begun || c.begun == 1 && begun != 1 || codeOf(err) != c.code || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "Expose") != strings.Contains(c.says, "Expose") || strings.Contains(err.Error(), "/mcp") {
			t.Errorf("%s: begun %d times, %v", c.name, begun, err)
		}
	}
}

// A stream that breaks off after an event with an id is resumed there, a few times.
func TestStreamsAreResumed(t *testing.T) {
	for _, c := range []struct {
		name, first string
		after       int // number of the resumed stream that has the answer; 0 for none
		gets        int
		wait        int
		code        string
	}{
		{"resumed", "id: 5\ndata: {}\n\n", 1, 1, web.FirstWait, ""},
		{"with a pause", "retry: 40\nid: 5\ndata: {}\n\n", 2, 2, 40, ""},
		{"with a long pause", "retry: 999999\nid: 5\ndata: {}\n\n", 1, 1, web.MaxWait, ""},
		{"the last time", "id: 5\ndata: {}\n\n", maxResumes, maxResumes, web.FirstWait, ""},
		{"too often", "id: 5\ndata: {}\n\n", 0, maxResumes, web.FirstWait, tool.CodeProtocol},
		{"without an id", "data: {}\n\n", 1, 0, 0, tool.CodeProtocol},
	} {
		gets, id := 0, ""
		text, calls, waits, err := called(t, Server{}, "s", func(e process.Effect, call call) []process.Answer {
			if call.verb == "GET" {
				if call.headers["Last-Event-ID"] != "5" || call.headers["Accept"] != "text/event-stream" {
					t.Errorf("%+v", call)
				}
				if gets++; gets != c.after {
					return effects.Value(e, 200, "")
				}
				return effects.Value(e, 200, `data: {"id":`+id+`,"result":{"content":[{"type":"text","text":"ok"}]}}`+"\n\n")
			}
			id = call.id
			return effects.Value(e, 200, c.first)
		})
		for _, w := range waits {
			if w != c.wait {
				t.Errorf("%s: waited %v", c.name, waits)
				break
			}
		}
		if gets != c.gets || len(waits) != c.gets || codeOf(err) != c.code || err == nil && text != "ok" {
			t.Errorf("%s: %d of %d requests, %q %v", c.name, gets, len(calls), text, err)
		}
	}
	for code, gets := range map[string]int{"network": maxResumes, "cors": 0} {
		asked := 0
		_, _, _, err := called(t, Server{}, "s", func(e process.Effect, call call) []process.Answer {
			if call.verb == "GET" {
				asked++
				return effects.Broken(e, code)
			}
			chunk := "id: 5\ndata: {}\n\n"
			return append([]process.Answer{{Effect: e.ID, Chunk: &chunk}}, effects.Broken(e, code)...)
		})
		if asked != gets || codeOf(err) != "tool."+code {
			t.Errorf("%s: resumed %d times, %v", code, asked, err)
		}
	}
}

// An answer is read up to its limit, and a request ends at its deadline.
func TestAnswersAreBounded(t *testing.T) {
	for size, code := range map[int]string{maxStream: tool.CodeProtocol, maxStream + 1: tool.CodeLong} {
		_, _, _, err := called(t, Server{}, "", func(e process.Effect, call call) []process.Answer {
			chunk := ":" + strings.Repeat(" ", size-1)
			return append([]process.Answer{{Effect: e.ID, Chunk: &chunk}}, effects.Value(e, 200, "")...)
		})
		if codeOf(err) != code {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
	client := New(Server{Deadline: 7_000, Remote: web.Remote{URL: "https://mcp.example/mcp"}})
	var err error
	_, _ = effects.Play(t, func(e process.Effect) []process.Answer {
		if e.Timer != nil && e.Timer.Milliseconds == 7_000 {
			return []process.Answer{{Effect: e.ID, Value: json.RawMessage("null")}}
		}
		return nil
	}, func(env *process.Env) error {
		_, err = client.Connect(env)
		return err
	})
	if codeOf(err) != "tool.timeout" || !strings.Contains(err.Error(), "within 7 seconds") {
		t.Error(err)
	}
}

// A notification of the server is not answered; a request is.
func TestOnlyRequestsOfServersAreAnswered(t *testing.T) {
	for message, want := range map[string]int{
		`{"jsonrpc":"2.0","method":"notifications/progress","params":{}}`: 0,
		`{"jsonrpc":"2.0","id":"p1","method":"ping"}`:                     1,
		`{"jsonrpc":"2.0","id":"p2","method":"sampling/createMessage"}`:   1,
		`{"jsonrpc":"2.0","id":"p3","result":{}}`:                         0,
	} {
		answers := 0
		_, _, err := play(t, Server{}, hello("s1", func(e process.Effect, c call) []process.Answer {
			switch c.method {
			case "tools/list":
				chunk := "data: " + message + "\n\ndata: " + `{"jsonrpc":"2.0","id":` + c.id + `,"result":{"tools":[{"name":"t"}]}}` + "\n\n"
				return append([]process.Answer{{Effect: e.ID, Chunk: &chunk}}, effects.Value(e, 200, "")...)
			case "":
				answers++
			}
			return effects.Value(e, 202, "")
		}), func(env *process.Env, c *Client) error {
			tools, err := c.Connect(env)
			if len(tools) != 1 {
				t.Errorf("%s: %d tools", message, len(tools))
			}
			return err
		})
		if err != nil || answers != want {
			t.Errorf("%s: %d answers, %v", message, answers, err)
		}
	}
}

// The address of a server is checked before a connection to it, and the id of its
// session before its use.
func TestAddressesAndSessionsAreChecked(t *testing.T) {
	for url, want := range map[string]int{"https://mcp.example/mcp": 1, "ftp://mcp.example/mcp": 0, "": 0} {
		asked, tools := 0, 0
		_, err := effects.Play(t, func(e process.Effect) []process.Answer {
			if e.Timer != nil {
				return nil
			}
			var m struct {
				ID     json.RawMessage
				Method string
			}
			if asked++; json.Unmarshal([]byte(e.HTTP.Body), &m) != nil || m.ID == nil {
				return effects.Value(e, 202, "")
			}
			return effects.Value(e, 200, `{"jsonrpc":"2.0","id":`+string(m.ID)+`,"result":{"protocolVersion":"2025-06-18","tools":[{"name":"t"}]}}`)
		}, func(env *process.Env) error {
			list, err := Connect(env, Server{Remote: web.Remote{URL: url}})
			tools = len(list)
			return err
		})
		if (err == nil) != (want == 1) || tools != want || (asked > 0) != (want == 1) {
			t.Errorf("%q: %d tools, %d requests, %v", url, tools, asked, err)
		}
	}
	for session, ok := range map[string]bool{"s 1": false, " s": false, "s\u00e9": false, "~!": true, "": true} {
		_, _, err := play(t, Server{}, hello(session, func(e process.Effect, c call) []process.Answer {
			return result(e, c, `{"tools":[]}`)
		}), func(env *process.Env, c *Client) error {
			_, err := c.Connect(env)
			return err
		})
		if (err == nil) != ok {
			t.Errorf("%q: %v", session, err)
		}
	}
}

// The timer of a request's deadline is cancelled when the request ends: no more timers run than
// requests.
func TestDeadlinesEndWithTheirRequests(t *testing.T) {
	open, most := map[string]bool{}, 0
	p := process.New(func(env *process.Env) (any, error) {
		_, err := Connect(env, Server{Remote: web.Remote{URL: "https://mcp.example/mcp"}})
		return "", err
	}, 1, meter.Budget{}, nil)
	var answers []process.Answer
	for state := process.StateWaiting; state == process.StateWaiting || state == process.StateWorking; {
		out, err := p.Resume(answers, 0)
		if err != nil || out.Err != nil {
			t.Fatal(err, out.Err)
		}
		state, answers = out.State, nil
		for _, id := range out.Cancel {
			delete(open, id)
		}
		for _, e := range out.Effects {
			if e.Timer != nil {
				open[e.ID] = true
				most = max(most, len(open))
				continue
			}
			var m struct{ ID json.RawMessage }
			if json.Unmarshal([]byte(e.HTTP.Body), &m) != nil || m.ID == nil {
				answers = append(answers, effects.Value(e, 202, "")...)
				continue
			}
			answers = append(answers, effects.Value(e, 200, `{"jsonrpc":"2.0","id":`+string(m.ID)+`,"result":{"protocolVersion":"2025-06-18","tools":[]}}`)...)
		}
	}
	if most != 1 || len(open) > 0 {
		t.Errorf("%d timers at once, %d at the end", most, len(open))
	}
}
