package strips

import (
	"math/bits"
)

// fault is the reason that a number has no value.
type fault uint8

const (
	valid     fault = iota
	undefined       // a function without a value, or a division by 0
	beyond3         // more than three decimals
	large           // more than MaxNumber
)

// String describes the fault of an expression.
func (f fault) String() string {
	switch f {
	case beyond3:
		return "a number with more than three decimals"
	case large:
		return "a number beyond the maximum"
	}
	return "an undefined number"
}

// arith applies an operator to numbers in units of 1/[Unit].
func arith(op byte, a, b int64) (int64, fault) {
	var out int64
	switch op {
	case '+':
		out = a + b
	case '-':
		out = a - b
	case '*':
		return scaled(a, b, Unit)
	case '/':
		if b == 0 {
			return 0, undefined
		}
		return scaled(a, Unit, b)
	}
	return bounded(out)
}

func bounded(value int64) (int64, fault) {
	if value > MaxNumber*Unit || value < -MaxNumber*Unit {
		return 0, large
	}
	return value, valid
}

// scaled returns a * b / by, if that is exact.
func scaled(a, b, by int64) (int64, fault) {
	negative := (a < 0) != (b < 0) != (by < 0)
	hi, lo := bits.Mul64(magnitude(a), magnitude(b))
	if hi >= magnitude(by) {
		return 0, large
	}
	quotient, rest := bits.Div64(hi, lo, magnitude(by))
	if quotient > MaxNumber*Unit {
		return 0, large
	}
	if rest != 0 {
		return 0, beyond3
	}
	if negative {
		return -int64(quotient), valid
	}
	return int64(quotient), valid
}

func magnitude(a int64) uint64 {
	if a < 0 {
		return uint64(-a)
	}
	return uint64(a)
}

// compare reports whether a comparison holds.
func compare(op string, a, b int64) bool {
	switch op {
	case "<":
		return a < b
	case "<=":
		return a <= b
	case ">":
		return a > b
	case ">=":
		return a >= b
	case "=":
		return a == b
	}
	return a != b
}

// applied returns the value of a function after a change, given its value before; defined
// is false if it had none.
func applied(change string, before int64, defined bool, value int64) (int64, fault) {
	switch {
	case change == "assign":
		return bounded(value)
	case !defined:
		return 0, undefined
	}
	return arith(map[string]byte{"increase": '+', "decrease": '-', "scale-up": '*', "scale-down": '/'}[change], before, value)
}

// evaluate returns the value of an expression.
func (n *Number) evaluate(function func(*Atom) (int64, fault)) (int64, fault) {
	if n.Function != nil {
		return function(n.Function)
	}
	if n.Op == "" {
		return n.Value, valid
	}
	out, failed := n.Parts[0].evaluate(function)
	if failed == valid && len(n.Parts) == 1 { // only -
		return -out, valid
	}
	for _, part := range n.Parts[1:] {
		if failed != valid {
			return 0, failed
		}
		var value int64
		if value, failed = part.evaluate(function); failed == valid {
			out, failed = arith(n.Op[0], out, value)
		}
	}
	return out, failed
}

// The phases of the changes of an action: assignments precede the others.
func phase(change string) int {
	switch change {
	case "assign":
		return 0
	case "scale-up", "scale-down":
		return 1
	}
	return 2
}
