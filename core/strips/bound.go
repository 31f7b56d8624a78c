package strips

import "github.com/stile-playground/stile/core/meter"

// Landmarks returns disjoint sets of operators, by index, such that every plan contains
// an operator of each set. So no plan has fewer steps than there are sets. The sets are
// the cuts of the landmark-cut estimate of the initial state (Helmert and Domshlak 2009),
// in the relaxation in which no fact that became true or false changes back. If reachable
// is false, no plan exists.
//
// Each round computes relaxed reachability once, with cost 0 for the operators of earlier
// sets.
func (t *Task) Landmarks(m *meter.Meter) (sets [][]int, reachable bool, err error) {
	if t.Hopeless != "" {
		return nil, false, nil
	}
	r := t.relax()
	for {
		if err := m.Step(len(r.operators) + len(r.depth)); err != nil {
			return nil, false, err
		}
		if err := r.reach(m); err != nil {
			return nil, false, err
		}
		switch r.depth[r.goal] {
		case unreached:
			return nil, false, nil
		case 0:
			return sets, true, nil
		}
		var set []int
		for _, o := range r.cut() {
			o.cost = 0
			set = append(set, o.index)
		}
		sets = append(sets, ascending(set))
	}
}

const unreached = int(^uint(0) >> 1)

// relaxation is a task without deletions. Literal 2f is fact f and literal 2f+1 its
// negation; of two further literals, one is always true and the other is the goal.
type relaxation struct {
	operators []*relaxed
	needing   [][]*relaxed // by literal
	depth     []int        // by literal: the lower bound of its cost (h-max)
	start     []bool       // by literal: whether it is true in the initial state
	goal      int
}

type relaxed struct {
	index       int // the index of the operator; the last index is that of an operator that reaches the goal
	cost        int
	needs, adds []int
	missing     int // the number of needs that have no depth yet
	supporter   int // the deepest of the needs
}

func literals(positive, negative []int) []int {
	var out []int
	for _, f := range positive {
		out = append(out, 2*f)
	}
	for _, f := range negative {
		out = append(out, 2*f+1)
	}
	return out
}

func (t *Task) relax() *relaxation {
	n := 2 * len(t.Facts)
	always := n
	r := &relaxation{goal: n + 1, depth: make([]int, n+2), start: make([]bool, n+2), needing: make([][]*relaxed, n+2)}
	r.start[always] = true
	for f, holds := range t.Init {
		r.start[2*f], r.start[2*f+1] = holds, !holds
	}
	for i, o := range t.Operators {
		r.operators = append(r.operators, &relaxed{index: i, cost: 1, needs: append(literals(o.Needs, o.Forbids), always), adds: literals(o.Adds, o.Deletes)})
	}
	r.operators = append(r.operators, &relaxed{index: len(t.Operators), needs: append(literals(t.Goal, t.GoalNot), always), adds: []int{r.goal}})
	for _, o := range r.operators {
		for _, l := range o.needs {
			r.needing[l] = append(r.needing[l], o)
		}
	}
	return r
}

// reach computes the depth of each literal and the supporter of each operator. Costs are
// 0 and 1, so a double-ended queue keeps the literals in order.
func (r *relaxation) reach(m *meter.Meter) error {
	for l := range r.depth {
		r.depth[l] = unreached
	}
	for _, o := range r.operators {
		o.missing = len(o.needs)
	}
	var now, later []int
	for l, holds := range r.start {
		if holds {
			r.depth[l] = 0
			now = append(now, l)
		}
	}
	done := make([]bool, len(r.depth))
	for at := 0; len(now) > 0; now, later, at = later, nil, at+1 {
		for len(now) > 0 {
			l := now[len(now)-1]
			now = now[:len(now)-1]
			if done[l] || r.depth[l] != at {
				continue
			}
			done[l] = true
			if err := m.Step(1 + len(r.needing[l])); err != nil {
				return err
			}
			for _, o := range r.needing[l] {
				if o.missing--; o.missing > 0 {
					continue
				}
				o.supporter = l
				for _, added := range o.adds {
					if reached := at + o.cost; reached < r.depth[added] {
						r.depth[added] = reached
						if o.cost == 0 {
							now = append(now, added)
						} else {
							later = append(later, added)
						}
					}
				}
			}
		}
	}
	return nil
}

// cut returns a set of operators such that every plan of the relaxation contains one of
// them. They lead from the literals reached before to literals from which operators of
// cost 0 lead to the goal, in the graph in which each operator needs only its supporter.
func (r *relaxation) cut() []*relaxed {
	zone := make([]bool, len(r.depth))
	zone[r.goal] = true
	for changed := true; changed; {
		changed = false
		for _, o := range r.operators {
			if o.missing > 0 || o.cost > 0 || zone[o.supporter] {
				continue
			}
			for _, added := range o.adds {
				if zone[added] {
					zone[o.supporter], changed = true, true
					break
				}
			}
		}
	}
	var cut []*relaxed
	before := append([]bool(nil), r.start...)
	taken := map[*relaxed]bool{}
	for changed := true; changed; {
		changed = false
		for _, o := range r.operators {
			if o.missing > 0 || taken[o] || !before[o.supporter] {
				continue
			}
			taken[o] = true
			enters := false
			for _, added := range o.adds {
				enters = enters || zone[added]
			}
			if enters {
				cut = append(cut, o)
				continue
			}
			for _, added := range o.adds {
				if !before[added] {
					before[added], changed = true, true
				}
			}
		}
	}
	return cut
}
