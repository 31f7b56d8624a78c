package pushdown_test

import (
	"fmt"
	"log"

	"github.com/stile-playground/stile/core/pushdown"
	"github.com/stile-playground/stile/core/source"
)

// An automaton written by hand accepts words, and has a run for each way to do so.
func ExampleWords_Runs() {
	syntax, found := pushdown.Parse(source.NewFile("p.pda", `
start q Z
accept q
q -> q (open, *; A *) (close, A; ε)
`))
	p, more := pushdown.Compile(syntax)
	if len(found)+len(more) > 0 {
		log.Fatal(found, more)
	}
	words, err := p.Words(nil)
	if err != nil {
		log.Fatal(err)
	}
	runs, count, err := words.Runs([]string{"open", "open", "close"}, 10, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(count)
	for _, transition := range runs[0] {
		fmt.Println(p.Transitions[transition].Notation())
	}
	// Output:
	// 1
	// open, *; A *
	// open, *; A *
	// close, A; ε
}
