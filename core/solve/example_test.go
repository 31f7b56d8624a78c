package solve_test

import (
	"fmt"

	"github.com/stile-playground/stile/core/solve"
	"github.com/stile-playground/stile/core/source"
)

// Check reports faults with their places before a solver sees the text.
func ExampleCheck() {
	file := source.NewFile("plan.smt2", "(declare-const boxes Int)\n(assert (>= boxs 3))\n(minimize boxes)")
	_, found := solve.Check(solve.Z3, file)
	for _, d := range found {
		fmt.Printf("line %d: %s\n", file.Locate(d.Span.Start).Line, d.Message)
	}
	// Output: line 2: unknown constant "boxs"; did you mean "boxes"?
}
