package trace

import (
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/json"
)

// message reads a message: thoughts, content and calls, in this order. Its other members may repeat
// them.
func (r *reader) message(n *node, role string, s scope) {
	r.twice(n)
	s = r.messageScope(n, role, s)
	content, key := messageContent(n)
	if responses, _ := pick(n, "tool_responses responses tool_results"); role == isResult && len(responses.Items) > 0 { // the content repeats them
		for _, item := range responses.Items {
			if _, role := message(item); role != "" {
				r.value(item, s)
			} else {
				r.result(item, s, "")
			}
		}
		return
	}
	if role == isResult && !r.holdsParts(content) {
		r.result(n, s, "")
		return
	}
	own := r.list == nil
	var list []*Item
	if own {
		r.list = &list
	}
	before := len(*r.list)
	known := " role type id name " + key + " "
	if role == isModel {
		known += r.thoughts(n, s)
	}
	listed, calls := pick(n, callsKeys)
	s.listed = len(listed.Items) > 0
	summary := n.TextOf("type") == "ToolCallSummaryMessage" // it repeats the events before it
	if key != "" && !summary {
		r.content(content, s)
	} else if key == "" && !has(n, "content") && (role == isUser || !has(n, "text") && !has(n, "parts") && calls == "") {
		r.refuse(n, "missing key %q", "content")
	}
	known += r.messageCalls(n, s, (*r.list)[before:])
	if r.way == asPretty && role == isModel && len(*r.list) == before {
		r.emit(&Item{Kind: Text, Span: spanOf(n), empty: true}, s)
	}
	s.copy = true
	for _, m := range n.Members {
		if !Word(known, m.Key) {
			r.adjacent(m, s)
		}
	}
	if summary && key != "" {
		s.copy = false
		r.content(content, s)
	}
	if own {
		r.list = nil
		r.reused(list)
		r.merge(list, false, r.start)
	}
}

// reused refuses the calls of a message that is a value of the text by itself, perhaps in a wrapper, and whose identifiers are those of calls that have their results: the
// message is either another record of the calls, or another call.
func (r *reader) reused(list []*Item) {
	if r.depth > 1 && (!r.wrapped || r.depth > 3) {
		return
	}
	for _, item := range list {
		if r.cur != nil && !r.loose && !item.copy && item.Kind == Call && r.cur.calls[item.ID] != nil && r.cur.results[item.ID] != nil {
			r.refuseAt(item.Span, "duplicate call identifier (the earlier call already has a result)")
		}
	}
}

func (r *reader) messageScope(n *node, role string, s scope) scope {
	s.role = role
	if id := textOf(n, messageIDs); id != "" {
		s.message = id
	}
	if agent := n.TextOf("source"); role == isModel && agent != "" && roleKinds[norm(agent)] == "" {
		s.agent = agent
	}
	if t := r.when(n); t != "" {
		s.time = t
	}
	return s
}

// messageContent returns the content of a message, and its key.
func messageContent(n *node) (*node, string) {
	if v, ok := n.Get("content"); ok && (Blank(v) || v.Kind == '"') { // content: "" next to parts
		if parts, with := pick(n, "parts"); with != "" && parts.Kind == '[' {
			return parts, with
		}
	}
	return pick(n, contentKeys)
}

// thoughts reads the thoughts next to the content of a message, and returns the keys of their members.
func (r *reader) thoughts(n *node, s scope) (known string) {
	before := len(*r.list)
	for key, rest := nextWord(thoughtKeys); key != ""; key, rest = nextWord(rest) {
		v, ok := n.Get(key)
		if !ok || v.Kind != '"' {
			continue
		}
		known += key + " "
		if strings.TrimSpace(v.Text) != "" {
			r.emit(&Item{Kind: Thought, Text: v.Text, Span: spanOf(v)}, scope{agent: s.agent, time: s.time, message: s.message, copy: s.copy || len(*r.list) > before})
		}
	}
	return known
}

// messageCalls reads the calls next to the content of a message, and returns the keys of their members. If
// the content has calls, the calls next to it are repetitions.
func (r *reader) messageCalls(n *node, s scope, content []*Item) (known string) {
	called := n.TextOf("type") == "ToolCallSummaryMessage"
	for _, item := range content {
		called = called || item.Kind == Call
	}
	for key, rest := nextWord(callsKeys); key != ""; key, rest = nextWord(rest) {
		v, ok := n.Get(key)
		if !ok || Blank(v) {
			continue
		}
		known += key + " "
		s.copy, s.calls, s.key = s.copy || called, true, key
		switch {
		case v.Kind == '[':
			for i, item := range v.Items {
				if id := textOf(item, callIDKeys); i > 0 && id != "" && id == textOf(v.Items[i-1], callIDKeys) {
					r.refuse(item, "duplicate call identifier (that of the preceding call)")
				}
				r.call(item, s, "")
			}
		case v.Kind == '{':
			r.call(v, s, "")
		default:
			r.refuse(v, "unexpected value of %q", key)
		}
		called = true
	}
	return known
}

