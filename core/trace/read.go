// Package trace reads recorded runs of agents, in the formats in which libraries write them, into
// events. It recognises messages, calls and results by tables of keys and types, so that it also
// reads formats that no table names. Each value of a trace is read, ignored by a rule, or unread.
package trace

import (
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/event"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
)

// Unread is a part of a trace that may be an action and was neither read nor ignored by a rule.
type Unread struct {
	Span   source.Span
	Path   string   // of the JSON value, in the syntax of jq; "" in a text
	Reason string   // "unknown key \"toolUse\""
	Keys   []string // of the object, at most maxKeys
	Within bool     // the part is JSON in a string, and its place is that of the string

	Executed bool // the part is a text with code that the environment ran
}

// Bounds of a report: places, and keys of one place.
const (
	maxUnread = 100
	maxKeys   = 12
)

// Run is a run of a trace.
type Run struct {
	Items    []*Item
	Name     string       // of the outermost span that records it, or ""
	Recorded event.Events // of a trace of events; nil for others
}

// Trace is a trace that was read.
type Trace struct {
	Format string // the library or convention that wrote it, or "json"
	Runs   []Run
	Unread []Unread
	More   int // number of unread parts beyond the list
}

// Read reads a trace. ok is false if the text has no values, or if none of them is recognised.
func Read(text string) (t *Trace, ok bool) { return readValues(text, nil) }

// readValues is [Read] for a text whose JSON values are already parsed: roots. If roots is nil, it parses them.
func readValues(text string, roots []*json.Node) (t *Trace, ok bool) {
	f := found{roots: roots, way: asJSON}
	if roots == nil {
		if f, ok = values(text); !ok {
			f = found{way: f.way}
		}
	}
	r := newReader(f.way)
	if f.way == asPretty {
		r.format("langchain")
	}
	if f.way == asLog {
		r.console(text)
	}
	f.refuse(&r.account)
	r.roots(f.roots)
	r.end()
	t = &Trace{Format: r.named()}
	for _, run := range r.runs {
		if r.formats["openai-assistants"] > 0 { // it lists messages and steps apart
			run.byTime()
		}
		r.finish(run)
		if len(run.items) > 0 {
			t.Runs = append(t.Runs, Run{Items: run.items, Name: run.name})
		}
	}
	t.Unread, t.More = r.unread, r.more
	slices.SortStableFunc(t.Unread, func(a, b Unread) int { return int(a.Span.Start) - int(b.Span.Start) })
	if f.way == asJSON {
		for i := range t.Unread {
			t.Unread[i].Path = PathTo(f.roots, t.Unread[i].Span)
		}
	}
	return t, len(t.Runs) > 0 || len(t.Unread) > 0 || len(r.formats) > 0
}

func newReader(way string) *reader {
	return &reader{way: way, blocks: map[string]*Item{}, methods: map[string]string{}, open: map[string]*node{}, formats: map[string]int{}, lines: map[string]int{}}
}

// end reads the values that depend on others, and refuses those that are not complete.
func (r *reader) end() {
	r.flushSpans()
	r.reply(r.answers)
	for _, key := range slices.Sorted(mapKeys(r.open)) {
		r.refuse(r.open[key], "stream that ends before its value")
	}
	r.completeCalls()
	if r.named() == "json" && r.count() > 0 {
		for _, n := range r.silent {
			r.refuse(n, "unrecognized item, possibly a call")
		}
	}
}

// inert reports whether the tables of keys find no call, no result and no unread part in a member of a document.
func inert(m json.Member) bool {
	if figures(m.Value) {
		return true
	}
	r := newReader(asJSON)
	r.roots([]*node{object(m)})
	r.end()
	return len(r.unread) == 0 && !slices.ContainsFunc(r.runs, func(run *run) bool {
		return slices.ContainsFunc(run.items, func(item *Item) bool { return item.Kind == Call || item.Kind == Result })
	})
}

