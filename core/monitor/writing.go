package monitor

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// writing is the phase in which the model fills a state. The content ends at the next
// prompt.
type writing struct {
	opened
	contents *contents
	given    bool // the monitor wrote the prompt
}

func (w *writing) turn(r *runner) error { return r.generate() }

func (w *writing) stopped(r *runner, stop string) {
	if r.settings.Eager || len(r.run.Next()) == 0 {
		return
	}
	r.newLine()
	r.write(byMonitor, stop)
}

func (w *writing) read(r *runner, final bool) (stop bool, err error) {
	rest := string(r.text[r.at:])
	offset, state := r.prompts.find(rest, final)
	r.at += offset
	if fault := w.contents.read(rest[:offset]); fault != "" {
		w.correct(r, fault)
		return true, nil
	}
	if state < 0 {
		return false, nil
	}
	if w.given && state == w.state && !w.contents.words {
		w.dropEcho(r, rest[offset:])
		return false, nil
	}
	next, ok := w.end(r)
	if !ok {
		return true, nil
	}
	return next.take(r, state)
}

// dropEcho removes the prompt at the beginning of rest: the monitor had written it, and
// the model repeats it.
func (w *writing) dropEcho(r *runner, rest string) {
	prompt := r.a.States[w.state].Text
	r.cut(w.start)
	w.contents = newContents(r.a, w.state)
	r.discarded += utf8.RuneCountInString(prompt)
	r.write(byModel, rest[len(prompt):])
	w.given = false
}

// end closes the content where the text was read to. ok is false if the content was
// corrected instead.
func (w *writing) end(r *runner) (next *prompting, ok bool) {
	state := r.a.States[w.state]
	if !w.contents.words && !state.Empty && w.contents.allowed == nil && r.attempts.corrections < r.settings.MaxCorrections {
		w.report(r, fmt.Sprintf("%q is empty", state.Name), w.start)
		r.attempts.corrections++
		return nil, false
	}
	if fault := w.contents.end(); fault != "" {
		w.correct(r, fault)
		return nil, false
	}
	return w.close(r, "model"), true
}

func (w *writing) close(r *runner, author string) *prompting {
	r.close(w.opened, author)
	next := &prompting{}
	r.phase = next
	return next
}

// report reports a violation and discards the text from offset at on.
func (w *writing) report(r *runner, reason string, at int) {
	state := r.a.States[w.state]
	r.stats.Violations++
	r.attempts.reason = reason
	if w.contents.long { // the content is cut, not generated again
		r.stats.Cost.EagerCompletion += charactersTokens(utf8.RuneCount(r.text[at:]))
	} else {
		r.eagerAgain(w.start, at)
	}
	r.env.Emit(ViolationEvent{
		Kind: "monitor.violation", Sample: r.sample, Index: len(r.segments) - 1, State: state.Name, Reason: reason,
		Allowed: append([]string{}, state.OneOf...), Discarded: strings.TrimSpace(string(r.text[at:])),
	})
	w.discard(r, at)
}

// discard removes the text from offset at on, which is within the content.
func (w *writing) discard(r *runner, at int) {
	r.discard(at)
	w.reread(r)
}

// reread checks the remaining content again from its beginning.
func (w *writing) reread(r *runner) {
	w.contents = newContents(r.a, w.state)
	w.contents.read(string(r.text[w.start:r.at]))
}

// correct keeps the valid prefix of the content and appends the text with which every valid
// content continues. A content that is too long, or is valid up to a space, ends there.
func (w *writing) correct(r *runner, reason string) {
	at := w.start + w.contents.fit
	wrong := strings.TrimSpace(string(r.text[at:]))
	written := strings.TrimSpace(string(r.text[w.start:]))
	spaced := at < len(r.text) && isSpace(r.text[at])
	long := w.contents.long
	if long && !spaced { // keep words complete, unless there is only one
		if i := bytes.LastIndexAny(r.text[w.start:at], " \t\r\n"); i > 0 && strings.TrimSpace(string(r.text[w.start:w.start+i])) != "" {
			at = w.start + i
		}
	}
	r.at = at
	w.report(r, reason, at)
	switch {
	case w.contents.allowed == nil || long && w.contents.end() == "":
		r.corrected(false)
		w.closeWith(r, "", []string{})
	case long: // the rest of a valid content would exceed the limit
		w.discard(r, w.start)
		r.corrected(true)
		w.closeWith(r, w.contents.run.Shortest(), []string{})
	default:
		w.complete(r, wrong, written, spaced)
	}
}

// complete corrects a content that is not too long. wrong is the rejected text, written is
// the content before the rejected text was cut off, and spaced reports whether a space
// precedes the rejected text.
func (w *writing) complete(r *runner, wrong, written string, spaced bool) {
	run := w.contents.run
	options := w.options(r)
	if option, ok := meant(options, written); ok && wrong != "" {
		w.discard(r, w.start)
		r.corrected(true)
		w.closeWith(r, option, []string{option})
		return
	}
	exhausted := r.attempts.corrections >= r.settings.MaxCorrections
	if run.Complete() && (spaced || !run.Goes() || exhausted) {
		r.corrected(!run.Goes())
		w.closeWith(r, "", options)
		return
	}
	given := run.Forced()
	forced := r.settings.Forced || exhausted
	if forced {
		given = run.Shortest()
		if len(options) > 0 {
			given = options[closest(options, written)][w.length(r):]
		}
	}
	for _, char := range given {
		run, _ = run.Step(char)
	}
	forced = forced || run.Complete() && !run.Goes()
	r.corrected(forced)
	if forced {
		w.closeWith(r, given, options)
		return
	}
	w.write(r, given)
	r.env.Emit(CorrectionEvent{Kind: "monitor.correction", Sample: r.sample, Text: given, Allowed: options, Forced: false})
	r.at = len(r.text)
	r.redo = len(r.text)
	w.reread(r)
}

// closeWith appends a text to the content and closes it.
func (w *writing) closeWith(r *runner, given string, options []string) {
	w.write(r, given)
	r.env.Emit(CorrectionEvent{Kind: "monitor.correction", Sample: r.sample, Text: given, Allowed: options, Forced: given != ""})
	w.close(r, "correction")
	r.newLine()
}

// write appends the monitor's text to the content.
func (w *writing) write(r *runner, text string) {
	if text == "" {
		return
	}
	if w.length(r) == 0 {
		r.cut(w.start)
		text = " " + text
	}
	r.write(byMonitor, text)
}

// length returns the length of the content in bytes, without leading space.
func (w *writing) length(r *runner) int {
	return len(bytes.TrimLeft(r.text[w.start:], " \t\r\n"))
}

func isSpace(b byte) bool { return b == ' ' || b == '\t' || b == '\r' || b == '\n' }

// options returns the permitted contents that begin with the content so far.
func (w *writing) options(r *runner) []string {
	begun := strings.TrimSpace(string(r.text[w.start:]))
	out := []string{}
	for _, o := range r.a.States[w.state].OneOf {
		if o = strings.TrimSpace(o); strings.HasPrefix(o, begun) {
			out = append(out, o)
		}
	}
	return out
}

// meant returns the only option that written is a prefix of, or that is a prefix of written, ignoring case.
func meant(options []string, written string) (option string, ok bool) {
	for _, o := range options {
		n := min(len(o), len(written))
		if n == 0 || !utf8.ValidString(written[:n]) || !strings.EqualFold(o[:n], written[:n]) {
			continue
		}
		if ok {
			return "", false
		}
		option, ok = o, true
	}
	return option, ok
}
