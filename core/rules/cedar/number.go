package cedar

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// number is a polynomial in the arguments of a call: terms and a constant. checks are the conditions
// under which its evaluation does not overflow.
type number struct {
	terms  []product
	plus   int64
	checks []*node
}

// product is a coefficient times arguments.
type product struct {
	by   int64
	keys []string
}

func (c *carrier) number(e *expr) number {
	var out number
	switch e.op {
	case opInt:
		n, err := strconv.ParseInt(e.text, 10, 64)
		if err != nil {
			c.refuse(e.span, "the number has more than 64 bits")
		}
		return number{plus: n}
	case opAttr:
		return number{terms: []product{{by: 1, keys: []string{c.read(e)}}}}
	case opNegate:
		out = c.times(e, number{plus: -1}, c.number(e.kids[0]))
	case opArith:
		out = c.number(e.kids[0])
		right := c.number(e.kids[1])
		if e.text == "*" {
			out = c.times(e, out, right)
			break
		}
		if e.text == "-" {
			right = c.times(e, number{plus: -1}, right)
		}
		out.terms = append(out.terms, right.terms...)
		out.checks = append(out.checks, right.checks...)
		sum := out.plus + right.plus
		if (sum > out.plus) != (right.plus > 0) && right.plus != 0 {
			c.refuse(e.span, "the arithmetic is too large")
		}
		out.plus = sum
	default:
		c.refuse(e.span, "the value is not a number that rules can compute")
	}
	if len(out.terms) > maxTerms {
		c.refuse(e.span, "the arithmetic is too large")
	}
	if len(out.terms) > 0 {
		text := out.text()
		out.checks = append(out.checks, formula(text+" <= 9223372036854775807"), formula(text+" >= -9223372036854775808"))
	}
	return out
}

// maxTerms bounds the terms of a polynomial, which products of sums multiply.
const maxTerms = 32

// times multiplies two numbers.
func (c *carrier) times(e *expr, a, b number) number {
	out := number{checks: slices.Concat(a.checks, b.checks)}
	for _, x := range a.products() {
		for _, y := range b.products() {
			by := x.by * y.by
			if x.by != 0 && (by/x.by != y.by || x.by == -1 && y.by == math.MinInt64) || len(out.terms) > maxTerms {
				c.refuse(e.span, "the arithmetic is too large")
			}
			switch keys := slices.Concat(x.keys, y.keys); {
			case len(keys) == 0:
				out.plus = by
			case by != 0:
				out.terms = append(out.terms, product{by, keys})
			default: // a string or a missing argument is still an error
				for _, k := range keys {
					out.checks = append(out.checks, numeric(k))
				}
			}
		}
	}
	return out
}

// products returns the terms, and the constant as a product of no arguments.
func (n number) products() []product {
	if n.plus == 0 && len(n.terms) > 0 {
		return n.terms
	}
	return append(slices.Clone(n.terms), product{by: n.plus})
}

// argument returns the key of the argument that the number is, or "".
func (n number) argument() string {
	if len(n.terms) == 1 && n.plus == 0 && n.terms[0].by == 1 && len(n.terms[0].keys) == 1 {
		return n.terms[0].keys[0]
	}
	return ""
}

// text returns the number as rules write it.
func (n number) text() string {
	var parts []string
	for _, t := range n.terms {
		var factors []string
		if t.by != 1 {
			factors = []string{strconv.FormatInt(t.by, 10)}
		}
		for _, k := range t.keys {
			factors = append(factors, marked(k))
		}
		parts = append(parts, strings.Join(factors, " * "))
	}
	if n.plus != 0 || len(parts) == 0 {
		parts = append(parts, strconv.FormatInt(n.plus, 10))
	}
	return strings.Join(parts, " + ")
}

// opposite has the comparison that holds of two numbers if another one does not.
var opposite = map[string]string{"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!="}

// mirror has the comparison with the sides exchanged.
var mirror = map[string]string{"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "=="}

// order compares two numbers. "==" compares an argument that can be any value with arithmetic.
func (c *carrier) order(sign string, a, b number) verdict {
	if len(a.terms) == 0 && len(b.terms) > 0 {
		a, b, sign = b, a, mirror[sign]
	}
	checks := and(slices.Concat(a.checks, b.checks)...)
	if a.argument() != "" && b.argument() != "" && sign != "==" {
		checks = numeric(a.argument()) // rules compare strings, too
	}
	holds := func(sign string) *node {
		key, x, y := a.argument(), a.plus, b.plus
		switch {
		case len(b.terms) > 0 || key == "" && len(a.terms) > 0:
			return and(checks, formula(a.text()+" "+strings.Replace(sign, "==", "=", 1)+" "+b.text()))
		case key != "":
			return and(checks, pattern(key, strings.Replace(sign, "==", "=", 1)+" "+b.text()))
		}
		return and(checks, constant(map[string]bool{"<": x < y, "<=": x <= y, ">": x > y, ">=": x >= y, "==": x == y, "!=": x != y}[sign]))
	}
	return verdict{yes: holds(sign), no: holds(opposite[sign]), total: checks == always && len(a.terms) == 0}
}
