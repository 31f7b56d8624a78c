package strips

import (
	"fmt"
	"slices"

	"github.com/stile-playground/stile/core/source"
)

// MaxConditions is the maximum number of parts of all ground conditions and conditional
// effects of a task. Quantifiers are written out for the objects, so nested ones grow fast.
const MaxConditions = 300_000

// test is a ground condition.
type test struct {
	op          Op // and, or, literal or compare
	parts       []*test
	literal     Literal
	fact        int // of the literal, in a task
	compare     string
	left, right *term
}

var (
	always = &test{op: OpAnd}
	never  = &test{op: OpOr}
)

// term is a ground numeric expression.
type term struct {
	op       byte // +, -, *, /; 0 for a constant, 'f' for a function, '!' for a fault
	value    int64
	failed   fault
	function string
	number   int // of the function, in a task
	parts    []*term
}

// change is a ground effect on a number.
type change struct {
	test     *test // nil: always
	change   string
	function string
	number   int
	value    *term
}

// conditional is a ground effect on a fact with a condition.
type conditional struct {
	test    *test
	literal Literal
	fact    int
	reached bool
}

// numbers collects the properties of the domain's functions.
func (g *grounder) numbers(p *Problem) {
	g.values, g.dynamic, g.metric = map[string]int64{}, map[string]bool{}, p.factors()
	for _, v := range p.Values {
		g.values[v.Function.String()] = v.Value
	}
	if p.Largest {
		for f := range g.metric {
			g.metric[f] = -g.metric[f]
		}
	}
	// A function that nothing reads does not belong to the state.
	g.costs, g.assigned = map[string]bool{totalCost: true}, map[string]bool{}
	charged := map[string]bool{totalCost: true}
	for f := range g.metric {
		charged[predicateOf(f)] = true
	}
	for i := range g.domain.Actions {
		for _, e := range g.domain.Actions[i].Effects {
			if e.Function != nil {
				name := e.Function.Predicate
				g.dynamic[name], g.costs[name] = true, true
				g.assigned[name] = g.assigned[name] || e.Change != "increase" && e.Change != "decrease"
			}
		}
	}
	read := func(f *Atom) { delete(g.costs, f.Predicate) }
	for _, c := range p.Goals {
		c.Each(func(Literal) {}, read)
	}
	for i := range g.domain.Axioms {
		g.domain.Axioms[i].Condition.Each(func(Literal) {}, read)
	}
	for i := range g.domain.Actions {
		a := &g.domain.Actions[i]
		a.EachCondition(func(Literal) {}, read)
		for _, e := range a.Effects {
			// A scaled value may not exist, and the value of a cost matters.
			if e.Function != nil && (e.Change == "scale-up" || e.Change == "scale-down" || e.Change == "assign" && charged[e.Function.Predicate]) {
				delete(g.costs, e.Function.Predicate)
			}
		}
	}
}

// more grounds those conditions and effects of an action that are not literals. It
// returns false if a condition is false in all states.
func (g *grounder) more(a *Action, values map[string]string, c *candidate) (possible bool, err error) {
	for _, condition := range a.Conditions {
		t, err := g.test(condition, values)
		if err != nil || t == never {
			return false, err
		}
		if t != always {
			c.tests = append(c.tests, t)
		}
	}
	for i := range a.Effects {
		if err := g.guarded(&a.Effects[i], a.Effects[i].When, nil, values, c); err != nil {
			return false, err
		}
	}
	return true, nil
}

// guarded grounds an effect inside guards, whose outer guards have the tests in outer.
func (g *grounder) guarded(e *Effect, guards []Guard, outer []*test, values map[string]string, c *candidate) error {
	if len(guards) == 0 {
		when := &test{op: OpAnd}
		for _, t := range outer {
			when = when.with(t)
		}
		when = when.simple()
		return g.bindings(e.Variables, values, func() error { return g.effect(e, when, values, c) })
	}
	return g.bindings(guards[0].Variables, values, func() error {
		t, err := g.test(guards[0].Condition, values)
		if err != nil || t == never {
			return err
		}
		return g.guarded(e, guards[1:], append(outer[:len(outer):len(outer)], t), values, c)
	})
}

// bindings calls visit for each assignment of objects to variables.
func (g *grounder) bindings(variables []Typed, values map[string]string, visit func() error) error {
	if len(variables) == 0 {
		return visit()
	}
	name := "?" + variables[0].Name
	outer, hidden := values[name]
	defer func() {
		delete(values, name)
		if hidden {
			values[name] = outer
		}
	}()
	for _, o := range g.ofType(variables[0].Type) {
		if err := g.count(); err != nil {
			return err
		}
		values[name] = o
		if err := g.bindings(variables[1:], values, visit); err != nil {
			return err
		}
	}
	return nil
}

// ofType returns the objects of a type or a union.
func (g *grounder) ofType(name string) []string {
	list, known := g.byType[name]
	if !known {
		for _, o := range g.objects {
			if g.domain.isA(o.Type, name) {
				list = append(list, o.Name)
			}
		}
		g.byType[name] = list
	}
	return list
}

// count counts a part of a condition.
func (g *grounder) count() error {
	if g.parts++; g.parts > MaxConditions {
		return source.NewError("limit.conditions", fmt.Sprintf("too many parts of ground conditions, the maximum is %d; reduce the objects or the nested quantifiers", MaxConditions))
	}
	return g.m.Step(1)
}

