package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/gate"
)

// object is a JSON object with its members as they are.
type object = map[string]json.RawMessage

// set encodes a member.
func set(o object, name string, value any) {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // texts, and parts that were parsed, always encode
	}
	o[name] = text
}

// has reports whether an object has a member other than null.
func has(o object, name string) bool { return o[name] != nil && string(o[name]) != "null" }

// read decodes members of an object that are not null, by their exact names, as servers and clients do.
func read(o object, to map[string]any) (err error) {
	for name, at := range to {
		if has(o, name) {
			err = errors.Join(err, json.Unmarshal(o[name], at))
		}
	}
	return err
}

// The members of answers and chunks that a client receives. The others may contain texts or calls that are not judged.
var (
	answerMembers  = []string{"id", "object", "created", "model", "choices", "usage", "system_fingerprint", "service_tier", "error"}
	choiceMembers  = []string{"index", "message", "delta", "finish_reason"}
	messageMembers = []string{"role", "content", "refusal", "tool_calls"}
	thoughtMembers = []string{"reasoning_content", "reasoning", "reasoning_details", "thinking"}
)

// delivered removes the members that the proxy does not deliver. A call or a sound that it cannot judge is an error.
func (t *chatText) delivered(answer, choice, message object) error {
	for _, name := range []string{"function_call", "audio"} {
		if has(message, name) {
			return fmt.Errorf("the proxy does not judge %s", name)
		}
	}
	keep := func(o object, names ...string) {
		for name := range o {
			if !slices.Contains(names, name) {
				delete(o, name)
			}
		}
	}
	keep(answer, answerMembers...)
	keep(choice, choiceMembers...)
	if t.thoughts {
		keep(message, slices.Concat(messageMembers, thoughtMembers)...)
	} else {
		keep(message, messageMembers...)
	}
	return nil
}

// chatChunk is an event of a stream. An event without a choice reports the usage or an error.
type chatChunk struct {
	members, choice, delta object
	calls                  []json.RawMessage
}

func parseChunk(data []byte) (c chatChunk, err error) {
	var choices []json.RawMessage
	if err = json.Unmarshal(data, &c.members); err != nil {
		return c, err
	}
	if err = read(c.members, map[string]any{"choices": &choices}); len(choices) > 1 {
		return c, errors.New("a chunk has more than one choice")
	}
	if len(choices) == 1 && err == nil {
		err = json.Unmarshal(choices[0], &c.choice)
	}
	err = errors.Join(err, read(c.choice, map[string]any{"delta": &c.delta}))
	if c.delta == nil {
		c.delta = object{}
	}
	err = errors.Join(err, read(c.delta, map[string]any{"tool_calls": &c.calls}))
	if c.choice["message"] != nil {
		err = errors.Join(err, errors.New("the proxy does not judge message in a chunk"))
	}
	return c, err
}

// readChat reads a request. It returns the request as it is forwarded, and its messages. A request whose answer the
// proxy cannot judge is an error.
func readChat(text []byte) ([]byte, []chatMessage, error) {
	var body object
	if err := json.Unmarshal(text, &body); err != nil {
		return nil, nil, err
	}
	var n int
	var logprobs bool
	var modalities []string
	var tools []object
	var messages []chatMessage
	known := map[string]any{"n": &n, "logprobs": &logprobs, "modalities": &modalities, "tools": &tools, "messages": &messages}
	if err := read(body, known); err != nil {
		return nil, nil, err
	}
	for name := range body {
		if lower := strings.ToLower(name); lower != name && known[lower] != nil {
			return nil, nil, fmt.Errorf("unknown member %q of the request", name)
		}
	}
	for _, name := range []string{"functions", "function_call", "audio", "web_search_options"} {
		if has(body, name) {
			return nil, nil, fmt.Errorf("the proxy does not support %s", name)
		}
	}
	if n > 1 || logprobs || slices.ContainsFunc(modalities, func(kind string) bool { return kind != "text" }) {
		return nil, nil, errors.New("the proxy does not support n, logprobs and modalities other than text")
	}
	for _, tool := range tools {
		if string(tool["type"]) != `"function"` {
			return nil, nil, fmt.Errorf("the proxy does not support tools of the type %s", tool["type"])
		}
	}
	text, err := json.Marshal(body)
	return text, messages, err
}

// chatCall is a tool call of a model.
type chatCall struct {
	ID       string
	Type     string
	Function *chatFunction
}

type chatFunction struct{ Name, Arguments string }

// UnmarshalJSON reads a call by the exact names of its members.
func (c *chatCall) UnmarshalJSON(text []byte) error {
	var call, function object
	err := errors.Join(json.Unmarshal(text, &call), read(call, map[string]any{"id": &c.ID, "type": &c.Type, "function": &function}))
	if function != nil {
		c.Function = &chatFunction{}
		err = errors.Join(err, read(function, map[string]any{"name": &c.Function.Name, "arguments": &c.Function.Arguments}))
	}
	return err
}

// event returns the call for the guard. A call of another type than function is not supported.
func (c *chatCall) event() (gate.Event, error) {
	if c.Type != "" && c.Type != "function" || c.Function == nil {
		return gate.Event{}, fmt.Errorf("the proxy does not judge calls of the type %q", c.Type)
	}
	return gate.Event{Kind: "call", Name: c.Function.Name, ID: c.ID, Arguments: c.Function.Arguments}, nil
}

// chatMessage is a message of a request.
type chatMessage struct {
	Role       string
	Text       string // of all parts
	ToolCalls  []chatCall
	ToolCallID string
}

// UnmarshalJSON reads a message by the exact names of its members.
func (m *chatMessage) UnmarshalJSON(text []byte) error {
	var message object
	err := json.Unmarshal(text, &message)
	if has(message, "function_call") {
		return errors.New("the proxy does not judge function_call; use tool_calls")
	}
	var refusal string
	err = errors.Join(err, read(message, map[string]any{"role": &m.Role, "tool_calls": &m.ToolCalls, "tool_call_id": &m.ToolCallID, "refusal": &refusal}))
	var parts []object
	if content := message["content"]; has(message, "content") && json.Unmarshal(content, &m.Text) != nil {
		err = errors.Join(err, json.Unmarshal(content, &parts))
	}
	for _, p := range parts {
		var part, refused string
		err = errors.Join(err, read(p, map[string]any{"text": &part, "refusal": &refused}))
		m.Text += part + refused
	}
	m.Text += refusal
	return err
}
