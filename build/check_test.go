package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCheckFailsUnlessAllCasesPass(t *testing.T) {
	for _, c := range []struct {
		what  string
		files map[string]string
		want  string
		pass  bool
	}{
		{"all cases pass", map[string]string{"g.cfg": "S -> a S b | ε\n", "g.tests": "accept a b\nreject a\n"}, "DIR: 2 passed, 0 failed, 0 errors\n", true},
		{"a case fails", map[string]string{"g.cfg": "S -> a S b | ε\n", "g.tests": "accept a b\naccept a\n"}, "DIR/g.tests:2: fail: accept a: incomplete; expected a or b\nDIR: 1 passed, 1 failed, 0 errors\n", false},
		{"a text with a fault", map[string]string{"g.cfg": "S -> a S b | ε\n", "g.tests": "accept a b\nacept a\n"}, "DIR/g.tests:2: error: unknown keyword \"acept\"; did you mean \"accept\"?\nDIR: 1 passed, 0 failed, 0 errors\n", false},
		{"no case", map[string]string{"g.cfg": "S -> a\n"}, "DIR: no tests\n", false},
		{"a picture and a hidden folder", map[string]string{"g.cfg": "S -> a\n", "x/g.tests": "spec g.cfg\naccept a\n", "p.png": "\x00\xff", ".git/x.tests": "accept b\n"}, "DIR: 1 passed, 0 failed, 0 errors\n", true},
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
		pass, err := checkWorkspace(&out, dir)
		if got := strings.ReplaceAll(filepath.ToSlash(out.String()), filepath.ToSlash(dir), "DIR"); err != nil || pass != c.pass || got != c.want {
			t.Errorf("%s: %t, %v\n%s", c.what, pass, err, got)
		}
	}
	if _, err := checkWorkspace(&strings.Builder{}, filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a missing folder has no error")
	}
}

// A reader should find a topic by the name of its file. Tests and generated files are exempt.
func TestFewFilesAreLong(t *testing.T) {
	const lines, most = 500, 8
	r, err := findRepo()
	if err != nil {
		t.Fatal(err)
	}
	var long []string
	for _, folder := range []string{"core", "wasm", "build", "web/src", "web/embed"} {
		err := filepath.WalkDir(r.Path(folder), func(name string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case entry.IsDir() && entry.Name() == "node_modules":
				return fs.SkipDir
			case !strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, ".ts"), strings.HasSuffix(name, "_test.go"):
				return nil
			}
			text, err := os.ReadFile(name)
			if err == nil && bytes.Count(text, []byte("\n")) > lines && !bytes.Contains(text[:min(len(text), 300)], []byte("Written by `go run")) {
				long = append(long, filepath.ToSlash(name))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(long) > most {
		t.Errorf("%d files have more than %d lines, want at most %d:\n%s", len(long), lines, most, strings.Join(long, "\n"))
	}
}
