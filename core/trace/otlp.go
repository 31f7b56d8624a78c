package trace

import (
	"sort"
	"strings"

	"github.com/stile-playground/stile/core/json"
)

// otlpSpan is a span of a trace in OpenTelemetry's JSON.
type otlpSpan struct {
	*node
	start      string // nanoseconds
	trace      string
	attributes map[string]*node
	items      []*Item // of its conversation
	parent     *otlpSpan
	inner      bool // a descendant has messages
	messages   bool // the span has messages
}

type otlpSpans struct {
	*account
	list []*otlpSpan
	byID map[string]*otlpSpan
}

// readSpans returns the conversations of spans. The input of a chat span repeats the
// conversation before it, so a conversation that another one contains is left out; see
// [otlpSpans.judged]. If no span has messages, the tool calls form one conversation.
func readSpans(account *account, roots []*node) []Run {
	s := &otlpSpans{account: account, byID: map[string]*otlpSpan{}}
	for _, root := range roots {
		if !has(root, "resourceSpans") && !has(root, "scopeSpans") {
			s.refuse(root, "unexpected value among spans")
		}
		s.collect(root)
	}
	for _, span := range s.list {
		span.parent = s.byID[span.trace+" "+span.TextOf("parentSpanId")]
		if span.start == "" && len(s.list) > 1 {
			s.refuse(span.node, "missing key %q", "startTimeUnixNano")
		}
	}
	sort.SliceStable(s.list, func(i, j int) bool {
		a, b := s.list[i].start, s.list[j].start
		return len(a) < len(b) || len(a) == len(b) && a < b
	})
	for _, span := range s.list {
		s.read(span)
	}
	judged := s.judged()
	s.missing()
	if len(judged) == 0 {
		return s.calls()
	}
	s.executed(judged)
	var out []Run
	for _, span := range judged {
		out = append(out, Run{Name: span.TextOf("name"), Items: span.items})
	}
	return out
}

// levels maps the key of each nested list of a trace to the other key of the object that
// contains it.
var levels = map[string]string{"resourceSpans": "", "scopeSpans": " resource ", "spans": " scope "}

func (s *otlpSpans) collect(n *node) {
	found := " "
	for _, key := range []string{"resourceSpans", "scopeSpans", "spans"} {
		v, ok := n.Get(key)
		if !ok {
			continue
		}
		found += strings.TrimSpace(levels[key]) + " " + key + " "
		if !s.kind(v, "[", key) {
			continue
		}
		for _, item := range v.Items {
			if key != "spans" {
				s.collect(item)
				continue
			}
			start, _ := item.Get("startTimeUnixNano")
			span := &otlpSpan{node: item, start: start.Text, trace: item.TextOf("traceId")}
			s.list = append(s.list, span)
			if id := item.TextOf("spanId"); id != "" {
				s.byID[span.trace+" "+id] = span
			}
		}
	}
	if found == " " {
		s.refuse(n, "object without spans")
	}
	for _, key := range []string{"resource", "scope"} {
		if v, ok := n.Get(key); ok && Word(found, key) && s.kind(v, "{", key) {
			s.attributes(v)
			s.rest(v, inSpan, true, " name attributes ")
		}
	}
	s.rest(n, inSpan, found != " ", found)
}

// read reads a span: its attributes, and the messages in them or in its events.
func (s *otlpSpans) read(span *otlpSpan) {
	c := &conversation{account: s.account}
	span.attributes = s.attributes(span.node)
	s.rest(span.node, inSpan, true, " name attributes events links ")
	c.spanMessages(span.attributes)
	events, _ := span.Get("events")
	for _, e := range events.Items {
		c.event(e)
	}
	s.kind(events, "[", "events")
	if links, ok := span.Get("links"); ok && !Blank(links) && !All(links, func(key string, v *node) bool {
		return v.Kind == '[' || v.Kind == '{' && len(v.Members) > 0 || Blank(v) || Word(" traceId spanId traceState flags droppedAttributesCount ", key) && PlainWord(v.Text)
	}) {
		s.refuse(links, "unsupported links")
	}
	for _, p := range c.items {
		span.messages = span.messages || p.Kind != System
		if p.Kind == Text || p.Kind == Thought || p.Kind == Call {
			span.items = c.items // otherwise the model has no part in it
		}
	}
	if span.messages {
		for up := span.parent; up != nil && !up.inner; up = up.parent {
			up.inner = true
		}
	}
}

