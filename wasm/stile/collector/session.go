package collector

import (
	"container/list"
	"hash/maphash"
	"slices"
	"strings"
	"time"

	"github.com/stile-playground/stile/core/backtest"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"
)

// Codes of verdicts. A violation has the kind of its rule as code: behaviour, property or rule.
const (
	codeOK       = "ok"
	codeReturned = "session.returned"
	codeFull     = "session.full"
	codeMissing  = "session.missing"
)

// reasons are the sentences of codes that concern a session as a whole.
var reasons = map[string]string{
	codeReturned: "the session was evicted, so its earlier spans are unknown",
	codeFull:     "the session is longer than max_session_bytes",
	codeMissing:  "the span names no session",
}

// held is a span in the processor.
type held struct {
	span   ptrace.Span
	source *fragment
	key    string // of the session that the span names, or ""
}

// fragment is the resource and the scope that spans of a batch share.
type fragment struct {
	resource    pcommon.Resource
	scope       pcommon.InstrumentationScope
	schema, url string
}

// line is a span of a session as a line of JSON, an item of the list "resourceSpans".
type line struct {
	start pcommon.Timestamp
	text  string
	of    *held // nil after the span was delivered
}

// session is the state of a conversation.
type session struct {
	key      string
	lines    []line // sorted by start
	bytes    int
	newest   pcommon.Timestamp // start of the latest span that was judged
	used     time.Time
	code     string         // codeReturned or codeFull, or ""
	reported map[int]string // outcomes and reasons of findings, by run and rule
	outcome  backtest.Outcome
	traces   []pcommon.TraceID
	place    *list.Element
}

type sessions struct {
	config  *Config
	byKey   map[string]*session
	byTrace map[pcommon.TraceID]*session
	recent  *list.List // of *session, the least recently used first
	bytes   int
	evicted func(reason string)

	seed     maphash.Seed
	gone     map[uint64]bool // hashes of the keys of evicted sessions
	ring     []uint64        // the same, as a ring
	next     int
	forgot   int // evicted sessions that are no longer in gone
	returned int
}

func newSessions(c *Config, evicted func(string)) *sessions {
	return &sessions{config: c, byKey: map[string]*session{}, byTrace: map[pcommon.TraceID]*session{}, recent: list.New(), evicted: evicted, seed: maphash.MakeSeed(), gone: map[uint64]bool{}}
}

// get returns the session with a key, and begins it if it is unknown.
func (all *sessions) get(key string, now time.Time) *session {
	s := all.byKey[key]
	if s == nil {
		s = &session{key: key, reported: map[int]string{}, outcome: backtest.Incomplete}
		if all.gone[maphash.String(all.seed, key)] {
			s.code, s.outcome = codeReturned, backtest.Unread
			all.returned++
		}
		all.byKey[key] = s
		s.place = all.recent.PushBack(s)
	}
	s.used = now
	all.recent.MoveToBack(s.place)
	return s
}

// bind binds a trace to a session. If the trace was a session until now, its spans move to the session.
func (all *sessions) bind(trace pcommon.TraceID, s *session) {
	before := all.byTrace[trace]
	if before == s {
		return
	}
	all.byTrace[trace] = s
	s.traces = append(s.traces, trace)
	if before == nil || before.key != traceKey(trace) {
		return
	}
	for _, l := range before.lines {
		all.add(s, l)
	}
	if before.code != "" {
		all.close(s, before.code)
	}
	all.remove(before)
}

func traceKey(trace pcommon.TraceID) string { return "trace:" + trace.String() }

// add adds a span to a session, and reports whether it began before a span that was judged.
func (all *sessions) add(s *session, l line) (late bool) {
	late = l.start < s.newest
	if s.code != "" {
		return late
	}
	at := len(s.lines)
	for at > 0 && s.lines[at-1].start > l.start {
		at--
	}
	s.lines = slices.Insert(s.lines, at, l)
	s.bytes += len(l.text)
	all.bytes += len(l.text)
	if s.bytes > all.config.MaxSessionBytes {
		all.close(s, codeFull)
	}
	return late
}

// close drops the spans of a session that cannot be judged from now on.
func (all *sessions) close(s *session, code string) {
	all.bytes -= s.bytes
	s.lines, s.bytes, s.code = nil, 0, code
	if s.outcome != backtest.Violated {
		s.outcome = backtest.Unread
	}
}

func (all *sessions) remove(s *session) {
	all.bytes -= s.bytes
	all.recent.Remove(s.place)
	delete(all.byKey, s.key)
	for _, trace := range s.traces {
		if all.byTrace[trace] == s {
			delete(all.byTrace, trace)
		}
	}
}

// evict removes the sessions that are idle or beyond the bounds, the least recently used first.
func (all *sessions) evict(now time.Time) {
	for e := all.recent.Front(); e != nil; e = all.recent.Front() {
		s, _ := e.Value.(*session)
		switch {
		case now.Sub(s.used) >= all.config.Idle:
			all.evicted("idle")
		case len(all.byKey) > all.config.MaxSessions:
			all.evicted("max_sessions")
		case all.bytes > all.config.MaxBytes:
			all.evicted("max_bytes")
		default:
			return
		}
		all.remove(s)
		all.remember(s.key)
		for _, trace := range s.traces { // a span of the trace without the attribute must not begin a session
			all.remember(traceKey(trace))
		}
	}
}

// remember records the key of an evicted session.
func (all *sessions) remember(key string) {
	h := maphash.String(all.seed, key)
	if all.gone[h] {
		return
	}
	all.gone[h] = true
	if len(all.ring) < all.config.Remember {
		all.ring = append(all.ring, h)
		return
	}
	delete(all.gone, all.ring[all.next])
	all.ring[all.next] = h
	all.next = (all.next + 1) % len(all.ring)
	all.forgot++
}

// finding is an outcome of a rule that is neither a pass nor open.
type finding struct {
	rule backtest.Rule
	cell backtest.Cell
	of   *held // the span at its place, or nil if that was delivered
}

// judge judges a session and returns the findings that were not reported before.
func (s *session) judge(specs *backtest.Specs) (out []finding) {
	if s.code != "" || len(s.lines) == 0 {
		return nil
	}
	texts := make([]string, len(s.lines))
	for i, l := range s.lines {
		texts[i] = l.text
	}
	rules := specs.Rules()
	for n, run := range specs.Judge(s.key, "{\"resourceSpans\":[\n"+strings.Join(texts, ",\n")+"]}", backtest.Options{}) {
		if n == 0 {
			s.outcome = run.Outcome
		}
		s.outcome = backtest.Worse(s.outcome, run.Outcome)
		for i, cell := range run.Cells {
			known := string(cell.Outcome) + " " + cell.Reason
			if cell.Outcome.Passes() || cell.Outcome == backtest.Incomplete || s.reported[n*len(rules)+i] == known {
				continue
			}
			s.reported[n*len(rules)+i] = known
			f := finding{rule: rules[i], cell: cell}
			if at := cell.Line - 2; at >= 0 && at < len(s.lines) { // the first line is that of the envelope
				f.of = s.lines[at].of
			}
			out = append(out, f)
		}
	}
	return out
}

// delivered releases the spans of a session, whose texts remain.
func (s *session) delivered() {
	for i := range s.lines {
		s.lines[i].of = nil
		s.newest = max(s.newest, s.lines[i].start)
	}
}
