package formulate

// What a query asks.
const (
	AskPlan   = "plan"    // for a plan
	AskWhatIf = "what-if" // what becomes of the plan where something is otherwise
	AskWhy    = "why"     // why the plan has something: it is forbidden, and what that costs is the reason
	AskWhyNot = "why-not" // why the plan does not have something: it is forced
)

// Mistakes that are known by name: those of Hao et al. (2024, §A.4 and §A.6).
const (
	MistakeSyntax      = "syntax"      // the text is not what the solver takes
	MistakeNegative    = "negative"    // a quantity that cannot be negative is
	MistakeImplicit    = "implicit"    // what goes without saying was not said: two kinds of variables have nothing to do with each other
	MistakeOverwritten = "overwritten" // what was given is defined anew, or left out for numbers of one's own
	MistakeHorizon     = "horizon"     // plans are looked for among too few steps, or too many
	MistakeDirection   = "direction"   // a question "why" is answered by doing what is asked about, or "why not" by leaving it
	MistakeQuery       = "query"       // the query changes nothing in the formulation
	MistakeObjective   = "objective"   // nothing is to be the best
	MistakeInitial     = "initial"     // the first state is not that of the query
	MistakeForm        = "form"        // an answer is not in the form that was asked for
	MistakeFigures     = "figures"     // an answer has numbers that the solution does not have
)

// Finding is a mistake that was found by checking.
type Finding struct {
	Mistake string `json:"mistake"` // one of the Mistake constants
	Stage   string `json:"stage"`   // whose mistake it is
	Certain bool   `json:"certain"` // it is one, whatever a model says of it; else it may be meant
	Message string `json:"message"`
	Round   int    `json:"round"`
	// Of a place in the product: which file, and where.
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
}
