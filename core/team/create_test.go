package team

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/monitor"
	"github.com/stile-playground/stile/core/tool"
)

const creating = `(define research
  (:executors
    (dates (:does "Finds years.") (:tools "Search" "Calculator")
      (:constraints (ltl "!called.Calculator W called.Search" "search first") (check "result.year > 0" "the year is known")))
    (writer (:does "Writes a sentence."))
    (reader (:does "Reads.") (:tools "Lookup") (:constraints (ltl "G !called.Search" "no search"))))
  (:local (check "length(text) < 2000" "it is short"))
  (:limits (retries 1) (sub-tasks 6)))`

const made = `{"thought": "x", "executors": [{"name": "judge", "does": "Compares the dates.", "tools": ["search"]}], "subtasks": [
  {"id": "t1", "task": "find the year", "executor": "writer", "needs": [], "local": []},
  {"id": "t2", "task": "compare the years", "executor": "judge", "needs": ["t1"], "local": []}], "global": []}`

// A manager creates an executor, whose prompt, tools and constraints hold; the graph event has it.
func TestManagerCreatesExecutors(t *testing.T) {
	spec := mustTeam(t, creating)
	g, faults, err := Reader{Spec: spec, Create: 1}.Read(made)
	if err != nil || len(faults) > 0 || len(g.Executors) != 1 {
		t.Fatalf("%+v, %v, %v", g, faults, err)
	}
	e := spec.with(g.Executors).Executor("judge")
	if e == nil || e.Does != "Compares the dates." || len(e.Tools) != 1 || e.Tools[0].Name != "Search" {
		t.Fatalf("%+v", e)
	}
	// The formula of dates, which has the tool, holds for it; its check and the formula of reader do not.
	if len(e.Constraints) != 1 || e.Constraints[0].Text != "search first" || spec.Executor("judge") != nil {
		t.Errorf("%+v", e.Constraints)
	}
	if back, faults, err := (Reader{Spec: spec, Create: 1}).Read(g.JSON()); err != nil || len(faults) > 0 || back.JSON() != g.JSON() {
		t.Errorf("a graph is read differently after it was written: %v, %v", faults, err)
	}
	zero := 0
	settings := Settings{Task: "When?", Create: 1, Environment: monitor.EnvironmentSimulated, Supervisor: SupervisorPass, Retries: &zero, Model: llm.Spec{Kind: llm.KindFirst}, Models: map[string]llm.Spec{
		"manager": scripted(made), "executor judge": scripted(saying("equal")), "executor writer": scripted(saying("1900")), "deliverer": scripted("In 1900."),
	}}
	settings.Models["executor judge"] = llm.Spec{Kind: llm.KindFirst}
	result, events, err := play(t, creating, Setup{Setup: monitor.Setup{Tools: func() *tool.Registry { return registry() }}}, settings)
	if err != nil {
		t.Fatal(err)
	}
	if i := slices.IndexFunc(result.Subtasks, func(d Done) bool { return d.Executor == "judge" }); i < 0 || result.Subtasks[i].State != StateDone || len(result.Graph.Executors) != 1 {
		t.Errorf("%+v", result)
	}
	var prompts []string
	graph := false
	for _, raw := range events {
		var e struct {
			Kind, Role, Prompt string
			Graph              *Graph
		}
		if err := json.Unmarshal([]byte(raw), &e); err != nil {
			t.Fatal(err)
		}
		if graph = graph || e.Kind == "team.graph" && e.Graph.Executors[0].Name == "judge"; e.Kind == "team.prompt" {
			prompts = append(prompts, e.Role+": "+e.Prompt)
		}
	}
	all := strings.Join(prompts, "\n")
	for _, want := range []string{"you may create executors, at most 1", "each one of Search, Calculator, Lookup", "executor: You are judge, who compares the dates.", "search first", "it is short"} {
		if !strings.Contains(all, want) {
			t.Errorf("no prompt contains %q", want)
		}
	}
	if !graph {
		t.Error("the graph event has no created executor")
	}
}

