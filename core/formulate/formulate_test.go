package formulate

import (
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/solve"
)

func TestAskOf(t *testing.T) {
	for query, want := range map[string]string{
		"What led to the decision to use supplier3 for the roasting facility at roastery1?":   AskWhy,
		"What justifies the opening of plant 0?":                                              AskWhy,
		"Why does Gu work on Sunday?":                                                         AskWhy,
		"Why is supplier2 not used for roastery1?":                                            AskWhyNot,
		"Why don't we ship more from plant 2?":                                                AskWhyNot,
		"What would be the outcome if cafe1 experienced a 23% rise in demand":                 AskWhatIf,
		"Can Gu transition from Sun14 to Sun7 for work purposes?":                             AskWhatIf,
		"Number of Task A is 54; Number of Task B is 57.":                                     AskPlan,
		"The boat and the crates a and b are on the left bank. Both have to be on the right.": AskPlan,
	} {
		if got := askOf(query); got != want {
			t.Errorf("%q asks %s, not %s", query, got, want)
		}
	}
}

func TestProductsAreReadInAllForms(t *testing.T) {
	if _, faults := readGoal("## Goal\nthe least cost\n## Constraints\n- all is sent\n"); len(faults) > 0 {
		t.Error(faults)
	}
	if _, faults := readGoal("[[GOAL: the least cost]]\n[[Constraints: all is sent]]"); len(faults) > 0 {
		t.Error(faults)
	}
	if _, faults := readGoal("**Goal:** the least cost\n\n**Constraints:**\n- all is sent"); len(faults) > 0 {
		t.Error(faults)
	}
	if _, faults := readGoal("I would begin with the costs."); len(faults) != 2 {
		t.Errorf("of prose it is said: %q", faults)
	}
	if got := fenced("Here it is:\n```smt2\n(assert true)\n```\nDone."); got != "(assert true)\n" {
		t.Errorf("in the fence stands %q", got)
	}
	for text, want := range map[string]string{
		`{"variable_1": {"name": "x"}}`:                     "",
		"```json\n{\"variable_1\": {\"name\": \"x\"}}\n```": "",
		`{"variable_1": {"value": 3}}`:                      `"variable_1" has no name`,
		`{"variable_1": 3}`:                                 `"variable_1" is not an object with a name`,
		`{}`:                                                "missing variables",
		"none":                                              "the answer contains no JSON; answer with only the JSON object",
		`{"variable_1": {"name": "x"}`:                      "the answer is not JSON",
		`[1]`:                                               "the answer is not a JSON object",
	} {
		_, faults := readVariables(text, false)
		if got := strings.Join(faults, ";"); want == "" && got != "" || !strings.HasPrefix(got, want) {
			t.Errorf("%s: %q, not %q", text, got, want)
		}
	}
	const steps = `{"objects": {}, "predicates": {}, "actions": {}, "update": {}, "goal": {}, "horizon": {"from": 3, "most": 2}}`
	if _, faults := readVariables(steps, true); len(faults) != 1 {
		t.Errorf("of a horizon that is none it is said: %q", faults)
	}
	ratings, faults := readRatings(`{"steps": [{"step": 1, "right": true, "reason": "fine"}, {"step": 2, "rating": 0, "reason": "no", "instead": {"variable_1": {"name": "x"}}}]}`, []string{StageDefiner, StageFormulator, StageGenerator})
	if len(faults) != 1 || !ratings[0].Right || ratings[1].Right || !strings.Contains(ratings[1].Instead, "variable_1") {
		t.Errorf("%+v, %q", ratings, faults)
	}
	if n, _ := lastObject("First {see [1]}, then\n{\"a\": {\"b\": 1}}\nThat is it."); n == nil || n.Text != `{"a": {"b": 1}}` {
		t.Errorf("the last object is %+v", n)
	}
}

func TestOutputFormIsFilledWithTheSolution(t *testing.T) {
	model := []solve.Value{{Name: "ship.a.x", Sort: "Int", Value: "3"}, {Name: "ship.a.y", Sort: "Int", Value: "0"}, {Name: "ship.b.y", Sort: "Int", Value: "2"}, {Name: "ship.b.x", Sort: "Int", Value: "0"}, {Name: "open", Sort: "Bool", Value: "true"}, {Name: "rate", Sort: "Real", Value: "1/3"}}
	o := outcomeOf(solve.Result{Model: model, Objectives: []solve.Objective{{Value: "12"}}})
	form, _ := json.Tree(`{"cost": "{objective}", "sent": "{ship}", "open": "{open}", "rate": "{rate}"}`)
	text, whole := o.filled(form)
	if want := `{"cost": 12, "sent": {"a": {"x": 3}, "b": {"y": 2}}, "open": true, "rate": 0.333333333}`; text != want || !whole {
		t.Errorf("filled it is %s", text)
	}
	right, _ := json.Tree(`{"cost": 12.0, "sent": {"a": {"x": 3, "y": 0}, "b": {"y": 2}}, "open": true, "rate": "1/3"}`)
	if faults := o.wrongFigures(form, right); len(faults) > 0 {
		t.Error(faults)
	}
	wrong, _ := json.Tree(`{"cost": 13, "sent": {"a": {"x": 3}}, "open": true, "rate": "1/3"}`)
	if faults := o.wrongFigures(form, wrong); len(faults) != 2 || faults[0] != "answer.cost is 13 in the answer, and 12 in the solution" {
		t.Errorf("%q", faults)
	}
	if faults := misfits(form, &json.Node{Kind: '['}, "answer"); len(faults) != 1 {
		t.Errorf("%q", faults)
	}
	unknown, _ := json.Tree(`{"what": "anything", "sent": "{nothing}"}`)
	if text, whole := o.filled(unknown); whole || text != `{"what": null, "sent": null}` {
		t.Errorf("what is unknown is filled with %s", text)
	}
}

