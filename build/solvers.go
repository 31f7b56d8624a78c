package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/stile-playground/stile/build/internal/checkout"
)

// solverPackages are the packages of npm that the solvers come from.
var solverPackages = []string{"highs", "z3-solver"}

// solverModules has the path of each solver's module in these packages, by the solver's name in a
// query.
var solverModules = map[string]string{"z3": "z3-solver/build/z3-built.wasm", "highs": "highs/build/highs.wasm"}

// solverAddress has the paths of a solver in its two packings, and its size as brotli and
// unpacked in bytes.
type solverAddress struct {
	Br       string `json:"br"`
	Gz       string `json:"gz"`
	Bytes    int    `json:"bytes"`
	Unpacked int    `json:"unpacked"`
}

// addSolvers adds the solvers, which a page loads at its first query.
func (r repo) addSolvers(ctx context.Context, s *site) (map[string]solverAddress, error) {
	out := map[string]solverAddress{}
	for _, name := range sortedNames(solverModules) {
		module, err := os.ReadFile(r.Path("web", "node_modules", filepath.FromSlash(solverModules[name])))
		if err != nil {
			return nil, err
		}
		packed, err := r.packedBrotliSoon(ctx, module)
		if err != nil {
			return nil, err
		}
		zipped, err := r.packedGzip(module)
		if err != nil {
			return nil, err
		}
		file := name + "." + checkout.Hash(module) + ".wasm"
		a := solverAddress{Br: "module/br/" + file, Gz: "module/gz/" + file, Bytes: len(packed), Unpacked: len(module)}
		s.files[a.Br], s.files[a.Gz] = packed, zipped
		out[name] = a
	}
	return out, nil
}

// packedBrotliSoon compresses almost as well as Brotli's best level and much faster. For Z3's 35 MB
// the best level takes minutes and saves only two per cent more.
func (r repo) packedBrotliSoon(ctx context.Context, data []byte) ([]byte, error) {
	return r.cached("br9", data, func() ([]byte, error) {
		defer checkout.Progress(fmt.Sprintf("compressing a solver of %d MB", len(data)/1e6))()
		return r.brotli(ctx, data, 9)
	})
}
