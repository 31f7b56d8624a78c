package grammars_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/core/workspace"
	"github.com/stile-playground/stile/grammars"
)

func call[R any](t *testing.T, s *session.Session, method string, params any) R {
	t.Helper()
	request, err := json.Marshal(map[string]any{"id": 1, "method": method, "params": params})
	if err != nil {
		t.Fatal(err)
	}
	var reply struct {
		Result R
		Error  *session.Error
	}
	if err := json.Unmarshal(s.Handle(request), &reply); err != nil {
		t.Fatal(err)
	}
	if reply.Error != nil {
		t.Fatalf("%s: %s", method, reply.Error.Message)
	}
	return reply.Result
}

func examples(t *testing.T) []grammars.Example {
	t.Helper()
	list, err := grammars.All()
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestEveryFileIsWithoutProblems(t *testing.T) {
	for _, e := range examples(t) {
		for _, f := range e.Files {
			got := call[session.DocumentAnalyzeResult](t, session.New(), "document.analyze", session.DocumentParams{Files: e.Files, Name: f.Name})
			for _, d := range got.Diagnostics {
				if d.Code != "ltl.holds" { // what is proven is said
					t.Errorf("%s/%s: %+v", e.ID, f.Name, d)
				}
			}
			formatted := call[session.DocumentFormatResult](t, session.New(), "document.format", session.DocumentFormatParams{Name: f.Name, Text: f.Text})
			if formatted.Changed {
				t.Errorf("%s/%s is not formatted", e.ID, f.Name)
			}
		}
	}
}

func TestEveryWordIsWhatItShouldBe(t *testing.T) {
	for _, e := range examples(t) {
		if len(e.Words) < 2 {
			t.Errorf("%s shows %d words", e.ID, len(e.Words))
		}
		for _, w := range e.Words {
			got := call[session.StepWalkResult](t, session.New(), "step.walk", session.StepWalkParams{Files: e.Files, Name: e.Main, Word: w.Word})
			if (got.Verdict == "valid") != w.Pass {
				t.Errorf("%s: %v is %s", e.ID, w.Word, got.Verdict)
			}
		}
	}
}

func TestEveryExampleRuns(t *testing.T) {
	for _, e := range examples(t) {
		if kind := workspace.KindOf(e.Main); kind != workspace.KindGrammar && kind != workspace.KindAgent {
			continue // stepped through, not run
		}
		for _, model := range []string{`{"kind":"uniform"}`, `{"kind":"first"}`, `{"kind":"rambler","errorRate":0.3}`} {
			s := session.New()
			params := session.RunStartParams{
				Workspace: session.RunWorkspace{Files: e.Files, Name: e.Main},
				Settings:  []byte(`{"model":` + model + `}`), Seed: 5,
			}
			run := call[session.RunStartResult](t, s, "run.start", params).Run
			out := call[session.RunResumeResult](t, s, "run.resume", session.RunResumeParams{Run: run, Slice: 1 << 40})
			if out.State != process.StateDone {
				t.Errorf("%s with %s: %s %+v", e.ID, model, out.State, out.Error)
			}
		}
	}
}

func TestEveryExampleTellsItsStory(t *testing.T) {
	for _, e := range examples(t) {
		if e.Title == "" || e.Paper == "" || e.Summary == "" || e.Task == "" || e.Source == "" {
			t.Errorf("%s lacks a line of its header: %+v", e.ID, e)
		}
		for _, f := range e.Files {
			if strings.HasPrefix(f.Text, "---\n") {
				t.Errorf("%s/%s shows its header", e.ID, f.Name)
			}
		}
	}
}
