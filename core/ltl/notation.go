package ltl

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/source"
)

// Token is a coloured piece of text; Class is "comment", "operator", "keyword",
// "string", "terminal" (a proposition) or "invalid".
type Token struct {
	Span  source.Span
	Class string
}

// Tokens returns the pieces of a text with their colours, in order. Parentheses
// have none.
func Tokens(file *source.File) []Token {
	if len(file.Check()) > 0 {
		return nil
	}
	var out []Token
	p := &parser{text: file.Text, end: len(file.Text)}
	for p.at < p.end {
		start := p.at
		r, size := utf8.DecodeRuneInString(p.text[p.at:])
		switch {
		case unicode.IsSpace(r):
			p.at += size
			continue
		case r == '#':
			p.at = source.LineEnd(p.text, p.at)
			out = append(out, Token{span(start, p.at), "comment"})
			continue
		}
		t := p.read(p.text[p.at:])
		class := ""
		switch {
		case t.kind == tokenOp && t.op.arity() == 0:
			class = "keyword"
		case t.kind == tokenOp:
			class = "operator"
		case t.kind == tokenProp && p.text[start] == '"':
			class = "string"
		case t.kind == tokenProp:
			class = "terminal"
		case t.kind == tokenBad:
			class = "invalid"
		}
		if class != "" {
			out = append(out, Token{span(start, p.at), class})
		}
	}
	return out
}

func span(start, end int) source.Span {
	return source.Span{Start: source.Pos(start), End: source.Pos(end)}
}

// Format prints a text again, tidied: each formula on one line, with no more
// parentheses than it needs, and an empty line between two. A paragraph with a
// comment in it, or that was not understood, stays as it is.
func Format(file *source.File) string {
	list, _ := Parse(file)
	byPlace := map[source.Pos]Named{}
	for _, n := range list {
		byPlace[n.Span.Start] = n
	}
	var parts []string
	for _, place := range paragraphs(file.Text) {
		text := strings.TrimRight(file.Text[place.Start:place.End], " \t\r\n")
		if n, ok := byPlace[place.Start]; ok && !strings.Contains(text, "#") {
			text = n.Formula.String()
			if n.Name != "" {
				text = quoteName(n.Name) + ": " + text
			}
		}
		parts = append(parts, text)
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, "\n\n") + "\n"
}
