package earley

import (
	"slices"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
)

// Tree is a derivation tree. A leaf has Production -1; a nonterminal that
// derives the empty word has no children.
type Tree struct {
	Symbol     grammar.Symbol
	Production int
	Children   []*Tree
}

// Derivation returns the first derivation tree of a word's forest, or nil if the word is not in
// the language. The error is a limit of the meter.
func (p *Parser) Derivation(word []grammar.Symbol, m *meter.Meter) (*Tree, error) {
	f, err := p.Forest(word, m)
	if f == nil || err != nil {
		return nil, err
	}
	return f.First(), nil
}

// First returns one tree: the one that prefers productions in source order and gives later symbols
// as much of the word as possible, without any nonterminal that derives itself.
func (f *Forest) First() *Tree {
	if f.rank == nil {
		f.rankNodes()
	}
	return f.tree(0, 0, func(at int32, _ int64) (packed Packed, before, last int64) {
		for _, packed := range f.Nodes[at].Packed {
			if f.ends(at, packed.Before) && f.ends(at, packed.Last) {
				return packed, 0, 0
			}
		}
		panic("every node of a forest has a tree that ends")
	})
}

func (f *Forest) ends(at, child int32) bool { return child < 0 || f.rank[child] < f.rank[at] }

// rankNodes ranks each node by the step at which it first has a tree, when trees are built from
// the leaves up.
func (f *Forest) rankNodes() {
	f.rank = make([]int32, len(f.Nodes))
	type use struct {
		node   int32
		packed int
	}
	users := make([][]use, len(f.Nodes))
	waits := make([][]int8, len(f.Nodes))
	var queue []int32
	time := int32(0)
	settle := func(at int32) {
		if f.rank[at] == 0 {
			time++
			f.rank[at] = time
			queue = append(queue, at)
		}
	}
	for i := len(f.Nodes) - 1; i >= 0; i-- {
		at := int32(i)
		waits[at] = make([]int8, len(f.Nodes[at].Packed))
		for k, packed := range f.Nodes[at].Packed {
			for _, child := range [2]int32{packed.Before, packed.Last} {
				if child >= 0 {
					users[child] = append(users[child], use{at, k})
					waits[at][k]++
				}
			}
			if waits[at][k] == 0 {
				settle(at)
			}
		}
		if f.g.IsTerminal(f.Nodes[at].Symbol) {
			settle(at)
		}
	}
	for i := 0; i < len(queue); i++ {
		for _, u := range users[queue[i]] {
			if waits[u.node][u.packed]--; waits[u.node][u.packed] == 0 {
				settle(u.node)
			}
		}
	}
}

// Tree returns the n-th tree, counted from 0, in an order in which the first
// symbol changes fastest; n is less than the result of [Forest.Trees]. The error has code
// "limit.trees" if the trees cannot be counted.
func (f *Forest) Tree(n int64) (*Tree, error) {
	if f.counts == nil {
		trees, err := f.Trees()
		if err == nil && trees == InfinitelyMany {
			err = errTooManyTrees
		}
		if err != nil {
			return nil, err
		}
	}
	return f.tree(0, n, f.numbered), nil
}

// numbered returns the packed node with a node's n-th tree, and the numbers of the trees of its
// parts.
func (f *Forest) numbered(at int32, n int64) (packed Packed, before, last int64) {
	for _, packed := range f.Nodes[at].Packed {
		befores := countOf(f.counts, packed.Before)
		here := befores * countOf(f.counts, packed.Last)
		if n < here {
			return packed, n % befores, n / befores
		}
		n -= here
	}
	panic("every tree of a node belongs to one of its packed nodes")
}

// tree returns the n-th tree of a node. pick returns a packed node and the numbers of the trees of
// its parts.
func (f *Forest) tree(at int32, n int64, pick func(at int32, n int64) (packed Packed, before, last int64)) *Tree {
	t := &Tree{Symbol: f.Nodes[at].Symbol, Production: -1}
	for !f.g.IsTerminal(t.Symbol) {
		packed, before, last := pick(at, n)
		t.Production = packed.Production
		if packed.Last >= 0 {
			t.Children = append(t.Children, f.tree(packed.Last, last, pick))
		}
		if packed.Before < 0 {
			break
		}
		if f.Nodes[packed.Before].Production < 0 {
			t.Children = append(t.Children, f.tree(packed.Before, before, pick))
			break
		}
		at, n = packed.Before, before
	}
	slices.Reverse(t.Children)
	return t
}
