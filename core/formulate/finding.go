package formulate

// The kinds of queries.
const (
	AskPlan   = "plan"    // for a plan
	AskWhatIf = "what-if" // the plan under a change
	AskWhy    = "why"     // why the plan has a property: it is forbidden, and the additional cost is the reason
	AskWhyNot = "why-not" // why the plan lacks a property: it is forced
)

// Known mistakes, those of Hao et al. (2024, §A.4 and §A.6).
const (
	MistakeSyntax      = "syntax"      // the solver cannot read the text
	MistakeNegative    = "negative"    // a quantity that cannot be negative is negative
	MistakeImplicit    = "implicit"    // an implicit constraint is missing: two kinds of variables are unconnected
	MistakeOverwritten = "overwritten" // given definitions are redefined, or replaced by made-up numbers
	MistakeHorizon     = "horizon"     // the search covers too few steps, or too many
	MistakeDirection   = "direction"   // a "why" question forces the behaviour, or a "why not" question forbids it
	MistakeQuery       = "query"       // the query does not change the formulation
	MistakeObjective   = "objective"   // the objective is missing
	MistakeInitial     = "initial"     // the initial state differs from the query's
	MistakeForm        = "form"        // an answer does not have the required form
	MistakeFigures     = "figures"     // an answer has numbers that the solution does not have
	MistakeAmbiguous   = "ambiguous"   // the query has several meanings with different plans
	MistakeSteps       = "steps"       // the plan has steps, and the notation has none
	MistakeGroundless  = "groundless"  // the text excludes every plan without the problem's variables or data
	MistakeConstraint  = "constraint"  // no part of the text states a constraint of the Definer
)

// Finding is a mistake found by a check.
type Finding struct {
	Mistake string `json:"mistake"` // one of the Mistake constants
	Stage   string `json:"stage"`   // the stage that made it
	Certain bool   `json:"certain"` // it is a certain mistake, even if a model disagrees; otherwise it may be intended
	Message string `json:"message"`
	Round   int    `json:"round"`
	// The file of the product and the line.
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
}
