package ltl

import "github.com/stile-playground/stile/core/meter"

// maxSimplify is the maximal number of steps for implications: enough for about a
// thousand arguments of one operator.
const maxSimplify = 2_000_000

// Simplify returns an equivalent formula that is not longer: constants are folded, double
// operators and implied arguments dropped, and negated temporal operators replaced by
// their duals if that saves a negation. The cost is quadratic in the formula's length, up
// to a bound; beyond it fewer implied arguments are found.
func Simplify(f *Formula) *Formula {
	s := &simplifier{t: newTranslator(map[string]int{}, meter.New(meter.Budget{Steps: maxSimplify}))}
	f.eachProp(func(name string) {
		if _, ok := s.t.variables[name]; !ok {
			s.t.variables[name] = len(s.t.variables)
		}
	})
	return s.simplify(f)
}

type simplifier struct {
	t *translator
}

// implies reports whether a formula implies another, like [translator.implies].
func (s *simplifier) implies(f, g *Formula) bool {
	if s.t.m.Step(1) != nil {
		return false
	}
	return s.t.implies(s.t.nnf(f, false), s.t.nnf(g, false))
}

func (s *simplifier) not(f *Formula) *Formula { return s.rewrite(New(Not, f)) }

func (s *simplifier) simplify(f *Formula) *Formula {
	var simple *Formula
	for _, g := range f.spine() {
		switch g.Op.arity() {
		case 0:
			simple = g
		case 1:
			simple = s.rewrite(New(g.Op, s.simplify(g.Left)))
		default:
			simple = s.rewrite(New(g.Op, s.simplify(g.Left), simple))
		}
	}
	return simple
}

// rewrite simplifies an operator whose arguments are simplified.
func (s *simplifier) rewrite(f *Formula) *Formula {
	left, right := f.Left, f.Right
	switch f.Op {
	case Not:
		return s.negation(left)
	case Next:
		if left.Op == False {
			return left
		}
	case WeakNext:
		if left.Op == True {
			return left
		}
	case Finally:
		switch {
		case left.Op == True || left.Op == False || left.Op == Finally || left.Op == Last:
			return constantLast(left)
		case left.Op == Until: // F (f U g) = F g
			return s.rewrite(New(Finally, left.Right))
		}
	case Globally:
		switch {
		case left.Op == True || left.Op == False || left.Op == Globally:
			return left
		case left.Op == Release: // G (f R g) = G g
			return s.rewrite(New(Globally, left.Right))
		}
	case And:
		switch {
		case left.Op == False || s.implies(left, right):
			return left
		case right.Op == False || s.implies(right, left):
			return right
		case s.implies(left, s.not(right)):
			return New(False)
		}
	case Or:
		switch {
		case left.Op == True || s.implies(right, left):
			return left
		case right.Op == True || s.implies(left, right):
			return right
		case s.implies(s.not(left), right):
			return New(True)
		}
	case Implies:
		switch {
		case left.Op == True:
			return right
		case right.Op == False:
			return s.not(left)
		case s.implies(left, right):
			return New(True)
		}
	case Iff:
		switch {
		case left.Op == True:
			return right
		case right.Op == True:
			return left
		case left.Op == False:
			return s.not(right)
		case right.Op == False:
			return s.not(left)
		case s.implies(left, right) && s.implies(right, left):
			return New(True)
		}
	case Until, StrongRelease, Release, WeakUntil:
		return s.binary(f)
	}
	return f
}

// constantLast returns F f for a constant, an F, or last, which holds eventually.
func constantLast(f *Formula) *Formula {
	if f.Op == Last {
		return New(True)
	}
	return f
}

func (s *simplifier) binary(f *Formula) *Formula {
	left, right := f.Left, f.Right
	switch f.Op {
	case Until:
		switch {
		case right.Op == True || right.Op == False || s.implies(left, right),
			right.Op == Until && s.implies(left, right.Left): // f U (f U g) = f U g
			return right
		case left.Op == True:
			return s.rewrite(New(Finally, right))
		}
	case WeakUntil:
		switch {
		case right.Op == True || s.implies(left, right):
			return right
		case left.Op == True:
			return left
		case right.Op == False:
			return s.rewrite(New(Globally, left))
		}
	case Release:
		switch {
		case right.Op == True || right.Op == False || s.implies(right, left):
			return right
		case left.Op == False:
			return s.rewrite(New(Globally, right))
		}
	case StrongRelease:
		switch {
		case right.Op == False || left.Op == False:
			return New(False)
		case s.implies(right, left):
			return right
		case right.Op == True:
			return s.rewrite(New(Finally, left))
		}
	}
	return f
}

// duals maps a temporal operator to its dual under negation.
var duals = map[Op]Op{Next: WeakNext, WeakNext: Next, Finally: Globally, Globally: Finally}

func (s *simplifier) negation(f *Formula) *Formula {
	switch {
	case f.Op == True:
		return New(False)
	case f.Op == False:
		return New(True)
	case f.Op == Not:
		return f.Left
	case duals[f.Op] != 0 && f.Left.Op == Not: // !X !f = WX f
		return s.rewrite(New(duals[f.Op], f.Left.Left))
	}
	return New(Not, f)
}
