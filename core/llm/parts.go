package llm

import (
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/json"
)

// Gemini and Bedrock have conversations of the same shape: turns of two roles with lists of parts,
// each of which has a member that names its kind. Their JSON is written as text and read as a tree:
// types for it would take several kilobytes more of the module.

// partFormat is the form of a conversation.
type partFormat struct {
	assistant, list string // the assistant's role, and the member with the parts
	call            func(c ToolCall) string
	result          func(m Message, tool string) string
}

// conversation returns the parts of the system's messages, and the turns. Successive messages with
// the same role form one turn, because the results of parallel calls must be in one turn.
func (w wire) conversation(f partFormat) (system, turns string) {
	names := map[string]string{}
	before := ""
	for _, m := range w.turns() {
		if m.Role == "system" {
			system += textPart(m.Content) + ","
			continue
		}
		for _, c := range m.ToolCalls {
			names[c.ID] = c.Name
		}
		role := "user"
		if m.Role == "assistant" {
			role = f.assistant
		}
		if role != before {
			turns, before = closed(turns)+`{"role":"`+role+`","`+f.list+`":[`, role
		}
		if m.Role == "tool" {
			turns += f.result(m, names[m.ToolCallID]) + ","
		} else {
			turns += w.partsOf(m, f)
		}
	}
	return system, strings.TrimSuffix(closed(turns), ",")
}

// closed ends the last turn.
func closed(turns string) string {
	if turns == "" {
		return ""
	}
	return strings.TrimSuffix(turns, ",") + "]},"
}

// partsOf returns the parts of a message, each followed by a comma: if the provider wants them
// back, the original parts of the answer, otherwise parts for the text and the calls.
func (w wire) partsOf(m Message, f partFormat) string {
	if blocks := m.Opaque.blocks(); len(blocks) > 0 && !w.without.opaque {
		own := string(m.Opaque.Content)
		return own[strings.IndexByte(own, '[')+1:strings.LastIndexByte(own, ']')] + ","
	}
	parts := ""
	if strings.TrimSpace(m.Content) != "" || len(m.ToolCalls) == 0 {
		parts = textPart(m.Content) + ","
	}
	for _, c := range m.ToolCalls {
		parts += f.call(c) + ","
	}
	return parts
}

// textPart returns a part with a text, or with a remark for an empty one, which is refused.
func textPart(text string) string {
	if strings.TrimSpace(text) == "" {
		text = "(nothing)"
	}
	return object(member("text", encoded(text)))
}

// toolMembers returns the members of a tool that all formats have.
func toolMembers(t Tool) string {
	description := ""
	if t.Description != "" {
		description = encoded(t.Description)
	}
	return member("name", encoded(t.Name)) + member("description", description)
}

// encoded returns the JSON of a string, a number or a list.
func encoded(value any) string {
	raw, _ := json.Marshal(value)
	return string(raw)
}

// limit returns a limit of tokens in JSON, or "" for no limit.
func limit(tokens int) string {
	if tokens == 0 {
		return ""
	}
	return strconv.Itoa(tokens)
}

// member returns a member of an object, followed by a comma, or "" if the value is empty.
func member(name, raw string) string {
	switch raw {
	case "", "null", "[]", "{}":
		return ""
	}
	return `"` + name + `":` + raw + ","
}

// object returns an object with members that end with a comma.
func object(members string) string { return "{" + strings.TrimSuffix(members, ",") + "}" }

// textsOf returns a JSON object whose values are strings. pairs lists names and values alternately.
func textsOf(pairs ...string) json.RawMessage {
	out := json.RawMessage("{")
	for i, text := range pairs {
		out = append(append(out, encoded(text)...), ":,"[i%2])
	}
	out[len(out)-1] = '}'
	return out
}

// array returns a list of values, each of which ends with a comma.
func array(values string) string { return "[" + strings.TrimSuffix(values, ",") + "]" }

// at returns the value at a path of members.
func at(n *json.Node, path ...string) *json.Node {
	for _, key := range path {
		n, _ = n.Get(key)
	}
	return n
}

// sum returns the sum of the numbers of tokens in members. Each number is bounded, so that sums
// do not overflow.
func sum(n *json.Node, keys ...string) int {
	total := 0
	for _, key := range keys {
		number, _ := strconv.Atoi(at(n, key).Text) // a number out of range becomes the largest int
		total += max(0, min(number, maxUsage))
	}
	return total
}

// kept returns the opaque delta for parts that must be sent back.
func kept(parts []string) *opaqueDelta {
	return &opaqueDelta{content: json.RawMessage(array(strings.Join(parts, ",")))}
}
