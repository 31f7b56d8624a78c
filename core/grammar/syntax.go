package grammar

import (
	"github.com/stile-playground/stile/core/source"
)

// Syntax is a parsed text: its lines in order, so that a formatter loses nothing. An invalid line
// is a [BadLine].
type Syntax struct {
	File  *source.File
	Lines []Line
}

// Line is one line of the text: a statement, or none on an empty line, and a
// comment, or none.
type Line struct {
	Statement Statement
	Comment   source.Span // from # on; empty without a comment
}

// Statement is one of [StartLine], [SubsetLine], [RuleLine], [MoreLine],
// [LabelLine], [LimitLine] and [BadLine].
type Statement interface{ statement() }

// StartLine is "%start S".
type StartLine struct{ Symbol Name }

// SubsetLine is `%subset A onions garlic "cooking oil"`: A derives every non-empty
// selection of the items, in the order in which they are written here.
type SubsetLine struct {
	Left  Name
	Items []Name
}

// RuleLine is "S -> a S b | c", up to the end of its line.
type RuleLine struct {
	Left         Name
	Alternatives []Alternative
}

// MoreLine is "| d e": further alternatives of the rule before it.
type MoreLine struct {
	Bar          source.Span
	Alternatives []Alternative
}

// LabelLine is `a1 as "Colorization"`.
type LabelLine struct {
	Symbol Name
	Label  Text
}

// LimitLine is "limit 1 each except i" or "limit 2 a1 a2".
type LimitLine struct {
	N       int64
	Number  source.Span
	Each    bool
	Symbols []Name // the excepted ones if Each, otherwise the limited ones
}

// BadLine is an invalid line.
type BadLine struct{ Span source.Span }

func (StartLine) statement()  {}
func (SubsetLine) statement() {}
func (RuleLine) statement()   {}
func (MoreLine) statement()   {}
func (LabelLine) statement()  {}
func (LimitLine) statement()  {}
func (BadLine) statement()    {}

// Name is a symbol where it is written.
type Name struct {
	Text string // unquoted
	Span source.Span
}

// Text is a quoted text where it is written.
type Text struct {
	Text string // unquoted
	Span source.Span
}

// Alternative is one right side, perhaps empty, perhaps with a label.
type Alternative struct {
	Symbols []Name
	Empty   bool // ε is written
	Label   *Text
	Span    source.Span
}
