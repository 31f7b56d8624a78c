package sidecar

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/gate"
)

// restarted is a server whose process is killed and started again with a journal and a log.
type restarted struct {
	*testing.T
	guard, journal, log string
	full                bool // the log cannot be written
}

// start returns a server with options, as after a kill.
func (r *restarted) start(o Options) (*Server, error) {
	r.Helper()
	o.Journal, o.Any = r.journal, true
	file, err := os.OpenFile(r.log, os.O_APPEND|os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		r.Fatal(err)
	}
	r.Cleanup(func() { _ = file.Close() })
	if o.Last, err = LastLine(file); err != nil {
		r.Fatal(err)
	}
	if o.Clock == nil { // the option of a server without a log
		o.Log = func(line string) error {
			if r.full {
				return errors.New("no space left")
			}
			_, err := file.WriteString(line + "\n")
			return err
		}
	}
	return New(r.guard, o)
}

func (r *restarted) must(o Options) *Server {
	r.Helper()
	s, err := r.start(o)
	if err != nil {
		r.Fatal(err)
	}
	return s
}

func (r *restarted) refused(o Options, part string) {
	r.Helper()
	before := r.read(r.log)
	if _, err := r.start(o); err == nil || !strings.Contains(err.Error(), part) {
		r.Errorf("the server starts: %v; expected %q", err, part)
	}
	if r.read(r.log) != before {
		r.Error("a server that does not start changes the log")
	}
}

func (r *restarted) read(name string) string {
	r.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		r.Fatal(err)
	}
	return string(text)
}

func (r *restarted) write(name, text string) {
	r.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		r.Fatal(err)
	}
}

func (r *restarted) call(s *Server, id, name, call string) {
	r.Helper()
	d, err := s.Decide(id, "allow", gate.Event{Name: name, ID: call, Arguments: `{"order":7}`})
	if err != nil || d.Verdict != gate.Allow {
		r.Fatal(d, err)
	}
	if d, err = s.Decide(id, "record", gate.Event{Kind: "result", ID: call, Content: "x"}); err != nil || d.Verdict != gate.Allow {
		r.Fatal(d, err)
	}
}

// lines checks that each session of the log has the numbers 1, 2, … and the hash of its line before.
func (r *restarted) lines(want int) {
	r.Helper()
	last, count := map[string]string{}, 0
	numbers := map[string]int{}
	for line := range strings.Lines(r.read(r.log)) {
		id, text, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		numbers[id]++
		count++
		prev, ok := last[id]
		if !ok {
			g, err := gate.Read(r.guard)
			if err != nil {
				r.Fatal(err)
			}
			prev = g.Hash
		}
		if head := strings.Split(text, ","); head[0] != `{"n":`+strconv.Itoa(numbers[id]) || head[1] != `"prev":"`+prev+`"` {
			r.Errorf("line %d of the log does not continue the chain: %s", count, text)
		}
		last[id] = gate.Sum(text)
	}
	if count != want {
		r.Errorf("the log has %d lines; expected %d", count, want)
	}
}

func restarting(t *testing.T) *restarted {
	folder := t.TempDir()
	return &restarted{T: t, guard: guardOf(t, "loop.cfg", loop), journal: filepath.Join(folder, "journal"), log: filepath.Join(folder, "log")}
}

// TestRestartKeepsTheChain: a server that was killed refuses other options, which would write other lines than those of the
// log, and a server whose states were stored accepts them.
func TestRestartKeepsTheChain(t *testing.T) {
	r := restarting(t)
	r.call(r.must(Options{}), "7", "login", "1")
	noLog := Options{Clock: func() float64 { return 0 }}
	for about, o := range map[string]Options{"redact": {Redact: []string{"order"}}, "no log": noLog} {
		t.Log(about)
		r.refused(o, "previous -mode, -redact, -log and version")
	}
	s := r.must(Options{}) // with the same options
	r.call(s, "7", "lookup", "2")
	r.refused(Options{Redact: []string{"order"}}, "previous -mode, -redact")
	if err := s.Store(); err != nil {
		t.Fatal(err)
	}
	s = r.must(Options{Redact: []string{"order"}})
	r.call(s, "7", "lookup", "3")
	r.lines(6)
	if text := r.read(r.log); strings.Count(text, `"order":7`) != 2 {
		t.Error("the last call shows its order", text)
	}
}

// TestRestartKeepsDecisions: another mode of a rule would change the decisions that were answered.
func TestRestartKeepsDecisions(t *testing.T) {
	r := restarting(t)
	shadow := Options{Modes: map[string]gate.Mode{"loop.cfg": "shadow"}}
	r.call(r.must(shadow), "7", "lookup", "1") // not permitted by the order
	r.refused(Options{}, "previous -mode")
	if err := r.must(shadow).Store(); err != nil {
		t.Fatal(err)
	}
	r.must(Options{})
	r.lines(2)
}

