package monitor

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/event"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/trace"
)

// Formats of traces.
const (
	TraceText      = "text"      // the states' prompts with their contents
	TraceOpenAI    = "openai"    // messages of chat completions, or items of responses
	TraceAnthropic = "anthropic" // messages with blocks of content
	TraceGemini    = "gemini"    // contents with parts
	TraceBedrock   = "bedrock"   // messages of Converse
	TraceJSONL     = "jsonl"     // on each line a message or a conversation in one of the formats above
	TraceEvents    = "events"    // events, as "rules.check" reads them
	TraceOTLP      = "otlp"      // spans of the OpenTelemetry conventions for generative AI
)

// TraceFormats returns the supported formats.
func TraceFormats() []string {
	return []string{TraceText, TraceOpenAI, TraceAnthropic, TraceGemini, TraceBedrock, TraceJSONL, TraceEvents, TraceOTLP}
}

// Parts of a conversation.
const (
	PartSystem = "system" // instructions for the model
	PartUser   = "user"   // a message of a person
	PartText   = "text"   // a text of the model
	PartCall   = "call"   // a tool call of the model
	PartResult = "result" // the result of a call
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

	// The following are known for formats that trace.Read reads.
	Failed bool   // of a result: it is an error
	Agent  string // that acts, or ""
	Time   string // seconds, as the text of a number, or ""
}

// Trace is a recorded trace. Each of its values is a part of a conversation, ignored by a
// rule, or unread.
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
	Events event.Events // for [TraceEvents]; other formats have parts only
}

// ReadTrace returns the conversations of a trace and its format. The error has code
// "trace.unread" if [OpenTrace] leaves a part unread.
func ReadTrace(file *source.File, format string) (conversations [][]Part, read string, err error) {
	t, err := OpenTrace(file, format)
	if err != nil {
		return nil, "", err
	}
	if len(t.Unread) > 0 {
		u := t.Unread[0]
		return nil, t.Format, &source.Error{ID: "trace.unread", Message: "not understood: " + u.Reason, File: file, Diagnostics: []source.Diagnostic{{Code: "trace.unread", Message: u.Reason, Span: u.Span}}}
	}
	for _, c := range t.Conversations {
		conversations = append(conversations, c.Parts)
	}
	return conversations, t.Format, nil
}

// OpenTrace reads a recorded trace. If format is "", it is detected. The error has code
// "trace.format", "trace.json" with a place, or "trace.empty" if no value was recognised;
// the last one lists the keys of the trace.
func OpenTrace(file *source.File, format string) (*Trace, error) {
	t, _, err := openTrace(file, format)
	return t, err
}

// openTrace also returns the JSON values of the trace, which are nil for a text.
func openTrace(file *source.File, format string) (*Trace, []*node, error) {
	if format != "" && !slices.Contains(TraceFormats(), format) {
		return nil, nil, source.NewError("trace.format", fmt.Sprintf("unknown trace format %q; expected %s", format, list(TraceFormats())))
	}
	text := strings.TrimSpace(strings.TrimPrefix(file.Text, "\ufeff"))
	if format == TraceText || format == "" && !strings.HasPrefix(text, "{") && !strings.HasPrefix(text, "[{") && !isJSONList(text) {
		return &Trace{Format: TraceText}, nil, nil
	}
	roots, fault := readValues(file.Text)
	if fault != nil {
		if format == "" && strings.HasPrefix(text, "[") {
			return &Trace{Format: TraceText}, nil, nil // a prompt in brackets
		}
		return nil, nil, &source.Error{ID: "trace.json", Message: "invalid JSON: " + fault.Message, File: file, Diagnostics: []source.Diagnostic{*fault}}
	}
	if format == "" {
		format = guessFormat(roots)
	}
	account := &account{}
	t := &Trace{Format: format}
	switch format {
	case TraceOTLP:
		t.Conversations = readSpans(account, roots)
	case TraceEvents:
		t.Conversations = readEvents(account, eventList(roots))
	default:
		t.Conversations = readDocuments(account, roots)
	}
	t.Unread, t.More = account.unread, account.more
	if len(t.Conversations) == 0 && (format != TraceOTLP || len(account.unread) > 0 || len(account.names) > 0) {
		return nil, roots, emptyTrace(format, account, roots)
	}
	if len(t.Conversations) == 0 {
		t.Unread = []Unread{{Reason: "no spans"}}
	}
	for i := range t.Unread {
		t.Unread[i].Path = trace.PathTo(roots, t.Unread[i].Span)
	}
	return t, roots, nil
}

// emptyTrace returns the error for a trace without a recognised value.
func emptyTrace(format string, account *account, roots []*node) error {
	var keys []string
	add := func(key string) {
		if key != "" && len(keys) < maxKeys && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	for _, name := range account.names {
		add(name)
	}
	for _, root := range roots {
		trace.All(root, func(key string, v *node) bool {
			add(shorten(key))
			return len(keys) < maxKeys
		})
	}
	message := "no message found in this trace, which was read as " + format
	if len(keys) > 0 {
		message += "; its keys are " + strings.Join(keys, ", ")
	}
	return source.NewError("trace.empty", message)
}

// isJSONList reports whether a text is a list rather than a prompt in brackets.
func isJSONList(text string) bool {
	if !strings.HasPrefix(text, "[") {
		return false
	}
	rest := strings.TrimLeft(text, "[ \t\r\n")
	return strings.HasPrefix(rest, "{") || rest == "]"
}

// guessFormat returns the format of JSON values.
func guessFormat(roots []*node) string {
	switch first := roots[0]; {
	case eventList(roots) != nil:
		return TraceEvents
	case has(first, "resourceSpans") || has(first, "scopeSpans"):
		return TraceOTLP
	case len(roots) > 1:
		return TraceJSONL
	case providerFormat(first) != "":
		return providerFormat(first)
	case anthropicBlocks(first):
		return TraceAnthropic
	default:
		return TraceOpenAI
	}
}

// anthropicBlocks reports whether a conversation has blocks that only messages of
// Anthropic's API have.
func anthropicBlocks(n *node) bool {
	messages := n.Items
	if m, ok := n.Get("messages"); ok {
		messages = m.Items
	}
	if content, ok := n.Get("content"); ok && n.TextOf("type") == "message" {
		messages = append(messages, &node{Members: []json.Member{{Key: "content", Value: content}}})
	}
	for _, m := range messages {
		content, _ := m.Get("content")
		for _, block := range content.Items {
			switch block.TextOf("type") {
			case "tool_use", "tool_result", "thinking":
				return true
			}
		}
	}
	return has(n, "system") && has(n, "messages")
}
