package space_test

import (
	"fmt"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/plan/space"
	"github.com/stile-playground/stile/core/source"
)

// Exact look-ahead offers only the moves that lead to a plan within the limits and the property.
func ExampleTable_Graph() {
	syntax, _ := grammar.Parse(source.NewFile("plan.cfg", "S -> look S | buy S | pay\nlimit 1 each\n"))
	g, _ := grammar.Compile(syntax, "")
	formulas, _ := ltl.Parse(source.NewFile("p.ltl", "F buy"))
	table, err := space.NewTable(g, g.DeclaredLimits(), nil, space.Property{Name: "bought", Formula: formulas[0].Formula})
	if err != nil {
		fmt.Println(err)
		return
	}
	graph, at, err := table.Graph(nil)
	for err == nil && !graph.Done(at) {
		var offers []grammar.Symbol
		if offers, err = graph.Offers(at); err == nil {
			fmt.Println(space.Names(g, offers))
			at, _, err = graph.Take(at, 0)
		}
	}
	fmt.Println(err)
	// Output:
	// [look buy]
	// [buy]
	// [pay]
	// <nil>
}
