package command

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stile-playground/stile/wasm/stile/sidecar"
)

const twoCalls = "S -> login work\nwork -> refund work | logout\n"

// The server of the command answers over a socket, reads its specs again, and ends with its
// context.
//
//stile:race
func TestGuardIsServed(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the socket is one of Unix")
	}
	folder(t, map[string]string{"shop.cfg": twoCalls})
	ctx, cancel := context.WithCancel(context.Background())
	out, in := io.Pipe()
	var errs strings.Builder
	code := make(chan int, 1)
	go func() {
		code <- Run(ctx, []string{"guard", "shop.cfg", "-listen", "unix:guard.sock", "-journal", "journal", "-watch", "20ms", "-log", "log.jsonl", "-mode", "shop.cfg=enforce"}, Streams{Out: in, Err: &errs})
	}()
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "listening on unix:guard.sock\n" {
		t.Fatal(line, err)
	}
	client := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", "guard.sock")
	}}}
	ask := func(path, body string) string {
		t.Helper()
		reply, err := client.Post("http://guard/sessions/"+path, "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(reply.Body)
		if err := reply.Body.Close(); err != nil {
			t.Fatal(err)
		}
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	if got := ask("a/allow", `{"name":"refund"}`); !strings.Contains(got, `"verdict":"deny"`) {
		t.Error(got)
	}
	if got := ask("a/allow", `{"name":"login","arguments":{"password":"secret7"}}`); !strings.Contains(got, `"verdict":"allow"`) {
		t.Error(got)
	}
	if err := os.WriteFile("shop.cfg", []byte("S -> enter logout\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(10 * time.Second); !strings.Contains(ask("b/allow", `{"name":"enter"}`), `"verdict":"allow"`); {
		if time.Now().After(deadline) {
			t.Fatal("the specs are not read again")
		}
	}
	if got := ask("a/allow", `{"name":"logout"}`); !strings.Contains(got, `"verdict":"allow"`) {
		t.Error("a session of the earlier specs:", got)
	}
	client.CloseIdleConnections()
	cancel()
	if got := <-code; got != Pass {
		t.Error(got, errs.String())
	}
	log, err := os.ReadFile("log.jsonl")
	if err != nil || strings.Contains(string(log), "secret7") || !strings.HasPrefix(string(log), `a {"n":1,"prev":"`) {
		t.Errorf("%v: %s", err, log)
	}
}

// Every reload on SIGHUP prints its outcome.
//
//stile:race
func TestReloadsArePrinted(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the signal is one of Unix")
	}
	folder(t, map[string]string{"shop.cfg": twoCalls})
	ctx, cancel := context.WithCancel(context.Background())
	out, in := io.Pipe()
	errs, printed := io.Pipe()
	code := make(chan int, 1)
	go func() { code <- Run(ctx, []string{"guard", "shop.cfg"}, Streams{Out: in, Err: printed}) }()
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(errs)
	for _, c := range []struct{ text, want string }{
		{twoCalls, "stile: reload: unchanged: "},
		{"S -> enter logout\n", "stile: reload: loaded "},
		{"S -> \"\n", "stile: reload: refused: shop.cfg:1"},
		{"", "stile: reload: refused: stat shop.cfg: "}, // there is no file
		{"S -> enter logout\n", "stile: reload: unchanged: "},
	} {
		err := os.RemoveAll("shop.cfg")
		if err == nil && c.text != "" {
			err = os.WriteFile("shop.cfg", []byte(c.text), 0o644)
		}
		if err == nil {
			err = self.Signal(syscall.SIGHUP)
		}
		if err != nil {
			t.Fatal(err)
		}
		if line, err := lines.ReadString('\n'); err != nil || !strings.HasPrefix(line, c.want) {
			t.Errorf("%q: %q, %v", c.text, line, err)
		}
	}
	cancel()
	if got := <-code; got != Pass {
		t.Error(got)
	}
}

// A client that does not send the rest of its request gets a refusal, and its connection is closed.
//
//stile:race
func TestSlowRequestsEnd(t *testing.T) {
	folder(t, map[string]string{"shop.cfg": twoCalls})
	var g guardFlags
	text, err := g.text([]string{"shop.cfg"})
	if err != nil {
		t.Fatal(err)
	}
	handler, err := sidecar.New(text, sidecar.Options{})
	if err != nil {
		t.Fatal(err)
	}
	server := guardServer(handler)
	if server.ReadHeaderTimeout <= 0 || server.ReadTimeout < server.ReadHeaderTimeout || server.IdleTimeout <= 0 {
		t.Errorf("%+v", server)
	}
	server.ReadTimeout = time.Millisecond
	listener, _, err := listenOn("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = server.Serve(listener) }() // until it is closed
	defer func() { _ = server.Close() }()
	client, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = client.Close() }()
	if _, err := io.WriteString(client, "POST /sessions/a/allow HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 16\r\n\r\n{"); err != nil {
		t.Fatal(err)
	}
	reply, err := io.ReadAll(client)
	if err != nil || !strings.HasPrefix(string(reply), "HTTP/1.1 408 ") || !strings.Contains(string(reply), `"verdict":"fault"`) {
		t.Errorf("%s, %v", reply, err)
	}
}

func TestGuardIsNotServedElsewhere(t *testing.T) {
	folder(t, map[string]string{"shop.cfg": twoCalls})
	for _, args := range [][]string{
		{"guard"}, {"guard", "shop.cfg", "-listen", "0.0.0.0:0"}, {"guard", "shop.cfg", "-listen", "example.com:80"}, {"guard", "shop.cfg", "-listen", ":0"},
		{"guard", "shop.cfg", "-mode", "shop.cfg=permit"}, {"guard", "shop.cfg", "-mode", "other.cfg=off"}, {"guard", "shop.cfg", "-mode", "off"}, {"guard", "none.cfg"},
	} {
		if stdout, stderr, code := stile("", args...); code != Error || stdout != "" || stderr == "" {
			t.Errorf("%v: %d %s%s", args, code, stdout, stderr)
		}
	}
}

func TestMCPServerJudgesCalls(t *testing.T) {
	folder(t, map[string]string{"shop.cfg": twoCalls})
	requests := []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"allowed_next","arguments":{}}}`,
		`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"would_be_allowed","arguments":{"call":{"name":"refund"}}}}`,
		`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"would_be_allowed","arguments":{"events":[{"kind":"call","name":"login","id":"1"},{"kind":"result","id":"1"}],"call":{"name":"refund","arguments":{"order":7}}}}}`,
		`{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"explain"}}`,
		`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"would_be_allowed","arguments":{"call":{"tool":"refund"}}}}`,
		`{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"drop"}}`,
		`{"jsonrpc":"2.0","id":9,"method":"resources/list"}`,
		`nonsense`,
		`{"jsonrpc":"2.0","id":"x","method":"ping"}`,
	}
	stdout, stderr, code := stile(strings.Join(requests, "\n")+"\n", "mcp", "shop.cfg")
	lines := strings.Split(strings.TrimSpace(stdout), "\n")
	wants := []string{
		`"protocolVersion":"2025-06-18"`, `"would_be_allowed"`, `\"next\":[\"login\"]`, `\"verdict\":\"deny\"`, `\"verdict\":\"allow\"`, `shop.cfg: a table of`,
		`"isError":true`, `unknown tool drop`, `-32601`, `-32700`, `"id":"x","jsonrpc":"2.0","result":{}`,
	}
	if code != Pass || len(lines) != len(wants) {
		t.Fatalf("%d, %d replies: %s%s", code, len(lines), stdout, stderr)
	}
	for i, want := range wants {
		if !strings.Contains(lines[i], want) || !json.Valid([]byte(lines[i])) {
			t.Errorf("missing %s in %s", want, lines[i])
		}
	}
	// The schemas have every member that a call and an event may have.
	if n := strings.Count(lines[1], `"time":{`); n != 3 || strings.Count(lines[1], `"agent":{`) != 3 {
		t.Errorf("%d of 3 schemas have times and agents: %s", n, lines[1])
	}
}

// Two servers cannot use one journal, of which each would replace what the other one has written.
func TestJournalHasOneServer(t *testing.T) {
	folder(t, map[string]string{"shop.cfg": twoCalls})
	unlock, err := tryLock("shop.journal.lock")
	if err != nil {
		t.Fatal(err)
	}
	if stdout, stderr, code := stile("", "guard", "-journal", "shop.journal", "shop.cfg"); code != Error || stdout != "" || !strings.Contains(stderr, "the journal is in use: shop.journal.lock: another process has the lock") {
		t.Errorf("%d %s%s", code, stdout, stderr)
	}
	unlock()
	if unlock, err = tryLock("shop.journal.lock"); err != nil {
		t.Fatal(err)
	}
	unlock()
}
