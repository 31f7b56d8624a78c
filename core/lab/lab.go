// Package lab runs experiments: the same tasks by several methods, with several models
// and seeds, and what they come to as a table.
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
// Each cell, which is a task by a method with a model and a seed, is one run of a kind
// that the session has, with its own seed and its own log, so that it can be opened and
// replayed by itself (process.Env.Nest). A cell that fails is a result with its reason.
// Results that are already there are handed in, and only what is missing is run.
//
// Why shares have intervals of Wilson (1927) and means those of Student: both can be had
// without drawing samples, so that a table is the same on every machine. They are about
// the cells; where the same task is done with several seeds, cells are more alike than
// independent ones, and the truth is a little wider.
package lab

import (
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/plan"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/sexpr"
	"github.com/stile-playground/stile/core/source"
)

// Limits of an experiment. They are far above what the papers did, and low enough that
// one cannot be written by mistake which never ends.
const (
	MaxCells      = 20_000
	MaxConcurrent = 32
	MaxColumns    = 60
	MaxSources    = 100   // of tasks
	MaxMethods    = 100   // and so many models
	MaxSeeds      = 1_000 // that are written out
	MaxReferences = 2_000 // rows of published tables
)

// DefaultConcurrent is how many cells are run at a time where an experiment does not say.
const DefaultConcurrent = 4

// Experiment is a file that was read.
type Experiment struct {
	File     *source.File
	Name     string
	NameSpan source.Span
	Title    string
	Note     string // what is otherwise than in the paper
	Sources  []Source
	Methods  []Method
	Models   []Model
	Seeds    []uint64
	Columns  []Column
	Across   string // "methods": the table has a column for each method and model; "groups": and for each group of its columns
	Budget   plan.Budget
	// Concurrent is how many cells are run at a time, and how many requests are under way
	// at most at each endpoint, whatever a cell does at once.
	Concurrent int
	References []Reference

	tree     *sexpr.File
	defined  bool
	warnings []string // notes of every table
}

// Kinds of sources of tasks.
const (
	SourcePlans     = "plans"     // a folder with tasks.json, specs and tools, or the file of tasks itself
	SourceQuestions = "questions" // a file of questions with their answers, an object a line
	SourceBenchmark = "benchmark" // travelplanner or apibank
	SourceProblems  = "problems"  // queries of one of LLMFP's domains, or a problem of the workspace
)

// Source is where tasks come from.
type Source struct {
	Kind  string
	Name  string
	Pick  []int  // tasks by their places; none: all
	First int    // at most so many; 0: all
	Group string // that they are counted in, in the place of their own
	Of    string // of a domain: the kind of query, as the data set calls it; "": all
	// Optimum is what the best plan of a problem of the workspace costs, or how many steps
	// the shortest has, "infeasible" where there is none; "": it is not said.
	Optimum  string
	Span     source.Span
	NameSpan source.Span
}

// Kinds of methods.
const (
	MethodPlan      = "plan"      // the planner of Formal-LLM
	MethodBaseline  = "baseline"  // a plan in free text
	MethodMonitor   = "monitor"   // an agent under a monitor
	MethodBenchmark = "benchmark" // a team, or one of its rivals, on a benchmark
	MethodFormulate = "formulate" // LLMFP, or one of its rivals
	MethodTeam      = "team"      // a team of the workspace, or its people's tools in one hand
)

// Method is a way to do tasks.
type Method struct {
	Kind string
	// Name is what its row is called, and what published rows refer to.
	Name string
	// Way is the word behind the kind: "zero-shot", the file of an agent or a team, "team".
	Way  string
	Only []string // groups of tasks that it does; none: all that it can
	// Options are further settings by their names.
	Naive     bool
	Otherwise string
	Hints     []string
	Forced    bool
	Samples   int
	Then      string
	Keep      string
	Loops     int
	Shots     *int
	Without   []string
	Example   bool
	Agents    []GroupAgent
	Attempts  int
	As        string // of a team: one of package team's methods in its place
	Span      source.Span
	WaySpan   source.Span // of the file that it runs
}

// GroupAgent is the agent for the tasks of a group.
type GroupAgent struct {
	Group, Agent string
	Span         source.Span // of the agent
}

