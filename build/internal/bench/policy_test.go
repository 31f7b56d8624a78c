package bench

import (
	"testing"

	"github.com/stile-playground/stile/build/internal/report"
)

func TestDecisionsAreComparedWithOtherTools(t *testing.T) {
	native, script := &report.Benchmarks{}, &report.Benchmarks{}
	native.Read("BenchmarkCall/Stile-2 100 10000 ns/op\nBenchmarkCall/cedar-go-2 100 2000 ns/op\nBenchmarkPast/10/Stile-2 100 10 ns/op\nBenchmarkPast/10/re-reading-2 100 20 ns/op\n")
	r := &reporter{}
	r.readScript("{\"tool\":\"Stile\",\"us\":0,\"note\":\"no rules\"}\nnot JSON\n{\"tool\":\"cedar-wasm\",\"us\":30}\n", 0, script)
	figures := policyFigures(native, script)
	one := figureOf(t, figures, "one call, Go")
	if one.Median != 10 || len(one.Peers) != 1 || one.Peers[0].Ratio.Median != 0.2 {
		t.Errorf("%+v", one)
	}
	if node := figureOf(t, figures, "one call, Node.js, cedar-wasm"); node.Median != 30 || len(node.Peers) != 0 {
		t.Errorf("%+v", node)
	}
	if past := figureOf(t, figures, "after 10 events, Go"); past.Peers[0].Ratio.Median != 2 {
		t.Errorf("%+v", past)
	}
	if len(r.Notes) != 1 || r.Notes[0] != "Stile in Node.js: no rules" {
		t.Error(r.Notes)
	}
}
