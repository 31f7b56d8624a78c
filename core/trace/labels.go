package trace

import (
	"strings"

	"github.com/stile-playground/stile/core/json"
)

// labels begin the parts of a run that is written as a text, by the prompt of ReAct and by CrewAI's console. Labels
// are in lower case, and may have a number, as in "Action 1:".
var labels = map[string]string{
	"question": User, "## task": User, "thought": Thought, "## thought": Thought, "action": Call, "## using tool": Call, "action input": "arguments", "## tool input": "arguments",
	"observation": Result, "## tool output": Result, "final answer": Text, "## final answer": Text, "# agent": "agent",
}

// labelKey is the member with the text of a run under labels.
const labelKey = "$labels"

// labelled is a part of a text under a label.
type labelled struct {
	kind, text string
	at         json.Range
}

// underLabels returns the parts of a text, or nil if it has no call with arguments under labels.
func underLabels(text string) (parts []*labelled) {
	if !labelsCall(text) {
		return nil
	}
	lines(text, func(at json.Range, line string) bool {
		line = uncolored(line)
		kind, rest := labelOf(line)
		switch {
		case kind != "":
			parts = append(parts, &labelled{kind, rest, at})
		case len(parts) > 0:
			last := parts[len(parts)-1]
			last.text += "\n" + line
			last.at.End = at.End
		case strings.TrimSpace(line) != "":
			parts = append(parts, &labelled{Thought, line, at})
		}
		return true
	})
	return parts
}

// labelOf returns the kind of the part that a line begins, or "", and the text after the label.
func labelOf(line string) (kind, rest string) {
	label, rest, ok := strings.Cut(line, ":")
	if !ok {
		return "", ""
	}
	return labels[strings.TrimRight(strings.ToLower(strings.TrimSpace(label)), " 0123456789")], strings.TrimSpace(rest)
}

// labelsCall reports whether a text has a call with arguments under a label. It copies only lines that may begin with
// such a label: without a number and a code of a console, the label ends with one of four letters.
func labelsCall(text string) (called bool) {
	lines(text, func(_ json.Range, line string) bool {
		label, _, ok := strings.Cut(line, ":")
		label = strings.TrimRight(label, " \t0123456789")
		if !ok || label == "" || strings.IndexByte("ntlmNTL", label[len(label)-1]) < 0 {
			return true
		}
		kind, rest := labelOf(uncolored(line))
		called = kind == "arguments" || kind == Call && strings.HasSuffix(rest, "]") && strings.Contains(rest, "[")
		return !called
	})
	return called
}

// labelled reads the parts of a text under labels: each call with its arguments and its result.
func (r *reader) labelled(parts []*labelled, s scope) {
	r.events()
	r.prompted = true
	var call *Item
	flush := func() {
		if call != nil {
			r.start = r.length()
			r.emit(call, s)
			call = nil
		}
	}
	for _, p := range parts {
		text := strings.TrimSpace(p.text)
		at := &node{Kind: '"', At: p.at, Text: text}
		if p.kind != "arguments" {
			flush()
		}
		name, inner, bracketed := strings.Cut(strings.TrimSuffix(text, "]"), "[")
		switch {
		case p.kind == "agent":
			s.agent = text
		case p.kind == Call && bracketed && strings.EqualFold(name, "finish"):
			r.emit(&Item{Kind: Text, Text: inner, Span: spanOf(at)}, s)
		case p.kind == Call:
			call = &Item{Kind: Call, Tool: name, Span: spanOf(at), asked: true}
			if bracketed {
				call.setArguments(&node{Kind: '"', At: p.at, Text: inner})
			}
		case p.kind == "arguments" && call != nil:
			call.setArguments(r.arguments(at))
		case p.kind == "arguments":
			r.refuse(at, "call without a name or arguments")
		case p.kind == User && r.list == nil:
			r.merge([]*Item{{Kind: User, Text: text, Span: spanOf(at)}}, false, r.start)
		case text != "":
			r.emit(&Item{Kind: p.kind, Text: text, Value: at, Span: spanOf(at)}, s)
		}
	}
	flush()
}

// consoles are marks of consoles from which a run cannot be read, and the reasons. A mark that begins with ^ is at the
// start of a line.
var consoles = []struct{ mark, format, reason string }{
	{"^***** Suggested ", "autogen", "AutoGen console output, which does not mark where messages end; export chat_history as JSON"},
	{"^---------- ToolCallRequestEvent", "autogen", "AutoGen console output, which does not mark where messages end; export the messages as JSON"},
	{"^> Entering new ", "langchain", "LangChain AgentExecutor output, which does not mark where results end; export its result with intermediate_steps as JSON"},
	{"^content='", "langchain", "messages printed without their classes; print a list of them, or write messages_to_dict as JSON"},
	{"^[Exporter] Export span. Span data is redacted", "agents-sdk", "spans that the exporter of the Agents SDK printed without their data"},
	{"Agent Tool Execution", "crewai", "output of CrewAI's console in boxes, which cut texts; write its events as JSON"},
}

// console refuses a text that a library printed in a form from which no run can be read.
func (r *reader) console(text string) {
	lines(text, func(at json.Range, line string) bool {
		line = strings.TrimSpace(uncolored(line))
		for _, c := range consoles {
			mark, start := strings.CutPrefix(c.mark, "^")
			if start && strings.HasPrefix(line, mark) || !start && strings.Contains(line, mark) {
				r.format(c.format)
				r.refuseAt(spanOf(&node{At: at}), "%s", c.reason)
				return false
			}
		}
		return true
	})
}
