package trace

import (
	"strings"
)

// conversation collects the parts of messages.
type conversation struct {
	*account
	items []*Item
	turn  int
	tools map[string]string // name by identifier of the call
	open  map[string]int    // number of calls without a result, by tool
	calls int               // number of calls without a result
	model bool              // the last item is a part of an answer of the model

	thought bool // texts are reasoning
	listed  bool // the message has its calls as a list

	time string // of the message
}

// add adds an item at the place of a value; content is that of a call or a result, or nil.
func (c *conversation) add(kind, tool, id, text string, at, content *node) {
	if c.tools == nil {
		c.tools, c.open = map[string]string{}, map[string]int{}
	}
	if c.thought && (kind == Call || kind == Result) {
		c.refuse(at, "unexpected content")
	}
	switch kind {
	case Call:
		c.open[tool]++
		c.calls++
		if id != "" {
			c.tools[id] = tool
		}
	case Result:
		tool = c.answers(tool, id, at)
	}
	if kind == Text && strings.TrimSpace(text) == "" {
		return
	}
	if c.hiddenCall(kind, text) {
		c.refuse(at, "text that looks like a call")
	}
	if kind == Text && c.thought {
		kind = Thought
	}
	c.items = append(c.items, &Item{Kind: kind, Tool: tool, ID: id, Text: text, Value: content, Span: spanOf(at), Turn: c.turn, Time: c.time})
}

// answers ends the call that a result answers, and returns its tool.
func (c *conversation) answers(tool, id string, at *node) string {
	called, known := c.tools[id]
	switch {
	case id != "" && !known:
		c.refuse(at, "result of a call that is not in the trace")
	case id == "" && tool == "" && c.calls != 1:
		c.refuse(at, "result without the identifier of its call")
	case id == "" && tool == "":
		for only := range c.open {
			tool = only
		}
	case known:
		if tool != called && !PlainWord(tool) {
			c.refuse(at, "tool of the result differs from that of its call")
		}
		tool = called
	case c.open[tool] == 0:
		c.refuse(at, "result of a call that is not in the trace")
	}
	if c.open[tool] > 0 {
		c.calls--
	}
	if c.open[tool]--; c.open[tool] <= 0 {
		delete(c.open, tool)
	}
	return tool
}

// hiddenCall reports whether a text is a call that no list of the message has.
func (c *conversation) hiddenCall(kind, text string) bool {
	switch kind {
	case User:
		return Written(text) && CallText(text)
	case Text:
		return !c.thought && !c.listed && CallMark(text)
	}
	return false
}

// message reads a message, by its role, or an item of OpenAI's responses, by its type.
func (c *conversation) message(n *node) {
	t := n.TextOf("type")
	at, _ := pick(n, "timestamp created_at")
	c.time = seconds(at)
	call := t == "function_call" || t == "custom_tool_call"
	if !call || !c.model { // a call belongs to the answer before it
		c.turn++
	}
	c.model = call || t == "reasoning" || chatRoles[n.TextOf("role")] == Text
	switch t {
	case "function_call", "custom_tool_call":
		c.call(n, n, "call_id")
		return
	case "function_call_output", "custom_tool_call_output":
		c.result(n, "output", "call_id")
		return
	case "reasoning":
		c.thought = true
		for _, key := range []string{"summary", "content"} {
			if v, ok := n.Get(key); ok {
				c.content(Text, v)
			}
		}
		c.thought = false
		c.rest(n, inMessage, has(n, "summary") || has(n, "content"), " type summary content ")
		return
	}
	role := n.TextOf("role")
	kind := chatRoles[role]
	switch {
	case n.Kind != '{':
		c.refuse(n, "unexpected value in a list of messages")
	case has(n, "type") && t != "message":
		c.refuse(n, "unknown type %q", shorten(t))
	case kind == "":
		c.refuse(n, "message with an unknown role %q", shorten(role))
	case has(n, "parts") && !has(n, "content"):
		c.geminiMessage(kind, n)
	case kind == Result:
		c.result(n, "content", "tool_call_id")
	case kind == Text:
		c.assistant(n)
	default:
		c.content(kind, c.main(n, "content"))
		c.rest(n, inMessage, true, " role type content ")
	}
}

// chatRoles are the kinds of items, by the role of a message.
var chatRoles = map[string]string{
	"system": System, "developer": System, "user": User, "tool": Result, "function": Result, "assistant": Text, "model": Text,
}

