package toy_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stile-playground/stile/build/internal/toy"
	"github.com/stile-playground/stile/build/internal/typescript"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/wasm/host"
)

// table returns the complete core with the row of the toy. Nothing else knows the notation.
func table() session.Table {
	t := session.Full()
	t.Notations = append(t.Notations, toy.Row())
	return t
}

const (
	dishes = "# dishes\nwash  dry\nwash dry shelve\n"
	rules  = "ends: F dry\n"
)

// rig calls the methods of a session with the toy's row.
type rig struct {
	*testing.T
	core  host.Handler
	files []session.File
}

func newRig(t *testing.T, text string) *rig {
	return &rig{t, host.Native(session.With(table())), []session.File{{Name: "README.md", Text: "# Dishes\n"}, {Name: "p.ltl", Text: rules}, {Name: "a.toy", Text: text}}}
}

func call[R any](r *rig, method string, params any) (out R) {
	r.Helper()
	if err := host.Call(context.Background(), r.core, method, params, &out); err != nil {
		r.Fatalf("%s: %v", method, err)
	}
	return out
}

func TestRowGivesEditorServices(t *testing.T) {
	r := newRig(t, dishes)
	analysis := call[session.DocumentAnalyzeResult](r, "document.analyze", session.DocumentParams{Files: r.files, Name: "a.toy"})
	if analysis.Kind != toy.Kind || analysis.Summary != "2 words" || len(analysis.Tokens) != 6 || len(analysis.Symbols) != 3 || analysis.Drawing == nil || len(analysis.Diagnostics) > 0 {
		t.Errorf("document.analyze: %+v", analysis)
	}
	format := call[session.DocumentFormatResult](r, "document.format", session.DocumentFormatParams{Name: "a.toy", Text: dishes})
	if format.Text != "# dishes\nwash dry\nwash dry shelve\n" || !format.Changed {
		t.Errorf("document.format: %+v", format)
	}
	at := strings.Index(dishes, "dry")
	place := session.LanguagePlaceParams{Files: r.files, Name: "a.toy", At: at}
	if got := call[session.LanguageCompleteResult](r, "language.complete", place); len(got.Items) != 3 {
		t.Errorf("language.complete: %+v", got)
	}
	if got := call[session.LanguageHoverResult](r, "language.hover", place); got.Card == nil || got.Card.Name != "dry" || got.Card.Lines[0] != "A letter of the words." {
		t.Errorf("language.hover: %+v", got)
	}
	if got := call[session.LanguageHoverResult](r, "language.hover", session.LanguagePlaceParams{Files: r.files, Name: "p.ltl", At: strings.Index(rules, "dry")}); got.Card == nil || got.Card.Lines[0] != "A letter of the words." {
		t.Errorf("language.hover of a formula: %+v", got)
	}
	if got := call[session.LanguageFindResult](r, "language.find", place); len(got.Places) != 3 {
		t.Errorf("language.find: %+v", got)
	}
	rename := call[session.LanguageRenameResult](r, "language.rename", session.LanguageRenameParams{Files: r.files, Name: "a.toy", At: at, To: "wipe"})
	if len(rename.Changes) != 2 || rename.Changes[0].File != "p.ltl" || len(rename.Changes[1].Edits) != 2 {
		t.Errorf("language.rename: %+v", rename)
	}
	if got := call[session.LanguageFoldsResult](r, "language.folds", session.DocumentFormatParams{Name: "a.toy", Text: dishes}); len(got.Folds) != 1 {
		t.Errorf("language.folds: %+v", got)
	}
	if got := call[session.LanguageReferenceResult](r, "language.reference", session.LanguageReferenceParams{Kind: toy.Kind}); len(got.Entries) != 1 {
		t.Errorf("language.reference: %+v", got)
	}
	if got := call[session.LanguageCheckResult](r, "language.check", session.DocumentParams{Files: r.files, Name: "a.toy"}); got.About != "words of a.toy" {
		t.Errorf("language.check: %+v", got)
	}
}

