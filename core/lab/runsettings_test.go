package lab

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/domains"
	"github.com/stile-playground/stile/core/formulate"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/monitor"
	"github.com/stile-playground/stile/core/workspace"
)

// A limit of 30 steps applies to all members together, unless the method limits each executor.
func TestStepsLimitAllMembersOrEach(t *testing.T) {
	for part, want := range map[string]int{"": 30, " (:steps all)": 30, " (:steps each)": 0} {
		x := parsed(t, strings.Replace(small, "(plan (:name \"Formal-LLM\")", "(benchmark team (:name \"PMC\")"+part+") (plan (:name \"Formal-LLM\")", 1))
		s := benchmarkSettings(x.Methods[1], Model{Spec: llm.Spec{Kind: llm.KindFirst}}, task{source: Source{Name: "travelplanner"}})
		if s.Steps != want {
			t.Errorf("team%s: %+v", part, s)
		}
	}
}

// A prompt has the first N examples of the agent; the agent is otherwise unchanged, and each
// group falls back on its own agent.
func TestAgentsHaveTheShotsAndFallbacksOfTheirMethod(t *testing.T) {
	const agent = "(define a\n  (:examples\n    %s)\n  (:behavior b))\n"
	examples := []string{`"one"`, `(("Q" "two"))`, `"three"`}
	files := []workspace.File{
		{Name: "x.lab"}, {Name: "f/a.agent", Text: fmt.Sprintf(agent, strings.Join(examples, "\n    "))},
		{Name: "q.jsonl", Text: `{"question":"1 + 1?","answer":"2","group":"GSM8K"}` + "\n" + `{"question":"Who?","answer":"He","group":"TriviaQA"}`},
	}
	for shots := range 5 {
		files[0].Text = fmt.Sprintf(`(experiment x
  (:tasks (questions "q.jsonl"))
  (:methods (monitor "f/a.agent" (:shots %d) (:samples 2) (:then "usual.agent") (:then "GSM8K" "calculate.agent")))
  (:models (simulated first)))
`, shots)
		cells, _, err := parsed(t, files[0].Text).Cells(files, Settings{})
		if err != nil || len(cells) != 2 {
			t.Fatalf("%d cells, %v", len(cells), err)
		}
		want := fmt.Sprintf(agent, strings.Join(examples[:min(shots, 3)], "\n    "))
		if shots == 0 {
			want = "(define a\n  \n  (:behavior b))\n"
		}
		for i, then := range []string{"calculate.agent", "usual.agent"} {
			if got := cells[i].Files[0]; got.Name != "a.agent" || got.Text != want {
				t.Errorf("%d shots: %s is\n%s", shots, got.Name, got.Text)
			}
			var s monitor.Settings
			if err := json.Unmarshal(cells[i].Settings, &s); err != nil {
				t.Fatal(err)
			}
			if s.Then != then {
				t.Errorf("%s falls back on %q", cells[i].Outcome.Group, s.Then)
			}
		}
	}
}

// A call of a formulation by an endpoint has room for the text of a large data set; the settings of
// simulated models are unchanged, so that their earlier results remain valid.
func TestFormulationsHaveRoomForTheirTexts(t *testing.T) {
	for _, model := range []Model{{Endpoint: "lab", Spec: llm.Spec{Kind: llm.KindEndpoint}}, {Spec: llm.Spec{Kind: llm.KindEndpoint}}, {Spec: llm.Spec{Kind: llm.KindRambler}}} {
		want := formulationTokens
		if model.simulated() {
			want = 0
		}
		s := formulateSettings(Method{Argument: formulate.MethodFormulate}, model, &problemTask{set: &domains.Set{}})
		if s.MaxTokens != want {
			t.Errorf("%+v: %+v", model, s)
		}
	}
}
