package source

// Token is a coloured range of a text. Every notation returns its tokens in order of their
// positions.
type Token struct {
	Span  Span
	Class string // one of the Class constants
}

// The classes of tokens. The page has a colour for each.
const (
	ClassComment     = "comment"
	ClassInvalid     = "invalid"
	ClassKeyword     = "keyword"
	ClassNonterminal = "nonterminal"
	ClassNumber      = "number"
	ClassOperator    = "operator"
	ClassState       = "state"
	ClassString      = "string"
	ClassTerminal    = "terminal"
)
