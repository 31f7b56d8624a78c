package solve

import "math/big"

// value is the value of a term in a model: a number, a truth value as 0 or 1, bits as an
// unsigned number, or the name of a constructor.
type value struct {
	number
	text string
}

// scope holds the values of the names bound around a term.
type scope struct {
	names  []string
	values []value
	outer  *scope
}

func (s *scope) find(name string) (value, bool) {
	for ; s != nil; s = s.outer {
		for i, n := range s.names {
			if n == name {
				return s.values[i], true
			}
		}
	}
	return value{}, false
}

// maxEvaluated bounds the work of one evaluation: each definition in a chain may use the
// next one twice, so each further definition doubles the work.
const maxEvaluated = 3_000_000

// evaluator evaluates terms of SMT-LIB in a model by exact arithmetic. It supports Core,
// Ints and Reals; a term with any other operator has no value.
type evaluator struct {
	defs  map[string]*definition // of the text
	model map[string]*definition // of the solver
	sorts map[string]string      // of constants that the text declares
	spent int
}

// definition is a function with its body.
type definition struct {
	params []string
	body   *term
}

func (e *evaluator) term(t *term, in *scope) (v value, ok bool) {
	if e.spent++; e.spent > maxEvaluated {
		return v, false
	}
	switch t.kind {
	case termNumeral, termDecimal:
		n, ok := decimalOf(t)
		return value{number: n}, ok
	case termSymbol:
		return e.symbol(t, in)
	case termBits:
		base := map[byte]int{'b': 2, 'x': 16}[t.text[1]]
		n, ok := new(big.Int).SetString(t.text[2:], base)
		if !ok {
			return v, false
		}
		return value{number: exactly(new(big.Rat).SetInt(n))}, true
	case termList:
	default:
		return v, false
	}
	head := t.head()
	switch head {
	case "":
		return v, false
	case "!":
		if len(t.items) < 2 {
			return v, false
		}
		return e.term(&t.items[1], in)
	case "let":
		return e.let(t, in)
	case "root-obj":
		n, ok := rootOf(t)
		return value{number: n}, ok
	case "ite":
		return e.ite(t, in)
	case "and", "or", "=>":
		return e.connect(head, t.items[1:], in)
	}
	args := make([]value, len(t.items)-1)
	for i := range args {
		if args[i], ok = e.term(&t.items[1+i], in); !ok {
			return v, false
		}
	}
	if d := e.definitionOf(head); d != nil {
		return e.call(d, args)
	}
	return operate(head, args)
}

func (e *evaluator) definitionOf(name string) *definition {
	if d := e.defs[name]; d != nil {
		return d
	}
	return e.model[name]
}

func (e *evaluator) call(d *definition, args []value) (value, bool) {
	if len(args) != len(d.params) {
		return value{}, false
	}
	return e.term(d.body, &scope{names: d.params, values: args})
}

func (e *evaluator) symbol(t *term, in *scope) (value, bool) {
	if v, ok := in.find(t.text); ok {
		return v, true
	}
	if d := e.definitionOf(t.text); d != nil {
		return e.call(d, nil)
	}
	switch t.text {
	case "true":
		return truth(true), true
	case "false":
		return truth(false), true
	}
	if sort, ok := e.sorts[t.text]; ok {
		// The solver omits constants that may have any value, and completes the model
		// with these.
		if sort == "Bool" || numeric(sort) {
			return truth(false), true
		}
		return value{}, false
	}
	return value{text: t.text}, true // a constructor
}

func (e *evaluator) let(t *term, in *scope) (value, bool) {
	if len(t.items) != 3 {
		return value{}, false
	}
	inner := &scope{outer: in}
	for i := range t.items[1].items {
		b := &t.items[1].items[i]
		if len(b.items) != 2 {
			return value{}, false
		}
		v, ok := e.term(&b.items[1], in)
		if !ok {
			return v, false
		}
		inner.names, inner.values = append(inner.names, b.items[0].text), append(inner.values, v)
	}
	return e.term(&t.items[2], inner)
}

func (e *evaluator) ite(t *term, in *scope) (value, bool) {
	if len(t.items) != 4 {
		return value{}, false
	}
	c, ok := e.term(&t.items[1], in)
	if !ok || c.lo == nil {
		return value{}, false
	}
	if c.lo.Sign() != 0 {
		return e.term(&t.items[2], in)
	}
	return e.term(&t.items[3], in)
}

// connect evaluates a connective. Some of its arguments may suffice to determine its
// value, even if others have none.
func (e *evaluator) connect(name string, args []term, in *scope) (value, bool) {
	all := true
	for i := range args {
		v, ok := e.term(&args[i], in)
		if !ok || v.lo == nil {
			all = false
			continue
		}
		holds := v.lo.Sign() != 0
		last := i == len(args)-1
		switch {
		case name == "and" && !holds:
			return truth(false), true
		case name == "or" && holds, name == "=>" && (!last && !holds || last && holds):
			return truth(true), true
		}
	}
	return truth(name == "and"), all
}

