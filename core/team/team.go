// Package team implements teams of agents that plan together: PMC, planning with
// multiple constraints (Zhang et al. 2024).
//
// A manager divides a task into sub-tasks with dependencies and assigns each to an
// executor. Executors are monitored agents with their own tools; independent sub-tasks run
// concurrently. Before a dependent sub-task starts, the supervisor rewrites it with the
// results of its direct predecessors only (Definition 4.3 of the paper). At the end the
// deliverer answers the complete task, either by inference under the global constraints or
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
// A local constraint is about one sub-task, a global one about several. It is prose, which
// only a model reads; or a check, an expression over structured results (see
// [Expression]); or a temporal formula over events (see [Event]). Checks and formulas are
// evaluated as early as possible. The executor that violates one gets the reason and
// tries again.
//
// Why the order of answers does not affect the delivery: each sub-task is a separate task
// of the process, so that its effects and random numbers do not depend on its siblings; it
// reads only the results of its direct predecessors; and a check of several results waits
// for all of them. Only formulas over the events of concurrent sub-tasks depend on that
// order.
package team

import (
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/sexpr"
	"github.com/stile-playground/stile/core/source"
)

// Maxima of a team, far above the capacity of a model.
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
	DefaultSteps      = 30 // for each sub-task, as in Zhang et al. (2024)
	DefaultRetries    = 2
	DefaultConcurrent = 8
	DefaultSubtasks   = 12
)

// Roles of the deliverer (Zhang et al. 2024, §F.5).
const (
	RoleInference = "inference" // decide under the global constraints
	RoleReporting = "reporting" // report the results
)

// Spec is a parsed team.
type Spec struct {
	File      *source.File
	Name      string
	NameSpan  source.Span
	Executors []Executor
	Hints     []string
	Local     []Constraint // on every sub-task
	Global    []Constraint
	Role      string // of the deliverer: one of the Role constants
	Gives     string // form of the answer, in words or as an example; "": any
	Limits    Limits
	Shape     FileName // file of the [Shape]; without a name any order is allowed

	tree    *sexpr.File
	defined bool // the text begins with "(define"
}

// Executor is a member that does sub-tasks.
type Executor struct {
	Name        string
	Span        source.Span // of the name
	Does        string
	Agent       FileName // without a name: see [ReAct]
	Tools       []Tool
	Gives       string // form of its results; "": any
	Constraints []Constraint
	Steps       int // 0: the limit of the team
}

// Tool is a tool that an executor may call.
type Tool struct {
	Name string
	Span source.Span
}

// FileName is the name of a file in the workspace.
type FileName struct {
	Name string
	Span source.Span
}

// Constraint is a constraint; without a check and a formula it is prose.
type Constraint struct {
	Text    string // prose; or the optional meaning of a check in words
	Check   *Expression
	Formula *ltl.Formula
	Span    source.Span // of the complete constraint
}

// String returns the constraint in words, or the check or formula.
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

// Formal reports whether the constraint is a check or a formula.
func (c Constraint) Formal() bool { return c.Check != nil || c.Formula != nil }

// Limits bound a run of the team.
type Limits struct {
	Steps      int // calls of an executor for one sub-task
	Retries    int // of a sub-task, a delivery or a graph, after the first attempt
	Concurrent int // concurrent sub-tasks
	Subtasks   int
}

// Executor returns the executor with a name, or nil.
func (s *Spec) Executor(name string) *Executor {
	for i := range s.Executors {
		if s.Executors[i].Name == name {
			return &s.Executors[i]
		}
	}
	return nil
}

func (s *Spec) names() []string {
	out := make([]string, len(s.Executors))
	for i, e := range s.Executors {
		out[i] = e.Name
	}
	return out
}

// Format returns the formatted text of the team. The text must have been parsed without errors.
func (s *Spec) Format() string { return s.tree.Format() }
