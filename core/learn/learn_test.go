package learn

import (
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/tool"
	"github.com/stile-playground/stile/grammars"
)

// openAGI returns the 185 tasks of the gallery.
func openAGI(t testing.TB) Problem {
	t.Helper()
	var p Problem
	list, err := grammars.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		if e.ID != "openagi-tasks" {
			continue
		}
		for _, f := range e.Files {
			switch {
			case f.Name == "tasks.json":
				if p.Tasks, err = ReadTasks(f.Text); err != nil {
					t.Fatal(err)
				}
			case f.Name == "tools.json":
				var found []source.Diagnostic
				if p.Tools, found = tool.Parse(f.Source()); len(found) > 0 {
					t.Fatal(found)
				}
			case strings.HasSuffix(f.Name, ".cfg"):
				syntax, _ := grammar.Parse(f.Source())
				g, found := grammar.Compile(syntax, "")
				if source.HasErrors(found) {
					t.Fatal(found)
				}
				p.Specs = append(p.Specs, Spec{Name: f.Name, Grammar: g, Limits: g.DeclaredLimits()})
			}
		}
	}
	return p
}

// learnt runs settings on tasks, in slices of the given number of steps.
func learnt(t testing.TB, p Problem, s Settings, seed uint64, slice int64) (*Result, process.Output) {
	t.Helper()
	run := process.New(func(env *process.Env) (any, error) { return p.Run(env, s) }, seed, meter.Budget{Steps: 1 << 36, States: 1 << 28}, nil)
	defer run.Stop()
	var all process.Output
	for {
		out, err := run.Resume(nil, slice)
		if err != nil {
			t.Fatal(err)
		}
		all.Events = append(all.Events, out.Events...)
		if out.State == process.StateWorking {
			continue
		}
		if all.Err, all.Result = out.Err, out.Result; out.Err != nil {
			return nil, all
		}
		var r Result
		if err := json.Unmarshal(out.Result, &r); err != nil {
			t.Fatal(err)
		}
		return &r, all
	}
}

func number64(x float64) *float64 { return &x }

// With the automaton all samples are valid, and the rewards of the last epoch are higher, for learners
// without prior knowledge and for those that know the valid successors well. Without controls this
// does not confirm the claim of Formal-LLM (§4.4), because these learners also plan with the automaton.
func TestAutomatonMakesAllPlansValidAndImprovesLearning(t *testing.T) {
	p := openAGI(t)
	priors := []float64{DefaultPrior, 0}
	if effort.Long() {
		priors = append(priors, 2, 8)
	}
	for _, prior := range priors {
		seeds := effort.Sample(DefaultSeeds, 5)
		if effort.Few() {
			seeds = 2
		}
		r, _ := learnt(t, p, Settings{Seeds: seeds, Prior: &prior}, 1, 1<<40)
		with, without := r.Arms[0], r.Arms[1]
		if !with.With || without.With || r.Epochs != 30 || r.Tasks != 185 || with.Plans != 30*185*seeds || !r.Simulated {
			t.Fatalf("%+v", r)
		}
		for _, point := range with.Points {
			if point.Valid != (Interval{1, 1, 1}) {
				t.Errorf("prior %v: in epoch %d the valid share with the automaton is %+v", prior, point.Epoch, point.Valid)
			}
		}
		last := len(with.Points) - 1
		a, b := with.Points[last].Reward, without.Points[last].Reward
		t.Logf("prior %v, %d seeds: reward %.3f (%.3f to %.3f) with, %.3f (%.3f to %.3f) without; difference %.3f (%.3f to %.3f); valid without %.3f, then %.3f",
			prior, seeds, a.Mean, a.Low, a.High, b.Mean, b.Low, b.High, r.Claim.Difference.Mean, r.Claim.Difference.Low, r.Claim.Difference.High,
			without.Points[0].Valid.Mean, without.Points[last].Valid.Mean)
		if !r.Claim.AllValid || r.Claim.Difference.Mean < 0.05 || seeds >= 5 && !r.Claim.Higher || r.Claim.Holds {
			t.Errorf("prior %v: %+v", prior, r.Claim)
		}
		if first := with.Points[0].Reward.Mean; a.Mean < first+0.2 {
			t.Errorf("prior %v: with the automaton the reward goes from %.3f to %.3f", prior, first, a.Mean)
		}
		if without.Points[0].Valid.High > 0.25 || without.Valid == without.Plans {
			t.Errorf("prior %v: without the automaton %+v are valid at first", prior, without.Points[0].Valid)
		}
	}
}

