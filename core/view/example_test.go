package view_test

import (
	"fmt"
	"log"

	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/view"
)

// A drawing joins the letters that lead from a state to another one in a condition.
func ExampleFormula() {
	list, found := ltl.Parse(source.NewFile("f.ltl", "answered: G (ask -> F answer)"))
	if len(found) > 0 {
		log.Fatal(found)
	}
	alphabet, err := ltl.NewAlphabet([]string{"ask", "answer", "think"}, ltl.OneHot)
	if err != nil {
		log.Fatal(err)
	}
	d, err := ltl.Translate(list[0].Formula, alphabet, nil)
	if err != nil {
		log.Fatal(err)
	}
	drawing := view.Formula(d, list[0].Name, view.Picture, nil)
	for _, n := range drawing.Nodes {
		fmt.Printf("%s start=%v accepting=%v\n", n.ID, n.Start, n.Accepting)
	}
	for _, e := range drawing.Edges {
		for _, l := range e.Lines {
			fmt.Printf("%s -> %s: %s\n", e.From, e.To, l.Label)
		}
	}
	// Output:
	// q0 start=true accepting=false
	// q1 start=false accepting=false
	// q2 start=false accepting=true
	// q0 -> q1: ask
	// q0 -> q2: !ask
	// q1 -> q1: !answer
	// q1 -> q2: answer
	// q2 -> q1: ask
	// q2 -> q2: !ask
}
