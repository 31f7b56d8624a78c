package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

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
