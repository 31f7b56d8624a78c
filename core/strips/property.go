package strips

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

// properties is the part of an encoding for a formula: for every state of the plan, the
// state of the formula's automaton.
//
// The formula is evaluated over the states of the plan, including the first. In each of
// them the propositions are the true facts, "on a b", and the action that led to it,
// "stack a b"; the name of an action alone matches that action with any objects. No
// action leads to the initial state.
type properties struct {
	encoding  *Encoding
	automaton *ltl.Automaton
	guards    [][]ltl.Guard // by state
	alive     []bool        // by state: whether the formula can still become true
	meaning   map[string]meaning
}

// meaning is the referent of a proposition: a fact, the execution of one of several
// operators, or a constant.
type meaning struct {
	fact      int // -1 for none
	operators []int
	always    bool
}

// Restrict adds a formula that the plan must satisfy in addition to the goal. The error
// has the code "strips.proposition" if the task does not have a name in the formula, or
// "limit.property" if the automaton is too large; otherwise it is that of the meter.
func (e *Encoding) Restrict(f *ltl.Formula, m *meter.Meter) error {
	p := &properties{encoding: e, meaning: map[string]meaning{}}
	names := f.Props()
	for _, name := range names {
		meant, err := e.meaning(name)
		if err != nil {
			return err
		}
		p.meaning[name] = meant
	}
	alphabet, err := ltl.NewAlphabet(names, ltl.Powerset)
	if err != nil {
		return err
	}
	if p.automaton, err = ltl.Translate(f, alphabet, m); err != nil {
		return err
	}
	for q, distance := range p.automaton.Distances() {
		guards, cubes := p.automaton.Guards(q, m)
		if cubes < 0 {
			return source.NewError("limit.property", "the formula's automaton has too many transitions for a solver; shorten the formula")
		}
		p.guards = append(p.guards, guards)
		p.alive = append(p.alive, distance >= 0)
	}
	e.property = p
	e.reachable = e.reachable && p.alive[p.automaton.Start()]
	return nil
}

// RefersTo reports whether a proposition of a formula refers to a domain: whether the first
// word of the proposition is a predicate or an action of the domain. The error, with code
// "strips.proposition", describes any other fault of the proposition. The problem may be
// nil if objects need not be checked.
func RefersTo(d *Domain, p *Problem, name string) (about bool, fault error) {
	words := propositionWords(name)
	if len(words) == 0 {
		return false, source.NewError("strips.proposition", "empty proposition in the formula")
	}
	predicate, action := d.predicate(words[0]), d.Action(words[0])
	switch {
	case predicate != nil && action != nil:
		return true, source.NewError("strips.proposition", fmt.Sprintf("ambiguous %q: it is a predicate and an action; rename one", words[0]))
	case predicate == nil && action == nil:
		message := fmt.Sprintf("unknown predicate or action %q in the formula", words[0])
		if near := source.Nearest(words[0], d.vocabulary()); near != "" {
			message += fmt.Sprintf("; did you mean %q?", near)
		}
		return false, source.NewError("strips.proposition", message)
	}
	kinds := 0
	if predicate != nil {
		kinds = len(predicate.Parameters)
	} else {
		kinds = len(action.Parameters)
	}
	if len(words)-1 != kinds && (predicate != nil || len(words) > 1) {
		return true, source.NewError("strips.proposition", fmt.Sprintf("%q in the formula takes %s, got %d", name, count(kinds, "argument"), len(words)-1))
	}
	if p == nil {
		return true, nil
	}
	for _, word := range words[1:] {
		if !hasObject(d, p, word) {
			return true, source.NewError("strips.proposition", fmt.Sprintf("unknown object %[2]q in %[1]q of the formula", name, word))
		}
	}
	return true, nil
}

// propositionWords splits a proposition into its predicate or action and its objects.
func propositionWords(name string) []string { return strings.Fields(strings.Trim(fold(name), "()")) }

