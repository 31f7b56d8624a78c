package lab_test

import (
	"fmt"

	"github.com/stile-playground/stile/core/lab"
	"github.com/stile-playground/stile/core/source"
)

func ExampleParse() {
	x, found := lab.Parse(source.NewFile("openagi.lab", `
		(experiment openagi
		  (:tasks (plans "openagi-tasks" (:first 2)))
		  (:methods (baseline zero-shot) (plan))
		  (:models (simulated rambler 0.5))
		  (:seeds 1 2 3))`))
	for _, d := range found {
		fmt.Println(d.Message)
	}
	fmt.Print(x.Name)
	for _, m := range x.Methods {
		fmt.Print(" ", m.Name)
	}
	fmt.Println(" with", len(x.Seeds), "seeds")
	fmt.Println("missing folders:", x.Needs(nil))
	// Output:
	// openagi zero-shot plan with 3 seeds
	// missing folders: [openagi-tasks]
}
