package monitor

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/llm"
)

// prompting is the phase between two states: the text must continue with a state's prompt.
type prompting struct {
	given string // beginning of the prompt, written by a correction
	led   bool   // an eager run has written the beginning
}

// violation is a place where the text leaves the behaviour.
type violation struct {
	state  int // the state whose prompt is there, or -1
	reason string
	at     int // the text is kept up to here
}

// turn writes a prompt that has no alternative, and otherwise asks the model for one.
func (p *prompting) turn(r *runner) error {
	allowed := r.allowed()
	switch {
	case len(allowed) == 0, r.full():
		r.phase = ended{}
		return nil
	case len(allowed) == 1 && !r.run.Complete() && len(bytes.TrimSpace(r.text[r.at:])) == 0:
		r.newLine()
		r.write(byMonitor, r.prompts.apart(allowed[0]))
		return r.readGiven(true)
	case r.settings.Eager && !p.led && !r.run.Complete():
		p.lead(r, allowed)
		return nil
	}
	return r.generate()
}

// lead writes the longest common prefix of the allowed prompts.
func (p *prompting) lead(r *runner, allowed []int) {
	p.given, p.led = commonPrefix(r.promptTexts(allowed)), true
	r.newLine()
	r.write(byMonitor, p.given)
}

func (r *runner) promptTexts(states []int) []string {
	texts := make([]string, len(states))
	for i, s := range states {
		texts[i] = r.a.States[s].Text
	}
	return texts
}

func (p *prompting) stopped(r *runner, stop string) {
	if p.given != "" && strings.TrimSpace(string(r.text[r.at:])) == p.given {
		r.cut(r.at) // the model repeats the beginning
	}
	r.newLine()
	r.write(byMonitor, stop)
}

func (p *prompting) read(r *runner, final bool) (stop bool, err error) {
	rest := strings.TrimLeft(string(r.text[r.at:]), " \t\r\n")
	at := len(r.text) - len(rest)
	if r.at = at; rest == "" {
		return false, nil
	}
	state, open := r.prompts.at(rest)
	if state < 0 && !open && p.given != "" {
		// Asked to continue from "[Act", many models write "[Action]" again.
		if again, ok := strings.CutPrefix(rest, p.given); ok && strings.TrimSpace(again) != "" {
			again = strings.TrimLeft(again, " \t\r\n")
			if state, open = r.prompts.at(again); state >= 0 || open {
				r.cut(at)
				r.write(byModel, again)
				rest = again
			}
		}
	}
	switch {
	case open && !final:
		return false, nil
	case state < 0:
		return p.chatter(r, rest, final)
	}
	return p.take(r, state)
}

// maxChatter limits the text of a model before a prompt, in bytes. The text is discarded,
// but not the prompt that follows: to generate that again would cost another call.
const maxChatter = 400

// chatter skips text before the next prompt.
func (p *prompting) chatter(r *runner, rest string, final bool) (stop bool, err error) {
	offset, next := r.prompts.find(rest, final)
	said := strings.TrimSpace(rest[:offset])
	wrong := violation{state: -1, reason: fmt.Sprintf("%q is no state's prompt", shorten(said)), at: r.at}
	if like := FindLookalikes(r.a, said, 1); len(like) > 0 && like[0].Span.Start == 0 {
		wrong.reason = like[0].Reason
	}
	switch {
	case next >= 0:
		if !slices.Contains(r.allowed(), next) {
			return true, p.correct(r, wrong)
		}
		r.stats.Violations++
		r.env.Emit(ViolationEvent{
			Kind: "monitor.violation", Sample: r.sample, Index: len(r.segments), Reason: wrong.reason, Allowed: r.names(r.allowed()), Discarded: said,
		})
		r.discard(r.at)
		r.write(byModel, rest[offset:])
		r.discarded -= utf8.RuneCountInString(rest[offset:])
		return p.take(r, next)
	case final, len(rest) > maxChatter:
		return true, p.correct(r, wrong)
	}
	return false, nil
}

func shorten(text string) string {
	text = strings.TrimSpace(text)
	if len(text) > 40 {
		return text[:commonRune(text, 40)] + "…"
	}
	return text
}

