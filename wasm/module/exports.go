//go:build wasip1

package module

import (
	"runtime"
	"unsafe"

	"github.com/stile-playground/stile/core/session"
)

var (
	// current is the module's only session.
	current *session.Session

	// buffers keeps the memory that the host reads and writes from being collected, by
	// address.
	buffers = map[uint32][]byte{}

	// handled counts the bytes of requests and replies since the last collection.
	handled uint32
)

// Serve sets the session that answers requests. A main package calls it while its
// variables are initialised, because a reactor never runs main.
func Serve(s *session.Session) *session.Session {
	current = s
	return s
}

// minHandled is the number of handled bytes before garbage is collected: a smaller
// collection costs more than it frees.
const minHandled = 32 << 10

// maxHandled is the number of handled bytes after which garbage is collected before the next request, if the host
// does not call collect. The collector's own pace depends on the clock, and falls behind on a busy machine.
const maxHandled = 16 << 20

//go:wasmexport alloc
func alloc(n uint32) uint32 {
	if handled >= maxHandled {
		collect()
	}
	// All slices without capacity have the same address.
	return keep(make([]byte, n, max(n, 1)))
}

//go:wasmexport free
func free(p uint32) { delete(buffers, p) }

// handle panics, and so traps, if p is not an address that alloc returned or n is larger
// than its size: only a faulty host does that.
//
//go:wasmexport handle
func handle(p, n uint32) uint64 {
	request := buffers[p][:n]
	delete(buffers, p)
	reply := current.Handle(request)
	handled += n + uint32(len(reply))
	return uint64(keep(reply))<<32 | uint64(len(reply))
}

// collect runs the garbage collector once at least minHandled bytes were handled since the
// last collection. Between requests no half-finished work is live, so the memory grows
// less than if it were collected during an answer, and answers wait less.
//
//go:wasmexport collect
func collect() {
	if handled >= minHandled {
		handled = 0
		runtime.GC()
	}
}

func keep(b []byte) uint32 {
	p := uint32(uintptr(unsafe.Pointer(unsafe.SliceData(b))))
	buffers[p] = b
	return p
}
