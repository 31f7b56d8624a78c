package report_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/build/internal/report"
)

var update = flag.Bool("update", false, "rewrite the expected files")

const printed = `goos: linux
pkg: example
BenchmarkNext/thousand-2         	     100	   7000 ns/op
BenchmarkTrace/1000-2            	     100	   2000000 ns/op	   0.50 MB/s	     12 letters
BenchmarkTrace/10000-2           	      10	  20000000 ns/op	   0.51 MB/s
BenchmarkTrace/100000-2          	       1	 200000000 ns/op
BenchmarkSkipped-2
--- BENCH: BenchmarkNext
PASS
`

func TestGoTestOutputIsRead(t *testing.T) {
	var b report.Benchmarks
	b.Read(printed)
	b.Read("BenchmarkNext/thousand \t 100\t 9000 ns/op\n")
	if got := strings.Join(b.Names(), " "); got != "Next/thousand Trace/1000 Trace/10000 Trace/100000" {
		t.Errorf("the names are %s", got)
	}
	for _, c := range []struct {
		name, unit string
		want       []float64
	}{
		{"Next/thousand", "µs", []float64{7, 9}}, {"Trace/1000", "ms", []float64{2}}, {"Trace/1000", "MB/s", []float64{0.5}},
		{"Trace/1000", "letters", []float64{12}}, {"Trace/100000", "MB/s", nil}, {"Nothing", "ms", nil},
	} {
		if got := b.Values(c.name, c.unit); !slices.Equal(got, c.want) {
			t.Errorf("%s in %s: %v, not %v", c.name, c.unit, got, c.want)
		}
	}
	s := b.Series("ours", "Trace", "ms")
	if power, ok := s.Power(); len(s.Points) != 3 || !ok || power < 0.999 || power > 1.001 {
		t.Errorf("%+v grows with the power %v", s.Points, power)
	}
}

func TestASampleIsMedianAndQuartiles(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   report.Sample
	}{
		{nil, report.Sample{}},
		{[]float64{3}, report.Sample{3, 3, 3, 3, 3, 1}},
		{[]float64{5, 1, 4, 2, 3}, report.Sample{3, 2, 4, 1, 5, 5}},
	} {
		if got := report.Of(c.values...); got != c.want {
			t.Errorf("%v: %+v", c.values, got)
		}
	}
}

// figure returns a figure with these times, one per round.
func figure(name string, values ...float64) report.Figure {
	return report.Figure{Section: "core", Group: "times", Name: name, Unit: "ms", Sample: report.Of(values...)}
}

func TestRatioAboveOneMeansOursIsBetter(t *testing.T) {
	for _, c := range []struct {
		name         string
		more         bool
		ours, theirs []float64
		want         report.Sample
	}{
		{"times of the same rounds", false, []float64{1, 2, 4}, []float64{10, 10, 40}, report.Sample{10, 5, 10, 5, 10, 3}},
		{"throughput of the same rounds", true, []float64{10, 20, 30}, []float64{5, 5, 5}, report.Sample{4, 2, 6, 2, 6, 3}},
		{"times of other rounds", false, []float64{1, 2, 4}, []float64{10}, report.Sample{5, 2.5, 10, 2.5, 10, 1}},
		{"throughput of other rounds", true, []float64{1, 2, 4}, []float64{1}, report.Sample{2, 1, 4, 1, 4, 1}},
	} {
		f := figure("x", c.ours...)
		f.More = c.more
		f.AddPeer(report.Peer{Tool: "other"}, c.ours, c.theirs)
		if got := f.Peers[0].Ratio; got != c.want {
			t.Errorf("%s: %+v, not %+v", c.name, got, c.want)
		}
	}
}

