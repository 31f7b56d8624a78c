package lab

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/formulate"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/plan"
	"github.com/stile-playground/stile/core/plan/baseline"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/team"
	"github.com/stile-playground/stile/core/travel"
	"github.com/stile-playground/stile/core/workspace"
)

// Cell is one run: a task with a method, a model and a seed.
type Cell struct {
	Outcome  Outcome // without the result
	Kind     string  // of the run
	Files    []workspace.File
	Name     string // of the spec
	Settings json.RawMessage

	task     task
	trip     *trip         // planned with an automaton
	endpoint *llm.Endpoint // of the model
	ruled    bool          // rules about data judge the run
}

const resultsEnding = ".results.json"

// Cells returns the cells of an experiment and notes on those left out. Cells are ordered
// by task, so that the partial results of a stopped experiment stay comparable. An error
// that a part of the experiment's file causes names the line of that part.
func (x *Experiment) Cells(files []workspace.File, s Settings) (cells []Cell, notes []string, err error) {
	models, notes := x.models(s)
	if len(models) == 0 {
		return nil, notes, source.NewError("lab.models", "the experiment has no usable model: "+strings.Join(notes, " "))
	}
	tasks, groups, err := x.tasks(files, s.Tasks)
	if err != nil {
		return nil, nil, err
	}
	notes = slices.Concat(x.warnings, notes, x.unknownGroups(groups))
	seeds := x.Seeds
	if len(s.Seeds) > 0 {
		seeds = s.Seeds
	}
	maker := &maker{x: x, earlier: s.Wording == WordingEarlier, files: files, trips: &trips{files: files}, sets: map[string]fileSet{}, solvers: map[string]*solver{}}
	there, left := map[string]bool{}, map[string]bool{}
	for _, seed := range seeds {
		for _, t := range tasks {
			for _, m := range x.Methods {
				if !m.does(t.source) || len(m.Only) > 0 && !slices.Contains(m.Only, t.group) {
					continue
				}
				for _, model := range models {
					if m.Kind == MethodLearn && !model.simulated() {
						continue // it asks no endpoint
					}
					if len(model.Only) > 0 && !slices.Contains(model.Only, m.Name) {
						continue
					}
					if len(cells) == MaxCells {
						return nil, nil, source.NewError("limit.cells", fmt.Sprintf("an experiment has at most %d cells; use fewer tasks, methods, models or seeds", MaxCells))
					}
					if !maker.earlier && m.silent(model, t.source) {
						left[m.Name] = true
						continue
					}
					c, err := maker.cell(m, model, t, seed)
					if err != nil {
						return nil, nil, x.at(m.Span, err)
					}
					if there[c.Outcome.Key] {
						return nil, nil, x.at(t.source.Span, source.NewError("lab.twice", fmt.Sprintf("duplicate cell: %s; list each task, model and seed once", c.Outcome.Key)))
					}
					there[c.Outcome.Key] = true
					cells = append(cells, c)
				}
			}
		}
	}
	for _, m := range x.Methods {
		if left[m.Name] {
			notes = append(notes, fmt.Sprintf("%q has no simulated rows: simulated models know the solution and say nothing about answers without the records.", m.Name))
		}
	}
	if len(cells) == 0 {
		return nil, notes, source.NewError("lab.empty", "no method supports any of the tasks")
	}
	return cells, notes, nil
}

// silent reports whether a simulated model says nothing about a method of a benchmark, so that its row would
// claim nothing.
func (m Method) silent(model Model, s Source) bool {
	return m.Kind == MethodBenchmark && model.simulated() && team.ClaimsNothing(m.Argument, s.Name == "apibank")
}

// at adds the line of the experiment to an error.
func (x *Experiment) at(span source.Span, err error) error {
	var fault *source.Error
	if !errors.As(err, &fault) || fault.File != nil {
		return err
	}
	message := fmt.Sprintf("line %d of %s: %s", x.File.Locate(span.Start).Line, x.File.Name, fault.Message)
	return &source.Error{ID: fault.ID, Message: message, File: x.File, Diagnostics: []source.Diagnostic{{Code: fault.ID, Span: span, Message: fault.Message}}}
}

