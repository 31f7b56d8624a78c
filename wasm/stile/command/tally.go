package command

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/backtest"
	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/core/workspace"
)

// Setup has the flags of a check that control how specs and traces are read.
type Setup struct {
	read    reading
	symbols names
}

// Add defines the flags.
func (s *Setup) Add(flags *flag.FlagSet) {
	s.read.add(flags)
	flags.Var(&s.symbols, "symbols", "`spec` whose symbols formulas may name, and that judges no run; may be repeated")
}

// Job returns the check of a command line, and the files of its traces in the order in which "stile check"
// reads them. A name with a scheme, such as gs://bucket/runs.jsonl, is a trace.
func (s *Setup) Job(ctx context.Context, args []string) (j Job, files []string, err error) {
	var local []string
	for _, name := range args {
		if !strings.Contains(name, "://") {
			local = append(local, name)
		}
	}
	specs, _, err := sorted(local)
	if err != nil {
		return j, nil, err
	}
	if len(specs) == 0 {
		return j, nil, errors.New("no specs")
	}
	j.Options = s.read.options
	if j.Specs, err = specFiles(specs); err != nil {
		return j, nil, err
	}
	if j.Symbols, err = specFiles(s.symbols); err != nil {
		return j, nil, err
	}
	t := traces{include: s.read.include}
	t.visit = func(_ context.Context, name string) error {
		if strings.EqualFold(filepath.Ext(name), ".zip") {
			return fmt.Errorf("%s: unpack the archive, so that its files can be read in parallel", name)
		}
		files = append(files, name)
		return nil
	}
	for _, name := range args {
		switch {
		case strings.Contains(name, "://"):
			files = append(files, name)
		case name == "-":
			return j, nil, errors.New("standard input cannot be read in parallel; write it to a file")
		case !slices.Contains(specs, name):
			if err := t.argument(ctx, name); err != nil {
				return j, nil, err
			}
		}
	}
	return j, files, nil
}

// ReadParts emits the parts of a file as "stile check" judges them: its lines if each is a run.
func ReadParts(ctx context.Context, name string, in io.Reader, emit func(backtest.Part) error) error {
	t := traces{emit: emit}
	return t.stream(ctx, filepath.ToSlash(name), in)
}

// Unreadable returns the part of a file that could not be opened.
func Unreadable(name string, err error) backtest.Part {
	return backtest.Part{Name: filepath.ToSlash(name), Fault: err.Error()}
}

// Job is a check that several processes share.
type Job struct {
	Specs   []workspace.File
	Symbols []workspace.File
	Options backtest.Options
	All     bool // keep all findings: the forms json and sarif list them
}

// Judge judges the parts of traces for tallies.
type Judge struct {
	job   Job
	specs *backtest.Specs
}

// Open compiles the specs of a job.
func (j Job) Open() (*Judge, error) {
	s, err := backtest.Open(session.Notations(), j.Specs, j.Symbols...)
	if err != nil {
		return nil, located(err)
	}
	return &Judge{job: j, specs: s}, nil
}

// Tally is the result of a check of some of the runs. Tallies can be merged in any order and grouping: the
// counts are sums, and the examples and findings are those of the first runs in the order of files and runs.
type Tally struct {
	Matrix   *backtest.Matrix `json:"matrix"` // without examples
	Failing  int              `json:"failing"`
	Examples [][]Found        `json:"examples"` // by rule, at most backtest.MaxExamples
	Findings []Found          `json:"findings"`
	More     int              `json:"more"` // findings beyond the list
	All      bool             `json:"all"`  // the list has all findings, without a bound
}

// Found is a finding of a tally.
type Found struct {
	File   int           `json:"file"` // number of the file
	Trace  string        `json:"trace"`
	Number int           `json:"number"` // of the run in the file
	Rule   int           `json:"rule"`   // index
	Alike  int           `json:"alike"`
	Cell   backtest.Cell `json:"cell"`
}

// before compares findings by file, run and rule.
func before(a, b Found) int {
	return cmp.Or(a.File-b.File, a.Number-b.Number, a.Rule-b.Rule)
}

