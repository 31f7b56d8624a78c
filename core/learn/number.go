package learn

import "math"

// The standard library implements exp and log in assembly for some processors, with results
// that differ in the last bit; a thousand steps of learning amplify the difference. These
// versions are slightly less exact and equal on all machines. Each product is converted
// before it is added, because a conversion prevents a fused multiply-add with a single
// rounding.

// ln2 in two parts: the product of the first and a small integer is exact.
const (
	ln2High = 6.93147180369123816490e-01
	ln2Low  = 1.90821492927058770002e-10
)

// exp returns e to the x, with 14 digits.
func exp(x float64) float64 {
	switch {
	case x == 0:
		return 1
	case math.IsNaN(x):
		return x
	case x > 709:
		return math.Inf(1)
	case x < -708:
		return 0
	}
	k := math.Floor(float64(x/math.Ln2) + 0.5)
	r := x - float64(k*ln2High)
	r -= float64(k * ln2Low)
	sum := 0.0
	for _, c := range exponential {
		sum = c + float64(r*sum)
	}
	return float64(sum * math.Float64frombits(uint64(int(k)+1023)<<52))
}

// exponential has 1/13!, 1/12!, … 1/0!. For arguments between -0.35 and 0.35 the remainder
// is less than the last bit.
var exponential = [...]float64{
	1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040, 1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 1.0 / 2, 1, 1,
}

// log returns the natural logarithm of a positive number, with 14 digits.
func log(x float64) float64 {
	if x <= 0 || math.IsNaN(x) || math.IsInf(x, 1) {
		return math.Inf(-1)
	}
	fraction, exponent := math.Frexp(x)
	if fraction < math.Sqrt2/2 {
		fraction *= 2
		exponent--
	}
	// log f = 2 artanh((f-1)/(f+1)); the square is less than 0.03.
	z := (fraction - 1) / (fraction + 1)
	square := float64(z * z)
	sum := 0.0
	for n := 23.0; n >= 1; n -= 2 {
		sum = 1/n + float64(square*sum)
	}
	k := float64(exponent)
	return float64(k*ln2High) + (float64(2*z*sum) + float64(k*ln2Low))
}
