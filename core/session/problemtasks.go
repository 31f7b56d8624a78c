package session

import (
	"strings"

	"github.com/stile-playground/stile/core/domains"
	"github.com/stile-playground/stile/core/formulate"
	"github.com/stile-playground/stile/core/json"
)

func problemMethods() []Method {
	return []Method{
		pure("problem.tasks", problemTasks),
		pure("problem.files", problemFiles),
		pure("problem.judge", problemJudge),
	}
}

// ProblemTasksParams are one of LLMFP's nine domains by its name, and its data set. The
// site has these under gallery/llmfp/.
type ProblemTasksParams struct {
	Domain string `json:"domain"`
	Text   string `json:"text"`
}

// ProblemTasksResult has the queries of a data set. Base is the cost of the plan of the
// unmodified problem, if the data set has it.
type ProblemTasksResult struct {
	Title     string        `json:"title"`
	Steps     bool          `json:"steps"` // the domain's plans have steps
	Base      string        `json:"base"`
	Notations []string      `json:"notations"` // the notations of our formulations
	Tasks     []ProblemTask `json:"tasks"`
}

// ProblemTask is a query with its outcome.
type ProblemTask struct {
	Index    int    `json:"index"`
	Question string `json:"question"`
	Kind     string `json:"kind"`    // the kind of the question, as the data set names it
	Status   string `json:"status"`  // "solved" or "infeasible"
	Optimum  string `json:"optimum"` // the optimal cost, or the number of steps of a shortest plan
}

func problemTasks(p ProblemTasksParams) (ProblemTasksResult, error) {
	set, err := domains.Open(p.Domain, p.Text)
	if err != nil {
		return ProblemTasksResult{}, err
	}
	out := ProblemTasksResult{Title: set.Title(), Steps: set.Steps(), Base: set.Base(), Notations: []string{domains.NotationSMT, domains.NotationLP}, Tasks: []ProblemTask{}}
	if out.Steps {
		out.Notations = []string{domains.NotationPDDL}
	}
	for _, q := range set.Queries() {
		out.Tasks = append(out.Tasks, problemTask(q))
	}
	return out, nil
}

func problemTask(q domains.Query) ProblemTask {
	status := formulate.StatusSolved
	if q.Infeasible() {
		status = formulate.StatusInfeasible
	}
	return ProblemTask{q.Index, q.Question, q.Kind, status, q.Optimum}
}

// ProblemFilesParams are a data set, the index of a query in it, and the notation of our
// formulation: "" is SMT-LIB, or PDDL for plans with steps.
type ProblemFilesParams struct {
	Domain   string `json:"domain"`
	Text     string `json:"text"`
	Index    int    `json:"index"`
	Notation string `json:"notation,omitempty"`
}

// ProblemFilesResult is the folder of a problem: its inputs, and our formulation in the
// files of the stages. Name is the file to open; Task is the query with its outcome.
type ProblemFilesResult struct {
	Folder string      `json:"folder"`
	Files  []File      `json:"files"`
	Name   string      `json:"name"`
	Task   ProblemTask `json:"task"`
}

func problemFiles(p ProblemFilesParams) (ProblemFilesResult, error) {
	set, err := domains.Open(p.Domain, p.Text)
	if err != nil {
		return ProblemFilesResult{}, err
	}
	instance, err := set.Formulation(p.Index, p.Notation)
	if err != nil {
		return ProblemFilesResult{}, err
	}
	folder := p.Domain + formulate.Ending
	out := ProblemFilesResult{Folder: folder, Name: folder + "/" + formulate.FileTask, Task: problemTask(instance.Query)}
	for _, f := range instance.Files {
		out.Files = append(out.Files, File{Name: folder + "/" + f.Name, Text: f.Text})
	}
	return out, nil
}

// ProblemJudgeParams are a data set, the index of a query in it, and an outcome: a status
// as a run reports it, the claimed cost of the plan, and the plan in the format of the
// problem's output.json, or as steps.
type ProblemJudgeParams struct {
	Domain    string          `json:"domain"`
	Text      string          `json:"text"`
	Index     int             `json:"index"`
	Status    string          `json:"status"`
	Objective string          `json:"objective,omitempty"`
	Answer    json.RawMessage `json:"answer,omitempty"`
	Plan      []string        `json:"plan,omitempty"`
}

// ProblemJudgeResult compares the outcome with the data set. If a plan is given, its
// actual cost is compared, not the claimed one.
type ProblemJudgeResult struct {
	Right    bool        `json:"right"`
	Reason   string      `json:"reason"`
	Planned  bool        `json:"planned"`  // the outcome has a plan
	Feasible bool        `json:"feasible"` // the plan is executable
	Cost     string      `json:"cost"`     // its cost, or its number of steps
	Faults   []string    `json:"faults"`
	Task     ProblemTask `json:"task"`
}

func problemJudge(p ProblemJudgeParams) (ProblemJudgeResult, error) {
	set, err := domains.Open(p.Domain, p.Text)
	if err != nil {
		return ProblemJudgeResult{}, err
	}
	outcome := domains.Outcome{Infeasible: p.Status == formulate.StatusInfeasible}
	switch p.Status {
	case formulate.StatusSolved, formulate.StatusFeasible, formulate.StatusUnchecked, formulate.StatusInfeasible, "":
		outcome.Objective, outcome.Answer = p.Objective, string(p.Answer)
		if len(p.Plan) > 0 {
			outcome.Answer = strings.Join(p.Plan, "\n")
		}
	}
	j, err := set.Judge(p.Index, outcome)
	if err != nil {
		return ProblemJudgeResult{}, err
	}
	out := ProblemJudgeResult{Right: j.Right, Reason: j.Reason, Planned: j.Plan.Given, Feasible: j.Plan.Feasible, Cost: j.Plan.Cost, Faults: orEmpty(j.Plan.Faults)}
	for _, q := range set.Queries() {
		if q.Index == p.Index {
			out.Task = problemTask(q)
		}
	}
	return out, nil
}
