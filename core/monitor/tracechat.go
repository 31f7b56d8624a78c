package monitor

import (
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// conversation collects the parts of messages.
type conversation struct {
	parts []Part
	turn  int
	tools map[string]string // names by identifiers of calls
}

func (c *conversation) add(kind, tool, id, text string, at source.Span) {
	if c.tools == nil {
		c.tools = map[string]string{}
	}
	switch {
	case kind == PartCall && id != "":
		c.tools[id] = tool
	case kind == PartResult && tool == "":
		tool = c.tools[id]
	}
	if kind == PartText && strings.TrimSpace(text) == "" {
		return
	}
	c.parts = append(c.parts, Part{Kind: kind, Tool: tool, ID: id, Text: text, Span: at, Turn: c.turn})
}

// read takes a value: a list of messages, an object with one, a message, or an item
// of OpenAI's responses.
func (c *conversation) read(n node) {
	if n.kind == '[' {
		for _, item := range n.items {
			c.read(item)
		}
		return
	}
	if n.has("role") || strings.HasPrefix(n.textOf("type"), "function_call") || strings.HasPrefix(n.textOf("type"), "custom_tool_call") {
		c.message(n)
		return
	}
	if system, ok := n.get("system"); ok {
		c.content(PartSystem, system)
	}
	for _, key := range []string{"messages", "input", "output", "choices"} {
		list, ok := n.get(key)
		if !ok {
			continue
		}
		if list.kind == '"' {
			c.content(map[string]string{"input": PartUser, "output": PartText}[key], list)
			continue
		}
		for _, item := range list.items {
			if m, ok := item.get("message"); ok {
				item = m
			}
			c.message(item)
		}
	}
	c.message(n)
}

// message takes a message or an item.
func (c *conversation) message(n node) {
	if n.kind != '{' {
		return
	}
	c.turn++
	switch n.textOf("type") {
	case "function_call", "custom_tool_call":
		c.call(n, n.textOf("name"), n.textOf("call_id"), "arguments", "input")
		return
	case "function_call_output", "custom_tool_call_output":
		output, _ := n.get("output")
		c.add(PartResult, "", n.textOf("call_id"), output.said(), output.span)
		return
	case "reasoning":
		if summary, ok := n.get("summary"); ok {
			c.content(PartText, summary)
		}
		return
	}
	content, hasContent := n.get("content")
	switch n.textOf("role") {
	case "system", "developer":
		c.content(PartSystem, content)
	case "user":
		c.content(PartUser, content)
	case "tool", "function":
		id := n.textOf("tool_call_id")
		c.add(PartResult, n.textOf("name"), id, content.said(), content.span)
	case "assistant", "model":
		if thinking := n.textOf("reasoning_content"); thinking != "" {
			at, _ := n.get("reasoning_content")
			c.add(PartText, "", "", thinking, at.span)
		}
		if hasContent {
			c.content(PartText, content)
		}
		calls, _ := n.get("tool_calls")
		for _, call := range calls.items {
			f, ok := call.get("function")
			if !ok {
				f = call
			}
			c.call(f, f.textOf("name"), call.textOf("id"), "arguments", "input")
		}
		if f, ok := n.get("function_call"); ok && f.kind == '{' {
			c.call(f, f.textOf("name"), "", "arguments")
		}
	}
}

// call takes a call whose arguments stand in one of the members.
func (c *conversation) call(n node, name, id string, keys ...string) {
	arguments := ""
	for _, key := range keys {
		if v, ok := n.get(key); ok {
			arguments = v.text
		}
	}
	c.add(PartCall, name, id, arguments, n.span)
}

// content takes a text, or blocks of texts, thoughts, calls and results.
func (c *conversation) content(kind string, n node) {
	if n.kind == '"' {
		c.add(kind, "", "", n.text, n.span)
		return
	}
	for _, block := range n.items {
		switch block.textOf("type") {
		case "tool_use", "server_tool_use":
			c.call(block, block.textOf("name"), block.textOf("id"), "input")
		case "tool_result":
			content, ok := block.get("content")
			if !ok {
				content.span = block.span
			}
			c.add(PartResult, "", block.textOf("tool_use_id"), content.said(), content.span)
		case "tool_call": // OpenTelemetry
			c.call(block, block.textOf("name"), block.textOf("id"), "arguments")
		case "tool_call_response":
			response, ok := block.get("response")
			if !ok {
				response, _ = block.get("result")
			}
			c.add(PartResult, block.textOf("name"), block.textOf("id"), response.said(), block.span)
		case "thinking":
			at, _ := block.get("thinking")
			c.add(kind, "", "", at.text, at.span)
		default:
			for _, key := range []string{"text", "content", "reasoning"} {
				if at, ok := block.get(key); ok && at.kind == '"' {
					c.add(kind, "", "", at.text, at.span)
					break
				}
			}
		}
	}
}

// said returns the text of a content: of blocks, their texts one after the other.
func (n node) said() string {
	if len(n.items) == 0 {
		return n.text
	}
	var texts []string
	for _, block := range n.items {
		if text := block.textOf("text"); text != "" {
			texts = append(texts, text)
		}
	}
	if len(texts) == 0 {
		return n.text
	}
	return strings.Join(texts, "\n")
}
