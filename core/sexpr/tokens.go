package sexpr

import (
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// Colours returns the coloured tokens of a text, in order. Parentheses have no colour; a keyword
// begins with a colon or is the head with which texts of the language begin.
func Colours(file *source.File, head string, operator func(word string) bool) []source.Token {
	if len(file.Check()) > 0 {
		return nil
	}
	var out []source.Token
	for t := range Tokens(file.Text) {
		class := "state"
		switch {
		case t.Kind == TokenOpen || t.Kind == TokenClose:
			continue
		case t.Bad:
			class = "invalid"
		case t.Kind == TokenString:
			class = "string"
		case t.Kind == TokenComment:
			class = "comment"
		case strings.HasPrefix(t.Text, ":") || t.Text == head:
			class = "keyword"
		case operator(t.Text):
			class = "operator"
		}
		out = append(out, source.Token{Span: t.Span, Class: class})
	}
	return out
}
