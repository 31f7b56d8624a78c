package formulate

import (
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/solve"
)

// States of a stage.
const (
	StateRunning = "running"
	StateDone    = "done"
	StateKept    = "kept"   // its product is taken from the problem's files
	StateFailed  = "failed" // its product cannot be used
	StateWrong   = "wrong"  // its product was judged wrong and is replaced
)

// StageEvent reports a new state of a stage.
type StageEvent struct {
	Kind    string `json:"kind"`  // "formulate.stage"
	Stage   string `json:"stage"` // one of the Stage constants
	State   string `json:"state"` // one of the State constants
	Round   int    `json:"round"` // of self-assessment, from 1
	Attempt int    `json:"attempt"`
	At      int    `json:"at"` // number of answers so far, at which the run can be forked
	Reason  string `json:"reason"`
	Spent   Spent  `json:"spent"` // by the stage so far
}

// PromptEvent is a prompt to a model.
type PromptEvent struct {
	Kind    string `json:"kind"` // "formulate.prompt"
	Stage   string `json:"stage"`
	Round   int    `json:"round"`
	Attempt int    `json:"attempt"`
	Prompt  string `json:"prompt"`
}

// DeltaEvent is a chunk of a streamed answer.
type DeltaEvent struct {
	Kind  string `json:"kind"` // "formulate.delta"
	Stage string `json:"stage"`
	Text  string `json:"text"`
}

// ReplyEvent is an answer with its faults.
type ReplyEvent struct {
	Kind    string   `json:"kind"` // "formulate.reply"
	Stage   string   `json:"stage"`
	Round   int      `json:"round"`
	Attempt int      `json:"attempt"`
	Text    string   `json:"text"`
	Faults  []string `json:"faults"`
	Spent   Spent    `json:"spent"` // by all stages so far
}

// ProductEvent is the product of a stage: a file of the problem.
type ProductEvent struct {
	Kind   string `json:"kind"` // "formulate.product"
	Stage  string `json:"stage"`
	Round  int    `json:"round"`
	Name   string `json:"name"` // one of the File constants
	Text   string `json:"text"`
	Before string `json:"before"` // the text that it replaces
	By     string `json:"by"`     // "model", "person", "file", "assessor"
}

// OfferEvent asks a person about a product: an empty answer accepts it, another one
// replaces it.
type OfferEvent struct {
	Kind   string   `json:"kind"` // "formulate.offer"
	Stage  string   `json:"stage"`
	Name   string   `json:"name"`
	At     int      `json:"at"`
	Text   string   `json:"text"`
	Faults []string `json:"faults"` // of the person's last text
}

// SolveEvent is a query to a solver or, with a result, its answer.
type SolveEvent struct {
	Kind    string        `json:"kind"` // "formulate.solve"
	Round   int           `json:"round"`
	Attempt int           `json:"attempt"`
	Purpose string        `json:"purpose"` // "query", "base", "direction" or "core"
	Horizon int           `json:"horizon"` // of a plan with steps
	Solver  solve.Solver  `json:"solver"`
	Bytes   int           `json:"bytes"` // of the text
	Result  *solve.Result `json:"result,omitempty"`
}

// FindingEvent is a mistake found by a check, not by a model.
type FindingEvent struct {
	Kind    string  `json:"kind"` // "formulate.finding"
	Round   int     `json:"round"`
	Finding Finding `json:"finding"`
}

// AssessEvent is a self-assessment.
type AssessEvent struct {
	Kind    string   `json:"kind"` // "formulate.assess"
	Round   int      `json:"round"`
	Ratings []Rating `json:"ratings"`
	// Wrong is the first wrong stage, which is replaced; "" if all are right.
	Wrong string `json:"wrong"`
}

// Rating is the self-assessment's judgement of a stage.
type Rating struct {
	Stage   string `json:"stage"`
	Right   bool   `json:"right"`
	Reason  string `json:"reason"`
	How     string `json:"how"`     // how to fix it
	By      string `json:"by"`      // "model", or "check" if a finding overrides the model
	Instead string `json:"instead"` // the product that replaces it, if the model wrote one
}

// DoneEvent is the end of a run.
type DoneEvent struct {
	Kind   string `json:"kind"` // "formulate.done"
	Result Result `json:"result"`
}

// Spent is the cost of a stage or of a run.
type Spent struct {
	Calls        int       `json:"calls"`
	Usage        llm.Usage `json:"usage"`
	Money        float64   `json:"money"`
	Milliseconds int       `json:"milliseconds"` // of models, as measured by the host
	Solving      int       `json:"solving"`      // milliseconds of solvers
	Solves       int       `json:"solves"`
}

