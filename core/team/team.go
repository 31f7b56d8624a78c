// Package team lets several agents plan together: PMC, planning with multiple
// constraints (Zhang et al. 2024).
//
// A manager divides a task into sub-tasks, says which needs the results of which, and
// gives each to an executor. Executors are monitored agents with tools of their own;
// sub-tasks that need nothing of each other are worked on at the same time. Before a
// sub-task begins that needs others, the supervisor rewrites it with the results of
// those directly before it, and of no others (their Definition 4.3). At the end the
// deliverer answers for the whole, either by inference under the global constraints or
// by reporting.
//
// A team is written as an s-expression, in a file .team:
//
//	(define trip-team
//	  (:executors
//	    (flights
//	      (:does "Finds flights between two cities on a day.")
//	      (:agent "react.agent")                ; without it: ReAct, built in
//	      (:tools "FlightSearch" "Calculator")  ; of the workspace's agent-tools.json
//	      (:gives "{\"price\": …, \"arrives\": …}")
//	      (:constraints (check "result.price <= 500" "the flight is within its budget"))
//	      (:steps 30)))
//	  (:hints "Prices are for one person.")
//	  (:local "Name where every figure is from.")
//	  (:global (check "sum(results, r: r.result.price) <= 1200")
//	           (ltl "!started.hotels U done.flights"))
//	  (:deliverer inference (:gives "{\"total\": …}"))
//	  (:limits (steps 30) (retries 2) (concurrent 4) (sub-tasks 12))
//	  (:shape "order.cfg"))
//
// A constraint is local where it speaks of one sub-task, global where it speaks of
// several. It is prose, which a model is told and nobody can check; or a check, an
// expression over structured results (see [Expression]); or a formula of temporal
// logic over what happens (see [Event]). The last two are looked at as soon as they
// can be, and who has broken one is told which, and why, and tries again.
//
// Why the order in which answers come makes no difference to what is delivered: each
// sub-task is a task of the process with a place of its own, so that its effects and
// its random numbers are the same whatever its siblings do; it reads nothing but the
// results of those directly before it; and what looks at several results waits for all
// of them. The one thing that is about that order is a formula over the events of
// sub-tasks that run at the same time.
package team

import (
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/sexpr"
	"github.com/stile-playground/stile/core/source"
)

// Limits of a team, far above what a model can keep in mind.
const (
	MaxExecutors   = 100
	MaxConstraints = 200
	MaxSubtasks    = 60
	MaxSteps       = 1_000
	MaxRetries     = 20
	MaxConcurrent  = 60
)

// Defaults of [Limits].
const (
	DefaultSteps      = 30 // of an executor for a sub-task, as in Zhang et al. (2024)
	DefaultRetries    = 2
	DefaultConcurrent = 8
	DefaultSubtasks   = 12
)

// Roles of the deliverer (Zhang et al. 2024, §F.5).
const (
	RoleInference = "inference" // it decides, under the global constraints
	RoleReporting = "reporting" // it tells what was found
)

// Spec is a team as it is written.
type Spec struct {
	File      *source.File
	Name      string
	NameSpan  source.Span
	Executors []Executor
	Hints     []string
	Local     []Constraint // on every sub-task
	Global    []Constraint
	Role      string // of the deliverer: one of the Role constants
	Gives     string // the form of what is delivered, in words or as an example; "" where any will do
	Limits    Limits
	Shape     FileName // of the words that the graph's orders have to be among; without a name any will do

	tree    *sexpr.File
	defined bool // it begins with "(define"
}

// Executor is one of those who work.
type Executor struct {
	Name        string
	Span        source.Span // of the name
	Does        string
	Agent       FileName // without a name ReAct, built in
	Tools       []Tool
	Gives       string // the form of its results; "" where any will do
	Constraints []Constraint
	Steps       int // 0: those of the team
}

// Tool is a tool that an executor may call.
type Tool struct {
	Name string
	Span source.Span
}

// FileName is a file of the workspace that a team names.
type FileName struct {
	Name string
	Span source.Span
}

// Constraint is what has to be so. Without a check and without a formula it is prose.
type Constraint struct {
	Text    string // prose; or what a check means in words, where that is said
	Check   *Expression
	Formula *ltl.Formula
	Span    source.Span // of the whole
}

// String says what is wanted, in words where there are some.
func (c Constraint) String() string {
	switch {
	case c.Text != "":
		return c.Text
	case c.Check != nil:
		return c.Check.String()
	case c.Formula != nil:
		return c.Formula.String()
	}
	return ""
}

// Formal reports whether it can be checked.
func (c Constraint) Formal() bool { return c.Check != nil || c.Formula != nil }

// Limits bound a run of the team.
type Limits struct {
	Steps      int // of an executor for one sub-task: an action each
	Retries    int // of a sub-task, a delivery or a graph, after the first try
	Concurrent int // sub-tasks at the same time
	Subtasks   int
}

// Executor returns the executor of a name, or nil.
func (s *Spec) Executor(name string) *Executor {
	for i := range s.Executors {
		if s.Executors[i].Name == name {
			return &s.Executors[i]
		}
	}
	return nil
}

// names returns the executors' names.
func (s *Spec) names() []string {
	out := make([]string, len(s.Executors))
	for i, e := range s.Executors {
		out[i] = e.Name
	}
	return out
}

// Format prints the team again. The text must have been read without errors.
func (s *Spec) Format() string { return s.tree.Format() }
