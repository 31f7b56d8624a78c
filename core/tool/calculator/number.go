package calculator

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// quantity is a number, exact or as a float64.
type quantity struct {
	exact *big.Rat // nil: near is the value
	near  float64
}

// maxBits bounds the size of numerators and denominators.
const maxBits = MaxDigits * 3322 / 1000

func integer(n int64) quantity { return quantity{exact: big.NewRat(n, 1)} }

func ratio(x *big.Rat) (quantity, error) { return quantity{exact: x}, nil }

func about(f float64) (quantity, error) { return quantity{near: f}, nil }

// decimal returns digits, which may contain a point, times a power of ten.
func decimal(digits string, exponent int) quantity {
	before, after, _ := strings.Cut(digits, ".")
	n := integerOf(before + after)
	return quantity{exact: new(big.Rat).Mul(new(big.Rat).SetInt(n), powerOfTen(exponent-len(after)))}
}

// wordDigits is the number of decimal digits that are converted at a time.
const wordDigits = 18

// integerOf converts digits to an integer. The conversions of math/big, which support any base,
// would add another 12 KB to the module.
func integerOf(digits string) *big.Int {
	n := new(big.Int)
	for digits != "" {
		size := min(len(digits), wordDigits)
		scale := int64(1)
		for range size {
			scale *= 10
		}
		part, _ := strconv.ParseInt(digits[:size], 10, 64) // digits only, so there is no error
		n.Add(n.Mul(n, big.NewInt(scale)), big.NewInt(part))
		digits = digits[size:]
	}
	return n
}

// digitsOf formats an integer in decimal.
func digitsOf(n *big.Int) string {
	rest, part := new(big.Int).Abs(n), new(big.Int)
	scale := big.NewInt(1_000_000_000_000_000_000)
	var parts []string
	for rest.Cmp(scale) >= 0 {
		rest.QuoRem(rest, scale, part)
		text := strconv.FormatInt(part.Int64(), 10)
		parts = append(parts, strings.Repeat("0", wordDigits-len(text))+text)
	}
	out := strconv.FormatInt(rest.Int64(), 10)
	for i := len(parts) - 1; i >= 0; i-- {
		out += parts[i]
	}
	if n.Sign() < 0 {
		out = "-" + out
	}
	return out
}

func powerOfTen(n int) *big.Rat {
	p := integerPower(big.NewInt(10), int64(max(n, -n)))
	if n < 0 {
		return new(big.Rat).SetFrac(big.NewInt(1), p)
	}
	return new(big.Rat).SetInt(p)
}

// bits returns the length of the numerator or the denominator, whichever is larger.
func (x quantity) bits() int {
	if x.exact == nil {
		return 64
	}
	return max(x.exact.Num().BitLen(), x.exact.Denom().BitLen())
}

// float returns the nearest float64, infinite if the number is too large.
func (x quantity) float() float64 {
	if x.exact == nil {
		return x.near
	}
	f, _ := x.exact.Float64()
	return f
}

// fits returns an error for a quantity that is too large or is NaN.
func (x quantity) fits() error {
	switch {
	case x.exact != nil && x.bits() > maxBits:
		return arithmeticError(fmt.Sprintf("the number has more than %d digits", MaxDigits))
	case x.exact == nil && math.IsNaN(x.near):
		return arithmeticError("the result is not a real number")
	case x.exact == nil && math.IsInf(x.near, 0):
		return arithmeticError("the number is too large")
	}
	return nil
}

func (x quantity) sign() int {
	if x.exact != nil {
		return x.exact.Sign()
	}
	switch {
	case x.near > 0:
		return 1
	case x.near < 0:
		return -1
	}
	return 0
}

// both applies exact if both numbers are exact, otherwise near.
func both(x, y quantity, exact func(z, x, y *big.Rat) *big.Rat, near func(x, y float64) float64) (quantity, error) {
	if x.exact != nil && y.exact != nil {
		return ratio(exact(new(big.Rat), x.exact, y.exact))
	}
	return about(near(x.float(), y.float()))
}

func plus2(x, y quantity) (quantity, error) {
	return both(x, y, (*big.Rat).Add, func(x, y float64) float64 { return x + y })
}

func minus(x, y quantity) (quantity, error) {
	return both(x, y, (*big.Rat).Sub, func(x, y float64) float64 { return x - y })
}

func times(x, y quantity) (quantity, error) {
	z, err := both(x, y, (*big.Rat).Mul, func(x, y float64) float64 { return x * y })
	if x.sign() == 0 || y.sign() == 0 {
		return z, err
	}
	return notZero(z, err)
}

// notZero returns an error for a result that underflowed to zero.
func notZero(x quantity, err error) (quantity, error) {
	if err == nil && x.sign() == 0 {
		err = arithmeticError("the number is too small")
	}
	return x, err
}

