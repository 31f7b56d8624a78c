package view

import (
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/pushdown"
	"github.com/stile-playground/stile/core/source"
)

// Epsilon is how the empty word is written.
const Epsilon = "ε"

// Pushdown returns the drawing of a pushdown automaton, an edge for each pair
// of states that have a transition. Transitions that differ only in the letter
// they read share a line, as the small letters in Figure 3 of Formal-LLM (Li et
// al. 2024) do. A line's identifier is "t" and the index of its first
// transition; lineOf maps each transition to the identifier of its line.
func Pushdown(p *pushdown.PDA, title string) (d Drawing, lineOf []string) {
	d.Title = title
	for i, name := range p.States {
		d.Nodes = append(d.Nodes, Node{
			ID: "q" + strconv.Itoa(i), Label: name, Kind: NodeState, Start: i == p.Start, Accepting: p.Accepting(i),
		})
	}
	lineOf = make([]string, len(p.Transitions))
	type group struct {
		from, to  int
		pop, push string
	}
	type place struct{ edge, line int } // line -1 once the edge is full
	edges := map[[2]int]int{}
	groups := map[group]place{}
	reads := map[place][]string{}
	for i, t := range p.Transitions {
		ends := [2]int{t.From, t.To}
		e, ok := edges[ends]
		if !ok {
			e = len(d.Edges)
			edges[ends] = e
			d.Edges = append(d.Edges, Edge{
				ID: "e" + strconv.Itoa(t.From) + "-" + strconv.Itoa(t.To), From: "q" + strconv.Itoa(t.From), To: "q" + strconv.Itoa(t.To),
			})
		}
		pop, push := stackLabel(t)
		key := group{from: t.From, to: t.To, pop: pop, push: push}
		at, ok := groups[key]
		if !ok || t.Read == "" && !t.ReadAny {
			at = place{edge: e, line: len(d.Edges[e].Lines)}
			if at.line < MaxEdgeLines {
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
			reads[at] = append(reads[at], read)
			line.Label = transitionLabel(reads[at], pop, push)
			line.Span = joinSpan(line.Span, t.Span)
			lineOf[i] = line.ID
		} else {
			lineOf[i] = d.Edges[e].ID
		}
	}
	return d, lineOf
}

// stackLabel writes what a transition pops and pushes.
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
