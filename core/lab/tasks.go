package lab

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/domains"
	"github.com/stile-playground/stile/core/formulate"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/monitor"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/tool"
	"github.com/stile-playground/stile/core/workspace"
)

type task struct {
	source   Source
	at       int    // index in the source
	title    string // the text for a person
	group    string
	planned  *plannedTask
	question *Question
	problem  *problemTask
	local    *localProblem
}

type plannedTask struct {
	ID     int          `json:"id"`
	Text   string       `json:"text"`
	Class  string       `json:"class"`
	Spec   string       `json:"spec"`
	Kind   string       `json:"kind"`
	Inputs []givenInput `json:"inputs"`
	Goal   *tool.Goal   `json:"goal"`
}

// givenInput is the value of a symbol.
type givenInput struct {
	Symbol string   `json:"symbol"`
	Type   string   `json:"type"`
	Text   string   `json:"text"`
	Marks  []string `json:"marks"`
}

// Question is a question with its answer and the steps to it.
type Question struct {
	Group    string                  `json:"group"`
	Question string                  `json:"question"`
	Answer   string                  `json:"answer"`
	Steps    []monitor.RehearsedStep `json:"steps"`
	Final    string                  `json:"final"`
}

// problemTask is a query of a domain.
type problemTask struct {
	set   *domains.Set
	index int // of the query in the set
	name  string
}

// key returns the task's key: source and index. Problems have their index in the data set,
// whatever kind of query is picked.
func (t task) key() string {
	if t.problem != nil {
		return t.problem.name + " " + strconv.Itoa(t.problem.index)
	}
	return t.source.Name + " " + strconv.Itoa(t.at)
}

// problemFolder is the folder of the domains' data sets.
const problemFolder = "llmfp"

// givenFiles are the files of a problem that are not part of its formulation.
var givenFiles = []string{formulate.FileTask, formulate.FileData, formulate.FileAPI, formulate.FileQuery, formulate.FileOutput, formulate.FileExample}

// files returns the files of the query's problem. Simulated models get the reference
// formulation; other models do not. If example is true, the files include another query as an example.
// If earlier is true, the form of the answer is that of experiments without a wording.
func (p *problemTask) files(simulated, example, earlier bool) ([]workspace.File, error) {
	instance, err := p.set.Formulation(p.index, "")
	if err != nil {
		return nil, err
	}
	form := ""
	if earlier {
		if form, err = p.set.EarlierForm(p.index); err != nil {
			return nil, err
		}
	}
	var out []workspace.File
	for _, f := range instance.Files {
		if f.Name == formulate.FileOutput && form != "" {
			f.Text = form
		}
		if simulated || slices.Contains(givenFiles, f.Name) {
			out = append(out, workspace.File{Name: p.name + formulate.Ending + "/" + f.Name, Text: f.Text})
		}
	}
	if example {
		text, err := p.set.Example(p.index)
		if err != nil {
			return nil, err
		}
		if text == "" {
			return nil, source.NewError("lab.example", fmt.Sprintf("query %d of %s has no example: no other query is of its kind", p.index, p.name))
		}
		out = append(out, workspace.File{Name: p.name + formulate.Ending + "/" + formulate.FileExample, Text: text})
	}
	return out, nil
}

// folderOf returns the folder of a source and the file in it.
func (s Source) folderOf() (folder, file string) {
	switch s.Kind {
	case SourcePlans:
		if strings.HasSuffix(s.Name, ".json") { // a file of tasks
			return cutFolder(s.Name)
		}
		return s.Name, "tasks.json"
	case SourceBenchmark:
		return s.Name, ""
	case SourceProblems:
		if s.isLocal() {
			return cutFolder(s.Name)
		}
		return problemFolder, ""
	}
	return cutFolder(s.Name)
}

// hasFolder reports whether a workspace has files in a folder; every workspace has folder
// "".
func hasFolder(files []workspace.File, folder string) bool {
	return folder == "" || slices.ContainsFunc(files, func(f workspace.File) bool { return strings.HasPrefix(f.Name, folder+"/") })
}

// Needs returns the folders that an experiment uses and the workspace lacks, without
// duplicates. They are examples of the gallery that must be added.
func (x *Experiment) Needs(files []workspace.File) []string {
	var out []string
	need := func(folder string) {
		if !hasFolder(files, folder) && !slices.Contains(out, folder) {
			out = append(out, folder)
		}
	}
	for _, s := range x.Sources {
		folder, _ := s.folderOf()
		need(folder)
	}
	for _, m := range x.Methods {
		if m.Kind == MethodPlan && slices.ContainsFunc(x.Sources, func(s Source) bool { return s.Kind == SourceBenchmark && m.does(s) }) {
			need(tripFolder)
		}
		if m.Kind == MethodTeam {
			folder, _ := cutFolder(m.Argument)
			need(folder)
		}
		if m.Kind == MethodMonitor {
			agents := []string{m.Argument}
			for _, a := range m.Agents {
				agents = append(agents, a.Agent)
			}
			for _, name := range agents {
				folder, _ := cutFolder(name)
				need(folder)
			}
		}
	}
	return out
}

// within returns the files of a folder without its name; of folder "", the files without a
// folder. It leaves out files that no run needs: other tasks, problems and notes.
func within(files []workspace.File, folder string) []workspace.File {
	var out []workspace.File
	for _, f := range files {
		name := f.Name
		if folder != "" {
			rest, ok := strings.CutPrefix(name, folder+"/")
			if !ok {
				continue
			}
			name = rest
		}
		fellow := name == "tasks.json" || name == "README.md" || workspace.KindOf(name) == workspace.KindLab || formulate.Folder(name) != ""
		if !fellow && !strings.HasSuffix(name, resultsEnding) {
			out = append(out, workspace.File{Name: name, Text: f.Text})
		}
	}
	return out
}

