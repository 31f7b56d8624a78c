package earley

import (
	"github.com/stile-playground/stile/core/bitset"
	"github.com/stile-playground/stile/core/grammar"
)

// On very ambiguous words a set has as many items as it has letters before it, and
// each completion moves the dots of most of them, which mostly have been moved
// already. Where a set has many wants they are kept as sets of origins, so that a
// completion looks at 64 of them at once.
const manyWants = 64

// waiting is the items that wait for a symbol in one dotted rule: rule is what
// they become, and origins where they began.
type waiting struct {
	rule    int32
	origins bitset.Set
}

// putMany puts the items that result from completing a symbol in a set of many
// wants, and returns how many steps it took.
func (r *Run) putMany(set, origin *itemSet, left grammar.Symbol) int {
	if origin.many == nil {
		origin.groupWants(len(r.sets))
	}
	steps := 0
	for _, w := range origin.many[left] {
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

// groupWants makes many of wants; no origin is as large as size.
func (s *itemSet) groupWants(size int) {
	s.many = map[grammar.Symbol][]waiting{}
	for _, w := range s.wants {
		list := s.many[w.symbol]
		at := 0
		for at < len(list) && list[at].rule != w.item.rule+1 {
			at++
		}
		if at == len(list) {
			list = append(list, waiting{rule: w.item.rule + 1, origins: bitset.New(size)})
			s.many[w.symbol] = list
		}
		list[at].origins.Add(int(w.item.origin))
	}
}

// origins returns the origins of the items of a rule in the set being built, with
// at least so many words.
func (r *Run) origins(set *itemSet, rule int32, words int) bitset.Set {
	if b := r.have[rule]; len(b) >= words {
		return b
	}
	if r.have == nil {
		r.have = map[int32]bitset.Set{}
	}
	b := bitset.New(len(r.sets) + 1) // which are at least so many words
	for _, it := range set.kernel {
		if it.rule == rule {
			b.Add(int(it.origin))
		}
	}
	r.have[rule] = b
	return b
}
