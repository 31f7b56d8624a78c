package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/stile-playground/stile/build/internal/checkout"
	"github.com/stile-playground/stile/core/markdown"
	"github.com/stile-playground/stile/core/workspace"
	"github.com/stile-playground/stile/grammars"
)

// checkPictures compares the drawings of documents with those of the page: both must draw
// every example of the gallery with equal bytes.
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
			t.printf("FAIL pictures: a document draws %s differently from the page\n", names[i])
			counts.failed++
			continue
		}
		counts.passed++
	}
	return counts, nil
}

// npmPackages installs the npm packages of web, once.
func (t *tester) npmPackages(ctx context.Context) error {
	t.shared.mu.Lock()
	defer t.shared.mu.Unlock()
	return t.NPMTests(ctx)
}

// built builds the site and writes it to dist/, once.
func (t *tester) built(ctx context.Context) (*site, error) {
	t.shared.mu.Lock()
	defer t.shared.mu.Unlock()
	if t.shared.site != nil {
		return t.shared.site, nil
	}
	if err := t.NPMTests(ctx); err != nil {
		return nil, err
	}
	s, err := t.buildSite(ctx)
	if err != nil {
		return nil, err
	}
	if err := t.writeSite(s); err != nil {
		return nil, err
	}
	t.shared.site = &s
	return t.shared.site, nil
}

// checkLint runs Prettier and ESLint over the TypeScript of web.
func checkLint(ctx context.Context, t *tester) (tally, error) {
	if err := t.npmPackages(ctx); err != nil {
		return tally{}, err
	}
	var counts tally
	for _, tool := range [][]string{
		{filepath.Join("node_modules", "prettier", "bin", "prettier.cjs"), "--check", "--log-level", "warn", "."},
		{filepath.Join("node_modules", "eslint", "bin", "eslint.js"), "."},
	} {
		_, err := t.CommandIn(ctx, "web", nil, "node", tool...)
		n, err := verdict(err)
		counts.add(n)
		if err != nil {
			return counts, err
		}
	}
	return counts, nil
}

// checkTypes type-checks the page and its tests.
func checkTypes(ctx context.Context, t *tester) (tally, error) {
	if err := t.npmPackages(ctx); err != nil {
		return tally{}, err
	}
	var counts tally
	for _, project := range []string{".", "tests"} {
		_, err := t.CommandIn(ctx, "web", nil, "node", filepath.Join("node_modules", "@typescript", "native", "bin", "tsc"), "--noEmit", "-p", project)
		n, err := verdict(err)
		counts.add(n)
		if err != nil {
			return counts, err
		}
	}
	return counts, nil
}

// checkForeign reads the core's exports with the tools that they target.
func checkForeign(ctx context.Context, t *tester) (tally, error) {
	if err := t.npmPackages(ctx); err != nil {
		return tally{}, err
	}
	return t.peer(ctx, nil, "foreign.mjs")
}

// Limits of the site, in bytes packed with Brotli.
const (
	maxModule  = 900_000   // the page's first load
	maxFull    = 3_700_000 // its deferred load: runs, teams, problems, benchmarks
	maxDrawing = 1_060_000 // all files before the first drawing, except the layout engine
	maxEditor  = 160_000   // all files before the editor accepts input
)

// sizeGate bounds the total bytes of files of the site.
type sizeGate struct {
	what  string
	files []string
	most  int
}

func sizeGates(s *site) []sizeGate {
	return []sizeGate{
		{"the first module", []string{s.module}, maxModule},
		{"the whole module", []string{s.whole}, maxFull},
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
		size, err := t.transferred(ctx, s, gate.files)
		if err != nil {
			return counts, err
		}
		t.printf("size: %s %d of %d bytes\n", gate.what, size, gate.most)
		if size > gate.most {
			counts.failed++
			t.printf("FAIL size: %s exceeds its limit by %d bytes\n", gate.what, size-gate.most)
		} else {
			counts.passed++
		}
	}
	return counts, nil
}

// transferred returns the number of bytes of files on the wire.
func (r repo) transferred(ctx context.Context, s *site, names []string) (size int, err error) {
	for _, name := range names {
		data, ok := s.files[name]
		if !ok {
			return 0, fmt.Errorf("the site has no file %s", name)
		}
		if !strings.HasPrefix(name, "module/br/") {
			if data, err = r.packedBrotli(ctx, data); err != nil {
				return 0, err
			}
		}
		size += len(data)
	}
	return size, nil
}

