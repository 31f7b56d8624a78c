package lab

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/domains"
	"github.com/stile-playground/stile/core/formulate"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/monitor"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/sexpr"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/team"
	"github.com/stile-playground/stile/core/workspace"
)

// Problems and teams of the workspace itself. Nobody has worked out beforehand what they
// come to, so that only what can be counted is: what the solver says of a problem, what the
// team's own constraints say of its answer, and whether that is what the experiment, or the
// question, says it ought to be, where one of them does.

// teamEnding is what the name of a team's file ends with.
const teamEnding = ".team"

// teamName is what a team is called that has no other name: its file, without the ending.
func teamName(way string) string {
	_, file := cutFolder(way)
	return strings.TrimSuffix(file, teamEnding)
}

// teamForm is how a team is written.
const teamForm = `(team "plaque/plaque.team")`

// optimumNone is written where a problem has no plan.
const optimumNone = formulate.StatusInfeasible

// ownProblem is a problem of the workspace.
type ownProblem struct {
	folder   string
	notation string // that of its formulation
	optimum  string // as [Source] has it
}

// own reports whether a source is a problem of the workspace.
func (s Source) own() bool {
	return s.Kind == SourceProblems && strings.HasSuffix(s.Name, formulate.Ending)
}

// optimum reads (:optimum 154), (:optimum 7/2) or (:optimum infeasible).
func (p *parser) optimum(n *sexpr.Node) string {
	if len(n.Items) == 2 && n.Items[1].Kind == sexpr.KindAtom {
		if word := n.Items[1].Text; word == optimumNone || strings.Trim(word, "-+.0123456789/eE") == "" && domains.Same(word, word) {
			return word
		}
	}
	p.report(n.Blame(), "lab.optimum", "what the best plan costs is a number, (:optimum 154) or (:optimum 7/2), and of a plan with steps how many it has; where there is none it is (:optimum "+optimumNone+")")
	return ""
}

// problemFolders are the problems of a workspace, in its order.
func problemFolders(files []workspace.File) (out []string) {
	for _, f := range files {
		if folder := formulate.Folder(f.Name); folder != "" && !slices.Contains(out, folder) {
			out = append(out, folder)
		}
	}
	return out
}

// readOwn returns the one task that a problem of the workspace is: its query.
func (s Source) readOwn(w workspace.Workspace) ([]task, error) {
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
	return []task{{title: strings.Join(strings.Fields(p.Query), " "), group: group, own: &ownProblem{s.Name, p.Notation(), s.Optimum}}}, nil
}

// files are those of the problem, with its formulation where the model is simulated and
// knows nothing else, and the grammars and formulas beside its folder, against which plans
// with steps are checked.
func (p *ownProblem) files(all []workspace.File, simulated bool) (out []workspace.File) {
	beside := p.folder[:strings.LastIndexByte(p.folder, '/')+1]
	for _, f := range all {
		rest, within := strings.CutPrefix(f.Name, p.folder+"/")
		switch {
		case within:
			if given := slices.Contains(givenFiles, rest); !given && (!simulated || rest == formulate.FileAssessment) {
				continue
			}
		case !strings.HasPrefix(f.Name, beside) || strings.Contains(f.Name[len(beside):], "/"):
			continue
		case !slices.Contains([]workspace.Kind{workspace.KindGrammar, workspace.KindPushdown, workspace.KindFlow, workspace.KindFormulas}, workspace.KindOf(f.Name)):
			continue
		}
		out = append(out, workspace.File{Name: f.Name, Text: f.Text})
	}
	return out
}

// settings are those of a run that answers its query.
func (p *ownProblem) settings(m Method, model Model) formulate.Settings {
	s := formulate.Settings{Model: model.Spec, Method: m.Way, Example: m.Example, Notation: p.notation}
	leaveOut(&s, m)
	return s
}

