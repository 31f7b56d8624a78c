package ltl

import (
	"encoding/binary"
	"slices"
	"sort"

	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/meter"
)

// obligation is the number of a formula that has to hold from the next step on, times two,
// plus one if it is weak: a weak obligation also holds if there is no next step.
type obligation = int32

func weak(o obligation) bool { return o%2 == 1 }

// clause is a conjunction of obligations: sorted, none implied by another. alternatives
// are a disjunction of clauses: sorted, none implying another.
type (
	clause       []obligation
	alternatives []clause
)

var (
	never  = alternatives{}
	always = alternatives{clause{}}
)

// progression builds the automaton of one formula. Alternatives have numbers, which are
// the leaves of diagrams. The alternatives after some trace are the states of the automaton.
type progression struct {
	*translator
	store  *automaton.Diagrams
	states []alternatives
	sets   map[string]int      // their numbers, by key
	both   *automaton.Combiner // conjunction of two diagrams of alternatives
	either *automaton.Combiner
	leaves map[int32]automaton.Diagram // by formula: the alternatives after a step
	err    error
}

// progress translates a temporal formula by progression.
func (t *translator) progress(f *Formula) (*automaton.Symbolic, error) {
	p := &progression{
		translator: t, store: automaton.NewDiagrams(t.letters, t.m),
		sets: map[string]int{}, leaves: map[int32]automaton.Diagram{},
	}
	p.both = automaton.NewCombiner(p.store, p.store, p.store, func(a, b int) int {
		return p.number(p.conjunction(p.states[a], p.states[b]))
	})
	p.either = automaton.NewCombiner(p.store, p.store, p.store, func(a, b int) int {
		return p.number(p.reduced(slices.Concat(p.states[a], p.states[b])))
	})
	// The start has the formula itself as its obligation; its number is 0.
	queue := []int{p.number(p.reduced(alternatives{clause{t.nnf(f, false) * 2}}))}
	found := map[int]bool{0: true}
	seen := map[automaton.Diagram]bool{}
	var next []automaton.Diagram // by number; of those that are not states Leaf(0)
	var accept []bool
	for at := 0; at < len(queue) && p.failed() == nil; at++ {
		state := queue[at]
		d := p.afterState(p.states[state])
		for len(next) <= state {
			next, accept = append(next, automaton.Leaf(0)), append(accept, false)
		}
		next[state], accept[state] = d, p.states[state].mayEnd()
		for _, to := range p.store.Leaves(d, seen) {
			if !found[to] {
				found[to] = true
				queue = append(queue, to)
			}
		}
	}
	if err := p.failed(); err != nil {
		return nil, err
	}
	d, err := automaton.NewSymbolic(p.store, next, accept)
	if err != nil {
		return nil, err
	}
	return d.Minimize(t.m)
}

// failed returns the error that ended the work, or nil.
func (p *progression) failed() error {
	if p.err != nil {
		return p.err
	}
	return p.store.Err()
}

