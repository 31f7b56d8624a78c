package strips

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/meter"
)

// richText writes the text of an extended task.
//
// As in other texts, each fact and each operator of each step is a proposition, and each
// step executes exactly one operator. A fact is true after a step if the step adds it, or
// if it was true and the step does not delete it. Each number of each state is a real
// number, number/fuel.a@3; if it may have no value, has/fuel.a@3 is true where it has one. A
// comparison with an expression without a value is false, and an operator whose effect has
// none is not executed. metric/sum@3 is the part of the metric that the first three
// steps change; the text asks for its best value among the plans with that many steps.
//
// A derived fact is true if the condition of one of its axioms is; see [Encoding.axioms].
//
// All numbers of the text are exact. The search without a solver does not try a step
// whose result has more than three decimals or exceeds [MaxNumber], and reports this.
func (e *Encoding) richText(horizon int, m *meter.Meter) (string, error) {
	t := e.task
	w := &writer{}
	w.line("; " + t.Domain.Name + ", " + t.Problem.Name + ": a plan of " + count(horizon, "step"))
	e.first(w)
	for n := range t.functions {
		if t.partial(n) {
			w.declare(e.has(n, 0))
			w.assert(choose(t.defined[n], e.has(n, 0), not(e.has(n, 0))))
		}
		w.real(e.number(n, 0))
		if t.defined[n] {
			w.assert("(= " + e.number(n, 0) + " " + decimal(t.start[n]) + ")")
		}
	}
	if t.metric {
		w.real(at(metricSum, 0))
		w.assert("(= " + at(metricSum, 0) + " 0.0)")
	}
	for step := 1; step <= horizon; step++ {
		before := w.Len()
		e.richStep(w, step)
		if err := m.Step(w.Len() - before); err != nil {
			return "", err
		}
	}
	w.line("; the goal")
	for _, fact := range e.facts(t.Goal, t.GoalNot, horizon) {
		w.assert(fact)
	}
	for _, c := range t.goals {
		w.assert(e.formula(c, horizon))
	}
	if least, ok := e.Least(); !ok || horizon < least {
		w.line("; every plan has more steps")
		w.assert("false")
	}
	if e.property != nil {
		e.property.end(w, horizon)
	}
	if t.metric {
		w.line("; the part of the metric that the steps change")
		w.line("(" + t.Problem.direction() + " " + at(metricSum, horizon) + ")")
	}
	w.line("(check-sat)")
	w.line("(get-model)")
	return w.String(), nil
}

// metricSum is the sum of the costs of the steps. No fact or number has this name.
const metricSum = "metric/sum"

func (w *writer) real(symbol string) { w.line("(declare-const " + symbol + " Real)") }

func choose(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}

// partial reports whether a number may have no value.
func (t *Task) partial(n int) bool {
	if !t.defined[n] {
		return true
	}
	for i := range t.Operators {
		for _, c := range t.Operators[i].changes {
			if c.number == n && c.change == "scale-down" {
				return true // by 0
			}
		}
	}
	return false
}

// number and has are the constants of a number and of its definedness after a step.
func (e *Encoding) number(n, step int) string {
	return at("number/"+strings.Join(strings.Fields(strings.Trim(e.task.functions[n], "()")), "."), step)
}

func (e *Encoding) has(n, step int) string {
	return at("has/"+strings.Join(strings.Fields(strings.Trim(e.task.functions[n], "()")), "."), step)
}

// decimal writes a number in units of 1/[Unit] as a real number of SMT-LIB.
func decimal(value int64) string {
	sign := value < 0
	text := Decimal(max(value, -value))
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return choose(sign, "(- "+text+")", text)
}

// term writes an expression in the state after a step. defined are the conditions of its
// value.
func (e *Encoding) term(x *term, step int) (text string, defined []string) {
	switch x.op {
	case 0:
		return decimal(x.value), nil
	case '!':
		return "0.0", []string{"false"}
	case 'f':
		if e.task.partial(x.number) {
			defined = []string{e.has(x.number, step)}
		}
		return e.number(x.number, step), defined
	}
	words := []string{"(" + string(x.op)}
	for i, part := range x.parts {
		word, conditions := e.term(part, step)
		if x.op == '/' && i > 0 {
			conditions = append(conditions, not("(= "+word+" 0.0)"))
		}
		words, defined = append(words, word), append(defined, conditions...)
	}
	return strings.Join(words, " ") + ")", defined
}

// formula writes a condition in the state after a step.
func (e *Encoding) formula(c *test, step int) string {
	return e.formulaWith(c, step, func(l *test) string {
		return choose(l.literal.Negated, not(at(e.names[l.fact], step)), at(e.names[l.fact], step))
	})
}

// formulaWith is formula with another form of its literals.
func (e *Encoding) formulaWith(c *test, step int, literal func(*test) string) string {
	switch c.op {
	case OpLiteral:
		return literal(c)
	case OpCompare:
		left, defined := e.term(c.left, step)
		right, more := e.term(c.right, step)
		text := "(" + c.compare + " " + left + " " + right + ")"
		if c.compare == "!=" {
			text = not("(= " + left + " " + right + ")")
		}
		return and(append(append(defined, more...), text))
	}
	var parts []string
	for _, part := range c.parts {
		parts = append(parts, e.formulaWith(part, step, literal))
	}
	if c.op == OpOr {
		return or(parts)
	}
	return and(parts)
}

