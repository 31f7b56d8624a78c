package command

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stile-playground/stile/core/gate"
	"github.com/stile-playground/stile/wasm/stile/sidecar"
)

// TestMCPProxyEndsIdleRuns: the least recently used run is ended if another one needs its place and it is idle by the clock;
// its client cannot begin it again, and the requests without a session always have their run.
func TestMCPProxyEndsIdleRuns(t *testing.T) {
	desk(t)
	var g guarding
	guard, err := g.open([]string{"spec"})
	if err != nil {
		t.Fatal(err)
	}
	now := 1000.0
	var said, log []string
	o := gate.Options{Clock: func() float64 { return now }, Log: func(line string) error {
		log = append(log, line)
		return nil
	}}
	s := newMCPServer(guard, o, "/mcp", "", time.Minute, func(line string) { said = append(said, line) })
	s.most = 3
	ask := func(session, name string) (status int, body string, forwarded bool) {
		r := httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(callRPC("1", name)))
		if session != "" {
			r.Header.Set("Mcp-Session-Id", session)
		}
		w := httptest.NewRecorder()
		if s.request(w, r) {
			x, _ := exchangeOf(r.Context())
			x.run.fromServer(x.scope, []byte(toolAnswer(callRPC("1", name))))
			return 0, "", true
		}
		return w.Code, w.Body.String(), false
	}
	expect := func(session, name string, status int, part string) {
		t.Helper()
		if got, body, forwarded := ask(session, name); got != status || !strings.Contains(body, part) || forwarded != (status == 0) {
			t.Fatalf("%s %s: status %d, %s", session, name, got, body)
		}
	}
	expect("", "login", 0, "")
	expect("a", "login", 0, "")
	now += 30
	expect("b", "login", 0, "")
	now += 30
	expect("c", "login", 503, "the proxy has 3 runs, and each had a message in the last 1m0s or waits for a result") // a is idle for exactly a minute
	now++
	expect("c", "refund", 200, "not allowed here") // a new run, instead of a
	if want := []string{`ended the run of the session with the hash ca978112ca1b: idle for 61 s, and 3 runs are open`}; !slices.Equal(said, want) {
		t.Fatal(said)
	}
	if !slices.ContainsFunc(log, func(line string) bool {
		return strings.Contains(line, `"op":"end"`) && strings.Contains(line, `"end.incomplete"`)
	}) {
		t.Fatal("the log lacks the end of the run", log)
	}
	expect("a", "login", 404, "was idle; begin another session")
	now++
	expect("b", "lookup", 0, "") // is not idle any more
	now += 30
	expect("d", "login", 503, "the proxy has 3 runs")
	now += 31
	expect("d", "login", 0, "") // instead of c, whose last request is earlier than that of b
	expect("c", "login", 404, "was idle")
	now += 1000
	expect("e", "login", 0, "")
	expect("f", "login", 0, "")
	expect("", "lookup", 0, "") // the run of the requests without a session is still the first one
	if len(s.runs) != 3 || len(said) != 4 {
		t.Fatal(len(s.runs), said)
	}
}

// lateBody is a body that arrives 61 seconds after its header.
type lateBody struct {
	*strings.Reader
	now *float64
}

func (b *lateBody) Read(p []byte) (int, error) {
	if int64(b.Len()) == b.Size() {
		*b.now += 61
	}
	return b.Reader.Read(p)
}

