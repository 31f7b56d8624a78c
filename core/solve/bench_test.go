package solve

import (
	"fmt"
	"testing"

	"github.com/stile-playground/stile/core/source"
)

// BenchmarkCheck checks problems with this many variables and constraints, as a run does
// before it passes a model's text to a solver.
func BenchmarkCheck(b *testing.B) {
	for _, solver := range []Solver{Z3, HiGHS} {
		for _, n := range []int{1_000, 10_000, 100_000} {
			text := problemOf(solver, n)
			b.Run(fmt.Sprintf("%s/%d", solver, n), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					if _, found := Check(solver, source.NewFile("p", text)); len(found) > 0 {
						b.Fatal(found[0].Message)
					}
				}
			})
		}
	}
}
