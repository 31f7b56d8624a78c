// Package learn trains a small model to plan from the rewards of its plans:
// reinforcement learning from task feedback (RLTF, Ge et al. 2023), with the automaton
// of Formal-LLM and without it (Li et al. 2024, §4.4 and Table 2).
//
// Formal-LLM's authors fine-tune language models: a plan is made for a task, carried
// out, and its score is the reward of REINFORCE (Williams 1992). Without the automaton
// many plans cannot be carried out; their reward is 0 and has no information. With the
// automaton every plan can be carried out and is informative. This package reproduces
// that effect in a page within seconds. Which parts are real and which simulated:
//
//   - The choices are real. With the automaton they are those of [plan], with its exact
//     look-ahead, over the grammars of the 185 tasks of OpenAGI. Without it they are all
//     tools, all inputs and the end, at every step. Both arms judge a finished word with
//     the same parser.
//   - The learner is small: a softmax over choices, linear in features of the task and
//     of the earlier choices (see [Features]), trained by REINFORCE with Adam at the
//     paper's rate and for its number of epochs. Both arms have the same features, the
//     same initial weights and the same order of tasks.
//   - The reward is simulated. Instead of the benchmark's data and its fifteen models,
//     [Quality] scores the result of a plan on simulated values, with the paper's
//     structure: a plan that cannot be carried out scores 0, another by the quality of
//     its result.
//
// The curves therefore show the value of valid samples to a learner. They do not show how well
// a language model plans.
//
// The training data can be exported: a [Trajectory] is a plan as a list of decisions
// with the planner's prompts, and [Write] formats it for fine-tuning.
//
// Results are the same on every machine: products are rounded before they are added, so
// that no processor fuses them, and the package has its own exponential and logarithm,
// because the standard library's are written in assembly for some processors.
package learn

import (
	"fmt"
	"slices"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/tool"
)

// Defaults of [Settings]. Epochs and rate are the paper's.
const (
	DefaultEpochs = 30
	DefaultRate   = 0.001
	DefaultBatch  = 1
	DefaultSeeds  = 20
	DefaultPrior  = 5.0
)

// Limits of [Settings] for runs that a person waits for.
const (
	MaxEpochs  = 1_000
	MaxSeeds   = 100
	MaxBatch   = 1_000
	MaxSamples = 64
)

// MaxLetters is the maximum length of a word. It ends words that the policy does not end. The
// longest plan of the benchmark's grammars is shorter, because each tool is used once.
const MaxLetters = 40

// The arms of a run.
const (
	ArmsBoth    = "both"
	ArmsWith    = "with"    // with the automaton
	ArmsWithout = "without" // without the automaton
)

// Settings of a run. A zero value means the default.
type Settings struct {
	Tasks     []int    `json:"tasks,omitempty"` // indices in tasks.json; none: all
	Test      []int    `json:"test,omitempty"`  // indices of the tasks of the controls; none: Tasks
	Epochs    int      `json:"epochs,omitempty"`
	Batch     int      `json:"batch,omitempty"` // plans per step of Adam
	Rate      float64  `json:"rate,omitempty"`
	Seeds     int      `json:"seeds,omitempty"`
	Automaton string   `json:"automaton,omitempty"` // one of the Arms constants; "": ArmsBoth
	Prior     *float64 `json:"prior,omitempty"`     // weight of the prior on pairs of letters (see [Features]); nil: DefaultPrior
	Controls  bool     `json:"controls,omitempty"`  // plan with and without the automaton after the training, in both arms
	Samples   int      `json:"samples,omitempty"`   // plans per task that the first learner with the automaton makes at the end, as trajectories
}

