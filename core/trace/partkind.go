package trace

import "strings"

// partMembers are the members that name the kind of a part without a type.
var partMembers = map[string]string{
	"text": isText, "functionCall": isCall, "function_call": isCall, "toolUse": isCall, "tool_use": isCall, "toolCall": isCall, "toolRequest": isCall, "toolResponse": isResult, "tool_call": isCall, "functionResponse": isResult, "tool_call_result": isResult, "function_response": isResult, "toolResult": isResult, "tool_result": isResult,
	"reasoningContent": isThought, "reasoning": isThought, "thinking": isThought, "inlineData": isMedia, "fileData": isMedia, "image": isMedia, "document": isMedia, "video": isMedia, "cachePoint": isMark, "guardContent": isMark,
	"thoughtSignature": isMark, "executableCode": isCall, "codeExecutionResult": isResult,
}

// partOf returns the kind of a part without a type, or "".
func partOf(n *node) string {
	found := ""
	for _, m := range n.Members {
		kind := partMembers[m.Key]
		if kind == isText && m.Value.Kind != '"' || kind == isThought && m.Value.Kind == '0' || m.Value.Kind == '[' || (kind == isCall || kind == isResult) && m.Value.Kind != '{' {
			continue
		}
		if kind != "" && (found == "" || found == isMark || found == isText) {
			found = kind
		}
	}
	return found
}

// partKind returns the kind of a part, and its type.
func partKind(n *node, s scope) (kind, name string) {
	kind, name = typed(n)
	if v, _ := n.Get("transcript"); kind == isMedia && v.Kind == '"' {
		kind = isText
	}
	if kind == isCall && byPhone(n) {
		return "", name
	}
	if kind != "" && kind != isMessage {
		return kind, name
	}
	kind = partOf(n)
	if (s.role == "" || name != "" && has(n, "type") && typeOf(n) == "" || callLike(n) || named(n)) && kind != isCall && kind != isResult {
		kind = "" // a document with such a member
	}
	if v, _ := n.Get("thought"); kind == isText && v.Kind == 't' {
		kind = isThought
	}
	if (kind == "" || kind == isMessage) && (callLike(n) || s.calls || name == "function" && functionCall(n)) {
		kind = isCall
	}
	if kind == "" && resultLike(n) {
		kind = isResult
	}
	return kind, name
}

// byPhone reports whether an object is a call by phone, which has messages.
func byPhone(n *node) bool {
	messages, _ := pick(n, "messages transcript")
	return messages.Kind == '['
}

// functionCall reports whether an object has a call as its function.
func functionCall(n *node) bool {
	f, _ := n.Get("function")
	return callLike(f)
}

// named reports whether an object has the name of a tool.
func named(n *node) bool {
	_, key := firstText(n, nameKeys)
	return key != ""
}

// onlyWords reports whether all texts in a value are single words.
func onlyWords(n *node) bool {
	return !Callish(n) && All(n, func(_ string, v *node) bool { return v.Kind != '"' || PlainWord(v.Text) })
}

// callLike reports whether an object has the name and the arguments of a call.
func callLike(n *node) bool {
	name, _ := pick(n, nameKeys)
	arguments, key := pick(n, argumentKeys)
	if name.Kind != '"' || name.Text == "" || key == "" {
		return false
	}
	switch {
	case arguments.Kind == '{':
		if messages, _ := arguments.Get("messages"); len(messages.Items) > 0 {
			if _, role := message(messages.Items[0]); role != "" || messages.Items[0].Kind == '[' {
				return false // the step of a graph
			}
		}
	case arguments.Kind == '"' && (strings.HasPrefix(strings.TrimSpace(arguments.Text), "{") || key != "input"):
	default:
		return false
	}
	return true
}

// resultLike reports whether an object has the identifier of a call and a result.
func resultLike(n *node) bool {
	_, id := pick(n, ownIDs+" source_call_id")
	_, result := pick(n, "output result response observation tool_output is_error")
	if has(n, "model") || has(n, "usage") || has(n, "toolCalls") {
		return false // a step
	}
	if _, outputs := pick(n, "outputs result"); outputs != "" && askedIn(n) != nil {
		return true
	}
	return id != "" && (result != "" || len(n.Members) <= 5 && has(n, "content"))
}

// ownWords reports whether an object has only single words as texts, and no key of a call's name or arguments.
func ownWords(n *node) bool {
	return n.Kind == '{' && All(n, func(key string, v *node) bool {
		if key == "messages" && len(v.Items) > 0 { // of a node of a graph
			return false
		}
		return (v.Kind != '"' || PlainWord(v.Text)) && !Word(callNames+callArguments, key)
	})
}
