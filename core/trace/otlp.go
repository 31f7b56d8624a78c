package trace

import (
	"slices"
	"strconv"
	"strings"
)

// accountSpans refuses the values among OpenTelemetry's spans that are neither read nor ignored by a rule: keys,
// attributes, events, links and operations. It is for traces without the format of a library, because libraries have
// attributes of their own.
func (r *reader) accountSpans() {
	if !slices.ContainsFunc(r.values, otlpLike) || r.named() != FormatOTLP {
		return
	}
	for _, root := range r.values {
		switch _, other := pick(root, "resourceLogs resourceMetrics"); {
		case otlpLike(root):
			r.level(root)
		case other == "":
			r.refuse(root, "unexpected value among spans")
		}
	}
	for _, s := range r.spans {
		r.operation(s)
	}
}

// otlpLike reports whether a value has spans as OpenTelemetry's exporters write them to files.
func otlpLike(n *node) bool { return has(n, "resourceSpans") || has(n, "scopeSpans") }

// levels maps the key of each nested list of a trace to the other key of the object that
// contains it.
var levels = map[string]string{"resourceSpans": "", "scopeSpans": " resource ", "spans": " scope "}

// level accounts for an object with a list of [levels].
func (a *account) level(n *node) {
	found := " "
	for _, key := range []string{"resourceSpans", "scopeSpans", "spans"} {
		v, ok := n.Get(key)
		if !ok {
			continue
		}
		found += strings.TrimSpace(levels[key]) + " " + key + " "
		if !a.kind(v, "[", key) {
			continue
		}
		for _, item := range v.Items {
			if key == "spans" {
				a.accountSpan(item)
			} else {
				a.level(item)
			}
		}
	}
	if found == " " {
		a.refuse(n, "object without spans")
	}
	for _, key := range []string{"resource", "scope"} {
		if v, ok := n.Get(key); ok && Word(found, key) && a.kind(v, "{", key) {
			a.attributes(v)
			a.rest(v, inSpan, true, " name attributes ")
		}
	}
	a.rest(n, inSpan, found != " ", found)
}

func (a *account) accountSpan(n *node) {
	if !spanLike(n) {
		a.refuse(n, "span without its identifiers or its name")
	}
	a.attributes(n)
	a.rest(n, inSpan, true, " name attributes events links ")
	events, _ := n.Get("events")
	a.kind(events, "[", "events")
	for _, e := range events.Items {
		name := e.TextOf("name")
		a.attributes(e)
		a.rest(e, inSpan, true, " name attributes ")
		attributes, _ := e.Get("attributes")
		bodies := slices.DeleteFunc(slices.Clone(attributes.Items), func(m *node) bool { return !Word(eventBodies, m.TextOf("key")) })
		if len(bodies) > 1 {
			a.refuse(e, "unknown attribute %q", bodies[1].TextOf("key"))
		}
		if eventRoles[name] == "" && !strings.HasPrefix(name, "exception") && name != detailsEvent {
			a.refuse(e, "unknown event %q", shorten(name))
		}
	}
	if links, ok := n.Get("links"); ok && !Blank(links) && !All(links, func(key string, v *node) bool {
		return v.Kind == '[' || v.Kind == '{' && len(v.Members) > 0 || Blank(v) || Word(" traceId spanId traceState flags droppedAttributesCount ", key) && PlainWord(v.Text)
	}) {
		a.refuse(links, "unsupported links")
	}
}

// detailsEvent has the messages of a span as attributes.
const detailsEvent = "gen_ai.client.inference.operation.details"

// attributeRules are prefixes of attributes to ignore.
var attributeRules = []string{"gen_ai.usage.", "gen_ai.request.", "gen_ai.response.", "gen_ai.agent.", "gen_ai.conversation.", "gen_ai.client.", "gen_ai.server.", "gen_ai.provider.", "gen_ai.output.type", "gen_ai.token.", "gen_ai.tool.type", "gen_ai.tool.description", "gen_ai.tool.status", "gen_ai.thread.", "gen_ai.message.", "gen_ai.evaluation.", "gen_ai.data_source.", "gen_ai.prompt.name", "gen_ai.prompt.id", "gen_ai.prompt.version", "gen_ai.task.", "gen_ai.run.", "gen_ai.cost.", "gen_ai.execute_tool.", "gen_ai.workflow.", "gen_ai.event.start_time", "gen_ai.event.end_time", "gen_ai.openai.", "server.", "client.", "network.", "net.", "url.", "http.", "dns.", "tls.", "db.", "user_agent.", "error.", "exception.", "otel.", "service.", "telemetry.", "session.", "user.", "enduser.", "thread.", "code.", "process.", "host.", "os.", "deployment.", "k8s.", "container.", "cloud.", "peer.", "openai.", "azure.", "az.", "faas.", "event.name", "event.domain"}

// readAttributes are the attributes that are read or checked by name.
const readAttributes = " gen_ai.system gen_ai.system_instructions gen_ai.input.messages gen_ai.output.messages gen_ai.operation.name gen_ai.tool.name gen_ai.tool.call.id gen_ai.tool.call.arguments gen_ai.tool.call.result gen_ai.tool.definitions "

// eventAttributes are the attributes of events of the older conventions.
const eventAttributes = eventBodies + "id role index finish_reason tool_calls "