// A prior only contains which steps may follow each other. The automaton already knows these, so
// its first point is the same for every prior.
func TestPriorHasNoInformationForTheAutomaton(t *testing.T) {
	p := openAGI(t)
	var curves []string
	for _, prior := range []float64{0, 4} {
		r, _ := learnt(t, p, Settings{Seeds: 1, Epochs: 2, Prior: &prior, Automaton: ArmsWith}, 7, 1<<40)
		text, err := json.Marshal(r.Arms[0].Points)
		if err != nil {
			t.Fatal(err)
		}
		curves = append(curves, string(text))
	}
	if curves[0] != curves[1] {
		t.Errorf("%s\n%s", curves[0], curves[1])
	}
}

func TestRunDependsOnSeedNotOnSlices(t *testing.T) {
	p := openAGI(t)
	s := Settings{Tasks: []int{0, 16, 105, 107, 120, 180}, Seeds: 2, Epochs: 3, Batch: 4, Samples: 2}
	text := func(seed uint64, slice int64) string {
		_, out := learnt(t, p, s, seed, slice)
		var b strings.Builder
		for _, e := range out.Events {
			b.Write(e)
		}
		return b.String() + string(out.Result)
	}
	want := text(5, 1<<40)
	if got := text(5, 1_000); got != want {
		t.Error("slices change a run")
	}
	if text(6, 1<<40) == want {
		t.Error("the seed changes nothing")
	}
}

func TestEventsCountTheEpochs(t *testing.T) {
	r, out := learnt(t, openAGI(t), Settings{Tasks: []int{0, 1, 2}, Seeds: 2, Epochs: 3}, 1, 1<<40)
	if len(out.Events) != 2*2*3+1 || r.Claim == nil || r.Claim.Holds {
		// Three epochs of three tasks are too few for an effect that differs from chance.
		t.Fatalf("%d events, %+v", len(out.Events), r.Claim)
	}
	for i, raw := range out.Events[:12] {
		var e EpochEvent
		if err := json.Unmarshal(raw, &e); err != nil {
			t.Fatal(err)
		}
		if e.Kind != "learn.epoch" || e.Seed != 1+i/6 || e.With != (i/3%2 == 0) || e.Epoch != 1+i%3 || e.Plans != 3 || e.Done != i+1 || e.Of != 12 {
			t.Errorf("event %d is %+v", i, e)
		}
	}
}

