package trace

import (
	"slices"
	"sort"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
)

func (s *span) attribute(key string) string {
	if v := s.attributes[key]; v != nil && v.Kind == '"' {
		return v.Text
	}
	return ""
}

func (s *span) first(keys string) *node {
	for key, rest := nextWord(keys); key != ""; key, rest = nextWord(rest) {
		if v := s.attributes[key]; v != nil && v.Kind != 'n' {
			return v
		}
	}
	return nil
}

// Attributes of the spans of tools, the most specific first.
const (
	toolNames     = "toolId gen_ai.tool.name ai.toolCall.name tool.name tool_call.function.name"
	toolArguments = "gen_ai.tool.call.arguments ai.toolCall.args ai.toolCall.input tool_call.function.arguments input.value traceloop.entity.input langfuse.observation.input genkit:input mlflow.spanInputs span_data.input tool.parameters"
	toolResults   = "gen_ai.tool.call.result ai.toolCall.result ai.toolCall.output output.value traceloop.entity.output langfuse.observation.output genkit:output mlflow.spanOutputs span_data.output tool.output"
	toolIDs       = "gen_ai.tool.call.id ai.toolCall.id tool_call.id"
	toolKinds     = "openinference.span.kind traceloop.span.kind langfuse.observation.type genkit:metadata:subtype mlflow.spanType span_data.type gen_ai.operation.name ai.operationId"
)

func (s *span) tool() (string, bool) {
	kind := ""
	for key, rest := nextWord(toolKinds); key != ""; key, rest = nextWord(rest) {
		v := norm(s.attribute(key))
		if v == "tool" || v == "executetool" || v == "aitoolcall" || key == "span_data.type" && v == "function" {
			kind = "tool"
		} else if kind == "" {
			kind = v
		}
	}
	if own := s.ownKind(); own != "" && (kind == "" || own == "tool" || has(s.n, "run_type")) {
		kind = own
	}
	if v := s.first(toolNames); v != nil && v.Kind == '"' && (kind == "tool" || kind == "" || v.Text != "") && kind != "llm" && kind != "chat" {
		return v.Text, true
	}
	name := spanName(s.n)
	if tool, ok := strings.CutPrefix(name, "execute_tool "); ok {
		return tool, true
	}
	if kind != "tool" {
		return "", false
	}
	return firstOf(s.attribute("traceloop.entity.name"), s.attribute("span_data.name"), strings.TrimSuffix(name, ".tool")), true
}

// ownKind returns the kind of a span that a member of it names, or "".
func (s *span) ownKind() string {
	kind := textOf(s.n, "run_type type spanType span_type")
	for _, key := range []string{"span_attributes", "meta"} { // of Braintrust and Datadog
		if v, ok := s.n.Get(key); ok && kind == "" {
			kind = textOf(v, "type kind")
		}
	}
	switch kind = norm(kind); kind {
	case "toolcall", "mcptoolcall", "executetool", "clienttoolcall":
		return "tool"
	}
	return kind
}

func (s *span) isModel() bool {
	for key, rest := nextWord(toolKinds); key != ""; key, rest = nextWord(rest) {
		if v := norm(s.attribute(key)); Word(" llm model chatmodel generation chat textcompletion generatecontent response ", v) || strings.HasSuffix(v, "dogenerate") || strings.HasSuffix(v, "dostream") {
			return true
		}
	}
	return Word(" llm generation llmgeneration modelgeneration ", s.ownKind())
}

// ofModel reports whether a span records a model or an agent, so that its output is an answer.
func (s *span) ofModel() bool {
	kind := s.ownKind()
	for key, rest := nextWord(toolKinds); key != ""; key, rest = nextWord(rest) {
		kind += " " + norm(s.attribute(key))
	}
	for _, part := range []string{"llm", "generat", "chat", "agent", "stream", "response", "completion"} {
		if strings.Contains(kind, part) {
			return true
		}
	}
	return false
}

