package session

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/traceset"
	"github.com/stile-playground/stile/core/monitor"
	"github.com/stile-playground/stile/core/source"
)

func TestLibraryTracesHaveTheirVerdicts(t *testing.T) {
	traces, spec, err := traceset.Read(filepath.Join("..", "trace", "testdata", "traces.tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	a, err := openAgent(spec)
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, e := range traces {
		got := "error"
		j, err := monitor.JudgeTrace(a, source.NewFile(e.File, e.Text), "", nil, monitor.Roles{})
		var coded *source.Error
		switch {
		case err == nil:
			got = string(j.Verdict)
			if got == "unread" && len(j.Unread) == 0 {
				t.Errorf("%s is unread, but no place is reported", e.File)
			}
		case !errors.As(err, &coded) || coded.ID != "trace.empty" && coded.ID != "trace.json":
			t.Errorf("%s: %v", e.File, err)
		case coded.ID == "trace.empty" && json.Valid([]byte(e.Text)) && !strings.Contains(coded.Message, "its keys are"):
			t.Errorf("%s: %v lists no key", e.File, err)
		}
		count[e.Variant+" "+got]++
		if want := e.Expected.Verdict; got != want && (want != "not valid" || got == "valid") {
			t.Errorf("%s is %s, not %s", e.File, got, want)
		}
	}
	if len(traces) != 260 {
		t.Errorf("%d traces", len(traces))
	}
	t.Log(count)
}
