package gate

import "slices"

// result enters a result or an error of a pending call.
func (s *Session) result(e Event) Decision {
	if d, closed := s.closed(); closed {
		return d
	}
	i := s.find(e.ID)
	if e.ID == "" {
		i = slices.IndexFunc(s.pending, func(p pendingCall) bool { return p.id == "" && (e.Name == "" || p.tool == e.Name) })
	}
	if i < 0 || e.Name != "" && s.pending[i].tool != e.Name {
		return s.decide(Deny, "event.result", "no call with this name and id waits for a result", "")
	}
	if !valid(e.Content) || len(e.Content) > 16*MaxArguments {
		return s.decide(Deny, "event.content", "the content is invalid Unicode or larger than "+number(16*MaxArguments)+" bytes", "")
	}
	call := s.pending[i]
	e.Name = call.tool
	f := findings{session: s}
	places := slices.Clone(s.places)
	for k, spec := range s.guard.specs {
		if !call.entered[k] {
			f.enterText(spec, &places[k], spec.resultOf(call.tool), e.Content, "the result of "+show(call.tool), true)
		}
	}
	return s.finish(&f, places, e, call.arguments, func() {
		s.pending = slices.Delete(slices.Clone(s.pending), i, i+1)
		if e.ID != "" {
			s.recent = append(s.recent, e.ID)
			s.recent = s.recent[max(0, len(s.recent)-maxRecent):]
		}
	})
}

// finish enters an event that happened. A finding whose rule is enforced closes the session as violated.
func (s *Session) finish(f *findings, places []place, e Event, input string, entered func()) Decision {
	back, broken := f.rulesStep(&e, input)
	if broken != "" {
		s.violate(broken)
		return s.decide(Fault, "rule.fault", broken, "")
	}
	d := f.decision()
	s.commit()
	if d.Verdict == Deny {
		back()
		s.violate(d.Reason)
	} else {
		s.places, s.events, s.time = places, s.events+1, e.Time
		entered()
	}
	d.Next, d.MayEnd = s.Next()
	return d
}

// enterText enters the letters of an event that is not a call. If joined is true, an event
// with the last letter again is accepted as a part of the same step.
func (f *findings) enterText(spec *spec, p *place, letters []int, content, step string, joined bool) {
	if p.lost {
		return
	}
	for k, letter := range letters {
		before := *p
		if !spec.enter(p, letter) {
			*p = before
			if joined && len(letters) == 1 && p.last == letter {
				return
			}
			p.lost = f.add(spec.Name, "order.event", step+" is not allowed here")
			return
		}
		text := content
		if k < len(letters)-1 {
			text = ""
		}
		if fault := spec.fault(letter, text); fault != "" {
			f.add(spec.Name, "content", fault)
		}
		f.properties(spec, before, *p, step)
	}
}

func (s *Session) message(e Event) Decision {
	if d, closed := s.closed(); closed {
		return d
	}
	if !valid(e.Content) || len(e.Content) > 16*MaxArguments {
		return s.decide(Deny, "event.content", "the content is invalid Unicode or larger than "+number(16*MaxArguments)+" bytes", "")
	}
	if e.Name != "user" && e.Name != "assistant" && e.Name != "system" {
		return s.decide(Deny, "event.kind", "unknown role "+show(e.Name)+"; expected user, assistant or system", "")
	}
	f := findings{session: s}
	places := slices.Clone(s.places)
	for i, spec := range s.guard.specs {
		letters := spec.Map.User
		if e.Name != "user" {
			letters = spec.textOf(places[i], e)
		}
		if e.Optional && !spec.follow(places[i], letters) {
			continue
		}
		f.enterText(spec, &places[i], letters, e.Content, "the message of the role "+e.Name, false)
	}
	return s.finish(&f, places, e, "", func() {})
}

// follow reports whether letters are possible in a place, one after the other.
func (s *spec) follow(p place, letters []int) bool {
	for _, letter := range letters {
		if !s.enter(&p, letter) {
			return false
		}
	}
	return true
}

// textOf returns the letters of a text of the model: an answer, a thought, or none. A text that
// is not the last one and has no place in the order is not a step.
func (s *spec) textOf(p place, e Event) []int {
	switch {
	case e.Name == "system" || p.lost:
		return nil
	case e.Final && s.Map.Final != nil:
		return s.Map.Final
	case s.Map.Text != nil:
		return s.Map.Text
	case e.Final && len(s.Map.Answers) > 0:
		for i := len(s.Map.Answers) - 1; i >= 0; i-- {
			if s.possible(p, s.Map.Answers[i]) {
				return s.Map.Answers[i : i+1]
			}
		}
		return s.Map.Answers[len(s.Map.Answers)-1:]
	}
	for n, list := range [][]int{s.Map.Thoughts, s.Map.Free} {
		for i, letter := range list {
			if s.permits(p, letter) {
				return list[i : i+1]
			}
		}
		if n == 0 && e.Final && len(list) > 0 {
			return list[:1]
		}
	}
	return nil
}