// main returns a required member of an object, and refuses an object without the member.
func (c *conversation) main(n *node, key string) *node {
	v, ok := n.Get(key)
	if !ok {
		c.refuse(n, "missing key %q", key)
	}
	return v
}

// result reads the result of a call. Older messages name the tool instead of the call.
func (c *conversation) result(n *node, content, id string) {
	tool := n.TextOf("name")
	if tool == "" {
		tool = n.TextOf("tool_name")
	}
	at := c.main(n, content)
	text := c.data(at)
	if at.Kind == 0 {
		at = n
	}
	c.add(Result, tool, n.TextOf(id), text, at, resultValue(at, text))
	c.rest(n, inMessage, at != n, " role type name tool_name "+content+" "+id+" ")
}

// assistant reads a message of the model: thoughts, text and calls, in this order.
func (c *conversation) assistant(n *node) {
	calls, _ := n.Get("tool_calls")
	c.listed = len(calls.Items) > 0
	defer func() { c.listed = false }()
	for _, key := range []string{"reasoning_content", "reasoning", "thinking"} {
		if v, ok := n.Get(key); ok && c.kind(v, `"`, key) {
			c.thought = true
			c.add(Text, "", "", v.Text, v, nil)
			c.thought = false
			break
		}
	}
	content, main := n.Get("content")
	if main {
		c.content(Text, content)
	}
	c.listed = false
	if v, ok := n.Get("refusal"); ok && c.kind(v, `"`, "refusal") {
		c.adjacent(Text, "refusal", v)
	}
	calls, ok := n.Get("tool_calls")
	if ok && c.kind(calls, "[", "tool_calls") {
		for _, call := range calls.Items {
			c.toolCall(call)
		}
	}
	f, legacy := n.Get("function_call")
	if legacy && c.kind(f, "{", "function_call") {
		c.call(f, f, "")
	}
	if !main && !ok && !legacy {
		c.refuse(n, "missing key %q", "content")
	}
	c.rest(n, inMessage, main, " role type content reasoning_content reasoning thinking refusal tool_calls function_call ")
}

// toolCall reads an item of a message's list of calls.
func (c *conversation) toolCall(n *node) {
	for _, key := range []string{"function", "custom"} {
		if f, ok := n.Get(key); ok {
			c.call(n, f, "id")
			if t, ok := n.Get("type"); ok && t.Text != key {
				c.refuse(n, "unknown type %q", shorten(t.Text))
			}
			c.rest(n, inCall, true, " type id "+key+" ")
			return
		}
	}
	c.call(n, n, "id")
}

// call reads a call: its identifier from n, its name and its arguments from f, which may
// be the same object. A call without a name or arguments is unread.
func (c *conversation) call(n, f *node, id string) {
	name, ok := f.Get("name")
	arguments, key := f.Get("arguments")
	if !key {
		arguments, key = f.Get("input")
	} else if v, both := f.Get("input"); both {
		c.refuse(v, "unknown key %q", "input")
	}
	if !ok || name.Kind != '"' || strings.TrimSpace(name.Text) == "" || !key || strings.IndexByte(`"{`, arguments.Kind) < 0 {
		c.refuse(n, "call without a name or arguments")
	} else {
		c.repeats(arguments)
	}
	c.add(Call, name.Text, n.TextOf(id), arguments.Text, f, arguments)
	known := " name arguments input "
	if n == f {
		known = " type name arguments input " + id + " "
	}
	c.rest(f, inCall, true, known)
}

// repeats refuses arguments with a duplicate key: programs disagree on which of the values counts.
func (a *account) repeats(arguments *node) {
	if arguments.Kind == '"' {
		if !strings.Contains(arguments.Text, "{") {
			return
		}
		arguments = unquoted(arguments)
		a.inside++
		defer func() { a.inside-- }()
	}
	All(arguments, func(_ string, v *node) bool {
		a.twice(v)
		return true
	})
}

// resultValue returns the value of a result, given its place and its text.
func resultValue(at *node, text string) *node {
	if at.Kind == '"' {
		return at
	}
	return &node{Kind: '"', At: at.At, Text: text}
}

