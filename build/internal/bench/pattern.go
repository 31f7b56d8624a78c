package bench

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// pattern runs the benchmarks that match a name. With profiles it runs each package
// separately, because go test writes profiles of one package only.
func (r *reporter) pattern(ctx context.Context, words []string) error {
	if len(words) > 1 {
		return errors.New("bench takes one pattern")
	}
	args := []string{"test", "-run", "^$", "-bench", words[0], "-benchmem"}
	run := func(args ...string) error {
		cmd := exec.CommandContext(ctx, "go", args...)
		cmd.Dir = string(r.Dir)
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
		return cmd.Run()
	}
	if len(r.Profiles) == 0 {
		return run(append(args, "./core/...", "./wasm/host/...")...)
	}
	first, _, _ := strings.Cut(words[0], "/")
	packages, err := r.benchmarkPackages(first)
	if err != nil {
		return err
	}
	if len(packages) == 0 {
		return fmt.Errorf("bench: unknown benchmark %s", words[0])
	}
	for _, pkg := range packages {
		if err := run(slices.Concat(args, profileFlags(r.Profiles, pkg, len(packages) > 1), []string{"-o", r.Cache("bench", filepath.Base(pkg)+".test"), pkg})...); err != nil {
			return err
		}
	}
	return nil
}

var benchmarkFunction = regexp.MustCompile(`(?m)^func (Benchmark\w*)\(`)

// benchmarkPackages are the packages with a benchmark that matches a pattern. They are
// found in the sources, because compiling all tests takes longer than most profiles.
func (r *reporter) benchmarkPackages(pattern string) (out []string, err error) {
	wanted, err := regexp.Compile(pattern)
	if err != nil {
		return nil, err
	}
	for _, root := range []string{"core", filepath.Join("wasm", "host")} {
		err := filepath.WalkDir(r.Path(root), func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(name, "_test.go") {
				return err
			}
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			folder, err := filepath.Rel(string(r.Dir), filepath.Dir(name))
			if err != nil {
				return err
			}
			pkg := "./" + filepath.ToSlash(folder)
			for _, m := range benchmarkFunction.FindAllSubmatch(text, -1) {
				if wanted.Match(m[1]) && !slices.Contains(out, pkg) {
					out = append(out, pkg)
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// profileFlags names a file for each package if there are several: cpu.prof becomes
// cpu-ltl.prof. Names are made absolute, because go test runs in the package's folder.
func profileFlags(flags []string, pkg string, several bool) (out []string) {
	for _, f := range flags {
		flag, file, _ := strings.Cut(f, "=")
		if several {
			end := filepath.Ext(file)
			file = strings.TrimSuffix(file, end) + "-" + filepath.Base(pkg) + end
		}
		if whole, err := filepath.Abs(file); err == nil {
			file = whole
		}
		out = append(out, flag+"="+file)
	}
	return out
}
