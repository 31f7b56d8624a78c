package monitor

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/trace"
)

// Segment is a state in a text, with its content.
type Segment struct {
	State string      `json:"state"`
	Text  string      `json:"text"`          // the content, without the space around it
	Cut   bool        `json:"cut,omitempty"` // the limit of tokens cut the content off
	Span  source.Span `json:"-"`             // of prompt and content

	task   bool // the content is the task
	prompt int  // length of the prompt in the text
}

// Violation is the first place at which a text violates the behaviour of an agent.
type Violation struct {
	Index   int // of the segment
	State   string
	Reason  string
	Allowed []string // states that are allowed there, or allowed contents of the state
	Span    source.Span
	Content bool // the state is allowed, its content is not
}

// Report is the result of [Check].
type Report struct {
	Segments  []Segment
	Verdict   agent.Verdict
	Next      []string // states that may follow
	Violation *Violation
	Unread    []Unread // parts that may be actions and belong to no state
}

// Check splits the text of a run at the prompts of an agent's states and reports whether it
// conforms. The verdict of the report judges only the states; its unread parts are text
// before the first prompt, look-alikes of prompts, and texts that look like calls in states
// that are not for calls. See [Report.Overall].
func Check(a *agent.Agent, text string) Report {
	states, segments := split(a, text)
	report := judge(a, text, states, segments)
	report.Unread = unreadText(a, text, states, segments)
	return report
}

// maxLookalikes bounds the lines that are compared with the prompts.
const maxLookalikes = 100

// unreadText returns the parts of a text that may be actions and were not read as such.
// Text before the first prompt is the task, and not unread, if the agent has no state for a
// question and the text does not look like a call.
func unreadText(a *agent.Agent, text string, states []int, segments []Segment) []Unread {
	var out []Unread
	text, first := strings.TrimPrefix(text, "\ufeff"), len(text)
	mark := first - len(text)
	if len(segments) > 0 {
		first = int(segments[0].Span.Start)
	}
	_, asked := questionState(a)
	if before := strings.TrimSpace(text[:first-mark]); before != "" && (asked || len(segments) == 0 || trace.CallText(before)) {
		at := mark + strings.Index(text, before)
		out = append(out, Unread{Span: source.Span{Start: source.Pos(at), End: source.Pos(at + len(before))}, Reason: "text before the first prompt"})
	}
	for _, l := range FindLookalikes(a, text, maxLookalikes) {
		if !l.meant(a, text) {
			continue
		}
		out = append(out, Unread{Span: source.Span{Start: l.Span.Start + source.Pos(mark), End: l.Span.End + source.Pos(mark)}, Reason: l.Reason})
	}
	for i, s := range segments {
		state := a.States[states[i]]
		if !state.EnvInput && (Roles{}).role(state) == "" && trace.CallText(s.Text) {
			out = append(out, Unread{Span: s.Span, Reason: "text that looks like a call"})
		}
	}
	return out
}

// CheckRuns checks a text with several runs in sequence: after a complete run, or a
// violation, a state that can begin a run begins the next one.
func CheckRuns(a *agent.Agent, text string) []Report {
	states, segments := split(a, text)
	var out []Report
	for len(states) > 0 {
		run, n, wrong := a.Begin(), 0, false
		for n < len(states) {
			next, ok := run.Step(states[n])
			if _, begins := a.Begin().Step(states[n]); n > 0 && begins && (wrong || !ok && run.Complete()) {
				break
			}
			wrong = wrong || !ok
			run = next
			n++
		}
		out = append(out, judge(a, text, states[:n], segments[:n]))
		states, segments = states[n:], segments[n:]
	}
	return out
}

// split cuts a text at the prompts.
func split(a *agent.Agent, text string) (states []int, segments []Segment) {
	return newPrompts(a).split(text)
}

func (p prompts) split(text string) (states []int, segments []Segment) {
	a, scan := p.a, p.scan(text)
	for from := 0; ; {
		at, state, length := scan.next(from, from == 0)
		if n := len(states); n > 0 {
			segments[n-1].end(text, at)
		}
		if state < 0 {
			return states, segments
		}
		states = append(states, state)
		segments = append(segments, Segment{State: a.States[state].Name, Span: source.Span{Start: source.Pos(at)}, prompt: length})
		from = at + length
	}
}

// judge reports whether the segments of a text are a run.
func judge(a *agent.Agent, text string, states []int, segments []Segment) Report {
	report := Report{Segments: segments}
	sequence := make([]string, len(states))
	for i, s := range states {
		sequence[i] = a.States[s].Name
	}
	verdict, next, violation := a.Verdict(sequence)
	report.Verdict, report.Next = verdict, next
	if violation >= 0 {
		_, allowed, _ := a.Verdict(sequence[:violation])
		segment := segments[violation]
		report.Violation = &Violation{
			Index: violation, State: segment.State, Reason: StateReason(segment.State, allowed), Allowed: allowed,
			Span: source.Span{Start: segment.Span.Start, End: segment.Span.Start + source.Pos(segment.prompt)},
		}
	}
	report.checkContents(a, states, text)
	return report
}

// end sets the content of the segment: the text after its prompt, up to the offset end.
func (segment *Segment) end(text string, end int) {
	content := text[int(segment.Span.Start)+segment.prompt : end]
	segment.Span.End = source.Pos(end - len(content) + len(strings.TrimRight(content, " \t\r\n")))
	segment.Text = strings.TrimSpace(content)
}

// checkContents reports the first invalid content as the violation, unless the known violation precedes it.
func (r *Report) checkContents(a *agent.Agent, states []int, text string) {
	for i, s := range states {
		if r.Violation != nil && r.Violation.Index <= i {
			return
		}
		segment := r.Segments[i]
		last := i == len(states)-1
		c := newContents(a, s)
		if last && segment.Text == "" { // not written yet
			if r.Verdict == agent.VerdictValid && c.end() != "" {
				r.Verdict = agent.VerdictIncomplete
			}
			return
		}
		begin := int(segment.Span.Start) + segment.prompt
		fault := c.read(text[begin:segment.Span.End])
		if fault == "" {
			fault = c.end()
		}
		if fault == "" {
			continue
		}
		r.Verdict, r.Next = agent.VerdictInvalid, nil
		r.Violation = &Violation{
			Index: i, State: segment.State, Reason: fault, Allowed: a.States[s].OneOf, Content: true,
			Span: source.Span{Start: source.Pos(begin), End: segment.Span.End},
		}
		return
	}
}

// StateReason returns the reason for rejecting a state, with the allowed states.
func StateReason(state string, allowed []string) string {
	if len(allowed) == 0 {
		return fmt.Sprintf("%q is not allowed after the end of the run", state)
	}
	return fmt.Sprintf("%q is not allowed here; expected %s", state, list(allowed))
}

// commonRune returns the largest offset in s, at most n, at which a character begins.
func commonRune(s string, n int) int {
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return n
}

// list writes names as "a", "b" or "c", and abbreviates long lists.
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
