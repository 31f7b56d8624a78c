package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/stile-playground/stile/build/internal/report"
)

// section is a part of the report that can be measured for itself.
type section struct {
	name    string
	measure func(r repo, ctx context.Context, b *bench, args []string) error
}

// sections are those that a report has, in this order.
var sections = []section{
	{"core", repo.benchCore}, {"page", repo.benchPage}, {"solve", repo.benchSolve}, {"worker", repo.benchWorker}, {"memory", repo.benchMemory},
}

// bench is a report that is being made.
type bench struct {
	report.Report
	repeat   int
	profiles []string // flags of go test
}

// say prints the current measurement to standard error.
func (b *bench) say(what string) { fmt.Fprintln(os.Stderr, "bench: "+what) }

// miss notes a figure that cannot be measured on this machine.
func (b *bench) miss(format string, args ...any) {
	b.Notes = append(b.Notes, fmt.Sprintf(format, args...))
}

// Where the history of the figures and the newest report are kept, and where each report
// is written to.
var (
	keptFolder  = filepath.Join("build", "bench")
	historyFile = filepath.Join(keptFolder, "history.jsonl")
)

// benchVerb prints a report of all sections, or of the one named; with a pattern it runs
// the core's benchmarks of that name.
func benchVerb(ctx context.Context, r repo, args []string) error {
	b := &bench{}
	keep := false
	profiles := map[string]*string{}
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.IntVar(&b.repeat, "repeat", 5, "measure the core and its peers in so many rounds")
	flags.BoolVar(&keep, "keep", false, "add the figures to "+filepath.ToSlash(historyFile))
	for _, name := range []string{"cpuprofile", "memprofile", "trace"} {
		profiles[name] = flags.String(name, "", "write what go test does with this flag, a `file` for each package")
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
	if b.repeat < 1 {
		return errors.New("bench: -repeat takes a number from 1")
	}
	for _, name := range sortedNames(profiles) {
		if *profiles[name] != "" {
			b.profiles = append(b.profiles, "-"+name+"="+*profiles[name])
		}
	}
	chosen := sections
	if len(words) > 0 {
		at := slices.IndexFunc(sections, func(s section) bool { return s.name == words[0] })
		if at < 0 {
			return r.benchPattern(ctx, b, words)
		}
		chosen, words = sections[at:at+1], words[1:]
	}
	if len(b.profiles) > 0 {
		if len(chosen) > 1 || chosen[0].name != "core" {
			return errors.New("bench: only the core's benchmarks can be profiled: bench core, or bench PATTERN")
		}
		return r.benchPattern(ctx, b, []string{measuredPattern()})
	}
	if err := r.benchFacts(ctx, b); err != nil {
		return err
	}
	for _, s := range chosen {
		if err := s.measure(r, ctx, b, words); err != nil {
			return fmt.Errorf("bench %s: %w", s.name, err)
		}
	}
	return r.finishBench(b, keep, len(chosen) == len(sections))
}

// finishBench judges, compares, prints and writes a report; whole is one of all sections.
func (r repo) finishBench(b *bench, keep, whole bool) error {
	b.Judge()
	history, err := readIfThere(r.path(historyFile))
	if err != nil {
		return err
	}
	lines, err := report.ReadHistory(history)
	if err != nil {
		return err
	}
	b.Compare(lines)
	if err := r.writeBench(b, r.cache("bench")); err != nil {
		return err
	}
	if err := b.WriteMarkdown(os.Stdout, ""); err != nil {
		return err
	}
	b.say("written to " + filepath.Join(".cache", "bench") + ": report.md, report.json and the curves")
	if !keep {
		return nil
	}
	if history, err = report.Append(history, b.Line()); err != nil {
		return err
	}
	if err := writeFile(r.path(historyFile), history); err != nil {
		return err
	}
	if whole {
		return r.writeBench(b, r.path(keptFolder))
	}
	b.say("kept in the history; the report in " + filepath.ToSlash(keptFolder) + " is of whole runs only")
	return nil
}

// readIfThere reads a file; one that is not there has nothing in it.
func readIfThere(name string) ([]byte, error) {
	data, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		err = nil
	}
	return data, err
}

// writeBench writes a report's files.
func (r repo) writeBench(b *bench, folder string) error {
	var text strings.Builder
	if err := b.WriteMarkdown(&text, ""); err != nil {
		return err
	}
	raw, err := json.MarshalIndent(b.Report, "", "  ")
	if err != nil {
		return err
	}
	files := map[string][]byte{"report.md": []byte(text.String()), "report.json": append(raw, '\n')}
	for _, c := range b.Curves {
		files[c.File] = []byte(c.SVG())
	}
	for _, name := range sortedNames(files) {
		if err := writeFile(filepath.Join(folder, name), files[name]); err != nil {
			return err
		}
	}
	return nil
}

// benchPattern runs the benchmarks of a name, each package's by itself where profiles are
// wanted, for go test writes those of one package only.
func (r repo) benchPattern(ctx context.Context, b *bench, words []string) error {
	if len(words) > 1 {
		return errors.New("bench takes one pattern")
	}
	args := []string{"test", "-run", "^$", "-bench", words[0], "-benchmem"}
	run := func(args ...string) error {
		cmd := exec.CommandContext(ctx, "go", args...)
		cmd.Dir = string(r)
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
		return cmd.Run()
	}
	if len(b.profiles) == 0 {
		return run(append(args, "./core/...", "./wasm/host/...")...)
	}
	first, _, _ := strings.Cut(words[0], "/")
	packages, err := r.benchmarkPackages(first)
	if err != nil {
		return err
	}
	if len(packages) == 0 {
		return fmt.Errorf("bench: there is no benchmark %s", words[0])
	}
	for _, pkg := range packages {
		if err := run(slices.Concat(args, profileFlags(b.profiles, pkg, len(packages) > 1), []string{"-o", r.cache("bench", filepath.Base(pkg)+".test"), pkg})...); err != nil {
			return err
		}
	}
	return nil
}

var benchmarkFunction = regexp.MustCompile(`(?m)^func (Benchmark\w*)\(`)

// benchmarkPackages are the packages with a benchmark that matches a pattern. They are
// found in the sources, for to compile all tests takes longer than most profiles.
func (r repo) benchmarkPackages(pattern string) (out []string, err error) {
	wanted, err := regexp.Compile(pattern)
	if err != nil {
		return nil, err
	}
	for _, root := range []string{"core", filepath.Join("wasm", "host")} {
		err := filepath.WalkDir(r.path(root), func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(name, "_test.go") {
				return err
			}
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			folder, err := filepath.Rel(string(r), filepath.Dir(name))
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

// profileFlags names a file for each package where there are several: cpu.prof becomes
// cpu-ltl.prof. Names are made absolute, for go test runs in the package's folder.
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
