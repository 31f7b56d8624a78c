package command

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"strings"
)

// maxCalls bounds the calls of an answer.
const maxCalls = 128

// chatStream is a stream of chat completions whose calls and texts are judged. A call is delayed until it
// is complete, and a text until its last character is. The first refused call or character ends the stream and
// the request to the server.
type chatStream struct {
	upstream io.ReadCloser
	lines    *bufio.Scanner
	text     chatText
	out      bytes.Buffer
	ended    bool

	calls     []object        // in the order of their indexes; the last one is open
	arguments strings.Builder // of the open call
	size      int             // of all arguments
	open      bool
	allowed   int
	head      object // the members that all chunks share
}

func newChatStream(upstream io.ReadCloser, text chatText) *chatStream {
	lines := bufio.NewScanner(upstream)
	lines.Buffer(nil, maxMessage)
	return &chatStream{upstream: upstream, lines: lines, text: text}
}

// Close ends the request to the server.
func (s *chatStream) Close() error { return s.upstream.Close() }

// Read returns the judged events.
func (s *chatStream) Read(p []byte) (int, error) {
	for s.out.Len() == 0 {
		if s.ended {
			return 0, io.EOF
		}
		if !s.lines.Scan() {
			if err := s.lines.Err(); err != nil {
				return 0, err
			}
			return 0, io.ErrUnexpectedEOF // an open call is never delivered
		}
		data, ok := bytes.CutPrefix(s.lines.Bytes(), []byte("data:"))
		if !ok {
			continue // comments, and the ends of events
		}
		if err := s.event(bytes.TrimSpace(data)); err != nil {
			return 0, errors.Join(err, s.upstream.Close())
		}
	}
	return s.out.Read(p)
}

func (s *chatStream) send(value any) error {
	text, err := json.Marshal(value)
	if err == nil {
		fmt.Fprintf(&s.out, "data: %s\n\n", text)
	}
	return err
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

func (s *chatStream) event(data []byte) error {
	if string(data) == "[DONE]" {
		return s.end()
	}
	c, err := parseChunk(data)
	if err == nil {
		err = s.text.delivered(c.members, c.choice, c.delta)
	}
	if err != nil {
		return err
	}
	if c.choice == nil {
		return s.send(c.members)
	}
	if s.head == nil {
		s.head = maps.Clone(c.members)
		delete(s.head, "choices")
		delete(s.head, "usage")
	}
	finish := c.choice["finish_reason"]
	finished := finish != nil && string(finish) != "null"
	if r, err := s.content(c.delta, finished); r != nil || err != nil {
		return errors.Join(err, s.stop(r))
	}
	for _, part := range c.calls {
		if r, err := s.part(part); r != nil || err != nil {
			return errors.Join(err, s.stop(r))
		}
	}
	if finished {
		if r, err := s.complete(); r != nil || err != nil {
			return errors.Join(err, s.stop(r))
		}
	}
	delete(c.delta, "tool_calls")
	if len(c.delta) == 0 && !finished && c.calls != nil && c.members["usage"] == nil {
		return nil
	}
	set(c.choice, "delta", c.delta)
	set(c.members, "choices", []object{c.choice})
	return s.send(c.members)
}

// content replaces the content of a chunk by its permitted beginning. If the rest is refused, it sends the chunk.
func (s *chatStream) content(delta object, last bool) (*refused, error) {
	member, text, r, err := s.text.judge(delta, last)
	if text != "" || has(delta, member) {
		set(delta, member, text)
	}
	if r != nil {
		delete(delta, "tool_calls")
		err = s.chunk(delta, nil, nil)
	}
	return r, err
}

// end judges the rest of a text and the open call, and ends the stream.
func (s *chatStream) end() error {
	delta := object{}
	r, err := s.content(delta, true)
	if r == nil && err == nil && len(delta) > 0 {
		err = s.chunk(delta, nil, nil)
	}
	if r == nil && err == nil {
		r, err = s.complete()
	}
	if r != nil || err != nil {
		return errors.Join(err, s.stop(r))
	}
	s.ended = true
	s.out.WriteString("data: [DONE]\n\n")
	return nil
}

// part adds a part of a call. The first part of the next call completes the previous call.
func (s *chatStream) part(text json.RawMessage) (*refused, error) {
	var part struct {
		Index    *int
		Function struct{ Arguments string }
	}
	var members object
	if err := errors.Join(json.Unmarshal(text, &part), json.Unmarshal(text, &members)); err != nil {
		return nil, err
	}
	index := len(s.calls)
	if part.Index != nil {
		index = *part.Index
	}
	if s.size += len(part.Function.Arguments); s.size > maxMessage || len(s.calls) > maxCalls {
		return nil, errors.New("the calls are too large")
	}
	switch {
	case s.open && index == len(s.calls)-1:
		s.arguments.WriteString(part.Function.Arguments)
		return nil, nil
	case index == len(s.calls):
		r, err := s.complete()
		if r == nil && err == nil {
			s.calls, s.open = append(s.calls, members), true
			s.arguments.Reset()
			s.arguments.WriteString(part.Function.Arguments)
		}
		return r, err
	}
	return nil, fmt.Errorf("unexpected index %d of a call", index)
}

// complete judges the open call, and sends it if it is allowed.
func (s *chatStream) complete() (*refused, error) {
	if !s.open {
		return nil, nil
	}
	s.open = false
	call := s.calls[len(s.calls)-1]
	var function object
	if f := call["function"]; f != nil {
		if err := json.Unmarshal(f, &function); err != nil {
			return nil, err
		}
		set(function, "arguments", s.arguments.String())
		set(call, "function", function)
	}
	text, err := json.Marshal(call)
	if err != nil {
		return nil, err
	}
	r := judgeCall(s.text.session, text)
	s.text.fed = 0 // a call ends the text before it
	if r != nil {
		return r, nil
	}
	s.allowed++
	set(call, "index", len(s.calls)-1)
	return nil, s.chunk(map[string]any{"tool_calls": []object{call}}, nil, nil)
}

func (s *chatStream) chunk(delta, finish any, r *refused) error {
	chunk := object{}
	maps.Copy(chunk, s.head)
	set(chunk, "choices", []map[string]any{{"index": 0, "delta": delta, "finish_reason": finish}})
	if r != nil {
		set(chunk, "stile", r)
	}
	return s.send(chunk)
}

// stop ends the stream with the reason of a refusal as a text of the model.
func (s *chatStream) stop(r *refused) error {
	if r == nil {
		return nil // a fault ends the stream
	}
	finish := "stop"
	if s.allowed > 0 {
		finish = "tool_calls"
	}
	err := errors.Join(s.chunk(map[string]string{"content": r.text()}, nil, nil), s.chunk(map[string]string{}, finish, r))
	s.out.WriteString("data: [DONE]\n\n")
	s.ended = true
	return errors.Join(err, s.upstream.Close())
}
