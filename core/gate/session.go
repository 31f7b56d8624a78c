package gate

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/rules"
)

func number(n int) string { return strconv.Itoa(n) }

// Event is a call, or something else that happened in a run.
type Event struct {
	Kind      string // "call", "result", "error", "message" or "end"; [Session.Allow] expects a call
	Name      string // the tool, or the role of a message: user, assistant or system
	ID        string // of the call
	Arguments string // of a call, as JSON; "" for none
	Content   string // of a result, an error or a message
	Agent     string // that acts
	Time      string // in seconds, as a JSON number
	Final     bool   // of a message: it is the last one of the model
	Approved  bool   // of a call: a person permitted it after the verdict Ask
	Optional  bool   // of a message: a spec that has no step for it here ignores it
}

// Options are the settings of a session. They are not part of its state.
type Options struct {
	Modes  map[string]Mode         // by the name of a rule, see [Guard.RuleNames]
	Log    func(line string) error // after an error, the session permits no event
	Redact []string                // names of fields, or parts of names, whose values no log line shows, in addition to [Secrets]

	// Clock returns the time in seconds of an event that has none, see [Session.Timed]; nil: it has no time.
	Clock func() float64
}

// pendingCall is a call without a result.
type pendingCall struct {
	id, tool  string
	entered   []bool // by spec: the result was entered before it arrived
	arguments string // of a guard with rules: the JSON; of another one: see [value.kept], or "" in a state of version 1.4.0
}

// moment is the part of a state that [Session.Cancel] restores.
type moment struct {
	places  []place
	pending []pendingCall
	rules   []*rules.Monitor
	events  int
	time    string // of the last event, or ""
}

// Session is the state of one run. It is not safe for use by several goroutines.
type Session struct {
	guard   *Guard
	options Options
	moment
	undo   *moment // before the last call
	back   func()  // restores the rules of undo, which are those of the session; nil if they are others
	undone string  // its identifier
	recent []string
	status string // "open", "violated", "unlogged" or "ended"
	reason string // of the violation, or the error of the log
	lines  int
	hash   string      // of the last log line
	known  *known      // lists of the guard for the modes of the session; nil before the first one
	stream *textStream // nil if no text is being written
}

// Begin returns a session without events. An option that names an unknown rule or mode is an
// error with code "guard.mode".
func (g *Guard) Begin(o Options) (*Session, error) {
	if err := g.check(o); err != nil {
		return nil, err
	}
	s := &Session{guard: g, options: o, status: "open", hash: g.Hash}
	for _, spec := range g.specs {
		s.places = append(s.places, spec.begin())
	}
	for _, f := range g.rules {
		s.rules = append(s.rules, rules.NewMonitor(f))
	}
	return s, nil
}

// Timed returns an event at the time of a clock, in seconds, if the event has no time and the guard has
// rules, which may need one; without a clock, the event. A clock that was set back does not make an event
// earlier than the last one.
func (s *Session) Timed(e Event, clock func() float64) Event {
	if clock == nil || e.Time != "" || len(s.rules) == 0 {
		return e
	}
	e.Time = strconv.FormatFloat(clock(), 'f', 3, 64)
	now, _ := strconv.ParseFloat(e.Time, 64)
	if last, _ := strconv.ParseFloat(s.time, 64); s.time != "" && now <= last { // a large number is an infinity
		e.Time = s.time
	}
	return e
}

func (s *Session) mode(rule string) Mode {
	if m, ok := s.options.Modes[rule]; ok {
		return m
	}
	return Enforce
}

// Allow judges a call before it is made. With the verdict Allow the call is entered; with another
// one the session is unchanged.
func (s *Session) Allow(e Event) Decision {
	e.Kind, e.Approved = "call", false
	e = s.Timed(e, s.options.Clock)
	s.Discard()
	d := s.call(e, false)
	return s.write("allow", e, d)
}

// Record enters an event that happened: a result, an error, a message, the end, or a call
// that [Session.Allow] has not judged or that a person approved. After a recorded call that the
// guard refuses, no later call is permitted.
func (s *Session) Record(e Event) Decision {
	var d Decision
	e = s.Timed(e, s.options.Clock)
	s.Discard()
	switch e.Kind {
	case "call":
		d = s.recordCall(e)
	case "result", "error":
		d = s.result(e)
	case "message":
		d = s.message(e)
	case "end":
		return s.End()
	default:
		d = s.decide(Deny, "event.kind", "unknown kind of event "+show(e.Kind), "")
	}
	return s.write("record", e, d)
}

// Cancel reports that the last allowed call was not made, and restores the state before it. It
// returns false if another event followed the call.
func (s *Session) Cancel(id string) bool {
	if s.undo == nil || s.undone != id || s.status != "open" {
		return false
	}
	if s.back != nil {
		s.back()
	}
	e := Event{Kind: "call", Name: s.pending[len(s.pending)-1].tool, ID: id}
	s.moment = *s.undo
	s.commit()
	s.Discard()
	s.write("cancel", e, Decision{Verdict: Allow, Code: "ok"})
	return true
}

