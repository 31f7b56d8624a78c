package earley

import (
	"github.com/stile-playground/stile/core/bitset"
	"github.com/stile-playground/stile/core/grammar"
)

// groupedWants is the least number of wants of a set that are also stored as bit sets of their
// origins. With very ambiguous words a set has as many items as preceding letters, and each
// completion advances most of them, mostly to items that exist already. Bit sets let a completion
// skip 64 existing items at once.
const groupedWants = 64

// waiting is the set of items that wait for a symbol in one dotted rule: rule is the dotted rule
// after that symbol, origins the positions where the items began.
type waiting struct {
	rule    int32
	origins bitset.Set
}

// putGrouped puts the items that result from completing a symbol in a set of many
// wants, and returns how many steps it took.
func (r *Run) putGrouped(set, origin *itemSet, left grammar.Symbol) int {
	if origin.grouped == nil {
		origin.groupWants(len(r.sets))
	}
	steps := 0
	for _, w := range origin.grouped[left] {
		have := r.origins(set, w.rule, len(w.origins))
		for i, word := range w.origins {
			if word &^= have[i]; word != 0 {
				(bitset.Set{word}).Each(func(bit int) {
					steps++
					r.put(set, item{rule: w.rule, origin: int32(i*64 + bit)})
				})
			}
		}
		steps += 1 + len(w.origins)/8
	}
	return steps
}

// groupWants builds s.grouped from s.wants; every origin is below size.
func (s *itemSet) groupWants(size int) {
	s.grouped = map[grammar.Symbol][]waiting{}
	for _, w := range s.wants {
		list := s.grouped[w.symbol]
		at := 0
		for at < len(list) && list[at].rule != w.item.rule+1 {
			at++
		}
		if at == len(list) {
			list = append(list, waiting{rule: w.item.rule + 1, origins: bitset.New(size)})
			s.grouped[w.symbol] = list
		}
		list[at].origins.Add(int(w.item.origin))
	}
}

// origins returns the origins of the items of a rule in the set being built, in a bit set of at
// least the given number of words.
func (r *Run) origins(set *itemSet, rule int32, words int) bitset.Set {
	if b := r.have[rule]; len(b) >= words {
		return b
	}
	if r.have == nil {
		r.have = map[int32]bitset.Set{}
	}
	b := bitset.New(len(r.sets) + 1) // at least the requested number of words
	for _, it := range set.kernel {
		if it.rule == rule {
			b.Add(int(it.origin))
		}
	}
	r.have[rule] = b
	return b
}
