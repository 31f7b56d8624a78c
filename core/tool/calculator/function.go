package calculator

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// operation is a function that expressions may call.
type operation struct {
	least, most int // number of arguments; most 0: any number
	of          func(args []quantity) (quantity, error)
}

// takes describes the accepted number of arguments.
func (o operation) takes() string {
	switch {
	case o.most == 0:
		return []string{"", "one number", "two numbers"}[o.least] + " or more"
	case o.most == o.least && o.most == 1:
		return "one number"
	case o.most == o.least:
		return strconv.Itoa(o.most) + " numbers"
	}
	return strconv.Itoa(o.least) + " or " + strconv.Itoa(o.most) + " numbers"
}

func constant(name string) (quantity, bool) {
	switch name {
	case "pi", "π":
		return quantity{near: math.Pi}, true
	case "e":
		return quantity{near: math.E}, true
	case "tau", "τ":
		return quantity{near: 2 * math.Pi}, true
	}
	return quantity{}, false
}

// functionNames lists the functions for suggestions.
func functionNames() []string {
	return strings.Fields("sqrt cbrt abs floor ceil round trunc sign min max sum mean gcd lcm mod pow exp ln log log10 log2 sin cos tan asin acos atan factorial")
}

func function(name string) (operation, bool) {
	one := func(f func(x quantity) (quantity, error)) (operation, bool) {
		return operation{1, 1, func(args []quantity) (quantity, error) { return f(args[0]) }}, true
	}
	real := func(f func(x float64) float64) (operation, bool) {
		return one(func(x quantity) (quantity, error) { return about(f(x.float())) })
	}
	angle := func(f func(x float64) float64) (operation, bool) {
		return one(func(x quantity) (quantity, error) { return turned(x, f) })
	}
	switch name {
	case "sqrt":
		return one(squareRoot)
	case "cbrt":
		return real(math.Cbrt)
	case "abs":
		return one(func(x quantity) (quantity, error) {
			if x.sign() < 0 {
				return negated(x), nil
			}
			return x, nil
		})
	case "floor":
		return one(floor)
	case "ceil", "ceiling":
		return one(ceil)
	case "trunc", "int":
		return one(func(x quantity) (quantity, error) {
			if x.sign() < 0 {
				return ceil(x)
			}
			return floor(x)
		})
	case "sign":
		return one(func(x quantity) (quantity, error) { return integer(int64(x.sign())), nil })
	case "round":
		return operation{1, 2, roundTo}, true
	case "min":
		return operation{1, 0, func(args []quantity) (quantity, error) { return extreme(args, -1) }}, true
	case "max":
		return operation{1, 0, func(args []quantity) (quantity, error) { return extreme(args, 1) }}, true
	case "sum":
		return operation{1, 0, total}, true
	case "mean", "avg", "average":
		return operation{1, 0, func(args []quantity) (quantity, error) {
			x, err := total(args)
			if err != nil {
				return x, err
			}
			return quotient(x, integer(int64(len(args))))
		}}, true
	case "gcd":
		return operation{2, 0, func(args []quantity) (quantity, error) { return divisors(args, false) }}, true
	case "lcm":
		return operation{2, 0, func(args []quantity) (quantity, error) { return divisors(args, true) }}, true
	case "mod":
		return operation{2, 2, func(args []quantity) (quantity, error) { return remainder(args[0], args[1]) }}, true
	case "pow":
		return operation{2, 2, func(args []quantity) (quantity, error) { return raise(args[0], args[1]) }}, true
	case "factorial":
		return one(factorial)
	case "exp":
		return one(func(x quantity) (quantity, error) { return notZero(about(math.Exp(x.float()))) })
	case "ln":
		return one(func(x quantity) (quantity, error) { return logarithm(x, math.E) })
	case "log10":
		return one(func(x quantity) (quantity, error) { return logarithm(x, 10) })
	case "log2":
		return one(func(x quantity) (quantity, error) { return logarithm(x, 2) })
	case "log":
		return operation{1, 2, func(args []quantity) (quantity, error) {
			if len(args) == 1 {
				return logarithm(args[0], 10)
			}
			if base := args[1].float(); base <= 0 || base == 1 {
				return args[1], arithmeticError("the base of a logarithm must be positive and not 1")
			}
			return logarithm(args[0], args[1].float())
		}}, true
	case "sin":
		return angle(math.Sin)
	case "cos":
		return angle(math.Cos)
	case "tan":
		return angle(math.Tan)
	case "asin", "arcsin":
		return real(math.Asin)
	case "acos", "arccos":
		return real(math.Acos)
	case "atan", "arctan":
		return real(math.Atan)
	}
	return operation{}, false
}