func (g *grounder) effect(e *Effect, when *test, values map[string]string, c *candidate) error {
	if err := g.count(); err != nil {
		return err
	}
	if e.Change == "" {
		c.when = append(c.when, conditional{test: when, literal: replace(e.Literal, values)})
		return nil
	}
	out := change{test: when, change: e.Change, function: ground(e.Function, values), value: g.term(e.Value, values)}
	if when == always {
		out.test = nil
	}
	c.changes = append(c.changes, out)
	return nil
}

// test grounds a condition. The result is always or never if static facts decide the
// condition.
func (g *grounder) test(c *Condition, values map[string]string) (*test, error) {
	if err := g.count(); err != nil {
		return nil, err
	}
	switch c.Op {
	case OpLiteral:
		if g.fluent[c.Literal.Predicate] {
			return &test{op: OpLiteral, literal: replace(c.Literal, values)}, nil
		}
		return constant(!g.forbids(c.Literal, values)), nil
	case OpCompare:
		t := &test{op: OpCompare, compare: c.Compare, left: g.term(c.Left, values), right: g.term(c.Right, values)}
		if t.left.op == 0 && t.right.op == 0 {
			return constant(compare(t.compare, t.left.value, t.right.value)), nil
		}
		if t.left.op == '!' || t.right.op == '!' {
			return never, nil
		}
		return t, nil
	}
	out := &test{op: OpAnd}
	if c.Op == OpOr || c.Op == OpExists {
		out.op = OpOr
	}
	add := func() error {
		for _, part := range c.Parts {
			if out == always || out == never {
				return nil
			}
			t, err := g.test(part, values)
			if err != nil {
				return err
			}
			out = out.with(t)
		}
		return nil
	}
	err := error(nil)
	if len(c.Variables) > 0 {
		err = g.bindings(c.Variables, values, add)
	} else {
		err = add()
	}
	return out.simple(), err
}

func constant(holds bool) *test {
	if holds {
		return always
	}
	return never
}

// with adds a part to a conjunction or disjunction.
func (t *test) with(part *test) *test {
	switch {
	case part == constant(t.op == OpOr): // it decides
		return part
	case part != constant(t.op == OpAnd):
		if part.op == t.op {
			t.parts = append(t.parts, part.parts...)
		} else {
			t.parts = append(t.parts, part)
		}
	}
	return t
}

// simple replaces a conjunction or disjunction of one part or none.
func (t *test) simple() *test {
	switch {
	case t.op != OpAnd && t.op != OpOr:
	case len(t.parts) == 0:
		return constant(t.op == OpAnd)
	case len(t.parts) == 1:
		return t.parts[0]
	}
	return t
}

// term grounds a numeric expression.
func (g *grounder) term(n *Number, values map[string]string) *term {
	switch {
	case n.Function != nil:
		name := ground(n.Function, values)
		if g.dynamic[n.Function.Predicate] {
			return &term{op: 'f', function: name}
		}
		if value, ok := g.values[name]; ok {
			return &term{value: value}
		}
		return &term{op: '!', failed: undefined}
	case n.Op == "":
		return &term{value: n.Value}
	}
	out := &term{op: n.Op[0]}
	constant := true
	for _, part := range n.Parts {
		t := g.term(part, values)
		if t.op == '!' {
			return t
		}
		constant = constant && t.op == 0
		out.parts = append(out.parts, t)
	}
	if !constant {
		return out
	}
	value, failed := out.evaluate(nil)
	if failed != valid {
		if failed != undefined {
			g.imprecise = failed
		}
		return &term{op: '!', failed: failed}
	}
	return &term{value: value}
}

// evaluate returns the value of an expression in a state.
func (t *term) evaluate(number func(int) (int64, bool)) (int64, fault) {
	switch t.op {
	case 0:
		return t.value, valid
	case '!':
		return 0, t.failed
	case 'f':
		if value, defined := number(t.number); defined {
			return value, valid
		}
		return 0, undefined
	}
	out, failed := t.parts[0].evaluate(number)
	if len(t.parts) == 1 {
		return -out, failed
	}
	for _, part := range t.parts[1:] {
		if failed != valid {
			return 0, failed
		}
		var value int64
		if value, failed = part.evaluate(number); failed == valid {
			out, failed = arith(t.op, out, value)
		}
	}
	return out, failed
}

// functions calls visit for the functions of an expression.
func (t *term) functions(visit func(*term)) {
	if t.op == 'f' {
		visit(t)
	}
	for _, part := range t.parts {
		part.functions(visit)
	}
}

// possible reports whether a test may be true in the relaxation; holds reports this for
// literals.
func (t *test) possible(holds func(Literal) bool) bool {
	switch t.op {
	case OpLiteral:
		return holds(t.literal)
	case OpCompare:
		return true
	case OpOr:
		return slices.ContainsFunc(t.parts, func(part *test) bool { return part.possible(holds) })
	}
	return !slices.ContainsFunc(t.parts, func(part *test) bool { return !part.possible(holds) })
}

// extend marks the conditional effects whose condition the relaxation reaches, and
// reports whether it marked a new effect.
func (c *candidate) extend(holds func(Literal) bool, reached map[string]bool) (changed bool) {
	for i := range c.when {
		if e := &c.when[i]; !e.reached && e.test.possible(holds) {
			e.reached, changed = true, true
			reached[e.literal.String()] = true
		}
	}
	return changed
}
