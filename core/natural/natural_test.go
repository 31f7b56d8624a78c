package natural

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

func TestSumsAndProductsAreThoseOfMathBig(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		start := random.Uint64() >> random.IntN(64)
		x, want := New(start), new(big.Int).SetUint64(start)
		for range 60 {
			n := random.Uint64() >> random.IntN(64)
			if random.IntN(2) == 0 {
				x = x.Plus(New(n))
				want.Add(want, new(big.Int).SetUint64(n))
			} else {
				factor := uint32(n)
				if random.IntN(8) == 0 {
					factor = math.MaxUint32
				}
				if random.IntN(20) > 0 && factor == 0 {
					factor = 1
				}
				x = x.Times(factor)
				want.Mul(want, big.NewInt(int64(factor)))
			}
			if x.String() != want.String() {
				t.Fatalf("got %s, want %s", x, want)
			}
		}
	}
}

func TestNumbersDoNotChange(t *testing.T) {
	x := New(base - 1)
	_ = x.Plus(New(1))
	_ = x.Times(7)
	if got := x.String(); got != "999999999" {
		t.Errorf("the number became %s", got)
	}
	if got := x.Plus(New(1)).String(); got != "1000000000" {
		t.Errorf("999999999 + 1 = %s", got)
	}
}

// number draws a number of some limbs, often with nines or noughts in them, where
// carries and borrows are.
func number(random *rand.Rand) (Number, *big.Int) {
	x, want := Number{}, new(big.Int)
	for range random.IntN(5) {
		limb := uint64(random.IntN(base))
		switch random.IntN(4) {
		case 0:
			limb = base - 1
		case 1:
			limb = 0
		}
		x = x.Times(base).Plus(New(limb))
		want.Mul(want, big.NewInt(base)).Add(want, new(big.Int).SetUint64(limb))
	}
	return x, want
}

func TestTheOtherOperationsAreThoseOfMathBigToo(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 3))
	for range 5_000 {
		x, a := number(random)
		y, b := number(random)
		if random.IntN(4) == 0 {
			y, b = x, a
		}
		if got, want := x.Less(y), a.Cmp(b) < 0; got != want {
			t.Fatalf("%s < %s is %v", x, y, got)
		}
		if got, want := x.Product(y), new(big.Int).Mul(a, b); got.String() != want.String() {
			t.Fatalf("%s times %s is %s, want %s", x, y, got, want)
		}
		if x.IsZero() != (a.Sign() == 0) {
			t.Fatalf("%s is zero: %v", x, x.IsZero())
		}
		if n, ok := x.Uint64(); ok != a.IsUint64() || ok && n != a.Uint64() {
			t.Fatalf("%s as a uint64 is %d, %v", x, n, ok)
		}
		if text, err := x.MarshalJSON(); err != nil || string(text) != a.String() {
			t.Fatalf("as JSON it is %s, want %s, %v", text, a, err)
		}
		if x.Less(y) {
			x, y, a, b = y, x, b, a
		}
		if got, want := x.Minus(y), new(big.Int).Sub(a, b); got.String() != want.String() {
			t.Fatalf("%s less %s is %s, want %s", x, y, got, want)
		}
		// Equal numbers have equal limbs, however they came about.
		if got := x.Minus(y).Plus(y); got.Less(x) || x.Less(got) || len(got.limbs) != len(x.limbs) {
			t.Fatalf("%s less %s and plus it is %s", x, y, got)
		}
	}
	for _, n := range []uint64{0, 1, math.MaxUint64, math.MaxUint64 - 1} {
		if got, ok := New(n).Uint64(); !ok || got != n {
			t.Errorf("%d is %d, %v", n, got, ok)
		}
	}
	if got, ok := New(math.MaxUint64).Plus(New(1)).Uint64(); ok {
		t.Errorf("2^64 is the uint64 %d", got)
	}
}

// Each number below another is drawn equally often, those with several limbs, too.
func TestNumbersBelowAreDrawnAlike(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 5))
	count := map[string]int{}
	for range 4_000 {
		count[New(4).Below(random.Uint32N).String()]++
	}
	for _, n := range []string{"0", "1", "2", "3"} {
		if count[n] < 900 || count[n] > 1_100 {
			t.Errorf("%s was drawn %d times of 4000", n, count[n])
		}
	}
	// The digits that the source gives, the highest last; what is not below is drawn again.
	drawn := func(x Number, numbers ...uint32) string {
		return x.Below(func(n uint32) uint32 {
			d := numbers[0]
			if numbers = numbers[1:]; d >= n {
				t.Fatalf("%d is drawn below %d", d, n)
			}
			return d
		}).String()
	}
	x := New(3 * base).Plus(New(7))
	for _, c := range []struct {
		numbers []uint32
		want    string
	}{{[]uint32{5, 2}, "2000000005"}, {[]uint32{6, 3}, "3000000006"}, {[]uint32{7, 3, 9, 0}, "9"}, {[]uint32{8, 3, 0, 0}, "0"}} {
		if got := drawn(x, c.numbers...); got != c.want {
			t.Errorf("%v draws %s, want %s", c.numbers, got, c.want)
		}
	}
}
