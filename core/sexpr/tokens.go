package sexpr

import (
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// Coloured is a piece of a text with its colour.
type Coloured struct {
	Span  source.Span
	Class string // "keyword", "operator", "state", "string", "comment" or "invalid"
}

// Colours returns the pieces of a text with their colours, in order. Parentheses have
// none; a keyword begins with a colon or is the head that texts of the language begin
// with.
func Colours(file *source.File, head string, operator func(word string) bool) []Coloured {
	if len(file.Check()) > 0 {
		return nil
	}
	var out []Coloured
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
		out = append(out, Coloured{t.Span, class})
	}
	return out
}
