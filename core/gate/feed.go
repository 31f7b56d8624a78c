package gate

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// maxFed bounds the text of a stream, in bytes.
const maxFed = 16 * MaxArguments

// maxWaiting bounds the white space that a stream keeps of a content with a list of texts, in characters.
const maxWaiting = 256

// textStream is a text of the model that is still being written.
type textStream struct {
	bytes   int      // of the text
	stopped *located // the finding that refuses the text
	verdict Verdict  // of stopped
	specs   []*specStream
}

// located is a finding with the byte of the text that it is about.
type located struct {
	Finding
	at int
}

// specStream is a text as a spec sees it: the prompts of states, each followed by a content.
type specStream struct {
	place   place
	letter  int         // of the state that is being written; -1 before the first prompt
	held    string      // the end of the text, which may begin a prompt
	content textRun     // of the state
	plain   []candidate // the readings of the text before the first prompt; none if every text is permitted
	begun   int         // the first byte other than white space before the first prompt, or -1
}

// candidate is a reading of a text without prompts: the letter that it becomes if it is the last one or not.
type candidate struct {
	letter  int
	content textRun
	code    string // of the fault; "" for none
	reason  string
	at      int
}

// textRun is the state of a content that is being written. White space at both ends is no part of it.
type textRun struct {
	state, ahead int    // of the pattern, before and after the white space at the end
	chars, wait  int    // characters without and of this white space
	text         string // of a content with a list of texts
	words, done  bool   // it has characters; a fault was reported
}

// Feed judges a part of a text that the model is writing. The text has the prompts of states, as in the
// agent's spec, or it is one message. With a verdict other than Allow, Decision.At is the first byte of the text that no
// run has there, and the text is refused until another method begins the next one.
//
// Feed enters nothing: Allow enters the calls and Record the messages that the text becomes, and both end it.
func (s *Session) Feed(text string) Decision {
	if d, closed := s.closed(); closed {
		return s.write("feed", Event{Kind: "text", Content: text}, d)
	}
	if t := s.stream; t != nil && t.stopped != nil {
		d := s.decide(t.verdict, t.stopped.Code, t.stopped.Reason, t.stopped.Rule)
		d.At = &t.stopped.at
		return d
	}
	d := s.feed(text)
	if d.Verdict != Allow || len(d.Shadow) > 0 {
		return s.write("feed", Event{Kind: "text", Content: text}, d)
	}
	return d
}

// Discard forgets the text that was fed. The next call of Feed begins another text.
func (s *Session) Discard() { s.stream = nil }

func (s *Session) feed(text string) Decision {
	for _, spec := range s.guard.specs {
		if spec.mute() && s.mode(spec.Name) != Off {
			return s.decide(Fault, "feed", "the guard was compiled without the prompts of "+show(spec.Name)+"; compile it again", "")
		}
	}
	t := s.stream
	if t == nil {
		t = s.beginText()
	}
	if !valid(text) || len(text) > maxFed-t.bytes {
		return s.decide(Deny, "event.content", "the content is invalid Unicode or larger than "+number(maxFed)+" bytes", "")
	}
	s.stream = t
	f := findings{session: s}
	for i, spec := range s.guard.specs {
		if spec.Prompts != nil && (s.mode(spec.Name) != Off || len(spec.Properties) > 0) {
			f.feed(i, t.specs[i], text, t.bytes)
		}
	}
	t.bytes += len(text)
	d, found := f.earliest()
	if found != nil {
		t.stopped, t.verdict = found, d.Verdict
	}
	if d.At == nil {
		at := t.bytes
		d.At = &at
	}
	return d
}

// mute reports whether a spec has states with prompts, but its file lacks them.
func (s *spec) mute() bool { return s.Prompts == nil && s.Map.Result != nil }

func (s *Session) beginText() *textStream {
	t := &textStream{}
	for i, spec := range s.guard.specs {
		if spec.Prompts == nil {
			t.specs = append(t.specs, nil)
			continue
		}
		one := &specStream{place: s.places[i], letter: -1, begun: -1}
		for _, final := range []bool{false, true} {
			letters := spec.textOf(one.place, Event{Name: "assistant", Final: final})
			if len(letters) == 0 {
				one.plain = nil
				break
			}
			one.plain = append(one.plain, spec.candidate(one.place, letters))
		}
		t.specs = append(t.specs, one)
	}
	return t
}