// idleProxy returns a proxy for two runs with a clock, and a function that sends a request with a header. The function returns
// the status and the text of a refusal, or 0 and a function that answers the request.
func idleProxy(t *testing.T, now *float64, header string) (*mcpServer, func(name, rpc string) (status int, text string, answer func(string))) {
	t.Helper()
	desk(t)
	var g guarding
	guard, err := g.open([]string{"spec"})
	if err != nil {
		t.Fatal(err)
	}
	s := newMCPServer(guard, gate.Options{Clock: func() float64 { return *now }}, "/mcp", header, time.Minute, func(string) {})
	s.most = 2
	return s, func(name, rpc string) (int, string, func(string)) {
		r := httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(rpc))
		r.Header.Set(s.header, name)
		w := httptest.NewRecorder()
		if !s.request(w, r) {
			return w.Code, w.Body.String(), nil
		}
		return 0, "", func(text string) {
			answer := &http.Response{Request: r, StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(&lateBody{strings.NewReader(text), now})}
			if err := s.response(answer); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestMCPProxyKeepsRunsThatWait: a run with a call that has no result, or that waits for input of the client, is not ended until
// the call is lost; after its result, it is idle again.
func TestMCPProxyKeepsRunsThatWait(t *testing.T) {
	input := `{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{},"content":[]}}`
	for _, asked := range []bool{false, true} {
		now := 1000.0
		s, send := idleProxy(t, &now, "")
		refused := func(name string) bool {
			status, text, _ := send(name, callRPC("1", "login"))
			return status == 503 && strings.Contains(text, "or waits for a result")
		}
		status, text, answer := send("a", callRPC("1", "login"))
		if status != 0 {
			t.Fatal(status, text)
		}
		if asked {
			answer(input)
		}
		now += 50
		if status, text, _ := send("b", callRPC("1", "login")); status != 0 { // remains without a result
			t.Fatal(status, text)
		}
		now += 120
		if !refused("c") {
			t.Fatal("a run that waits is ended")
		}
		if asked {
			if status, text, answer = send("a", strings.Replace(callRPC("2", "login"), `"params":{`, `"params":{"inputResponses":{},`, 1)); status != 0 {
				t.Fatal(status, text)
			}
			now += 120
			if !refused("c") {
				t.Fatal("a run with a continued call is ended")
			}
			answer(toolAnswer(callRPC("2", "login")))
		} else {
			answer(toolAnswer(callRPC("1", "login")))
		}
		if !refused("c") {
			t.Fatal("a run with a message just now is ended")
		}
		if status, text, answer = send("a", callRPC("3", "lookup")); status != 0 {
			t.Fatal("the run did not continue:", status, text)
		}
		answer(toolAnswer(callRPC("3", "lookup")))
		now += 61
		if status, text, answer = send("c", callRPC("1", "login")); status != 0 || s.runs["b"] == nil || s.runs["a"] != nil {
			t.Fatal("an idle run is kept:", status, text)
		}
		answer(toolAnswer(callRPC("1", "login")))
		send("c", callRPC("2", "lookup"))
		if now = s.runs["b"].used + lostAfter.Seconds(); !refused("d") {
			t.Fatal("a run that waits for a day is ended")
		}
		now++
		if status, text, _ = send("d", callRPC("1", "login")); status != 0 || s.runs["b"] != nil {
			t.Fatal("the run of a lost call is kept:", status, text)
		}
	}
}

// TestMCPProxyKeepsRunsOfAHeader: the run of a name that the client cannot choose is not ended within a day of its last message, so
// that it is neither locked out nor begun again; another name is refused, with the reason. After a day without a message it makes
// room, and its name begins another run.
func TestMCPProxyKeepsRunsOfAHeader(t *testing.T) {
	now := 1000.0
	s, send := idleProxy(t, &now, "X-User")
	for _, name := range []string{"alice", "bob"} {
		if status, text, answer := send(name, callRPC("1", "login")); status != 0 {
			t.Fatal(status, text)
		} else {
			answer(toolAnswer(callRPC("1", "login")))
		}
	}
	now = s.runs["alice"].used + lostAfter.Seconds()
	if status, text, _ := send("carol", callRPC("1", "login")); status != 503 || !strings.Contains(text, `the proxy has 2 runs, and that of each value of the header "X-User" had a message in the last 24h0m0s`) {
		t.Fatal(status, text)
	}
	if status, text, _ := send("alice", callRPC("2", "login")); status != 200 || !strings.Contains(text, "not allowed here") {
		t.Fatal("the run of alice does not continue:", status, text)
	}
	if status, text, _ := send("alice", callRPC("3", "lookup")); status != 0 { // remains without a result
		t.Fatal(status, text)
	}
	now++
	if now <= s.runs["bob"].used+lostAfter.Seconds() {
		now = s.runs["bob"].used + lostAfter.Seconds() + 1
	}
	if status, text, _ := send("carol", callRPC("1", "login")); status != 0 || s.runs["bob"] != nil || s.runs["alice"] == nil {
		t.Fatal("the run of bob does not make room:", status, text)
	}
	now = s.runs["alice"].used + lostAfter.Seconds() + 1
	if status, text, _ := send("bob", callRPC("1", "login")); status != 0 || s.runs["alice"] != nil {
		t.Fatal("the name of an ended run is refused:", status, text)
	}
	now += lostAfter.Seconds() + 1
	if s.header = "mcp-session-id"; s.makeRoom() != nil {
		t.Error("the name of the header of sessions is compared with capitals")
	}
}

// TestMCPProxyRemembersEndedRuns: the names of ended runs take bounded memory.
func TestMCPProxyRemembersEndedRuns(t *testing.T) {
	desk(t)
	var g guarding
	guard, err := g.open([]string{"spec"})
	if err != nil {
		t.Fatal(err)
	}
	now := 0.0
	s := newMCPServer(guard, gate.Options{Clock: func() float64 { return now }}, "/mcp", "", time.Second, func(string) {})
	s.most = 1
	run := func(session string) error {
		r := httptest.NewRequest(http.MethodPost, "/mcp", nil)
		r.Header.Set("Mcp-Session-Id", session)
		_, _, err := s.run(r)
		return err
	}
	const sessions = sidecar.MaxEnded + 2
	for i := range sessions {
		now += 2
		if err := run(fmt.Sprint(i)); err != nil {
			t.Fatal(i, err)
		}
	}
	if n := s.ended.Len(); n > sidecar.MaxEnded || n < sidecar.MaxEnded/2 {
		t.Fatal(n, "names of ended runs")
	}
	if err := run(fmt.Sprint(sessions - 2)); err != errEnded {
		t.Fatal(err)
	}
}
