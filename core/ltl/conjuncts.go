package ltl

// Conjuncts returns formulas whose conjunction is equivalent to f on every finite trace.
// Conjunctions are split wherever an operator distributes over them: G (f & g) gives G f and G g, f -> g & h gives f -> g and f -> h.
func Conjuncts(f *Formula) []*Formula { return conjuncts(nil, f, false) }

// conjuncts appends the conjuncts of a formula, or of its negation, to a list.
func conjuncts(out []*Formula, f *Formula, negated bool) []*Formula {
	op, from := f.Op, len(out)
	of := func(part *Formula, negated bool, whole func(*Formula) *Formula) []*Formula {
		out = conjuncts(out, part, negated)
		for i := from; i < len(out); i++ {
			out[i] = whole(out[i])
		}
		return out
	}
	switch {
	case op == Not:
		return conjuncts(out, f.Left, !negated)
	case negated && op == Or, !negated && op == And:
		return conjuncts(conjuncts(out, f.Left, negated), f.Right, negated)
	case negated && op == Implies:
		return conjuncts(conjuncts(out, f.Left, false), f.Right, true)
	case negated && (op == Finally || op == Next || op == WeakNext), !negated && (op == Globally || op == Next || op == WeakNext):
		if negated {
			op = duals[op]
		}
		return of(f.Left, negated, func(g *Formula) *Formula { return New(op, g) })
	case negated:
		f = New(Not, f)
	case op == Implies || op == Or || op == Release || op == StrongRelease:
		return of(f.Right, false, func(g *Formula) *Formula { return New(op, f.Left, g) })
	case op == Until || op == WeakUntil:
		return of(f.Left, false, func(g *Formula) *Formula { return New(op, g, f.Right) })
	}
	return append(out, f)
}
