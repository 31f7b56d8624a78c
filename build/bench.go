package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"regexp"
	"sort"
	"strconv"
	"strings"
)

// benchVerb prints a report of the core's times beside those of its peers; with
// "page" the page's, with "solve" the solvers', with "worker" the worker's beside those of a plain one; with a
// pattern it runs the core's benchmarks of that name.
func benchVerb(ctx context.Context, r repo, args []string) error {
	if len(args) > 0 && args[0] == pageVerb {
		return r.benchPage(ctx, os.Stdout, args[1:])
	}
	if len(args) > 0 && args[0] == solveVerb {
		return r.benchSolve(ctx, os.Stdout, args[1:])
	}
	switch len(args) {
	case 0:
		return r.benchReport(ctx, os.Stdout)
	case 1:
		if args[0] == "worker" {
			return r.benchWorker(ctx)
		}
	default:
		return fmt.Errorf("bench takes one pattern")
	}
	cmd := exec.CommandContext(ctx, "go", "test", "-run", "^$", "-bench", args[0], "-benchmem", "./core/...", "./wasm/host/...")
	cmd.Dir = string(r)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return cmd.Run()
}

// times are milliseconds by benchmark: "Translate/resp/powerset/8".
type times map[string]float64

// peerTime is another tool's time of a benchmark.
type peerTime struct {
	Name string
	Tool string
	MS   float64
	Note string
}

// measured are the benchmarks of the report, by package.
var measured = []struct{ pkg, pattern string }{
	{"./core/ltl", "^(BenchmarkTranslate|BenchmarkCorpus)$"},
	{"./core/earley", "^(BenchmarkCompile|BenchmarkTools|BenchmarkNext|BenchmarkRecognize)$"},
	{"./core/grammar", "^BenchmarkTenThousandProductions$"},
	{"./core/session", "^BenchmarkAnalyse200Lines$"},
}

// spot is what Spot's translation took where it was measured, in milliseconds: it
// is in no registry, so it cannot be measured beside ours. Times above the limit of
// 15 seconds are that limit.
var spot = []peerTime{
	{"Translate/resp/powerset/8", "Spot", 50, ""}, {"Translate/resp/powerset/10", "Spot", 270, ""}, {"Translate/resp/powerset/12", "Spot", 6900, ""},
	{"Translate/prec/powerset/10", "Spot", 280, ""}, {"Translate/evs/powerset/12", "Spot", 560, ""},
	{"Translate/untilR/powerset/8", "Spot", 40, ""}, {"Translate/untilR/powerset/16", "Spot", 3500, ""}, {"Translate/untilR/powerset/32", "Spot", 15000, "time-out"},
	{"Translate/untilL/powerset/8", "Spot", 300, ""}, {"Translate/untilL/powerset/12", "Spot", 620, ""},
	{"Translate/FaXnb/powerset/12", "Spot", 250, ""},
	{"Translate/chain/powerset/8", "Spot", 30, ""}, {"Translate/chain/powerset/16", "Spot", 90, ""}, {"Translate/chain/powerset/32", "Spot", 120, ""},
	{"Translate/respAlt/powerset/6", "Spot", 40, ""},
	{"Corpus", "Spot", 110. * 239 / 480, "of 480 formulas, by number"},
}

// targets are what the core promises natively, in milliseconds.
var targets = times{
	"Translate/untilR/powerset/32": 100, "Translate/chain/powerset/32": 100, "Translate/resp/onehot/12": 100, "Next/thousand": 0.020,
}

// inPage are what it promises in a browser.
var inPage = times{"Next/thousand": 0.100}

func (r repo) benchReport(ctx context.Context, out io.Writer) error {
	progress := func(what string) { fmt.Fprintln(os.Stderr, "bench: "+what) }
	native, inBrowser := times{}, times{}
	for _, m := range measured {
		progress(m.pkg + " natively")
		printed, err := r.command(ctx, nil, "go", "test", "-run", "^$", "-bench", m.pattern, "-benchtime", "0.3s", m.pkg)
		if err != nil {
			return err
		}
		native.read(printed)
	}
	peers := append([]peerTime(nil), spot...)
	progress("MONA")
	if printed, err := r.command(ctx, nil, "go", "test", "-run", "^$", "-bench", "^BenchmarkMONA$", "-benchtime", "1x", "./core/ltl"); err == nil {
		mona := times{}
		mona.read(printed)
		for name, ms := range mona {
			note := ""
			if ms >= 20_000 {
				note = "time-out"
			}
			peers = append(peers, peerTime{strings.Replace(name, "MONA", "Translate", 1), "MONA", ms, note})
		}
	}
	progress("parsers and XGrammar under Node")
	found, err := r.nodePeers(ctx)
	if err != nil {
		return err
	}
	peers = append(peers, found...)
	progress("in Chromium")
	if err := r.npm(ctx); err != nil {
		return err
	}
	for _, m := range measured[:2] {
		printed, err := r.inChromium(ctx, m.pkg, strings.ReplaceAll(m.pattern, "|BenchmarkCorpus", ""))
		if err != nil {
			return err
		}
		inBrowser.read(printed)
	}
	writeReport(out, native, inBrowser, peers)
	return nil
}

var benchLine = regexp.MustCompile(`^Benchmark(\S+?)(?:-\d+)?\s+\d+\s+([\d.]+) ns/op`)

