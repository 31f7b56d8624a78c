package team

import (
	"slices"

	"github.com/stile-playground/stile/core/sexpr"
	"github.com/stile-playground/stile/core/source"
)

// Tokens returns the tokens of a text with their colours, in order.
func Tokens(file *source.File) []source.Token {
	return sexpr.Colours(file, "define", func(word string) bool {
		return slices.Contains(constraintForms, word) || slices.Contains(limitNames, word) || slices.Contains(roles, word)
	})
}
