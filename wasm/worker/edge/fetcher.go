//go:build js && wasm

package main

import (
	"io"
	"net/http"
	"syscall/js"
)

// fetcher sends requests with the runtime's fetch. Unlike the library's fetcher, it sends a body
// in one piece, so that the endpoint knows its length, keeps headers unchanged, and waits only for
// the reply's headers.
type fetcher struct{}

// RoundTrip implements [http.RoundTripper].
func (fetcher) RoundTrip(r *http.Request) (*http.Response, error) {
	headers := map[string]any{}
	for name, values := range r.Header {
		headers[name] = values[0]
	}
	// No cache: a reply cached for one person must not be served to another.
	init := map[string]any{"method": r.Method, "headers": headers, "redirect": "manual", "cache": "no-store"}
	if r.Body != nil {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		bytes := js.Global().Get("Uint8Array").New(len(body))
		js.CopyBytesToJS(bytes, body)
		init["body"] = bytes
	}
	promise, err := attempt(func() js.Value { return js.Global().Call("fetch", r.URL.String(), init) })
	if err != nil {
		return nil, err
	}
	got, err := await(promise)
	if err != nil {
		return nil, err
	}
	out := &http.Response{StatusCode: got.Get("status").Int(), Header: http.Header{}, ContentLength: -1, Request: r, Body: http.NoBody}
	entries := js.Global().Get("Array").Call("from", got.Get("headers"))
	for i := range entries.Length() {
		out.Header.Add(entries.Index(i).Index(0).String(), entries.Index(i).Index(1).String())
	}
	if stream := got.Get("body"); !stream.IsNull() {
		out.Body = &streamed{stream: stream}
	}
	return out, nil
}