func TestSettingsCheck(t *testing.T) {
	minus := -1
	for want, s := range map[string]Settings{
		"unknown method":                    {Method: "magic"},
		"unknown notation":                  {Notation: "python"},
		"unknown stage to begin":            {From: StageAssessor},
		"unknown stage \"boss\"":            {Models: map[string]llm.Spec{"boss": {Kind: llm.KindFirst}}},
		"expected 0 to 20 rounds":           {Rounds: &minus},
		"expected 0 to 20 regenerations":    {Regenerations: &minus},
		"expected a horizon":                {Horizon: 10_000},
		"expected a temperature":            {Temperature: 3},
		"unknown mistake":                   {Mistakes: []string{"charm"}},
		"unknown placeholder {questions}":   {Templates: Templates{Definer: "{questions}"}},
		"the prompt lacks the placeholder ": {Templates: Templates{Generator: "Write."}},
	} {
		s.Model = llm.Spec{Kind: llm.KindFirst}
		if err := s.Check(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, not %s…", err, want)
		}
	}
	if err := (Settings{Model: llm.Spec{Kind: llm.KindFirst}, Mistakes: []string{MistakeSyntax}}).Check(); err != nil {
		t.Error(err)
	}
	if err := DefaultTemplates().check(); err != nil {
		t.Error(err)
	}
}

func TestOpenRequiresTaskAndQuery(t *testing.T) {
	files := map[string]string{"a.problem/task.md": "Plan.", "a.problem/query.md": "What?", "b.problem/task.md": "Plan."}
	read := func(name string) (string, bool) { text, ok := files[name]; return text, ok }
	if p, err := Open("a.problem/data.json", read); err != nil || p.Folder != "a.problem" || p.Query != "What?" {
		t.Errorf("%+v, %v", p, err)
	}
	for name, want := range map[string]string{"b.problem/task.md": "b.problem has no query.md", "c.problem/x.json": "c.problem has no task.md", "notes.md": "notes.md is not in the folder of a problem"} {
		if _, err := Open(name, read); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, not %s…", err, want)
		}
	}
}

// TestBetterFigureOfAnswer compares an answer with a solution that is not proved
// optimal.
func TestBetterFigureOfAnswer(t *testing.T) {
	form, _ := json.Tree(`{"fence": "{objective}"}`)
	open := outcome{objective: "97/14", aim: &solve.Objective{Sense: "minimize"}, bound: "6.928"}
	for said, want := range map[string]string{"6.9283": "6.9283", "6.92": "", "6.95": "", "6.93": ""} {
		answer, _ := json.Tree(`{"fence": ` + said + `}`)
		if got := open.better(form, answer); got != want {
			t.Errorf("%s: %q", said, got)
		}
	}
	answer, _ := json.Tree(`{"fence": 6.9286}`)
	if faults := open.wrongFigures(form, answer); len(faults) > 0 {
		t.Errorf("a figure that is rounded: %v", faults)
	}
	proven := outcome{objective: "97/14"}
	answer, _ = json.Tree(`{"fence": 6.9283}`)
	if faults := proven.wrongFigures(form, answer); len(faults) == 0 || proven.better(form, answer) != "" {
		t.Error("a proven optimum is not compared")
	}
	for _, c := range []struct {
		result solve.Result
		want   string
	}{
		{solve.Result{Status: solve.StatusTimeout, Model: []solve.Value{{Name: "x"}}, Objectives: []solve.Objective{{Value: "914"}}, Message: "best found in 8.5 s, gap 5.5 %, not proved optimal"}, StatusFeasible},
		{solve.Result{Status: solve.StatusTimeout, Objectives: []solve.Objective{{}}}, StatusUnknown},
		{solve.Result{Status: solve.StatusSat, Objectives: []solve.Objective{{Value: "7"}}, Model: []solve.Value{{Name: "x"}}}, StatusFeasible},
		{solve.Result{Status: solve.StatusSat, Objectives: []solve.Objective{{Value: "7"}}, Proven: true}, StatusSolved},
		{solve.Result{Status: solve.StatusSat}, StatusSolved},
		{solve.Result{Status: solve.StatusUnsat, Objectives: []solve.Objective{{}}}, StatusInfeasible},
	} {
		if got, message := statusOf(c.result); got != c.want || message != c.result.Message && c.result.Message != "" {
			t.Errorf("%s: %s %q", c.result.Status, got, message)
		}
	}
}
