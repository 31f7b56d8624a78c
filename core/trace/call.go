package trace

import (
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/json"
)

// serverCalls maps the types of calls without a name, which are items of OpenAI's responses, to the keys of
// their arguments.
var serverCalls = map[string]string{
	"shell_call": "action", "local_shell_call": "action", "computer_call": "action actions", "web_search_call": "action query", "file_search_call": "queries",
	"code_interpreter_call": "code", "image_generation_call": "prompt revised_prompt", "apply_patch_call": "operation", "tool_search_call": "query arguments",
}

// resultBeside are the members of a call that are its result.
const resultBeside = "output result outputs results observation errorText response tool_output rawOutput toolOutput return_value"

// calling is a call that is being read: the object, and the object in it that has the name and the
// arguments, which may be the same.
type calling struct {
	n, inner             *node
	kind, key            string // the type, and the member of the inner object
	name, nameKey        string
	arguments            *node
	argumentKey, ignored string
}

// newCalling finds the name and the arguments of a call.
func newCalling(n *node, kind string) *calling {
	c := &calling{n: n, inner: n, kind: kind}
	if v, k := pick(n, innerKeys); v.Kind == '{' && !Word(" "+argumentKeys+" ", k) {
		c.inner, c.key = v, k
		if inner, _ := pick(v, "value function"); callLike(inner) && onlyKeys(v, " value function status id type ") { // of Goose and Continue
			c.inner = inner
		}
	}
	if c.name, c.nameKey = firstText(c.inner, nameKeys); c.nameKey == "" && c.inner != n {
		c.name, c.nameKey = firstText(n, nameKeys)
	}
	if c.nameKey == "" && strings.HasPrefix(kind, "tool-") && !Word(" tool-call tool-use tool-invocation tool-request ", kind) {
		c.name = strings.TrimPrefix(kind, "tool-")
	}
	if c.arguments, c.argumentKey = pick(c.inner, argumentKeys); c.argumentKey == "" && c.inner != n {
		c.arguments, c.argumentKey = pick(n, argumentKeys)
	}
	if keys, ok := serverCalls[kind]; ok && c.name == "" {
		c.name = strings.TrimSuffix(kind, "_call")
		if c.arguments, c.argumentKey = pick(n, keys); c.argumentKey == "" {
			c.arguments, c.argumentKey = &node{Kind: '{', At: n.At, Text: "{}"}, "action"
		}
		c.ignored = keys
	}
	return c
}

// onlyKeys reports whether all members of an object are among some keys.
func onlyKeys(n *node, keys string) bool {
	return !slices.ContainsFunc(n.Members, func(m json.Member) bool { return !Word(keys, m.Key) })
}

// whole reports whether a call has a name and, unless its format omits them, arguments.
func (c *calling) whole() bool {
	switch {
	case c.name == "", c.arguments.Kind != 0 && strings.IndexByte(`"{[n`, c.arguments.Kind) < 0:
		return false
	case c.argumentKey != "":
		return true
	case c.inner == c.n:
		return c.nameKey != "" && optionalArguments(c.kind, c.n)
	}
	return c.nameKey != "" && Word(" functionCall toolUse custom payload toolInvocation ", c.key)
}

// ownIDs are the keys of identifiers that only calls have.
const ownIDs = "call_id callId tool_call_id toolCallId tool_use_id toolUseId"

func (c *calling) id() string {
	id := textOf(c.n, callIDKeys)
	if c.inner == c.n {
		return id
	}
	if own := textOf(c.inner, callIDKeys); id == "" || own != "" && textOf(c.n, ownIDs) == "" && textOf(c.inner, ownIDs) != "" {
		return own
	}
	return id
}

func (c *calling) objects() []*node {
	if c.inner == c.n {
		return []*node{c.n}
	}
	return []*node{c.n, c.inner}
}

// call reads a call, and the result next to it.
func (r *reader) call(n *node, s scope, kind string) {
	if n.Kind != '{' {
		r.refuse(n, "call without a name or arguments")
		return
	}
	c := newCalling(n, kind)
	for _, of := range c.objects() {
		r.twice(of)
	}
	if !c.whole() {
		r.refuse(n, "call without a name or arguments")
	}
	if c.name == "" {
		return
	}
	r.sameName(c)
	item := &Item{Kind: Call, Tool: c.name, ID: c.id(), Span: spanOf(c.inner), asked: true}
	item.setArguments(r.arguments(c.arguments))
	s.message = ""
	if !r.repeated(item, kind) {
		r.emit(item, s)
	}
	known := " type part_kind kind $class id index state " + strings.Join([]string{c.key, c.nameKey, c.argumentKey, c.ignored, callIDKeys, resultBeside, "error tool_labels"}, " ") + " "
	for _, of := range c.objects() {
		for _, m := range of.Members {
			if !Word(known, m.Key) {
				r.besideCall(m, s, c.arguments)
			}
		}
	}
	for _, of := range c.objects() {
		if r.resultOf(of, c, item, s) {
			return
		}
	}
}