func (p *progression) number(s alternatives) int {
	if p.err != nil {
		return 0
	}
	key := s.key()
	n, ok := p.sets[key]
	if !ok {
		n = len(p.states)
		p.sets[key] = n
		p.states = append(p.states, s)
		if err := p.m.Spend(meter.States, int64(1+len(s)/4)); err != nil {
			p.err = err
		}
	}
	return n
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

// mayEnd reports whether a trace may end with these obligations.
func (s alternatives) mayEnd() bool {
	return slices.ContainsFunc(s, func(c clause) bool {
		return !slices.ContainsFunc(c, func(o obligation) bool { return !weak(o) })
	})
}

// afterState returns the alternatives after a step, by letter.
func (p *progression) afterState(s alternatives) automaton.Diagram {
	d := p.leaf(never)
	for _, c := range s {
		all := p.leaf(always)
		for _, o := range c {
			all = p.both.Apply(all, p.afterFormula(o/2))
		}
		d = p.either.Apply(d, all)
	}
	return d
}

func (p *progression) leaf(s alternatives) automaton.Diagram { return automaton.Leaf(p.number(s)) }

// afterFormula returns the alternatives of a formula after a step, by letter.
func (p *progression) afterFormula(id int32) automaton.Diagram {
	d, ok := p.leaves[id]
	if ok {
		return d
	}
	// A chain of right arguments may be as long as the text, so it is followed in a loop.
	chain := []int32{id}
	for n := p.nodes[id]; n.op >= And; n = p.nodes[n.right] {
		chain = append(chain, n.right)
	}
	for i := len(chain) - 1; i >= 0; i-- {
		if d, ok = p.leaves[chain[i]]; !ok {
			d = p.step(chain[i], p.nodes[chain[i]])
			p.leaves[chain[i]] = d
		}
	}
	return d
}

func (p *progression) step(id int32, n node) automaton.Diagram {
	switch n.op {
	case True:
		return p.leaf(always)
	case False:
		return p.leaf(never)
	case Prop:
		return p.store.Holds(int(n.prop), p.number(always), p.number(never))
	case Not:
		return p.store.Holds(int(n.prop), p.number(never), p.number(always))
	case Next:
		return p.leaf(alternatives{clause{n.left * 2}})
	case WeakNext:
		return p.leaf(alternatives{clause{n.left*2 + 1}})
	}
	left, right := p.afterFormula(n.left), p.afterFormula(n.right)
	switch n.op {
	case And:
		return p.both.Apply(left, right)
	case Or:
		return p.either.Apply(left, right)
	case Until: // right | left & X self
		return p.either.Apply(right, p.both.Apply(left, p.leaf(alternatives{clause{id * 2}})))
	default: // Release: right & (left | WX self)
		return p.both.Apply(right, p.either.Apply(left, p.leaf(alternatives{clause{id*2 + 1}})))
	}
}

// spend spends steps, one for each pair of obligations compared, and reports whether the
// work may continue.
func (p *progression) spend(steps int) bool {
	if p.err == nil {
		p.err = p.m.Step(steps)
	}
	return p.err == nil && p.store.Err() == nil
}

// conjunction returns the conjunction of two alternatives.
func (p *progression) conjunction(a, b alternatives) alternatives {
	out := make(alternatives, 0, len(a)*len(b))
	for _, c := range a {
		for _, d := range b {
			if n := len(c) + len(d); !p.spend(1 + n*n) {
				return never
			}
			if both, ok := p.joined(c, d); ok {
				out = append(out, both)
			}
		}
	}
	return p.reduced(out)
}

// joined returns the union of two clauses without obligations that others imply; it is
// false if they contradict each other.
func (p *progression) joined(c, d clause) (clause, bool) {
	all := slices.Concat(c, d)
	sort.Slice(all, func(i, j int) bool { return all[i] < all[j] })
	all = slices.Compact(all)
	out := all[:0:0]
	ends, continues := false, false
	for i, o := range all {
		ends = ends || weak(o) && p.nodes[o/2].op == False
		continues = continues || !weak(o)
		// Of two that imply each other the first is kept.
		implied := false
		for j, other := range all {
			implied = implied || j != i && p.meets(other, o) && (j < i || !p.meets(o, other))
		}
		if !implied {
			out = append(out, o)
		}
	}
	return out, !ends || !continues
}

// meets reports whether an obligation implies another.
func (p *progression) meets(o, other obligation) bool {
	return (weak(other) || !weak(o)) && p.implies(o/2, other/2)
}

// covers reports whether a clause implies another.
func (p *progression) covers(c, other clause) bool {
	for _, o := range other {
		if !slices.ContainsFunc(c, func(mine obligation) bool { return p.meets(mine, o) }) {
			return false
		}
	}
	return true
}

// reduced sorts clauses and drops those that imply another.
func (p *progression) reduced(s alternatives) alternatives {
	if !p.spend(1 + len(s)) {
		return never
	}
	sort.Slice(s, func(i, j int) bool {
		if len(s[i]) != len(s[j]) {
			return len(s[i]) < len(s[j])
		}
		return slices.Compare(s[i], s[j]) < 0
	})
	out := s[:0:0]
	for i, c := range s {
		implies := false
		for j, other := range s {
			if !p.spend(1 + len(c)*len(other)) {
				return never
			}
			// Of two that imply each other the first is kept.
			if j != i && p.covers(c, other) && (j < i || !p.covers(other, c)) {
				implies = true
				break
			}
		}
		if !implies {
			out = append(out, c)
		}
	}
	return out
}