// For two seeds with different results Student's interval is wide, but no mean of shares
// is above 1.
func TestIntervalsOfSharesAreWithinZeroAndOne(t *testing.T) {
	of := func(rewards ...float64) Interval {
		var records [][]record
		for _, r := range rewards {
			records = append(records, []record{{plans: 1, reward: r}})
		}
		return pointOf(records, 0).Reward
	}
	if got := of(0.1, 0.9); got.Low != 0 || got.High != 1 || got.Mean != 0.5 {
		t.Errorf("%+v", got)
	}
	if got, want := of(0.5, 0.5, 0.6), IntervalOf([]float64{0.5, 0.5, 0.6}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// The events of the last seed have the same points as the result.
func TestLastEventsEqualTheResult(t *testing.T) {
	r, out := learnt(t, openAGI(t), Settings{Tasks: []int{0, 3, 16}, Seeds: 3, Epochs: 2}, 1, 1<<40)
	for i, raw := range out.Events[:12] {
		var e EpochEvent
		if err := json.Unmarshal(raw, &e); err != nil {
			t.Fatal(err)
		}
		arm := 0
		if !e.With {
			arm = 1
		}
		switch {
		case e.Seed == 1 && (e.SoFar.Valid.Mean != e.Valid || e.SoFar.Reward.Low != e.Reward):
			t.Errorf("event %d is of one seed: %+v", i, e)
		case e.Seed == 3 && e.SoFar != r.Arms[arm].Points[e.Epoch-1]:
			t.Errorf("event %d says %+v, the result %+v", i, e.SoFar, r.Arms[arm].Points[e.Epoch-1])
		}
	}
}

func TestSingleArmHasNoComparison(t *testing.T) {
	for _, arms := range []string{ArmsWith, ArmsWithout} {
		r, _ := learnt(t, openAGI(t), Settings{Tasks: []int{3}, Seeds: 2, Epochs: 2, Automaton: arms}, 1, 1<<40)
		if len(r.Arms) != 1 || r.Arms[0].With != (arms == ArmsWith) || r.Claim != nil {
			t.Errorf("%s: %+v", arms, r)
		}
	}
	if r, _ := learnt(t, openAGI(t), Settings{Tasks: []int{3}, Seeds: 1, Epochs: 1}, 1, 1<<40); r.Claim.Higher {
		t.Errorf("one seed shows that the reward is higher: %+v", r.Claim)
	}
}

func TestInvalidSettingsAreReported(t *testing.T) {
	for _, c := range []struct {
		settings Settings
		want     string
	}{
		{Settings{Automaton: "perhaps"}, `not "perhaps"`}, {Settings{Epochs: -1}, "epochs"}, {Settings{Epochs: MaxEpochs + 1}, "epochs"},
		{Settings{Batch: -1}, "batch"}, {Settings{Batch: MaxBatch + 1}, "batch"}, {Settings{Seeds: MaxSeeds + 1}, "seeds"}, {Settings{Seeds: -2}, "seeds"},
		{Settings{Rate: -1}, "rate"}, {Settings{Rate: 2}, "rate"}, {Settings{Prior: number64(-1)}, "prior"}, {Settings{Prior: number64(21)}, "prior"},
		{Settings{Samples: MaxSamples + 1}, "samples"}, {Settings{Samples: -1}, "samples"}, {Settings{Samples: 1, Automaton: ArmsWithout}, "prompts"},
	} {
		if err := c.settings.Check(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c.settings, err)
		}
	}
	for _, s := range []Settings{{}, {Epochs: MaxEpochs, Batch: MaxBatch, Seeds: MaxSeeds, Rate: 1, Samples: MaxSamples, Prior: number64(20)}} {
		if err := s.Check(); err != nil {
			t.Error(err)
		}
	}
	p := openAGI(t)
	without := p
	without.Specs = p.Specs[:1]
	for _, c := range []struct {
		problem  Problem
		settings Settings
		want     string
	}{
		{p, Settings{Tasks: []int{185}}, "unknown task 185 of 185"},
		{p, Settings{Tasks: []int{-1}}, "unknown task -1"},
		{Problem{Tools: p.Tools}, Settings{}, "missing tasks to learn from"},
		{without, Settings{}, "missing grammar"},
	} {
		if _, out := learnt(t, c.problem, c.settings, 1, 1<<40); out.Err == nil || !strings.Contains(out.Err.Error(), c.want) {
			t.Errorf("%v, want %q", out.Err, c.want)
		}
	}
}

func TestTasksAreRead(t *testing.T) {
	p := openAGI(t)
	if len(p.Tasks) != 185 || p.Tasks[120].Kind != "Task X" || len(p.Tasks[120].Given) != 2 || p.Tasks[120].Place != 120 {
		t.Fatalf("%d tasks, one is %+v", len(p.Tasks), p.Tasks[120])
	}
	if list, err := ReadTasks(`{"tasks":[{"text":"a","spec":"a.cfg","class":"c","goal":{"type":"text"}}]}`); err != nil || list[0].Kind != "c" {
		t.Errorf("%+v, %v", list, err)
	}
	for _, text := range []string{"", "{", `{"tasks":[{"text":"a"}]}`} {
		if _, err := ReadTasks(text); err == nil {
			t.Errorf("%q is read", text)
		}
	}
}
