package monitor

import (
	"sort"
	"strings"

	"github.com/stile-playground/stile/core/json"
)

// otlpSpan is a span of a trace in OpenTelemetry's JSON.
type otlpSpan struct {
	*node
	start string // nanoseconds
}

// attribute returns an attribute of a span or an event.
func attribute(n *node, key string) (*node, bool) {
	list, _ := n.Get("attributes")
	for _, a := range list.Items {
		if a.TextOf("key") != key {
			continue
		}
		v, _ := a.Get("value")
		for _, m := range v.Members {
			return m.Value, true
		}
	}
	return &node{}, false
}

// spanParts reads the conversation of spans: that of the last call of a model, which
// has what went before in its input. Where no span tells messages, the calls of tools
// are all there is.
func spanParts(roots []*node) []Part {
	var spans []otlpSpan
	var collect func(n *node)
	collect = func(n *node) {
		for _, key := range []string{"resourceSpans", "scopeSpans", "spans"} {
			list, _ := n.Get(key)
			for _, item := range list.Items {
				if key != "spans" {
					collect(item)
					continue
				}
				start, _ := item.Get("startTimeUnixNano")
				spans = append(spans, otlpSpan{item, start.Text})
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
		events, _ := s.Get("events")
		for _, e := range events.Items {
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
			rest, found := strings.CutPrefix(s.TextOf("name"), "execute_tool ")
			if !found {
				continue
			}
			name.Text = rest
		}
		c.turn++
		arguments, _ := attribute(s.node, "gen_ai.tool.call.arguments")
		c.add(PartCall, name.Text, "", arguments.Text, span(s.At))
		if result, ok := attribute(s.node, "gen_ai.tool.call.result"); ok {
			c.add(PartResult, name.Text, "", result.Text, span(s.At))
		}
	}
	return c.parts
}

// embedded takes messages that stand as JSON in a text. All that is said of their
// places is where the text is.
func (c *conversation) embedded(key string, v *node) {
	messages := v
	if v.Kind == '"' {
		roots, fault := readValues(v.Text)
		if fault != nil {
			return
		}
		messages = roots[0]
	}
	from := len(c.parts)
	for _, m := range messages.Items {
		parts, ok := m.Get("parts")
		switch {
		case !ok && key == "gen_ai.system_instructions":
			c.content(PartSystem, &node{Kind: '[', Items: []*node{m}})
		case !ok:
			c.message(m)
		default:
			c.turn++
			kind := map[string]string{"system": PartSystem, "user": PartUser, "tool": PartResult}[m.TextOf("role")]
			if kind == "" {
				kind = PartText
			}
			c.content(kind, parts)
		}
	}
	if v.Kind == '"' {
		for i := range c.parts[from:] {
			c.parts[from+i].Span = span(v.At)
		}
	}
}

// event takes an event of the older conventions: a message each.
func (c *conversation) event(e *node) {
	kind, ok := strings.CutPrefix(e.TextOf("name"), "gen_ai.")
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
	if content.Kind == '"' {
		if roots, fault := readValues(content.Text); fault == nil && (roots[0].Kind == '{' || roots[0].Kind == '[') {
			whole = roots[0]
		}
	}
	if m, ok := whole.Get("message"); ok {
		whole = m
	}
	from := len(c.parts)
	if whole.Kind == '[' && len(whole.Items) > 0 && has(whole.Items[0], "role") {
		kind = ""
		c.read(whole)
	}
	switch kind {
	case "system.message":
		c.content(PartSystem, or(whole, "content", content))
	case "user.message", "content.prompt":
		c.content(PartUser, or(whole, "content", content))
	case "assistant.message", "choice", "content.completion":
		if has(whole, "content") || has(whole, "tool_calls") {
			said := json.Member{Key: "role", Value: &node{Kind: '"', Text: "assistant"}}
			c.message(&node{Kind: '{', Members: append(whole.Members[:len(whole.Members):len(whole.Members)], said)})
		} else {
			c.content(PartText, content)
		}
	case "tool.message":
		id, _ := attribute(e, "id")
		c.add(PartResult, "", id.Text+whole.TextOf("id"), textIn(or(whole, "content", content)), span(e.At))
	}
	for i := range c.parts[from:] {
		c.parts[from+i].Span = span(e.At)
	}
}

// or returns a member, or else another value.
func or(n *node, key string, other *node) *node {
	if v, ok := n.Get(key); ok {
		return v
	}
	return other
}
