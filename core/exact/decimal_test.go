package exact

import (
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/source"
)

func TestDecimalsAgreeWithFractions(t *testing.T) {
	r := rand.New(rand.NewPCG(25, 2))
	text := func() string {
		digits := func(n int) string {
			var b strings.Builder
			for range 1 + r.IntN(n) {
				b.WriteByte(byte('0' + r.IntN(10)*r.IntN(2)))
			}
			return b.String()
		}
		out := []string{"", "-"}[r.IntN(2)] + digits(3)
		if r.IntN(2) == 0 {
			out += "." + digits([]int{3, 25}[r.IntN(2)])
		}
		if r.IntN(2) == 0 {
			out += []string{"e", "E", "e+", "e-"}[r.IntN(4)] + fmt.Sprint(r.IntN(30))
		}
		return out
	}
	rat := func(text string) *big.Rat {
		out, ok := new(big.Rat).SetString(text)
		if !ok {
			t.Fatalf("%q is not a number", text)
		}
		return out
	}
	for range 20_000 {
		a, b := text(), text()
		x, y := ParseDecimal(a), ParseDecimal(b)
		p, q := rat(a), rat(b)
		if rat(x.String()).Cmp(p) != 0 || ParseDecimal(x.String()) != x {
			t.Fatalf("%s is read as %s", a, x)
		}
		if x.Compare(y) != p.Cmp(q) || (x == y) != (p.Cmp(q) == 0) {
			t.Fatalf("%s and %s compare as %d", a, b, x.Compare(y))
		}
		for name, got := range map[string]func(Decimal) (Decimal, error){"+": x.Add, "-": x.Subtract, "*": x.Multiply} {
			z, err := got(y)
			want := map[string]func(a, b *big.Rat) *big.Rat{"+": new(big.Rat).Add, "-": new(big.Rat).Sub, "*": new(big.Rat).Mul}[name](p, q)
			if err != nil || rat(z.String()).Cmp(want) != 0 || ParseDecimal(z.String()) != z {
				t.Fatalf("%s %s %s is %s (%v), want %s", a, name, b, z, err, want)
			}
		}
	}
}

func TestHugeExponentsAreComparedSymbolically(t *testing.T) {
	ordered := []string{"-1e99999999999999999999", "-2e999999999", "-1e999999999", "-1e400", "-1", "-1e-999999999999999999999", "0", "1e-999999999999999999999", "1e-400", "7", "1e400", "1e999999999", "2e999999999", "1e1000000000", "9e99999999999999999999", "1e100000000000000000000"}
	for i, a := range ordered {
		for j, b := range ordered {
			if got, want := ParseDecimal(a).Compare(ParseDecimal(b)), min(max(i-j, -1), 1); got != want {
				t.Errorf("%s and %s compare as %d", a, b, got)
			}
		}
	}
	for _, same := range [][]string{{"7", "7.0", "7e0", "70e-1", "0.07e2"}, {"0", "-0", "0e999999999999999999999", "0.000"}, {"1e999999999999999999999", "10e999999999999999999998"}, {"1e400", "0.01E+402"}} {
		for _, text := range same[1:] {
			if OfNumber(ParseDecimal(text)).Identity() != OfNumber(ParseDecimal(same[0])).Identity() {
				t.Errorf("%s is not equal to %s", text, same[0])
			}
		}
	}
	huge, one := ParseDecimal("1e999999999"), ParseDecimal("1")
	if _, err := huge.Add(one); !errors.Is(err, ErrArithmetic) || source.ErrorCode(err) != "limit.rules" {
		t.Errorf("the sum is %v", err)
	}
	if difference, err := huge.Subtract(huge); err != nil || difference.String() != "0" {
		t.Errorf("the difference is %s (%v)", difference, err)
	}
	if product, err := huge.Multiply(huge); err != nil || product.String() != "1e1999999998" {
		t.Errorf("the product is %s (%v)", product, err)
	}
	if _, err := ParseDecimal("1e99999999999999999999").Multiply(one); err == nil {
		t.Error("a number with an exponent of 20 digits was multiplied")
	}
	n := huge
	for range 64 {
		next, err := n.Multiply(n)
		if err != nil {
			return
		}
		n = next
	}
	t.Error("a number was squared 64 times")
}
