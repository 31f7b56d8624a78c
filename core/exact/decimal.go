package exact

import (
	"math/big"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// Decimal is an exact decimal number: 0.DIGITS times ten to the power of lead. Numbers of JSON with
// exponents of any size are equal or ordered without writing out their zeros.
type Decimal struct {
	negative bool
	digits   string   // without zeros at either end; "" for 0
	lead     int64    // the power of ten before the first digit
	far      *big.Int // replaces lead if that exceeds maxLead; such numbers cannot be added or multiplied
}

const (
	// maxDigits bounds the digits of the result of an arithmetic operation.
	maxDigits = 10_000
	// maxLead bounds the exponents that arithmetic adds, so that sums cannot overflow.
	maxLead = 1 << 60
	// shortDigits is the number of digits that always fit an int64.
	shortDigits = 18
)

// ParseDecimal reads the text of a number: digits with an optional sign, fraction and exponent.
func ParseDecimal(text string) Decimal {
	var d Decimal
	text, d.negative = strings.CutPrefix(text, "-")
	mantissa, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	shift := int64(len(whole)) - int64(len(whole)+len(fraction)-len(digits))
	d.digits = strings.Clone(strings.TrimRight(digits, "0")) // without the text of the event
	if d.digits == "" {
		return Decimal{}
	}
	power, down := strings.CutPrefix(strings.TrimPrefix(exponent, "+"), "-")
	power = strings.TrimLeft(power, "0")
	if len(power) < shortDigits {
		n, _ := strconv.ParseInt("0"+power, 10, 64)
		if down {
			n = -n
		}
		d.lead = n + shift
		return d
	}
	n, _ := new(big.Int).SetString(power, 10)
	if down {
		n.Neg(n)
	}
	d.far = n.Add(n, big.NewInt(shift))
	if d.far.IsInt64() && -maxLead < d.far.Int64() && d.far.Int64() < maxLead {
		d.lead, d.far = d.far.Int64(), nil
	}
	return d
}

// String returns the shortest text of the number in JSON, the same for equal numbers.
func (d Decimal) String() string {
	sign := ""
	if d.negative {
		sign = "-"
	}
	n := int64(len(d.digits))
	switch {
	case n == 0:
		return "0"
	case d.far != nil:
		return sign + d.digits[:1] + fraction(d.digits[1:]) + "e" + new(big.Int).Sub(d.far, big.NewInt(1)).String()
	case d.lead > 21 || d.lead < -6:
		return sign + d.digits[:1] + fraction(d.digits[1:]) + "e" + strconv.FormatInt(d.lead-1, 10)
	case d.lead <= 0:
		return sign + "0." + strings.Repeat("0", int(-d.lead)) + d.digits
	case d.lead >= n:
		return sign + d.digits + strings.Repeat("0", int(d.lead-n))
	}
	return sign + d.digits[:d.lead] + "." + d.digits[d.lead:]
}

func fraction(digits string) string {
	if digits == "" {
		return ""
	}
	return "." + digits
}

// Compare returns -1 if d is less than other, 0 if they are equal, and 1 otherwise.
func (d Decimal) Compare(other Decimal) int {
	if sign := d.Sign() - other.Sign(); sign != 0 || d.digits == "" {
		return min(max(sign, -1), 1)
	}
	size := d.compareSize(other)
	if d.negative {
		return -size
	}
	return size
}

// Sign returns -1, 0 or 1.
func (d Decimal) Sign() int {
	switch {
	case d.digits == "":
		return 0
	case d.negative:
		return -1
	}
	return 1
}

// compareSize compares numbers that are not 0 without their signs.
func (d Decimal) compareSize(other Decimal) int {
	if d.far != nil || other.far != nil {
		if c := d.exponent().Cmp(other.exponent()); c != 0 {
			return c
		}
	} else if d.lead != other.lead {
		if d.lead < other.lead {
			return -1
		}
		return 1
	}
	return strings.Compare(d.digits, other.digits)
}

func (d Decimal) exponent() *big.Int {
	if d.far != nil {
		return d.far
	}
	return big.NewInt(d.lead)
}

// ErrArithmetic ends a rule whose numbers are too large to be added or multiplied.
var ErrArithmetic = source.NewError("limit.rules", "a number of more than 10000 digits would be needed")

// Add returns the sum; the error is ErrArithmetic.
func (d Decimal) Add(other Decimal) (Decimal, error) {
	switch {
	case d.digits == "":
		return other, nil
	case other.digits == "":
		return d, nil
	case d.far != nil || other.far != nil:
		return Decimal{}, ErrArithmetic
	}
	// Both are whole multiples of ten to the power of low.
	low := min(d.lead-int64(len(d.digits)), other.lead-int64(len(other.digits)))
	size := max(d.lead, other.lead) - low
	if size > maxDigits {
		return Decimal{}, ErrArithmetic
	}
	if size < shortDigits {
		return fromInt(d.multiple(low)+other.multiple(low), low), nil
	}
	return fromBig(new(big.Int).Add(d.bigMultiple(low), other.bigMultiple(low)), low), nil
}

// Subtract returns the difference; the error is ErrArithmetic.
func (d Decimal) Subtract(other Decimal) (Decimal, error) {
	return d.Add(other.Negate())
}

// Negate returns the number with the opposite sign.
func (d Decimal) Negate() Decimal {
	d.negative = !d.negative && d.digits != ""
	return d
}

// Multiply returns the product; the error is ErrArithmetic.
func (d Decimal) Multiply(other Decimal) (Decimal, error) {
	if d.digits == "" || other.digits == "" {
		return Decimal{}, nil
	}
	if d.far != nil || other.far != nil || len(d.digits)+len(other.digits) > maxDigits {
		return Decimal{}, ErrArithmetic
	}
	low, otherLow := d.lead-int64(len(d.digits)), other.lead-int64(len(other.digits))
	var out Decimal
	if len(d.digits)+len(other.digits) < shortDigits {
		out = fromInt(d.multiple(low)*other.multiple(otherLow), low+otherLow)
	} else {
		out = fromBig(new(big.Int).Mul(d.bigMultiple(low), other.bigMultiple(otherLow)), low+otherLow)
	}
	if out.lead > maxLead || out.lead < -maxLead {
		return Decimal{}, ErrArithmetic
	}
	return out, nil
}

// multiple returns the number as a multiple of ten to the power of low.
func (d Decimal) multiple(low int64) int64 {
	n, _ := strconv.ParseInt(d.digits, 10, 64)
	for i := d.lead - int64(len(d.digits)); i > low; i-- {
		n *= 10
	}
	if d.negative {
		return -n
	}
	return n
}

func (d Decimal) bigMultiple(low int64) *big.Int {
	n, _ := new(big.Int).SetString(d.digits+strings.Repeat("0", int(d.lead-int64(len(d.digits))-low)), 10)
	if d.negative {
		n.Neg(n)
	}
	return n
}

// FromInt returns the number n.
func FromInt(n int64) Decimal { return fromInt(n, 0) }

func fromInt(n, low int64) Decimal { return fromText(strconv.FormatInt(n, 10), low) }

func fromBig(n *big.Int, low int64) Decimal { return fromText(n.String(), low) }

func fromText(text string, low int64) Decimal {
	digits, negative := strings.CutPrefix(text, "-")
	if digits == "0" {
		return Decimal{}
	}
	return Decimal{negative: negative, digits: strings.TrimRight(digits, "0"), lead: low + int64(len(digits))}
}

// IsInteger reports whether the number is whole.
func (d Decimal) IsInteger() bool {
	if d.far != nil {
		return d.far.Sign() > 0
	}
	return d.digits == "" || d.lead >= int64(len(d.digits))
}

// IsStep reports whether d is positive, with at most the given digits and an exponent for [Decimal.IsMultiple].
func (d Decimal) IsStep(digits int) bool {
	return d.Sign() > 0 && d.far == nil && len(d.digits) <= digits
}

// IsMultiple reports whether d is a whole multiple of step, for which IsStep is true. Exponents of any size are
// powers modulo the digits of step.
func (d Decimal) IsMultiple(step Decimal) bool {
	if d.digits == "" {
		return true
	}
	power := new(big.Int).Sub(d.exponent(), big.NewInt(int64(len(d.digits))))
	power.Sub(power, big.NewInt(step.lead-int64(len(step.digits))))
	if power.Sign() < 0 { // the last digit of d is not 0
		return false
	}
	n, _ := new(big.Int).SetString(d.digits, 10)
	m, _ := new(big.Int).SetString(step.digits, 10)
	n.Mod(n, m)
	for base, i := big.NewInt(10), 0; i < power.BitLen(); i++ { // math/big's Exp would add 30 kB to the module
		if power.Bit(i) == 1 {
			n.Mod(n.Mul(n, base), m)
		}
		base.Mod(base.Mul(base, base), m)
	}
	return n.Sign() == 0
}
