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
func (c *conversation) read(n *node) {
	if n.Kind == '[' {
		for _, item := range n.Items {
			c.read(item)
		}
		return
	}
	if has(n, "role") || strings.HasPrefix(n.TextOf("type"), "function_call") || strings.HasPrefix(n.TextOf("type"), "custom_tool_call") {
		c.message(n)
		return
	}
	if system, ok := n.Get("system"); ok {
		c.content(PartSystem, system)
	}
	for _, key := range []string{"messages", "input", "output", "choices"} {
		list, ok := n.Get(key)
		if !ok {
			continue
		}
		if list.Kind == '"' {
			c.content(map[string]string{"input": PartUser, "output": PartText}[key], list)
			continue
		}
		for _, item := range list.Items {
			if m, ok := item.Get("message"); ok {
				item = m
			}
			c.message(item)
		}
	}
	c.message(n)
}

// message takes a message or an item.
func (c *conversation) message(n *node) {
	if n.Kind != '{' {
		return
	}
	c.turn++
	switch n.TextOf("type") {
	case "function_call", "custom_tool_call":
		c.call(n, n.TextOf("name"), n.TextOf("call_id"), "arguments", "input")
		return
	case "function_call_output", "custom_tool_call_output":
		output, _ := n.Get("output")
		c.add(PartResult, "", n.TextOf("call_id"), textIn(output), span(output.At))
		return
	case "reasoning":
		if summary, ok := n.Get("summary"); ok {
			c.content(PartText, summary)
		}
		return
	}
	content, hasContent := n.Get("content")
	switch n.TextOf("role") {
	case "system", "developer":
		c.content(PartSystem, content)
	case "user":
		c.content(PartUser, content)
	case "tool", "function":
		id := n.TextOf("tool_call_id")
		c.add(PartResult, n.TextOf("name"), id, textIn(content), span(content.At))
	case "assistant", "model":
		if thinking := n.TextOf("reasoning_content"); thinking != "" {
			at, _ := n.Get("reasoning_content")
			c.add(PartText, "", "", thinking, span(at.At))
		}
		if hasContent {
			c.content(PartText, content)
		}
		calls, _ := n.Get("tool_calls")
		for _, call := range calls.Items {
			f, ok := call.Get("function")
			if !ok {
				f = call
			}
			c.call(f, f.TextOf("name"), call.TextOf("id"), "arguments", "input")
		}
		if f, ok := n.Get("function_call"); ok && f.Kind == '{' {
			c.call(f, f.TextOf("name"), "", "arguments")
		}
	}
}

// call takes a call whose arguments stand in one of the members.
func (c *conversation) call(n *node, name, id string, keys ...string) {
	arguments := ""
	for _, key := range keys {
		if v, ok := n.Get(key); ok {
			arguments = v.Text
		}
	}
	c.add(PartCall, name, id, arguments, span(n.At))
}

// content takes a text, or blocks of texts, thoughts, calls and results.
func (c *conversation) content(kind string, n *node) {
	if n.Kind == '"' {
		c.add(kind, "", "", n.Text, span(n.At))
		return
	}
	for _, block := range n.Items {
		switch block.TextOf("type") {
		case "tool_use", "server_tool_use":
			c.call(block, block.TextOf("name"), block.TextOf("id"), "input")
		case "tool_result":
			content, ok := block.Get("content")
			if !ok {
				content.At = block.At
			}
			c.add(PartResult, "", block.TextOf("tool_use_id"), textIn(content), span(content.At))
		case "tool_call": // OpenTelemetry
			c.call(block, block.TextOf("name"), block.TextOf("id"), "arguments")
		case "tool_call_response":
			response, ok := block.Get("response")
			if !ok {
				response, _ = block.Get("result")
			}
			c.add(PartResult, block.TextOf("name"), block.TextOf("id"), textIn(response), span(block.At))
		case "thinking":
			at, _ := block.Get("thinking")
			c.add(kind, "", "", at.Text, span(at.At))
		default:
			for _, key := range []string{"text", "content", "reasoning"} {
				if at, ok := block.Get(key); ok && at.Kind == '"' {
					c.add(kind, "", "", at.Text, span(at.At))
					break
				}
			}
		}
	}
}
