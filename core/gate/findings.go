package gate

import (
	"slices"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/rules"
	"github.com/stile-playground/stile/core/source"
)

func valid(text string) bool { return utf8.ValidString(text) }

// findings are the rules that an event does not satisfy.
type findings struct {
	session  *Session
	approved bool
	list     []Finding
	places   []int // the bytes of a text that the findings are about
	at       int   // the byte of the next finding
}

// add adds a finding unless its rule is off. It always returns true, the new value of place.lost.
func (f *findings) add(rule, code, reason string) bool {
	if f.session.mode(rule) != Off {
		f.list, f.places = append(f.list, Finding{rule, code, reason}), append(f.places, f.at)
	}
	return true
}

// decision returns the decision of the first finding whose rule is enforced, or else of the first
// finding whose rule asks. Without either, it is Allow.
func (f *findings) decision() Decision {
	s := f.session
	d := s.decide(Allow, "ok", "", "")
	for _, found := range f.list {
		switch mode := s.mode(found.Rule); {
		case mode == Shadow || mode == AskMode && f.approved:
			d.Shadow = append(d.Shadow, found)
		case d.Verdict == Deny:
		case mode == Enforce || d.Verdict == Allow:
			d.Verdict, d.Code, d.Reason, d.Rule = Deny, found.Code, found.Reason, found.Rule
			if mode == AskMode {
				d.Verdict = Ask
			}
		}
	}
	return d
}

// rulesStep adds the event to the rules about data, and the findings. It returns a function that restores the
// state before the event, or the reason why an enforced rule cannot judge the event; then the state is restored.
// A rule in the mode shadow or ask that cannot judge it is a finding. A time that cannot be read is removed from the event.
func (f *findings) rulesStep(e *Event, input string) (undo func(), fault string) {
	s := f.session
	var steps []func()
	undo = func() {
		for _, step := range slices.Backward(steps) {
			step()
		}
	}
	broken := ""
	for i, m := range s.rules {
		event, err := ruleEvent(*e, input, s.events)
		if err != nil {
			broken, e.Time = err.Error(), ""
			event, err = ruleEvent(*e, input, s.events)
		}
		if err != nil {
			undo()
			return nil, err.Error()
		}
		violations, step := m.StepUndo(event, e.Time != "")
		steps = append(steps, step)
		file := &s.guard.File.Rules[i]
		for _, v := range violations {
			f.add(file.Name+": "+file.Rules[v.Rule], "rule", m.Explain(v))
		}
		for k := range file.Rules {
			name, reason := file.Name+": "+file.Rules[k], broken
			if fault := m.Fault(k); reason == "" && fault != "" {
				reason = "the rule " + show(name) + " cannot be judged: " + fault
			}
			if reason != "" && s.mode(name) == Enforce {
				undo()
				return nil, reason
			}
			if reason != "" {
				f.add(name, "rule.fault", reason)
			}
		}
	}
	return undo, ""
}

func ruleEvent(e Event, input string, index int) (*rules.Event, error) {
	text := e.Arguments
	if e.Kind != "call" {
		text = e.Content
	}
	var arguments *rules.Value
	if input != "" {
		arguments = rules.Fields(input, nil)
	}
	fields := rules.Fields(text, arguments)
	if e.Kind == "message" || e.Kind == "error" {
		object := "{\"text\":" + quote(e.Content) + "}"
		fields = rules.Fields(object, arguments)
	}
	raw := rules.RawEvent{Kind: &e.Kind, Name: e.Name}
	if e.Time != "" {
		if v, fault := scan(e.Time, MaxID); fault != "" || v.kind != '0' {
			return nil, source.NewError("guard.event", "the time of an event is a number of seconds")
		}
		raw.Time = json.RawMessage(e.Time)
	}
	if e.Agent != "" {
		raw.Agent = json.RawMessage(quote(e.Agent))
	}
	if e.ID != "" {
		raw.ID = json.RawMessage(quote(e.ID))
	}
	out, err := rules.ReadEvent(raw, index)
	if err == nil {
		out.Fields = fields
	}
	return out, err
}

// Next returns the calls that may be allowed now, with suitable arguments, and whether the run
// may end. "*" stands for tools that the list does not name.
func (s *Session) Next() (next []string, mayEnd bool) {
	if s.status != "open" {
		return []string{}, false
	}
	key, ok := s.key()
	if ok {
		if s.known == nil {
			s.known = s.guard.lists.of(s.options.Modes)
		}
		if found, has := s.known.get(key); has {
			return slices.Clone(found.next), found.mayEnd
		}
	}
	next = []string{}
	for _, tool := range s.guard.offers {
		if s.offered(tool) {
			next = append(next, tool)
		}
	}
	f := findings{session: s}
	for i, spec := range s.guard.specs {
		f.endOf(spec, s.places[i])
	}
	mayEnd = len(f.list) == 0
	if ok {
		s.known.put(key, listed{slices.Clone(next), mayEnd})
	}
	return next, mayEnd
}

// key identifies the state of specs that are tables.
func (s *Session) key() (string, bool) {
	var b []byte
	for i, p := range s.places {
		if s.guard.specs[i].grammar != nil {
			return "", false
		}
		b = appendInt(b, p.at)
		for _, q := range p.properties {
			b = appendInt(b, q)
		}
		waiting := 0
		for _, call := range s.pending {
			if !call.entered[i] {
				waiting++
			}
		}
		if p.lost {
			waiting = -1
		}
		b = appendInt(b, waiting)
		if waiting > 0 { // results may differ by tool
			for _, call := range s.pending {
				if !call.entered[i] {
					b = append(append(b, call.tool...), 0)
				}
			}
		}
	}
	return string(b), true
}

func appendInt(b []byte, n int) []byte {
	return append(b, byte(n), byte(n>>8), byte(n>>16), byte(n>>24))
}

// offered reports whether the specs may allow a call of a tool; "*" is any tool without a name in the list.
func (s *Session) offered(tool string) bool {
	f := findings{session: s}
	for i, spec := range s.guard.specs {
		p := s.places[i]
		if p.lost {
			continue
		}
		letters, known := spec.Map.Other, spec.Map.Other != nil
		if tool != "*" {
			letters, known = spec.resolve(tool)
		}
		pending := slices.Clone(s.pending)
		ok := known
		for k := 0; ok && k < len(letters); k++ {
			if k == 0 {
				spec.awaited(i, &p, letters[k], pending)
			}
			before := p
			if len(spec.Properties) == 0 && k == len(letters)-1 {
				ok = spec.possible(p, letters[k])
			} else if ok = spec.enter(&p, letters[k]); ok {
				f.properties(spec, before, p, "")
			}
			ok = ok && (k > 0 || len(letters) < 2 || tool == "*" || spec.fault(letters[k], tool) == "")
		}
		if !ok {
			f.add(spec.Name, "", "")
		}
	}
	for _, found := range f.list {
		if s.mode(found.Rule) == Enforce {
			return false
		}
	}
	return true
}
