// Package bench measures the promised figures of the core and the page, compares them with
// their targets, other tools and earlier runs, and writes a report. docs/speed.md describes
// how to read it.
package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/stile-playground/stile/build/internal/checkout"
	"github.com/stile-playground/stile/build/internal/report"
)

// Build has the products of the build tool that are measured. A section calls only those
// that it needs.
type Build struct {
	// Modules builds the modules and returns the environment of tests that run them.
	Modules func(ctx context.Context) (env []string, err error)
	// Site builds the site.
	Site func(ctx context.Context) (Site, error)
	// WorkerLoad builds the worker, runs the test of many requests and returns its output.
	WorkerLoad func(ctx context.Context) (printed string, err error)
	// WorkerSize returns the bytes of the built worker, packed by gzip, and their limit.
	WorkerSize func(ctx context.Context) (size, most int, err error)
}

// Site is a built site with the limits of its size.
type Site struct {
	Gates   []Gate
	Handler http.Handler // serves it with texts packed with Brotli, as hosts do
}

// Gate is a limit on the bytes that the page fetches, packed with Brotli.
type Gate struct {
	Name       string
	Size, Most int
}

// Options are the options of the command. Repeat is at least 1.
type Options struct {
	Repeat   int      // rounds in which the core and its peers alternate
	Keep     bool     // whether the figures are added to HistoryFile
	Profiles []string // flags of go test, such as -cpuprofile=FILE
}

// section is a part of the report that can be measured alone.
type section struct {
	name    string
	measure func(r *reporter, ctx context.Context, args []string) error
}

// sections lists the sections in the order of the report.
var sections = []section{
	{"core", (*reporter).core}, {"page", (*reporter).page}, {"solve", (*reporter).solve}, {"policy", (*reporter).policy}, {"guard", (*reporter).guard}, {"sidecar", (*reporter).sidecar}, {"worker", (*reporter).worker}, {"memory", (*reporter).memory},
}

// reporter collects the figures of a report.
type reporter struct {
	report.Report
	checkout.Dir
	Options
	build Build
}

// say prints the current measurement to standard error.
func (r *reporter) say(stage string) { fmt.Fprintln(os.Stderr, "bench: "+stage) }

// miss notes a figure that cannot be measured on this machine.
func (r *reporter) miss(format string, args ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, args...))
}

// keptFolder has the last complete report that was kept.
var keptFolder = filepath.Join("build", "bench")

// HistoryFile has the figures of all runs that were kept.
var HistoryFile = filepath.Join(keptFolder, "history.jsonl")

// Run prints a report of all sections or, if the first word names a section, of that
// section, whose arguments are the other words. Any other word is a pattern: Run then runs
// the core's benchmarks that match it.
func Run(ctx context.Context, dir checkout.Dir, build Build, o Options, words []string) error {
	r := &reporter{Dir: dir, Options: o, build: build}
	chosen := sections
	if len(words) > 0 {
		at := slices.IndexFunc(sections, func(s section) bool { return s.name == words[0] })
		if at < 0 {
			return r.pattern(ctx, words)
		}
		chosen, words = sections[at:at+1], words[1:]
	}
	if len(r.Profiles) > 0 {
		if len(chosen) > 1 || chosen[0].name != "core" {
			return errors.New("bench: only the core's benchmarks can be profiled: bench core, or bench PATTERN")
		}
		return r.pattern(ctx, []string{measuredPattern()})
	}
	if err := r.facts(ctx); err != nil {
		return err
	}
	for _, s := range chosen {
		if err := s.measure(r, ctx, words); err != nil {
			return fmt.Errorf("bench %s: %w", s.name, err)
		}
	}
	return r.finish(len(chosen) == len(sections))
}

// finish judges, compares, prints and writes a report; complete means that it has all sections.
func (r *reporter) finish(complete bool) error {
	r.Judge()
	history, err := readIfThere(r.Path(HistoryFile))
	if err != nil {
		return err
	}
	lines, err := report.ReadHistory(history)
	if err != nil {
		return err
	}
	r.Compare(lines)
	if err := r.write(r.Cache("bench")); err != nil {
		return err
	}
	if err := r.WriteMarkdown(os.Stdout, ""); err != nil {
		return err
	}
	r.say("written to " + filepath.Join(".cache", "bench") + ": report.md, report.json and the curves")
	if !r.Keep {
		return nil
	}
	if history, err = report.Append(history, r.Line()); err != nil {
		return err
	}
	if err := checkout.WriteFile(r.Path(HistoryFile), history); err != nil {
		return err
	}
	if complete {
		return r.write(r.Path(keptFolder))
	}
	r.say("kept in the history; the report in " + filepath.ToSlash(keptFolder) + " covers complete runs only")
	return nil
}

// readIfThere reads a file. A missing file is empty.
func readIfThere(name string) ([]byte, error) {
	data, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		err = nil
	}
	return data, err
}

// write writes a report's files.
func (r *reporter) write(folder string) error {
	var text strings.Builder
	if err := r.WriteMarkdown(&text, ""); err != nil {
		return err
	}
	raw, err := json.MarshalIndent(r.Report, "", "  ")
	if err != nil {
		return err
	}
	files := map[string][]byte{"report.md": []byte(text.String()), "report.json": append(raw, '\n')}
	for _, c := range r.Curves {
		files[c.File] = []byte(c.SVG())
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := checkout.WriteFile(filepath.Join(folder, name), files[name]); err != nil {
			return err
		}
	}
	return nil
}
