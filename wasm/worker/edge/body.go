//go:build js && wasm

package main

import (
	"bytes"
	"io"
	"strconv"
	"syscall/js"

	"github.com/stile-playground/stile/wasm/worker"
)

// bodyDeadline bounds the arrival of a request body, in milliseconds.
func bodyDeadline() int {
	if n, err := strconv.Atoi(variable("BODY_MS")); err == nil && n > 0 {
		return n
	}
	return 10_000
}

// streamed is a body backed by a stream of the runtime.
type streamed struct {
	stream, reader js.Value
	buffer         bytes.Buffer
	deadline       int // milliseconds from the first read on; 0 means none
	late           bool
	timer          js.Value
	expire         js.Func
}

func (s *streamed) Read(p []byte) (int, error) {
	if s.reader.IsUndefined() {
		s.start()
	}
	for s.buffer.Len() == 0 {
		part, err := await(s.reader.Call("read"))
		switch {
		case s.late:
			s.stop()
			return 0, worker.ErrSlow
		case err != nil:
			s.stop()
			return 0, io.ErrUnexpectedEOF
		case part.Get("done").Bool():
			s.stop()
			return 0, io.EOF
		}
		chunk := part.Get("value")
		room := make([]byte, chunk.Get("byteLength").Int())
		js.CopyBytesToGo(room, chunk)
		s.buffer.Write(room)
	}
	return s.buffer.Read(p)
}

func (s *streamed) start() {
	s.reader = s.stream.Call("getReader")
	if s.deadline == 0 {
		return
	}
	s.expire = js.FuncOf(func(js.Value, []js.Value) any {
		s.late = true
		s.cancel()
		return nil
	})
	s.timer = js.Global().Call("setTimeout", s.expire, s.deadline)
}

func (s *streamed) stop() {
	if !s.timer.IsUndefined() {
		js.Global().Call("clearTimeout", s.timer)
		s.timer = js.Undefined()
		s.expire.Release()
	}
}

// cancel cancels the stream. The stream may already have ended, so the promise is not awaited.
func (s *streamed) cancel() {
	ignore := js.Global().Get("Function").Get("prototype")
	from := s.reader
	if from.IsUndefined() {
		from = s.stream
	}
	from.Call("cancel").Call("then", ignore, ignore)
}

func (s *streamed) Close() error {
	s.stop()
	if !s.late {
		s.cancel()
	}
	return nil
}
