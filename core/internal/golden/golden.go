// Package golden compares outputs with expected results in archives.
//
// A case is a file testdata/cases/*.txtar: files that begin with "in." are the input, the
// others the expected results. `go test -update` rewrites the expected results; review
// the diff.
package golden

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the expectations of golden tests")

// File is a part of a case.
type File struct{ Name, Text string }

// Run runs every case of the package as a subtest. say returns the outputs to compare, in
// the order in which they are written.
func Run(t *testing.T, say func(t *testing.T, in map[string]string) []File) {
	t.Helper()
	cases, err := filepath.Glob(filepath.Join("testdata", "cases", "*.txtar"))
	if err != nil || len(cases) == 0 {
		t.Fatalf("no cases in testdata/cases (%v)", err)
	}
	for _, name := range cases {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) { runCase(t, name, say) })
	}
}

func runCase(t *testing.T, name string, say func(*testing.T, map[string]string) []File) {
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	in, want := map[string]string{}, map[string]string{}
	kept := archive.Files[:0:0]
	for _, f := range archive.Files {
		if strings.HasPrefix(f.Name, "in.") {
			in[f.Name] = string(f.Data)
			kept = append(kept, f)
		} else {
			want[f.Name] = string(f.Data)
		}
	}
	for _, got := range say(t, in) {
		text := got.Text
		if text != "" && !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		kept = append(kept, txtar.File{Name: got.Name, Data: []byte(text)})
		if text != want[got.Name] && !*update {
			t.Errorf("%s is\n%s\nwant\n%s", got.Name, text, want[got.Name])
		}
		delete(want, got.Name)
	}
	if *update {
		archive.Files = kept
		if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	for name := range want {
		t.Errorf("nothing says %s", name)
	}
}
