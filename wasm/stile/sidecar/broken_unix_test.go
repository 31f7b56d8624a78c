//go:build unix

package sidecar

import (
	"errors"
	"os/signal"
	"syscall"
	"testing"

	"github.com/stile-playground/stile/core/gate"
)

// TestReloadAfterACutLine: a part of a line whose rest does not fit is removed from the journal, and a later reload does not write
// to it, although there is space again; the sessions resume.
func TestReloadAfterACutLine(t *testing.T) {
	r := restarting(t)
	s := r.must(Options{})
	r.call(s, "7", "login", "1")
	before := r.read(r.journal)
	signal.Ignore(syscall.SIGXFSZ)
	defer signal.Reset(syscall.SIGXFSZ)
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	small := limit
	small.Cur = uint64(len(before) + 10)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &small); err != nil {
		t.Fatal(err)
	}
	_, fault := s.Decide("7", "allow", gate.Event{Name: "lookup", ID: "2"})
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	if !errors.Is(fault, syscall.EFBIG) {
		t.Fatal(fault)
	}
	if r.read(r.journal) != before {
		t.Error("the journal has a part of a line")
	}
	if _, err := s.Reload(specs(guardOf(t, "other.cfg", "S -> enter logout\n"))); !errors.Is(err, syscall.EFBIG) {
		t.Error("a reload succeeds:", err)
	}
	if r.read(r.journal) != before {
		t.Error("the reload wrote to the journal")
	}
	r.call(r.must(Options{}), "7", "lookup", "2")
	r.lines(4)
}

// TestReloadAfterALostLogLine: a reload that would write the journal again keeps the log line that could not be written.
func TestReloadAfterALostLogLine(t *testing.T) {
	r := restarting(t)
	s := r.must(Options{})
	r.call(s, "7", "login", "1")
	r.full = true
	if _, err := s.Decide("7", "allow", gate.Event{Name: "lookup", ID: "2"}); err == nil {
		t.Fatal("a decision without its log line")
	}
	r.full = false
	s.journal.base = -compactAfter
	if _, err := s.Reload(specs(guardOf(t, "other.cfg", "S -> enter logout\n"))); err == nil {
		t.Error("a reload succeeds after an error of the log")
	}
	r.must(Options{})
	r.lines(3)
}