// content reads a text, or a list of blocks.
func (c *conversation) content(kind string, n *node) {
	switch n.Kind {
	case '"':
		c.add(kind, "", "", n.Text, n, nil)
	case '[':
		for _, block := range n.Items {
			if !c.bedrockBlock(kind, block) {
				c.block(kind, block)
			}
		}
	case 0, 'n':
	default:
		c.refuse(n, "unexpected content")
	}
}

// adjacent reads a content that is not that of a message. The JSON in a text may be an action.
func (c *conversation) adjacent(kind, key string, n *node) {
	if n.Kind == '"' && Written(n.Text) && !inert(member(key, n)) {
		c.refuse(n, "text that looks like a call")
	}
	c.content(kind, n)
}

// textKeys are the members that contain the text of a block, by its type.
var textKeys = map[string]string{
	"text": "text", "input_text": "text", "output_text": "text", "summary_text": "text", "reasoning_text": "text",
	"thinking": "thinking", "reasoning": "content", "refusal": "refusal",
}

// media are types of blocks without text, from a person or a tool.
const media = " image image_url input_image document file input_file input_audio video audio blob uri "

// mediaKeys are the keys of blocks whose type is among media.
const mediaKeys = " type image_url url detail source media_type mime_type modality data file file_id file_data file_url filename input_audio format cache_control title context citations enabled uri content text audio video image video_url audio_url "

func (c *conversation) block(kind string, b *node) {
	t := b.TextOf("type")
	key, text := textKeys[t]
	if _, ok := b.Get("content"); ok && t == "text" && !has(b, "text") {
		key = "content" // OpenTelemetry
	}
	switch {
	case b.Kind == '"' && kind != Text:
		c.add(kind, "", "", b.Text, b, nil)
	case b.Kind != '{':
		c.refuse(b, "unexpected content")
	case text:
		c.text(kind, t, key, b)
	case t == "tool_use" || t == "server_tool_use" || t == "mcp_tool_use" || t == "tool_call":
		c.call(b, b, "id")
	case t == "tool_call_response":
		content := "response"
		if !has(b, content) {
			content = "result"
		}
		c.result(b, content, "id")
	case t == "tool_result" || strings.HasSuffix(t, "_tool_result"):
		at, ok := b.Get("content")
		text := c.data(at)
		if !ok {
			at = b
		}
		c.add(Result, "", b.TextOf("tool_use_id"), text, at, resultValue(at, text))
		c.rest(b, inBlock, ok, " type tool_use_id content ")
	case t == "redacted_thinking":
		c.rest(b, inBlock, true, " type ")
	case kind != Text && Word(media, t) && All(b, func(key string, v *node) bool {
		return v == b || key == "" && v.Kind == '{' || Word(mediaKeys, key)
	}) && !Callish(b):
	default:
		c.refuse(b, "block of unknown type %q", shorten(t))
	}
}

// text reads a block with a text.
func (c *conversation) text(kind, t, key string, b *node) {
	at, before := c.main(b, key), c.thought
	c.thought = before || t == "thinking" || t == "reasoning" || t == "reasoning_text"
	if c.kind(at, `"`, key) {
		c.add(kind, "", "", at.Text, at, nil)
	}
	c.thought = before
	c.rest(b, inBlock, true, " type "+key+" ")
}

// data returns the text of a result, or the joined texts of its blocks. The environment
// wrote the result, so its other values are not actions unless they look like messages.
func (c *conversation) data(n *node) string {
	switch n.Kind {
	case '[', '{':
		if n.Kind == '[' && len(n.Items) > 0 && has(n.Items[0], "type") {
			return c.blocks(n)
		}
		if Callish(n) {
			c.refuse(n, "result that looks like a call")
		}
	case '"':
		if Written(n.Text) && CallText(n.Text) {
			c.refuse(n, "result that looks like a call")
		}
	}
	return n.Text
}

func (c *conversation) blocks(n *node) string {
	var texts []string
	for _, b := range n.Items {
		key, ok := textKeys[b.TextOf("type")]
		if !ok {
			if t := b.TextOf("type"); Callish(b) || !Word(media, t) && CallType(t) {
				c.refuse(b, "block of unknown type %q", shorten(t))
			}
			c.twice(b)
			continue
		}
		at := c.main(b, key)
		if c.kind(at, `"`, key) {
			texts = append(texts, at.Text)
		}
		c.rest(b, inBlock, true, " type "+key+" ")
	}
	if len(texts) == 0 {
		return n.Text
	}
	return strings.Join(texts, "\n")
}
