package counting

import (
	"math/big"

	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/meter"
)

// place is a state of a language, a state of an automaton, and the number of letters that follow.
type place struct {
	state, other, left int32
}

// NumberWithin returns the number of words of a length that an automaton over the same letters
// accepts, too; nil accepts all.
func (l *Language) NumberWithin(d *automaton.DFA, length int, m *meter.Meter) (*big.Int, error) {
	if d == nil {
		return l.Number(length, m)
	}
	start, err := l.reader.begin(length, m)
	if err != nil {
		return nil, err
	}
	known := map[place]*big.Int{}
	var number func(p place) (*big.Int, error)
	number = func(p place) (*big.Int, error) {
		switch {
		case p.state == noState:
			return new(big.Int), nil
		case p.left == 0 && l.reader.accepts(p.state) && d.Accepting(int(p.other)):
			return one(), nil
		case p.left == 0:
			return new(big.Int), nil
		}
		if n, ok := known[p]; ok {
			return n, nil
		}
		if err := m.Spend(meter.States, 1); err != nil {
			return nil, err
		}
		moves, err := l.reader.steps(p.state, int(p.left), m)
		if err != nil {
			return nil, err
		}
		sum := new(big.Int)
		for _, move := range moves {
			n, err := number(place{move.to, int32(d.Next(int(p.other), move.letter)), p.left - 1})
			if err != nil {
				return nil, err
			}
			sum.Add(sum, n)
		}
		known[p] = sum
		return sum, m.Step(1 + len(moves)*(1+int(p.left)/32))
	}
	return number(place{start, int32(d.Start()), int32(length)})
}
