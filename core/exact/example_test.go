package exact_test

import (
	"fmt"

	"github.com/stile-playground/stile/core/exact"
	"github.com/stile-playground/stile/core/json"
)

// Numbers that binary floating point confuses or separates keep their decimal value.
func Example() {
	value := func(text string) *exact.Value {
		tree, fault := json.Tree(text)
		if fault != nil {
			panic(fault)
		}
		return exact.Of(tree)
	}
	fmt.Println(exact.Holds("=", value("9007199254740993"), value("9007199254740992")))
	fmt.Println(exact.Holds("=", value(`{"a": 1.50, "b": 2}`), value(`{"b": 2e0, "a": 1.5}`)))
	sum, err := exact.ParseDecimal("0.1").Add(exact.ParseDecimal("0.2"))
	fmt.Println(sum, err, sum.IsMultiple(exact.ParseDecimal("0.3")))
	fmt.Println(exact.ParseDecimal("1e999999999999").Compare(exact.ParseDecimal("1e400")))
	// Output:
	// false
	// true
	// 0.3 <nil> true
	// 1
}
