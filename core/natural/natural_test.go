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
