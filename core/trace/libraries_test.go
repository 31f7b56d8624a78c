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

// withoutCalls are the variants whose readings have other calls than "lookup" and "delete_all" in each run, or not all
// results, although nothing of them is unread.
var withoutCalls = map[string]string{
	"batch-lines.jsonl":           "the replies of a model without the results",
	"sse-chunks.txt":              "the replies of a model without the results",
	"no-results.json":             "the results were removed",
	"messages-twice.json":         "the results are recorded twice",
	"same-call-twice.json":        "another call",
	"same-call-twice-no-ids.json": "another call",
	"same-call-twice-one-id.json": "another call",
	"call-under-labels.json":      "one call",
	"markdown.md":                 "one call",
	"call-as-code.json":           "a block of code, which a program may run or only show",
	"call-in-reasoning.json":      "a thought is no call",
	"system-only.json":            "no call",
	"user-only.json":              "no call",
	"final-states-only.json":      "no call",
	"errors.json":                 "one call",
}

// No variant of a known format loses a call without a note.
func TestVariantsOfFormats(t *testing.T) {
	compareReadings(t, "testdata/variants.txtar", 200)
	data, err := os.ReadFile("testdata/variants.txtar")
	if err != nil {
		t.Fatal(err)
	}
	read := 0
	for i, f := range txtar.Parse(data).Files {
		if i%2 > 0 || withoutCalls[f.Name] != "" {
			continue
		}
		trace, ok := Read(string(f.Data))
		if !ok || len(trace.Unread) > 0 {
			continue
		}
		read++
		for _, run := range trace.Runs {
			var kinds []string
			for _, item := range run.Items {
				if item.Kind == Call || item.Kind == Result {
					kinds = append(kinds, item.Kind+" "+item.Tool)
				}
			}
			if got := strings.Join(kinds, ", "); got != "call lookup, result lookup, call delete_all, result delete_all" {
				t.Errorf("%s: %s", f.Name, got)
			}
		}
	}
	if read < 55 {
		t.Errorf("%d variants are read", read)
	}
}
