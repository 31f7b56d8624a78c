package session

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/lab"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/plan/baseline"
	"github.com/stile-playground/stile/core/plan/compare"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/grammars"
)

const workspaceLab = `(experiment own
  (:tasks (problems "bakery.problem" (:optimum 9)) (questions "asked.jsonl"))
  (:methods (formulate formulate) (team "desk.team") (team "desk.team" (:as react)))
  (:models (simulated first)))
`

func workspaceLabFiles() []File {
	return []File{
		{Name: "own.lab", Text: workspaceLab},
		{Name: "bakery.problem/task.md", Text: "Bread is baked."}, {Name: "bakery.problem/query.md", Text: "What is the least cost?"},
		{Name: "desk.team", Text: `(define desk (:executors (clerk (:does "Answers questions."))))`},
		{Name: "asked.jsonl", Text: `{"question":"How many?","answer":"3"}`},
	}
}

// Problems and teams of a workspace are tasks and methods of an experiment: unknown names
// are reported at their places, and cells with changed files are run again.
func TestExperimentUsesProblemsAndTeamsOfItsWorkspace(t *testing.T) {
	s, files := New(), workspaceLabFiles()
	analyze := func(files []File) []Diagnostic {
		return result[DocumentAnalyzeResult](t, s, "document.analyze", DocumentParams{Files: files, Name: "own.lab"}).Diagnostics
	}
	check := func(files []File, earlier []lab.Outcome) LabCheckResult {
		return result[LabCheckResult](t, s, "lab.check", LabCheckParams{Files: files, Name: "own.lab", Settings: lab.Settings{Earlier: earlier}})
	}
	if found := analyze(files); len(found) > 0 {
		t.Errorf("%+v", found)
	}
	got := check(files, nil)
	if got.Fault != "" || len(got.Cells) != 3 || strings.Join(got.Methods, ", ") != "formulate, desk, desk as react" {
		t.Fatalf("%q %+v", got.Fault, got.Cells)
	}
	run := runWorkspaceLab(t, files)
	for _, o := range run.outcomes {
		// No formulation exists, and a simulated model cannot write one.
		if formulated := o.Method == "formulate"; formulated != (o.State == lab.StateFailed) || formulated && !strings.Contains(o.Reason, "model.smt2 is missing") && !strings.Contains(o.Reason, "goal.md is missing") {
			t.Errorf("%s is %s: %s", o.Key, o.State, o.Reason)
		}
		opened := result[LabOpenResult](t, s, "lab.open", LabOpenParams{Files: files, Name: "own.lab", Key: o.Key, Answers: o.Answers})
		if want := map[bool]string{true: "formulate", false: "team"}[o.Method == "formulate"]; opened.Log.Kind != want || opened.Workspace.Name != opened.Log.Name {
			t.Errorf("%s opens as %+v", o.Key, opened.Log)
		}
	}
	if got := check(files, run.outcomes); got.Known != 2 || len(got.Notes) > 0 {
		t.Errorf("%d known, %q", got.Known, got.Notes)
	}
	changed := workspaceLabFiles()
	changed[3].Text = strings.Replace(changed[3].Text, "Answers", "Asks", 1)
	if got := check(changed, run.outcomes); got.Known != 0 || len(got.Notes) != 1 || !strings.Contains(got.Notes[0], "2 earlier results") {
		t.Errorf("of a changed team %d are known, %q", got.Known, got.Notes)
	}
	wrong := workspaceLabFiles()
	wrong[0].Text = strings.NewReplacer(`"bakery.problem"`, `"bakary.problem"`, `(team "desk.team")`, `(team "dask.team")`).Replace(workspaceLab)
	found := analyze(wrong)
	if len(found) != 2 || found[0].Line != 2 || !strings.Contains(found[0].Message, `did you mean "bakery.problem"?`) || found[1].Line != 3 || !strings.Contains(found[1].Message, `did you mean "desk.team"?`) {
		t.Errorf("%+v", found)
	}
	if got := check(wrong, nil); !strings.Contains(got.Fault, "line 2 of own.lab: the workspace has no problem") || len(got.Cells) > 0 {
		t.Errorf("%q, %d cells", got.Fault, len(got.Cells))
	}
	_, fault := call(t, s, "run.start", RunStartParams{Workspace: RunWorkspace{Files: wrong, Name: "own.lab"}})
	if fault == nil || fault.Code != "lab.problem" || len(fault.Diagnostics) != 1 || fault.Diagnostics[0].Line != 2 {
		t.Errorf("run, it is %+v", fault)
	}
}

