package strips

import (
	"fmt"

	"github.com/stile-playground/stile/core/sexpr"
)

// Axiom is a rule of a derived predicate: "(:derived (above ?x ?y) condition)". An atom of
// the predicate is true in a state if the condition of one of its axioms is.
//
// The derived atoms of a state are the least fixpoint of the axioms, one stratum after the
// other (Thiébaux, Hoffmann and Nebel 2005): a predicate may depend on itself, but not on its
// own negation.
type Axiom struct {
	Head       Atom // its terms are the parameters
	Parameters []Typed
	Condition  *Condition
}

// Derived reports whether a predicate is derived: whether it has axioms.
func (d *Domain) Derived(predicate string) bool {
	for i := range d.Axioms {
		if d.Axioms[i].Head.Predicate == predicate {
			return true
		}
	}
	return false
}

// axiom reads (:derived (name ?x - type) condition).
func (p *parser) axiom(d *Domain, n *sexpr.Node) {
	p.needs(reqDerived, n.Blame())
	if len(n.Items) != 3 || n.Items[1].Head() == "" {
		p.report(n.Blame(), "strips.form", "expected (:derived (name ?x) condition)")
		return
	}
	head, before := n.Items[1], len(p.found)
	a := Axiom{Head: Atom{Predicate: p.name(head.Items[0], "the name of a predicate"), Span: head.Span}, Parameters: p.typed(head.Items[1:], true)}
	faulty := len(p.found) > before // then nothing follows from the axiom
	if a.Condition = p.condition(n.Items[2], false); a.Condition == nil || faulty {
		return
	}
	for _, v := range a.Parameters {
		a.Head.Terms, a.Head.places = append(a.Head.Terms, "?"+v.Name), append(a.Head.places, v.Span)
	}
	d.Axioms = append(d.Axioms, a)
}

// axioms checks the axioms of the domain.
func (c *checker) axioms() {
	reaches := c.domain.dependencies()
	for i := range c.domain.Axioms {
		a := &c.domain.Axioms[i]
		c.typed("a parameter", a.Parameters)
		c.literal(Literal{Atom: a.Head}, a.Parameters)
		c.condition(a.Condition, a.Parameters)
		name := a.Head.Predicate
		a.Condition.Each(func(l Literal) {
			if l.Negated && (l.Predicate == name || reaches[l.Predicate][name]) && c.domain.Derived(l.Predicate) {
				c.report(l.Span, "strips.stratum", fmt.Sprintf("%q depends on its own negation; only positive recursion is allowed", name))
			}
		}, func(*Atom) {})
	}
}

// basic reports an atom of a derived predicate at a place that sets facts.
func (c *checker) basic(a Atom, code, message string) bool {
	if !c.domain.Derived(a.Predicate) {
		return true
	}
	c.report(a.Span, code, fmt.Sprintf("%s %q; it is derived by its axioms", message, a.Predicate))
	return false
}

// dependencies returns, for each derived predicate, the derived predicates that its axioms
// contain, directly or by other axioms.
func (d *Domain) dependencies() map[string]map[string]bool {
	out := map[string]map[string]bool{}
	for i := range d.Axioms {
		out[d.Axioms[i].Head.Predicate] = map[string]bool{}
	}
	for changed := true; changed; {
		changed = false
		for i := range d.Axioms {
			of := out[d.Axioms[i].Head.Predicate]
			before := len(of)
			d.Axioms[i].Condition.Each(func(l Literal) {
				if other, derived := out[l.Predicate]; derived {
					of[l.Predicate] = true
					for name := range other {
						of[name] = true
					}
				}
			}, func(*Atom) {})
			changed = changed || len(of) > before
		}
	}
	return out
}

