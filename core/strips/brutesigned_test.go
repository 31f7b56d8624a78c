package strips

import "math"

// solveSigned is solve for a metric that steps may improve: it lists all states and moves,
// and relaxes the moves between states that lead to a goal, as often as there are states.
func (b *brute) solveSigned(most int, costs map[string]bool) best {
	price := func(w world) float64 {
		value, _ := b.number(w, b.metric, nil)
		return b.sign * value
	}
	type move struct {
		from, to int
		cost     float64
	}
	worlds, number := []world{b.start()}, map[string]int{b.start().key(costs): 0}
	var moves []move
	for at := 0; at < len(worlds); at++ {
		if len(worlds) > most {
			return best{full: true, states: len(worlds)}
		}
		b.moves(worlds[at], func(next world) {
			key := next.key(costs)
			to, known := number[key]
			if !known {
				to = len(worlds)
				number[key] = to
				worlds = append(worlds, next)
			}
			moves = append(moves, move{at, to, math.Round((price(next)-price(worlds[at]))*1000) / 1000})
		})
	}
	goal, leads := make([]bool, len(worlds)), make([]bool, len(worlds))
	for n, w := range worlds {
		goal[n] = b.truth(w, b.goal, nil, true)
		leads[n] = goal[n]
	}
	for range worlds {
		for _, m := range moves {
			leads[m.from] = leads[m.from] || leads[m.to]
		}
	}
	type label struct {
		known bool
		cost  float64
		steps int
	}
	labels, changed := make([]label, len(worlds)), true
	labels[0].known = true
	for round := 0; changed; round++ {
		if round > len(worlds) {
			return best{endless: leads[0], states: len(worlds)}
		}
		changed = false
		for _, m := range moves {
			from, to := labels[m.from], &labels[m.to]
			cost, steps := math.Round((from.cost+m.cost)*1000)/1000, from.steps+1
			if from.known && leads[m.to] && (!to.known || cost < to.cost-1e-6 || cost < to.cost+1e-6 && steps < to.steps) {
				*to, changed = label{true, cost, steps}, true
			}
		}
	}
	out := best{states: len(worlds)}
	cheapest := 0.0
	for n, l := range labels {
		if goal[n] && l.known && (!out.solved || l.cost < cheapest-1e-6 || l.cost < cheapest+1e-6 && l.steps < out.steps) {
			cheapest = l.cost
			out.solved, out.cost, out.steps = true, b.sign*(l.cost+price(worlds[0])), l.steps
		}
	}
	return out
}

// moves calls visit with the states after each action.
func (b *brute) moves(w world, visit func(world)) {
	for _, a := range b.actions {
		var parameters [][2]string
		for i := 2; i+1 < len(a.Items); i++ {
			if low(a.Items[i]) == ":parameters" {
				parameters = pairs(a.Items[i+1].Items)
			}
		}
		b.bind(parameters, map[string]string{}, func(env map[string]string) {
			if next, ok := b.apply(w, a, env); ok {
				visit(next)
			}
		})
	}
}
