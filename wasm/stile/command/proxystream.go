package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"strings"
)

// chatStream is a stream of chat completions whose calls and texts are judged. A call is delayed until it
// is complete, and a text until its last character is. The first refused call or character ends the stream and
// the request to the server.
type chatStream struct {
	upstream io.ReadCloser
	events   events
	text     chatText
	calls    chatCalls
	out      bytes.Buffer
	ended    bool
	fault    error  // of the server, after what it sent before is delivered
	head     object // the members that all chunks share
	part     [4096]byte
}

func newChatStream(upstream io.ReadCloser, text chatText) *chatStream {
	s := &chatStream{upstream: upstream, text: text}
	s.events.event = s.event
	return s
}

// Close ends the request to the server.
func (s *chatStream) Close() error { return s.upstream.Close() }

// Read returns the judged events.
func (s *chatStream) Read(p []byte) (int, error) {
	for s.out.Len() == 0 && !s.ended {
		if s.fault != nil {
			return 0, s.fault
		}
		n, end := s.upstream.Read(s.part[:])
		err := s.events.add(s.part[:n])
		if errors.Is(end, io.EOF) && err == nil {
			err = s.events.add([]byte("\n\n")) // the last event may lack its end
			end = io.ErrUnexpectedEOF          // an open call is never delivered
		}
		if err != nil {
			return 0, errors.Join(err, s.upstream.Close())
		}
		s.fault = end
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

// event judges an event. Those after the end are not delivered.
func (s *chatStream) event(data string) error {
	if s.ended {
		return nil
	}
	if data = strings.TrimSpace(data); data == "[DONE]" {
		return s.end()
	}
	c, err := parseChunk([]byte(data))
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
	if r, err := s.parts(c.calls, finished); r != nil || err != nil {
		return errors.Join(err, s.stop(r))
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
		r, err = s.parts(nil, true)
	}
	if r != nil || err != nil {
		return errors.Join(err, s.stop(r))
	}
	s.ended = true
	s.out.WriteString("data: [DONE]\n\n")
	return nil
}

// parts adds parts of calls, and sends the calls that are complete and allowed.
func (s *chatStream) parts(parts []json.RawMessage, last bool) (*refused, error) {
	send := func(call object) error { return s.chunk(map[string]any{"tool_calls": []object{call}}, nil, nil) }
	for _, part := range parts {
		if r, err := s.calls.part(&s.text, part, send); r != nil || err != nil {
			return r, err
		}
	}
	if last {
		return s.calls.complete(&s.text, send)
	}
	return nil, nil
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
	if s.calls.allowed > 0 {
		finish = "tool_calls"
	}
	err := errors.Join(s.chunk(map[string]string{"content": r.text()}, nil, nil), s.chunk(map[string]string{}, finish, r))
	s.out.WriteString("data: [DONE]\n\n")
	s.ended = true
	return errors.Join(err, s.upstream.Close())
}