// named returns the format with the most hints. A format of a library is preferred to every format of a provider.
func (r *reader) named() string {
	format, most := "json", 0
	for _, f := range formats {
		if most > 0 && f == FormatOTLP { // the first one that is not of a library
			break
		}
		if n := r.formats[f]; n > most {
			format, most = f, n
		}
		if format == FormatOTLP { // its messages have the keys of others
			break
		}
	}
	return format
}

func mapKeys[V any](m map[string]V) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for key := range m {
			if !yield(key) {
				return
			}
		}
	}
}

// reader reads the values of a trace.
type reader struct {
	account
	way string

	runs     []*run
	cur      *run
	trace    string // identifier of the trace of the current span
	name     string // of the outermost span that is being read
	root     int    // number of the value that is being read
	start    int    // index in the current run: items from it on may be repeated by the current value
	loose    bool   // the trace consists of events, which repeat texts
	prompted bool   // texts have calls under labels
	wrapped  bool   // the values of the text have the same keys

	values   []*node  // of the text
	list     *[]*Item // of the list of messages that is being read, or nil
	spans    []*span
	deferred *[]later // replies of the span that is being read
	depth    int

	blocks  map[string]*Item  // streamed items that are not complete, by identifier or number
	methods map[string]string // of JSON-RPC requests, by identifier
	open    map[string]*node  // values of a stream that were announced, by identifier
	formats map[string]int    // number of hints by format
	logs    []*node           // of OpenTelemetry
	answers []later           // replies that documents have next to their spans
	lines   map[string]int    // index of the first item of a run of LangChain's console, by path
	rpcs    int               // number of JSON-RPC calls
	actions int               // number of records of calls and results
	silent  []*node           // items of lists that may be steps and were not read
}

// scope is the surrounding of a value.
type scope struct {
	role    string // kind of the message that contains it, or ""
	key     string // of the member, or ""
	message string // identifier of the message
	agent   string
	time    string
	copy    bool // it is next to the value that it may repeat
	calls   bool // it is in a list of calls
	item    bool // it is an item of a list of messages
	model   bool // it is in a span of a model
	listed  bool // the message has a list of calls
}

// formats are the names of formats, the most specific first.
var formats = []string{"braintrust", "datadog", "posthog", "helicone", "litellm", "opik", "laminar", "langwatch", "weave", "mlflow", "genkit", "agno", "camel", "metagpt", "rasa", "botpress", "dialogflow", "opencode", "goose", "cline", "copilot-chat", "amazon-q", "chatgpt", "acp", "a2a", "spring-ai", "langchain4j", "elevenlabs", "vapi", "retell", "nemo-guardrails", "toolsandbox", "sharegpt", "openai-assistants", "openai-realtime", "openhands", "bedrock-agents", "semantic-kernel", "llamaindex", "haystack", "letta", "dify", "n8n", "copilot-studio", "langsmith", "langgraph", "langchain", "langfuse", "openinference", "openllmetry", "agents-sdk", "ai-sdk", "ag-ui", "mcp", "claude-code", "codex", "atif", "strands", "mastra", "pydantic-ai", "autogen", "agentdojo", "inspect", "swe-agent", "who-when", "google-genai", "otel", "otlp", "bedrock", "gemini", "ollama", "anthropic", "openai-responses", "openai"}

// Formats returns the names of the formats that [Read] recognises.
func Formats() []string { return slices.Clone(formats) }

func (r *reader) format(name string) { r.formats[name]++ }