// commit makes the last call final.
func (s *Session) commit() { s.undo, s.back = nil, nil }

// End ends the run. The verdict is Allow if it is complete and every property holds.
func (s *Session) End() Decision {
	s.Discard()
	if s.status == "unlogged" {
		return s.unlogged()
	}
	d := s.end()
	return s.write("end", Event{Kind: "end"}, d)
}

func (s *Session) end() Decision {
	if s.status == "ended" {
		return s.decide(Deny, "session.ended", "the session has ended", "")
	}
	violated := s.status == "violated"
	s.status = "ended"
	s.commit()
	if violated {
		return s.violated()
	}
	f := findings{session: s}
	for i, spec := range s.guard.specs {
		f.endOf(spec, s.places[i])
	}
	if _, verdict := f.rulesStep(&Event{Kind: "end", Time: s.time}, ""); verdict != "" {
		return s.decide(Fault, "rule.fault", verdict, "")
	}
	return f.decision()
}

// endOf collects the reasons why a spec does not permit the end.
func (f *findings) endOf(spec *spec, p place) {
	if f.session.mode(spec.Name) != Off && (p.lost || !spec.complete(p)) {
		f.add(spec.Name, "end.incomplete", "the run is not complete")
	}
	for k := range spec.Properties {
		if prop := &spec.Properties[k]; f.session.mode(prop.Name) != Off && prop.Accept[p.properties[k]] == 0 {
			f.add(prop.Name, "end.property", "the property "+show(prop.Name)+" does not hold at the end")
		}
	}
}

// Ended reports whether the run is over.
func (s *Session) Ended() bool { return s.status == "ended" }

// closed returns the refusal of a session that permits no event.
func (s *Session) closed() (Decision, bool) {
	switch s.status {
	case "unlogged":
		return s.unlogged(), true
	case "ended":
		return s.decide(Deny, "session.ended", "the session has ended", ""), true
	case "violated":
		return s.violated(), true
	}
	return Decision{}, false
}

// violated returns the refusal of a session after a violation, or one that was saved after its log could not be written.
func (s *Session) violated() Decision {
	reason := "the session violated its spec: " + s.reason
	if strings.HasPrefix(s.reason, lostLog) {
		reason = "the session is closed: " + s.reason + "; begin another session"
	}
	return s.decide(Deny, "session.violated", reason, "")
}

func (s *Session) decide(v Verdict, code, reason, rule string) Decision {
	next, mayEnd := s.Next()
	return Decision{Verdict: v, Code: code, Reason: reason, Rule: rule, Next: next, MayEnd: mayEnd, Shadow: []Finding{}}
}

// violate closes the session for calls.
func (s *Session) violate(reason string) { s.status, s.reason = "violated", reason }

// argumentsOf reads the arguments of a call, {} if it has none, and the text that contents restrict.
func argumentsOf(arguments string) (v value, text, fault string) {
	if trim(arguments) == "" && len(arguments) <= MaxArguments {
		return value{kind: '{'}, "", ""
	}
	v, fault = scan(arguments, MaxArguments)
	return v, v.onlyValue(), fault
}

func (s *Session) recordCall(e Event) Decision {
	if i := s.find(e.ID); i >= 0 && e.ID != "" && s.pending[i].tool == e.Name && s.status == "open" {
		s.commit()
		if !s.made(s.pending[i], e) {
			s.violate("the call " + show(e.ID) + " was made with other arguments than the allowed ones")
			return s.decide(Deny, "call.arguments", s.reason, "")
		}
		return s.decide(Allow, "ok", "", "") // Allow has already entered the call
	}
	d := s.call(e, true)
	if d.Verdict != Allow && s.status == "open" {
		s.violate(d.Reason)
		d.Next, d.MayEnd = s.Next()
	}
	s.commit()
	return d
}

// made reports whether a call that was made has the arguments of the allowed one.
func (s *Session) made(allowed pendingCall, e Event) bool {
	if len(s.guard.rules) > 0 && allowed.arguments == e.Arguments {
		return true // well-formed, as they were allowed
	}
	v, _, fault := argumentsOf(e.Arguments)
	if fault != "" {
		return false
	}
	if len(s.guard.rules) > 0 {
		w, _, _ := argumentsOf(allowed.arguments)
		return v.canonical() == w.canonical()
	}
	return allowed.arguments == "" || allowed.arguments == v.kept()
}

func (s *Session) find(id string) int {
	return slices.IndexFunc(s.pending, func(p pendingCall) bool { return p.id == id })
}

