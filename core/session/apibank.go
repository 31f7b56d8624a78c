package session

import (
	"github.com/stile-playground/stile/core/apibank"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
)

func apibankMethods() []Method {
	return []Method{
		pure("apibank.tasks", apibankTasks), pure("apibank.call", apibankCall), pure("apibank.score", apibankScore),
		pure("apibank.judge", apibankJudge), pure("apibank.team", apibankTeam),
	}
}

// Reserved file names of a workspace: the tasks, whose recorded calls become tools of teams, and
// the task of a team, for the display of a run.
const (
	apibankFile     = "apibank-level3.jsonl"
	apibankTaskFile = "apibank-task.json"
)

// workspaceApibank returns the tools with recorded calls in the workspace, or nil.
func workspaceApibank(w workspace.Workspace) (*apibank.Simulator, error) {
	file, ok := w.File(apibankFile)
	if !ok {
		return nil, nil
	}
	return openApibank(file.Text)
}

func openApibank(text string) (*apibank.Simulator, error) {
	tasks, err := apibank.ReadTasks(text)
	if err != nil {
		return nil, err
	}
	return apibank.NewSimulator(tasks), nil
}

// ApibankTasksParams are tasks of level 3 of API-Bank, one JSON object per line. The site serves
// the tasks of the benchmark at gallery/apibank/level3.jsonl.
type ApibankTasksParams struct {
	Tasks string `json:"tasks"`
}

// ApibankTasksResult lists the tasks with their gold calls, and the tools that a search can
// return.
type ApibankTasksResult struct {
	Tasks []ApibankTask   `json:"tasks"`
	Tools []BenchmarkTool `json:"tools"`
}

// ApibankTask is a task: the requirement, the reference answer, and the gold calls.
type ApibankTask struct {
	Sample      int             `json:"sample"`
	Requirement string          `json:"requirement"`
	Response    string          `json:"response"`
	Calls       []ApibankCalled `json:"calls"`
}

func apibankTasks(p ApibankTasksParams) (ApibankTasksResult, error) {
	sim, err := openApibank(p.Tasks)
	if err != nil {
		return ApibankTasksResult{}, err
	}
	out := ApibankTasksResult{Tasks: []ApibankTask{}, Tools: []BenchmarkTool{}}
	for _, t := range sim.Tasks() {
		task := ApibankTask{Sample: t.Sample, Requirement: t.Requirement, Response: t.Response, Calls: []ApibankCalled{}}
		for _, g := range t.Calls {
			c := g.Call()
			task.Calls = append(task.Calls, ApibankCalled{c, c.String(), apibank.Outcome{Output: g.Output, Exception: g.Exception}})
		}
		out.Tasks = append(out.Tasks, task)
	}
	for _, c := range sim.Tools() {
		out.Tools = append(out.Tools, BenchmarkTool{c.Name(), c.Description(), c.Schema()})
	}
	return out, nil
}

// ApibankCallParams are tasks as in apibank.tasks, and an answer that contains calls.
type ApibankCallParams struct {
	Tasks string `json:"tasks"`
	Text  string `json:"text"`
}

// ApibankCallResult lists the outcome of each call, and diagnostics for malformed calls.
type ApibankCallResult struct {
	Calls       []ApibankCalled `json:"calls"`
	Diagnostics []Diagnostic    `json:"diagnostics"`
}

// ApibankCalled is a call, its text and its outcome.
type ApibankCalled struct {
	Call    apibank.Call    `json:"call"`
	Text    string          `json:"text"`
	Outcome apibank.Outcome `json:"outcome"`
}

func apibankCall(p ApibankCallParams) (ApibankCallResult, error) {
	sim, err := openApibank(p.Tasks)
	if err != nil {
		return ApibankCallResult{}, err
	}
	calls, found := apibank.FindCalls(p.Text)
	out := ApibankCallResult{Calls: []ApibankCalled{}, Diagnostics: wireDiagnostics(source.NewFile("answer", p.Text), found)}
	for _, c := range calls {
		out.Calls = append(out.Calls, ApibankCalled{c, c.String(), sim.Do(c)})
	}
	return out, nil
}

// ApibankScoreParams are tasks as in apibank.tasks, and the transcripts of agents.
type ApibankScoreParams struct {
	Tasks       string               `json:"tasks"`
	Transcripts []apibank.Transcript `json:"transcripts"`
}

// ApibankScoreResult has the measures of PMC and of the benchmark, for each task and in total.
type ApibankScoreResult struct {
	Scores apibank.Scores `json:"scores"`
}

func apibankScore(p ApibankScoreParams) (ApibankScoreResult, error) {
	sim, err := openApibank(p.Tasks)
	if err != nil {
		return ApibankScoreResult{}, err
	}
	scores, err := sim.Score(p.Transcripts)
	return ApibankScoreResult{Scores: scores}, err
}

// ApibankJudgeParams are tasks as in apibank.tasks, the number of one task, its calls (in a text,
// or as recorded by a run), and the answer.
type ApibankJudgeParams struct {
	Tasks    string         `json:"tasks"`
	Sample   int            `json:"sample"`
	Text     string         `json:"text,omitempty"`
	Calls    []apibank.Made `json:"calls,omitempty"` // instead of the text
	Response string         `json:"response"`
}

// ApibankJudgeResult has the outcome of each call and the measures of the task. Diagnostics report
// malformed calls in the text.
type ApibankJudgeResult struct {
	Scores      apibank.TaskScores `json:"scores"`
	Diagnostics []Diagnostic       `json:"diagnostics"`
}

func apibankJudge(p ApibankJudgeParams) (ApibankJudgeResult, error) {
	sim, err := openApibank(p.Tasks)
	if err != nil {
		return ApibankJudgeResult{}, err
	}
	made, found := p.made()
	scores, err := sim.Judge(apibank.Transcript{Sample: p.Sample, Calls: made, Response: p.Response})
	return ApibankJudgeResult{Scores: scores, Diagnostics: found}, err
}

// made returns the calls of the parameters, with their outcomes.
func (p ApibankJudgeParams) made() ([]apibank.Made, []Diagnostic) {
	if len(p.Calls) > 0 {
		return p.Calls, []Diagnostic{}
	}
	made, found := apibank.MadeIn(p.Text)
	return made, wireDiagnostics(source.NewFile("calls", p.Text), found)
}

func apibankTeam(p ApibankJudgeParams) (BenchmarkTeamResult, error) {
	sim, err := openApibank(p.Tasks)
	if err != nil {
		return BenchmarkTeamResult{}, err
	}
	task, err := sim.Task(p.Sample)
	if err != nil {
		return BenchmarkTeamResult{}, err
	}
	made, found := p.made()
	return benchmarkTeam("api.team", apibankTaskFile, sim.Transcript(task, made, p.Response), found), nil
}