func (s *Spent) add(t Spent) {
	s.Calls += t.Calls
	s.Usage.Prompt += t.Usage.Prompt
	s.Usage.Completion += t.Usage.Completion
	s.Money += t.Money
	s.Milliseconds += t.Milliseconds
	s.Solving += t.Solving
	s.Solves += t.Solves
}

// Statuses of a [Result].
const (
	StatusSolved     = "solved"     // a plan that is proved optimal
	StatusFeasible   = "feasible"   // a plan without a proof that it is optimal
	StatusInfeasible = "infeasible" // no plan exists; Core explains why
	StatusUnbounded  = "unbounded"  // for every plan there is a better one
	StatusUnknown    = "unknown"    // the solver gave up or reached a limit
	StatusUnchecked  = "unchecked"  // a baseline's own answer, without a solver
	StatusFailed     = "failed"     // no formulation was accepted by the solver
)

// Result is the outcome of a run, with its cost.
type Result struct {
	Method   string `json:"method"`
	Notation string `json:"notation"`
	Status   string `json:"status"` // one of the Status constants
	// NoPlan is set if a baseline's own answer states that no plan exists. No solver has proved it.
	NoPlan    bool            `json:"noPlan,omitempty"`
	Message   string          `json:"message"`
	Ask       string          `json:"ask"`    // the kind of the query: one of the Ask constants
	AskBy     string          `json:"askBy"`  // who decided it: one of the AskBy constants
	Answer    json.RawMessage `json:"answer"` // in the form of output.json; null without a solution
	Objective string          `json:"objective"`
	Solution  *solve.Result   `json:"solution,omitempty"`
	Families  []solve.Family  `json:"families"` // the solution's values as tables
	Steps     *Steps          `json:"steps,omitempty"`
	Verdicts  []Verdict       `json:"verdicts"` // constraint by constraint
	Base      *Comparison     `json:"base,omitempty"`
	Findings  []Finding       `json:"findings"` // of the last round
	Fixed     []Finding       `json:"mended"`   // of the rounds before
	Checks    []Check         `json:"checks"`   // specs of the workspace, checked for a plan with steps
	Rounds    int             `json:"rounds"`
	Assessed  bool            `json:"assessed"` // the last self-assessment judged all stages right
	Stages    []StageSpent    `json:"stages"`
	Products  []Product       `json:"products"`
	Spent     Spent           `json:"spent"`
}

// StageSpent is the number of runs of a stage and their cost.
type StageSpent struct {
	Stage string `json:"stage"`
	Runs  int    `json:"runs"`
	Spent Spent  `json:"spent"`
}

// Product is a file that a stage wrote.
type Product struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// Verdict is the judgement of a constraint.
type Verdict struct {
	Constraint string `json:"constraint"`
	Holds      bool   `json:"holds"`
	Reason     string `json:"reason"`
	By         string `json:"by"` // "model" or "check"
}

// Comparison compares the plan with the one without the query's constraints.
type Comparison struct {
	Status    string   `json:"status"`
	Objective string   `json:"objective"`
	Changed   []Change `json:"changed"`
}

// Change is a value that differs from the base plan's. For a plan with steps Name is the
// number of the step.
type Change struct {
	Name string `json:"name"`
	Base string `json:"base"`
	Now  string `json:"now"`
}

// Steps is a plan with steps.
type Steps struct {
	Plan    []string `json:"plan"`    // "(stack a b)", …
	States  []State  `json:"states"`  // one more than steps
	Tried   []Tried  `json:"tried"`   // numbers of steps in the order of the search
	Least   int      `json:"least"`   // lower bound of the number of steps, known without a solver
	Optimal bool     `json:"optimal"` // no plan is shorter or, with a metric, cheaper

	Cost     *float64 `json:"cost,omitempty"`     // of the plan: the value of the metric, or of total-cost
	Cheapest bool     `json:"cheapest,omitempty"` // Optimal refers to the cost, because the problem has a metric
	Largest  bool     `json:"largest,omitempty"`  // the metric is maximized: Cost is its value, and Optimal means that no plan has a larger one
	Searched int      `json:"searched,omitempty"` // states that a search without the solver reached
}

// State is a state during the plan.
type State struct {
	Facts []string `json:"facts"`
	Gains []string `json:"gains"`
	Loses []string `json:"loses"`
}

// Tried is a number of steps, and whether a plan of that length exists.
type Tried struct {
	Steps        int          `json:"steps"`
	Status       solve.Status `json:"status"`
	Milliseconds int          `json:"milliseconds"`
}

// Check is the verdict of a spec of the workspace about the plan.
type Check struct {
	File   string `json:"file"`
	Name   string `json:"name"` // of a formula; "" for a grammar
	Holds  bool   `json:"holds"`
	Reason string `json:"reason"`
}
