package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/stile-playground/stile/build/internal/checkout"
)

// longEnv is the environment variable that makes tests try every case, however long that
// takes.
const longEnv = "STILE_LONG"

// tally counts checks.
type tally struct{ passed, failed, skipped int }

func (t *tally) add(other tally) {
	t.passed += other.passed
	t.failed += other.failed
	t.skipped += other.skipped
}

// verdict returns the tally of a single check, which failed if err is not nil.
func verdict(err error) (tally, error) {
	if err != nil {
		return tally{failed: 1}, err
	}
	return tally{passed: 1}, nil
}

// step is one kind of check. run returns the numbers of passed and failed checks and
// prints the failures to the tester; an error counts as a failure.
type step struct {
	name string
	lane lane
	when schedule
	run  func(context.Context, *tester) (tally, error)
}

// lane is a sequence of steps. The two lanes run at the same time, because a step of
// one often waits for the network, a linker or a browser while the other computes.
type lane int

const (
	laneGo   lane = iota // the compiler's checks and the Go tests
	lanePage             // checks that need the built site or packages of npm
)

// schedule is when a step runs without being named.
type schedule int

const (
	always schedule = iota
	long            // with -long
	named           // never
)

// steps lists the steps in the order in which they are reported.
func steps() []step {
	return []step{
		{"format", laneGo, always, checkFormat},
		{"generated", laneGo, always, checkGenerated},
		{"prose", laneGo, always, checkProse},
		{"vet", laneGo, always, checkVet},
		{"staticcheck", laneGo, always, checkStatic},
		{"go", laneGo, always, checkGo},
		{"race", laneGo, always, checkRace},
		{"wasm", laneGo, always, checkWASM},
		{"collector", laneGo, long, checkCollector},
		{"beam", laneGo, long, checkBeam},
		{"fresh", laneGo, always, checkFresh}, // after the page's lane has packed the modules
		{"types", lanePage, always, checkTypes},
		{"lint", lanePage, always, checkLint},
		{"pictures", lanePage, always, checkPictures},
		{"foreign", lanePage, always, checkForeign},
		{"sdk", lanePage, always, checkSDK},
		{"adapters", lanePage, always, checkAdapters},
		{"agents", lanePage, long, checkAgents},
		{"runtimes", lanePage, long, checkRuntimes},
		{"size", lanePage, always, checkSize},
		{"mcp", lanePage, always, checkMCP},
		{"worker", lanePage, always, checkWorker},
		{"browser", lanePage, always, checkBrowser},
		{"cedar", laneGo, long, checkCedar},
		{"endurance", lanePage, long, checkEndurance},
		{"fuzz", laneGo, long, checkFuzz},
		{"mutation", laneGo, named, checkMutation},
	}
}

// chosenSteps returns the steps to run: the named ones, or all that the schedule has.
func chosenSteps(names []string, withLong bool) (out []step, err error) {
	all := steps()
	for _, name := range names {
		if !slices.ContainsFunc(all, func(s step) bool { return s.name == name }) {
			var known []string
			for _, s := range all {
				known = append(known, s.name)
			}
			return nil, fmt.Errorf("unknown step %q (steps: %s)", name, strings.Join(known, ", "))
		}
	}
	for _, s := range all {
		if slices.Contains(names, s.name) || len(names) == 0 && (s.when == always || s.when == long && withLong) {
			out = append(out, s)
		}
	}
	return out, nil
}

// tester runs the steps of the verb test. Each step has a separate tester with its
// output; common artefacts are built once.
type tester struct {
	repo
	long, update bool
	out          io.Writer
	shared       *shared
}

// shared are the results that several steps need. The first step that needs a result builds it, and
// the lock makes the other lane wait for it.
type shared struct {
	mu       sync.Mutex
	site     *site
	compiled bool // wazero has compiled the modules
}

// printf prints to the output of the step.
func (t *tester) printf(format string, args ...any) { fmt.Fprintf(t.out, format, args...) }

// env returns the environment of tests.
func (t *tester) env(more ...string) []string {
	if t.long {
		more = append(more, longEnv+"=1")
	}
	return more
}

// testVerb runs the steps in two lanes. It prints a line for each step as it ends, below
// the step's failures, and ends with a line of the totals.
func testVerb(ctx context.Context, r repo, args []string) error {
	flags := flag.NewFlagSet("test", flag.ContinueOnError)
	withLong := flags.Bool("long", false, "also run the checks that take minutes: fuzzing, endurance, every case of large data")
	update := flags.Bool("update", false, "in the step browser: replace the pictures of views instead of comparing them")
	if err := flags.Parse(args); err != nil {
		return errUsage
	}
	chosen, err := chosenSteps(flags.Args(), *withLong)
	if err != nil {
		return err
	}
	if err := setUpGo(); err != nil {
		return err
	}
	began := time.Now()
	total, err := runSteps(ctx, &tester{repo: r, long: *withLong, update: *update, out: os.Stdout, shared: &shared{}}, chosen)
	if err != nil {
		return err
	}
	fmt.Printf("%d passed, %d failed, %d skipped in %.1f minutes\n", total.passed, total.failed, total.skipped, time.Since(began).Minutes())
	if total.failed > 0 || total.passed == 0 {
		return errFailed
	}
	return nil
}

// garbage is the value of GOGC for the programs of the steps: compilers, linters and tests live shortly, and
// collecting their garbage four times less often saves a third of the time of some of them.
const garbage = 400

// setUpGo sets GOGC, and trims paths, so that copies of the checkout share compiled packages. It keeps
// the settings of the caller.
func setUpGo() error {
	if os.Getenv("GOFLAGS") == "" {
		if err := os.Setenv("GOFLAGS", "-trimpath"); err != nil {
			return err
		}
	}
	if os.Getenv("GOGC") != "" {
		return nil
	}
	debug.SetGCPercent(garbage)
	return os.Setenv("GOGC", strconv.Itoa(garbage))
}

// runSteps runs each lane's steps in order, the lanes at the same time.
func runSteps(ctx context.Context, t *tester, chosen []step) (total tally, err error) {
	var lanes sync.WaitGroup
	var mu sync.Mutex // guards total and t.out
	for _, l := range []lane{laneGo, lanePage} {
		lanes.Go(func() {
			for _, s := range chosen {
				if s.lane != l || ctx.Err() != nil {
					continue
				}
				counts, printed := runStep(ctx, t, s, len(chosen) == 1)
				mu.Lock()
				total.add(counts)
				_, _ = t.out.Write(printed)
				mu.Unlock()
			}
		})
	}
	lanes.Wait()
	return total, ctx.Err()
}

// runStep runs one step and returns its output, which ends with the line of its counts.
// A step that runs alone prints directly.
func runStep(ctx context.Context, t *tester, s step, alone bool) (tally, []byte) {
	var out bytes.Buffer
	own := *t
	if own.out = &out; alone {
		own.out = t.out // shows progress
	}
	began := time.Now()
	var cpu checkout.CPU
	counts, err := s.run(checkout.WithCPU(ctx, &cpu), &own)
	if err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintf(&out, "%s\n", err)
	}
	if err != nil {
		counts.failed = max(counts.failed, 1)
	}
	fmt.Fprintf(&out, "%-12s %5d passed %3d failed %3d skipped  %6.1f s %6.1f CPU s\n", s.name, counts.passed, counts.failed, counts.skipped, time.Since(began).Seconds(), cpu.Total().Seconds())
	return counts, out.Bytes()
}
