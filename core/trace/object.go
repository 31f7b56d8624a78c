package trace

import (
	"encoding/base64"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/json"
)

// object reads an object: a tool definition, a stream chunk, a span, a JSON-RPC
// request, a message, a part of a message, or a document.
func (r *reader) object(n *node, s scope) {
	item := s.item && r.list != nil
	r.loose = r.loose || n.TextOf("type") == "event_msg" // Codex
	s.item = false
	switch {
	case definition(n):
		return
	case r.list == nil && has(n, lineKey):
		r.line(n, s)
		return
	case r.special(n, s):
		return
	case spanLike(n):
		r.addSpan(n, nil)
		return
	case logLike(n):
		r.logRecord(n, s)
		return
	case has(n, "jsonrpc"):
		r.rpc(n, s)
		return
	}
	if inner, role := message(n); role != "" {
		r.message(inner, role, s)
		return
	}
	if eventLike(n) && r.event(n, s) {
		return
	}
	if r.part(n, s) {
		return
	}
	if !item {
		r.accounted(n, s)
		return
	}
	if tool := n.TextOf("role"); tool != "" && r.called(tool) {
		r.result(n, scope{role: isResult, time: s.time}, "")
		(*r.list)[len(*r.list)-1].Tool = tool
		return
	}
	before, items := len(r.unread)+r.more, len(*r.list)
	if has(n, "type") && flat(n) {
		r.refuse(n, "unknown type %q", shorten(n.TextOf("type")))
		return
	}
	r.document(n, s)
	if kind, name := typed(n); r.list != nil && len(*r.list) == items && len(r.unread)+r.more == before && (kind == "" && len(n.Members) > 0 || !onlyWords(n)) {
		r.refuse(n, "unknown type %q", shorten(firstOf(name, n.TextOf("role"))))
	}
}

// accounted reads a document, and refuses one whose type is that of a call, and of which nothing was read.
func (r *reader) accounted(n *node, s scope) {
	before, spans, actions := r.count()+len(r.unread)+r.more, len(r.spans), r.actions+len(r.unread)+r.more
	r.document(n, s)
	if name := toolEvent(n); name != "" && len(r.spans) == spans && r.actions+len(r.unread)+r.more == actions {
		r.refuse(n, "event %q, which may be a call", shorten(name))
	}
	if r.deferred != nil || r.list != nil || len(r.spans) > spans || r.count()+len(r.unread)+r.more > before {
		return
	}
	_, arguments := pick(n, argumentKeys)
	if kind, name := typed(n); kind == "" && CallType(name) && arguments != "" {
		r.refuse(n, "unknown type %q", shorten(name))
	}
}

// toolEvent returns the name or the path of an event of a tool, with data, or "".
func toolEvent(n *node) string {
	if flat(n) {
		return ""
	}
	for _, key := range []string{"event", "path", "topic", "name"} {
		if name := n.TextOf(key); strings.HasPrefix(name, "tool.") || strings.HasPrefix(name, "tool_") || strings.HasPrefix(name, "tool:") || strings.Contains(name, ".tool.") {
			return name
		}
	}
	return ""
}

// special reads an object of a format whose keys have another meaning, and reports whether the object is one.
func (r *reader) special(n *node, s scope) bool {
	if v, _ := n.Get("role"); v.Kind == '[' && has(n, "content") {
		r.refuse(n, "messages as columns")
		return true
	}
	if has(n, "context.trace_id") {
		r.object(undotted(n), s)
		return true
	}
	if v, ok := n.Get(labelKey); ok {
		r.labelled(underLabels(v.Text), s)
		return true
	}
	if n.TextOf("encoding") == "base64" && n.TextOf("text") != "" { // the body of a reply in an HTTP archive
		r.refuse(n, "content in base64")
		return true
	}
	return r.shaped(n, s) || r.thread(n) || r.platform(n, s) || r.published(n, s) || r.stream(n, s) || r.numbered(n, s)
}