// messageKeys are the attributes that contain messages, in their order.
var messageKeys = []string{"gen_ai.system_instructions", "gen_ai.input.messages", "gen_ai.output.messages"}

func (c *conversation) spanMessages(attributes map[string]*node) {
	for _, key := range messageKeys {
		if v, ok := attributes[key]; ok {
			c.embedded(key, v)
		}
	}
}

// attributeRules are prefixes of attributes to ignore.
var attributeRules = []string{"gen_ai.usage.", "gen_ai.request.", "gen_ai.response.", "gen_ai.agent.", "gen_ai.conversation.", "gen_ai.client.", "gen_ai.server.", "gen_ai.provider.", "gen_ai.output.type", "gen_ai.token.", "gen_ai.tool.type", "gen_ai.tool.description", "gen_ai.execute_tool.", "gen_ai.workflow.", "gen_ai.event.start_time", "gen_ai.event.end_time", "gen_ai.openai.", "server.", "client.", "network.", "net.", "url.", "http.", "dns.", "tls.", "db.", "user_agent.", "error.", "exception.", "otel.", "service.", "telemetry.", "session.", "user.", "enduser.", "thread.", "code.", "process.", "host.", "os.", "deployment.", "k8s.", "container.", "cloud.", "peer.", "openai.", "azure.", "az.", "faas.", "event.name", "event.domain"}

// readAttributes are the attributes that are read or checked by name.
const readAttributes = " gen_ai.system gen_ai.system_instructions gen_ai.input.messages gen_ai.output.messages gen_ai.operation.name gen_ai.tool.name gen_ai.tool.call.id gen_ai.tool.call.arguments gen_ai.tool.call.result gen_ai.tool.definitions "

// eventAttributes are the attributes of events of the older conventions.
const eventAttributes = " content message id role index finish_reason tool_calls gen_ai.event.content gen_ai.prompt gen_ai.completion "

// attributes returns the attributes of a span, an event, a resource or a scope.
func (s *account) attributes(n *node) map[string]*node {
	out := map[string]*node{}
	list, _ := n.Get("attributes")
	s.kind(list, "[", "attributes")
	if name, _ := n.Get("name"); s.kind(name, `"`, "name") && Written(name.Text) {
		s.refuse(name, "unexpected value of %q", "name")
	}
	event := strings.HasPrefix(n.TextOf("name"), "gen_ai.") && !has(n, "spanId")
	for _, a := range list.Items {
		key := a.TextOf("key")
		v, _ := a.Get("value")
		value := withTexts(anyValue(v))
		_, twice := out[key]
		s.rest(a, inSpan, true, " key value ")
		if len(s.names) < maxKeys && key != "" {
			s.names = append(s.names, key)
		}
		switch {
		case key == "" || twice || len(v.Members) == 0 || value == nil:
			s.refuse(a, "unsupported attribute")
			continue
		case key == "gen_ai.tool.definitions":
			if tools := parsed(value); tools.Kind != '[' || !toolList(tools) {
				s.refuse(a, "unexpected value of %q", key)
			}
		case Word(readAttributes, key) || event && Word(eventAttributes, key):
		case !passedAttribute(key, value):
			s.refuse(a, "unknown attribute %q", shorten(key))
		}
		out[key] = value
	}
	return out
}

// withTexts adds to the objects and lists of an attribute the texts that those of a file have.
func withTexts(value *node) *node {
	if value != nil {
		All(value, func(_ string, v *node) bool {
			if v.Kind == '{' || v.Kind == '[' {
				v.Text = string(v.Append(nil))
			}
			return true
		})
	}
	return value
}

