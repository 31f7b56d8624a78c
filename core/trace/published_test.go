package trace

import (
	"archive/tar"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"strings"
	"testing"
)

// publishedFiles returns the files of testdata/published.tar.gz.
func publishedFiles(t *testing.T) map[string]string {
	t.Helper()
	f, err := os.Open("testdata/published.tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for files := tar.NewReader(z); ; {
		h, err := files.Next()
		if err == io.EOF {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(files)
		if err != nil {
			t.Fatal(err)
		}
		if h.Typeflag == tar.TypeReg {
			out[h.Name] = string(text)
		}
	}
}

// brief lists the items of a run: U, S, M and T for texts, the tools of calls, and r for results.
func brief(run Run) string {
	var out []string
	for _, i := range run.Items {
		switch i.Kind {
		case Call:
			out = append(out, i.Tool)
		case Result:
			out = append(out, "r")
		default:
			out = append(out, map[string]string{User: "U", System: "S", Text: "M", Thought: "T"}[i.Kind])
		}
	}
	return strings.Join(out, " ")
}

func TestPublishedRunsAreRead(t *testing.T) {
	want := map[string]string{
		"swe-agent/replayed.traj":                "swe-agent: S U T find_file r T open r T edit r T bash r T submit r",
		"swe-agent/humanevalfix-python-0.traj":   "swe-agent: S U T bash r T open r T edit r T bash r T submit r",
		"swe-agent/function_calling_simple.traj": "swe-agent: S U M find_file r M open r M edit r M bash r M submit r",
		"who-when/hand-crafted-6.json":           "who-when: U T T WebSurfer r T T M",
		"who-when/algorithm-generated-102.json":  "who-when: U M M M M M M M Computer_terminal r M Computer_terminal r",
	}
	files := publishedFiles(t)
	for name, text := range files {
		read, ok := Read(text)
		if !ok || len(read.Runs) != 1 || len(read.Unread) > 0 {
			t.Errorf("%s: %+v", name, read)
			continue
		}
		if got := read.Format + ": " + brief(read.Runs[0]); got != want[name] {
			t.Errorf("%s:\n%s\nexpected\n%s", name, got, want[name])
		}
		commands(t, name, text, read.Runs[0])
	}
	if len(files) != len(want) {
		t.Errorf("%d files", len(files))
	}
}

// commands compares the calls of a run with the commands that another reader of JSON finds.
func commands(t *testing.T, name, text string, run Run) {
	var file struct {
		Trajectory []struct{ Action, Observation string }
	}
	if err := json.Unmarshal([]byte(text), &file); err != nil {
		t.Fatal(err)
	}
	var calls, results []*Item
	for _, i := range run.Items {
		switch i.Kind {
		case Call:
			calls = append(calls, i)
		case Result:
			results = append(results, i)
		}
	}
	if len(calls) != len(results) {
		t.Errorf("%s: %d calls, %d results", name, len(calls), len(results))
	}
	for i, step := range file.Trajectory {
		if i >= len(calls) || calls[i].Tool != "bash" && !strings.HasPrefix(strings.TrimSpace(step.Action), calls[i].Tool) || strings.TrimSpace(results[i].Text) != strings.TrimSpace(step.Observation) {
			t.Errorf("%s: step %d is %q", name, i, step.Action)
		}
	}
}

// TestUnknownMembersOfPublishedRunsAreUnread adds members that may be actions.
func TestUnknownMembersOfPublishedRunsAreUnread(t *testing.T) {
	for _, text := range []string{
		`{"trajectory":[{"action":"ls","observation":"a","thought":"t","command":"rm -rf /"}],"history":[]}`,
		`{"trajectory":[{"action":"ls","observation":"a"}],"history":[],"more":{"action":"rm"}}`,
		`{"mistake_agent":"A","mistake_step":"1","question":"q","history":[{"role":"A","content":"c","tool":"rm"}]}`,
	} {
		if read, ok := Read(text); !ok || len(read.Unread) != 1 {
			t.Errorf("%s: %+v", text, read)
		}
	}
}

// TestReferencesNextToRunsAreNotCalls reads a run of AgentDojo whose evaluation has expected calls.
func TestReferencesNextToRunsAreNotCalls(t *testing.T) {
	const text = `{"suite_name":"s","pipeline_name":"p","user_task_id":"t","messages":[{"role":"user","content":[{"type":"text","content":"u"}]},
{"role":"assistant","content":null,"tool_calls":[{"function":"look","args":{"a":1},"id":"c","placeholder_args":null}]},
{"role":"tool","content":[{"type":"text","content":"ok"}],"tool_call_id":"c","tool_call":{"function":"look","args":{"a":1},"id":"c","placeholder_args":null},"error":null}],
"evaluation":{"expected":[{"function":"pay","args_any":["x y"]}]}}`
	read, ok := Read(text)
	if !ok || len(read.Unread) > 0 || len(read.Runs) != 1 || read.Format != "agentdojo" || brief(read.Runs[0]) != "U look r" {
		t.Errorf("%+v", read)
	}
}
