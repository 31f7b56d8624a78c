package view

import (
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/flow"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/meter"
)

// Formula returns the drawing of a formula's automaton: an edge for each pair of states, labelled
// with the steps that lead from one to the other. The permanently violated state is omitted: every
// transition that is not drawn leads to it. visit, if not nil, is called for each line with its
// propositions. The edges of a state are omitted if they exceed the budget of a drawing.
func Formula(d *ltl.Automaton, title string, of Extent, visit func(line string, props []string)) Drawing {
	m := meter.New(meter.Budget{Steps: formulaSteps})
	out := Drawing{Title: title}
	verdicts := d.Verdicts()
	id := FormulaNode
	shown := func(q int) bool { return q < of.nodes() && (verdicts[q] != ltl.Violated || q == d.Start()) }
	for q := range d.NumStates() {
		if !shown(q) {
			if q >= of.nodes() {
				out.Folded++
			}
			continue
		}
		n := Node{ID: id(q), Label: strconv.Itoa(q), Kind: NodeState, Start: q == d.Start(), Accepting: d.Accepting(q)}
		if q != d.Start() {
			n.Detail = strings.ReplaceAll(string(verdicts[q]), "-", " ")
		}
		out.Nodes = append(out.Nodes, n)
		cubes := -1
		var guards []ltl.Guard
		if len(out.Edges) < of.edges() {
			guards, cubes = d.Guards(q, m)
		}
		if cubes < 0 {
			out.Folded++
			continue
		}
		for _, g := range guards {
			if !shown(g.To) {
				continue
			}
			if len(out.Edges) == of.edges() {
				out.Folded++
				continue
			}
			edge := Edge{ID: FormulaEdge(q, g.To), From: id(q), To: id(g.To)}
			for i, alternative := range alternatives(g.Formula) {
				if i == of.lines() {
					edge.Folded++
					continue
				}
				line := Line{ID: edge.ID + "." + strconv.Itoa(i), Label: shortened(alternative.String(), maxLabel)}
				edge.Lines = append(edge.Lines, line)
				if visit != nil {
					visit(line.ID, alternative.Props())
				}
			}
			out.Edges = append(out.Edges, edge)
		}
	}
	return out
}

// FormulaNode returns the identifier of a state's node.
func FormulaNode(state int) string { return "q" + strconv.Itoa(state) }

// FormulaEdge returns the identifier of the edge between two states.
func FormulaEdge(from, to int) string { return FormulaNode(from) + ">" + FormulaNode(to) }

// formulaSteps limits the work of writing the guards of a drawing, as more lines would be
// unreadable.
const formulaSteps = 3_000_000

// Maximum lengths of an edge label and of a question in a node, in characters.
const (
	maxLabel    = 28
	maxQuestion = 40
)

func shortened(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}

// alternatives returns the operands of a chain of disjunctions.
func alternatives(f *ltl.Formula) []*ltl.Formula {
	var out []*ltl.Formula
	for ; f.Op == ltl.Or; f = f.Right {
		out = append(out, f.Left)
	}
	return append(out, f)
}

// Flow returns the drawing of a flowchart, with an edge for each answer.
func Flow(f *flow.Flow, of Extent) Drawing {
	d := Drawing{Title: "Flowchart"}
	for i, s := range f.States {
		if i >= of.nodes() {
			d.Folded++
			continue
		}
		n := Node{ID: FlowNode(i), Label: s.Name, Detail: shortened(f.Text(s.Question, nil), maxQuestion), Kind: NodeState, Start: i == f.Start, Accepting: s.Kind == flow.Accept, Span: s.Span}
		if s.Kind == flow.Choose {
			n.Detail = "in any order"
		}
		d.Nodes = append(d.Nodes, n)
		at := map[int]int{}
		for k, e := range s.Edges {
			if e.To >= of.nodes() || len(d.Edges) >= of.edges() {
				d.Folded++
				continue
			}
			edge, ok := at[e.To]
			if !ok {
				edge = len(d.Edges)
				at[e.To] = edge
				d.Edges = append(d.Edges, Edge{ID: FlowNode(i) + ">" + FlowNode(e.To), From: FlowNode(i), To: FlowNode(e.To)})
			}
			d.Edges[edge].Lines = append(d.Edges[edge].Lines, Line{ID: FlowEdge(i, k), Label: e.Answer, Span: e.Span})
		}
	}
	return d
}

// FlowNode returns the identifier of a state's node.
func FlowNode(state int) string { return "f" + strconv.Itoa(state) }

// FlowEdge returns the identifier of the line for an answer of a state.
func FlowEdge(state, answer int) string {
	return "f" + strconv.Itoa(state) + "." + strconv.Itoa(answer)
}
