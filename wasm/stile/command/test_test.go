package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTestFailsUnlessAllCasesPass(t *testing.T) {
	for _, c := range []struct {
		what  string
		files map[string]string
		want  string
		code  int
	}{
		{"all cases pass", map[string]string{"g.cfg": "S -> a S b | ε\n", "g.tests": "accept a b\nreject a\n"}, "DIR: 2 passed, 0 failed, 0 errors\n", Pass},
		{"a case fails", map[string]string{"g.cfg": "S -> a S b | ε\n", "g.tests": "accept a b\naccept a\n"}, "DIR/g.tests:2: fail: accept a: incomplete; expected a or b\nDIR: 1 passed, 1 failed, 0 errors\n", Fail},
		{"a text with a fault", map[string]string{"g.cfg": "S -> a S b | ε\n", "g.tests": "accept a b\nacept a\n"}, "DIR/g.tests:2: error: unknown keyword \"acept\"; did you mean \"accept\"?\nDIR: 1 passed, 0 failed, 0 errors\n", Fail},
		{"no case", map[string]string{"g.cfg": "S -> a\n"}, "DIR: no tests\n", Error},
		{"a picture and a hidden folder", map[string]string{"g.cfg": "S -> a\n", "x/g.tests": "spec g.cfg\naccept a\n", "p.png": "\x00\xff", ".git/x.tests": "accept b\n"}, "DIR: 1 passed, 0 failed, 0 errors\n", Pass},
	} {
		dir := t.TempDir()
		for name, text := range c.files {
			path := filepath.Join(dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		var out strings.Builder
		code, err := testWorkspace(Streams{Out: &out, Err: &out}, dir)
		if got := strings.ReplaceAll(filepath.ToSlash(out.String()), filepath.ToSlash(dir), "DIR"); err != nil || code != c.code || got != c.want {
			t.Errorf("%s: %d, %v\n%s", c.what, code, err, got)
		}
	}
	if _, err := testWorkspace(Streams{}, filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a missing folder has no error")
	}
}

// A misspelt field and contracts that have changed are warnings of check and test, because they switch rules off.
func TestContractsOfToolsAreChecked(t *testing.T) {
	folder(t, map[string]string{
		"shop/shop.rules":    "# contracts: 0123456789abcdef\ncap: refund(amoutn: ?a) -> ?a <= 100\n",
		"shop/shop.mcp.json": `{"tools":[{"name":"refund","inputSchema":{"type":"object","properties":{"amount":{"type":"number"}},"additionalProperties":false}}]}`,
		"shop/shop.tests":    "shop.rules:\n  valid run {\"name\":\"refund\",\"fields\":{\"amount\":7}}\n",
		"run.jsonl":          `{"name":"refund","fields":{"amount":700}}`,
	})
	for _, args := range [][]string{{"check", "shop", "run.jsonl"}, {"test", "shop"}} {
		_, stderr, _ := stile("", args...)
		for _, want := range []string{"shop.rules:2:13: warning: ", `amoutn`, "shop.rules:1:1: warning: the contracts of the tools have changed"} {
			if !strings.Contains(stderr, want) {
				t.Errorf("%v: missing %q: %s", args, want, stderr)
			}
		}
	}
}
