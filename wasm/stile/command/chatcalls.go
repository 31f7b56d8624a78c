package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// maxCalls bounds the calls of an answer.
const maxCalls = 128

// chatCalls are the calls of a stream, which arrive in parts.
type chatCalls struct {
	list      []object        // in the order of their indexes; the last one is open
	arguments strings.Builder // of the open call
	size      int             // of all arguments
	open      bool
	allowed   int
}

// part adds a part of a call. The first part of the next call completes the previous call.
func (c *chatCalls) part(t *chatText, text json.RawMessage, send func(call object) error) (*refused, error) {
	var part struct {
		Index    *int
		Function struct{ Arguments string }
	}
	var members object
	if err := errors.Join(json.Unmarshal(text, &part), json.Unmarshal(text, &members)); err != nil {
		return nil, err
	}
	index := len(c.list)
	if part.Index != nil {
		index = *part.Index
	}
	if c.size += len(part.Function.Arguments); c.size > maxMessage || len(c.list) > maxCalls {
		return nil, errors.New("the calls are too large")
	}
	switch {
	case c.open && index == len(c.list)-1:
		c.arguments.WriteString(part.Function.Arguments)
		return nil, nil
	case index == len(c.list):
		r, err := c.complete(t, send)
		if r == nil && err == nil {
			c.list, c.open = append(c.list, members), true
			c.arguments.Reset()
			c.arguments.WriteString(part.Function.Arguments)
		}
		return r, err
	}
	return nil, fmt.Errorf("unexpected index %d of a call", index)
}

// complete judges the open call, and sends it if it is allowed.
func (c *chatCalls) complete(t *chatText, send func(call object) error) (*refused, error) {
	if !c.open {
		return nil, nil
	}
	c.open = false
	call := c.list[len(c.list)-1]
	var function object
	if f := call["function"]; f != nil {
		if err := json.Unmarshal(f, &function); err != nil {
			return nil, err
		}
		set(function, "arguments", c.arguments.String())
		set(call, "function", function)
	}
	text, err := json.Marshal(call)
	if err != nil {
		return nil, err
	}
	r := judgeCall(t.session, text)
	t.fed = 0 // a call ends the text before it
	if r != nil {
		return r, nil
	}
	c.allowed++
	set(call, "index", len(c.list)-1)
	return nil, send(call)
}
