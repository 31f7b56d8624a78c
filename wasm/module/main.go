// Command module is the core as a WASI reactor: the one WebAssembly module that
// the page loads and that the tests run under wazero.
//
// It is built with
//
//	GOOS=wasip1 GOARCH=wasm go build -buildmode=c-shared
//
// and exports five functions. A host calls _initialize once, then, for each
// request of the protocol (see core/session),
//
//	alloc(n)     → p          room for n bytes at p in the module's memory
//	handle(p, n) → q<<32 | m  the reply: m bytes at q; the request's room is given back
//	free(q)                   the reply's room is given back
//	rest()                    collects garbage: for when nothing waits, if at all
//
// It imports wasi_snapshot_preview1 and nothing else. The module holds one
// session and has no threads: a host makes one call at a time. An export that
// traps leaves the instance useless; a host starts a new one.
package main

// main is never run in a reactor; a command needs it all the same.
func main() {}
