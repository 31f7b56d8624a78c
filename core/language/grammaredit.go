package language

import (
	"slices"

	"github.com/stile-playground/stile/core/earley"
	sentences "github.com/stile-playground/stile/core/explain"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/verify"
)

func completeGrammar(c *notation.Completer) {
	line := c.Line()
	is := func(i int, text string) bool { return i >= 0 && line[i].Text == text }
	last := len(line) - 1
	details := completeLabels(c)
	all := func(kinds ...string) { c.Symbols(grammar.Quote, details, kinds...) }
	arrow := slices.ContainsFunc(line, func(p notation.Word) bool { return p.Text == "->" || p.Text == "→" || p.Text == "::=" })
	switch {
	case is(last, "as"):
	case c.Inside != nil && c.Inside.Quoted && is(last, "as"):
	case len(line) == 0:
		all(grammar.KindNonterminal, grammar.KindTerminal)
		c.Keywords("%start", "%subset", "limit")
	case is(0, "%start"):
		if len(line) == 1 {
			all(grammar.KindNonterminal)
		}
	case is(0, "%subset"):
		all(grammar.KindTerminal)
	case is(0, "limit") && !arrow:
		completeLimit(c, line, func() { all(grammar.KindTerminal) })
	case arrow || is(0, "|"):
		all(grammar.KindNonterminal, grammar.KindTerminal)
		if is(last, "|") || is(last, "->") || is(last, "→") || is(last, "::=") {
			c.Keywords("ε")
		} else {
			c.Keywords("|", "as")
		}
	case len(line) == 1:
		c.Keywords("->", "as")
	}
}

// completeLabels returns the labels of the symbols of a grammar.
func completeLabels(c *notation.Completer) map[string]string {
	out := map[string]string{}
	syntax, _ := grammar.Parse(c.File.Source())
	for _, l := range syntax.Lines {
		if label, ok := l.Statement.(grammar.LabelLine); ok {
			out[label.Symbol.Text] = label.Label.Text
		}
	}
	return out
}

func describeGrammar(d *notation.Scope, c *notation.Card, s *notation.Symbol) {
	syntax, _ := grammar.Parse(d.File)
	g, _ := grammar.Compile(syntax, "")
	if g == nil {
		return
	}
	symbol, ok := g.Lookup(s.Name)
	if !ok {
		return
	}
	if label := g.Label(symbol); label != s.Name {
		c.Add(label)
	}
	if g.IsTerminal(symbol) {
		c.Kind = grammar.KindTerminal
		if word, found, err := verify.Shortest(g, seen(g.NumTerminals, int(symbol)), meter.New(hoverBudget)); found && err == nil {
			c.Example(names(g, word))
		} else if err == nil {
			c.Add("Unused: no plan contains it.")
		}
		return
	}
	c.Add(notation.Count(len(g.ByLeft(symbol)), "production") + ".")
	from := *g
	from.Start = symbol
	word, found, err := earley.Shortest(&from)
	switch {
	case err != nil:
	case !found:
		c.Add("No word can be derived from it.")
	default:
		for _, e := range sentences.Grammar(syntax, g) {
			if e.Span == g.Span(symbol) {
				c.Add(e.Text)
			}
		}
		c.OfIt = true
		c.Example(names(g, word))
		if len(word) == 0 {
			c.Add("It may derive the empty word.")
		}
	}
}
