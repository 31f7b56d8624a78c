package checker

import (
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/earley"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/plan/space"
)

// term is a tool with its arguments, as written with parentheses.
type term struct {
	letter grammar.Symbol
	args   []*term
}

// misshapen returns the fault of the parentheses of a valid word in function form: they
// must be those of one of its derivations. Names without parentheses are accepted for any
// derivation.
func (c *Checker) misshapen(text string, r reading, word []grammar.Symbol, m *meter.Meter) (fault string, err error) {
	said, open := c.shape(text, r.found)
	if open || c.table == nil {
		return "", nil
	}
	g := bracketedGrammar(c.table)
	var letters []grammar.Symbol
	var write func(terms []*term)
	write = func(terms []*term) {
		for _, t := range terms {
			letters = append(letters, t.letter, g.opening)
			write(t.args)
			letters = append(letters, g.opening+1)
		}
	}
	write(said)
	ok, err := earley.New(g.Grammar).Recognize(letters, m)
	if ok || err != nil {
		return "", err
	}
	function, _, err := c.render(word, m)
	return "the parentheses do not match; expected " + function, err
}

// bracketed is a grammar whose words have the parentheses of [functionForm] after each
// terminal, without the names of nonterminals.
type bracketed struct {
	*grammar.Grammar
	opening grammar.Symbol // the closing parenthesis has the next number
}

func bracketedGrammar(t *space.Table) bracketed {
	g := t.Grammar()
	out := bracketed{opening: grammar.Symbol(g.NumTerminals)}
	moved := func(s grammar.Symbol) grammar.Symbol {
		if g.IsTerminal(s) {
			return s
		}
		return s + 2
	}
	var productions []grammar.Production
	for _, p := range g.Productions {
		item := slices.ContainsFunc(g.Subsets, func(s grammar.Subset) bool { return s.Left == p.Left || s.Helps(p.Left) })
		first, rest := []grammar.Symbol(nil), p.Right
		if len(p.Right) > 0 && !item && (g.IsTerminal(p.Right[0]) || len(p.Right) > 1 && t.ToolLike(p.Right[0])) {
			first, rest = heads(t, p.Right), p.Right[1:]
		}
		var inner []grammar.Symbol
		for _, s := range rest {
			if inner = append(inner, moved(s)); g.IsTerminal(s) {
				inner = append(inner, out.opening, out.opening+1)
			}
		}
		if first == nil {
			productions = append(productions, grammar.Production{Left: moved(p.Left), Right: inner})
		}
		for _, head := range first {
			right := append([]grammar.Symbol{head, out.opening}, inner...)
			productions = append(productions, grammar.Production{Left: moved(p.Left), Right: append(right, out.opening+1)})
		}
	}
	n := g.NumTerminals
	out.Grammar = grammar.New(append(slices.Clone(g.Names[:n]), "(", ")"), g.Names[n:], moved(g.Start), productions, nil, grammar.Limits{})
	return out
}

// trees calls visit for the derivation trees of a word, up to maxTrees, until visit returns false.
func (c *Checker) trees(word []grammar.Symbol, m *meter.Meter, visit func(*space.Node) bool) error {
	forest, err := earley.New(c.g).Forest(word, m)
	if err != nil || forest == nil || !visit(c.drawn(forest.First())) {
		return err
	}
	n, err := forest.Trees()
	if err != nil {
		n = 0 // too many to count
	}
	for i := range min(n, maxTrees) {
		tree, err := forest.Tree(i)
		if err != nil || !visit(c.drawn(tree)) {
			return err
		}
	}
	return nil
}

// shape returns the terms of a text, without nonterminals and grouping parentheses. open
// reports names that neither a parenthesis nor a comma separates.
func (c *Checker) shape(text string, found []Found) (terms []*term, open bool) {
	root := &term{}
	stack := []*term{root}
	separate, last := true, (*term)(nil) // last: the name before a parenthesis
	for at := 0; at < len(text); at++ {
		if len(found) > 0 && found[0].Start == at {
			last = &term{letter: found[0].letter}
			top := stack[len(stack)-1]
			top.args = append(top.args, last)
			open = open || !separate
			separate = false
			at = found[0].End - 1
			found = found[1:]
			continue
		}
		switch b := text[at]; {
		case b == '(':
			if last == nil {
				last = stack[len(stack)-1] // grouping
			}
			stack = append(stack, last)
			separate, last = true, nil
		case b == ')' && len(stack) > 1:
			stack = stack[:len(stack)-1]
			separate, last = false, nil
		case b == ',':
			separate, last = true, nil
		case strings.IndexByte(" \t\r\n", b) < 0:
			last = nil // the name of a nonterminal
		}
	}
	return root.args, open
}
