package lab

import (
	"slices"
	"sort"
	"strings"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/plan/baseline"
	"github.com/stile-playground/stile/core/plan/checker"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/tool"
	"github.com/stile-playground/stile/core/workspace"
)

// The prompts of Formal-LLM's baselines (Li et al. 2024, appendix A.3), which name neither the
// tools nor the rules.
const (
	paperZeroShot = "Problem: {task}\nWhat is its solution? Use Step to mark."
	paperFewShot  = "{examples}\n\nProblem: {task}\nSolution:"
)

// maxShots is the number of solved tasks in a few-shot prompt.
const maxShots = 3

// maxTools bounds the tools of a best plan.
const maxTools = 8

// maxAlike bounds the partial plans with equal values and inputs. Two are kept, because they may use
// different tools.
const maxAlike = 2

// shotBudget bounds the work of one best plan.
var shotBudget = meter.Budget{Steps: 100_000_000, States: 1_000_000}

// solver finds the best plans of the tasks of a folder.
type solver struct {
	files    []workspace.File // of the folder
	tasks    []task
	tools    *tool.Set
	checkers map[string]*checker.Checker
	solved   map[int]*solved
	read     map[string][]string // the words of plans in words, nil if not valid, by spec and text
}

// solved is a task with its best plan: a short one that uses every input, and whose result has all
// wanted properties.
type solved struct {
	word  []string
	steps []string // in words
}

// newSolver returns the solver of a source of tasks, nil if its folder declares no tools.
func newSolver(files []workspace.File, tasks []task) *solver {
	w := workspace.Workspace{Files: files}
	f, ok := w.File("tools.json")
	if !ok {
		return nil
	}
	tools, found := tool.Parse(f.Source())
	if source.HasErrors(found) {
		return nil
	}
	return &solver{files: files, tasks: tasks, tools: tools, checkers: map[string]*checker.Checker{}, solved: map[int]*solved{}, read: map[string][]string{}}
}

// best returns the best plan of a task, nil if none is found.
func (s *solver) best(at int) (*solved, error) {
	if found, ok := s.solved[at]; ok {
		return found, nil
	}
	t := s.tasks[at].planned
	s.solved[at] = nil
	if t == nil || t.Goal == nil {
		return nil, nil
	}
	m := meter.New(shotBudget)
	c, err := s.checker(t.Spec, m)
	if c == nil || err != nil {
		return nil, err
	}
	for _, p := range s.search(t) {
		v, err := c.Check(strings.Join(p.word, " "), m)
		if err != nil {
			return nil, err
		}
		if !v.Valid {
			continue
		}
		out := &solved{word: v.Word}
		for _, step := range v.Steps {
			out.steps = append(out.steps, step.Text)
		}
		s.solved[at] = out
		break
	}
	return s.solved[at], nil
}

func (s *solver) checker(name string, m *meter.Meter) (*checker.Checker, error) {
	if c, ok := s.checkers[name]; ok {
		return c, nil
	}
	f, ok := workspace.Workspace{Files: s.files}.File(name)
	if !ok {
		return nil, nil
	}
	syntax, found := grammar.Parse(f.Source())
	g, more := grammar.Compile(syntax, "")
	if source.HasErrors(append(found, more...)) {
		return nil, nil
	}
	c, err := checker.New(g, g.DeclaredLimits(), m)
	s.checkers[name] = c
	return c, err
}

// partial is a plan of a part of a task.
type partial struct {
	word  []string // in prefix order
	value tool.Value
}

// uses reports whether two plans use a tool in common.
func (p partial) uses(tools []string, inputs map[string]tool.Value) bool {
	return slices.ContainsFunc(tools, func(name string) bool {
		_, given := inputs[name]
		return !given && slices.Contains(p.word, name)
	})
}

// search returns plans that meet a task's goal. Plans that use every input precede the others. No
// plan uses a tool twice.
func (s *solver) search(t *plannedTask) []partial {
	q := searching{goal: t.Goal, inputs: t.inputs(), alike: map[string]int{}}
	q.tools = s.tools.With(q.inputs)
	for name := range q.inputs {
		q.names = append(q.names, name)
	}
	sort.Strings(q.names)
	var given []partial
	for _, name := range q.names {
		given = append(given, partial{word: []string{name}, value: q.inputs[name]})
	}
	for q.levels = append(q.levels, given); len(q.levels) <= maxTools && !q.complete; {
		q.grow()
	}
	return q.met
}

