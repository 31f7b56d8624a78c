package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/stile-playground/stile/core/markdown"
	"github.com/stile-playground/stile/core/workspace"
	"github.com/stile-playground/stile/grammars"
)

// longEnv tells tests that minutes do not matter.
const longEnv = "STILE_LONG"

// tally counts checks.
type tally struct{ passed, failed, skipped int }

func (t *tally) add(other tally) {
	t.passed += other.passed
	t.failed += other.failed
	t.skipped += other.skipped
}

// tester runs the steps of the verb test.
type tester struct {
	repo
	long, update bool
	site         *site
}

// step is one kind of check. It returns how many it made, and prints what
// failed; an error is a check that could not be made, and counts as failed.
type step struct {
	name string
	run  func(context.Context, *tester) (tally, error)
}

func steps() []step {
	return []step{
		{"format", checkFormat},
		{"vet", checkVet},
		{"staticcheck", checkStatic},
		{"generated", checkGenerated},
		{"fresh", checkFresh},
		{"go", checkGo},
		{"race", checkRace},
		{"wasm", checkWASM},
		{"foreign", checkForeign},
		{"sdk", checkSDK},
		{"mcp", checkMCP},
		{"worker", checkWorker},
		{"types", checkTypes},
		{"pictures", checkPictures},
		{"size", checkSize},
		{"browser", checkBrowser},
		{"endurance", checkEndurance},
		{"fuzz", checkFuzz},
		{"mutation", checkMutation},
	}
}

// onlyLong are the steps that only -long takes, or who names them. Mutants take so long
// that they are tried by name only.
var onlyLong = []string{"endurance", "fuzz"}

// testVerb checks everything and ends with one line of counts.
func testVerb(ctx context.Context, r repo, args []string) error {
	flags := flag.NewFlagSet("test", flag.ContinueOnError)
	long := flags.Bool("long", false, "also what takes minutes: fuzzing, endurance, every instance of large data")
	update := flags.Bool("update", false, "in the step browser: make the pictures of views anew instead of looking for differences")
	if err := flags.Parse(args); err != nil {
		return errUsage
	}
	wanted := flags.Args()
	for _, name := range wanted {
		if !slices.ContainsFunc(steps(), func(s step) bool { return s.name == name }) {
			var names []string
			for _, s := range steps() {
				names = append(names, s.name)
			}
			return fmt.Errorf("there is no step %q; there is %s", name, strings.Join(names, ", "))
		}
	}
	t := &tester{repo: r, long: *long, update: *update}
	var total tally
	for _, s := range steps() {
		skipped := s.name == "mutation" || slices.Contains(onlyLong, s.name) && !t.long
		if len(wanted) > 0 && !slices.Contains(wanted, s.name) || len(wanted) == 0 && skipped {
			continue
		}
		began := time.Now()
		counts, err := s.run(ctx, t)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			fmt.Printf("%s\n", err)
			counts.failed = max(counts.failed, 1)
		}
		total.add(counts)
		fmt.Printf("%-12s %5d passed %3d failed %3d skipped  %6.1f s\n", s.name, counts.passed, counts.failed, counts.skipped, time.Since(began).Seconds())
	}
	fmt.Printf("%d passed, %d failed, %d skipped\n", total.passed, total.failed, total.skipped)
	if total.failed > 0 || total.passed == 0 {
		return errFailed
	}
	return nil
}

// verdict is the tally of a check that holds or does not.
func verdict(err error) (tally, error) {
	if err != nil {
		return tally{failed: 1}, err
	}
	return tally{passed: 1}, nil
}

func checkFormat(ctx context.Context, t *tester) (tally, error) {
	out, err := t.command(ctx, nil, "gofmt", "-l", "build", "core", "grammars", "wasm")
	if err == nil && strings.TrimSpace(out) != "" {
		err = fmt.Errorf("not formatted by gofmt:\n%s", out)
	}
	return verdict(err)
}

func checkVet(ctx context.Context, t *tester) (tally, error) {
	_, err := t.command(ctx, nil, "go", "vet", "./...")
	if err == nil {
		_, err = t.command(ctx, []string{"GOOS=wasip1", "GOARCH=wasm"}, "go", "vet", "./wasm/module", "./core/...")
	}
	return verdict(err)
}