// flat reports whether an object has no other value in it.
func flat(n *node) bool {
	return !slices.ContainsFunc(n.Members, func(m json.Member) bool { return m.Value.Kind == '{' || m.Value.Kind == '[' })
}

// called reports whether the run has a call of a tool. Langfuse writes the name of the tool as the role of the result.
func (r *reader) called(tool string) bool {
	is := func(item *Item) bool { return item.Kind == Call && item.Tool == tool }
	return slices.ContainsFunc(*r.list, is) || r.cur != nil && slices.ContainsFunc(r.cur.items, is)
}

// mark counts the hints at formats in a value: keys, types and scopes.
func (r *reader) mark(n *node) {
	All(n, func(_ string, v *node) bool {
		for _, m := range v.Members {
			if f := formatKeys[m.Key]; f != "" {
				r.format(f)
				r.loose = r.loose || m.Key == "qualified_name" // of LlamaIndex's events
			}
		}
		if f := formatTypes[v.TextOf("type")]; f != "" {
			r.format(f)
		}
		for _, key := range []string{"scope", "instrumentationScope"} {
			if scope, ok := v.Get(key); ok && scope.Kind == '{' {
				for prefix, f := range scopes {
					if strings.HasPrefix(scope.TextOf("name"), prefix) {
						r.format(f)
					}
				}
			}
		}
		return true
	})
}

// scopes are the formats of spans, by prefixes of the names of their scopes.
var scopes = map[string]string{"@traceloop/": "openllmetry", "opentelemetry.instrumentation.": "openllmetry", "@arizeai/": "openinference", "openinference.": "openinference", "strands": "strands", "langfuse": "langfuse", "@opentelemetry/": "otel"}

// formatKeys and formatTypes map keys and types that hint at a format to the format.
var formatKeys = map[string]string{
	"span_attributes": "braintrust", "ml_app": "datadog", "$ai_trace_id": "posthog", "request_path": "helicone", "response_cost": "litellm", "spanType": "laminar", "op_name": "weave", "mlflow.spanType": "mlflow", "genkit:type": "genkit", "toolRequest": "genkit", "tool_call_error": "agno", "from_history": "agno",
	"cause_by": "metagpt", "parse_data": "rasa", "callID": "opencode", "orig_args": "amazon-q", "requesterUsername": "copilot-chat", "contextId": "a2a", "responseData": "spring-ai", "toolExecutionRequests": "langchain4j", "params_as_json": "elevenlabs", "secondsFromStart": "vapi", "transcript_with_tool_calls": "retell", "executed_actions": "nemo-guardrails", "conversations": "sharegpt",
	"Role": "semantic-kernel", "plugin_name": "semantic-kernel", "_role": "haystack", "tool_call_result": "haystack", "qualified_name": "llamaindex", "block_type": "llamaindex", "tool_kwargs": "llamaindex", "tool_responses": "autogen", "human_input": "autogen", "tool_return": "letta", "agent_thoughts": "dify",
	"lc": "langchain", "additional_kwargs": "langchain", "run_type": "langsmith", "dotted_order": "langsmith", "langgraph_node": "langgraph", "span_data": "agents-sdk", "rawItem": "agents-sdk", "raw_item": "agents-sdk",
	"providerMetadata": "ai-sdk", "providerOptions": "ai-sdk", "jsonrpc": "mcp", "resourceSpans": "otlp", "scopeSpans": "otlp", "resourceLogs": "otlp", "instrumentationScope": "otel", "functionCall": "gemini", "usageMetadata": "gemini", "sdkHttpResponse": "google-genai", "providerData": "agents-sdk",
	"toolUse": "bedrock", "tool_use_id": "anthropic", "stop_reason": "anthropic", "tool_call_id": "openai", "choices": "openai", "call_id": "openai-responses", "eval_count": "ollama", "done_reason": "ollama", "trackingId": "strands",
	"part_kind": "pydantic-ai", "placeholder_args": "agentdojo", "suite_name": "agentdojo", "pipeline_name": "agentdojo", "parentObservationId": "langfuse", "observations": "langfuse", "epoch": "inspect", "stepType": "mastra", "parentUuid": "claude-code", "schema_version": "atif", "threadId": "ag-ui", "toolCalls": "ag-ui", "toolCallId": "ai-sdk", "toolName": "ai-sdk",
}

