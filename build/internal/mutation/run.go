package mutation

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/stile-playground/stile/build/internal/checkout"
)

// fewEnv makes tests try a few cases of each kind (core/internal/effort).
const fewEnv = "STILE_FEW"

// mutantMemo has the results of a package's mutants, for reuse by the next run.
type mutantMemo struct {
	Files  string                 `json:"files"` // the hash of the files that Report describes
	Report mutationReport         `json:"report"`
	Tried  map[string]mutantTrial `json:"tried"` // by the mutants' keys

	Measured map[string]measurement `json:"measured"` // by the package of the tests
}

// mutantTrial is the outcome of a mutant for a hash of tests and package, and the test
// that detected it. If the hash has changed, that test is tried first.
type mutantTrial struct {
	Hash   string `json:"hash"`
	Status string `json:"status"`
	Killer string `json:"killer,omitempty"`

	Unreached bool `json:"unreached,omitempty"` // by any test
}

// mutantRun is the state of a package whose mutants are tried.
type mutantRun struct {
	checkout.Dir
	pkg, work, binary string
	tests             string            // the package whose tests are run
	next              *mutantRun        // the same mutants with the tests of another package; nil for none
	files             map[string]string // the package's own texts, by base name
	measured          measurement       // of the tests
	reached           string            // the file of reached places, while the tests are measured
	hash              string            // of everything that a trial depends on
}

// tryMutants tries a package's mutants, or a sample, with the tests of some packages
// in turn, and returns all with their outcomes.
func tryMutants(ctx context.Context, dir checkout.Dir, pkg string, tests []string, s mutationSettings) (list []placed, texts map[string]string, err error) {
	work, err := os.MkdirTemp("", "stile-mutants-")
	if err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(work)
	r := &mutantRun{Dir: dir, pkg: pkg, work: work}
	name, err := r.readPackage(ctx)
	if err != nil {
		return nil, nil, err
	}
	r.tests = tests[0]
	for last, i := r, 1; i < len(tests); i++ {
		last.next = &mutantRun{Dir: dir, pkg: pkg, tests: tests[i], work: work, files: r.files}
		last = last.next
	}
	memoName := r.Cache("mutants", strings.ReplaceAll(pkg, "/", "-")+".json")
	memo := readMemo(memoName)
	if files := hashOf(mutationTool, r.files); memo.Files != files {
		if memo.Report, err = r.find(ctx); err != nil {
			return nil, nil, err
		}
		memo.Files = files
	}
	list = place(memo.Report, r.files)
	text, err := r.compile(ctx, name, list)
	if err != nil {
		return nil, nil, err
	}
	if err := r.measure(ctx, len(list), r.hash, &memo); err != nil {
		return nil, nil, err
	}
	wanted := sampleMutants(list, s.sample, s.seed, text.barren)
	err = r.tryAll(ctx, list, wanted, text, s.workers, &memo)
	if fault := writeMemo(memoName, memo); err == nil {
		err = fault
	}
	return list, r.files, err
}

// outcome is the result of running a test binary.
type outcome struct {
	status  string
	printed string
	seconds float64 // of the processor
}

// run runs a test binary with a mutant (0: without one) and with a limit on processor time, in
// seconds: with a limit on elapsed time, a busy machine would look like an endless loop.
func (r *mutantRun) run(ctx context.Context, binary string, number int, limit float64, few bool, args ...string) (outcome, error) {
	const patience = 15 * time.Minute // for tests that wait for an event that never occurs
	within, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	script := fmt.Sprintf(`ulimit -v %d && ulimit -t %d && exec "$0" "$@"`, mutationMemory, int(math.Ceil(limit)))
	cmd := exec.CommandContext(within, "sh", append([]string{"-c", script, binary, "-test.v", "-test.failfast", "-test.timeout=0"}, args...)...)
	cmd.Dir = r.Path(filepath.FromSlash(r.tests))
	cmd.Env = append(os.Environ(), mutantEnv+"="+strconv.Itoa(number), "GOMAXPROCS=1")
	if r.reached != "" {
		cmd.Env = append(cmd.Env, reachedEnv+"="+r.reached)
	}
	if few {
		cmd.Env = append(cmd.Env, fewEnv+"=1")
	}
	var printed lastBytes
	cmd.Stdout, cmd.Stderr = &printed, &printed
	err := cmd.Run()
	if ctx.Err() != nil {
		return outcome{}, ctx.Err()
	}
	out := outcome{status: mutantKilled, printed: string(printed)}
	if cmd.ProcessState == nil {
		return out, err
	}
	out.seconds = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	signalled := false
	if s, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok {
		signalled = s.Signaled()
	}
	switch {
	case err == nil:
		out.status = mutantLives
	case within.Err() != nil || signalled || strings.Contains(out.printed, "SIGXCPU"):
		out.status = mutantEndless
	}
	return out, nil
}

// lastBytes keeps the last bytes that are written to it.
type lastBytes []byte

func (b *lastBytes) Write(p []byte) (int, error) {
	const most = 1 << 20
	*b = append(*b, p...)
	if len(*b) > 2*most {
		*b = append((*b)[:0], (*b)[len(*b)-most:]...)
	}
	return len(p), nil
}

