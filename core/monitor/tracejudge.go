package monitor

import (
	"slices"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/source"
)

// Verdicts of a trace beside those of [agent.Verdict], which are of states alone.
const (
	VerdictFault    agent.Verdict = "fault"    // a property could not be judged
	VerdictUnread   agent.Verdict = "unread"   // a part of the trace may be an action and was not understood
	VerdictViolated agent.Verdict = "violated" // a property does not hold
)

// verdicts are all verdicts of a trace, the best first.
var verdicts = []agent.Verdict{agent.VerdictValid, agent.VerdictIncomplete, VerdictFault, VerdictUnread, VerdictViolated, agent.VerdictInvalid}

// Worse returns the worse of two verdicts, in the order valid, incomplete, fault, unread,
// violated, invalid. Only valid is a pass. A state that may not come after an unread part
// makes a trace unread, not invalid: the part may be the state that is missing.
func Worse(a, b agent.Verdict) agent.Verdict {
	if slices.Index(verdicts, a) < slices.Index(verdicts, b) {
		return b
	}
	return a
}

// Overall returns the verdict of a report: that of the states, or unread, whichever is
// worse.
func (r Report) Overall() agent.Verdict {
	if len(r.Unread) > 0 {
		return Worse(r.Verdict, VerdictUnread)
	}
	return r.Verdict
}

// JudgedConversation is a conversation with the states that its parts stand for.
type JudgedConversation struct {
	Conversation
	Mapped  []Mapped // none of a text
	Report  Report
	Verdict agent.Verdict // that of the report, or unread
}

// Judgement is the result of [JudgeTrace].
type Judgement struct {
	Format        string
	Conversations []JudgedConversation // of a text, one without parts
	Unread        []Unread             // of the trace and of its conversations
	More          int                  // unread parts that are not in the list
	Verdict       agent.Verdict        // the worst of the conversations, and of what is unread
}

// JudgeTrace reads a recorded trace, as [OpenTrace] does, and judges each of its
// conversations, as [MapTrace] does, or its text, as [Check] does. Properties are judged
// by the caller; see [Worse].
func JudgeTrace(a *agent.Agent, file *source.File, format string, mapping []Mapping, roles Roles) (*Judgement, error) {
	t, err := OpenTrace(file, format)
	if err != nil {
		return nil, err
	}
	j := &Judgement{Format: t.Format, Unread: t.Unread, More: t.More, Verdict: agent.VerdictValid}
	if t.Format == TraceText {
		j.add(JudgedConversation{Report: Check(a, file.Text)})
	}
	for _, c := range t.Conversations {
		mapped, report, err := MapTrace(a, c.Parts, mapping, roles)
		if err != nil {
			return nil, err
		}
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

func (j *Judgement) add(c JudgedConversation) {
	j.Conversations = append(j.Conversations, c)
	j.Unread = append(j.Unread, c.Report.Unread...)
}

// certain reports whether a violation is one whatever the unread parts are: a content
// that its state does not allow, or a state before the first of them.
func (j *Judgement) certain(v *Violation) bool {
	if v == nil || v.Content {
		return true
	}
	for _, u := range j.Unread {
		if u.Span.Start < v.Span.Start || u.within && u.Span.Start == v.Span.Start {
			return false
		}
	}
	return true
}