// tasks reads the tasks of all sources, at most the given number of each, and the groups of
// all picked tasks.
func (x *Experiment) tasks(files []workspace.File, most int) (out []task, groups []string, err error) {
	for _, s := range x.Sources {
		list, err := s.read(workspace.Workspace{Files: files})
		if err != nil {
			return nil, nil, x.at(s.Span, err)
		}
		pick := s.Pick
		if len(pick) == 0 {
			for i := range list {
				pick = append(pick, i)
			}
		}
		if s.First > 0 && len(pick) > s.First {
			pick = pick[:s.First]
		}
		if len(pick) == 0 {
			return nil, nil, x.at(s.Span, source.NewError("lab.tasks", "no matching tasks in "+s.Name))
		}
		for i, at := range pick {
			if at >= len(list) {
				return nil, nil, x.at(s.Span, source.NewError("lab.tasks", fmt.Sprintf("unknown task %d of %s: it has %d tasks, numbered from 0", at, s.Name, len(list))))
			}
			t := list[at]
			t.source, t.at = s, at
			if s.Group != "" {
				t.group = s.Group
			}
			if !slices.Contains(groups, t.group) {
				groups = append(groups, t.group)
			}
			if most <= 0 || i < most {
				out = append(out, t)
			}
		}
	}
	return out, groups, nil
}

func (s Source) read(w workspace.Workspace) ([]task, error) {
	folder, name := s.folderOf()
	switch {
	case s.Kind == SourceBenchmark:
		return readBenchmark(w, folder)
	case s.isLocal():
		return s.readLocal(w)
	case s.Kind == SourceProblems:
		return s.readProblems(w)
	}
	if folder != "" && s.Kind == SourcePlans {
		name = folder + "/" + name
	} else if s.Kind != SourcePlans {
		name = s.Name
	}
	file, ok := w.File(name)
	if !ok {
		return nil, source.NewError("lab.tasks", fmt.Sprintf("the workspace has no file %q with tasks", name))
	}
	var out []task
	switch s.Kind {
	case SourcePlans:
		var list struct {
			Tasks []plannedTask `json:"tasks"`
		}
		if err := json.Unmarshal([]byte(file.Text), &list); err != nil {
			return nil, source.NewError("lab.tasks", fmt.Sprintf("%s is not a list of tasks: %s", name, err))
		}
		for _, t := range list.Tasks {
			group := t.Kind
			if group == "" {
				group = t.Class
			}
			out = append(out, task{title: t.Text, group: group, planned: &t})
		}
	case SourceQuestions:
		return lines(file, func(q Question) task { return task{title: q.Question, group: q.Group, question: &q} })
	}
	return out, nil
}

// readProblems returns the queries of a domain, of one kind if given.
func (s Source) readProblems(w workspace.Workspace) ([]task, error) {
	var text string
	for _, ending := range []string{".json", ".jsonl"} {
		if f, ok := w.File(problemFolder + "/" + s.Name + ending); ok {
			text = f.Text
		}
	}
	if text == "" {
		return nil, source.NewError("lab.tasks", fmt.Sprintf("the workspace has no data of %s in the folder %s", s.Name, problemFolder))
	}
	set, err := domains.Open(s.Name, text)
	if err != nil {
		return nil, err
	}
	var out []task
	for _, q := range set.Queries() {
		if s.Of != "" && q.Kind != s.Of {
			continue
		}
		group := set.Title()
		if s.Of != "" {
			group = s.Of
		}
		out = append(out, task{title: q.Question, group: group, problem: &problemTask{set, q.Index, s.Name}})
	}
	return out, nil
}

// lines reads a file with a JSON object per line.
func lines[T any](file workspace.File, f func(T) task) (out []task, err error) {
	at := 0
	for line := range strings.Lines(file.Text) {
		at++
		if strings.TrimSpace(line) == "" {
			continue
		}
		var value T
		if err := json.Unmarshal([]byte(line), &value); err != nil {
			return nil, source.NewError("lab.tasks", fmt.Sprintf("%s, line %d: %s", file.Name, at, err))
		}
		out = append(out, f(value))
	}
	return out, nil
}

// The files of a benchmark, in the gallery and in the workspace of a run.
func benchmarkFiles() map[string][][2]string {
	return map[string][][2]string{
		"travelplanner": {{"data.json", "travelplanner.json"}, {"queries.json", "travelplanner-queries.json"}},
		"apibank":       {{"level3.jsonl", "apibank-level3.jsonl"}},
	}
}

// readBenchmark returns the tasks of a benchmark, grouped by difficulty if known.
func readBenchmark(w workspace.Workspace, name string) ([]task, error) {
	var out []task
	pairs := benchmarkFiles()[name]
	last := name + "/" + pairs[len(pairs)-1][0]
	file, ok := w.File(last)
	if !ok {
		return nil, source.NewError("lab.tasks", fmt.Sprintf("the workspace has no file %q with tasks", last))
	}
	if name == "apibank" {
		type record struct {
			Requirement string `json:"requirement"`
		}
		return lines(file, func(r record) task { return task{title: r.Requirement, group: "level 3"} })
	}
	var trips []struct {
		Query string `json:"query"`
		Level string `json:"level"`
	}
	if err := json.Unmarshal([]byte(file.Text), &trips); err != nil {
		return nil, source.NewError("lab.tasks", fmt.Sprintf("%s is not a list of queries: %s", last, err))
	}
	for _, t := range trips {
		out = append(out, task{title: t.Query, group: t.Level})
	}
	return out, nil
}
