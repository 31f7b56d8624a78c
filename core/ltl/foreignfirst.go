//go:build first

package ltl

import "github.com/stile-playground/stile/core/source"

// explain leaves a fault as it is in the module that a page loads first: the whole one
// names what is of another notation once somebody writes.
func explain(_ string, _ source.Span, fault source.Diagnostic) source.Diagnostic { return fault }

// Meant has no suggestion there either.
func Meant(string, func(string) bool) string { return "" }
