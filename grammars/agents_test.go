package grammars_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/monitor"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/core/workspace"
)

func TestAgentFilesExistAndExamplesConform(t *testing.T) {
	agents, about := 0, map[string]int{}
	for _, e := range examples(t) {
		for _, f := range e.Files {
			got := call[session.LanguageCheckResult](t, session.New(), "language.check", session.DocumentParams{Files: e.Files, Name: f.Name})
			for _, d := range got.Diagnostics {
				t.Errorf("%s/%s: %+v", e.ID, f.Name, d)
			}
			if workspace.KindOf(f.Name) == workspace.KindAgent {
				agents++
			}
			if got.About != "" {
				about[got.About[:7]]++
			}
		}
	}
	if agents < 13 || about["example"] < agents || about["prompt "] < agents {
		t.Errorf("%d agents, %v", agents, about)
	}
}

// A simulated model that follows the script of an example answers the example's task.
func TestRehearsalsAnswerTheTask(t *testing.T) {
	rehearsed := 0
	for _, e := range examples(t) {
		f, ok := e.Workspace().File("rehearsal.json")
		if !ok {
			continue
		}
		rehearsed++
		var script struct {
			Question string
			monitor.Rehearsal
		}
		if err := json.Unmarshal([]byte(f.Text), &script); err != nil || script.Question != e.Task {
			t.Errorf("%s: %v, the question is %q", e.ID, err, script.Question)
		}
		settings, err := json.Marshal(map[string]any{"question": e.Task, "model": map[string]any{"kind": "uniform"}, "rehearsal": script.Rehearsal})
		if err != nil {
			t.Fatal(err)
		}
		s := session.New()
		run := call[session.RunStartResult](t, s, "run.start", session.RunStartParams{Workspace: session.RunWorkspace{Files: e.Files, Name: e.Main}, Settings: settings, Seed: 1}).Run
		out := call[session.RunResumeResult](t, s, "run.resume", session.RunResumeParams{Run: run, Slice: 1 << 40})
		if out.State != process.StateDone || !strings.Contains(string(out.Result), script.Answer) || strings.Contains(string(out.Result), "one step nearer") {
			t.Errorf("%s: %s %+v\n%s", e.ID, out.State, out.Error, out.Result)
		}
	}
	if rehearsed < 6 {
		t.Errorf("%d examples have a script", rehearsed)
	}
}
