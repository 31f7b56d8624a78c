package ltl

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/source"
)

// Tokens returns the pieces of a text with their colours, in order. Parentheses
// have none.
func Tokens(file *source.File) []source.Token {
	if len(file.Check()) > 0 {
		return nil
	}
	var out []source.Token
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
			out = append(out, source.Token{Span: span(start, p.at), Class: "comment"})
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
			out = append(out, source.Token{Span: span(start, p.at), Class: class})
		}
	}
	return out
}

func span(start, end int) source.Span {
	return source.Span{Start: source.Pos(start), End: source.Pos(end)}
}

// Format returns the text with each formula on one line, without redundant parentheses,
// and an empty line between two formulas. A paragraph with a comment or an error is
// unchanged.
func Format(file *source.File) string {
	list, _ := Parse(file)
	var parts []string
	for _, place := range paragraphs(file.Text) {
		text := strings.TrimRight(file.Text[place.Start:place.End], " \t\r\n")
		if len(list) > 0 && list[0].Span.Start < place.End {
			if n := list[0]; !strings.Contains(text, "#") {
				text = n.Formula.String()
				if n.Name != "" {
					text = quoteName(n.Name) + ": " + text
				}
			}
			list = list[1:]
		}
		parts = append(parts, text)
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, "\n\n") + "\n"
}
