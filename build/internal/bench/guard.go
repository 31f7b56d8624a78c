package bench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"

	"github.com/stile-playground/stile/build/internal/report"
)

// guardCosts are the runtimes of guards with the most microseconds for an event.
var guardCosts = []struct {
	name string
	most float64
}{{"Go", 5}, {"JavaScript", 20}, {"Python", 100}}

// The promised costs of guards.
const (
	guardGrowth = 1.2  // of an event after 100,000 events, compared with one after 10
	guardMemory = 4096 // bytes of a session
)

// guardSpecs are the specs of the measured guard: an order, contents and a property.
var guardSpecs = map[string]string{
	"shop.agent": `(define shop
  (:states
    (User (:text "[User]") (:flags :env-input))
    (Act (:text "[Action]") (:one-of "lookup" "refund"))
    (Inp (:text "[Action Input]") (:matches "[a-z0-9]+"))
    (Obs (:text "[Observation]") (:flags :env-input))
    (Ans (:text "[Answer]")))
  (:behavior (next User (until (next Act Inp Obs) Ans))))
`,
	"shop.ltl": "G (Obs -> WX (Act | Ans))\n",
}

// guard measures an event of calls and their results in each runtime of guards, after 10 and after 100,000 events, and the memory
// of a session.
func (r *reporter) guard(ctx context.Context, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("unexpected argument %s", args[0])
	}
	folder, err := os.MkdirTemp("", "stile-bench")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	for name, text := range guardSpecs {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	file, tests := filepath.Join(folder, "shop.guard"), r.Cache("bench", "guard.test")
	if _, err := r.Command(ctx, nil, "go", "run", "./wasm/stile", "compile", filepath.Join(folder, "shop.agent"), filepath.Join(folder, "shop.ltl"), "-o", file); err != nil {
		return err
	}
	if _, err := r.Command(ctx, nil, "go", "test", "-c", "-o", tests, "./wasm/guard"); err != nil {
		return err
	}
	source := filepath.Join("wasm", "guard")
	var found report.Benchmarks
	for round := range r.Repeat {
		r.say(fmt.Sprintf("events of guards, round %d of %d", round+1, r.Repeat))
		for _, command := range [][]string{
			{tests, "-test.run=^$", "-test.bench=^BenchmarkEvent$", "-test.benchtime=20000x"},
			{"node", "testdata/cost.mjs", file},
			{"python3", "testdata/cost.py", file},
		} {
			printed, err := r.CommandIn(ctx, source, nil, command[0], command[1:]...)
			if err != nil && round == 0 {
				r.miss("%s: %v", command[0], err)
			}
			found.Read(printed)
		}
	}
	r.say("memory of sessions of guards")
	printed, err := r.CommandIn(ctx, source, []string{"STILE_LONG=1"}, tests, "-test.run=^TestSessionsTakeLittleMemory$", "-test.v")
	if err != nil {
		return err
	}
	r.Figures = append(r.Figures, guardFigures(&found, printed)...)
	return nil
}

var largestSessions = regexp.MustCompile(`(\w+):(\d+)`)

// guardFigures converts the measurements to figures. memory is the output of the test of the memory of sessions.
func guardFigures(found *report.Benchmarks, memory string) (out []report.Figure) {
	sessions := map[string]float64{}
	if at := regexp.MustCompile(`the largest sessions have map\[([^\]]*)\]`).FindStringSubmatch(memory); at != nil {
		for _, m := range largestSessions.FindAllStringSubmatch(at[1], -1) {
			if n, err := strconv.ParseFloat(m[2], 64); err == nil {
				sessions[m[1]] = n
			}
		}
	}
	for _, runtime := range guardCosts {
		early, late := found.Values("Event/"+runtime.name+"/10", "µs"), found.Values("Event/"+runtime.name+"/100000", "µs")
		add := func(name, unit string, most float64, values ...float64) {
			if len(values) > 0 {
				f := report.Figure{Section: "guard", Group: runtime.name, Name: name, Unit: unit, Sample: report.Of(values...), Target: &report.Target{Bound: most}}
				out = append(out, f)
			}
		}
		add("an event after 10 events", "µs", runtime.most, early...)
		add("an event after 100,000 events", "µs", runtime.most, late...)
		var growth []float64
		for i := range min(len(early), len(late)) {
			growth = append(growth, late[i]/early[i])
		}
		add("an event after 100,000 events, compared with 10", "×", guardGrowth, growth...)
		if n := sessions[map[string]string{"Go": "go", "JavaScript": "node", "Python": "python3"}[runtime.name]]; n > 0 {
			add("the largest session of the gallery", "bytes", guardMemory, n)
		}
	}
	return out
}
