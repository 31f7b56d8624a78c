package command

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stile-playground/stile/core/gate"
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
	o := gate.Options{Clock: func() float64 { return now }, Log: func(line string) { log = append(log, line) }}
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
	expect("c", "login", 503, "the proxy has 3 runs, and each had a request in the last 1m0s") // a is idle for exactly a minute
	now++
	expect("c", "refund", 200, "not allowed here") // a new run, instead of a
	if want := []string{`ended the run of the session "a": idle for 61 s, and 3 runs are open`}; !slices.Equal(said, want) {
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
	const sessions = maxEnded + 2
	for i := range sessions {
		now += 2
		if err := run(fmt.Sprint(i)); err != nil {
			t.Fatal(i, err)
		}
	}
	if n := len(s.ended) + len(s.before); n > maxEnded || n < maxEnded/2 {
		t.Fatal(n, "names of ended runs")
	}
	if err := run(fmt.Sprint(sessions - 2)); err != errEnded {
		t.Fatal(err)
	}
}
