package strips

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

// MaxHorizon is the maximum number of steps of an encoding. The problems of the papers
// need up to sixteen steps; with a hundred steps, a solver does not finish.
const MaxHorizon = 100

// Logic is the declared logic of the texts, which contain only propositions. SMT-LIB has
// no logic for these. Z3 uses its SAT solver for the logic of bit vectors, and a slower
// solver for that of uninterpreted functions.
const Logic = "QF_BV"

// Encoding is a task as SMT-LIB 2, for any number of steps.
//
// Each fact of each state is a proposition, on.a.b@3 after step 3 and on.a.b@0 before the
// first; so is each operator of each step, do/stack.a.b@3. Each step executes exactly one
// operator. It implies its preconditions in the state before and its effects in the state
// after; a change of a fact implies that one of the operators with that effect was
// executed (explanatory frame axioms: Haas 1987, Schubert 1990).
//
// That defines a plan. Further clauses hold for every plan, or for one among the plans
// that differ only in the order of independent steps. They save the solver from deriving
// the same facts for each number of steps: pairs of facts that exclude each other; that
// one operator of each set of [Task.Landmarks] is executed, which bounds the other steps;
// and that a step that could as well precede the step before it does not have a lower
// number. Without these clauses Z3 does not solve the longest problem of the papers,
// sixteen steps of Gripper, within minutes.
type Encoding struct {
	task      *Task
	landmarks [][]int
	least     int // of an extended task
	reachable bool
	names     []string // by fact
	actions   []string // by operator
	adders    [][]int  // by fact: operators
	deleters  [][]int
	excluded  [][2]int    // pairs of facts that exclude each other
	landmark  []int       // by operator: the index of its set; -1 for none
	before    [][]int     // by operator: see [Encoding.order]
	property  *properties // nil without one
}

// symbol joins words into a symbol of SMT-LIB. No name contains a dot, so equal symbols
// have equal words.
func symbol(words ...string) string { return strings.Join(words, ".") }

// Encode prepares the encoding of a task.
func (t *Task) Encode(m *meter.Meter) (*Encoding, error) {
	e := &Encoding{task: t, adders: make([][]int, len(t.Facts)), deleters: make([][]int, len(t.Facts))}
	var err error
	if t.extended {
		return e, e.extend(m)
	}
	if e.landmarks, e.reachable, err = t.Landmarks(m); err != nil {
		return nil, err
	}
	for _, f := range t.Facts {
		e.names = append(e.names, symbol(append([]string{f.Predicate}, f.Terms...)...))
	}
	for i, o := range t.Operators {
		e.actions = append(e.actions, "do/"+symbol(append([]string{o.Action}, o.Arguments...)...))
		e.landmark = append(e.landmark, -1)
		for _, f := range o.Adds {
			e.adders[f] = append(e.adders[f], i)
		}
		for _, f := range o.Deletes {
			e.deleters[f] = append(e.deleters[f], i)
		}
	}
	for k, set := range e.landmarks {
		for _, i := range set {
			e.landmark[i] = k
		}
	}
	both, err := t.together(m)
	if err != nil {
		return nil, err
	}
	for f := range both {
		for g := range f {
			if !both[f][g] {
				e.excluded = append(e.excluded, [2]int{g, f})
			}
		}
	}
	return e, e.order(both, m)
}

// order computes, for each operator, the operators of the same or a higher number that it
// may follow directly and cannot be swapped with.
func (e *Encoding) order(both [][]bool, m *meter.Meter) error {
	operators := e.task.Operators
	e.before = make([][]int, len(operators))
	for i := range operators {
		// The work for a pair grows with the preconditions and effects of the operator.
		o := &operators[i]
		if err := m.Step(10 * (len(operators) - i) * (1 + len(o.Needs) + len(o.Adds) + len(o.Deletes))); err != nil {
			return err
		}
		for j := i; j < len(operators); j++ {
			if first, second := &operators[j], &operators[i]; follows(first, second, both) && (i == j || !commute(first, second)) {
				e.before[i] = append(e.before[i], j)
			}
		}
	}
	return nil
}

