package monitor

import (
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/trace"
)

// Verdicts of a trace, in addition to those of states in package agent.
const (
	VerdictFault    agent.Verdict = "fault"    // a property could not be evaluated
	VerdictUnread   agent.Verdict = "unread"   // an unsupported part of the trace may be an action
	VerdictViolated agent.Verdict = "violated" // a property does not hold
)

// verdicts are all verdicts of a trace, from best to worst.
var verdicts = []agent.Verdict{agent.VerdictValid, agent.VerdictIncomplete, VerdictFault, VerdictUnread, VerdictViolated, agent.VerdictInvalid}

// Worse returns the worse of two verdicts, in the order valid, incomplete, fault, unread,
// violated, invalid. Only valid is a pass. A trace in which a state is not allowed after an
// unread part is unread, not invalid: the part may be the missing state.
func Worse(a, b agent.Verdict) agent.Verdict {
	if slices.Index(verdicts, a) < slices.Index(verdicts, b) {
		return b
	}
	return a
}

// Overall returns the verdict on the states, or [VerdictUnread] if a part is unread and the
// states' verdict is better.
func (r Report) Overall() agent.Verdict {
	if len(r.Unread) > 0 {
		return Worse(r.Verdict, VerdictUnread)
	}
	return r.Verdict
}

// JudgedConversation is a conversation with the states of its parts.
type JudgedConversation struct {
	Conversation
	Mapped  []Mapped // empty for [TraceText]
	Report  Report
	Verdict agent.Verdict // of the report, or unread
}

// Judgement is the result of [JudgeTrace].
type Judgement struct {
	Format        string
	Conversations []JudgedConversation // for [TraceText], one without parts
	Unread        []Unread             // of the trace and of its conversations
	More          int                  // number of unread parts beyond the list
	Verdict       agent.Verdict        // the worst of the conversations, or unread
}

// JudgeTrace reads a recorded trace with [trace.Open], and the text of a console if the agent has no states in it.
// It judges each conversation with [MapTrace], or the text with [Check]. The caller judges
// properties; see [Worse].
func JudgeTrace(a *agent.Agent, file *source.File, format string, mapping []Mapping, roles Roles) (*Judgement, error) {
	return NewJudge(a, mapping, roles).Trace(Open(file, format))
}

// Trace judges a trace; see [JudgeTrace].
func (by *Judge) Trace(o *Opened) (*Judgement, error) {
	a, file := by.mapper.a, o.file
	t, err := o.forAgent(a)
	if err != nil {
		return nil, err
	}
	if len(t.Conversations) > 0 && by.err != nil {
		return nil, by.err
	}
	j := &Judgement{Format: t.Format, Unread: slices.Clip(by.unread(t)), More: t.More, Verdict: agent.VerdictValid}
	if t.Format == TraceText {
		j.add(JudgedConversation{Report: Check(a, file.Text)})
	}
	for _, c := range t.Conversations {
		mapped, report := by.mapTrace(c.Parts)
		j.add(JudgedConversation{Conversation: c, Mapped: mapped, Report: report})
	}
	if len(j.Unread)+j.More > 0 {
		j.Verdict = VerdictUnread
	}
	for i := range j.Conversations {
		c := &j.Conversations[i]
		c.Verdict = c.Report.Overall()
		if !j.certain(c.Report.Violation) {
			c.Verdict = VerdictUnread
		}
		j.Verdict = Worse(j.Verdict, c.Verdict)
	}
	return j, nil
}

// unread returns the unread parts of a trace without the code in the contents of an agent's states, which are judged.
func (by *Judge) unread(t *Trace) (out []Unread) {
	for _, u := range t.Unread {
		if !u.Executed || !by.inStates(t, u) {
			out = append(out, u)
		}
	}
	return out
}

// inStates reports whether the code at an unread part is the content of states: the text begins with a prompt, and each
// content that has code begins with it. Code within another content, such as a thought, is an action of its own.
func (by *Judge) inStates(t *Trace, u Unread) bool {
	return slices.ContainsFunc(t.Conversations, func(c Conversation) bool {
		return slices.ContainsFunc(c.Parts, func(p Part) bool {
			if p.Span != u.Span {
				return false
			}
			_, segments := by.prompts.split(p.Text)
			return len(segments) > 0 && strings.TrimSpace(p.Text[:segments[0].Span.Start]) == "" &&
				!slices.ContainsFunc(segments, func(s Segment) bool { return trace.HasCode(s.Text) && !trace.IsCode(s.Text) })
		})
	})
}

func (j *Judgement) add(c JudgedConversation) {
	j.Conversations = append(j.Conversations, c)
	j.Unread = append(j.Unread, c.Report.Unread...)
}

// certain reports whether a violation does not depend on the unread parts: it is in a
// content, or before the first unread part.
func (j *Judgement) certain(v *Violation) bool {
	if v == nil || v.Content {
		return true
	}
	for _, u := range j.Unread {
		if u.Span.Start < v.Span.Start || u.Within && u.Span.Start == v.Span.Start {
			return false
		}
	}
	return true
}
