package counting

import (
	"math/big"
	"slices"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

// Trees returns the number of derivation trees of all words of each length from 0
// to max, by convolution: its time is quadratic in max for each symbol of the
// grammar. The error has code "grammar.cyclic" if a useful nonterminal derives
// itself, because a word may then have infinitely many trees; otherwise it is the
// meter's.
func Trees(g *grammar.Grammar, max int, m *meter.Meter) ([]*big.Int, error) {
	if cyclic(g) {
		return nil, source.NewError("grammar.cyclic", "a nonterminal derives itself, so words may have infinitely many derivation trees")
	}
	useful := g.Useful()
	counts := numbers(max + 1)
	if !useful[g.Start] {
		return counts, nil
	}
	c := &treeCounter{g: g, m: m, useful: useful, least: g.MinLength(), known: map[treesKey]*big.Int{}}
	for n := range counts {
		count, err := c.symbol(g.Start, n)
		if err != nil {
			return nil, err
		}
		counts[n].Set(count)
	}
	return counts, nil
}

// cyclic reports whether a useful nonterminal derives itself.
func cyclic(g *grammar.Grammar) bool {
	useful, nullable := g.Useful(), g.Nullable()
	edges := make([][]grammar.Symbol, g.NumSymbols())
	for _, production := range g.Productions {
		if !usefulProduction(production, useful) {
			continue
		}
		solid := 0
		for _, s := range production.Right {
			if !nullable[s] {
				solid++
			}
		}
		for _, s := range production.Right {
			if !g.IsTerminal(s) && (solid == 0 || solid == 1 && !nullable[s]) {
				edges[production.Left] = append(edges[production.Left], s)
			}
		}
	}
	component := grammar.Components(g.NumSymbols(), edges)
	for from, list := range edges {
		for _, to := range list {
			if component[from] == component[to] {
				return true
			}
		}
	}
	return false
}

func usefulProduction(p grammar.Production, useful []bool) bool {
	return useful[p.Left] && !slices.ContainsFunc(p.Right, func(s grammar.Symbol) bool { return !useful[s] })
}

// treesKey identifies the number of ways in which a production's symbols from dot on derive words
// of a total length.
type treesKey struct{ production, dot, length int32 }

// maxTreeDepth is the maximum nesting depth of nonterminals while trees are counted. Browsers have
// room for some thousand calls of WebAssembly.
const maxTreeDepth = 2_000

// treeCounter memoizes the counts of one grammar. Its numbers are shared and must not
// be changed once they are returned.
type treeCounter struct {
	depth  int // nested calls of symbol
	g      *grammar.Grammar
	m      *meter.Meter
	useful []bool
	least  []int
	known  map[treesKey]*big.Int
}

// symbol returns the number of trees of a symbol with words of a length.
func (c *treeCounter) symbol(s grammar.Symbol, length int) (*big.Int, error) {
	if c.depth++; c.depth > maxTreeDepth {
		return nil, &meter.LimitError{Resource: meter.States, Max: maxTreeDepth}
	}
	defer func() { c.depth-- }()
	total := new(big.Int)
	if c.g.IsTerminal(s) {
		if length == 1 {
			return one(), nil
		}
		return total, nil
	}
	for _, production := range c.g.ByLeft(s) {
		if !usefulProduction(c.g.Productions[production], c.useful) {
			continue
		}
		n, err := c.suffix(production, 0, length)
		if err != nil {
			return total, err
		}
		total.Add(total, n)
	}
	return total, nil
}

// suffix returns the number of trees of a production's symbols from dot on with words
// of a length. The recursion ends because a symbol is only counted with lengths that
// leave enough letters for the symbols after it, and the grammar has no cycle.
func (c *treeCounter) suffix(production, dot, length int) (*big.Int, error) {
	right := c.g.Productions[production].Right[dot:]
	if len(right) == 0 {
		if length == 0 {
			return one(), nil
		}
		return new(big.Int), nil
	}
	key := treesKey{int32(production), int32(dot), int32(length)}
	if n, ok := c.known[key]; ok {
		return n, nil
	}
	s := right[0]
	rest := 0
	for _, r := range right[1:] {
		rest += c.least[r]
	}
	if err := c.m.Spend(meter.States, 1); err != nil {
		return nil, err
	}
	total, product := new(big.Int), new(big.Int)
	for take := c.least[s]; take+rest <= length; take++ {
		if c.g.IsTerminal(s) && take > 1 {
			break
		}
		if err := c.m.Step(1 + length/32); err != nil {
			return nil, err
		}
		after, err := c.suffix(production, dot+1, length-take)
		if err != nil {
			return nil, err
		}
		if after.Sign() == 0 {
			continue
		}
		first, err := c.symbol(s, take)
		if err != nil {
			return nil, err
		}
		total.Add(total, product.Mul(first, after))
	}
	c.known[key] = total
	return total, nil
}
