package session

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/monitor"
	"github.com/stile-playground/stile/core/source"
)

// readRightly are the supported formats of the set, in which every verdict is right.
const readRightly = " aisdk-genai-otlp ollama-messages openai-chat-messages openai-responses-items "

func TestNoLibraryTraceIsWronglyValid(t *testing.T) {
	dir := filepath.Join("testdata", "traces")
	if all := os.Getenv("STILE_TRACES"); all != "" {
		dir = all // the complete set
	}
	spec, err := os.ReadFile(filepath.Join(dir, "shop.agent"))
	if err != nil {
		t.Fatal(err)
	}
	a, err := openAgent(string(spec))
	if err != nil {
		t.Fatal(err)
	}
	index, err := os.ReadFile(filepath.Join(dir, "index.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for line := range strings.Lines(string(index)) {
		var e struct {
			File, Variant string
			Expected      struct{ Verdict string }
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(dir, e.File))
		if err != nil {
			t.Fatal(err)
		}
		got := "error"
		j, err := monitor.JudgeTrace(a, source.NewFile(e.File, string(text)), "", nil, monitor.Roles{})
		var coded *source.Error
		switch {
		case err == nil:
			got = string(j.Verdict)
			if got == "unread" && len(j.Unread) == 0 {
				t.Errorf("%s is unread, but no place is reported", e.File)
			}
		case !errors.As(err, &coded) || coded.ID != "trace.empty" && coded.ID != "trace.json":
			t.Errorf("%s: %v", e.File, err)
		case coded.ID == "trace.empty" && !strings.Contains(coded.Message, "its keys are"):
			t.Errorf("%s: %v lists no key", e.File, err)
		}
		count[e.Variant+" "+got]++
		if format := filepath.Dir(e.File); strings.Contains(readRightly, " "+format+" ") && got != e.Expected.Verdict {
			t.Errorf("%s is %s, not %s: %+v", e.File, got, e.Expected.Verdict, j)
		} else if got == "valid" && e.Expected.Verdict != "valid" || e.Variant == "forbidden" && got == "incomplete" {
			t.Errorf("%s is %s, not %s", e.File, got, e.Expected.Verdict)
		}
	}
	t.Log(count)
}
