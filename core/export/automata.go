package export

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/pushdown"
)

// Graph is the drawing of an automaton.
type Graph struct {
	Name   string
	States []GraphState
	Starts []int
	Edges  []GraphEdge
}

// GraphState is a node of a drawn automaton.
type GraphState struct {
	Label     string
	Accepting bool
}

// GraphEdge is an edge of a [Graph] with one label a line.
type GraphEdge struct {
	From, To int
	Labels   []string
}

// GraphOfDFA returns the graph of an automaton without dead states, with one edge for each
// pair of states.
func GraphOfDFA(name string, d *automaton.DFA, letters []string) Graph {
	g := Graph{Name: name, Starts: []int{0}}
	distance := d.Distances()
	number := make([]int, d.NumStates())
	for q := range number {
		number[q] = -1
		if q == d.Start() {
			g.Starts[0] = len(g.States)
		}
		if distance[q] >= 0 || q == d.Start() {
			number[q] = len(g.States)
			g.States = append(g.States, GraphState{Label: fmt.Sprint(q), Accepting: d.Accepting(q)})
		}
	}
	for q := range number {
		labels := map[int][]string{}
		for letter, text := range letters {
			to := d.Next(q, letter)
			labels[to] = append(labels[to], text)
		}
		for to := range number {
			if number[q] >= 0 && number[to] >= 0 && len(labels[to]) > 0 && distance[to] >= 0 {
				g.Edges = append(g.Edges, GraphEdge{From: number[q], To: number[to], Labels: labels[to]})
			}
		}
	}
	return g
}

// GraphOfAgent returns the graph of an agent's automaton as drawings show it: a state for each
// state of the agent at each place of the behaviour, with its name, and edges without labels.
func GraphOfAgent(a *agent.Agent) Graph {
	g := Graph{Name: a.Name}
	type place struct{ letter, state int }
	number := map[place]int{}
	var places []place
	visit := func(p place) int {
		n, seen := number[p]
		if !seen {
			n = len(places)
			number[p], places = n, append(places, p)
			g.States = append(g.States, GraphState{Label: a.States[p.letter].Name, Accepting: a.DFA.Accepting(p.state)})
		}
		return n
	}
	for letter := range a.States {
		if next := a.DFA.Next(a.DFA.Start(), letter); a.Live(next) {
			g.Starts = append(g.Starts, visit(place{letter, next}))
		}
	}
	for i := 0; i < len(places); i++ {
		for letter := range a.States {
			if next := a.DFA.Next(places[i].state, letter); a.Live(next) {
				g.Edges = append(g.Edges, GraphEdge{From: i, To: visit(place{letter, next})})
			}
		}
	}
	return g
}

// guardSteps limits the work of writing an automaton's guards.
const guardSteps = 10_000_000

// GraphOfFormula returns the graph of a formula's automaton. It returns false if there are
// too many guards.
func GraphOfFormula(name string, d *ltl.Automaton) (Graph, bool) {
	g := Graph{Name: name, Starts: []int{d.Start()}}
	m := meter.New(meter.Budget{Steps: guardSteps})
	for q := range d.NumStates() {
		g.States = append(g.States, GraphState{Label: fmt.Sprint(q), Accepting: d.Accepting(q)})
		guards, cubes := d.Guards(q, m)
		if cubes < 0 {
			return g, false
		}
		for _, guard := range guards {
			g.Edges = append(g.Edges, GraphEdge{From: q, To: guard.To, Labels: []string{guard.Formula.String()}})
		}
	}
	return g, true
}

// GraphOfPDA returns the graph of a pushdown automaton.
func GraphOfPDA(name string, p *pushdown.PDA) Graph {
	g := Graph{Name: name, Starts: []int{p.Start}}
	for q, label := range p.States {
		g.States = append(g.States, GraphState{Label: label, Accepting: p.Accepting(q)})
	}
	at := map[[2]int]int{}
	for _, t := range p.Transitions {
		ends := [2]int{t.From, t.To}
		i, ok := at[ends]
		if !ok {
			i = len(g.Edges)
			at[ends] = i
			g.Edges = append(g.Edges, GraphEdge{From: t.From, To: t.To})
		}
		g.Edges[i].Labels = append(g.Edges[i].Labels, t.Notation())
	}
	return g
}

// DOT writes the graph for Graphviz.
func (g Graph) DOT() string {
	var b strings.Builder
	quote := func(text string) string {
		return `"` + replaced(text, `\`, `\\`, `"`, `\"`, "\n", `\n`) + `"`
	}
	b.WriteString("digraph " + quote(g.Name) + " {\n  rankdir=LR;\n  start [shape=point];\n")
	for i, s := range g.States {
		shape := "circle"
		if s.Accepting {
			shape = "doublecircle"
		}
		fmt.Fprintf(&b, "  s%d [label=%s, shape=%s];\n", i, quote(s.Label), shape)
	}
	for _, start := range g.Starts {
		fmt.Fprintf(&b, "  start -> s%d;\n", start)
	}
	for _, e := range g.Edges {
		label := ""
		if len(e.Labels) > 0 {
			label = " [label=" + quote(strings.Join(e.Labels, "\n")) + "]"
		}
		fmt.Fprintf(&b, "  s%d -> s%d%s;\n", e.From, e.To, label)
	}
	b.WriteString("}\n")
	return b.String()
}

// Mermaid writes the graph as a Mermaid flowchart.
func (g Graph) Mermaid() string { return MermaidOf(g) }

// MermaidOf writes graphs as one Mermaid flowchart; several graphs become subgraphs.
func MermaidOf(graphs ...Graph) string {
	var b strings.Builder
	b.WriteString("flowchart LR\n")
	for i, g := range graphs {
		if len(graphs) == 1 {
			g.mermaid(&b, "", "  ")
			break
		}
		prefix := fmt.Sprintf("g%d", i)
		b.WriteString("  subgraph " + prefix + "[" + quoteMermaid(g.Name) + "]\n")
		g.mermaid(&b, prefix, "    ")
		b.WriteString("  end\n")
	}
	return b.String()
}

func quoteMermaid(text string) string {
	return `"` + replaced(text, "#", "#35;", "&", "#amp;", `"`, "#quot;", "<", "#lt;", ">", "#gt;", "\n", "<br/>", "`", "#96;") + `"`
}

// mermaid writes the states and edges; their names get a prefix.
func (g Graph) mermaid(b *strings.Builder, prefix, indent string) {
	for _, start := range g.Starts {
		fmt.Fprintf(b, "%s%sstart(( )) --> %ss%d\n", indent, prefix, prefix, start)
	}
	for i, s := range g.States {
		open, closing := "((", "))"
		if s.Accepting {
			open, closing = "(((", ")))"
		}
		fmt.Fprintf(b, "%s%ss%d%s%s%s\n", indent, prefix, i, open, quoteMermaid(s.Label), closing)
	}
	for _, e := range g.Edges {
		label := ""
		if len(e.Labels) > 0 {
			label = "-- " + quoteMermaid(strings.Join(e.Labels, "\n")) + " "
		}
		fmt.Fprintf(b, "%s%ss%d %s--> %ss%d\n", indent, prefix, e.From, label, prefix, e.To)
	}
}

// replaced replaces pairs of texts, in sequence.
func replaced(text string, pairs ...string) string {
	for i := 0; i < len(pairs); i += 2 {
		text = strings.ReplaceAll(text, pairs[i], pairs[i+1])
	}
	return text
}
