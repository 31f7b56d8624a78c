package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/stile-playground/stile/build/internal/report"
)

// policy measures decisions of guards with imported policies, of Cedar, and of an evaluation that
// reads the run again for each decision, in rounds.
func (r *reporter) policy(ctx context.Context, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("unexpected argument %s", args[0])
	}
	if err := r.NPMIn(ctx, "build/peers"); err != nil {
		return err
	}
	folder := filepath.Join("build", "cedar")
	tests, guard := r.Cache("bench", "cedar.test"), r.Cache("bench", "policy.guard")
	if _, err := r.CommandIn(ctx, folder, nil, "go", "test", "-c", "-o", tests, "."); err != nil {
		return err
	}
	native, script := &report.Benchmarks{}, &report.Benchmarks{}
	for round := range r.Repeat {
		r.say(fmt.Sprintf("decisions on calls, round %d of %d", round+1, r.Repeat))
		printed, err := r.CommandIn(ctx, folder, nil, tests, "-test.run=^$", "-test.bench=^Benchmark(Call|Past)$", "-test.benchtime=100ms", "-guard="+guard)
		if err != nil {
			return err
		}
		native.Read(printed)
		if printed, err = r.CommandIn(ctx, "build/peers", nil, "node", "policy.mjs", guard, guard+".cedar"); err != nil {
			return err
		}
		r.readScript(printed, round, script)
	}
	r.Figures = append(r.Figures, policyFigures(native, script)...)
	return nil
}

// readScript reads the lines of policy.mjs. A tool without a time is missing from the report.
func (r *reporter) readScript(printed string, round int, script *report.Benchmarks) {
	for lines := bufio.NewScanner(strings.NewReader(printed)); lines.Scan(); {
		var line struct {
			Tool, Note string
			US         float64
		}
		switch err := json.Unmarshal(lines.Bytes(), &line); {
		case err != nil:
		case line.US > 0:
			script.Add(line.Tool, "ns/op", line.US*1000)
		case round == 0:
			r.miss("%s in Node.js: %s", line.Tool, line.Note)
		}
	}
}

// policyFigures converts the measurements to figures.
func policyFigures(native, script *report.Benchmarks) (out []report.Figure) {
	micro := func(name string) []float64 { return native.Values(name, "µs") }
	add := func(name, tool string, ours, theirs []float64) {
		f := report.Figure{Section: "policy", Group: "a decision on a call", Name: name, Unit: "µs"}
		if len(ours) == 0 {
			ours, theirs, tool, f.Name = theirs, nil, "", name+", "+tool
		}
		f.Sample = report.Of(ours...)
		if tool != "" {
			f.AddPeer(report.Peer{Tool: tool}, ours, theirs)
		}
		out = append(out, f)
	}
	add("one call, Go", "cedar-go", micro("Call/Stile"), micro("Call/cedar-go"))
	add("one call, Node.js", "cedar-wasm", script.Values("Stile", "µs"), script.Values("cedar-wasm", "µs"))
	for _, n := range []string{"10", "1000", "10000"} {
		add("after "+n+" events, Go", "re-reading", micro("Past/"+n+"/Stile"), micro("Past/"+n+"/re-reading"))
	}
	return out
}