// Check returns an error with code "learn.settings" for settings that cannot be run.
func (s Settings) Check() error {
	fault := func(format string, args ...any) error {
		return source.NewError("learn.settings", fmt.Sprintf(format, args...))
	}
	switch {
	case !slices.Contains([]string{"", ArmsBoth, ArmsWith, ArmsWithout}, s.Automaton):
		return fault("the automaton must be %q, %q or %q, not %q", ArmsBoth, ArmsWith, ArmsWithout, s.Automaton)
	case s.Epochs < 0 || s.Epochs > MaxEpochs:
		return fault("epochs must be from 1 to %d", MaxEpochs)
	case s.Batch < 0 || s.Batch > MaxBatch:
		return fault("a batch must have 1 to %d plans", MaxBatch)
	case s.Seeds < 0 || s.Seeds > MaxSeeds:
		return fault("seeds must be from 1 to %d", MaxSeeds)
	case s.Samples < 0 || s.Samples > MaxSamples:
		return fault("samples of a task must be at most %d", MaxSamples)
	case s.Samples > 0 && s.Automaton == ArmsWithout:
		return fault("samples require the automaton; without it the planner has no prompts")
	case !(s.Rate >= 0 && s.Rate <= 1):
		return fault("the rate must be from 0 to 1")
	case s.Prior != nil && !(*s.Prior >= 0 && *s.Prior <= 20):
		return fault("the prior must be from 0 (no prior knowledge) to 20")
	}
	return nil
}

// filled returns the settings with the defaults in place of zero values.
func (s Settings) filled() Settings {
	orElse := func(n *int, value int) {
		if *n == 0 {
			*n = value
		}
	}
	orElse(&s.Epochs, DefaultEpochs)
	orElse(&s.Batch, DefaultBatch)
	orElse(&s.Seeds, DefaultSeeds)
	if s.Rate == 0 {
		s.Rate = DefaultRate
	}
	if s.Automaton == "" {
		s.Automaton = ArmsBoth
	}
	if s.Prior == nil {
		prior := DefaultPrior
		s.Prior = &prior
	}
	return s
}

// Task is a task to plan for.
type Task struct {
	Place  int    // index in its file
	Text   string // the text in the planner's prompts
	Spec   string // the file of its grammar
	Kind   string // the group it is scored in
	Inputs map[string]tool.Value
	Given  []string // the symbols of the inputs, in order
	Goal   tool.Goal
}

// ReadTasks reads a workspace's tasks.json. The error has code "learn.tasks".
func ReadTasks(text string) ([]Task, error) {
	var list struct {
		Tasks []struct {
			Text   string `json:"text"`
			Spec   string `json:"spec"`
			Kind   string `json:"kind"`
			Class  string `json:"class"`
			Inputs []struct {
				Symbol string   `json:"symbol"`
				Type   string   `json:"type"`
				Text   string   `json:"text"`
				Marks  []string `json:"marks"`
			} `json:"inputs"`
			Goal *tool.Goal `json:"goal"`
		} `json:"tasks"`
	}
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		return nil, source.NewError("learn.tasks", "tasks.json is not a list of tasks: "+err.Error())
	}
	var out []Task
	for i, t := range list.Tasks {
		if t.Goal == nil {
			return nil, source.NewError("learn.tasks", fmt.Sprintf("task %d has no goal, so its plans cannot be scored", i))
		}
		task := Task{Place: i, Text: t.Text, Spec: t.Spec, Kind: t.Kind, Inputs: map[string]tool.Value{}, Goal: *t.Goal}
		if task.Kind == "" {
			task.Kind = t.Class
		}
		for _, in := range t.Inputs {
			task.Inputs[in.Symbol] = tool.Value{Type: in.Type, Text: in.Text, Marks: in.Marks}
			task.Given = append(task.Given, in.Symbol)
		}
		out = append(out, task)
	}
	return out, nil
}

// Spec is a grammar of plans with its limits.
type Spec struct {
	Name    string
	Grammar *grammar.Grammar
	Limits  grammar.Limits
}

// Problem has the tasks, the grammars of their plans and the tools.
type Problem struct {
	Tasks []Task
	Specs []Spec
	Tools *tool.Set
}
