package trace

import (
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/json"
)

// span is a span of a trace: of OpenTelemetry in its JSON or as a console prints it, a run of
// LangSmith, a span of the Agents SDK, an observation of Langfuse.
type span struct {
	n          *node
	id, parent string
	trace      string
	start      string // seconds
	order      int
	from, to   float64 // seconds
	attributes map[string]*node
	list       []json.Member // of the attributes
	children   []*span
}

// later is a member that is read after the children of its span.
type later struct {
	m json.Member
	s scope
}

func spanLike(n *node) bool {
	if has(n, "run_type") && has(n, "id") || has(n, "span_data") || has(n, "parentObservationId") {
		return true
	}
	if has(n, "body") || has(n, "role") {
		return false
	}
	_, trace := pick(n, traceKeys)
	_, id := pick(n, "spanId span_id")
	context, _ := n.Get("context")
	switch {
	case has(n, "startTimeUnixNano") && spanName(n) != "": // of OpenTelemetry, perhaps without identifiers
		return true
	case trace != "" && id != "", has(context, "trace_id") && has(context, "span_id"):
		return spanName(n) != "" || has(n, "attributes")
	case trace != "" && has(n, "id"):
		return has(n, "attributes") || has(n, "startTime") || has(n, "start_time") || has(n, "op_name")
	}
	return false
}

// addSpan records a span and the spans in it.
func (r *reader) addSpan(n *node, parent *span) {
	s := &span{n: n, order: len(r.spans), attributes: map[string]*node{}}
	context, _ := n.Get("context")
	s.id = firstOf(textOf(n, "spanId span_id id"), textOf(context, "span_id"))
	s.trace = firstOf(textOf(n, traceKeys), textOf(context, "trace_id"))
	s.parent = textOf(n, parentKeys)
	if v, ok := n.Get("parentSpanContext"); ok && s.parent == "" {
		s.parent = textOf(v, "spanId span_id")
	}
	if v, _ := n.Get("span_parents"); len(v.Items) > 0 { // of Braintrust
		s.parent = v.Items[0].Text
	}
	if parent != nil {
		s.parent, s.trace = parent.id, firstOf(s.trace, parent.trace)
	}
	start, unit := pick(n, "startTimeUnixNano start_time_unix_nano start_time startTime started_at start_timestamp startTimestamp start_ns timestamp")
	for _, key := range []string{"metrics", "timestamps"} { // of Braintrust and LangWatch
		if v, ok := n.Get(key); ok && start.Kind == 0 {
			start, _ = pick(v, "start started_at")
		}
	}
	s.start = secondsOf(unit, start)
	s.from, _ = strconv.ParseFloat(s.start, 64)
	if v, key := pick(n, "endTimeUnixNano end_time_unix_nano end_time endTime ended_at end_timestamp"); key != "" {
		s.to, _ = strconv.ParseFloat(secondsOf(key, v), 64)
	} else if v, ok := n.Get("duration"); ok { // microseconds
		duration, _ := strconv.ParseFloat(v.Text, 64)
		s.to = s.from + duration/1e6
	}
	attributes, _ := n.Get("attributes")
	s.list = attributeList(r, attributes)
	for _, m := range s.list {
		s.attributes[m.Key] = m.Value
	}
	if data, ok := n.Get("span_data"); ok {
		for _, m := range data.Members {
			s.attributes["span_data."+m.Key] = m.Value
		}
	}
	r.spans = append(r.spans, s)
	for _, key := range []string{"child_runs", "children", "child_spans"} {
		v, _ := n.Get(key)
		for _, item := range v.Items {
			if item.Kind == '{' {
				r.addSpan(item, s)
			}
		}
	}
}

