package rules

import "sync"

// nodeOp is the operator of a compiled formula.
type nodeOp uint8

const (
	nodeAtom nodeOp = iota
	nodeCompare
	nodeNot
	nodeAnd
	nodeOr
	nodeExists // for some values of its locals
	nodeTable  // once, previous
	nodeSince
	nodeHistorically
)

// node is a compiled formula. Nodes of the negation of a formula share the tables of the formula.
type node struct {
	op       nodeOp
	kids     []*node
	free     set // the variables that it depends on
	binds    set // the variables that it generates values for
	locals   set
	atom     *Atom
	relation string
	terms    [2]*term
	table    *table
	kills    *table  // of since: the events at which the left side did not hold
	orders   *orders // of and
}

// plan is an order of the parts of a conjunction.
type plan []int

// orders are the plans of a conjunction, by the known variables. The monitors of a file share them.
type orders struct {
	mu sync.Mutex
	of map[set]plan
}

// update describes how each event changes the state of a temporal operator or an aggregate.
type update struct {
	op        updateOp
	node      *node // the operand; of historically, its negation
	not       *node // of since: the negation of its left side
	table     *table
	kills     *table  // nil if the left side of since depends on columns of its right side only
	window    *Window // of previous
	aggregate *aggregate
}

type updateOp uint8

const (
	updateOnce updateOp = iota // also historically
	updatePrevious
	updateSince
	updateAggregate
)

// compiled are the rules of a file as nodes. They are immutable, so the monitors of a file share them; their state is in
// each monitor.
type compiled struct {
	rules   []*code // nil for a rule that cannot be judged
	tables  int
	tallies int

	reaches  reaches
	machines sync.Pool
}

// code is a compiled rule.
type code struct {
	rule    *Rule
	left    *node // nil without an outermost "->"
	right   *node
	not     *node // the negation of the right side
	columns []int // of the for-all variables
	ends    bool  // the formula has an atom that matches the end of the run
	timed   bool  // the rule depends on the times of events
	updates []*update
}

func compileAll(list []*Rule) *compiled {
	out := &compiled{reaches: reaches{heads: headsOf(list)}}
	for _, r := range list {
		if r.Fault || r.Formula == nil {
			out.rules = append(out.rules, nil)
			continue
		}
		out.rules = append(out.rules, out.compile(r))
	}
	return out
}

func (o *compiled) compile(r *Rule) *code {
	c := &compiler{rule: r, compiled: o}
	out := &code{rule: r, ends: endsRun(r.Formula), timed: timed(r.Formula)}
	if r.Formula.Op == OpImplies {
		out.left, out.right = c.scoped(r.Formula.Kids[0]), c.scoped(r.Formula.Kids[1])
	} else {
		out.right = c.scoped(r.Formula)
	}
	for _, v := range r.ForAll {
		out.columns = append(out.columns, v.index)
	}
	out.not = negate(out.right)
	out.updates = c.updates
	return out
}

// compiler makes the nodes of a rule.
type compiler struct {
	rule    *Rule
	updates []*update
	*compiled
}

// table returns the description of a table with the next free slot.
func (o *compiled) table(columns set, window *Window, latest bool) *table {
	t := &table{all: columns, window: window, latest: latest, slot: o.tables}
	columns.each(func(i int) { t.columns = append(t.columns, i) })
	o.tables++
	return t
}

// scoped compiles an operand, quantified over the variables whose scope it is.
func (c *compiler) scoped(f *Formula) *node {
	n := c.formula(f)
	r := c.rule.regions[f]
	if r == nil || r.locals == 0 {
		return n
	}
	return &node{op: nodeExists, kids: []*node{n}, locals: r.locals, free: n.free &^ r.locals, binds: n.binds &^ r.locals}
}