// richStep writes a step of an extended task.
func (e *Encoding) richStep(w *writer, step int) {
	t := e.task
	w.line(fmt.Sprintf("; step %d", step))
	for _, name := range e.names {
		w.declare(at(name, step))
	}
	done := make([]string, len(e.actions))
	for i, name := range e.actions {
		done[i] = at(name, step)
		w.declare(done[i])
	}
	w.assert(or(done))
	e.ladder(w, done, step)
	adds, deletes := make([][]string, len(e.names)), make([][]string, len(e.names))
	changers, priced := make([][]string, len(t.functions)), []string(nil)
	for n := range t.functions {
		w.real(e.number(n, step))
		if t.partial(n) {
			w.declare(e.has(n, step))
		}
	}
	price := at("metric/step", step)
	if t.metric {
		w.real(price)
	}
	for i := range t.Operators {
		o := &t.Operators[i]
		parts := e.facts(o.Needs, o.Forbids, step-1)
		for _, c := range o.tests {
			parts = append(parts, e.formula(c, step-1))
		}
		for _, f := range o.Adds {
			adds[f] = append(adds[f], done[i])
		}
		for _, f := range o.Deletes {
			deletes[f] = append(deletes[f], done[i])
		}
		for _, c := range o.when {
			when := and([]string{done[i], e.formula(c.test, step-1)})
			if c.literal.Negated {
				deletes[c.fact] = append(deletes[c.fact], when)
			} else {
				adds[c.fact] = append(adds[c.fact], when)
			}
		}
		parts = append(parts, e.changes(o, done[i], step, changers)...)
		cost, defined := e.price(o, step)
		if parts = append(parts, defined...); cost != "" {
			priced = append(priced, done[i])
			parts = append(parts, "(= "+price+" "+cost+")")
		}
		if len(parts) > 0 {
			w.assert(implies(done[i], and(parts)))
		}
	}
	for f, name := range e.names {
		if t.stratum[f] > 0 {
			continue
		}
		kept := at(name, step-1)
		if len(deletes[f]) > 0 {
			kept = and([]string{kept, not(or(deletes[f]))})
		}
		w.assert("(= " + at(name, step) + " " + or(append(adds[f], kept)) + ")")
	}
	e.axioms(w, step)
	for n, list := range changers {
		kept := "(= " + e.number(n, step) + " " + e.number(n, step-1) + ")"
		if t.partial(n) {
			kept = and([]string{kept, "(= " + e.has(n, step) + " " + e.has(n, step-1) + ")"})
		}
		w.assert(or(append(list, kept)))
	}
	if t.metric {
		w.assert(or(append(priced, "(= "+price+" 0.0)")))
		parts := []string{at(metricSum, step-1), price}
		for _, c := range t.assigned {
			parts = append(parts, "(* "+decimal(t.toward(c.factor))+" (- "+e.number(c.number, step)+" "+e.number(c.number, step-1)+"))")
		}
		w.real(at(metricSum, step))
		w.assert("(= " + at(metricSum, step) + " " + joined("+", "", parts) + ")")
	}
	if e.property != nil {
		e.property.step(w, step)
	}
}

// changed is a number after some changes of an operator, and the condition that it has a
// value.
type changed struct{ value, has string }

// changes returns the assertions that an operator implies for the numbers that it changes,
// and adds the operator to the changers of these.
func (e *Encoding) changes(o *Operator, done string, step int, changers [][]string) (out []string) {
	after := map[int]changed{}
	for i := range o.changes {
		c := &o.changes[i]
		x, again := after[c.number]
		if !again {
			x = changed{e.number(c.number, step-1), choose(e.task.partial(c.number), e.has(c.number, step-1), "true")}
		}
		value, defined := e.term(c.value, step-1)
		next := changed{value, "true"}
		if c.change != "assign" {
			op := map[string]string{"increase": "+", "decrease": "-", "scale-up": "*", "scale-down": "/"}[c.change]
			defined, next.value = append(defined, x.has), "("+op+" "+x.value+" "+value+")"
			if c.change == "scale-down" {
				defined = append(defined, not("(= "+value+" 0.0)"))
			}
		}
		if when := "true"; c.test != nil {
			when = e.formula(c.test, step-1)
			next = changed{"(ite " + when + " " + next.value + " " + x.value + ")", or([]string{when, x.has})}
			out = append(out, implies(when, and(defined)))
		} else {
			out = append(out, defined...)
		}
		after[c.number] = next
	}
	for n := range changers {
		x, found := after[n]
		if !found {
			continue
		}
		changers[n] = append(changers[n], done)
		out = append(out, "(= "+e.number(n, step)+" "+x.value+")")
		if e.task.partial(n) {
			out = append(out, "(= "+e.has(n, step)+" "+x.has+")")
		}
	}
	return out
}

// price returns the costs of an operator, "" for none, and the conditions of their values.
func (e *Encoding) price(o *Operator, step int) (price string, defined []string) {
	var parts []string
	for i := range o.costs {
		c := &o.costs[i]
		value, conditions := e.term(c.value, step-1)
		value = "(* " + decimal(e.task.toward(int64(c.number))) + " " + value + ")"
		if c.test != nil {
			when := e.formula(c.test, step-1)
			conditions = []string{implies(when, and(conditions))}
			value = "(ite " + when + " " + value + " 0.0)"
		}
		defined = append(defined, conditions...)
		if c.number != 0 {
			parts = append(parts, value)
		}
	}
	if !e.task.metric || len(parts) == 0 {
		return "", defined
	}
	return joined("+", "", parts), defined
}

// toward returns the factor of a cost in the metric as written: costs are minimized.
func (t *Task) toward(factor int64) int64 {
	if t.Problem.Largest {
		return -factor
	}
	return factor
}