var formatTypes = map[string]string{"tool_use": "anthropic", "function_call": "openai-responses", "function_call_output": "openai-responses", "constructor": "langchain", "human": "langchain", "ai": "langchain", "session_meta": "codex", "response_item": "codex", "toolResponse": "goose"}

// document reads the members of an object that is neither a message nor a part: requests before
// replies.
func (r *reader) document(n *node, s scope) {
	r.twice(n)
	s = r.documentScope(n, s)
	conversation := slices.ContainsFunc(n.Members, func(m json.Member) bool {
		return Word(" messages traj trajectory conversation contents history simulation simulations output transcript user_input ", m.Key) && m.Value.Kind == '['
	})
	spans := len(r.spans)
	for pass := range 3 {
		for _, m := range n.Members {
			if direction(m.Key) != pass-1 {
				continue
			}
			if pass == 2 && r.deferred != nil {
				*r.deferred = append(*r.deferred, later{m, s})
				continue
			}
			if pass == 2 && len(r.spans) > spans && m.Value.Kind == '"' {
				r.answers = append(r.answers, later{m, s}) // of the spans in the document
				continue
			}
			if m.Key == "trace" && tracedBy(n, m.Value) {
				continue
			}
			if conversation && Word(referenceKeys, m.Key) || m.Key == "model_input_messages" && has(n, "step_number") { // of smolagents: the memory

				continue
			}
			r.member(m, s)
		}
	}
	r.observed(n, s)
}

// tracedBy reports whether a value only names the trace of the spans of a document.
func tracedBy(n, trace *node) bool {
	spans, _ := n.Get("spans")
	id := trace.TextOf("id")
	return id != "" && len(spans.Items) > 0 && !slices.ContainsFunc(spans.Items, func(s *node) bool { return textOf(s, traceKeys) != id })
}

// documentScope adds the time and the agent of a document to its surrounding.
func (r *reader) documentScope(n *node, s scope) scope {
	s.time = firstOf(r.when(n), s.time)
	if agent := textOf(n, agentKeys); agent != "" && roleKinds[norm(agent)] == "" {
		s.agent = agent
	}
	return s
}

// referenceKeys are the members next to a conversation that describe its task or judge it, such as
// the actions that were expected.
const referenceKeys = " info task tasks reward_info evaluation evaluation_criteria ground_truth expected expected_actions expected_tools expectedTools reference_tool_calls reference scores labels "

// direction is -1 for a request, 1 for a reply, and 0 for others.
func direction(key string) int {
	switch {
	case Word(inKeys, key):
		return -1
	case Word(outKeys, key):
		return 1
	}
	return 0
}

func (r *reader) member(m json.Member, s scope) {
	s.key = m.Key
	s.calls = Word(" tool_calls toolCalls function_calls functionCalls tool_uses ", m.Key)
	if Word(systemKeys, m.Key) {
		s.role = System
	}
	switch v := m.Value; {
	case Blank(v) || figures(v) || Word(callData, m.Key) && ownWords(v) || setting(m):
	case v.Kind == '"':
		r.scalar(v, s)
	case textValue(v):
		r.scalar(valued(v), s)
	case v.Kind == '{' && m.Key == "model" && r.list == nil: // its name and parameters
		for _, m := range v.Members {
			r.member(m, s)
		}
	case v.Kind == '{' && Word(" function_call functionCall tool_call toolCall toolUse tool_use ", m.Key) && !spanLike(v):
		r.call(v, s, "")
	case v.Kind == '[' && attributes(v):
		r.document(nested(attributeList(r, v)), s)
	case v.Kind == '{' && Word(actionKeys, m.Key) && onlyWords(v) && !definition(v) && firstOf(textOf(v, nameKeys)) != "":
		r.refuse(v, "call without a name or arguments")
	default:
		r.value(v, s)
	}
}

