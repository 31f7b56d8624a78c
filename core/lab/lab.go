// Package lab runs experiments: it does the same tasks with several methods, models and
// seeds, and shows the results as a table.
//
// An experiment is a file of a workspace:
//
//	(experiment openagi
//	  (:title "Valid plans with and without an automaton")
//	  (:tasks (plans "openagi-tasks" (:pick 0 15 105)))
//	  (:methods (baseline zero-shot) (plan))
//	  (:models (simulated rambler 0.5) (endpoint "gpt-4"))
//	  (:seeds 1 2 3)
//	  (:columns ("% valid" valid) ("Task 1" score (:of "Task 1")))
//	  (:budget (calls 200) (money 0.5))
//	  (:concurrent 4)
//	  (:reference
//	    (table "Formal-LLM, table 1" (row "zero-shot" "GPT-4" 53% 0.0))))
//
// A cell is a task with a method, a model and a seed. Each cell is one run of the
// session with its own seed and log, so that it can be opened and replayed alone
// (process.Env.Nest). A failed cell is a result with a reason. Earlier results can be
// passed in; only the missing cells are run.
//
// Shares have Wilson intervals (1927) and means Student's, because neither needs random
// numbers, so a table is the same on every machine. The intervals treat cells as
// independent. Cells of the same task with different seeds are not independent, so the true
// intervals are slightly wider.
package lab

import (
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/sexpr"
	"github.com/stile-playground/stile/core/source"
)

// Limits of an experiment. They are far above those of the papers, and low enough to stop
// an experiment that was made endless by mistake.
const (
	MaxCells      = 20_000
	MaxConcurrent = 32
	MaxColumns    = 60
	MaxSources    = 100   // sources of tasks
	MaxMethods    = 100   // methods, and also models
	MaxSeeds      = 1_000 // in a list of seeds
	MaxReferences = 2_000 // rows of published tables
)

// DefaultConcurrent is the default number of cells that run at a time.
const DefaultConcurrent = 4

// Experiment is a parsed file.
type Experiment struct {
	File     *source.File
	Name     string
	NameSpan source.Span
	Title    string
	Note     string // differences from the paper
	Sources  []Source
	Methods  []Method
	Models   []Model
	Seeds    []uint64
	Columns  []Column
	Across   string // "methods": the table has a column for each method and model; "groups": also one for each group of its columns
	Budget   meter.Budget
	// Concurrent bounds the cells that run at a time, and the requests in flight to each
	// endpoint.
	Concurrent int
	References []Reference

	tree     *sexpr.File
	defined  bool
	warnings []string // notes in every table
}

// The kinds of sources.
const (
	SourcePlans     = "plans"     // a folder with tasks.json, specs and tools, or the file of tasks itself
	SourceQuestions = "questions" // a file of questions with answers, an object per line
	SourceBenchmark = "benchmark" // travelplanner or apibank
	SourceProblems  = "problems"  // queries of one of LLMFP's domains, or a problem of the workspace
)

// Source is a source of tasks.
type Source struct {
	Kind  string
	Name  string
	Pick  []int  // indices of tasks; none: all
	First int    // the maximum number of tasks; 0: all
	Group string // replaces the groups of the tasks
	Of    string // of a domain: the kind of query in the data set; "": all
	// Optimum is the cost of the best plan of a problem of the workspace, or the number of
	// steps of the shortest one. It is "infeasible" if no plan exists, and "" if unknown.
	Optimum  string
	Span     source.Span
	NameSpan source.Span
}

// The kinds of methods.
const (
	MethodPlan      = "plan"      // the planner of Formal-LLM
	MethodBaseline  = "baseline"  // a plan in free text
	MethodMonitor   = "monitor"   // an agent under a monitor
	MethodBenchmark = "benchmark" // a team, or a method it is compared with, on a benchmark
	MethodFormulate = "formulate" // LLMFP, or a method it is compared with
	MethodLearn     = "learn"     // a small policy that learns from the rewards of its plans, instead of a model
	MethodTeam      = "team"      // a team of the workspace, or one executor with all its tools
)

// Method is a way to do tasks.
type Method struct {
	Kind string
	// Name is the name of its row, which published rows refer to.
	Name string
	// Argument follows the kind: a word such as "zero-shot", or the file of an agent or a team.
	Argument string
	Only     []string // groups of its tasks; none: all possible ones
	// Options by name.
	Naive        bool
	Otherwise    string
	Hints        []string
	PaperPrompt  bool // of a baseline: the prompt of Formal-LLM's appendix
	Checked      bool // of a benchmark: the team has its written constraints
	EachSteps    bool // of a benchmark: each executor has the limit of steps, instead of all members together
	Forced       bool
	Samples      int
	Then         string
	Thens        []GroupAgent // instead of Then
	Keep         string
	Loops        int
	Shots        *int
	Without      []string
	Example      bool
	Rounds       *int // of self-assessment; nil: the default
	Epochs       int  // of a training; 0: the default
	Agents       []GroupAgent
	Beam         int    // width of a beam search; 0: none
	Score        string // of the beam: one of the Score constants of package plan; "": its default
	Attempts     int
	As           string // of a team: a method of package team that replaces it
	Rules        string // the effect of the rules about data: "enforced" or "observed"; "": observed if a column measures them
	Span         source.Span
	ArgumentSpan source.Span // of the file
}

