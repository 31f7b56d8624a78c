package ltl

import (
	"encoding/binary"
	"slices"
	"sort"

	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/meter"
)

// Translate returns the smallest complete automaton of the traces on which a
// formula holds; it rejects the empty trace.
//
// What is built of temporal operators becomes an automaton by progression: a
// state says what has to hold from the next step on, as a set of alternatives,
// each a set of obligations (Brzozowski 1964; here over formulas, with strong and
// weak obligations for the end of the trace). Boolean connectives above them are
// products of the smallest automata of their arguments, which keeps n
// independent properties from meeting before each is as small as can be (Bansal
// et al., AAAI 2020). The translation is doubly exponential in the worst case;
// the meter bounds it.
func Translate(f *Formula, a *Alphabet, m *meter.Meter) (*automaton.DFA, error) {
	t := &translator{alphabet: a, m: m, ids: map[node]int32{}}
	d, err := t.dfa(f)
	if err != nil {
		return nil, err
	}
	return d.WithoutEmpty().Minimize(m)
}

type translator struct {
	alphabet *Alphabet
	m        *meter.Meter
	nodes    []node
	ids      map[node]int32
	props    []string
}

// dfa translates a formula. What the automaton says of the empty trace means
// nothing yet.
func (t *translator) dfa(f *Formula) (*automaton.DFA, error) {
	switch f.Op {
	case Not:
		d, err := t.dfa(f.Left)
		if err != nil {
			return nil, err
		}
		return d.Complement(), nil
	case And, Or, Implies, Iff:
		left, err := t.dfa(f.Left)
		if err != nil {
			return nil, err
		}
		right, err := t.dfa(f.Right)
		if err != nil {
			return nil, err
		}
		both, err := automaton.Product(left, right, func(l, r bool) bool {
			switch f.Op {
			case And:
				return l && r
			case Or:
				return l || r
			case Implies:
				return !l || r
			}
			return l == r
		}, t.m)
		if err != nil {
			return nil, err
		}
		return both.Minimize(t.m)
	}
	return t.progress(f)
}

// node is a formula in negation normal form, its parts by number; equal formulas
// have one number.
type node struct {
	op          Op // True, False, Prop, Not (of a Prop), Next, WeakNext, And, Or, Until or Release
	prop        int32
	left, right int32
}

func (t *translator) id(n node) int32 {
	switch {
	case n.op == And && n.left == n.right, n.op == Or && n.left == n.right:
		return n.left
	case (n.op == And || n.op == Or) && n.left > n.right:
		n.left, n.right = n.right, n.left
	}
	id, ok := t.ids[n]
	if !ok {
		id = int32(len(t.nodes))
		t.ids[n] = id
		t.nodes = append(t.nodes, n)
	}
	return id
}

func (t *translator) propID(name string) int32 {
	i := slices.Index(t.props, name)
	if i < 0 {
		i = len(t.props)
		t.props = append(t.props, name)
	}
	return int32(i)
}

// nnf returns the number of a formula, or of its negation.
func (t *translator) nnf(f *Formula, negated bool) int32 {
	constant := func(holds bool) int32 {
		if holds != negated {
			return t.id(node{op: True})
		}
		return t.id(node{op: False})
	}
	// dual picks an operator, or its dual under negation.
	dual := func(op, other Op, left, right int32) int32 {
		if negated {
			op = other
		}
		return t.id(node{op: op, left: left, right: right})
	}
	switch f.Op {
	case True, False:
		return constant(f.Op == True)
	case Last: // WX false
		return dual(WeakNext, Next, constant(false), 0)
	case Prop:
		op := Prop
		if negated {
			op = Not
		}
		return t.id(node{op: op, prop: t.propID(f.Name)})
	case Not:
		return t.nnf(f.Left, !negated)
	case Next:
		return dual(Next, WeakNext, t.nnf(f.Left, negated), 0)
	case WeakNext:
		return dual(WeakNext, Next, t.nnf(f.Left, negated), 0)
	case Finally: // true U f
		return dual(Until, Release, constant(true), t.nnf(f.Left, negated))
	case Globally: // false R f
		return dual(Release, Until, constant(false), t.nnf(f.Left, negated))
	case Implies:
		return dual(Or, And, t.nnf(f.Left, !negated), t.nnf(f.Right, negated))
	case Iff:
		both := t.id(node{op: And, left: t.nnf(f.Left, false), right: t.nnf(f.Right, negated)})
		none := t.id(node{op: And, left: t.nnf(f.Left, true), right: t.nnf(f.Right, !negated)})
		return t.id(node{op: Or, left: both, right: none})
	}
	left, right := t.nnf(f.Left, negated), t.nnf(f.Right, negated)
	switch f.Op {
	case And:
		return dual(And, Or, left, right)
	case Or:
		return dual(Or, And, left, right)
	case Until:
		return dual(Until, Release, left, right)
	case Release:
		return dual(Release, Until, left, right)
	case WeakUntil: // g R (f | g)
		return dual(Release, Until, right, dual(Or, And, left, right))
	default: // StrongRelease: g U (f & g)
		return dual(Until, Release, right, dual(And, Or, left, right))
	}
}

// obligation is a formula that has to hold from the next step on, times two, plus
// one if it is weak: it then also holds where there is no next step.
type obligation = int32