func firstOf(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

// attributeList returns the members of attributes, which are an object or a list of keys and values.
func attributeList(r *reader, n *node) []json.Member {
	if kind, _ := n.Get("openinference"); kind.Kind == '{' {
		r.format("openinference")
		return dotted(n, "", nil)
	}
	if n.Kind == '{' {
		for _, m := range n.Members {
			for prefix, format := range attributeFormats {
				if strings.HasPrefix(m.Key, prefix) {
					r.format(format)
				}
			}
		}
		return n.Members
	}
	var out []json.Member
	seen := map[string]bool{}
	for _, item := range n.Items {
		v, _ := item.Get("value")
		value := anyValue(v)
		key := item.TextOf("key")
		if key == "" || value == nil || seen[key] || value.Kind == 'n' && strings.Contains(key, ".tool_calls.") {
			r.refuse(item, "unsupported attribute")
			continue
		}
		seen[key] = true
		for prefix, format := range attributeFormats {
			if strings.HasPrefix(key, prefix) {
				r.format(format)
			}
		}
		out = append(out, json.Member{Key: key, At: item.At, Value: value})
	}
	return out
}

// dotted adds the members of nested attributes to a list, with dots between the keys, as Phoenix exports them. The
// arguments and the result of a tool stay objects.
func dotted(n *node, prefix string, to []json.Member) []json.Member {
	for _, m := range n.Members {
		key := prefix + m.Key
		if m.Value.Kind == '{' && len(m.Value.Members) > 0 && !Word(" "+toolArguments+" "+toolResults+" ", key) {
			to = dotted(m.Value, key+".", to)
			continue
		}
		to = append(to, json.Member{Key: key, At: m.At, Value: m.Value})
	}
	return to
}

// attributeFormats are the formats of spans, by prefixes of their attributes.
var attributeFormats = map[string]string{"openinference.": "openinference", "traceloop.": "openllmetry", "langfuse.": "langfuse", "ai.operationId": "ai-sdk", "llm.request.type": "openllmetry", "gen_ai.prompt.": "openllmetry", "langsmith.": "langsmith"}

// anyValue returns the value in OpenTelemetry's JSON, or nil.
func anyValue(v *node) *node {
	if len(v.Members) != 1 {
		if v.Kind == '{' && len(v.Members) == 0 {
			return &node{Kind: 'n', At: v.At, Text: "null"}
		}
		return nil
	}
	m := v.Members[0]
	switch m.Key {
	case "arrayValue", "kvlistValue":
		out := &node{Kind: '[', At: v.At}
		list, _ := m.Value.Get("values")
		if m.Value.Kind != '{' || len(m.Value.Members) > 1 || list.Kind != '[' && len(m.Value.Members) > 0 {
			return nil
		}
		if m.Key == "kvlistValue" {
			out.Kind = '{'
		}
		for _, item := range list.Items {
			value := item
			if out.Kind == '{' {
				value, _ = item.Get("value")
			}
			of := anyValue(value)
			if of == nil {
				return nil
			}
			if out.Kind == '[' {
				out.Items = append(out.Items, of)
			} else {
				out.Members = append(out.Members, json.Member{Key: item.TextOf("key"), At: item.At, Value: of})
			}
		}
		return out
	case "intValue", "doubleValue":
		if _, err := strconv.ParseFloat(m.Value.Text, 64); m.Value.Kind == '"' && err == nil { // 64-bit integers are strings
			return &node{Kind: '0', At: m.Value.At, Text: m.Value.Text}
		}
		return m.Value
	case "stringValue", "boolValue", "bytesValue":
		return m.Value
	}
	return nil
}

// flushSpans reads the spans: each after its parent's request and before its parent's reply.
func (r *reader) flushSpans() {
	r.flushLogs()
	r.spans = slices.DeleteFunc(r.spans, (*span).question)
	byID := map[string]*span{}
	for _, s := range r.spans {
		if s.id != "" && byID[s.trace+" "+s.id] == nil {
			byID[s.trace+" "+s.id] = s
		}
	}
	var roots []*span
	for _, s := range r.spans {
		parent := byID[s.trace+" "+s.parent]
		for up := parent; up != nil; up = byID[up.trace+" "+up.parent] {
			if up == s || up.parent == up.id {
				parent = nil // a cycle
				break
			}
		}
		if parent != nil && s.parent != "" {
			parent.children = append(parent.children, s)
		} else {
			roots = append(roots, s)
		}
	}
	r.misplaced(roots)
	timed := slices.ContainsFunc(r.spans, func(s *span) bool { return s.start != "" })
	for _, s := range r.spans {
		if timed && s.start == "" {
			r.refuse(s.n, "span without the time of its start")
		}
	}
	inOrder(roots)
	if len(roots) > 0 {
		r.loose = true
	}
	roots = within(roots, len(r.spans))
	for _, s := range roots {
		r.root++
		r.name = spanName(s.n)
		r.span(s)
	}
	r.name = ""
	r.accountSpans()
	r.spans = nil
}

// traceKeys are the members with the identifier of a span's trace.
const traceKeys = "traceId trace_id root_span_id"

// parentKeys are the members with the identifier of a span's parent.
const parentKeys = "parentSpanId parent_span_id parent_id parentId parent_run_id parentRunId parentObservationId"

// misplaced refuses the spans without a parent whose place among the others is unknown: other spans of the trace name
// a trace, or name no parent by null.
func (r *reader) misplaced(roots []*span) {
	for _, s := range roots {
		if slices.ContainsFunc(roots, func(other *span) bool {
			return s.trace == "" && other.trace != "" || s.trace == other.trace && keyed(other.n) && !keyed(s.n)
		}) {
			r.refuse(s.n, "span without the identifiers of its trace and its parent")
		}
	}
}

// keyed reports whether a span has the identifier of its parent, perhaps as null.
func keyed(n *node) bool {
	for key, rest := nextWord(parentKeys); key != ""; key, rest = nextWord(rest) {
		if v, ok := n.Get(key); ok && v.Kind == 'n' {
			return true
		}
	}
	return false
}

// within nests spans by their times if no span has a parent or shares its trace with another one.
func within(roots []*span, all int) []*span {
	traces := map[string]bool{}
	for _, s := range roots {
		traces[s.trace] = true
	}
	if len(roots) != all || len(traces) != all {
		return roots
	}
	sort.SliceStable(roots, func(i, j int) bool {
		return roots[i].from < roots[j].from || roots[i].from == roots[j].from && roots[i].to > roots[j].to
	})
	var out, open []*span
	for _, s := range roots {
		for len(open) > 0 && (open[len(open)-1].to < s.to || open[len(open)-1].to <= s.from) {
			open = open[:len(open)-1]
		}
		if len(open) > 0 {
			up := open[len(open)-1]
			up.children = append(up.children, s)
			s.trace = up.trace
		} else {
			out = append(out, s)
		}
		open = append(open, s)
	}
	return out
}

func inOrder(list []*span) {
	sort.SliceStable(list, func(i, j int) bool { return before(list[i].start, list[j].start) })
}

// ignoredOfSpan are the members of a span that are neither read nor actions.
const ignoredOfSpan = " attributes span_data traceId trace_id spanId span_id id parentSpanId parent_id timestamp startTimeUnixNano endTimeUnixNano start_time_unix_nano end_time_unix_nano droppedAttributesCount droppedEventsCount droppedLinksCount flags traceState parentSpanContext duration events links status resource scope instrumentationScope instrumentationLibrary child_runs children child_spans name kind context start_time end_time startTime endTime started_at ended_at serialized tags session_name extra metadata parent_run_ids execution_order child_execution_order workflow_name spanType span_type span_attributes op_name display_name displayName root_span_id span_parents timestamps metrics created project_id org_id start_ns parentId parentObservationId "

// span reads a span: its request, its children and its reply.
func (r *reader) span(s *span) {
	r.trace = s.trace
	inOrder(s.children)
	if r.cur != nil && r.cur.trace != s.trace && s.trace != "" {
		for _, run := range r.runs {
			if run.trace == s.trace {
				r.cur = run
			}
		}
	}
	start, count := r.length(), r.count()
	r.start = start
	sc := scope{time: s.start, agent: textOf(&node{Members: s.list}, "gen_ai.agent.name agent.name")}
	if tool, ok := s.tool(); ok {
		r.toolSpan(s, tool, sc)
		return
	}
	sc.model = s.ofModel()
	after := r.spanRequest(s, sc)
	if s.isModel() { // the calls in its reply come before their executions
		r.start = r.length()
		r.reply(after)
		after = nil
	}
	for _, child := range s.children {
		r.span(child)
	}
	r.trace = s.trace
	r.start = min(start, r.length())
	if len(s.children) == 0 && r.count() != count {
		r.start = r.length()
	}
	events, _ := s.n.Get("events")
	r.spanEvents(events, sc, true)
	r.reply(after)
	if len(s.children) == 0 {
		r.incomplete(s, r.count() == count, events)
	}
}

// spanRequest reads the members of a span, and returns those of its reply.
func (r *reader) spanRequest(s *span, sc scope) (after []later) {
	r.deferred = &after
	r.document(nested(slices.DeleteFunc(slices.Clone(s.list), definitionsOf)), sc)
	if data, ok := s.n.Get("span_data"); ok {
		if s.attribute("span_data.type") == "handoff" {
			to, _ := data.Get("to_agent")
			if to.Kind != '"' {
				r.refuse(data, "call without a name or arguments")
			}
			r.execute("transfer_to_"+strings.ReplaceAll(to.Text, " ", "_"), "", nil, to, false, spanOf(data), sc)
		} else {
			r.document(data, sc)
		}
	}
	events, _ := s.n.Get("events")
	r.spanEvents(events, sc, false)
	rest := &node{Kind: '{', At: s.n.At}
	for _, m := range s.n.Members {
		if !Word(ignoredOfSpan, m.Key) {
			rest.Members = append(rest.Members, m)
		}
	}
	r.document(rest, sc)
	r.deferred = nil
	return after
}

// definitionsOf reports whether an attribute has the tool definitions.
func definitionsOf(m json.Member) bool {
	return m.Key == "gen_ai.tool.definitions" && listsTools(m.Value)
}

func (r *reader) reply(list []later) {
	for _, l := range list {
		r.member(l.m, l.s)
	}
}

// incomplete refuses a span without children if it may be an action whose data the trace lacks.
func (r *reader) incomplete(s *span, empty bool, events *node) {
	operation := s.attribute("gen_ai.operation.name")
	_, asked := s.attributes["gen_ai.input.messages"]
	_, replied := s.attributes["gen_ai.output.messages"]
	_, failed := s.attributes["error.type"]
	name := shorten(spanName(s.n))
	switch {
	case Word(" chat text_completion generate_content invoke_agent ", operation) && empty && !s.hasMessages():
		r.refuse(s.n, "span %q without messages", name)
	case asked && !replied && !failed && operation == "chat":
		r.refuse(s.n, "span %q without the reply", name)
	case (empty && name != "" || has(s.n, "span_data")) && s.untyped():
		r.refuse(s.n, "span %q without a type, which may be a call", name)
	case has(s.n, "attributes") && len(s.list) == 0 && len(events.Items) == 0 && empty && !has(s.n, "span_data") && !has(s.n, "run_type") && !has(s.n, "input") && !has(s.n, "inputs"):
		r.refuse(s.n, "unsupported span %q", name)
	}
}

// untyped reports whether no attribute names the type of a span that has arguments, perhaps those of a call.
func (s *span) untyped() bool {
	if s.ownKind() != "" {
		return false
	}
	for key, rest := nextWord(toolKinds); key != ""; key, rest = nextWord(rest) {
		if s.attribute(key) != "" {
			return false
		}
	}
	given := func(m json.Member) bool {
		i := strings.LastIndexByte(m.Key, '.')
		return !Blank(m.Value) && (Word(" "+toolArguments+" ", m.Key) || Word(" inputs "+argumentKeys+" ", m.Key[i+1:]))
	}
	return s.first("span_data.input") != nil || slices.ContainsFunc(s.list, given) || slices.ContainsFunc(s.n.Members, given)
}

func (s *span) hasMessages() bool {
	for key := range s.attributes {
		if strings.Contains(key, "messages") || strings.Contains(key, "gen_ai.prompt") || strings.Contains(key, "input") && !strings.Contains(key, "token") {
			return true
		}
	}
	events, _ := s.n.Get("events")
	return len(events.Items) > 0
}

func (r *reader) length() int {
	if r.cur == nil {
		return 0
	}
	return len(r.cur.items)
}

func (r *reader) count() (n int) {
	for _, run := range r.runs {
		n += len(run.items)
	}
	return n
}
