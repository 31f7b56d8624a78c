package lab

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/formulate"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/monitor"
	"github.com/stile-playground/stile/core/plan"
	"github.com/stile-playground/stile/core/sexpr"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/tool"
	"github.com/stile-playground/stile/core/travel"
	"github.com/stile-playground/stile/core/workspace"
)

// Cell is a task by a method with a model and a seed: one run.
type Cell struct {
	Outcome  Outcome // without what became of it
	Kind     string  // of the run
	Files    []workspace.File
	Name     string // of the spec
	Settings json.RawMessage

	task task
	trip *trip // that is planned with an automaton
}

// resultsEnding is what the name of a file with results ends with.
const resultsEnding = ".results.json"

// Cells returns the cells of an experiment, and what is left out of it and why. They come
// task by task, so that what is done of an experiment that is stopped compares like with
// like.
func (x *Experiment) Cells(files []workspace.File, s Settings) (cells []Cell, notes []string, err error) {
	models, notes := x.models(s)
	if len(models) == 0 {
		return nil, notes, source.NewError("lab.models", "there is no model to ask: "+strings.Join(notes, " "))
	}
	tasks, err := x.tasks(files, s.Tasks)
	if err != nil {
		return nil, nil, err
	}
	seeds := x.Seeds
	if len(s.Seeds) > 0 {
		seeds = s.Seeds
	}
	folders := map[string][]workspace.File{}
	trips := &trips{files: files}
	for _, seed := range seeds {
		for _, t := range tasks {
			for _, m := range x.Methods {
				if !m.does(t.source) || len(m.Only) > 0 && !slices.Contains(m.Only, t.group) {
					continue
				}
				for _, model := range models {
					if len(model.Only) > 0 && !slices.Contains(model.Only, m.Name) {
						continue
					}
					if len(cells) == MaxCells {
						return nil, nil, source.NewError("limit.cells", fmt.Sprintf("an experiment has at most %d cells; take fewer tasks, methods, models or seeds", MaxCells))
					}
					c, err := newCell(files, folders, trips, m, model, t, seed)
					if err != nil {
						return nil, nil, err
					}
					cells = append(cells, c)
				}
			}
		}
	}
	if len(cells) == 0 {
		return nil, notes, source.NewError("lab.empty", "none of the methods does any of the tasks")
	}
	return cells, notes, nil
}

// models returns the models to ask.
func (x *Experiment) models(s Settings) (out []Model, notes []string) {
	if len(s.Models) > 0 {
		for _, m := range s.Models {
			out = append(out, Model{Name: m.Name, Spec: m.Spec})
		}
		return out, nil
	}
	for _, m := range x.Models {
		if m.Endpoint != "" {
			at := slices.IndexFunc(s.Endpoints, func(e llm.Endpoint) bool { return e.Name == m.Endpoint })
			if at < 0 {
				notes = append(notes, fmt.Sprintf("No endpoint %q was given, so it has no rows.", m.Endpoint))
				continue
			}
			endpoint := s.Endpoints[at]
			m.Spec = llm.Spec{Kind: llm.KindEndpoint, Endpoint: &endpoint}
		}
		out = append(out, m)
	}
	return out, notes
}

func newCell(files []workspace.File, folders map[string][]workspace.File, trips *trips, m Method, model Model, t task, seed uint64) (Cell, error) {
	c := Cell{Kind: m.Kind, task: t}
	folder, _ := t.source.folderOf()
	var settings any
	switch m.Kind {
	case MethodPlan, MethodBaseline:
		if t.planned == nil {
			trip, err := trips.of(t.at)
			if err != nil {
				return c, err
			}
			c.trip, c.Name = trip, travel.FlowFile
			settings = plan.Settings{Task: trip.query.Words(), Model: model.Spec, Naive: m.Naive, Attempts: m.Attempts, Otherwise: m.Otherwise}
			break
		}
		c.Name = t.planned.Spec
		settings = planSettings(m, model, t.planned)
	case MethodMonitor:
		way := m.Way
		for _, a := range m.Agents {
			if a.Group == t.group {
				way = a.Agent
			}
		}
		folder, c.Name = cutFolder(way)
		settings = monitorSettings(m, model, t.question)
	case MethodBenchmark:
		settings = benchmarkSettings(m, model, t.at)
	case MethodFormulate:
		c.Name = t.problem.name + formulate.Ending + "/" + formulate.FileTask
		settings = formulateSettings(m, model, t.problem)
	}
	if _, there := folders[folder]; !there {
		folders[folder] = within(files, folder)
	}
	c.Files = folders[folder]
	var err error
	switch {
	case c.trip != nil:
		c.Files = c.trip.files
	case t.problem != nil:
		if c.Files, err = t.problem.files(model.Spec.Kind != llm.KindEndpoint); err != nil {
			return c, err
		}
	case m.Kind == MethodBenchmark:
		c.Files = nil
		for _, pair := range benchmarkFiles[t.source.Name] {
			if f, ok := (workspace.Workspace{Files: folders[folder]}).File(pair[0]); ok {
				c.Files = append(c.Files, workspace.File{Name: pair[1], Text: f.Text})
			}
		}
	case m.Shots != nil:
		c.Files = withoutExamples(c.Files, c.Name, *m.Shots)
	}
	if c.Settings, err = json.Marshal(settings); err != nil {
		return c, err
	}
	c.Outcome = Outcome{
		Key: strings.Join([]string{m.Name, model.Name, t.source.Name + " " + strconv.Itoa(t.at), strconv.FormatUint(seed, 10)}, " | "), Method: m.Name, Model: model.Name,
		Group: t.group, Task: t.title, Seed: seed, State: StateQueued, Measures: []Measure{},
	}
	c.Outcome.RunSeed = runSeed(c.Outcome.Key)
	c.Outcome.Stamp = c.stamp()
	return c, nil
}

