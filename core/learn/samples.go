package learn

import (
	"fmt"
	"math/rand/v2"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/plan"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
)

// samples lets a policy plan each task several times and makes the planner repeat the
// plans, so that the trajectories contain its prompts.
func (r *run) samples(policy *Policy) ([]Trajectory, error) {
	// The random stream follows those of all learners, so their numbers stay the same.
	random := rand.New(rand.NewPCG(r.base, uint64(2*r.settings.Seeds)))
	out := []Trajectory{}
	var e episode
	for _, t := range r.tasks {
		known := map[string]Trajectory{} // by choices: equal choices make equal plans
		for range r.settings.Samples {
			if _, err := r.play(policy, t, true, &e, random); err != nil {
				return nil, err
			}
			j, err := r.judge(t, e.word, e.key)
			if err != nil {
				return nil, err
			}
			var key []byte
			for _, d := range e.decisions {
				key = utf8.AppendRune(key, rune(d.chosen))
			}
			made, ok := known[string(key)]
			if !ok {
				if made, err = r.retold(t, &e); err != nil {
					return nil, err
				}
				known[string(key)] = made
			}
			made.Reward = j.reward
			out = append(out, made)
		}
	}
	Number(out)
	return out, nil
}

// retold makes the planner repeat a plan.
func (r *run) retold(t *assignment, e *episode) (Trajectory, error) {
	var script []string
	for _, d := range e.decisions {
		script = append(script, number(d.chosen+1))
	}
	if len(script) == 0 {
		script = []string{"1"} // a script must not be empty
	}
	settings := plan.Settings{Task: t.Text, Model: llm.Spec{Kind: llm.KindScripted, Script: script}, Wording: plan.WordingPaper}
	inner := process.New(func(env *process.Env) (any, error) {
		made, err := plan.Problem{Table: t.space.table}.Run(env, settings)
		if err == nil {
			env.Emit(struct {
				Kind string     `json:"kind"`
				Plan *plan.Plan `json:"plan"`
			}{"plan.done", made})
		}
		return nil, err
	}, 0, meter.Budget{}, nil)
	defer inner.Stop()
	output, err := inner.Resume(nil, meter.DefaultSteps)
	if err == nil {
		err = output.Err
	}
	if err != nil {
		return Trajectory{}, err
	}
	if err := r.meter.Step(1_000 * (1 + len(script))); err != nil {
		return Trajectory{}, err
	}
	recording := NewRecording(t.space.name, settings)
	for _, event := range output.Events {
		if err := recording.Add(json.RawMessage(event)); err != nil {
			return Trajectory{}, err
		}
	}
	out := recording.Trajectory()
	if len(out.Decisions) != len(e.decisions) {
		return out, source.NewError("internal", fmt.Sprintf("the planner makes %d decisions for a plan of %d; please report it", len(out.Decisions), len(e.decisions)))
	}
	for i := range out.Decisions {
		d := &e.decisions[i]
		logprob := log(d.probabilities[d.chosen])
		out.Decisions[i].Logprob = &logprob
	}
	return out, nil
}
