package cedar

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// number is a polynomial in the arguments of a call. checks are the conditions under which its
// evaluation does not overflow.
type number struct {
	terms  []product
	checks []*node
}

// product is a coefficient times arguments, in order.
type product struct {
	by   int64
	keys []string
}

func (c *carrier) number(e *expr) number {
	switch e.op {
	case opInt:
		n, err := strconv.ParseInt(e.text, 10, 64)
		if err != nil {
			c.refuse(e.span, "the number has more than 64 bits")
		}
		return number{terms: []product{{by: n}}}.tidy(c, e)
	case opAttr:
		return number{terms: []product{{by: 1, keys: []string{c.read(e)}}}}
	case opNegate:
		return c.number(e.kids[0]).times(number{terms: []product{{by: -1}}}).tidy(c, e).checked()
	case opArith:
		a, b := c.number(e.kids[0]), c.number(e.kids[1])
		switch e.text {
		case "*":
			return a.times(b).tidy(c, e).checked()
		case "-":
			b = b.times(number{terms: []product{{by: -1}}})
		}
		return number{terms: slices.Concat(a.terms, b.terms), checks: slices.Concat(a.checks, b.checks)}.tidy(c, e).checked()
	}
	c.refuse(e.span, "the value is not a number that rules can compute")
	return number{}
}

func (n number) times(m number) number {
	out := number{checks: slices.Concat(n.checks, m.checks)}
	for _, a := range n.terms {
		for _, b := range m.terms {
			high, low := bits.Mul64(magnitude(a.by), magnitude(b.by))
			p := product{keys: slices.Sorted(slices.Values(slices.Concat(a.keys, b.keys)))}
			if p.by = int64(low); high != 0 || low > math.MaxInt64 {
				p.by = math.MinInt64 // tidy refuses it
			}
			if p.by != math.MinInt64 && (a.by < 0) != (b.by < 0) {
				p.by = -p.by
			}
			out.terms = append(out.terms, p)
		}
	}
	return out
}

func magnitude(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}

// tidy adds up the products of equal arguments and refuses large coefficients.
func (n number) tidy(c *carrier, e *expr) number {
	slices.SortStableFunc(n.terms, func(a, b product) int {
		return cmp.Or(cmp.Compare(len(b.keys), len(a.keys)), slices.Compare(a.keys, b.keys))
	})
	var out []product
	for _, t := range n.terms {
		if k := len(out); k > 0 && slices.Equal(out[k-1].keys, t.keys) {
			sum := out[k-1].by + t.by
			if (sum > t.by) != (out[k-1].by > 0) && out[k-1].by != 0 {
				sum = math.MinInt64
			}
			out[k-1].by = sum
		} else {
			out = append(out, t)
		}
		if out[len(out)-1].by == math.MinInt64 && e.op != opInt || len(t.keys) > 8 || len(out) > 64 {
			c.refuse(e.span, "the arithmetic is too large")
		}
	}
	n.terms = out
	return n
}

// checked adds the condition that a number has 64 bits.
func (n number) checked() number {
	if !n.constant() {
		n.checks = append(n.checks, formula(n.text()+" <= 9223372036854775807"), formula(n.text()+" >= -9223372036854775808"))
	}
	return n
}

func (n number) constant() bool {
	return !slices.ContainsFunc(n.terms, func(p product) bool { return len(p.keys) > 0 })
}

func (n number) value() int64 {
	if len(n.terms) == 0 {
		return 0
	}
	return n.terms[len(n.terms)-1].by
}

// argument returns the key of the argument that the number is, or "".
func (n number) argument() string {
	if len(n.terms) == 1 && n.terms[0].by == 1 && len(n.terms[0].keys) == 1 {
		return n.terms[0].keys[0]
	}
	return ""
}

func (n number) text() string {
	var b strings.Builder
	for i, t := range n.terms {
		by := t.by
		if i > 0 {
			if by < 0 && by != math.MinInt64 {
				b.WriteString(" - ")
				by = -by
			} else {
				b.WriteString(" + ")
			}
		}
		if by != 1 || len(t.keys) == 0 {
			b.WriteString(strconv.FormatInt(by, 10))
			if len(t.keys) > 0 {
				b.WriteString(" * ")
			}
		}
		for j, k := range t.keys {
			if j > 0 {
				b.WriteString(" * ")
			}
			b.WriteString(marked(k))
		}
	}
	return b.String()
}

// opposite has the comparison that holds of two numbers if another one does not.
var opposite = map[string]string{"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!="}

// mirror has the comparison with the sides exchanged.
var mirror = map[string]string{"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "=="}

// order compares two numbers. "==" compares an argument that can be any value with arithmetic.
func (c *carrier) order(sign string, a, b number) verdict {
	if a.constant() && !b.constant() {
		a, b, sign = b, a, mirror[sign]
	}
	if a.constant() {
		x, y := a.value(), b.value()
		return known(map[string]bool{"<": x < y, "<=": x <= y, ">": x > y, ">=": x >= y, "==": x == y}[sign])
	}
	if key := a.argument(); key != "" && b.constant() {
		return verdict{yes: pattern(key, strings.Replace(sign, "==", "=", 1)+" "+b.text()), no: pattern(key, opposite[sign]+" "+b.text())}
	}
	checks := and(slices.Concat(a.checks, b.checks)...)
	if a.argument() != "" && b.argument() != "" && sign != "==" {
		checks = numeric(a.argument()) // rules compare strings, too
	}
	text := func(sign string) *node {
		return and(checks, formula(a.text()+" "+strings.Replace(sign, "==", "=", 1)+" "+b.text()))
	}
	return verdict{yes: text(sign), no: text(opposite[sign])}
}