// TestRestartAfterALostLine: the line that a killed server had not written is written once, for each position of the kill.
func TestRestartAfterALostLine(t *testing.T) {
	r := restarting(t)
	s := r.must(Options{})
	r.call(s, "a", "login", "1")
	r.call(s, "b", "login", "1")
	r.call(s, "a", "lookup", "2")
	whole := r.read(r.log)
	lines := strings.SplitAfter(strings.TrimSuffix(whole, "\n"), "\n")
	r.write(r.log, strings.Join(lines[:len(lines)-1], ""))
	for range 2 { // the second start adds nothing
		s = r.must(Options{})
		r.lines(6)
	}
	if r.read(r.log) != whole {
		t.Error("the missing line differs")
	}
	r.call(s, "b", "logout", "2")
	r.lines(8)
}

// TestRestartWithAnOlderJournal: a journal that is older than the log would write lines that the log has.
func TestRestartWithAnOlderJournal(t *testing.T) {
	const other = "the journal does not match the last line of the log"
	r := restarting(t)
	s := r.must(Options{})
	empty := r.read(r.journal)
	r.call(s, "7", "login", "1")
	first := r.read(r.journal)
	r.call(s, "7", "lookup", "2")
	second, log := r.read(r.journal), r.read(r.log)
	for _, older := range []string{empty, first} {
		r.write(r.journal, older)
		r.refused(Options{}, other)
	}
	r.write(r.journal, second)
	r.write(r.log, log[:strings.Index(log, "\n")+1]) // the log is older by more than an event
	r.refused(Options{}, other)
	r.write(r.log, log)
	r.call(r.must(Options{}), "7", "lookup", "3")
	r.lines(6)
	r.write(r.log, "") // moved elsewhere
	r.must(Options{})
	if text := r.read(r.log); text != "" {
		t.Error("a new log has lines of the earlier one", text)
	}
}

// downgrade changes the journal to one of an earlier version.
func (r *restarted) downgrade() {
	r.Helper()
	var older strings.Builder
	for line := range strings.Lines(r.read(r.journal)) {
		if !strings.Contains(line, `"o":"log"`) {
			if at := strings.Index(line, `,"v":`); at >= 0 {
				line = line[:at] + "}\n"
			}
			older.WriteString(line)
		}
	}
	r.write(r.journal, older.String())
}

// TestJournalsOfEarlierVersions: a journal without verdicts is resumed, and its missing line is written.
func TestJournalsOfEarlierVersions(t *testing.T) {
	r := restarting(t)
	r.call(r.must(Options{}), "7", "login", "1")
	r.downgrade()
	log := r.read(r.log)
	r.write(r.log, log[:strings.Index(log, "\n")+1])
	for i, name := range []string{"login", "lookup"} {
		r.call(r.must(Options{}), "8", name, strconv.Itoa(i))
	}
	r.lines(6)
}

// TestRestartBeforeTheNextEvent: a journal that does not name the last line of the log is resumed several times before an event
// is logged: one of an earlier version with states or with events whose last line is in the log, and one of a server without a log.
func TestRestartBeforeTheNextEvent(t *testing.T) {
	noLog := Options{Clock: func() float64 { return 0 }}
	for _, c := range []struct {
		name    string
		prepare func(r *restarted)
		lines   int
	}{
		{"states", func(r *restarted) {
			s := r.must(Options{})
			r.call(s, "7", "login", "1")
			if err := s.Store(); err != nil {
				r.Fatal(err)
			}
			r.downgrade()
		}, 4},
		{"events", func(r *restarted) {
			r.call(r.must(Options{Redact: []string{"order"}}), "7", "login", "1")
			r.downgrade()
			lines := strings.SplitAfter(r.read(r.log), "\n") // the line of another option differs
			r.write(r.log, lines[0]+strings.Replace(lines[1], "record", "record ", 1))
		}, 0},
		{"no log", func(r *restarted) {
			r.call(r.must(Options{}), "7", "login", "1")
			log := r.read(r.log)
			r.write(r.log, "")
			r.journal += "2"
			s := r.must(noLog)
			r.call(s, "8", "login", "1")
			if err := s.Store(); err != nil {
				r.Fatal(err)
			}
			r.write(r.log, log)
		}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := restarting(t)
			c.prepare(r)
			log := r.read(r.log)
			for range 3 {
				r.must(Options{})
			}
			if r.read(r.log) != log {
				t.Error("a start changes the log")
			}
			r.call(r.must(Options{}), "9", "login", "1")
			if r.must(Options{}); c.lines > 0 {
				r.lines(c.lines)
			}
			r.write(r.log, log) // without the last event
			r.refused(Options{}, "the journal does not match the last line of the log")
		})
	}
}