// strata returns the stratum of each derived predicate, from 1. Predicates of a stratum that
// depend on each other are recursive; each depends otherwise only on lower strata.
func (d *Domain) strata() (stratum map[string]int, recursive map[string]bool) {
	reaches := d.dependencies()
	stratum, recursive = map[string]int{}, map[string]bool{}
	for name := range reaches {
		stratum[name], recursive[name] = 1, reaches[name][name]
	}
	for changed := true; changed; {
		changed = false
		for i := range d.Axioms {
			name := d.Axioms[i].Head.Predicate
			for other := range reaches[name] {
				if least := stratum[other] + 1; !reaches[other][name] && stratum[name] < least {
					stratum[name], changed = least, true
				}
			}
		}
	}
	return stratum, recursive
}

// layers returns the axioms by stratum.
func (d *Domain) layers() [][]*Axiom {
	stratum, _ := d.strata()
	var out [][]*Axiom
	for n := 1; len(out) < n; n++ {
		var layer []*Axiom
		for i := range d.Axioms {
			if stratum[d.Axioms[i].Head.Predicate] == n {
				layer = append(layer, &d.Axioms[i])
			}
		}
		if layer == nil {
			break
		}
		out = append(out, layer)
	}
	return out
}

// derive replaces the derived atoms of the state.
func (v *validation) derive() {
	for atom, is := range v.derived {
		if is {
			delete(v.holds, atom)
		}
	}
	v.derived = map[string]bool{}
	for _, layer := range v.layers {
		for changed := true; changed; {
			changed = false
			for _, a := range layer {
				v.each(a.Parameters, map[string]string{}, func(values map[string]string) bool {
					if atom := ground(&a.Head, values); !v.holds[atom] && v.truth(a.Condition, values) {
						v.holds[atom], v.derived[atom], changed = true, true, true
					}
					return true
				})
			}
		}
	}
}

// rule is a ground axiom.
type rule struct {
	head    Atom
	fact    int // in a task
	test    *test
	stratum int
	reached bool
}

// axioms grounds the axioms. A derived predicate that no action can change is constant: its
// atoms become part of the initial state.
func (g *grounder) axioms() error {
	changing := func(a *Axiom) (changes bool) {
		a.Condition.Each(func(l Literal) { changes = changes || g.fluent[l.Predicate] }, func(f *Atom) { changes = changes || g.dynamic[f.Predicate] })
		return changes
	}
	for changed := true; changed; {
		changed = false
		for i := range g.domain.Axioms {
			if a := &g.domain.Axioms[i]; !g.fluent[a.Head.Predicate] && changing(a) {
				g.fluent[a.Head.Predicate], changed = true, true
			}
		}
	}
	for n, layer := range g.domain.layers() {
		for changed, first := true, true; changed; first = false {
			changed = false
			for _, a := range layer {
				fluent, values := g.fluent[a.Head.Predicate], map[string]string{}
				if fluent && !first {
					continue
				}
				parts := g.parts
				err := g.bindings(a.Parameters, values, func() error {
					head := replace(Literal{Atom: a.Head}, values).Atom
					if g.init[head.String()] {
						return nil
					}
					t, err := g.test(a.Condition, values)
					switch {
					case err != nil || t == never:
						return err
					case fluent:
						g.rules = append(g.rules, rule{head: head, test: t, stratum: n + 1})
					default:
						g.init[head.String()], changed = true, true
					}
					return nil
				})
				if err != nil {
					return err
				}
				if !fluent {
					g.parts = parts // nothing of it is kept
				}
			}
		}
	}
	return nil
}

// extend marks the axioms whose condition the relaxation reaches.
func (g *grounder) extend(holds func(Literal) bool, reached map[string]bool) (changed bool) {
	for i := range g.rules {
		if r := &g.rules[i]; !r.reached && r.test.possible(holds) {
			r.reached, changed = true, true
			reached[r.head.String()] = true
		}
	}
	return changed
}