// candidate returns the reading of a text as the last one of some letters.
func (s *spec) candidate(p place, letters []int) candidate {
	c := candidate{letter: letters[len(letters)-1], at: -1}
	for k, letter := range letters {
		fault := ""
		if k < len(letters)-1 {
			fault = s.fault(letter, "")
		}
		if !s.enter(&p, letter) {
			c.code, c.reason = "order.event", "the message of the role assistant is not allowed here"
			break
		}
		if fault != "" {
			c.code, c.reason = "content", fault
			break
		}
	}
	return c
}

// find returns the offset of the first prompt in a text, and its letter: of prompts that begin at the same place, the
// longest. If there is none, the letter is -1, and no prompt begins before the offset, however the text continues.
func (s *spec) find(text string) (at, letter int) {
	for i := range len(text) {
		if !s.initial[text[i]] {
			continue
		}
		rest, found := text[i:], -1
		for _, k := range s.longest {
			prompt := s.Prompts[k]
			if strings.HasPrefix(rest, prompt) {
				found = k
				break
			}
			if len(rest) < len(prompt) && strings.HasPrefix(prompt, rest) {
				return i, -1
			}
		}
		if found >= 0 {
			return i, found
		}
	}
	return len(text), -1
}

// feed reads a part of a text, which begins at a byte.
func (f *findings) feed(i int, t *specStream, text string, from int) {
	spec := f.session.guard.specs[i]
	rest, base := t.held+text, from-len(t.held)
	t.held = ""
	for !t.place.lost {
		at, letter := spec.find(rest)
		f.read(spec, t, rest[:at], base)
		if letter < 0 {
			t.held = rest[at:]
			return
		}
		f.at = base + at
		f.prompt(i, t, letter)
		n := at + len(spec.Prompts[letter])
		rest, base = rest[n:], base+n
	}
}

// read reads a part of the content of a state, or of the text before the first prompt.
func (f *findings) read(spec *spec, t *specStream, text string, from int) {
	first := strings.IndexFunc(text, func(r rune) bool { return !strings.ContainsRune(spaces, r) })
	switch {
	case t.letter < 0:
		f.message(spec, t, text, from, first)
	case spec.environment[t.letter]:
		if first >= 0 && !t.content.done {
			t.content.done = true
			f.at = from + first
			f.add(spec.Name, "feed", environmental(spec, t.letter))
		}
	default:
		if reason, at := spec.content(t.letter, &t.content, text, from); reason != "" {
			f.at = at
			f.add(spec.Name, "content", reason)
		}
	}
}

func environmental(spec *spec, letter int) string {
	return "the content of " + show(spec.Letters[letter]) + " is written by the environment"
}

// message reads a part of the text before the first prompt. It is a finding if no reading permits it.
func (f *findings) message(spec *spec, t *specStream, text string, from, first int) {
	if t.begun < 0 && first >= 0 {
		t.begun = from + first
	}
	if t.begun < 0 || len(t.plain) == 0 || t.content.done {
		return
	}
	last := -1
	for k := range t.plain {
		c := &t.plain[k]
		if c.code == "" {
			if reason, at := spec.content(c.letter, &c.content, text, from); reason != "" {
				c.code, c.reason, c.at = "content", reason, at
			}
		} else if c.at < 0 {
			c.at = t.begun
		}
		if c.code == "" {
			return
		}
		if last < 0 || c.at > t.plain[last].at {
			last = k
		}
	}
	t.content.done = true
	f.at = t.plain[last].at
	f.add(spec.Name, t.plain[last].code, t.plain[last].reason)
}

// prompt ends the content before a prompt, and enters the letter of the prompt.
func (f *findings) prompt(i int, t *specStream, letter int) {
	spec, at := f.session.guard.specs[i], f.at
	switch {
	case t.content.done:
	case t.letter < 0 && t.begun >= 0:
		f.at = t.begun
		f.add(spec.Name, "feed", "text before the first prompt")
		f.at = at
	case t.letter < 0:
	case spec.environment[t.letter]:
		f.add(spec.Name, "feed", environmental(spec, t.letter))
	default:
		if reason := spec.end(t.letter, &t.content); reason != "" {
			f.add(spec.Name, "content", reason)
		}
	}
	if t.letter < 0 {
		spec.awaited(i, &t.place, letter, slices.Clone(f.session.pending))
	}
	before, name := t.place, show(spec.Letters[letter])
	if !spec.move(&t.place, letter) {
		reason := name + " is not allowed here; no state may follow"
		if names := spec.following(before); len(names) > 0 {
			reason = name + " is not allowed here; expected: " + list(names)
		}
		t.place.lost = f.add(spec.Name, "order.event", reason)
		return
	}
	spec.advance(&t.place, letter)
	f.properties(spec, before, t.place, name)
	t.letter, t.content, t.plain, t.begun = letter, textRun{}, nil, -1
}