// textValue reports whether an object is a text with its type, as LangWatch writes it.
func textValue(n *node) bool {
	return n.TextOf("type") == "text" && valued(n) != n && n.TextOf("value") != ""
}

// setting reports whether a member is a setting of a request whose value resembles calls: tool definitions, the
// choice of one, or the texts at which the model stops.
func setting(m json.Member) bool {
	return Word(" tools functions ", m.Key) && listsTools(m.Value) || m.Value.Kind == '[' && (Word(" stop stop_sequences stopSequences ", m.Key) && fits(formWords, m.Value)) ||
		Word(" tool_choice toolChoice ", m.Key) && onlyWords(m.Value)
}

// attributes reports whether a list consists of keys with values, as OpenTelemetry writes them.
func attributes(n *node) bool {
	for _, item := range n.Items {
		if v, ok := item.Get("value"); !ok || v.Kind != '{' || !has(item, "key") {
			return false
		}
	}
	return len(n.Items) > 0
}

// figures reports whether a value contains no texts and no keys of calls.
func figures(n *node) bool {
	return All(n, func(key string, v *node) bool {
		if key != "" && (Word(callKeys, strings.ToLower(key)) || Word(callArguments, strings.ToLower(key))) {
			return false
		}
		return v.Kind != '"' || Blank(v)
	})
}

// scalar reads a text in a document: the JSON in it, a task, an answer, the repetition of an item,
// or a text that is not an action.
func (r *reader) scalar(n *node, s scope) {
	text := strings.TrimSpace(n.Text)
	if text == "" {
		return
	}
	if inner := unquoted(n); inner != n && inner.Kind != '"' && text[0] != '"' {
		if !Blank(inner) {
			r.mark(inner)
			r.value(inner, s)
		}
		return
	} else if strings.HasPrefix(text, `{"`) || strings.HasPrefix(text, `[{`) {
		r.refuse(n, "JSON that is cut off")
		return
	} else if text[0] == '"' && inner.Kind == '"' {
		n, text = inner, strings.TrimSpace(inner.Text)
	}
	if r.knows(text) {
		return
	}
	if !s.copy && !(s.key == "text" && r.cur == nil && r.list == nil && PlainWord(text)) && r.spoken(n, s) {
		return
	}
	switch {
	case encoded(text):
		r.refuse(n, "content in base64")
	case CallText(n.Text):
		r.refuse(n, "text that looks like a call")
	case Word(actionKeys, s.key):
		r.refuse(n, "unknown key %q", s.key)
	}
}

// encoded reports whether a text is JSON with a call in base64, or compressed data in base64.
func encoded(text string) bool {
	if len(text) < 40 || strings.IndexByte("eWH", text[0]) < 0 || !PlainWord(text) {
		return false
	}
	body, err := base64.StdEncoding.DecodeString(text)
	return err == nil && (strings.HasPrefix(text, "H4sI") || CallText(string(body)) || callJSON(string(body)))
}

