package strips

import (
	"fmt"
	"sort"

	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

// MaxOperators is the maximum number of ground actions of a task. With about ten steps
// their SMT encoding exceeds 10 MB, more than a solver in a page can read.
const MaxOperators = 20_000

// Operator is a ground action. Its preconditions and effects are indices of facts, in
// ascending order; a fact that an effect both adds and deletes is added.
type Operator struct {
	Step
	Needs, Forbids, Adds, Deletes []int

	tests   []*test       // more preconditions
	when    []conditional // effects with conditions
	changes []change
	costs   []change // the number of a cost is its factor in the metric
}

// Task is a problem over propositions: the facts that can change and the operators that
// may be executable, both according to a relaxation.
type Task struct {
	Domain    *Domain
	Problem   *Problem
	Facts     []Atom // in the order of predicates, derived ones last, then objects
	Operators []Operator
	Init      []bool // by fact
	Goal      []int  // true in the goal
	GoalNot   []int  // false in the goal
	Hopeless  string // a part of the goal that no plan reaches; "" if a plan may exist

	rich
	always map[string]bool // atoms with the same value in all states
}

func sortedKeys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

// Ground instantiates the domain's actions with the problem's objects. Domain and problem
// must have been checked. It keeps everything that is reachable in a relaxation in which
// facts never change back, so it keeps every step of every plan. The error is the
// meter's, or has the code "limit.operators".
func Ground(d *Domain, p *Problem, m *meter.Meter) (*Task, error) {
	g := &grounder{m: m, domain: d, byType: map[string][]string{}, init: map[string]bool{}, fluent: map[string]bool{}, order: map[string]int{}}
	objects := d.objects(p)
	g.objects = objects
	for i, o := range objects {
		g.order[o.Name] = i
	}
	for _, t := range append([]Type{{Name: Object}}, d.Types...) {
		for _, o := range objects {
			if d.isA(o.Type, t.Name) {
				g.byType[t.Name] = append(g.byType[t.Name], o.Name)
			}
		}
	}
	for _, a := range p.Init {
		g.init[a.String()] = true
	}
	for i := range d.Actions {
		d.Actions[i].EachEffect(func(l Literal) { g.fluent[l.Predicate] = true })
	}
	g.numbers(p)
	if err := g.axioms(); err != nil {
		return nil, err
	}
	for i := range d.Actions {
		if err := g.instances(&d.Actions[i]); err != nil {
			return nil, err
		}
	}
	if err := g.reach(); err != nil {
		return nil, err
	}
	var goals []*test
	for _, c := range p.Goals {
		t, err := g.test(c, map[string]string{})
		if err != nil {
			return nil, err
		}
		goals = append(goals, t)
	}
	return g.task(p, goals), nil
}

type grounder struct {
	m          *meter.Meter
	domain     *Domain
	byType     map[string][]string
	init       map[string]bool
	fluent     map[string]bool // by predicate: whether an action changes it
	order      map[string]int  // by object
	candidates []candidate
	rules      []rule // of derived predicates that change

	objects   []Typed
	values    map[string]int64 // by function: the initial value
	dynamic   map[string]bool  // by name of a function: whether an action changes it
	costs     map[string]bool  // by name: whether only the metric reads it
	assigned  map[string]bool  // by name: whether an action sets or scales it
	metric    map[string]int64 // by function: the factor in the costs, which are minimized
	parts     int              // of ground conditions
	imprecise fault
}

// candidate is a ground action that no static condition rules out.
type candidate struct {
	step    Step
	pre     []Literal // fluent preconditions
	effect  []Literal // without deletions of added facts
	tests   []*test
	when    []conditional
	changes []change
	reached bool
}

// instances lists the candidates of an action. It chooses the parameters one by one, so
// that a false condition is found early.
func (g *grounder) instances(a *Action) error {
	values := map[string]string{}
	var choose func(i int) error
	choose = func(i int) error {
		if err := g.m.Step(1 + len(a.Precondition)); err != nil {
			return err
		}
		for _, l := range a.Precondition {
			if g.forbids(l, values) {
				return nil
			}
		}
		if i == len(a.Parameters) {
			if len(g.candidates) == MaxOperators {
				return source.NewError("limit.operators", fmt.Sprintf("too many ground actions, the maximum is %d; reduce the objects or add types to the parameters", MaxOperators))
			}
			c := newCandidate(a, values, g.fluent)
			if possible, err := g.more(a, values, &c); err != nil || !possible {
				return err
			}
			g.candidates = append(g.candidates, c)
			return nil
		}
		name := "?" + a.Parameters[i].Name
		for _, o := range g.ofType(a.Parameters[i].Type) {
			values[name] = o
			if err := choose(i + 1); err != nil {
				return err
			}
		}
		delete(values, name)
		return nil
	}
	return choose(0)
}

// forbids reports whether a condition is known to be false in every state, given the
// parameters chosen so far.
func (g *grounder) forbids(l Literal, values map[string]string) bool {
	if g.fluent[l.Predicate] {
		return false
	}
	l = replace(l, values)
	for _, term := range l.Terms {
		if term[0] == '?' {
			return false
		}
	}
	if l.Predicate == Equal {
		return (l.Terms[0] == l.Terms[1]) == l.Negated
	}
	return g.init[l.Atom.String()] == l.Negated
}

func newCandidate(a *Action, values map[string]string, fluent map[string]bool) candidate {
	c := candidate{step: Step{Action: a.Name}}
	for _, p := range a.Parameters {
		c.step.Arguments = append(c.step.Arguments, values["?"+p.Name])
	}
	for _, l := range a.Precondition {
		if fluent[l.Predicate] {
			c.pre = append(c.pre, replace(l, values))
		}
	}
	added := map[string]bool{}
	for _, l := range a.Effect {
		if l = replace(l, values); !l.Negated {
			added[l.Atom.String()] = true
			c.effect = append(c.effect, l)
		}
	}
	for _, l := range a.Effect {
		if l = replace(l, values); l.Negated && !added[l.Atom.String()] {
			c.effect = append(c.effect, l)
		}
	}
	return c
}

// reach marks the candidates that the relaxation reaches.
func (g *grounder) reach() error {
	reached := map[string]bool{} // literals, except the negative ones of the initial state
	for atom := range g.init {
		reached[atom] = true
	}
	holds := func(l Literal) bool {
		return reached[l.String()] || l.Negated && !g.init[l.Atom.String()]
	}
	for changed := true; changed; {
		changed = g.extend(holds, reached)
		for i := range g.candidates {
			c := &g.candidates[i]
			if c.reached {
				changed = c.extend(holds, reached) || changed
				continue
			}
			if err := g.m.Step(1 + len(c.pre) + len(c.when)); err != nil {
				return err
			}
			possible := true
			for _, l := range c.pre {
				possible = possible && holds(l)
			}
			for _, t := range c.tests {
				possible = possible && t.possible(holds)
			}
			if !possible {
				continue
			}
			c.reached, changed = true, true
			for _, l := range c.effect {
				reached[l.String()] = true
			}
			c.extend(holds, reached)
		}
	}
	return nil
}

// task builds the task from the reachable part.
func (g *grounder) task(p *Problem, goals []*test) *Task {
	t := &Task{Domain: g.domain, Problem: p, always: map[string]bool{}}
	// A fact is an atom that is true in one state and false in another.
	atoms := map[string]Atom{}
	for _, c := range g.candidates {
		if !c.reached {
			continue
		}
		for _, l := range c.effect {
			name := l.Atom.String()
			if l.Negated == g.init[name] {
				atoms[name] = l.Atom
			}
		}
		for _, e := range c.when {
			if name := e.literal.Atom.String(); e.reached && e.literal.Negated == g.init[name] {
				atoms[name] = e.literal.Atom
			}
		}
	}
	for i := range g.rules {
		if x := &g.rules[i]; x.reached {
			atoms[x.head.String()] = x.head
		}
	}
	for name := range g.init {
		t.always[name] = true
	}
	for _, a := range atoms {
		t.Facts = append(t.Facts, Atom{Predicate: a.Predicate, Terms: a.Terms})
	}
	rank, _ := g.domain.strata() // derived facts are last
	for i, p := range g.domain.Predicates {
		rank[p.Name] = rank[p.Name]*len(g.domain.Predicates) + i
	}
	sort.Slice(t.Facts, func(i, j int) bool {
		a, b := t.Facts[i], t.Facts[j]
		if a.Predicate != b.Predicate {
			return rank[a.Predicate] < rank[b.Predicate]
		}
		for k := range a.Terms {
			if a.Terms[k] != b.Terms[k] {
				return g.order[a.Terms[k]] < g.order[b.Terms[k]]
			}
		}
		return false
	})
	number := map[string]int{}
	for i, f := range t.Facts {
		number[f.String()] = i
		t.Init = append(t.Init, g.init[f.String()])
		delete(t.always, f.String())
	}
	r := &resolver{t: t, g: g, facts: number, numbers: map[string]int{}}
	for i := range g.candidates {
		c := &g.candidates[i]
		if !c.reached {
			continue
		}
		o := Operator{Step: c.step}
		o.Needs, o.Forbids = split(c.pre, number)
		o.Adds, o.Deletes = split(c.effect, number)
		if r.operator(&o, c) {
			t.Operators = append(t.Operators, o)
		}
	}
	r.rules()
	t.imprecise = g.imprecise
	t.Goal, t.GoalNot = split(p.Goal, number)
	for _, l := range p.Goal {
		name := l.Atom.String()
		_, fluent := number[name]
		if holds := t.always[name] || l.Predicate == Equal && l.Terms[0] == l.Terms[1]; !fluent && holds == l.Negated {
			t.Hopeless = l.String()
			break
		}
	}
	r.goal(goals)
	return t
}

// split returns the facts of the positive and of the negative literals. Atoms that are not
// facts never change.
func split(list []Literal, number map[string]int) (positive, negative []int) {
	for _, l := range list {
		i, ok := number[l.Atom.String()]
		switch {
		case !ok:
		case l.Negated:
			negative = append(negative, i)
		default:
			positive = append(positive, i)
		}
	}
	return ascending(positive), ascending(negative)
}

// ascending sorts and removes duplicates.
func ascending(list []int) []int {
	sort.Ints(list)
	out := list[:0]
	for i, v := range list {
		if i == 0 || v != list[i-1] {
			out = append(out, v)
		}
	}
	return out
}

// Next returns the facts after an operator, or false if it is not executable. Numbers have
// their initial values.
func (t *Task) Next(state []bool, o *Operator) ([]bool, bool) {
	before := t.initial()
	for f, holds := range state {
		before.set(f, holds)
	}
	after := make(point, len(before))
	if _, ok := t.successor(before, after, o); !ok {
		return nil, false
	}
	return t.facts(after), true
}

// Reached reports whether the goal is true in a state.
func (t *Task) Reached(state []bool) bool {
	for _, f := range t.Goal {
		if !state[f] {
			return false
		}
	}
	for _, f := range t.GoalNot {
		if state[f] {
			return false
		}
	}
	return t.Hopeless == ""
}