func (r *reader) toolSpan(s *span, tool string, sc scope) {
	if tool == "" {
		r.refuse(s.n, "span of a tool without a name, or with another operation")
		return
	}
	arguments, result := s.first(toolArguments), s.first(toolResults)
	meta, _ := s.n.Get("meta") // of Datadog
	if arguments == nil {
		arguments, _ = pick(s.n, "inputs input")
		if v, ok := meta.Get("input"); ok && arguments.Kind == 0 {
			arguments = v
		}
	}
	if result == nil {
		result, _ = pick(s.n, "outputs output")
		if v, ok := meta.Get("output"); ok && result.Kind == 0 {
			result = v
		}
	}
	arguments = valued(arguments)
	id := ""
	if v := s.first(toolIDs); v != nil {
		id = v.Text
	}
	if own := callID(result, 0); own != "" && id == "" {
		if id = own; resultTool(result, 0) != "" {
			tool = resultTool(result, 0)
		}
	}
	fault := false
	if v, ok := s.n.Get("error"); ok && v.Kind == '"' && result.Kind == 0 {
		result, fault = v, true
	}
	call := r.execute(tool, id, arguments, nil, false, spanOf(s.n), sc)
	events, _ := s.n.Get("events")
	for _, child := range s.children {
		r.span(child)
	}
	r.trace = s.trace
	if result.Kind == 0 || result.Kind == 'n' {
		result = toolEventResult(r, events)
	}
	if result != nil && result.Kind != 0 {
		r.executed(call, result, fault, spanOf(result), sc)
	}
}

// valued returns the value in an object that also has at most its type.
func valued(n *node) *node {
	v, ok := n.Get("value")
	if ok && (len(n.Members) == 1 || len(n.Members) == 2 && has(n, "type")) {
		return v
	}
	return n
}

// toolEventResult returns the result of a tool that an event of its span records, or nil.
func toolEventResult(r *reader, events *node) *node {
	for _, e := range events.Items {
		if e.TextOf("name") != "gen_ai.choice" {
			continue
		}
		attributes, _ := e.Get("attributes")
		for _, m := range attributeList(r, attributes) {
			if m.Key == "message" || m.Key == "content" {
				return unquoted(m.Value)
			}
		}
	}
	return nil
}

// execute records the execution of a tool: of a call that is known, or of another one.
func (r *reader) execute(tool, id string, arguments, result *node, fault bool, at source.Span, s scope) *Item {
	r.actions++
	item := &Item{Kind: Call, Tool: tool, ID: id, Span: at, exec: true, run: true, Agent: s.agent, Time: s.time}
	if arguments != nil && arguments.Kind != 0 && arguments.Kind != 'n' {
		inner := r.arguments(arguments)
		if list, ok := inner.Get("args"); ok && len(inner.Members) == 1 && len(list.Items) == 1 { // positional
			inner = unquoted(list.Items[0])
		}
		if inner.Kind == '"' && inner.Text == "undefined" {
			inner = nil
		}
		if inner == nil {
			item.setArguments(nil)
		} else if call := unquoted(inner); call.Kind == '{' && callLike(call) && call.TextOf("name") == tool { // a call instead of arguments
			v, _ := pick(call, argumentKeys)
			if own := call.TextOf("id"); own != "" && id == "" {
				item.ID = own
			}
			inner = r.arguments(v)
		} else if call.Kind == '{' && len(call.Members) == 1 && Word(" input args arguments ", call.Members[0].Key) {
			if v := r.arguments(call.Members[0].Value); v != nil && v.Kind == '{' {
				inner = v
			}
		}
		item.setArguments(inner)
	}
	if r.cur == nil {
		r.begin()
	}
	if at := r.find(item, 0); at >= 0 {
		known := r.cur.items[at]
		r.join(known, item)
		item = known
	} else {
		r.cur.insert(len(r.cur.items), item)
	}
	if result != nil {
		r.executed(item, result, fault, spanOf(result), s)
	}
	return item
}

