package ltl

import "github.com/stile-playground/stile/core/automaton"

// A recurrence defines the truth of a temporal operator at a step by the truth of its
// arguments at this step and by later, a truth at the next step; at the last step, later
// is start.
type recurrence struct {
	start bool
	truth func(left, right, later bool) bool
}

var recurrences = [...]recurrence{
	Next:          {false, func(_, _, later bool) bool { return later }},
	WeakNext:      {true, func(_, _, later bool) bool { return later }},
	Finally:       {false, func(l, _, later bool) bool { return l || later }},
	Globally:      {true, func(l, _, later bool) bool { return l && later }},
	Until:         {false, func(l, r, later bool) bool { return r || l && later }},
	Release:       {true, func(l, r, later bool) bool { return r && (l || later) }},
	WeakUntil:     {true, func(l, r, later bool) bool { return r || l && later }},
	StrongRelease: {false, func(l, r, later bool) bool { return r && (l || later) }},
}

// recur returns the smallest automaton of a formula, without a connective at the top, for
// traces that are read from the last step to the first. The truth of a formula at a step
// is then a function of the steps read, so each operator is a product with one bit, and
// nothing is determinized: n temporal operators have at most 2^n states (pure past: De
// Giacomo et al., IJCAI 2020), and usually far fewer, because all parts are minimized.
func (t *translator) recur(f *Formula) (*automaton.Symbolic, error) {
	if f.Op <= Prop {
		return t.atom(f)
	}
	left, right, err := t.arguments(f, backward)
	if err != nil {
		return nil, err
	}
	d, err := left.Recur(right, f.Op <= WeakNext, recurrences[f.Op].start, recurrences[f.Op].truth, t.m)
	if err != nil {
		return nil, err
	}
	return d.Minimize(t.m)
}

// atom returns the backward automaton of a formula without arguments: steps at which the
// formula holds lead to state 1, others to state 2.
func (t *translator) atom(f *Formula) (*automaton.Symbolic, error) {
	s := automaton.NewDiagrams(t.letters, t.m)
	d := automaton.Leaf(2)
	if v, ok := t.variables[f.Name]; ok && f.Op == Prop {
		d = s.Holds(v, 1, 2)
	}
	later := d
	switch f.Op {
	case True:
		d, later = automaton.Leaf(1), automaton.Leaf(1)
	case Last:
		d = automaton.Leaf(1)
	}
	a, err := automaton.NewSymbolic(s, []automaton.Diagram{d, later, later}, []bool{false, true, false})
	if err != nil {
		return nil, err
	}
	return a.Minimize(t.m)
}

// reversed returns the smallest automaton of a formula by reversing its backward
// automaton.
func (t *translator) reversed(f *Formula) (*automaton.Symbolic, error) {
	d, err := t.combined(f, backward)
	if err != nil {
		return nil, err
	}
	return d.Reverse(t.m)
}
