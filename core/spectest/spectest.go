// Package spectest reads tests of specs: words, plans and runs with the verdict that a spec must
// return.
//
//	spec react.agent                       # default: the spec with the same base name
//	accept Ques Tht Act Act-Inp Obs Final-Tht Ans as "one search"
//	reject Ques Ans
//	incomplete Ques Tht
//	run violated as "acts before it thinks"
//	  [Question] Who wrote Faust?
//	  [Action] Search
//
// A case is a line with the symbols of a word, or a line and the indented lines after it, which are
// the text of a plan or a run. "spec" names the file that the cases after it test. A symbol is a run
// of characters without white space, or a text in double quotes, in which \" and \\ are the only
// escapes. A comment runs from a # where a symbol could begin to the end of the line; indented texts
// have no comments.
package spectest

import (
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// Form is the form of a case.
type Form string

// The forms of cases.
const (
	Word Form = "word" // symbols
	Plan Form = "plan" // a text that is read as a plan
	Run  Form = "run"  // the text of an agent's run
)

// Reserved words.
const (
	kwSpec  = "spec"
	kwAs    = "as"
	kwEmpty = "ε"
)

// The expected verdicts. A word has the first three, a plan the next two, a run Valid, Violated
// or Incomplete.
const (
	Accept     = "accept"
	Reject     = "reject" // not accepted: incomplete, or without a valid continuation
	Incomplete = "incomplete"
	Valid      = "valid"
	Invalid    = "invalid"
	Violated   = "violated"
)

// Verdicts returns the verdicts that cases of a form can expect.
func Verdicts(f Form) []string {
	switch f {
	case Plan:
		return []string{Valid, Invalid}
	case Run:
		return []string{Valid, Violated, Incomplete}
	}
	return []string{Accept, Reject, Incomplete}
}

// Keywords returns the reserved words.
func Keywords() []string {
	return []string{Accept, Reject, Incomplete, string(Plan), string(Run), kwSpec, kwAs, kwEmpty}
}

// Symbol is a name in a text.
type Symbol struct {
	Name string      // unquoted
	Span source.Span // as written
}

// Case is a case of a file.
type Case struct {
	Spec   Symbol // the named file; "": the default one
	Form   Form
	Expect string // a verdict of the form
	Title  string
	Word   []Symbol // of a word
	Text   string   // of a plan or a run, without the indentation that all its lines have
	Head   source.Span
	Span   source.Span   // with the indented lines
	Lines  []source.Span // of the text
}

// Place returns the span in the file of a range of bytes of the case's text.
func (c *Case) Place(start, end int) source.Span {
	at := func(offset int) source.Pos {
		for _, line := range c.Lines {
			if offset <= line.Len() {
				return line.Start + source.Pos(offset)
			}
			offset -= line.Len() + 1
		}
		return c.Span.End
	}
	out := source.Span{Start: at(start)}
	out.End = max(at(end), out.Start)
	return out
}

// Key returns a text that is equal for two cases that test the same spec with the same symbols or
// text.
func (c *Case) Key() string {
	parts := []string{c.Spec.Name, string(c.Form), c.Text}
	for _, s := range c.Word {
		parts = append(parts, s.Name)
	}
	return strings.Join(parts, "\x00")
}

// Names returns the names of the symbols of a word.
func (c *Case) Names() []string {
	out := make([]string, len(c.Word))
	for i, s := range c.Word {
		out[i] = s.Name
	}
	return out
}

// Label returns the title of a case, or else its word or the first line of its text.
func (c *Case) Label() string {
	if c.Title != "" {
		return c.Title
	}
	if c.Form != Word {
		line, _, _ := strings.Cut(strings.TrimSpace(c.Text), "\n")
		return short(line)
	}
	if len(c.Word) == 0 {
		return kwEmpty
	}
	var names []string
	for _, s := range c.Word {
		names = append(names, Quote(s.Name))
	}
	return strings.Join(names, " ")
}

// Tests is a parsed file.
type Tests struct {
	Cases []Case
	Specs []Symbol // the names after "spec", in order

	rows []row
}

// Kinds of [source.Occurrence]. Symbols have the kind of the propositions of formulas, which refer
// to the same definitions.
const (
	KindSymbol = "proposition"
	KindFile   = "file"
)

// Occurrences returns the occurrences of symbols and of names of files. The file of tests defines
// none of them.
func Occurrences(file *source.File) (out []source.Occurrence) {
	t, _ := Parse(file)
	for _, s := range t.Specs {
		out = append(out, source.Occurrence{Kind: KindFile, Name: s.Name, Span: s.Span})
	}
	for i := range t.Cases {
		for _, s := range t.Cases[i].Word {
			out = append(out, source.Occurrence{Kind: KindSymbol, Name: s.Name, Span: s.Span})
		}
	}
	return out
}

// Tokens returns the coloured ranges of a file.
func Tokens(file *source.File) (out []source.Token) {
	t, _ := Parse(file)
	add := func(span source.Span, class string) {
		if span.Len() > 0 {
			out = append(out, source.Token{Span: span, Class: class})
		}
	}
	for _, r := range t.rows {
		for i, w := range r.words {
			switch {
			case w.open:
				add(w.span, source.ClassInvalid)
			case i == 0 && !w.quoted || w.is(kwAs) || i == 1 && r.form() != Word:
				add(w.span, source.ClassKeyword)
			case i > 0 && r.words[i-1].is(kwAs), r.words[0].is(kwSpec):
				add(w.span, source.ClassString)
			case w.is(kwEmpty):
				add(w.span, source.ClassOperator)
			default:
				add(w.span, source.ClassTerminal)
			}
		}
		add(r.comment, source.ClassComment)
		for _, span := range r.block {
			add(span, source.ClassString)
		}
	}
	return out
}