// take enters the state whose prompt begins where the text was read to, if the state is allowed.
func (p *prompting) take(r *runner, state int) (stop bool, err error) {
	name := r.a.States[state].Name
	allowed := r.allowed()
	if !slices.Contains(allowed, state) {
		reason := StateReason(name, r.names(allowed))
		if slices.Contains(r.run.Next(), state) {
			reason = fmt.Sprintf("the run has reached its maximum number of states: expected %s, on the shortest path to the end", list(r.names(allowed)))
		}
		return true, p.correct(r, violation{state: state, reason: reason, at: r.at})
	}
	if r.full() {
		return true, p.correct(r, violation{state: state, reason: "the run has reached its maximum number of states, and it is complete", at: r.at})
	}
	start := r.at
	r.at += len(r.a.States[state].Text)
	o := r.open(state, start)
	switch s := r.a.States[state]; {
	case s.EnvInput:
		r.discard(r.at)
		r.phase = &waiting{o}
		return true, nil
	case s.Empty && len(r.run.Next()) == 0:
		r.discard(r.at)
		r.close(o, "model")
		r.phase = ended{}
		return true, nil
	case s.Empty:
		r.close(o, "model")
		r.phase = &prompting{}
	default:
		r.phase = &writing{opened: o, contents: newContents(r.a, state)}
	}
	return false, nil
}

// replied continues after a complete reply of the model.
func (p *prompting) replied(r *runner, reply llm.Reply) error {
	switch {
	case r.run.Complete():
		if !r.settings.Eager || reply.Reason != llm.StopText { // an eager run's model wants to continue
			r.phase = ended{}
		}
		return nil
	case len(r.allowed()) == 1 || r.settings.Eager && !p.led:
		return nil // the next turn writes the prompt
	}
	r.attempts.reason = "the model stopped, but the run is not complete"
	if r.chooses() {
		r.eagerAgain(len(r.text), len(r.text))
	}
	return p.resume(r, "")
}

// correct reports a violation, discards the text from there on and resumes.
func (p *prompting) correct(r *runner, v violation) error {
	wrong := strings.TrimSpace(string(r.text[v.at:]))
	r.stats.Violations++
	r.attempts.reason = v.reason
	e := ViolationEvent{Kind: "monitor.violation", Sample: r.sample, Index: len(r.segments), Reason: v.reason, Allowed: r.names(r.allowed()), Discarded: wrong}
	if v.state >= 0 {
		e.State = r.a.States[v.state].Name
	}
	if r.chooses() {
		r.eagerAgain(v.at, v.at)
	}
	r.env.Emit(e)
	r.discard(v.at)
	return p.resume(r, wrong)
}

// resume writes the longest common prefix of the allowed prompts. If a prompt must be
// forced, it writes the complete allowed prompt that is nearest to the rejected text.
func (p *prompting) resume(r *runner, wrong string) error {
	allowed := r.allowed()
	if len(allowed) == 0 || r.full() {
		r.phase = ended{}
		return nil
	}
	texts := r.promptTexts(allowed)
	p.given = commonPrefix(texts)
	forced := len(texts) == 1 || r.settings.Forced || r.attempts.corrections >= r.settings.MaxCorrections
	if forced {
		p.given = r.prompts.apart(allowed[closest(texts, wrong)])
	}
	r.corrected(forced)
	r.cut(len(bytes.TrimRight(r.text, " \t\r\n")))
	r.newLine()
	r.write(byMonitor, p.given)
	r.redo = len(r.text)
	r.env.Emit(CorrectionEvent{Kind: "monitor.correction", Sample: r.sample, Text: p.given, Allowed: r.names(allowed), Forced: forced})
	return r.readGiven(forced)
}

// closest returns the index of the text that shares the longest prefix with written, and so
// is most likely the text that the model meant. Among equally close texts it returns the
// first.
func closest(texts []string, written string) int {
	best, length := 0, 0
	for i, t := range texts {
		if n := len(commonPrefix([]string{t, written})); n > length {
			best, length = i, n
		}
	}
	return best
}