// counting matches the line that the reporter prints as each browser test begins.
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

// checkEndurance uses the page for half an hour by the page's clock while requests,
// storage and workers fail, once for each of ten seeds; see web/tests/endurance.
func checkEndurance(ctx context.Context, t *tester) (tally, error) {
	var env []string
	for _, setting := range []struct{ name, value string }{{"ENDURANCE_MINUTES", "30"}, {"ENDURANCE_SEEDS", "10"}} {
		if os.Getenv(setting.name) == "" {
			env = append(env, setting.name+"="+setting.value)
		}
	}
	return t.browse(ctx, env, "tests/endurance")
}

// quick returns the site with modules that browsers unpack in no time, because each browser test unpacks
// them again: Brotli streams of blocks that are not compressed. Node unpacks the compressed ones here, and
// validates them.
func (t *tester) quick(ctx context.Context, s *site) (*site, error) {
	files := maps.Clone(s.files)
	for name, packed := range s.files {
		gz, ok := strings.CutPrefix(name, "module/br/")
		if !ok {
			continue
		}
		r, err := gzip.NewReader(bytes.NewReader(s.files["module/gz/"+gz]))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		module, err := io.ReadAll(r)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		sum, err := t.Pipe(ctx, packed, "node", t.Path("web", "tools", "module.mjs"))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if string(sum) != fmt.Sprintf("%x", sha256.Sum256(module)) {
			return nil, fmt.Errorf("%s and module/gz/%s have different contents", name, gz)
		}
		files[name] = storedBrotli(module)
	}
	return &site{files: files}, nil
}

// storedBrotli returns a Brotli stream of blocks that are not compressed (RFC 7932, section 9.2).
func storedBrotli(data []byte) []byte {
	const (
		block     = 1 << 16
		sizeShift = 3       // after a bit for the last block, and two for 4 digits of the size
		stored    = 1 << 19 // after the size
		end       = 3       // a last, empty block
	)
	var out []byte
	window := 1 // the bit 0 before the first block: a window of 64 kB
	for part := range slices.Chunk(data, block) {
		header := (uint32(len(part)-1)<<sizeShift | stored) << window
		out = append(append(out, byte(header), byte(header>>8), byte(header>>16)), part...)
		window = 0
	}
	return append(out, end)
}

// browse serves the built site and runs browser tests against it.
//
//stile:norace the server ends with the browser tests
func (t *tester) browse(ctx context.Context, more []string, tests ...string) (tally, error) {
	s, err := t.built(ctx)
	if err != nil {
		return tally{}, err
	}
	if !t.long {
		if s, err = t.quick(ctx, s); err != nil {
			return tally{}, err
		}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return tally{}, err
	}
	server := &http.Server{Handler: serveSite(func() *site { return s }, policy()), ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = server.Serve(listener) }() // ends with Close
	defer server.Close()
	local, stopLocal, err := serveHere(serveSite(func() *site { return s }, localPolicy()))
	if err != nil {
		return tally{}, err
	}
	defer func() { _ = stopLocal() }()
	standins, stop, err := startStandins()
	if err != nil {
		return tally{}, err
	}
	defer func() { _ = stop() }()
	report := t.Cache("playwright.json")
	if err := os.Remove(report); err != nil && !errors.Is(err, os.ErrNotExist) {
		return tally{}, err
	}
	env := t.env(append(append(standins, more...), "STILE_URL=http://"+listener.Addr().String(), "STILE_LOCAL_URL="+local, "PLAYWRIGHT_JSON_OUTPUT_FILE="+report)...)
	args := append([]string{filepath.Join("node_modules", "@playwright", "test", "cli.js"), "test", "--reporter=line,json"}, tests...)
	out, runErr := t.CommandIn(ctx, "web", env, "node", args...)
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
	if counts.skipped > 0 {
		t.printf("  %d cases are left to test -long; a hash of their names chooses the others\n", counts.skipped)
	}
	if runErr != nil || counts.failed > 0 {
		// Between the failures the reporter counts the tests; if only the end of a log is kept, the counts must not
		// displace the failures.
		t.printf("%s\n", checkout.Tail(counting.ReplaceAllString(out, ""), 300))
	}
	return counts, nil
}
