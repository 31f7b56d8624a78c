package agent

import (
	"strings"

	"github.com/stile-playground/stile/core/sexpr"
	"github.com/stile-playground/stile/core/source"
)

// TokenClass says how a token is coloured.
type TokenClass uint8

// The classes.
const (
	TokenInvalid TokenClass = iota
	TokenKeyword
	TokenOperator
	TokenState
	TokenString
	TokenComment
)

// String returns the class's name, in lower case.
func (c TokenClass) String() string {
	return [...]string{"invalid", "keyword", "operator", "state", "string", "comment"}[c]
}

// Token is a coloured piece of text.
type Token struct {
	Span  source.Span
	Class TokenClass
}

// Tokens returns the pieces of a text with their colours, in order. Parentheses
// have none.
func Tokens(file *source.File) []Token {
	if len(file.Check()) > 0 {
		return nil
	}
	var out []Token
	for t := range sexpr.Tokens(file.Text) {
		class := TokenState
		switch {
		case t.Kind == sexpr.TokenOpen || t.Kind == sexpr.TokenClose:
			continue
		case t.Bad:
			class = TokenInvalid
		case t.Kind == sexpr.TokenString:
			class = TokenString
		case t.Kind == sexpr.TokenComment:
			class = TokenComment
		case strings.HasPrefix(t.Text, ":") || t.Text == "define":
			class = TokenKeyword
		default:
			if _, ok := operators[operatorName(t.Text)]; ok {
				class = TokenOperator
			}
		}
		out = append(out, Token{Span: t.Span, Class: class})
	}
	return out
}
