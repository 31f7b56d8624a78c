// Package conformance reads the shared test data of the core.
package conformance

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// Records returns the records of core/testdata/name, for a test of a package in core/ or one
// level below.
func Records[R any](t testing.TB, name string) []R {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "testdata", name))
	if os.IsNotExist(err) {
		f, err = os.Open(filepath.Join("..", "..", "testdata", name))
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []R
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var r R
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatalf("%s, record %d: %v", name, len(out)+1, err)
		}
		out = append(out, r)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}
