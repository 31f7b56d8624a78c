package formulate

import (
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/plan"
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

// Stages are all stages in their order.
var Stages = []string{StageDefiner, StageFormulator, StageGenerator, StageSolver, StageFormatter, StageAssessor}

// Methods by which a query is answered.
const (
	MethodFormulate = "formulate" // LLMFP
	MethodDirect    = "direct"    // the model answers at once
	MethodCoT       = "cot"       // the model thinks it through and answers
	MethodCode      = "code"      // the model writes for the solver at once, without the steps before and after
)

// Notations of what a solver is given.
const (
	NotationSMT  = "smt2" // for Z3
	NotationLP   = "lp"   // for HiGHS
	NotationPDDL = "pddl" // plans that have steps, compiled to SMT-LIB 2 for Z3
)

// Settings of a run.
type Settings struct {
	Query    string              `json:"query,omitempty"`    // in the place of query.md
	Method   string              `json:"method,omitempty"`   // one of the Method constants; "": MethodFormulate
	Notation string              `json:"notation,omitempty"` // one of the Notation constants; "": that of the model file that is there, else NotationSMT
	Model    llm.Spec            `json:"model"`
	Models   map[string]llm.Spec `json:"models,omitempty"` // by stage, in the place of Model
	// From is the stage that is begun with; what the stages before it make is taken from
	// the problem's files. "": the Definer, or of a problem with steps the Formulator.
	From string `json:"from,omitempty"`
	// Without are stages that are left out, of the Definer and the Formulator: those behind
	// them have to do without what they would have made.
	Without       []string     `json:"without,omitempty"`
	Rounds        *int         `json:"rounds,omitempty"`        // of self-assessment; nil: DefaultRounds
	Regenerations *int         `json:"regenerations,omitempty"` // of a text that the solver cannot take, in a round; nil: DefaultRegenerations
	Approve       bool         `json:"approve,omitempty"`       // a person looks at what each stage makes
	Example       bool         `json:"example,omitempty"`       // example.md is shown to the Formulator
	Horizon       int          `json:"horizon,omitempty"`       // the most steps that a plan may have; 0: DefaultHorizon
	Limits        solve.Limits `json:"limits,omitzero"`         // of each question to a solver
	// Mistakes are made by a simulated model, one a round in this order; nil: a rambler
	// makes some by chance.
	Mistakes    []string    `json:"mistakes,omitempty"`
	MaxTokens   int         `json:"maxTokens,omitempty"` // of a call; 0: DefaultMaxTokens
	Temperature float64     `json:"temperature,omitempty"`
	Templates   Templates   `json:"templates,omitzero"`
	Budget      plan.Budget `json:"budget,omitzero"`
}

// Defaults of [Settings]; the rounds are those of Hao et al. (2024).
const (
	DefaultRounds        = 5
	DefaultRegenerations = 5
	DefaultHorizon       = 30
	DefaultMaxTokens     = 4_096
)

// Templates are the prompts; one that is empty stands for its default.
type Templates struct {
	Definer    string `json:"definer,omitempty"`
	Formulator string `json:"formulator,omitempty"` // of a problem whose plan is a choice of values
	Steps      string `json:"steps,omitempty"`      // the Formulator's, of a problem whose plans have steps
	Generator  string `json:"generator,omitempty"`
	Formatter  string `json:"formatter,omitempty"`
	Assessor   string `json:"assessor,omitempty"`
	Direct     string `json:"direct,omitempty"`
	CoT        string `json:"cot,omitempty"`
	Code       string `json:"code,omitempty"`
}
