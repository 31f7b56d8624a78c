package ltl

import "github.com/stile-playground/stile/core/automaton"

// A recurrence is the truth of a formula at a step: a function of the truth of its
// arguments there and of what was there one step later, which at the last step is
// taken to be start.
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

// recur returns the smallest automaton of a formula that is no connective on traces
// that are read from the last step to the first. The truth of a formula at a step is
// then a function of what was read, so each operator is a product that keeps one bit,
// and nothing is ever determinized: there are at most two states for each truth of the
// temporal operators (pure past: De Giacomo et al., IJCAI 2020), and as all parts are made as
// small as can be, far fewer as a rule.
func (t *translator) recur(f *Formula) (*automaton.Symbolic, error) {
	if f.Op <= Prop {
		return t.atom(f)
	}
	if f.Right != nil && t.known[backward][t.number(f.Right)] == nil {
		for _, g := range f.spine() {
			if g.Op >= Until && g != f {
				if _, err := t.combined(g, backward); err != nil {
					return nil, err
				}
			}
		}
	}
	left, err := t.combined(f.Left, backward)
	if err == nil {
		err = t.m.Step(stepsOfProduct)
	}
	if err != nil {
		return nil, err
	}
	right := left
	if f.Right != nil {
		if right, err = t.combined(f.Right, backward); err != nil {
			return nil, err
		}
	}
	d, err := left.Recur(right, f.Op <= WeakNext, recurrences[f.Op].start, recurrences[f.Op].truth, t.m)
	if err != nil {
		return nil, err
	}
	return d.Minimize(t.m)
}

// atom returns the automaton of a formula without arguments: state 1 is after a step
// at which it holds, state 2 after others.
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

// reversed returns the smallest automaton of a formula by way of the one that reads
// backward.
func (t *translator) reversed(f *Formula) (*automaton.Symbolic, error) {
	d, err := t.combined(f, backward)
	if err != nil {
		return nil, err
	}
	return d.Reverse(t.m)
}
