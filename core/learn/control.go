package learn

import (
	"math/rand/v2"
	"slices"
)

// Control is the mean result of the plans that trained learners make for the test tasks. Learners
// that were trained without the automaton also plan with it, and vice versa, which separates the
// effect of the training from that of the automaton while planning.
type Control struct {
	Trained string   `json:"trained"` // ControlUntrained, or the arm of the training
	With    bool     `json:"with"`    // planned with the automaton
	Valid   Interval `json:"valid"`
	Reward  Interval `json:"reward"`
	Score   Interval `json:"score"` // the share of the goal's conditions that results satisfy, as the Lab scores plans; 0 without a result
}

// ControlUntrained is the training of learners that have only the prior.
const ControlUntrained = "none"

// ControlPlans is the number of plans that a learner makes for each test task after its training.
const ControlPlans = 10

// PaperTrain and PaperTest are the indices of the benchmark's training and test tasks in the released
// program of Formal-LLM.
var (
	PaperTrain = []int{7, 20, 30, 40, 50, 60, 0, 105, 110, 116, 117, 175, 182}
	PaperTest  = []int{2, 3, 10, 15, 20, 35, 45, 55, 65, 70, 90, 106, 112, 115, 118, 177, 179}
)

// trained is a learner after its training.
type trained struct {
	name     string
	policies []*Policy // by seed
}

// controls plans the test tasks with every learner, with the automaton and without it. Each of
// these combinations has its own stream of random numbers, so the training draws the same numbers
// as without controls.
func (r *run) controls(learners []trained) ([]Control, error) {
	var out []Control
	planned := map[string][]float64{} // rewards by seed of learners that plan with the automaton, for the tasks of the training's effect
	compared := r.unseen
	if len(compared) == 0 {
		for i := range r.test {
			compared = append(compared, i)
		}
	}
	for i, l := range learners {
		for _, with := range []bool{true, false} {
			valid, reward, score, effect := make([]float64, len(l.policies)), make([]float64, len(l.policies)), make([]float64, len(l.policies)), make([]float64, len(l.policies))
			for seed, policy := range l.policies {
				stream := uint64(2*r.settings.Seeds + 1 + seed*2*len(learners) + 2*i)
				if with {
					stream++
				}
				random := rand.New(rand.NewPCG(r.base, stream))
				var e episode
				for at, t := range r.test {
					for range ControlPlans {
						finished, err := r.play(policy, t, with, &e, random)
						if err != nil {
							return nil, err
						}
						if !finished {
							continue
						}
						j, err := r.judge(t, e.word, e.key)
						if err != nil {
							return nil, err
						}
						reward[seed] += j.reward
						if slices.Contains(compared, at) {
							effect[seed] += j.reward / float64(len(compared)*ControlPlans)
						}
						score[seed] += j.score
						if j.valid {
							valid[seed]++
						}
					}
				}
				n := float64(len(r.test) * ControlPlans)
				valid[seed], reward[seed], score[seed] = valid[seed]/n, reward[seed]/n, score[seed]/n
			}
			if with {
				planned[l.name] = effect
			}
			out = append(out, Control{Trained: l.name, With: with, Valid: bounded(valid), Reward: bounded(reward), Score: bounded(score)})
		}
	}
	r.training = trainingEffect(len(compared), len(r.unseen) > 0, planned[ArmsWith], planned[ArmsWithout])
	return out, nil
}

// trainingEffect compares the rewards by seed of learners that were trained with the automaton and
// without it. It returns nil if one of the two arms is missing.
func trainingEffect(tasks int, split bool, with, without []float64) *Training {
	if with == nil || without == nil {
		return nil
	}
	differences := make([]float64, len(with))
	for seed := range differences {
		differences[seed] = with[seed] - without[seed]
	}
	d := IntervalOf(differences)
	several := len(differences) > 1
	return &Training{Difference: d, Tasks: tasks, Split: split, Higher: several && d.Low > 0, Lower: several && d.High < 0}
}
