package solve

import (
	"testing"

	"github.com/stile-playground/stile/core/source"
)

func BenchmarkCheck(b *testing.B) {
	for _, solver := range []Solver{Z3, HiGHS} {
		file := source.NewFile("p", many(solver, 100_000))
		b.Run(string(solver), func(b *testing.B) {
			b.SetBytes(int64(len(file.Text)))
			for b.Loop() {
				Check(solver, file)
			}
		})
	}
}