// executed records the result of an execution.
func (r *reader) executed(call *Item, result *node, fault bool, at source.Span, s scope) {
	if id := callID(result, 0); id != "" && call.ID == "" {
		if known := r.cur.calls[id]; known == nil {
			call.ID = id
			r.cur.calls[id] = call
		}
	}
	if !slices.Contains(r.cur.items, call) { // another run began in between
		for _, run := range r.runs {
			if slices.Contains(run.items, call) {
				r.cur = run
			}
		}
	}
	text, value := r.resultText(result)
	item := &Item{Kind: Result, Tool: call.Tool, ID: call.ID, Text: text, Value: value, Fault: fault, Span: at, exec: true, Agent: s.agent, Time: s.time}
	if known := r.cur.results[item.ID]; item.ID != "" && known != nil {
		return
	}
	if item.ID == "" {
		i := slices.Index(r.cur.items, call)
		if i >= 0 && slices.ContainsFunc(r.cur.items[i:], func(other *Item) bool {
			return other.Kind == Result && other.Tool == item.Tool && other.Text == item.Text && !other.exec
		}) {
			return
		}
	}
	r.cur.insert(len(r.cur.items), item)
}

// resultTool returns the tool that a message of a tool names, or "".
func resultTool(n *node, depth int) string {
	n = unquoted(n)
	if inner, role := message(n); n.Kind == '{' && role == isResult {
		return inner.TextOf("name")
	}
	if depth < 3 && len(n.Members) == 1 {
		return resultTool(n.Members[0].Value, depth+1)
	}
	return ""
}

// callID returns the identifier of the call that a message of a tool answers, or "".
func callID(n *node, depth int) string {
	n = unquoted(n)
	if inner, role := message(n); n.Kind == '{' && role == isResult {
		return textOf(inner, "tool_call_id toolCallId tool_use_id")
	}
	if depth < 3 && len(n.Members) == 1 {
		return callID(n.Members[0].Value, depth+1)
	}
	return ""
}

// nested returns an object whose keys with dots are nested objects and lists.
func nested(list []json.Member) *node {
	root := &node{Kind: '{'}
	for _, m := range list {
		if m.Value.Kind == 'n' {
			continue
		}
		at, ok := root, true
		steps := strings.Split(m.Key, ".")
		for i, step := range steps {
			v, found := at.Get(step)
			last := i == len(steps)-1
			switch {
			case last && !found:
				at.Members = append(at.Members, json.Member{Key: step, At: m.At, Value: m.Value})
			case last, found && (v.Kind != '{' || v.Text != nestedText):
				ok = false
			case !found:
				v = &node{Kind: '{', At: m.Value.At, Text: nestedText}
				at.Members = append(at.Members, json.Member{Key: step, At: m.At, Value: v})
				at = v
			default:
				at = v
			}
			if !ok {
				break
			}
		}
		if !ok {
			root.Members = append(root.Members, json.Member{Key: m.Key, At: m.At, Value: m.Value})
		}
	}
	numbered(root)
	return root
}

// nestedText marks the objects that nested makes.
const nestedText = "\x00nested"

// numbered turns objects whose keys are numbers into lists.
func numbered(n *node) {
	lists := n.Text == nestedText && len(n.Members) > 0
	for _, m := range n.Members {
		if m.Value.Kind == '{' && m.Value.Text == nestedText {
			numbered(m.Value)
		}
		lists = lists && m.Key != "" && strings.Trim(m.Key, "0123456789") == ""
	}
	if !lists {
		return
	}
	members := slices.Clone(n.Members)
	sort.SliceStable(members, func(i, j int) bool {
		return len(members[i].Key) < len(members[j].Key) || len(members[i].Key) == len(members[j].Key) && members[i].Key < members[j].Key
	})
	n.Kind, n.Members = '[', nil
	for _, m := range members {
		item := m.Value
		if item.Kind == '{' && len(item.Members) == 1 && Word(" message tool_call message_content ", item.Members[0].Key) { // OpenInference
			item = item.Members[0].Value
		}
		n.Items = append(n.Items, item)
	}
}