func checkStatic(ctx context.Context, t *tester) (tally, error) {
	_, err := t.command(ctx, nil, "go", "tool", "staticcheck", "./...")
	return verdict(err)
}

func checkGenerated(ctx context.Context, t *tester) (tally, error) {
	return verdict(genVerb(ctx, t.repo, []string{"-check"}))
}

// checkPictures holds the drawings of documents against those of the page: at the same
// places both draw every example of the gallery alike, letter for letter.
func checkPictures(ctx context.Context, t *tester) (tally, error) {
	examples, err := grammars.All()
	if err != nil {
		return tally{}, err
	}
	var input bytes.Buffer
	var drawn, names []string
	for _, e := range examples {
		if workspace.KindOf(e.Main) == workspace.KindProblem {
			continue // its files are texts
		}
		_, drawing, err := drawExample(ctx, e)
		if err != nil {
			return tally{}, err
		}
		layout, err := markdown.Layout(drawing)
		if err != nil {
			return tally{}, err
		}
		svg, err := markdown.Picture(drawing, layout)
		if err != nil {
			return tally{}, err
		}
		drawn = append(drawn, svg)
		line, err := drawingLine(drawing, layout)
		if err != nil {
			return tally{}, err
		}
		names = append(names, e.ID)
		input.Write(line)
	}
	out, err := t.prerender(ctx, input.Bytes())
	if err != nil {
		return tally{}, err
	}
	var counts tally
	pictures := strings.Split(strings.TrimSpace(string(out)), "\n")
	for i, svg := range drawn {
		if i >= len(pictures) || svg != pictures[i] {
			fmt.Printf("FAIL pictures: a document draws %s otherwise than the page\n", names[i])
			counts.failed++
			continue
		}
		counts.passed++
	}
	return counts, nil
}

// env is the environment of tests.
func (t *tester) env(more ...string) []string {
	if t.long {
		more = append(more, longEnv+"=1")
	}
	return more
}

// modulesEnv names the environment variable with the folder of the modules that the
// page fetches, so that the tests of wasm/host run those very bytes.
const modulesEnv = "STILE_MODULES"

// moduleEnv is the environment of tests that run the modules, which it makes first.
// What wazero compiles of them is kept from one step to the next.
func (t *tester) moduleEnv(ctx context.Context, more ...string) ([]string, error) {
	for _, cut := range []string{firstCut, wholeCut} {
		if _, err := t.module(ctx, cut); err != nil {
			return nil, err
		}
	}
	return t.env(append(more, modulesEnv+"="+t.cache(), cacheEnv+"="+t.cache("wazero"))...), nil
}

// checkGo runs the Go tests. Only what takes more than seconds is a sample here and
// left to -long (see core/internal/effort). The packages of npm are there before,
// because the guards in TypeScript are compiled with one.
func checkGo(ctx context.Context, t *tester) (tally, error) {
	if err := t.npmTests(ctx); err != nil {
		return tally{}, err
	}
	env, err := t.moduleEnv(ctx)
	if err != nil {
		return tally{}, err
	}
	return t.goTest(ctx, env, "test", "-json", "-timeout", "30m", "./...")
}

// checkRace runs them once more under the race detector, which needs a C
// compiler. Tests of many cases then take a few of each kind (see core/internal/effort).
func checkRace(ctx context.Context, t *tester) (tally, error) {
	if _, err := exec.LookPath("cc"); err != nil {
		fmt.Println("race: there is no C compiler, so the race detector is left out")
		return tally{skipped: 1}, nil
	}
	env, err := t.moduleEnv(ctx, "CGO_ENABLED=1")
	if err != nil {
		return tally{}, err
	}
	return t.goTest(ctx, env, "test", "-json", "-timeout", "30m", "-race", "./...")
}

// checkWASM runs the core's own tests once more, as WebAssembly under wazero.
func checkWASM(ctx context.Context, t *tester) (tally, error) {
	self, err := os.Executable()
	if err != nil {
		return tally{}, err
	}
	env := t.env("GOOS=wasip1", "GOARCH=wasm", cacheEnv+"="+t.cache("wazero-tests"))
	return t.goTest(ctx, env, "test", "-json", "-timeout", "30m", "-exec", self+" "+wasmVerb, "./core/...")
}