// read adds what go test printed.
func (t times) read(printed string) {
	for _, line := range strings.Split(printed, "\n") {
		if m := benchLine.FindStringSubmatch(line); m != nil {
			if ns, err := strconv.ParseFloat(m[2], 64); err == nil {
				t[m[1]] = ns / 1e6
			}
		}
	}
}

func (r repo) nodePeers(ctx context.Context) ([]peerTime, error) {
	if err := r.npmIn(ctx, "build/peers"); err != nil {
		return nil, err
	}
	printed, err := r.commandIn(ctx, "build/peers", nil, "node", "peers.mjs")
	if err != nil {
		return nil, err
	}
	var out []peerTime
	lines := bufio.NewScanner(strings.NewReader(printed))
	for lines.Scan() {
		var p peerTime
		if json.Unmarshal(lines.Bytes(), &p) == nil && p.Name != "" {
			out = append(out, p)
		}
	}
	return out, lines.Err()
}

// inChromium runs a package's benchmarks in Chromium: the very test binary,
// compiled for WASI.
func (r repo) inChromium(ctx context.Context, pkg, pattern string) (string, error) {
	file := r.cache("bench.wasm")
	if _, err := r.command(ctx, []string{"GOOS=wasip1", "GOARCH=wasm"}, "go", "test", "-c", "-o", file, pkg); err != nil {
		return "", err
	}
	return r.command(ctx, nil, "node", "build/peers/browser.mjs", file, "-test.run=^$", "-test.bench="+pattern, "-test.benchtime=200ms")
}

// writeReport writes the report in Markdown.
func writeReport(out io.Writer, native, inBrowser times, peers []peerTime) {
	names := make([]string, 0, len(native))
	for name := range native {
		names = append(names, name)
	}
	sort.Slice(names, func(i, j int) bool { return naturally(names[i]) < naturally(names[j]) })
	fmt.Fprintln(out, "# Times\n\nMilliseconds. A ratio is the peer's time over ours, natively. Spot's figures were measured elsewhere.")
	fmt.Fprintln(out, "\n| benchmark | Stile | in Chromium | target | peer | its time | ratio |\n|---|---:|---:|---:|---|---:|---:|")
	for _, name := range names {
		target := ""
		if most, ok := targets[name]; ok {
			target = "≤ " + milliseconds(most) + mark(native[name] <= most)
		}
		if most, ok := inPage[name]; ok {
			target += ", in the page ≤ " + milliseconds(most) + mark(inBrowser[name] <= most)
		}
		own := fmt.Sprintf("| %s | %s | %s | %s |", name, milliseconds(native[name]), milliseconds(inBrowser[name]), target)
		shown := false
		for _, p := range peers {
			if p.Name != name {
				continue
			}
			if shown {
				own = "| | | | |"
			}
			shown = true
			tool := p.Tool
			if p.Note != "" {
				tool += " (" + p.Note + ")"
			}
			ratio := ""
			if p.MS > 0 {
				ratio = fmt.Sprintf("%.3g", p.MS/native[name])
			}
			fmt.Fprintf(out, "%s %s | %s | %s |\n", own, tool, milliseconds(p.MS), ratio)
		}
		if !shown {
			fmt.Fprintln(out, own+" | | |")
		}
	}
	writeGrowth(out, names, native)
}

func mark(met bool) string {
	if met {
		return " ✓"
	}
	return " ✗"
}

// writeGrowth writes how times grow with a benchmark's size, the last part of its
// name: the power of the size that fits two neighbours.
func writeGrowth(out io.Writer, names []string, native times) {
	fmt.Fprintln(out, "\n# Growth\n\nThe power of the size with which the time grows, from one size to the next.\n\n| benchmark | sizes | times | powers |\n|---|---|---|---|")
	type point struct{ size, ms float64 }
	series := map[string][]point{}
	var order []string
	for _, name := range names {
		at := strings.LastIndexByte(name, '/')
		size, err := strconv.ParseFloat(name[at+1:], 64)
		if at < 0 || err != nil {
			continue
		}
		key := name[:at]
		if series[key] == nil {
			order = append(order, key)
		}
		series[key] = append(series[key], point{size, native[name]})
	}
	for _, key := range order {
		points := series[key]
		if len(points) < 2 {
			continue
		}
		var sizes, spent, powers []string
		for i, p := range points {
			sizes = append(sizes, fmt.Sprint(p.size))
			spent = append(spent, milliseconds(p.ms))
			if i > 0 {
				powers = append(powers, fmt.Sprintf("%.1f", math.Log(p.ms/points[i-1].ms)/math.Log(p.size/points[i-1].size)))
			}
		}
		fmt.Fprintf(out, "| %s | %s | %s | %s |\n", key, strings.Join(sizes, ", "), strings.Join(spent, ", "), strings.Join(powers, ", "))
	}
}

func milliseconds(ms float64) string {
	if ms == 0 {
		return ""
	}
	return strconv.FormatFloat(ms, 'g', 3, 64)
}

var number = regexp.MustCompile(`\d+`)

// naturally returns a key that sorts numbers in names by their size.
func naturally(name string) string {
	return number.ReplaceAllStringFunc(name, func(n string) string { return strings.Repeat("0", max(0, 9-len(n))) + n })
}
