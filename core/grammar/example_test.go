package grammar_test

import (
	"fmt"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/source"
)

// Parsing and compilation report all faults, each with a code and a place.
func ExampleCompile() {
	file := source.NewFile("plan.cfg", "S -> search Read | answer\nRead -> read Raed | read\n")
	syntax, found := grammar.Parse(file)
	g, more := grammar.Compile(syntax, "")
	fmt.Println(g.Names[:g.NumTerminals])
	for _, d := range append(found, more...) {
		fmt.Printf("%s %s at %q: %s\n", d.Severity, d.Code, file.Slice(d.Span), d.Message)
	}
	// Output:
	// [search answer read Raed]
	// warning cfg.suspect at "Raed": "Raed" has no rule, so it is a terminal; did you mean "Read"?
}
