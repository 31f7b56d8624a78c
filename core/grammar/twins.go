package grammar

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// twins reports a terminal whose name differs from that of a nonterminal only in case, unless the rules of this
// nonterminal contain the terminal, as in Search -> search query, or the names are single letters, as in textbooks.
func (c *compiler) twins() {
	g := c.g
	for _, name := range g.Names[:g.NumTerminals] {
		for i, other := range g.Names[g.NumTerminals:] {
			left := Symbol(g.NumTerminals + i)
			if len(name) < 2 || !strings.EqualFold(name, other) || c.helpers[other] != "" || c.derives(left, g.lookup[name]) {
				continue
			}
			c.report(source.Diagnostic{
				Code: "cfg.case", Severity: source.SeverityInfo, Span: g.spans[g.lookup[name]],
				Message: fmt.Sprintf("terminal %q differs from the nonterminal %q only in case", name, other),
				Fixes:   []source.Fix{{Title: "Write " + other, Edits: []source.Edit{{Span: g.spans[g.lookup[name]], Text: other}}}},
			})
		}
	}
}

// derives reports whether a production of a nonterminal contains a symbol.
func (c *compiler) derives(left, symbol Symbol) bool {
	for _, p := range c.g.Productions {
		for _, s := range p.Right {
			if p.Left == left && s == symbol {
				return true
			}
		}
	}
	return false
}
