package agent

import (
	"fmt"

	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

// Capped returns the agent restricted to the runs in which no state occurs more often than the
// bound most, which caps every loop at once. The automaton is the product with a counter for each
// state that can recur, so every next state leads to a complete run. The error has code
// "agent.capped" if no run remains.
func (a *Agent) Capped(most int, m *meter.Meter) (*Agent, error) {
	out := *a
	for letter := range a.States {
		if !a.again(letter) {
			continue
		}
		rows, accept := make([][]int, most+2), make([]bool, most+2)
		for n := range rows {
			rows[n], accept[n] = make([]int, len(a.States)), n <= most
			for other := range rows[n] {
				rows[n][other] = n
			}
			rows[n][letter] = min(n+1, most+1)
		}
		d, err := automaton.Product(out.DFA, automaton.NewDFA(rows, accept), func(a, b bool) bool { return a && b }, m)
		if err != nil {
			return nil, err
		}
		if out.DFA, err = d.Minimize(m); err != nil {
			return nil, err
		}
	}
	out.distance = out.DFA.Distances()
	if !out.Live(out.DFA.Start()) {
		return nil, source.NewError("agent.capped", fmt.Sprintf("no run of %s visits every state at most %d times; allow more repetitions", a.Name, most))
	}
	out.ends()
	return &out, nil
}

// again reports whether a state can occur more than once.
func (a *Agent) again(letter int) bool {
	seen := make([]bool, a.DFA.NumStates())
	var queue []int
	for q := range seen {
		if to := a.DFA.Next(q, letter); a.Live(q) && a.Live(to) && !seen[to] {
			seen[to] = true
			queue = append(queue, to)
		}
	}
	for i := 0; i < len(queue); i++ {
		for other := range a.States {
			to := a.DFA.Next(queue[i], other)
			if a.Live(to) && other == letter {
				return true
			}
			if a.Live(to) && !seen[to] {
				seen[to] = true
				queue = append(queue, to)
			}
		}
	}
	return false
}
