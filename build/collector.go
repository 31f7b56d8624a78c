package main

import (
	"context"
	"strings"
)

// collectorFolder is the module of the processor of the OpenTelemetry Collector. It is a separate module, so that the
// others do not depend on the collector.
const collectorFolder = "wasm/stile/collector"

// checkCollector runs the tests of the collector's processor, with -long under the race detector.
func checkCollector(ctx context.Context, t *tester) (tally, error) {
	args := []string{"test", "-v", "-timeout", "20m"}
	if t.long {
		args = append(args, "-race")
	}
	out, err := t.CommandIn(ctx, collectorFolder, t.env(), "go", append(args, "./...")...)
	counts := tally{passed: strings.Count(out, "--- PASS"), failed: strings.Count(out, "--- FAIL")}
	for line := range strings.Lines(out) {
		if _, figures, ok := strings.Cut(line, " spans in "); ok {
			t.printf("collector: spans in %s", figures)
		}
	}
	return counts, err
}
