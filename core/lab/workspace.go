package lab

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/domains"
	"github.com/stile-playground/stile/core/formulate"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/monitor"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/sexpr"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/team"
	"github.com/stile-playground/stile/core/workspace"
)

// Problems and teams of the workspace. Their results are not known in advance, so the
// measures are only the solver's status of a problem, a team's own constraints on its answer,
// and the agreement with the expected result, if the experiment or the question states one.

// teamEnding is the ending of a team's file.
const teamEnding = ".team"

// teamName returns the default name of a team: its file without the ending.
func teamName(way string) string {
	_, file := cutFolder(way)
	return strings.TrimSuffix(file, teamEnding)
}

// teamForm is an example of a team in an experiment.
const teamForm = `(team "plaque/plaque.team")`

// optimumNone is the optimum of a problem without a plan.
const optimumNone = formulate.StatusInfeasible

type localProblem struct {
	folder   string
	notation string // of its formulation
	optimum  string // see [Source]
}

// isLocal reports whether a source is a problem of the workspace.
func (s Source) isLocal() bool {
	return s.Kind == SourceProblems && strings.HasSuffix(s.Name, formulate.Ending)
}

// optimum reads (:optimum 154), (:optimum 7/2) or (:optimum infeasible).
func (p *parser) optimum(n *sexpr.Node) string {
	if len(n.Items) == 2 && n.Items[1].Kind == sexpr.KindAtom {
		if word := n.Items[1].Text; word == optimumNone || strings.Trim(word, "-+.0123456789/eE") == "" && domains.Same(word, word) {
			return word
		}
	}
	p.report(n.Blame(), "lab.optimum", "expected the cost of the best plan, such as (:optimum 154) or (:optimum 7/2), or the number of steps of a plan with steps; if there is no plan, write (:optimum "+optimumNone+")")
	return ""
}

// problemFolders returns the folders of the problems of a workspace, in the order of its files.
func problemFolders(files []workspace.File) (out []string) {
	for _, f := range files {
		if folder := formulate.Folder(f.Name); folder != "" && !slices.Contains(out, folder) {
			out = append(out, folder)
		}
	}
	return out
}

// readLocal returns the task of a problem of the workspace: its query.
func (s Source) readLocal(w workspace.Workspace) ([]task, error) {
	folders := problemFolders(w.Files)
	if !slices.Contains(folders, s.Name) {
		return nil, absent("lab.problem", fmt.Sprintf("the workspace has no problem %q, which is a folder with %s and %s", s.Name, formulate.FileTask, formulate.FileQuery), s.Name, folders)
	}
	p, err := formulate.Open(s.Name+"/"+formulate.FileTask, func(name string) (string, bool) {
		f, ok := w.File(name)
		return f.Text, ok
	})
	if err != nil {
		return nil, err
	}
	group := strings.TrimSuffix(s.Name[strings.LastIndexByte(s.Name, '/')+1:], formulate.Ending)
	return []task{{title: strings.Join(strings.Fields(p.Query), " "), group: group, local: &localProblem{s.Name, p.Notation(), s.Optimum}}}, nil
}

// files returns the files of the problem: its formulation if the model is simulated, and
// the grammars and formulas next to its folder, which check plans with steps.
func (p *localProblem) files(all []workspace.File, simulated bool) (out []workspace.File) {
	notations := language.Table()
	parent := p.folder[:strings.LastIndexByte(p.folder, '/')+1]
	for _, f := range all {
		rest, within := strings.CutPrefix(f.Name, p.folder+"/")
		switch {
		case within:
			if given := slices.Contains(givenFiles, rest); !given && (!simulated || rest == formulate.FileAssessment) {
				continue
			}
		case !strings.HasPrefix(f.Name, parent) || strings.Contains(f.Name[len(parent):], "/"):
			continue
		default:
			if row := notations.Of(f.Name); !row.Starts(notation.RunPlan) && row.Properties == nil {
				continue
			}
		}
		out = append(out, workspace.File{Name: f.Name, Text: f.Text})
	}
	return out
}

// settings returns the settings of a run that answers the query.
func (p *localProblem) settings(m Method, model Model) formulate.Settings {
	s := formulate.Settings{Model: model.Spec, Method: m.Argument, Example: m.Example, Notation: p.notation}
	leaveOut(&s, m)
	return s
}

