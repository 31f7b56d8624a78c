package rules

import (
	"sort"
	"strconv"

	"github.com/stile-playground/stile/core/exact"
)

// cond is a condition on variables whose values are not known yet, because a formula outside a
// temporal operator binds them. It is immutable.
type cond struct {
	op    byte // 't', 'f', '&', '|', '!', '=' a variable equals a value, 'c' a comparison
	kids  []*cond
	v     int
	value *Value
	rel   string
	terms [2]*term
	free  set
	key   string
	size  int
}

var (
	condTrue  = &cond{op: 't', key: "t"}
	condFalse = &cond{op: 'f', key: "f"}
)

func condEqual(v int, value *Value) *cond {
	key := append(strconv.AppendInt([]byte{'='}, int64(v), 10), ' ')
	return &cond{op: '=', v: v, value: value, free: 1 << v, key: string(exact.AppendKey(key, value.Identity())), size: 1}
}

func condNot(c *cond) *cond {
	switch c.op {
	case 't':
		return condFalse
	case 'f':
		return condTrue
	case '!':
		return c.kids[0]
	}
	return &cond{op: '!', kids: []*cond{c}, free: c.free, key: "!" + c.key, size: c.size}
}

func condAnd(a, b *cond) *cond { return condPair('&', condTrue, condFalse, a, b) }

func condOr(a, b *cond) *cond { return condPair('|', condFalse, condTrue, a, b) }

// condPair joins two conditions; the usual cases need no list.
func condPair(op byte, neutral, absorbing, a, b *cond) *cond {
	switch {
	case a == absorbing || b == absorbing:
		return absorbing
	case a == neutral || a == b:
		return b
	case b == neutral:
		return a
	}
	return condJoin(op, neutral, absorbing, []*cond{a, b})
}

// condList joins the conditions of a list by "&" or "|".
func condList(op byte, list []*cond) *cond {
	if op == '&' {
		return condJoin(op, condTrue, condFalse, list)
	}
	return condJoin(op, condFalse, condTrue, list)
}

// condJoin joins conditions: neutral ones are dropped, an absorbing one is the result, and equal
// ones count once.
func condJoin(op byte, neutral, absorbing *cond, list []*cond) *cond {
	var parts []*cond
	seen := map[string]bool{}
	var add func(c *cond) bool
	add = func(c *cond) bool {
		switch {
		case c == absorbing:
			return false
		case c == neutral || seen[c.key]:
		case c.op == op:
			for _, k := range c.kids {
				if !add(k) {
					return false
				}
			}
		default:
			seen[c.key] = true
			parts = append(parts, c)
		}
		return true
	}
	for _, c := range list {
		if !add(c) {
			return absorbing
		}
	}
	switch len(parts) {
	case 0:
		return neutral
	case 1:
		return parts[0]
	}
	sort.Slice(parts, func(i, j int) bool { return parts[i].key < parts[j].key })
	out := &cond{op: op, kids: parts}
	key := []byte{op}
	for _, c := range parts {
		key = exact.AppendKey(key, c.key)
		out.free |= c.free
		out.size += c.size
	}
	out.key = string(key)
	return out
}

// condCompare returns a comparison of frozen terms.
func condCompare(rel string, left, right *term) *cond {
	key := exact.AppendKey([]byte("c"+rel+" "), left.frozenKey())
	key = exact.AppendKey(key, right.frozenKey())
	return &cond{op: 'c', rel: rel, terms: [2]*term{left, right}, free: left.free() | right.free(), key: string(key), size: left.size() + right.size()}
}

// resolve evaluates the parts of a condition whose variables have values.
func (m *machine) resolve(c *cond) *cond {
	if c.free&m.known == 0 {
		return c
	}
	m.step(1)
	switch c.op {
	case '=':
		if m.env[c.v].Identity() == c.value.Identity() {
			return condTrue
		}
		return condFalse
	case '!':
		return condNot(m.resolve(c.kids[0]))
	case 'c':
		return m.compare(c.rel, c.terms[0], c.terms[1])
	}
	kids := make([]*cond, 0, len(c.kids))
	for _, k := range c.kids {
		kid := m.resolve(k)
		if c.op == '&' && kid == condFalse || c.op == '|' && kid == condTrue {
			return kid
		}
		kids = append(kids, kid)
	}
	return condList(c.op, kids)
}
