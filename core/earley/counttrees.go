package earley

import (
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/natural"
	"github.com/stile-playground/stile/core/source"
)

// CountTrees returns how many derivation trees words of each length from 0 to max
// have together, by convolution: a square of max for each symbol of the grammar.
// The error has code "grammar.cyclic" for a grammar that derives a useful
// nonterminal from itself, for then there may be infinitely many, and is else the
// meter's.
func CountTrees(g *grammar.Grammar, max int, m *meter.Meter) ([]natural.Number, error) {
	p := New(g)
	c := &treeCounter{p: p, m: m, least: g.MinLength(), known: map[treesOf]natural.Number{}}
	if p.loops() {
		return nil, source.NewError("grammar.cyclic", "a nonterminal derives itself, so words may have infinitely many derivation trees")
	}
	counts := make([]natural.Number, max+1)
	if p.next[startRule] == complete {
		return counts, nil
	}
	for n := range counts {
		var err error
		if counts[n], err = c.symbol(g.Start, n); err != nil {
			return nil, err
		}
	}
	return counts, nil
}

// loops reports whether a useful nonterminal derives itself.
func (p *Parser) loops() bool {
	edges := make([][]grammar.Symbol, p.g.NumSymbols())
	for i, production := range p.g.Productions {
		if p.first[i] < 0 {
			continue
		}
		solid := 0
		for _, s := range production.Right {
			if !p.nullable[s] {
				solid++
			}
		}
		for _, s := range production.Right {
			if !p.g.IsTerminal(s) && (solid == 0 || solid == 1 && !p.nullable[s]) {
				edges[production.Left] = append(edges[production.Left], s)
			}
		}
	}
	component := grammar.Components(p.g.NumSymbols(), edges)
	for from, list := range edges {
		for _, to := range list {
			if component[from] == component[to] {
				return true
			}
		}
	}
	return false
}

// treesOf asks for the trees of what stands behind a dot with so many letters.
type treesOf struct {
	rule   int32
	length int32
}

type treeCounter struct {
	p     *Parser
	m     *meter.Meter
	least []int
	known map[treesOf]natural.Number
}

// symbol returns how many trees a symbol has with words of a length.
func (c *treeCounter) symbol(s grammar.Symbol, length int) (natural.Number, error) {
	if c.p.g.IsTerminal(s) {
		if length == 1 {
			return natural.New(1), nil
		}
		return natural.Number{}, nil
	}
	total := natural.Number{}
	for _, production := range c.p.g.ByLeft(s) {
		if c.p.first[production] < 0 {
			continue
		}
		n, err := c.behind(c.p.first[production], length)
		if err != nil {
			return total, err
		}
		total = total.Plus(n)
	}
	return total, nil
}

// behind returns how many trees the symbols behind a dot have with words of a
// length. A symbol is only asked for a length that leaves the others enough, so
// without cycles none is asked for what is being counted.
func (c *treeCounter) behind(rule int32, length int) (natural.Number, error) {
	s := c.p.next[rule]
	if s == complete {
		if length == 0 {
			return natural.New(1), nil
		}
		return natural.Number{}, nil
	}
	key := treesOf{rule, int32(length)}
	if n, ok := c.known[key]; ok {
		return n, nil
	}
	rest := 0
	for r := rule + 1; c.p.next[r] != complete; r++ {
		rest += c.least[c.p.next[r]]
	}
	if err := c.m.Spend(meter.States, 1); err != nil {
		return natural.Number{}, err
	}
	total := natural.Number{}
	for take := c.least[s]; take+rest <= length; take++ {
		if c.p.g.IsTerminal(s) && take > 1 {
			break
		}
		if err := c.m.Step(1 + length/32); err != nil {
			return total, err
		}
		behind, err := c.behind(rule+1, length-take)
		if err != nil {
			return total, err
		}
		if behind.IsZero() {
			continue
		}
		here, err := c.symbol(s, take)
		if err != nil {
			return total, err
		}
		total = total.Plus(here.Product(behind))
	}
	c.known[key] = total
	return total, nil
}