// adjacent reads a member next to the content of a message: a repetition, or a value that is not an
// action.
func (r *reader) adjacent(m json.Member, s scope) {
	s.key = m.Key
	switch v := m.Value; {
	case Blank(v) || figures(v) || Word(callData, m.Key) && ownWords(v):
	case v.Kind == '"' && !Written(v.Text) && Word(actionKeys, m.Key):
		r.refuse(v, "unknown key %q", shorten(m.Key))
	case v.Kind == '{' && m.Key == "observation" || v.Kind == '[' && Word(" observations tool_results toolResults ", m.Key):
		s.copy = false
		r.observation(v, s)
	default:
		r.member(m, s)
	}
}

// observation reads the results next to the calls of a step, as ATIF writes them.
func (r *reader) observation(n *node, s scope) {
	list := n.Items
	if results, ok := n.Get("results"); ok {
		list = results.Items
	}
	for _, item := range list {
		r.result(item, s, "")
	}
}

// holdsParts reports whether the content of a message has results as its parts.
func (r *reader) holdsParts(n *node) bool {
	for _, item := range n.Items {
		if kind := typeOf(item); kind == isResult || partOf(item) == isResult {
			return true
		}
	}
	return false
}

// content reads the content of a message: a text, a list of parts, or a part.
func (r *reader) content(n *node, s scope) {
	switch n.Kind {
	case '"':
		r.text(n, s)
	case '[':
		for _, item := range pieced(n.Items) {
			switch {
			case item.Kind == '"':
				r.text(item, s)
			case item.Kind == 'n', r.shaped(item, s):
			case item.Kind != '{' || !r.part(item, s):
				r.unknownPart(item, s)
			}
		}
	case '{':
		for _, key := range []string{"parts", "content", "blocks"} {
			if v, ok := n.Get(key); ok && v.Kind == '[' && (typeOf(n) == "" || has(n, "content_type")) {
				r.content(v, s)
				s.copy = true
				for _, m := range n.Members {
					if m.Key != key {
						r.adjacent(m, s)
					}
				}
				return
			}
		}
		if !r.part(n, s) {
			r.unknownPart(n, s)
		}
	default:
		r.refuse(n, "unexpected content")
	}
}

func (r *reader) unknownPart(n *node, s scope) {
	if inner, role := message(n); n.Kind == '{' && role != "" {
		r.message(inner, role, s)
		return
	}
	if n.Kind == '{' && len(n.Members) == 0 {
		return
	}
	r.refuse(n, "part of unknown type %q", shorten(n.TextOf("type")))
}

func (r *reader) text(n *node, s scope) {
	kind := s.role
	if kind == isModel || kind == "" || kind == isResult {
		kind = Text
	}
	if strings.TrimSpace(n.Text) == "" {
		return
	}
	if kind == User && Written(n.Text) {
		if inner := unquoted(n); inner != n && inner.Kind == '[' && len(inner.Items) > 0 && r.allItems(inner) {
			outer := r.list
			r.list = nil
			r.array(inner, scope{})
			r.list = outer
			return
		}
		if CallText(n.Text) {
			r.refuse(n, "text that looks like a call")
		}
	}
	if parts := underLabels(n.Text); parts != nil && kind == Text && !s.listed {
		r.labelled(parts, s)
		return
	}
	if rest, ok := strings.CutPrefix(strings.TrimSpace(n.Text), "Observation:"); ok && kind == User && r.prompted {
		text, value := r.resultText(&node{Kind: '"', At: n.At, Text: strings.TrimSpace(rest)})
		r.emit(&Item{Kind: Result, Text: text, Value: value, Span: spanOf(n)}, s)
		return
	}
	if kind == Text && !s.listed && (CallMark(n.Text) || callJSON(n.Text)) {
		r.refuse(n, "text that looks like a call")
	}
	r.emit(&Item{Kind: kind, Text: n.Text, Span: spanOf(n)}, s)
}