// judge measures the result of a run. A plan that no solver has checked, such as a
// baseline's, counts as neither right nor wrong, because its cost and feasibility are
// unknown.
func (p *localProblem) judge(r *formulate.Result, out *Outcome, priced bool) []Measure {
	found, solved := r.Status == formulate.StatusInfeasible, r.Status == formulate.StatusSolved
	feasible := r.Status == formulate.StatusFeasible
	list := []Measure{yes("valid", solved || feasible || found), yes("solved", solved)}
	cost, steps := r.Objective, ""
	if r.Steps != nil {
		cost, steps = strconv.Itoa(len(r.Steps.Plan)), " steps"
	}
	// A solution with an objective is optimal, one without is as good as any other, and an
	// infeasible problem has none. An unproven solution is optimal only if it equals the
	// known optimum.
	if !found && !(solved && cost == "") {
		known := feasible && p.optimum != "" && domains.Same(cost, p.optimum)
		list = append(list, yes("optimal", known || solved && (r.Steps == nil || r.Steps.Optimal)))
	}
	held := 0
	for _, c := range r.Checks {
		if c.Holds {
			held++
		}
	}
	if len(r.Checks) > 0 {
		list = append(list, Measure{"checks", float64(held), float64(len(r.Checks))})
	}
	out.Reason = reasonOf(r, cost, steps)
	switch {
	case r.Status == formulate.StatusUnchecked:
		out.Reason = "the answer is the model's own and no solver has checked it: it counts as neither right nor wrong"
	case p.optimum != "":
		right, why := p.score(r, cost, steps, held == len(r.Checks))
		list = append(list, yes("score", right))
		out.Reason += why
	}
	return append(append(list, number("rounds", float64(r.Rounds)), number("solves", float64(r.Spent.Solves))), stagesOf(r, priced)...)
}

// score reports whether a checked result is the one that the experiment expects, and the
// reason; holds reports that the result satisfies the further conditions of the problem.
func (p *localProblem) score(r *formulate.Result, cost, steps string, holds bool) (right bool, why string) {
	planned := r.Status == formulate.StatusSolved || r.Status == formulate.StatusFeasible
	switch {
	case p.optimum == optimumNone && planned:
		return false, "; the experiment expects no plan"
	case p.optimum == optimumNone:
		return r.Status == formulate.StatusInfeasible, ""
	case planned && !holds:
		return false, ", and violates a further condition of the problem"
	case planned && domains.Same(cost, p.optimum):
		return true, ", as the experiment expects"
	}
	return false, "; the experiment expects an optimum of " + p.optimum + steps
}

// costs returns the predicate of a sentence about a plan with a cost. The argument steps is " steps"
// if the cost is the number of steps, otherwise "".
func costs(cost, steps string) string {
	if steps != "" {
		return "has " + cost + steps
	}
	return "costs " + cost
}

// reasonOf returns the outcome of a run as a sentence.
func reasonOf(r *formulate.Result, cost, steps string) string {
	switch {
	case r.Status == formulate.StatusSolved && cost != "":
		return "the best plan " + costs(cost, steps)
	case r.Status == formulate.StatusFeasible && cost != "":
		return "the plan " + costs(cost, steps) + "; " + r.Message
	case r.Status == formulate.StatusSolved:
		return "a plan exists"
	case r.Status == formulate.StatusInfeasible:
		return "no plan exists"
	case r.Message != "":
		return r.Message
	}
	return r.Status
}

// failed returns the measures of a run without a result.
func (p *localProblem) failed() []Measure {
	list := []Measure{yes("valid", false), yes("solved", false), yes("optimal", false)}
	if p.optimum != "" {
		list = append(list, yes("score", false))
	}
	return list
}

// teamSettings returns the settings of a run in which a team of the workspace answers a
// question. Simulated people call no tools.
func teamSettings(m Method, model Model, q *Question) team.Settings {
	s := team.Settings{Task: q.Question, Model: model.Spec, Method: m.As}
	if model.Spec.Kind != llm.KindEndpoint {
		s.Environment = monitor.EnvironmentSimulated
	}
	return s
}