// roots reads the values of a text in their order.
func (r *reader) roots(roots []*node) {
	r.values = roots
	whole := slices.ContainsFunc(roots, func(n *node) bool {
		return Word(" messageAddedEvent modelMessageEvent assistant run_item_stream_event ", n.TextOf("type"))
	})
	r.wrapped = true
	for _, root := range roots {
		r.mark(root)
		r.wrapped = r.wrapped && slices.EqualFunc(root.Members, roots[0].Members, func(a, b json.Member) bool { return a.Key == b.Key })
	}
	roots, keys := conversations(roots)
	rename := r.formats["haystack"]+r.formats["semantic-kernel"] > 0
	for i, root := range roots {
		if keys != nil && (i == 0 || keys[i] != keys[i-1]) {
			r.cur, r.trace = nil, "conversation "+keys[i]
		}
		if rename {
			root = renamed(root, false)
		}
		if n := valueOfLine(root); IsEvent(n) {
			r.refuse(n, "event in a text that does not consist of events")
			continue
		}
		if whole && Word(" modelStreamUpdateEvent stream_event raw_model_stream_event raw_response_event ", root.TextOf("type")) {
			continue // pieces of messages that the trace has whole
		}
		r.root++
		if r.cur != nil {
			r.start = len(r.cur.items)
		}
		if len(roots) > 1 {
			r.noticed(root, scope{})
		} else {
			r.value(root, scope{})
		}
	}
}

// noticed reads an item of a list. It notes an object of which nothing is read, or of whose name and data only a text:
// it may be a step of a format that no table knows.
func (r *reader) noticed(n *node, s scope) {
	read, actions := r.count()+len(r.spans)+len(r.logs)+len(r.blocks)+len(r.open), r.actions
	if r.list != nil {
		read += len(*r.list)
	}
	refused := len(r.unread) + r.more + len(r.silent)
	r.value(n, s)
	now := r.count() + len(r.spans) + len(r.logs) + len(r.blocks) + len(r.open)
	if r.list != nil {
		now += len(*r.list)
	}
	data := named(n) && slices.ContainsFunc(n.Members, func(m json.Member) bool { return m.Value.Kind == '{' && !figures(m.Value) })
	if n.Kind == '{' && len(r.unread)+r.more+len(r.silent) == refused && r.actions == actions && (now == read || data) && !figures(n) && !definition(n) && shapesOf(n) == nil && !lifecycle(n) {
		r.silent = append(r.silent, n)
	}
}

