package trace

import (
	"slices"
	"strings"
)

// thread reads the pieces of OpenAI's Assistants and Realtime streams, and reports whether the object is one. An
// item that is announced or comes in pieces is read when it is complete.
func (r *reader) thread(n *node) bool {
	object, kind := n.TextOf("object"), n.TextOf("type")
	switch {
	case strings.HasPrefix(object, "thread."):
		r.format("openai-assistants")
		key := "item " + n.TextOf("id")
		if strings.HasSuffix(object, ".delta") {
			r.open[key] = n
			return true
		}
		if n.TextOf("status") != "in_progress" {
			delete(r.open, key)
		}
		return false
	case strings.HasPrefix(kind, "conversation.item."):
		r.format("openai-realtime")
		r.events()
		r.conversationItem(n, kind)
		return true
	}
	return false
}

func (r *reader) conversationItem(n *node, kind string) {
	item, _ := n.Get("item")
	key := "item " + item.TextOf("id")
	switch {
	case item.TextOf("status") == "in_progress":
		r.open[key] = n
	case item.Kind == '{':
		delete(r.open, key)
		r.value(item, scope{})
	case strings.HasSuffix(kind, "transcription.completed"):
		if v, ok := n.Get("transcript"); ok && v.Kind == '"' {
			r.text(v, scope{role: isUser, message: n.TextOf("item_id")})
		}
	}
}

// oldestFirst returns the items of a list in the order of their times, which some interfaces list from the newest on.
func oldestFirst(items []*node) []*node {
	last := len(items) - 1
	if last < 1 || stamp(items[last]) == "" || !before(stamp(items[last]), stamp(items[0])) {
		return items
	}
	for i, item := range items[1:] {
		if before(stamp(items[i]), stamp(item)) {
			return items
		}
	}
	items = slices.Clone(items)
	slices.Reverse(items)
	return items
}

// stamp returns the time of an object, or the number that has its place, or "".
func stamp(n *node) string {
	v, _ := pick(n, timeKeys)
	if at := seconds(v); at != "" || v.Kind != '0' {
		return at
	}
	return v.Text
}

// renamed returns a value with the keys of messages as most formats write them: "Role" of .NET and "_role" of Python
// become "role". Arguments and results keep their keys.
func renamed(n *node, message bool) *node {
	out := *n
	message = message || has(n, "_role") || has(n, "Role")
	out.Members, out.Items = nil, nil
	for _, m := range n.Members {
		if key := strings.TrimPrefix(m.Key, "_"); message && key != "" && (key != m.Key || key[0] >= 'A' && key[0] <= 'Z') {
			m.Key = strings.ToLower(key[:1]) + key[1:]
		}
		if v, ok := m.Value.Get("Label"); ok && m.Key == "role" {
			m.Value = v
		}
		if !message || !Word(" "+argumentKeys+" "+resultKeys+" metadata ", m.Key) || m.Key == "content" {
			m.Value = renamed(m.Value, message)
		}
		out.Members = append(out.Members, m)
	}
	for _, item := range n.Items {
		out.Items = append(out.Items, renamed(item, message))
	}
	return &out
}

// pythonic returns the value of a text that is an object in Python's notation, and other values unchanged.
func pythonic(n *node) *node {
	if n.Kind == '"' && strings.HasPrefix(strings.TrimSpace(n.Text), "{'") {
		if roots, cut, ok := parseLoose(n.Text); ok && len(roots) == 1 && len(cut) == 0 {
			moveTo(roots[0], n.At)
			return roots[0]
		}
	}
	return n
}

// faultText returns the message of an error, or "".
func faultText(n *node) string {
	if n.Kind == '"' {
		return n.Text
	}
	return textOf(n, "message error detail")
}

// turned returns the messages of AutoGen's chat_history, whose roles are those of the other side: the messages of the
// user are the assistant's. Calls and results have their own roles.
func (r *reader) turned(items []*node) []*node {
	if r.formats["autogen"] == 0 || len(items) < 2 || items[0].TextOf("role") != "assistant" || items[0].TextOf("name") == "" || has(items[0], "tool_calls") || has(items[0], "function_call") {
		return items
	}
	out := make([]*node, len(items))
	for i, item := range items {
		out[i] = item
		role := item.TextOf("role")
		if role != "user" && role != "assistant" || has(item, "tool_calls") || has(item, "function_call") || item.TextOf("name") == "" {
			continue
		}
		other := *item
		other.Members = nil
		for _, m := range item.Members {
			if m.Key == "role" {
				m.Value = &node{Kind: '"', At: m.Value.At, Text: map[string]string{"user": "assistant", "assistant": "user"}[role]}
			}
			other.Members = append(other.Members, m)
		}
		out[i] = &other
	}
	return out
}

// conversations returns the values of a text by the conversations whose identifiers they have, and the identifiers,
// which are nil for values of one conversation.
func conversations(roots []*node) (ordered []*node, keys []string) {
	groups := map[string][]*node{}
	var order []string
	values := roots
	if len(roots) == 1 && roots[0].Kind == '[' {
		values = roots[0].Items
	}
	for _, root := range values {
		key := conversationID(root, 2)
		if key == "" {
			return roots, nil
		}
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], root)
	}
	if len(order) < 2 {
		return roots, nil
	}
	for _, key := range order {
		for _, root := range groups[key] {
			ordered, keys = append(ordered, root), append(keys, key)
		}
	}
	return ordered, keys
}

// conversationID returns the identifier of the conversation that a value, or an object in it, belongs to, or "".
func conversationID(n *node, depth int) string {
	id := textOf(n, "conversation_id conversationId session_id sessionId thread_id threadId chat_id")
	if spanLike(n) {
		return ""
	}
	for i := 0; id == "" && depth > 0 && i < len(n.Members); i++ {
		if v := unquoted(n.Members[i].Value); v.Kind == '{' {
			id = conversationID(v, depth-1)
		}
	}
	return id
}

// byTime orders the items of a run by their times, if each one but a result has a time.
func (r *run) byTime() {
	time := ""
	for _, item := range r.items {
		if item.Time == "" && item.Kind == Result {
			item.Time = time
		}
		if time = item.Time; time == "" {
			return
		}
	}
	slices.SortStableFunc(r.items, func(a, b *Item) int {
		switch {
		case before(a.Time, b.Time):
			return -1
		case before(b.Time, a.Time):
			return 1
		}
		return 0
	})
}
