// Package effort decides how many cases a test tries, which depends on where it runs.
//
// Natively, a test tries every case if that takes seconds, and otherwise a sample that
// a fixed seed draws. Under the race detector and as WebAssembly the same code is ten
// times slower, and the only questions are whether there is a race and whether the
// platform makes a difference; a tenth of the cases answers them. `go run ./build test
// -long` tries every case everywhere.
package effort

import (
	"fmt"
	"os"
	"runtime"
)

// Long reports whether every case is tried: `go run ./build test -long`.
func Long() bool { return os.Getenv("STILE_LONG") != "" }

// Few reports whether a few cases of each kind are enough, because all of them are tried
// natively. It is true under the race detector, as WebAssembly, and if STILE_FEW is set.
func Few() bool {
	return !Long() && (raceDetector || runtime.GOARCH == "wasm" || os.Getenv("STILE_FEW") != "")
}

// Of returns how many of n cases to try: all of them natively, and a tenth where few
// are enough.
func Of(n int) int {
	if Few() {
		return report(max(n/10, 1), n)
	}
	return n
}

// Sample returns how many of n cases to try if trying all would take more than seconds: n with
// -long, otherwise the number some natively, and a tenth of that number where few are enough.
func Sample(n, some int) int {
	switch {
	case Long():
		return n
	case Few():
		return report(max(some/10, 1), n)
	default:
		return report(some, n)
	}
}

// Step returns the distance between the cases of a list that are tried: 1 natively, and the maximum
// distance most where few cases are enough.
func Step(most int) int {
	if Few() {
		report(1, most)
		return most
	}
	return 1
}

// SampleStep is [Step] for cases that take more than seconds: 1 with -long, otherwise the distance
// some natively, and most where few cases are enough.
func SampleStep(some, most int) int {
	step := some
	switch {
	case Long():
		return 1
	case Few():
		step = most
	}
	report(1, step)
	return step
}

// report prints the size of a sample for the build tool, which asks for it with
// STILE_EFFORT and adds the samples up.
func report(tried, all int) int {
	if os.Getenv("STILE_EFFORT") != "" && tried < all {
		fmt.Printf("effort: %d of %d\n", tried, all)
	}
	return tried
}
