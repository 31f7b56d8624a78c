package strips

import (
	"strings"

	"github.com/stile-playground/stile/core/sexpr"
	"github.com/stile-playground/stile/core/source"
)

// Token is a coloured piece of text.
type Token struct {
	Span  source.Span
	Class string // "keyword", "operator", "nonterminal", "state", "terminal", "comment" or "invalid"
}

// Tokens returns the pieces of a text with their colours, in order: predicates and
// actions are "terminal", types "nonterminal", objects and parameters "state".
// Parentheses have none.
func Tokens(file *source.File) []Token {
	if len(file.Check()) > 0 {
		return nil
	}
	named := map[source.Pos]string{}
	for _, o := range Occurrences(file) {
		switch o.Kind {
		case KindPredicate, KindAction:
			named[o.Span.Start] = "terminal"
		case KindType:
			named[o.Span.Start] = "nonterminal"
		}
	}
	keywords := map[string]bool{}
	for _, w := range Keywords() {
		keywords[w] = true
	}
	var out []Token
	for t := range sexpr.Tokens(file.Text) {
		class := named[t.Span.Start]
		word := fold(t.Text)
		switch {
		case t.Kind == sexpr.TokenOpen || t.Kind == sexpr.TokenClose:
			continue
		case t.Bad || t.Kind == sexpr.TokenString:
			class = "invalid"
		case t.Kind == sexpr.TokenComment:
			class = "comment"
		case class != "":
		case word == "and" || word == "not" || word == "=" || word == "-":
			class = "operator"
		case keywords[word] || strings.HasPrefix(word, ":"):
			class = "keyword"
		default:
			class = "state"
		}
		out = append(out, Token{t.Span, class})
	}
	return out
}

// Format prints a text again, comments and all. The text must have parsed without
// errors.
func Format(file *source.File) string {
	tree, _ := sexpr.Parse(file)
	for _, define := range tree.Nodes {
		for _, n := range define.Items {
			if fold(n.Head()) == ":action" {
				n.InPairs()
			}
		}
	}
	return tree.Format()
}
