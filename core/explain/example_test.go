package explain_test

import (
	"fmt"

	"github.com/stile-playground/stile/core/explain"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/source"
)

func ExampleFormula() {
	formulas, _ := ltl.Parse(source.NewFile("pay.ltl", "approved: !pay W approve\n\nfinal: G(pay -> last)"))
	for _, f := range formulas {
		fmt.Printf("%s: %s\n", f.Name, explain.Formula(f.Formula))
	}
	// Output:
	// approved: Every pay step is preceded by an approve step.
	// final: Only the last step can be a pay step.
}