func quotient(x, y quantity) (quantity, error) {
	if y.sign() == 0 {
		return x, arithmeticError("division by zero")
	}
	z, err := both(x, y, (*big.Rat).Quo, func(x, y float64) float64 { return x / y })
	if x.sign() == 0 {
		return z, err
	}
	return notZero(z, err)
}

func integerQuotient(x, y quantity) (quantity, error) {
	q, err := quotient(x, y)
	if err != nil {
		return q, err
	}
	return floor(q)
}

// remainder is x - y⌊x/y⌋.
func remainder(x, y quantity) (quantity, error) {
	q, err := integerQuotient(x, y)
	if err != nil {
		return q, err
	}
	if q.exact == nil { // so large that the remainder has no correct digits
		return q, arithmeticError("the quotient is too large for a remainder")
	}
	p, err := times(q, y)
	if err != nil {
		return p, err
	}
	return minus(x, p)
}

// floor returns the greatest integer that is at most x.
func floor(x quantity) (quantity, error) {
	if x.exact == nil {
		return exactly(math.Floor(x.near))
	}
	// Euclidean division rounds down, because a denominator is positive.
	return ratio(new(big.Rat).SetInt(new(big.Int).Div(x.exact.Num(), x.exact.Denom())))
}

// exactly converts a float64 that is an integer to an exact number if it is small enough.
func exactly(f float64) (quantity, error) {
	if math.Abs(f) < 1e15 {
		return integer(int64(f)), nil
	}
	return about(f)
}

func negated(x quantity) quantity {
	if x.exact == nil {
		return quantity{near: -x.near}
	}
	return quantity{exact: new(big.Rat).Neg(x.exact)}
}

// ceil returns the least integer that is at least x.
func ceil(x quantity) (quantity, error) {
	y, err := floor(negated(x))
	return negated(y), err
}

// round rounds to a number of decimals, halves away from zero.
func round(x quantity, decimals int) (quantity, error) {
	scale := quantity{exact: powerOfTen(decimals)}
	y := x
	if x.sign() < 0 {
		y = negated(x)
	}
	y, err := times(y, scale)
	if err == nil {
		y, err = plus2(y, quantity{exact: big.NewRat(1, 2)})
	}
	if err == nil {
		y, err = floor(y)
	}
	if err == nil {
		y, err = quotient(y, scale)
	}
	if x.sign() < 0 {
		y = negated(y)
	}
	return y, err
}

// raise returns x to the power of y.
func raise(x, y quantity) (quantity, error) {
	if x.sign() == 0 && y.sign() < 0 {
		return x, arithmeticError("zero has no negative powers")
	}
	if x.exact != nil && y.exact != nil && y.exact.IsInt() {
		if n := y.exact.Num(); n.IsInt64() {
			return raiseInteger(x, n.Int64())
		}
		return tooLarge(x, y)
	}
	if x.exact != nil && y.exact != nil && y.exact.Cmp(big.NewRat(1, 2)) == 0 {
		return squareRoot(x)
	}
	if x.sign() < 0 && !(y.exact == nil && y.near == math.Trunc(y.near)) {
		return x, arithmeticError("a negative number can only have a whole exponent")
	}
	z, err := about(math.Pow(x.float(), y.float()))
	if x.sign() == 0 {
		return z, err
	}
	return notZero(z, err)
}

func raiseInteger(x quantity, n int64) (quantity, error) {
	size := float64(max(n, -n)) * float64(x.bits()-1)
	if size > maxBits {
		return tooLarge(x, integer(n))
	}
	num, den := integerPower(x.exact.Num(), max(n, -n)), integerPower(x.exact.Denom(), max(n, -n))
	if n < 0 {
		num, den = den, num
	}
	return ratio(new(big.Rat).SetFrac(num, den))
}

// integerPower returns x to the power of n by squaring. big.Int.Exp would add its code for
// moduli to the module.
func integerPower(x *big.Int, n int64) *big.Int {
	out, square := big.NewInt(1), new(big.Int).Set(x)
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			out.Mul(out, square)
		}
		if n > 1 {
			square.Mul(square, square)
		}
	}
	return out
}

// tooLarge returns an approximation of a power that is too large to be exact.
func tooLarge(x, y quantity) (quantity, error) {
	if x.exact.IsInt() && x.exact.Num().CmpAbs(big.NewInt(1)) <= 0 { // 0, 1 and -1
		if x.sign() < 0 && y.exact.Num().Bit(0) == 0 {
			return integer(1), nil
		}
		return x, nil
	}
	f := math.Pow(x.float(), y.float())
	if math.IsInf(f, 0) || f == 0 {
		return x, arithmeticError(fmt.Sprintf("the power has more than %d digits", MaxDigits))
	}
	return about(f)
}