// extend prepares an extended task, whose bounds need no landmarks.
func (e *Encoding) extend(m *meter.Meter) error {
	t := e.task
	steps := make([]int64, len(t.Operators))
	for i, o := range t.Operators {
		steps[i] = 1
		e.actions = append(e.actions, "do/"+symbol(append([]string{o.Action}, o.Arguments...)...))
	}
	for _, f := range t.Facts {
		e.names = append(e.names, symbol(append([]string{f.Predicate}, f.Terms...)...))
	}
	if t.Hopeless != "" {
		return nil
	}
	least, err := t.estimate(steps).bound(t.initial(), m)
	e.least, e.reachable = int(least), least < unreachable
	return err
}

// Least returns a lower bound of the length of a plan; ok is false if even the relaxation
// has no plan, so that no plan exists.
func (e *Encoding) Least() (steps int, ok bool) {
	if e.task.extended && e.reachable {
		return e.least, true
	}
	return len(e.landmarks), e.reachable
}

// Text returns the SMT-LIB text that is satisfiable if and only if a plan with that many
// steps exists, and asks for a model.
func (e *Encoding) Text(horizon int, m *meter.Meter) (string, error) {
	if horizon < 0 || horizon > MaxHorizon {
		return "", source.NewError("limit.horizon", fmt.Sprintf("steps out of range (expected 0 to %d, got %d)", MaxHorizon, horizon))
	}
	if e.Extended() {
		return e.richText(horizon, m)
	}
	w := &writer{}
	w.line("; " + e.task.Domain.Name + ", " + e.task.Problem.Name + ": a plan of " + count(horizon, "step"))
	w.line("(set-logic " + Logic + ")")
	e.first(w)
	for t := 1; t <= horizon; t++ {
		before := w.Len()
		e.step(w, t)
		e.spare(w, t, horizon-len(e.landmarks))
		if err := m.Step(w.Len() - before); err != nil {
			return "", err
		}
	}
	w.line("; the goal")
	for _, fact := range e.facts(e.task.Goal, e.task.GoalNot, horizon) {
		w.assert(fact)
	}
	if least, ok := e.Least(); !ok || horizon < least {
		w.line("; every plan has more steps")
		w.assert("false")
	}
	if e.property != nil {
		e.property.end(w, horizon)
	}
	w.line("(check-sat)")
	w.line("(get-model)")
	return w.String(), nil
}

type writer struct{ strings.Builder }

func (w *writer) line(text string) {
	w.WriteString(text)
	w.WriteByte('\n')
}

func (w *writer) declare(symbol string)     { w.line("(declare-const " + symbol + " Bool)") }
func (w *writer) either(formulas ...string) { w.assert(or(formulas)) }
func (w *writer) assert(formula string)     { w.line("(assert " + formula + ")") }

func at(symbol string, step int) string { return symbol + "@" + strconv.Itoa(step) }
func not(formula string) string         { return "(not " + formula + ")" }

// joined returns a conjunction or disjunction of the parts. A single part is returned
// unchanged; if there are no parts, the result is the argument none.
func joined(op, none string, parts []string) string {
	switch len(parts) {
	case 0:
		return none
	case 1:
		return parts[0]
	}
	return "(" + op + " " + strings.Join(parts, " ") + ")"
}

func and(parts []string) string { return joined("and", "true", parts) }
func or(parts []string) string  { return joined("or", "false", parts) }

func implies(a, b string) string { return "(=> " + a + " " + b + ")" }

func (e *Encoding) first(w *writer) {
	w.line("; the initial state")
	for f, name := range e.names {
		w.declare(at(name, 0))
		if e.task.Init[f] {
			w.assert(at(name, 0))
		} else {
			w.assert(not(at(name, 0)))
		}
	}
	if e.property != nil {
		e.property.step(w, 0)
	}
}

