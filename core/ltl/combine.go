package ltl

import (
	"sort"

	"github.com/stile-playground/stile/core/automaton"
)

// direction is the order in which an automaton reads a trace: from the first step, or
// from the last.
type direction uint8

const (
	forward direction = iota
	backward
)

// automaton returns the smallest automaton of a formula. Whether it accepts the empty
// trace is undefined.
func (t *translator) automaton(f *Formula) (*automaton.Symbolic, error) {
	if t.more != nil && (f.Op == Not || And <= f.Op && f.Op <= Iff) {
		return t.more.connective(t, f)
	}
	return t.combined(f, forward)
}

// combined returns the smallest automaton of a formula in a direction. The automaton of a
// boolean connective is the product of the automata of its arguments, the smallest first.
func (t *translator) combined(f *Formula, way direction) (*automaton.Symbolic, error) {
	n := t.number(f)
	if d := t.known[way][n]; d != nil {
		return d, nil
	}
	d, err := t.connected(f, way)
	if err == nil {
		t.known[way][n] = d
	}
	return d, err
}

func (t *translator) connected(f *Formula, way direction) (*automaton.Symbolic, error) {
	switch f.Op {
	case Not, And, Or, Implies:
		parts := parted(f, false)
		if len(parts) > 1 {
			return t.conjunction(parts, way)
		}
		d, err := t.conjunction(parted(f, true), way)
		if err != nil {
			return nil, err
		}
		return d.Complement(), nil
	case Iff:
		var parts []signed
		for ; f.Op == Iff; f = f.Right {
			parts = append(parts, signed{f.Left, false})
		}
		return t.product(append(parts, signed{f, false}), way, func(l, r bool) bool { return l == r })
	}
	if way == backward {
		return t.more.backward(t, f)
	}
	return t.temporal(f)
}

// conjunction returns the automaton of the conjunction of formulas, without duplicates.
func (t *translator) conjunction(parts []signed, way direction) (*automaton.Symbolic, error) {
	type part struct {
		number  int32
		negated bool
	}
	seen := map[part]bool{}
	once := parts[:0]
	for _, s := range parts {
		if p := (part{t.number(s.f), s.negated}); !seen[p] {
			seen[p] = true
			once = append(once, s)
		}
	}
	return t.product(once, way, func(l, r bool) bool { return l && r })
}

// stepsOfProduct is the least number of steps that a product spends.
const stepsOfProduct = 500

// product combines the automata of formulas, two at a time.
func (t *translator) product(parts []signed, way direction, accept func(l, r bool) bool) (*automaton.Symbolic, error) {
	var list []*automaton.Symbolic
	for _, s := range parts {
		d, err := t.combined(s.f, way)
		if err == nil {
			err = t.m.Step(stepsOfProduct)
		}
		if err != nil {
			return nil, err
		}
		if s.negated {
			d = d.Complement()
		}
		list = append(list, d)
	}
	sort.SliceStable(list, func(i, k int) bool { return list[i].NumStates() < list[k].NumStates() })
	var fault error
	d := halved(list, func(a, b *automaton.Symbolic) *automaton.Symbolic {
		if fault == nil {
			a, fault = a.Product(b, accept, t.m)
		}
		if fault == nil {
			a, fault = a.Minimize(t.m)
		}
		return a
	})
	return d, fault
}

// temporal returns the smallest automaton of a formula without a connective at the top.
func (t *translator) temporal(f *Formula) (*automaton.Symbolic, error) {
	switch f.Op {
	case Next, WeakNext:
		part, err := t.conjunction([]signed{{f.Left, f.Op == WeakNext}}, forward)
		if err != nil {
			return nil, err
		}
		d, err := part.Delayed().Minimize(t.m)
		if err != nil || f.Op == Next {
			return d, err
		}
		return d.Complement(), nil // WX f = !X !f
	case Finally, Globally:
		// G (f & g) = G f & G g, and F is its dual.
		parts := parted(f.Left, f.Op == Finally)
		if len(parts) == 1 {
			break
		}
		for i, s := range parts {
			if s.negated {
				s.f = New(Not, s.f)
			}
			parts[i] = signed{New(Globally, s.f), false}
		}
		d, err := t.conjunction(parts, forward)
		if err != nil || f.Op == Globally {
			return d, err
		}
		return d.Complement(), nil
	}
	if f.Op <= Prop || t.more == nil {
		return t.progress(f)
	}
	return t.more.temporal(t, f)
}