// eventBodies are the attributes with the message of an event.
const eventBodies = " content message gen_ai.event.content gen_ai.prompt gen_ai.completion "

// attributes accounts for the attributes of a span, an event, a resource or a scope.
func (s *account) attributes(n *node) {
	seen := map[string]bool{}
	list, _ := n.Get("attributes")
	s.kind(list, "[", "attributes")
	if name, _ := n.Get("name"); s.kind(name, `"`, "name") && Written(name.Text) {
		s.refuse(name, "unexpected value of %q", "name")
	}
	event := strings.HasPrefix(n.TextOf("name"), "gen_ai.") && !has(n, "spanId")
	for _, a := range list.Items {
		key := a.TextOf("key")
		v, _ := a.Get("value")
		value := anyValue(v)
		s.rest(a, inSpan, true, " key value ")
		switch {
		case key == "" || seen[key] || len(v.Members) == 0 || value == nil:
			s.refuse(a, "unsupported attribute")
		case key == "gen_ai.tool.definitions":
			if !definitionsOf(member(key, value)) {
				s.refuse(a, "unexpected value of %q", key)
			}
		case key == "gen_ai.input.messages" || key == "gen_ai.output.messages":
			s.messagesOf(key, unquoted(value))
		case Word(readAttributes, key) || event && Word(eventAttributes, key):
		case !passedAttribute(key, value):
			s.refuse(a, "unknown attribute %q", shorten(key))
		}
		seen[key] = true
	}
}

// messagesOf refuses a value of an attribute that is no list of messages.
func (s *account) messagesOf(key string, list *node) {
	if list.Kind != '[' {
		s.refuse(list, "unexpected value of %q", key)
	}
	for _, m := range list.Items {
		if role := m.TextOf("role"); roleKinds[norm(role)] == "" {
			s.refuse(m, "message with an unknown role %q", shorten(role))
		}
	}
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

// operations lists the operations whose spans record no action of their own.
const operations = " embeddings create_agent agent_step invoke_workflow plan create_thread create_message start_thread_run list_messages list_run_steps "

// modelOperations lists the operations whose spans record an answer of a model.
const modelOperations = " chat text_completion generate_content invoke_agent process_thread_run submit_tool_outputs "

// operation refuses a span that may be an action, but is incomplete or of an unknown kind.
func (r *reader) operation(s *span) {
	operation, known := s.attributes["gen_ai.operation.name"]
	tool, isTool := s.tool()
	name := strconv.Quote(shorten(s.n.TextOf("name")))
	switch {
	case isTool:
		if tool == "" || known && operation.Text != "execute_tool" {
			r.refuse(s.n, "span of a tool without a name, or with another operation")
		}
	case known && Word(modelOperations, operation.Text):
		if !s.converses() && !s.outer() {
			r.refuse(s.n, "span %s without messages", name)
		} else if s.converses() && !s.answered() {
			r.refuse(s.n, "span %s without the reply", name)
		}
	case known && Word(operations, operation.Text), !known && s.converses():
	case known:
		r.refuse(s.n, "unknown operation %q", shorten(operation.Text))
	case !s.transport():
		r.refuse(s.n, "unsupported span %s", name)
	}
}

// outer reports whether a span in this one has messages.
func (s *span) outer() bool {
	return slices.ContainsFunc(s.children, func(child *span) bool { return child.converses() || child.outer() })
}

// converses reports whether a span has messages in attributes or events.
func (s *span) converses() bool {
	events, _ := s.n.Get("events")
	return s.first("gen_ai.input.messages gen_ai.output.messages") != nil || slices.ContainsFunc(events.Items, func(e *node) bool {
		name := e.TextOf("name")
		return name == detailsEvent || eventRoles[name] != "" && eventRoles[name] != "system"
	})
}

// question reports whether a span has a message of the user, and the model has no part in it.
func (s *span) question() bool {
	asked, ok := s.attributes["gen_ai.input.messages"]
	events, _ := s.n.Get("events")
	if _, replied := s.attributes["gen_ai.output.messages"]; !ok || replied || s.attributes["gen_ai.operation.name"] != nil || len(events.Items) > 0 {
		return false
	}
	list := unquoted(asked)
	return list.Kind == '[' && !slices.ContainsFunc(list.Items, func(m *node) bool {
		kind := roleKinds[norm(m.TextOf("role"))]
		return kind != isUser && kind != isSystem
	})
}

// answered reports whether a span of a model has its reply, or an error.
func (s *span) answered() bool {
	_, fault := s.attributes["error.type"]
	status, _ := s.n.Get("status")
	code, _ := status.Get("code")
	if fault || code.Text == "2" || code.Text == "STATUS_CODE_ERROR" || s.outer() {
		return true
	}
	if _, ok := s.attributes["gen_ai.input.messages"]; !ok {
		return true // events, which include the reply
	}
	_, ok := s.attributes["gen_ai.output.messages"]
	return ok
}

// transport reports whether a span records a network request, which is not an action of an
// agent.
func (s *span) transport() bool {
	for key := range s.attributes {
		for _, prefix := range []string{"http.", "url.", "db.", "dns.", "net.", "network.", "tls."} {
			if strings.HasPrefix(key, prefix) {
				return true
			}
		}
	}
	return false
}