// unknownGroups returns notes on named groups that no task has.
func (x *Experiment) unknownGroups(groups []string) (notes []string) {
	look := func(named []string, where string) {
		for _, group := range named {
			if !slices.Contains(groups, group) {
				notes = append(notes, fmt.Sprintf("Unknown group %q in %s: no task belongs to it.", group, where))
			}
		}
	}
	for _, c := range x.Columns {
		look(c.Of, fmt.Sprintf("the column %q", c.Title))
	}
	for _, m := range x.Methods {
		look(m.Only, fmt.Sprintf("the method %q", m.Name))
		for _, a := range slices.Concat(m.Agents, m.Thens) {
			look([]string{a.Group}, fmt.Sprintf("the method %q", m.Name))
		}
	}
	return notes
}

// CheckPrices returns an error with the code "lab.price" if the experiment or its settings bound
// dollars and the price of an endpoint is unknown, because such a bound would never end it.
func (x *Experiment) CheckPrices(s Settings) error {
	models, _ := x.models(s)
	for _, m := range models {
		if e := m.Spec.Endpoint; e != nil && x.budget(s).Money > 0 && !e.PriceKnown() {
			return source.NewError("lab.price", fmt.Sprintf("unknown price of %q: a budget of dollars cannot bound the experiment; set the price of the endpoint, or a budget of calls or tokens", m.Name))
		}
	}
	return nil
}

// budget returns the budget of the settings, or that of the file.
func (x *Experiment) budget(s Settings) meter.Budget {
	if s.Budget != nil {
		return *s.Budget
	}
	return x.Budget
}

// DefaultCeiling bounds an experiment with an endpoint where no budget is set.
var DefaultCeiling = meter.Budget{Calls: 2_000, Tokens: 8_000_000, Money: 10}

// Ceiling returns the bounds of an experiment with an endpoint for which no budget is set. Other
// experiments have none.
func (x *Experiment) Ceiling(s Settings) meter.Budget {
	models, _ := x.models(s)
	for _, m := range models {
		if m.Spec.Endpoint != nil {
			return DefaultCeiling.Without(x.budget(s))
		}
	}
	return meter.Budget{}
}

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
				notes = append(notes, fmt.Sprintf("No endpoint %q was given, so the table has no rows for it.", m.Endpoint))
				continue
			}
			endpoint := s.Endpoints[at]
			m.Spec = llm.Spec{Kind: llm.KindEndpoint, Endpoint: &endpoint}
		}
		out = append(out, m)
	}
	return out, notes
}

// maker makes cells. It collects and hashes only once the files that several cells share.
type maker struct {
	x     *Experiment
	files []workspace.File
	trips *trips
	sets  map[string]fileSet
	// earlier selects the prompts of experiments without a wording.
	earlier bool
	// solvers has, by source, the solver that finds the examples of few-shot prompts.
	solvers map[string]*solver
}

// fileSet has the files of a run and a hash of them.
type fileSet struct {
	files []workspace.File
	stamp uint64
}

// set returns the file set with a name. It calls make only on the first use of the name.
func (k *maker) set(name string, make func() ([]workspace.File, error)) (fileSet, error) {
	if there, ok := k.sets[name]; ok {
		return there, nil
	}
	files, err := make()
	if err != nil {
		return fileSet{}, err
	}
	h := fnv.New64a()
	for _, f := range files {
		writeTexts(h, f.Name, f.Text)
	}
	k.sets[name] = fileSet{files, h.Sum64()}
	return k.sets[name], nil
}

// folder returns the files of a folder of the workspace, except files of questions: adding
// a question must not change the stamps of other cells.
func (k *maker) folder(folder string) fileSet {
	out, _ := k.set("folder "+folder, func() ([]workspace.File, error) {
		asked := func(f workspace.File) bool {
			return slices.ContainsFunc(k.x.Sources, func(s Source) bool { return s.Kind == SourceQuestions && s.Name == f.Name })
		}
		return within(slices.DeleteFunc(slices.Clone(k.files), asked), folder), nil
	})
	return out
}