// rules adds the axioms to the task, in the order of their strata.
func (r *resolver) rules() {
	t := r.t
	t.stratum, t.recursive = make([]int, len(t.Facts)), make([]bool, len(t.Facts))
	_, recursive := t.Domain.strata()
	for _, x := range r.g.rules {
		if !x.reached {
			continue
		}
		x.fact, x.test = r.facts[x.head.String()], r.test(x.test)
		t.stratum[x.fact], t.recursive[x.fact] = x.stratum, recursive[x.head.Predicate]
		t.rules = append(t.rules, x)
	}
	first := t.initial()
	t.derive(first)
	t.Init = t.facts(first)
}

// derive makes the derived facts of a state those that follow from its other facts and its
// numbers.
func (t *Task) derive(s point) {
	for i := range t.rules {
		s.set(t.rules[i].fact, false)
	}
	for from, to := 0, 0; from < len(t.rules); from = to {
		for to = from; to < len(t.rules) && t.rules[to].stratum == t.rules[from].stratum; {
			to++
		}
		for changed := true; changed; {
			changed = false
			for i := from; i < to; i++ {
				if x := &t.rules[i]; !s.has(x.fact) && t.holds(x.test, s) {
					s.set(x.fact, true)
					changed = changed || t.recursive[x.fact]
				}
			}
		}
	}
}

// axioms adds the axioms as relaxed operators without cost. The negation of a derived fact
// follows from the negations of all its conditions; if the fact is recursive, it is always
// true, because these negations may require each other.
func (e *estimate) axioms() {
	refuted := make([][]int32, len(e.t.Facts))
	for i := range e.t.rules {
		x := &e.t.rules[i]
		e.add(-1, e.of(x.test, nil), []int32{int32(2 * x.fact)})
		if !e.t.recursive[x.fact] {
			refuted[x.fact] = e.refutes(x.test, refuted[x.fact])
		}
	}
	for f, stratum := range e.t.stratum {
		if stratum > 0 {
			e.add(-1, refuted[f], []int32{int32(2*f + 1)})
		}
	}
}

// refutes adds the literals that the negation of a test needs. A comparison may be false
// because a number has no value, so its negation needs none.
func (e *estimate) refutes(t *test, out []int32) []int32 {
	switch t.op {
	case OpLiteral:
		out = append(out, literalOf(t.fact, !t.literal.Negated))
	case OpOr:
		for _, part := range t.parts {
			out = e.refutes(part, out)
		}
	case OpAnd:
		l := e.literal()
		for _, part := range t.parts {
			e.add(-1, e.refutes(part, nil), []int32{l})
		}
		out = append(out, l)
	}
	return out
}

// axioms asserts the derived facts after a step. A recursive fact has a rank, which exceeds
// the ranks of the facts of its stratum that it follows from, so that no facts are true only
// because of each other (Janhunen 2004).
func (e *Encoding) axioms(w *writer, step int) {
	t := e.task
	rank := func(f int) string { return at("rank/"+e.names[f], step) }
	bodies, founded := make([][]string, len(e.names)), make([][]string, len(e.names))
	for f := range e.names {
		if t.recursive[f] {
			w.real(rank(f))
		}
	}
	for i := range t.rules {
		x := &t.rules[i]
		bodies[x.fact] = append(bodies[x.fact], e.formula(x.test, step))
		founded[x.fact] = append(founded[x.fact], e.formulaWith(x.test, step, func(l *test) string {
			name := at(e.names[l.fact], step)
			if l.literal.Negated || !t.recursive[l.fact] || t.stratum[l.fact] != x.stratum {
				return choose(l.literal.Negated, not(name), name)
			}
			return and([]string{name, "(< " + rank(l.fact) + " " + rank(x.fact) + ")"})
		}))
	}
	for f, name := range e.names {
		switch name = at(name, step); {
		case t.recursive[f]:
			w.assert(implies(or(bodies[f]), name))
			w.assert(implies(name, or(founded[f])))
		case t.stratum[f] > 0:
			w.assert("(= " + name + " " + or(bodies[f]) + ")")
		}
	}
}
