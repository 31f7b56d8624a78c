package bench

import (
	"testing"

	"github.com/stile-playground/stile/build/internal/report"
)

func TestCostsOfGuards(t *testing.T) {
	var found report.Benchmarks
	found.Read("BenchmarkEvent/Go/10-2 100 2000 ns/op\nBenchmarkEvent/Go/100000-2 100 3000 ns/op\nBenchmarkEvent/JavaScript/10 1 21000 ns/op\nBenchmarkEvent/JavaScript/100000 1 21000 ns/op\n")
	r := report.Report{Figures: guardFigures(&found, "heap_test.go:69: the largest sessions have map[go:3000 node:4000 python3:5000]\n")}
	r.Judge()
	if len(r.Figures) != 9 {
		t.Fatalf("%d figures", len(r.Figures))
	}
	for i, want := range []struct {
		median float64
		kept   bool
	}{{2, true}, {3, true}, {1.5, false}, {3000, true}, {21, false}, {21, false}, {1, true}, {4000, true}, {5000, false}} {
		if f := r.Figures[i]; f.Median != want.median || f.Kept == nil || *f.Kept != want.kept {
			t.Errorf("%+v", f)
		}
	}
}
