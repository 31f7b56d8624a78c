package team

import "github.com/stile-playground/stile/core/llm"

// States of a sub-task.
const (
	StateWaiting = "waiting" // for what it needs, or for its turn
	StateRunning = "running"
	StateDone    = "done"
	StateFailed  = "failed"  // as often as it was tried
	StateBlocked = "blocked" // what it needs failed, or a formula keeps it from ever being begun
)

// Roles in a team.
const (
	Manager    = "manager"
	Supervisor = "supervisor"
	Deliverer  = "deliverer"
	Alone      = "alone" // of a baseline
)

// PromptEvent is what a model is asked. Events of a sub-task have its identifier in a
// further field "subtask"; so do those of the executor that works on it, which are
// those of package monitor.
type PromptEvent struct {
	Kind    string `json:"kind"` // "team.prompt"
	Role    string `json:"role"` // one of the roles
	Attempt int    `json:"attempt"`
	Prompt  string `json:"prompt"`
}

// DeltaEvent is a piece of an answer as it streams in.
type DeltaEvent struct {
	Kind string `json:"kind"` // "team.delta"
	Role string `json:"role"`
	Text string `json:"text"`
}

// ReplyEvent is an answer, and what is wrong with it.
type ReplyEvent struct {
	Kind    string   `json:"kind"` // "team.reply"
	Role    string   `json:"role"`
	Attempt int      `json:"attempt"`
	Text    string   `json:"text"`
	Faults  []string `json:"faults"`
	Spent   Spent    `json:"spent"` // by all until now
	Told    int      `json:"told"`  // states and replies so far, this one among them: see [Change]
}

// OfferEvent is a graph that a person is asked about.
type OfferEvent struct {
	Kind   string   `json:"kind"` // "team.offer"
	At     int      `json:"at"`   // the answers given so far: where the run can be forked
	Graph  Graph    `json:"graph"`
	Faults []string `json:"faults"` // of what the person wrote before
}

// GraphEvent is the graph that is carried out from here on.
type GraphEvent struct {
	Kind     string   `json:"kind"`  // "team.graph"
	At       int      `json:"at"`    // the answers given so far
	After    int      `json:"after"` // effects answered to their end so far: see [Change]
	By       string   `json:"by"`    // "manager", "person" or "settings"
	Graph    Graph    `json:"graph"`
	Critical []string `json:"critical"` // the longest way through it
	Again    []string `json:"again"`    // sub-tasks to be done: all of them, or the consequences of a change
}

// StateEvent is a sub-task that is in another state.
type StateEvent struct {
	Kind     string `json:"kind"` // "team.state"
	Subtask  string `json:"subtask"`
	State    string `json:"state"` // one of the State constants
	At       int    `json:"at"`
	After    int    `json:"after"`
	Told     int    `json:"told"` // states and replies so far, this one among them: see [Change]
	Executor string `json:"executor"`
	Attempt  int    `json:"attempt"` // from 1; 0 before the first
	Task     string `json:"task"`    // as the supervisor has it
	Text     string `json:"text"`    // the result
	Reason   string `json:"reason"`  // why it failed, is blocked, or is tried again
	Spent    Spent  `json:"spent"`   // by it until now
}

// MessageEvent is what one tells another: an edge of the drawing.
type MessageEvent struct {
	Kind string `json:"kind"` // "team.message"
	From string `json:"from"` // a role or a sub-task
	To   string `json:"to"`
	Text string `json:"text"`
}

// ViolationEvent is a constraint that is not met.
type ViolationEvent struct {
	Kind      string    `json:"kind"` // "team.violation"
	Violation Violation `json:"violation"`
}

// Violation is a constraint that is not met, by whom, and why.
type Violation struct {
	Constraint string `json:"constraint"`
	Reason     string `json:"reason"`
	Subtask    string `json:"subtask"` // that did it, or "" for the whole
	Local      bool   `json:"local"`
}

// DoneEvent is the end of a run.
type DoneEvent struct {
	Kind   string `json:"kind"` // "team.done"
	Result Result `json:"result"`
}

// Spent is what was asked of models.
type Spent struct {
	Calls     int       `json:"calls"`
	ToolCalls int       `json:"toolCalls"`
	Usage     llm.Usage `json:"usage"`
	Money     float64   `json:"money"`
	// Milliseconds that models took, where the host measured: of several at the same
	// time the sum.
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

// Result is what a run came to.
type Result struct {
	Method     string      `json:"method"`
	Answer     string      `json:"answer"`
	Valid      bool        `json:"valid"` // every sub-task was done, and nothing that can be checked is violated
	Graph      *Graph      `json:"graph,omitempty"`
	Subtasks   []Done      `json:"subtasks"`
	Violations []Violation `json:"violations"`
	Critical   []string    `json:"critical"` // the way through the graph that took longest, by what is known of it
	Spent      Spent       `json:"spent"`
	Trace      []Event     `json:"trace"` // what happened, in order; its end where it is long
}

// Done is what became of a sub-task.
type Done struct {
	Subtask  string `json:"subtask"`
	State    string `json:"state"`
	Executor string `json:"executor"` // who did it in the end
	Task     string `json:"task"`
	Text     string `json:"text"`
	Reason   string `json:"reason"`
	Attempts int    `json:"attempts"`
	Spent    Spent  `json:"spent"`
}
