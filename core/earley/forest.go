package earley

import (
	"errors"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

// MaxTrees is the largest number of derivation trees that is counted exactly,
// which is also the largest whole number that every JSON reader keeps.
const MaxTrees = 1 << 53

// InfinitelyMany is what [Parser.Trees] returns for a word with infinitely many
// derivation trees.
const InfinitelyMany = -1

// Tree is a derivation tree. A leaf has Production -1; a nonterminal that
// derives the empty word has no children.
type Tree struct {
	Symbol     grammar.Symbol
	Production int
	Children   []*Tree
}

// span is a nonterminal with what it derives of the word: terminals [i, j).
type span struct {
	symbol grammar.Symbol
	i, j   int32
}

// forest is all derivations of one word: which nonterminal derives which part.
type forest struct {
	p    *Parser
	m    *meter.Meter
	word []grammar.Symbol
	ends []map[grammar.Symbol][]int32 // by start: where each nonterminal can end, if not there
	has  map[span]bool

	looping []bool // by symbol: it derives itself, so where it occurs there is no end of trees
	counts  map[span]int64
}

// forest reads the word and collects what was completed. It returns nil where
// the word is not of the language.
func (p *Parser) forest(word []grammar.Symbol, m *meter.Meter) (*forest, error) {
	r := p.Start(m)
	r.plain = true
	for _, t := range word {
		if ok, err := r.Push(t); !ok || err != nil {
			return nil, err
		}
	}
	if !r.Complete() {
		return nil, nil
	}
	f := &forest{p: p, m: m, word: word, ends: make([]map[grammar.Symbol][]int32, len(word)+1), has: map[span]bool{}, counts: map[span]int64{}}
	for j := range r.sets {
		for _, it := range r.sets[j].kernel {
			if p.next[it.rule] != complete || p.prod[it.rule] < 0 {
				continue
			}
			s := span{symbol: p.left[it.rule], i: it.origin, j: int32(j)}
			if f.has[s] {
				continue
			}
			f.has[s] = true
			if f.ends[s.i] == nil {
				f.ends[s.i] = map[grammar.Symbol][]int32{}
			}
			f.ends[s.i][s.symbol] = append(f.ends[s.i][s.symbol], s.j)
		}
	}
	f.looping = p.looping()
	return f, nil
}

// looping returns, by symbol, whether it derives itself through productions of
// useful symbols whose other symbols vanish.
func (p *Parser) looping() []bool {
	n := p.g.NumSymbols()
	edges := make([][]grammar.Symbol, n)
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
	component := grammar.Components(n, edges)
	out := make([]bool, n)
	for from, list := range edges {
		for _, to := range list {
			if component[from] == component[to] {
				out[from], out[to] = true, true
			}
		}
	}
	return out
}

// derives reports whether a symbol derives the part [i, j) of the word.
func (f *forest) derives(s grammar.Symbol, i, j int32) bool {
	if f.p.g.IsTerminal(s) {
		return j == i+1 && f.word[i] == s
	}
	if i == j {
		return f.p.nullable[s]
	}
	return f.has[span{s, i, j}]
}

// endings calls visit with every j such that the symbol derives [i, j).
func (f *forest) endings(s grammar.Symbol, i int32, visit func(j int32)) {
	if f.p.g.IsTerminal(s) {
		if int(i) < len(f.word) && f.word[i] == s {
			visit(i + 1)
		}
		return
	}
	if f.p.nullable[s] {
		visit(i)
	}
	for _, j := range f.ends[i][s] {
		visit(j)
	}
}

// suffixes returns, by number of symbols passed, from which positions the rest
// of a right side derives up to j. Index 0 is the whole right side.
func (f *forest) suffixes(right []grammar.Symbol, i, j int32) ([][]bool, error) {
	width := int(j-i) + 1
	good := make([][]bool, len(right)+1)
	good[len(right)] = make([]bool, width)
	good[len(right)][j-i] = true
	for k := len(right) - 1; k >= 0; k-- {
		good[k] = make([]bool, width)
		for at := range width {
			f.endings(right[k], i+int32(at), func(end int32) {
				if end <= j && good[k+1][end-i] {
					good[k][at] = true
				}
			})
		}
		if err := f.m.Step(width); err != nil {
			return nil, err
		}
	}
	return good, nil
}

var errTooManyTrees = &source.Error{ID: "limit.trees", Message: "this word has more than 2^53 derivation trees, too many to count exactly"}
var errInfinite = errors.New("infinitely many trees")

// Trees returns how many derivation trees a word has: 0 for one that is not of
// the language, [InfinitelyMany] where the grammar is cyclic on it. The error has
// code "limit.trees" above [MaxTrees], and is the meter's for a word too long.
func (p *Parser) Trees(word []grammar.Symbol, m *meter.Meter) (int64, error) {
	f, err := p.forest(word, m)
	if f == nil || err != nil {
		return 0, err
	}
	n, err := f.count(span{p.g.Start, 0, int32(len(word))})
	if errors.Is(err, errInfinite) {
		return InfinitelyMany, nil
	}
	return n, err
}

// count returns the number of derivations of a span that has some. Without
// looping symbols a span is never part of itself, so the recursion ends; it is
// no deeper than the word is long, times the number of nonterminals.
func (f *forest) count(s span) (int64, error) {
	if f.looping[s.symbol] {
		return 0, errInfinite
	}
	if n, ok := f.counts[s]; ok {
		return n, nil
	}
	total := int64(0)
	for _, production := range f.p.g.ByLeft(s.symbol) {
		if f.p.first[production] < 0 {
			continue
		}
		n, err := f.countRight(f.p.g.Productions[production].Right, s.i, s.j)
		if err != nil {
			return 0, err
		}
		if total += n; total > MaxTrees {
			return 0, errTooManyTrees
		}
	}
	f.counts[s] = total
	return total, nil
}

func (f *forest) countRight(right []grammar.Symbol, i, j int32) (int64, error) {
	good, err := f.suffixes(right, i, j)
	if err != nil || !good[0][0] {
		return 0, err
	}
	ways := make([]int64, j-i+1) // by position reached
	ways[0] = 1
	for k, s := range right {
		after := make([]int64, j-i+1)
		for at, n := range ways {
			if n == 0 {
				continue
			}
			start := i + int32(at)
			f.endings(s, start, func(end int32) {
				if err != nil || end > j || !good[k+1][end-i] {
					return
				}
				inner := int64(1)
				if !f.p.g.IsTerminal(s) {
					if inner, err = f.count(span{s, start, end}); err != nil {
						return
					}
				}
				if inner > 0 && n > MaxTrees/inner {
					err = errTooManyTrees
					return
				}
				after[end-i] += n * inner
			})
			if err != nil {
				return 0, err
			}
		}
		ways = after
	}
	if ways[j-i] > MaxTrees {
		return 0, errTooManyTrees
	}
	return ways[j-i], nil
}