// passedAttribute reports whether a rule ignores an attribute.
func passedAttribute(key string, v *node) bool {
	if Blank(v) {
		return true
	}
	for _, rule := range attributeRules {
		if strings.HasPrefix(key, rule) {
			return !Callish(v) && All(v, func(_ string, v *node) bool { return v.Kind != '{' && (v.Kind != '"' || !Written(v.Text)) })
		}
	}
	return false
}

// parsed returns the value of a string that contains an object or a list, and other values unchanged.
func parsed(v *node) *node {
	if inner := unquoted(v); inner.Kind != '"' {
		return inner
	}
	return v
}

// within reads the JSON in a string. Its values have the place of the string.
func (c *conversation) within(v *node, read func(n *node)) {
	c.inside++
	read(parsed(v))
	c.inside--
}

// embedded reads the messages of an attribute, which have parts or contents.
func (c *conversation) embedded(key string, v *node) {
	c.within(v, func(messages *node) {
		if messages.Kind == '"' && key == messageKeys[0] {
			c.content(System, messages)
			return
		}
		if messages.Kind != '[' {
			c.refuse(messages, "unexpected value of %q", key)
			return
		}
		for _, m := range messages.Items {
			parts, ok := m.Get("parts")
			role := chatRoles[m.TextOf("role")]
			switch {
			case !ok && key == messageKeys[0]:
				c.turn++
				c.block(System, m)
			case !ok:
				c.message(m)
			case role == "":
				c.refuse(m, "message with an unknown role %q", shorten(m.TextOf("role")))
			default:
				c.turn++
				if c.kind(parts, "[", "parts") {
					c.content(role, parts)
				}
				c.rest(m, inMessage, true, " role parts ")
			}
		}
	})
}

// event reads an event. In the older conventions each event is a message.
func (c *conversation) event(e *node) {
	name := e.TextOf("name")
	attributes := c.attributes(e)
	c.rest(e, inSpan, true, " name attributes ")
	role := eventRoles[name]
	switch {
	case name == "gen_ai.client.inference.operation.details":
		c.spanMessages(attributes)
		return
	case role == "":
		if !strings.HasPrefix(name, "exception") {
			c.refuse(e, "unknown event %q", shorten(name))
		}
		return
	}
	body := &node{At: e.At}
	for _, key := range strings.Fields("content message gen_ai.event.content gen_ai.prompt gen_ai.completion") {
		if v, ok := attributes[key]; ok {
			if body.Kind != 0 {
				c.refuse(e, "unknown attribute %q", key)
			}
			body = v
		}
	}
	c.within(body, func(v *node) {
		if v.Kind == '[' && len(v.Items) > 0 && has(v.Items[0], "role") {
			for _, m := range v.Items {
				c.message(m)
			}
			return
		}
		message := eventMessage(role, v, attributes)
		if inner, ok := message.Get("message"); ok {
			c.rest(message, inMessage, true, " message role ")
			message = eventMessage(role, inner, nil)
		}
		c.message(message)
	})
}

// eventMessage returns the message in the body and the attributes of an event.
func eventMessage(role string, body *node, attributes map[string]*node) *node {
	out := &node{Kind: '{', At: body.At}
	add := func(key string, v *node) { out.Members = append(out.Members, json.Member{Key: key, Value: v}) }
	if body.Kind == '{' && (has(body, "content") || has(body, "tool_calls") || has(body, "message") || has(body, "role")) {
		out.Members = append(out.Members, body.Members...)
	} else if body.Kind != 0 {
		add("content", body)
	}
	if !has(out, "role") {
		add("role", &node{Kind: '"', Text: role})
	}
	for i, m := range out.Members {
		if m.Key == "id" && role == "tool" {
			out.Members[i].Key = "tool_call_id"
		}
	}
	if id, ok := attributes["id"]; ok && role == "tool" && !has(out, "tool_call_id") {
		add("tool_call_id", id)
	}
	if calls, ok := attributes["tool_calls"]; ok {
		add("tool_calls", parsed(calls))
	}
	return out
}