// clause is a set of obligations that all have to be met, sorted; alternatives
// are sets of clauses of which one is enough, sorted, none containing another.
type (
	clause       []obligation
	alternatives []clause
)

var (
	never  = alternatives{}
	always = alternatives{clause{}}
)

// progress translates a temporal formula by progression.
func (t *translator) progress(f *Formula) (*automaton.DFA, error) {
	root := t.nnf(f, false)
	numbers := map[string]int{}
	var states []alternatives
	number := func(s alternatives) (int, error) {
		key := s.key()
		if n, ok := numbers[key]; ok {
			return n, nil
		}
		if err := t.m.Spend(meter.States, 1); err != nil {
			return 0, err
		}
		n := len(states)
		numbers[key] = n
		states = append(states, s)
		return n, nil
	}
	// The start owes the formula itself.
	if _, err := number(alternatives{clause{root * 2}}); err != nil {
		return nil, err
	}
	var rows [][]int
	var accept []bool
	for at := 0; at < len(states); at++ {
		state := states[at]
		accept = append(accept, state.mayEnd())
		row := make([]int, t.alphabet.Len())
		for letter := range row {
			next := never
			for _, c := range state {
				whole := always
				for _, o := range c {
					step, err := t.after(o/2, letter)
					if err != nil {
						return nil, err
					}
					if whole, err = t.and(whole, step); err != nil {
						return nil, err
					}
				}
				var err error
				if next, err = t.or(next, whole); err != nil {
					return nil, err
				}
			}
			to, err := number(next)
			if err != nil {
				return nil, err
			}
			row[letter] = to
		}
		rows = append(rows, row)
	}
	return automaton.NewDFA(rows, accept).Minimize(t.m)
}

// mayEnd reports whether a trace may end where these are owed.
func (s alternatives) mayEnd() bool {
	return slices.ContainsFunc(s, func(c clause) bool {
		return !slices.ContainsFunc(c, func(o obligation) bool { return o%2 == 0 })
	})
}

// after returns what a formula leaves to be met after a step with a letter.
func (t *translator) after(id int32, letter int) (alternatives, error) {
	if err := t.m.Step(1); err != nil {
		return nil, err
	}
	n := t.nodes[id]
	holds := func(b bool) (alternatives, error) {
		if b {
			return always, nil
		}
		return never, nil
	}
	switch n.op {
	case True, False:
		return holds(n.op == True)
	case Prop, Not:
		return holds(t.alphabet.Has(letter, t.props[n.prop]) == (n.op == Prop))
	case Next:
		return alternatives{clause{n.left * 2}}, nil
	case WeakNext:
		return alternatives{clause{n.left*2 + 1}}, nil
	}
	left, err := t.after(n.left, letter)
	if err != nil {
		return nil, err
	}
	right, err := t.after(n.right, letter)
	if err != nil {
		return nil, err
	}
	switch n.op {
	case And:
		return t.and(left, right)
	case Or:
		return t.or(left, right)
	case Until: // right | left & X self
		if left, err = t.and(left, alternatives{clause{id * 2}}); err != nil {
			return nil, err
		}
		return t.or(right, left)
	default: // Release: right & (left | WX self)
		if left, err = t.or(left, alternatives{clause{id*2 + 1}}); err != nil {
			return nil, err
		}
		return t.and(right, left)
	}
}

func (t *translator) or(a, b alternatives) (alternatives, error) {
	if err := t.m.Step(len(a) + len(b)); err != nil {
		return nil, err
	}
	return slices.Concat(a, b).reduced(), nil
}

func (t *translator) and(a, b alternatives) (alternatives, error) {
	if err := t.m.Step(1 + len(a)*len(b)); err != nil {
		return nil, err
	}
	var out alternatives
	for _, c := range a {
		for _, d := range b {
			out = append(out, c.union(d))
		}
	}
	return out.reduced(), nil
}

// reduced drops clauses that contain another, and sorts.
func (s alternatives) reduced() alternatives {
	sort.Slice(s, func(i, j int) bool {
		if len(s[i]) != len(s[j]) {
			return len(s[i]) < len(s[j])
		}
		return slices.Compare(s[i], s[j]) < 0
	})
	out := s[:0:0]
	for _, c := range s {
		if !slices.ContainsFunc(out, func(smaller clause) bool { return smaller.within(c) }) {
			out = append(out, c)
		}
	}
	return out
}

// union returns the obligations of two clauses.
func (c clause) union(other clause) clause {
	out := make(clause, 0, len(c)+len(other))
	for len(c) > 0 && len(other) > 0 {
		least := min(c[0], other[0])
		out = append(out, least)
		if c[0] == least {
			c = c[1:]
		}
		if other[0] == least {
			other = other[1:]
		}
	}
	return append(append(out, c...), other...)
}

// within reports whether all obligations of a clause are in another.
func (c clause) within(other clause) bool {
	i := 0
	for _, o := range other {
		if i < len(c) && c[i] == o {
			i++
		}
	}
	return i == len(c)
}

func (s alternatives) key() string {
	var b []byte
	for _, c := range s {
		b = binary.AppendUvarint(b, uint64(len(c)))
		for _, o := range c {
			b = binary.AppendUvarint(b, uint64(o))
		}
	}
	return string(b)
}
