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

	"github.com/stile-playground/stile/core/lab"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/wasm/host"
)

// workspaceLab is an experiment with problems and a team of its workspace.
const workspaceLab = `(experiment own
  (:tasks
    (problems "tea.problem" (:optimum 545))
    (problems "dear.problem" (:optimum 544))
    (problems "scarce.problem" (:optimum infeasible))
    (problems "open.problem")
    (problems "robots/gripper.problem" (:optimum 8))
    (questions "years.jsonl"))
  (:methods (formulate formulate) (formulate code) (formulate direct) (team "quay/plaque.team") (team "quay/plaque.team" (:as cot)))
  (:models (simulated first) (endpoint "lab"))
  (:measures valid score solved optimal checks sub-tasks calls))
`

// workspaceFiles is its workspace: a problem in four versions, one with steps, grammars and formulas,
// and a team.
func workspaceFiles(t *testing.T) []session.File {
	t.Helper()
	files := []session.File{
		{Name: "own.lab", Text: workspaceLab},
		{Name: "years.jsonl", Text: `{"question": "How many years has the light stood?", "answer": "136", "group": "years"}` + "\n" + `{"question": "Who lit it?", "group": "people"}` + "\n"},
	}
	for _, f := range testdataWorkspace(t, "tea").Files {
		for _, folder := range []string{"tea", "dear", "scarce", "open"} {
			text := f.Text
			if folder == "scarce" {
				text = strings.ReplaceAll(text, "(>= send.north 20)", "(>= send.north 2000)")
			}
			files = append(files, session.File{Name: strings.Replace(f.Name, "tea.", folder+".", 1), Text: text})
		}
	}
	for from, to := range map[string]string{"gripper": "robots", "plaque": "quay"} {
		root := filepath.Join("../../grammars", from)
		err := filepath.WalkDir(root, func(name string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := os.ReadFile(name)
			rel, _ := filepath.Rel(root, name)
			if base := filepath.Base(name); base != "recording.json" && base != "README.md" {
				files = append(files, session.File{Name: to + "/" + filepath.ToSlash(rel), Text: string(text)})
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	slices.SortFunc(files[2:], func(a, b session.File) int { return strings.Compare(a.Name, b.Name) })
	return files
}

// measured returns the measures of an outcome, such as "valid 1/1".
func measured(o lab.Outcome) string {
	var out []string
	for _, m := range o.Measures {
		text := fmt.Sprintf("%s %v", m.Name, m.Count)
		if m.Of > 0 {
			text += fmt.Sprintf("/%v", m.Of)
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

// A problem of the workspace is correct if the solver finds the experiment's optimum; a team is
// judged by its constraints. Each cell replays separately.
func TestExperimentWithWorkspaceProblemsAndTeams(t *testing.T) {
	s := solvers(t)
	files := workspaceFiles(t)
	handler := host.Native(session.New())
	run := func(runner *host.Runner, settings lab.Settings) (result lab.Result, outcomes []lab.Outcome) {
		t.Helper()
		raw, err := json.Marshal(settings)
		if err != nil {
			t.Fatal(err)
		}
		runner.Handler, runner.Solve = handler, s.Solve
		runner.Event = func(raw json.RawMessage) {
			var e lab.CellEvent
			if json.Unmarshal(raw, &e) == nil && e.Kind == "lab.cell" && (e.Outcome.State == lab.StateDone || e.Outcome.State == lab.StateFailed) {
				outcomes = append(outcomes, e.Outcome)
			}
		}
		outcome, err := runner.Run(context.Background(), session.RunStartParams{Workspace: session.RunWorkspace{Files: files, Name: "own.lab"}, Settings: raw})
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(outcome.Result, &result); err != nil {
			t.Fatal(err)
		}
		return result, outcomes
	}
	open := func(settings lab.Settings, o lab.Outcome) session.LabOpenResult {
		t.Helper()
		var opened session.LabOpenResult
		if err := host.Call(context.Background(), handler, "lab.open", session.LabOpenParams{Files: files, Name: "own.lab", Settings: settings, Key: o.Key, Answers: o.Answers}, &opened); err != nil {
			t.Fatal(err)
		}
		return opened
	}
	check := func(outcomes []lab.Outcome, want map[string][2]string) {
		t.Helper()
		for _, o := range outcomes {
			w, ok := want[o.Key]
			if !ok {
				continue
			}
			delete(want, o.Key)
			if got := measured(o); o.State != lab.StateDone || !strings.HasPrefix(got, w[0]) || !strings.Contains(o.Reason, w[1]) || w[1] == "" && o.Reason != "" {
				t.Errorf("%s is %s, %s: %s", o.Key, o.State, got, o.Reason)
			}
		}
		for key := range want {
			t.Errorf("there is no cell %s", key)
		}
	}

	result, outcomes := run(&host.Runner{}, lab.Settings{})
	if result.Table.Failed > 0 || result.Table.Cells != 5*3+2*2 || result.Table.Done != result.Table.Cells {
		t.Fatalf("%s\n%+v", result.Table.Markdown(), result.Outcomes)
	}
	const undecided = "valid 0/1, solved 0/1, optimal 0/1, rounds"
	check(outcomes, map[string][2]string{
		"formulate | first | tea.problem 0 | 1":            {"valid 1/1, solved 1/1, optimal 1/1, score 1/1, rounds 1", "the best plan costs 545, as the experiment expects"},
		"code | first | tea.problem 0 | 1":                 {"valid 1/1, solved 1/1, optimal 1/1, score 1/1, rounds 1", "as the experiment expects"},
		"direct | first | tea.problem 0 | 1":               {undecided, "neither right nor wrong"},
		"formulate | first | dear.problem 0 | 1":           {"valid 1/1, solved 1/1, optimal 1/1, score 0/1, rounds", "the best plan costs 545; the experiment expects an optimum of 544"},
		"formulate | first | scarce.problem 0 | 1":         {"valid 1/1, solved 0/1, score 1/1, rounds", "no plan exists"},
		"formulate | first | open.problem 0 | 1":           {"valid 1/1, solved 1/1, optimal 1/1, rounds", "the best plan costs 545"},
		"formulate | first | robots/gripper.problem 0 | 1": {"valid 1/1, solved 1/1, optimal 1/1, checks ", "the best plan has 8 steps"},
		"plaque | first | years.jsonl 0 | 1":               {"valid ", ""},
		"plaque as cot | first | years.jsonl 1 | 1":        {"valid ", ""},
	})
	for _, o := range outcomes {
		if strings.HasPrefix(o.Key, "plaque | ") && (!strings.Contains(measured(o), "sub-tasks") || strings.Contains(measured(o), "score")) {
			t.Errorf("%s: %s", o.Key, measured(o))
		}
		opened := open(lab.Settings{}, o)
		again, err := (&host.Runner{Handler: handler, Solve: s.Solve}).Run(context.Background(), session.RunStartParams{Workspace: opened.Workspace, Log: &opened.Log})
		if err != nil || len(again.Result) == 0 {
			t.Errorf("%s does not play again: %v", o.Key, err)
		}
	}

	// An endpoint receives the given files, and not the formulation in the folder.
	b := newBench(t)
	var model string
	for _, f := range files {
		if f.Name == "tea.problem/model.smt2" {
			model = f.Text
		}
	}
	e := b.endpoint("", "say:```\n"+model+"\n```\nAnswer: 136")
	e.Name = "lab"
	settings := lab.Settings{Models: []lab.NamedModel{{Name: "lab", Spec: llm.Spec{Kind: llm.KindEndpoint, Endpoint: &e}}}}
	result, outcomes = run(b.runner(nil), settings)
	if result.Table.Failed > 0 || result.Table.Cells != 5*3+2*2 {
		t.Errorf("%s\n%+v", result.Table.Markdown(), result.Outcomes)
	}
	check(outcomes, map[string][2]string{
		"code | lab | tea.problem 0 | 1":            {"valid 1/1, solved 1/1, optimal 1/1, score 1/1", "as the experiment expects"},
		"code | lab | scarce.problem 0 | 1":         {"valid 1/1, solved 1/1, optimal 1/1, score 0/1", "the best plan costs 545; the experiment expects no plan"},
		"code | lab | robots/gripper.problem 0 | 1": {"valid 0/1, solved 0/1, optimal 0/1, score 0/1", "the experiment expects an optimum of 8"},
		"formulate | lab | tea.problem 0 | 1":       {"valid 0/1, solved 0/1, optimal 0/1, score 0/1", "the definer wrote no valid product"},
		"plaque | lab | years.jsonl 0 | 1":          {"valid 0/1, score 0/1", "the manager"},
		"plaque as cot | lab | years.jsonl 0 | 1":   {"valid ", ""},
	})
	for _, o := range outcomes {
		right := strings.Contains(measured(o), "score 1/1")
		if o.Key == "plaque as cot | lab | years.jsonl 0 | 1" && !right || o.Key == "plaque as cot | lab | years.jsonl 1 | 1" && strings.Contains(measured(o), "score") {
			t.Errorf("%s: %s", o.Key, measured(o))
		}
		for _, f := range open(settings, o).Workspace.Files {
			for _, made := range []string{"model.", "goal.md", "variables.json", "answer.json"} {
				if strings.Contains(f.Name, ".problem/"+made) {
					t.Errorf("%s is given %s", o.Key, f.Name)
				}
			}
		}
	}
	for _, r := range b.Requests("r") {
		if strings.Contains(r.Body, "harvest.hill") && !strings.Contains(r.Body, "Answer: 136") {
			t.Errorf("the formulation was shown: %s", r.Body)
		}
	}
}
