package main

import (
	"slices"
	"testing"
)

func TestSampledTestsStayTheSame(t *testing.T) {
	r, err := findRepo()
	if err != nil {
		t.Fatal(err)
	}
	some, all, err := r.sampleTests("core", wasmOneIn)
	if err != nil || len(some) < all/wasmOneIn/2 || len(some) > all/2 {
		t.Errorf("%d of %d tests, %v", len(some), all, err)
	}
	every, _, err := r.sampleTests("core", 1)
	if err != nil || len(every) != all {
		t.Errorf("%d of %d tests, %v", len(every), all, err)
	}
	for _, name := range some {
		if !slices.Contains(every, name) {
			t.Errorf("%s is not a test", name)
		}
	}
}
