// Package bitset implements sets of small natural numbers.
package bitset

import "math/bits"

// Set is a set of numbers below 64 times its length.
type Set []uint64

// New returns an empty set with room for the numbers below n.
func New(n int) Set { return make(Set, (n+63)/64) }

// Add adds i to the set. It panics if the set has no room for i.
func (s Set) Add(i int) { s[i/64] |= 1 << (i % 64) }

// Has reports whether i is in the set.
func (s Set) Has(i int) bool { return s[i/64]>>(i%64)&1 != 0 }

// Copy returns a set that shares no memory with s.
func (s Set) Copy() Set { return append(Set(nil), s...) }

// Join adds the elements of another set, which must not be longer than s, and reports whether any
// of them was new.
func (s Set) Join(other Set) bool {
	changed := false
	for i, w := range other {
		if w&^s[i] != 0 {
			s[i] |= w
			changed = true
		}
	}
	return changed
}

// Each calls f with every element in increasing order.
func (s Set) Each(f func(int)) {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			f(i*64 + bits.TrailingZeros64(w))
		}
	}
}
