package plan

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/flow"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/internal/must"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/plan/space"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/tool"
)

// The paper's prompt names the modality and distinguishes the inputs of a tool.
func TestPaperPromptNamesTheWantedInput(t *testing.T) {
	tools, found := tool.Parse(source.NewFile("tools.json", `{"types": ["text"], "inputs": {"t": {"type": "text", "text": "a"}},
 "tools": {"f": {"takes": ["text", "text"], "gives": "text", "does": {}}, "d": {"takes": ["text"], "gives": "text", "does": {}}}}`))
	if source.HasErrors(found) {
		t.Fatal(found)
	}
	var prompts []string
	g := must.Grammar(t, "S -> F T T | D T\nT -> D T | t\nF -> f\nD -> d\nT as \"text\"\nf as \"Answer\"\nd as \"Sum\"\nt as \"the input text\"\nlimit 1 d\n")
	table, err := space.NewTable(g, g.DeclaredLimits(), meter.New(meter.Budget{}))
	if err != nil {
		t.Fatal(err)
	}
	_, events, err := plannedProblem(t, Problem{Table: table, Tools: tools}, Settings{Template: PaperTemplate, Model: llm.Spec{Kind: llm.KindScripted, Script: []string{"1", "2", "1", "1"}}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, raw := range events {
		var e OfferEvent
		if json.Unmarshal([]byte(raw), &e) == nil && e.Kind == "plan.offer" {
			prompts = append(prompts, e.Prompt)
		}
	}
	if len(prompts) < 3 {
		t.Fatalf("%q", prompts)
	}
	for i, want := range []string{"To get the final text, we have these choices:\n1: the output of Answer\n2: the output of Sum\n", "To get the first input text of \"Answer\", we have these choices:\n1: the output of Sum\n2: the input text\n", "To get the second input text of \"Answer\", "} {
		if !strings.Contains(prompts[i], want) || strings.Contains(prompts[i], "Step") {
			t.Errorf("%s\ndoes not contain\n%s", prompts[i], want)
		}
	}
}

// In a plan that is made backwards, the paper's prompt asks for the step before the last one decided.
func TestPaperPromptAsksBackwards(t *testing.T) {
	p := pushdownProblem(t, source.NewFile("x.pda", `start b Z
accept a
backwards
b -> b (eat, Z; Z) as "Eat"
b -> a (cook, Z; Z) as "Cook"
b -> b (shop, Z; Z) as "Shop"
`))
	_, events, err := plannedProblem(t, p, Settings{Template: PaperTemplate, Model: llm.Spec{Kind: llm.KindScripted, Script: []string{"1", "3", "2"}}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	wants := []string{"Which step comes last? The choices are:\n1: Eat\n", "Which step comes directly before \"Eat\"? The choices are:\n1: Eat\n", "Which step comes directly before \"Shop\"? The choices are:\n1: Eat\n"}
	for _, raw := range events {
		var e OfferEvent
		if json.Unmarshal([]byte(raw), &e) != nil || e.Kind != "plan.offer" {
			continue
		}
		if len(wants) == 0 || !strings.Contains(e.Prompt, wants[0]) {
			t.Fatalf("%s\ndoes not contain the first of %q", e.Prompt, wants)
		}
		wants = wants[1:]
	}
	if len(wants) > 0 {
		t.Errorf("no prompt contains %q", wants)
	}
}

// With the paper's wording an answer has no consequence unless a setting shows it, in the prompt and
// among the allowed labels; settings without a wording keep the earlier prompt.
func TestWordingShowsConsequencesOnRequest(t *testing.T) {
	syntax, found := flow.Parse(source.NewFile("x.flow", "ask debts \"Has Beta debts?\"\n  yes -> stop as \"The deal is off.\"\n  no -> pass\naccept pass \"Passed.\"\n"))
	chart, more := flow.Compile(syntax)
	if source.HasErrors(append(found, more...)) {
		t.Fatal(found, more)
	}
	w, err := space.NewFlow(chart, grammar.Limits{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		s    Settings
		said string
		want string
	}{
		{Settings{}, "1", "1: yes: The deal is off.\n2: no"},
		{Settings{Wording: WordingPaper}, "yes", "1: yes\n2: no"},
		{Settings{Wording: WordingPaper, Reading: ReadLabel}, "yes", "1: yes\n2: no"},
		{Settings{Wording: WordingPaper, Consequences: true}, "1", "1: yes: The deal is off.\n2: no"},
	} {
		c.s.Model = llm.Spec{Kind: llm.KindScripted, Script: []string{c.said}}
		made, events, err := plannedProblem(t, Problem{Automaton: w}, c.s, 1)
		if err != nil || made.Calls != 1 || strings.Join(made.Word, " ") != "debts.yes" {
			t.Errorf("%+v: %+v, %v", c.s, made, err)
		}
		offers := 0
		for _, raw := range events {
			var e OfferEvent
			if json.Unmarshal([]byte(raw), &e) != nil || e.Kind != "plan.offer" {
				continue
			}
			if offers++; !strings.Contains(e.Prompt, c.want) || e.Choices[0].Label != "yes: The deal is off." {
				t.Errorf("%+v: %s", c.s, e.Prompt)
			}
		}
		if offers == 0 {
			t.Errorf("%+v: no choice was offered", c.s)
		}
	}
	if err := (Settings{Model: llm.Spec{Kind: llm.KindFirst}, Wording: "other"}).Check(); source.ErrorCode(err) != "plan.settings" {
		t.Error(err)
	}
}
