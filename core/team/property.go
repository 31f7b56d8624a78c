package team

import (
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/meter"
)

// property is a formula at work: where its automaton is after what has happened.
type property struct {
	constraint Constraint
	automaton  *ltl.Automaton
	verdicts   []ltl.Verdict
	state      int
}

// newProperty translates a formula. The propositions that it does not speak of make
// no difference to it.
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

// lost reports whether the formula cannot hold any more.
func (p *property) lost() bool { return p.verdicts[p.state] == ltl.Violated }

// allows reports whether the formula can still hold where an event happens now. One
// that is lost already has nothing against anything.
func (p *property) allows(e Event) bool {
	return p.lost() || p.verdicts[p.after(p.state, e)] != ltl.Violated
}

// ends reports whether the formula holds where an event happens now and nothing else.
func (p *property) ends(e Event) bool { return p.automaton.Accepting(p.after(p.state, e)) }

// properties are those of a list of constraints.
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

// forbids returns the first formula that could not hold any more where an event
// happened now, or nil.
func forbids(list []*property, e Event) *property {
	for _, p := range list {
		if !p.allows(e) {
			return p
		}
	}
	return nil
}

// happens takes an event.
func happens(list []*property, e Event) {
	for _, p := range list {
		p.state = p.after(p.state, e)
	}
}

// maxPlaces bounds the search of satisfiable. Beyond it a graph is taken to be good:
// the run will tell.
const maxPlaces = 50_000

// satisfiable reports whether the sub-tasks of a graph can be done in some order, one
// after the other and each at its first try, with calls of any tools between, so that
// a global formula holds at the end.
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

// of returns the event with another kind.
func (e Event) of(kind string) Event {
	e.Kind = kind
	return e
}

// during returns the states that calls of an executor's tools can lead to, none of
// them first.
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
