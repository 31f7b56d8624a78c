package view

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/pushdown"
	"github.com/stile-playground/stile/core/source"
)

// Epsilon is the label of the empty word.
const Epsilon = "ε"

// Pushdown returns the drawing of a pushdown automaton, with an edge for each pair
// of states that have a transition. Transitions that differ only in the letter
// they read share a line, as the small letters in Figure 3 of Formal-LLM (Li et
// al. 2024) do. A line's identifier is "t" and the index of its first
// transition; lineOf maps each transition to the identifier of its line, and nodeOf
// each state to that of its node.
//
// If an automaton has more states than [MaxPlain] times the extent, the members of a
// family, whose names are equal up to a slash, are drawn as one node.
func Pushdown(p *pushdown.PDA, title string, of Extent) (d Drawing, nodeOf, lineOf []string) {
	d.Title = title
	group := foldedStates(p, of)
	members := map[int]int{}
	for _, g := range group {
		members[g]++
	}
	at := map[int]int{} // of nodes, by group
	for i, name := range p.States {
		g := group[i]
		n, ok := at[g]
		if !ok {
			n = len(d.Nodes)
			at[g] = n
			d.Nodes = append(d.Nodes, Node{ID: "q" + strconv.Itoa(g), Label: name, Kind: NodeState})
			if members[g] > 1 {
				d.Nodes[n].Label, _, _ = strings.Cut(name, "/")
				d.Nodes[n].Detail = strconv.Itoa(members[g]) + " states"
			}
		}
		d.Nodes[n].Start = d.Nodes[n].Start || i == p.Start
		d.Nodes[n].Accepting = d.Nodes[n].Accepting || p.Accepting(i)
		nodeOf = append(nodeOf, d.Nodes[n].ID)
	}
	lineOf = make([]string, len(p.Transitions))
	type like struct {
		from, to  int
		pop, push string
	}
	type place struct{ edge, line int } // line -1 once the edge is full
	edges := map[[2]int]int{}
	groups := map[like]place{}
	reads := map[place][]string{}
	for i, t := range p.Transitions {
		ends := [2]int{group[t.From], group[t.To]}
		e, ok := edges[ends]
		if !ok {
			e = len(d.Edges)
			edges[ends] = e
			d.Edges = append(d.Edges, Edge{
				ID: "e" + strconv.Itoa(ends[0]) + "-" + strconv.Itoa(ends[1]), From: "q" + strconv.Itoa(ends[0]), To: "q" + strconv.Itoa(ends[1]),
			})
		}
		pop, push := stackLabel(t)
		key := like{from: ends[0], to: ends[1], pop: pop, push: push}
		at, ok := groups[key]
		if !ok || t.Read == "" && !t.ReadAny && len(p.States) <= of.plain() {
			at = place{edge: e, line: len(d.Edges[e].Lines)}
			if at.line < of.lines() {
				d.Edges[e].Lines = append(d.Edges[e].Lines, Line{ID: "t" + strconv.Itoa(i), Span: t.Span})
			} else {
				d.Edges[e].Folded++
				at.line = -1
			}
			groups[key] = at
		}
		if at.line >= 0 {
			line := &d.Edges[e].Lines[at.line]
			read := t.Read
			if t.ReadAny {
				read = "*"
			}
			if !slices.Contains(reads[at], read) {
				reads[at] = append(reads[at], read)
			}
			line.Label = transitionLabel(reads[at], pop, push)
			line.Span = joinSpan(line.Span, t.Span)
			lineOf[i] = line.ID
		} else {
			lineOf[i] = d.Edges[e].ID
		}
	}
	return d, nodeOf, lineOf
}

// MaxPlain limits the states that are drawn without folding.
const MaxPlain = 60

// foldedStates maps each state to the first state of its node.
func foldedStates(p *pushdown.PDA, of Extent) []int {
	group := make([]int, len(p.States))
	first := map[string]int{}
	for i, name := range p.States {
		group[i] = i
		if len(p.States) <= of.plain() {
			continue
		}
		family, _, _ := strings.Cut(name, "/")
		if _, ok := first[family]; !ok {
			first[family] = i
		}
		group[i] = first[family]
	}
	return group
}

// stackLabel returns the label of the symbols that a transition pops and pushes.
func stackLabel(t pushdown.Transition) (pop, push string) {
	pop, push = t.Pop, strings.Join(t.Push, " ")
	if t.PopAny {
		pop = "*"
	}
	if t.Keep {
		push = strings.TrimSpace(push + " *")
	}
	if pop == "" {
		pop = Epsilon
	}
	if push == "" {
		push = Epsilon
	}
	return pop, push
}

// transitionLabel writes (a, A; B C): read a with A on top, put B C in its
// place. Several letters are written a1|a2, many with their middle left out.
func transitionLabel(read []string, pop, push string) string {
	if len(read) > 4 {
		read = []string{read[0], read[1], "…", read[len(read)-1]}
	}
	letter := strings.Join(read, "|")
	if letter == "" {
		letter = Epsilon
	}
	return letter + ", " + pop + "; " + push
}

// joinSpan joins two spans of which either may be empty.
func joinSpan(a, b source.Span) source.Span {
	switch {
	case a.Len() == 0:
		return b
	case b.Len() == 0:
		return a
	}
	return a.Join(b)
}
