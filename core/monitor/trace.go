package monitor

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
)

// Formats of traces.
const (
	TraceText      = "text"      // the states' prompts with their contents
	TraceOpenAI    = "openai"    // messages of chat completions, or items of responses
	TraceAnthropic = "anthropic" // messages with blocks of content
	TraceJSONL     = "jsonl"     // any of these, a line a message or a conversation
	TraceOTLP      = "otlp"      // spans of OpenTelemetry's conventions for generative AI
)

// TraceFormats returns the formats that can be read.
func TraceFormats() []string {
	return []string{TraceText, TraceOpenAI, TraceAnthropic, TraceJSONL, TraceOTLP}
}

// Parts of a conversation.
const (
	PartSystem = "system" // what the model is told beforehand
	PartUser   = "user"   // what a person says
	PartText   = "text"   // what the model says
	PartCall   = "call"   // a tool that the model wants called
	PartResult = "result" // what came of a call
)

var partNames = []string{PartSystem, PartUser, PartText, PartCall, PartResult, PartFinal}

// PartFinal is, in a [Mapping], the last text of the model.
const PartFinal = "final"

// Part is a part of a recorded conversation.
type Part struct {
	Kind string
	Tool string // of calls and results
	ID   string // of calls and results: which belong together
	Text string // of calls the arguments
	Span source.Span
	Turn int // parts of one message have the same
}

// ReadTrace reads a recorded conversation; format "" is found out. What is returned
// are conversations, more than one where the lines of a file are conversations of
// their own. A text has none: its prompts say all. The error has code "trace.format"
// or "trace.json", with a place.
func ReadTrace(file *source.File, format string) (conversations [][]Part, read string, err error) {
	known := format == ""
	for _, f := range TraceFormats() {
		known = known || f == format
	}
	if !known {
		return nil, "", source.NewError("trace.format", fmt.Sprintf("there is no format %q of traces; there is %s", format, list(TraceFormats())))
	}
	text := strings.TrimSpace(strings.TrimPrefix(file.Text, "\ufeff"))
	if format == TraceText || format == "" && !strings.HasPrefix(text, "{") && !strings.HasPrefix(text, "[{") && !isJSONList(text) {
		return nil, TraceText, nil
	}
	roots, fault := readValues(file.Text)
	if fault != nil {
		if format == "" && strings.HasPrefix(text, "[") {
			return nil, TraceText, nil // a prompt in brackets
		}
		return nil, "", &source.Error{ID: "trace.json", Message: "this is no JSON: " + fault.Message, File: file, Diagnostics: []source.Diagnostic{*fault}}
	}
	if format == "" {
		format = guessFormat(roots)
	}
	if format == TraceOTLP {
		return [][]Part{spanParts(roots)}, format, nil
	}
	var c conversation
	for _, root := range roots {
		if wholeConversation(root) && len(roots) > 1 && len(c.parts) > 0 {
			conversations = append(conversations, c.parts)
			c = conversation{}
		}
		c.read(root)
	}
	conversations = append(conversations, c.parts)
	for _, parts := range conversations {
		if len(parts) > 0 {
			return conversations, format, nil
		}
	}
	return nil, "", source.NewError("trace.empty", "no message could be found in this trace; it is read as "+format)
}

// isJSONList reports whether a text is a list rather than a prompt in brackets.
func isJSONList(text string) bool {
	if !strings.HasPrefix(text, "[") {
		return false
	}
	rest := strings.TrimSpace(text[1:])
	return strings.HasPrefix(rest, "{") || rest == "]"
}

// guessFormat says what JSON values are.
func guessFormat(roots []*node) string {
	switch first := roots[0]; {
	case has(first, "resourceSpans") || has(first, "scopeSpans"):
		return TraceOTLP
	case len(roots) > 1:
		return TraceJSONL
	case anthropicBlocks(first):
		return TraceAnthropic
	default:
		return TraceOpenAI
	}
}

// anthropicBlocks reports whether a conversation has blocks that only Anthropic's
// messages have.
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

// wholeConversation reports whether a value is more than a message.
func wholeConversation(n *node) bool {
	return n.Kind == '[' || has(n, "messages") || has(n, "choices") || n.TextOf("object") == "response"
}