// runSeed is a seed of a cell's own, so that what is drawn first is not the same in all
// cells of a seed. It fits into a number of JSON.
func runSeed(key string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(key))
	return h.Sum64() >> 12
}

// stamp is a text that is another where the run would be.
func (c Cell) stamp() string {
	h := fnv.New64a()
	write := func(texts ...string) {
		for _, text := range texts {
			fmt.Fprintf(h, "%d:%s", len(text), text)
		}
	}
	write(c.Kind, c.Name, string(c.Settings), strconv.FormatUint(c.Outcome.RunSeed, 10))
	for _, f := range c.Files {
		write(f.Name, f.Text)
	}
	return strconv.FormatUint(h.Sum64(), 16)
}

func planSettings(m Method, model Model, t *plannedTask) any {
	if m.Kind == MethodBaseline {
		return plan.BaselineSettings{Task: t.Text, Model: model.Spec, Method: m.Way}
	}
	s := plan.Settings{Task: t.Text, Model: model.Spec, Naive: m.Naive, Attempts: m.Attempts, Otherwise: m.Otherwise, Goal: t.Goal, Execute: t.Goal != nil, Inputs: t.inputs()}
	return s
}

func (t *plannedTask) inputs() map[string]tool.Value {
	out := map[string]tool.Value{}
	for _, in := range t.Inputs {
		out[in.Symbol] = tool.Value{Type: in.Type, Text: in.Text, Marks: in.Marks}
	}
	return out
}

func monitorSettings(m Method, model Model, q *Question) any {
	s := monitor.Settings{
		Question: q.Question, Model: model.Spec, Environment: monitor.EnvironmentTools, Forced: m.Forced, Samples: m.Samples, Then: m.Then, Keep: m.Keep,
		MaxLoops: m.Loops, Reference: q.Answer,
	}
	if model.Spec.Kind != llm.KindEndpoint {
		s.Environment = monitor.EnvironmentSimulated
		s.Rehearsal = &monitor.Rehearsal{Steps: q.Steps, Final: q.Final, Answer: q.Answer}
	}
	return s
}

// benchmarkRun are the settings of a run of the session's kind "benchmark".
type benchmarkRun struct {
	Methods []string  `json:"methods"`
	Tasks   []int     `json:"tasks"`
	Hints   []string  `json:"hints,omitempty"`
	Model   *llm.Spec `json:"model,omitempty"`
	Slips   float64   `json:"slips,omitempty"`
}

func benchmarkSettings(m Method, model Model, at int) any {
	s := benchmarkRun{Methods: []string{m.Way}, Tasks: []int{at}, Hints: m.Hints}
	switch model.Spec.Kind {
	case llm.KindFirst:
	case llm.KindUniform:
		s.Slips = 0.5
	case llm.KindRambler:
		s.Slips = model.Spec.ErrorRate
	default:
		s.Model = &model.Spec
	}
	return s
}

func formulateSettings(m Method, model Model, p *problemTask) any {
	s := formulate.Settings{Model: model.Spec, Method: m.Way, Example: m.Example}
	if p.set.Steps() {
		s.Notation = formulate.NotationPDDL
	}
	for _, stage := range m.Without {
		switch stage {
		case formulate.StageDefiner:
			s.From = formulate.StageFormulator
		case formulate.StageFormulator:
			s.From = formulate.StageGenerator
		case formulate.StageAssessor:
			s.Rounds = new(int)
		}
	}
	return s
}

// withoutExamples returns the files with an agent that shows at most so many examples.
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
