package strips

import "slices"

// rich is the part of a task beyond literals.
type rich struct {
	functions []string // with numbers that change, in the order of their first use
	start     []int64  // by number: the initial value
	defined   []bool   // by number: whether it has an initial value
	goals     []*test
	extended  bool     // a solver's text would not contain all of the task
	metric    bool     // the costs are minimized, or maximized
	signed    bool     // actions may reduce the costs
	assigned  []charge // costs that are numbers of the state
	rules     []rule   // by stratum
	stratum   []int    // by fact: of its axioms; 0 for a fact that is not derived
	recursive []bool   // by fact
	imprecise fault    // of a constant expression
}

// charge is a number that is a part of the costs: its change is multiplied by the factor.
type charge struct {
	number int
	factor int64
}

// resolver completes ground conditions for the facts and numbers of a task.
type resolver struct {
	t       *Task
	g       *grounder
	facts   map[string]int
	numbers map[string]int
}

func (r *resolver) number(name string) int {
	n, known := r.numbers[name]
	if !known {
		n = len(r.numbers)
		r.numbers[name] = n
		value, defined := r.g.values[name]
		defined = defined || r.t.Problem.begins(name)
		r.t.functions, r.t.start, r.t.defined = append(r.t.functions, name), append(r.t.start, value), append(r.t.defined, defined)
	}
	return n
}

func (r *resolver) term(t *term) { t.functions(func(f *term) { f.number = r.number(f.function) }) }

// test replaces literals that are not facts by their constant value.
func (r *resolver) test(t *test) *test {
	switch t.op {
	case OpLiteral:
		fact, changes := r.facts[t.literal.Atom.String()]
		if !changes {
			return constant(r.t.always[t.literal.Atom.String()] != t.literal.Negated)
		}
		return &test{op: OpLiteral, literal: t.literal, fact: fact}
	case OpCompare:
		r.term(t.left)
		r.term(t.right)
		return t
	}
	out := &test{op: t.op}
	for _, part := range t.parts {
		if out = out.with(r.test(part)); out == always || out == never {
			return out
		}
	}
	return out.simple()
}

// tests resolves tests, and returns the tests that are not always true; ok is false if
// any test is never true.
func (r *resolver) tests(list []*test) (out []*test, ok bool) {
	for _, t := range list {
		switch t = r.test(t); {
		case t == never:
			return nil, false
		case t.op == OpAnd:
			out = append(out, t.parts...)
		default:
			out = append(out, t)
		}
	}
	return out, true
}

// operator adds to an operator the conditions and effects that are not literals. It returns
// false for an operator that is never executable.
func (r *resolver) operator(o *Operator, c *candidate) bool {
	tests, ok := r.tests(c.tests)
	if !ok {
		return false
	}
	for _, t := range tests {
		switch {
		case t.op != OpLiteral:
			o.tests = append(o.tests, t)
		case t.literal.Negated:
			o.Forbids = append(o.Forbids, t.fact)
		default:
			o.Needs = append(o.Needs, t.fact)
		}
	}
	for _, e := range c.when {
		fact, changes := r.facts[e.literal.Atom.String()]
		if !e.reached || !changes {
			continue
		}
		e.fact = fact
		switch e.test = r.test(e.test); {
		case e.test == never:
		case e.test != always:
			o.when = append(o.when, e)
		case e.literal.Negated:
			o.Deletes = append(o.Deletes, fact)
		default:
			o.Adds = append(o.Adds, fact)
		}
	}
	o.Needs, o.Forbids, o.Adds, o.Deletes = ascending(o.Needs), ascending(o.Forbids), ascending(o.Adds), ascending(o.Deletes)
	if len(c.when) > 0 {
		o.Deletes = slices.DeleteFunc(o.Deletes, func(f int) bool { return has(o.Adds, f) })
	}
	for turn := range 3 {
		for _, n := range c.changes {
			if phase(n.change) == turn && !r.change(o, n) {
				return false
			}
		}
	}
	r.t.extended = r.t.extended || len(o.tests)+len(o.when)+len(o.changes)+len(o.costs) > 0
	return true
}

// change adds an effect on a number to an operator. It returns false if the effect never has
// a value.
func (r *resolver) change(o *Operator, n change) bool {
	if n.test != nil {
		switch n.test = r.test(n.test); n.test {
		case never:
			return true
		case always:
			n.test = nil
		}
	}
	if n.value.op == '!' && n.test == nil {
		return false
	}
	r.term(n.value)
	factor := int64(0)
	if r.t.Problem.Metric != nil {
		factor = r.g.metric[n.function]
	}
	_, defined := r.g.values[n.function]
	hidden := r.g.costs[predicateOf(n.function)] && (defined || r.t.Problem.begins(n.function))
	number := -1
	if !hidden {
		number = r.number(n.function)
	}
	if factor != 0 && r.g.assigned[predicateOf(n.function)] {
		if !slices.ContainsFunc(r.t.assigned, func(c charge) bool { return c.number == number }) {
			r.t.assigned, r.t.signed = append(r.t.assigned, charge{number, factor}), true
		}
	} else if factor != 0 || hidden && n.value.op != 0 { // without a factor, the value must exist
		cost := n
		if n.change == "decrease" {
			factor = -factor
		}
		cost.number = int(factor)
		o.costs = append(o.costs, cost)
		r.t.signed = r.t.signed || n.value.op != 0 && factor < 0 || n.value.op == 0 && (factor < 0) != (n.value.value < 0) && factor != 0 && n.value.value != 0
	}
	if !hidden {
		n.number = number
		o.changes = append(o.changes, n)
	}
	return true
}

// predicateOf returns the name of a ground function: fuel of (fuel a).
func predicateOf(function string) string {
	for i := 1; i < len(function); i++ {
		if function[i] == ' ' || function[i] == ')' {
			return function[1:i]
		}
	}
	return function
}

func (r *resolver) goal(tests []*test) {
	t := r.t
	t.metric = t.Problem.Metric != nil
	t.extended = t.extended || t.metric || len(t.Problem.Goals)+len(t.Domain.Axioms) > 0
	for _, a := range t.Domain.Actions {
		// Also if constants decide the conditions, so that the words of a problem decide how it is
		// searched.
		t.extended = t.extended || len(a.Conditions)+len(a.Effects) > 0
	}
	resolved, ok := r.tests(tests)
	if !ok && t.Hopeless == "" {
		t.Hopeless = "the goal"
		for i, c := range t.Problem.Goals {
			if i < len(tests) && r.test(tests[i]) == never {
				t.Hopeless = c.String()
			}
		}
	}
	for _, goal := range resolved {
		switch {
		case goal.op != OpLiteral:
			t.goals, t.extended = append(t.goals, goal), true
		case goal.literal.Negated:
			t.GoalNot = ascending(append(t.GoalNot, goal.fact))
		default:
			t.Goal = ascending(append(t.Goal, goal.fact))
		}
	}
}
