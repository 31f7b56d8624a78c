package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
	"github.com/stile-playground/stile/core/backtest"
	"github.com/stile-playground/stile/wasm/stile/command"
)

// batchSize is the size of the texts, in bytes, from which parts are sent to a worker together.
const batchSize = 1 << 20

// source is a file of runs. Its number is its place in the order of the files.
type source struct {
	Number int
	Name   string
}

// batch has consecutive parts of a file.
type batch struct {
	File  int
	Parts []backtest.Part
}

func init() {
	register.DoFn3x1[context.Context, source, func(batch), error](&readFn{})
	register.DoFn1x2[batch, command.Tally, error](&judgeFn{})
	register.DoFn2x1[context.Context, command.Tally, error](&saveFn{})
	register.Combiner1[command.Tally](&mergeFn{})
	register.Emitter1[batch]()
	beam.RegisterCoder(reflect.TypeFor[batch](), encodeBatch, decodeBatch)
	beam.RegisterCoder(reflect.TypeFor[command.Tally](), encodeTally, decodeTally)
}

// The functions of a coder are found by their names, which instances of a generic function share.

func encodeBatch(b batch) ([]byte, error)         { return json.Marshal(b) }
func decodeBatch(text []byte) (batch, error)      { return decode[batch](text) }
func encodeTally(t command.Tally) ([]byte, error) { return json.Marshal(t) }
func decodeTally(text []byte) (command.Tally, error) {
	return decode[command.Tally](text)
}

func decode[V any](text []byte) (v V, err error) {
	err = json.Unmarshal(text, &v)
	return v, err
}

// check judges the runs of files by a pipeline, which writes the tally of all runs to a file, and returns the tally.
func check(ctx context.Context, job command.Job, names []string, path string) (t command.Tally, judge *command.Judge, err error) {
	if judge, err = job.Open(); err != nil {
		return t, nil, err
	}
	text, err := json.Marshal(job)
	if err != nil {
		return t, nil, err
	}
	var files []source
	for i, name := range names {
		files = append(files, source{i, name})
	}
	if err := remove(ctx, path); err != nil {
		return t, nil, err
	}
	p, s := beam.NewPipelineWithRoot()
	parts := beam.ParDo(s.Scope("read"), &readFn{}, beam.Reshuffle(s, beam.CreateList(s, files)))
	tallies := beam.ParDo(s.Scope("judge"), &judgeFn{Job: text}, beam.Reshuffle(s, parts))
	beam.ParDo0(s.Scope("save"), &saveFn{Path: path}, beam.Combine(s.Scope("merge"), &mergeFn{Job: text}, tallies))
	if err := beamx.Run(ctx, p); err != nil {
		return t, nil, err
	}
	saved, err := load(ctx, path)
	if err != nil {
		return t, nil, fmt.Errorf("the result of the pipeline: %w", err)
	}
	if t, err = decode[command.Tally](saved); err != nil {
		return t, nil, err
	}
	if t.Matrix.Total() == 0 {
		return t, nil, errors.New("no runs were found in the traces")
	}
	return t, judge, nil
}

// readFn reads the parts of files.
type readFn struct{}

// ProcessElement emits the parts of a file in batches. A file that cannot be read is a part with a fault.
func (*readFn) ProcessElement(ctx context.Context, of source, emit func(batch)) error {
	next, size := batch{File: of.Number}, 0
	add := func(p backtest.Part) error {
		next.Parts = append(next.Parts, p)
		if size += len(p.Text); size >= batchSize {
			emit(next)
			next, size = batch{File: of.Number}, 0
		}
		return ctx.Err()
	}
	if err := read(ctx, of.Name, add); err != nil {
		return err
	}
	if len(next.Parts) > 0 {
		emit(next)
	}
	return nil
}

func read(ctx context.Context, name string, emit func(backtest.Part) error) error {
	fs, err := filesystem.New(ctx, name)
	if err != nil {
		return emit(command.Unreadable(name, err))
	}
	defer fs.Close()
	in, err := fs.OpenRead(ctx, name)
	if err != nil {
		return emit(command.Unreadable(name, err))
	}
	return errors.Join(command.ReadParts(ctx, name, in, emit), in.Close())
}

type judgeFn struct {
	Job   []byte // a command.Job as JSON
	judge *command.Judge
}

// Setup compiles the specs.
func (f *judgeFn) Setup() (err error) {
	f.judge, err = open(f.Job)
	return err
}

func open(text []byte) (*command.Judge, error) {
	job, err := decode[command.Job](text)
	if err != nil {
		return nil, err
	}
	return job.Open()
}

// ProcessElement returns the tally of a batch.
func (f *judgeFn) ProcessElement(of batch) (command.Tally, error) {
	t := f.judge.Tally()
	for _, p := range of.Parts {
		f.judge.Add(&t, of.File, p)
	}
	return t, nil
}

// mergeFn merges tallies, in any order.
type mergeFn struct {
	Job   []byte
	judge *command.Judge
}

// Setup compiles the specs.
func (f *mergeFn) Setup() (err error) {
	f.judge, err = open(f.Job)
	return err
}

// CreateAccumulator returns the tally of no runs.
func (f *mergeFn) CreateAccumulator() command.Tally { return f.judge.Tally() }

// MergeAccumulators returns the tally of the runs of two.
func (f *mergeFn) MergeAccumulators(a, b command.Tally) command.Tally {
	a.Merge(b)
	return a
}

// saveFn writes the tally of all runs to a file.
type saveFn struct{ Path string }

// ProcessElement writes the file.
func (f *saveFn) ProcessElement(ctx context.Context, t command.Tally) (err error) {
	text, err := encodeTally(t)
	if err != nil {
		return err
	}
	fs, err := filesystem.New(ctx, f.Path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, fs.Close()) }()
	out, err := fs.OpenWrite(ctx, f.Path)
	if err != nil {
		return err
	}
	_, err = out.Write(text)
	return errors.Join(err, out.Close())
}

// load returns the contents of a file.
func load(ctx context.Context, path string) ([]byte, error) {
	fs, err := filesystem.New(ctx, path)
	if err != nil {
		return nil, err
	}
	text, err := filesystem.Read(ctx, fs, path)
	return text, errors.Join(err, fs.Close())
}

// remove removes the file of an earlier pipeline, so that its tally is never mistaken for that of the next one.
func remove(ctx context.Context, path string) error {
	fs, err := filesystem.New(ctx, path)
	if err != nil {
		return err
	}
	defer fs.Close()
	found, err := fs.List(ctx, path)
	if err != nil || len(found) == 0 {
		return err
	}
	r, ok := fs.(filesystem.Remover)
	if !ok {
		return fmt.Errorf("%s exists; remove it, or choose another -output", path)
	}
	return r.Remove(ctx, path)
}
