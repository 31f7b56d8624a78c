package language

import (
	"github.com/stile-playground/stile/core/notation"
)

// grammarWords returns the manual of the notation.
func grammarWords() []notation.Entry {
	return []notation.Entry{
		entry([]string{"->", "→", "::="}, "S -> a S b", "A production: the symbol on the left may be replaced by the right side. A symbol without productions is a terminal, a step of a plan.", "S -> a S b | a b\n"),
		entry([]string{"|"}, "S -> a | b", "An alternative right side for the same symbol. A line that begins with it continues the rule above.", "S -> a\n  | b\n"),
		entry([]string{"ε", "%empty"}, "S -> a S | ε", "The empty word: the symbol may be left out.", "S -> a S | ε\n"),
		entry([]string{"%start"}, "%start S", "The start symbol. Default: the first left side.", "%start S\nT -> a\nS -> T T\n"),
		entry([]string{"%subset"}, "%subset A onions garlic", "The symbol derives every non-empty selection of the items listed, in their order.", "S -> mix A\n%subset A onions garlic \"cooking oil\"\n"),
		entry([]string{"as"}, `a as "Cut the onions"`, "A label for a symbol, or for the production before it. People and models read the label.", "S -> a b as \"First a, then b.\"\na as \"Cut the onions\"\n"),
		entry([]string{"limit"}, "limit 2 a b", "The maximum number of uses of each of these terminals in a word.", "S -> a S | b S | a\nlimit 2 a b\n"),
		entry([]string{"each"}, "limit 1 each", "Applies the limit to every terminal.", "S -> a S | b\nlimit 1 each\n"),
		entry([]string{"except"}, "limit 1 each except b", "Excludes these terminals from the limit.", "S -> a S | b S | a\nlimit 1 each except b\n"),
	}
}
