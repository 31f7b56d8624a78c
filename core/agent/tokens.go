package agent

import (
	"strings"

	"github.com/stile-playground/stile/core/sexpr"
	"github.com/stile-playground/stile/core/source"
)

// Tokens returns the tokens of a text with their colours, in order. Parentheses have none.
func Tokens(file *source.File) []source.Token {
	if len(file.Check()) > 0 {
		return nil
	}
	var out []source.Token
	for t := range sexpr.Tokens(file.Text) {
		class := source.ClassState
		switch {
		case t.Kind == sexpr.TokenOpen || t.Kind == sexpr.TokenClose:
			continue
		case t.Bad:
			class = source.ClassInvalid
		case t.Kind == sexpr.TokenString:
			class = source.ClassString
		case t.Kind == sexpr.TokenComment:
			class = source.ClassComment
		case strings.HasPrefix(t.Text, ":") || t.Text == "define":
			class = source.ClassKeyword
		default:
			if _, ok := operators[operatorName(t.Text)]; ok {
				class = source.ClassOperator
			}
		}
		out = append(out, source.Token{Span: t.Span, Class: class})
	}
	return out
}
