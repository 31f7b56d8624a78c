package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
)

// The two modules, by the folder of their main package in wasm. A page loads the core
// module to edit, draw and step; it fetches the full module for all other methods.
const (
	coreModule = "core"
	fullModule = "full"
)

// module builds one of the modules and returns its bytes.
//
// It is compiled without inlining, which makes it a tenth smaller: the download
// before the first use matters more than the speed. The whole module, which takes over
// once somebody writes, has Go's own runtime with inlining: that halves the time for a
// twenty-fifth of its size, and the rest would gain little. The collector of Go 1.26 is left out for the older
// one for the same reason: it is made for many processors, and a module has one.
func (r repo) module(ctx context.Context, name string) ([]byte, error) {
	env := []string{"GOOS=wasip1", "GOARCH=wasm", "GOFLAGS=-mod=readonly"}
	if version := runtime.Version(); version == "go1.26" || strings.HasPrefix(version, "go1.26.") {
		env = append(env, "GOEXPERIMENT=nogreenteagc")
	}
	file := r.cache("stile-" + name + ".wasm")
	args := []string{"build", "-trimpath", "-buildvcs=false", "-buildmode=c-shared", "-ldflags=-s -w", "-gcflags=all=-l"}
	if name == fullModule {
		args = append(args, "-gcflags=runtime=", "-gcflags=internal/runtime/...=")
	}
	defer progress("compiling " + "the " + name + " module to WebAssembly")()
	if _, err := r.command(ctx, env, "go", append(args, "-o", file, "./wasm/"+name)...); err != nil {
		return nil, err
	}
	return os.ReadFile(file)
}

// packedBrotli compresses as well as brotli can. That takes long, so what was
// compressed once is kept in the cache.
func (r repo) packedBrotli(data []byte) ([]byte, error) {
	return r.cached("br", data, func() ([]byte, error) {
		var out bytes.Buffer
		w := brotli.NewWriterOptions(&out, brotli.WriterOptions{Quality: brotli.BestCompression, LGWin: 24})
		if _, err := w.Write(data); err != nil {
			return nil, err
		}
		err := w.Close()
		return out.Bytes(), err
	})
}

// packTogether compresses several things at the same time, into the cache: best
// compression keeps one processor busy for long. An error here occurs again, with its
// reason, in the caller that needs the file.
func (r repo) packTogether(all ...[]byte) {
	defer progress("compressing the modules with brotli")()
	var group sync.WaitGroup
	for _, data := range all {
		group.Go(func() { _, _ = r.packedBrotli(data) })
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

// cached returns what make makes of data, from the cache if it is there.
func (r repo) cached(kind string, data []byte, make func() ([]byte, error)) ([]byte, error) {
	file := r.cache("packed", hash(data)+"."+kind)
	if kept, err := os.ReadFile(file); err == nil {
		return kept, nil
	}
	made, err := make()
	if err != nil {
		return nil, err
	}
	return made, writeFile(file, made)
}

// hash names contents: 16 hexadecimal digits.
func hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}

// writeFile writes a file whole or not at all, making its folder.
func writeFile(name string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	part, err := os.CreateTemp(filepath.Dir(name), ".part-*")
	if err != nil {
		return err
	}
	_, err = part.Write(data)
	if e := part.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Chmod(part.Name(), 0o644)
	}
	if err == nil {
		err = os.Rename(part.Name(), name)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}