// runWorkspaceLab runs such an experiment to its end.
func runWorkspaceLab(t *testing.T, files []File) labRun {
	t.Helper()
	out := runLabNamed(t, files, "own.lab", lab.Settings{}, 1<<40, 0)
	if out.end.State != process.StateDone {
		t.Fatalf("%s %+v", out.end.State, out.end.Error)
	}
	return out
}

// A simulated model that writes plans in free text knows no valid ones, as in a comparison: an own
// experiment with the template's methods does not score it like the planner.
func TestSimulatedFreeTextIsValidByChance(t *testing.T) {
	all, err := grammars.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		if e.ID != "openagi" {
			continue
		}
		files := append(slices.Clone(e.Files),
			File{Name: "tasks.json", Text: `{"tasks":[{"id":0,"text":"Caption the image.","class":"tasks","spec":"` + e.Main + `"}]}`},
			File{Name: "own.lab", Text: `(experiment own
  (:tasks (plans "tasks.json"))
  (:methods (baseline zero-shot) (plan (:otherwise first)))
  (:models (simulated first) (simulated uniform) (simulated rambler 0.3))
  (:seeds 1 2 3 4 5 6 7 8)
  (:measures valid))
`})
		got := runLabNamed(t, files, "own.lab", lab.Settings{}, 1<<40, 0).result
		for _, r := range got.Table.Rows {
			if free := r.Method == "zero-shot"; free == (r.Values[0].Value == 1) || free && r.Values[0].Value > 0.5 || r.Cells != 8 || !r.Simulated {
				t.Errorf("%s: %+v", r, r.Values[0])
			}
		}
		for i, file := range files { // few-shot examples need solved tasks
			files[i].Text = strings.Replace(file.Text, "(baseline zero-shot)", "(baseline few-shot)", 1)
		}
		if got := result[LabCheckResult](t, New(), "lab.check", LabCheckParams{Files: files, Name: "own.lab"}); !strings.Contains(got.Fault, "line 3 of own.lab: few-shot needs solved tasks") {
			t.Errorf("%q", got.Fault)
		}
		return
	}
	t.Fatal("no example")
}

// A comparison's few-shot prompts have other tasks of tasks.json with their plans, never the asked
// one; without such tasks its row says that its examples are random plans.
func TestComparisonShowsSolvedTasks(t *testing.T) {
	all, err := grammars.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		if e.ID != "openagi-tasks" {
			continue
		}
		w := e.Workspace()
		list, _ := w.File("tasks.json")
		var tasks struct{ Tasks []struct{ Text, Spec string } }
		if err := json.Unmarshal([]byte(list.Text), &tasks); err != nil {
			t.Fatal(err)
		}
		texts := map[string]bool{}
		for _, task := range tasks.Tasks {
			texts[task.Text] = true
		}
		for _, at := range []int{0, 90, 184} {
			task := tasks.Tasks[at]
			for _, asked := range []string{task.Text, "Another task."} {
				file, _ := w.File(task.Spec)
				settings, _ := json.Marshal(compare.Settings{Task: asked, Model: llm.Spec{Kind: llm.KindFirst}, Methods: []string{"few-shot"}, Tries: 1, Wording: "paper", Solved: true})
				body, err := compareBody(New().project(e.Files), file, settings)
				if err != nil {
					t.Fatal(err)
				}
				result, events := ran(t, body)
				var prompt baseline.Prompt
				if err := json.Unmarshal([]byte(events[0]), &prompt); err != nil {
					t.Fatal(err)
				}
				parts := strings.Split(prompt.Prompt, "Problem: ")
				if len(parts) != 5 || strings.Contains(result, "randomShots") {
					t.Fatalf("%d examples, %s", len(parts)-2, result)
				}
				for _, part := range parts[1:4] {
					if shown, _, _ := strings.Cut(part, "\n"); !texts[shown] || shown == asked {
						t.Errorf("task %d: the example is %q", at, shown)
					}
				}
			}
		}
		file, _ := w.File(tasks.Tasks[0].Spec)
		alone := []File{}
		for _, f := range e.Files {
			if f.Name != "tasks.json" {
				alone = append(alone, f)
			}
		}
		body, err := compareBody(New().project(alone), file, []byte(`{"model":{"kind":"first"},"methods":["few-shot"],"tries":1,"solved":true}`))
		if err != nil {
			t.Fatal(err)
		}
		if result, _ := ran(t, body); !strings.Contains(result, `"randomShots":true`) {
			t.Error(result)
		}
		return
	}
	t.Fatal("no example")
}
