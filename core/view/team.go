package view

import (
	"strings"

	"github.com/stile-playground/stile/core/team"
)

// Identifiers of the nodes in a team's drawings other than executors and sub-tasks.
const (
	TeamManager   = "manager"
	TeamDeliverer = "deliverer"
)

// Team returns the drawing of a team: the manager, the executors with their tools, and
// the deliverer.
func Team(s *team.Spec) Drawing {
	d := Drawing{Title: s.Name, Nodes: []Node{{ID: TeamManager, Label: "manager", Kind: NodeSymbol, Start: true}}}
	last := Node{ID: TeamDeliverer, Label: "deliverer", Detail: s.Role, Kind: NodeSymbol, Accepting: true}
	for _, e := range s.Executors {
		var names []string
		for _, t := range e.Tools {
			names = append(names, t.Name)
		}
		id := "executor:" + e.Name
		d.Nodes = append(d.Nodes, Node{ID: id, Label: e.Name, Detail: shortened(strings.Join(names, ", "), detailLength), Kind: NodeState, Span: e.Span})
		d.Edges = append(d.Edges, Edge{ID: TeamManager + ">" + id, From: TeamManager, To: id}, Edge{ID: id + ">" + TeamDeliverer, From: id, To: TeamDeliverer})
	}
	d.Nodes = append(d.Nodes, last)
	return d
}

// TaskGraph returns the drawing of a task graph. The identifier of a node is that of the sub-task;
// that of an edge consists of those of its ends, joined with ">". The manager precedes sub-tasks
// without needs, the deliverer follows sub-tasks without dependents.
func TaskGraph(g *team.Graph) Drawing {
	d := Drawing{Title: "Task graph", Nodes: []Node{{ID: TeamManager, Label: "manager", Kind: NodeSymbol, Start: true}}}
	needed := map[string]bool{}
	join := func(from, to string) {
		needed[from] = true
		d.Edges = append(d.Edges, Edge{ID: from + ">" + to, From: from, To: to})
	}
	for _, s := range g.Subtasks {
		d.Nodes = append(d.Nodes, Node{ID: s.ID, Label: s.ID + " " + s.Executor, Detail: shortened(strings.Join(strings.Fields(s.Task), " "), detailLength), Kind: NodeState})
		if len(s.Needs) == 0 {
			join(TeamManager, s.ID)
		}
		for _, id := range s.Needs {
			join(id, s.ID)
		}
	}
	for _, s := range g.Subtasks {
		if !needed[s.ID] {
			join(s.ID, TeamDeliverer)
		}
	}
	d.Nodes = append(d.Nodes, Node{ID: TeamDeliverer, Label: "deliverer", Kind: NodeSymbol, Accepting: true})
	return d
}

// detailLength limits the second line of a node, in characters.
const detailLength = 34