func TestTargetIsJudgedByItsKind(t *testing.T) {
	yes, no := true, false
	for _, c := range []struct {
		name   string
		target *report.Target
		more   bool
		values []float64
		want   *bool
	}{
		{"none", nil, false, []float64{1}, nil},
		{"the median is low enough", &report.Target{Bound: 2}, false, []float64{1, 2, 9}, &yes},
		{"the worst is not", &report.Target{Bound: 2, Of: report.OfWorst}, false, []float64{1, 2, 9}, &no},
		{"more is better", &report.Target{Bound: 2}, true, []float64{1, 2, 9}, &yes},
		{"more is better, at worst", &report.Target{Bound: 2, Of: report.OfWorst}, true, []float64{1, 2, 9}, &no},
		{"half as good as a peer is allowed", &report.Target{Bound: 0.5, Of: report.OfRatio, Tool: "peer"}, false, []float64{2, 2, 2}, &yes},
		{"as good as a peer is promised", &report.Target{Bound: 1, Of: report.OfRatio, Tool: "peer"}, false, []float64{2, 2, 2}, &no},
		{"the peer was not there", &report.Target{Bound: 1, Of: report.OfRatio, Tool: "none"}, false, []float64{2, 2, 2}, nil},
		{"nothing was measured", &report.Target{Bound: 1}, false, nil, nil},
	} {
		f := figure("x", c.values...)
		f.More, f.Target = c.more, c.target
		f.AddPeer(report.Peer{Tool: "peer"}, c.values, []float64{1, 1, 1})
		r := report.Report{Figures: []report.Figure{f}}
		r.Judge()
		if got := r.Figures[0].Kept; (got == nil) != (c.want == nil) || got != nil && *got != *c.want {
			t.Errorf("%s: kept is %v", c.name, got)
		}
	}
}

func TestARegressionIsMoreThanAQuarterAndMoreThanNoise(t *testing.T) {
	machine := report.Machine{System: "plan9/mips", Cores: 2}
	for _, c := range []struct {
		name          string
		was, is       []float64
		peerWas, peer []float64
		more          bool
		worse, better bool
		tool          string
	}{
		{name: "the same", was: []float64{10, 11, 12}, is: []float64{10, 11, 12}},
		{name: "a fifth slower", was: []float64{10, 10, 10}, is: []float64{12, 12, 12}},
		{name: "twice as slow", was: []float64{10, 11, 12}, is: []float64{20, 22, 24}, worse: true},
		{name: "twice as slow, but so were some then", was: []float64{10, 11, 30, 30}, is: []float64{20, 22, 24, 60}},
		{name: "twice as fast", was: []float64{20, 22, 24}, is: []float64{10, 11, 12}, better: true},
		{name: "half the throughput", was: []float64{20, 22, 24}, is: []float64{10, 11, 12}, more: true, worse: true},
		{name: "twice the throughput", was: []float64{10, 11, 12}, is: []float64{20, 22, 24}, more: true, better: true},
		{name: "twice as slow, and so is the peer", was: []float64{10, 11, 12}, is: []float64{20, 22, 24}, peerWas: []float64{30, 33, 36}, peer: []float64{60, 66, 72}, tool: "peer"},
		{name: "as fast, and the peer twice as fast", was: []float64{10, 11, 12}, is: []float64{10, 11, 12}, peerWas: []float64{60, 66, 72}, peer: []float64{30, 33, 36}, worse: true, tool: "peer"},
		{name: "a fault where there was none", was: []float64{0}, is: []float64{3}, worse: true},
		{name: "a fault less", was: []float64{3}, is: []float64{0}, better: true},
		{name: "no peer any more", was: []float64{10, 11, 12}, is: []float64{10, 11, 12}, peerWas: []float64{30, 33, 36}},
	} {
		made := func(values, peer []float64) report.Report {
			f := figure("x", values...)
			f.More = c.more
			if peer != nil {
				f.AddPeer(report.Peer{Tool: "peer"}, values, peer)
			}
			return report.Report{Commit: "abc", Machine: machine, Figures: []report.Figure{f}}
		}
		before, after := made(c.was, c.peerWas), made(c.is, c.peer)
		other := before.Line()
		other.Class, other.Commit = "another class", "xyz"
		var history []byte
		for _, l := range []report.Line{before.Line(), other} {
			var err error
			if history, err = report.Append(history, l); err != nil {
				t.Fatal(err)
			}
		}
		lines, err := report.ReadHistory(history)
		if err != nil || len(lines) != 2 {
			t.Fatal(len(lines), err)
		}
		after.Compare(lines)
		got := after.Figures[0].Change
		if got == nil || got.Worse != c.worse || got.Better != c.better || got.Tool != c.tool || got.Commit != "abc" {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

func TestNewFiguresHaveNoComparison(t *testing.T) {
	machine := report.Machine{System: "plan9/mips", Cores: 2}
	old := report.Report{Machine: machine, Figures: []report.Figure{figure("x", 1)}}
	r := report.Report{Machine: machine, Figures: []report.Figure{figure("y", 1), figure("x", 1)}}
	r.Figures[1].Unit = "s"
	r.Compare([]report.Line{old.Line()})
	if r.Figures[0].Change != nil || r.Figures[1].Change != nil {
		t.Errorf("%+v", r.Figures)
	}
	if _, err := report.ReadHistory([]byte("{}\n\nno JSON\n")); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("a damaged history: %v", err)
	}
}

// sample is a report with something of each kind.
func sample() report.Report {
	ours, theirs := []float64{1.1, 1.2, 1.3}, []float64{240, 250, 260}
	translate := figure("Translate/untilR/powerset/32", ours...)
	translate.Target = &report.Target{Bound: 100}
	translate.AddPeer(report.Peer{Tool: "MONA", Stopped: true, Note: "stopped"}, ours, []float64{20_000})
	translate.AddPeer(report.Peer{Tool: "Spot", Elsewhere: true}, ours, []float64{15_000})
	resp := figure("Translate/resp/powerset/12", 300, 310, 320)
	resp.Target = &report.Target{Bound: 1, Of: report.OfRatio, Tool: "MONA"}
	resp.AddPeer(report.Peer{Tool: "MONA"}, []float64{300, 310, 320}, theirs)
	size := report.Figure{Section: "page", Group: "bytes, packed by brotli", Name: "the first module", Unit: "bytes", Sample: report.Of(942_554), Target: &report.Target{Bound: 950_000}}
	stream := report.Figure{Section: "core", Group: "monitor", Name: "Stream/1000000", Unit: "MB/s", More: true, Sample: report.Of(7, 8, 9)}
	open := report.Figure{Section: "solve", Group: "coffee", Name: "Z3", Unit: "s", Sample: report.Of(0.03), Target: &report.Target{Bound: 0.5, Of: report.OfRatio, Tool: "native Z3"}}
	r := report.Report{
		Commit: "abc1234", Date: "2026-11-22T03:00:00Z",
		Machine: report.Machine{System: "linux/amd64", Cores: 2, Processor: "a processor", Go: "go1.26.8", Node: "v20.20.2", Chromium: "Chromium 140", Load: 1.5},
		Figures: []report.Figure{translate, resp, stream, size, open},
		Curves: []report.Curve{{File: "nested.svg", Title: "Nested untils <n>", X: "n", Y: "milliseconds", Series: []report.Series{
			{Label: "Stile", Points: []report.Point{{X: 8, Y: 0.2}, {X: 16, Y: 0.5}, {X: 32, Y: 1.2}}},
			{Label: "MONA", Points: []report.Point{{X: 8, Y: 20}, {X: 16, Y: 15_600}, {X: 32, Y: 20_000, Stopped: true}}},
			{Label: "Spot", Elsewhere: true, Points: []report.Point{{X: 8, Y: 40}, {X: 16, Y: 3_500}}},
		}}},
		Notes: []string{"native Z3 is not installed"},
	}
	r.Judge()
	faster := report.Report{Commit: "0123456", Machine: r.Machine, Figures: []report.Figure{figure("Translate/resp/powerset/12", 100, 110, 120)}}
	faster.Figures[0].AddPeer(report.Peer{Tool: "MONA"}, []float64{100, 110, 120}, theirs)
	r.Compare([]report.Line{faster.Line()})
	return r
}

// golden compares with a file of testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what was written; with -update it is written anew:\n%s", file, got)
	}
}