// GroupAgent is the agent for the tasks of a group.
type GroupAgent struct {
	Group, Agent string
	Span         source.Span // of the agent's name
}

// Model is a model of an experiment.
type Model struct {
	Name     string
	Spec     llm.Spec
	Endpoint string // the name of an endpoint in the settings
	Only     []string
	Span     source.Span
}

// simulated reports whether the model runs without an endpoint.
func (m Model) simulated() bool { return m.Endpoint == "" && m.Spec.Kind != llm.KindEndpoint }

// Column is a measure of the table, over all tasks or those of a group.
type Column struct {
	Title   string   `json:"title"`
	Measure string   `json:"measure"`
	Of      []string `json:"of,omitempty"`  // groups of tasks; none: all
	Sum     bool     `json:"sum,omitempty"` // the sum over all cells instead of the mean

	span source.Span // of the measure
}

// Reference is a published table.
type Reference struct {
	Title  string
	Source string
	Rows   []ReferenceRow
	Span   source.Span
}

// ReferenceRow is a row of a [Reference]: figures in the order of the columns, nil for a column
// without a figure.
type ReferenceRow struct {
	Method, Model string
	Values        []*Figure
}

// Figure is a published number, 0.53 or 53%.
type Figure struct {
	Value float64
	Share bool // it was written as a percentage
}

// Settings of a run of an experiment.
type Settings struct {
	// Models replace the models of the experiment.
	Models []NamedModel `json:"models,omitempty"`
	// Endpoints are the experiment's endpoints by name.
	Endpoints  []llm.Endpoint `json:"endpoints,omitempty"`
	Seeds      []uint64       `json:"seeds,omitempty"`
	Tasks      int            `json:"tasks,omitempty"` // the maximum number of tasks per source; 0: all
	Budget     *meter.Budget  `json:"budget,omitempty"`
	Concurrent int            `json:"concurrent,omitempty"` // cells, and requests per endpoint, at a time; 0: as in the experiment
	// Earlier are known results, whose cells are not run again.
	Earlier []Outcome `json:"earlier,omitempty"`
	// Without has the names of the properties to omit because they cannot be judged.
	Without []string `json:"without,omitempty"`
	// Wording is that of the prompts of teams, benchmarks and problems, one of the Wording constants; "": WordingCurrent.
	Wording string `json:"wording,omitempty"`
}

// The wordings of prompts.
const (
	WordingCurrent = "current"
	WordingEarlier = "earlier" // of experiments that were recorded before their settings had a wording
)

// NamedModel is a model with the name of its rows.
type NamedModel struct {
	Name string   `json:"name"`
	Spec llm.Spec `json:"spec"`
}

// The states of a cell.
const (
	StateQueued  = "queued"
	StateRunning = "running"
	StateDone    = "done"
	StateFailed  = "failed" // nothing can be measured, for the reason in Reason
)

// Outcome is the result of a cell.
type Outcome struct {
	Key     string `json:"key"`   // method, model, task and seed
	Stamp   string `json:"stamp"` // a hash of everything that the run depends on
	Method  string `json:"method"`
	Model   string `json:"model"`
	Group   string `json:"group"`
	Task    string `json:"task"`
	Seed    uint64 `json:"seed"`    // of the experiment
	RunSeed uint64 `json:"runSeed"` // of the cell, derived from seed and key
	State   string `json:"state"`   // one of the State constants
	// Simulated is set for a model without an endpoint, whose figures say nothing about language models.
	Simulated bool      `json:"simulated,omitempty"`
	Reason    string    `json:"reason"`
	Measures  []Measure `json:"measures"`
	// Answers are the recorded answers of the cell's run, which is replayed from them and the
	// result of lab.open.
	Answers []process.Answer `json:"answers,omitempty"`
}

// Measure is a figure of a cell: the share Count/Of or, if Of is 0, the number Count.
type Measure struct {
	Name  string  `json:"name"`
	Count float64 `json:"count"`
	Of    float64 `json:"of,omitempty"`
}

// CellEvent reports the new state of a cell.
type CellEvent struct {
	Kind    string  `json:"kind"` // "lab.cell"
	Cell    int     `json:"cell"` // from 0
	Of      int     `json:"of"`
	Known   bool    `json:"known"` // an earlier result
	Outcome Outcome `json:"outcome"`
}

// TableEvent reports the table so far. The last event of a run has the complete table.
type TableEvent struct {
	Kind  string `json:"kind"` // "lab.table"
	Table Table  `json:"table"`
	Spent Spent  `json:"spent"`
	// Stopped is the reason why cells were not run, or "".
	Stopped string `json:"stopped"`
}

// Spent is the cost of the cells that were run, without earlier results.
type Spent struct {
	Cells  int     `json:"cells"`
	Calls  int     `json:"calls"`
	Tokens int     `json:"tokens"`
	Money  float64 `json:"money"`
}

// Result is the outcome of a run, with its cost.
type Result struct {
	Table    Table     `json:"table"`
	Outcomes []Outcome `json:"outcomes"`
	Spent    Spent     `json:"spent"`
	Stopped  string    `json:"stopped"`
}
