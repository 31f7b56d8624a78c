package strips

import "github.com/stile-playground/stile/core/meter"

// Space contains the reachable states in the order of their distance, up to a maximum.
type Space struct {
	States []Reachable
	Moves  []Move
	Left   int // moves that lead to states beyond the maximum
}

// Reachable is a reachable state. By is the move that reached it first, for all states
// except the first.
type Reachable struct {
	Holds []bool // by fact
	Goal  bool
	Steps int // the minimum number of steps to it
	By    int // an index of moves; -1 for the initial state
}

// Move is the execution of an operator in a state.
type Move struct{ From, To, Operator int }

// Explore follows all operators from the initial state, breadth first, until it has that
// many states. The error is the meter's.
func (t *Task) Explore(most int, m *meter.Meter) (Space, error) {
	s := Space{States: []Reachable{{Holds: t.Init, Goal: t.Reached(t.Init), By: -1}}}
	at := map[string]int{stateKey(t.Init): 0}
	for from := 0; from < len(s.States); from++ {
		if err := m.Step(len(t.Operators)); err != nil {
			return s, err
		}
		for i := range t.Operators {
			next, ok := t.Next(s.States[from].Holds, &t.Operators[i])
			if !ok {
				continue
			}
			if err := m.Step(len(next)); err != nil {
				return s, err
			}
			key := stateKey(next)
			to, known := at[key]
			if !known {
				if len(s.States) >= most {
					s.Left++
					continue
				}
				to = len(s.States)
				at[key] = to
				s.States = append(s.States, Reachable{Holds: next, Goal: t.Reached(next), Steps: s.States[from].Steps + 1, By: len(s.Moves)})
			}
			s.Moves = append(s.Moves, Move{from, to, i})
		}
	}
	return s, nil
}

// stateKey returns a key that is equal for equal states.
func stateKey(state []bool) string {
	key := make([]byte, (len(state)+7)/8)
	for i, holds := range state {
		if holds {
			key[i/8] |= 1 << (i % 8)
		}
	}
	return string(key)
}
