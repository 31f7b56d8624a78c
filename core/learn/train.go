package learn

import (
	"math/rand/v2"
	"slices"

	"github.com/stile-playground/stile/core/process"
)

// EpochEvent is the event of a finished epoch of a learner.
type EpochEvent struct {
	Kind   string  `json:"kind"` // "learn.epoch"
	Seed   int     `json:"seed"` // from 1
	With   bool    `json:"with"` // with the automaton
	Epoch  int     `json:"epoch"`
	Plans  int     `json:"plans"` // in this epoch
	Valid  float64 `json:"valid"` // share of the plans
	Reward float64 `json:"reward"`
	SoFar  Point   `json:"soFar"` // the epoch's mean over the seeds so far
	Done   int     `json:"done"`  // epochs of all learners so far, out of Of
	Of     int     `json:"of"`
}

// Point is the mean of an epoch over all seeds.
type Point struct {
	Epoch  int      `json:"epoch"`
	Valid  Interval `json:"valid"`
	Reward Interval `json:"reward"`
}

// Group is the mean score of a kind of task in the last epoch.
type Group struct {
	Kind   string   `json:"kind"`
	Tasks  int      `json:"tasks"`
	Valid  Interval `json:"valid"`
	Reward Interval `json:"reward"`
}

// Arm is the result with or without the automaton.
type Arm struct {
	With   bool    `json:"with"`
	Points []Point `json:"points"` // by epoch
	Groups []Group `json:"groups"` // in the order of their tasks
	Plans  int     `json:"plans"`  // of all seeds and epochs
	Valid  int     `json:"valid"`  // valid plans among these
}

// Claim compares both arms with the claim of Formal-LLM that more is learnt if all samples are valid.
type Claim struct {
	AllValid   bool      `json:"allValid"`           // with the automaton, every plan was valid
	Difference Interval  `json:"difference"`         // of the rewards of the last epoch, with minus without, by seed: of the training and of planning with the automaton
	Higher     bool      `json:"higher"`             // the interval is above 0
	Training   *Training `json:"training,omitempty"` // of the controls
	Holds      bool      `json:"holds"`              // every plan was valid, and the training shows more on tasks that were not trained
}

// Training is the effect of the training alone: all learners plan with the automaton. It is that on
// the test tasks that were not trained, or, if all of them were, on these.
type Training struct {
	Difference Interval `json:"difference"` // of the rewards, trained with the automaton minus trained without it, by seed
	Tasks      int      `json:"tasks"`
	Split      bool     `json:"split"`  // these tasks were not trained
	Higher     bool     `json:"higher"` // the interval is above 0
	Lower      bool     `json:"lower"`  // the interval is below 0
}

// Result is the outcome of a run, with its cost. Simulated describes the rewards.
type Result struct {
	Kind         string       `json:"kind"` // "learn.done"
	Simulated    bool         `json:"simulated"`
	Tasks        int          `json:"tasks"`
	Seeds        int          `json:"seeds"`
	Epochs       int          `json:"epochs"`
	Arms         []Arm        `json:"arms"`               // with the automaton first
	Claim        *Claim       `json:"claim,omitempty"`    // of both arms
	Controls     []Control    `json:"controls,omitempty"` // if the settings ask for them
	Trajectories []Trajectory `json:"trajectories"`       // of the first learner with the automaton
}

// Events returns examples of the events of a run.
func Events() []any { return []any{EpochEvent{Kind: "learn.epoch"}, Result{Kind: "learn.done"}} }

// record has the results of a learner's epoch.
type record struct {
	plans, valid int
	reward       float64
	groups       []tally // by group; of the last epoch
}

type tally struct {
	plans, valid int
	reward       float64
}

