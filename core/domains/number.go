package domains

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// Number is an exact decimal fraction: digits·10^-places. Floating point would make 110 %
// of 100 slightly more than 110, so that a demand of 110 units would need 111.
type Number struct {
	digits int64
	places int
}

// maxDigits bounds the digits of a number, so that a product of two fits in 64 bits.
const maxDigits = 1 << 31

// IntegerNumber converts an int to a Number.
func IntegerNumber(n int) Number { return Number{digits: int64(n)} }

// ParseNumber reads a number as JSON writes it, without an exponent.
func ParseNumber(text string) (Number, error) {
	whole, fraction, _ := strings.Cut(text, ".")
	fraction = strings.TrimRight(fraction, "0")
	digits, err := strconv.ParseInt(whole+fraction, 10, 64)
	if err != nil || digits > maxDigits || -digits > maxDigits {
		return Number{}, source.NewError("domains.number", fmt.Sprintf("%q is not a number of at most nine digits", text))
	}
	return Number{digits, len(fraction)}, nil
}

// trimmed removes trailing zeros of the fraction.
func (n Number) trimmed() Number {
	for n.places > 0 && n.digits%10 == 0 {
		n.digits, n.places = n.digits/10, n.places-1
	}
	return n
}

// Times returns the product of two numbers.
func (n Number) Times(m Number) Number {
	return Number{n.digits * m.digits, n.places + m.places}.trimmed()
}

// Plus returns the sum of two numbers.
func (n Number) Plus(m Number) Number {
	for n.places < m.places {
		n.digits, n.places = n.digits*10, n.places+1
	}
	for m.places < n.places {
		m.digits, m.places = m.digits*10, m.places+1
	}
	return Number{n.digits + m.digits, n.places}.trimmed()
}

// Negative returns the number with its sign changed.
func (n Number) Negative() Number { return Number{-n.digits, n.places} }

// less reports whether the number is smaller than another.
func (n Number) less(m Number) bool { return n.Plus(m.Negative()).digits < 0 }

// Floor returns the greatest integer not above the number.
func (n Number) Floor() Number {
	for ; n.places > 0; n.places-- {
		rest := n.digits % 10
		n.digits /= 10
		if rest < 0 {
			n.digits--
		}
	}
	return n
}

// Ceil returns the least integer not below the number.
func (n Number) Ceil() Number { return n.Negative().Floor().Negative() }

// String formats the number for JSON and LP.
func (n Number) String() string {
	digits := strconv.FormatInt(n.digits, 10)
	sign := ""
	if n.digits < 0 {
		sign, digits = "-", digits[1:]
	}
	for len(digits) <= n.places {
		digits = "0" + digits
	}
	if n.places == 0 {
		return sign + digits
	}
	return sign + digits[:len(digits)-n.places] + "." + digits[len(digits)-n.places:]
}
