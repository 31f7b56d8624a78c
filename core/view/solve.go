package view

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/solve"
	"github.com/stile-playground/stile/core/source"
)

// MaxBare bounds the variables, constraints and objectives of a problem, together, that are drawn
// individually. In a larger problem, variables with similar names share a node, and so do
// constraints with similar names on the same variables.
const MaxBare = 20

// Solve returns the drawing of a problem for a solver: variables on one side, constraints and
// objectives on the other, each connected to the variables that it uses.
func Solve(p solve.Problem, links []solve.Link, title string, of Extent) Drawing {
	b := &bipartite{drawing: Drawing{Title: title}, of: of, fold: len(p.Names)+len(links) > MaxBare*int(of)}
	b.variables(p.Names)
	for i, l := range links {
		b.link(i, l)
	}
	for i := range b.drawing.Nodes {
		if n := b.members[b.drawing.Nodes[i].ID]; n > 1 {
			b.drawing.Nodes[i].Detail = fmt.Sprintf("%d %s", n, b.noun[b.drawing.Nodes[i].ID])
		}
	}
	return b.drawing
}

type bipartite struct {
	drawing Drawing
	of      Extent
	fold    bool
	nodeOf  []string          // by variable; "" for an omitted one
	members map[string]int    // number of variables or constraints, by node
	noun    map[string]string // a noun for the members of a node
	at      map[string]int    // indices of nodes, by a key that folded constraints share
}

// add adds a node, unless there are too many.
func (b *bipartite) add(n Node, noun string) bool {
	if len(b.drawing.Nodes) >= b.of.nodes() {
		b.drawing.Folded++
		return false
	}
	b.drawing.Nodes = append(b.drawing.Nodes, n)
	b.members[n.ID], b.noun[n.ID] = 1, noun
	return true
}

func (b *bipartite) variables(names []solve.Name) {
	b.members, b.noun, b.at = map[string]int{}, map[string]string{}, map[string]int{}
	b.nodeOf = make([]string, len(names))
	families := map[string]string{}
	for i, v := range names {
		key := solve.FamilyOf(v.Name) + "\x00" + v.Sort
		if id, ok := families[key]; ok && b.fold {
			b.members[id]++
			b.nodeOf[i] = id
			continue
		}
		n := Node{ID: "v" + strconv.Itoa(i), Label: shortened(v.Name, maxLabel), Detail: v.Sort, Kind: NodeState, Span: v.Span}
		if b.add(n, "of sort "+v.Sort) {
			families[key], b.nodeOf[i] = n.ID, n.ID
		}
	}
	if !b.fold {
		return
	}
	for i := range b.drawing.Nodes {
		if n := &b.drawing.Nodes[i]; b.members[n.ID] > 1 {
			n.Label = shortened(solve.FamilyOf(n.Label), maxLabel) + " …"
			n.Span = source.Span{}
		}
	}
}

func (b *bipartite) link(i int, l solve.Link) {
	var about []string
	seen := map[string]bool{}
	for _, v := range l.Uses {
		if id := b.nodeOf[v]; id != "" && !seen[id] {
			seen[id] = true
			about = append(about, id)
		}
	}
	key := l.Sense + "\x00" + solve.FamilyOf(l.Name) + "\x00" + strings.Join(about, " ")
	if at, ok := b.at[key]; ok && b.fold && l.Sense == "" {
		n := &b.drawing.Nodes[at]
		if b.members[n.ID]++; b.members[n.ID] == 2 && l.Name != "" {
			n.Label = shortened(solve.FamilyOf(l.Name), maxLabel) + " …"
		}
		n.Span = source.Span{}
		return
	}
	n := Node{ID: "c" + strconv.Itoa(i), Label: l.Name, Detail: shortened(l.Text, maxQuestion), Kind: NodeSymbol, Span: l.Span}
	switch {
	case l.Sense == "soft":
		n.Label = "wish"
	case l.Sense != "":
		n.Label, n.Accepting = l.Sense, true
	case n.Label == "":
		n.Label, n.Detail = shortened(l.Text, maxLabel), ""
	default:
		n.Label = shortened(n.Label, maxLabel)
	}
	if !b.add(n, "constraints") {
		return
	}
	b.at[key] = len(b.drawing.Nodes) - 1
	for _, id := range about {
		if len(b.drawing.Edges) >= b.of.edges() {
			b.drawing.Folded++
			continue
		}
		b.drawing.Edges = append(b.drawing.Edges, Edge{ID: id + ">" + n.ID, From: id, To: n.ID})
	}
}