// Run trains a pair of learners for each seed.
func (p Problem) Run(env *process.Env, s Settings) (*Result, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	s = s.filled()
	places := s.Tasks
	if len(places) == 0 {
		for i := range p.Tasks {
			places = append(places, i)
		}
	}
	w, err := newWorld(p, append(places[:len(places):len(places)], s.Test...), env.Meter())
	if err != nil {
		return nil, err
	}
	test := w.tasks[len(places):]
	if w.tasks = w.tasks[:len(places)]; len(test) == 0 {
		test = w.tasks
	}
	r := &run{world: w, test: test, settings: s, env: env, base: env.Rand().Uint64(), begin: w.prior(*s.Prior), group: map[string]int{}}
	for i, at := range s.Test {
		if !slices.Contains(places, at) {
			r.unseen = append(r.unseen, i)
		}
	}
	for _, t := range w.tasks {
		if _, ok := r.group[t.Kind]; !ok {
			r.group[t.Kind] = len(r.kinds)
			r.kinds = append(r.kinds, t.Kind)
		}
	}
	if s.Automaton != ArmsWithout {
		r.arms = append(r.arms, true)
	}
	if s.Automaton != ArmsWith {
		r.arms = append(r.arms, false)
	}
	records := make([][][]record, len(r.arms)) // by arm, seed, epoch
	out := &Result{Kind: "learn.done", Simulated: true, Tasks: len(w.tasks), Seeds: s.Seeds, Epochs: s.Epochs, Trajectories: []Trajectory{}}
	var first *Policy // of the learners with the automaton
	learners := []trained{{name: ControlUntrained}}
	for _, with := range r.arms {
		learners = append(learners, trained{name: map[bool]string{true: ArmsWith, false: ArmsWithout}[with]})
	}
	for seed := range s.Seeds {
		for i, with := range r.arms {
			records[i] = append(records[i], nil)
			policy, err := r.learn(records[i], with)
			if err != nil {
				return nil, err
			}
			if with && seed == 0 {
				first = policy
			}
			learners[1+i].policies = append(learners[1+i].policies, policy)
		}
	}
	if s.Controls {
		for range s.Seeds {
			policy := NewPolicy(len(r.features.names), len(r.actions)+1)
			copy(policy.weights, r.begin)
			learners[0].policies = append(learners[0].policies, policy)
		}
		if out.Controls, err = r.controls(learners); err != nil {
			return nil, err
		}
	}
	if s.Samples > 0 {
		if out.Trajectories, err = r.samples(first); err != nil {
			return nil, err
		}
	}
	for i, with := range r.arms {
		out.Arms = append(out.Arms, r.arm(with, records[i]))
	}
	if len(r.arms) == 2 {
		out.Claim = claim(out.Arms[0], records, r.training)
	}
	env.Emit(out)
	return out, nil
}

type run struct {
	*world
	test     []*assignment // of the controls
	unseen   []int         // indices in test of tasks that are not trained
	settings Settings
	env      *process.Env
	base     uint64
	begin    []float64 // initial weights
	arms     []bool
	kinds    []string
	group    map[string]int // by kind
	done     int            // epochs
	training *Training      // nil without controls of both arms
}

// remembers is the weight of earlier plans in the moving average of a task's reward.
const remembers = 0.9

