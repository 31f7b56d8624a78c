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
