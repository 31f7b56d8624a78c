package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/stile-playground/stile/build/internal/report"
)

// coreBenchmark is a benchmark of the core, with its title and unit in the report.
type coreBenchmark struct {
	name  string // without "Benchmark"
	group string
	unit  string // of the report; in MB/s, more is better
}

// measured lists the benchmarks in the report, by package.
var measured = []struct {
	pkg        string
	inChromium bool
	benchmarks []coreBenchmark
}{
	{"./core/ltl", true, []coreBenchmark{{"Translate", "translation, formula to automaton", "ms"}, {"Corpus", "translation, formula to automaton", "ms"}}},
	{"./core/earley", true, []coreBenchmark{
		{"Next", "next terminals, one step and back", "µs"}, {"Compile", "compiling grammars", "ms"}, {"Tools", "compiling grammars", "ms"},
		{"Recognize", "recognition", "ms"},
	}},
	{"./core/plan", false, []coreBenchmark{{"Plan", "planning, a whole plan", "ms"}, {"PlanTools", "planning, a whole plan", "ms"}}},
	{"./core/monitor", false, []coreBenchmark{{"Stream", "monitor, text as it streams", "MB/s"}, {"Trace", "monitor, text of a finished run", "MB/s"}}},
	{"./core/grammar", false, []coreBenchmark{{"TenThousandProductions", "edits, the core's part", "ms"}}},
	{"./core/session", false, []coreBenchmark{{"Analyse200Lines", "edits, the core's part", "ms"}}},
	{"./core/rules", false, []coreBenchmark{{"Event", "rules about data, an event of twelve rules", "µs"}}},
	{"./core/workspace", false, []coreBenchmark{{"Link", "links", "ms"}}},
	{"./core/solve", false, []coreBenchmark{{"Check", "checking problems for solvers", "MB/s"}}},
	{"./core/domains", false, []coreBenchmark{{"Encode", "steps in SMT-LIB", "MB/s"}}},
}

// measuredPattern matches all benchmarks of the report.
func measuredPattern() string {
	var names []string
	for _, m := range measured {
		for _, b := range m.benchmarks {
			names = append(names, b.name)
		}
	}
	return "^Benchmark(" + strings.Join(names, "|") + ")$"
}

// atMost and asGoodAs are targets of the core's figures, by the benchmark's name.
var (
	atMost = map[string]float64{
		"Translate/untilR/powerset/32": 100, "Translate/chain/powerset/32": 100, "Translate/resp/onehot/12": 100,
		"Corpus":        110. * 239 / 480, // Spot's time for 480 formulas, scaled to 239
		"Next/thousand": 20, "Next/thousand, in Chromium": 100,
		"TenThousandProductions": 1000,
		"Event/10":               20, "Event/100000": 20,
	}
	asGoodAs = map[string]string{
		"Translate/resp/powerset/12": "MONA", "Translate/random/powerset/100": "MONA",
		"Compile/openagi": "XGrammar", "Compile/json": "XGrammar", "Compile/thousand": "XGrammar",
	}
)

// rounds has the times of other tools and browsers, by name and tool.
type rounds struct {
	order []*otherTool
}

// otherTool is a tool with its time in each round.
type otherTool struct {
	Name, Tool, Note   string
	unit               string
	values             []float64
	stopped, elsewhere bool
}

// add adds a tool's time in a round; 0 means that the tool failed, for the reason in the note.
func (p *rounds) add(o otherTool, value float64) {
	at := slices.IndexFunc(p.order, func(have *otherTool) bool { return have.Name == o.Name && have.Tool == o.Tool && have.unit == o.unit })
	if at < 0 {
		at = len(p.order)
		p.order = append(p.order, &o)
	}
	if value > 0 {
		p.order[at].values = append(p.order[at].values, value)
	}
}

// of returns the tools that were measured on a benchmark, in a unit.
func (p *rounds) of(name, unit string) (out []*otherTool) {
	for _, o := range p.order {
		if o.Name == name && o.unit == unit {
			out = append(out, o)
		}
	}
	return out
}

