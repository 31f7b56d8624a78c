//go:build wasip1

package main

import (
	"runtime"
	"unsafe"

	"github.com/stile-playground/stile/core/session"
)

var (
	// current is the module's only session.
	current = session.New()

	// buffers keeps what the host reads and writes from being collected, by
	// address.
	buffers = map[uint32][]byte{}

	// handled is how many bytes requests and replies had since the last rest.
	handled uint32
)

// restAfter is how many bytes have to be handled for a rest to collect: what little came
// of less is not worth the time.
const restAfter = 32 << 10

//go:wasmexport alloc
func alloc(n uint32) uint32 {
	// A slice of no capacity has an address that others share.
	return keep(make([]byte, n, max(n, 1)))
}

//go:wasmexport free
func free(p uint32) { delete(buffers, p) }

// handle panics, and so traps, when p was not given out by alloc or n is beyond
// its size: only a faulty host does that.
//
//go:wasmexport handle
func handle(p, n uint32) uint64 {
	request := buffers[p][:n]
	delete(buffers, p)
	reply := current.Handle(request)
	handled += n + uint32(len(reply))
	return uint64(keep(reply))<<32 | uint64(len(reply))
}

// rest collects what is not used any more, unless that is little. Between requests
// nothing half done is held on to, so a memory that is collected here grows less than one
// that is only collected in the midst of an answer, and answers wait less.
//
//go:wasmexport rest
func rest() {
	if handled >= restAfter {
		handled = 0
		runtime.GC()
	}
}

func keep(b []byte) uint32 {
	p := uint32(uintptr(unsafe.Pointer(unsafe.SliceData(b))))
	buffers[p] = b
	return p
}
