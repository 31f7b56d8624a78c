package trace

import (
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/json"
)

// eventRoles are the roles of the messages in events and logs of OpenTelemetry.
var eventRoles = map[string]string{
	"gen_ai.system.message": "system", "gen_ai.user.message": "user", "gen_ai.content.prompt": "user", "gen_ai.assistant.message": "assistant",
	"gen_ai.choice": "assistant", "gen_ai.content.completion": "assistant", "gen_ai.tool.message": "tool",
}

// spanEvents reads the messages in the events of a span: those of the reply, or those before it.
func (r *reader) spanEvents(events *node, s scope, reply bool) {
	var list []*Item
	merge := func() {
		r.merge(list, slices.ContainsFunc(list, func(item *Item) bool { return item.Kind == User }), r.start)
		list = nil
	}
	for _, e := range events.Items {
		name := e.TextOf("name")
		attributes, _ := e.Get("attributes")
		isReply := name == "gen_ai.choice" || name == "gen_ai.content.completion"
		if isReply != reply {
			continue
		}
		members := attributeList(r, attributes)
		if role := eventRoles[name]; role != "" {
			r.list = &list
			r.eventMessage(role, nil, members, e, s)
			r.list = nil
			continue
		}
		if name == "exception" || len(members) == 0 && !CallType(name) {
			continue
		}
		merge()
		deferred := r.deferred
		r.deferred = nil
		before := r.count()
		r.document(nested(members), s)
		r.deferred = deferred
		if r.count() == before && CallType(name) {
			r.refuse(e, "unknown event %q", shorten(name))
		}
	}
	merge()
}

// eventMessage reads the message in the body and the attributes of an event.
func (r *reader) eventMessage(role string, body *node, attributes []json.Member, at *node, s scope) {
	out := &node{Kind: '{', At: at.At}
	id := ""
	for _, m := range attributes {
		switch m.Key {
		case "tool_calls":
			out.Members = append(out.Members, json.Member{Key: "tool_calls", At: m.At, Value: unquoted(m.Value)})
		case "id":
			id = m.Value.Text
		default:
			if Word(eventBodies, m.Key) {
				body = m.Value
			}
		}
	}
	if body != nil {
		body = unquoted(body)
		if inner, ok := body.Get("message"); ok && inner.Kind == '{' {
			body = inner
		}
	}
	switch {
	case body == nil:
	case body.Kind == '[' && len(body.Items) > 0 && has(body.Items[0], "role"):
		for _, item := range body.Items {
			r.value(item, s)
		}
		return
	case body.Kind == '{' && (has(body, "content") || has(body, "tool_calls") || has(body, "role") || has(body, "parts")):
		if own := body.TextOf("role"); roleKinds[norm(own)] != "" {
			role = own
		}
		out.Members = append(out.Members, withoutRole(body, role)...)
	default:
		out.Members = append(out.Members, json.Member{Key: "content", At: body.At, Value: body})
	}
	if id != "" && role == "tool" {
		out.Members = append(out.Members, json.Member{Key: "tool_call_id", At: at.At, Value: &node{Kind: '"', Text: id, At: at.At}})
	}
	if v, key := pick(out, "content tool_calls"); key == "" && v.Kind == 0 && !has(out, "parts") {
		return
	}
	r.message(out, roleKinds[role], s)
}

// withoutRole returns the members of the message in an event. The identifier of a tool's message is
// that of its call.
func withoutRole(body *node, role string) []json.Member {
	var out []json.Member
	for _, m := range body.Members {
		if m.Key == "id" && role == "tool" {
			m.Key = "tool_call_id"
		}
		if m.Key != "role" || roleKinds[norm(m.Value.Text)] == "" {
			out = append(out, m)
		}
	}
	return out
}

// logLike reports whether an object is a log record of OpenTelemetry.
func logLike(n *node) bool {
	_, stamp := pick(n, "timeUnixNano observedTimeUnixNano observed_timestamp severityNumber severity_number hrTimeObserved")
	return stamp != "" && has(n, "attributes") && (has(n, "body") || has(n, "eventName") || has(n, "event_name"))
}

// logRecord records a log, to be read with the others of its span.
func (r *reader) logRecord(n *node, s scope) { r.logs = append(r.logs, n) }

