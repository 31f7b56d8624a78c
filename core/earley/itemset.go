package earley

import "math/bits"

// seenItems is a set of items that is cleared often: a hash table with open addressing. Each entry
// stores the number of times that the table had been cleared when the entry was made, so clearing
// takes constant time. With very ambiguous grammars this set dominates the parsing time.
type seenItems struct {
	entries []seenEntry // their number is a power of two
	filling uint32
	count   int
}

type seenEntry struct {
	item    item
	filling uint32
}

// clear makes the set empty.
func (s *seenItems) clear() {
	s.count = 0
	if s.filling++; s.filling == 0 { // after 2^32 fillings
		clear(s.entries)
		s.filling = 1
	}
}

// add puts an item in and reports whether it is new.
func (s *seenItems) add(it item) bool {
	if 2*s.count >= len(s.entries) {
		s.grow()
	}
	mask := len(s.entries) - 1
	for at := s.place(it); ; at = (at + 1) & mask {
		e := &s.entries[at]
		if e.filling != s.filling {
			*e = seenEntry{it, s.filling}
			s.count++
			return true
		}
		if e.item == it {
			return false
		}
	}
}

// place returns the index at which the search for an item begins: the upper bits of the product of
// the item and an odd constant that spreads consecutive items (Knuth, The Art of Computer
// Programming, vol. 3, §6.4).
func (s *seenItems) place(it item) int {
	const spread = 0x9E3779B97F4A7C15 // 2^64 over the golden ratio
	key := uint64(uint32(it.rule))<<32 | uint64(uint32(it.origin))
	return int(key * spread >> (64 - bits.Len(uint(len(s.entries)-1))))
}

func (s *seenItems) grow() {
	old := s.entries
	s.entries = make([]seenEntry, max(64, 2*len(old)))
	s.count = 0
	if s.filling == 0 {
		s.filling = 1
	}
	for _, e := range old {
		if e.filling == s.filling {
			s.add(e.item)
		}
	}
}
