//go:build js && wasm

package main

import (
	"bytes"
	"io"
	"net/http"
	"syscall/js"
)

// rawBody is implemented by the library's request bodies and response writers: access to the
// runtime's object.
type (
	rawReader interface{ GetRawJSBody() js.Value }
	rawWriter interface{ WriteRawJSBody(js.Value) }
)

// answering connects a handler with the runtime's bodies. Our own replies are short and are
// collected; a relayed reply is passed to the runtime as a stream.
func answering(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if raw, ok := r.Body.(rawReader); ok {
			body := &streamed{stream: raw.GetRawJSBody(), deadline: bodyDeadline()}
			defer body.stop()
			r.Body = body
		}
		a := &answer{header: w.Header(), status: http.StatusOK}
		a.serve(h, r)
		w.WriteHeader(a.status)
		switch {
		case !a.stream.IsUndefined():
			w.(rawWriter).WriteRawJSBody(a.stream)
		case r.Method == http.MethodHead || a.status == http.StatusNoContent || a.text.Len() == 0:
			w.(rawWriter).WriteRawJSBody(js.Null())
		default:
			bytes := js.Global().Get("Uint8Array").New(a.text.Len())
			js.CopyBytesToJS(bytes, a.text.Bytes())
			w.(rawWriter).WriteRawJSBody(bytes)
		}
	})
}

// answer collects the reply of a handler.
type answer struct {
	header http.Header
	status int
	text   bytes.Buffer
	stream js.Value
}

// serve runs the handler. A panic must not end the instance, nor be printed: its trace may quote
// the request.
func (a *answer) serve(h http.Handler, r *http.Request) {
	defer func() {
		if recover() != nil {
			a.status, a.stream = http.StatusInternalServerError, js.Undefined()
			a.text.Reset()
			a.text.WriteString(`{"code":"worker.failed","message":"the worker failed at this request"}` + "\n")
			a.header.Set("Content-Type", "application/json; charset=utf-8")
			a.header.Set("Cache-Control", "no-store")
		}
	}()
	h.ServeHTTP(a, r)
}

func (a *answer) Header() http.Header         { return a.header }
func (a *answer) WriteHeader(status int)      { a.status = status }
func (a *answer) Write(p []byte) (int, error) { return a.text.Write(p) }

// TakeBody implements worker.BodyTaker for a relayed reply.
func (a *answer) TakeBody(body io.ReadCloser) bool {
	s, ok := body.(*streamed)
	if ok {
		a.stream = s.stream
	}
	return ok
}