// flushLogs reads the logs: those of a span are a conversation.
func (r *reader) flushLogs() {
	var order []string
	groups := map[string][]*node{}
	for _, n := range r.logs {
		key := textOf(n, "traceId trace_id") + " " + textOf(n, "spanId span_id")
		if context, ok := n.Get("spanContext"); ok {
			key = textOf(context, "traceId") + " " + textOf(context, "spanId")
		}
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], n)
	}
	for _, key := range order {
		r.root++
		var list []*Item
		for _, n := range groups[key] {
			attributes, _ := n.Get("attributes")
			members := attributeList(r, attributes)
			name := firstOf(textOf(n, "eventName event_name"))
			for _, m := range members {
				if m.Key == "event.name" {
					name = m.Value.Text
				}
			}
			body, _ := n.Get("body")
			if v := anyValue(body); v != nil {
				body = v
			}
			if role := eventRoles[name]; role != "" {
				r.list = &list
				r.eventMessage(role, body, nil, n, scope{time: r.when(n)})
				r.list = nil
				continue
			}
			r.mergeList(&list)
			r.document(nested(members), scope{})
			r.value(body, scope{key: "body"})
		}
		r.mergeList(&list)
	}
	r.logs = nil
}

func (r *reader) mergeList(list *[]*Item) {
	snapshot := false
	for _, item := range *list {
		snapshot = snapshot || item.Kind == User
	}
	r.merge(*list, snapshot, r.length())
	*list = nil
}

// eventLike reports whether an object is an event with a name and data.
func eventLike(n *node) bool {
	return n.TextOf("event") != "" && has(n, "data")
}

// event reads an event with a name and data: of LangChain, or of OpenAI's runners.
func (r *reader) event(n *node, s scope) bool {
	r.events()
	name := norm(n.TextOf("event"))
	data, _ := n.Get("data")
	id := textOf(n, "run_id")
	switch {
	case name == "ontoolstart":
		r.format("langchain")
		input, _ := pick(data, "input")
		r.blocks["run "+id] = r.execute(n.TextOf("name"), "", input, nil, false, spanOf(n), s)
	case name == "ontoolend" || name == "ontoolerror":
		output, _ := pick(data, "output error")
		call := r.blocks["run "+id]
		if call == nil {
			input, _ := pick(data, "input")
			call = r.execute(n.TextOf("name"), "", input, nil, false, spanOf(n), s)
		}
		delete(r.blocks, "run "+id)
		r.executed(call, output, name == "ontoolerror", spanOf(data), s)
	case name == "onchatmodelstream" || name == "onllmstream":
		if r.open["stream "+id] == nil {
			r.open["stream "+id] = n
		}
	case name == "onchatmodelend" || name == "onllmend":
		delete(r.open, "stream "+id)
		r.value(data, s)
	case strings.HasSuffix(name, "stream") && strings.HasPrefix(name, "on"):
		r.value(data, s)
	case name == "functiontoolcall" || name == "functioncall":
		if callLike(data) {
			arguments, _ := pick(data, argumentKeys)
			tool, _ := firstText(data, nameKeys)
			r.execute(tool, "", arguments, nil, false, spanOf(data), s)
			break
		}
		r.value(data, s)
	case data.Kind == '"':
		s.key = n.TextOf("event")
		if strings.Contains(name, "result") && !r.knows(strings.TrimSpace(data.Text)) {
			r.refuse(data, "result of a call that is not in the trace")
			break
		}
		r.scalar(data, s)
	default:
		return false
	}
	return true
}

// line reads a value that follows other text in its line.
func (r *reader) line(n *node, s scope) {
	head, _ := n.Get(lineKey)
	v, _ := n.Get("value")
	kind, path, ok := chainLine(head.Text)
	before := r.count()
	switch {
	case ok && kind == "tool/start":
		r.format("langchain")
		tool := path[strings.LastIndex(path, ":")+1:]
		r.blocks["line "+path] = r.execute(tool, "", v, nil, false, spanOf(n), s)
	case ok && kind == "tool/end":
		if call := r.blocks["line "+path]; call != nil {
			r.executed(call, v, false, spanOf(v), s)
			delete(r.blocks, "line "+path)
		} else {
			r.refuse(n, "result of a call that is not in the trace")
		}
	case ok:
		r.format("langchain")
		r.loose = true
		if strings.HasSuffix(kind, "end") && r.cur != nil {
			r.start = min(r.lines[path], len(r.cur.items))
		} else {
			r.lines[path] = r.length()
		}
		r.value(v, s)
	default:
		r.value(v, s)
		if r.count() == before && !figures(v) && v.Kind != '"' || CallText(head.Text) {
			r.refuse(n, "unrecognized line")
		}
	}
}

