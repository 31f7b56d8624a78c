// Package effort says how much a test should do where it runs.
//
// Three places differ. Natively a test says of a kind of case all that it has to say,
// within seconds. Under the race detector and as WebAssembly the same code runs ten
// times slower, and there the question is another: whether there is a race, and
// whether the platform makes a difference; a few cases of each kind tell that. And
// `go run ./build test -long` takes everything everywhere.
package effort

import (
	"os"
	"runtime"
)

// Long reports whether minutes do not matter: `go run ./build test -long`.
func Long() bool { return os.Getenv("STILE_LONG") != "" }

// Few reports whether the test runs where a few cases of each kind are enough,
// because all of them run natively, too; or where STILE_FEW says so, because what a few
// do not see is tried with all.
func Few() bool {
	return !Long() && (raceDetector || runtime.GOARCH == "wasm" || os.Getenv("STILE_FEW") != "")
}

// Of returns how many of n cases to try: all of them natively, and a tenth where few
// are enough.
func Of(n int) int {
	if Few() {
		return max(n/10, 1)
	}
	return n
}

// Sample returns how many of n cases to try where all of them take more than seconds
// and are left to -long: some natively, and a tenth of those where few are enough.
func Sample(n, some int) int {
	if Long() {
		return n
	}
	return Of(some)
}

// Step returns how far to go from one case of a list to the next: to the very next
// natively, and over so many where few are enough.
func Step(most int) int {
	if Few() {
		return most
	}
	return 1
}
