package earley

import (
	"sort"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

// Forest is the shared packed parse forest of a word: all its derivation trees, with common parts
// stored once. It is binarised, so its size is at most cubic (Scott 2008), and linear for words
// that are parsed in linear time.
//
// It is cyclic if a nonterminal derives itself; the word then has infinitely many trees.
type Forest struct {
	Nodes []ForestNode // the first is the root

	g      *grammar.Grammar
	counts []int64 // trees by node, computed on first use
	rank   []int32 // by node: a packed node leads to lower ranks only if its tree ends
}

// ForestNode is a symbol with the part of the word that it derives, the letters From to
// To-1; or, if Production is not -1, the first Dot symbols of a production's right side
// with their part of the word. A terminal has no packed nodes.
type ForestNode struct {
	Symbol     grammar.Symbol // the production's left side where Production is not -1
	Production int
	Dot        int
	From, To   int
	Packed     []Packed
}

// Packed is one way to derive a node: by a production whose last symbol (or whose Dot-th) is
// derived by Last, and the symbols before it by Before. Either is -1 if absent: an empty right
// side has neither, a single symbol no Before.
type Packed struct {
	Production   int
	Before, Last int32
}

// Forest parses a word and returns its forest, or nil if the word is not in the language. The
// error is a limit of the meter.
func (p *Parser) Forest(word []grammar.Symbol, m *meter.Meter) (*Forest, error) {
	b, err := p.beginForest(word, m)
	if b == nil || err != nil {
		return nil, err
	}
	for at := 0; at < len(b.Nodes); at++ {
		if err := b.pack(int32(at)); err != nil {
			return nil, err
		}
	}
	return b.Forest, nil
}

// beginForest parses a word and returns its forest with the root only, which is not packed yet.
func (p *Parser) beginForest(word []grammar.Symbol, m *meter.Meter) (*forestBuilder, error) {
	r := p.Start(m)
	for _, t := range word {
		if ok, err := r.Push(t); !ok || err != nil {
			return nil, err
		}
	}
	if !r.Complete() {
		return nil, nil
	}
	b := &forestBuilder{
		Forest: &Forest{g: p.g}, r: r, word: word,
		items: make([][]item, len(r.sets)), numbers: map[forestKey]int32{}, stamp: make([]int32, len(r.sets)),
	}
	b.node(forestKey{production: -1, symbol: p.g.Start, to: int32(len(word))})
	return b, b.index()
}

type forestKey struct {
	production, dot int32
	symbol          grammar.Symbol
	from, to        int32
}

type forestBuilder struct {
	*Forest
	r       *Run
	word    []grammar.Symbol
	items   [][]item         // by set: its completed items, sorted, computed on first use
	ends    map[item][]int32 // by item that is not complete: the sets that have it
	numbers map[forestKey]int32
	stamp   []int32 // by position: the last search that found it as a split
	time    int32
}

func (b *forestBuilder) node(k forestKey) int32 {
	n, ok := b.numbers[k]
	if !ok {
		n = int32(len(b.Nodes))
		b.numbers[k] = n
		b.Nodes = append(b.Nodes, ForestNode{
			Symbol: k.symbol, Production: int(k.production), Dot: int(k.dot), From: int(k.from), To: int(k.to),
		})
	}
	return n
}

// pack finds all ways to derive a node.
func (b *forestBuilder) pack(at int32) error {
	n := b.Nodes[at]
	if err := b.r.m.Spend(meter.States, 1); err != nil {
		return err
	}
	switch {
	case n.Production >= 0:
		return b.split(at, n.Production, n.Dot)
	case b.g.IsTerminal(n.Symbol):
		return nil
	}
	for _, production := range b.g.ByLeft(n.Symbol) {
		if b.r.p.first[production] < 0 {
			continue
		}
		right := b.g.Productions[production].Right
		if len(right) == 0 {
			if n.From == n.To {
				b.Nodes[at].Packed = append(b.Nodes[at].Packed, Packed{Production: production, Before: -1, Last: -1})
			}
			continue
		}
		if err := b.split(at, production, len(right)); err != nil {
			return err
		}
	}
	return nil
}

// split finds all ways to derive the first symbols of a production: the positions where the last
// of them may begin. Such a position is a start of the last symbol and an end of the symbols
// before it; split iterates over the smaller of these two sets.
func (b *forestBuilder) split(at int32, production, dot int) error {
	n := b.Nodes[at]
	from, to := int32(n.From), int32(n.To)
	last := b.g.Productions[production].Right[dot-1]
	middles, err := b.middles(production, dot, last, from, to)
	if err != nil {
		return err
	}
	for _, middle := range middles {
		packed := Packed{Production: production, Before: -1}
		switch {
		case dot == 2:
			packed.Before = b.node(forestKey{production: -1, symbol: b.g.Productions[production].Right[0], from: from, to: middle})
		case dot > 2:
			packed.Before = b.node(forestKey{production: int32(production), dot: int32(dot - 1), symbol: n.Symbol, from: from, to: middle})
		}
		packed.Last = b.node(forestKey{production: -1, symbol: last, from: middle, to: to})
		b.Nodes[at].Packed = append(b.Nodes[at].Packed, packed)
	}
	return b.r.m.Spend(meter.States, int64(len(middles))/8)
}

// middles returns, in increasing order, the positions where the last of the first dot symbols of a
// production may begin if these symbols together derive the letters between from and to.
func (b *forestBuilder) middles(production, dot int, last grammar.Symbol, from, to int32) ([]int32, error) {
	var out []int32
	if b.g.IsTerminal(last) {
		if to > from && b.word[to-1] == last && b.derivesPrefix(production, dot-1, from, to-1) {
			out = append(out, to-1)
		}
		return out, b.r.m.Step(1)
	}
	ranges, most, err := b.complete(last, from, to)
	if err != nil {
		return nil, err
	}
	ends := b.ends[item{b.r.p.first[production] + int32(dot-1), from}]
	if len(ends) < most {
		if b.prefixVanishes(production, dot-1) && has(ranges, from) {
			out = append(out, from)
		}
		for _, middle := range ends {
			if middle < to && has(ranges, middle) {
				out = append(out, middle)
			}
		}
		most = len(ends)
	} else {
		b.time++
		for _, items := range ranges {
			for _, it := range items {
				if b.stamp[it.origin] != b.time && b.derivesPrefix(production, dot-1, from, it.origin) {
					b.stamp[it.origin] = b.time
					out = append(out, it.origin)
				}
			}
		}
		sort.Slice(out, func(i, j int) bool { return out[i] < out[j] })
	}
	if b.r.p.nullable[last] && b.derivesPrefix(production, dot-1, from, to) {
		out = append(out, to)
	}
	return out, b.r.m.Step(1 + most)
}

// complete returns the completed items of a nonterminal that ends at to and begins at from or later
// but before to, as one slice per production, and their total number.
func (b *forestBuilder) complete(s grammar.Symbol, from, to int32) (ranges [][]item, total int, err error) {
	items, err := b.set(int(to))
	if err != nil {
		return nil, 0, err
	}
	for _, production := range b.g.ByLeft(s) {
		first := b.r.p.first[production]
		if first < 0 {
			continue
		}
		rule := first + int32(len(b.g.Productions[production].Right))
		low := sort.Search(len(items), func(i int) bool { return !items[i].less(item{rule, from}) })
		high := sort.Search(len(items), func(i int) bool { return !items[i].less(item{rule, to}) })
		if low < high {
			ranges = append(ranges, items[low:high])
			total += high - low
		}
	}
	return ranges, total, nil
}

// has reports whether any item of the ranges has the given origin.
func has(ranges [][]item, origin int32) bool {
	for _, items := range ranges {
		i := sort.Search(len(items), func(i int) bool { return items[i].origin >= origin })
		if i < len(items) && items[i].origin == origin {
			return true
		}
	}
	return false
}

// derivesPrefix reports whether the first dot symbols of a production, fewer than all, derive the
// letters between from and to.
func (b *forestBuilder) derivesPrefix(production, dot int, from, to int32) bool {
	if from == to {
		return b.prefixVanishes(production, dot)
	}
	if dot == 0 {
		return false
	}
	ends := b.ends[item{b.r.p.first[production] + int32(dot), from}]
	i := sort.Search(len(ends), func(i int) bool { return ends[i] >= to })
	return i < len(ends) && ends[i] == to
}

func (b *forestBuilder) prefixVanishes(production, dot int) bool {
	return allOf(b.g.Productions[production].Right[:dot], b.r.p.nullable)
}

func (it item) less(other item) bool {
	return it.rule < other.rule || it.rule == other.rule && it.origin < other.origin
}

// index lists, by item that is not complete, the sets that have it, in order.
func (b *forestBuilder) index() error {
	b.ends = map[item][]int32{}
	for at := range b.r.sets {
		for _, it := range b.r.sets[at].kernel {
			if b.r.p.next[it.rule] != complete {
				b.ends[it] = append(b.ends[it], int32(at))
			}
		}
		if err := b.r.m.Step(len(b.r.sets[at].kernel)); err != nil {
			return err
		}
	}
	return nil
}

// set returns the completed items of a set, sorted. Parsing with Leo items skips some of them; they
// are added here on demand, which for a right-recursive word is at its end.
func (b *forestBuilder) set(at int) ([]item, error) {
	if b.items[at] != nil {
		return b.items[at], nil
	}
	r := b.r
	set := itemSet{}
	r.clear()
	for _, it := range r.sets[at].kernel {
		if r.p.next[it.rule] == complete {
			r.put(&set, it)
		}
	}
	var err error
	for i := 0; i < len(set.kernel) && err == nil; i++ {
		if it := set.kernel[i]; r.p.next[it.rule] == complete && it.rule != acceptedRule {
			err = r.completeEach(&set, it)
		}
	}
	r.clear()
	if err != nil {
		return nil, err
	}
	completed := make([]item, 0, len(set.kernel))
	for _, it := range set.kernel {
		if r.p.next[it.rule] == complete {
			completed = append(completed, it)
		}
	}
	sort.Slice(completed, func(i, j int) bool { return completed[i].less(completed[j]) })
	b.items[at] = completed
	return completed, r.m.Spend(meter.States, int64(len(completed)))
}

// MaxTrees is the largest number of derivation trees that is counted exactly. It is also the
// largest integer that every JSON parser represents exactly.
const MaxTrees = 1 << 53

// InfinitelyMany is the number of trees of a cyclic forest.
const InfinitelyMany = -1

// Trees returns the number of trees of the forest, or [InfinitelyMany]. The error has code
// "limit.trees" above [MaxTrees].
func (f *Forest) Trees() (int64, error) {
	return f.count(func(int32) error { return nil })
}

// count counts the trees of every node from the leaves up. It calls pack with each node before it
// reads the node's packed nodes.
func (f *Forest) count(pack func(at int32) error) (int64, error) {
	const open, done = 1, 2
	var state []uint8
	counts := []int64{}
	type frame struct {
		node        int32
		packed, arm int
	}
	var stack []frame
	tooMany := false
	enter := func(at int32) error {
		err := pack(at)
		for len(state) < len(f.Nodes) {
			state, counts = append(state, 0), append(counts, 0)
		}
		state[at] = open
		stack = append(stack, frame{node: at})
		return err
	}
	if err := enter(0); err != nil {
		return 0, err
	}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		n := &f.Nodes[top.node]
		if top.packed == len(n.Packed) {
			trees, ok := f.sum(n, counts)
			if !ok {
				if !tooMany && !f.g.Cyclic() {
					return 0, errTooManyTrees
				}
				trees, tooMany = MaxTrees, true // another part may have infinitely many
			}
			counts[top.node] = trees
			state[top.node] = done
			stack = stack[:len(stack)-1]
			continue
		}
		child := n.Packed[top.packed].Before
		if top.arm == 1 {
			child = n.Packed[top.packed].Last
		}
		if top.arm++; top.arm == 2 {
			top.packed, top.arm = top.packed+1, 0
		}
		switch {
		case child < 0 || state[child] == done:
		case state[child] == open:
			return InfinitelyMany, nil
		default:
			if err := enter(child); err != nil {
				return 0, err
			}
		}
	}
	if tooMany {
		return 0, errTooManyTrees
	}
	f.counts = counts
	return counts[0], nil
}

