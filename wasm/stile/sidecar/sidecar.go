// Package sidecar serves the sessions of a compiled guard over HTTP, for programs in any
// language on the same machine.
//
// Each decision is written to a log before it is answered, so that a process which is killed
// loses none. The specs can be replaced while sessions are open: a session moves to the new
// guard if that permits every run which may have led to its state, and otherwise keeps the
// earlier one.
package sidecar

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/stile-playground/stile/core/gate"
)

const (
	// maxBody bounds a request, in bytes.
	maxBody = 8 << 20
	// maxName bounds the name of a session, in bytes.
	maxName = 128
)

// Options are the settings of a server.
type Options struct {
	Modes    map[string]gate.Mode
	Log      func(line string) error // writes a line of a decision to the log, with the session in front; may be nil
	Last     string                  // the last line of the log so far, "" for none, see [LastLine]
	Redact   []string
	Sessions int    // the largest number of sessions
	Journal  string // the file of the log; "" keeps sessions in memory only
	Sync     bool   // wait until the disk has each decision, which survives a loss of power
	Any      bool   // answer requests for any host; for sockets of the file system
	Strict   bool   // refuse specs to which an open session cannot move

	// Clock returns the time in seconds of an event that has none; nil: [SystemClock].
	Clock func() float64
}

// SystemClock returns the seconds since 1970.
func SystemClock() float64 { return float64(time.Now().UnixMilli()) / 1000 }

// entry is a session with the guard that judges it.
type entry struct {
	*gate.Session
	guard    *gate.Guard
	finished bool // its name is in the list of the server
}

// Server serves a guard. Its methods may be called by several goroutines.
type Server struct {
	options Options
	mux     *http.ServeMux

	mu       sync.Mutex
	guard    *gate.Guard
	sessions map[string]*entry
	finished []string // names of sessions that ended, oldest first
	ended    Ended    // sessions that made room
	journal  *journal
	broken   error // the first error of the journal or the log, after which nothing is permitted
	reloaded Reloaded
	refused  string // the error of the last reload, or ""
	metrics  metrics

	latest string   // hash of the last line of the log, or "" if no event wrote one
	before string   // hash of the line of the log before the last event of the journal
	known  bool     // whether the journal names the line of the log; those of earlier versions and of servers without a log do not
	logged []string // lines of the last event for the log, which are written after the journal has the event
}

// metrics are the counters of a server.
type metrics struct {
	verdicts map[gate.Verdict]int
	seconds  float64
	reloads  map[string]int
}

// The results of a reload in the metrics.
const (
	loaded    = "ok"
	unchanged = "unchanged"
	failed    = "error"
)

// New returns a server for a compiled guard, given as text. It resumes the sessions of the journal. It returns an
// error if the guard, the modes or the journal are invalid.
func New(text string, o Options) (*Server, error) {
	g, err := gate.Read(text)
	if err != nil {
		return nil, err
	}
	if o.Sessions <= 0 {
		o.Sessions = 100_000
	}
	if o.Clock == nil {
		o.Clock = SystemClock
	}
	s := &Server{options: o, guard: g, sessions: map[string]*entry{}, mux: http.NewServeMux(), reloaded: Reloaded{Groups: []Kept{}}}
	s.metrics.verdicts = map[gate.Verdict]int{gate.Allow: 0, gate.Deny: 0, gate.Ask: 0, gate.Fault: 0}
	s.metrics.reloads = map[string]int{}
	if _, err := g.Begin(s.of("")); err != nil {
		return nil, err
	}
	if o.Journal != "" {
		if err := s.open(); err != nil {
			return nil, err
		}
	}
	for op := range operations {
		s.mux.HandleFunc("POST /sessions/{id}/"+op, func(w http.ResponseWriter, r *http.Request) { s.serve(w, r, op) })
	}
	s.mux.HandleFunc("GET /sessions/{id}/next", s.next)
	s.mux.HandleFunc("GET /healthz", s.health)
	s.mux.HandleFunc("GET /metrics", s.prometheus)
	return s, nil
}

// of returns the options of the session id.
func (s *Server) of(id string) gate.Options {
	o := gate.Options{Modes: s.options.Modes, Redact: s.options.Redact}
	if s.options.Log != nil && id != "" {
		o.Log = func(line string) error {
			s.logged = append(s.logged, id+" "+line)
			return nil
		}
	}
	return o
}

