package grammar

import (
	"sort"

	"github.com/stile-playground/stile/core/bitset"
)

// Lookahead holds the nullable symbols and the first and follow sets of a grammar.
type Lookahead struct {
	Nullable []bool     // by symbol
	First    [][]Symbol // by symbol: the terminals that its words begin with, in order
	Follow   [][]Symbol // by nonterminal's symbol: the terminals that follow it, in order
	AtEnd    []bool     // by symbol: it is the last symbol of some sentential form
}

// Conflict is a state in which the lookahead does not determine the production.
type Conflict struct {
	Left        Symbol // the nonterminal, of LL(1)
	Productions []int  // in source order
	Lookahead   Symbol // the next terminal, or [AtEnd]
	Shift       bool   // of LR(1): shifting the terminal is another choice
}

// AtEnd is the lookahead at the end of a word.
const AtEnd Symbol = -1

// Lookahead computes first and follow sets (Aho, Lam, Sethi and Ullman, §4.4.2).
func (g *Grammar) Lookahead() Lookahead {
	n := g.NumSymbols()
	l := Lookahead{Nullable: g.Nullable(), First: make([][]Symbol, n), Follow: make([][]Symbol, n), AtEnd: make([]bool, n)}
	firsts, follows := make([]bitset.Set, n), make([]bitset.Set, n)
	for s := range n {
		firsts[s], follows[s] = bitset.New(g.NumTerminals+1), bitset.New(g.NumTerminals+1)
		if g.IsTerminal(Symbol(s)) {
			firsts[s].Add(s)
		}
	}
	for changed := true; changed; {
		changed = false
		for _, p := range g.Productions {
			for _, s := range p.Right {
				changed = firsts[p.Left].Join(firsts[s]) || changed
				if !l.Nullable[s] {
					break
				}
			}
		}
	}
	// The end of the word is a terminal after all others.
	follows[g.Start].Add(g.NumTerminals)
	for changed := true; changed; {
		changed = false
		for _, p := range g.Productions {
			following := follows[p.Left].Copy()
			for i := len(p.Right) - 1; i >= 0; i-- {
				s := p.Right[i]
				if !g.IsTerminal(s) {
					changed = follows[s].Join(following) || changed
				}
				if !l.Nullable[s] {
					following = bitset.New(g.NumTerminals + 1)
				}
				following.Join(firsts[s])
			}
		}
	}
	for s := range n {
		l.First[s] = symbols(firsts[s], g.NumTerminals)
		l.Follow[s] = symbols(follows[s], g.NumTerminals)
		l.AtEnd[s] = follows[s].Has(g.NumTerminals)
	}
	return l
}

// LL1 returns the conflicts of an LL(1) table: for a nonterminal and the next
// terminal, more than one production. A grammar without any is LL(1), and so not
// ambiguous.
func (g *Grammar) LL1() []Conflict {
	l := g.Lookahead()
	var out []Conflict
	for s := g.NumTerminals; s < g.NumSymbols(); s++ {
		left := Symbol(s)
		choices := map[Symbol][]int{}
		for _, i := range g.ByLeft(left) {
			for _, t := range g.predicts(l, i) {
				choices[t] = append(choices[t], i)
			}
		}
		var conflicts []Conflict
		for t, productions := range choices {
			if len(productions) > 1 {
				conflicts = append(conflicts, Conflict{Left: left, Productions: productions, Lookahead: t})
			}
		}
		sort.Slice(conflicts, func(i, j int) bool { return uint32(conflicts[i].Lookahead) < uint32(conflicts[j].Lookahead) })
		out = append(out, conflicts...)
	}
	return out
}

// predicts returns the next terminals with which a production may be chosen.
func (g *Grammar) predicts(l Lookahead, production int) []Symbol {
	set := bitset.New(g.NumTerminals + 1)
	p := g.Productions[production]
	vanishes := true
	for _, s := range p.Right {
		for _, t := range l.First[s] {
			set.Add(int(t))
		}
		if !l.Nullable[s] {
			vanishes = false
			break
		}
	}
	if vanishes {
		for _, t := range l.Follow[p.Left] {
			set.Add(int(t))
		}
	}
	out := symbols(set, g.NumTerminals)
	if vanishes && l.AtEnd[p.Left] {
		out = append(out, AtEnd)
	}
	return out
}

// LeftRecursion returns nonterminals each of which can begin with the next, and
// the last with the first, or nil if no nonterminal begins with itself. A top-down parser does not
// terminate on left recursion.
func (g *Grammar) LeftRecursion() []Symbol {
	nullable := g.Nullable()
	edges := make([][]Symbol, g.NumSymbols())
	for _, p := range g.Productions {
		for _, s := range p.Right {
			if !g.IsTerminal(s) {
				edges[p.Left] = append(edges[p.Left], s)
			}
			if !nullable[s] {
				break
			}
		}
	}
	return firstCycle(edges)
}

// symbols returns the elements of a set below n in order.
func symbols(set bitset.Set, n int) []Symbol {
	var out []Symbol
	set.Each(func(i int) {
		if i < n {
			out = append(out, Symbol(i))
		}
	})
	return out
}
