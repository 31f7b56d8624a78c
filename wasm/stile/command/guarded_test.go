package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/gate"
)

// A proxy whose log cannot be written permits no call, and names the cause.
func TestProxyWithoutItsLogPermitsNothing(t *testing.T) {
	dir := t.TempDir()
	spec := filepath.Join(dir, "shop.cfg")
	if err := os.WriteFile(spec, []byte("S -> login S | login\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var g guarding
	g.log = filepath.Join(dir, "missing", "decisions.log")
	guard, err := g.open([]string{spec})
	if err != nil {
		t.Fatal(err)
	}
	var faults []error
	s, err := guard.Begin(g.options(func(err error) { faults = append(faults, err) }))
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"1", "2"} {
		if d := s.Allow(gate.Event{Name: "login", ID: id, Arguments: "{}"}); d.Code != "log.failed" {
			t.Errorf("%+v", d)
		}
	}
	if len(faults) != 1 {
		t.Errorf("%v", faults)
	}
}

// A command that serves does not start without its log.
func TestServersDoNotStartWithoutTheirLog(t *testing.T) {
	folder(t, map[string]string{"shop.cfg": twoCalls})
	for _, args := range [][]string{
		{"proxy", "-upstream", "http://127.0.0.1:1", "-log", "none/log.jsonl", "shop.cfg"},
		{"mcp-proxy", "-log", "none/log.jsonl", "shop.cfg", "--", "cat"},
		{"guard", "-log", "none/log.jsonl", "shop.cfg"},
	} {
		if stdout, stderr, code := stile("", args...); code != Error || stdout != "" || !strings.Contains(stderr, "none/log.jsonl") {
			t.Errorf("%v: %d %s%s", args, code, stdout, stderr)
		}
	}
}
