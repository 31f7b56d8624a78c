package lab

import (
	"slices"

	"github.com/stile-playground/stile/core/sexpr"
	"github.com/stile-playground/stile/core/source"
)

// Tokens returns the pieces of a text with their colours, in order.
func Tokens(file *source.File) []source.Token {
	words := Keywords()
	return sexpr.Colours(file, "experiment", func(word string) bool { return slices.Contains(words, word) })
}
