// Package effort says how much a test should do where it runs.
package effort

import (
	"os"
	"runtime"
)

// Long reports whether minutes do not matter: `go run ./build test -long`.
func Long() bool { return os.Getenv("STILE_LONG") != "" }

// Of returns how many of n cases to try: all of them natively, and a tenth where
// the code runs ten times slower and the same cases have run natively, too:
// under the race detector and as WebAssembly.
func Of(n int) int {
	if !Long() && (raceDetector || runtime.GOARCH == "wasm") {
		return max(n/10, 1)
	}
	return n
}
