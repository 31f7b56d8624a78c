package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/build/internal/checkout"
)

// workerEnv names the environment variable with the folder of the built worker.
const workerEnv = "STILE_WORKER"

// Limits of Cloudflare's plans for a worker packed by gzip, in bytes.
const (
	freeWorker = 3 << 20
	paidWorker = 10 << 20
)

// workerVerb builds the worker for wrangler, whose build command it is.
func workerVerb(ctx context.Context, r repo, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("worker accepts no arguments")
	}
	folder, err := r.buildWorker(ctx)
	if err != nil {
		return err
	}
	fmt.Println(folder)
	return nil
}

// buildWorker compiles the worker and adds the script that runs it.
func (r repo) buildWorker(ctx context.Context) (folder string, err error) {
	folder = r.Cache("worker")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	env := []string{"GOOS=js", "GOARCH=wasm", "GOFLAGS=-mod=readonly"}
	if _, err := r.Command(ctx, env, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", filepath.Join(folder, "app.wasm"), "./wasm/worker/edge"); err != nil {
		return "", err
	}
	root, err := r.Command(ctx, nil, "go", "env", "GOROOT")
	if err != nil {
		return "", err
	}
	for name, from := range map[string]string{
		// The compiler's own copy, so that both have the same version.
		"wasm_exec.js": filepath.Join(strings.TrimSpace(root), "lib", "wasm", "wasm_exec.js"),
		"worker.mjs":   r.Path("wasm", "worker", "edge", "worker.mjs"),
	} {
		data, err := os.ReadFile(from)
		if err != nil {
			return "", err
		}
		if err := checkout.WriteFile(filepath.Join(folder, name), data); err != nil {
			return "", err
		}
	}
	return folder, nil
}

// checkWorker checks the worker's size, has wrangler read its configuration, and runs the
// laws of wasm/worker against it under workerd.
func checkWorker(ctx context.Context, t *tester) (tally, error) {
	var counts tally
	if err := t.NPMIn(ctx, "build/worker"); err != nil {
		return counts, err
	}
	folder, err := t.buildWorker(ctx)
	if err != nil {
		return counts, err
	}
	n, err := t.checkDeployment(ctx)
	counts.add(n)
	if err != nil {
		return counts, err
	}
	_, err = t.Command(ctx, []string{"GOOS=js", "GOARCH=wasm"}, "go", "vet", "./wasm/worker/edge")
	n, err = verdict(err)
	counts.add(n)
	if err != nil {
		return counts, err
	}
	n, err = t.goTest(ctx, t.env(workerEnv+"="+folder), "-count=1", "-timeout", "20m", "-run", "^Test(Laws|Deployed)", "-skip", loadTest, "./wasm/worker")
	counts.add(n)
	if err != nil {
		return counts, err
	}
	printed, err := t.workerLoad(ctx, folder, t.env())
	for line := range strings.Lines(printed) {
		if _, figures, ok := strings.Cut(line, "load: "); ok {
			t.printf("worker: %s", figures)
		}
	}
	n, err = verdict(err)
	counts.add(n)
	return counts, err
}

// workerLoad runs the test of many requests, which prints its figures.
func (r repo) workerLoad(ctx context.Context, folder string, env []string) (string, error) {
	return r.Command(ctx, append(env, workerEnv+"="+folder), "go", "test", "-v", "-count=1", "-timeout", "30m", "-run", loadTest, "./wasm/worker")
}

// loadTest is the test whose figures are printed.
const loadTest = "^TestDeployedLoad$"

// uploaded matches the size that wrangler prints.
var uploaded = regexp.MustCompile(`Total Upload: [\d.]+ KiB / gzip: ([\d.]+) KiB`)

// deployed has wrangler perform a deployment except its last step. It returns wrangler's
// output and the bytes of the upload, packed by gzip.
func (r repo) deployed(ctx context.Context) (printed string, size int, err error) {
	wrangler := r.Path("build", "worker", "node_modules", "wrangler", "bin", "wrangler.js")
	env := []string{"WRANGLER_SEND_METRICS=false", "WRANGLER_LOG_PATH=" + r.Cache("wrangler"), "CI=1"}
	_, printed, err = r.Run(ctx, filepath.Join("wasm", "worker"), env, "node", wrangler, "deploy", "--dry-run", "--outdir", r.Cache("wrangler", "out"))
	if err != nil {
		return printed, 0, err
	}
	match := uploaded.FindStringSubmatch(printed)
	if match == nil {
		return printed, 0, fmt.Errorf("wrangler did not report the size of the worker: \n%s", checkout.Tail(printed, 40))
	}
	kib, err := strconv.ParseFloat(match[1], 64)
	return printed, int(kib * 1024), err
}

// checkDeployment checks a deployment for warnings and its size.
func (t *tester) checkDeployment(ctx context.Context) (tally, error) {
	printed, size, err := t.deployed(ctx)
	if err != nil {
		return tally{failed: 1}, err
	}
	counts := tally{passed: 1}
	if strings.Contains(printed, "WARNING") {
		t.printf("FAIL worker: wrangler warns\n%s\n", checkout.Tail(printed, 40))
		counts = tally{failed: 1}
	}
	t.printf("size: the worker %d of %d bytes (%d where it is paid for)\n", size, freeWorker, paidWorker)
	if size > freeWorker {
		t.printf("FAIL size: the worker exceeds its limit by %d bytes\n", size-freeWorker)
		counts.failed++
	} else {
		counts.passed++
	}
	return counts, nil
}