// resultOf reads the result next to a call, and reports whether there is one.
func (r *reader) resultOf(n *node, c *calling, call *Item, s scope) bool {
	result, key := pick(n, resultBeside)
	if fault, ok := n.Get("error"); ok && faultText(fault) != "" && (key == "" || Blank(result)) {
		result, key = &node{Kind: '"', At: fault.At, Text: faultText(fault)}, "errorText"
	}
	if key == "" || Blank(result) && result.Kind != '"' {
		return false
	}
	text, value := r.resultText(result)
	r.emit(&Item{Kind: Result, Tool: call.Tool, ID: c.id(), Text: text, Value: value, Fault: key == "errorText", Span: spanOf(result), copy: s.copy}, s)
	return true
}

// firstText returns the first of some members that is a text.
func firstText(n *node, keys string) (text, key string) {
	for key, rest := nextWord(keys); key != ""; key, rest = nextWord(rest) {
		if v, ok := n.Get(key); ok && v.Kind == '"' && strings.TrimSpace(v.Text) != "" {
			return v.Text, key
		}
	}
	return "", ""
}

// sameName refuses a member that gives a call a second, different name.
func (r *reader) sameName(c *calling) {
	for _, of := range c.objects() {
		for key, rest := nextWord(nameKeys); key != ""; key, rest = nextWord(rest) {
			if v, ok := of.Get(key); ok && v.Kind == '"' && v.Text != c.name && strings.TrimSpace(v.Text) != "" && (of == c.inner || key != "name") && key != c.nameKey && !strings.HasSuffix(v.Text, "-"+c.name) {
				r.refuse(v, "unknown key %q", key)
			}
		}
	}
}

// optionalArguments reports whether a call may have no arguments.
func optionalArguments(kind string, n *node) bool {
	return kind == "functionCall" || n.TextOf("state") == "input-streaming" || kind == "toolCall"
}

// arguments returns the arguments of a call, and refuses members of them that repeat a key.
func (r *reader) arguments(n *node) *node {
	if n.Kind == 0 || n.Kind == 'n' {
		return nil
	}
	inner := pythonic(unquoted(unquoted(n)))
	All(inner, func(_ string, v *node) bool {
		r.twice(v)
		return true
	})
	if inner.Kind == '{' || inner.Kind == '[' {
		return inner
	}
	return n
}

func (i *Item) setArguments(n *node) {
	i.Value = n
	switch {
	case n == nil:
		i.Text = ""
	case n.Kind == '"':
		i.Text = n.Text
	default:
		i.Text = string(n.Append(nil))
	}
}

// callWords are the keys of texts next to a call that describe it.
const callWords = " agent_role task_name title description display_name displayName thought reasoning summary label status message toolDescription icon caption server_label server_name namespace thoughtSignature thought_signature signature encrypted_content timestamp "

// callData are the keys of objects next to a call that belong to the library.
const callData = " header providerMetadata providerOptions callProviderMetadata resultProviderMetadata provider_metadata providerData extra_content metadata annotations cache_control caller provider_details extra usage approval pending_safety_checks acknowledged_safety_checks agent "

// besideCall reads a member of a call that is neither its name nor its arguments.
func (r *reader) besideCall(m json.Member, s scope, arguments *node) {
	v := m.Value
	switch {
	case Blank(v):
	case Word(" "+argumentKeys+" parsed_arguments placeholder_args raw_arguments orig_args parsedArgs ", m.Key):
		if !sameArguments(v, arguments) {
			r.refuse(v, "unknown key %q", m.Key)
		}
	case v.Kind == '"' && !Word(actionKeys, m.Key) && (PlainWord(v.Text) || Word(callWords, m.Key) && !CallText(v.Text)):
	case v.Kind != '"' && (figures(v) || Word(callData, m.Key)) && !Callish(v), Word(callData, m.Key) && ownWords(v):
	case v.Kind != '"' && definition(v), definitions(v):
	case v.Kind == '{' && (callLike(v) || typeOf(v) == isCall):
		s.copy = true
		r.call(v, s, v.TextOf("type"))
	default:
		r.refuse(v, "unknown key %q", shorten(m.Key))
	}
}

func definitions(n *node) bool {
	for _, item := range n.Items {
		if !definition(item) {
			return false
		}
	}
	return n.Kind == '[' && len(n.Items) > 0
}

