package team

import (
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/meter"
)

// property is a formula with the state of its automaton after the events so far.
type property struct {
	constraint Constraint
	automaton  *ltl.Automaton
	verdicts   []ltl.Verdict
	state      int
}

// newProperty translates a formula. Propositions that it does not mention have no effect.
func newProperty(c Constraint, m *meter.Meter) (*property, error) {
	alphabet, err := ltl.NewAlphabet(c.Formula.Props(), ltl.Powerset)
	if err != nil {
		return nil, err
	}
	d, err := ltl.Translate(c.Formula, alphabet, m)
	if err != nil {
		return nil, err
	}
	return &property{constraint: c, automaton: d, verdicts: d.Verdicts(), state: d.Start()}, nil
}

// after returns the state after an event.
func (p *property) after(state int, e Event) int {
	return p.automaton.Next(state, func(v int) bool { return e.Holds(p.automaton.Name(v)) })
}

// lost reports whether the formula is violated, whatever events follow.
func (p *property) lost() bool { return p.verdicts[p.state] == ltl.Violated }

// allows reports whether the formula can still hold after an event. A formula that is
// already lost allows every event.
func (p *property) allows(e Event) bool {
	return p.lost() || p.verdicts[p.after(p.state, e)] != ltl.Violated
}

// ends reports whether the formula holds if an event is the last one.
func (p *property) ends(e Event) bool { return p.automaton.Accepting(p.after(p.state, e)) }

// properties returns the properties of the formulas in a list of constraints.
func properties(list []Constraint, m *meter.Meter) ([]*property, error) {
	var out []*property
	for _, c := range list {
		if c.Formula == nil {
			continue
		}
		p, err := newProperty(c, m)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// forbids returns the first formula that an event would violate, whatever events follow,
// or nil.
func forbids(list []*property, e Event) *property {
	for _, p := range list {
		if !p.allows(e) {
			return p
		}
	}
	return nil
}

// record advances the properties by an event.
func record(list []*property, e Event) {
	for _, p := range list {
		p.state = p.after(p.state, e)
	}
}

// maxPlaces bounds the search of satisfiable. If the search exceeds it, the graph is
// accepted, and a violation is reported only during the run.
const maxPlaces = 50_000

// satisfiable reports whether a global formula holds at the end of some sequential
// execution of a graph in which each sub-task succeeds at the first attempt and may call
// any of its tools.
func satisfiable(g *Graph, spec *Spec, c Constraint, m *meter.Meter) (bool, error) {
	p, err := newProperty(c, m)
	if err != nil {
		return false, err
	}
	o, ok, err := newOrders(g, nil, m)
	if err != nil || !ok {
		return !ok, err
	}
	type place struct{ set, state int }
	seen := map[place]bool{{0, p.state}: true}
	queue := []place{{0, p.state}}
	for at := 0; at < len(queue); at++ {
		if len(queue) > maxPlaces {
			return true, nil
		}
		now := queue[at]
		if o.Accepting(now.set) && p.automaton.Accepting(p.after(now.state, Event{Kind: EventDelivered})) {
			return true, nil
		}
		for _, step := range o.next[now.set] {
			done := o.states[step.to] &^ o.states[now.set]
			s := g.Subtasks[ones(done-1)]
			of := Event{Subtask: s.ID, Executor: s.Executor}
			for _, state := range p.during(p.after(now.state, of.of(EventStarted)), of, spec.Executor(s.Executor)) {
				if err := m.Step(10); err != nil {
					return false, err
				}
				next := place{step.to, p.after(state, of.of(EventDone))}
				if p.verdicts[next.state] != ltl.Violated && !seen[next] {
					seen[next] = true
					queue = append(queue, next)
				}
			}
		}
	}
	return false, nil
}

// of returns the event with the given kind.
func (e Event) of(kind string) Event {
	e.Kind = kind
	return e
}

// during returns the states that are reachable from a state by any number of calls of an
// executor's tools, beginning with the given state.
func (p *property) during(state int, of Event, e *Executor) []int {
	out := []int{state}
	seen := map[int]bool{state: true}
	for at := 0; at < len(out); at++ {
		for _, t := range e.Tools {
			call := of.of(EventCalled)
			call.Tool = t.Name
			if next := p.after(out[at], call); !seen[next] {
				seen[next] = true
				out = append(out, next)
			}
		}
	}
	return out
}
