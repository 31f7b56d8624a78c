package bench

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/build/internal/checkout"
	"github.com/stile-playground/stile/build/internal/report"
)

// found is a reporter of this repository.
func found(t *testing.T) *reporter {
	t.Helper()
	dir, err := checkout.Find()
	if err != nil {
		t.Fatal(err)
	}
	return &reporter{Dir: dir}
}

// figureOf returns the figure of a name.
func figureOf(t *testing.T, all []report.Figure, name string) report.Figure {
	t.Helper()
	at := slices.IndexFunc(all, func(f report.Figure) bool { return f.Name == name })
	if at < 0 {
		t.Fatalf("there is no figure %s", name)
	}
	return all[at]
}

const twoRounds = `
BenchmarkTranslate/untilR/powerset/32-2   	100	2000000 ns/op
BenchmarkTranslate/untilR/powerset/8-2   	100	1000000 ns/op
BenchmarkNext/thousand-2   	100	7000 ns/op
BenchmarkLink/records/encode-2   	100	1000000 ns/op	30 MB/s	8851 letters
BenchmarkStream/1000-2   	100	1000000 ns/op	1 MB/s
BenchmarkStream/10000-2   	100	10000000 ns/op	1 MB/s
BenchmarkNobodyAskedFor-2   	100	7000 ns/op
BenchmarkTranslate/untilR/powerset/32-2   	100	4000000 ns/op
BenchmarkNext/thousand-2   	100	9000 ns/op
`

func TestCoreFiguresAreComparedWithOtherTools(t *testing.T) {
	ours, inChromium, peers := &report.Benchmarks{}, &report.Benchmarks{}, &rounds{}
	ours.Read(twoRounds)
	inChromium.Read("BenchmarkNext/thousand \t 100\t 12000 ns/op\n")
	peers.add(otherTool{Name: "Translate/untilR/powerset/32", Tool: "MONA", unit: "ms", stopped: true}, monaLimit)
	for _, ms := range []float64{0.0035, 0.009} {
		peers.add(otherTool{Name: "Next/thousand", Tool: "XGrammar", Note: "one mask", unit: "ms"}, ms)
	}
	peers.add(otherTool{Name: "Link/records/encode", Tool: "lz-string", unit: "ms"}, 3)
	peers.add(otherTool{Name: "Link/records/encode", Tool: "lz-string", unit: "letters"}, 17_702)
	peers.add(otherTool{Name: "Next/thousand", Tool: "broken", Note: "it fails", unit: "ms"}, 0)
	r := &reporter{}
	r.Figures = coreFigures(ours, inChromium, peers)
	r.addCurves(ours, peers)
	r.Judge()

	next := figureOf(t, r.Figures, "Next/thousand")
	if next.Unit != "µs" || next.Median != 9 || next.Runs != 2 || next.Kept == nil || !*next.Kept || len(next.Peers) != 2 || next.Peers[0].Ratio.Most != 1 || next.Peers[0].Ratio.Least != 0.5 || next.Peers[1].Runs != 0 {
		t.Errorf("%+v", next)
	}
	if in := figureOf(t, r.Figures, "Next/thousand, in Chromium"); in.Median != 12 || in.Target.Bound != 100 {
		t.Errorf("%+v", in)
	}
	if letters := figureOf(t, r.Figures, "Link/records/letters"); letters.Median != 8851 || letters.Peers[0].Ratio.Median != 2 {
		t.Errorf("%+v", letters)
	}
	if stream := figureOf(t, r.Figures, "Stream/10000"); stream.Unit != "MB/s" || !stream.More {
		t.Errorf("%+v", stream)
	}
	if growth := figureOf(t, r.Figures, "Stream"); growth.Median < 0.99 || growth.Median > 1.01 || growth.Kept == nil || !*growth.Kept {
		t.Errorf("%+v", growth)
	}
	if slices.ContainsFunc(r.Figures, func(f report.Figure) bool { return f.Name == "NobodyAskedFor" }) {
		t.Error("a benchmark that is not in the table is in the report")
	}
	untils := r.Curves[0].Series
	if len(untils) != 2 || len(untils[0].Points) != 2 || untils[0].Points[0].X != 8 || !untils[1].Points[0].Stopped {
		t.Errorf("%+v", untils)
	}
}

func TestEveryCoreTargetHasABenchmark(t *testing.T) {
	for _, name := range append(slices.Sorted(maps.Keys(atMost)), slices.Sorted(maps.Keys(asGoodAs))...) {
		first, _, _ := strings.Cut(name, "/")
		if !slices.ContainsFunc(measured, func(m struct {
			pkg        string
			inChromium bool
			benchmarks []coreBenchmark
		}) bool {
			return slices.ContainsFunc(m.benchmarks, func(c coreBenchmark) bool { return c.name == first })
		}) {
			t.Errorf("no benchmark is called %s", name)
		}
	}
}

