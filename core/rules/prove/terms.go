package prove

import (
	"math/big"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/exact"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

// builder writes an SMT-LIB text. Each term that its methods return is a name, a constant, or the
// negation of a name, so that equal terms are written once.
type builder struct {
	text  strings.Builder
	terms map[string]string
	meter *meter.Meter
	err   error
}

const (
	yes = "true"
	no  = "false"
)

func (b *builder) line(text string) {
	b.text.WriteString(text)
	b.text.WriteByte('\n')
}

func (b *builder) assert(term string) {
	if term != yes {
		b.line("(assert " + term + ")")
	}
}

// define returns the name of a term, which it defines at the first use.
func (b *builder) define(sort, term string) string {
	if name, ok := b.terms[term]; ok {
		return name
	}
	if err := b.meter.Step(len(term)); err != nil && b.err == nil {
		b.err = err
	}
	if len(b.terms) >= maxTerms {
		if b.err == nil {
			b.err = source.NewError("limit.prove", "the rules need more than "+strconv.Itoa(maxTerms)+" terms for this number of events")
		}
		return no
	}
	name := "p" + strconv.Itoa(len(b.terms))
	b.terms[term] = name
	b.line("(define-fun " + name + " () " + sort + " " + term + ")")
	return name
}

func not(term string) string {
	switch {
	case term == yes:
		return no
	case term == no:
		return yes
	case strings.HasPrefix(term, "(not "):
		return term[len("(not ") : len(term)-1]
	}
	return "(not " + term + ")"
}

func (b *builder) and(terms ...string) string { return b.join("and", yes, no, terms) }

func (b *builder) or(terms ...string) string { return b.join("or", no, yes, terms) }

// join returns the conjunction or disjunction of terms without neutral and repeated terms,
// or absorbing if that is its value.
func (b *builder) join(op, neutral, absorbing string, terms []string) string {
	var out []string
	seen := map[string]bool{}
	for _, t := range terms {
		switch {
		case t == absorbing || seen[not(t)]:
			return absorbing
		case t != neutral && !seen[t]:
			seen[t] = true
			out = append(out, t)
		}
	}
	switch len(out) {
	case 0:
		return neutral
	case 1:
		return out[0]
	}
	return b.define("Bool", "("+op+" "+strings.Join(out, " ")+")")
}

func (b *builder) choose(condition, then, otherwise string) string {
	switch {
	case condition == yes || then == otherwise:
		return then
	case condition == no:
		return otherwise
	}
	return b.define("Real", "(ite "+condition+" "+then+" "+otherwise+")")
}

// relate returns the term of a comparison of two numbers, evaluated if both are constants.
func (b *builder) relate(op, left, right string) string {
	if left == right {
		return boolean(op == "=" || op == "<=" || op == ">=")
	}
	if x, y := constant(left), constant(right); x != nil && y != nil {
		return boolean(exact.Ordered(op, x.Cmp(y)))
	}
	if op == "=" && left > right {
		left, right = right, left
	}
	return b.define("Bool", "("+op+" "+left+" "+right+")")
}

func boolean(b bool) string {
	if b {
		return yes
	}
	return no
}

// maxExponent bounds the zeros of a number in the text.
const maxExponent = 400

// number returns a decimal as a constant of SMT-LIB, or an error for one of too many digits.
func (b *builder) number(decimal string) string {
	_, exponent, _ := strings.Cut(decimal, "e")
	if n, err := strconv.Atoi(exponent); exponent != "" && (err != nil || n > maxExponent || n < -maxExponent) {
		if b.err == nil {
			b.err = source.NewError("limit.prove", "the number "+decimal+" is too large for a solver")
		}
		return "0.0"
	}
	r, _ := new(big.Rat).SetString(decimal)
	return rational(r)
}

func rational(r *big.Rat) string {
	text := new(big.Int).Abs(r.Num()).String() + ".0"
	if !r.IsInt() {
		text = "(/ " + text + " " + r.Denom().String() + ".0)"
	}
	if r.Sign() < 0 {
		return "(- " + text + ")"
	}
	return text
}

// constant returns the value of a constant, or nil for another term.
func constant(term string) *big.Rat {
	sign := int64(1)
	if inner, ok := strings.CutPrefix(term, "(- "); ok {
		term, sign = inner[:len(inner)-1], -1
	}
	if inner, ok := strings.CutPrefix(term, "(/ "); ok {
		over, under, _ := strings.Cut(inner[:len(inner)-1], " ")
		x, y := constant(over), constant(under)
		if x == nil || y == nil {
			return nil
		}
		return x.Mul(x.Quo(x, y), big.NewRat(sign, 1))
	}
	if term == "" || term[0] < '0' || term[0] > '9' {
		return nil
	}
	r, ok := new(big.Rat).SetString(term)
	if !ok {
		return nil
	}
	return r.Mul(r, big.NewRat(sign, 1))
}
