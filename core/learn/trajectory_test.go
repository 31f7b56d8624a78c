package learn

import (
	"math"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/plan"
	"github.com/stile-playground/stile/core/plan/space"
	"github.com/stile-playground/stile/core/process"
)

// recorded runs the planner and returns the trajectory of its events.
func recorded(t *testing.T, p Problem, s plan.Settings, seed uint64) Trajectory {
	t.Helper()
	run := process.New(func(env *process.Env) (any, error) {
		table, err := space.NewTable(p.Specs[0].Grammar, p.Specs[0].Limits, env.Meter())
		if err != nil {
			return nil, err
		}
		made, err := plan.Problem{Table: table, Tools: p.Tools}.Run(env, s)
		if err == nil {
			env.Emit(map[string]any{"kind": "plan.done", "plan": made})
		}
		return nil, err
	}, seed, meter.Budget{}, nil)
	defer run.Stop()
	out, err := run.Resume(nil, 1<<40)
	if err != nil {
		t.Fatal(err)
	}
	r := NewRecording(p.Specs[0].Name, s)
	for _, e := range out.Events {
		if err := r.Add(e); err != nil {
			t.Fatal(err)
		}
	}
	return r.Trajectory()
}

func TestRecordedPlansBecomeDecisions(t *testing.T) {
	p := openAGI(t)
	task := p.Tasks[3]
	if p.Specs[0].Name != task.Spec {
		t.Fatalf("%s comes first", p.Specs[0].Name)
	}
	s := plan.Settings{Task: task.Text, Execute: true, Inputs: task.Inputs, Goal: &task.Goal}
	for seed := range uint64(30) {
		s.Model.Kind, s.Model.ErrorRate = "rambler", 0.3
		got := recorded(t, p, s, seed)
		if !got.Valid || len(got.Word) == 0 || len(got.Decisions) == 0 || got.Reward < least {
			t.Fatalf("seed %d: %+v", seed, got)
		}
		steps := 0
		for _, d := range got.Decisions {
			if d.Step <= steps || d.Logprob != nil || d.By != plan.ByModel || len(d.Choices) < 2 || !strings.Contains(d.Prompt, task.Text) || !strings.Contains(d.Prompt, "1: "+d.Choices[0]) {
				t.Fatalf("seed %d: %+v", seed, d)
			}
			// The answer is one that the planner reads as the choice.
			if n, fault := plan.ReadChoice(d.Answer, len(d.Choices)); fault != "" || n != d.Chosen[0] {
				t.Fatalf("seed %d: the answer %q is read as %d, %s; chosen is %v", seed, d.Answer, n, fault, d.Chosen)
			}
			steps = d.Step
		}
	}
}

