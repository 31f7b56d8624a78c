package strips

import (
	"fmt"
	"slices"
	"strings"
)

// Costs reports whether the plans of a problem have a cost: its metric, or total-cost
// without a metric.
func (p *Problem) Costs(d *Domain) bool {
	return p.Metric != nil || d.function(totalCost) != nil
}

// factors returns the factors of the functions in the metric, or of total-cost without a
// metric.
func (p *Problem) factors() map[string]int64 {
	out := map[string]int64{}
	if p.Metric == nil || !p.Metric.linear(Unit, out) {
		out["("+totalCost+")"] = Unit
	}
	return out
}

// begins reports whether a function has the value 0 if the problem gives it no initial
// value: total-cost and the functions of the metric do.
func (p *Problem) begins(function string) bool {
	_, cost := p.factors()[function]
	return cost || function == "("+totalCost+")"
}

// base returns the value of the metric in the initial state.
func (v *validation) base() int64 {
	metric := v.problem.Metric
	if metric == nil {
		return v.numbers["("+totalCost+")"]
	}
	value, _ := metric.evaluate(func(f *Atom) (int64, fault) { return v.numbers[f.String()], valid })
	return value
}

func valued(name string, value int64) string { return "(= " + name + " " + Decimal(value) + ")" }

// facts returns the true atoms and the values of functions, except for the total cost.
func (v *validation) facts() []string {
	out := sortedKeys(v.holds)
	for _, name := range sortedKeys(v.numbers) {
		if name != "("+totalCost+")" {
			out = append(out, valued(name, v.numbers[name]))
		}
	}
	slices.Sort(out)
	return out
}

// each calls visit for each assignment of objects to variables, until it returns false.
func (v *validation) each(variables []Typed, values map[string]string, visit func(map[string]string) bool) bool {
	if len(variables) == 0 {
		return visit(values)
	}
	for _, o := range v.domain.objects(v.problem) {
		if !v.domain.isA(o.Type, variables[0].Type) {
			continue
		}
		inner := map[string]string{}
		for name, value := range values {
			inner[name] = value
		}
		inner["?"+variables[0].Name] = o.Name
		if !v.each(variables[1:], inner, visit) {
			return false
		}
	}
	return true
}

// truth reports whether a condition holds.
func (v *validation) truth(c *Condition, values map[string]string) bool {
	switch c.Op {
	case OpLiteral:
		return v.check(0, replace(c.Literal, values), "") == nil
	case OpCompare:
		left, failed := v.number(c.Left, values)
		right, also := v.number(c.Right, values)
		return failed == valid && also == valid && compare(c.Compare, left, right)
	case OpForall:
		return v.each(c.Variables, values, func(inner map[string]string) bool { return v.truth(c.Parts[0], inner) })
	case OpExists:
		return !v.each(c.Variables, values, func(inner map[string]string) bool { return !v.truth(c.Parts[0], inner) })
	}
	for _, part := range c.Parts {
		if v.truth(part, values) == (c.Op == OpOr) {
			return c.Op == OpOr
		}
	}
	return c.Op == OpAnd
}

func (v *validation) number(n *Number, values map[string]string) (int64, fault) {
	return n.evaluate(func(f *Atom) (int64, fault) {
		if value, ok := v.numbers[ground(f, values)]; ok {
			return value, valid
		}
		return 0, undefined
	})
}

func ground(a *Atom, values map[string]string) string {
	return replace(Literal{Atom: *a}, values).Atom.String()
}

// effects adds the literals of the conditional effects of a step, and returns the new
// values of functions.
func (v *validation) effects(number int, s Step, literals *[]Literal) (map[string]int64, *Fault) {
	a := v.domain.Action(s.Action)
	values := map[string]string{}
	for i, o := range s.Arguments {
		values["?"+a.Parameters[i].Name] = o
	}
	after := map[string]int64{}
	var found *Fault
	for turn := range 3 {
		for i := range a.Effects {
			e := &a.Effects[i]
			if e.Change == "" && turn > 0 || e.Change != "" && phase(e.Change) != turn {
				continue
			}
			v.guarded(e.When, e.Variables, values, func(inner map[string]string) bool {
				if e.Change == "" {
					*literals = append(*literals, replace(e.Literal, inner))
					return true
				}
				if failed := v.change(e, inner, after); failed != valid && found == nil {
					found = &Fault{Code: FaultNumber, Step: number, Message: fmt.Sprintf("%s of %s is %s", e.Change, ground(e.Function, inner), failed)}
				}
				return found == nil
			})
		}
	}
	return after, found
}

// guarded calls visit for the values of the variables for which all guards of an effect hold,
// until it returns false.
func (v *validation) guarded(guards []Guard, variables []Typed, values map[string]string, visit func(map[string]string) bool) bool {
	if len(guards) == 0 {
		return v.each(variables, values, visit)
	}
	return v.each(guards[0].Variables, values, func(inner map[string]string) bool {
		return !v.truth(guards[0].Condition, inner) || v.guarded(guards[1:], variables, inner, visit)
	})
}

// change computes a value after a step. The expression of the effect is evaluated before
// the step.
func (v *validation) change(e *Effect, values map[string]string, after map[string]int64) fault {
	value, failed := v.number(e.Value, values)
	if failed != valid {
		return failed
	}
	name := ground(e.Function, values)
	before, defined := after[name]
	if !defined {
		before, defined = v.numbers[name]
	}
	if !defined && v.problem.begins(name) {
		before, defined = 0, true
	}
	if after[name], failed = applied(e.Change, before, defined, value); failed != valid {
		delete(after, name)
	}
	return failed
}

// with formats a condition with objects for the parameters of its action.
func (c *Condition) with(values map[string]string) string {
	var pairs []string
	for _, name := range sortedKeys(values) {
		for _, end := range []string{" ", ")"} {
			pairs = append(pairs, name+end, values[name]+end)
		}
	}
	return strings.NewReplacer(pairs...).Replace(c.String())
}