// lifecycle reports whether a value is an event that begins or ends a thing other than a call.
func lifecycle(n *node) bool {
	name := norm(textOf(n, typeKeys))
	for _, part := range []string{"tool", "call", "action", "function", "command", "invo"} {
		if strings.Contains(name, part) {
			return false
		}
	}
	for _, end := range []string{"started", "completed", "finished", "created", "ended", "start", "end", "init"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// valueOfLine returns the value that follows other text in a line, and other values unchanged.
func valueOfLine(n *node) *node {
	if v, ok := n.Get("value"); ok && has(n, lineKey) {
		return v
	}
	return n
}

func spanOf(n *node) source.Span {
	return source.Span{Start: source.Pos(n.At.Start), End: source.Pos(n.At.End)}
}

// shorten cuts a text to a length that a report can quote.
func shorten(text string) string {
	const most = 60
	if len(text) <= most {
		return text
	}
	cut := most
	for cut > 0 && text[cut]&0xC0 == 0x80 {
		cut--
	}
	return text[:cut] + "…"
}

func (r *reader) emit(item *Item, s scope) *Item {
	if item.Kind == Call || item.Kind == Result {
		r.actions++
	}
	item.copy = item.copy || s.copy
	if item.Agent == "" {
		item.Agent = s.agent
	}
	if item.Time == "" {
		item.Time = s.time
	}
	item.message = s.message
	if r.list == nil {
		r.merge([]*Item{item}, false, r.start)
		return item
	}
	if item.Kind == Call && item.ID != "" && repeats(*r.list, item) {
		return item
	}
	if item.copy {
		for _, other := range *r.list {
			if other.Kind == item.Kind && (item.ID != "" && item.ID == other.ID || item.ID == "" && item.Tool == other.Tool && other.Kind == Call && sameCall(item, other)) ||
				item.Kind != Call && item.Kind != Result && sameText(item, other) {
				return item
			}
		}
	}
	*r.list = append(*r.list, item)
	return item
}

// repeats reports whether a list has a call without its result that is recorded again. The identifier of a call that
// has its result may be used for another one.
func repeats(list []*Item, call *Item) bool {
	const near = 64 // items of one message
	for _, other := range slices.Backward(list[max(0, len(list)-near):]) {
		if other.ID == call.ID {
			return other.Kind == Call && sameCall(call, other)
		}
	}
	return false
}

func (r *reader) value(n *node, s scope) {
	if r.depth++; r.depth > 3*json.MaxTreeDepth {
		r.refuse(n, "nested too deeply")
		r.depth--
		return
	}
	defer func() { r.depth-- }()
	switch n.Kind {
	case '[':
		r.array(n, s)
	case '{':
		r.object(n, s)
	case '"':
		r.scalar(n, s)
	}
}

// array reads a list: of messages, of their parts, or of documents.
func (r *reader) array(n *node, s scope) {
	messages, items := false, r.turned(steps(oldestFirst(n.Items)))
	for _, item := range items {
		messages = messages || r.isItem(item) || s.calls && item.Kind == '{'
	}
	if !messages || r.list != nil || slices.ContainsFunc(items, request) {
		for _, item := range items {
			if r.list == nil && s.key == "" && item.Kind == '{' {
				r.root++
				r.start = r.length()
			}
			r.noticed(item, s)
		}
		return
	}
	var list []*Item
	r.list = &list
	s.item = true
	for _, item := range items {
		r.value(item, s)
	}
	r.list = nil
	snapshot := slices.ContainsFunc(list, func(item *Item) bool { return item.Kind == User })
	r.merge(list, snapshot, r.start)
}

// request reports whether a value is a request to a model, which has a list of messages.
func request(n *node) bool {
	list, _ := pick(n, "messages contents")
	return list.Kind == '[' && !has(n, "role") && (has(n, "model") || has(n, "contents") || has(n, "tools"))
}

// isItem reports whether a value is a message, or a part of one.
func (r *reader) isItem(n *node) bool {
	if n.Kind != '{' || difyThought(n) || len(shapesOf(n)) > 0 || spanLike(n) || definition(n) || n.TextOf("event") != "" && !has(n, "role") {
		return false
	}
	n, role := message(n)
	if role != "" {
		return true
	}
	switch typeOf(n) {
	case "", isDelta, isMark:
		kind := partOf(n)
		return kind == isCall || kind == isResult || kind != "" && len(n.Members) <= 3 || callLike(n)
	}
	return !eventLike(n)
}

// typeOf returns the kind that the type of an object names, or "".
func typeOf(n *node) string {
	kind, _ := typed(n)
	return kind
}

func typed(n *node) (kind, name string) {
	for key, rest := nextWord(typeKeys); key != ""; key, rest = nextWord(rest) {
		if v, ok := n.Get(key); ok && v.Kind == '"' && v.Text != "" {
			if kind := kindOfType(v.Text); kind != "" {
				return kind, v.Text
			}
			if name == "" {
				name = v.Text
			}
		}
	}
	return "", name
}

// nextWord returns the first word of a list, and the others.
func nextWord(list string) (word, rest string) {
	for list != "" && list[0] == ' ' {
		list = list[1:]
	}
	if i := strings.IndexByte(list, ' '); i >= 0 {
		return list[:i], list[i+1:]
	}
	return list, ""
}

// pick returns the first of some members that an object has with a value other than null.
func pick(n *node, keys string) (value *node, key string) {
	for key, rest := nextWord(keys); key != ""; key, rest = nextWord(rest) {
		if v, ok := n.Get(key); ok && v.Kind != 'n' {
			return v, key
		}
	}
	return &node{}, ""
}

func textOf(n *node, keys string) string {
	for key, rest := nextWord(keys); key != ""; key, rest = nextWord(rest) {
		if v, ok := n.Get(key); ok && v.Kind == '"' && v.Text != "" {
			return v.Text
		} else if ok && v.Kind == '0' && strings.HasSuffix(key, "id") {
			return v.Text
		}
	}
	return ""
}
