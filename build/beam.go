package main

import (
	"context"
	"strings"
)

// beamFolder is the module of the pipeline for Apache Beam. It is a separate module, so that the others do not depend
// on Beam.
const beamFolder = "wasm/stile/beam"

// checkBeam compares the reports of the pipeline with those of one process, with -long on 100,000 runs.
func checkBeam(ctx context.Context, t *tester) (tally, error) {
	args := []string{"test", "-v", "-timeout", "20m", "."}
	if t.long {
		args = append(args, "-runs", "100000")
	}
	out, err := t.CommandIn(ctx, beamFolder, t.env(), "go", args...)
	for line := range strings.Lines(out) {
		if _, figures, ok := strings.Cut(line, "equal reports: "); ok {
			t.printf("beam: %s", figures)
		}
	}
	return tally{passed: strings.Count(out, "--- PASS"), failed: strings.Count(out, "--- FAIL")}, err
}