func (e *Encoding) step(w *writer, t int) {
	w.line(fmt.Sprintf("; step %d", t))
	for _, name := range e.names {
		w.declare(at(name, t))
	}
	done := make([]string, len(e.actions))
	for i, name := range e.actions {
		done[i] = at(name, t)
		w.declare(done[i])
	}
	w.assert(or(done))
	for _, pair := range e.excluded {
		w.either(not(at(e.names[pair[0]], t)), not(at(e.names[pair[1]], t)))
	}
	e.ladder(w, done, t)
	for i, o := range e.task.Operators {
		parts := e.facts(o.Needs, o.Forbids, t-1)
		if parts = append(parts, e.facts(o.Adds, o.Deletes, t)...); len(parts) > 0 {
			w.assert(implies(done[i], and(parts)))
		}
	}
	for f, name := range e.names {
		before, after := at(name, t-1), at(name, t)
		w.assert(or(append([]string{before, not(after)}, chosen(done, e.adders[f])...)))
		w.assert(or(append([]string{not(before), after}, chosen(done, e.deleters[f])...)))
	}
	if e.property != nil {
		e.property.step(w, t)
	}
}

// facts returns the propositions of true and of false facts in the state after a step.
func (e *Encoding) facts(positive, negative []int, step int) (out []string) {
	for _, f := range positive {
		out = append(out, at(e.names[f], step))
	}
	for _, f := range negative {
		out = append(out, not(at(e.names[f], step)))
	}
	return out
}

func chosen(list []string, indices []int) []string {
	out := make([]string, len(indices))
	for i, index := range indices {
		out[i] = list[index]
	}
	return out
}

// upTo returns the proposition that the number of the operator of step t is at most
// operator.
func upTo(operator, t int) string { return at("upto/"+strconv.Itoa(operator), t) }

// ladder asserts that at most one operator is executed in a step (Gent and Nightingale
// 2004), and that an operator that could precede the operator of the step before does not
// have a lower number.
func (e *Encoding) ladder(w *writer, done []string, t int) {
	for i, name := range done {
		w.declare(upTo(i, t))
		w.either(not(name), upTo(i, t))
		if i > 0 {
			w.either(not(upTo(i-1, t)), upTo(i, t))
			w.either(not(upTo(i-1, t)), not(name))
			w.either(not(upTo(i, t)), upTo(i-1, t), name)
		} else {
			w.either(not(upTo(i, t)), name)
		}
	}
	if t == 1 || e.property != nil || e.before == nil {
		// A formula may distinguish the two orders, and so may numbers.
		return
	}
	for i, name := range done {
		parts := []string{not(name)}
		if i > 0 {
			parts = append(parts, upTo(i-1, t-1))
		}
		for _, j := range e.before[i] {
			parts = append(parts, at(e.actions[j], t-1))
		}
		w.either(parts...)
	}
}

// spare asserts a maximum number of spared steps: steps whose operator is in no set of
// landmarks, or in a set of which an operator was executed before.
func (e *Encoding) spare(w *writer, t, most int) {
	if most < 0 || len(e.landmarks) == 0 {
		return
	}
	seen := func(k, t int) string { return at("seen/"+strconv.Itoa(k), t) }
	spared := at("spared", t)
	w.declare(spared)
	for k, set := range e.landmarks {
		w.declare(seen(k, t))
		if t > 1 {
			w.either(not(seen(k, t-1)), seen(k, t))
		}
		for _, i := range set {
			w.either(not(at(e.actions[i], t)), seen(k, t))
		}
	}
	for i, k := range e.landmark {
		switch {
		case k < 0:
			w.either(not(at(e.actions[i], t)), spared)
		case t > 1:
			w.either(not(at(e.actions[i], t)), not(seen(k, t-1)), spared)
		}
	}
	// A unary counter: spared/2@5 if at least two of the first five steps are spared.
	counter := func(n, t int) string { return at("spared/"+strconv.Itoa(n), t) }
	for n := 1; n <= min(t, most); n++ {
		w.declare(counter(n, t))
		if n < t {
			w.either(not(counter(n, t-1)), counter(n, t))
		}
		if n == 1 {
			w.either(not(spared), counter(n, t))
		} else {
			w.either(not(spared), not(counter(n-1, t-1)), counter(n, t))
		}
	}
	switch {
	case most == 0:
		w.assert(not(spared))
	case t > most:
		w.either(not(spared), not(counter(most, t-1)))
	}
}
