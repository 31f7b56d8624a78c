package main

import (
	"context"
	"errors"
	"flag"
	"path/filepath"

	"github.com/stile-playground/stile/build/internal/bench"
)

// benchVerb prints a report of all sections or of one, or runs the benchmarks that match a
// pattern.
func benchVerb(ctx context.Context, r repo, args []string) error {
	var o bench.Options
	profiles := []string{"cpuprofile", "memprofile", "trace"}
	files := make([]string, len(profiles))
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.IntVar(&o.Repeat, "repeat", 5, "the number of rounds in which the core and its peers are measured")
	flags.BoolVar(&o.Keep, "keep", false, "add the figures to "+filepath.ToSlash(bench.HistoryFile))
	for i, name := range profiles {
		flags.StringVar(&files[i], name, "", "write the profile of go test with this flag, a `file` for each package")
	}
	var words []string
	for len(args) > 0 {
		if err := flags.Parse(args); err != nil {
			return errUsage
		}
		if args = flags.Args(); len(args) > 0 {
			words, args = append(words, args[0]), args[1:]
		}
	}
	if o.Repeat < 1 {
		return errors.New("bench: -repeat must be at least 1")
	}
	for i, name := range profiles {
		if files[i] != "" {
			o.Profiles = append(o.Profiles, "-"+name+"="+files[i])
		}
	}
	return bench.Run(ctx, r.Dir, r.measured(), o, words)
}

// measured returns the products of the build that the benchmarks measure.
func (r repo) measured() bench.Build {
	return bench.Build{
		Modules: func(ctx context.Context) ([]string, error) { return r.moduleEnv(), r.buildModules(ctx) },
		Site: func(ctx context.Context) (out bench.Site, err error) {
			s, err := r.buildSite(ctx)
			if err != nil {
				return out, err
			}
			out.Handler = r.servePacked(&s)
			for _, gate := range sizeGates(&s) {
				size, err := r.transferred(ctx, &s, gate.files)
				if err != nil {
					return out, err
				}
				out.Gates = append(out.Gates, bench.Gate{Name: gate.what, Size: size, Most: gate.most})
			}
			return out, nil
		},
		WorkerLoad: func(ctx context.Context) (string, error) {
			if err := r.NPMIn(ctx, "build/worker"); err != nil {
				return "", err
			}
			folder, err := r.buildWorker(ctx)
			if err != nil {
				return "", err
			}
			return r.workerLoad(ctx, folder, []string{longEnv + "=1"})
		},
		WorkerSize: func(ctx context.Context) (size, most int, err error) {
			_, size, err = r.deployed(ctx)
			return size, freeWorker, err
		},
	}
}
