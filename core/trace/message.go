package trace

import (
	"strings"

	"github.com/stile-playground/stile/core/json"
)

// classes are the suffixes of the names of LangChain's classes of messages.
var classes = map[string]string{"HumanMessage": isUser, "AIMessage": isModel, "SystemMessage": isSystem, "ToolMessage": isResult, "FunctionMessage": isResult, "ChatMessage": isModel}

// message returns the message in an object, and its kind, or "" if the object is none. The
// envelopes of LangChain are removed.
func message(n *node) (*node, string) {
	if inner, kind := enveloped(n); kind != "" || has(n, "lc") {
		return inner, kind
	}
	kind := typeOf(n)
	content, body := hasBody(n)
	if role := roleKinds[norm(n.TextOf("messageType"))]; role != "" && body { // Spring AI
		return n, role
	}
	switch {
	case has(n, "role"):
		role := roleKinds[norm(n.TextOf("role"))]
		if !body || kind == isCall || kind == isResult && role != isResult || kind == isDelta {
			role = ""
		}
		return n, role
	case speaks(kind):
		if body && (n.TextOf("type") != "" && (content != "message" || !wrapper(n)) || has(n, classKey) || has(n, "kind")) {
			return n, kind
		}
	default:
		if role := unnamed(n); role != "" {
			return n, role
		}
	}
	if !body || kind == isCall || kind == isResult || wrapper(n) {
		return n, ""
	}
	return n, authored(n, kind)
}

// authored returns the kind of a message whose author is a role, or the name of an agent.
func authored(n *node, kind string) string {
	for _, key := range []string{"source", "author", "sender"} { // ATIF, AutoGen, ADK
		if role := roleKinds[norm(n.TextOf(key))]; role != "" && role != isResult {
			return role
		}
	}
	if kind == isMessage && n.TextOf("source") != "" { // an agent of AutoGen
		return isModel
	}
	return ""
}

// speaks reports whether a kind is that of a message.
func speaks(kind string) bool { return kind == isUser || kind == isModel || kind == isSystem }

// unnamed returns the kind of a message whose role is in other members.
func unnamed(n *node) string {
	word := n.TextOf("type")
	switch {
	case has(n, "content") && has(n, "tool_call_id") && (word == "tool" || has(n, classKey)), has(n, "content") && word == "tool" && flat(n):
		return isResult
	case has(n, "from") && n.TextOf("value") != "":
		return roleKinds[norm(n.TextOf("from"))]
	case word == "system" && has(n, "content"):
		return isSystem
	case (word == "user" || word == "gemini") && has(n, "content") && !has(n, "message"): // Gemini CLI
		return map[string]string{"user": isUser, "gemini": isModel}[word]
	case word == "USER" && has(n, "contents"): // LangChain4j
		return isUser
	}
	return ""
}

// hasBody returns the key of the content of a message, and whether an object has a content or calls.
func hasBody(n *node) (content string, ok bool) {
	_, content = pick(n, contentKeys)
	_, calls := pick(n, callsKeys)
	return content, content != "" || calls != "" || has(n, "content") || has(n, "parts")
}

// enveloped returns the message in an envelope of LangChain.
func enveloped(n *node) (*node, string) {
	if kwargs, ok := n.Get("kwargs"); ok && has(n, "lc") {
		id, _ := n.Get("id")
		if len(id.Items) == 0 || kwargs.Kind != '{' {
			return n, ""
		}
		return kwargs, classes[strings.TrimSuffix(id.Items[len(id.Items)-1].Text, "Chunk")]
	}
	if info, _ := n.Get("info"); has(n, "parts") && !has(n, "role") && roleKinds[norm(info.TextOf("role"))] != "" { // of opencode
		out := *n
		role, _ := info.Get("role")
		out.Members = append([]json.Member{{Key: "role", At: info.At, Value: role}}, out.Members...)
		return &out, roleKinds[norm(role.Text)]
	}
	data, ok := n.Get("data")
	if !ok || data.Kind != '{' || !has(data, "content") || has(n, "content") {
		return n, ""
	}
	word := n.TextOf("type")
	if kind := typeOf(n); speaks(kind) {
		return data, kind
	} else if word == "system" || word == "tool" || word == "function" {
		return data, roleKinds[word]
	}
	return n, ""
}

// wrapper reports whether the member "message" of an object is a message itself.
func wrapper(n *node) bool {
	v, _ := n.Get("message")
	return v.Kind == '{' && (has(v, "role") || has(v, "content"))
}
