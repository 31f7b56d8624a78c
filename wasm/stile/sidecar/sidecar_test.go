package sidecar

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/gate"
	"github.com/stile-playground/stile/core/gate/compile"
	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/workspace"
)

// TestMain serves a guard instead of the tests in the process that [TestKilledServerLosesNothing]
// kills.
func TestMain(m *testing.M) {
	if path := os.Getenv("STILE_TEST_SIDECAR"); path != "" {
		text, err := os.ReadFile(filepath.Join(path, "shop.guard"))
		var s *Server
		if err == nil {
			s, err = logging(path)(string(text))
		}
		var listener net.Listener
		if err == nil {
			listener, err = net.Listen("tcp", "127.0.0.1:0")
		}
		if err == nil {
			fmt.Println(listener.Addr())
			err = http.Serve(listener, s)
		}
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// logging returns a function that makes a server with the journal and the log of a folder.
func logging(folder string) func(text string) (*Server, error) {
	return func(text string) (*Server, error) {
		file, err := os.OpenFile(filepath.Join(folder, "log"), os.O_APPEND|os.O_CREATE|os.O_RDWR, 0o600)
		if err != nil {
			return nil, err
		}
		o := Options{Journal: filepath.Join(folder, "journal"), Any: true}
		if o.Last, err = LastLine(file); err != nil {
			return nil, err
		}
		o.Log = func(line string) error {
			_, err := file.WriteString(line + "\n")
			return err
		}
		return New(text, o)
	}
}

const loop = "S -> login work\nwork -> lookup work | refund work | logout\n"

func guardOf(t *testing.T, files ...string) string {
	t.Helper()
	var list []workspace.File
	for i := 0; i < len(files); i += 2 {
		list = append(list, workspace.File{Name: files[i], Text: files[i+1]})
	}
	file, err := compile.Compile(language.Table(), list, compile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	text, err := compile.Text(file)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func open(t *testing.T, text string, o Options) *Server {
	t.Helper()
	s, err := New(text, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// post sends a request and returns the decision.
func post(t *testing.T, h http.Handler, path, body string) (int, gate.Decision) {
	t.Helper()
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
	r.Host = "127.0.0.1:80"
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	var d gate.Decision
	if err := json.Unmarshal(w.Body.Bytes(), &d); err != nil {
		t.Fatalf("%s: %v: %s", path, err, w.Body)
	}
	return w.Code, d
}

func get(h http.Handler, path string) string {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.Host = "localhost"
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Body.String()
}

func TestSessionsAreJudged(t *testing.T) {
	s := open(t, guardOf(t, "shop.cfg", loop, "shop.ltl", "calm: G(refund -> X !refund)\n"), Options{})
	for _, c := range []struct {
		path, body string
		verdict    gate.Verdict
		code       string
	}{
		{"/sessions/a/allow", `{"name":"refund","id":"1"}`, gate.Deny, "order.call"},
		{"/sessions/a/allow", `{"name":"login","id":"1"}`, gate.Allow, "ok"},
		{"/sessions/b/allow", `{"name":"lookup"}`, gate.Deny, "order.call"},
		{"/sessions/a/record", `{"kind":"result","id":"1","content":{"ok":true}}`, gate.Allow, "ok"},
		{"/sessions/a/allow", `{"name":"refund","id":"2","arguments":{"order":7}}`, gate.Allow, "ok"},
		{"/sessions/a/cancel", `{"id":"2"}`, gate.Allow, "ok"},
		{"/sessions/a/cancel", `{"id":"2"}`, gate.Deny, "cancel"},
		{"/sessions/a/allow", `{"name":"refund","id":"3"}`, gate.Allow, "ok"},
		{"/sessions/a/allow", `{"name":"refund","id":"4"}`, gate.Deny, "property"},
		{"/sessions/a/end", ``, gate.Deny, "end.incomplete"},
		{"/sessions/a/allow", `{"name":"logout"}`, gate.Deny, "session.ended"},
	} {
		if status, d := post(t, s, c.path, c.body); status != http.StatusOK || d.Verdict != c.verdict || d.Code != c.code {
			t.Errorf("%s %s: %d %+v", c.path, c.body, status, d)
		}
	}
}

func TestOtherRequestsAreRefused(t *testing.T) {
	s := open(t, guardOf(t, "shop.cfg", loop), Options{})
	for _, c := range []struct{ about, host, kind, path, body string }{
		{"a page of the web", "evil.example", "application/json", "/sessions/a/allow", `{"name":"login"}`},
		{"a form", "127.0.0.1", "text/plain", "/sessions/a/allow", `{"name":"login"}`},
		{"duplicate names", "localhost:80", "application/json", "/sessions/a/allow", `{"name":"refund","name":"login"}`},
		{"an unknown member", "[::1]:80", "application/json", "/sessions/a/allow", `{"name":"login","permit":true}`},
		{"no JSON", "127.0.0.1", "application/json", "/sessions/a/allow", `login`},
		{"a list", "127.0.0.1", "application/json", "/sessions/a/allow", `[]`},
		{"a large request", "127.0.0.1", "application/json", "/sessions/a/allow", `{"name":"login","content":"` + strings.Repeat("x", maxBody) + `"}`},
		{"a long name", "127.0.0.1", "application/json", "/sessions/" + strings.Repeat("a", 200) + "/allow", `{"name":"login"}`},
	} {
		r := httptest.NewRequest(http.MethodPost, c.path, strings.NewReader(c.body))
		r.Host = c.host
		r.Header.Set("Content-Type", c.kind)
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if w.Code < 400 || !strings.Contains(w.Body.String(), `"verdict":"fault"`) {
			t.Errorf("%s: %d %s", c.about, w.Code, w.Body)
		}
	}
	if len(s.sessions) != 0 {
		t.Errorf("%d sessions", len(s.sessions))
	}
}

// A server that resumes after any answer has the sessions of the one before, also if the journal
// ends within a line.
func TestJournalHasEveryAnswer(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	text := guardOf(t, "shop.cfg", loop, "pairs.cfg", "S -> login S logout S | lookup S | refund S | ε\n")
	name := filepath.Join(t.TempDir(), "journal")
	s := open(t, text, Options{Journal: name})
	tools := []string{"login", "lookup", "refund", "logout"}
	for i := range 120 {
		id := fmt.Sprint("s", r.IntN(4))
		op, e := "allow", gate.Event{Name: tools[r.IntN(4)], ID: fmt.Sprint("c", i)}
		switch r.IntN(12) {
		case 0:
			op = "cancel"
		case 1:
			op, e = "record", gate.Event{Kind: "message", Name: "user", Content: "x"}
		case 2:
			op, e = "end", gate.Event{}
		}
		if _, err := s.Decide(id, op, e); err != nil {
			t.Fatal(err)
		}
		if i%3 > 0 {
			continue
		}
		copied := filepath.Join(t.TempDir(), "copy")
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		data = append(data, `{"s":"s0","o":"al`...)
		if err := os.WriteFile(copied, data, 0o600); err != nil {
			t.Fatal(err)
		}
		again := open(t, text, Options{Journal: copied})
		for id, e := range s.sessions {
			if got := again.sessions[id]; got == nil || got.Save() != e.Save() {
				t.Fatalf("event %d: session %s: %+v", i, id, got)
			}
		}
		if len(again.finished) != len(s.finished) {
			t.Fatalf("event %d: %v, want %v", i, again.finished, s.finished)
		}
	}
}

// A journal with another line than those that were written opens no server.
func TestDamagedJournalIsRefused(t *testing.T) {
	text := guardOf(t, "shop.cfg", loop)
	name := filepath.Join(t.TempDir(), "journal")
	s := open(t, text, Options{Journal: name})
	for _, tool := range []string{"login", "lookup"} {
		if _, err := s.Decide("a", "allow", gate.Event{Name: tool}); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(data), "\n")
	for about, damaged := range map[string]string{
		"no guard": strings.Join(lines[1:], ""), "no beginning": strings.Join(lines[:2], "") + strings.Join(lines[3:], ""), "no JSON": "x\n" + string(data), "another member": `{"o":"guard","x":1}` + "\n",
		"another guard": strings.Replace(string(data), s.guard.Hash, gate.Sum(""), 1), "another operation": string(data) + `{"s":"a","o":"permit"}` + "\n",
	} {
		if err := os.WriteFile(name, []byte(damaged), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := New(text, Options{Journal: name}); err == nil {
			t.Errorf("%s: a server", about)
		}
	}
}

// A session moves to new specs that permit its run, and otherwise keeps its own; also across a
// restart.
func TestReloadKeepsSessions(t *testing.T) {
	before := guardOf(t, "shop.cfg", "S -> login lookup logout | login refund logout logout\n")
	after := guardOf(t, "shop.cfg", "S -> login lookup logout | login drop logout\n")
	name := filepath.Join(t.TempDir(), "journal")
	s := open(t, before, Options{Journal: name})
	decide := func(id, tool string, want gate.Verdict) {
		t.Helper()
		d, err := s.Decide(id, "allow", gate.Event{Name: tool})
		if err != nil || d.Verdict != want {
			t.Errorf("%s %s: %+v, %v", id, tool, d, err)
		}
	}
	decide("new", "login", gate.Allow) // both specs permit this run
	decide("old", "login", gate.Allow)
	decide("old", "refund", gate.Allow) // and this one only the first
	const difference = `shop.cfg: in the run "login" "refund", step 2 is not permitted by the new specs`
	s.options.Strict = true
	if _, err := s.Reload(specs(after)); err == nil || err.Error() != "open sessions that cannot move to the new specs: 1\n  1 of them, such as \"old\": "+difference || s.guard.Hash != gate.Sum(before) {
		t.Error(err)
	}
	s.options.Strict = false
	r, err := s.Reload(specs(after))
	if err != nil || r.Moved != 1 || r.Kept != 1 || len(r.Groups) != 1 || r.Groups[0].Text != difference || r.Groups[0].Example != "old" {
		t.Errorf("%s: %v", r, err)
	}
	if health := get(s, "/healthz"); !strings.Contains(health, `"kept":[{"sessions":1,"example":"old","difference":{"rule":"shop.cfg","run":["login","refund"],"step":1,`) {
		t.Error(health)
	}
	decide("new", "refund", gate.Deny)
	decide("old", "drop", gate.Deny)
	decide("fresh", "login", gate.Allow)
	s = open(t, after, Options{Journal: name})
	decide("fresh", "refund", gate.Deny)
	decide("new", "drop", gate.Allow)
	decide("old", "logout", gate.Allow)
	decide("old", "logout", gate.Allow)
	s = open(t, before, Options{Journal: name})
	decide("new", "logout", gate.Allow) // this spec does not permit its run
	if _, err := s.Reload(specs("{}")); err == nil || s.guard.Hash != gate.Sum(before) {
		t.Error("a damaged guard is loaded")
	}
}

// specs returns the read function of a reload.
func specs(text string) func() (string, error) { return func() (string, error) { return text, nil } }

// Each result of a reload is counted, and the reason of a failed one is in the health until another one succeeds.
func TestReloadsAreReported(t *testing.T) {
	first, second := guardOf(t, "shop.cfg", loop), guardOf(t, "shop.cfg", "S -> login\n")
	unread := func() (string, error) { return "", errors.New("shop.cfg: \"no\" file\x01") }
	s := open(t, first, Options{Journal: filepath.Join(t.TempDir(), "journal")})
	for _, c := range []struct {
		about   string
		read    func() (string, error)
		outcome string
		refused string
		metric  string
	}{
		{"equal", specs(first), "unchanged: " + gate.Sum(first), "", `unchanged"} 1`},
		{"unread", unread, "", "shop.cfg: \"no\" file\x01", `error"} 1`},
		{"no guard", specs("{}"), "", "guard", `error"} 2`},
		{"new", specs(second), "loaded " + gate.Sum(second) + ": 0 sessions moved to the new specs, 0 keep the earlier ones", "", `ok"} 1`},
		{"unread again", unread, "", "shop.cfg: \"no\" file\x01", `error"} 3`},
		{"equal again", specs(second), "unchanged: " + gate.Sum(second), "", `unchanged"} 2`},
	} {
		r, err := s.Reload(c.read)
		if (err != nil) != (c.refused != "") || err == nil && r.String() != c.outcome {
			t.Errorf("%s: %s, %v", c.about, r, err)
		}
		var got health
		if err := json.Unmarshal([]byte(get(s, "/healthz")), &got); err != nil || got.Status != "ok" || (got.Refused == "") != (c.refused == "") || !strings.Contains(got.Refused, c.refused) {
			t.Errorf("%s: %+v, %v", c.about, got, err)
		}
		if metrics := get(s, "/metrics"); !strings.Contains(metrics, `stile_guard_reloads_total{result="`+c.metric+"\n") {
			t.Errorf("%s: missing %s in %s", c.about, c.metric, metrics)
		}
	}
}

func TestSessionsAreBounded(t *testing.T) {
	s := open(t, guardOf(t, "shop.cfg", loop), Options{Sessions: 2})
	for _, id := range []string{"a", "b"} {
		if _, err := s.Decide(id, "allow", gate.Event{Name: "login"}); err != nil {
			t.Fatal(err)
		}
	}
	if status, d := post(t, s, "/sessions/c/allow", `{"name":"login"}`); status != http.StatusServiceUnavailable || d.Verdict != gate.Fault {
		t.Errorf("%d %+v", status, d)
	}
	if _, err := s.Decide("a", "end", gate.Event{}); err != nil {
		t.Fatal(err)
	}
	if status, d := post(t, s, "/sessions/c/allow", `{"name":"login"}`); status != http.StatusOK || d.Verdict != gate.Allow {
		t.Errorf("%d %+v", status, d)
	}
	if len(s.sessions) != 2 {
		t.Errorf("%d sessions", len(s.sessions))
	}
}

func TestMetricsAndHealth(t *testing.T) {
	s := open(t, guardOf(t, "shop.cfg", loop), Options{Journal: filepath.Join(t.TempDir(), "journal")})
	post(t, s, "/sessions/a/allow", `{"name":"login"}`)
	post(t, s, "/sessions/a/allow", `{"name":"login"}`)
	for path, want := range map[string][]string{
		"/metrics":         {"# TYPE stile_guard_decisions_total counter\n", `stile_guard_decisions_total{verdict="allow"} 1`, `stile_guard_decisions_total{verdict="deny"} 1`, "stile_guard_decision_seconds_count 2", "stile_guard_sessions 1"},
		"/healthz":         {`"status":"ok"`, `"kept":[]`, gate.Sum(guardOf(t, "shop.cfg", loop))},
		"/sessions/a/next": {`"next":["lookup","refund","logout"]`},
	} {
		body := get(s, path)
		for _, part := range want {
			if !strings.Contains(body, part) {
				t.Errorf("%s: missing %q in %s", path, part, body)
			}
		}
	}
	if err := s.journal.file.Close(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if status, d := post(t, s, "/sessions/a/allow", `{"name":"lookup"}`); status != http.StatusServiceUnavailable || d.Verdict == gate.Allow {
			t.Errorf("without a journal: %d %+v", status, d)
		}
	}
}

// BenchmarkServer measures decisions of concurrent clients over HTTP on this machine.
func BenchmarkServer(b *testing.B) {
	file, err := compile.Compile(language.Table(), []workspace.File{{Name: "shop.cfg", Text: loop}}, compile.Options{})
	if err != nil {
		b.Fatal(err)
	}
	text, err := compile.Text(file)
	if err != nil {
		b.Fatal(err)
	}
	s, err := New(text, Options{Journal: filepath.Join(b.TempDir(), "journal")})
	if err != nil {
		b.Fatal(err)
	}
	server := httptest.NewServer(s)
	defer server.Close()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	b.ResetTimer()
	b.SetParallelism(8)
	b.RunParallel(func(pb *testing.PB) {
		id := fmt.Sprint(rand.Uint64())
		for pb.Next() {
			reply, err := client.Post(server.URL+"/sessions/"+id+"/allow", "application/json", strings.NewReader(`{"name":"refund","arguments":{"order":7}}`))
			if err != nil {
				b.Error(err)
				return
			}
			_, _ = io.Copy(io.Discard, reply.Body)
			_ = reply.Body.Close()
		}
	})
}

// Rules with windows judge events that the client did not time by the server's clock; the journal
// contains the times, so that a restarted server has the same state at any hour.
func TestEventsHaveTheTimeOfTheClock(t *testing.T) {
	text := guardOf(t, "a.rules", "window: refund() -> once[10m] approve()\n")
	name := filepath.Join(t.TempDir(), "journal")
	now := 1_000.0
	clock := func() float64 { return now }
	s := open(t, text, Options{Journal: name, Clock: clock})
	allow := func(s *Server, tool, id string) gate.Verdict {
		t.Helper()
		_, d := post(t, s, "/sessions/a/allow", `{"name":"`+tool+`","id":"`+id+`"}`)
		return d.Verdict
	}
	if v := allow(s, "refund", "1"); v != gate.Deny {
		t.Errorf("without an approval: %s", v)
	}
	if v := allow(s, "approve", "2"); v != gate.Allow {
		t.Error(v)
	}
	now += 600
	if v := allow(s, "refund", "3"); v != gate.Allow {
		t.Errorf("after 600 seconds: %s", v)
	}
	now += 1_000_000
	again := open(t, text, Options{Journal: name, Clock: clock})
	if got, want := again.sessions["a"].Save(), s.sessions["a"].Save(); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if v := allow(again, "refund", "4"); v != gate.Deny {
		t.Errorf("long after: %s", v)
	}
}
