package space

import (
	"slices"

	"github.com/stile-playground/stile/core/earley"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
)

// Table is a grammar prepared for planning, with its limits and properties. It is immutable
// and safe for concurrent use.
type Table struct {
	g        *grammar.Grammar
	rules    *Rules
	useful   []bool
	toolLike []bool // by symbol: each of its productions is one terminal
	subsets  map[grammar.Symbol]*grammar.Subset
	height   []int // by symbol: the height of its lowest derivation tree
	parser   *earley.Parser
}

// NewTable computes the table of a grammar. It returns an error for unknown names in the
// limits, and a [meter.LimitError] if the look-ahead is too expensive.
func NewTable(g *grammar.Grammar, limits grammar.Limits, m *meter.Meter, properties ...Property) (*Table, error) {
	r, err := NewRules(g, limits, properties, m)
	if err != nil {
		return nil, err
	}
	t := &Table{g: g, rules: r, useful: g.Useful(), toolLike: make([]bool, g.NumSymbols()), height: g.Heights(), parser: earley.New(g), subsets: map[grammar.Symbol]*grammar.Subset{}}
	for i := g.NumTerminals; i < g.NumSymbols(); i++ {
		t.toolLike[i] = !slices.ContainsFunc(g.ByLeft(grammar.Symbol(i)), func(p int) bool {
			right := g.Productions[p].Right
			return len(right) != 1 || !g.IsTerminal(right[0])
		})
	}
	for i := range g.Subsets {
		t.subsets[g.Subsets[i].Left] = &g.Subsets[i]
		t.toolLike[g.Subsets[i].Left] = false
	}
	return t, nil
}

// Rules returns the limits and properties.
func (t *Table) Rules() *Rules { return t.rules }

// ToolLike reports whether each production of a symbol is one terminal.
func (t *Table) ToolLike(s grammar.Symbol) bool { return t.toolLike[s] }

// Useful reports whether a symbol occurs in a derivation of a word.
func (t *Table) Useful(s grammar.Symbol) bool { return t.useful[s] }

// Subset returns the subset that a nonterminal derives, or nil.
func (t *Table) Subset(s grammar.Symbol) *grammar.Subset { return t.subsets[s] }
