package monitor

import (
	"strings"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/event"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/trace"
)

// TraceText is the format of a text with the prompts of the states: only an agent knows its parts.
const TraceText = trace.FormatText

// Parts of a conversation.
const (
	PartSystem = trace.System // instructions for the model
	PartUser   = trace.User   // a message of a person
	PartText   = trace.Text   // a text of the model
	PartCall   = trace.Call   // a tool call of the model
	PartResult = trace.Result // the result of a call
)

var partNames = []string{PartSystem, PartUser, PartText, PartCall, PartResult, PartFinal}

// PartFinal is the last text of the model, in a [Mapping].
const PartFinal = "final"

// Part is a part of a recorded conversation.
type Part struct {
	Kind string
	Tool string // of calls and results
	ID   string // of calls and results; a result has the identifier of its call
	Text string // of a call: its arguments
	Span source.Span
	Turn int // number of the message

	Thought bool // of a text: reasoning, which precedes the text of an answer

	// The following are known for some formats.
	Failed bool   // of a result: it is an error
	Agent  string // that acts, or ""
	Time   string // seconds, as the text of a number, or ""
}

// Unread is a part of a trace that may be an action and was not understood. A trace with an unread part is never valid.
type Unread = trace.Unread

// Trace is a recorded trace.
type Trace struct {
	Format        string
	Conversations []Conversation // empty for [TraceText]: the prompts delimit the parts
	Unread        []Unread
	More          int // number of unread parts beyond the list
}

// Conversation is one of the conversations of a trace.
type Conversation struct {
	Name   string // of the span that records it, or ""
	Parts  []Part
	Events event.Events // of a trace of events; other formats have parts only
}

// Opened is a trace that was opened once, for any number of agents and for rules.
type Opened struct {
	file     *source.File
	read     *Trace
	err      error
	detected bool
	printed  *Trace        // the text of a console; nil if the text is none, or was not read yet
	fault    *source.Error // why a part of the text was not understood, or nil
	tried    bool
}

// Open opens a trace by [trace.Open].
func Open(file *source.File, format string) *Opened {
	o := &Opened{file: file, detected: format != TraceText}
	t, err := trace.Open(file, format)
	if o.err = err; err == nil {
		o.read = fromTrace(t)
	}
	return o
}

// Runs returns the conversations of a trace as [JudgeTrace] reads them for any agent. The result
// has no conversations if the trace is the text of a run, because only an agent knows its
// states. The error "trace.empty" has the reason for which a text is not read.
func (o *Opened) Runs() (*Trace, error) { return o.forAgent(nil) }

// forAgent returns the conversations of a trace. A text in which an agent has no states is read as that of a console.
func (o *Opened) forAgent(a *agent.Agent) (*Trace, error) {
	if o.err != nil || o.read.Format != TraceText || !o.detected {
		return o.read, o.err
	}
	if a != nil {
		if states, _ := split(a, o.file.Text); len(states) > 0 {
			return o.read, nil
		}
	}
	if !o.tried {
		o.tried = true
		var t *trace.Trace
		if t, o.fault = trace.Printed(o.file); t != nil {
			o.printed = fromTrace(t)
		}
	}
	switch {
	case o.printed != nil:
		return o.printed, nil
	case o.fault != nil && (a == nil || strings.TrimSpace(o.file.Text) != ""): // without a text, the run is empty
		return nil, o.fault
	}
	return o.read, nil
}

// fromTrace returns the conversations of a trace that was read.
func fromTrace(read *trace.Trace) *Trace {
	t := &Trace{Format: read.Format, Unread: read.Unread, More: read.More, Conversations: make([]Conversation, len(read.Runs))}
	for i, run := range read.Runs {
		c := &t.Conversations[i]
		*c = Conversation{Name: run.Name, Events: run.Recorded, Parts: make([]Part, 0, len(run.Items))}
		for _, item := range run.Items {
			kind, thought := item.Kind, item.Kind == trace.Thought
			if thought {
				kind = PartText
			}
			if !thought || strings.TrimSpace(item.Text) != "" {
				c.Parts = append(c.Parts, Part{Kind: kind, Tool: item.Tool, ID: item.ID, Text: item.Text, Span: item.Span, Turn: item.Turn, Thought: thought, Failed: item.Fault, Agent: item.Agent, Time: item.Time})
			}
		}
	}
	return t
}