// Model is a model that methods ask.
type Model struct {
	Name     string
	Spec     llm.Spec
	Endpoint string // the name of an endpoint that has to be given
	Only     []string
	Span     source.Span
}

// Column is a measure of the table, over all tasks or those of a group.
type Column struct {
	Title   string   `json:"title"`
	Measure string   `json:"measure"`
	Of      []string `json:"of,omitempty"`  // groups of tasks; none: all
	Sum     bool     `json:"sum,omitempty"` // the sum over all cells in the place of the mean
}

// Reference is a table that was published.
type Reference struct {
	Title  string
	Source string
	Rows   []ReferenceRow
	Span   source.Span
}

// ReferenceRow is a row of it: figures in the order of the columns, nil where there is
// none.
type ReferenceRow struct {
	Method, Model string
	Values        []*Figure
}

// Figure is a published number, 0.53 or 53%.
type Figure struct {
	Value float64
	Share bool // it was written with a sign of per cent
}

// Settings of a run of an experiment.
type Settings struct {
	// Models are asked in the place of those that the experiment names.
	Models []NamedModel `json:"models,omitempty"`
	// Endpoints are what the experiment's endpoints are, by their names.
	Endpoints  []llm.Endpoint `json:"endpoints,omitempty"`
	Seeds      []uint64       `json:"seeds,omitempty"`
	Tasks      int            `json:"tasks,omitempty"` // at most so many of each source; 0: all
	Budget     *plan.Budget   `json:"budget,omitempty"`
	Concurrent int            `json:"concurrent,omitempty"` // cells and requests of an endpoint at a time; 0: the experiment's
	// Earlier are results that are there already.
	Earlier []Outcome `json:"earlier,omitempty"`
	// Without names the properties that cannot be judged, and are left out.
	Without []string `json:"without,omitempty"`
}

// NamedModel is a model with what its rows are called.
type NamedModel struct {
	Name string   `json:"name"`
	Spec llm.Spec `json:"spec"`
}

// States of a cell.
const (
	StateQueued  = "queued"
	StateRunning = "running"
	StateDone    = "done"
	StateFailed  = "failed" // there is nothing to measure, and the reason says why
)

// Outcome is what became of a cell.
type Outcome struct {
	Key      string    `json:"key"`   // method, model, task and seed
	Stamp    string    `json:"stamp"` // of all that the run depends on
	Method   string    `json:"method"`
	Model    string    `json:"model"`
	Group    string    `json:"group"`
	Task     string    `json:"task"`
	Seed     uint64    `json:"seed"`    // of the experiment
	RunSeed  uint64    `json:"runSeed"` // of the cell's own run, drawn from the seed and the key
	State    string    `json:"state"`   // one of the State constants
	Reason   string    `json:"reason"`
	Measures []Measure `json:"measures"`
	// Answers are those of the cell's own run: with what lab.open says of the cell they
	// play it again.
	Answers []process.Answer `json:"answers,omitempty"`
}

// Measure is one figure of a cell: so many of so many, or, where Of is 0, a number.
type Measure struct {
	Name  string  `json:"name"`
	Count float64 `json:"count"`
	Of    float64 `json:"of,omitempty"`
}

// CellEvent is a cell that is in another state.
type CellEvent struct {
	Kind    string  `json:"kind"` // "lab.cell"
	Cell    int     `json:"cell"` // from 0
	Of      int     `json:"of"`
	Known   bool    `json:"known"` // it was handed in
	Outcome Outcome `json:"outcome"`
}

// TableEvent is the table so far; the last is the whole.
type TableEvent struct {
	Kind  string `json:"kind"` // "lab.table"
	Table Table  `json:"table"`
	Spent Spent  `json:"spent"`
	// Stopped says why cells were not run, "" where all were.
	Stopped string `json:"stopped"`
}

// Spent is what the cells that were run took; what was handed in is not counted.
type Spent struct {
	Cells  int     `json:"cells"`
	Calls  int     `json:"calls"`
	Tokens int     `json:"tokens"`
	Money  float64 `json:"money"`
}

// Result is what a run came to.
type Result struct {
	Table    Table     `json:"table"`
	Outcomes []Outcome `json:"outcomes"`
	Spent    Spent     `json:"spent"`
	Stopped  string    `json:"stopped"`
}