// cell returns the cell of a task with a method, a model and a seed.
func (k *maker) cell(m Method, model Model, t task, seed uint64) (Cell, error) {
	c := Cell{Kind: m.Kind, task: t, endpoint: model.Spec.Endpoint}
	settings, set, err := k.inputs(&c, m, model)
	if err != nil {
		return c, err
	}
	c.Files = set.files
	if settings, c.ruled, err = k.x.ruled(settings, m, set.files); err != nil {
		return c, err
	}
	if c.Settings, err = json.Marshal(settings); err != nil {
		return c, err
	}
	c.Outcome = Outcome{
		Simulated: model.simulated(),
		Key:       strings.Join([]string{m.Name, model.Name, t.key(), strconv.FormatUint(seed, 10)}, " | "), Method: m.Name, Model: model.Name,
		Group: t.group, Task: t.title, Seed: seed, State: StateQueued, Measures: []Measure{},
	}
	c.Outcome.RunSeed = runSeed(c.Outcome.Key)
	h := fnv.New64a()
	writeTexts(h, c.Kind, c.Name, string(c.Settings), strconv.FormatUint(c.Outcome.RunSeed, 10), strconv.FormatUint(set.stamp, 16))
	writeTexts(h, t.expected(m)...)
	if m.Kind == MethodBaseline && c.Outcome.Simulated {
		writeTexts(h, "free") // results of models that knew valid plans are outdated
	}
	c.Outcome.Stamp = strconv.FormatUint(h.Sum64(), 16)
	return c, nil
}

// inputs returns the settings and the files of a cell's run, and sets the name of the file
// that it runs.
func (k *maker) inputs(c *Cell, m Method, model Model) (settings any, set fileSet, err error) {
	t := c.task
	switch m.Kind {
	case MethodPlan, MethodBaseline:
		if t.planned == nil {
			return k.tripInputs(c, m, model)
		}
		return k.planInputs(c, m, model)
	case MethodLearn:
		return k.learnInputs(c, m)
	case MethodMonitor:
		return k.monitorInputs(c, m, model)
	case MethodBenchmark:
		s := benchmarkSettings(m, model, t)
		s.Wording = k.wording(team.WordingNeutral)
		settings = s
		set, err = k.set("benchmark "+t.source.Name, func() ([]workspace.File, error) { return k.records(t.source), nil })
	case MethodTeam:
		var folder string
		folder, c.Name = cutFolder(m.Argument)
		s := teamSettings(m, model, t.question)
		s.Wording = k.wording(team.WordingNeutral)
		settings, set = s, k.folder(folder)
		_, err = k.set("team "+m.Argument, func() ([]workspace.File, error) { return nil, checkTeam(set.files, m.Argument, c.Name) })
	case MethodFormulate:
		return k.formulateInputs(c, m, model)
	}
	return settings, set, err
}

// tripInputs are the inputs of a plan of a trip, by the automaton of its query.
func (k *maker) tripInputs(c *Cell, m Method, model Model) (settings any, set fileSet, err error) {
	if c.trip, err = k.trips.of(c.task.at); err != nil {
		return nil, set, err
	}
	c.Name = travel.FlowFile
	settings = plan.Settings{Task: c.trip.query.Words(), Model: model.Spec, Template: plan.PaperTemplate, Naive: m.Naive, Attempts: m.Attempts, Otherwise: m.Otherwise, Beam: m.Beam, Score: m.Score}
	set, err = k.set("trip "+strconv.Itoa(c.task.at), func() ([]workspace.File, error) { return c.trip.files, nil })
	return settings, set, err
}

func (k *maker) planInputs(c *Cell, m Method, model Model) (settings any, set fileSet, err error) {
	t := c.task
	folder, _ := t.source.folderOf()
	c.Name = t.planned.Spec
	var shots []baseline.Shot
	if m.Kind == MethodBaseline && m.Argument == baseline.MethodFewShot {
		if shots, err = k.shots(t, folder); err != nil {
			return nil, set, err
		}
	}
	return planSettings(m, model, t.planned, shots), k.folder(folder), nil
}

func (k *maker) learnInputs(c *Cell, m Method) (settings any, set fileSet, err error) {
	t := c.task
	folder, _ := t.source.folderOf()
	s, err := k.solver(t, folder)
	if err != nil {
		return nil, set, err
	}
	c.Name = t.planned.Spec
	set, err = k.set("learn "+t.source.Name, func() ([]workspace.File, error) { return withTasks(k.files, k.folder(folder).files, t.source), nil })
	return learnSettings(m, t, s), set, err
}

