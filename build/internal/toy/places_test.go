package toy_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// maxPlaces is the number of files outside its package that a notation may touch.
const maxPlaces = 8

// mention matches the kind of flowcharts in code: its constant in Go, and a literal of its ending or
// of its name on the page.
var mention = regexp.MustCompile("\\bKindFlow\\b|[\"'`]\\.?flow[\"'`]|[\"'`]flowchart[\"'`]|\\bflow: \"|\\(cfg\\|pda\\|flow")

// homonyms are files in which the word "flow" means a flow of goods in a solution.
var homonyms = []string{"core/solve/family.go", "web/src/problem/flow-diagram.ts", "web/src/problem/flow-layout.ts"}

// A notation that has more than the services of its row is mentioned in few files: flowcharts can
// also be drafted by models and constrain teams. Not counted are the package of the notation and the
// files of its row, packages for tests, tests, documentation, examples, generated files, and imports
// of the package by algorithms for flowcharts.
func TestFlowchartsAreMentionedInFewFiles(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	var places []string
	for _, folder := range []string{"core", "wasm", "build", "web/src", "web/embed"} {
		err := filepath.WalkDir(filepath.Join(root, folder), func(file string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			name, _ := filepath.Rel(root, file)
			name = filepath.ToSlash(name)
			switch {
			case entry.IsDir():
				if base := entry.Name(); base == "node_modules" || base == "testdata" || name == "core/flow" || name == "core/internal" || name == "build/internal/toy" {
					return filepath.SkipDir
				}
				return nil
			case strings.HasSuffix(name, "_test.go"), strings.HasPrefix(name, "core/language/flow"):
				return nil
			}
			switch filepath.Ext(name) {
			case ".go", ".ts", ".js", ".mjs":
			default:
				return nil
			}
			for _, h := range homonyms {
				if name == h {
					return nil
				}
			}
			text, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			if first, _, _ := strings.Cut(string(text), "\n"); strings.HasPrefix(first, "// Written by `go run ./build gen`") {
				return nil
			}
			if mention.Match(text) {
				places = append(places, name)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d files:\n%s", len(places), strings.Join(places, "\n"))
	if len(places) > maxPlaces {
		t.Errorf("flowcharts are mentioned in %d files; the limit is %d:\n%s", len(places), maxPlaces, strings.Join(places, "\n"))
	}
}
