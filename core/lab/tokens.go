package lab

import (
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/sexpr"
	"github.com/stile-playground/stile/core/source"
)

// Token is a coloured piece of text.
type Token struct {
	Span  source.Span
	Class string // "keyword", "operator", "state", "string", "comment" or "invalid"
}

// Tokens returns the pieces of a text with their colours, in order. Parentheses have
// none.
func Tokens(file *source.File) []Token {
	if len(file.Check()) > 0 {
		return nil
	}
	words := Keywords()
	var out []Token
	for t := range sexpr.Tokens(file.Text) {
		class := "state"
		switch {
		case t.Kind == sexpr.TokenOpen || t.Kind == sexpr.TokenClose:
			continue
		case t.Bad:
			class = "invalid"
		case t.Kind == sexpr.TokenString:
			class = "string"
		case t.Kind == sexpr.TokenComment:
			class = "comment"
		case strings.HasPrefix(t.Text, ":") || t.Text == "experiment":
			class = "keyword"
		case slices.Contains(words, t.Text):
			class = "operator"
		}
		out = append(out, Token{t.Span, class})
	}
	return out
}
