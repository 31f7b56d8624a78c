package monitor

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/source"
)

// Segment is a state in a text, with its content.
type Segment struct {
	State string      `json:"state"`
	Text  string      `json:"text"` // the content, without the space around it
	Span  source.Span `json:"-"`    // of prompt and content
}

// Violation is the first place at which a text leaves a behaviour.
type Violation struct {
	Index   int // of the segment
	State   string
	Reason  string
	Allowed []string // states that could have stood there, or contents that the state may have
	Span    source.Span
}

// Report is what [Check] finds in a text.
type Report struct {
	Segments  []Segment
	Verdict   agent.Verdict
	Next      []string // states that may follow
	Violation *Violation
}

// Check splits the text of a run at the prompts of an agent's states and says
// whether it conforms. What stands before the first prompt belongs to no state
// and is passed over.
func Check(a *agent.Agent, text string) Report {
	p := newPrompts(a)
	var report Report
	var sequence []string
	var states []int
	at := 0
	for {
		offset, state := p.find(text[at:], true)
		if n := len(states); n > 0 {
			report.close(a.States[states[n-1]], text, at+offset)
		}
		if state < 0 {
			break
		}
		at += offset
		states = append(states, state)
		sequence = append(sequence, a.States[state].Name)
		report.Segments = append(report.Segments, Segment{State: a.States[state].Name, Span: source.Span{Start: source.Pos(at)}})
		at += len(a.States[state].Text)
	}
	verdict, next, violation := a.Verdict(sequence)
	report.Verdict, report.Next = verdict, next
	if violation >= 0 {
		_, allowed, _ := a.Verdict(sequence[:violation])
		segment := report.Segments[violation]
		report.Violation = &Violation{
			Index: violation, State: segment.State, Reason: stateReason(segment.State, allowed), Allowed: allowed,
			Span: source.Span{Start: segment.Span.Start, End: segment.Span.Start + source.Pos(len(a.States[states[violation]].Text))},
		}
	}
	report.checkContents(a, states)
	return report
}

// close ends the last segment.
func (r *Report) close(state agent.State, text string, end int) {
	segment := &r.Segments[len(r.Segments)-1]
	content := text[int(segment.Span.Start)+len(state.Text) : end]
	segment.Span.End = source.Pos(end - len(content) + len(strings.TrimRight(content, " \t\r\n")))
	segment.Text = strings.TrimSpace(content)
}

// checkContents looks for a content that its state does not allow, before the
// violation that is known.
func (r *Report) checkContents(a *agent.Agent, states []int) {
	for i, s := range states {
		if r.Violation != nil && r.Violation.Index <= i {
			return
		}
		segment, allowed := r.Segments[i], a.States[s].OneOf
		if len(allowed) == 0 || slices.Contains(allowed, segment.Text) {
			continue
		}
		if i == len(states)-1 && segment.Text == "" {
			return // not written yet
		}
		r.Verdict, r.Next = agent.VerdictInvalid, nil
		r.Violation = &Violation{
			Index: i, State: segment.State, Reason: contentReason(segment.State, segment.Text, allowed), Allowed: allowed,
			Span: source.Span{Start: segment.Span.Start + source.Pos(len(a.States[s].Text)), End: segment.Span.End},
		}
		return
	}
}

// stateReason says why a state cannot stand where it does.
func stateReason(state string, allowed []string) string {
	if len(allowed) == 0 {
		return fmt.Sprintf("%q comes after the end: nothing may follow", state)
	}
	return fmt.Sprintf("%q may not come here; %s may", state, list(allowed))
}

func contentReason(state, content string, allowed []string) string {
	if content == "" {
		return fmt.Sprintf("%q is empty; it has to be %s", state, list(allowed))
	}
	if len(content) > 60 {
		content = content[:commonRune(content, 60)] + "…"
	}
	return fmt.Sprintf("%q may not be %q; it has to be %s", state, content, list(allowed))
}

// commonRune returns the last place up to n at which a character begins.
func commonRune(s string, n int) int {
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return n
}

// list writes names as "a", "b" or "c", cut where there are many.
func list(names []string) string {
	const most = 8
	var b strings.Builder
	for i, n := range names {
		switch {
		case i == most:
			fmt.Fprintf(&b, " or one of %d more", len(names)-most)
			return b.String()
		case i == 0:
		case i == len(names)-1:
			b.WriteString(" or ")
		default:
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%q", n)
	}
	return b.String()
}