// squareRoot returns the exact root if it is rational.
func squareRoot(x quantity) (quantity, error) {
	if x.sign() < 0 {
		return x, arithmeticError("a negative number has no real square root")
	}
	if x.exact != nil {
		num, den := new(big.Int).Sqrt(x.exact.Num()), new(big.Int).Sqrt(x.exact.Denom())
		root := new(big.Rat).SetFrac(num, den)
		if new(big.Rat).Mul(root, root).Cmp(x.exact) == 0 {
			return ratio(root)
		}
		if f := x.float(); math.IsInf(f, 0) || f == 0 { // out of the range of float64
			return ratio(root)
		}
	}
	return about(math.Sqrt(x.float()))
}

// maxFactorial is the largest number whose factorial has at most MaxDigits digits.
const maxFactorial = 1_463

func factorial(x quantity) (quantity, error) {
	if x.exact == nil || !x.exact.IsInt() || x.sign() < 0 {
		return x, arithmeticError("only 0 and positive whole numbers have a factorial here")
	}
	n := x.exact.Num()
	if !n.IsInt64() || n.Int64() > maxFactorial {
		return x, arithmeticError(fmt.Sprintf("the factorial has more than %d digits", MaxDigits))
	}
	out := big.NewInt(1)
	for k := int64(2); k <= n.Int64(); k++ {
		out.Mul(out, big.NewInt(k))
	}
	return ratio(new(big.Rat).SetInt(out))
}

// String formats the number as [Calculate] documents.
func (x quantity) String() string {
	if x.exact == nil {
		if x.near == 0 {
			return "0" // not -0
		}
		return strconv.FormatFloat(x.near, 'g', 15, 64)
	}
	if x.exact.IsInt() {
		return digitsOf(x.exact.Num())
	}
	if digits, exponent, ok := x.digits(); ok {
		return plainDecimal(x.sign() < 0, digits, exponent)
	}
	digits, exponent := x.rounded(15)
	out := plainDecimal(x.sign() < 0, digits, exponent)
	if fraction := digitsOf(x.exact.Num()) + "/" + digitsOf(x.exact.Denom()); len(fraction) <= 21 && !x.terminates() {
		out += " (" + fraction + ")"
	}
	return out
}

// maxDecimals is the maximum number of digits of a decimal that is written in full.
const maxDecimals = 30

// terminates reports whether the decimal expansion is finite.
func (x quantity) terminates() bool {
	rest := new(big.Int).Set(x.exact.Denom())
	rest.Rsh(rest, rest.TrailingZeroBits())
	five, m := big.NewInt(5), new(big.Int)
	for {
		q, r := new(big.Int).QuoRem(rest, five, m)
		if r.Sign() != 0 {
			return rest.IsInt64() && rest.Int64() == 1
		}
		rest = q
	}
}

// digits returns the digits of a decimal and the power of ten of the first digit; ok is
// false if there are more than maxDecimals digits.
func (x quantity) digits() (digits string, exponent int, ok bool) {
	digits, exponent = x.rounded(maxDecimals)
	return digits, exponent, new(big.Rat).Abs(x.exact).Cmp(decimal(digits, exponent-len(digits)+1).exact) == 0
}

// rounded rounds the number to the given count of significant digits. It returns the digits without trailing zeros,
// and the power of ten of the first digit.
func (x quantity) rounded(count int) (digits string, exponent int) {
	abs := new(big.Rat).Abs(x.exact)
	// log10(2) is a little more than 0.30102; the estimate is one too large or right.
	exponent = int(math.Floor(float64(abs.Num().BitLen()-abs.Denom().BitLen()+1) * 0.30103))
	if abs.Cmp(powerOfTen(exponent)) < 0 {
		exponent--
	}
	scaled := new(big.Rat).Mul(abs, powerOfTen(count-1-exponent))
	n := new(big.Int).Lsh(scaled.Num(), 1)
	n.Add(n, scaled.Denom())
	n.Div(n, new(big.Int).Lsh(scaled.Denom(), 1))
	digits = digitsOf(n)
	if len(digits) > count { // rounded up to the next power of ten
		exponent++
	}
	return strings.TrimRight(digits, "0"), exponent
}

// plainDecimal places the point in a decimal, or writes an exponent for very large and very
// small numbers.
func plainDecimal(negative bool, digits string, exponent int) string {
	out := digits
	switch {
	case exponent < -7 || exponent > 20:
		out = digits[:1]
		if len(digits) > 1 {
			out += "." + digits[1:]
		}
		out += fmt.Sprintf("e%+03d", exponent)
	case exponent < 0:
		out = "0." + strings.Repeat("0", -exponent-1) + digits
	case exponent+1 >= len(digits):
		out += strings.Repeat("0", exponent+1-len(digits))
	default:
		out = digits[:exponent+1] + "." + digits[exponent+1:]
	}
	if negative {
		out = "-" + out
	}
	return out
}
