package bench

import (
	"context"
	"fmt"
	"strings"

	"github.com/stile-playground/stile/build/internal/report"
)

// memory measures the memory of the module under wazero. The
// section page measures it in the browser, with JavaScript's heap.
func (r *reporter) memory(ctx context.Context, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("unexpected argument %s", args[0])
	}
	env, err := r.build.Modules(ctx)
	if err != nil {
		return err
	}
	r.say("the module's memory over 1,000 edits")
	printed, err := r.Command(ctx, env, "go", "test", "-run", "^$", "-bench", "^BenchmarkMemory$", "-benchtime", "1x", "-timeout", "30m", "./wasm/host")
	if err != nil {
		return err
	}
	r.Figures = append(r.Figures, memoryFigures(printed)...)
	return nil
}

// memoryFigures reads the output of the benchmark. After a thousand edits the memory must be as
// large as after a hundred, except for garbage since the last collection.
func memoryFigures(printed string) (out []report.Figure) {
	var found report.Benchmarks
	found.Read(printed)
	for _, name := range found.Names() {
		early, late := found.Values(name, "MB-at-100"), found.Values(name, "MB-at-1000")
		if len(early) == 0 || len(late) == 0 {
			continue
		}
		f := report.Figure{Section: "memory", Group: "of the module under wazero, a grammar of 200 lines", Unit: "MB"}
		name = strings.TrimPrefix(name, "Memory/")
		f.Name, f.Sample = name+", after 100 edits", report.Of(early...)
		out = append(out, f)
		f.Name, f.Sample, f.Target = name+", after 1,000 edits", report.Of(late...), &report.Target{Bound: early[0] * report.Threshold}
		out = append(out, f)
	}
	return out
}