// ServeHTTP answers a request. Pages of the web cannot send one: the host must be this machine,
// and the body JSON.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !s.options.Any && !local(r.Host) {
		refuse(w, http.StatusForbidden, "request", "the host of the request is not this machine")
		return
	}
	if kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";"); r.Method == http.MethodPost && strings.TrimSpace(kind) != "application/json" {
		refuse(w, http.StatusUnsupportedMediaType, "request", "the content type of a request is application/json")
		return
	}
	s.mux.ServeHTTP(w, r)
}

func local(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// refuse writes a refusal with a verdict, so that a client which reads only the verdict does not permit the call.
func refuse(w http.ResponseWriter, status int, code, reason string) {
	d := gate.Decision{Verdict: gate.Fault, Code: code, Reason: reason}
	write(w, status, d.JSON())
}

func write(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body+"\n") // the client may have disconnected
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request, op string) {
	started := time.Now()
	id := r.PathValue("id")
	if id == "" || len(id) > maxName || strings.ContainsAny(id, "\x00\r\n ") {
		refuse(w, http.StatusBadRequest, "request", "the name of a session has 1 to 128 bytes, without spaces")
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		status := http.StatusBadRequest
		if large := (*http.MaxBytesError)(nil); errors.As(err, &large) {
			status = http.StatusRequestEntityTooLarge
		} else if errors.Is(err, os.ErrDeadlineExceeded) {
			status = http.StatusRequestTimeout
		}
		refuse(w, status, "request", "the request could not be read: "+err.Error())
		return
	}
	var e gate.Event
	if text := strings.TrimSpace(string(body)); text != "" {
		if e, err = gate.ReadEvent(text); err != nil {
			refuse(w, http.StatusBadRequest, "request", err.Error())
			return
		}
	}
	d, err := s.Decide(id, op, e)
	if err != nil {
		refuse(w, http.StatusServiceUnavailable, "server", err.Error())
		return
	}
	s.mu.Lock()
	s.metrics.seconds += time.Since(started).Seconds()
	s.mu.Unlock()
	write(w, http.StatusOK, d.JSON())
}

var errFull = errors.New("the server has as many sessions as it may have; end some")

// Decide judges an event of a session, which begins with its first event. The decision is in the
// journal and in the log when it is returned. After an error of one of them, it returns that error for every event.
func (s *Server) Decide(id, op string, e gate.Event) (gate.Decision, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.broken != nil {
		return gate.Decision{}, s.broken
	}
	if s.sessions[id] == nil && s.ended.Has(id) {
		s.metrics.verdicts[gate.Deny]++
		return gate.Decision{Verdict: gate.Deny, Code: "session.ended", Reason: "the session has ended"}, nil
	}
	session, err := s.session(id)
	if err != nil {
		return gate.Decision{}, err
	}
	if op == "allow" || op == "record" {
		e = session.Timed(e, s.options.Clock) // the journal contains it
	}
	s.logged = nil
	d := operations[op](session.Session, e)
	l := line{Session: id, Op: op, Event: e.JSON(), Verdict: string(d.Verdict), Log: s.hashOf()}
	if err := s.append(l); err != nil {
		return gate.Decision{}, err
	}
	for _, text := range s.logged {
		if err := s.options.Log(text); err != nil {
			return gate.Decision{}, s.fail("log", err)
		}
	}
	if l.Log != "" {
		s.latest = l.Log
	}
	if err := s.shrink(); err != nil {
		return gate.Decision{}, err
	}
	s.finish(id)
	s.metrics.verdicts[d.Verdict]++
	return d, nil
}

// finish adds a session to finished if it has ended, so that it can make room for a new session.
func (s *Server) finish(id string) {
	if e := s.sessions[id]; e.Ended() && !e.finished {
		e.finished = true
		s.finished = append(s.finished, id)
	}
}

// operations are the methods of a session that a request may call.
var operations = map[string]func(*gate.Session, gate.Event) gate.Decision{
	"allow":   (*gate.Session).Allow,
	"record":  (*gate.Session).Record,
	"feed":    func(s *gate.Session, e gate.Event) gate.Decision { return s.Feed(e.Content) },
	"discard": discard,
	"cancel":  cancel,
	"end":     func(s *gate.Session, _ gate.Event) gate.Decision { return s.End() },
}

