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
	some, err := r.sampleTests("core", wasmOneIn)
	if err != nil || len(some.tests) < some.all/wasmOneIn/wasmOneIn/2 || len(some.tests) > some.all/2 || len(some.packages) < 10 {
		t.Errorf("%d of %d tests in %d packages, %v", len(some.tests), some.all, len(some.packages), err)
	}
	every, err := r.sampleTests("core", 1)
	if err != nil || len(every.tests) != some.all || len(every.packages) <= len(some.packages) {
		t.Errorf("%d of %d tests in %d packages, %v", len(every.tests), some.all, len(every.packages), err)
	}
	for _, name := range some.tests {
		if !slices.Contains(every.tests, name) {
			t.Errorf("%s is not a test", name)
		}
	}
}