func (c *compiler) formula(f *Formula) *node {
	switch f.Op {
	case OpAtom:
		n := &node{op: nodeAtom, atom: f.Atom}
		for _, p := range f.Atom.Patterns {
			if p.Var != nil {
				n.free |= 1 << p.Var.Variable.index
			}
		}
		n.binds = n.free
		return n
	case OpCompare:
		n := &node{op: nodeCompare, relation: f.Relation, terms: [2]*term{c.term(f.Terms[0]), c.term(f.Terms[1])}}
		n.free = n.terms[0].free() | n.terms[1].free()
		return n
	case OpNot:
		return negate(c.scoped(f.Kids[0]))
	case OpAnd:
		var kids []*node
		for _, k := range f.Kids {
			kids = append(kids, c.formula(k))
		}
		return join2(nodeAnd, kids)
	case OpOr:
		return join2(nodeOr, []*node{c.scoped(f.Kids[0]), c.scoped(f.Kids[1])})
	case OpImplies:
		n := join2(nodeOr, []*node{negate(c.scoped(f.Kids[0])), c.scoped(f.Kids[1])})
		n.binds = 0
		return n
	case OpOnce, OpPrevious:
		kid := c.scoped(f.Kids[0])
		n := &node{op: nodeTable, free: kid.free, binds: kid.binds, table: c.table(kid.binds, f.Window, false)}
		u := &update{op: updateOnce, node: kid, table: n.table}
		if f.Op == OpPrevious {
			u.op, u.window, n.table.window = updatePrevious, f.Window, nil
			if f.Window == nil && f.Kids[0].Op == OpOnce && kid.op == nodeTable && kid.table.window == nil && kid.free == kid.binds {
				n.table.grows = kid.table
			}
		}
		c.updates = append(c.updates, u)
		return n
	case OpHistorically:
		kid := c.scoped(f.Kids[0])
		not := negate(kid)
		n := &node{op: nodeHistorically, kids: []*node{kid}, free: kid.free, binds: kid.binds, table: c.table(not.binds, f.Window, false)}
		c.updates = append(c.updates, &update{op: updateOnce, node: not, table: n.table})
		return n
	}
	return c.since(f)
}

func (c *compiler) since(f *Formula) *node {
	left, right := c.scoped(f.Kids[0]), c.scoped(f.Kids[1])
	not := negate(left)
	n := &node{op: nodeSince, free: left.free | right.free, binds: right.binds, table: c.table(right.binds, f.Window, true)}
	u := &update{op: updateSince, node: right, not: not, table: n.table}
	if left.free&^right.binds != 0 {
		n.kills = c.table(not.binds, f.Window, true)
		u.kills = n.kills
	}
	c.updates = append(c.updates, u)
	return n
}

// join2 joins the nodes of a conjunction or disjunction.
func join2(op nodeOp, kids []*node) *node {
	n := &node{op: op, kids: kids}
	for i, k := range kids {
		n.free |= k.free
		switch {
		case op == nodeAnd || i == 0:
			n.binds |= k.binds
		default:
			n.binds &= k.binds
		}
	}
	if op == nodeAnd {
		n.orders = &orders{}
	}
	return n
}

// negate returns the negation of a node. It moves inwards as far as possible, so that it generates
// the values at which it holds.
func negate(n *node) *node {
	switch n.op {
	case nodeNot:
		return n.kids[0]
	case nodeAnd, nodeOr:
		op := nodeAnd + nodeOr - n.op
		var kids []*node
		for _, k := range n.kids {
			kids = append(kids, negate(k))
		}
		return join2(op, kids)
	case nodeHistorically:
		return &node{op: nodeTable, free: n.free, binds: n.table.all, table: n.table}
	}
	return &node{op: nodeNot, kids: []*node{n}, free: n.free}
}

func (c *compiler) term(t *Term) *term {
	switch t.Op {
	case TermVariable:
		return &term{op: t.Op, v: t.Use.Variable.index}
	case TermLiteral:
		return &term{op: t.Op, value: t.Value}
	case TermArithmetic:
		return &term{op: t.Op, sign: t.Sign, kids: [2]*term{c.term(t.Kids[0]), c.term(t.Kids[1])}}
	}
	a := &aggregate{function: t.Function, window: t.Window, v: -1, slot: c.tallies}
	c.tallies++
	if t.Use != nil {
		a.v = t.Use.Variable.index
		if t.Function == "count" {
			a.function = "distinct"
		}
	}
	// The quantifier of the operand would also hide the aggregate's own variable, so its locals
	// are forgotten after each solution instead.
	a.operand = c.formula(t.Operand)
	a.locals = c.rule.regions[t.Operand].locals
	a.free = a.operand.free &^ a.locals
	a.all = a.operand.binds &^ a.locals
	a.all.each(func(i int) { a.columns = append(a.columns, i) })
	c.updates = append(c.updates, &update{op: updateAggregate, node: a.operand, aggregate: a})
	return &term{op: t.Op, aggregate: a}
}
