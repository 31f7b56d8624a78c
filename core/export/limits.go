package export

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
)

// Bounds of a grammar with expanded limits.
const (
	maxVectors      = 4_096  // vectors of uses within the limits
	maxCounters     = 1_000  // copies of nonterminals, one for each vector of uses
	maxAlternatives = 10_000 // in total
)

// limitsBudget bounds the expansion of limits.
var limitsBudget = meter.Budget{Steps: 5_000_000}

// ExpandLimits returns a grammar without limits for the words within a grammar's limits:
// each nonterminal has one copy for each vector of uses of the limited terminals. It
// returns false if that exceeds the bounds.
func ExpandLimits(g *grammar.Grammar, caps []int64) (*grammar.Grammar, bool) {
	c := counters{g: g, digit: make([]int, g.NumTerminals), size: 1, m: meter.New(limitsBudget), numbers: map[counter]grammar.Symbol{}}
	useful := g.Useful()
	for t := range g.NumTerminals {
		c.digit[t] = -1
		if caps[t] == grammar.Unlimited || !useful[t] {
			continue
		}
		c.digit[t] = len(c.weight)
		c.weight = append(c.weight, c.size)
		c.radix = append(c.radix, int(min(caps[t], maxVectors))+1)
		if c.size *= c.radix[len(c.radix)-1]; c.size > maxVectors {
			return nil, false
		}
	}
	if !c.reach() {
		return nil, false
	}
	return c.write()
}

// counters expands limits. A vector of uses is encoded as one number, with a digit for
// each limited terminal.
type counters struct {
	g      *grammar.Grammar
	digit  []int // of a terminal; -1 without a limit
	radix  []int
	weight []int
	size   int
	m      *meter.Meter

	has [][]int // by symbol: the vectors of its words
	in  []map[int]bool

	numbers     map[counter]grammar.Symbol
	list        []counter
	productions []grammar.Production
}

// counter is a nonterminal with the vector of its words.
type counter struct {
	symbol grammar.Symbol
	vector int
}

// plus adds two vectors. It returns false above the limits.
func (c *counters) plus(a, b int) (int, bool) {
	for i, w := range c.weight {
		if a/w%c.radix[i]+b/w%c.radix[i] >= c.radix[i] {
			return 0, false
		}
	}
	return a + b, true
}

// minus subtracts a vector from one that is not less in any digit.
func (c *counters) minus(a, b int) (int, bool) {
	for i, w := range c.weight {
		if a/w%c.radix[i] < b/w%c.radix[i] {
			return 0, false
		}
	}
	return a - b, true
}

func (c *counters) add(s grammar.Symbol, vector int) bool {
	if c.in[s][vector] {
		return false
	}
	c.in[s][vector] = true
	c.has[s] = append(c.has[s], vector)
	return true
}

// reach computes the vectors of every symbol, as a least fixpoint.
func (c *counters) reach() bool {
	c.has, c.in = make([][]int, c.g.NumSymbols()), make([]map[int]bool, c.g.NumSymbols())
	for s := range c.in {
		c.in[s] = map[int]bool{}
		if !c.g.IsTerminal(grammar.Symbol(s)) {
			continue
		}
		if i := c.digit[s]; i < 0 {
			c.add(grammar.Symbol(s), 0)
		} else if c.radix[i] > 1 {
			c.add(grammar.Symbol(s), c.weight[i])
		}
	}
	for changed := true; changed; {
		changed = false
		for _, p := range c.g.Productions {
			sums, ok := c.sums(p.Right)
			if !ok {
				return false
			}
			for _, v := range sums[0] {
				changed = c.add(p.Left, v) || changed
			}
		}
	}
	return true
}

// sums returns, by index in a right side, the vectors of the words of the symbols from that index on.
func (c *counters) sums(right []grammar.Symbol) ([][]int, bool) {
	out := make([][]int, len(right)+1)
	out[len(right)] = []int{0}
	for i := len(right) - 1; i >= 0; i-- {
		seen := map[int]bool{}
		for _, a := range c.has[right[i]] {
			for _, b := range out[i+1] {
				if c.m.Spend(meter.Steps, int64(len(c.weight)+1)) != nil {
					return nil, false
				}
				if v, ok := c.plus(a, b); ok && !seen[v] {
					seen[v] = true
					out[i] = append(out[i], v)
				}
			}
		}
	}
	return out, true
}

func (c *counters) number(n counter) grammar.Symbol {
	s, ok := c.numbers[n]
	if !ok {
		s = grammar.Symbol(c.g.NumTerminals + 1 + len(c.list))
		c.numbers[n] = s
		c.list = append(c.list, n)
	}
	return s
}

func (c *counters) write() (*grammar.Grammar, bool) {
	start := grammar.Symbol(c.g.NumTerminals)
	cached := make([][][]int, len(c.g.Productions))
	for _, v := range c.has[c.g.Start] {
		c.productions = append(c.productions, grammar.Production{Left: start, Right: []grammar.Symbol{c.number(counter{c.g.Start, v})}})
	}
	for i := 0; i < len(c.list); i++ {
		n := c.list[i]
		for _, p := range c.g.ByLeft(n.symbol) {
			right := c.g.Productions[p].Right
			if cached[p] == nil {
				var ok bool
				if cached[p], ok = c.sums(right); !ok {
					return nil, false
				}
			}
			if !c.splits(c.numbers[n], right, cached[p], n.vector, nil) {
				return nil, false
			}
		}
		if len(c.list) > maxCounters {
			return nil, false
		}
	}
	if len(c.productions) == 0 { // no word is within the limits
		c.productions = []grammar.Production{{Left: start, Right: []grammar.Symbol{start}}}
	}
	names := []string{"start"}
	for _, n := range c.list {
		var digits []string
		for i, w := range c.weight {
			digits = append(digits, fmt.Sprint(n.vector/w%c.radix[i]))
		}
		names = append(names, c.g.Names[n.symbol]+" "+strings.Join(digits, " "))
	}
	return grammar.New(c.g.Names[:c.g.NumTerminals], names, start, c.productions, nil, grammar.Limits{}), true
}

// splits adds the productions for a right side with a vector.
func (c *counters) splits(left grammar.Symbol, right []grammar.Symbol, sums [][]int, vector int, done []grammar.Symbol) bool {
	at := len(done)
	if at == len(right) {
		if vector == 0 {
			c.productions = append(c.productions, grammar.Production{Left: left, Right: append([]grammar.Symbol{}, done...)})
		}
		return len(c.productions) <= maxAlternatives
	}
	for _, v := range c.has[right[at]] {
		rest, ok := c.minus(vector, v)
		if c.m.Spend(meter.Steps, int64(len(c.weight)+len(sums[at+1])+1)) != nil {
			return false
		}
		if !ok || !slices.Contains(sums[at+1], rest) {
			continue
		}
		s := right[at]
		if !c.g.IsTerminal(s) {
			s = c.number(counter{s, v})
		}
		if !c.splits(left, right, sums, rest, append(done[:at:at], s)) {
			return false
		}
	}
	return true
}
