package team

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/llm"
)

// Hints of the settings are for the deliverer, or for an agent without a team; those of the team are for all
// members. The manager's prompt gives examples of constraints that no benchmark tests.
func TestHintsOfTheSettingsAreForTheDeliverer(t *testing.T) {
	const text = `(define a (:executors (writer (:does "Writes."))) (:hints "Use metres."))`
	for _, c := range []struct {
		method  string
		wording string
		hinted  []string
	}{{MethodTeam, WordingNeutral, []string{Deliverer}}, {MethodTeam, "", []string{Deliverer}}, {MethodSole, WordingNeutral, []string{Alone}}} {
		graph := `{"thought": "", "subtasks": [{"id": "t1", "task": "Write.", "executor": "writer", "needs": [], "local": []}], "global": []}`
		script := scripted(graph, saying("a"), "a")
		if c.method != MethodTeam {
			script = scripted(saying("a"))
		}
		_, events, err := play(t, text, Setup{}, Settings{Task: "Write it.", Hints: []string{"No letter e."}, Model: script, Method: c.method, Wording: c.wording})
		if err != nil {
			t.Fatal(err)
		}
		var hinted []string
		for _, raw := range events {
			var e PromptEvent
			if json.Unmarshal([]byte(raw), &e) != nil || e.Kind != "team.prompt" {
				continue
			}
			if !strings.Contains(e.Prompt, "Use metres.") && e.Role != "supervisor" {
				t.Errorf("%s: the hint of the team is not in the prompt of the %s: %s", c.method, e.Role, e.Prompt)
			}
			if strings.Contains(e.Prompt, "No letter e.") {
				hinted = append(hinted, e.Role)
			}
			if e.Role == Manager && (strings.Contains(e.Prompt, "minimum stay") || strings.Contains(e.Prompt, "budget")) != (c.wording == "") {
				t.Errorf("wording %q: %s", c.wording, e.Prompt)
			}
		}
		if !slices.Equal(hinted, c.hinted) {
			t.Errorf("%s: the hint is in the prompts of %q, not %q", c.method, hinted, c.hinted)
		}
	}
}

// An agent with tools and without a team reads the hints, too.
func TestReActReadsTheHints(t *testing.T) {
	spec := mustTeam(t, `(define a (:executors (writer (:does "Writes."))))`)
	h := newHost(spec, Setup{}, Settings{Task: "Write it.", Hints: []string{"No letter e."}, Model: llm.Spec{Kind: llm.KindPerson}, Method: MethodReAct, Wording: WordingNeutral}, nil)
	h.run(t, inTurn, 0)
	if len(h.open) != 1 || !strings.Contains(h.open[0].Question.Prompt, "No letter e.") {
		t.Errorf("%+v", h.open)
	}
}
