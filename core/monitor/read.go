package monitor

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/source"
)

// violation is a place where the text leaves the behaviour.
type violation struct {
	state   int // the state that stood there, or -1 in violations of content
	reason  string
	at      int  // what is kept ends here
	content bool // it is the open state's content that is at fault
	silent  bool // nothing was written wrongly: the model only stopped
}

// progress reads what has come and reports whether the stream is to be stopped:
// because of a violation, which it has corrected, or because others write now.
func (r *runner) progress(final bool) (stopped bool, err error) {
	for {
		before := r.at
		v, waits := r.readOne(final)
		switch {
		case v != nil:
			return true, r.correct(*v)
		case r.done:
			return true, nil
		case waits:
			return true, nil
		case r.at == before:
			return false, nil
		}
	}
}

// read reads what the monitor itself has written.
func (r *runner) read(final bool) error {
	_, err := r.progress(final)
	return err
}

// readOne reads up to the next prompt and over it. waits reports that the state
// it found is answered by the environment.
func (r *runner) readOne(final bool) (v *violation, waits bool) {
	if r.expecting {
		return r.readPrompt(final)
	}
	rest := string(r.text[r.at:])
	offset, state := r.prompts.find(rest, final)
	r.at += offset
	if fault := r.contents.read(rest[:offset]); fault != "" {
		return r.contentViolation(fault), false
	}
	if state < 0 {
		return nil, false
	}
	if r.gave && state == r.last && !r.contents.words {
		r.echoed(rest[offset:])
		return nil, false
	}
	if !r.closeContent() {
		return nil, true
	}
	return r.take(state)
}

// echoed drops the prompt of the open state at the beginning of a text. It was
// written for the model, which wrote it once more.
func (r *runner) echoed(rest string) {
	prompt := r.a.States[r.last].Text
	r.cut(r.content)
	r.contents = newContents(r.a, r.last)
	r.discarded += utf8.RuneCountInString(prompt)
	r.write(byModel, rest[len(prompt):])
	r.gave = false
}

func (r *runner) contentViolation(reason string) *violation {
	return &violation{state: -1, reason: reason, at: r.content + r.contents.fit, content: true}
}

// readPrompt reads a prompt where nothing else may stand.
func (r *runner) readPrompt(final bool) (v *violation, waits bool) {
	rest := strings.TrimLeft(string(r.text[r.at:]), " \t\r\n")
	at := len(r.text) - len(rest)
	if r.at = at; rest == "" {
		return nil, false
	}
	state, open := r.prompts.at(rest)
	if state < 0 && !open && r.given != "" {
		// Asked to go on from "[Act", many models begin anew with "[Action]".
		if anew, ok := strings.CutPrefix(rest, r.given); ok && strings.TrimSpace(anew) != "" {
			anew = strings.TrimLeft(anew, " \t\r\n")
			if state, open = r.prompts.at(anew); state >= 0 || open {
				r.cut(at)
				r.write(byModel, anew)
				rest = anew
			}
		}
	}
	if open && !final {
		return nil, false
	}
	if state < 0 {
		return r.chatter(rest, final)
	}
	return r.take(state)
}

// maxChatter is how much a model may say before a prompt, in bytes. It is thrown
// away, but what follows it is not: that would have to be paid for again.
const maxChatter = 400

// chatter passes over a text that stands where only a prompt may, up to the prompt
// that follows it.
func (r *runner) chatter(rest string, final bool) (v *violation, waits bool) {
	offset, next := r.prompts.find(rest, final)
	said := strings.TrimSpace(rest[:offset])
	wrong := &violation{state: -1, reason: fmt.Sprintf("%q is no state's prompt", shorten(said)), at: r.at}
	if like := FindLookalikes(r.a, said, 1); len(like) > 0 && like[0].Span.Start == 0 {
		wrong.reason = like[0].Reason
	}
	switch {
	case next >= 0:
		if !slices.Contains(r.allowed(), next) {
			return wrong, false
		}
		r.stats.Violations++
		r.env.Emit(ViolationEvent{
			Kind: "monitor.violation", Sample: r.sample, Index: len(r.segments), Reason: wrong.reason, Allowed: r.names(r.allowed()), Discarded: said,
		})
		r.discard(r.at)
		r.write(byModel, rest[offset:])
		r.discarded -= utf8.RuneCountInString(rest[offset:])
		return r.take(next)
	case final, len(rest) > maxChatter:
		return wrong, false
	}
	return nil, false
}

func shorten(text string) string {
	text = strings.TrimSpace(text)
	if len(text) > 40 {
		return text[:commonRune(text, 40)] + "…"
	}
	return text
}