// checkTeam returns the first error in a team's file.
func checkTeam(files []workspace.File, way, name string) error {
	file, ok := (workspace.Workspace{Files: files}).File(name)
	if !ok {
		return noFile("lab.team", way, "a team", namesOf(files, strings.TrimSuffix(way, name), teamEnding))
	}
	f := file.Source()
	_, found := team.Parse(f)
	for _, d := range found {
		if d.Severity == source.SeverityError {
			return source.NewError("lab.team", fmt.Sprintf("%s, line %d: %s", way, f.Locate(d.Span.Start).Line, d.Message))
		}
	}
	return nil
}

// judgeTeam measures the result of a team's run. The score is known if the question has an
// answer and the model is an endpoint: simulated people repeat the answers of their
// prompts.
func (c Cell) judgeTeam(made process.NestedResult) ([]Measure, error) {
	answer := strings.TrimSpace(c.task.question.Answer)
	known := answer != "" && c.endpoint != nil
	if made.Err != nil {
		list := []Measure{yes("valid", false)}
		if known {
			list = append(list, yes("score", false))
		}
		return list, nil
	}
	var r team.Result
	if err := json.Unmarshal(made.Result, &r); err != nil {
		return nil, err
	}
	list := []Measure{yes("valid", r.Valid)}
	if known {
		list = append(list, yes("score", monitor.SameAnswer(monitor.Conclusion(r.Answer), answer)))
	}
	if len(r.Subtasks) > 0 {
		done := 0
		for _, s := range r.Subtasks {
			if s.State == team.StateDone {
				done++
			}
		}
		list = append(list, Measure{"sub-tasks", float64(done), float64(len(r.Subtasks))})
	}
	return append(list, number("violations", float64(len(r.Violations))), number("tool-calls", float64(r.Spent.ToolCalls))), nil
}

// absent returns the error for an unknown name, with a suggestion.
func absent(code, message, name string, candidates []string) error {
	if near := source.Nearest(name, candidates); near != "" {
		message += fmt.Sprintf("; did you mean %q?", near)
	} else if n := len(candidates); n > 0 && n <= 5 {
		message += "; it has " + listed(candidates)
	}
	return source.NewError(code, message)
}

// noFile returns the error for a missing file, with its expected contents.
func noFile(code, name, what string, candidates []string) error {
	return absent(code, fmt.Sprintf("the workspace has no file %q with %s", name, what), name, candidates)
}

// namesOf returns the names of the files with an ending, each preceded by before.
func namesOf(files []workspace.File, before, ending string) (out []string) {
	for _, f := range files {
		if strings.HasSuffix(f.Name, ending) {
			out = append(out, before+f.Name)
		}
	}
	return out
}

// CheckFiles reports faults of the files that an experiment names, at their names. It
// ignores folders that the workspace lacks: they are examples of the gallery that have to
// be added (see [Experiment.Needs]).
func (x *Experiment) CheckFiles(files []workspace.File) (found []source.Diagnostic) {
	w := workspace.Workspace{Files: files}
	report := func(span source.Span, code, message string) {
		found = append(found, source.Diagnostic{Code: code, Span: span, Message: message})
	}
	there := func(name string) bool {
		folder, _ := cutFolder(name)
		return hasFolder(files, folder)
	}
	file := func(name, ending, what string, span source.Span) bool {
		if _, ok := w.File(name); ok || !there(name) {
			return ok
		}
		report(span, "lab.file", noFile("lab.file", name, what, namesOf(files, "", ending)).Error())
		return false
	}
	for _, s := range x.Sources {
		switch {
		case s.isLocal() && there(s.Name):
			if _, err := s.readLocal(w); err != nil {
				report(s.NameSpan, "lab.problem", err.Error())
			}
		case s.Kind == SourceQuestions:
			file(s.Name, ".jsonl", "questions", s.NameSpan)
		case s.Kind == SourcePlans && strings.HasSuffix(s.Name, ".json"):
			file(s.Name, ".json", "tasks", s.NameSpan)
		}
	}
	found = append(found, x.checkRules(files)...)
	for _, m := range x.Methods {
		switch m.Kind {
		case MethodMonitor:
			file(m.Argument, ".agent", "an agent", m.ArgumentSpan)
			for _, a := range m.Agents {
				file(a.Agent, ".agent", "an agent", a.Span)
			}
		case MethodTeam:
			if file(m.Argument, teamEnding, "a team", m.ArgumentSpan) {
				if err := checkTeam(files, m.Argument, m.Argument); err != nil {
					report(m.ArgumentSpan, "lab.team", err.Error())
				}
			}
		}
	}
	return found
}