func discard(s *gate.Session, _ gate.Event) gate.Decision {
	s.Discard()
	return permitted(s)
}

func cancel(s *gate.Session, e gate.Event) gate.Decision {
	if s.Cancel(e.ID) {
		return permitted(s)
	}
	d := gate.Decision{Verdict: gate.Deny, Code: "cancel", Reason: "the call is not the last event of the session"}
	d.Next, d.MayEnd = s.Next()
	return d
}

// permitted returns the decision without a finding.
func permitted(s *gate.Session) gate.Decision {
	d := gate.Decision{Verdict: gate.Allow, Code: "ok"}
	d.Next, d.MayEnd = s.Next()
	return d
}

// session returns the session with a name. For a new name it begins a session; if there are too many, it first
// drops the one that ended first.
func (s *Server) session(id string) (*entry, error) {
	if e := s.sessions[id]; e != nil {
		return e, nil
	}
	if len(s.sessions) >= s.options.Sessions {
		if len(s.finished) == 0 {
			return nil, errFull
		}
		dropped := s.finished[0]
		delete(s.sessions, dropped)
		s.ended.Add(dropped)
		s.finished = s.finished[1:]
		if err := s.append(line{Session: dropped, Op: "drop"}); err != nil {
			return nil, err
		}
	}
	session, err := s.guard.Begin(s.of(id))
	if err != nil {
		return nil, err
	}
	e := &entry{Session: session, guard: s.guard}
	s.sessions[id] = e
	return e, s.append(line{Session: id, Op: "begin", Guard: s.guard.Hash})
}

func (s *Server) next(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.sessions[r.PathValue("id")]
	if e == nil {
		refuse(w, http.StatusNotFound, "request", "no session has this name")
		return
	}
	write(w, http.StatusOK, permitted(e.Session).JSON())
}

// health is the answer about the state of a server.
type health struct {
	Status   string `json:"status"`
	Guard    string `json:"guard"`
	Sessions int    `json:"sessions"`
	Kept     []Kept `json:"kept"`
	Refused  string `json:"refused"` // the error of the last reload
}

func (s *Server) health(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.broken != nil {
		refuse(w, http.StatusServiceUnavailable, "server", s.broken.Error())
		return
	}
	body, err := json.Marshal(health{"ok", s.guard.Hash, len(s.sessions), s.reloaded.Groups, s.refused})
	if err != nil {
		refuse(w, http.StatusInternalServerError, "server", err.Error())
		return
	}
	write(w, http.StatusOK, string(body))
}

// prometheus writes the metrics in the text format 0.0.4.
func (s *Server) prometheus(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var b strings.Builder
	family := func(name, kind, help string) { fmt.Fprintf(&b, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind) }
	family("stile_guard_decisions_total", "counter", "Decisions by verdict.")
	total := 0
	for _, v := range []gate.Verdict{gate.Allow, gate.Ask, gate.Deny, gate.Fault} {
		fmt.Fprintf(&b, "stile_guard_decisions_total{verdict=%q} %d\n", v, s.metrics.verdicts[v])
		total += s.metrics.verdicts[v]
	}
	family("stile_guard_decision_seconds", "summary", "Time from the request to the answer.")
	fmt.Fprintf(&b, "stile_guard_decision_seconds_sum %g\nstile_guard_decision_seconds_count %d\n", s.metrics.seconds, total)
	family("stile_guard_sessions", "gauge", "Sessions in memory.")
	fmt.Fprintf(&b, "stile_guard_sessions %d\n", len(s.sessions))
	family("stile_guard_sessions_kept", "gauge", "Sessions that kept an earlier guard at the last reload.")
	fmt.Fprintf(&b, "stile_guard_sessions_kept %d\n", s.reloaded.Kept)
	family("stile_guard_reloads_total", "counter", "Reloads by their result.")
	for _, result := range []string{loaded, unchanged, failed} {
		fmt.Fprintf(&b, "stile_guard_reloads_total{result=%q} %d\n", result, s.metrics.reloads[result])
	}
	if s.journal != nil {
		family("stile_guard_journal_bytes", "gauge", "Size of the journal.")
		fmt.Fprintf(&b, "stile_guard_journal_bytes %d\n", s.journal.size)
	}
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, _ = io.WriteString(w, b.String()) // the client may have disconnected
}