func TestRowGivesDiagnostics(t *testing.T) {
	r := newRig(t, "wash dry\nwash dry\n")
	analysis := call[session.DocumentAnalyzeResult](r, "document.analyze", session.DocumentParams{Files: r.files, Name: "a.toy"})
	if len(analysis.Diagnostics) != 1 || analysis.Diagnostics[0].Line != 2 || analysis.Drawing != nil {
		t.Errorf("%+v", analysis)
	}
}

func TestRowGivesDrawingsStepsProofsAndExports(t *testing.T) {
	r := newRig(t, dishes)
	whole := call[session.DrawingWholeResult](r, "drawing.whole", session.DrawingWholeParams{Files: r.files, Name: "a.toy"})
	if whole.Drawing == nil || len(whole.Drawing.Nodes) != 5 || len(whole.Places) == 0 {
		t.Errorf("drawing.whole: %+v", whole)
	}
	walk := call[session.StepWalkResult](r, "step.walk", session.StepWalkParams{Files: r.files, Name: "a.toy", Word: []string{"wash", "dry"}})
	if walk.Verdict != "valid" || len(walk.Next) != 1 || walk.Next[0].Name != "shelve" {
		t.Errorf("step.walk: %+v", walk)
	}
	proofs := call[session.DocumentAnalyzeResult](r, "document.analyze", session.DocumentParams{Files: r.files, Name: "p.ltl"})
	if len(proofs.Diagnostics) != 1 || proofs.Diagnostics[0].Code != "ltl.holds" {
		t.Errorf("document.analyze of the formulas: %+v", proofs.Diagnostics)
	}
	for _, format := range toy.Row().Exports {
		if got := call[session.SpecExportResult](r, "spec.export", session.SpecExportParams{Name: "a.toy", Text: dishes, Format: format}); !strings.Contains(got.Text, "shelve") {
			t.Errorf("spec.export to %s: %+v", format, got)
		}
	}
}

func TestRowGivesWorkspacesAndRuns(t *testing.T) {
	r := newRig(t, dishes)
	archive := call[session.WorkspaceExportResult](r, "workspace.export", session.WorkspaceExportParams{Files: r.files}).Archive
	imported := call[session.WorkspaceImportResult](r, "workspace.import", session.WorkspaceImportParams{Name: "dishes.txtar", Base64: base64.StdEncoding.EncodeToString([]byte(archive))})
	if imported.Main != "a.toy" {
		t.Errorf("workspace.import opens %s", imported.Main)
	}
	check := call[session.PlanCheckResult](r, "plan.check", session.PlanCheckParams{Files: r.files, Text: "wash dry"})
	if !check.Valid {
		t.Errorf("plan.check: %+v", check)
	}
	settings := json.RawMessage(`{"model":{"kind":"first"}}`)
	run := call[session.RunStartResult](r, "run.start", map[string]any{"workspace": session.RunWorkspace{Files: r.files}, "settings": settings})
	var end session.RunResumeResult
	for end.State != process.StateDone && end.State != process.StateFailed {
		end = call[session.RunResumeResult](r, "run.resume", session.RunResumeParams{Run: run.Run})
	}
	if end.State != process.StateDone || !strings.Contains(string(end.Result), `"wash"`) {
		t.Errorf("run.resume: %s %+v %s", end.State, end.Error, end.Result)
	}
}

func TestRowGivesThePagesLists(t *testing.T) {
	full, core := table(), session.Core()
	lists := string(typescript.Notations(full.Notations, core.Notations, core.Methods))
	if want := `{ name: "toy", ending: "toy", offer: "a list of words", run: "plan", steps: true, embed: true }`; !strings.Contains(lists, want) {
		t.Errorf("no row %s in\n%s", want, lists)
	}
	templates, err := typescript.Templates(full.Notations)
	if err != nil || !strings.Contains(string(templates), "toy: {\n    \"\": \"wash dry\\n\",\n") {
		t.Errorf("%v\n%s", err, templates)
	}
}
