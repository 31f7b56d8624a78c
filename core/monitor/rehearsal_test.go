package monitor

import (
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