// callJSON reports whether a text, or a block of code in it, is JSON with a call.
func callJSON(text string) bool {
	for _, part := range append(codeBlocks(text), text) {
		if !Written(part) {
			continue
		}
		if name, _, ok := strings.Cut(strings.TrimSpace(part)[1:], "("); ok && name != "" && PlainWord(name) && strings.HasSuffix(strings.TrimSpace(part), ")]") {
			return true // [f(a=1), g()]: a list of calls in Python
		}
		if roots, fault := json.Trees(part); fault == nil && slices.ContainsFunc(roots, Callish) {
			return true
		}
	}
	return false
}

func (r *reader) allItems(n *node) bool {
	for _, item := range n.Items {
		if !r.isItem(item) || !has(item, "role") && !has(item, "type") {
			return false
		}
	}
	return true
}

// part reads a part of a message, or an item of a list. It reports whether the object is one.
func (r *reader) part(n *node, s scope) bool {
	kind, name := partKind(n, s)
	if v, _ := pick(n, "rawItem raw_item item message data event part"); v.Kind == '{' && !callLike(n) && !has(n, "toolCallId") && kind != isMedia {
		return false // the envelope of an item
	}
	switch kind {
	case isCall:
		if len(n.Members) > 1 || !s.listed || n.Members[0].Value.Kind != '"' { // only a type: the list of calls of the message has it
			r.call(n, s, name)
		}
	case isResult:
		r.result(n, s, name)
	case isText, isThought, isUser, isSystem, isModel:
		return r.textPart(n, s, kind)
	case isMedia:
		if s.role == "" && n.TextOf("type") != "image" {
			return false
		}
		if Callish(n) || s.role == isModel && !onlyWords(n) {
			r.refuse(n, "part of unknown type %q", shorten(name))
		}
	case isMark:
		for _, m := range n.Members {
			s.copy = m.Key != "input" // of a run of AG-UI, with its messages
			if m.Key != "type" {
				r.adjacent(m, s)
			}
		}
	default:
		return false
	}
	return true
}

// textPart reads a text or a thought.
func (r *reader) textPart(n *node, s scope, kind string) bool {
	v, key := pick(n, "text transcript thinking reasoning reasoningContent content summary value refusal thought data reasoning_text")
	switch {
	case key != "":
	case kind != isText && kind != isThought:
		return false
	case s.role == "" && onlyWords(n): // the name of a format
		return true
	case kind == isText || !onlyWords(n) && !has(n, "summary") && !has(n, "content"):
		r.refuse(n, "missing key %q", "text")
		return true
	default:
		return true
	}
	if kind != isText && kind != isModel {
		s.role = kind
	}
	if id := textOf(n, "id"); id != "" && s.message == "" {
		s.message = id
	}
	r.inner(v, s)
	s.copy = true
	for _, m := range n.Members {
		if m.Key != key && !Word(" type id signature ", m.Key) {
			r.adjacent(m, s)
		}
	}
	return true
}

// inner reads the text of a part: a string, an object with a text, or a list of these.
func (r *reader) inner(n *node, s scope) {
	switch n.Kind {
	case '"':
		if s.role == isThought {
			if strings.TrimSpace(n.Text) != "" {
				r.emit(&Item{Kind: Thought, Text: n.Text, Span: spanOf(n)}, s)
			}
			return
		}
		r.text(n, s)
	case '[':
		for _, item := range n.Items {
			r.inner(item, s)
		}
	case '{':
		v, key := pick(n, "text reasoningText reasoning thinking content summary value")
		if key == "" {
			if !onlyWords(n) {
				r.refuse(n, "unexpected content")
			}
			return
		}
		r.inner(v, s)
		s.copy = true
		for _, m := range n.Members {
			if m.Key != key && m.Key != "type" {
				r.adjacent(m, s)
			}
		}
	default:
		r.refuse(n, "unexpected content")
	}
}

// pieced returns the parts of a content, with the arguments that follow a call in pieces, as LangChain
// joins a stream of Anthropic's.
func pieced(items []*node) []*node {
	var out []*node
	for _, item := range items {
		piece, ok := item.Get("input")
		index, _ := item.Get("index")
		if item.TextOf("type") != "input_json_delta" || !ok || piece.Kind != '"' {
			out = append(out, item)
			continue
		}
		joined := false
		for i, call := range out {
			at, _ := call.Get("index")
			input, _ := call.Get("input")
			if typeOf(call) == isCall && at.Text == index.Text && input.Kind == '"' {
				whole := *call
				whole.Members = nil
				for _, m := range call.Members {
					if m.Key == "input" {
						m.Value = &node{Kind: '"', At: m.Value.At, Text: m.Value.Text + piece.Text}
					}
					whole.Members = append(whole.Members, m)
				}
				out[i], joined = &whole, true
			}
		}
		if !joined {
			out = append(out, item)
		}
	}
	return out
}
