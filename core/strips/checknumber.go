package strips

import (
	"fmt"
	"slices"

	"github.com/stile-playground/stile/core/source"
)

func merged(one, other map[string]bool) map[string]bool {
	out := map[string]bool{}
	for _, m := range []map[string]bool{one, other} {
		for name, holds := range m {
			out[name] = holds
		}
	}
	return out
}

// condition checks a condition in a scope.
func (c *checker) condition(condition *Condition, scope []Typed) {
	switch condition.Op {
	case OpLiteral:
		c.literal(condition.Literal, scope)
	case OpCompare:
		c.number(condition.Left, scope)
		c.number(condition.Right, scope)
	case OpForall, OpExists:
		scope = c.scope(scope, condition.Variables)
	}
	for _, part := range condition.Parts {
		c.condition(part, scope)
	}
}

// scope adds the variables of a quantifier to a scope.
func (c *checker) scope(scope, variables []Typed) []Typed {
	c.types(variables)
	for _, v := range variables {
		for _, outer := range slices.Backward(scope) {
			if outer.Name == v.Name {
				c.found = append(c.found, source.Diagnostic{
					Code: "strips.shadow", Severity: source.SeverityWarning, Span: v.Span, Message: fmt.Sprintf("?%s hides the outer ?%s; rename one", v.Name, v.Name),
					Notes: []source.Note{{Span: outer.Span, Message: "outer definition"}},
				})
				break
			}
		}
		scope = append(scope[:len(scope):len(scope)], v)
	}
	return scope
}

// number checks a numeric expression in a scope.
func (c *checker) number(n *Number, scope []Typed) {
	if n.Function != nil {
		c.function(*n.Function, scope)
	}
	for _, part := range n.Parts {
		c.number(part, scope)
	}
}

func (c *checker) function(f Atom, scope []Typed) {
	if declared := c.domain.function(f.Predicate); declared != nil {
		c.terms(f, declared.Parameters, scope)
		return
	}
	c.undeclared("function", f, c.domain.Functions, c.domain.predicate(f.Predicate) != nil)
}

// changed checks an effect on a fact.
func (c *checker) changed(l Literal, scope []Typed) {
	if l.Predicate == Equal {
		c.report(l.Span, "strips.effect", "an effect cannot change equality")
		return
	}
	if c.basic(l.Atom, "strips.effect", "an effect cannot change") {
		c.literal(l, scope)
	}
}

func (c *checker) effect(e *Effect, scope []Typed) {
	for _, g := range e.When {
		scope = c.scope(scope, g.Variables)
		c.condition(g.Condition, scope)
	}
	scope = c.scope(scope, e.Variables)
	if e.Change == "" {
		c.changed(e.Literal, scope)
		return
	}
	c.function(*e.Function, scope)
	c.number(e.Value, scope)
	if e.Function.Predicate == totalCost {
		c.costs(e)
	}
}

// assignedOnce reports a second assignment of a number that an action always assigns: both happen at once,
// so the number would have two values.
func (c *checker) assignedOnce(e *Effect, assigned map[string]source.Span) {
	if e.Change != "assign" || len(e.When) > 0 || len(e.Variables) > 0 {
		return
	}
	name := e.Function.String()
	if before, twice := assigned[name]; twice {
		c.report(e.Span, "strips.twice", "duplicate assignment of "+name+": both happen at once", source.Note{Span: before, Message: "first assignment"})
		return
	}
	assigned[name] = e.Span
}

// costs checks an effect on a function that the metric contains.
func (c *checker) costs(e *Effect) {
	switch {
	case e.Change != "increase":
		c.report(e.Span, "strips.metric", fmt.Sprintf("unexpected %s of (%s); a cost only increases", e.Change, e.Function.Predicate))
	case e.Value.Op == "" && e.Value.Value < 0, e.Value.Op == "-" && len(e.Value.Parts) == 1 && e.Value.Parts[0].Value > 0:
		c.report(e.Value.Span, "strips.metric", "negative cost; the minimum is 0")
	}
}

// values checks the initial values of functions.
func (c *checker) values(p *Problem) {
	first := map[string]source.Span{}
	charged := c.charged()
	for _, v := range p.Values {
		c.function(v.Function, nil)
		name := v.Function.String()
		if before, twice := first[name]; twice {
			c.report(v.Span, "strips.twice", "duplicate value of "+name, source.Note{Span: before, Message: "first value"})
		}
		first[name] = v.Span
		if charged[v.Function.Predicate] && v.Value < 0 {
			c.report(v.Span, "strips.metric", "negative cost "+name+"; the minimum is 0")
		}
	}
}

