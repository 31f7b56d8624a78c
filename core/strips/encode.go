package strips

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

// MaxHorizon is how many steps an encoding may have. The papers' problems need up to
// sixteen; a solver that is given a hundred steps of them does not come back.
const MaxHorizon = 100

// Logic is what the texts name as their logic: all is propositions, which of the logics
// of SMT-LIB has none for itself. Z3 takes its solver for propositions on finding them
// in the logic of bit vectors, and a slower one in that of uninterpreted functions.
const Logic = "QF_BV"

// Encoding is a task as SMT-LIB 2, for any number of steps.
//
// Of every state each fact is a proposition, on.a.b@3 after step 3 and on.a.b@0 before
// the first; of every step each operator, do/stack.a.b@3. Exactly one operator is done
// in each step. It implies what it needs in the state before and what it makes true
// and false in the state after; a fact that changes implies that one of those was done
// that change it so (explanatory frame axioms: Haas 1987, Schubert 1990).
//
// That much says what a plan is. What is added holds of every plan, or of one of those
// that differ in the order of independent steps only, and saves a solver from finding
// it out for each number of steps anew: facts that never hold together; that of each
// set of [Task.Landmarks] one operator is done, so that few steps are left for others;
// and that a step which could as well be done before the one ahead of it is not, if it
// is of lower number. Without these the papers' longest problem, sixteen steps of
// Gripper, is not solved by Z3 within minutes.
type Encoding struct {
	task      *Task
	landmarks [][]int
	reachable bool
	names     []string // by fact
	actions   []string // by operator
	adders    [][]int  // by fact: operators
	deleters  [][]int
	excluded  [][2]int    // facts that never hold together
	landmark  []int       // by operator: the set it is in; -1 for none
	before    [][]int     // by operator: those of higher number that it may follow
	property  *properties // nil without one
}

// symbol joins words to a symbol of SMT-LIB. A dot is in no name, so equal symbols
// have equal words.
func symbol(words ...string) string { return strings.Join(words, ".") }

// Encode prepares the encoding of a task.
func (t *Task) Encode(m *meter.Meter) (*Encoding, error) {
	e := &Encoding{task: t, adders: make([][]int, len(t.Facts)), deleters: make([][]int, len(t.Facts))}
	var err error
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

// order finds, for each operator, those of higher number that it may have to follow.
func (e *Encoding) order(both [][]bool, m *meter.Meter) error {
	operators := e.task.Operators
	e.before = make([][]int, len(operators))
	for i := range operators {
		// What one pair takes grows with what the operator needs and changes.
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

// Least returns a number of steps below which there is no plan; ok is false where there
// is none of any length.
func (e *Encoding) Least() (steps int, ok bool) { return len(e.landmarks), e.reachable }

// Text returns the SMT-LIB text that is satisfiable if, and only if, there is a plan
// of so many steps, and asks for a model.
func (e *Encoding) Text(horizon int, m *meter.Meter) (string, error) {
	if horizon < 0 || horizon > MaxHorizon {
		return "", source.NewError("limit.horizon", fmt.Sprintf("a plan of %d steps is not looked for; at most %d are", horizon, MaxHorizon))
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
	for _, f := range e.task.Goal {
		w.assert(at(e.names[f], horizon))
	}
	for _, f := range e.task.GoalNot {
		w.assert(not(at(e.names[f], horizon)))
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

// joined returns a conjunction or disjunction, of none and of one as well.
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
	w.line("; the first state")
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
		var parts []string
		for _, f := range o.Needs {
			parts = append(parts, at(e.names[f], t-1))
		}
		for _, f := range o.Forbids {
			parts = append(parts, not(at(e.names[f], t-1)))
		}
		for _, f := range o.Adds {
			parts = append(parts, at(e.names[f], t))
		}
		for _, f := range o.Deletes {
			parts = append(parts, not(at(e.names[f], t)))
		}
		if len(parts) > 0 {
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

func chosen(list []string, indices []int) []string {
	out := make([]string, len(indices))
	for i, index := range indices {
		out[i] = list[index]
	}
	return out
}

// upTo is the proposition that the operator of a step is of this number or a lower one.
func upTo(operator, t int) string { return at("upto/"+strconv.Itoa(operator), t) }

// ladder asserts that not two operators are done in a step (Gent and Nightingale 2004),
// and that one which may be done before the operator of the step ahead is of no lower
// number than that.
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
	if t == 1 || e.property != nil {
		// A formula may well tell two orders apart.
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

// spare asserts that no more steps than so many are spared: spared is a step whose
// operator is in no set of landmarks, or in one of which an operator was done before.
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
	// A counter in unary: spared/2@5 if at least two of the first five are spared.
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
