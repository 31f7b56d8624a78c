package strips

import "github.com/stile-playground/stile/core/meter"

// Space contains the reachable states in the order of their distance, up to a maximum.
type Space struct {
	States []Reachable
	Moves  []Move
	Left   int // moves that lead to states beyond the maximum
}

// Reachable is a reachable state. By is the index of the move that reached it first.
type Reachable struct {
	Holds []bool // by fact
	Goal  bool
	Steps int // the minimum number of steps to it
	By    int // an index of moves; -1 for the initial state

	Values []string // of functions: "fuel a = 3"
}

// Move is the execution of an operator in a state.
type Move struct{ From, To, Operator int }

// Explore follows all operators from the initial state, breadth first, until it has
// reached the maximum number of states. The error is a limit of the meter.
func (t *Task) Explore(most int, m *meter.Meter) (Space, error) {
	first := t.initial()
	states := newPoints(len(first))
	states.add(first)
	s := Space{States: []Reachable{{Holds: t.Init, Goal: t.reached(first), By: -1, Values: t.values(first)}}}
	next := make(point, len(first))
	for from := 0; from < len(s.States); from++ {
		if err := m.Step(len(t.Operators)); err != nil {
			return s, err
		}
		for i := range t.Operators {
			if _, ok := t.successor(states.at(from), next, &t.Operators[i]); !ok {
				continue
			}
			if err := m.Step(len(t.Facts) + len(t.rules)); err != nil {
				return s, err
			}
			to, known := states.find(next)
			if !known {
				if len(s.States) >= most {
					s.Left++
					continue
				}
				to, _ = states.add(next)
				s.States = append(s.States, Reachable{Holds: t.facts(next), Goal: t.reached(next), Steps: s.States[from].Steps + 1, By: len(s.Moves), Values: t.values(next)})
			}
			s.Moves = append(s.Moves, Move{from, to, i})
		}
	}
	return s, nil
}
