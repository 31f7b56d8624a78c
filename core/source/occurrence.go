package source

// Occurrence is a place in a text where something is named. What is named is the
// same in two places where Kind, Of and Name are.
type Occurrence struct {
	Kind    string // in the words of its language: "nonterminal", "state", …
	Of      string // what it belongs to: an answer to its question, a variable to its family; mostly ""
	Name    string // unquoted
	Span    Span   // as it is written, quotes and all
	Defines bool   // it comes to be here
}
