package command

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// maxMessage bounds a JSON-RPC message, in bytes.
const maxMessage = 32 << 20

// rpc is a JSON-RPC message. Other members are not forwarded, because a server could read
// "Method" as a method.
type rpc struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   json.RawMessage `json:"error,omitempty"`
}

// parseRPC reads a message by the exact names of its members.
func parseRPC(text []byte) (rpc, error) {
	m := rpc{Version: "2.0"}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil {
		m.ID = idOf(text)
		return m, errors.New(notJSON)
	}
	if members == nil {
		return m, errors.New("a message must be one JSON object")
	}
	if method, ok := members["method"]; ok {
		if err := json.Unmarshal(method, &m.Method); err != nil || m.Method == "" {
			return m, errors.New("the method is not a text")
		}
	}
	m.ID, m.Params, m.Result, m.Error = members["id"], members["params"], members["result"], members["error"]
	return m, nil
}

// notJSON is the fault of a message that a decoder refuses.
const notJSON = "the message is not one JSON object, or is nested more than 10,000 levels deep"

// idOf returns the identifier of a message that cannot be read as a whole, such as one that is nested too deeply, or nil.
func idOf(text []byte) json.RawMessage {
	depth, key := 0, ""
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case '"':
			end := i + 1
			for ; end < len(text) && text[end] != '"'; end++ {
				if text[end] == '\\' {
					end++
				}
			}
			if depth == 1 {
				key = string(text[i+1 : min(end, len(text))])
			}
			i = end
		case ':':
			if depth != 1 || key != "id" {
				continue
			}
			var id json.RawMessage
			d := json.NewDecoder(bytes.NewReader(text[i+1:]))
			if d.Decode(&id) != nil || id[0] == '{' || id[0] == '[' {
				return nil
			}
			return id
		}
	}
	return nil
}

// answerRPC returns the encoding of a message; its parts are valid JSON.
func answerRPC(id json.RawMessage, member string, value any) []byte {
	if id == nil {
		id = json.RawMessage("null")
	}
	out, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, member: value})
	if err != nil {
		panic(err) // maps of texts and valid JSON always encode
	}
	return out
}

func faultRPC(id json.RawMessage, code int, reason string) []byte {
	return answerRPC(id, "error", map[string]any{"code": code, "message": reason})
}

// keyOf returns a text that is equal for equal identifiers, such as 1 and 1.0.
func keyOf(id json.RawMessage) string {
	var value any
	if json.Unmarshal(id, &value) != nil {
		return string(id)
	}
	return fmt.Sprintf("%T %v", value, value)
}

// eachLine calls a function for each line that is not empty.
func eachLine(r io.Reader, f func(line []byte) error) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxMessage)
	for lines.Scan() {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		if err := f(lines.Bytes()); err != nil {
			return err
		}
	}
	return lines.Err()
}

// textOf returns a text, or the JSON of another value.
func textOf(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	return string(value)
}