func TestTheReportIsWritten(t *testing.T) {
	r := sample()
	var text bytes.Buffer
	if err := r.WriteMarkdown(&text, "curves"); err != nil {
		t.Fatal(err)
	}
	golden(t, "report.md", text.Bytes())
	raw, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var again report.Report
	if err := json.Unmarshal(raw, &again); err != nil {
		t.Fatal(err)
	}
	if twice, err := json.Marshal(again); err != nil || !bytes.Equal(raw, twice) {
		t.Errorf("read again it is another: %v\n%s\n%s", err, raw, twice)
	}
}

func TestCurvesAreDrawn(t *testing.T) {
	c := sample().Curves[0]
	svg := c.SVG()
	golden(t, "nested.svg", []byte(svg))
	for _, c := range []report.Curve{c, {Title: "nothing"}, {Title: "one point", Series: []report.Series{{Label: "a & b", Points: []report.Point{{X: 1, Y: 1}}}}}} {
		text := c.SVG()
		if strings.Contains(text, "NaN") || strings.Contains(text, "Inf") || !strings.Contains(text, "<desc") {
			t.Errorf("%s: %s", c.Title, text)
		}
		reader := xml.NewDecoder(strings.NewReader(text))
		for {
			if _, err := reader.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s is no XML: %v", c.Title, err)
			}
		}
	}
}
