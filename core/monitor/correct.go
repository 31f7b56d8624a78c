package monitor

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// correct puts a violation right: what was wrong is thrown away, and the text
// goes on with the longest common prefix of what may stand there.
func (r *runner) correct(v violation) error {
	if v.content {
		r.correctContent(v)
		return nil
	}
	wrong := strings.TrimSpace(string(r.text[v.at:]))
	if !v.silent {
		r.fault(v)
	} else {
		r.why = v.reason
		if r.chooses() {
			r.eagerAgain(v.at, v.at)
		}
		r.discard(v.at)
	}
	allowed := r.allowed()
	if len(allowed) == 0 || r.run.Complete() && len(r.segments) >= r.settings.MaxSteps {
		r.done = true // nothing may follow, or nothing more should
		return nil
	}
	texts := make([]string, len(allowed))
	for i, s := range allowed {
		texts[i] = r.a.States[s].Text
	}
	given := commonPrefix(texts)
	forced := len(texts) == 1 || r.settings.Forced || r.tries >= r.settings.MaxCorrections
	if forced {
		given = r.prompts.apart(allowed[closest(texts, wrong)])
	}
	r.expecting, r.given = true, given
	r.correcting(forced)
	r.cut(len(bytes.TrimRight(r.text, " \t\r\n")))
	r.newLine()
	r.write(byMonitor, given)
	r.redo = len(r.text)
	r.env.Emit(CorrectionEvent{Kind: "monitor.correction", Sample: r.sample, Text: given, Allowed: r.names(allowed), Forced: forced})
	err := r.read(forced)
	r.gave = forced
	return err
}

// correctContent puts the content of the open state right. What fits is kept, and
// the text goes on with what must come whatever the content is to be. Where the
// content is long enough or fits as it is and a space ends it, it ends there.
func (r *runner) correctContent(v violation) {
	wrong := strings.TrimSpace(string(r.text[v.at:]))
	written := strings.TrimSpace(string(r.text[r.content:]))
	spaced := v.at < len(r.text) && isSpace(r.text[v.at])
	long := r.contents.long
	if long && !spaced { // no word is cut in two, unless it stands alone
		if i := bytes.LastIndexAny(r.text[r.content:v.at], " \t\r\n"); i > 0 && strings.TrimSpace(string(r.text[r.content:r.content+i])) != "" {
			v.at = r.content + i
		}
	}
	r.at = v.at
	r.fault(v)
	if r.contents.allowed == nil || long && r.contents.end() == "" { // too long, or nothing may stand there
		r.correcting(false)
		r.endContent("", []string{})
		return
	}
	if long { // what stands there cannot be ended in time
		r.discard(r.content)
		r.correcting(true)
		r.endContent(r.contents.run.Shortest(), []string{})
		return
	}
	run := r.contents.run
	options := r.fitting()
	if option, ok := meant(options, written); ok && wrong != "" {
		r.discard(r.content)
		r.correcting(true)
		r.endContent(option, []string{option})
		return
	}
	if run.Complete() && (spaced || !run.Goes() || r.tries >= r.settings.MaxCorrections) {
		r.correcting(!run.Goes())
		r.endContent("", options)
		return
	}
	given := run.Forced()
	forced := r.settings.Forced || r.tries >= r.settings.MaxCorrections
	if forced {
		given = run.Shortest()
		if len(options) > 0 {
			given = options[closest(options, written)][r.contentLength():]
		}
	}
	for _, char := range given {
		run, _ = run.Step(char)
	}
	forced = forced || run.Complete() && !run.Goes()
	r.correcting(forced)
	if forced {
		r.endContent(given, options)
		return
	}
	if given != "" {
		r.giveContent(given)
	}
	r.contents.run = run
	r.env.Emit(CorrectionEvent{Kind: "monitor.correction", Sample: r.sample, Text: given, Allowed: options, Forced: false})
	r.at = len(r.text)
	r.redo = len(r.text)
	r.reread()
}

// endContent ends the open content with a text.
func (r *runner) endContent(given string, options []string) {
	if given != "" {
		r.giveContent(given)
	}
	r.env.Emit(CorrectionEvent{Kind: "monitor.correction", Sample: r.sample, Text: given, Allowed: options, Forced: given != ""})
	r.closeSegment("correction")
	r.newLine()
}

// giveContent writes on in the open content.
func (r *runner) giveContent(text string) {
	if r.contentLength() == 0 {
		r.cut(r.content)
		text = " " + text
	}
	r.write(byMonitor, text)
}

// contentLength returns how many bytes of the content stand there, without the
// space before them.
func (r *runner) contentLength() int {
	return len(bytes.TrimLeft(r.text[r.content:], " \t\r\n"))
}

func isSpace(b byte) bool { return b == ' ' || b == '\t' || b == '\r' || b == '\n' }

// fitting returns the permitted contents that begin with what stands there.
func (r *runner) fitting() []string {
	stands := strings.TrimSpace(string(r.text[r.content:]))
	out := []string{}
	for _, o := range r.a.States[r.last].OneOf {
		if o = strings.TrimSpace(o); strings.HasPrefix(o, stands) {
			out = append(out, o)
		}
	}
	return out
}

// meant returns the only option that what was written is, but for the case of its
// letters.
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

func (r *runner) correcting(forced bool) {
	r.tries++
	r.stats.Corrections++
	if forced {
		r.stats.Forced++
	}
}

// closest returns the index of the text that shares the longest beginning with
// what was written, which is most likely what the model meant; of equals the
// first.
func closest(texts []string, written string) int {
	best, length := 0, -1
	for i, t := range texts {
		if n := len(commonPrefix([]string{t, written})); n > length {
			best, length = i, n
		}
	}
	return best
}
