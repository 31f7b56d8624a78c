package rules

import "sync"

// head is the part of an event that every atom compares first.
type head struct{ kind, name string }

// reach limits the work of a rule for the events with a head. The atoms of the other parts match no such event.
type reach struct {
	decides bool    // the rule may be triggered; without a left side, it may be violated
	idle    bool    // the event changes no state of the rule
	updates []parts // by update
}

// parts are the parts of an update that may hold.
type parts struct{ node, not bool }

// reaches are the limits of the rules of a file, computed for the heads that occur. The monitors of a file share them.
type reaches struct {
	heads map[head]bool // of the atoms
	mu    sync.Mutex
	of    map[head][]*reach // by rule
}

func headsOf(list []*Rule) map[head]bool {
	out := map[head]bool{}
	for _, r := range list {
		if r.Formula != nil {
			eachFormula(r.Formula, func(f *Formula) {
				if f.Atom != nil {
					out[head{f.Atom.Kind, f.Atom.Name}] = true
				}
			})
		}
	}
	return out
}

// reach returns the limits of the rules for an event.
func (c *compiled) reach(e *Event) []*reach {
	h := head{e.Kind, e.Name}
	r := &c.reaches
	if !r.heads[h] {
		h.name = "" // all names that no atom has are alike
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if out, ok := r.of[h]; ok {
		return out
	}
	out := make([]*reach, len(c.rules))
	for i, code := range c.rules {
		if code != nil {
			out[i] = code.reach(h)
		}
	}
	if r.of == nil {
		r.of = map[head][]*reach{}
	}
	r.of[h] = out
	return out
}

func (c *code) reach(h head) *reach {
	out := &reach{decides: c.left == nil && !c.right.certain(h) || c.left != nil && c.left.possible(h)}
	out.idle = !out.decides
	for _, u := range c.updates {
		p := parts{node: u.node.possible(h), not: u.not != nil && u.not.possible(h)}
		out.updates = append(out.updates, p)
		windows := u.op == updatePrevious || u.aggregate != nil && u.aggregate.window != nil || u.table != nil && u.table.window != nil
		out.idle = out.idle && !p.node && !p.not && !windows
	}
	return out
}

// possible reports whether a formula may hold at an event with a head.
func (n *node) possible(h head) bool {
	switch n.op {
	case nodeAtom:
		return n.atom.Kind == h.kind && (n.atom.Any || n.atom.Name == h.name)
	case nodeNot:
		return !n.kids[0].certain(h)
	case nodeOr:
		for _, k := range n.kids {
			if k.possible(h) {
				return true
			}
		}
		return false
	}
	for _, k := range n.kids { // of historically, the present event counts
		if !k.possible(h) {
			return false
		}
	}
	return true
}

// certain reports whether a formula holds at each event with a head, whatever the state and the values of variables are.
func (n *node) certain(h head) bool {
	switch n.op {
	case nodeNot:
		return !n.kids[0].possible(h)
	case nodeAnd:
		for _, k := range n.kids {
			if !k.certain(h) {
				return false
			}
		}
		return true
	case nodeOr:
		for _, k := range n.kids {
			if k.certain(h) {
				return true
			}
		}
	}
	return false
}
