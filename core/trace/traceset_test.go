package trace

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/traceset"
	"github.com/stile-playground/stile/core/json"
)

// recordedCalls returns the names of the calls that a file records: not those that are only words of a
// text, and a hand-over, whose tool some files do not name.
func recordedCalls(e traceset.Trace) []string {
	switch names := strings.Join(e.InFile.Calls, " "); {
	case e.Variant == "subagent" && names == "lookup refund": // the hand-over is recorded without the name of its tool
		return []string{"transfer_to_Refunder", "lookup", "refund"}
	case names == "refund_agent refund":
		return []string{"refund_agent"}
	}
	return e.InFile.Calls
}

func TestCallsOfLibraryTraces(t *testing.T) {
	traces, _, err := traceset.Read(filepath.Join("testdata", "traces.tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range traces {
		read, ok := Read(e.Text)
		if !ok {
			if len(e.InFile.Calls) > 0 {
				t.Errorf("%s is not read", e.File)
			}
			continue
		}
		if len(read.Unread) > 0 && len(e.InFile.Calls) > 0 {
			t.Errorf("%s: %+v is unread", e.File, read.Unread[0])
		}
		var names []string
		users, ran := 0, map[string]traceset.Call{}
		for _, call := range e.Calls {
			ran[call.Name] = call
		}
		for _, run := range read.Runs {
			for i, item := range run.Items {
				if item.Kind == User {
					users++
				}
				if item.Kind != Call {
					continue
				}
				names = append(names, item.Tool)
				want, known := ran[item.Tool]
				if !known {
					continue
				}
				if tree, fault := json.Tree(string(want.Args)); fault != nil || canonical(tree) != canonical(item.Value) && string(want.Args) != "null" {
					t.Errorf("%s: %s has the arguments %s, not %s", e.File, item.Tool, item.Text, want.Args)
				}
				if e.InFile.Results && len(want.Result) > 0 && (i+1 == len(run.Items) || run.Items[i+1].Kind != Result || !strings.Contains(run.Items[i+1].Text, want.Result)) {
					t.Errorf("%s: %s has another result than %q", e.File, item.Tool, want.Result)
				}
			}
		}
		if got, want := strings.Join(names, " "), strings.Join(recordedCalls(e), " "); got != want {
			t.Errorf("%s has the calls %q, not %q", e.File, got, want)
		}
		if e.Expected.Verdict == "valid" && (users != 1 || len(read.Runs) != 1) {
			t.Errorf("%s has %d tasks and %d runs", e.File, users, len(read.Runs))
		}
	}
}
