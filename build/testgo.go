package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/stile-playground/stile/build/internal/checkout"
	"github.com/stile-playground/stile/build/internal/mutation"
)

func checkFormat(ctx context.Context, t *tester) (tally, error) {
	out, err := t.Command(ctx, nil, "gofmt", "-l", "build", "core", "grammars", "wasm")
	if err == nil && strings.TrimSpace(out) != "" {
		err = fmt.Errorf("not formatted by gofmt:\n%s", out)
	}
	return verdict(err)
}

// checkVet vets all packages natively and, as WebAssembly, those that compile other files there.
// For a file in both builds, vet reports the same.
func checkVet(ctx context.Context, t *tester) (tally, error) {
	if _, err := t.Command(ctx, nil, "go", "vet", "./..."); err != nil {
		return verdict(err)
	}
	env := []string{"GOOS=wasip1", "GOARCH=wasm"}
	native, err := t.packageFiles(ctx, nil)
	if err != nil {
		return verdict(err)
	}
	there, err := t.packageFiles(ctx, env)
	if err != nil {
		return verdict(err)
	}
	args := []string{"vet"}
	for _, pkg := range sortedNames(there) {
		if there[pkg] != native[pkg] {
			args = append(args, pkg)
		}
	}
	if len(args) == 1 {
		return verdict(errors.New("vet: no package has files of its own for WebAssembly"))
	}
	_, err = t.Command(ctx, env, "go", args...)
	return verdict(err)
}

// packageFiles returns the files that each package compiles in an environment. Packages
// that do not build there have none.
func (r repo) packageFiles(ctx context.Context, env []string) (map[string]string, error) {
	printed, err := r.Command(ctx, env, "go", "list", "-e", "-f", "{{.ImportPath}} {{.GoFiles}} {{.TestGoFiles}} {{.XTestGoFiles}}", "./...")
	files := map[string]string{}
	for line := range strings.Lines(printed) {
		pkg, names, _ := strings.Cut(line, " ")
		files[pkg] = names
	}
	return files, err
}

func checkStatic(ctx context.Context, t *tester) (tally, error) {
	_, err := t.Command(ctx, nil, "go", "tool", "staticcheck", "./...")
	return verdict(err)
}

func checkGenerated(ctx context.Context, t *tester) (tally, error) {
	return verdict(genVerb(ctx, t.repo, []string{"-check"}))
}

// modulesEnv is the environment variable with the folder of the modules that the page
// fetches, so that the tests of wasm/host run the same bytes.
const modulesEnv = "STILE_MODULES"