// following returns the names of the letters that are permitted next.
func (s *spec) following(p place) (names []string) {
	for letter, name := range s.Letters {
		if s.permits(p, letter) {
			names = append(names, name)
		}
	}
	return names
}

// content reads a part of a content, which begins at a byte. It returns the reason and the byte of the first character
// with which no permitted content continues.
func (s *spec) content(letter int, run *textRun, text string, from int) (reason string, at int) {
	c := s.Contents[letter]
	if c == nil || run.done {
		return "", 0
	}
	for i, char := range text {
		if strings.ContainsRune(spaces, char) {
			run.space(c, char)
		} else if fault := run.take(c, char, show(s.Letters[letter])); fault != "" {
			run.done = true
			return fault, from + i
		}
	}
	return "", 0
}

// space reads white space, which is a part of the content if another character follows.
func (r *textRun) space(c *Content, char rune) {
	if !r.words {
		return
	}
	if c.OneOf != nil && r.wait < maxWaiting {
		r.text += string(char)
	}
	if c.Pattern != nil && r.ahead >= 0 {
		r.ahead = c.Pattern.Next[r.ahead][c.Pattern.class(char)]
	}
	r.wait++
}

// take reads a character other than white space, and returns the fault.
func (r *textRun) take(c *Content, char rune, name string) string {
	if c.Empty {
		return name + " has no content"
	}
	if c.MaxChars > 0 && r.chars+r.wait+1 > c.MaxChars {
		return name + " is longer than " + number(c.MaxChars) + " characters"
	}
	if c.OneOf != nil {
		r.text += string(char)
		if !slices.ContainsFunc(c.OneOf, func(option string) bool { return strings.HasPrefix(option, r.text) }) {
			return name + " must be one of: " + list(c.OneOf)
		}
	}
	if c.Pattern != nil {
		if r.ahead >= 0 {
			r.ahead = c.Pattern.Next[r.ahead][c.Pattern.class(char)]
		}
		if r.ahead < 0 {
			return name + " must match " + show(c.Pattern.Source)
		}
		r.state = r.ahead
	}
	r.chars, r.wait, r.words = r.chars+r.wait+1, 0, true
	return ""
}

// end returns the fault of a content that ends here.
func (s *spec) end(letter int, run *textRun) string {
	c := s.Contents[letter]
	switch {
	case c == nil:
	case c.OneOf != nil && !slices.Contains(c.OneOf, trim(run.text)):
		return show(s.Letters[letter]) + " must be one of: " + list(c.OneOf)
	case c.Pattern != nil && c.Pattern.Accept[run.state] == 0:
		return show(s.Letters[letter]) + " must match " + show(c.Pattern.Source)
	}
	return ""
}

// earliest returns the decision about a part of a text: that of the first finding by its byte whose rule is enforced or
// asks. The findings in the mode shadow that precede it are listed.
func (f *findings) earliest() (Decision, *located) {
	s := f.session
	found := make([]located, len(f.list))
	for i := range f.list {
		found[i] = located{f.list[i], f.places[i]}
	}
	weight := func(l located) int { return 2*l.at + bit(s.mode(l.Rule) == AskMode) }
	slices.SortStableFunc(found, func(a, b located) int { return weight(a) - weight(b) })
	d := s.decide(Allow, "ok", "", "")
	for i := range found {
		l := &found[i]
		switch s.mode(l.Rule) {
		case Shadow:
			d.Shadow = append(d.Shadow, l.Finding)
			continue
		case AskMode:
			d.Verdict = Ask
		default:
			d.Verdict = Deny
		}
		d.Code, d.Reason, d.Rule, d.At = l.Code, l.Reason, l.Rule, &l.at
		return d, l
	}
	return d, nil
}

// readPrompts indexes the prompts of a spec. It reports whether they are one for each letter, or none.
func (s *spec) readPrompts() bool {
	ok := s.Prompts == nil && s.Environment == nil || s.Kind == "dfa" && len(s.Prompts) == len(s.Letters) && lettersFit(len(s.Letters), s.Environment)
	for _, prompt := range s.Prompts {
		ok = ok && prompt != "" && utf8.ValidString(prompt)
	}
	if !ok {
		return false
	}
	s.environment = map[int]bool{}
	for _, letter := range s.Environment {
		s.environment[letter] = true
	}
	for letter, prompt := range s.Prompts {
		s.longest, s.initial[prompt[0]] = append(s.longest, letter), true
	}
	slices.SortStableFunc(s.longest, func(a, b int) int { return len(s.Prompts[b]) - len(s.Prompts[a]) })
	return true
}
