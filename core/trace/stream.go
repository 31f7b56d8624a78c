package trace

import (
	"slices"
	"strconv"
	"strings"
)

// stream reads a stream chunk. It reports whether the object is one.
func (r *reader) stream(n *node, s scope) bool {
	t := n.TextOf("type")
	switch {
	case strings.HasPrefix(t, "response.") && (strings.Count(t, ".") > 0):
		return r.responseEvent(n, t)
	case has(n, "choices"):
		return r.chunk(n)
	case has(n, "done") && has(n, "message") && !has(n, "type"):
		return r.ollama(n)
	}
	for _, key := range []string{"contentBlockStart", "contentBlockDelta", "contentBlockStop", "messageStart", "messageStop"} {
		if v, ok := n.Get(key); ok && v.Kind == '{' {
			return r.block(norm(key), v)
		}
	}
	verb := norm(t)
	verb = strings.TrimPrefix(verb, "model")
	verb = strings.TrimSuffix(verb, "event")
	switch verb {
	case "messagestart", "messagedelta", "messagestop", "contentblockstart", "contentblockdelta", "contentblockstop":
		if v, ok := n.Get("message"); ok && v.Kind == '{' && verb == "messagestart" {
			if content, _ := v.Get("content"); !Blank(content) {
				return false
			}
		}
		return r.block(verb, n)
	}
	return r.delta(verb, n, s)
}

// events marks the trace as one of events, in which an event may repeat the content of another.
func (r *reader) events() { r.loose = true }

// The verbs of AG-UI and the AI SDK, each with the kind of item that it opens, appends to or closes.
var (
	opens   = words(map[string]string{Text: "textmessagestart textstart", Thought: "thinkingtextmessagestart reasoningstart reasoningmessagestart", Call: "toolcallstart toolinputstart toolcallstreamingstart"})
	appends = words(map[string]string{Text: "textmessagecontent textdelta textmessagechunk", Thought: "thinkingtextmessagecontent reasoningdelta reasoningmessagecontent reasoningmessagechunk", Call: "toolcallargs toolinputdelta toolcalldelta toolcallchunk"})
	closes  = words(map[string]string{Text: "textmessageend textend", Thought: "thinkingtextmessageend reasoningend reasoningmessageend", Call: "toolcallend"})
)

// delta reads an event that begins, continues or ends an item.
func (r *reader) delta(verb string, n *node, s scope) bool {
	kind := opens[verb]
	if kind == "" {
		kind = appends[verb]
	}
	if kind == "" {
		kind = closes[verb]
	}
	if kind == "" {
		return false
	}
	if kind == Call && !has(n, "toolCallId") && !has(n, "tool_call_id") {
		return false
	}
	r.events()
	id := textOf(n, "toolCallId tool_call_id messageId id")
	key := kind + " " + id
	item := r.blocks[key]
	if item != nil && opens[verb] != "" {
		item = nil
	}
	if closes[verb] != "" {
		r.complete(key)
		return true
	}
	name, _ := firstText(n, "toolCallName toolName tool_call_name name")
	if item == nil {
		if kind == Call && name == "" {
			r.refuse(n, "call without a name or arguments")
			return true
		}
		if role := roleKinds[norm(n.TextOf("role"))]; role == isUser && kind == Text {
			kind = User
		}
		item = &Item{Kind: kind, Tool: name, Span: spanOf(n), Time: r.when(n)}
		if kind == Call {
			item.ID, item.asked = id, true
		} else {
			item.message = id
		}
		r.streamed(key, item)
	} else if name != "" && item.Tool != "" && name != item.Tool {
		r.refuse(n, "another name of a call")
	}
	if v, with := pick(n, "delta inputTextDelta argsTextDelta textDelta text content args"); with != "" {
		if v.Kind == '"' {
			item.parts = append(item.parts, v.Text)
		} else {
			r.refuse(v, "unexpected value of %q", with)
		}
	}
	return true
}

// streamed begins an item that a stream continues.
func (r *reader) streamed(key string, item *Item) {
	if r.cur == nil {
		r.begin()
	}
	if item.Kind == Call && item.ID != "" && r.cur.calls[item.ID] != nil {
		item = &Item{Kind: Call, Tool: item.Tool, ID: item.ID, Span: item.Span} // a repetition
	} else {
		r.cur.insert(len(r.cur.items), item)
	}
	r.blocks[key] = item
}

// complete ends a streamed item.
func (r *reader) complete(key string) {
	item := r.blocks[key]
	if item == nil {
		return
	}
	delete(r.blocks, key)
	r.settle(item)
}