// spoken reads a text whose key names its author. It returns false for other texts.
func (r *reader) spoken(n *node, s scope) bool {
	word := PlainWord(strings.TrimSpace(n.Text))
	switch {
	case Word(systemKeys, s.key) && !word:
		r.emit(&Item{Kind: System, Text: n.Text, Span: spanOf(n)}, s)
	case r.list == nil && Word(userKeys, s.key) && (s.key != "task" || !word):
		item := &Item{Kind: User, Text: n.Text, Span: spanOf(n), Time: s.time, Agent: s.agent}
		r.merge([]*Item{item}, true, r.start)
	case r.list == nil && Word(answerKeys, s.key) && (len(r.spans) == 0 || s.model || !word):
		r.emit(&Item{Kind: Text, Text: n.Text, Span: spanOf(n)}, s)
	case Word(" "+thoughtKeys+" ", s.key):
		r.emit(&Item{Kind: Thought, Text: n.Text, Span: spanOf(n)}, s)
	default:
		return false
	}
	return true
}

// knows reports whether an item of the run has a text.
func (r *reader) knows(text string) bool {
	if r.list != nil {
		for _, item := range *r.list {
			if strings.TrimSpace(item.Text) == text {
				return true
			}
		}
	}
	if r.cur == nil {
		return false
	}
	if r.cur.texts[text] > 0 {
		return true
	}
	for i := len(r.cur.items) - 1; i >= max(0, min(r.start, len(r.cur.items)-8)); i-- {
		item := r.cur.items[i]
		if strings.TrimSpace(item.Text) == text || len(item.parts) > 0 && strings.TrimSpace(item.Text+strings.Join(item.parts, "")) == text {
			return true
		}
	}
	return false
}

// toolKeys are the keys of tool definitions.
const toolKeys = " type name description title parameters input_schema inputSchema outputSchema output_schema strict function custom format cache_control annotations server_label server_url server_description require_approval allowed_tools headers vector_store_ids max_num_results search_context_size user_location container display_width display_height display_number environment max_uses allowed_domains blocked_domains defer_loading parametersJsonSchema parametersJson functionDeclarations toolSpec json_schema tool schema jsonSchema execution icons _meta id providerOptions args_schema "

// definition reports whether an object is a tool definition. It has a schema, never
// arguments.
func definition(n *node) bool {
	if n.Kind != '{' || len(n.Members) == 0 {
		return false
	}
	schema, inner := false, false
	for _, m := range n.Members {
		if !Word(toolKeys, m.Key) {
			return false
		}
		switch m.Key {
		case "parameters", "input_schema", "inputSchema", "parametersJsonSchema", "json_schema", "schema", "jsonSchema", "args_schema":
			schema = schema || schemaLike(m.Value)
		case "function", "custom", "toolSpec", "tool":
			inner = inner || definition(m.Value)
		case "functionDeclarations":
			for _, item := range m.Value.Items {
				if !definition(item) {
					return false
				}
				inner = true
			}
		}
	}
	return inner || schema && (n.TextOf("name") != "" || has(n, "json"))
}

// schemaLike reports whether a value is a JSON schema of an object, perhaps as a string.
func schemaLike(n *node) bool {
	n = unquoted(n)
	if inner, ok := n.Get("json"); ok && len(n.Members) == 1 {
		n = inner
	}
	if inner, ok := n.Get("jsonSchema"); ok && len(n.Members) <= 2 {
		n = inner
	}
	if n.Kind != '{' {
		return false
	}
	kind := n.TextOf("type")
	properties, ok := n.Get("properties")
	_, composed := pick(n, "$ref anyOf oneOf allOf")
	return composed != "" || typesOnly(n) || definitionJSON(n) || strings.EqualFold(kind, "object") && (ok && properties.Kind == '{' || len(n.Members) <= 3) || ok && properties.Kind == '{'
}

// typesOnly reports whether a value has an object with a type and a description for each parameter.
func typesOnly(n *node) bool {
	return len(n.Members) > 0 && !slices.ContainsFunc(n.Members, func(m json.Member) bool {
		return m.Value.TextOf("type") == "" || m.Value.TextOf("description") == ""
	})
}

// definitionJSON reports whether a value is a definition in a string, as OpenInference writes it.
func definitionJSON(n *node) bool {
	return has(n, "type") && (has(n, "function") || has(n, "name")) && definition(n)
}