// learn trains the learner of the last seed. records has the records of its arm by seed and epoch;
// learn fills in those of the last seed.
func (r *run) learn(records [][]record, with bool) (*Policy, error) {
	seed := len(records) - 1
	policy := NewPolicy(len(r.features.names), len(r.actions)+1)
	copy(policy.weights, r.begin)
	gradient := make([]float64, len(policy.weights))
	adam := NewAdam(len(gradient), r.settings.Rate)
	// Both arms of a seed have the same order of tasks.
	order := rand.New(rand.NewPCG(r.base, uint64(2*seed)))
	random := rand.New(rand.NewPCG(r.base, uint64(2*seed+1)))
	expected := make([]float64, len(r.tasks))
	turns := make([]int, len(r.tasks))
	for i := range turns {
		turns[i] = i
	}
	var e episode
	for epoch := range r.settings.Epochs {
		order.Shuffle(len(turns), func(i, j int) { turns[i], turns[j] = turns[j], turns[i] })
		now := record{groups: make([]tally, len(r.kinds))}
		waiting := 0
		for n, turn := range turns {
			t := r.tasks[turn]
			finished, err := r.play(policy, t, with, &e, random)
			if err != nil {
				return nil, err
			}
			var j judgement
			if finished {
				if j, err = r.judge(t, e.word, e.key); err != nil {
					return nil, err
				}
			}
			group := &now.groups[r.group[t.Kind]]
			now.plans++
			group.plans++
			now.reward += j.reward
			group.reward += j.reward
			if j.valid {
				now.valid++
				group.valid++
			}
			// REINFORCE: a choice becomes more likely if the reward exceeds the average of
			// the task's earlier plans.
			if advantage := j.reward - expected[turn]; advantage != 0 {
				for i := range e.decisions {
					d := &e.decisions[i]
					policy.Grow(gradient, d.features, d.offered, d.probabilities, d.chosen, advantage)
				}
			}
			if epoch == 0 {
				expected[turn] = j.reward
			} else {
				expected[turn] = float64(remembers*expected[turn]) + float64((1-remembers)*j.reward)
			}
			if waiting++; waiting < r.settings.Batch && n+1 < len(turns) {
				continue
			}
			if err := r.meter.Step(2 * len(gradient)); err != nil {
				return nil, err
			}
			if waiting > 1 {
				for i := range gradient {
					gradient[i] /= float64(waiting)
				}
			}
			adam.Step(policy.weights, gradient)
			clear(gradient)
			waiting = 0
		}
		records[seed] = append(records[seed], now)
		r.done++
		r.env.Emit(EpochEvent{
			Kind: "learn.epoch", Seed: seed + 1, With: with, Epoch: epoch + 1, Plans: now.plans,
			Valid: float64(now.valid) / float64(now.plans), Reward: now.reward / float64(now.plans),
			SoFar: pointOf(records, epoch), Done: r.done, Of: r.settings.Seeds * len(r.arms) * r.settings.Epochs,
		})
	}
	return policy, nil
}

// over returns the mean of a figure between 0 and 1 over the learners, with its confidence interval
// clipped to 0 and 1.
func over(records [][]record, f func(seed []record) float64) Interval {
	values := make([]float64, len(records))
	for i, seed := range records {
		values[i] = f(seed)
	}
	return bounded(values)
}

// bounded returns the confidence interval of values from 0 to 1, clipped to that range.
func bounded(values []float64) Interval {
	out := IntervalOf(values)
	out.Low, out.High = max(out.Low, 0), min(out.High, 1)
	return out
}

func pointOf(records [][]record, epoch int) Point {
	return Point{
		Epoch:  epoch + 1,
		Valid:  over(records, func(seed []record) float64 { return float64(seed[epoch].valid) / float64(seed[epoch].plans) }),
		Reward: over(records, func(seed []record) float64 { return seed[epoch].reward / float64(seed[epoch].plans) }),
	}
}

// arm returns the result of an arm from its records by seed and epoch.
func (r *run) arm(with bool, records [][]record) Arm {
	out := Arm{With: with, Points: make([]Point, r.settings.Epochs), Groups: make([]Group, len(r.kinds))}
	for epoch := range out.Points {
		out.Points[epoch] = pointOf(records, epoch)
		for _, seed := range records {
			out.Plans += seed[epoch].plans
			out.Valid += seed[epoch].valid
		}
	}
	last := r.settings.Epochs - 1
	for i, kind := range r.kinds {
		of := func(seed []record) tally { return seed[last].groups[i] }
		out.Groups[i] = Group{
			Kind: kind, Tasks: of(records[0]).plans,
			Valid:  over(records, func(seed []record) float64 { return float64(of(seed).valid) / float64(of(seed).plans) }),
			Reward: over(records, func(seed []record) float64 { return of(seed).reward / float64(of(seed).plans) }),
		}
	}
	return out
}

// claim compares both arms. Only the training decides it, because the learners of the first arm also
// plan with the automaton.
func claim(with Arm, records [][][]record, training *Training) *Claim {
	differences := make([]float64, len(records[0]))
	for seed := range differences {
		last := len(records[0][seed]) - 1
		a, b := records[0][seed][last], records[1][seed][last]
		differences[seed] = a.reward/float64(a.plans) - b.reward/float64(b.plans)
	}
	out := &Claim{AllValid: with.Valid == with.Plans, Difference: IntervalOf(differences), Training: training}
	out.Higher = len(differences) > 1 && out.Difference.Low > 0
	out.Holds = out.AllValid && training != nil && training.Split && training.Higher
	return out
}
