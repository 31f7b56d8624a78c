// Package module makes a WASI reactor of a session: the exports of the WebAssembly
// modules that the page loads and that the tests run under wazero.
//
// There are two modules, which differ in their table of methods: command wasm/core, which
// the page loads first, and command wasm/full. Each is built with
//
//	GOOS=wasip1 GOARCH=wasm go build -buildmode=c-shared
//
// and exports five functions. A host calls _initialize once, then, for each
// request of the protocol (see core/session),
//
//	alloc(n)     → p          allocates n bytes at p in the module's memory
//	handle(p, n) → q<<32 | m  the reply: m bytes at q; frees the request
//	free(q)                   frees the reply
//	collect()                 collects garbage: for when no request is pending
//
// It imports wasi_snapshot_preview1 and nothing else. The module holds one
// session and has no threads: a host makes one call at a time. An export that
// traps leaves the instance useless; a host starts a new one.
package module
