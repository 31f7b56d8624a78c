package session

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/lab"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/grammars/experiments"
)

// mixed is an experiment with cells of several kinds.
const mixed = `(experiment mixed
  (:tasks
    (plans "openagi-tasks" (:pick 3 105))
    (questions "questions/gsm8k.jsonl" (:first 2))
    (benchmark apibank (:first 2)))
  (:methods
    (baseline zero-shot)
    (plan (:otherwise first))
    (monitor "agents/react-calculator.agent" (:name "ReAct"))
    (benchmark team (:name "PMC")))
  (:models (simulated rambler 0.4) (endpoint "lab"))
  (:seeds 1 2)
  (:measures valid score calls correctness))
`

// mixedFiles is its workspace.
func mixedFiles(t *testing.T) []File {
	t.Helper()
	files := []File{{Name: "mixed.lab", Text: mixed}}
	for _, name := range []string{"formal-llm-1", "crouse-2024-1", "pmc-4"} {
		w, err := experiments.Workspace(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range w.Files {
			if !strings.HasSuffix(f.Name, ".lab") {
				files = append(files, f)
			}
		}
	}
	return files
}

// labRun is a completed run of an experiment.
type labRun struct {
	result   lab.Result
	outcomes []lab.Outcome // completed cells with their answers, from the events
	end      RunResumeResult
}

// runLab runs an experiment in slices, until this many cells are complete; 0: to its end.
func runLab(t *testing.T, files []File, settings lab.Settings, slice int64, until int) (out labRun) {
	t.Helper()
	return runLabNamed(t, files, "mixed.lab", settings, slice, until)
}

func runLabNamed(t *testing.T, files []File, name string, settings lab.Settings, slice int64, until int) (out labRun) {
	t.Helper()
	raw, err := json.Marshal(settings)
	if err != nil {
		t.Fatal(err)
	}
	s := New()
	number := result[RunStartResult](t, s, "run.start", RunStartParams{Workspace: RunWorkspace{Files: files, Name: name}, Settings: raw}).Run
	for until == 0 || len(out.outcomes) < until {
		out.end = result[RunResumeResult](t, s, "run.resume", RunResumeParams{Run: number, Slice: slice})
		for _, raw := range out.end.Events {
			var e lab.CellEvent
			if json.Unmarshal(raw, &e) == nil && e.Kind == "lab.cell" && (e.Outcome.State == lab.StateDone || e.Outcome.State == lab.StateFailed) {
				out.outcomes = append(out.outcomes, e.Outcome)
			}
		}
		if out.end.State != process.StateWorking {
			break
		}
	}
	if out.end.State == process.StateDone {
		if err := json.Unmarshal(out.end.Result, &out.result); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func TestExperimentResultsDoNotDependOnInterruptions(t *testing.T) {
	files := mixedFiles(t)
	whole := runLab(t, files, lab.Settings{}, 1<<40, 0)
	if whole.end.State != process.StateDone {
		t.Fatalf("%s %+v", whole.end.State, whole.end.Error)
	}
	want := whole.result.Table
	if want.Failed > 0 || want.Done != want.Cells || want.Cells != 2*(2*2+2+2) {
		t.Errorf("%d of %d cells, %d failed: %+v", want.Done, want.Cells, want.Failed, whole.result.Outcomes)
	}
	if len(want.Notes) != 1 || !strings.Contains(want.Notes[0], `No endpoint "lab"`) {
		t.Errorf("%q", want.Notes)
	}
	for _, c := range []struct {
		law      string
		settings lab.Settings
		slice    int64
	}{
		{"one at a time", lab.Settings{Concurrent: 1}, 1 << 40},
		{"many at a time", lab.Settings{Concurrent: 32}, 1 << 40},
		{"in small slices", lab.Settings{}, 5_000},
	} {
		if got := runLab(t, files, c.settings, c.slice, 0); !reflect.DeepEqual(got.result.Table, want) {
			t.Errorf("%s: %s, not %s", c.law, got.result.Table.Markdown(), want.Markdown())
		}
	}
	// Interrupt, and resume with the completed cells.
	half := runLab(t, files, lab.Settings{Concurrent: 1}, 2_000, 5)
	if half.end.State != process.StateWorking || len(half.outcomes) == 0 || len(half.outcomes) >= want.Cells {
		t.Fatalf("%s with %d cells done", half.end.State, len(half.outcomes))
	}
	rest := runLab(t, files, lab.Settings{Earlier: half.outcomes}, 1<<40, 0)
	if !reflect.DeepEqual(rest.result.Table, want) || rest.result.Spent.Cells != want.Cells-len(half.outcomes) {
		t.Errorf("gone on with: %d cells were run, %s", rest.result.Spent.Cells, rest.result.Table.Markdown())
	}
	// Cells of another experiment are run again.
	old := append([]lab.Outcome(nil), half.outcomes...)
	for i := range old {
		old[i].Stamp = "another"
	}
	again := runLab(t, files, lab.Settings{Earlier: old}, 1<<40, 0)
	if n := len(again.result.Table.Notes); n != 2 || !strings.Contains(again.result.Table.Notes[1], "settings or files of their cells have changed") {
		t.Errorf("what is stale is not told: %q", again.result.Table.Notes)
	}
	if again.result.Table.Notes = want.Notes; again.result.Spent.Cells != want.Cells || !reflect.DeepEqual(again.result.Table, want) {
		t.Errorf("what is stale is taken: %d cells were run", again.result.Spent.Cells)
	}
	// With a renamed method its cells are new, and the others are reused.
	renamed := slices.Clone(files)
	renamed[0].Text = strings.Replace(mixed, `(:name "ReAct")`, `(:name "Re-act")`, 1)
	s := New()
	check := result[LabCheckResult](t, s, "lab.check", LabCheckParams{Files: renamed, Name: "mixed.lab", Settings: lab.Settings{Earlier: whole.outcomes}})
	if check.Known != want.Cells-4 || len(check.Notes) != 2 || !strings.Contains(check.Notes[1], `4 earlier results, "ReAct | rambler 0.4 | questions/gsm8k.jsonl 0 | 1"`) {
		t.Errorf("%d known, %q", check.Known, check.Notes)
	}
	got := runLab(t, renamed, lab.Settings{Earlier: whole.outcomes}, 1<<40, 0)
	if got.result.Spent.Cells != 4 || got.result.Table.Done != want.Cells || len(got.result.Table.Notes) != 2 {
		t.Errorf("%d cells were run, %s", got.result.Spent.Cells, got.result.Table.Markdown())
	}
	tables := result[LabTablesResult](t, s, "lab.tables", LabTablesParams{Files: renamed, Name: "mixed.lab", Outcomes: whole.outcomes})
	if tables.Table.Done != want.Cells-4 || len(tables.Table.Notes) != 1 || !strings.Contains(tables.Table.Notes[0], `4 results are ignored, because the experiment does not have their methods: "ReAct"`) {
		t.Errorf("%s", tables.Markdown)
	}
}

// Models that replace those of an experiment are checked before it starts.
func TestModelsOfAnExperimentAreChecked(t *testing.T) {
	for _, c := range []struct{ settings, code string }{
		{`{"models":[{"name":"a","spec":{"kind":"first"}}]}`, ""},
		{`{"models":[{"name":"a","spec":{"kind":"first"}},{"name":"b","spec":{"kind":"nobody"}}]}`, "llm.spec"},
	} {
		_, fault := call(t, New(), "run.start", RunStartParams{Workspace: RunWorkspace{Files: mixedFiles(t), Name: "mixed.lab"}, Settings: []byte(c.settings)})
		if code := ""; fault != nil && fault.Code != c.code || fault == nil && c.code != code {
			t.Errorf("%s: %+v", c.settings, fault)
		}
	}
}

func TestBudgetStopsAnExperimentThatCanResume(t *testing.T) {
	files := mixedFiles(t)
	want := runLab(t, files, lab.Settings{}, 1<<40, 0).result
	var earlier []lab.Outcome
	calls := 0
	for runs := 1; ; runs++ {
		got := runLab(t, files, lab.Settings{Concurrent: 1, Earlier: earlier, Budget: &meter.Budget{Calls: 40}}, 1<<40, 0)
		if got.end.State != process.StateDone {
			t.Fatalf("%+v", got.end.Error)
		}
		calls += got.result.Spent.Calls
		earlier = got.outcomes
		if got.result.Stopped == "" {
			if !reflect.DeepEqual(got.result.Table, want.Table) || runs < 2 {
				t.Errorf("in %d runs: %s", runs, got.result.Table.Markdown())
			}
			break
		}
		if !strings.Contains(got.result.Stopped, "40 calls") || got.result.Table.Done == got.result.Table.Cells || got.result.Spent.Calls > 80 {
			t.Fatalf("%s after %d calls", got.result.Stopped, got.result.Spent.Calls)
		}
		if runs > 40 {
			t.Fatal("it never ends")
		}
	}
	if calls < want.Spent.Calls {
		t.Errorf("%d calls were enough for what takes %d", calls, want.Spent.Calls)
	}
}

func TestCellOpensAsARun(t *testing.T) {
	files := mixedFiles(t)
	s := New()
	whole := runLab(t, files, lab.Settings{}, 1<<40, 0)
	kinds := map[string]bool{}
	for _, o := range whole.outcomes {
		open := result[LabOpenResult](t, s, "lab.open", LabOpenParams{Files: files, Name: "mixed.lab", Key: o.Key, Answers: o.Answers})
		number := result[RunStartResult](t, s, "run.start", RunStartParams{Workspace: open.Workspace, Log: &open.Log}).Run
		end := result[RunResumeResult](t, s, "run.resume", RunResumeParams{Run: number, Slice: 1 << 40})
		result[RunResumeResult](t, s, "run.stop", RunParams{Run: number})
		if end.State != process.StateDone {
			t.Errorf("%s: %+v", o.Key, end.Error)
		}
		kinds[open.Log.Kind] = true
		valid := true
		for _, m := range o.Measures {
			valid = valid && (m.Name != "valid" || m.Count == m.Of)
		}
		if open.Log.Kind == RunBaseline && strings.Contains(string(end.Result), `"valid":true`) != valid {
			t.Errorf("%s was measured otherwise: %s", o.Key, end.Result)
		}
	}
	if len(kinds) != 4 {
		t.Errorf("%v", kinds)
	}
	if _, fault := call(t, s, "lab.open", LabOpenParams{Files: files, Name: "mixed.lab", Key: "none"}); fault == nil || fault.Code != "lab.cell" {
		t.Errorf("%+v", fault)
	}
}

func TestExperimentListsItsRequirements(t *testing.T) {
	s := New()
	bare := []File{{Name: "mixed.lab", Text: mixed}}
	check := result[LabCheckResult](t, s, "lab.check", LabCheckParams{Files: bare})
	if strings.Join(check.Needs, " ") != "openagi-tasks questions apibank agents" || len(check.Cells) != 0 || check.Endpoints[0] != "lab" {
		t.Errorf("%+v", check)
	}
	if _, fault := call(t, s, "run.start", RunStartParams{Workspace: RunWorkspace{Files: bare}}); fault == nil || fault.Code != "lab.needs" {
		t.Errorf("%+v", fault)
	}
	check = result[LabCheckResult](t, s, "lab.check", LabCheckParams{Files: mixedFiles(t), Name: "mixed.lab"})
	if len(check.Needs) != 0 || len(check.Cells) != 16 || check.Fault != "" {
		t.Errorf("%d cells, %s", len(check.Cells), check.Fault)
	}
}

func TestExportedResultsContainNoPrompts(t *testing.T) {
	files := mixedFiles(t)
	s := New()
	whole := runLab(t, files, lab.Settings{}, 1<<40, 0)
	for _, form := range lab.Forms {
		text := result[LabExportResult](t, s, "lab.export", LabExportParams{Files: files, Name: "mixed.lab", Outcomes: whole.outcomes, Form: form}).Text
		if len(text) < 100 || strings.Contains(text, `"answers"`) || strings.Contains(text, "endpoint:") {
			t.Errorf("%s: %.300s", form, text)
		}
		if form != lab.FormResults {
			continue
		}
		shown := result[LabTablesResult](t, s, "lab.tables", LabTablesParams{Results: text})
		want := whole.result.Table
		want.Notes = shown.Table.Notes // a missing endpoint is an error of the run
		if !reflect.DeepEqual(shown.Table, want) || len(shown.Outcomes) != want.Cells {
			t.Errorf("%s", shown.Markdown)
		}
	}
}
