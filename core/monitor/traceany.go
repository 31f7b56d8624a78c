package monitor

import (
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/trace"
)

// Opened is a trace that was opened once, for any number of agents and for rules.
type Opened struct {
	file   *source.File
	format string
	exact  *Trace // by the readers of [OpenTrace]
	roots  []*node
	err    error
	any    *Trace // by package trace; nil if that does not read it, or was not necessary yet
	tried  bool
	answer bool // the trace of any has an item of a model or a tool
}

// Open opens a trace. If format is "", it is detected. A format that begins with "{" is a description
// for trace.ParseMap.
func Open(file *source.File, format string) *Opened {
	o := &Opened{file: file, format: format}
	if strings.HasPrefix(strings.TrimSpace(format), "{") {
		o.exact, o.err = openMapped(file, format)
		return o
	}
	if slices.Contains(trace.Formats(), format) && !slices.Contains(TraceFormats(), format) {
		o.format = ""
	}
	o.exact, o.roots, o.err = openTrace(file, o.format)
	return o
}

// Runs returns the conversations of a trace as [JudgeTrace] reads them for any agent. The result
// has no conversations if the trace is the text of a run, because only an agent knows its
// states.
func (o *Opened) Runs() (*Trace, error) { return o.read(nil) }

// read returns the conversations of a trace. If a is nil, a text has no states. The readers of
// [OpenTrace] know a few formats exactly. If the format has to be detected and they do not understand
// all of the trace, package trace reads it, which knows more formats.
func (o *Opened) read(a *agent.Agent) (*Trace, error) {
	t, err := o.exact, o.err
	if o.format != "" || t != nil && t.Format == TraceEvents || err == nil && t.Format != TraceText && len(t.Unread) == 0 && len(t.Conversations) == 1 {
		return t, err
	}
	if err == nil && t.Format == TraceText {
		if a != nil {
			if states, _ := split(a, o.file.Text); len(states) > 0 {
				return t, nil
			}
		}
	}
	o.readAny()
	read := o.any
	if read == nil || len(read.Unread) > 0 && err == nil && t.Format != TraceText {
		return t, err
	}
	if err == nil && t.Format != TraceText && slices.Contains(exactFormats, read.Format) && !otherKinds(t) || err != nil && !o.answer {
		return t, err
	}
	return read, nil
}

// readAny reads the trace by package trace.
func (o *Opened) readAny() {
	if o.tried {
		return
	}
	o.tried = true
	if read, ok := trace.ReadValues(o.file.Text, o.roots); ok && len(read.Runs) > 0 {
		o.any, o.answer = fromTrace(read), hasAnswer(read)
	}
}

// openMapped reads a trace by the description of its format.
func openMapped(file *source.File, description string) (*Trace, error) {
	m, err := trace.ParseMap(description)
	if err != nil {
		return nil, err
	}
	read, ok := trace.ReadMapped(file.Text, m)
	if !ok || len(read.Runs)+len(read.Unread) == 0 {
		return nil, source.NewError("trace.empty", "no value of the trace is at the paths of the description of its format")
	}
	return fromTrace(read), nil
}

// otherKinds reports whether a trace has items or parts of kinds that the exact readers do not know.
func otherKinds(t *Trace) bool {
	return slices.ContainsFunc(t.Unread, func(u Unread) bool {
		return strings.HasPrefix(u.Reason, "unknown type") || strings.HasPrefix(u.Reason, "block of unknown type")
	})
}

// hasAnswer reports whether a trace has an item of a model or a tool.
func hasAnswer(read *trace.Trace) bool {
	for _, run := range read.Runs {
		for _, item := range run.Items {
			if item.Kind != trace.User && item.Kind != trace.System {
				return true
			}
		}
	}
	return false
}

// exactFormats are the formats of [trace.Read] whose keys the readers of [OpenTrace] know: a value
// that those readers do not understand is unread.
var exactFormats = []string{"json", "openai", "openai-responses", "anthropic", "gemini", "bedrock", "otlp"}

func fromTrace(read *trace.Trace) *Trace {
	t := &Trace{Format: read.Format, More: read.More}
	for _, u := range read.Unread {
		t.Unread = append(t.Unread, Unread{Span: u.Span, Path: u.Path, Reason: u.Reason, Keys: u.Keys})
	}
	for _, run := range read.Runs {
		var c Conversation
		for _, item := range run.Items {
			kind, thought := item.Kind, false
			if kind == trace.Thought {
				kind, thought = PartText, true
			}
			if thought && strings.TrimSpace(item.Text) == "" {
				continue
			}
			c.Parts = append(c.Parts, Part{Kind: kind, Tool: item.Tool, ID: item.ID, Text: item.Text, Span: item.Span, Turn: item.Turn, Thought: thought, Failed: item.Fault, Agent: item.Agent, Time: item.Time})
		}
		t.Conversations = append(t.Conversations, c)
	}
	return t
}