func (k *maker) monitorInputs(c *Cell, m Method, model Model) (settings any, set fileSet, err error) {
	way := m.agentFor(c.task.group)
	folder, name := cutFolder(way)
	c.Name, set = name, k.folder(folder)
	if !slices.ContainsFunc(set.files, func(f workspace.File) bool { return f.Name == name }) {
		return nil, set, source.NewError("lab.agent", fmt.Sprintf("the workspace has no file %q with an agent", way))
	}
	settings = monitorSettings(m, model, c.task)
	if m.Shots != nil {
		files := set.files
		set, err = k.set(fmt.Sprintf("shots %d %s", *m.Shots, way), func() ([]workspace.File, error) {
			return withoutExamples(files, name, *m.Shots), nil
		})
	}
	return settings, set, err
}

func (k *maker) formulateInputs(c *Cell, m Method, model Model) (settings any, set fileSet, err error) {
	t := c.task
	knows := model.Spec.Kind != llm.KindEndpoint
	if t.local != nil {
		c.Name = t.local.folder + "/" + formulate.FileTask
		set, err = k.set(fmt.Sprintf("own %s %v", t.local.folder, knows), func() ([]workspace.File, error) { return t.local.files(k.files, knows), nil })
		s := t.local.settings(m, model)
		s.Wording = k.wording(formulate.WordingFull)
		return s, set, err
	}
	c.Name = t.problem.name + formulate.Ending + "/" + formulate.FileTask
	set, err = k.set(fmt.Sprintf("problem %s %d %v %v", t.problem.name, t.problem.index, knows, m.Example), func() ([]workspace.File, error) { return t.problem.files(knows, m.Example, k.earlier) })
	s := formulateSettings(m, model, t.problem)
	s.Wording = k.wording(formulate.WordingFull)
	return s, set, err
}

// wording returns the wording of the prompts of the experiment's runs: the current one, or "" for that of earlier experiments.
func (k *maker) wording(current string) string {
	if k.earlier {
		return ""
	}
	return current
}

// records returns the records of a benchmark under the names that its run expects.
func (k *maker) records(s Source) (out []workspace.File) {
	folder, _ := s.folderOf()
	for _, pair := range benchmarkFiles()[s.Name] {
		if f, ok := (workspace.Workspace{Files: k.folder(folder).files}).File(pair[0]); ok {
			out = append(out, workspace.File{Name: pair[1], Text: f.Text})
		}
	}
	return out
}

// expected returns the expected results of a task if only the judgement, not the run, uses them.
func (t task) expected(m Method) []string {
	switch {
	case t.local != nil && t.local.optimum != "":
		return []string{t.local.optimum}
	case m.Kind == MethodTeam:
		return []string{t.question.Answer}
	}
	return nil
}

// agentFor returns the agent's file for the tasks of a group.
func (m Method) agentFor(group string) string {
	for _, a := range m.Agents {
		if a.Group == group {
			return a.Agent
		}
	}
	return m.Argument
}

// writeTexts hashes texts with their lengths, so that different lists have different
// hashes.
func writeTexts(h io.Writer, texts ...string) {
	for _, text := range texts {
		fmt.Fprintf(h, "%d:%s", len(text), text)
	}
}

// runSeed derives the seed of a cell from its key, so that cells with the same seed draw
// different numbers. It fits in a JSON number.
func runSeed(key string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(key))
	return h.Sum64() >> 12
}

// solver returns the solver of a source of tasks, nil if its folder declares no tools.
func (k *maker) solver(t task, folder string) (*solver, error) {
	s, there := k.solvers[t.source.Name]
	if !there {
		list, err := t.source.read(workspace.Workspace{Files: k.files})
		if err != nil {
			return nil, err
		}
		s = newSolver(k.folder(folder).files, list)
		k.solvers[t.source.Name] = s
	}
	return s, nil
}

// shots returns the solved tasks of a few-shot prompt. Without any it returns an error: random
// valid plans would show the model what it is asked for.
func (k *maker) shots(t task, folder string) (shots []baseline.Shot, err error) {
	s, err := k.solver(t, folder)
	if err != nil {
		return nil, err
	}
	var asked []int
	for _, other := range k.x.Sources {
		if other.Name == t.source.Name {
			asked = append(asked, other.Pick...)
		}
	}
	if s != nil {
		shots, err = s.shots(t.at, asked)
	}
	if err == nil && len(shots) == 0 {
		err = source.NewError("lab.shots", fmt.Sprintf("few-shot needs solved tasks: no other task of %q has a best plan (with a goal, and tools in tools.json)", t.source.Name))
	}
	return shots, err
}

// travelSteps bounds the steps of a trip, planning and execution together, as in TravelPlanner
// (Xie et al. 2024) and PMC.
const travelSteps = 30