// Without the setting nothing changes: the prompt and the schema are those of earlier versions,
// and a graph with executors is refused.
func TestNoExecutorIsCreatedWithoutTheSetting(t *testing.T) {
	r := &run{spec: mustTeam(t, creating), base: mustTeam(t, creating)}
	if r.createPrompt() != "" || r.settings.graphSchema() != GraphSchema {
		t.Errorf("%s, %s", r.createPrompt(), r.settings.graphSchema())
	}
	if _, faults, _ := (Reader{Spec: r.spec}).Read(made); len(faults) == 0 || !strings.Contains(faults[0], "executors may not be created") {
		t.Errorf("%v", faults)
	}
	r.settings.Create = 2
	if !json.Valid([]byte(r.settings.graphSchema())) || !strings.Contains(r.settings.graphSchema(), `"executors"`) {
		t.Errorf("%s", r.settings.graphSchema())
	}
	if err := (Settings{Model: llm.Spec{Kind: llm.KindFirst}, Create: MaxCreated + 1}).Check(); err == nil || err.Error() != "created executors must be from 0 to 12, not 13" {
		t.Errorf("%v", err)
	}
}

// Invalid executors are refused with the reason, and the manager is asked again.
func TestInvalidCreatedExecutors(t *testing.T) {
	spec := mustTeam(t, creating)
	for executor, want := range map[string]string{
		`{"name": "", "does": "x"}`:                                                          "has no name",
		`{"name": "a b", "does": "x"}`:                                                       "may contain letters",
		`{"name": "Dates", "does": "x"}`:                                                     "has the name of another executor",
		`{"name": "t7", "does": "x"}`:                                                        "has a reserved name",
		`{"name": "manager", "does": "x"}`:                                                   "has a reserved name",
		`{"name": "j", "does": " "}`:                                                         "has no instructions",
		`{"name": "j", "does": "x", "tools": ["Serch"]}`:                                     `unknown tool "Serch"; did you mean "Search"?`,
		`{"name": "j", "does": "x", "tools": ["rm"]}`:                                        `unknown tool "rm" (expected Search, Calculator, Lookup)`,
		`{"name": "j", "does": "x", "tools": ["Search","search"]}`:                           "twice",
		`{"name": "j", "does": "x"}, {"name": "j", "does": "x"}`:                             "has the name of another executor",
		`{"name": "j", "does": "x"}, {"name": "k", "does": "x"}, {"name": "l", "does": "x"}`: "at most 2 are allowed",
		`{"does": "x"}`: "name",
	} {
		text := `{"executors": [` + executor + `], "subtasks": [{"id": "t1", "task": "x", "executor": "writer", "needs": [], "local": []}], "global": []}`
		if _, faults, err := (Reader{Spec: spec, Create: 2}).Read(text); err != nil || len(faults) == 0 || !strings.Contains(strings.Join(faults, "; "), want) {
			t.Errorf("%s: %v, %v; want %s", executor, faults, err, want)
		}
	}
	// A changed executor repeats its sub-tasks, and only these.
	before, _, _ := Reader{Spec: spec, Create: 2}.Read(made)
	after := before.clone()
	after.Executors[0].Does = "Compares the years."
	if again := after.Consequences(before); !slices.Equal(again, []string{"t2"}) {
		t.Errorf("%v", again)
	}
	if again := before.Consequences(before); len(again) > 0 {
		t.Errorf("%v", again)
	}
}

// A simulated manager that may create executors creates one; the run ends valid.
func TestSimulatedManagerCreatesAnExecutor(t *testing.T) {
	result, _, err := play(t, research, Setup{}, Settings{Task: "x", Create: 1, Environment: monitor.EnvironmentSimulated, Model: llm.Spec{Kind: llm.KindUniform}})
	if err != nil || !result.Valid || len(result.Graph.Executors) != 1 || len(result.Subtasks) != 4 {
		t.Fatalf("%+v, %v", result, err)
	}
}
