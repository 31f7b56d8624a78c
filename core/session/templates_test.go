package session

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/workspace"
)

// starterFixes are the edits that the comments of the starters suggest; each proves the violated
// property.
var starterFixes = map[workspace.Kind][]string{
	"cfg":   {"| read\n", "| read read\n"},
	"pda":   {"start open Z\n", "start free Z\nfree -> open (lock, Z; L Z)\n"},
	"flow":  {"no -> asked", "no -> stop"},
	"agent": {"until_3", "until_1_3"},
	"ltl":   {"paid: F pay", "paid: F(pay | end)"},
}

// starter returns the files of a new workspace of a notation.
func starter(t *testing.T, kind workspace.Kind) []File {
	t.Helper()
	row := Full().Notations.Kind(kind)
	w, err := workspace.ParseArchive(row.Starter)
	if err != nil {
		t.Fatalf("%s: %v", kind, err)
	}
	return w.Files
}

func TestTemplatesHaveNoProblems(t *testing.T) {
	for _, row := range Full().Notations {
		if row.Offer == "" {
			continue
		}
		if row.About == "" || row.Template == "" {
			t.Errorf("%s is offered without a template", row.Name)
		}
		if row.Folder {
			continue // its files are tested as a problem
		}
		files := []File{{Name: "new." + string(row.Kind), Text: row.Template}}
		got := result[DocumentAnalyzeResult](t, New(), "document.analyze", DocumentParams{Files: files, Name: files[0].Name})
		for _, d := range got.Diagnostics {
			if d.Severity != "info" && d.Code != "tests.empty" {
				t.Errorf("%s: %+v", row.Name, d)
			}
		}
	}
}

// verdicts returns the codes of the properties of a workspace.
func verdicts(t *testing.T, files []File) []string {
	t.Helper()
	var out []string
	for _, f := range files {
		got := result[DocumentAnalyzeResult](t, New(), "document.analyze", DocumentParams{Files: files, Name: f.Name})
		for _, d := range got.Diagnostics {
			switch {
			case strings.HasPrefix(d.Code, "ltl."):
				out = append(out, d.Code)
			case d.Severity == "error":
				t.Errorf("%s: %+v", f.Name, d)
			}
		}
	}
	slices.Sort(out)
	return out
}

func TestStartersHaveProvedPropertiesAndOneViolatedOne(t *testing.T) {
	for kind, fix := range starterFixes {
		files := starter(t, kind)
		if workspace.KindOf(files[0].Name) != kind {
			t.Errorf("%s begins with %s", kind, files[0].Name)
		}
		got := verdicts(t, files)
		if n := len(got); n < 2 || got[n-1] != "ltl.violated" || slices.Contains(got[:n-1], "ltl.violated") {
			t.Errorf("%s: %v", kind, got)
		}
		for i := range files {
			files[i].Text = strings.Replace(files[i].Text, fix[0], fix[1], 1)
		}
		if after := verdicts(t, files); len(after) != len(got) || slices.Contains(after, "ltl.violated") {
			t.Errorf("%s, after the suggested edit: %v", kind, after)
		}
		if tests := result[TestsRunResult](t, New(), "tests.run", TestsRunParams{Files: starter(t, kind)}); tests.Passed < 3 || tests.Failed+tests.Errors+len(tests.Faults) > 0 {
			t.Errorf("%s: tests %+v", kind, tests)
		}
		for _, f := range starter(t, kind) {
			formatted := result[DocumentFormatResult](t, New(), "document.format", DocumentFormatParams{Name: f.Name, Text: f.Text})
			if formatted.Changed {
				t.Errorf("%s/%s is not formatted:\n%s", kind, f.Name, formatted.Text)
			}
		}
	}
}

func TestStartersRun(t *testing.T) {
	for kind := range starterFixes {
		files := starter(t, kind)
		name, settings := files[0].Name, `{"model":{"kind":"uniform"}}`
		for _, f := range files {
			switch {
			case f.Name == "rehearsal.json":
				if !json.Valid([]byte(f.Text)) {
					t.Fatalf("%s: rehearsal.json is not JSON", kind)
				}
				settings = `{"model":{"kind":"uniform"},"rehearsal":` + strings.Replace(f.Text, `"question": "Who designed the iron tower that opened in Paris in 1889?",`, "", 1) + `}`
			case kind == "ltl" && f.Name == "orders.cfg":
				name = f.Name
			}
		}
		s := New()
		run := result[RunStartResult](t, s, "run.start", RunStartParams{Workspace: RunWorkspace{Files: files, Name: name}, Settings: []byte(settings), Seed: 1}).Run
		out := result[RunResumeResult](t, s, "run.resume", RunResumeParams{Run: run, Slice: 1 << 40})
		if out.State != process.StateDone {
			t.Errorf("%s: %s %+v", kind, out.State, out.Error)
		}
		if kind == "agent" && !strings.Contains(string(out.Result), "Koechlin") {
			t.Errorf("%s: %s", kind, out.Result)
		}
	}
}

func TestStarterOfRulesPassesItsTests(t *testing.T) {
	files := starter(t, workspace.KindRules)
	tests := result[TestsRunResult](t, New(), "tests.run", TestsRunParams{Files: files})
	if tests.Verdict != "pass" || tests.Passed != 16 {
		t.Errorf("%+v", tests)
	}
	for _, f := range files {
		formatted := result[DocumentFormatResult](t, New(), "document.format", DocumentFormatParams{Name: f.Name, Text: f.Text})
		if formatted.Changed {
			t.Errorf("%s is not formatted:\n%s", f.Name, formatted.Text)
		}
	}
	// Each rule is violated by one of the runs.
	var text string
	for _, f := range files {
		if f.Name == "policy.rules" {
			text = f.Text
		}
	}
	for _, line := range strings.Split(text, "\n") {
		name, _, ok := strings.Cut(line, ":")
		if ok && !strings.HasPrefix(line, "#") && !slices.ContainsFunc(tests.Cases, func(c TestsCase) bool {
			return strings.HasPrefix(c.Reason, "violates "+name+" ") || c.Reason == "violates "+name
		}) {
			t.Errorf("no run violates %s", name)
		}
	}
}
