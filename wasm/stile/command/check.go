package command

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path"
	"strings"

	"github.com/stile-playground/stile/core/backtest"
	"github.com/stile-playground/stile/core/trace"
)

// reading are the flags that control how traces are read.
type reading struct {
	options backtest.Options
	include string
}

func (r *reading) add(flags *flag.FlagSet) {
	flags.Func("trace-format", "format of the traces; it is detected without this flag", func(name string) error {
		r.options.Format = name
		if name == "auto" {
			r.options.Format = ""
		}
		return nil
	})
	flags.Func("map", "`file` that describes the format of the traces by paths", func(name string) error {
		text, err := os.ReadFile(name)
		if err == nil {
			_, err = trace.ParseMap(string(text))
		}
		r.options.Format = string(text)
		return err
	})
	flags.Func("options", "how parts of conversations become states, `JSON` as the Trace tab writes it: {\"mapping\": […], \"roles\": {…}}", func(text string) error {
		d := json.NewDecoder(strings.NewReader(text))
		d.DisallowUnknownFields()
		return d.Decode(&r.options)
	})
	flags.Func("include", "`pattern` of the names of the files to read from folders and archives, such as *.json", func(pattern string) error {
		r.include = pattern
		_, err := path.Match(pattern, "")
		return err
	})
}

// targets are reports as a flag names them: FORM=FILE.
type targets []struct{ form, file string }

func (t *targets) String() string { return "" }

func (t *targets) Set(value string) error {
	form, file, ok := strings.Cut(value, "=")
	if !ok || file == "" {
		return errors.New("expected FORM=FILE")
	}
	if reporters[form] == nil {
		return fmt.Errorf("unknown format %q; expected one of %s", form, strings.Join(forms(), ", "))
	}
	*t = append(*t, struct{ form, file string }{form, file})
	return nil
}

// checkVerb judges runs by specs.
func checkVerb(ctx context.Context, s Streams, args []string) (int, error) {
	flags := newFlags(s, "check")
	var set Setup
	set.Add(flags)
	form := flags.String("format", "text", "format of the report on standard output: "+strings.Join(forms(), ", "))
	var files targets
	flags.Var(&files, "report", "also write a report, `FORM=FILE`; may be repeated")
	known := flags.String("baseline", "", "`file` of accepted findings, which do not fail")
	update := flags.Bool("update-baseline", false, "write all findings to the file of -baseline")
	rest, err := parse(flags, args)
	if err != nil {
		return Error, err
	}
	if reporters[*form] == nil {
		return Error, fmt.Errorf("unknown format %q; expected one of %s", *form, strings.Join(forms(), ", "))
	}
	if *update && *known == "" {
		return Error, errors.New("-update-baseline needs -baseline FILE")
	}
	specNames, traceNames, err := sorted(rest)
	if err != nil {
		return Error, err
	}
	if len(specNames) == 0 || len(traceNames) == 0 {
		fmt.Fprintf(s.Err, "stile: check needs specs and traces; the specs are [%s], the traces [%s]; a folder that directly contains a spec has no traces\n",
			strings.Join(specNames, " "), strings.Join(traceNames, " "))
		flags.Usage()
		return Error, errUsage
	}
	read, err := specFiles(specNames)
	if err != nil {
		return Error, err
	}
	specs, err := openFiles(read, set.symbols...)
	if err != nil {
		return Error, err
	}
	if read, err = withContracts(read, specNames); err != nil {
		return Error, err
	}
	warn(s.Err, read)
	accepted, err := openBaseline(*known, *update)
	if err != nil {
		return Error, err
	}
	c := check{specs: specs, matrix: specs.Matrix(), baseline: accepted, update: *update}
	return c.run(ctx, s, traceNames, set.read, *form, files)
}

type check struct {
	specs    *backtest.Specs
	matrix   *backtest.Matrix
	baseline *baseline
	update   bool
	failing  int // runs with findings that the baseline does not have
	reports  []reporter
}

func (c *check) run(ctx context.Context, s Streams, names []string, read reading, form string, files targets) (int, error) {
	c.reports = []reporter{reporters[form](c.specs)}
	for _, f := range files {
		c.reports = append(c.reports, reporters[f.form](c.specs))
	}
	t := traces{in: s.In, include: read.include}
	err := inOrder(ctx, func(ctx context.Context, emit func(backtest.Part) error) error {
		t.emit = emit
		return t.read(ctx, names)
	}, func(u backtest.Part) []backtest.Run { return c.specs.JudgePart(u, read.options) }, c.receive)
	if err != nil {
		return Error, err
	}
	if c.matrix.Total() == 0 {
		return Error, errors.New("no runs were found in the traces")
	}
	if c.update {
		if err := c.baseline.save(); err != nil {
			return Error, err
		}
	}
	sum := summary{matrix: c.matrix, failing: c.failing, accepted: c.baseline.used}
	for i, r := range c.reports {
		write := func(w io.Writer) error { return r.write(w, sum) }
		if i == 0 {
			err = write(s.Out)
		} else {
			err = writeFile(files[i-1].file, write)
		}
		if err != nil {
			return Error, err
		}
	}
	if c.failing > 0 {
		return Fail, nil
	}
	return Pass, nil
}

// receive adds the runs of a part to the matrix and to the reports.
func (c *check) receive(runs []backtest.Run) error {
	for _, r := range runs {
		c.specs.Add(c.matrix, r)
		found := findings(c.specs, r)
		fresh := found[:0:0]
		for _, f := range found {
			if !c.baseline.accepts(f, c.update) {
				fresh = append(fresh, f)
			}
		}
		if len(fresh) > 0 {
			c.failing++
		}
		for _, report := range c.reports {
			report.add(r, fresh)
		}
	}
	return nil
}

// finding is a rule that does not pass on a run.
type finding struct {
	rule   backtest.Rule
	trace  string
	number int
	alike  int // number of following rules with an equal finding, which a list for people omits
	backtest.Cell
}

// findings returns the rules that do not pass on a run.
func findings(s *backtest.Specs, r backtest.Run) (out []finding) {
	for i, rule := range s.Rules() {
		if cell := r.Cells[i]; !cell.Outcome.Passes() {
			out = append(out, finding{rule: rule, trace: r.Trace, number: r.Number, Cell: cell})
		}
	}
	return out
}
