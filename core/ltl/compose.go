package ltl

import "github.com/stile-playground/stile/core/automaton"

// composed returns the smallest automaton of a temporal operator from the smallest
// automata of its arguments: see [automaton.Symbolic.Until], which the other operators
// are reduced to. f R g is !(!f U !g), f M g is !(!f W !g), F g is true U g, and G g is
// !F !g.
func (t *translator) composed(f *Formula) (*automaton.Symbolic, error) {
	left, right, err := t.arguments(f, forward)
	if err != nil {
		return nil, err
	}
	negated := f.Op == Globally || f.Op == Release || f.Op == StrongRelease
	if negated {
		left, right = left.Complement(), right.Complement()
	}
	if f.Right == nil {
		if left, err = t.atom(New(True)); err != nil {
			return nil, err
		}
	}
	d, err := left.Until(right, f.Op == WeakUntil || f.Op == StrongRelease, t.m)
	if err == nil && negated {
		d = d.Complement()
	}
	return d, err
}

// arguments returns the automata of a formula's arguments. If the formula has one
// argument, both results are its automaton. The right arguments of a chain are translated from the inside
// out, because a chain may be too long for recursion.
func (t *translator) arguments(f *Formula, way direction) (left, right *automaton.Symbolic, err error) {
	if f.Right != nil && t.known[way][t.number(f.Right)] == nil {
		for _, g := range f.spine() {
			if g.Op >= Until && g != f {
				if _, err := t.combined(g, way); err != nil {
					return nil, nil, err
				}
			}
		}
	}
	if left, err = t.combined(f.Left, way); err == nil {
		err = t.m.Step(stepsOfProduct)
	}
	if err != nil || f.Right == nil {
		return left, left, err
	}
	right, err = t.combined(f.Right, way)
	return left, right, err
}
