package formulate

import (
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/solve"
)

// Stages of a run, in their order.
const (
	StageDefiner    = "definer"
	StageFormulator = "formulator"
	StageGenerator  = "generator"
	StageSolver     = "solver"
	StageFormatter  = "formatter"
	StageAssessor   = "assessor"
)

// Stages contains all stages in their order.
var Stages = []string{StageDefiner, StageFormulator, StageGenerator, StageSolver, StageFormatter, StageAssessor}

// Methods of answering a query.
const (
	MethodFormulate = "formulate" // LLMFP
	MethodDirect    = "direct"    // the model answers at once
	MethodCoT       = "cot"       // the model reasons and answers
	MethodCode      = "code"      // the model writes the solver text directly, without the other stages
)

// Notations for a solver.
const (
	NotationSMT  = "smt2" // for Z3
	NotationLP   = "lp"   // for HiGHS
	NotationPDDL = "pddl" // plans with steps, compiled to SMT-LIB 2 for Z3
)

// WordingFull is the wording of prompts that name all that the notation of plans with steps can express,
// and that allow a direct answer to state that no plan exists. Settings of runs that were recorded before
// it existed have no wording.
const WordingFull = "full"

// Settings of a run.
type Settings struct {
	Query string `json:"query,omitempty"` // replaces query.md
	// Ask is the kind of the query, one of the Ask constants; "": the Definer decides it or, if
	// the Definer does not, English phrases.
	Ask      string              `json:"ask,omitempty"`
	AskBack  bool                `json:"askBack,omitempty"`  // a person explains an ambiguous query
	Method   string              `json:"method,omitempty"`   // one of the Method constants; "": MethodFormulate
	Notation string              `json:"notation,omitempty"` // one of the Notation constants; "": that of the model file, or NotationSMT
	Model    llm.Spec            `json:"model"`
	Models   map[string]llm.Spec `json:"models,omitempty"` // by stage, instead of Model
	// From is the first stage of the run; the products of the earlier ones are taken from
	// the problem's files. "": the Definer, or the Formulator of a problem with steps.
	From string `json:"from,omitempty"`
	// Without contains stages to leave out, the Definer or the Formulator. Later stages
	// work without their products.
	Without       []string     `json:"without,omitempty"`
	Rounds        *int         `json:"rounds,omitempty"`        // of self-assessment; nil: DefaultRounds
	Regenerations *int         `json:"regenerations,omitempty"` // of a text that the solver cannot read, in a round; nil: DefaultRegenerations
	Approve       bool         `json:"approve,omitempty"`       // a person approves the product of each stage
	Example       bool         `json:"example,omitempty"`       // the Formulator sees example.md
	Horizon       int          `json:"horizon,omitempty"`       // maximum number of steps of a plan; 0: DefaultHorizon
	Limits        solve.Limits `json:"limits,omitzero"`         // of each query to a solver
	// Mistakes are made by a simulated model, one per round in this order; nil: a rambler
	// makes some at random.
	Mistakes    []string     `json:"mistakes,omitempty"`
	MaxTokens   int          `json:"maxTokens,omitempty"` // of a call; 0: DefaultMaxTokens
	Temperature float64      `json:"temperature,omitempty"`
	Templates   Templates    `json:"templates,omitzero"`
	Wording     string       `json:"wording,omitempty"` // of the default prompts, WordingFull; "": that of earlier versions
	Budget      meter.Budget `json:"budget,omitzero"`
}

// Defaults of [Settings]; the rounds are those of Hao et al. (2024).
const (
	DefaultRounds        = 5
	DefaultRegenerations = 5
	DefaultHorizon       = 30
	DefaultMaxTokens     = 4_096
)

// Templates are the prompts; an empty one means the default.
type Templates struct {
	Definer    string `json:"definer,omitempty"`
	Formulator string `json:"formulator,omitempty"` // for problems whose plan is a choice of values
	Steps      string `json:"steps,omitempty"`      // the Formulator's, for problems whose plans have steps
	Generator  string `json:"generator,omitempty"`
	Formatter  string `json:"formatter,omitempty"`
	Assessor   string `json:"assessor,omitempty"`
	Direct     string `json:"direct,omitempty"`
	CoT        string `json:"cot,omitempty"`
	Code       string `json:"code,omitempty"`
}
