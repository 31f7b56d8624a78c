package main

import (
	"context"
	"os"
	"strings"
)

// collectorFolder is the module of the processor of the OpenTelemetry Collector. It is a separate module, so that the
// others do not depend on the collector.
const collectorFolder = "wasm/stile/collector"

// collectorBuilder is the collector's builder, in the version of the modules of builder-config.yaml.
const collectorBuilder = "go.opentelemetry.io/collector/cmd/builder@v0.165.0"

// checkCollector runs the tests of the collector's processor, with -long under the race detector and with a collector
// that the builder makes.
func checkCollector(ctx context.Context, t *tester) (tally, error) {
	args, env := []string{"test", "-v", "-timeout", "20m"}, t.env()
	if t.long {
		args = append(args, "-race")
		if err := os.MkdirAll(t.Cache(), 0o755); err != nil { // the builder makes the last folder only
			return tally{}, err
		}
		if _, err := t.CommandIn(ctx, collectorFolder, nil, "go", "run", collectorBuilder, "--config", "builder-config.yaml"); err != nil {
			return tally{}, err
		}
		env = append(env, "STILE_COLLECTOR="+t.Cache("collector", "stile-collector"))
	}
	out, err := t.CommandIn(ctx, collectorFolder, env, "go", append(args, "./...")...)
	counts := tally{passed: strings.Count(out, "--- PASS"), failed: strings.Count(out, "--- FAIL")}
	for line := range strings.Lines(out) {
		if _, figures, ok := strings.Cut(line, " spans in "); ok {
			t.printf("collector: spans in %s", figures)
		}
	}
	return counts, err
}
