package strips

import "github.com/stile-playground/stile/core/meter"

// maxMutex bounds the number of facts times operators for the search of exclusive facts.
// The papers' problems have up to 20,000.
const maxMutex = 1_000_000

// together returns for each pair of facts whether both may be true in one state: the
// least fixpoint over pairs in which a fact may remain true when an operator adds another
// fact if it may be true together with all preconditions of the operator (h-two: Haslum
// and Geffner 2000). For a task that is too large, every pair counts as possible.
func (t *Task) together(m *meter.Meter) ([][]bool, error) {
	n := len(t.Facts)
	both := make([][]bool, n)
	large := n*len(t.Operators) > maxMutex
	for f := range both {
		both[f] = make([]bool, n)
		for g := range both[f] {
			both[f][g] = large || t.Init[f] && t.Init[g]
		}
	}
	for changed := !large; changed; {
		changed = false
		for i := range t.Operators {
			o := &t.Operators[i]
			if err := m.Step(1 + n*len(o.Needs)*(1+len(o.Adds))); err != nil {
				return nil, err
			}
			if !allWith(both, o.Needs, o.Needs) {
				continue
			}
			for _, a := range o.Adds {
				for g := range both {
					if both[a][g] || has(o.Deletes, g) {
						continue
					}
					if has(o.Adds, g) || both[g][g] && !has(o.Forbids, g) && allWith(both, []int{g}, o.Needs) {
						both[a][g], both[g][a], changed = true, true, true
					}
				}
			}
		}
	}
	return both, nil
}

func allWith(both [][]bool, some, others []int) bool {
	for _, f := range some {
		for _, g := range others {
			if !both[f][g] {
				return false
			}
		}
	}
	return true
}

func has(list []int, f int) bool {
	for _, v := range list {
		if v == f {
			return true
		}
	}
	return false
}

func meet(a, b []int) bool {
	for _, f := range a {
		if has(b, f) {
			return true
		}
	}
	return false
}

// follows reports whether second may be executable directly after first, judged by pairs
// of facts only.
func follows(first, second *Operator, both [][]bool) bool {
	if meet(first.Deletes, second.Needs) || meet(first.Adds, second.Forbids) {
		return false
	}
	for _, f := range first.Needs {
		if !has(first.Deletes, f) && !allWith(both, []int{f}, second.Needs) {
			return false
		}
	}
	return allWith(both, first.Adds, second.Needs)
}

// commute reports whether two consecutive operators can be swapped with the same result.
func commute(a, b *Operator) bool {
	return !disturbs(a, b) && !disturbs(b, a) && !meet(a.Adds, b.Deletes) && !meet(a.Deletes, b.Adds)
}

// disturbs reports whether the effects of an operator influence whether another one is
// executable.
func disturbs(a, b *Operator) bool {
	return meet(a.Adds, b.Needs) || meet(a.Deletes, b.Needs) || meet(a.Adds, b.Forbids) || meet(a.Deletes, b.Forbids)
}
