package session

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/apibank"
	"github.com/stile-playground/stile/core/bench"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/monitor"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/team"
	"github.com/stile-playground/stile/core/tool"
	"github.com/stile-playground/stile/core/travel"
	"github.com/stile-playground/stile/core/workspace"
)

// RunBenchmark is the kind of run that solves the tasks of a benchmark by several methods and
// scores the results. Its workspace contains the records of the benchmark: travelplanner.json and
// travelplanner-queries.json, or apibank-level3.jsonl.
const RunBenchmark = "benchmark"

const travelQueriesFile = "travelplanner-queries.json"

// BenchmarkSettings are the settings of a benchmark run.
type BenchmarkSettings struct {
	// Methods are methods of package team. None: all but "act", and, without a model, those about which a
	// simulated model says nothing (see [team.ClaimsNothing]).
	Methods []string `json:"methods,omitempty"`
	Tasks   []int    `json:"tasks,omitempty"` // by index; none: all
	// Hints are for the team's deliverer, or for the agent of a method without a team, as in the paper. Without
	// a wording, they follow the task, so that every member of the team reads them.
	Hints []string `json:"hints,omitempty"`
	// Wording is that of the team's prompts, as in [team.Settings].
	Wording string `json:"wording,omitempty"`
	// Bare leaves out the constraints that TravelPlanner's team adds to the query, for every
	// method: the models have to find them, as in the papers.
	Bare bool `json:"bare,omitempty"`
	// Steps bounds the steps of all members together: calls of tools and answers. 0: only each
	// executor has a limit.
	Steps int `json:"steps,omitempty"`
	// Passed lets the supervisor pass results on unchanged, as the paper's does on API-Bank, instead
	// of rewriting sub-tasks with them.
	Passed bool `json:"passed,omitempty"`
	// Model is the model of the run. Without one a simulated model that knows the solutions
	// performs each task. Mistakes is its probability of a mistake in the graph, in each part and in
	// the answer, for every method.
	Model    *llm.Spec    `json:"model,omitempty"`
	Mistakes float64      `json:"slips,omitempty"`
	Budget   meter.Budget `json:"budget,omitzero"`
}

func (s BenchmarkSettings) check() error {
	known := append(slices.Clone(benchmarkMethods), team.MethodAct)
	for _, m := range s.Methods {
		if !slices.Contains(known, m) {
			return source.NewError("benchmark.settings", fmt.Sprintf("unknown method %q (expected %s)", m, strings.Join(known, ", ")))
		}
	}
	if s.Wording != "" && s.Wording != team.WordingNeutral {
		return source.NewError("benchmark.settings", fmt.Sprintf("unknown wording %q (expected %s)", s.Wording, team.WordingNeutral))
	}
	if s.Steps < 0 {
		return source.NewError("benchmark.settings", "steps out of range (expected 0 or more)")
	}
	if s.Mistakes < 0 || s.Mistakes > 1 {
		return source.NewError("benchmark.settings", "fault rate out of range (expected 0 to 1)")
	}
	if s.Model != nil {
		return s.Model.Check()
	}
	return nil
}

var benchmarkMethods = []string{team.MethodTeam, team.MethodReAct, team.MethodCoT, team.MethodSole}

// methods returns the methods to run, without the silent ones by default. It returns an error for a method
// that is requested and silent. Runs that were recorded without a wording have all methods.
func (s BenchmarkSettings) methods(c contest) ([]string, error) {
	_, apibank := c.(*apibankContest)
	silent := func(m string) bool { return s.Model == nil && s.Wording != "" && team.ClaimsNothing(m, apibank) }
	if len(s.Methods) == 0 {
		return slices.DeleteFunc(slices.Clone(benchmarkMethods), silent), nil
	}
	for _, m := range s.Methods {
		if silent(m) {
			return nil, source.NewError("benchmark.settings", fmt.Sprintf("a simulated model says nothing about the method %q here; use an endpoint, or leave the method out", m))
		}
	}
	return s.Methods, nil
}

