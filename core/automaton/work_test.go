package automaton_test

import (
	"errors"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

// spent returns the states and steps that work spends from a meter.
func spent(work func(m *meter.Meter) error) (states, steps int64, err error) {
	m := meter.New(meter.Budget{})
	err = work(m)
	return m.Spent(meter.States), m.Spent(meter.Steps), err
}

func TestWorkSpendsFromMeter(t *testing.T) {
	one := automaton.Letters{Variables: 1}
	store := automaton.NewDiagrams(one, nil)
	loop, err := automaton.NewSymbolic(store, []automaton.Diagram{automaton.Leaf(0)}, []bool{true})
	if err != nil {
		t.Fatal(err)
	}
	leave, err := automaton.NewSymbolic(store, []automaton.Diagram{store.Holds(0, 1, 0), automaton.Leaf(1)}, []bool{false, true})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what          string
		work          func(m *meter.Meter) error
		states, steps int64
	}{
		{"a set of 40 states, and the empty one", func(m *meter.Meter) error {
			n := &automaton.NFA{Letters: 2}
			for range 40 {
				if s := n.State(); s > 0 {
					n.Free(0, s)
				}
			}
			_, err := n.Determinize(0, m)
			return err
		}, (1 + 40/16) + 1, (40 + 2) + 2},
		{"two blocks of a state each", func(m *meter.Meter) error {
			_, err := automaton.NewDFA([][]int{{1}, {1}}, []bool{false, true}).Minimize(m)
			return err
		}, 2, 2 * (1 + 1)},
		{"a round with a state and no branch", func(m *meter.Meter) error { _, err := loop.Minimize(m); return err }, 1, 1 + 1},
		{"a round with two states and a branch", func(m *meter.Meter) error { _, err := leave.Minimize(m); return err }, 2, 1 + 2 + 1},
		{"a product of two states and a branch", func(m *meter.Meter) error {
			_, err := leave.Product(loop, func(a, b bool) bool { return a }, m)
			return err
		}, 2 + 1, 3},
	} {
		states, steps, err := spent(c.work)
		if err != nil || states != c.states || steps != c.steps {
			t.Errorf("%s: %d states and %d steps, want %d and %d (%v)", c.what, states, steps, c.states, c.steps, err)
		}
	}
	// A product spends at least one step.
	m := meter.New(meter.Budget{Steps: 1})
	if err := m.Step(1); err != nil {
		t.Fatal(err)
	}
	var limit *meter.LimitError
	if _, err := loop.Product(loop, func(a, b bool) bool { return a }, m); !errors.As(err, &limit) || limit.Code() != "limit.steps" {
		t.Errorf("%v", err)
	}
}

func TestMinimizeSplitsBySmallerHalf(t *testing.T) {
	// No two states of a chain are equivalent, and each split leaves a large block.
	for _, n := range []int{500, 5000} {
		next, accept := make([][]int, n), make([]bool, n)
		for i := range next {
			next[i] = []int{min(i+1, n-1)}
		}
		accept[n-1] = true
		_, steps, err := spent(func(m *meter.Meter) error {
			d, err := automaton.NewDFA(next, accept).Minimize(m)
			if err == nil && d.NumStates() != n {
				t.Errorf("%d of %d states", d.NumStates(), n)
			}
			return err
		})
		if most := int64(2 * n * bits.Len(uint(n))); err != nil || steps > most {
			t.Errorf("%d states take %d steps, more than %d (%v)", n, steps, most, err)
		}
	}
}

func TestEmpty(t *testing.T) {
	store := automaton.NewDiagrams(automaton.Letters{Variables: 1}, nil)
	for _, c := range []struct {
		accept []bool
		want   bool
	}{{[]bool{true, false}, false}, {[]bool{false, true}, false}, {[]bool{false, false}, true}} {
		if got := automaton.NewDFA([][]int{{1}, {1}}, c.accept).Empty(); got != c.want {
			t.Errorf("%v: %v", c.accept, got)
		}
		s, err := automaton.NewSymbolic(store, []automaton.Diagram{automaton.Leaf(1), automaton.Leaf(1)}, c.accept)
		if err != nil || s.Empty() != c.want {
			t.Errorf("%v over valuations: %v, %v", c.accept, s.Empty(), err)
		}
	}
}

// parity leads to state 1 with letters in which an odd number of variables holds.
func parity(t *testing.T, variables int) *automaton.Symbolic {
	t.Helper()
	store := automaton.NewDiagrams(automaton.Letters{Variables: variables}, nil)
	xor := automaton.NewCombiner(store, store, store, func(a, b int) int { return a ^ b })
	d := automaton.Leaf(0)
	for v := range variables {
		d = xor.Apply(d, store.Holds(v, 1, 0))
	}
	s, err := automaton.NewSymbolic(store, []automaton.Diagram{d, d}, []bool{false, true})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestGuardsHaveAtMostMaxCubes(t *testing.T) {
	out, ok := parity(t, 12).Transitions(0, nil)
	if !ok || len(out) != 2 || len(out[0].Guard)+len(out[1].Guard) != automaton.MaxCubes {
		t.Errorf("%v, %d transitions", ok, len(out))
	}
	for _, variables := range []int{13, 14} {
		if out, ok := parity(t, variables).Transitions(0, nil); ok || out != nil {
			t.Errorf("%d variables: %d transitions", variables, len(out))
		}
	}
}

func TestExplicitHasAtMostMaxExplicitEntries(t *testing.T) {
	store := automaton.NewDiagrams(automaton.Letters{Variables: 1}, nil)
	s, err := automaton.NewSymbolic(store, []automaton.Diagram{store.Holds(0, 1, 0), automaton.Leaf(0)}, []bool{true, false})
	if err != nil {
		t.Fatal(err)
	}
	holds := func(letter, variable int) bool { return letter%2 == 1 }
	const half = automaton.MaxExplicit / 2
	if d, err := s.Explicit(half, holds); err != nil || d.NumLetters() != half || d.Next(0, half-1) != 1 || d.Next(0, 0) != 0 || d.Next(1, 1) != 0 {
		t.Errorf("%v", err)
	}
	var fault *source.Error
	if _, err := s.Explicit(half+1, holds); !errors.As(err, &fault) || fault.ID != "limit.table" {
		t.Errorf("%v", err)
	}
}

func TestEqualFunctionsHaveEqualDiagrams(t *testing.T) {
	random := rand.New(rand.NewPCG(17, 4))
	const variables = 14
	store := automaton.NewDiagrams(automaton.Letters{Variables: variables}, nil)
	and := automaton.NewCombiner(store, store, store, func(a, b int) int { return a & b })
	or := automaton.NewCombiner(store, store, store, func(a, b int) int { return a | b })
	for range 20 {
		var cubes []automaton.Diagram
		for range 12 {
			cube := automaton.Leaf(1)
			for v := range variables {
				switch random.IntN(4) {
				case 0:
					cube = and.Apply(cube, store.Holds(v, 1, 0))
				case 1:
					cube = and.Apply(cube, store.Holds(v, 0, 1))
				}
			}
			cubes = append(cubes, cube)
		}
		up, down := automaton.Leaf(0), automaton.Leaf(0)
		for i := range cubes {
			up, down = or.Apply(up, cubes[i]), or.Apply(down, cubes[len(cubes)-1-i])
		}
		if up != down {
			t.Fatalf("one function is the diagrams %d and %d", up, down)
		}
	}
}