// A tool that fails makes the planner backtrack: the reverted decisions are not part of
// the plan.
func TestRevertedDecisionsAreOmitted(t *testing.T) {
	event := func(v any) json.RawMessage {
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	r := NewRecording("a.cfg", plan.Settings{Task: "a"})
	for i, step := range []int{1, 3, 5, 3} {
		choices := []space.Choice{{N: 1, Label: "x"}, {N: 2, Label: "y"}}
		for _, e := range []any{
			plan.OfferEvent{Kind: "plan.offer", Offer: i + 1, Step: step, Prompt: "?", Choices: choices},
			plan.ReplyEvent{Kind: "plan.reply", Offer: i + 1, Text: "neither", Fault: "no number"},
			plan.ReplyEvent{Kind: "plan.reply", Offer: i + 1, Text: " 2\n"},
			plan.TakeEvent{Kind: "plan.take", Offer: i + 1, Step: step, N: 2, By: plan.ByModel},
			plan.TakeEvent{Kind: "plan.take", Step: step + 1, N: 1, By: plan.ByForce},
			plan.ExecEvent{Kind: "plan.exec"},
		} {
			if err := r.Add(event(e)); err != nil {
				t.Fatal(err)
			}
		}
	}
	got := r.Trajectory()
	if len(got.Decisions) != 2 || got.Decisions[0].Step != 1 || got.Decisions[1].Step != 3 || got.Decisions[1].Answer != "2" || got.Valid || got.Reward != 0 {
		t.Errorf("%+v", got)
	}
	if err := r.Add(json.RawMessage("[")); err == nil {
		t.Error("an event that is no JSON is taken")
	}
	if err := r.Add(event(map[string]any{"kind": "plan.done", "plan": plan.Plan{Word: []string{"y"}}})); err != nil {
		t.Fatal(err)
	}
	if got := r.Trajectory(); !got.Valid || got.Reward != 1 {
		t.Errorf("a plan without a goal: %+v", got)
	}
}

func TestPersonsChoiceIsItsNumber(t *testing.T) {
	p := openAGI(t)
	s := plan.Settings{Task: "a", Take: []plan.Take{{Offer: 1, Choice: []int{2}}}}
	s.Model.Kind = "first"
	got := recorded(t, p, s, 1)
	if d := got.Decisions[0]; d.By != plan.ByPerson || d.Answer != "2" || d.Chosen[0] != 2 {
		t.Errorf("%+v", d)
	}
	if d := got.Decisions[1]; d.By != plan.ByModel || d.Answer != "1" {
		t.Errorf("%+v", d)
	}
}

// The planner reproduces the learner's plans, prompt by prompt.
func TestSamplesHaveThePromptsOfThePlanner(t *testing.T) {
	p := openAGI(t)
	r, _ := learnt(t, p, Settings{Tasks: []int{3, 16, 105, 180}, Seeds: 1, Epochs: 2, Automaton: ArmsWith, Samples: 5}, 3, 1<<40)
	if len(r.Trajectories) != 20 {
		t.Fatalf("%d trajectories", len(r.Trajectories))
	}
	differ := false
	for i, tr := range r.Trajectories {
		task := p.Tasks[[]int{3, 16, 105, 180}[i/5]]
		if tr.Plan != i%5 || tr.Task != task.Text || tr.Spec != task.Spec || !tr.Valid || tr.Group != r.Trajectories[i/5*5].Group {
			t.Fatalf("%d is %+v", i, tr)
		}
		differ = differ || tr.Reward != r.Trajectories[0].Reward
		result, tools, ok := carryOut(p.Tools.With(task.Inputs), tr.Word)
		if !ok || Quality(task.Goal, result, tools) != tr.Reward {
			t.Errorf("%d: %v scores %v, not %v", i, tr.Word, Quality(task.Goal, result, tools), tr.Reward)
		}
		for _, d := range tr.Decisions {
			if d.Logprob == nil || !(*d.Logprob < 0) || *d.Logprob < -20 || !strings.HasPrefix(d.Prompt, "We are making a plan") || !strings.Contains(d.Prompt, "\nTo get the ") {
				t.Fatalf("%d: %+v", i, d)
			}
		}
	}
	if !differ || r.Trajectories[0].Group == r.Trajectories[5].Group {
		t.Error("all trajectories are alike")
	}
}

func TestLinesHaveTheFieldsOfTheirLayout(t *testing.T) {
	half := math.Log(0.5)
	list := []Trajectory{
		{Group: "g", Task: "t", Reward: 1, Valid: true, Decisions: []Decision{{Step: 1, Prompt: "which?\nsay", Choices: []string{"x", "y"}, Chosen: []int{2}, Answer: "2", By: "model", Logprob: &half}, {Step: 2, Prompt: "and?", Choices: []string{"x"}, Chosen: []int{1}, Answer: "1", By: "person"}}},
		{Group: "g", Task: "t", Reward: 0, Decisions: []Decision{{Step: 1, Prompt: "which?", Choices: []string{"x"}, Chosen: []int{1}, Answer: "1", By: "model"}}},
		{Group: "h", Reward: 0.7, Valid: true, Decisions: []Decision{{Step: 1, Prompt: "which?", Choices: []string{"x"}, Chosen: []int{1}, Answer: "1", By: "model"}}},
	}
	Number(list)
	for _, c := range []struct {
		layout string
		want   []string
	}{
		{LayoutChat, []string{
			`{"messages":[{"role":"user","content":"which?\nsay"},{"role":"assistant","content":"2"}],"reward":1,"valid":true,"group":"g","plan":0,"step":1}`,
			`{"messages":[{"role":"user","content":"and?"},{"role":"assistant","content":"1"}],"reward":1,"valid":true,"group":"g","plan":0,"step":2}`,
			`{"messages":[{"role":"user","content":"which?"},{"role":"assistant","content":"1"}],"reward":0,"valid":false,"group":"g","plan":1,"step":1}`,
			`{"messages":[{"role":"user","content":"which?"},{"role":"assistant","content":"1"}],"reward":0.7,"valid":true,"group":"h","plan":0,"step":1}`,
		}},
		{LayoutGroup, []string{
			`{"group":"g","plan":0,"step":1,"prompt":"which?\nsay","choices":["x","y"],"chosen":[2],"completion":"2","by":"model","logprob":-0.6931471805599453,"reward":1,"advantage":1,"valid":true}`,
			`{"group":"g","plan":0,"step":2,"prompt":"and?","choices":["x"],"chosen":[1],"completion":"1","by":"person","logprob":null,"reward":1,"advantage":1,"valid":true}`,
			`{"group":"g","plan":1,"step":1,"prompt":"which?","choices":["x"],"chosen":[1],"completion":"1","by":"model","logprob":null,"reward":0,"advantage":-1,"valid":false}`,
			`{"group":"h","plan":0,"step":1,"prompt":"which?","choices":["x"],"chosen":[1],"completion":"1","by":"model","logprob":null,"reward":0.7,"advantage":0,"valid":true}`,
		}},
	} {
		text, lines, err := Write(list, c.layout)
		if want := strings.Join(c.want, "\n") + "\n"; err != nil || text != want || lines != len(c.want) {
			t.Errorf("%s: %d lines, %v\n%s\nwant\n%s", c.layout, lines, err, text, want)
		}
	}
	if _, _, err := Write(nil, "csv"); err == nil || !strings.Contains(err.Error(), `"csv"`) {
		t.Errorf("an unknown layout: %v", err)
	}
	if text, lines, err := Write(nil, LayoutChat); text != "" || lines != 0 || err != nil {
		t.Errorf("of nothing: %q, %d, %v", text, lines, err)
	}
}
