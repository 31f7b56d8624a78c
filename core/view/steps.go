package view

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/strips"
)

// MaxStates limits the states in the drawing of a task: the states that take the most steps to
// reach are omitted.
const MaxStates = 40

// StateSpace returns the drawing of the states that a task's steps reach, breadth first: with an
// edge for each pair of states that a step connects, and a line for each step that changes
// something. States in which the goal holds are accepting. A node's identifier is that of
// [StateNode], a line's that of [StateLine], so that a plan can be traced in the drawing.
func StateSpace(t *strips.Task, space strips.Space, of Extent) Drawing {
	d := Drawing{Title: t.Problem.Name, Folded: space.Left}
	spans := map[string]source.Span{}
	for _, a := range t.Domain.Actions {
		spans[a.Name] = a.Span
	}
	for i, s := range space.States {
		n := Node{ID: StateNode(i), Label: strconv.Itoa(i), Kind: NodeState, Start: i == 0, Accepting: s.Goal}
		var facts []string
		for _, value := range s.Values {
			if s.By < 0 || !slices.Contains(space.States[space.Moves[s.By].From].Values, value) {
				facts = append(facts, bare(value))
			}
		}
		for f, holds := range s.Holds {
			// New facts identify a state better than the first few of all facts.
			if holds && (s.By < 0 || !space.States[space.Moves[s.By].From].Holds[f]) {
				facts = append(facts, bare(t.Facts[f].String()))
			}
		}
		n.Detail = shortened(strings.Join(facts, ", "), maxQuestion)
		d.Nodes = append(d.Nodes, n)
	}
	edges := map[[2]int]int{}
	for _, m := range space.Moves {
		if m.From == m.To {
			continue // no shortest plan has a step that changes nothing
		}
		ends := [2]int{m.From, m.To}
		e, ok := edges[ends]
		if !ok {
			if len(d.Edges) >= of.edges() {
				d.Folded++
				continue
			}
			e = len(d.Edges)
			edges[ends] = e
			d.Edges = append(d.Edges, Edge{ID: StateNode(m.From) + ">" + StateNode(m.To), From: StateNode(m.From), To: StateNode(m.To)})
		}
		if len(d.Edges[e].Lines) >= of.lines() {
			d.Edges[e].Folded++
			continue
		}
		step := t.Operators[m.Operator].Step
		d.Edges[e].Lines = append(d.Edges[e].Lines, Line{ID: StateLine(m.From, step), Label: shortened(bare(step.String()), maxLabel), Span: spans[step.Action]})
	}
	return d
}

// StateNode returns the identifier of the node of a state. States are numbered from 0 in the order
// in which they are reached.
func StateNode(state int) string { return "s" + strconv.Itoa(state) }

// StateLine returns the identifier of the line for a step that is done in a state:
// "s0:(stack a b)".
func StateLine(state int, step strips.Step) string { return StateNode(state) + ":" + step.String() }

// Unplaced removes the source places of a drawing, for use with another text.
func (d *Drawing) Unplaced() {
	for i := range d.Nodes {
		d.Nodes[i].Span = source.Span{}
	}
	for i := range d.Edges {
		for j := range d.Edges[i].Lines {
			d.Edges[i].Lines[j].Span = source.Span{}
		}
	}
}

// bare returns a fact or a step without its parentheses.
func bare(text string) string { return strings.Trim(text, "()") }

// Actions returns the drawing of a domain: its predicates and its actions, with an edge
// from each predicate that an action or an axiom needs and to each that it changes or derives.
func Actions(d *strips.Domain, of Extent) Drawing {
	out := Drawing{Title: d.Name}
	node := func(kind NodeKind, prefix, name, detail string, span source.Span) {
		if len(out.Nodes) >= of.nodes() {
			out.Folded++
			return
		}
		out.Nodes = append(out.Nodes, Node{ID: prefix + name, Label: name, Detail: shortened(detail, maxQuestion), Kind: kind, Span: span})
	}
	fluent := map[string]bool{}
	for _, a := range d.Actions {
		a.EachEffect(func(l strips.Literal) { fluent[l.Predicate] = true })
	}
	shown := map[string]bool{}
	for _, p := range d.Predicates {
		shown[p.Name] = true
		detail := ""
		switch {
		case d.Derived(p.Name):
			detail = "derived"
		case !fluent[p.Name]:
			detail = "never changes"
		}
		node(NodeTerminal, "predicate:", p.Name, detail, p.Span)
	}
	for _, a := range d.Actions {
		var names []string
		for _, p := range a.Parameters {
			names = append(names, "?"+p.Name)
		}
		node(NodeState, "action:", a.Name, strings.Join(names, " "), a.Span)
	}
	if out.Folded > 0 {
		return out
	}
	for _, p := range d.Predicates {
		var needs []strips.Literal
		for _, a := range d.Axioms {
			if a.Head.Predicate == p.Name {
				a.Condition.Each(func(l strips.Literal) { needs = append(needs, l) }, func(*strips.Atom) {})
			}
		}
		out.literals(needs, shown, of, func(name string) (string, string) { return "predicate:" + name, "predicate:" + p.Name }, "", "not ")
	}
	for _, a := range d.Actions {
		id := "action:" + a.Name
		var needs, changes []strips.Literal
		a.EachCondition(func(l strips.Literal) { needs = append(needs, l) }, func(*strips.Atom) {})
		a.EachEffect(func(l strips.Literal) { changes = append(changes, l) })
		out.literals(needs, shown, of, func(name string) (string, string) { return "predicate:" + name, id }, "", "not ")
		out.literals(changes, shown, of, func(name string) (string, string) { return id, "predicate:" + name }, "+ ", "− ")
	}
	return out
}

// literals adds an edge between an action and each predicate in a list of literals, with a line for
// each literal.
func (d *Drawing) literals(list []strips.Literal, shown map[string]bool, of Extent, ends func(name string) (from, to string), positive, negative string) {
	at := map[string]int{}
	for _, l := range list {
		if !shown[l.Predicate] {
			continue
		}
		from, to := ends(l.Predicate)
		e, ok := at[l.Predicate]
		if !ok {
			if len(d.Edges) >= of.edges() {
				d.Folded++
				continue
			}
			e = len(d.Edges)
			at[l.Predicate] = e
			d.Edges = append(d.Edges, Edge{ID: from + ">" + to, From: from, To: to})
		}
		label := positive
		if l.Negated {
			label = negative
		}
		label = strings.TrimSpace(label + strings.Join(l.Terms, " "))
		if len(d.Edges[e].Lines) >= of.lines() {
			d.Edges[e].Folded++
			continue
		}
		id := d.Edges[e].ID + "." + strconv.Itoa(len(d.Edges[e].Lines))
		d.Edges[e].Lines = append(d.Edges[e].Lines, Line{ID: id, Label: shortened(label, maxLabel), Span: l.Span})
	}
}
