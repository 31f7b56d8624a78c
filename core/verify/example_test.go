package verify_test

import (
	"fmt"
	"log"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/verify"
)

// Does every plan end with the requested answer, and is every search followed by an answer? A
// shortest plan is the counterexample of a property that does not hold.
func ExampleGrammar() {
	syntax, _ := grammar.Parse(source.NewFile("plan.cfg", "S -> search S | answer | search note"))
	g, _ := grammar.Compile(syntax, "")
	formulas, _ := ltl.Parse(source.NewFile("plan.ltl", "F (answer | note)\n\nG (search -> F answer)"))
	for _, f := range formulas {
		holds, word, err := verify.Grammar(g, f.Formula, nil)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Print(f.Formula, ": ", holds)
		for _, symbol := range word {
			fmt.Print(" ", g.Names[symbol])
		}
		fmt.Println()
	}
	// Output:
	// F (answer | note): true
	// G (search -> F answer): false search note
}
