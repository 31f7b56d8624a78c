package grammars_test

import (
	"testing"

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
