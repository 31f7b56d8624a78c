package team

import (
	"github.com/stile-playground/stile/core/enforce"
	"github.com/stile-playground/stile/core/llm"
)

// States of a sub-task.
const (
	StateWaiting = "waiting" // for the results it needs, or for its turn
	StateRunning = "running"
	StateDone    = "done"
	StateFailed  = "failed"  // in each attempt
	StateBlocked = "blocked" // a sub-task that it needs failed, or a formula forbids its start
)

// Roles in a team.
const (
	Manager    = "manager"
	Supervisor = "supervisor"
	Deliverer  = "deliverer"
	Alone      = "alone" // the role of a baseline
)

// PromptEvent is a prompt to a model. Events of a sub-task have its identifier in a further
// field "subtask", and so have the events of its executor, which are those of package
// monitor.
type PromptEvent struct {
	Kind    string `json:"kind"` // "team.prompt"
	Role    string `json:"role"` // one of the roles
	Attempt int    `json:"attempt"`
	Prompt  string `json:"prompt"`
}

// DeltaEvent is a chunk of a streamed answer.
type DeltaEvent struct {
	Kind string `json:"kind"` // "team.delta"
	Role string `json:"role"`
	Text string `json:"text"`
}

// ReplyEvent is an answer with its faults.
type ReplyEvent struct {
	Kind    string   `json:"kind"` // "team.reply"
	Role    string   `json:"role"`
	Attempt int      `json:"attempt"`
	Text    string   `json:"text"`
	Faults  []string `json:"faults"`
	Spent   Spent    `json:"spent"` // by the run so far
	Answers int      `json:"told"`  // number of StateEvents and ReplyEvents so far, including this one; see [Change]
}

// OfferEvent is a graph that a person is asked to approve.
type OfferEvent struct {
	Kind   string   `json:"kind"` // "team.offer"
	At     int      `json:"at"`   // number of answers so far; the run can be forked here
	Graph  Graph    `json:"graph"`
	Faults []string `json:"faults"` // of the person's last graph
}

// GraphEvent is the graph that the run executes from here on.
type GraphEvent struct {
	Kind     string   `json:"kind"`  // "team.graph"
	At       int      `json:"at"`    // number of answers so far
	After    int      `json:"after"` // number of completely answered effects so far; see [Change]
	By       string   `json:"by"`    // "manager", "person" or "settings"
	Graph    Graph    `json:"graph"`
	Critical []string `json:"critical"` // the critical path
	Again    []string `json:"again"`    // sub-tasks to do: all, or the consequences of a change
}

// StateEvent is a change of a sub-task's state.
type StateEvent struct {
	Kind     string `json:"kind"` // "team.state"
	Subtask  string `json:"subtask"`
	State    string `json:"state"` // one of the State constants
	At       int    `json:"at"`
	After    int    `json:"after"`
	Answers  int    `json:"told"` // number of StateEvents and ReplyEvents so far, including this one; see [Change]
	Executor string `json:"executor"`
	Attempt  int    `json:"attempt"` // from 1; 0 before the first
	Task     string `json:"task"`    // as the supervisor rewrote it
	Text     string `json:"text"`    // the result
	Reason   string `json:"reason"`  // the reason why it failed, is blocked or is retried
	Spent    Spent  `json:"spent"`   // by the sub-task so far
}

// MessageEvent is a message between members, drawn as an edge.
type MessageEvent struct {
	Kind string `json:"kind"` // "team.message"
	From string `json:"from"` // a role or a sub-task
	To   string `json:"to"`
	Text string `json:"text"`
}

// ViolationEvent is a violated constraint.
type ViolationEvent struct {
	Kind      string    `json:"kind"` // "team.violation"
	Violation Violation `json:"violation"`
}

// Violation is a violated constraint, its cause and the reason.
type Violation struct {
	Constraint string `json:"constraint"`
	Reason     string `json:"reason"`
	Subtask    string `json:"subtask"` // the sub-task that violates it, or "" for the complete run
	Local      bool   `json:"local"`
}

// DoneEvent is the end of a run.
type DoneEvent struct {
	Kind   string `json:"kind"` // "team.done"
	Result Result `json:"result"`
}

// Spent counts calls of models and tools.
type Spent struct {
	Calls     int       `json:"calls"`
	ToolCalls int       `json:"toolCalls"`
	Usage     llm.Usage `json:"usage"`
	Money     float64   `json:"money"`
	// Milliseconds is the time of the models if the host measured it; concurrent calls add
	// up.
	Milliseconds int `json:"milliseconds"`
}

func (s *Spent) add(t Spent) {
	s.Calls += t.Calls
	s.ToolCalls += t.ToolCalls
	s.Usage.Prompt += t.Usage.Prompt
	s.Usage.Completion += t.Usage.Completion
	s.Money += t.Money
	s.Milliseconds += t.Milliseconds
}

// Result is the outcome of a run, with its cost.
type Result struct {
	Method     string      `json:"method"`
	Answer     string      `json:"answer"`
	Valid      bool        `json:"valid"` // every sub-task is done, and no formal constraint and no rule is violated
	Graph      *Graph      `json:"graph,omitempty"`
	Subtasks   []Done      `json:"subtasks"`
	Violations []Violation `json:"violations"`
	Critical   []string    `json:"critical"` // the critical path by the measured times, or by the calls
	Spent      Spent       `json:"spent"`
	Trace      []Event     `json:"trace"` // the events in order; of a long run only the last ones

	Rules   []enforce.Report `json:"rules,omitempty"`
	Refusal bool             `json:"refusal,omitempty"` // the answer or the result of a sub-task reads like a refusal
}

// Done is the final state of a sub-task.
type Done struct {
	Subtask  string `json:"subtask"`
	State    string `json:"state"`
	Executor string `json:"executor"` // the last one
	Task     string `json:"task"`
	Text     string `json:"text"`
	Reason   string `json:"reason"`
	Attempts int    `json:"attempts"`
	Spent    Spent  `json:"spent"`
}