// checkFuzz runs every fuzz target for a while.
func checkFuzz(ctx context.Context, t *tester) (tally, error) {
	list, err := t.command(ctx, nil, "go", "test", "-list", "^Fuzz", "./core/...")
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
				n, err := t.goTest(ctx, nil, "test", "-json", "-run", "^$", "-fuzz", "^"+target+"$", "-fuzztime", "60s", fields[1])
				if err != nil {
					return counts, err
				}
				fmt.Printf("fuzz: %s %s\n", fields[1], target)
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

// goTest runs `go test -json` and counts its tests, subtests among them. It
// prints the output of those that failed.
func (t *tester) goTest(ctx context.Context, env []string, args ...string) (tally, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = string(t.repo)
	cmd.Env = append(os.Environ(), env...)
	var fault bytes.Buffer
	cmd.Stderr = &fault
	out, runErr := cmd.Output()
	var counts tally
	printed := map[string][]string{}
	decoder := json.NewDecoder(bytes.NewReader(out))
	for decoder.More() {
		var e struct{ Action, Package, Test, ImportPath, Output string }
		if err := decoder.Decode(&e); err != nil {
			return counts, fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, tail(fault.String(), 20))
		}
		key := e.Package + " " + e.Test
		switch e.Action {
		case "output", "build-output":
			if e.Package == "" {
				key = e.ImportPath
			}
			printed[key] = append(printed[key], e.Output)
			continue
		case "build-fail":
			fmt.Print(tail(strings.Join(printed[e.ImportPath], ""), 40), "\n")
			continue
		case "pass":
			if e.Test != "" {
				counts.passed++
			}
		case "skip":
			if e.Test != "" {
				counts.skipped++
			}
		case "fail":
			counts.failed++
			fmt.Printf("FAIL %s\n%s\n", key, tail(strings.Join(printed[key], ""), 40))
		default:
			continue
		}
		delete(printed, key)
	}
	if runErr != nil && counts.failed == 0 {
		return counts, fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), runErr, tail(fault.String(), 40))
	}
	return counts, nil
}

// built returns the site, built once.
func (t *tester) built(ctx context.Context) (*site, error) {
	if t.site != nil {
		return t.site, nil
	}
	if err := t.npmTests(ctx); err != nil {
		return nil, err
	}
	s, err := t.buildSite(ctx)
	if err != nil {
		return nil, err
	}
	if err := t.writeSite(s); err != nil {
		return nil, err
	}
	t.site = &s
	return t.site, nil
}

func checkTypes(ctx context.Context, t *tester) (tally, error) {
	if err := t.npmTests(ctx); err != nil {
		return tally{}, err
	}
	var counts tally
	for _, project := range []string{".", "tests"} {
		_, err := t.commandIn(ctx, "web", nil, "node", filepath.Join("node_modules", "typescript", "bin", "tsc"), "--noEmit", "-p", project)
		n, err := verdict(err)
		counts.add(n)
		if err != nil {
			return counts, err
		}
	}
	return counts, nil
}

// checkForeign has other tools read what the core writes for them.
func checkForeign(ctx context.Context, t *tester) (tally, error) {
	if err := t.npmTests(ctx); err != nil {
		return tally{}, err
	}
	return t.peer(ctx, nil, "foreign.mjs")
}

// Limits of the site, in bytes as brotli packs them.
const (
	maxModule  = 950_000   // what the page loads first
	maxWhole   = 2_750_000 // what it fetches when a person asks for more: runs, teams, problems, benchmarks
	maxDrawing = 1_100_000 // all before the first drawing, but for the layout engine
	maxEditor  = 160_000   // all before the editor can be typed into
)

// sizeGate is files of the site that may take only so many bytes together.
type sizeGate struct {
	what  string
	files []string
	most  int
}

