package lab

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/formulate"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/learn"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
)

// A learner replaces the model, so it has cells of simulated models only; it is trained on the paper's
// tasks if the folder has them, otherwise on all.
func TestLearnersAreTrainedForTheirTask(t *testing.T) {
	const text = `(experiment a
  (:tasks (plans "f" (:pick 1)))
  (:methods (learn rltf) (learn formal-llm (:epochs 150) (:name "formal")))
  (:models (simulated first) (endpoint "lab"))
  (:measures valid score))
`
	tasks := func(n int) string {
		one := `{"id": %d, "text": "t", "class": "c", "spec": "a.cfg", "goal": {"type": "text"}}`
		var out []string
		for i := range n {
			out = append(out, fmt.Sprintf(one, i))
		}
		return `{"tasks": [` + strings.Join(out, ",\n") + "]}"
	}
	for n, trained := range map[int]int{2: 0, 190: len(learn.PaperTrain)} {
		files := []workspace.File{{Name: "x.lab", Text: text}, {Name: "f/a.cfg", Text: "S -> a\n"}, {Name: "f/tools.json", Text: `{"types": ["text"], "tools": {}}`}, {Name: "f/tasks.json", Text: tasks(n)}}
		x, found := Parse(files[0].Source())
		if source.HasErrors(found) {
			t.Fatal(found)
		}
		endpoint := llm.Endpoint{Name: "lab", URL: "https://example.org", Model: "m", Format: llm.FormatOpenAI}
		cells, _, err := x.Cells(files, Settings{Endpoints: []llm.Endpoint{endpoint}})
		if err != nil || len(cells) != 2 {
			t.Fatalf("%d cells, %v", len(cells), err)
		}
		for i, want := range []learn.Settings{{Automaton: learn.ArmsWithout}, {Automaton: learn.ArmsWith, Epochs: 150}} {
			var s learn.Settings
			if err := json.Unmarshal(cells[i].Settings, &s); err != nil {
				t.Fatal(err)
			}
			if s.Automaton != want.Automaton || s.Epochs != want.Epochs || s.Seeds != 1 || !s.Controls || len(s.Tasks) != trained || !slices.Equal(s.Test, []int{1}) {
				t.Errorf("%d tasks: %+v", n, s)
			}
			has := slices.ContainsFunc(cells[i].Files, func(f workspace.File) bool { return f.Name == "tasks.json" })
			if cells[i].Kind != MethodLearn || !has || !cells[i].Outcome.Simulated {
				t.Errorf("%+v", cells[i])
			}
		}
	}
	if _, found := Parse(source.NewFile("x.lab", strings.Replace(text, "(:epochs 150)", "(:epochs 150) (:naive)", 1))); !source.HasErrors(found) {
		t.Error("a learner has the part of a plan")
	}
}

// The figures of a learner are those of the plans that it makes as it was trained.
func TestLearnersPlanAsTheyWereTrained(t *testing.T) {
	control := func(trained string, with bool, valid, score float64) learn.Control {
		return learn.Control{Trained: trained, With: with, Valid: learn.Interval{Mean: valid}, Reward: learn.Interval{Mean: score / 2}, Score: learn.Interval{Mean: score}}
	}
	for arm, want := range map[string]string{learn.ArmsWith: "[{valid 10 10} {score 0.75 0}]", learn.ArmsWithout: "[{valid 2 10} {score 0.5 0}]", learn.ControlUntrained: ""} {
		r := learn.Result{Controls: []learn.Control{control(learn.ControlUntrained, true, 1, 0.1), control(learn.ControlUntrained, false, 0.1, 0.1)}}
		switch arm {
		case learn.ArmsWith:
			r.Controls = append(r.Controls, control(arm, true, 1, 0.75), control(arm, false, 0, 0))
		case learn.ArmsWithout:
			r.Controls = append(r.Controls, control(arm, true, 1, 0.9), control(arm, false, 0.2, 0.5))
		}
		raw, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		list, err := judgeLearner(process.NestedResult{Result: raw})
		if got := strings.TrimPrefix(fmt.Sprint(list), "[]"); got != want || (err != nil) != (want == "") {
			t.Errorf("%s: %s, %v", arm, got, err)
		}
	}
	if _, err := judgeLearner(process.NestedResult{Err: source.NewError("learn.tasks", "no")}); err == nil {
		t.Error("a failed training has figures")
	}
}

// The stages of a formulation have their time, cost and calls; those of simulated models have calls only.
func TestStagesAreMeasured(t *testing.T) {
	r := formulate.Result{Stages: []formulate.StageSpent{
		{Stage: formulate.StageDefiner, Spent: formulate.Spent{Calls: 2, Milliseconds: 1500, Money: 0.25}},
		{Stage: formulate.StageFormulator, Spent: formulate.Spent{Calls: 1}},
		{Stage: formulate.StageSolver, Spent: formulate.Spent{Solves: 2, Solving: 40}},
	}}
	if got := fmt.Sprint(stagesOf(&r, true)); got != "[{definer-seconds 1.5 0} {definer-cost 0.25 0} {definer-calls 2 0} {formulator-calls 1 0} {solver-seconds 0.04 0}]" {
		t.Error(got)
	}
	for _, name := range stageMeasures() {
		if !slices.Contains(Measures(MethodFormulate), name) || measureText(name) == "" {
			t.Errorf("%s is no measure", name)
		}
	}
	if len(stageMeasures()) != 16 || slices.Contains(stageMeasures(), "solver-cost") {
		t.Errorf("%v", stageMeasures())
	}
}