// maxAngle is the largest angle: beyond it a float64 cannot distinguish one turn from the next.
const maxAngle = 1e15

// turned applies a trigonometric function. If the angle is not exact, a result that differs
// from zero or infinity only by the rounding of π is treated as zero or infinity.
func turned(x quantity, f func(x float64) float64) (quantity, error) {
	angle := math.Abs(x.float())
	if angle > maxAngle {
		return x, arithmeticError("the angle is too large")
	}
	value := f(x.float())
	if rounding := 4e-16 * angle; x.exact == nil && rounding < 1e-6 && angle > 1 {
		if math.Abs(value) < rounding {
			value = 0
		}
		if math.Abs(value) > 1/rounding {
			return x, arithmeticError("a right angle has no tangent")
		}
	}
	return about(value)
}

func roundTo(args []quantity) (quantity, error) {
	decimals := 0
	if len(args) == 2 {
		n := args[1].float()
		if n != math.Trunc(n) || math.Abs(n) > 100 {
			return args[1], arithmeticError("expected a whole number of decimals, from -100 to 100")
		}
		decimals = int(n)
	}
	return round(args[0], decimals)
}

// compare returns -1, 0 or 1 if x is less than, equal to or greater than y.
func compare(x, y quantity) int {
	if x.exact != nil && y.exact != nil {
		return x.exact.Cmp(y.exact)
	}
	switch a, b := x.float(), y.float(); {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func extreme(args []quantity, side int) (quantity, error) {
	best := args[0]
	for _, x := range args[1:] {
		if compare(x, best) == side {
			best = x
		}
	}
	return best, nil
}

func total(args []quantity) (quantity, error) {
	sum := integer(0)
	for _, x := range args {
		var err error
		if sum, err = plus2(sum, x); err == nil {
			err = sum.fits()
		}
		if err != nil {
			return sum, err
		}
	}
	return sum, nil
}

// divisors returns the greatest common divisor or the least common multiple.
func divisors(args []quantity, multiple bool) (quantity, error) {
	var out *big.Int
	for _, x := range args {
		if x.exact == nil || !x.exact.IsInt() {
			return x, arithmeticError("gcd and lcm need whole numbers")
		}
		n := new(big.Int).Abs(x.exact.Num())
		if out == nil {
			out = n
			continue
		}
		gcd := new(big.Int).GCD(nil, nil, out, n)
		if !multiple {
			out = gcd
		} else if gcd.Sign() != 0 {
			out = new(big.Int).Mul(out, n.Div(n, gcd))
		}
		if out.BitLen() > maxBits {
			break
		}
	}
	return ratio(new(big.Rat).SetInt(out))
}

// logarithm returns an exact result for powers of an integer base, and supports numbers
// beyond the range of float64.
func logarithm(x quantity, base float64) (quantity, error) {
	if x.sign() <= 0 {
		return x, arithmeticError("only positive numbers have a logarithm")
	}
	ln := math.Log(x.float())
	if x.exact != nil {
		// ln(n·2^k) = ln n + k ln 2, for each part.
		ln = naturalLog(x.exact.Num()) - naturalLog(x.exact.Denom())
		if f := x.float(); !math.IsInf(f, 0) && f != 0 {
			ln = math.Log(f)
		}
	}
	value := ln
	switch base {
	case math.E:
		return about(value)
	case 10:
		value = ln / math.Ln10
	case 2:
		value = ln / math.Ln2
	default:
		value = ln / math.Log(base)
	}
	if near := math.Round(value); math.Abs(value-near) < 1e-9 && base == math.Trunc(base) && math.Abs(near) < 20_000 && x.exact != nil {
		if power, err := raise(integer(int64(base)), integer(int64(near))); err == nil && power.exact != nil && power.exact.Cmp(x.exact) == 0 {
			return integer(int64(near)), nil
		}
	}
	return about(value)
}

func naturalLog(n *big.Int) float64 {
	shift := max(n.BitLen()-60, 0)
	return math.Log(float64(new(big.Int).Rsh(n, uint(shift)).Int64())) + float64(shift)*math.Ln2
}
