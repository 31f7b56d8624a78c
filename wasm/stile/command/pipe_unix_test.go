//go:build unix

package command

import (
	"context"
	"errors"
	"strings"
	"syscall"
	"testing"

	"github.com/stile-playground/stile/core/backtest"
)

// A pipe in a folder is not opened, because reading it may take forever.
func TestPipesInFoldersAreNotRead(t *testing.T) {
	folder(t, map[string]string{"r.rules": neverDelete, "runs/a.json": conversation("lookup")})
	if err := syscall.Mkfifo("runs/pipe.json", 0o600); err != nil {
		t.Fatal(err)
	}
	out, _, code := stile("", "check", "r.rules", "runs")
	if code != Fail || !strings.Contains(out, "runs/pipe.json") || !strings.Contains(out, "not a regular file") {
		t.Errorf("%d %s", code, out)
	}
	if err := syscall.Mkfifo("extra.rules", 0o600); err != nil {
		t.Fatal(err)
	}
	if _, errs, code := stile("", "check", ".", "runs/a.json"); code != Error || !strings.Contains(errs, ": neither a file") {
		t.Errorf("%d %s", code, errs)
	}
}

// Cancellation ends a check whose reader waits.
func TestCancellationEndsAWaitingCheck(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	release := make(chan struct{})
	defer close(release)
	err := inOrder(ctx, func(context.Context, func(backtest.Part) error) error {
		cancel()
		<-release // as a pipe without a writer
		return nil
	}, func(backtest.Part) int { return 0 }, func(int) error { return nil })
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
