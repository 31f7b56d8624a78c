package automaton_test

import (
	"fmt"
	"log"

	"github.com/stile-playground/stile/core/automaton"
)

// A shortest word that distinguishes the words that end in an a from the words in
// which a b follows an a.
func ExampleDistinguish() {
	endsInA := automaton.NewDFA([][]int{{1, 0}, {1, 0}}, []bool{false, true})
	hasAB := automaton.NewDFA([][]int{{1, 0}, {1, 2}, {2, 2}}, []bool{false, false, true})
	word, differ, err := automaton.Distinguish(endsInA, hasAB, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(word, differ)
	// Output: [0] true
}
