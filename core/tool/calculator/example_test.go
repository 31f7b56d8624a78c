package calculator_test

import (
	"fmt"

	"github.com/stile-playground/stile/core/tool/calculator"
)

func ExampleCalculate() {
	for _, expression := range []string{"(12.5 + 3) * 4 / 7", "2^100", "1 / 3", "2 +"} {
		value, err := calculator.Calculate(expression, nil)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(value)
	}
	// Output:
	// 8.85714285714286 (62/7)
	// 1267650600228229401496703205376
	// 0.333333333333333 (1/3)
	// expected a number, at the end
}