// Tally returns the tally of no runs.
func (j *Judge) Tally() Tally {
	return Tally{Matrix: j.specs.Matrix(), Examples: make([][]Found, len(j.specs.Rules())), All: j.job.All}
}

// Add judges a part of a file and adds its runs to a tally. file is the number of the file in the order
// of the files.
func (j *Judge) Add(t *Tally, file int, p backtest.Part) {
	next := j.Tally()
	for _, r := range j.specs.JudgePart(p, j.job.Options) {
		j.specs.Add(next.Matrix, r)
		list := listed{}
		found := findings(j.specs, r)
		if len(found) > 0 {
			next.Failing++
		}
		list.add(r, found)
		if t.All {
			list.findings = found
		}
		of := func(f finding) Found {
			rule := slices.IndexFunc(next.Matrix.Rules, func(row backtest.Row) bool { return row.Rule == f.rule })
			return Found{File: file, Trace: f.trace, Number: f.number, Rule: rule, Alike: f.alike, Cell: f.Cell}
		}
		for _, f := range list.findings {
			next.Findings = append(next.Findings, of(f))
		}
		next.More += list.more
		for _, f := range found {
			at := of(f)
			next.Examples[at.Rule] = first(next.Examples[at.Rule], []Found{at}, backtest.MaxExamples)
		}
	}
	t.Merge(next)
}

// first returns the first of the findings of two sorted lists, at most most.
func first(a, b []Found, most int) []Found {
	if len(a) == 0 || len(b) == 0 || before(a[len(a)-1], b[0]) <= 0 {
		a = append(a, b...)
	} else {
		a = append(slices.Clip(a), b...)
		slices.SortFunc(a, before)
	}
	return a[:min(len(a), most)]
}

// Merge adds the runs of another tally of the same job.
func (t *Tally) Merge(other Tally) {
	for _, m := range []*backtest.Matrix{t.Matrix, other.Matrix} {
		for i := range m.Rules {
			m.Rules[i].Examples = []backtest.Example{}
		}
	}
	t.Matrix.Merge(other.Matrix)
	t.Failing += other.Failing
	for i := range t.Examples {
		t.Examples[i] = first(t.Examples[i], other.Examples[i], backtest.MaxExamples)
	}
	most, n := maxListed, len(t.Findings)+len(other.Findings)
	if t.All {
		most = n
	}
	t.Findings = first(t.Findings, other.Findings, most)
	t.More += other.More + n - len(t.Findings)
}

// Lists reports whether a form of report lists all findings.
func Lists(form string) bool { return form == "json" || form == "sarif" }

// Write writes a report of a form, byte for byte that of "stile check". The form junit is not supported,
// because it lists runs that pass, which a tally does not have.
func (j *Judge) Write(w io.Writer, form string, t Tally) error {
	if reporters[form] == nil || form == "junit" || Lists(form) && !t.All {
		return fmt.Errorf("unknown format %q; expected text, markdown, json or sarif", form)
	}
	for i := range t.Matrix.Rules {
		t.Matrix.Rules[i].Examples = []backtest.Example{}
		for _, f := range t.Examples[i] {
			t.Matrix.Rules[i].Examples = append(t.Matrix.Rules[i].Examples, backtest.Example{Trace: f.Trace, Number: f.Number, Cell: f.Cell})
		}
	}
	report := reporters[form](j.specs)
	rules := j.specs.Rules()
	list := listed{more: t.More}
	for i := 0; i < len(t.Findings); {
		var run []finding
		for at := t.Findings[i]; i < len(t.Findings) && t.Findings[i].File == at.File && t.Findings[i].Number == at.Number; i++ {
			f := t.Findings[i]
			run = append(run, finding{rule: rules[f.Rule], trace: f.Trace, number: f.Number, alike: f.Alike, Cell: f.Cell})
		}
		report.add(backtest.Run{}, run)
		list.findings = append(list.findings, run...)
	}
	if l, ok := report.(interface{ set(listed) }); ok && !t.All {
		l.set(list)
	}
	return report.write(w, summary{matrix: t.Matrix, failing: t.Failing})
}
