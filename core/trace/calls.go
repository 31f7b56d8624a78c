package trace

import (
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/json"
)

// callKeys are keys that only calls and messages with calls have. A name together with
// arguments is a call, too.
const callKeys = " tool_calls toolcalls tool_call toolcall function_call functioncall tool_use tooluse tool_name toolname tool_input toolinput tool_args action_input actioninput tool_call_id toolcallid tool_use_id tooluseid recipient_name tool_uses tooluses tool_code toolrequest toolinvocation "

const (
	callNames     = " name function tool action method command recipient "
	callArguments = " arguments args input inputs parameters params kwargs arg "
)

// keyKind is the part of a call that a key holds: the call, its name or its arguments.
type keyKind byte

const (
	callKey keyKind = iota + 1
	callName
	callArgument
)

// keyKinds has the words of callKeys, callNames and callArguments.
var keyKinds = func() map[string]keyKind {
	out := map[string]keyKind{}
	for i, list := range []string{callKeys, callNames, callArguments} {
		for word := range strings.FieldsSeq(list) {
			out[word] = callKey + keyKind(i)
		}
	}
	return out
}()

// callMarks begin calls in texts of models.
var callMarks = []string{
	"<tool_call", "<toolcall", "<function_call", "<functioncall", "<function=", "<invoke", "<tool_use", "<tool_code", "<use_tool", "<use_mcp_tool", "<execute", "<details type=\"tool_calls\"", "<read_file>", "<write_to_file>", "<replace_in_file>", "<apply_diff>", "<tool>", "<action>",
	"<|tool", "<|python_tag|>", "<|channel|>commentary to=", "to=functions.", "[tool_calls]", "[tool_call", "<｜tool", "```tool_code", "```tool_call",
}

// CallText reports whether a text looks like a call that a model wrote, or like JSON with
// one: it contains a mark of [callMarks], a key of [callKeys], or both a name and arguments
// as keys. The time is linear in the text.
func CallText(text string) bool {
	if CallMark(text) {
		return true
	}
	name, arguments := false, false
	for at := 0; at < len(text); {
		i := strings.IndexByte(text[at:], ':')
		if i < 0 {
			break
		}
		key := QuotedBefore(text[:at+i])
		at += i + 1
		if key == "" {
			continue
		}
		kind := keyKinds[strings.ToLower(key)]
		if kind == callKey {
			return true
		}
		name = name || kind == callName
		arguments = arguments || kind == callArgument
		if name && arguments {
			return true
		}
	}
	// An object with a call has one of these keys, perhaps with escapes.
	if Written(text) && (name || arguments || strings.Contains(text, `\u`)) {
		if roots, fault := json.Trees(text); fault == nil && slices.ContainsFunc(roots, callObject) {
			return true
		}
	}
	return false
}

// CallMark reports whether a text contains a mark of [callMarks]. The marks begin with one of three
// characters, except "to=functions.".
func CallMark(text string) bool {
	bracketed := false
	for at := range len(text) {
		if c := text[at]; c != '<' && c != '[' && c != '`' {
			continue
		}
		bracketed = true
		if at+1 < len(text) && strings.IndexByte(secondOfMarks, text[at+1]) < 0 {
			continue
		}
		start := strings.ToLower(text[at:min(len(text), at+longestMark)])
		for _, mark := range callMarks {
			if mark[0] == start[0] && strings.HasPrefix(start, mark) {
				return true
			}
		}
	}
	const function = "to=functions."
	if !bracketed {
		return strings.Contains(text, function)
	}
	for at := 0; ; at++ {
		i := strings.IndexByte(text[at:], '=')
		if i < 0 {
			return false
		}
		at += i
		if at >= 2 && len(text) >= at-2+len(function) && strings.EqualFold(text[at-2:at-2+len(function)], function) {
			return true
		}
	}
}

// secondOfMarks has the second bytes of the marks that begin with a bracket or a backtick.
const secondOfMarks = "TtFfIiUuAaEeRrWwDd|`\xef"

// longestMark bounds the bytes of a mark.
const longestMark = 40

// callObject reports whether a value in a model's text may be a call, or a list with one:
// it has a name and an object, or arguments that are an object.
func callObject(n *node) bool {
	name, object := false, false
	for _, m := range n.Members {
		inner := m.Value.Kind == '{' || m.Value.Kind == '"' && strings.HasPrefix(strings.TrimSpace(m.Value.Text), "{")
		if inner && Word(callArguments, m.Key) {
			return true
		}
		object = object || inner
		name = name || m.Value.Kind == '"' && Word(callNames, m.Key)
	}
	return name && object || slices.ContainsFunc(n.Items, callObject)
}

// QuotedBefore returns the quoted name at the end of a text, or "". The quotes may be
// escaped.
func QuotedBefore(text string) string {
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

// Callish reports whether a value contains an object or a string that looks like a call
// or a message.
func Callish(n *json.Node) bool {
	return !All(n, func(key string, v *node) bool {
		if v.Kind == '"' {
			return !CallText(v.Text)
		}
		name, arguments := false, false
		for _, m := range v.Members {
			low := strings.ToLower(m.Key)
			text := m.Value.Kind == '"'
			if Word(callKeys, low) || text && (low == "role" || low == "type" && CallType(m.Value.Text)) {
				return false
			}
			name = name || text && Word(callNames, low)
			arguments = arguments || Word(callArguments, low)
		}
		return !name || !arguments
	})
}

// CallType reports whether a name is the type of calls.
func CallType(name string) bool {
	low := strings.ToLower(name)
	for _, part := range []string{"call", "tool_u", "tool-", "toolu", "invo"} {
		if strings.Contains(low, part) {
			return true
		}
	}
	return false
}

// Word reports whether a space-separated list contains a word.
func Word(list, w string) bool {
	for rest := list; w != ""; {
		i := strings.Index(rest, w)
		if i < 0 {
			return false
		}
		if (i == 0 || rest[i-1] == ' ') && (i+len(w) == len(rest) || rest[i+len(w)] == ' ') {
			return true
		}
		rest = rest[i+1:]
	}
	return false
}

// Blank reports whether a value contains neither text nor a key.
func Blank(n *json.Node) bool {
	switch n.Kind {
	case '"':
		return strings.TrimSpace(n.Text) == ""
	case '[':
		return len(n.Items) == 0
	}
	return n.Kind != '{'
}

// All reports whether a condition is true for a value and all values in it; key is "" for
// items of a list.
func All(n *json.Node, is func(key string, v *json.Node) bool) bool { return allOf("", n, is) }

func allOf(key string, n *node, is func(key string, v *node) bool) bool {
	if !is(key, n) {
		return false
	}
	for _, v := range n.Items {
		if !allOf("", v, is) {
			return false
		}
	}
	for _, m := range n.Members {
		if !allOf(m.Key, m.Value, is) {
			return false
		}
	}
	return true
}

// PlainWord reports whether a text is a single word, which cannot contain a call.
func PlainWord(text string) bool { return !strings.ContainsAny(text, " \t\r\n\"'`{}[]()<>,;|\\") }

// Written reports whether a text may be JSON or XML.
func Written(text string) bool {
	text = strings.TrimSpace(text)
	return text != "" && strings.Contains("{[<", text[:1])
}

func has(n *node, key string) bool {
	_, ok := n.Get(key)
	return ok
}
