package view

import (
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/grammar"
)

// Symbols returns the graph of a grammar's nonterminals: an edge leads from a nonterminal to each
// nonterminal in its productions, with a line for each such production. The detail of a node lists
// the productions without nonterminals. For a large grammar this graph is more useful than the
// automaton, which has three states.
func Symbols(g *grammar.Grammar, of Extent) Drawing {
	d := Drawing{Title: "Symbols of the grammar"}
	id := func(s grammar.Symbol) string { return "x" + strconv.Itoa(int(s)-g.NumTerminals) }
	count := len(g.Names) - g.NumTerminals
	shown := min(count, of.nodes())
	d.Folded = count - shown
	plain := make([][]string, shown)
	at := map[[2]grammar.Symbol]int{} // of edges, by their ends
	for i, p := range g.Productions {
		from := int(p.Left) - g.NumTerminals
		if from >= shown {
			continue
		}
		label := shortened(rightSide(g, p), maxLabel)
		ends := false
		for _, s := range p.Right {
			if g.IsTerminal(s) {
				continue
			}
			ends = true
			pair := [2]grammar.Symbol{p.Left, s}
			e, ok := at[pair]
			if !ok {
				if int(s)-g.NumTerminals >= shown || len(d.Edges) >= of.edges() {
					d.Folded++
					continue
				}
				e = len(d.Edges)
				at[pair] = e
				d.Edges = append(d.Edges, Edge{ID: id(p.Left) + ">" + id(s), From: id(p.Left), To: id(s)})
			}
			line := Line{ID: d.Edges[e].ID + "." + strconv.Itoa(i), Label: label, Span: p.Span}
			switch lines := d.Edges[e].Lines; {
			case len(lines) > 0 && lines[len(lines)-1].ID == line.ID: // a second occurrence in the production
			case len(lines) >= of.lines():
				d.Edges[e].Folded++
			default:
				d.Edges[e].Lines = append(lines, line)
			}
		}
		if !ends {
			plain[from] = append(plain[from], label)
		}
	}
	for i := range shown {
		s := grammar.Symbol(g.NumTerminals + i)
		d.Nodes = append(d.Nodes, Node{
			ID: id(s), Label: g.Names[s], Detail: shortened(strings.Join(plain[i], " | "), maxLabel), Kind: NodeState, Start: s == g.Start, Span: g.Span(s),
		})
	}
	return d
}

func rightSide(g *grammar.Grammar, p grammar.Production) string {
	if len(p.Right) == 0 {
		return Epsilon
	}
	names := make([]string, len(p.Right))
	for i, s := range p.Right {
		names[i] = g.Names[s]
	}
	return strings.Join(names, " ")
}
