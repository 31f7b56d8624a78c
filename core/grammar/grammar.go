// Package grammar reads and analyses context-free grammars in the .cfg
// notation.
//
//	%start S
//	S -> T
//	I -> A I | C T | i
//	A -> a1 | a2 as "Image Denoising"
//	a1 as "Colorization"
//	limit 1 each except i
//	%subset A onions garlic "cooking oil"
//
// [Parse] makes a [Syntax] from a text, even an invalid one; [Compile] makes a [Grammar] from that:
// flat slices of small integers, immutable, and shared by planners, parsers and diagrams. Both
// report every problem they find.
package grammar

import (
	"strings"

	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

// Symbol is a terminal or nonterminal: an index into [Grammar.Names].
type Symbol int32

// Production rewrites Left to Right; an empty Right is the empty word.
type Production struct {
	Left  Symbol
	Right []Symbol
	Label string // its `as` text, or ""
	Span  source.Span
}

// Grammar is a context-free grammar. Terminals are the symbols below
// NumTerminals in the order of their first use, nonterminals those from there on
// in the order of their first left side. It never changes once compiled.
type Grammar struct {
	Names        []string
	NumTerminals int
	Start        Symbol
	Productions  []Production // without duplicates, in source order
	Subsets      []Subset     // of "%subset" lines

	byLeft    [][]int
	lookup    map[string]Symbol
	labels    []string
	spans     []source.Span
	limits    Limits
	limitSpan source.Span // of the first limit
}

// New returns a grammar that is not read from a text. Symbols are numbered in the order of the
// names, terminals first; labels are the display texts of symbols, by name.
func New(terminals, nonterminals []string, start Symbol, productions []Production, labels map[string]string, limits Limits) *Grammar {
	g := &Grammar{
		Names: append(append([]string{}, terminals...), nonterminals...), NumTerminals: len(terminals),
		Start: start, Productions: productions, byLeft: make([][]int, len(nonterminals)), lookup: map[string]Symbol{}, limits: limits,
	}
	g.labels, g.spans = make([]string, len(g.Names)), make([]source.Span, len(g.Names))
	for i, name := range g.Names {
		g.lookup[name] = Symbol(i)
		g.labels[i] = labels[name]
	}
	for i, p := range productions {
		left := int(p.Left) - g.NumTerminals
		g.byLeft[left] = append(g.byLeft[left], i)
	}
	return g
}

// IsTerminal reports whether s is a terminal.
func (g *Grammar) IsTerminal(s Symbol) bool { return int(s) < g.NumTerminals }

// NumSymbols returns the number of terminals and nonterminals together.
func (g *Grammar) NumSymbols() int { return len(g.Names) }

// Lookup returns the symbol with the given name.
func (g *Grammar) Lookup(name string) (Symbol, bool) {
	s, ok := g.lookup[name]
	return s, ok
}

// ByLeft returns the indexes of the productions of a nonterminal, in source
// order. The slice is shared; do not change it.
func (g *Grammar) ByLeft(s Symbol) []int {
	if g.IsTerminal(s) {
		return nil
	}
	return g.byLeft[int(s)-g.NumTerminals]
}

// Label returns the display text of s: its `as` text, or else its name.
func (g *Grammar) Label(s Symbol) string {
	if g.labels[s] != "" {
		return g.labels[s]
	}
	return g.Names[s]
}

// Span returns the first definition of s, a nonterminal, or the first use of s, a terminal.
func (g *Grammar) Span(s Symbol) source.Span { return g.spans[s] }

// DeclaredLimits returns the limits of the grammar's `limit` lines.
func (g *Grammar) DeclaredLimits() Limits { return g.limits }

// CheckLimits returns a warning if no word satisfies the declared limits. It reports nothing if
// the meter's budget is exhausted.
func (g *Grammar) CheckLimits(m *meter.Meter) []source.Diagnostic {
	caps, err := g.Caps(g.limits)
	if err != nil || g.limitSpan.Len() == 0 || !g.Productive()[g.Start] {
		return nil
	}
	needs, err := ComputeNeeds(g, caps, m)
	if err != nil || needs.Fits(needs.Of(g.Start), needs.Budget(caps)) {
		return nil
	}
	return []source.Diagnostic{{Code: "cfg.limit-empty", Severity: source.SeverityWarning, Span: g.limitSpan, Message: "no word satisfies the limits"}}
}

// Write formats a production; the index after the last one is the start production of an LR table.
func (g *Grammar) Write(production int) string {
	if production == len(g.Productions) {
		return "-> " + g.Names[g.Start]
	}
	p := g.Productions[production]
	text := g.Names[p.Left] + " ->"
	if len(p.Right) == 0 {
		text += " ε"
	}
	for _, s := range p.Right {
		text += " " + g.Names[s]
	}
	return text
}

// String prints the grammar, a production a line.
func (g *Grammar) String() string {
	var b strings.Builder
	for i := range g.Productions {
		b.WriteString(g.Write(i) + "\n")
	}
	return b.String()
}
