package command

import (
	"context"
	"errors"
	"runtime"

	"github.com/stile-playground/stile/core/backtest"
)

// job is a part in progress. Its result arrives on done.
type job[R any] struct {
	part backtest.Part
	done chan R
}

// inOrder applies work to all parts, on all cores, and calls receive with the results in the
// order of the parts. It keeps at most a few parts per core in memory, and stops at the first
// error of read or receive.
func inOrder[R any](ctx context.Context, read func(ctx context.Context, emit func(backtest.Part) error) error, work func(backtest.Part) R, receive func(R) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	workers := runtime.GOMAXPROCS(0)
	jobs := make(chan job[R])
	ordered := make(chan job[R], 4*workers)
	for range workers {
		go func() {
			for j := range jobs {
				j.done <- work(j.part)
			}
		}()
	}
	readError := make(chan error, 1)
	go func() {
		defer close(ordered)
		defer close(jobs)
		readError <- read(ctx, func(u backtest.Part) error {
			j := job[R]{part: u, done: make(chan R, 1)}
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
	for {
		var j job[R]
		open := false
		select {
		case j, open = <-ordered:
		case <-ctx.Done(): // read may wait for a file
			return ctx.Err()
		}
		if !open {
			return errors.Join(<-readError, ctx.Err())
		}
		select {
		case r := <-j.done:
			if err := receive(r); err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
