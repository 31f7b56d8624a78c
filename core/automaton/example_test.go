package automaton_test

import (
	"fmt"
	"log"

	"github.com/stile-playground/stile/core/automaton"
)

// Words of a's and b's that end in an a, and those in which an a is followed by a
// b: a shortest word that tells them apart, and how many there are of ten letters.
func ExampleDistinguish() {
	endsInA := automaton.NewDFA([][]int{{1, 0}, {1, 0}}, []bool{false, true})
	hasAB := automaton.NewDFA([][]int{{1, 0}, {1, 2}, {2, 2}}, []bool{false, false, true})
	word, differ, err := automaton.Distinguish(endsInA, hasAB, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(word, differ)
	n, err := automaton.NewCounter(hasAB, nil).Count(10)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(n)
	// Output:
	// [0] true
	// 1013
}
