package rules

import (
	"strconv"

	"github.com/stile-playground/stile/core/exact"
)

// term is a compiled term. In a condition it is frozen: its aggregates are copies.
type term struct {
	op        TermOp
	v         int
	value     *Value // of a literal; nil if undefined
	sign      string
	kids      [2]*term
	aggregate *aggregate
	frozen    *snapshot
}

// answer is the result of evaluating a term.
type answer uint8

const (
	undefined answer = iota
	known
	residual // unknown, because a variable has no value yet
)

// eval evaluates a term under the values of the machine.
func (m *machine) eval(t *term) (*Value, answer) {
	m.step(1)
	switch t.op {
	case TermVariable:
		if v := m.env[t.v]; v != nil {
			return v, known
		}
		return nil, residual
	case TermLiteral:
		if t.value == nil {
			return nil, undefined
		}
		return t.value, known
	case TermAggregate:
		if t.frozen != nil {
			return m.evalSnapshot(t.frozen)
		}
		return m.evalAggregate(t.aggregate)
	}
	left, a := m.eval(t.kids[0])
	right, b := m.eval(t.kids[1])
	switch {
	case a == undefined || b == undefined || a == known && left.Kind() != exact.KindNumber || b == known && right.Kind() != exact.KindNumber:
		return nil, undefined
	case a == residual || b == residual:
		return nil, residual
	}
	var out Decimal
	var err error
	switch t.sign {
	case "+":
		out, err = left.Number().Add(right.Number())
	case "-":
		out, err = left.Number().Subtract(right.Number())
	default:
		out, err = left.Number().Multiply(right.Number())
	}
	if err != nil {
		m.fail(err)
		return nil, undefined
	}
	return exact.OfNumber(out), known
}

// compare compares two terms. The result is a condition if a variable has no value.
func (m *machine) compare(rel string, left, right *term) *cond {
	a, known1 := m.eval(left)
	b, known2 := m.eval(right)
	switch {
	case known1 == undefined || known2 == undefined:
		return condFalse
	case known1 == residual || known2 == residual:
		return condCompare(rel, m.freeze(left), m.freeze(right))
	case exact.Holds(rel, a, b):
		return condTrue
	}
	return condFalse
}

// freeze replaces variables with values by these values, and aggregates by copies.
func (m *machine) freeze(t *term) *term {
	if v, answer := m.eval(t); answer != residual {
		return &term{op: TermLiteral, value: v.Kept()}
	}
	out := *t
	switch t.op {
	case TermAggregate:
		out.frozen, out.aggregate = m.freezeAggregate(t), nil
	case TermArithmetic:
		out.kids = [2]*term{m.freeze(t.kids[0]), m.freeze(t.kids[1])}
	}
	return &out
}

// free returns the variables of a frozen term.
func (t *term) free() set {
	switch t.op {
	case TermVariable:
		return 1 << t.v
	case TermAggregate:
		if t.frozen == nil {
			return t.aggregate.free
		}
		return t.frozen.free
	case TermArithmetic:
		return t.kids[0].free() | t.kids[1].free()
	}
	return 0
}

func (t *term) size() int {
	switch t.op {
	case TermAggregate:
		return t.frozen.size
	case TermArithmetic:
		return 1 + t.kids[0].size() + t.kids[1].size()
	}
	return 1
}

func (t *term) frozenKey() string {
	switch t.op {
	case TermVariable:
		return "?" + strconv.Itoa(t.v)
	case TermLiteral:
		if t.value == nil {
			return "u"
		}
		return "=" + t.value.Identity()
	case TermAggregate:
		return "a" + t.frozen.key
	}
	key := exact.AppendKey([]byte(t.sign), t.kids[0].frozenKey())
	return string(exact.AppendKey(key, t.kids[1].frozenKey()))
}
