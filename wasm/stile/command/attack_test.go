package command

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/stile-playground/stile/wasm/stile/sidecar"
)

// served starts the server of stile guard, and returns a function that sends bytes to it on a new connection and returns the
// status and the rest of the answer. Sending stops when the server answers.
func served(t *testing.T) (handler *sidecar.Server, send func(parts func(yield func(string) bool)) (string, string)) {
	t.Helper()
	folder(t, map[string]string{"shop.cfg": twoCalls})
	var g guardFlags
	text, err := g.text([]string{"shop.cfg"})
	if err != nil {
		t.Fatal(err)
	}
	if handler, err = sidecar.New(text, sidecar.Options{}); err != nil {
		t.Fatal(err)
	}
	listener, _, err := listenOn("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := guardServer(handler)
	go func() { _ = server.Serve(listener) }() // until it is closed
	t.Cleanup(func() { _ = server.Close() })
	return handler, func(parts func(yield func(string) bool)) (string, string) {
		t.Helper()
		c, err := net.Dial("tcp", listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = c.Close() }()
		go parts(func(part string) bool { // the server may close the connection before all is sent
			_, err := io.WriteString(c, part)
			return err == nil
		})
		r := bufio.NewReader(c)
		status, err := r.ReadString('\n')
		if err != nil {
			return "", err.Error()
		}
		answer, _ := io.ReadAll(r) // until the server closes or resets the connection
		return strings.TrimSpace(status), string(answer)
	}
}

// The sidecar refuses headers and bodies without end after a bounded number of bytes, and still answers other clients.
//
//stile:race
func TestEndlessRequestsAreRefused(t *testing.T) {
	handler, send := served(t)
	const post = "POST /sessions/a/allow HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n"
	endless := func(first, part string) func(yield func(string) bool) {
		return func(yield func(string) bool) {
			for ok := yield(first); ok; ok = yield(part) {
			}
		}
	}
	once := func(text string) func(yield func(string) bool) { return func(yield func(string) bool) { yield(text) } }
	chunk := fmt.Sprintf("%x\r\n%s\r\n", 1<<16, strings.Repeat("x", 1<<16))
	for _, c := range []struct {
		about  string
		parts  func(yield func(string) bool)
		status string
	}{
		{"headers without end", endless(post, "X: "+strings.Repeat("x", 1<<12)+"\r\n"), "431"},
		{"one long header", endless(post+"X: ", strings.Repeat("x", 1<<12)), "431"},
		{"a long address", endless("POST /sessions/", strings.Repeat("a", 1<<12)), "431"},
		{"chunks without end", endless(post+"Transfer-Encoding: chunked\r\n\r\n", chunk), "413"},
		{"a large length", endless(post+"Content-Length: 9000000000\r\n\r\n", strings.Repeat("x", 1<<16)), "413"},
		{"two lengths", once(post + "Content-Length: 16\r\nContent-Length: 17\r\n\r\n{\"name\":\"login\"}x"), "400"},
		{"a chunk of a negative length", once(post + "Transfer-Encoding: chunked\r\n\r\n-1\r\nx\r\n0\r\n\r\n"), "400"},
		{"an unknown encoding", once(post + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"), "501"},
		{"a name with an escape", once(strings.Replace(post, "/a/", "/a%00b/", 1) + "Content-Length: 16\r\n\r\n{\"name\":\"login\"}"), "400"},
		{"a path with dots", once(strings.Replace(post, "/a/", "/../sessions/a/", 1) + "Content-Length: 16\r\n\r\n{\"name\":\"login\"}"), "307"},
		{"no host", once("POST /sessions/a/allow HTTP/1.0\r\nContent-Type: application/json\r\nContent-Length: 16\r\n\r\n{\"name\":\"login\"}"), "403"},
	} {
		status, answer := send(c.parts)
		if !strings.HasPrefix(status, "HTTP/1.") || len(status) < 12 || status[9:12] != c.status || strings.Contains(answer, `"verdict":"allow"`) {
			t.Errorf("%s: %q %.200q", c.about, status, answer)
		}
	}
	r, err := http.NewRequest(http.MethodGet, "/healthz", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Host = "localhost"
	health := &written{header: http.Header{}}
	if handler.ServeHTTP(health, r); !strings.Contains(health.String(), `"sessions":0`) {
		t.Error(health)
	}
	status, answer := send(once(post + "Content-Length: 16\r\n\r\n{\"name\":\"login\"}"))
	if status != "HTTP/1.1 200 OK" || !strings.Contains(answer, `"verdict":"allow"`) {
		t.Errorf("%s %s", status, answer)
	}
}

// written is an answer.
type written struct {
	strings.Builder
	header http.Header
}

func (w *written) Header() http.Header { return w.header }
func (w *written) WriteHeader(int)     {}

// The MCP server answers damaged messages with errors, and the messages after them.
func TestMCPServerUnderAttack(t *testing.T) {
	folder(t, map[string]string{"shop.cfg": twoCalls})
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	call := func(arguments string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"would_be_allowed","arguments":` + arguments + `}}`
	}
	for _, c := range []struct{ about, message, want string }{
		{"no JSON", `{`, `"code":-32700`},
		{"a number", `7`, `"code":-32600`},
		{"null", `null`, `"code":-32600`},
		{"a batch", `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, `"code":-32600`},
		{"an empty object", `{}`, ""}, // without an identifier, like a notification
		{"a method of another type", `{"jsonrpc":"2.0","id":1,"method":7}`, `"code":-32600`},
		{"no method", `{"jsonrpc":"2.0","id":1}`, `"code":-32601`},
		{"an unknown method", `{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage"}`, `"code":-32601`},
		{"an unknown notification", `{"jsonrpc":"2.0","method":"notifications/x"}`, ""},
		{"a member in capitals", `{"jsonrpc":"2.0","id":1,"Method":"tools/list"}`, `"code":-32601`},
		{"parameters of another type", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[1]}`, `"code":-32602`},
		{"no parameters", `{"jsonrpc":"2.0","id":1,"method":"tools/call"}`, `"code":-32602`},
		{"an unknown tool", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"allow"}}`, `"code":-32602`},
		{"deep arguments", call(deep(9_000)), `"isError":true`},
		{"too deep arguments", call(deep(20_000)), `"error":{"code":-32700,"message":"the message is not one JSON object, or is nested more than 10,000 levels deep"},"id":1,`},
		{"no call", call(`{"events":[]}`), `the argument call is missing`},
		{"deep arguments of a call", call(`{"call":{"name":"login","arguments":` + deep(100) + `}}`), `"isError":true`},
		{"a large argument", call(`{"call":{"name":"login","arguments":"` + strings.Repeat("x", 1<<20) + `"}}`), `\"verdict\":\"deny\"`},
		{"many events", call(`{"events":[` + strings.Repeat(`{"kind":"call","name":"login"},`, 10_000) + `{"kind":"end"}],"call":{"name":"refund"}}`), `\"verdict\":\"deny\"`},
		{"events of another type", call(`{"events":{},"call":{"name":"login"}}`), `"isError":true`},
		{"an unknown argument", call(`{"call":{"name":"login"},"permit":true}`), `"isError":true`},
		{"duplicate names", call(`{"call":{"name":"refund","name":"login"}}`), `"isError":true`},
		{"a look-alike", call(`{"call":{"name":"logi\u043d"}}`), `\"verdict\":\"deny\"`},
		{"a zero byte", call(`{"call":{"name":"login\u0000"}}`), `\"verdict\":\"deny\"`},
		{"invalid Unicode", call("{\"call\":{\"name\":\"login\xff\"}}"), `"isError":true`},
	} {
		stdout, stderr, code := stile(c.message+"\n\n"+`{"jsonrpc":"2.0","id":"after","method":"ping"}`+"\n", "mcp", "shop.cfg")
		lines := strings.Split(strings.TrimSpace(stdout), "\n")
		answers := len(lines) - 1
		if code != Pass || !strings.Contains(lines[answers], `"id":"after"`) || (answers == 1) != (c.want != "") || answers > 1 {
			t.Errorf("%s: %d %.300s%s", c.about, code, stdout, stderr)
		} else if answers == 1 && (!strings.Contains(lines[0], c.want) || !json.Valid([]byte(lines[0]))) {
			t.Errorf("%s: %.300s", c.about, lines[0])
		}
	}
	if _, stderr, code := stile(strings.Repeat("x", maxMessage+1)+"\n", "mcp", "shop.cfg"); code != Error || stderr == "" {
		t.Errorf("a line without end: %d %s", code, stderr)
	}
}
