package notation

import (
	"github.com/stile-playground/stile/core/explain"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
)

// Editor holds the functions of a notation for editing a file.
type Editor struct {
	// Check returns the parser's diagnostics.
	Check func(file *source.File) []source.Diagnostic
	// Occurrences returns the named places of a file, in any order.
	Occurrences func(file *source.File) []source.Occurrence
	// Lex splits a file into words, with the parentheses that completion needs.
	Lex func(file *source.File) []Word
	// Words returns the manual's entries, in the order in which a reader meets them.
	Words func() []Entry
	// IgnoreCase reports that words match in any case.
	IgnoreCase bool
	// Bounded reports that a word can have bounds, as in "until_2_5".
	Bounded bool
	// Define returns the group and the name under which formulas of the workspace can
	// refer to an occurrence: one of the groups below; "" for an occurrence that they
	// cannot refer to.
	Define func(o source.Occurrence) (group, name string)
	// Resolve replaces occurrences whose names other files define.
	Resolve func(x *Index, f workspace.File, list []source.Occurrence) []source.Occurrence
	// Key returns the key of an occurrence that several files share; "" for an occurrence that is
	// local to its file.
	Key func(file string, o source.Occurrence) string
	// Fixed returns the reason why symbols of a kind cannot be renamed, "" for those that can.
	Fixed func(symbol *Symbol) string
	// Complete adds the candidates at a position.
	Complete func(c *Completer)
	// CompleteAt replaces Lex and Complete for a notation with a separate lexer.
	CompleteAt func(w workspace.Workspace, name string, at source.Pos) Completion
	// HoverAt replaces the lookup of symbols and of words of the manual.
	HoverAt func(w workspace.Workspace, name string, at source.Pos) *Card
	// Describe adds to the card of a symbol that is defined in a file of the notation.
	Describe func(s *Scope, c *Card, symbol *Symbol)
	// Refers reports that symbols are described by the file that defines them.
	Refers bool
	// Explain explains the parts of a file in sentences, for spec.explain.
	Explain func(file *source.File) []explain.Sentence
	// Fold adds the ranges that can be folded.
	Fold func(x *Folder)
	// Spell formats a name for a position of a file.
	Spell func(f workspace.File, at source.Pos, name string) string
}

// The groups of occurrences that formulas can refer to. Letters are shared by all files
// of the workspace.
const (
	GroupLetter   = "letter"   // of a spec's words
	GroupAnswer   = "answer"   // of a flowchart, as question.answer
	GroupQuestion = "question" // of a flowchart
	GroupStep     = "step"     // a predicate or an action of a domain
)

// Word is a token for completion.
type Word struct {
	Span    source.Span
	Text    string // as written
	Comment bool
	Quoted  bool
}

// Symbol is a name at a position, with all its places in the workspace.
type Symbol struct {
	Kind   string // "nonterminal", "letter", …
	Of     string // the symbol's parent; see [source.Occurrence]
	Name   string
	Span   source.Span // of the occurrence at the position
	Places []SymbolPlace
}

// SymbolPlace is an occurrence of a symbol in a file.
type SymbolPlace struct {
	File    string
	Span    source.Span
	Defines bool
}

// Card is the text of a hover.
type Card struct {
	Span  source.Span
	Kind  string // "terminal", "state", …, "keyword"
	Name  string
	Form  string   // how a keyword is used
	Lines []string // sentences
	Word  []string // a shortest word with the symbol, or derived from it; nil if unknown
	OfIt  bool     // Word is derived from the symbol
}

// Limit of [Card.Example]: a longer word is not worth reading.
const maxExample = 40

// Example sets Word, unless it is empty or long.
func (c *Card) Example(word []string) {
	if len(word) > 0 && len(word) <= maxExample {
		c.Word = word
	}
}

// Add appends sentences.
func (c *Card) Add(lines ...string) { c.Lines = append(c.Lines, lines...) }
