package counting

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

func TestBelowIsUniform(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 5))
	count := map[string]int{}
	for range 4_000 {
		count[below(big.NewInt(4), random).String()]++
	}
	for _, n := range []string{"0", "1", "2", "3"} {
		if count[n] < 900 || count[n] > 1_100 {
			t.Errorf("%s was drawn %d times of 4000", n, count[n])
		}
	}
	// For a number of two digits both digits of the results vary, and the results stay
	// below the number.
	n := big.NewInt(3*limbBase + 7)
	low, high := false, false
	for range 200 {
		x := below(n, random)
		if x.Sign() < 0 || x.Cmp(n) >= 0 {
			t.Fatalf("%s is not below %s", x, n)
		}
		high = high || x.Cmp(big.NewInt(2*limbBase)) > 0
		low = low || x.Cmp(big.NewInt(limbBase)) < 0
	}
	if !low || !high {
		t.Errorf("low %v, high %v", low, high)
	}
}
