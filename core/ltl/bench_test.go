package ltl_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/meter"
)

// family is a sequence of formulas that grow with n, as in benchmarks of tools for
// temporal logic (Tabakov and Vardi 2010; Duret-Lutz et al. 2025).
type family struct {
	name    string
	letters ltl.Letters
	sizes   []int
	formula func(n int) string
	states  func(n int) int // of the smallest automaton
}

func each(n int, operator string, part func(i int) string) string {
	var parts []string
	for i := range n {
		parts = append(parts, part(i))
	}
	return strings.Join(parts, operator)
}

func nested(n int, inner string, wrap func(i int, inner string) string) string {
	for i := n - 1; i >= 0; i-- {
		inner = wrap(i, inner)
	}
	return inner
}

func untilRight(n int) string {
	return each(n+1, " U ", func(i int) string { return fmt.Sprintf("a%d", i) })
}

func untilLeft(n int) string {
	formula := "a0"
	for i := range n {
		formula = fmt.Sprintf("(%s) U a%d", formula, i+1)
	}
	return formula
}

func responses(n int) string {
	return each(n, " & ", func(i int) string { return fmt.Sprintf("G(a%d -> F b%d)", i, i) })
}

func chain(n int) string {
	return "G(a -> F(" + nested(n-1, fmt.Sprintf("b%d", n-1), func(i int, inner string) string {
		return fmt.Sprintf("b%d & X F(%s)", i, inner)
	}) + "))"
}

var families = []family{
	{"resp", ltl.Powerset, []int{8, 10, 12}, responses, func(n int) int { return 1<<n + 1 }},
	{"resp", ltl.OneHot, []int{8, 10, 12}, responses, func(n int) int { return 1<<n + 1 }},
	{"prec", ltl.Powerset, []int{10}, func(n int) string {
		return each(n, " & ", func(i int) string { return fmt.Sprintf("(!b%d W a%d)", i, i) })
	}, func(n int) int { return 1<<n + 2 }},
	{"evs", ltl.Powerset, []int{12}, func(n int) string {
		return each(n, " & ", func(i int) string { return fmt.Sprintf("F a%d", i) })
	}, func(n int) int { return 1 << n }},
	{"untilR", ltl.Powerset, []int{8, 16, 32}, untilRight, func(n int) int { return n + 2 }},
	{"untilR", ltl.OneHot, []int{8, 16, 32}, untilRight, func(n int) int { return n + 2 }},
	{"untilL", ltl.Powerset, []int{4, 8, 12}, untilLeft, func(n int) int { return 1<<n + 1 }},
	{"FaXnb", ltl.Powerset, []int{8, 12}, func(n int) string {
		return "F(a & " + strings.Repeat("X ", n) + "b)"
	}, func(n int) int { return 1<<n + 1 }},
	{"chain", ltl.Powerset, []int{8, 16, 32}, chain, func(n int) int { return n + 2 }},
	{"respAlt", ltl.Powerset, []int{6}, func(n int) string {
		return each(n, " & ", func(i int) string { return fmt.Sprintf("G(a%d -> X(!a%d U b%d))", i, i, i) })
	}, func(n int) int { return 1<<n + 2 }},
}

func (f family) translate(t testing.TB, n int) *ltl.Automaton {
	formula := parse(t, f.formula(n))
	a, err := ltl.NewAlphabet(formula.Props(), f.letters)
	if err != nil {
		t.Fatal(err)
	}
	d, err := ltl.Translate(formula, a, meter.New(meter.Budget{}))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestFamiliesHaveTheirSizes(t *testing.T) {
	for _, f := range families {
		for _, n := range f.sizes {
			if got := f.translate(t, n).NumStates(); got != f.states(n) {
				t.Errorf("%s %d (%s): %d states, not %d", f.name, n, f.letters, got, f.states(n))
			}
		}
	}
}

func BenchmarkTranslate(b *testing.B) {
	for _, f := range families {
		for _, n := range f.sizes {
			b.Run(fmt.Sprintf("%s/%s/%d", f.name, f.letters, n), func(b *testing.B) {
				for b.Loop() {
					f.translate(b, n)
				}
			})
		}
	}
	list := randomFormulas(randomBenched, 1)
	b.Run(fmt.Sprintf("random/%s/%d", ltl.Powerset, len(list)), func(b *testing.B) {
		for b.Loop() {
			for _, f := range list {
				if _, err := ltl.Translate(f, alphabet(b, ltl.Powerset, f.Props()...), meter.New(meter.Budget{})); err != nil {
					b.Fatalf("%s: %v", f, err)
				}
			}
		}
	})
}