// identity returns the fault of a call's name and identifier.
func (s *Session) identity(e Event) (code, reason string) {
	switch {
	case !valid(e.Name) || e.Name == "" || len(e.Name) > MaxID:
		return "call.tool", "the name of the tool is empty, invalid or longer than " + number(MaxID) + " bytes"
	case !valid(e.ID) || len(e.ID) > MaxID:
		return "call.id", "the call id is invalid or longer than " + number(MaxID) + " bytes"
	case e.ID != "" && (s.find(e.ID) >= 0 || slices.Contains(s.recent, e.ID)):
		return "call.id", "repeated call id " + show(e.ID)
	case len(s.pending) >= maxPending:
		return "limit", "more than " + number(maxPending) + " calls wait for results"
	}
	return "", ""
}

// call judges a call and enters it if it is allowed.
func (s *Session) call(e Event, happened bool) Decision {
	if d, closed := s.closed(); closed {
		return d
	}
	if code, reason := s.identity(e); code != "" {
		return s.decide(Deny, code, reason, "")
	}
	v, text, fault := argumentsOf(e.Arguments)
	if fault != "" {
		return s.decide(Deny, "call.arguments", "malformed arguments: "+fault, "")
	}
	f := findings{session: s, approved: happened && e.Approved}
	places := slices.Clone(s.places)
	pending := slices.Clone(s.pending)
	entered := make([]bool, len(s.guard.specs))
	for i := range s.guard.specs {
		f.enterCall(i, &places[i], e.Name, text, pending)
	}
	f.schema(e)
	f.spelling(e.Name)
	back, broken := f.rulesStep(&e, "")
	if broken != "" {
		return s.decide(Fault, "rule.fault", broken, "")
	}
	d := f.decision()
	if d.Verdict != Allow {
		back()
		d.Next, d.MayEnd = s.Next()
		return d
	}
	before := s.moment
	s.undo, s.back, s.undone = &before, back, e.ID
	call := pendingCall{id: e.ID, tool: e.Name, entered: entered, arguments: e.Arguments}
	if len(s.guard.rules) == 0 {
		call.arguments = v.kept()
	}
	s.places, s.pending, s.events, s.time = places, append(pending, call), s.events+1, e.Time
	d.Next, d.MayEnd = s.Next()
	return d
}

// enterCall enters a call in a spec. Results of pending calls are entered before it if the
// order requires them: in the spec, concurrent calls follow one another.
func (f *findings) enterCall(i int, p *place, tool, text string, pending []pendingCall) {
	s := f.session
	spec := s.guard.specs[i]
	if p.lost {
		f.add(spec.Name, "order.lost", "an earlier step is not permitted by "+show(spec.Name))
		return
	}
	letters, known := spec.resolve(tool)
	if !known {
		p.lost = f.add(spec.Name, "call.tool", "unknown tool "+show(tool))
		return
	}
	for k, letter := range letters {
		if k == 0 {
			spec.awaited(i, p, letter, pending)
		}
		before := *p
		if !spec.enter(p, letter) {
			*p = before
			code, reason := "order.call", show(tool)+" is not allowed here; "
			if spec.full(*p) {
				code = "limit"
			}
			if next, _ := s.Next(); len(next) > 0 {
				reason += "allowed: " + list(next)
			} else {
				reason += "no call may follow"
			}
			p.lost = f.add(spec.Name, code, reason)
			return
		}
		content := text
		if k == 0 && len(letters) > 1 {
			content = tool
		}
		if fault := spec.fault(letter, content); fault != "" {
			f.add(spec.Name, "content", fault)
		}
		f.properties(spec, before, *p, show(tool))
	}
}

// awaited enters the results of pending calls, oldest first, until the letter is possible.
func (s *spec) awaited(i int, p *place, letter int, pending []pendingCall) {
	try, changed := *p, []int{}
	for k := range pending {
		if s.possible(try, letter) {
			break
		}
		if pending[k].entered[i] {
			continue
		}
		for _, result := range s.resultOf(pending[k].tool) {
			if !s.enter(&try, result) {
				return
			}
		}
		changed = append(changed, k)
	}
	if len(changed) == 0 || !s.possible(try, letter) {
		return
	}
	*p = try
	for _, k := range changed {
		pending[k].entered = slices.Clone(pending[k].entered)
		pending[k].entered[i] = true
	}
}

// resultOf returns the letters of the results of a tool.
func (s *spec) resultOf(tool string) []int {
	if letters, ok := s.results[tool]; ok {
		return letters
	}
	return s.Map.Result
}

// properties adds a finding for each property that a step violates.
func (f *findings) properties(spec *spec, before, after place, step string) {
	last := len(spec.Properties) > 0 && spec.isLast(after)
	for k := range spec.Properties {
		p := &spec.Properties[k]
		from, to := before.properties[k], after.properties[k]
		switch {
		case f.session.mode(p.Name) == Off || p.Violated[from] == 1:
		case p.Violated[to] == 1:
			f.add(p.Name, "property", step+" violates the property "+show(p.Name))
		case last && p.Accept[to] == 0:
			f.add(p.Name, "property", step+" ends the run, in which the property "+show(p.Name)+" does not hold")
		}
	}
}
