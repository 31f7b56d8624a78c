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
		code, err := testWorkspace(&out, dir)
		if got := strings.ReplaceAll(filepath.ToSlash(out.String()), filepath.ToSlash(dir), "DIR"); err != nil || code != c.code || got != c.want {
			t.Errorf("%s: %d, %v\n%s", c.what, code, err, got)
		}
	}
	if _, err := testWorkspace(&strings.Builder{}, filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a missing folder has no error")
	}
}