// sum returns the number of trees of a node, given the numbers of trees of its parts. The second
// result is false if the number exceeds [MaxTrees].
func (f *Forest) sum(n *ForestNode, counts []int64) (int64, bool) {
	if f.g.IsTerminal(n.Symbol) {
		return 1, true
	}
	total := int64(0)
	for _, packed := range n.Packed {
		before, last := countOf(counts, packed.Before), countOf(counts, packed.Last)
		if before > MaxTrees/last {
			return 0, false
		}
		if total += before * last; total > MaxTrees {
			return 0, false
		}
	}
	return total, true
}

// countOf returns the number of trees of a part; an absent part has one.
func countOf(counts []int64, at int32) int64 {
	if at < 0 {
		return 1
	}
	return counts[at]
}

var errTooManyTrees error = source.NewError("limit.trees", "too many derivation trees to count exactly (more than 2^53)")

// Ambiguous returns the nodes with more than one packed node.
func (f *Forest) Ambiguous() []int {
	var out []int
	for i, n := range f.Nodes {
		if len(n.Packed) > 1 {
			out = append(out, i)
		}
	}
	return out
}

// Trees returns the number of derivation trees of a word: 0 if it is not in the language,
// [InfinitelyMany] if the grammar is cyclic on it. The error has code "limit.trees" above
// [MaxTrees], or is the meter's if the word is too long.
//
// It builds only the part of the forest that the result requires: if a part of the word has too
// many trees, so has the word, unless another part has infinitely many.
func (p *Parser) Trees(word []grammar.Symbol, m *meter.Meter) (int64, error) {
	b, err := p.beginForest(word, m)
	if b == nil || err != nil {
		return 0, err
	}
	return b.count(b.pack)
}
