package monitor

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/llm"
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
	offset, state := r.prompts.find(r.text[r.at:], final)
	r.at += offset
	if v := r.contentSoFar(state >= 0); v != nil {
		return v, false
	}
	if state < 0 {
		return nil, false
	}
	if !r.closeContent() {
		return nil, true
	}
	return r.take(state)
}

// readPrompt reads a prompt where nothing else may stand.
func (r *runner) readPrompt(final bool) (v *violation, waits bool) {
	rest := strings.TrimLeft(r.text[r.at:], " \t\r\n")
	if rest == "" {
		return nil, false
	}
	at := len(r.text) - len(rest)
	state, open := r.prompts.at(rest)
	if state < 0 && !open && r.given != "" {
		// Asked to go on from "[Act", many models begin anew with "[Action]".
		if anew, ok := strings.CutPrefix(rest, r.given); ok && strings.TrimSpace(anew) != "" {
			anew = strings.TrimLeft(anew, " \t\r\n")
			if state, open = r.prompts.at(anew); state >= 0 || open {
				r.text = r.text[:at] + anew
				rest = anew
			}
		}
	}
	if open && !final {
		return nil, false
	}
	if state < 0 {
		offset, next := r.prompts.find(rest, true)
		if next >= 0 {
			rest = rest[:offset]
		}
		return &violation{state: -1, reason: fmt.Sprintf("%q is no state's prompt", shorten(rest)), at: r.at}, false
	}
	r.at = at
	return r.take(state)
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
		reason := stateReason(name, r.names(allowed))
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
	if r.a.States[state].EnvInput {
		r.discard(r.at)
		return nil, true
	}
	return nil, false
}

// enter opens the segment of a state whose prompt begins at start.
func (r *runner) enter(state, start int) {
	r.run, _ = r.run.Step(state)
	r.last, r.content, r.expecting, r.given = state, r.at, false, ""
	r.tries, r.continuations = 0, 0
	r.segments = append(r.segments, Segment{State: r.a.States[state].Name, Span: source.Span{Start: source.Pos(start)}})
}

// contentSoFar looks for a content that can be none of those its state allows.
// whole says that no more of it will come.
func (r *runner) contentSoFar(whole bool) *violation {
	options := r.a.States[r.last].OneOf
	if len(options) == 0 {
		return nil
	}
	written := strings.TrimLeft(r.text[r.content:r.at], " \t\r\n")
	trimmed := strings.TrimRight(written, " \t\r\n")
	for _, o := range options {
		if trimmed == o || !whole && strings.HasPrefix(o, written) {
			return nil
		}
	}
	return &violation{
		state: -1, reason: contentReason(r.a.States[r.last].Name, trimmed, options), at: r.content, content: true,
	}
}

// closeContent ends the open segment where the text was read to, and reports
// whether its content can be kept; if not, that was corrected.
func (r *runner) closeContent() bool {
	state := r.a.States[r.last]
	content := strings.TrimSpace(r.text[r.content:r.at])
	if content == "" && len(state.OneOf) == 0 && r.tries < r.settings.MaxCorrections {
		r.fault(violation{state: -1, reason: fmt.Sprintf("%q is empty", state.Name), at: r.content, content: true})
		r.tries++
		return false
	}
	if len(state.OneOf) > 0 && !slices.Contains(state.OneOf, content) {
		v := r.contentSoFar(true)
		r.correctContent(*v)
		return false
	}
	r.closeSegment("model")
	return true
}

// closeSegment ends the open segment where the text was read to.
func (r *runner) closeSegment(by string) {
	if by != "model" {
		r.at = len(r.text)
	}
	segment := &r.segments[len(r.segments)-1]
	content := r.text[r.content:r.at]
	segment.Text = strings.TrimSpace(content)
	segment.Span.End = source.Pos(r.content + len(strings.TrimRight(content, " \t\r\n")))
	r.expecting = true
	r.env.Emit(SegmentEvent{
		Kind: "monitor.segment", Index: len(r.segments) - 1, State: segment.State, Text: segment.Text, Source: by,
	})
}

// fault reports a violation and throws away what was written from its place on.
func (r *runner) fault(v violation) {
	r.stats.Violations++
	e := ViolationEvent{
		Kind: "monitor.violation", Index: len(r.segments), Reason: v.reason, Allowed: r.names(r.allowed()),
		Discarded: strings.TrimSpace(r.text[v.at:]),
	}
	if v.content {
		e.Index--
		e.State, e.Allowed = r.a.States[r.last].Name, r.a.States[r.last].OneOf
	} else if v.state >= 0 {
		e.State = r.a.States[v.state].Name
	}
	r.env.Emit(e)
	r.discard(v.at)
}

// discard cuts the text at a place.
func (r *runner) discard(at int) {
	r.stats.TokensDiscarded += llm.EstimateTokens(r.text[at:])
	r.text = r.text[:at]
	r.at = min(r.at, at)
}