// TestNothingIsPermittedWithoutItsLogLine: after a line that cannot be written, every event is refused, and the next start writes it.
func TestNothingIsPermittedWithoutItsLogLine(t *testing.T) {
	const fault = "the log cannot be written: no space left"
	for _, kept := range []bool{true, false} {
		r := restarting(t)
		s := r.must(Options{})
		r.call(s, "7", "login", "1")
		r.full = true
		if code, d := post(t, s, "/sessions/7/allow", `{"name":"lookup","id":"2"}`); code != 503 || d.Verdict != gate.Fault || d.Reason != fault {
			t.Fatal(code, d)
		}
		r.refused(Options{}, fault) // still full
		r.full = false
		if code, d := post(t, s, "/sessions/8/allow", `{"name":"login","id":"1"}`); code != 503 || d.Reason != fault {
			t.Fatal(code, d)
		}
		if text := get(s, "/healthz"); !strings.Contains(text, fault) {
			t.Fatal(text)
		}
		if kept { // the end by SIGTERM
			if err := s.Store(); err == nil || err.Error() != fault {
				t.Fatal(err)
			}
		}
		s = r.must(Options{})
		r.lines(3)
		if d, err := s.Decide("7", "record", gate.Event{Kind: "result", ID: "2", Content: "x"}); err != nil || d.Verdict != gate.Allow {
			t.Fatal(d, err)
		}
		r.must(Options{})
		r.lines(4)
	}
}

// A session that ended and made room does not begin again, also after a restart, and after the journal was written again.
func TestDroppedSessionsStayEnded(t *testing.T) {
	name := filepath.Join(t.TempDir(), "journal")
	text := guardOf(t, "shop.cfg", "S -> login\n")
	s := open(t, text, Options{Journal: name, Sessions: 1})
	decide := func(id, op string, verdict gate.Verdict, code string) {
		t.Helper()
		if d, err := s.Decide(id, op, gate.Event{Name: "login"}); err != nil || d.Verdict != verdict || d.Code != code {
			t.Errorf("%s %s: %+v, %v", id, op, d, err)
		}
	}
	for _, id := range []string{"7", "8", "9"} { // each one makes room for the next one
		decide(id, "allow", gate.Allow, "ok")
		decide(id, "end", gate.Allow, "ok")
	}
	refused := func() {
		t.Helper()
		for _, id := range []string{"7", "8", "9"} {
			for op := range operations {
				if op != "discard" && op != "cancel" && op != "record" { // which refuse in other ways while the session is kept
					decide(id, op, gate.Deny, "session.ended")
				}
			}
		}
	}
	refused()
	s = open(t, text, Options{Journal: name, Sessions: 1}) // from the lines of the journal
	refused()
	s = open(t, text, Options{Journal: name, Sessions: 1}) // from the journal that was written again
	refused()
	decide("10", "allow", gate.Allow, "ok")
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	damaged := strings.Replace(string(data), `"o":"ended","t":"`, `"o":"ended","t":"0`, 1)
	if damaged == string(data) {
		t.Fatal(damaged)
	}
	if err := os.WriteFile(name, []byte(damaged), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := New(text, Options{Journal: name}); err == nil {
		t.Error("a server with a damaged list of ended sessions")
	}
}

// The list of ended sessions is bounded.
func TestEndedNamesAreBounded(t *testing.T) {
	var e Ended
	for i := range 2*MaxEnded + 7 {
		e.Add(strconv.Itoa(i))
	}
	if n := e.Len(); n > MaxEnded || !e.Has(strconv.Itoa(2*MaxEnded)) || e.Has("0") {
		t.Error(n)
	}
	var loaded Ended
	if err := loaded.read(e.text()); err != nil || loaded.text() != e.text() {
		t.Error(err)
	}
}

// A server whose journal was removed or replaced permits nothing, because after a restart it would not know its decisions.
func TestRemovedJournalPermitsNothing(t *testing.T) {
	for _, replaced := range []bool{false, true} {
		name := filepath.Join(t.TempDir(), "journal")
		s := open(t, guardOf(t, "shop.cfg", "S -> login S | login\n"), Options{Journal: name})
		if d, err := s.Decide("a", "allow", gate.Event{Name: "login", ID: "1"}); err != nil || d.Verdict != gate.Allow {
			t.Fatal(d, err)
		}
		if err := os.Rename(name, name+".old"); err != nil {
			t.Fatal(err)
		}
		if replaced {
			if err := os.WriteFile(name, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for id := range 2 {
			if d, err := s.Decide("a", "allow", gate.Event{Name: "login", ID: strconv.Itoa(2 + id)}); err == nil || !strings.Contains(err.Error(), "removed or replaced") {
				t.Error(d, err)
			}
		}
		if err := s.Store(); err == nil {
			t.Error("stored")
		}
	}
}
