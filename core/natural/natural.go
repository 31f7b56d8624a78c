// Package natural has natural numbers of any size, with the few operations that
// counting needs. math/big has them all and would be a twentieth of the page's
// module.
package natural

import "strconv"

// base is the largest power of ten whose product with a uint32 and a carry fits
// in a uint64, so that printing needs no division.
const (
	base   = 1_000_000_000
	digits = 9 // of base
)

// Number is a natural number. Its zero value is zero. It never changes.
type Number struct {
	limbs []uint32 // below base, the lowest first; no leading zeros
}

// New returns a number.
func New(n uint64) Number {
	var limbs []uint32
	for ; n > 0; n /= base {
		limbs = append(limbs, uint32(n%base))
	}
	return Number{limbs}
}

// Plus returns the sum.
func (x Number) Plus(y Number) Number {
	if len(x.limbs) < len(y.limbs) {
		x, y = y, x
	}
	if len(y.limbs) == 0 {
		return x
	}
	sum := make([]uint32, 0, len(x.limbs)+1)
	carry := uint32(0)
	for i, limb := range x.limbs {
		s := limb + carry
		if i < len(y.limbs) {
			s += y.limbs[i]
		}
		carry = 0
		if s >= base {
			s, carry = s-base, 1
		}
		sum = append(sum, s)
	}
	if carry > 0 {
		sum = append(sum, carry)
	}
	return Number{sum}
}

// Times returns the product with a small number.
func (x Number) Times(n uint32) Number {
	if n == 0 || len(x.limbs) == 0 {
		return Number{}
	}
	product := make([]uint32, 0, len(x.limbs)+2)
	carry := uint64(0)
	for _, limb := range x.limbs {
		p := uint64(limb)*uint64(n) + carry
		product = append(product, uint32(p%base))
		carry = p / base
	}
	for ; carry > 0; carry /= base {
		product = append(product, uint32(carry%base))
	}
	return Number{product}
}

// Less reports whether x is less than y.
func (x Number) Less(y Number) bool {
	if len(x.limbs) != len(y.limbs) {
		return len(x.limbs) < len(y.limbs)
	}
	for i := len(x.limbs) - 1; i >= 0; i-- {
		if x.limbs[i] != y.limbs[i] {
			return x.limbs[i] < y.limbs[i]
		}
	}
	return false
}

// Minus returns the difference; y must not be greater than x.
func (x Number) Minus(y Number) Number {
	difference := make([]uint32, len(x.limbs))
	borrow := uint32(0)
	for i, limb := range x.limbs {
		take := borrow
		if i < len(y.limbs) {
			take += y.limbs[i]
		}
		borrow = 0
		if limb < take {
			limb, borrow = limb+base, 1
		}
		difference[i] = limb - take
	}
	return Number{trim(difference)}
}

// trim drops leading zeros.
func trim(limbs []uint32) []uint32 {
	for len(limbs) > 0 && limbs[len(limbs)-1] == 0 {
		limbs = limbs[:len(limbs)-1]
	}
	return limbs
}

// Product returns the product of two numbers.
func (x Number) Product(y Number) Number {
	product := make([]uint32, len(x.limbs)+len(y.limbs))
	for i, a := range x.limbs {
		carry := uint64(0)
		for j, b := range y.limbs {
			p := uint64(product[i+j]) + uint64(a)*uint64(b) + carry
			product[i+j] = uint32(p % base)
			carry = p / base
		}
		product[i+len(y.limbs)] = uint32(carry)
	}
	return Number{trim(product)}
}

// IsZero reports whether the number is zero.
func (x Number) IsZero() bool { return len(x.limbs) == 0 }

// Below returns a number below x, which is not zero, each as likely as any other,
// given a source of small ones: below(n) is one of 0 to n-1.
func (x Number) Below(below func(n uint32) uint32) Number {
	for {
		limbs := make([]uint32, len(x.limbs))
		top := len(limbs) - 1
		for i := range top {
			limbs[i] = below(base)
		}
		limbs[top] = below(x.limbs[top] + 1)
		if n := (Number{trim(limbs)}); n.Less(x) {
			return n
		}
	}
}

// Uint64 returns the number where it fits.
func (x Number) Uint64() (n uint64, ok bool) {
	for i := len(x.limbs) - 1; i >= 0; i-- {
		if n > (1<<64-1-uint64(x.limbs[i]))/base {
			return 0, false
		}
		n = n*base + uint64(x.limbs[i])
	}
	return n, true
}

// MarshalJSON returns the number as a JSON number of all its digits.
func (x Number) MarshalJSON() ([]byte, error) { return []byte(x.String()), nil }

// String returns the number in decimal.
func (x Number) String() string {
	if len(x.limbs) == 0 {
		return "0"
	}
	last := len(x.limbs) - 1
	out := strconv.AppendUint(nil, uint64(x.limbs[last]), 10)
	for i := last - 1; i >= 0; i-- {
		limb := strconv.Itoa(int(x.limbs[i]))
		for range digits - len(limb) {
			out = append(out, '0')
		}
		out = append(out, limb...)
	}
	return string(out)
}