func truth(holds bool) value {
	if holds {
		return value{number: exactly(big.NewRat(1, 1))}
	}
	return value{number: exactly(new(big.Rat))}
}

// operate applies an operator of Core, Ints and Reals to values.
func operate(name string, args []value) (v value, ok bool) {
	if len(args) == 0 {
		return v, false
	}
	if name == "=" || name == "distinct" {
		return equal(name == "=", args)
	}
	for _, a := range args {
		if a.lo == nil {
			return v, false
		}
	}
	first := args[0].number
	switch name {
	case "not":
		return truth(first.lo.Sign() == 0), first.exact()
	case "xor":
		odd := false
		for _, a := range args {
			odd = odd != (a.lo.Sign() != 0)
		}
		return truth(odd), true
	case "<", "<=", ">", ">=":
		return ordered(name, args)
	case "to_real":
		return args[0], len(args) == 1
	case "to_int", "is_int":
		if !first.exact() {
			return v, false
		}
		if name == "is_int" {
			return truth(first.lo.IsInt()), true
		}
		return value{number: exactly(floor(first.lo))}, true
	case "abs":
		if s, known := compare(first, exactly(new(big.Rat))); !known {
			return v, false
		} else if s < 0 {
			first = first.neg()
		}
		return value{number: first}, true
	case "-":
		if len(args) == 1 {
			return value{number: first.neg()}, true
		}
	}
	for _, a := range args[1:] {
		if first, ok = apply(name, first, a.number); !ok || !first.small() {
			return v, false
		}
	}
	_, arithmetic := apply(name, first, exactly(big.NewRat(1, 1)))
	return value{number: first}, arithmetic
}

// apply evaluates an operator with two arguments. Division by 0 has any value in SMT-LIB,
// and none here.
func apply(name string, a, b number) (number, bool) {
	switch name {
	case "+":
		return combine(a, b, (*big.Rat).Add), true
	case "-":
		return combine(a, b, (*big.Rat).Sub), true
	case "*":
		return combine(a, b, (*big.Rat).Mul), true
	case "/":
		if b.lo.Sign()*b.hi.Sign() <= 0 {
			return a, false
		}
		return combine(a, b, (*big.Rat).Quo), true
	case "div", "mod", "rem":
		if !a.exact() || !b.exact() || !a.lo.IsInt() || !b.lo.IsInt() || b.lo.Sign() == 0 {
			return a, false
		}
		q, m := new(big.Int).DivMod(a.lo.Num(), b.lo.Num(), new(big.Int))
		switch {
		case name == "div":
			m = q
		case name == "rem" && b.lo.Sign() < 0:
			m.Neg(m)
		}
		return exactly(new(big.Rat).SetInt(m)), true
	case "^":
		return power(a, b)
	}
	return a, false
}

func power(a, b number) (number, bool) {
	if !b.exact() || !b.lo.IsInt() || !b.lo.Num().IsInt64() {
		return a, false
	}
	n := b.lo.Num().Int64()
	if n < 1 || n > 1_000 { // 0^0 and negative exponents depend on the sort
		return a, false
	}
	out := a
	for range n - 1 {
		if out = combine(out, a, (*big.Rat).Mul); !out.small() {
			return a, false
		}
	}
	return out, true
}

func floor(r *big.Rat) *big.Rat {
	q, _ := new(big.Int).DivMod(r.Num(), r.Denom(), new(big.Int))
	return new(big.Rat).SetInt(q)
}

func ordered(name string, args []value) (value, bool) {
	for i := range args[1:] {
		s, known := compare(args[i].number, args[i+1].number)
		if !known {
			return value{}, false
		}
		if !map[string]bool{"<": s < 0, "<=": s <= 0, ">": s > 0, ">=": s >= 0}[name] {
			return truth(false), true
		}
	}
	return truth(true), len(args) > 1
}

// equal reports whether all arguments equal the first if same is true, and otherwise
// whether all arguments are pairwise distinct.
func equal(same bool, args []value) (value, bool) {
	for i := range args {
		for j := range args[:i] {
			if same && j > 0 {
				break
			}
			is := args[i].text == args[j].text
			if (args[i].lo == nil) != (args[j].lo == nil) {
				return value{}, false
			}
			if args[i].lo != nil {
				s, known := compare(args[i].number, args[j].number)
				if !known {
					return value{}, false
				}
				is = s == 0
			}
			if is != same {
				return truth(false), true
			}
		}
	}
	return truth(true), len(args) > 1
}
