package language

import (
	"strings"

	"github.com/stile-playground/stile/core/lines"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/sexpr"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
)

// AnalysisBudget bounds the work of an analysis. The editor waits for one at each change.
var AnalysisBudget = meter.Budget{Steps: 5_000_000, States: 200_000}

// callBudget bounds the work of a call that is not a run: the default limits.
var callBudget = meter.Budget{}

// faultsOf returns the diagnostics of a parser.
func faultsOf[T any](_ T, found []source.Diagnostic) []source.Diagnostic { return found }

// formatted returns the formatted text. A text with errors is returned unchanged, because
// formatting a partial tree would lose text.
func formatted(file *source.File, found []source.Diagnostic, format func() string) (string, []source.Diagnostic) {
	if source.HasErrors(found) {
		return file.Text, found
	}
	return format(), found
}

// defineLetters marks the occurrences of a kind as letters that formulas can refer to.
func defineLetters(kind string) func(o source.Occurrence) (group, name string) {
	return func(o source.Occurrence) (group, name string) {
		if o.Kind == kind {
			return notation.GroupLetter, o.Name
		}
		return "", ""
	}
}

// shareLetters gives the occurrences of a kind the keys of the letters of the workspace.
func shareLetters(kind string) func(file string, o source.Occurrence) string {
	return func(_ string, o source.Occurrence) string {
		if o.Kind == kind {
			return notation.LetterKey(o)
		}
		return ""
	}
}

// lexTokens converts coloured tokens to words.
func lexTokens(tokens func(file *source.File) []source.Token) func(file *source.File) []notation.Word {
	return func(file *source.File) (out []notation.Word) {
		for _, t := range tokens(file) {
			out = append(out, notation.Word{Span: t.Span, Comment: t.Class == source.ClassComment})
		}
		return out
	}
}

// lexLines returns the words of a line-based notation.
func lexLines(file *source.File) (out []notation.Word) {
	for _, t := range lines.Lex(file.Text) {
		if t.Kind != lines.Line {
			out = append(out, notation.Word{Span: t.Span, Comment: t.Kind == lines.Comment})
		}
	}
	return out
}

// lexForms returns the words of a notation with parenthesized lists.
func lexForms(file *source.File) (out []notation.Word) {
	for t := range sexpr.Tokens(file.Text) {
		out = append(out, notation.Word{Span: t.Span, Comment: t.Kind == sexpr.TokenComment})
	}
	return out
}

// FoldForms folds parenthesized lists.
func FoldForms(x *notation.Folder) {
	for t := range sexpr.Tokens(x.File.Text) {
		x.Bracket(t.Kind == sexpr.TokenOpen, t.Kind == sexpr.TokenClose, t.Span)
	}
}

// foldBraces folds blocks in braces, and continuation lines.
func foldBraces(x *notation.Folder, continues func(line string) bool) {
	for _, t := range lines.Lex(x.File.Text) {
		x.Bracket(t.Is("{"), t.Is("}"), t.Span)
	}
	x.Lines(continues)
}

// spellLines formats a name of a line-based notation, in quotes if it needs them or had them
// before.
func spellLines(f workspace.File, at source.Pos, name string) string {
	if f.Text[at] == '"' {
		return lines.Quote(name)
	}
	return quoteWord(name)
}

// quoteWord formats a name, in quotes if it needs them.
func quoteWord(name string) string {
	if plain := lines.Lex(name); len(plain) == 2 && plain[0].Kind == lines.Word {
		return name
	}
	return lines.Quote(name)
}

// lineTokens colours a text of a line-based notation.
func lineTokens(file *source.File, keywords string) []source.Token {
	var list []lines.Token
	for _, t := range lines.Lex(file.Text) {
		if t.Kind != lines.Line {
			list = append(list, t)
		}
	}
	out := make([]source.Token, min(len(list), notation.MaxTokens))
	for i := range out {
		t := list[i]
		class := source.ClassTerminal
		switch {
		case t.Open:
			class = source.ClassInvalid
		case t.Kind == lines.Comment:
			class = source.ClassComment
		case t.Kind == lines.Text:
			class = source.ClassString
		case t.Kind == lines.Arrow || t.Kind == lines.Mark || t.Text == "*" || t.Text == "ε":
			class = source.ClassOperator
		case strings.Contains(" "+keywords+" ", " "+t.Text+" "):
			class = source.ClassKeyword
		case i+1 < len(list) && list[i+1].Kind == lines.Arrow || i > 0 && list[i-1].Kind == lines.Arrow:
			class = source.ClassNonterminal
		}
		out[i] = source.Token{Span: t.Span, Class: class}
	}
	return out
}

// entry returns an entry of the manual: the spellings of a word, its usage, its meaning, and a
// complete example file.
func entry(words []string, form, text, example string) notation.Entry {
	return notation.Entry{Words: words, Form: form, Text: text, Example: example}
}

// phrase is [entry] for a phrase of several words.
func phrase(words []string, form, text, example string) notation.Entry {
	return notation.Entry{Words: words, Phrase: true, Form: form, Text: text, Example: example}
}
