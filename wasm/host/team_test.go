package host_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/wasm/host"
)

// A change of the graph ends a running sub-task: one coroutine unwinds another.
//
//stile:race
func TestChangedTeamEndsAlikeInTheModule(t *testing.T) {
	ctx := context.Background()
	folder := filepath.Join("..", "..", "grammars", "plaque")
	names, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		t.Fatal(err)
	}
	var files []session.File
	var recorded session.RunLog
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Base(name) != "recording.json" {
			files = append(files, session.File{Name: filepath.Base(name), Text: string(text)})
		} else if err := json.Unmarshal(text, &recorded); err != nil {
			t.Fatal(err)
		}
	}
	const graph = `{"subtasks":[
		{"id":"t1","task":"Find the year in which the harbour light of Kiln Quay was first lit, and how many years ago that is in 2026.","executor":"archivist","needs":[],"local":[]},
		{"id":"t2","task":"Find how tall it is to the gallery, in metres.","executor":"surveyor","needs":[]},
		{"id":"t3","task":"Write the text of the plaque.","executor":"writer","needs":["t1","t2"]}]}`
	changed := strings.Replace(string(recorded.Settings), "{", `{"changes":[{"after":1,"graph":`+graph+`}],`, 1)
	var results []string
	for _, h := range []host.Handler{host.Native(session.New()), instance(t)} {
		for _, settings := range []string{string(recorded.Settings), changed} {
			ended := 0
			r := host.Runner{
				Handler: h,
				Ask:     func(q process.Question) string { return "1890, and 112 ft to the gallery" },
				Event: func(e json.RawMessage) {
					if strings.Contains(string(e), `"kind":"team.graph"`) {
						ended++
					}
				},
			}
			out, err := r.Run(ctx, session.RunStartParams{Workspace: session.RunWorkspace{Files: files, Name: "plaque.team"}, Settings: []byte(settings)})
			if err != nil {
				t.Fatal(err)
			}
			if want := strings.Count(settings, `"changes"`) + 1; ended != want {
				t.Errorf("%d graphs, want %d", ended, want)
			}
			results = append(results, bySubtask(t, out.Result))
		}
	}
	if results[0] != results[2] || results[1] != results[3] {
		t.Errorf("natively %s\nand in the module %s", results[:2], results[2:])
	}
}

// bySubtask groups the events of a result by sub-task, because the order of answers to concurrent
// sub-tasks varies.
func bySubtask(t *testing.T, result []byte) string {
	var out map[string]any
	if err := json.Unmarshal(result, &out); err != nil {
		t.Fatal(err)
	}
	trace, ok := out["trace"].([]any)
	if !ok {
		t.Fatalf("no trace in %s", result)
	}
	slices.SortStableFunc(trace, func(a, b any) int {
		of := func(e any) string { return fmt.Sprint(e.(map[string]any)["subtask"]) }
		return strings.Compare(of(a), of(b))
	})
	text, err := json.Marshal(out)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