// judge measures what a run came to. A plan that no solver has seen, such as a baseline's,
// is neither right nor wrong: nobody knows what it costs, or whether it can be carried out.
func (p *ownProblem) judge(r *formulate.Result, out *Outcome) []Measure {
	found, solved := r.Status == formulate.StatusInfeasible, r.Status == formulate.StatusSolved
	feasible := r.Status == formulate.StatusFeasible
	list := []Measure{yes("valid", solved || feasible || found), yes("solved", solved)}
	cost, steps := r.Objective, ""
	if r.Steps != nil {
		cost, steps = strconv.Itoa(len(r.Steps.Plan)), " steps"
	}
	// Of values that are solved for, what has an objective is the best; what has none is as
	// good as any other, and where there is no plan none is the best.
	// What is not proven to be the best is so only where the experiment knows what the best is.
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
	switch {
	case solved && cost != "":
		out.Reason = "the best plan is of " + cost + steps
	case feasible && cost != "":
		out.Reason = "the plan is of " + cost + "; " + r.Message
	case solved:
		out.Reason = "there is a plan"
	case found:
		out.Reason = "there is no plan"
	default:
		out.Reason = r.Status
		if r.Message != "" {
			out.Reason = r.Message
		}
	}
	switch {
	case r.Status == formulate.StatusUnchecked:
		out.Reason = "the answer is the model's own, which no solver has seen: it is neither right nor wrong"
	case p.optimum == "":
	case p.optimum == optimumNone:
		list = append(list, yes("score", found))
		if solved || feasible {
			out.Reason += "; the experiment says that there is none"
		}
	default:
		right := (solved || feasible) && domains.Same(cost, p.optimum) && held == len(r.Checks)
		list = append(list, yes("score", right))
		switch {
		case right:
			out.Reason += ", as the experiment says"
		case (solved || feasible) && held < len(r.Checks):
			out.Reason += ", and breaks what has to hold beside the problem"
		default:
			out.Reason += "; the experiment says that the best is of " + p.optimum + steps
		}
	}
	return append(list, number("rounds", float64(r.Rounds)), number("solves", float64(r.Spent.Solves)))
}

// failed are the measures of a run that came to nothing.
func (p *ownProblem) failed() []Measure {
	list := []Measure{yes("valid", false), yes("solved", false), yes("optimal", false)}
	if p.optimum != "" {
		list = append(list, yes("score", false))
	}
	return list
}

// teamSettings are those of a run in which a team of the workspace answers a question.
// People who are simulated call no tools.
func teamSettings(m Method, model Model, q *Question) team.Settings {
	s := team.Settings{Task: q.Question, Model: model.Spec, Method: m.As}
	if model.Spec.Kind != llm.KindEndpoint {
		s.Environment = monitor.EnvironmentSimulated
	}
	return s
}

// checkTeam says what is wrong with the file of a team, in the files of its folder.
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

// judgeTeam measures what a team's run came to. Whether the answer is right is told where
// the question says what it is and somebody was asked who could know it: simulated people
// repeat what they were told.
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

// absent is the error of a name that nothing in the workspace has, with the one that may
// be meant.
func absent(code, message, name string, candidates []string) error {
	if near := source.Nearest(name, candidates); near != "" {
		message += fmt.Sprintf("; did you mean %q?", near)
	} else if n := len(candidates); n > 0 && n <= 5 {
		message += "; it has " + listed(candidates)
	}
	return source.NewError(code, message)
}

// noFile is the error of a file that the workspace does not have, with what was to be in it.
func noFile(code, name, what string, candidates []string) error {
	return absent(code, fmt.Sprintf("the workspace has no file %q with %s", name, what), name, candidates)
}

// namesOf are the names of files that end so, with what is put before them.
func namesOf(files []workspace.File, before, ending string) (out []string) {
	for _, f := range files {
		if strings.HasSuffix(f.Name, ending) {
			out = append(out, before+f.Name)
		}
	}
	return out
}

// CheckFiles says what is wrong with the files of the workspace that an experiment names,
// at their names. Of a folder that the workspace does not have nothing is said: it is an
// example of the gallery, which is still to be laid there (see [Experiment.Needs]).
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
		case s.own() && there(s.Name):
			if _, err := s.readOwn(w); err != nil {
				report(s.NameSpan, "lab.problem", err.Error())
			}
		case s.Kind == SourceQuestions:
			file(s.Name, ".jsonl", "questions", s.NameSpan)
		case s.Kind == SourcePlans && strings.HasSuffix(s.Name, ".json"):
			file(s.Name, ".json", "tasks", s.NameSpan)
		}
	}
	for _, m := range x.Methods {
		switch m.Kind {
		case MethodMonitor:
			file(m.Way, ".agent", "an agent", m.WaySpan)
			for _, a := range m.Agents {
				file(a.Agent, ".agent", "an agent", a.Span)
			}
		case MethodTeam:
			if file(m.Way, teamEnding, "a team", m.WaySpan) {
				if err := checkTeam(files, m.Way, m.Way); err != nil {
					report(m.WaySpan, "lab.team", err.Error())
				}
			}
		}
	}
	return found
}