func (r *reader) result(n *node, s scope, kind string) {
	if n.Kind != '{' {
		r.refuse(n, "unexpected value of a result")
		return
	}
	inner := n
	if v, _ := pick(n, "functionResponse function_response toolResult tool_result tool_call_result toolResponse payload codeExecutionResult"); v.Kind == '{' {
		inner = v
	}
	name, _ := firstText(inner, "function_name functionName name tool_name toolName tool function")
	content, key := pick(inner, resultKeys)
	if key == "" && inner != n {
		content, key = pick(n, resultKeys)
	}
	if v, with := pick(inner, "parts"); key == "" && with != "" {
		content = v
	} else if key == "" {
		if !has(inner, "content") && !has(inner, "output") && !has(inner, "result") {
			r.refuse(n, "missing key %q", "content")
			return
		}
		content = inner
	}
	item := &Item{Kind: Result, Tool: name, ID: resultID(n, inner, s), Span: spanOf(content)}
	if asked := askedIn(inner); asked != nil {
		item.ID = firstOf(item.ID, textOf(asked, callIDKeys))
		if tool, _ := firstText(asked, nameKeys); item.Tool == "" {
			item.Tool = tool
		}
	}
	if content != inner {
		item.Text, item.Value = r.resultText(content)
	}
	failed, _ := pick(inner, "is_error isError")
	item.Fault = failed.Kind == 't' || key == "error" || key == "errorText" || inner.TextOf("status") == "error"
	s.message = ""
	r.emit(item, s)
	r.besideResult(n, inner, key)
	if inner != n {
		r.besideResult(inner, inner, key)
	}
}

// resultID returns the identifier of the call that a result answers.
func resultID(n, inner *node, s scope) string {
	if outer := textOf(n, ownIDs); outer != "" {
		return outer
	}
	if s.role == isResult && has(n, "role") && textOf(n, "source_call_id") == "" {
		extra, _ := inner.Get("additional_kwargs") // of LlamaIndex
		return textOf(extra, ownIDs)               // the other identifier is that of the message
	}
	return textOf(inner, resultIDKeys)
}

// besideResult reads the members of a result next to its content.
func (r *reader) besideResult(n, inner *node, key string) {
	for _, m := range n.Members {
		v := m.Value
		switch {
		case v == inner, m.Key == key, Word(" type role name tool_name toolName function function_name functionName "+resultIDKeys+" ", m.Key) && (m.Key != "function" || v.Kind == '"'), Word(" "+argumentKeys+" tool_call toolCall ", m.Key) && m.Key != "parameters":
		case Blank(v) || figures(v) || definitions(v) || v == askedIn(n) || m.Key == "additional_kwargs" && flat(v):
		case v.Kind == '"' && !CallText(v.Text) && !Word(actionKeys, m.Key):
		case v.Kind != '"' && !Callish(v):
		default:
			r.refuse(v, "unknown key %q", shorten(m.Key))
		}
	}
}

// resultText returns the text of a result and its value.
func (r *reader) resultText(n *node) (string, *node) {
	text, value := resultText(n, 0)
	if value != nil && value.Kind != '"' && Callish(value) || value != nil && value.Kind == '"' && Written(text) && CallText(text) {
		r.refuse(n, "result that looks like a call")
	}
	return text, value
}

func resultText(n *node, depth int) (string, *node) {
	for _, key := range []string{"toolResult", "functionResponse"} {
		if v, ok := n.Get(key); ok && len(n.Members) == 1 && v.Kind == '{' {
			if content, key := pick(v, resultKeys); key != "" {
				return resultText(content, depth+1)
			}
		}
	}
	if inner, role := message(n); n.Kind == '{' && role == isResult && depth < 4 {
		if v, key := pick(inner, contentKeys); key != "" {
			return resultText(v, depth+1)
		}
	}
	switch n.Kind {
	case '"':
		inner := unquoted(n)
		if inner.Kind == '"' {
			return inner.Text, inner
		}
		if inner.Kind == '{' && depth < 4 {
			_, role := message(inner)
			if v := onlyContent(inner); v != nil && v.Kind == '{' {
				_, role = message(v)
			}
			if role == isResult {
				return resultText(inner, depth+1)
			}
		}
		return n.Text, n
	case '{':
		if v := onlyContent(n); v != nil && depth < 4 {
			return resultText(v, depth+1)
		}
	case '[':
		if text, ok := joinedText(n); ok {
			return text, &node{Kind: '"', Text: text, At: n.At}
		}
	default:
		return n.Text, n
	}
	return string(n.Append(nil)), n
}

// joinedText returns the lines of a list of texts.
func joinedText(n *node) (string, bool) {
	var texts []string
	for _, item := range n.Items {
		v := onlyContent(item)
		if item.Kind == '"' {
			v = item
		}
		if v == nil || v.Kind != '"' {
			return "", false
		}
		texts = append(texts, v.Text)
	}
	return strings.Join(texts, "\n"), len(texts) > 0
}

// onlyContent returns the text or the content that an object consists of, or nil.
func onlyContent(n *node) (content *node) {
	for _, m := range n.Members {
		switch {
		case Word(" text value output result content json ", m.Key):
			if content != nil {
				return nil
			}
			content = m.Value
		case Word(" type block_type ", m.Key) || m.Key == classKey || Blank(m.Value) || Word(" annotations _meta isError is_error meta status ", m.Key):
		default:
			return nil
		}
	}
	return content
}
