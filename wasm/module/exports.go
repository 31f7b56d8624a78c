//go:build wasip1

package main

import (
	"unsafe"

	"github.com/stile-playground/stile/core/session"
)

var (
	// current is the module's only session.
	current = session.New()

	// buffers keeps what the host reads and writes from being collected, by
	// address.
	buffers = map[uint32][]byte{}
)

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
	return uint64(keep(reply))<<32 | uint64(len(reply))
}

func keep(b []byte) uint32 {
	p := uint32(uintptr(unsafe.Pointer(unsafe.SliceData(b))))
	buffers[p] = b
	return p
}
