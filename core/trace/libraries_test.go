package trace

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write the readings of the traces to the files of testdata")

// reading lists the items of the runs of a text, and the reasons of its unread values.
func reading(text string) string {
	t, ok := Read(text)
	if !ok {
		return "not read\n"
	}
	var b strings.Builder
	b.WriteString(t.Format + "\n")
	for i, run := range t.Runs {
		if i > 0 {
			b.WriteString("another run\n")
		}
		for _, item := range run.Items {
			b.WriteString(item.Kind)
			for _, part := range []string{item.Tool, shorten(strings.ReplaceAll(item.Text, "\n", " "))} {
				if part != "" {
					b.WriteString(" " + part)
				}
			}
			if item.Agent != "" {
				b.WriteString(" by " + item.Agent)
			}
			if item.Fault {
				b.WriteString(" (error)")
			}
			b.WriteByte('\n')
		}
	}
	for _, u := range t.Unread {
		fmt.Fprintf(&b, "unread %s: %s\n", u.Path, u.Reason)
	}
	return b.String()
}

// compareReadings compares the readings of the traces of a file with the ones that it has under the same names.
func compareReadings(t *testing.T, file string, least int) {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	archive := txtar.Parse(data)
	if len(archive.Files) < least || len(archive.Files)%2 > 0 {
		t.Fatalf("%d files", len(archive.Files))
	}
	for i := 0; i < len(archive.Files); i += 2 {
		f, want := archive.Files[i], &archive.Files[i+1]
		got := reading(string(f.Data))
		if *update {
			want.Name, want.Data = "reading", []byte(got)
		}
		if got != string(want.Data) {
			t.Errorf("%s:\n%s\nexpected\n%s", f.Name, got, want.Data)
		}
	}
	if *update {
		if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// Every call of a trace of a library is read in its order, with its result.
func TestTracesOfLibraries(t *testing.T) {
	compareReadings(t, "testdata/libraries.txtar", 60)
}
