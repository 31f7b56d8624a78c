package lab

import (
	"slices"

	"github.com/stile-playground/stile/core/formulate"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/monitor"
	"github.com/stile-playground/stile/core/plan"
	"github.com/stile-playground/stile/core/plan/baseline"
	"github.com/stile-playground/stile/core/sexpr"
	"github.com/stile-playground/stile/core/team"
	"github.com/stile-playground/stile/core/tool"
	"github.com/stile-playground/stile/core/workspace"
)

func planSettings(m Method, model Model, t *plannedTask, shots []baseline.Shot) any {
	if m.Kind == MethodBaseline {
		s := baseline.Settings{Task: t.Text, Model: model.Spec, Method: m.Argument, Shots: shots}
		if m.PaperPrompt {
			s.Template = map[string]string{baseline.MethodZeroShot: paperZeroShot, baseline.MethodFewShot: paperFewShot}[m.Argument]
		}
		return s
	}
	s := plan.Settings{Task: t.Text, Model: model.Spec, Template: plan.PaperTemplate, Naive: m.Naive, Attempts: m.Attempts, Otherwise: m.Otherwise, Beam: m.Beam, Score: m.Score, Goal: t.Goal, Execute: t.Goal != nil, Inputs: t.inputs()}
	return s
}

func (t *plannedTask) inputs() map[string]tool.Value {
	out := map[string]tool.Value{}
	for _, in := range t.Inputs {
		out[in.Symbol] = tool.Value{Type: in.Type, Text: in.Text, Marks: in.Marks}
	}
	return out
}

func monitorSettings(m Method, model Model, t task) any {
	q, then := t.question, m.Then
	for _, a := range m.Thens {
		if a.Group == t.group {
			then = a.Agent
		}
	}
	s := monitor.Settings{
		Question: q.Question, Model: model.Spec, Environment: monitor.EnvironmentTools, Forced: m.Forced, Samples: m.Samples, Then: then, Keep: m.Keep,
		MaxLoops: m.Loops, Reference: q.Answer,
	}
	if model.Spec.Kind != llm.KindEndpoint {
		s.Environment = monitor.EnvironmentSimulated
		s.Rehearsal = &monitor.Rehearsal{Steps: q.Steps, Final: q.Final, Answer: q.Answer}
	}
	return s
}

// benchmarkRun has the settings of a run of kind "benchmark".
type benchmarkRun struct {
	Methods  []string  `json:"methods"`
	Tasks    []int     `json:"tasks"`
	Hints    []string  `json:"hints,omitempty"`
	Bare     bool      `json:"bare,omitempty"`
	Steps    int       `json:"steps,omitempty"`
	Passed   bool      `json:"passed,omitempty"`
	Wording  string    `json:"wording,omitempty"`
	Model    *llm.Spec `json:"model,omitempty"`
	Mistakes float64   `json:"slips,omitempty"`
}

func benchmarkSettings(m Method, model Model, t task) benchmarkRun {
	s := benchmarkRun{Methods: []string{m.Argument}, Tasks: []int{t.at}, Hints: m.Hints, Passed: t.source.Name == "apibank" && m.Argument == team.MethodTeam}
	if t.source.Name == "travelplanner" {
		if s.Bare = !m.Checked; !m.EachSteps {
			s.Steps = travelSteps
		}
	}
	switch model.Spec.Kind {
	case llm.KindFirst:
	case llm.KindUniform:
		s.Mistakes = 0.5
	case llm.KindRambler:
		s.Mistakes = model.Spec.ErrorRate
	default:
		s.Model = &model.Spec
	}
	return s
}

// formulationTokens bounds the tokens of a call of a formulation. Declarative texts have no loops, so that
// those of the larger data sets are longer than the default of a run allows.
const formulationTokens = 16_384

func formulateSettings(m Method, model Model, p *problemTask) formulate.Settings {
	s := formulate.Settings{Model: model.Spec, Method: m.Argument, Example: m.Example, Rounds: m.Rounds}
	if !model.simulated() {
		s.MaxTokens = formulationTokens
	}
	if p.set.Steps() {
		s.Notation = formulate.NotationPDDL
	}
	leaveOut(&s, m)
	return s
}

// leaveOut removes the stages that a method does without.
func leaveOut(s *formulate.Settings, m Method) {
	for _, stage := range m.Without {
		if stage == formulate.StageAssessor {
			s.Rounds = new(int)
		} else {
			s.Without = append(s.Without, stage)
		}
	}
}

// withoutExamples returns a copy of the files in which the agent of the named file shows at
// most shots examples.
func withoutExamples(files []workspace.File, name string, shots int) []workspace.File {
	out := slices.Clone(files)
	for i, f := range out {
		if f.Name == name {
			out[i].Text = cutExamples(f, shots)
		}
	}
	return out
}

func cutExamples(f workspace.File, shots int) string {
	tree, found := sexpr.Parse(f.Source())
	if len(found) > 0 || len(tree.Nodes) == 0 {
		return f.Text
	}
	for _, section := range tree.Nodes[0].Items {
		if section.Head() != ":examples" || len(section.Items)-1 <= shots {
			continue
		}
		from, to := section.Span.Start, section.Span.End
		if shots > 0 {
			from, to = section.Items[shots].Span.End, section.Items[len(section.Items)-1].Span.End
		}
		return f.Text[:from] + f.Text[to:]
	}
	return f.Text
}
