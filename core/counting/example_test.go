package counting_test

import (
	"fmt"
	"log"

	"github.com/stile-playground/stile/core/counting"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/source"
)

// The number of Dyck words of each length: Catalan numbers at even lengths.
func ExampleWords() {
	syntax, found := grammar.Parse(source.NewFile("dyck.cfg", "S -> a S b S | ε"))
	g, more := grammar.Compile(syntax, "")
	if source.HasErrors(append(found, more...)) {
		log.Fatal(found, more)
	}
	counts, err := counting.Words(g, 8, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(counts)
	// Output: [1 0 1 0 2 0 5 0 14]
}

// A shortest sum with two derivation trees.
func ExampleFindAmbiguity() {
	syntax, found := grammar.Parse(source.NewFile("sums.cfg", "E -> E + E | n"))
	g, more := grammar.Compile(syntax, "")
	if source.HasErrors(append(found, more...)) {
		log.Fatal(found, more)
	}
	a, err := counting.FindAmbiguity(g, 8, nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range a.Witness {
		fmt.Print(g.Names[s], " ")
	}
	fmt.Println("has", a.Trees, "trees")
	// Output: n + n + n has 2 trees
}