// chainLine returns the kind and the path in a line of LangChain's console.
func chainLine(text string) (kind, path string, ok bool) {
	if !strings.HasPrefix(text, "[") {
		return "", "", false
	}
	kind, rest, _ := strings.Cut(text[1:], "] [")
	if !Word(" chain/start chain/end chain/error llm/start llm/end llm/error tool/start tool/end tool/error retriever/start retriever/end ", kind) {
		return "", "", false
	}
	path, _, ok = strings.Cut(rest, "]")
	return kind, path, ok
}

// housekeeping are the JSON-RPC methods that are not actions of an agent, by the protocol MCP.
const housekeeping = " initialize ping tools/list resources/list resources/templates/list prompts/list completion/complete logging/setLevel server/discover roots/list session/new session/load session/set_mode session/set_model session/cancel authenticate "

// conversed reports whether a reply has the messages of a task of the protocol A2A.
func conversed(n *node) bool {
	result, _ := n.Get("result")
	return has(result, "contextId")
}

// session reads the parameters of a method of the Agent Client Protocol: a prompt, or an update.
func (r *reader) session(params *node, s scope) {
	r.format("acp")
	r.events()
	if text, ok := params.Get("prompt"); ok {
		s.role = isUser
		r.content(text, s)
	}
	if update, ok := params.Get("update"); ok {
		r.sessionUpdate(update, s)
	}
}

// sessionUpdate reads an update of a session of the Agent Client Protocol: a piece of a message, or a call.
func (r *reader) sessionUpdate(n *node, s scope) {
	kinds := map[string]string{"agent_message_chunk": Text, "agent_thought_chunk": Thought, "user_message_chunk": User}
	kind := kinds[n.TextOf("sessionUpdate")]
	content, _ := n.Get("content")
	if text, _ := content.Get("text"); kind != "" && text.Kind == '"' {
		r.append("acp "+kind, kind, text)
		return
	}
	for _, kind := range []string{Text, Thought, User} {
		r.complete("acp " + kind)
	}
	r.value(n, s)
}

// rpc reads a JSON-RPC message, as MCP has them.
func (r *reader) rpc(n *node, s scope) {
	r.twice(n)
	method := n.TextOf("method")
	id, _ := n.Get("id")
	key := id.Text
	params, _ := n.Get("params")
	switch {
	case method == "tools/call":
		r.methods[key] = method
		meta, _ := params.Get("name")
		arguments, _ := params.Get("arguments")
		if meta.Kind != '"' || meta.Text == "" {
			r.refuse(n, "call without a name or arguments")
			return
		}
		item := &Item{Kind: Call, Tool: meta.Text, Span: spanOf(params), asked: true}
		if key != "" {
			r.rpcs++
			item.ID = "rpc-" + key
			if r.cur != nil && r.cur.calls[item.ID] != nil {
				item.ID += "-" + strings.Repeat("i", r.rpcs)
			}
			r.methods[key] = item.ID
		}
		item.setArguments(r.arguments(arguments))
		r.emit(item, s)
		for _, m := range params.Members {
			if !Word(" name arguments _meta task ", m.Key) && !Blank(m.Value) {
				r.refuse(m.Value, "unknown key %q", shorten(m.Key))
			}
		}
	case method == "session/update" || method == "session/prompt": // of the Agent Client Protocol
		r.methods[key] = "-"
		r.session(params, s)
	case method != "" && (Word(housekeeping, method) || strings.HasPrefix(method, "notifications/")):
		r.methods[key] = "-"
	case method != "":
		r.refuse(n, "unknown method %q", shorten(method))
		r.methods[key] = "-"
	case strings.HasPrefix(r.methods[key], "rpc-"):
		v, with := pick(n, "result error")
		if with == "" {
			r.refuse(n, "missing key %q", "result")
			return
		}
		text, value := r.resultText(v)
		if with == "error" {
			text = firstOf(v.TextOf("message"), text)
		}
		failed, _ := v.Get("isError")
		r.emit(&Item{Kind: Result, ID: r.methods[key], Text: text, Value: value, Fault: with == "error" || failed.Kind == 't', Span: spanOf(v)}, s)
	case r.methods[key] == "-":
	case conversed(n):
		result, _ := n.Get("result")
		r.value(result, s)
	default:
		r.refuse(n, "result of a call that is not in the trace")
	}
	for _, m := range n.Members {
		if !Word(" jsonrpc id method params result error ", m.Key) && !Blank(m.Value) {
			r.refuse(m.Value, "unknown key %q", shorten(m.Key))
		}
	}
}
