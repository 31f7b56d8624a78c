package learn

import (
	"math"
	"reflect"
	"testing"

	"github.com/stile-playground/stile/core/internal/effort"
)

// The controls distinguish the effect of the training from that of the automaton while planning.
// They change no number of the training.
func TestControlsDistinguishTrainingFromPlanning(t *testing.T) {
	p := openAGI(t)
	s := Settings{Seeds: effort.Sample(20, 2)}
	plain, _ := learnt(t, p, s, 1, 1<<40)
	s.Controls = true
	got, _ := learnt(t, p, s, 1, 1<<40)
	again, _ := learnt(t, p, s, 1, 20_000_000)
	if !reflect.DeepEqual(got, again) {
		t.Error("the seed does not decide")
	}
	controls := map[string]Control{}
	for _, c := range got.Controls {
		key := c.Trained + ", without"
		if c.With {
			key = c.Trained + ", with"
		}
		controls[key] = c
		t.Logf("trained %s: valid %.3f, reward %.3f (%.3f to %.3f)", key, c.Valid.Mean, c.Reward.Mean, c.Reward.Low, c.Reward.High)
	}
	of := func(key string) float64 { return controls[key].Reward.Mean }
	effect := got.Claim.Training
	if d := effect.Difference.Mean; math.Abs(d-of("with, with")+of("without, with")) > 1e-9 || effect.Split || got.Claim.Holds {
		t.Errorf("the claim is decided on tasks that were trained: %+v, %+v", got.Claim, effect)
	}
	got.Controls, got.Claim.Training = nil, nil
	if !reflect.DeepEqual(got, plain) || len(controls) != 6 {
		t.Errorf("%d controls", len(controls))
	}
	for _, key := range []string{"none, with", "with, with", "without, with"} {
		if controls[key].Valid.Mean != 1 {
			t.Errorf("%s: valid %v", key, controls[key].Valid)
		}
	}
	if !(of("with, with") > of("without, with") && of("without, with") > of("none, with") && of("without, without") > 10*of("with, without")) {
		t.Errorf("%+v", controls)
	}
	// On tasks that were not trained the automaton while planning is nearly the whole effect.
	s.Tasks, s.Test = PaperTrain, PaperTest
	split, _ := learnt(t, p, s, 1, 1<<40)
	for _, c := range split.Controls {
		t.Logf("split, trained %s, planned with %v: valid %.3f, reward %.3f (%.3f to %.3f)", c.Trained, c.With, c.Valid.Mean, c.Reward.Mean, c.Reward.Low, c.Reward.High)
		if c.With != (c.Reward.Mean > 0.2) {
			t.Errorf("%+v", c)
		}
	}
	if split.Tasks != len(PaperTrain) {
		t.Errorf("%d tasks are trained", split.Tasks)
	}
	// The claim is that of the training: the difference of the controls that plan with the automaton.
	d := split.Claim.Training.Difference
	t.Logf("split: the training alone makes %.4f (%.4f to %.4f)", d.Mean, d.Low, d.High)
	if e := split.Claim.Training; !e.Split || e.Tasks != 16 || // task 20 of the test is trained
		split.Claim.Holds != (d.Low > 0) || e.Higher != (d.Low > 0) || e.Lower != (d.High < 0) {
		t.Errorf("%+v, %+v", split.Claim, e)
	}
	s.Test = PaperTrain[:3]
	if seen, _ := learnt(t, p, s, 1, 1<<40); seen.Claim.Training.Split || seen.Claim.Training.Tasks != 3 || seen.Claim.Holds {
		t.Errorf("the tested tasks were trained: %+v", seen.Claim)
	}
}

// An interval that contains 0 shows nothing, and neither does one seed.
func TestTrainingEffectNeedsItsInterval(t *testing.T) {
	for _, c := range []struct {
		with, without []float64
		higher, lower bool
	}{
		{[]float64{0.5, 0.6, 0.55}, []float64{0.3, 0.4, 0.3}, true, false},
		{[]float64{0.3, 0.4, 0.3}, []float64{0.5, 0.6, 0.55}, false, true},
		{[]float64{0.5, 0.3, 0.4}, []float64{0.4, 0.4, 0.3}, false, false},
		{[]float64{0.5}, []float64{0.1}, false, false},
	} {
		if e := trainingEffect(1, true, c.with, c.without); e.Higher != c.higher || e.Lower != c.lower {
			t.Errorf("%v, %v: %+v", c.with, c.without, e)
		}
	}
	if trainingEffect(1, true, nil, []float64{1}) != nil {
		t.Error("one arm has an effect")
	}
	all := Arm{Plans: 1, Valid: 1}
	records := [][][]record{{{{plans: 1, reward: 1}}, {{plans: 1, reward: 1}}}, {{{plans: 1}}, {{plans: 1}}}}
	if c := claim(all, records, nil); !c.Higher || c.Holds {
		t.Errorf("without controls: %+v", c)
	}
	if c := claim(all, records, &Training{Split: true}); c.Holds {
		t.Errorf("without an effect of the training: %+v", c)
	}
	if c := claim(all, records, &Training{Split: true, Higher: true}); !c.Holds {
		t.Errorf("with one: %+v", c)
	}
}