// completeCalls ends the calls that no event of a stream ends, such as those of AG-UI's chunks. A call whose
// arguments are cut off is refused.
func (r *reader) completeCalls() {
	for _, key := range slices.Sorted(mapKeys(r.blocks)) {
		item := r.blocks[key]
		if item.Kind != Call || len(item.parts) == 0 {
			continue
		}
		r.complete(key)
		if text := strings.TrimSpace(item.Text); strings.HasPrefix(text, "{") && item.Value.Kind == '"' {
			r.refuseAt(item.Span, "stream that ends before its value")
		}
	}
}

func (r *reader) settle(item *Item) {
	if item.Kind == Call && len(item.parts) == 0 && item.Value != nil {
		return
	}
	item.settle()
	if item.Kind == Call {
		if item.Value == nil && item.Text != "" {
			item.setArguments(r.arguments(&node{Kind: '"', Text: item.Text}))
		} else if item.Value == nil && !item.exec {
			item.setArguments(&node{Kind: '{', Text: "{}"})
		}
		return
	}
	r.cur.texts[strings.TrimSpace(item.Text)]++
}

// block reads an event of Anthropic's, Bedrock's or Strands' streams, which number their blocks.
func (r *reader) block(verb string, n *node) bool {
	r.events()
	index := ""
	if v, key := pick(n, "index contentBlockIndex"); key != "" {
		index = v.Text
	}
	key := "block " + index
	switch verb {
	case "messagestart", "messagestop":
		for _, k := range mapSorted(r.blocks) {
			if strings.HasPrefix(k, "block ") {
				r.complete(k)
			}
		}
	case "contentblockstart":
		if index == "" {
			r.complete(key)
		}
		block, with := pick(n, "content_block start")
		if with == "" || block.Kind != '{' || len(block.Members) == 0 {
			break
		}
		inner := block
		if v, ok := block.Get("toolUse"); ok && v.Kind == '{' {
			inner = v
		}
		kind := typeOf(block)
		name, _ := firstText(inner, "name")
		switch {
		case kind == isCall || inner != block || strings.HasPrefix(norm(block.TextOf("type")), "tooluse"):
			if name == "" {
				r.refuse(n, "call without a name or arguments")
				break
			}
			item := &Item{Kind: Call, Tool: name, ID: textOf(inner, callIDKeys), Span: spanOf(block), asked: true}
			if v, ok := inner.Get("input"); ok && v.Kind == '{' && len(v.Members) > 0 {
				item.setArguments(v)
			}
			r.streamed(key, item)
		case kind == isResult:
			r.result(block, scope{}, block.TextOf("type"))
		case kind == isText || kind == isThought:
			item := &Item{Kind: kind, Span: spanOf(block)}
			if v, _ := pick(block, "text thinking"); v.Kind == '"' {
				item.Text = v.Text
			}
			r.streamed(key, item)
		default:
			r.refuse(block, "part of unknown type %q", shorten(block.TextOf("type")))
		}
	case "contentblockdelta":
		delta, _ := n.Get("delta")
		r.blockDelta(key, delta, n)
	case "contentblockstop":
		r.complete(key)
	}
	return true
}

func mapSorted(m map[string]*Item) []string {
	var out []string
	for key := range mapKeys(m) {
		out = append(out, key)
	}
	for i := range out {
		for j := i; j > 0 && out[j] < out[j-1]; j-- {
			out[j], out[j-1] = out[j-1], out[j]
		}
	}
	return out
}

func (r *reader) blockDelta(key string, delta, n *node) {
	for _, wrapped := range []string{"toolUse", "reasoningContent"} {
		if v, ok := delta.Get(wrapped); ok && v.Kind == '{' {
			delta = v
			if wrapped == "reasoningContent" && r.blocks[key] == nil {
				r.streamed(key, &Item{Kind: Thought, Span: spanOf(n)})
			}
		}
	}
	kind := norm(delta.TextOf("type"))
	v, with := pick(delta, "partial_json text thinking input")
	switch {
	case strings.Contains(kind, "signature") || strings.Contains(kind, "citation"):
		return
	case with == "" || v.Kind != '"':
		r.refuse(n, "unexpected stream chunk")
		return
	}
	item := r.blocks[key]
	if item == nil {
		kind := Text
		switch {
		case with == "thinking" || strings.Contains(norm(delta.TextOf("type")), "reasoning"):
			kind = Thought
		case with != "text":
			r.refuse(n, "piece of a call that did not begin")
			return
		}
		item = &Item{Kind: kind, Span: spanOf(n)}
		r.streamed(key, item)
	}
	item.parts = append(item.parts, v.Text)
}

