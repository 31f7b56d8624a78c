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
	StateKept    = "kept"   // what it made is taken from the problem's files
	StateFailed  = "failed" // what it made cannot be used
	StateWrong   = "wrong"  // what it made was judged wrong, and is replaced
)

// StageEvent is a stage that is in another state.
type StageEvent struct {
	Kind    string `json:"kind"`  // "formulate.stage"
	Stage   string `json:"stage"` // one of the Stage constants
	State   string `json:"state"` // one of the State constants
	Round   int    `json:"round"` // of self-assessment, from 1
	Attempt int    `json:"attempt"`
	At      int    `json:"at"` // the answers given so far: where the run can be forked
	Reason  string `json:"reason"`
	Spent   Spent  `json:"spent"` // by the stage until now
}

// PromptEvent is what a model is asked.
type PromptEvent struct {
	Kind    string `json:"kind"` // "formulate.prompt"
	Stage   string `json:"stage"`
	Round   int    `json:"round"`
	Attempt int    `json:"attempt"`
	Prompt  string `json:"prompt"`
}

// DeltaEvent is a piece of an answer as it streams in.
type DeltaEvent struct {
	Kind  string `json:"kind"` // "formulate.delta"
	Stage string `json:"stage"`
	Text  string `json:"text"`
}

// ReplyEvent is an answer, and what is wrong with it.
type ReplyEvent struct {
	Kind    string   `json:"kind"` // "formulate.reply"
	Stage   string   `json:"stage"`
	Round   int      `json:"round"`
	Attempt int      `json:"attempt"`
	Text    string   `json:"text"`
	Faults  []string `json:"faults"`
	Spent   Spent    `json:"spent"` // by all until now
}

// ProductEvent is what a stage has made: a file of the problem.
type ProductEvent struct {
	Kind   string `json:"kind"` // "formulate.product"
	Stage  string `json:"stage"`
	Round  int    `json:"round"`
	Name   string `json:"name"` // one of the File constants
	Text   string `json:"text"`
	Before string `json:"before"` // what it comes in the place of
	By     string `json:"by"`     // "model", "person", "file", "assessor"
}

// OfferEvent is a product that a person is asked about: an empty answer takes it, any
// other comes in its place.
type OfferEvent struct {
	Kind   string   `json:"kind"` // "formulate.offer"
	Stage  string   `json:"stage"`
	Name   string   `json:"name"`
	At     int      `json:"at"`
	Text   string   `json:"text"`
	Faults []string `json:"faults"` // of what the person wrote before
}

// SolveEvent is a question to a solver, or, with a result, its answer.
type SolveEvent struct {
	Kind    string        `json:"kind"` // "formulate.solve"
	Round   int           `json:"round"`
	Attempt int           `json:"attempt"`
	Purpose string        `json:"purpose"` // "query", "base", "direction" or "core"
	Horizon int           `json:"horizon"` // steps, of a plan that has some
	Solver  solve.Solver  `json:"solver"`
	Bytes   int           `json:"bytes"` // of the text
	Result  *solve.Result `json:"result,omitempty"`
}

// FindingEvent is something that was found wrong by checking, not by a model.
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
	// Wrong is the first stage that is wrong, which is replaced; "" where all is right.
	Wrong string `json:"wrong"`
}

// Rating is what the self-assessment says of a stage.
type Rating struct {
	Stage   string `json:"stage"`
	Right   bool   `json:"right"`
	Reason  string `json:"reason"`
	How     string `json:"how"`     // it is to be mended
	By      string `json:"by"`      // "model", or "check" where a finding outweighs the model
	Instead string `json:"instead"` // the product in its place, where the model wrote one
}

// DoneEvent is the end of a run.
type DoneEvent struct {
	Kind   string `json:"kind"` // "formulate.done"
	Result Result `json:"result"`
}