// Unset warns of functions that a correct domain, the goal or the metric reads, but that have no value
// in the initial state and none by an assignment: no such condition holds, and no action has such an
// effect. It leaves out actions that no state permits, because they have no objects or need a
// fact that never holds.
func Unset(d *Domain, p *Problem) (found []source.Diagnostic) {
	known := map[string]bool{totalCost: true, totalTime: true}
	for _, v := range p.Values {
		known[v.Function.Predicate] = true
	}
	var read []*Atom
	reads := func(f *Atom) { read = append(read, f) }
	objects, possible := d.objects(p), d.possible(p)
	for i := range d.Actions {
		a := &d.Actions[i]
		never := slices.ContainsFunc(a.Precondition, func(l Literal) bool { return !l.Negated && !possible[l.Predicate] })
		if never || !d.inhabited(a.Parameters, objects) {
			continue // it is never applied
		}
		a.EachCondition(func(Literal) {}, reads)
		for _, e := range a.Effects {
			if e.Change == "assign" {
				known[e.Function.Predicate] = true
			} else if e.Change != "" {
				reads(e.Function)
			}
		}
	}
	for i := range d.Axioms {
		d.Axioms[i].Condition.Each(func(Literal) {}, reads)
	}
	for _, c := range p.Goals {
		c.Each(func(Literal) {}, reads)
	}
	if p.Metric != nil {
		p.Metric.each(reads)
	}
	at := p.Span
	if p.HasInit() {
		at = p.initAt
	}
	for _, f := range read {
		if known[f.Predicate] {
			continue
		}
		known[f.Predicate] = true
		if d.inhabited(d.function(f.Predicate).Parameters, objects) {
			found = append(found, source.Diagnostic{Code: "strips.unset", Severity: source.SeverityWarning, Span: at, Message: fmt.Sprintf("missing value of %q in :init", f.Predicate)})
		}
	}
	return found
}

// inhabited reports whether there is an object for each parameter.
func (d *Domain) inhabited(parameters, objects []Typed) bool {
	return !slices.ContainsFunc(parameters, func(v Typed) bool {
		return !slices.ContainsFunc(objects, func(o Typed) bool { return d.isA(o.Type, v.Type) })
	})
}

// possible returns the predicates of which a fact can hold: in the initial state, by an effect or by
// an axiom.
func (d *Domain) possible(p *Problem) map[string]bool {
	out := map[string]bool{Equal: true}
	for _, a := range p.Init {
		out[a.Predicate] = true
	}
	for _, a := range d.Axioms {
		out[a.Head.Predicate] = true
	}
	for i := range d.Actions {
		d.Actions[i].EachEffect(func(l Literal) { out[l.Predicate] = out[l.Predicate] || !l.Negated })
	}
	return out
}

// charged returns the functions whose values are added to total-cost.
func (c *checker) charged() map[string]bool {
	out := map[string]bool{}
	for _, a := range c.domain.Actions {
		for _, e := range a.Effects {
			if e.Change == "increase" && e.Function.Predicate == totalCost && e.Value.Function != nil {
				out[e.Value.Function.Predicate] = true
			}
		}
	}
	return out
}

// metric checks the metric of a problem: a sum of functions with constant factors.
func (c *checker) metric(p *Problem) {
	if p.Metric == nil {
		c.unmeasured(p)
		return
	}
	c.domain.countSteps(p.Metric)
	before := len(c.found)
	c.number(p.Metric, nil)
	if len(c.found) == before && !p.Metric.linear(Unit, map[string]int64{}) {
		c.report(p.Metric.Span, "strips.metric", "unsupported metric; write a sum of functions, each with a constant factor")
	}
}

// totalTime is the function of PDDL that no domain declares: in plans without time, it is the
// number of steps.
const totalTime = "total-time"

// countSteps declares total-time, which every action increases by 1, if a metric contains it.
func (d *Domain) countSteps(metric *Number) {
	reads := false
	metric.each(func(f *Atom) { reads = reads || f.Predicate == totalTime })
	if !reads || d.function(totalTime) != nil {
		return
	}
	d.Functions = append(d.Functions, Predicate{Name: totalTime})
	for i := range d.Actions {
		a := &d.Actions[i]
		a.Effects = append(a.Effects, Effect{Change: "increase", Function: &Atom{Predicate: totalTime}, Value: &Number{Value: Unit}})
	}
}

// unmeasured warns about costs without a metric.
func (c *checker) unmeasured(p *Problem) {
	for _, a := range c.domain.Actions {
		for _, e := range a.Effects {
			if e.Change == "increase" && e.Function.Predicate == totalCost {
				c.found = append(c.found, source.Diagnostic{
					Code: "strips.costs", Severity: source.SeverityWarning, Span: p.Span, Message: "missing metric: the plan is shortest, not cheapest",
					Fixes: []source.Fix{{Title: "Minimize the costs", Edits: []source.Edit{{Span: source.Span{Start: p.close, End: p.close}, Text: "\n  (:metric minimize (total-cost))"}}}},
				})
				return
			}
		}
	}
}

// linear adds the factors of the functions in a sum, by the function's text, and reports
// whether the expression is a sum with constant factors.
func (n *Number) linear(factor int64, factors map[string]int64) bool {
	if n.Function != nil {
		factors[n.Function.String()] += factor
		return true
	}
	var rest []*Number
	for i, part := range n.Parts {
		value, failed := part.evaluate(func(*Atom) (int64, fault) { return 0, undefined })
		if failed != valid || n.Op == "/" && i == 0 {
			rest = append(rest, part)
		} else if n.Op == "*" || n.Op == "/" {
			if factor, failed = arith(n.Op[0], factor, value); failed != valid {
				return false
			}
		}
	}
	if (n.Op == "*" || n.Op == "/") && len(rest) > 1 {
		return false
	}
	for _, part := range rest {
		sign := int64(1)
		if n.Op == "-" && (part != n.Parts[0] || len(n.Parts) == 1) {
			sign = -1
		}
		if !part.linear(sign*factor, factors) {
			return false
		}
	}
	return true
}