func sizeGates(s *site) []sizeGate {
	return []sizeGate{
		{"the first module", []string{s.module}, maxModule},
		{"the whole module", []string{s.whole}, maxWhole},
		{"before the editor", s.first, maxEditor},
		{"before the first drawing", s.drawing, maxDrawing},
	}
}

func checkSize(ctx context.Context, t *tester) (tally, error) {
	s, err := t.built(ctx)
	if err != nil {
		return tally{}, err
	}
	var counts tally
	for _, gate := range sizeGates(s) {
		size, err := t.transferred(s, gate.files)
		if err != nil {
			return counts, err
		}
		fmt.Printf("size: %s %d of %d bytes\n", gate.what, size, gate.most)
		if size > gate.most {
			counts.failed++
			fmt.Printf("FAIL size: %s takes %d bytes too many\n", gate.what, size-gate.most)
		} else {
			counts.passed++
		}
	}
	return counts, nil
}

// transferred returns how many bytes of files go over the wire.
func (r repo) transferred(s *site, names []string) (size int, err error) {
	for _, name := range names {
		data, ok := s.files[name]
		if !ok {
			return 0, fmt.Errorf("the site has no file %s", name)
		}
		if !strings.HasPrefix(name, "module/br/") {
			if data, err = r.packedBrotli(data); err != nil {
				return 0, err
			}
		}
		size += len(data)
	}
	return size, nil
}

// counting is what the browser tests' reporter says as each of them begins.
var counting = regexp.MustCompile(`(?m)^\[\d+/\d+\] .*\n`)

// checkBrowser runs the browser tests against the built site.
func checkBrowser(ctx context.Context, t *tester) (tally, error) {
	if !t.update {
		return t.browse(ctx, nil)
	}
	counts, err := t.browse(ctx, nil, "--update-snapshots=all", viewTest)
	if err != nil {
		return counts, err
	}
	return counts, t.shrinkViews()
}

// checkEndurance uses the page for half an hour by the page's clock, while all around it
// fails, once for each of ten seeds; see web/tests/endurance.
func checkEndurance(ctx context.Context, t *tester) (tally, error) {
	var env []string
	for _, setting := range []struct{ name, value string }{{"ENDURANCE_MINUTES", "30"}, {"ENDURANCE_SEEDS", "10"}} {
		if os.Getenv(setting.name) == "" {
			env = append(env, setting.name+"="+setting.value)
		}
	}
	return t.browse(ctx, env, "tests/endurance")
}

// browse serves the built site and runs browser tests against it.
func (t *tester) browse(ctx context.Context, more []string, tests ...string) (tally, error) {
	s, err := t.built(ctx)
	if err != nil {
		return tally{}, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return tally{}, err
	}
	server := &http.Server{Handler: serveSite(func() *site { return s }), ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = server.Serve(listener) }() // ends with Close
	defer server.Close()
	standins, stop, err := startStandins()
	if err != nil {
		return tally{}, err
	}
	defer func() { _ = stop() }()
	report := t.cache("playwright.json")
	if err := os.Remove(report); err != nil && !errors.Is(err, os.ErrNotExist) {
		return tally{}, err
	}
	env := t.env(append(append(standins, more...), "STILE_URL=http://"+listener.Addr().String(), "PLAYWRIGHT_JSON_OUTPUT_FILE="+report)...)
	args := append([]string{filepath.Join("node_modules", "@playwright", "test", "cli.js"), "test", "--reporter=line,json"}, tests...)
	out, runErr := t.commandIn(ctx, "web", env, "node", args...)
	raw, err := os.ReadFile(report)
	if err != nil {
		return tally{}, errors.Join(runErr, err)
	}
	var result struct {
		Stats struct{ Expected, Unexpected, Flaky, Skipped int }
	}
	if err := json.Unmarshal(raw, &result); err != nil {
		return tally{}, err
	}
	counts := tally{passed: result.Stats.Expected, failed: result.Stats.Unexpected + result.Stats.Flaky, skipped: result.Stats.Skipped}
	if runErr != nil || counts.failed > 0 {
		// Between the failures the reporter counts the tests; where only the end of a log is kept, that must not push them out.
		fmt.Println(tail(counting.ReplaceAllString(out, ""), 300))
	}
	return counts, nil
}
