package source

// Occurrence is a use of a name in a text. Two occurrences refer to the same entity if their Kind,
// Of and Name are equal.
type Occurrence struct {
	Kind    string // in the words of its language: "nonterminal", "state", …
	Of      string // its parent: the question of an answer, the family of a variable; mostly ""
	Name    string // unquoted
	Span    Span   // as written, including quotes
	Defines bool   // this occurrence is the definition
}
