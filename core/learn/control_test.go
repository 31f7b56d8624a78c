package learn

import (
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
	if got.Controls = nil; !reflect.DeepEqual(got, plain) || len(controls) != 6 {
		t.Errorf("%d controls", len(controls))
	}
	of := func(key string) float64 { return controls[key].Reward.Mean }
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
}