// BenchmarkRow is the intermediate result of a method.
type BenchmarkRow struct {
	Method           string           `json:"method"`
	Tasks            int              `json:"tasks"`
	Scores           []BenchmarkScore `json:"scores"`
	Calls            int              `json:"calls"` // of models
	ToolCalls        int              `json:"toolCalls"`
	PromptTokens     int              `json:"promptTokens"`
	CompletionTokens int              `json:"completionTokens"`
	Milliseconds     int              `json:"milliseconds"`
	Money            float64          `json:"money"`
	// Simulated is set for a model that is no language model.
	Simulated bool `json:"simulated,omitempty"`
}

// BenchmarkScore is the value of a measure of the benchmark.
type BenchmarkScore struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`        // a share or a number
	Share bool    `json:"share"`        // Value is a share
	Of    string  `json:"of,omitempty"` // "3 of 5"
	Count int     `json:"count,omitempty"`
	Total int     `json:"total,omitempty"`
}

// BenchmarkTask is the result of a task for a method.
type BenchmarkTask struct {
	Method string   `json:"method"`
	Task   int      `json:"task"`
	Pass   bool     `json:"pass"`
	Said   string   `json:"said"`
	Asked  []string `json:"asked"`  // relevant constraints
	Failed []string `json:"failed"` // violated ones of Asked
}

// BenchmarkEvent is the event of a completed task, with the row of its method.
type BenchmarkEvent struct {
	Kind   string       `json:"kind"` // "benchmark.row"
	Row    BenchmarkRow `json:"row"`
	Task   int          `json:"task"` // its index
	Title  string       `json:"title"`
	Pass   bool         `json:"pass"`   // the task is solved without a fault
	Said   string       `json:"said"`   // the result in words
	Answer string       `json:"answer"` // the delivered answer
}

// BenchmarkDone is the final event, with the complete table.
type BenchmarkDone struct {
	Kind string         `json:"kind"` // "benchmark.done"
	Rows []BenchmarkRow `json:"rows"`
	// Tasks are in the order of completion.
	Tasks []BenchmarkTask `json:"tasks"`
}

func benchmarkEvents() []any {
	return []any{BenchmarkEvent{Kind: "benchmark.row"}, BenchmarkDone{Kind: "benchmark.done"}}
}

// contest is the interface of a benchmark for a run.
type contest interface {
	count() int
	title(task int) string
	// stage returns the team of a task, its scripted answers, the request and the tools.
	stage(task int, method string) (stage, error)
	// judge scores the delivered answer of a task.
	judge(task int, made played) (pass bool, said string)
	// checks returns the relevant constraints of the last scored task, and those that failed.
	checks() (asked, failed []string)
	// scores returns the scores of all tasks scored since begin.
	scores() []BenchmarkScore
	begin()
}

// stage is the setup of a task.
type stage struct {
	text      string // of the team file
	task      string
	rehearsal bench.Rehearsal
	tools     []tool.Callable
	search    bool // the first tool finds the others
}

// played is the result of a method for a task.
type played struct {
	method string
	answer string
	calls  []apibank.Made // of tools, if recorded
	fault  string         // the reason for a missing answer
}

func benchmarkBody(w project, _ workspace.File, raw json.RawMessage) (process.Func, error) {
	var settings BenchmarkSettings
	if err := decodeParams(raw, &settings); err != nil {
		return nil, err
	}
	if err := settings.check(); err != nil {
		return nil, err
	}
	c, err := openContest(w.Workspace, settings.Bare)
	if err != nil {
		return nil, err
	}
	tasks := settings.Tasks
	if len(tasks) == 0 {
		for i := range c.count() {
			tasks = append(tasks, i)
		}
	}
	for _, i := range tasks {
		if i < 0 || i >= c.count() {
			return nil, source.NewError("benchmark.settings", fmt.Sprintf("unknown task %d (the benchmark has %d tasks)", i, c.count()))
		}
	}
	methods, err := settings.methods(c)
	if err != nil {
		return nil, err
	}
	return func(env *process.Env) (any, error) {
		done := BenchmarkDone{Kind: "benchmark.done", Rows: []BenchmarkRow{}, Tasks: []BenchmarkTask{}}
		var spent team.Spent
		for _, method := range methods {
			row := BenchmarkRow{Method: method, Scores: []BenchmarkScore{}, Simulated: settings.Model == nil || settings.Model.Kind != llm.KindEndpoint}
			c.begin()
			for _, i := range tasks {
				if err := settings.Budget.Afford(spent.Calls, spent.Usage.Prompt+spent.Usage.Completion, spent.Money); err != nil {
					return nil, err
				}
				made, s, err := playContest(env, c, i, method, settings)
				if err != nil {
					return nil, err
				}
				spent.Calls += s.Calls
				spent.Usage.Prompt += s.Usage.Prompt
				spent.Usage.Completion += s.Usage.Completion
				spent.Money += s.Money
				e := BenchmarkEvent{Kind: "benchmark.row", Task: i, Title: c.title(i), Answer: made.answer}
				e.Pass, e.Said = c.judge(i, made)
				if made.fault != "" {
					e.Said = made.fault
				}
				asked, failed := c.checks()
				done.Tasks = append(done.Tasks, BenchmarkTask{method, i, e.Pass, e.Said, orEmpty(asked), orEmpty(failed)})
				row.Tasks++
				row.Scores = c.scores()
				row.Calls += s.Calls
				row.ToolCalls += s.ToolCalls
				row.PromptTokens += s.Usage.Prompt
				row.CompletionTokens += s.Usage.Completion
				row.Milliseconds += s.Milliseconds
				row.Money += s.Money
				e.Row = row
				env.Emit(e)
			}
			done.Rows = append(done.Rows, row)
		}
		env.Emit(done)
		return done, nil
	}, nil
}

// modelFaults are the codes of a model's failures, which are results: it has no answer.
var modelFaults = []string{"monitor.refused", "monitor.environment", "monitor.repeats", llm.CodeRefused, "limit.states"}

// playContest runs a task by a method. An error of the team is a result, too.
func playContest(env *process.Env, c contest, task int, method string, settings BenchmarkSettings) (made played, spent team.Spent, err error) {
	made.method = method
	st, err := c.stage(task, method)
	if err != nil {
		return made, spent, err
	}
	f := source.NewFile("benchmark.team", st.text)
	spec, found := team.Parse(f)
	if source.HasErrors(found) {
		return made, spent, notation.Invalid(f, found)
	}
	var hints []string
	if settings.Wording != "" {
		hints = settings.Hints
	} else {
		for _, hint := range settings.Hints {
			st.task += "\n" + hint
		}
	}
	s := team.Settings{Task: st.task, Hints: hints, Wording: settings.Wording, Method: method, Known: st.rehearsal.Known, TotalSteps: settings.Steps, Environment: monitor.EnvironmentTools, Model: llm.Spec{Kind: llm.KindFirst}}
	if settings.Passed {
		s.Supervisor = team.SupervisorPass
	}
	setup := team.Setup{Setup: monitor.Setup{Tools: recording(st.tools, st.search, &made.calls)}}
	if settings.Model != nil {
		s.Model = *settings.Model
	} else {
		setup.Play = newPlayer(st.rehearsal, settings.Mistakes, method).play
	}
	calls, tokens := env.Meter().Spent(meter.Calls), env.Meter().Spent(meter.Tokens)
	env.Quiet(true)
	result, err := team.Problem{Spec: spec, Setup: setup}.Run(env, s)
	env.Quiet(false)
	var fault *source.Error
	switch {
	case err == nil:
		made.answer, spent = result.Answer, result.Spent
	case errors.As(err, &fault) && (strings.HasPrefix(fault.Code(), "team.") || slices.Contains(modelFaults, fault.Code())):
		// There is no result with the usage, so read the meter.
		made.fault, err = fault.Error(), nil
		spent.Calls, spent.Usage.Prompt = int(env.Meter().Spent(meter.Calls)-calls), int(env.Meter().Spent(meter.Tokens)-tokens)
	}
	return made, spent, err
}

// openContest returns the benchmark in the workspace.
func openContest(w workspace.Workspace, bare bool) (contest, error) {
	if sim, err := workspaceApibank(w); err != nil || sim != nil {
		return &apibankContest{sim: sim}, err
	}
	db, err := workspaceTravel(w)
	if err != nil {
		return nil, err
	}
	queries, ok := w.File(travelQueriesFile)
	if db == nil || !ok {
		return nil, source.NewError("benchmark.records", fmt.Sprintf("missing records of a benchmark: add %s with %s, or %s", travelFile, travelQueriesFile, apibankFile))
	}
	trips, err := travel.ParseSamples(queries.Text)
	return &travelContest{db: db, trips: trips, bare: bare}, err
}