// searching is a search through partial plans in the order of their number of tools.
type searching struct {
	tools    *tool.Set
	goal     *tool.Goal
	inputs   map[string]tool.Value
	names    []string // of the inputs
	levels   [][]partial
	alike    map[string]int // partial plans by value and inputs
	met      []partial
	complete bool // a plan that meets the goal uses every input
}

// grow adds the partial plans with one more tool.
func (q *searching) grow() {
	var level []partial
	n := len(q.levels)
	for _, name := range q.tools.Symbols() {
		takes, ok := q.tools.Takes(name)
		if _, given := q.inputs[name]; given || !ok {
			continue
		}
		switch len(takes) {
		case 1:
			for _, a := range q.levels[n-1] {
				level = q.add(level, name, takes, a)
			}
		case 2:
			for i := range n {
				for _, a := range q.levels[i] {
					for _, b := range q.levels[n-1-i] {
						level = q.add(level, name, takes, a, b)
					}
				}
			}
		}
	}
	q.levels = append(q.levels, level)
}

// add adds the plan that calls a tool with the results of args, if the tool accepts them and no tool
// is used twice.
func (q *searching) add(level []partial, name string, takes []string, args ...partial) []partial {
	p := partial{word: []string{name}}
	values := make([]tool.Value, len(args))
	for i, a := range args {
		if a.value.Type != takes[i] || a.uses(p.word, q.inputs) {
			return level
		}
		values[i] = a.value
		p.word = append(p.word, a.word...)
	}
	var err error
	if p.value, err = q.tools.Call(tool.Context{Count: 1}, name, values); err != nil {
		return level
	}
	marks := slices.Clone(p.value.Marks)
	sort.Strings(marks)
	key, all := p.value.Type+" "+strings.Join(marks, ","), true
	for _, input := range q.names {
		if slices.Contains(p.word, input) {
			key += " " + input
		} else {
			all = false
		}
	}
	if q.alike[key] >= maxAlike {
		return level
	}
	q.alike[key]++
	if q.goal.Met(p.value) {
		q.complete = q.complete || all
		if q.met = append(q.met, p); all {
			q.met = slices.Insert(q.met[:len(q.met)-1], 0, p)
		}
	}
	return append(level, p)
}

// effort estimates the number of steps that a task takes.
func (t *plannedTask) effort() int {
	n := 0
	for _, in := range t.Inputs {
		n += 1 + len(in.Marks)
	}
	if t.Goal != nil {
		n += len(t.Goal.Marks)
	}
	return n
}

// Shots returns solved tasks of a workspace for the few-shot prompt of a task, which is never among
// them; none if the workspace lacks tasks.json, tools.json or another task with a best plan.
func Shots(files []workspace.File, text string) ([]baseline.Shot, error) {
	w := workspace.Workspace{Files: files}
	if _, ok := w.File("tasks.json"); !ok {
		return nil, nil
	}
	tasks, err := Source{Kind: SourcePlans, Name: "tasks.json"}.read(w)
	tasks = append(tasks, task{title: text, planned: &plannedTask{Text: text}})
	s := newSolver(files, tasks)
	if s == nil || err != nil {
		return nil, err
	}
	return s.shots(slices.IndexFunc(tasks, func(t task) bool { return t.title == text }), nil)
}

// BestPlan returns a short plan of a task of a folder that uses every input and whose result has all
// wanted properties: its word, and its steps in words.
func BestPlan(files []workspace.File, folder string, at int) (word, steps []string, err error) {
	tasks, err := Source{Kind: SourcePlans, Name: folder}.read(workspace.Workspace{Files: files})
	if err != nil {
		return nil, nil, err
	}
	s := newSolver(within(files, folder), tasks)
	if s == nil || at < 0 || at >= len(tasks) {
		return nil, nil, source.NewError("lab.tasks", "the folder has no task with this number and tools")
	}
	best, err := s.best(at)
	if best == nil || err != nil {
		return nil, nil, err
	}
	return best.word, best.steps, nil
}
