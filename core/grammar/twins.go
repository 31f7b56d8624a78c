package grammar

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// twins reports a terminal whose name differs from that of a nonterminal only in case, unless the rules of this
// nonterminal contain the terminal, as in Search -> search query, or the names are single letters, as in textbooks.
func (c *compiler) twins() {
	g := c.g
	fold := func(name string) string { return strings.ToLower(strings.ToUpper(name)) }
	lefts := map[string][]Symbol{}
	for i, name := range g.Names[g.NumTerminals:] {
		lefts[fold(name)] = append(lefts[fold(name)], Symbol(g.NumTerminals+i))
	}
	for i, name := range g.Names[:g.NumTerminals] {
		if len(name) < 2 {
			continue
		}
		for _, left := range lefts[fold(name)] {
			other := g.Names[left]
			if !strings.EqualFold(name, other) || c.helpers[other] != "" || g.contains(left, Symbol(i)) {
				continue
			}
			c.report(source.Diagnostic{
				Code: "cfg.case", Severity: source.SeverityInfo, Span: g.spans[i],
				Message: fmt.Sprintf("terminal %q differs from the nonterminal %q only in case", name, other),
				Fixes:   []source.Fix{{Title: "Write " + other, Edits: []source.Edit{{Span: g.spans[i], Text: other}}}},
			})
		}
	}
}

// contains reports whether a production of a nonterminal contains a symbol.
func (g *Grammar) contains(left, symbol Symbol) bool {
	return slices.ContainsFunc(g.ByLeft(left), func(i int) bool { return slices.Contains(g.Productions[i].Right, symbol) })
}
