package monitor

import (
	"slices"
	"strings"
)

// callKeys are keys that only calls and messages with calls have. A name together with
// arguments is a call, too.
const callKeys = " tool_calls toolcalls tool_call toolcall function_call functioncall tool_use tooluse tool_name toolname tool_input toolinput tool_args action_input actioninput tool_call_id toolcallid tool_use_id tooluseid recipient_name tool_uses tooluses tool_code toolrequest toolinvocation "

const (
	nameKeys     = " name function tool action method command recipient "
	argumentKeys = " arguments args input inputs parameters params kwargs arg "
)

// callMarks begin calls in texts of models.
var callMarks = []string{
	"<tool_call", "<toolcall", "<function_call", "<functioncall", "<function=", "<invoke", "<tool_use", "<tool_code", "<use_tool", "<tool>", "<action>",
	"<|tool", "<|python_tag|>", "<|channel|>commentary to=", "to=functions.", "[tool_calls]", "[tool_call", "<｜tool", "```tool_code", "```tool_call",
}

// holdsCall reports whether a string looks like a call in a model's text, or like JSON
// with one: it contains a mark of [callMarks], a key of [callKeys], or both a name and
// arguments as keys. The time is linear in the text.
func holdsCall(n *node) bool { return n.Kind == '"' && callText(n.Text) }

func callText(text string) bool {
	if strings.ContainsAny(text, "<[`") {
		low := strings.ToLower(text)
		for _, mark := range callMarks {
			if strings.Contains(low, mark) {
				return true
			}
		}
	}
	if strings.Contains(text, "to=functions.") { // the only mark without a bracket or a backquote
		return true
	}
	if written(text) {
		if roots, fault := readValues(text); fault == nil && slices.ContainsFunc(roots, callObject) {
			return true
		}
	}
	name, arguments := false, false
	for at := 0; at < len(text); {
		i := strings.IndexByte(text[at:], ':')
		if i < 0 {
			return false
		}
		key := quotedBefore(text[:at+i])
		at += i + 1
		if key == "" {
			continue
		}
		key = strings.ToLower(key)
		if word(callKeys, key) {
			return true
		}
		name = name || word(nameKeys, key)
		arguments = arguments || word(argumentKeys, key)
		if name && arguments {
			return true
		}
	}
	return false
}

// callObject reports whether a value in a model's text may be a call, or a list with one:
// it has a name and an object, or arguments that are an object.
func callObject(n *node) bool {
	name, object := false, false
	for _, m := range n.Members {
		inner := m.Value.Kind == '{' || m.Value.Kind == '"' && strings.HasPrefix(strings.TrimSpace(m.Value.Text), "{")
		if inner && word(argumentKeys, m.Key) {
			return true
		}
		object = object || inner
		name = name || m.Value.Kind == '"' && word(nameKeys, m.Key)
	}
	return name && object || slices.ContainsFunc(n.Items, callObject)
}

// quotedBefore returns the quoted name at the end of a text, or "". The quotes may be
// escaped.
func quotedBefore(text string) string {
	const longest = 24
	text = strings.TrimRight(text[max(0, len(text)-longest-16):], " \t\r\n")
	if text == "" || !strings.ContainsRune(`"'`, rune(text[len(text)-1])) {
		return ""
	}
	quote := text[len(text)-1:]
	text = strings.TrimRight(text[:len(text)-1], `\`)
	i := strings.LastIndex(text, quote)
	if i < 0 {
		return ""
	}
	return text[i+1:]
}

// callish reports whether a value contains an object or a string that looks like a call
// or a message.
func callish(n *node) bool {
	return !all(n, func(key string, v *node) bool {
		if v.Kind == '"' {
			return !callText(v.Text)
		}
		name, arguments := false, false
		for _, m := range v.Members {
			low := strings.ToLower(m.Key)
			text := m.Value.Kind == '"'
			if word(callKeys, low) || text && (low == "role" || low == "type" && callType(m.Value.Text)) {
				return false
			}
			name = name || text && word(nameKeys, low)
			arguments = arguments || word(argumentKeys, low)
		}
		return !name || !arguments
	})
}

// callType reports whether a name is the type of calls.
func callType(name string) bool {
	low := strings.ToLower(name)
	for _, part := range []string{"call", "tool_u", "tool-", "toolu", "invo"} {
		if strings.Contains(low, part) {
			return true
		}
	}
	return false
}