// buildModules builds both modules.
func (r repo) buildModules(ctx context.Context) error {
	for _, name := range []string{coreModule, fullModule} {
		if _, err := r.module(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

// cacheEnv names the folder in which wazero keeps compiled code.
const cacheEnv = "STILE_WAZERO_CACHE"

// moduleEnv returns the environment of tests that run the built modules. wazero caches
// its compiled code between the steps.
func (r repo) moduleEnv() []string {
	return []string{modulesEnv + "=" + r.Cache(), cacheEnv + "=" + r.Cache("wazero")}
}

// compileTest is the test that makes wazero compile the modules.
const compileTest = "^TestModulesCompile$"

// moduleEnv builds the modules and returns the environment of tests that run them. wazero compiles
// them here, once; otherwise one of the steps that need the code would compile it under the race
// detector, and another at the same time in the other lane. A test does the compiling, because
// wazero keeps the code of tests apart from that of other programs.
func (t *tester) moduleEnv(ctx context.Context, more ...string) ([]string, error) {
	t.shared.mu.Lock()
	defer t.shared.mu.Unlock()
	if !t.shared.compiled {
		if err := t.buildModules(ctx); err != nil {
			return nil, err
		}
		if _, err := t.Command(ctx, t.repo.moduleEnv(), "go", "test", "-vet=off", "-count=1", "-run", compileTest, "./wasm/host"); err != nil {
			return nil, err
		}
		t.shared.compiled = true
	}
	return t.env(append(more, t.repo.moduleEnv()...)...), nil
}

// checkGo runs the Go tests. Tests that would take more than seconds try a sample of
// their cases (see core/internal/effort). The packages of npm are installed first,
// because the tests of exported guards compile TypeScript.
func checkGo(ctx context.Context, t *tester) (tally, error) {
	if err := t.npmPackages(ctx); err != nil {
		return tally{}, err
	}
	env, err := t.moduleEnv(ctx)
	if err != nil {
		return tally{}, err
	}
	return t.goTest(ctx, env, "-timeout", "30m", "./...")
}

// wasmOneIn is the sampling rate of the core's packages, and of the tests within them, as WebAssembly
// without -long. Linking the tests of a package costs more than most of its tests. All run natively, and
// wasm/host compares the replies of each method in wazero.
const wasmOneIn = 3

// checkWASM runs a sample of the core's own tests as WebAssembly on a tenth of their cases, in
// Node.js: its engine is that of browsers, with the same small stack.
func checkWASM(ctx context.Context, t *tester) (tally, error) {
	env := t.env("GOOS=wasip1", "GOARCH=wasm")
	// Fast calls of node:wasi crash while garbage is collected: https://github.com/nodejs/node/issues/46777
	args := []string{"-timeout", "30m", "-exec", "node --no-warnings --no-turbo-fast-api-calls '" + t.Path("build/wasi.mjs") + "'"}
	if !t.long {
		s, err := t.sampleTests("core", wasmOneIn)
		if err != nil {
			return tally{}, err
		}
		built, err := t.packageFiles(ctx, env)
		if err != nil {
			return tally{}, err
		}
		s.packages = slices.DeleteFunc(s.packages, func(pkg string) bool { // all files are constrained to other platforms
			_, ok := built[checkout.ModulePath+strings.TrimPrefix(pkg, ".")]
			return !ok
		})
		t.printf("  %d of %d tests of the core, in %d packages; test -long runs all\n", len(s.tests), s.all, len(s.packages))
		return t.goTest(ctx, env, append(append(args, "-run", "^("+strings.Join(s.tests, "|")+")$"), s.packages...)...)
	}
	return t.goTest(ctx, env, append(args, "./core/...")...)
}

// testFunction matches all that the option -run of go test selects.
var testFunction = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Example)\w*)\(`)

// ofDepth selects the tests of recursion. If they fail anywhere, they fail on the small stacks of
// browsers.
var ofDepth = regexp.MustCompile(`Deep|Depth|Nest`)

// testSample are tests of some packages. Names are unique.
type testSample struct {
	packages, tests []string
	all             int // the number of tests of the folder
}

// sampleTests draws one package in oneIn of a folder by a hash of its name, and one test in oneIn of these
// packages. All tests of recursion are added, with their packages.
func (r repo) sampleTests(folder string, oneIn uint32) (s testSample, err error) {
	drawn := func(name string) bool {
		hash := fnv.New32a()
		_, _ = hash.Write([]byte(name)) // never fails
		return hash.Sum32()%oneIn == 0
	}
	packages, chosen := map[string]bool{}, map[string]bool{}
	err = filepath.WalkDir(r.Path(folder), func(name string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, "_test.go") {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		within, err := filepath.Rel(string(r.Dir), filepath.Dir(name))
		if err != nil {
			return err
		}
		pkg := "./" + filepath.ToSlash(within)
		for _, match := range testFunction.FindAllStringSubmatch(string(text), -1) {
			test := match[1]
			if _, known := chosen[test]; !known {
				chosen[test] = false
			}
			if ofDepth.MatchString(test) || drawn(pkg) && drawn(test) {
				packages[pkg], chosen[test] = true, true
			}
		}
		return nil
	})
	s.packages, s.all = sortedNames(packages), len(chosen)
	for _, test := range sortedNames(chosen) {
		if chosen[test] {
			s.tests = append(s.tests, test)
		}
	}
	if err == nil && len(s.tests) == 0 {
		err = fmt.Errorf("found no test of %s", folder)
	}
	return s, err
}

// checkCedar compares imported policies with the decisions of cedar-go.
func checkCedar(ctx context.Context, t *tester) (tally, error) {
	_, err := t.CommandIn(ctx, "build/cedar", nil, "go", "test", "./...")
	return verdict(err)
}

// checkFuzz runs every fuzz target for a minute.
func checkFuzz(ctx context.Context, t *tester) (tally, error) {
	list, err := t.Command(ctx, nil, "go", "test", "-list", "^Fuzz", "./core/...")
	if err != nil {
		return tally{}, err
	}
	var counts tally
	var targets []string
	for line := range strings.Lines(list) {
		fields := strings.Fields(line)
		switch {
		case len(fields) == 1 && strings.HasPrefix(fields[0], "Fuzz"):
			targets = append(targets, fields[0])
		case len(fields) > 1 && fields[0] == "ok":
			for _, target := range targets {
				n, err := t.goTest(ctx, nil, "-run", "^$", "-fuzz", "^"+target+"$", "-fuzztime", "60s", fields[1])
				if err != nil {
					return counts, err
				}
				t.printf("fuzz: %s %s\n", fields[1], target)
				counts.add(n)
				if n.failed == 0 && n.passed == 0 {
					counts.passed++
				}
			}
			targets = nil
		}
	}
	return counts, nil
}

// effortEnv makes tests print the sizes of their samples (see core/internal/effort).
const effortEnv = "STILE_EFFORT"

// goTest runs `go test -json` and counts the tests, including subtests. It prints the
// output of the tests that failed, the slowest tests, and the sizes of the samples. The
// step vet checks the same files.
func (t *tester) goTest(ctx context.Context, env []string, args ...string) (tally, error) {
	args = append([]string{"test", "-json", "-vet=off"}, args...)
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = string(t.Dir)
	cmd.Env = append(append(os.Environ(), env...), effortEnv+"=1")
	var fault bytes.Buffer
	cmd.Stderr = &fault
	out, runErr := cmd.Output()
	checkout.Charge(ctx, cmd)
	events := goTestEvents{printed: map[string][]string{}}
	if err := events.read(bytes.NewReader(out), t.printf); err != nil {
		return events.counts, fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, checkout.Tail(fault.String(), 20))
	}
	events.report(t.printf)
	if runErr != nil && events.counts.failed == 0 {
		return events.counts, fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), runErr, checkout.Tail(fault.String(), 40))
	}
	return events.counts, nil
}

// goTestEvents adds up the events of `go test -json`.
type goTestEvents struct {
	counts  tally
	printed map[string][]string // the output of unfinished tests, by package and test
	times   []testTime
	samples int
}

// testTime is the duration of a test in seconds.
type testTime struct {
	name    string
	seconds float64
}

func (g *goTestEvents) read(in io.Reader, printf func(string, ...any)) error {
	decoder := json.NewDecoder(in)
	for decoder.More() {
		var e struct {
			Action, Package, Test, ImportPath, Output string
			Elapsed                                   float64
		}
		if err := decoder.Decode(&e); err != nil {
			return err
		}
		key := e.Package + " " + e.Test
		switch e.Action {
		case "output", "build-output":
			if e.Package == "" {
				key = e.ImportPath
			}
			if strings.HasPrefix(e.Output, "effort: ") {
				g.samples++
			}
			g.printed[key] = append(g.printed[key], e.Output)
			continue
		case "build-fail":
			printf("%s\n", checkout.Tail(strings.Join(g.printed[e.ImportPath], ""), 40))
			continue
		case "pass":
			if e.Test != "" {
				g.counts.passed++
			}
		case "skip":
			if e.Test != "" {
				g.counts.skipped++
			}
		case "fail":
			g.counts.failed++
			printf("FAIL %s\n%s\n", key, checkout.Tail(strings.Join(g.printed[key], ""), 40))
			if e.Test == "" { // a crash ends the package during a test, whose failure is not reported
				for _, unfinished := range sortedNames(g.printed) {
					if strings.HasPrefix(unfinished, key) && unfinished != key {
						printf("unfinished: %s\n%s\n", unfinished, checkout.Tail(strings.Join(g.printed[unfinished], ""), 40))
					}
				}
			}
		default:
			continue
		}
		if e.Test != "" && !strings.Contains(e.Test, "/") {
			g.times = append(g.times, testTime{strings.TrimPrefix(key, checkout.ModulePath+"/"), e.Elapsed})
		}
		delete(g.printed, key)
	}
	return nil
}

// report prints the slowest tests and the number of samples.
func (g *goTestEvents) report(printf func(string, ...any)) {
	const slow, most = 5.0, 8 // seconds, tests
	slices.SortStableFunc(g.times, func(a, b testTime) int { return cmp.Compare(b.seconds, a.seconds) })
	for i, test := range g.times {
		if i == most || test.seconds < slow {
			break
		}
		printf("  %6.1f s  %s\n", test.seconds, test.name)
	}
	if g.samples > 0 {
		printf("  %d times a test tried a sample of its cases, drawn with a fixed seed; test -long tries all\n", g.samples)
	}
}

// checkMutation tries the mutants of the core's packages.
func checkMutation(ctx context.Context, t *tester) (tally, error) {
	passed, failed, err := mutation.Check(ctx, t.Dir, t.long, t.printf)
	return tally{passed: passed, failed: failed}, err
}
