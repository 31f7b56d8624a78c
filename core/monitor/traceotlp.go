package monitor

import (
	"sort"
	"strings"
)

// otlpSpan is a span of a trace in OpenTelemetry's JSON.
type otlpSpan struct {
	node
	start string // nanoseconds
}

// attribute returns an attribute of a span or an event.
func attribute(n node, key string) (node, bool) {
	list, _ := n.get("attributes")
	for _, a := range list.items {
		if a.textOf("key") != key {
			continue
		}
		v, _ := a.get("value")
		for _, m := range v.members {
			return m.value, true
		}
	}
	return node{}, false
}

// spanParts reads the conversation of spans: that of the last call of a model, which
// has what went before in its input. Where no span tells messages, the calls of tools
// are all there is.
func spanParts(roots []node) []Part {
	var spans []otlpSpan
	var collect func(n node)
	collect = func(n node) {
		for _, key := range []string{"resourceSpans", "scopeSpans", "spans"} {
			list, _ := n.get(key)
			for _, item := range list.items {
				if key != "spans" {
					collect(item)
					continue
				}
				start, _ := item.get("startTimeUnixNano")
				spans = append(spans, otlpSpan{item, start.text})
			}
		}
	}
	for _, root := range roots {
		collect(root)
	}
	sort.SliceStable(spans, func(i, j int) bool {
		a, b := spans[i].start, spans[j].start
		return len(a) < len(b) || len(a) == len(b) && a < b
	})
	var last []Part
	for _, s := range spans {
		c := &conversation{}
		for _, key := range []string{"gen_ai.system_instructions", "gen_ai.input.messages", "gen_ai.output.messages"} {
			if v, ok := attribute(s.node, key); ok {
				c.embedded(key, v)
			}
		}
		events, _ := s.get("events")
		for _, e := range events.items {
			c.event(e)
		}
		if len(c.parts) > 0 {
			last = c.parts
		}
	}
	if last != nil {
		return last
	}
	c := &conversation{}
	for _, s := range spans {
		name, ok := attribute(s.node, "gen_ai.tool.name")
		if !ok {
			rest, found := strings.CutPrefix(s.textOf("name"), "execute_tool ")
			if !found {
				continue
			}
			name.text = rest
		}
		c.turn++
		arguments, _ := attribute(s.node, "gen_ai.tool.call.arguments")
		c.add(PartCall, name.text, "", arguments.text, s.span)
		if result, ok := attribute(s.node, "gen_ai.tool.call.result"); ok {
			c.add(PartResult, name.text, "", result.text, s.span)
		}
	}
	return c.parts
}

// embedded takes messages that stand as JSON in a text. All that is said of their
// places is where the text is.
func (c *conversation) embedded(key string, v node) {
	messages := v
	if v.kind == '"' {
		roots, fault := readValues(v.text)
		if fault != nil {
			return
		}
		messages = roots[0]
	}
	from := len(c.parts)
	for _, m := range messages.items {
		parts, ok := m.get("parts")
		switch {
		case !ok && key == "gen_ai.system_instructions":
			c.content(PartSystem, node{kind: '[', items: []node{m}})
		case !ok:
			c.message(m)
		default:
			c.turn++
			kind := map[string]string{"system": PartSystem, "user": PartUser, "tool": PartResult}[m.textOf("role")]
			if kind == "" {
				kind = PartText
			}
			c.content(kind, parts)
		}
	}
	if v.kind == '"' {
		for i := range c.parts[from:] {
			c.parts[from+i].Span = v.span
		}
	}
}

// event takes an event of the older conventions: a message each.
func (c *conversation) event(e node) {
	kind, ok := strings.CutPrefix(e.textOf("name"), "gen_ai.")
	if !ok {
		return
	}
	c.turn++
	content, _ := attribute(e, "content")
	if body, ok := attribute(e, "gen_ai.event.content"); ok {
		content = body
	}
	if prompt, ok := attribute(e, "gen_ai.prompt"); ok {
		content = prompt
	}
	if completion, ok := attribute(e, "gen_ai.completion"); ok {
		content = completion
	}
	whole := content
	if content.kind == '"' {
		if roots, fault := readValues(content.text); fault == nil && (roots[0].kind == '{' || roots[0].kind == '[') {
			whole = roots[0]
		}
	}
	if m, ok := whole.get("message"); ok {
		whole = m
	}
	from := len(c.parts)
	if whole.kind == '[' && len(whole.items) > 0 && whole.items[0].has("role") {
		kind = ""
		c.read(whole)
	}
	switch kind {
	case "system.message":
		c.content(PartSystem, whole.or("content", content))
	case "user.message", "content.prompt":
		c.content(PartUser, whole.or("content", content))
	case "assistant.message", "choice", "content.completion":
		if whole.has("content") || whole.has("tool_calls") {
			whole.members = append(whole.members, member{"role", node{kind: '"', text: "assistant"}})
			c.message(whole)
		} else {
			c.content(PartText, content)
		}
	case "tool.message":
		id, _ := attribute(e, "id")
		c.add(PartResult, "", id.text+whole.textOf("id"), whole.or("content", content).said(), e.span)
	}
	for i := range c.parts[from:] {
		c.parts[from+i].Span = e.span
	}
}

// or returns a member, or else another value.
func (n node) or(key string, other node) node {
	if v, ok := n.get(key); ok {
		return v
	}
	return other
}
