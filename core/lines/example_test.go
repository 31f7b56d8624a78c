package lines_test

import (
	"fmt"

	"github.com/stile-playground/stile/core/lines"
)

// A fault has a place in the text of an expression.
func ExampleParseExpression() {
	e, _, _ := lines.ParseExpression("2 * people <= seats and not full")
	fmt.Println(e.Value(func(name string) (int, bool) {
		n, ok := map[string]int{"people": 3, "seats": 6, "full": 0}[name]
		return n, ok
	}))
	_, fault, at := lines.ParseExpression("people <= = 3")
	fmt.Println(fault, "at", at)
	// Output:
	// 1 true
	// expected a number or a variable, not "=" at 10
}