// meaning returns the referent of a proposition.
func (e *Encoding) meaning(name string) (meaning, error) {
	d := e.task.Domain
	if _, fault := RefersTo(d, e.task.Problem, name); fault != nil {
		return meaning{}, fault
	}
	words := propositionWords(name)
	p := d.predicate(words[0])
	out := meaning{fact: -1}
	wanted := symbol(words...)
	if p != nil {
		for f, name := range e.names {
			if name == wanted {
				out.fact = f
			}
		}
		out.always = e.task.always[Atom{Predicate: words[0], Terms: words[1:]}.String()]
		return out, nil
	}
	for i, o := range e.task.Operators {
		if e.actions[i] == "do/"+wanted || len(words) == 1 && o.Action == wanted {
			out.operators = append(out.operators, i)
		}
	}
	return out, nil
}

// vocabulary returns the names of a domain's predicates and actions.
func (d *Domain) vocabulary() []string {
	var out []string
	for _, p := range d.Predicates {
		out = append(out, p.Name)
	}
	for _, a := range d.Actions {
		out = append(out, a.Name)
	}
	return out
}

func hasObject(d *Domain, p *Problem, name string) bool {
	for _, o := range d.objects(p) {
		if o.Name == name {
			return true
		}
	}
	return false
}

func (p *properties) state(q, t int) string { return at(fmt.Sprintf("formula/%d", q), t) }

// step asserts the state of the automaton after a step.
func (p *properties) step(w *writer, t int) {
	from := []int{p.automaton.Start()}
	if t > 0 {
		from = from[:0]
		for q := range p.alive {
			if p.alive[q] {
				from = append(from, q)
			}
		}
	}
	ways := make([][]string, len(p.alive))
	for _, q := range from {
		for _, g := range p.guards[q] {
			guard := p.formula(g.Formula, t)
			if t > 0 {
				guard = and([]string{p.state(q, t-1), guard})
			}
			ways[g.To] = append(ways[g.To], guard)
		}
	}
	for q := range p.alive {
		w.declare(p.state(q, t))
		w.assert("(= " + p.state(q, t) + " " + or(ways[q]) + ")")
		if !p.alive[q] {
			w.assert(not(p.state(q, t)))
		}
	}
}

// end asserts that the whole plan satisfies the formula.
func (p *properties) end(w *writer, horizon int) {
	w.line("; the formula")
	var accepting []string
	for q := range p.alive {
		if p.automaton.Accepting(q) {
			accepting = append(accepting, p.state(q, horizon))
		}
	}
	w.assert(or(accepting))
}

// formula writes a formula without temporal operators for one state.
func (p *properties) formula(f *ltl.Formula, t int) string {
	switch f.Op {
	case ltl.True:
		return "true"
	case ltl.False:
		return "false"
	case ltl.Not:
		return not(p.formula(f.Left, t))
	case ltl.And:
		return and([]string{p.formula(f.Left, t), p.formula(f.Right, t)})
	case ltl.Or:
		return or([]string{p.formula(f.Left, t), p.formula(f.Right, t)})
	}
	m := p.meaning[f.Name]
	switch {
	case m.fact >= 0:
		return at(p.encoding.names[m.fact], t)
	case m.always:
		return "true"
	case t == 0:
		return "false"
	}
	var done []string
	for _, i := range m.operators {
		done = append(done, at(p.encoding.actions[i], t))
	}
	return or(done)
}

// Trace returns, for each state of a plan, the propositions of the formula that are true
// in it. Plan and states must be the argument and the result of [Validate].
func (e *Encoding) Trace(f *ltl.Formula, plan Plan, states []State) ([]map[string]bool, error) {
	return Trace(e.task.Domain, e.task.Problem, f, plan, states)
}

// Trace is [Encoding.Trace] without an encoding.
func Trace(d *Domain, p *Problem, f *ltl.Formula, plan Plan, states []State) ([]map[string]bool, error) {
	out := make([]map[string]bool, len(states))
	for i := range out {
		out[i] = map[string]bool{}
	}
	for _, name := range f.Props() {
		if _, fault := RefersTo(d, p, name); fault != nil {
			return nil, fault
		}
		words := propositionWords(name)
		atom := "(" + strings.Join(words, " ") + ")"
		for i, s := range states {
			out[i][name] = contains(s.Facts, atom) || i > 0 && (plan[i-1].String() == atom || len(words) == 1 && plan[i-1].Action == words[0])
		}
	}
	return out, nil
}