// Spent is what a stage, or a run, took.
type Spent struct {
	Calls        int       `json:"calls"`
	Usage        llm.Usage `json:"usage"`
	Money        float64   `json:"money"`
	Milliseconds int       `json:"milliseconds"` // of models, where the host measured
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
	StatusSolved     = "solved"     // there is a best plan, and this is it
	StatusFeasible   = "feasible"   // there is a plan, and it is not proven that none is better
	StatusInfeasible = "infeasible" // there is none; Core says what excludes what
	StatusUnbounded  = "unbounded"  // the better the plan, the better there is one
	StatusUnknown    = "unknown"    // the solver gave up, or its time or memory was over
	StatusUnchecked  = "unchecked"  // a model's own answer, of a baseline
	StatusFailed     = "failed"     // no formulation could be had that a solver takes
)

// Result is what a run came to.
type Result struct {
	Method    string          `json:"method"`
	Notation  string          `json:"notation"`
	Status    string          `json:"status"` // one of the Status constants
	Message   string          `json:"message"`
	Ask       string          `json:"ask"`    // what the query asks: one of the Ask constants
	Answer    json.RawMessage `json:"answer"` // in the form of output.json; null where there is none
	Objective string          `json:"objective"`
	Solution  *solve.Result   `json:"solution,omitempty"`
	Families  []solve.Family  `json:"families"` // the solution's values as tables
	Steps     *Steps          `json:"steps,omitempty"`
	Verdicts  []Verdict       `json:"verdicts"` // constraint by constraint
	Base      *Comparison     `json:"base,omitempty"`
	Findings  []Finding       `json:"findings"` // of the last round
	Mended    []Finding       `json:"mended"`   // of the rounds before
	Checks    []Check         `json:"checks"`   // grammars and formulas of the workspace, of a plan with steps
	Rounds    int             `json:"rounds"`
	Assessed  bool            `json:"assessed"` // the last self-assessment found all right
	Stages    []StageSpent    `json:"stages"`
	Products  []Product       `json:"products"`
	Spent     Spent           `json:"spent"`
}

// StageSpent is what a stage took.
type StageSpent struct {
	Stage string `json:"stage"`
	Runs  int    `json:"runs"`
	Spent Spent  `json:"spent"`
}

// Product is a file that a stage made.
type Product struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// Verdict is a constraint with what the answer makes of it.
type Verdict struct {
	Constraint string `json:"constraint"`
	Holds      bool   `json:"holds"`
	Reason     string `json:"reason"`
	By         string `json:"by"` // "model" or "check"
}

// Comparison is the plan without what the query adds, beside the plan with it.
type Comparison struct {
	Status    string   `json:"status"`
	Objective string   `json:"objective"`
	Changed   []Change `json:"changed"`
}

// Change is a value that differs from the base plan's. Of a plan with steps Name is the
// step's number.
type Change struct {
	Name string `json:"name"`
	Base string `json:"base"`
	Now  string `json:"now"`
}

// Steps is a plan that has steps.
type Steps struct {
	Plan    []string `json:"plan"`    // "(stack a b)", …
	States  []State  `json:"states"`  // one more than there are steps
	Tried   []Tried  `json:"tried"`   // numbers of steps, in the order they were tried
	Least   int      `json:"least"`   // what no plan can be shorter than, known without a solver
	Optimal bool     `json:"optimal"` // no plan is shorter
}

// State is a state on the way.
type State struct {
	Facts []string `json:"facts"`
	Gains []string `json:"gains"`
	Loses []string `json:"loses"`
}

// Tried is a number of steps and whether there is a plan of so many.
type Tried struct {
	Steps        int          `json:"steps"`
	Status       solve.Status `json:"status"`
	Milliseconds int          `json:"milliseconds"`
}

// Check is what a plan's word, or its states, make of a spec of the workspace.
type Check struct {
	File   string `json:"file"`
	Name   string `json:"name"` // of a formula; "" of a grammar
	Holds  bool   `json:"holds"`
	Reason string `json:"reason"`
}
