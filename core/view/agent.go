package view

import (
	"strconv"

	"github.com/stile-playground/stile/core/agent"
)

// Agent returns the drawing of an agent's automaton as the papers draw it: a node is an agent's
// state at one place of the behaviour, that is, a letter with the state of the automaton that it
// leads to; an edge leads to each node that may follow. The identifier of a node is that of
// [AgentNode]. The dead state is left out.
func Agent(a *agent.Agent, of Extent) Drawing {
	d := Drawing{Title: a.Name}
	seen := map[[2]int]bool{}
	type place struct{ letter, state int }
	var queue []place
	visit := func(letter, state int) string {
		id := AgentNode(letter, state)
		if !seen[[2]int{letter, state}] {
			seen[[2]int{letter, state}] = true
			s := a.States[letter]
			n := Node{
				ID: id, Label: s.Name, Detail: s.Text, Kind: NodeState,
				Accepting: a.DFA.Accepting(state), Span: s.Span,
			}
			if s.EnvInput {
				n.Kind = NodeEnvironment
			}
			d.Nodes = append(d.Nodes, n)
			queue = append(queue, place{letter, state})
		}
		return id
	}
	start := a.DFA.Start()
	for letter := range a.States {
		if next := a.DFA.Next(start, letter); a.Live(next) {
			visit(letter, next)
			d.Nodes[len(d.Nodes)-1].Start = true
		}
	}
	for i := 0; i < len(queue); i++ {
		at := queue[i]
		for letter := range a.States {
			next := a.DFA.Next(at.state, letter)
			if !a.Live(next) {
				continue
			}
			if len(d.Nodes) >= of.nodes() && !seen[[2]int{letter, next}] || len(d.Edges) >= of.edges() {
				d.Folded++
				continue
			}
			from, to := AgentNode(at.letter, at.state), visit(letter, next)
			d.Edges = append(d.Edges, Edge{ID: from + ">" + to, From: from, To: to})
		}
	}
	return d
}

// AgentNode returns the identifier of the node for an agent's state that leads
// to a state of the automaton.
func AgentNode(letter, state int) string {
	return "s" + strconv.Itoa(letter) + "." + strconv.Itoa(state)
}

// AgentEdge returns the identifier of the edge between two nodes, each given by its letter and its
// state.
func AgentEdge(letter, state, nextLetter, nextState int) string {
	return AgentNode(letter, state) + ">" + AgentNode(nextLetter, nextState)
}
