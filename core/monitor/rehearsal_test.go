package monitor

import (
	"slices"
	"testing"

	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
)

// who is a rehearsal with two calls.
var who = Rehearsal{
	Steps: []RehearsedStep{
		{"I look for the first.", "Search", "Yanka Dyagileva", "She was born in 1966."},
		{"I look for the second.", "Search", "Alexander Bashlachev", "He was born in 1960."},
	},
	Final: "1960 is before 1966.", Answer: "Alexander Bashlachev",
}

func TestRehearsedAgentAnswersCorrectlyWithoutMistakes(t *testing.T) {
	for _, name := range []string{"react/react.agent", "react/react-2023.agent", "react-ablated/ablated.agent", "pass/pass.agent", "rewoo/rewoo.agent", "cot/cot.agent", "direct/direct.agent"} {
		s := find(t, name)
		right := func(model llm.Spec) (n int, last *Transcript) {
			for seed := range uint64(20) {
				p := process.New(func(env *process.Env) (any, error) {
					got, err := Run(env, s.agent, s.setup, Settings{Question: "Who was born first?", Model: model, Rehearsal: &who})
					if err == nil && SameAnswer(Conclusion(got.Answer), who.Answer) {
						n++
					}
					last = got
					return nil, err
				}, seed, meter.Budget{}, nil)
				out, err := p.Resume(nil, 1<<40)
				if err != nil || out.Err != nil {
					t.Fatalf("%s: %v %v", name, err, out.Err)
				}
			}
			return n, last
		}
		sure, last := right(llm.Spec{Kind: llm.KindFirst})
		often, _ := right(llm.Spec{Kind: llm.KindRambler, ErrorRate: 0.25})
		if sure != 20 || often == 20 {
			t.Errorf("%s: %d of 20 correct without mistakes, %d with mistakes\n%s", name, sure, often, last.Text)
		}
		t.Logf("%s: %d", name, often)
	}
}

// A step's result answers only the tool and the input of the step.
func TestRehearsalAnswersOnlyTheCalledTool(t *testing.T) {
	for _, c := range []struct{ tool, input, want string }{
		{"Search", "Yanka Dyagileva", "She was born in 1966."},
		{" search ", "alexander bashlachev", "He was born in 1960."},
		{"Calculator", "Yanka Dyagileva", "Nothing was found."},
		{"", "Yanka Dyagileva", "Nothing was found."},
		{"Search", "Yanka", "Nothing was found."},
	} {
		if got := who.result(c.tool, c.input); got != c.want {
			t.Errorf("%s[%s]: %q", c.tool, c.input, got)
		}
	}
}

// judgements returns the texts of the evaluator.
func judgements(t *Transcript) (judged []string) {
	for _, segment := range t.Segments {
		if segment.State == "Eval" {
			judged = append(judged, segment.Text)
		}
	}
	return judged
}

// A simulated evaluator without a right answer does not judge, in a simulated environment or as a model.
func TestSimulatedEvaluatorWithoutAnswerDoesNotJudge(t *testing.T) {
	s := find(t, "reflexion/reflexion.agent")
	for _, environment := range []string{EnvironmentSimulated, EnvironmentTools} {
		for reference, want := range map[string]string{"": unjudged, "no such answer": "incorrect"} {
			transcript, _, err := play(t, s, Settings{Question: "most moons?", Environment: environment, Evaluator: EvaluatorModel, Reference: reference, Model: llm.Spec{Kind: llm.KindFirst}})
			if err != nil {
				t.Fatal(err)
			}
			judged := judgements(transcript)
			if environment == EnvironmentSimulated && reference != "" {
				want = unjudged // its judge is no model
			}
			if len(judged) == 0 || slices.ContainsFunc(judged, func(text string) bool { return text != want }) {
				t.Errorf("%s, %q: the evaluator says %q, want %q", environment, reference, judged, want)
			}
		}
	}
}

// A simulated evaluator compares a proposal with the rehearsed answer or with the reference.
func TestSimulatedEvaluatorCompares(t *testing.T) {
	s := find(t, "reflexion/reflexion.agent")
	script := []string{
		"[Final Thought] a guess\n[Proposed Answer] the Jupiter.\n[Evaluation]", "[Reflection] look\n[Final Thought] better\n[Proposed Answer] Saturn\n[Evaluation]",
		"[Reflection] done\n[Answer] Saturn",
	}
	for name, settings := range map[string]Settings{
		"reference": {Reference: "Saturn"},
		"exact":     {Reference: "Saturn", Evaluator: EvaluatorExact},
		"rehearsal": {Rehearsal: &Rehearsal{Answer: "Saturn"}},
	} {
		settings.Question, settings.Environment, settings.Model = "most moons?", EnvironmentSimulated, llm.Spec{Kind: llm.KindScripted, Script: script}
		transcript, _, err := play(t, s, settings)
		if err != nil {
			t.Fatal(err)
		}
		judged := judgements(transcript)
		if !slices.Equal(judged, []string{"incorrect", "correct"}) {
			t.Errorf("%s: the evaluator says %q", name, judged)
		}
	}
}
