package automaton_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/internal/effort"
)

// Until agrees with its definition on every short word that is not empty, and its
// automata have no equivalent states.
func TestUntilAgreesWithItsDefinition(t *testing.T) {
	random := rand.New(rand.NewPCG(20, 13))
	for _, l := range []automaton.Letters{{Variables: 2}, {Variables: 3, Exclusive: true}, {Variables: 3, Exclusive: true, Closed: true}} {
		all := wordsOver(letters(l), 4)
		for range effort.Of(300) {
			var d [2]*automaton.Symbolic
			for i := range d {
				_, drawn, err := drawTable(random, l, nil)
				if err == nil {
					d[i], err = drawn.Minimize(nil)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			weak := random.IntN(2) == 0
			u, err := d[0].Until(d[1], weak, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, word := range all {
				if len(word) > 0 && symbolicAccepts(u, word) != untilHolds(d[0], d[1], weak, word) {
					t.Fatalf("weak %v: Until accepts %v: %v", weak, word, symbolicAccepts(u, word))
				}
			}
			if smallest, err := u.Minimize(nil); err != nil || smallest.NumStates() != u.NumStates() {
				t.Fatalf("%d states can be reduced to %d (%v)", u.NumStates(), smallest.NumStates(), err)
			}
		}
	}
}

// untilHolds is the definition of f U g and, with weak, of f W g.
func untilHolds(f, g *automaton.Symbolic, weak bool, word []int) bool {
	for i := range word {
		if symbolicAccepts(g, word[i:]) {
			return true
		}
		if !symbolicAccepts(f, word[i:]) {
			return false
		}
	}
	return weak
}
