//go:build unix

package command

import (
	"errors"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"
)

// A socket is created with the mode 0600, also if the process permits wider ones, and the process permits them
// afterwards.
func TestSocketsBelongToTheirOwner(t *testing.T) {
	for _, mask := range []int{0, 0o022, 0o777} {
		path := filepath.Join(t.TempDir(), "s")
		before := syscall.Umask(mask)
		listener, err := listenPrivately(path)
		after := syscall.Umask(before)
		if err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode() != fs.ModeSocket|0o600 || after != mask {
			t.Errorf("mask %o: %v, mask %o afterwards", mask, info.Mode(), after)
		}
		if err := listener.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestAppendLineIsWhole: a part of a line whose rest does not fit is removed from the file.
func TestAppendLineIsWhole(t *testing.T) {
	file, err := os.OpenFile(filepath.Join(t.TempDir(), "log"), os.O_APPEND|os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }() // its lines were read
	if err := appendLine(file, "first"); err != nil {
		t.Fatal(err)
	}
	signal.Ignore(syscall.SIGXFSZ)
	defer signal.Reset(syscall.SIGXFSZ)
	var before syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &before); err != nil {
		t.Fatal(err)
	}
	small := before
	small.Cur = 10
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &small); err != nil {
		t.Fatal(err)
	}
	fault := appendLine(file, "second")
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &before); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(file.Name()); !errors.Is(fault, syscall.EFBIG) || err != nil || string(text) != "first\n" {
		t.Fatalf("%v: %q, %v", fault, text, err)
	}
	if err := appendLine(file, "second"); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(file.Name()); err != nil || string(text) != "first\nsecond\n" {
		t.Fatalf("%q, %v", text, err)
	}
}
