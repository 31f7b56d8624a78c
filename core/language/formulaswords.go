package language

import (
	"github.com/stile-playground/stile/core/notation"
)

// formulaWords returns the manual of the notation.
func formulaWords() []notation.Entry {
	return []notation.Entry{
		entry([]string{"G", "[]", "□"}, "G f", "Always: f holds at every step from here on.", "G(pay -> approved)\n"),
		entry([]string{"F", "<>", "◇"}, "F f", "Eventually: f holds at some step from here on.", "F answer\n"),
		entry([]string{"X", "○"}, "X f", "Next: there is a next step, and f holds there.", "G(ask -> X answer)\n"),
		entry([]string{"WX", "N"}, "WX f", "Weak next: if there is a next step, f holds there.", "G(meal -> WX !game)\n"),
		entry([]string{"U"}, "f U g", "Until: g holds at some step, and f at every step before.", "!pay U approved\n"),
		entry([]string{"W"}, "f W g", "Weak until: f U g, or f holds to the end.", "!pay W approved\n"),
		entry([]string{"R"}, "f R g", "Release: g holds up to and including the first step at which f holds, or to the end.", "approved R !pay\n"),
		entry([]string{"M"}, "f M g", "Strong release: f R g, and f holds at some step.", "approved M !pay\n"),
		entry([]string{"!", "~", "¬"}, "!f", "Not: f does not hold.", "G !crash\n"),
		entry([]string{"&", "&&", "∧"}, "f & g", "And: both hold.", "F a & F b\n"),
		entry([]string{"|", "||", "∨"}, "f | g", "Or: at least one of them holds.", "F a | F b\n"),
		entry([]string{"->", "→"}, "f -> g", "Implies: if f holds, g holds as well.", "G(a -> F b)\n"),
		entry([]string{"<->", "↔"}, "f <-> g", "If and only if: both hold, or neither.", "F a <-> F b\n"),
		entry([]string{"true"}, "true", "Holds at every step.", "X true\n"),
		entry([]string{"false"}, "false", "Holds at no step.", "G(a -> WX false)\n"),
		entry([]string{"last"}, "last", "Holds at the last step only.", "F(last & answer)\n"),
	}
}
