package command

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/gate"
)

// toolServerEnv makes the test program an MCP server over stdio.
const toolServerEnv = "STILE_TEST_TOOL_SERVER"

func TestMain(m *testing.M) {
	if os.Getenv(toolServerEnv) != "" {
		lines := bufio.NewScanner(os.Stdin)
		for lines.Scan() {
			fmt.Println(toolAnswer(lines.Text()))
		}
		return
	}
	os.Exit(m.Run())
}

// toolAnswer is the answer of a server to a request: the name of the tool or of the method.
func toolAnswer(request string) string {
	var r struct {
		ID     json.RawMessage
		Method string
		Params struct{ Name string }
	}
	if err := json.Unmarshal([]byte(request), &r); err != nil {
		panic(err)
	}
	if r.Method != "tools/call" {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"method":%q}}`, r.ID, r.Method)
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"did %s"}]}}`, r.ID, r.Params.Name)
}

func callRPC(id, name string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":%q,"arguments":{"order":"A7"}}}`, id, name)
}

const modernRPC = `{"jsonrpc":"2.0","id":"m","method":"tools/call","params":{"name":"login","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`

// TestMCPProxyJudgesCalls: the server receives the allowed calls and all other messages.
func TestMCPProxyJudgesCalls(t *testing.T) {
	desk(t)
	var g guarding
	guard, err := g.open([]string{"spec"})
	if err != nil {
		t.Fatal(err)
	}
	run, err := newMCPRun(guard, gate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const forwarded = ""
	for _, c := range []struct{ message, answer string }{
		{`{"jsonrpc":"2.0","id":0,"method":"tools/list"}`, forwarded},
		{callRPC("1", "refund"), `{"id":1,"jsonrpc":"2.0","result":{"content":[{"text":"\"refund\" is not allowed here; allowed: \"login\"","type":"text"}],"isError":true}}`},
		{strings.Replace(modernRPC, "login", "logout", 1), `"resultType":"complete"`},
		{modernRPC, forwarded},
		{callRPC("2", "refund"), forwarded},
		{callRPC("3", "refund"), `violates the property`},
		{callRPC("4", "lоokup"), `unknown tool \"l\\u{43e}okup\"`},
		{`{"jsonrpc":"2.0","method":"tools/call","params":{"name":"lookup"}}`, "nothing"},
		{`{"jsonrpc":"2.0","id":null,"method":"tools/call","params":{"name":"lookup"}}`, "nothing"},
		{`[` + callRPC("5", "lookup") + `]`, `"code":-32600`},
		{`{"method":`, `"code":-32600`},
		{`{"id":6,"method":7}`, `"code":-32600`},
		{`{"id":7,"method":"tools/call","params":{"name":"lookup","Name":"refund"}}`, `unknown parameter`},
		{`{"id":8,"method":"tools/call","params":{"name":"lookup","arguments":{"a":1,"a":2}}}`, `malformed arguments`},
		{`{"id":9,"method":"tools/call"}`, `has no name`},
		{callRPC("10", "logout"), forwarded},
		{callRPC("10", "logout"), `waits for its answer`},
		{callRPC("11", "logout"), `no call may follow`},
	} {
		forward, answer := run.fromClient("", []byte(c.message))
		switch {
		case c.answer == forwarded:
			if forward == nil || answer != nil {
				t.Errorf("%s: answer %s", c.message, answer)
			} else if c.message != callRPC("10", "logout") {
				run.fromServer("", []byte(toolAnswer(string(forward))))
			}
		case c.answer == "nothing":
			if forward != nil || answer != nil {
				t.Errorf("%s: forwarded %s, answer %s", c.message, forward, answer)
			}
		case forward != nil || !strings.Contains(string(answer), c.answer):
			t.Errorf("%s: forwarded %s, answer %s", c.message, forward, answer)
		}
	}
}

// TestMCPProxyForwardsOneReading: a server that reads names without their case, or the first of
// two equal names, receives the judged call.
func TestMCPProxyForwardsOneReading(t *testing.T) {
	desk(t)
	var g guarding
	guard, err := g.open([]string{"spec"})
	if err != nil {
		t.Fatal(err)
	}
	for _, message := range []string{
		`{"id":1,"method":"tools/call","Method":"x","method":"tools/list"}`,
		`{"id":1,"METHOD":"tools/call","method":"tools/list","Params":{"name":"refund"}}`,
	} {
		run, err := newMCPRun(guard, gate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if forward, _ := run.fromClient("", []byte(message)); string(forward) != `{"jsonrpc":"2.0","id":1,"method":"tools/list"}` {
			t.Errorf("%s becomes %s", message, forward)
		}
	}
}

// TestMCPProxyContinuesCalls: a request that answers the server's questions is the same call.
func TestMCPProxyContinuesCalls(t *testing.T) {
	desk(t)
	var g guarding
	guard, err := g.open([]string{"spec"})
	if err != nil {
		t.Fatal(err)
	}
	run, err := newMCPRun(guard, gate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	again := `{"id":3,"method":"tools/call","params":{"name":%q,"requestState":"s","inputResponses":{}}}`
	if _, answer := run.fromClient("", fmt.Appendf(nil, again, "login")); answer != nil {
		t.Fatal(string(answer)) // the first request of a call may have such members
	}
	run.fromServer("", []byte(`{"id":3,"result":{"resultType":"input_required","inputRequests":{}}}`))
	if _, answer := run.fromClient("", fmt.Appendf(nil, again, "refund")); answer != nil {
		t.Fatal(string(answer))
	}
	run.fromServer("", []byte(`{"id":3,"error":{"code":-1,"message":"no"}}`))
	if _, answer := run.fromClient("", fmt.Appendf(nil, again, "login")); answer != nil {
		t.Fatal(string(answer))
	}
	run.fromServer("", []byte(`{"id":3,"result":{"resultType":"complete","content":[]}}`))
	if _, answer := run.fromClient("", fmt.Appendf(nil, again, "login")); !strings.Contains(string(answer), "not allowed here") {
		t.Fatal(string(answer))
	}
}

// TestMCPProxyStartsServers: the proxy connects the standard streams of client and server.
//
//stile:race
func TestMCPProxyStartsServers(t *testing.T) {
	desk(t)
	t.Setenv(toolServerEnv, "1")
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	out, errs, code := stile(callRPC("1", "lookup")+"\n"+callRPC("2", "login")+"\n\n", "mcp-proxy", "-log", "log.jsonl", "spec", "--", program)
	if code != Pass || strings.Count(out, "\n") != 2 || !strings.Contains(out, "not allowed here") || !strings.Contains(out, "did login") {
		t.Fatal(out, errs, code)
	}
	if text, err := os.ReadFile("log.jsonl"); err != nil || strings.Count(string(text), "\n") < 3 {
		t.Fatal(string(text), err)
	}
	for _, args := range [][]string{{"spec"}, {"--", program}, {"spec", "-url", "x", "--", program}, {"-url", "ftp://x", "spec"}, {"spec", "--", "./none"}} {
		if _, _, code := stile("", append([]string{"mcp-proxy"}, args...)...); code != Error {
			t.Errorf("%v has exit code %d", args, code)
		}
	}
}

// serving runs a proxy and returns its address.
func serving(t *testing.T, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	read, write := io.Pipe()
	done := make(chan int, 1)
	go func() {
		done <- Run(ctx, args, Streams{In: strings.NewReader(""), Out: write, Err: os.Stderr})
		_ = write.Close()
	}()
	t.Cleanup(func() {
		cancel()
		if code := <-done; code != Pass {
			t.Errorf("exit code %d", code)
		}
	})
	line, err := bufio.NewReader(read).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(strings.TrimPrefix(line, "listening on "))
}

// TestMCPProxyServesHTTP: answers are one value or a stream of events, each session is a run, and
// pages of other origins are refused.
//
//stile:race
func TestMCPProxyServesHTTP(t *testing.T) {
	desk(t)
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, err := io.ReadAll(r.Body)
		if err != nil || r.URL.Path != "/mcp" {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		if r.Method == http.MethodDelete {
			return
		}
		if strings.Contains(r.Header.Get("Accept"), "event-stream") {
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprintf(w, "event: message\r\ndata: %s\r\n\r\n", toolAnswer(string(text)))
			return
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, toolAnswer(string(text)))
	}))
	defer upstream.Close()
	address := serving(t, "mcp-proxy", "-url", upstream.URL+"/mcp", "spec")
	for _, c := range []struct{ method, session, accept, origin, body, want string }{
		{"POST", "", "", "", callRPC("1", "refund"), `\"refund\" is not allowed here`},
		{"POST", "", "", "", callRPC("1", "login"), "did login"},
		{"POST", "", "text/event-stream", "", callRPC("1", "refund"), "data: {"},
		{"POST", "", "", "", callRPC("1", "refund"), "violates the property"},
		{"POST", "s2", "", "", callRPC("1", "refund"), `not allowed here; allowed: \"login\"`},
		{"POST", "s2", "text/event-stream", "", callRPC("1", "login"), "did login"},
		{"POST", "s2", "", "http://localhost:1", callRPC("1", "refund"), "did refund"},
		{"POST", "s2", "", "https://evil.example", callRPC("2", "lookup"), "403"},
		{"DELETE", "s2", "", "", "", ""},
		{"POST", "s2", "", "", callRPC("3", "logout"), `not allowed here; allowed: \"login\"`},
		{"POST", "", "", "", "[]", "400"},
		{"POST", "", "", "", `{"method":"tools/call","params":{"name":"lookup"}}`, "400"},
	} {
		request, err := http.NewRequest(c.method, address, strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		for name, value := range map[string]string{"Mcp-Session-Id": c.session, "Accept": c.accept, "Origin": c.origin} {
			if value != "" {
				request.Header.Set(name, value)
			}
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		if got := response.Status + " " + string(text); !strings.Contains(got, c.want) {
			t.Errorf("%+v: %s", c, got)
		}
	}
	if response, err := http.Get(strings.TrimSuffix(address, "mcp") + "other"); err != nil || response.StatusCode != http.StatusNotFound {
		t.Error(response, err)
	}
}
