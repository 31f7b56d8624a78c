package ltl

// Holds reports whether the formula holds on a trace, by its definition: the
// truth of every part at every step, from the last step to the first. A trace
// has at least one step; on an empty one nothing holds. It costs the product of
// the trace's length and the formula's.
func (f *Formula) Holds(trace []map[string]bool) bool {
	return len(trace) > 0 && f.truths(trace)[0]
}

// truths returns the formula's truth at every step.
func (f *Formula) truths(trace []map[string]bool) []bool {
	var right []bool
	for _, g := range f.spine() {
		var left []bool
		if g.Left != nil {
			left = g.Left.truths(trace)
		}
		right = g.combine(trace, left, right)
	}
	return right
}

// combine returns the formula's truth at every step, given that of its arguments.
func (f *Formula) combine(trace []map[string]bool, left, right []bool) []bool {
	out := make([]bool, len(trace))
	for i := len(trace) - 1; i >= 0; i-- {
		last := i == len(trace)-1
		switch f.Op {
		case True:
			out[i] = true
		case False:
		case Last:
			out[i] = last
		case Prop:
			out[i] = trace[i][f.Name]
		case Not:
			out[i] = !left[i]
		case Next:
			out[i] = !last && left[i+1]
		case WeakNext:
			out[i] = last || left[i+1]
		case Finally:
			out[i] = left[i] || !last && out[i+1]
		case Globally:
			out[i] = left[i] && (last || out[i+1])
		case And:
			out[i] = left[i] && right[i]
		case Or:
			out[i] = left[i] || right[i]
		case Implies:
			out[i] = !left[i] || right[i]
		case Iff:
			out[i] = left[i] == right[i]
		case Until:
			out[i] = right[i] || left[i] && !last && out[i+1]
		case Release:
			out[i] = right[i] && (left[i] || last || out[i+1])
		case WeakUntil:
			out[i] = right[i] || left[i] && (last || out[i+1])
		case StrongRelease:
			out[i] = right[i] && (left[i] || !last && out[i+1])
		}
	}
	return out
}
