package automaton

import "github.com/stile-playground/stile/core/meter"

// Missing returns a shortest word that a accepts and b rejects; found is false
// if b includes a. Both have the same letters.
func Missing(a, b *DFA, m *meter.Meter) (word []int, found bool, err error) {
	return shortestWhere(a, b, func(a, b bool) bool { return a && !b }, m)
}

// Distinguish returns a shortest word that one of two automata accepts and the
// other rejects; found is false where they are equivalent. Both have the same
// letters.
func Distinguish(a, b *DFA, m *meter.Meter) (word []int, found bool, err error) {
	return shortestWhere(a, b, func(a, b bool) bool { return a != b }, m)
}

func shortestWhere(a, b *DFA, holds func(a, b bool) bool, m *meter.Meter) ([]int, bool, error) {
	both, err := Product(a, b, holds, m)
	if err != nil {
		return nil, false, err
	}
	word, found := both.Shortest()
	return word, found, nil
}

// Missing returns a shortest word that s accepts and other rejects, as
// [Symbolic.Shortest] writes it; found is false where other includes s.
func (s *Symbolic) Missing(other *Symbolic, m *meter.Meter) (word [][]int, found bool, err error) {
	return s.shortestWhere(other, func(a, b bool) bool { return a && !b }, m)
}

// Distinguish returns a shortest word that one of two automata accepts and the
// other rejects; found is false where they are equivalent.
func (s *Symbolic) Distinguish(other *Symbolic, m *meter.Meter) (word [][]int, found bool, err error) {
	return s.shortestWhere(other, func(a, b bool) bool { return a != b }, m)
}

func (s *Symbolic) shortestWhere(other *Symbolic, holds func(a, b bool) bool, m *meter.Meter) ([][]int, bool, error) {
	both, err := s.Product(other, holds, m)
	if err != nil {
		return nil, false, err
	}
	word, found := both.Shortest()
	return word, found, nil
}

// Empty reports whether no word is accepted.
func (d *DFA) Empty() bool { return d.Distances()[0] < 0 }

// Empty reports whether no word is accepted.
func (s *Symbolic) Empty() bool { return s.Distances()[0] < 0 }
