package rules

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/exact"
	"github.com/stile-playground/stile/core/source"
)

// Format returns the text with one space between words, continuation lines indented by two, and at
// most one blank line in a row. A text with errors is returned unchanged.
func Format(file *source.File) string {
	parsed := Parse(file)
	if source.HasErrors(parsed.Diagnostics) {
		return file.Text
	}
	var b strings.Builder
	blank := false
	text := strings.TrimPrefix(file.Text, "\ufeff")
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimRight(line, " \t\r")
		if line == "" {
			blank = b.Len() > 0
			continue
		}
		if blank {
			b.WriteByte('\n')
			blank = false
		}
		name, colon := ruleStart(line)
		switch {
		case colon >= 0:
			b.WriteString(name + ":")
			line = line[colon+1:]
		case line[0] == ' ' || line[0] == '\t':
			b.WriteByte(' ')
		}
		l := lexer{text: line, end: len(line)}
		tokens, comments := l.line()
		if len(tokens) > 0 {
			b.WriteByte(' ')
			writeTokens(&b, tokens)
		}
		for _, c := range comments {
			if len(tokens) > 0 || colon >= 0 {
				b.WriteString("  ")
			} else if line[0] != '#' {
				b.WriteByte(' ')
			}
			b.WriteString(c.text)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func writeTokens(b *strings.Builder, tokens []token) {
	window, tight := false, false
	for i, t := range tokens {
		if i > 0 && !tight && !window && spaced(tokens, i) {
			b.WriteByte(' ')
		}
		b.WriteString(t.text)
		switch {
		case t.is("["):
			window = true
		case t.is("]"):
			window = false
		}
		tight = signs(tokens, i)
	}
}

// signs reports whether a token is the minus of a negative number.
func signs(tokens []token, i int) bool {
	if !tokens[i].is("-") || i+1 == len(tokens) || tokens[i+1].kind != tokenNumber || tokens[i+1].span.Start != tokens[i].span.End {
		return false
	}
	if i == 0 {
		return true
	}
	before := tokens[i-1]
	return before.kind == tokenSymbol && !before.is(")") || before.kind == tokenName && !before.is("true", "false", "null")
}

// spaced reports whether a space must precede token i, which is not the first of its line.
func spaced(tokens []token, i int) bool {
	before, t := tokens[i-1], tokens[i]
	switch {
	case before.is("(", "[", "!", ".", "@"), t.is(")", "]", "[", ",", ":", "."):
		return false
	case t.is("("):
		tool := before.kind == tokenString || before.kind == tokenName && !slices.Contains(reserved, before.text)
		return !tool && !before.is("*") || i > 1 && tokens[i-2].is("~")
	}
	return true
}

// operators are the names that are operators of formulas and aggregates.
var operators = append(slices.Clone(reserved), "end", "message")

// classify returns the coloured ranges of a text in the order of their positions.
func classify(before []token, chunks []*chunk, comments []token) []source.Token {
	var out []source.Token
	add := func(span source.Span, class string) {
		out = append(out, source.Token{Span: span, Class: class})
	}
	tokens := func(list []token) {
		for i, t := range list {
			if t.kind != tokenEnd {
				add(t.span, classOf(list, i))
			}
		}
	}
	tokens(before)
	for _, c := range chunks {
		add(c.nameSpan, source.ClassNonterminal)
		add(c.colon, source.ClassOperator)
		tokens(c.tokens)
	}
	for _, c := range comments {
		add(c.span, source.ClassComment)
	}
	slices.SortFunc(out, func(a, b source.Token) int { return int(a.Span.Start - b.Span.Start) })
	return out
}

func classOf(list []token, i int) string {
	t := list[i]
	at := func(n int) token {
		if n < len(list) {
			return list[n]
		}
		return token{}
	}
	tool := at(i+1).is("(") || at(i+1).is(".") && at(i+3).is("(")
	switch t.kind {
	case tokenComment:
		return source.ClassComment
	case tokenBad:
		return source.ClassInvalid
	case tokenNumber:
		return source.ClassNumber
	case tokenVariable:
		return source.ClassState
	case tokenRegex:
		return source.ClassString
	case tokenString:
		if tool {
			return source.ClassTerminal
		}
		return source.ClassString
	case tokenName:
		before := token{}
		if i > 0 {
			before = list[i-1]
		}
		path := at(i+1).is(":", ".") && !tool || before.is(".") && !at(i+1).is("(") || before.is("@")
		switch {
		case before.kind == tokenNumber && t.is("s", "m", "h", "d"):
			return source.ClassNumber
		case path:
			return source.ClassString
		case slices.Contains(operators, t.text), before.is(".") && (slices.Contains(kinds, t.text) || slices.Contains(roles, t.text)):
			return source.ClassKeyword
		case tool:
			return source.ClassTerminal
		}
		return ""
	}
	return source.ClassOperator
}

// FormulaText returns the formula of a rule with one space between its tokens and without comments.
// Rules with the same text have the same meaning.
func (f *File) FormulaText(r *Rule) string {
	at, _ := slices.BinarySearchFunc(f.tokens, r.NameSpan.End, func(t source.Token, end source.Pos) int { return cmp.Compare(t.Span.Start, end) })
	var out []string
	for _, t := range f.tokens[at:] {
		if t.Span.Start >= r.Span.End {
			break
		}
		if t.Class != source.ClassComment {
			out = append(out, f.text[t.Span.Start:t.Span.End])
		}
	}
	return strings.Join(out, " ")
}

// Tokens returns the coloured ranges in the order of their positions.
func (f *File) Tokens() []source.Token {
	return slices.DeleteFunc(slices.Clone(f.tokens), func(t source.Token) bool { return t.Class == "" })
}

// Words returns all tokens and comments in the order of their positions; tokens without a colour
// have the class "".
func (f *File) Words() []source.Token { return f.tokens }

// The kinds of occurrences.
const (
	KindRule     = "rule"
	KindVariable = "variable"
	KindTool     = "tool"
	KindField    = "field"
)

// Occurrences returns the names of a text. The parent of a field is its tool, that of a variable its
// rule; variables of aggregates have a number after it.
func Occurrences(file *source.File) []source.Occurrence { return Parse(file).names }

func occurrences(list []*Rule) []source.Occurrence {
	var out []source.Occurrence
	for _, r := range list {
		out = append(out, source.Occurrence{Kind: KindRule, Name: r.Name, Span: r.NameSpan, Defines: true})
		for _, v := range r.variables {
			of := r.Name
			if v.aggregate {
				of += " " + exact.FromInt(int64(v.index)).String()
			}
			for i, u := range v.Uses {
				out = append(out, source.Occurrence{Kind: KindVariable, Of: of, Name: v.Name, Span: u.Span, Defines: i == 0})
			}
		}
		if r.Formula == nil {
			continue
		}
		eachFormula(r.Formula, func(f *Formula) {
			a := f.Atom
			if a == nil {
				return
			}
			if !a.Any && a.Kind != "message" {
				out = append(out, source.Occurrence{Kind: KindTool, Name: a.Name, Span: a.NameSpan})
			}
			for _, p := range a.Patterns {
				if !p.Meta {
					out = append(out, source.Occurrence{Kind: KindField, Of: a.Name, Name: strings.Join(p.Path, "."), Span: p.Span})
				}
			}
		})
	}
	return out
}
