package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"github.com/stile-playground/stile/build/internal/checkout"
)

// The two modules, by the folder of their main package in wasm. A page loads the core
// module to edit, draw and step; it fetches the full module for all other methods.
const (
	coreModule = "core"
	fullModule = "full"
)

// module builds one of the modules and returns its bytes.
//
// The module is compiled without inlining, which makes it a tenth smaller: the first download
// matters more than the speed. In the full module, which the page loads at the first edit, only Go's runtime is
// compiled with inlining: this halves the time and adds 4 % to the size, and inlining the rest
// would gain little. The garbage collector of Go 1.26 is replaced by
// the older one for the same reason: the new one is made for many processors, and a module has one.
func (r repo) module(ctx context.Context, name string) ([]byte, error) {
	env := []string{"GOOS=wasip1", "GOARCH=wasm", "GOFLAGS=-mod=readonly"}
	if version := runtime.Version(); version == "go1.26" || strings.HasPrefix(version, "go1.26.") {
		env = append(env, "GOEXPERIMENT=nogreenteagc")
	}
	file := r.Cache("stile-" + name + ".wasm")
	args := []string{"build", "-trimpath", "-buildvcs=false", "-buildmode=c-shared", "-ldflags=-s -w", "-gcflags=all=-l"}
	if name == fullModule {
		args = append(args, "-gcflags=runtime=", "-gcflags=internal/runtime/...=")
	}
	defer checkout.Progress("compiling " + "the " + name + " module to WebAssembly")()
	if _, err := r.Command(ctx, env, "go", append(args, "-o", file, "./wasm/"+name)...); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	if smaller, err := withoutLines(data); err == nil {
		data = smaller
	} else {
		fmt.Fprintf(os.Stderr, "the %s module is a tenth larger than necessary: %v\n", name, err)
	}
	if data, err = joinSegments(data); err != nil {
		return nil, fmt.Errorf("the %s module: %w", name, err)
	}
	return data, checkout.WriteFile(file, data) // tests read the file
}

// packing is the kind of cached files that [repo.packedBrotli] writes. A change of Brotli's parameters changes it.
const packing = "br11-postfix2"

// packedBrotli compresses at Brotli's best level. The best level is slow, so the result
// is cached.
func (r repo) packedBrotli(ctx context.Context, data []byte) ([]byte, error) {
	return r.cached(packing, data, func() ([]byte, error) { return r.brotli(ctx, data, 11) })
}

// brotli compresses at a level from 0 to 11 with Node's encoder.
func (r repo) brotli(ctx context.Context, data []byte, level int) ([]byte, error) {
	return r.Pipe(ctx, data, "node", r.Path("web", "tools", "brotli.mjs"), strconv.Itoa(level))
}

// packTogether compresses several files concurrently, into the cache, because best
// compression keeps one processor busy for a long time. It drops errors: the caller
// that needs the file compresses it again and reports them.
func (r repo) packTogether(ctx context.Context, all ...[]byte) {
	defer checkout.Progress("compressing the modules with brotli")()
	var group sync.WaitGroup
	for _, data := range all {
		group.Go(func() { _, _ = r.packedBrotli(ctx, data) })
	}
	group.Wait()
}

func (r repo) packedGzip(data []byte) ([]byte, error) {
	return r.cached("gz", data, func() ([]byte, error) {
		var out bytes.Buffer
		w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(data); err != nil {
			return nil, err
		}
		err = w.Close()
		return out.Bytes(), err
	})
}

// cached returns the result of make for data, from the cache if it exists.
func (r repo) cached(kind string, data []byte, make func() ([]byte, error)) ([]byte, error) {
	file := r.Cache("packed", checkout.Hash(data)+"."+kind)
	if kept, err := os.ReadFile(file); err == nil {
		return kept, nil
	}
	made, err := make()
	if err != nil {
		return nil, err
	}
	return made, checkout.WriteFile(file, made)
}