// The begin or the end of a test, not of a subtest.
var (
	begunTest = regexp.MustCompile(`(?m)^=== RUN   ([^/\s]+)$`)
	endedTest = regexp.MustCompile(`(?m)^--- (PASS|FAIL|SKIP): ([^/\s]+) \(([0-9.]+)s\)$`)
)

// killerOf returns the test that detected a mutant: the one that failed, or the last that began.
func killerOf(printed string) string {
	for _, m := range endedTest.FindAllStringSubmatch(printed, -1) {
		if m[1] == "FAIL" {
			return m[2]
		}
	}
	if begun := begunTest.FindAllStringSubmatch(printed, -1); len(begun) > 0 {
		return begun[len(begun)-1][1]
	}
	return ""
}

// onlyTests returns the flag that restricts a test binary to some of its tests.
func onlyTests(names []string) string { return "^(" + strings.Join(names, "|") + ")$" }

// try tries a mutant with the tests that reach it, the fastest first.
func (r *mutantRun) try(ctx context.Context, binary string, number int, before string) (mutantTrial, error) {
	parts := r.measured.parts(number, before)
	for _, p := range parts {
		out, err := r.run(ctx, binary, max(number, 0), p.limit(), p.few, "-test.run", onlyTests(p.tests))
		if err != nil {
			return mutantTrial{}, err
		}
		if out.status != mutantLives {
			return mutantTrial{Hash: r.hash, Status: out.status, Killer: killerOf(out.printed)}, nil
		}
	}
	trial := mutantTrial{Hash: r.hash, Status: mutantLives, Unreached: len(parts) == 0}
	if r.next == nil {
		return trial, nil
	}
	next, err := r.next.try(ctx, nextBinary(binary), number, before)
	next.Hash, next.Unreached = r.hash, next.Unreached && trial.Unreached
	return next, err
}

// nextBinary returns the name of the test binary of the next package with tests.
func nextBinary(binary string) string { return binary + "+" }

// tryAlone compiles a mutant by itself and tries it.
func (r *mutantRun) tryAlone(ctx context.Context, m placed, number int, before string) (mutantTrial, error) {
	faulty, ok := m.mutate(r.files[m.file])
	if !ok {
		return mutantTrial{}, fmt.Errorf("%s/%s:%d:%d: there is no %s", r.pkg, m.file, m.Line, m.Column, m.Type)
	}
	binary := filepath.Join(r.work, fmt.Sprintf("%d.test", number))
	defer func() {
		for b, last := binary, r; last != nil; b, last = nextBinary(b), last.next {
			_ = os.Remove(b) // the folder is removed at the end
		}
	}()
	if _, err := r.build(ctx, binary, map[string]string{m.file: faulty}); err != nil {
		return mutantTrial{Hash: r.hash, Status: mutantNone}, ctx.Err()
	}
	return r.try(ctx, binary, anyMutant, before)
}

// tryAll tries the selected mutants without a known outcome, and stores their outcomes
// in the list.
func (r *mutantRun) tryAll(ctx context.Context, list []placed, wanted []bool, text mutantText, workers int, memo *mutantMemo) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var guard sync.Mutex
	var group sync.WaitGroup
	places := make(chan struct{}, workers)
	began, done := time.Now(), 0
	for i := range list {
		m := &list[i]
		m.Status = ""
		if text.barren[i+1] {
			m.Status = mutantNone
			continue
		}
		guard.Lock()
		before := memo.Tried[m.key]
		guard.Unlock()
		if !wanted[i] || ctx.Err() != nil {
			continue
		}
		if before.Hash == r.hash {
			m.Status, m.unreached = before.Status, before.Unreached
			continue
		}
		places <- struct{}{}
		group.Go(func() {
			defer func() { <-places }()
			var trial mutantTrial
			var err error
			if text.alone[i+1] {
				trial, err = r.tryAlone(ctx, *m, i+1, before.Killer)
			} else {
				trial, err = r.try(ctx, r.binary, i+1, before.Killer)
			}
			guard.Lock()
			defer guard.Unlock()
			if err != nil {
				cancel(err)
				return
			}
			m.Status, m.unreached = trial.Status, trial.Unreached
			memo.Tried[m.key] = trial
			done++
			if since := time.Since(began); done%50 == 0 {
				fmt.Printf("mutation: %s, %d mutants in %.0f s\n", r.pkg, done, since.Seconds())
			}
		})
	}
	group.Wait()
	return context.Cause(ctx)
}

// readMemo reads the memo; an unreadable memo counts as empty.
func readMemo(name string) (memo mutantMemo) {
	if text, err := os.ReadFile(name); err == nil && json.Unmarshal(text, &memo) != nil {
		memo = mutantMemo{}
	}
	if memo.Tried == nil {
		memo.Tried = map[string]mutantTrial{}
	}
	if memo.Measured == nil {
		memo.Measured = map[string]measurement{}
	}
	return memo
}

func writeMemo(name string, memo mutantMemo) error {
	text, err := json.Marshal(memo)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o644)
}
