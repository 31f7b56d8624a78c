package command

import (
	"context"
	"errors"
	"runtime"

	"github.com/stile-playground/stile/core/backtest"
)

// job is a unit under way. Its result arrives on done.
type job[R any] struct {
	unit unit
	done chan R
}

// inOrder applies work to all units, on all cores, and calls receive with the results in the
// order of the units. At most a few units per core are in memory. It stops at the first
// error of read or receive.
func inOrder[R any](ctx context.Context, read func(ctx context.Context, emit func(unit) error) error, work func(unit) R, receive func(R) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	workers := runtime.GOMAXPROCS(0)
	jobs := make(chan job[R])
	ordered := make(chan job[R], 4*workers)
	for range workers {
		go func() {
			for j := range jobs {
				j.done <- work(j.unit)
			}
		}()
	}
	readError := make(chan error, 1)
	go func() {
		defer close(ordered)
		defer close(jobs)
		readError <- read(ctx, func(u unit) error {
			j := job[R]{unit: u, done: make(chan R, 1)}
			select {
			case ordered <- j:
			case <-ctx.Done():
				return ctx.Err()
			}
			select {
			case jobs <- j:
			case <-ctx.Done():
				return ctx.Err()
			}
			return nil
		})
	}()
	for j := range ordered {
		select {
		case r := <-j.done:
			if err := receive(r); err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return errors.Join(<-readError, ctx.Err())
}

// judge judges a unit. Numbers and lines are those of the file.
func judge(s *backtest.Specs, u unit, o backtest.Options) (runs []backtest.Run) {
	if u.fault != nil {
		runs = []backtest.Run{s.Unreadable(u.trace, u.fault)}
	} else {
		runs = s.Judge(u.trace, u.text, o)
	}
	for i := range runs {
		r := &runs[i]
		r.Number += u.runs
		r.Line += u.line
		for j := range r.Cells {
			cell := &r.Cells[j]
			switch {
			case cell.Line > 0:
				cell.Line += u.line
			case u.alone && !cell.Outcome.Passes():
				cell.Line = u.line + 1
			}
		}
	}
	return runs
}
