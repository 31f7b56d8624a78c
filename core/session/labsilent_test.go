package session

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/lab"
	"github.com/stile-playground/stile/grammars/experiments"
)

// figures returns the measures of an experiment's cells, without those that depend on the length of
// prompts, and the notes of its table.
func figures(t *testing.T, of, text string) (map[string][]lab.Measure, []string) {
	t.Helper()
	w, err := experiments.Workspace(of)
	if err != nil {
		t.Fatal(err)
	}
	files := []File{{Name: "silent.lab", Text: text}}
	for _, f := range w.Files {
		if !strings.HasSuffix(f.Name, ".lab") {
			files = append(files, f)
		}
	}
	run := runLabNamed(t, files, "silent.lab", lab.Settings{}, 1<<40, 0)
	out := map[string][]lab.Measure{}
	for _, o := range run.result.Outcomes {
		if o.State != lab.StateDone {
			t.Errorf("%s is %s: %s", o.Key, o.State, o.Reason)
		}
		out[o.Key] = slices.DeleteFunc(o.Measures, func(m lab.Measure) bool { return m.Name == "tokens" })
	}
	return out, run.result.Table.Notes
}

// Settings that only change prompts change no figure of a simulated model, and the table states it.
func TestSimulatedModelsReadNoPrompts(t *testing.T) {
	for _, c := range []struct{ of, tasks, method, measure, setting, note string }{
		{"pmc-1", "(benchmark travelplanner (:first 4))", "benchmark team", "final-pass", `(:hints "No restaurant twice.")`, ":hints changes only"},
		{"pmc-1", "(benchmark travelplanner (:first 4))", "benchmark react", "final-pass", `(:hints "No restaurant twice.")`, ":hints changes only"},
		{"pmc-1", "(benchmark travelplanner (:first 4))", "benchmark sole", "final-pass", `(:hints "No restaurant twice.")`, ":hints changes only"},
		{"crouse-2023-1", `(questions "questions/gsm8k.jsonl" (:first 4))`, `monitor "agents-2023-calculator/react-gsm8k.agent"`, "score", "(:shots 3)", ":shots changes only"},
		{"crouse-2023-1", `(questions "questions/gsm8k.jsonl" (:first 4))`, `monitor "agents-2023-calculator/react-gsm8k.agent"`, "score", "(:shots 0)", ""},
		{"formal-llm-1", `(plans "openagi-tasks" (:pick 2 3 10))`, "baseline few-shot", "valid", "(:prompt paper)", ":prompt changes only"},
		{"crouse-2024-2", `(questions "questions/triviaqa.jsonl") (questions "questions/hotpotqa.jsonl")`, `monitor "agents/pass.agent"`, "score", "(:keep results)", ":keep has no effect on"},
	} {
		text := func(setting string) string {
			return "(experiment silent (:tasks " + c.tasks + ") (:methods (" + c.method + ` (:name "m") ` + setting + ")) (:models (simulated rambler 0.3)) (:seeds 1 2) (:measures " + c.measure + "))"
		}
		with, notes := figures(t, c.of, text(c.setting))
		without, none := figures(t, c.of, text(""))
		if len(with) < 6 || !reflect.DeepEqual(with, without) {
			t.Errorf("%s %s: %v, without it %v", c.method, c.setting, with, without)
		}
		if c.note == "" && len(notes) > 0 || c.note != "" && (len(notes) != 1 || !strings.HasPrefix(notes[0], c.note) || !strings.Contains(notes[0], ` the simulated rows of "m": `)) || len(none) > 0 {
			t.Errorf("%s %s: %q, without it %q", c.method, c.setting, notes, none)
		}
	}
}

// The simulated rows of PMC's tables with and without hints are equal, and the notes state it.
func TestHintsChangeNoSimulatedRowOfPMC(t *testing.T) {
	var first [][]lab.Value
	for _, c := range []struct{ name, note string }{
		{"pmc-1", "They read no hints, so their rows equal those of table 2, without hints."},
		{"pmc-2", "They read no hints, so their rows equal those of table 1, with hints."},
	} {
		w, err := experiments.Workspace(c.name)
		if err != nil {
			t.Fatal(err)
		}
		run := runLabNamed(t, w.Files, c.name+".lab", lab.Settings{Tasks: 4}, 1<<40, 0)
		table := run.result.Table
		if len(table.Notes) == 0 || !strings.Contains(table.Notes[0], c.note) {
			t.Errorf("%s: %q", c.name, table.Notes)
		}
		hinted := slices.ContainsFunc(table.Notes, func(note string) bool {
			return strings.HasPrefix(note, `:hints changes only the tokens and the cost of the simulated rows of "ReAct", "PMC", "PMC and checks" and 1 more`)
		})
		if hinted != (c.name == "pmc-1") {
			t.Errorf("%s: %q", c.name, table.Notes)
		}
		var rows [][]lab.Value
		for _, r := range table.Rows {
			if r.Simulated {
				rows = append(rows, r.Values)
			}
		}
		if first == nil {
			first = rows
		}
		if len(rows) != 8 || !reflect.DeepEqual(rows, first) {
			t.Errorf("%s: %v, not %v", c.name, rows, first)
		}
	}
}

// Rows of one column have one score: a learner's plan has that of the same plan of the planner. The
// spec has one plan, and its result lacks one of four properties.
func TestLearnersScoreAsOtherPlans(t *testing.T) {
	files := []File{
		{Name: "x.lab", Text: `(experiment x (:tasks (plans "f")) (:methods (plan) (learn formal-llm)) (:models (simulated first)) (:seeds 1 2) (:measures valid score))`},
		{Name: "f/a.cfg", Text: "S -> a1 i\n"},
		{Name: "f/tools.json", Text: `{"types": ["image"], "inputs": {"i": {"type": "image", "text": "a cat"}}, "tools": {"a1": {"takes": ["image"], "gives": "image", "does": {"remove": ["grey"]}}}}`},
		{Name: "f/tasks.json", Text: `{"tasks": [{"id": 0, "text": "Clean the image.", "class": "c", "spec": "a.cfg",
			"inputs": [{"symbol": "i", "type": "image", "text": "a cat", "marks": ["blurry", "grey"]}],
			"goal": {"type": "image", "without": ["blurry", "grey", "guess"]}}]}`},
	}
	run := runLabNamed(t, files, "x.lab", lab.Settings{}, 1<<40, 0)
	scores := map[string]float64{}
	for _, o := range run.outcomes {
		for _, m := range o.Measures {
			if m.Name == "score" {
				scores[o.Method] += m.Count / 2
			}
		}
	}
	if len(run.outcomes) != 4 || len(scores) != 2 {
		t.Fatalf("%+v %+v", run.end.Error, run.outcomes)
	}
	for method, got := range scores {
		if got != 0.75 {
			t.Errorf("the plans of %s score %v", method, got)
		}
	}
}