// spot has the times of Spot's translation in milliseconds, measured elsewhere: Spot
// is in no registry, so the report cannot run it. 15,000 means that it was stopped at
// the limit of 15 seconds.
var spot = map[string]float64{
	"Translate/resp/powerset/8": 50, "Translate/resp/powerset/10": 270, "Translate/resp/powerset/12": 6900,
	"Translate/prec/powerset/10": 280, "Translate/evs/powerset/12": 560,
	"Translate/untilR/powerset/8": 40, "Translate/untilR/powerset/16": 3500, "Translate/untilR/powerset/32": 15000,
	"Translate/untilL/powerset/8": 300, "Translate/untilL/powerset/12": 620,
	"Translate/FaXnb/powerset/12": 250,
	"Translate/chain/powerset/8":  30, "Translate/chain/powerset/16": 90, "Translate/chain/powerset/32": 120,
	"Translate/respAlt/powerset/6": 40,
	"Corpus":                       110. * 239 / 480,
}

// monaLimit is the time after which MONA is stopped, in milliseconds.
const monaLimit = 20_000

// core measures the core natively and in Chromium, and other tools, each once per
// round, so that other load on the machine affects all alike.
func (r *reporter) core(ctx context.Context, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("unexpected argument %s", args[0])
	}
	if err := r.NPMTests(ctx); err != nil {
		return err
	}
	if err := r.NPMIn(ctx, "build/peers"); err != nil {
		return err
	}
	native, wasm := map[string]string{}, map[string]string{}
	for _, m := range measured {
		r.say(m.pkg + " is compiled")
		var err error
		if native[m.pkg], err = r.compileBench(ctx, m.pkg, ".test"); err != nil {
			return err
		}
		if m.inChromium {
			if wasm[m.pkg], err = r.compileBench(ctx, m.pkg, ".wasm", "GOOS=wasip1", "GOARCH=wasm"); err != nil {
				return err
			}
		}
	}
	ours, inChromium, peers := &report.Benchmarks{}, &report.Benchmarks{}, &rounds{}
	for _, name := range slices.Sorted(maps.Keys(spot)) {
		peers.add(otherTool{Name: name, Tool: "Spot", unit: "ms", elsewhere: true, stopped: spot[name] >= 15_000}, spot[name])
	}
	if err := r.debianTool(ctx, "mona"); err != nil {
		r.miss("%v", err)
	}
	for round := range r.Repeat {
		for _, m := range measured {
			r.say(fmt.Sprintf("%s, round %d of %d", m.pkg, round+1, r.Repeat))
			pattern := "^Benchmark(" + strings.Join(names(m.benchmarks), "|") + ")$"
			printed, err := r.CommandIn(ctx, m.pkg, nil, native[m.pkg], "-test.run=^$", "-test.bench="+pattern, "-test.benchtime=100ms")
			if err != nil {
				return err
			}
			ours.Read(printed)
			if m.inChromium && round < 3 {
				if printed, err = r.Command(ctx, nil, "node", "build/peers/browser.mjs", wasm[m.pkg], "-test.run=^$", "-test.bench="+strings.ReplaceAll(pattern, "|Corpus", ""), "-test.benchtime=100ms"); err != nil {
					return err
				}
				inChromium.Read(printed)
			}
			if m.pkg == "./core/ltl" {
				r.monaRound(ctx, native[m.pkg], round, peers)
			}
		}
		if err := r.nodePeers(ctx, peers); err != nil {
			return err
		}
	}
	r.Figures = append(r.Figures, coreFigures(ours, inChromium, peers)...)
	r.addCurves(ours, peers)
	return nil
}

func names(list []coreBenchmark) (out []string) {
	for _, b := range list {
		out = append(out, b.name)
	}
	return out
}

// compileBench compiles a package's tests, which are run in rounds.
func (r *reporter) compileBench(ctx context.Context, pkg, end string, env ...string) (file string, err error) {
	file = r.Cache("bench", path.Base(pkg)+end)
	_, err = r.Command(ctx, env, "go", "test", "-c", "-o", file, pkg)
	return file, err
}