// take enters a state whose prompt stands at the text's place, if it may.
func (r *runner) take(state int) (v *violation, waits bool) {
	name := r.a.States[state].Name
	allowed := r.allowed()
	if !slices.Contains(allowed, state) {
		reason := StateReason(name, r.names(allowed))
		if slices.Contains(r.run.Next(), state) {
			reason = fmt.Sprintf("the run is long: only %s leads to its end by the shortest way", list(r.names(allowed)))
		}
		return &violation{state: state, reason: reason, at: r.at}, false
	}
	if r.run.Complete() && len(r.segments) >= r.settings.MaxSteps {
		return &violation{state: state, reason: "the run is long, and it is complete", at: r.at}, false
	}
	start := r.at
	r.at += len(r.a.States[state].Text)
	r.enter(state, start)
	switch s := r.a.States[state]; {
	case s.EnvInput:
		r.discard(r.at)
		return nil, true
	case s.Empty && len(r.run.Next()) == 0:
		r.discard(r.at)
		r.closeSegment("model")
		r.done = true
	case s.Empty:
		r.closeSegment("model")
	}
	return nil, false
}

// enter opens the segment of a state whose prompt begins at start.
func (r *runner) enter(state, start int) {
	r.run, _ = r.run.Step(state)
	r.last, r.content, r.expecting, r.given, r.led = state, r.at, false, "", false
	r.gave = false
	r.contents = newContents(r.a, state)
	r.tries, r.goneOn, r.why = 0, 0, ""
	r.segments = append(r.segments, Segment{State: r.a.States[state].Name, Span: source.Span{Start: source.Pos(start)}})
}

// closeContent ends the open segment where the text was read to, and reports
// whether its content can be kept; if not, that was corrected.
func (r *runner) closeContent() bool {
	state := r.a.States[r.last]
	if !r.contents.words && !state.Empty && r.contents.allowed == nil && r.tries < r.settings.MaxCorrections {
		r.fault(violation{state: -1, reason: fmt.Sprintf("%q is empty", state.Name), at: r.content, content: true})
		r.tries++
		return false
	}
	if fault := r.contents.end(); fault != "" {
		r.correctContent(*r.contentViolation(fault))
		return false
	}
	r.closeSegment("model")
	return true
}

// closeSegment ends the open segment where the text was read to, or, where others
// than the model wrote it, at the text's end.
func (r *runner) closeSegment(by string) {
	if by != "model" {
		r.at = len(r.text)
	}
	segment := &r.segments[len(r.segments)-1]
	content := string(r.text[r.content:r.at])
	segment.Text = strings.TrimSpace(content)
	segment.Span.End = source.Pos(r.content + len(strings.TrimRight(content, " \t\r\n")))
	segment.task = by == "task"
	r.expecting = true
	if r.redo >= 0 {
		r.regenerated += utf8.RuneCount(r.text[min(r.redo, r.at):r.at])
		r.redo = -1
	}
	r.env.Emit(SegmentEvent{
		Kind: "monitor.segment", Sample: r.sample, Index: len(r.segments) - 1, State: segment.State, Text: segment.Text, Source: by,
	})
}

// fault reports a violation and throws away what was written from its place on.
func (r *runner) fault(v violation) {
	r.stats.Violations++
	r.why = v.reason
	e := ViolationEvent{
		Kind: "monitor.violation", Sample: r.sample, Index: len(r.segments), Reason: v.reason, Allowed: r.names(r.allowed()),
		Discarded: strings.TrimSpace(string(r.text[v.at:])),
	}
	if v.content {
		e.Index--
		e.State, e.Allowed = r.a.States[r.last].Name, append([]string{}, r.a.States[r.last].OneOf...)
		if r.contents.long { // what is too long is cut, and not asked for again
			r.stats.Cost.EagerCompletion += charactersTokens(utf8.RuneCount(r.text[v.at:]))
		} else {
			r.eagerAgain(r.content, v.at)
		}
	} else {
		if v.state >= 0 {
			e.State = r.a.States[v.state].Name
		}
		if r.chooses() {
			r.eagerAgain(v.at, v.at)
		}
	}
	r.env.Emit(e)
	r.discard(v.at)
}

// discard cuts the text at a place.
func (r *runner) discard(at int) {
	r.discarded += r.characters(at, byModel)
	r.cut(at)
	if !r.expecting && r.last >= 0 {
		r.reread()
	}
}

// reread reads the open content again as far as it was kept.
func (r *runner) reread() {
	r.contents = newContents(r.a, r.last)
	r.contents.read(string(r.text[r.content:r.at]))
}
