// Package lines provides the lexer and formatter of the line-based notations with blocks in
// braces, .pda and .flow. The formatter loses no token.
//
// A word is a run of characters without white space and without ( ) , ; [ ] { } ".
// A { inside a word belongs to it, up to its }. A text is written in double quotes, in which \"
// and \\ are the only escapes. A comment runs from a # where a word could begin to the end of the
// line.
package lines

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/source"
)

// Kind is the kind of a [Token].
type Kind uint8

// The kinds of tokens.
const (
	Word    Kind = iota
	Text         // in quotes
	Arrow        // -> or →
	Mark         // one of ( ) , ; [ ] { }
	Comment      // from # to the end of the line
	Line         // the end of a line
)

// Token is a token with its span.
type Token struct {
	Kind Kind
	Text string // a text without its quotes
	Span source.Span
	Open bool // a text whose closing quote is missing
}

// Is reports whether the token is a mark or a word.
func (t Token) Is(text string) bool { return (t.Kind == Mark || t.Kind == Word) && t.Text == text }

// IsName reports whether the token can be a name: a word, or a closed text.
func (t Token) IsName() bool { return t.Kind == Word || t.Kind == Text && !t.Open }

const marks = "(),;[]{}"

// Lex returns the tokens of a text. The last one is a [Line].
func Lex(text string) []Token {
	var out []Token
	add := func(kind Kind, from, to int, value string) {
		out = append(out, Token{Kind: kind, Text: value, Span: source.Span{Start: source.Pos(from), End: source.Pos(to)}})
	}
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c == '\n':
			add(Line, i, i+1, "")
			i++
		case c == '#':
			end := source.LineEnd(text, i)
			add(Comment, i, end, strings.TrimRight(text[i:end], " \t\r"))
			i = end
		case c == '"':
			value, end, open := quoted(text, i)
			add(Text, i, end, value)
			out[len(out)-1].Open = open
			i = end
		case strings.IndexByte(marks, c) >= 0:
			add(Mark, i, i+1, string(c))
			i++
		default:
			if r, size := utf8.DecodeRuneInString(text[i:]); unicode.IsSpace(r) {
				i += size
				continue
			}
			end := wordEnd(text, i)
			kind := Word
			if text[i:end] == "->" || text[i:end] == "→" {
				kind = Arrow
			}
			add(kind, i, end, text[i:end])
			i = end
		}
	}
	add(Line, len(text), len(text), "")
	return out
}

func quoted(text string, start int) (value string, end int, open bool) {
	var b strings.Builder
	end = source.LineEnd(text, start)
	for i := start + 1; i < end; i++ {
		switch {
		case text[i] == '"':
			return b.String(), i + 1, false
		case text[i] == '\\' && i+1 < end && (text[i+1] == '"' || text[i+1] == '\\'):
			i++
			b.WriteByte(text[i])
		default:
			b.WriteByte(text[i])
		}
	}
	return b.String(), end, true
}

// Quote returns the text in double quotes, with escapes.
func Quote(text string) string {
	return `"` + strings.ReplaceAll(strings.ReplaceAll(text, `\`, `\\`), `"`, `\"`) + `"`
}

// wordEnd returns the end of the word that begins at start.
func wordEnd(text string, start int) int {
	inside := false
	for i := start; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case unicode.IsSpace(r) && !inside, r == '\n':
			return i
		case r == '{':
			// The brace belongs to the word if it is closed on the same line.
			line := text[i:source.LineEnd(text, i)]
			if !strings.Contains(line, "}") {
				return i
			}
			inside = true
		case r == '}' && inside:
			inside = false
		case !inside && (r == '"' || strings.ContainsRune(marks, r)):
			return i
		}
		i += size
	}
	return len(text)
}

// Format returns the text with two spaces of indentation per brace and one space between tokens
// that may be separated. It keeps line breaks and comments, and merges consecutive empty lines.
// hangs, which may be nil, reports whether a line continues the previous one; such a line is
// indented by two more spaces. Format is idempotent.
func Format(text string, hangs func(line []Token) bool) string {
	var b strings.Builder
	depth := 0
	blank := true // only empty lines so far, or an empty line before
	var line []Token
	for _, t := range Lex(text) {
		if t.Kind != Line {
			line = append(line, t)
			continue
		}
		if len(line) == 0 {
			if !blank {
				b.WriteByte('\n')
			}
			blank = true
			continue
		}
		blank = false
		opens, least := 0, 0
		for _, t := range line {
			switch {
			case t.Kind == Mark && t.Text == "{":
				opens++
			case t.Kind == Mark && t.Text == "}":
				opens--
				least = min(least, opens)
			}
		}
		b.WriteString(strings.Repeat("  ", max(depth+least, 0)))
		if hangs != nil && hangs(line) {
			b.WriteString("  ")
		}
		writeLine(&b, line, text)
		depth = max(depth+opens, 0)
		line = line[:0]
	}
	out := strings.TrimRight(b.String(), "\n")
	if out == "" {
		return ""
	}
	return out + "\n"
}

func writeLine(b *strings.Builder, line []Token, text string) {
	for i, t := range line {
		if i > 0 && spaced(line[i-1], t) {
			b.WriteByte(' ')
			if t.Kind == Comment {
				b.WriteByte(' ')
			}
		}
		switch {
		case t.Kind == Text && t.Open:
			b.WriteString(strings.TrimRight(text[t.Span.Start:t.Span.End], " \t\r"))
		case t.Kind == Text:
			b.WriteString(Quote(t.Text))
		case t.Kind == Arrow:
			b.WriteString("->")
		default:
			b.WriteString(t.Text)
		}
	}
	b.WriteByte('\n')
}

// spaced reports whether Format puts a space between two tokens.
func spaced(before, t Token) bool {
	switch {
	case before.Is("(") && before.Kind == Mark, before.Is("[") && before.Kind == Mark:
		return false
	case t.Kind == Mark && strings.Contains("),;]", t.Text):
		return false
	}
	return true
}