// responseEvent reads an event of OpenAI's responses. The items are read when they are done.
func (r *reader) responseEvent(n *node, t string) bool {
	r.events()
	r.format("openai-responses")
	item, _ := n.Get("item")
	id := item.TextOf("id")
	switch t {
	case "response.output_item.added":
		r.open["item "+id] = n
	case "response.output_item.done":
		delete(r.open, "item "+id)
		r.value(item, scope{})
	case "response.function_call_arguments.done": // of a log without the items
		if n.TextOf("name") != "" && n.TextOf("call_id") != "" {
			r.call(n, scope{}, "")
		}
	case "response.audio_transcript.done", "response.output_audio_transcript.done":
		if v, ok := n.Get("transcript"); ok {
			r.text(v, scope{role: isModel, message: n.TextOf("item_id")})
		}
	case "response.completed", "response.incomplete", "response.failed", "response.done":
		response, _ := n.Get("response")
		output, _ := response.Get("output")
		if output.Kind == '[' {
			for _, item := range output.Items {
				delete(r.open, "item "+item.TextOf("id"))
			}
			r.value(response, scope{})
		}
	}
	return true
}

// chunk reads a piece of a chat completion.
func (r *reader) chunk(n *node) bool {
	choices, _ := n.Get("choices")
	pieces := false
	for _, choice := range choices.Items {
		pieces = pieces || has(choice, "delta")
	}
	if !pieces {
		return n.TextOf("object") == "chat.completion.chunk"
	}
	r.events()
	r.format("openai")
	stream := "chunk " + n.TextOf("id") + " "
	for _, choice := range choices.Items {
		number, _ := choice.Get("index")
		delta, _ := choice.Get("delta")
		at := stream + number.Text
		for _, m := range delta.Members {
			switch v := m.Value; {
			case Blank(v) && v.Kind != '[', m.Key == "role":
			case v.Kind == '"' && (m.Key == "content" || m.Key == "refusal"):
				r.append(at+" text", Text, v)
			case v.Kind == '"' && Word(" reasoning_content reasoning thinking ", m.Key):
				r.append(at+" thought", Thought, v)
			case m.Key == "tool_calls" && v.Kind == '[':
				for i, call := range v.Items {
					r.chunkCall(at, call, i)
				}
			default:
				r.refuse(v, "unknown key %q", shorten(m.Key))
			}
		}
		if reason, ok := choice.Get("finish_reason"); ok && !Blank(reason) {
			for _, key := range mapSorted(r.blocks) {
				if strings.HasPrefix(key, at+" ") {
					r.complete(key)
				}
			}
		}
	}
	return true
}

func (r *reader) append(key, kind string, v *node) {
	item := r.blocks[key]
	if item == nil {
		item = &Item{Kind: kind, Span: spanOf(v)}
		r.streamed(key, item)
	}
	item.parts = append(item.parts, v.Text)
}

func (r *reader) chunkCall(at string, call *node, i int) {
	number := strconv.Itoa(i)
	if v, ok := call.Get("index"); ok {
		number = v.Text
	}
	key := at + " call " + number
	f, _ := pick(call, "function custom")
	name, _ := firstText(f, "name")
	item := r.blocks[key]
	if item == nil {
		if name == "" {
			r.refuse(call, "call without a name or arguments")
			return
		}
		item = &Item{Kind: Call, Tool: name, ID: call.TextOf("id"), Span: spanOf(call), asked: true}
		r.streamed(key, item)
	} else if name != "" && name != item.Tool {
		r.refuse(call, "another name of a call")
	}
	switch v, with := pick(f, "arguments input"); {
	case v.Kind == '"':
		item.parts = append(item.parts, v.Text)
	case v.Kind == '{':
		item.setArguments(r.arguments(v))
	case with != "":
		r.refuse(v, "unexpected value of %q", with)
	}
	for _, m := range f.Members {
		if !Word(" name arguments input ", m.Key) && !Blank(m.Value) {
			r.refuse(m.Value, "unknown key %q", shorten(m.Key))
		}
	}
}

// ollama reads an answer of Ollama, which is whole or a piece.
func (r *reader) ollama(n *node) bool {
	done, _ := n.Get("done")
	message, _ := n.Get("message")
	if message.Kind != '{' || done.Kind != 'f' && r.blocks["ollama text"] == nil && r.blocks["ollama thought"] == nil && r.blocks["ollama"] == nil {
		return false
	}
	r.events()
	r.format("ollama")
	r.blocks["ollama"] = &Item{Kind: Thought}
	for _, m := range message.Members {
		switch v := m.Value; {
		case Blank(v), m.Key == "role":
		case m.Key == "content" && v.Kind == '"':
			r.append("ollama text", Text, v)
		case m.Key == "thinking" && v.Kind == '"':
			r.append("ollama thought", Thought, v)
		case m.Key == "tool_calls" && v.Kind == '[':
			for _, call := range v.Items {
				r.call(call, scope{}, "")
			}
		default:
			r.refuse(v, "unknown key %q", shorten(m.Key))
		}
	}
	if done.Kind == 't' {
		delete(r.blocks, "ollama")
		r.complete("ollama thought")
		r.complete("ollama text")
	}
	return true
}
