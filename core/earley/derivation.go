package earley

import (
	"slices"
	"sort"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
)

// Derivation returns one derivation tree of a word, or nil where the word is not
// of the language. Of several it is the one that takes productions in the order
// of the source and gives each symbol as little of the word as it can, except
// that no nonterminal derives itself on the way.
func (p *Parser) Derivation(word []grammar.Symbol, m *meter.Meter) (*Tree, error) {
	f, err := p.forest(word, m)
	if f == nil || err != nil {
		return nil, err
	}
	d := derivation{forest: f, empty: p.emptyTrees()}
	return d.tree(span{p.g.Start, 0, int32(len(word))}, nil)
}

type derivation struct {
	*forest
	empty []int // by symbol: the production that derives the empty word soonest
}

// emptyTrees returns, by nullable nonterminal, a production whose symbols derive
// the empty word in fewer steps, so that following them ends.
func (p *Parser) emptyTrees() []int {
	choice := make([]int, p.g.NumSymbols())
	for i := range choice {
		choice[i] = -1
	}
	for changed := true; changed; {
		changed = false
		var found []int
		for i, production := range p.g.Productions {
			if p.first[i] < 0 || choice[production.Left] >= 0 {
				continue
			}
			if !slices.ContainsFunc(production.Right, func(s grammar.Symbol) bool { return choice[s] < 0 }) {
				found = append(found, i)
			}
		}
		for _, i := range found {
			if left := p.g.Productions[i].Left; choice[left] < 0 {
				choice[left] = i
				changed = true
			}
		}
	}
	return choice
}

func (d *derivation) emptyTree(s grammar.Symbol) *Tree {
	t := &Tree{Symbol: s, Production: d.empty[s]}
	for _, child := range d.p.g.Productions[d.empty[s]].Right {
		t.Children = append(t.Children, d.emptyTree(child))
	}
	return t
}

// tree derives a span. chain lists the nonterminals above that derive the very
// same span; none of them may come again. A span that fails under a chain could
// only have succeeded through it, so nil means: try the next production.
func (d *derivation) tree(s span, chain []grammar.Symbol) (*Tree, error) {
	if s.i == s.j {
		return d.emptyTree(s.symbol), nil
	}
	chain = append(chain[:len(chain):len(chain)], s.symbol)
	for _, same := range []bool{false, true} { // first without a child of the same span
		for _, production := range d.p.g.ByLeft(s.symbol) {
			if d.p.first[production] < 0 {
				continue
			}
			children, err := d.split(d.p.g.Productions[production].Right, s, chain, same)
			if err != nil {
				return nil, err
			}
			if children != nil {
				return &Tree{Symbol: s.symbol, Production: production, Children: children}, nil
			}
		}
	}
	return nil, nil
}

// split divides a span among the symbols of a right side and derives each. With
// same it gives one symbol the whole span, without it none.
func (d *derivation) split(right []grammar.Symbol, s span, chain []grammar.Symbol, same bool) ([]*Tree, error) {
	good, err := d.suffixes(right, s.i, s.j)
	if err != nil || !good[0][0] || len(right) == 0 {
		return nil, err
	}
	if same {
		return d.splitSame(right, s, chain)
	}
	// ends[k] is the least end of symbol k such that the rest fits, no symbol
	// taking the whole span: taken[k] says whether something was taken before k.
	var children []*Tree
	var walk func(k int, at int32) (bool, error)
	walk = func(k int, at int32) (bool, error) {
		if k == len(right) {
			return at == s.j, nil
		}
		var ends []int32
		d.endings(right[k], at, func(end int32) {
			whole := at == s.i && end == s.j && !d.p.g.IsTerminal(right[k])
			if end <= s.j && good[k+1][end-s.i] && !whole {
				ends = append(ends, end)
			}
		})
		sort.Slice(ends, func(i, j int) bool { return ends[i] < ends[j] })
		for _, end := range ends {
			if err := d.m.Step(1); err != nil {
				return false, err
			}
			child := &Tree{Symbol: right[k], Production: -1}
			if !d.p.g.IsTerminal(right[k]) {
				var err error
				if child, err = d.tree(span{right[k], at, end}, nil); err != nil {
					return false, err
				}
			}
			children = append(children, child)
			ok, err := walk(k+1, end)
			if ok || err != nil {
				return ok, err
			}
			children = children[:len(children)-1]
		}
		return false, nil
	}
	ok, err := walk(0, s.i)
	if !ok || err != nil {
		return nil, err
	}
	return children, nil
}

// splitSame gives one nonterminal the whole span and lets the others vanish.
func (d *derivation) splitSame(right []grammar.Symbol, s span, chain []grammar.Symbol) ([]*Tree, error) {
	for k, symbol := range right {
		if d.p.g.IsTerminal(symbol) || !d.derives(symbol, s.i, s.j) || slices.Contains(chain, symbol) {
			continue
		}
		vanish := true
		for i, other := range right {
			vanish = vanish && (i == k || d.p.nullable[other])
		}
		if !vanish {
			continue
		}
		inner, err := d.tree(span{symbol, s.i, s.j}, chain)
		if err != nil {
			return nil, err
		}
		if inner == nil {
			continue
		}
		children := make([]*Tree, len(right))
		for i, other := range right {
			children[i] = inner
			if i != k {
				children[i] = d.emptyTree(other)
			}
		}
		return children, nil
	}
	return nil, nil
}
