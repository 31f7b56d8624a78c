package habit_test

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/habit"
	"github.com/stile-playground/stile/core/source"
)

// One fault at a construct of another notation replaces the faults that follow from it.
func ExampleNotation_Explain() {
	check := func(text string) (found []source.Diagnostic) {
		for i, c := range text {
			if strings.ContainsRune(":=", c) {
				found = append(found, source.Diagnostic{Span: source.Span{Start: source.Pos(i), End: source.Pos(i + 1)}, Message: fmt.Sprintf("unexpected %q", c)})
			}
		}
		return found
	}
	n := &habit.Notation{Check: check, Habits: []habit.Habit{{Pattern: `::?=`, Message: "a production has ->, not $0", Write: "->"}}}
	const text = "start ::= work\nwork -> look\n"
	for _, found := range [][]source.Diagnostic{check(text), n.Explain(text, check(text))} {
		for _, d := range found {
			fmt.Printf("%q: %s\n", text[d.Span.Start:d.Span.End], d.Message)
		}
	}
	// Output:
	// ":": unexpected ':'
	// ":": unexpected ':'
	// "=": unexpected '='
	// "::=": a production has ->, not "::="
}
