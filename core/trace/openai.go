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
