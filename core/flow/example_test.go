package flow_test

import (
	"fmt"
	"log"

	"github.com/stile-playground/stile/core/flow"
	"github.com/stile-playground/stile/core/source"
)

func ExampleCompile() {
	syntax, found := flow.Parse(source.NewFile("f.flow", `
ask tested "Have the tests of {change} passed?"
  yes -> merged   no -> stop as "Mend it first."
accept merged "{change} is merged."
`))
	f, more := flow.Compile(syntax)
	if len(found)+len(more) > 0 {
		log.Fatal(found, more)
	}
	state := f.States[f.Start]
	fmt.Println(f.Text(state.Question, map[string]string{"change": "the fix"}))
	for _, e := range state.Edges {
		fmt.Println(f.Letter(f.Start, e), "leads to", f.States[e.To].Name)
	}
	// Output:
	// Have the tests of the fix passed?
	// tested.yes leads to merged
	// tested.no leads to stop
}