// monaRound measures MONA: first on all formulas, then again on those that took little
// time.
func (r *reporter) monaRound(ctx context.Context, tests string, round int, peers *rounds) {
	run := func(pattern string) {
		printed, err := r.CommandIn(ctx, filepath.Join("core", "ltl"), nil, tests, "-test.run=^$", "-test.bench="+pattern, "-test.benchtime=1x")
		mona := report.Benchmarks{}
		mona.Read(printed)
		for _, name := range mona.Names() {
			ms := mona.Values(name, "ms")[0]
			peers.add(otherTool{Name: strings.Replace(name, "MONA", "Translate", 1), Tool: "MONA", unit: "ms", stopped: ms >= monaLimit}, ms)
		}
		if round == 0 && len(mona.Names()) == 0 && err != nil {
			r.miss("MONA's figures are missing: %v", err)
		}
	}
	if round == 0 {
		run("^BenchmarkMONA$")
		return
	}
	for _, o := range peers.order {
		if o.Tool == "MONA" && o.values[0] < 2_000 {
			run("^BenchmarkMONA$/^" + strings.ReplaceAll(strings.TrimPrefix(o.Name, "Translate/"), "/", "$/^") + "$")
		}
	}
}

// nodePeers measures the tools that run under Node.
func (r *reporter) nodePeers(ctx context.Context, peers *rounds) error {
	printed, err := r.CommandIn(ctx, "build/peers", nil, "node", "peers.mjs")
	if err != nil {
		return err
	}
	lines := bufio.NewScanner(strings.NewReader(printed))
	for lines.Scan() {
		var p struct {
			Name, Tool, Note string
			MS, Letters      float64
		}
		if json.Unmarshal(lines.Bytes(), &p) != nil || p.Name == "" {
			continue
		}
		peers.add(otherTool{Name: p.Name, Tool: p.Tool, Note: p.Note, unit: "ms"}, p.MS)
		if p.Letters > 0 {
			peers.add(otherTool{Name: p.Name, Tool: p.Tool, unit: "letters"}, p.Letters)
		}
	}
	return lines.Err()
}

// coreFigures converts the measurements to figures, in the order of the table.
func coreFigures(ours, inChromium *report.Benchmarks, peers *rounds) (out []report.Figure) {
	for _, m := range measured {
		for _, c := range m.benchmarks {
			for _, name := range ours.Names() {
				if first, _, _ := strings.Cut(name, "/"); first != c.name {
					continue
				}
				out = append(out, coreFigure(c, name, c.unit, ours, peers))
				if letters := ours.Values(name, "letters"); len(letters) > 0 {
					f := coreFigure(c, name, "letters", ours, peers)
					f.Name, f.Sample = strings.TrimSuffix(name, "/encode")+"/letters", report.Of(letters...)
					out = append(out, f)
				}
				if values := inChromium.Values(name, c.unit); len(values) > 0 {
					f := report.Figure{Section: "core", Group: c.group, Name: name + ", in Chromium", Unit: c.unit, Sample: report.Of(values...)}
					out = append(out, withTarget(f))
				}
			}
		}
	}
	return out
}

// coreFigure returns a benchmark's figure in a unit, with the tools that were measured on the benchmark.
func coreFigure(c coreBenchmark, name, unit string, ours *report.Benchmarks, peers *rounds) report.Figure {
	values := ours.Values(name, unit)
	f := report.Figure{Section: "core", Group: c.group, Name: name, Unit: unit, More: unit == "MB/s", Sample: report.Of(values...)}
	theirs := unit
	if unit == "µs" {
		theirs = "ms"
	}
	for _, o := range peers.of(name, theirs) {
		took := slices.Clone(o.values)
		if unit == "µs" {
			for i := range took {
				took[i] *= 1e3
			}
		}
		f.AddPeer(report.Peer{Tool: o.Tool, Note: o.Note, Stopped: o.stopped, Elsewhere: o.elsewhere}, values, took)
	}
	return withTarget(f)
}

func withTarget(f report.Figure) report.Figure {
	if most, ok := atMost[f.Name]; ok {
		f.Target = &report.Target{Bound: most}
	}
	if tool, ok := asGoodAs[f.Name]; ok {
		f.Target = &report.Target{Bound: 1, Of: report.OfRatio, Tool: tool}
	}
	return f
}