func TestTargetsOfThePageAreJudged(t *testing.T) {
	figures := pageFigures([]pageFigure{
		{"load, 4x slower, 10 Mbit", "editor", "ms", []float64{1200, 1600, 1400}},
		{"typing in a 200-line grammar", "longest task", "ms", []float64{20, 60}},
		{endurance, "nodes after 100", "", []float64{2446}}, {endurance, "heap of the page after 100", "MB", []float64{7}},
		{endurance, "nodes after 500", "", []float64{2447}}, {endurance, "nodes after 1000", "", []float64{2447}},
		{endurance, "heap of the page after 1000", "MB", []float64{8.7}},
		{endurance, "memory of the core-worker module after 100", "MB", []float64{14}}, {endurance, "memory of the core-worker module after 1000", "MB", []float64{17}},
		{endurance, "memory of the layout-worker module after 100", "MB", []float64{17}}, {endurance, "memory of the layout-worker module after 1000", "MB", []float64{18}},
	})
	r := report.Report{Figures: figures}
	r.Judge()
	for name, want := range map[string]bool{
		"editor": true, "longest task": false, "nodes after 1000": false, "heap of the page after 1000": true,
		"memory of the core-worker module after 1000": true, "memory of the layout-worker module after 1000": false,
	} {
		if f := figureOf(t, r.Figures, name); f.Kept == nil || *f.Kept != want {
			t.Errorf("%s: %+v", name, f)
		}
	}
	if f := figureOf(t, r.Figures, "nodes after 500"); f.Target != nil {
		t.Errorf("%+v", f)
	}
}

func TestTheWorkersFiguresAreRead(t *testing.T) {
	const printed = `    deployed_test.go:90: load: wasm/worker: 20000 requests at 32 connections, 0 failed, p50 352.1 ms, p99 2800.0 ms, 60 a second
    deployed_test.go:90: load: plain.mjs: 20000 requests at 32 connections, 0 failed, p50 92.0 ms, p99 1200.0 ms, 180 a second
`
	figures, err := workerFigures(printed)
	if err != nil {
		t.Fatal(err)
	}
	r := report.Report{Figures: figures}
	r.Judge()
	if f := figureOf(t, r.Figures, "failed"); f.Kept == nil || !*f.Kept {
		t.Errorf("%+v", f)
	}
	if f := figureOf(t, r.Figures, "answered in a second"); !f.More || f.Peers[0].Ratio.Median != 60./180 {
		t.Errorf("%+v", f)
	}
	if _, err := workerFigures("nothing"); err == nil {
		t.Error("a test that says nothing has figures")
	}
}

func TestMemoryTargetIsTheEarlierFigure(t *testing.T) {
	r := report.Report{Figures: memoryFigures("BenchmarkMemory/first-2 \t 1\t 39100188016 ns/op\t 10.75 MB-at-100\t 1186 MB-at-1000\nBenchmarkMemory/whole-2 \t 1\t 391 ns/op\t 12 MB-at-100\t 12.5 MB-at-1000\n")}
	r.Judge()
	for name, want := range map[string]bool{"first, after 1,000 edits": false, "whole, after 1,000 edits": true} {
		if f := figureOf(t, r.Figures, name); f.Kept == nil || *f.Kept != want {
			t.Errorf("%s: %+v", name, f)
		}
	}
}

func TestSolversMayTakeTwiceAsLong(t *testing.T) {
	for _, c := range []struct {
		ours, native []float64
		want         string
	}{
		{[]float64{2, 3, 4}, []float64{2, 2, 2}, "kept"}, {[]float64{5, 6, 7}, []float64{2, 2, 2}, "broken"}, {[]float64{5, 6, 7}, nil, "open"},
	} {
		r := report.Report{Figures: solveFigures("coffee", c.ours, c.native, []float64{1, 1, 1})}
		r.Judge()
		kept, broken, open := r.Kept()
		if got := map[[3]int]string{{1, 0, 0}: "kept", {0, 1, 0}: "broken", {0, 0, 1}: "open"}[[3]int{kept, len(broken), len(open)}]; got != c.want || len(r.Figures) != 2 {
			t.Errorf("%v beside %v: %s, not %s", c.ours, c.native, got, c.want)
		}
	}
}

func TestEachPackageHasItsProfile(t *testing.T) {
	r := found(t)
	packages, err := r.benchmarkPackages("^Benchmark(Next|Stream)$")
	if err != nil || !slices.Equal(packages, []string{"./core/earley", "./core/monitor"}) {
		t.Fatalf("the packages are %v: %v", packages, err)
	}
	folder := t.TempDir()
	for _, c := range []struct {
		several bool
		want    string
	}{{false, "cpu.prof"}, {true, "cpu-earley.prof"}} {
		got := profileFlags([]string{"-cpuprofile=" + filepath.Join(folder, "cpu.prof")}, packages[0], c.several)
		if want := "-cpuprofile=" + filepath.Join(folder, c.want); len(got) != 1 || got[0] != want {
			t.Errorf("%v, not %s", got, want)
		}
	}
}

func TestEveryMeasuredBenchmarkExists(t *testing.T) {
	r := found(t)
	for _, m := range measured {
		for _, c := range m.benchmarks {
			if found, err := r.benchmarkPackages("^Benchmark" + c.name + "$"); err != nil || !slices.Contains(found, m.pkg) {
				t.Errorf("Benchmark%s is in %v and not in %s: %v", c.name, found, m.pkg, err)
			}
		}
	}
}

// A damaged history, or one whose newest line is without a class, would let a regression
// pass in silence.
func TestStoredHistoryCanBeRead(t *testing.T) {
	r := found(t)
	raw, err := readIfThere(r.Path(HistoryFile))
	if err != nil {
		t.Fatal(err)
	}
	lines, err := report.ReadHistory(raw)
	if err != nil {
		t.Fatal(err)
	}
	for i, l := range lines {
		if l.Class == "" || l.Commit == "" || l.Date == "" || len(l.Figures) == 0 {
			t.Errorf("line %d of %s lacks something: %+v", i+1, HistoryFile, l)
		}
	}
}
