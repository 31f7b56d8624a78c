// Package counting counts the words, derivation trees and plans of grammars, draws
// random words and searches for ambiguous ones. Counts are exact, so they are
// big integers.
//
// The package is separate from core/earley because the module that a page loads
// first has no counting method and therefore does not link math/big.
package counting

import (
	"math/big"
	"math/rand/v2"
)

// one is a function because a package variable would link math/big into modules that do
// not count.
func one() *big.Int { return big.NewInt(1) }

// numbers returns n zeros.
func numbers(n int) []*big.Int {
	out := make([]*big.Int, n)
	for i := range out {
		out[i] = new(big.Int)
	}
	return out
}

// limbBase is the base of the digits that below draws.
const limbBase = 1_000_000_000

// below returns a uniformly distributed number from 0 to n-1; n is positive.
//
// It draws digits of base limbBase, the lowest first, and rejects numbers of n or more, which keeps
// the distribution uniform. The digits and their order must not change, because a seed of
// grammar.sample would then draw other words.
func below(n *big.Int, random *rand.Rand) *big.Int {
	base, limb := big.NewInt(limbBase), new(big.Int)
	var powers []*big.Int // of each digit
	top := uint32(0)      // highest digit of n
	for rest, power := new(big.Int).Set(n), one(); rest.Sign() > 0; power = new(big.Int).Mul(power, base) {
		rest.DivMod(rest, base, limb)
		powers = append(powers, power)
		top = uint32(limb.Uint64())
	}
	for {
		x := new(big.Int)
		for i, power := range powers {
			digits := uint32(limbBase)
			if i == len(powers)-1 {
				digits = top + 1
			}
			limb.SetUint64(uint64(random.Uint32N(digits)))
			x.Add(x, limb.Mul(limb, power))
		}
		if x.Cmp(n) < 0 {
			return x
		}
	}
}
