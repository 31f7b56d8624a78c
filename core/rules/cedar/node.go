package cedar

import "slices"

// nodeOp is the operator of a [node].
type nodeOp uint8

const (
	nodeTrue nodeOp = iota
	nodeFalse
	nodeAnd
	nodeOr
	nodeNot
	nodePattern // the argument key of the call passes the test
	nodeText    // a formula that can refer to arguments of the call
)

// node is a condition at the call that is judged.
type node struct {
	op    nodeOp
	kids  []*node
	key   string // of a pattern
	text  string // a formula with marks for variables, or the test of a pattern
	loose bool   // a formula that needs parentheses after "!"
}

var (
	always = &node{op: nodeTrue}
	never  = &node{op: nodeFalse}
)

func constant(value bool) *node {
	if value {
		return always
	}
	return never
}

func pattern(key, test string) *node { return &node{op: nodePattern, key: key, text: test} }

func formula(text string) *node { return &node{op: nodeText, text: text, loose: true} }

func negation(n *node) *node {
	switch n.op {
	case nodeTrue:
		return never
	case nodeFalse:
		return always
	case nodeNot:
		return n.kids[0]
	}
	return &node{op: nodeNot, kids: []*node{n}}
}

func and(kids ...*node) *node { return join(nodeAnd, always, never, kids) }

func or(kids ...*node) *node { return join(nodeOr, never, always, kids) }

// join makes a conjunction or disjunction without its neutral element and duplicates.
func join(op nodeOp, neutral, zero *node, kids []*node) *node {
	var out []*node
	for _, k := range kids {
		list := []*node{k}
		if k.op == op {
			list = k.kids
		}
		for _, k := range list {
			if k.op == zero.op {
				return zero
			}
			if k.op != neutral.op && !slices.ContainsFunc(out, k.equals) {
				out = append(out, k)
			}
		}
	}
	switch len(out) {
	case 0:
		return neutral
	case 1:
		return out[0]
	}
	return &node{op: op, kids: out}
}

func (n *node) equals(m *node) bool {
	return n == m || n.op == m.op && n.key == m.key && n.text == m.text && slices.EqualFunc(n.kids, m.kids, (*node).equals)
}

// verdict is the value of an expression of Cedar: when it is true and when it is false. If neither
// holds, its evaluation is an error, and Cedar skips the policy.
type verdict struct {
	yes, no *node
	total   bool // its evaluation is never an error
}

func known(value bool) verdict {
	return verdict{yes: constant(value), no: constant(!value), total: true}
}

func (v verdict) not() verdict { return verdict{yes: v.no, no: v.yes, total: v.total} }

func (v verdict) and(w verdict) verdict {
	out := verdict{yes: and(v.yes, w.yes), no: or(v.no, and(v.yes, w.no)), total: v.total && w.total}
	if v.total {
		out.no = or(v.no, w.no)
	}
	return out
}

func (v verdict) or(w verdict) verdict { return v.not().and(w.not()).not() }
