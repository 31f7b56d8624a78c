package formulate

import (
	"strings"
	"testing"
)

// New runs name the parts of PDDL beyond facts, so that a model can use them; runs without a wording keep
// their prompts.
func TestPromptsNameTheNotationOfSteps(t *testing.T) {
	for wording, full := range map[string]bool{WordingFull: true, "": false} {
		p := walking()
		_, events, err := played(t, p, Setup{}, Settings{Model: simulatedModel, Wording: wording, Notation: NotationPDDL}, &host{})
		if err != nil {
			t.Fatal(err)
		}
		prompts := map[string]string{}
		for _, e := range ofKind(events, "prompt") {
			if prompts[e.Stage] == "" {
				prompts[e.Stage] = e.Prompt
			}
		}
		for stage, parts := range map[string][]string{
			StageFormulator: {"forall", "exists", "depend on a condition", "increase", "metric"},
			StageGenerator:  {"forall", "exists", "imply", "when", ":functions", "increase", "(:metric minimize"},
			StageFormatter:  {"or, with a metric, better"},
		} {
			for _, part := range parts {
				if strings.Contains(prompts[stage], part) != full {
					t.Errorf("wording %q: %q in the prompt of the %s: %s", wording, part, stage, prompts[stage])
				}
			}
		}
	}
	for _, earlier := range []string{earlierSteps, earlierPDDL} {
		if strings.Contains(earlier, "forall") || !strings.Contains(earlier, "Write") && !strings.Contains(earlier, "the solver looks for the smallest number of steps; do not write constraints for either. If") {
			t.Error(earlier)
		}
	}
}

// A direct answer may state that no plan exists, which no solver has proved; runs without a wording read it as
// an answer of another form.
func TestDirectAnswersMayDenyAPlan(t *testing.T) {
	for _, c := range []struct {
		wording, text string
		denied        bool
	}{
		{WordingFull, `{"no_plan": true}`, true}, {WordingFull, "None can.\n```json\n{\"no_plan\": true}\n```", true}, {WordingFull, `{"no_plan": false}`, false},
		{WordingFull, `{"no_plan": true, "cost": 1}`, false}, {WordingFull, `{"cost": 24, "picked": {"hill": 4}, "note": null}`, false}, {"", `{"no_plan": true}`, false},
	} {
		for _, method := range []string{MethodDirect, MethodCoT} {
			r, events, err := played(t, tea(), Setup{}, Settings{Model: script(c.text), Method: method, Wording: c.wording}, &host{})
			if err != nil {
				t.Fatal(err)
			}
			if r.NoPlan != c.denied || r.Status != StatusUnchecked || c.denied && (len(r.Findings) > 0 || string(r.Answer) != "null" || !strings.Contains(r.Message, "no solver has proved it")) {
				t.Errorf("%s, wording %q, %s: %+v", method, c.wording, c.text, r)
			}
			if asked := ofKind(events, "prompt")[0].Prompt; strings.Contains(asked, "no_plan") != (c.wording != "") {
				t.Errorf("wording %q: %s", c.wording, asked)
			}
		}
	}
}
