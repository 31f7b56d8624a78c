package trace

import (
	"strings"

	"github.com/stile-playground/stile/core/json"
)

// Gemini's messages have parts and Bedrock's have blocks without a type: a member of each part or
// block names its kind.

// partKeys are the members that name the kind of a part or block.
const partKeys = " text functionCall functionResponse toolUse toolResult reasoningContent "

// kindOf returns the member that names the kind of a part or block, or "".
func kindOf(n *node) string {
	for _, m := range n.Members {
		if Word(partKeys, m.Key) {
			return m.Key
		}
	}
	return ""
}

func (c *conversation) geminiMessage(kind string, n *node) {
	parts := c.main(n, "parts")
	if c.kind(parts, "[", "parts") {
		for _, part := range parts.Items {
			c.geminiPart(kind, part)
		}
	}
	c.rest(n, inMessage, true, " role parts ")
}

func (c *conversation) geminiPart(kind string, p *node) {
	known := " thought thoughtSignature "
	thought, marked := p.Get("thought")
	signature, signed := p.Get("thoughtSignature")
	switch key := kindOf(p); {
	case p.Kind != '{' || marked && thought.Kind != 't' && thought.Kind != 'f' || signed && !fits(formWord, signature):
		c.refuse(p, "unexpected content")
		return
	case key == "text" && kind != Result:
		before := c.thought
		c.thought = before || thought.Kind == 't'
		if text := c.main(p, key); c.kind(text, `"`, key) {
			c.add(kind, "", "", text.Text, text, nil)
		}
		c.thought = before
		known += "text "
	case key == "functionCall":
		known += "functionCall "
		if f := c.main(p, key); c.kind(f, "{", key) {
			c.namedCall(f, "id", "args", true)
		}
	case key == "functionResponse":
		known += "functionResponse "
		if f := c.main(p, key); c.kind(f, "{", key) {
			c.geminiResult(f)
		}
	case key == "" && len(p.Members) > 0 && All(p, func(key string, v *node) bool { return v == p || Word(known, key) }):
		// a signature without a text
	case kind == User && All(p, func(key string, v *node) bool { return v == p || Word(geminiMedia, key) }) && !Callish(p):
		return
	default:
		c.refuse(p, "part of unknown kind")
		return
	}
	c.rest(p, inBlock, true, known)
}

// geminiMedia are the keys of parts without a text, from a person.
const geminiMedia = " inlineData fileData mimeType data fileUri displayName "

// namedCall reads a call whose arguments are an object, which may be absent if optional is true.
func (c *conversation) namedCall(f *node, id, key string, optional bool) {
	name, _ := f.Get("name")
	arguments, ok := f.Get(key)
	text := arguments.Text
	if !ok && optional {
		text = "{}"
	}
	if name.Kind != '"' || strings.TrimSpace(name.Text) == "" || ok && arguments.Kind != '{' || !ok && !optional {
		c.refuse(f, "call without a name or arguments")
	} else if ok {
		c.repeats(arguments)
	}
	c.add(Call, name.Text, f.TextOf(id), text, f, arguments)
	c.rest(f, inCall, true, " name "+id+" "+key+" ")
}

// geminiResult reads the result of a call: the text that is the only member of the response, or the
// response itself.
func (c *conversation) geminiResult(f *node) {
	response := c.main(f, "response")
	at := response
	if len(response.Members) == 1 && Word(" output result error ", response.Members[0].Key) && response.Members[0].Value.Kind == '"' {
		at = response.Members[0].Value
	}
	text := c.data(at)
	if at.Kind == 0 {
		at = f
	}
	c.add(Result, f.TextOf("name"), f.TextOf("id"), text, at, resultValue(at, text))
	c.rest(f, inCall, true, " id name response ")
}

// candidates reads the alternative answers of a response of Gemini.
func (d *documents) candidates(list []*node) {
	var items []*node
	for _, candidate := range list {
		items = append(items, d.main(candidate, "content"))
		d.rest(candidate, inMessage, true, " content finishReason ")
		if reason, ok := candidate.Get("finishReason"); ok && !fits(formWord, reason) {
			d.refuse(reason, "unexpected value of %q", "finishReason")
		}
	}
	d.alternatives(items)
}

// bedrockBlock reads a block of Bedrock. It returns false, and reads nothing, for any other block.
func (c *conversation) bedrockBlock(kind string, b *node) bool {
	key := kindOf(b)
	v, _ := b.Get(key)
	switch {
	case has(b, "type"):
		return false
	case key == "text":
		if c.kind(v, `"`, key) {
			c.add(kind, "", "", v.Text, v, nil)
		}
	case key == "toolUse" && v.Kind == '{':
		c.namedCall(v, "toolUseId", "input", false)
	case key == "toolResult" && v.Kind == '{':
		content := c.main(v, "content")
		text := c.bedrockResult(content)
		at := content
		if at.Kind == 0 {
			at = v
		}
		c.add(Result, "", v.TextOf("toolUseId"), text, at, resultValue(at, text))
		c.rest(v, inBlock, content.Kind != 0, " toolUseId content status ")
		if status, ok := v.Get("status"); ok && !fits(formWord, status) {
			c.refuse(status, "unexpected value of %q", "status")
		}
	case key == "reasoningContent" && v.Kind == '{':
		text, _ := v.Get("reasoningText")
		if c.kind(text, "{", "reasoningText") {
			before := c.thought
			c.thought = true
			if thought := c.main(text, "text"); c.kind(thought, `"`, "text") {
				c.add(kind, "", "", thought.Text, thought, nil)
			}
			c.thought = before
			c.rest(text, inBlock, true, " text ")
		}
		c.rest(v, inBlock, true, " reasoningText redactedContent ")
		if secret, ok := v.Get("redactedContent"); ok && !fits(formWord, secret) {
			c.refuse(secret, "unexpected value of %q", "redactedContent")
		}
	default:
		return false
	}
	c.rest(b, inBlock, true, " "+key+" ")
	return true
}

// bedrockResult returns the text of a result: its texts and its JSON values.
func (c *conversation) bedrockResult(list *node) string {
	if list.Kind != '[' {
		return c.data(list)
	}
	var texts []string
	for _, b := range list.Items {
		at, ok := b.Get("text")
		if !ok {
			at, ok = b.Get("json")
		}
		if !ok || len(b.Members) != 1 {
			c.refuse(b, "block of unknown type %q", shorten(b.TextOf("type")))
			continue
		}
		texts = append(texts, c.data(at))
	}
	return strings.Join(texts, "\n")
}

// providerFormat returns the format of a conversation with Gemini's parts or Bedrock's blocks, or "".
func providerFormat(n *node) string {
	if has(n, "contents") || has(n, "candidates") {
		return FormatGemini
	}
	messages := n.Items
	if m, ok := n.Get("messages"); ok {
		messages = m.Items
	}
	if output, ok := n.Get("output"); ok && output.Kind == '{' {
		return FormatBedrock
	}
	if has(n, "role") {
		messages = append(messages, &json.Node{Members: n.Members})
	}
	for _, m := range messages {
		if has(m, "parts") && has(m, "role") {
			return FormatGemini
		}
		content, _ := m.Get("content")
		for _, block := range content.Items {
			if block.Kind == '{' && !has(block, "type") && kindOf(block) != "" {
				return FormatBedrock
			}
		}
	}
	return ""
}
