package lab

import (
	"path"
	"slices"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/learn"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
)

// The learners of Formal-LLM's table 2.
const (
	learnFree   = "rltf"       // trained and planning without the automaton
	learnFormal = "formal-llm" // trained and planning with it
)

// learnSettings returns the settings of a training whose test is one task. A policy is trained on the
// paper's training tasks, or on all tasks of a folder with fewer.
func learnSettings(m Method, t task, all *solver) learn.Settings {
	s := learn.Settings{Test: []int{t.at}, Epochs: m.Epochs, Seeds: 1, Automaton: m.arm(), Controls: true}
	for _, at := range learn.PaperTrain {
		if all == nil || at >= len(all.tasks) {
			s.Tasks = nil
			break
		}
		s.Tasks = append(s.Tasks, at)
	}
	return s
}

// withTasks returns the files of a source with the tasks and goals that a training reads.
func withTasks(all, files []workspace.File, s Source) []workspace.File {
	folder, name := s.folderOf()
	out := slices.Clone(files)
	for _, f := range all {
		if f.Name == path.Join(folder, name) {
			out = append(out, workspace.File{Name: "tasks.json", Text: f.Text})
		}
	}
	return out
}

// arm returns the experimental arm of a learner: with or without the automaton.
func (m Method) arm() string {
	if m.Argument == learnFormal {
		return learn.ArmsWith
	}
	return learn.ArmsWithout
}

// judgeLearner measures the plans that a trained policy makes with the automaton if it was trained with
// it, and otherwise without it. Their score is that of all plans in the Lab, not the reward of the training.
func judgeLearner(made process.NestedResult) ([]Measure, error) {
	if made.Err != nil {
		return nil, made.Err
	}
	var r learn.Result
	if err := json.Unmarshal(made.Result, &r); err != nil {
		return nil, err
	}
	for _, c := range r.Controls {
		if c.With == (c.Trained == learn.ArmsWith) && c.Trained != learn.ControlUntrained {
			const plans = learn.ControlPlans
			return []Measure{{Name: "valid", Count: c.Valid.Mean * plans, Of: plans}, number("score", c.Score.Mean)}, nil
		}
	}
	return nil, source.NewError("lab.learn", "the training result has no plans of the trained learner")
}
