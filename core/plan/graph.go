package plan

import (
	"encoding/binary"
	"math"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

// Graph is what a planner with exact look-ahead offers, without anybody who is asked:
// its places are configurations, and at each those moves are offered that can still be
// finished. It is explored as far as somebody walks, and remembers what it has seen,
// so that the thousandth plan costs a look into a list a step. It is for those who make
// plans by the ten thousand; it is not safe for use by several goroutines.
type Graph struct {
	space  *derivation
	places []place
	known  map[string]int
	key    []byte
	begun  []grammar.Symbol // terminals before the first place
}

// place is a configuration, and what was found out about it.
type place struct {
	now     config
	done    bool
	known   bool // what is offered there
	moves   []move
	symbols []grammar.Symbol
	to      []int              // by move; -1 where nobody went yet
	read    [][]grammar.Symbol // by move: the terminals on the way there
}

// Graph returns the graph of the table's plans, and where they begin. The error has code
// "plan.none" where there is no plan, and "plan.graph" for a grammar with subsets, whose
// choices are of several things at once.
func (t *Table) Graph(m *meter.Meter) (g *Graph, start int, err error) {
	if len(t.g.Subsets) > 0 {
		return nil, 0, source.NewError("plan.graph", "a grammar that lets several things be chosen at once has no list of single moves")
	}
	if err := t.rules.possible(t.g, m); err != nil {
		return nil, 0, err
	}
	g = &Graph{space: newDerivation(t, Settings{MaxSteps: math.MaxInt}, m), known: map[string]int{}}
	now, err := g.space.begin()
	if err != nil {
		return nil, 0, err
	}
	start, g.begun, err = g.at(now)
	return g, start, err
}

// at returns the place of a configuration, once all that needs no decision is done, and
// what was read since the last place.
func (g *Graph) at(now config) (at int, read []grammar.Symbol, err error) {
	done := false
	for {
		next, did, finished, _, err := g.space.step(now)
		if err != nil {
			return 0, nil, err
		}
		if !did {
			done = finished
			break
		}
		now = next
	}
	read = now.word.all()
	// Two ways to the same configuration are one place: how it came about does not
	// matter to what is offered.
	now.word, now.derivation, now.nodes = nil, nil, 0
	g.key = binary.AppendVarint(g.key[:0], int64(now.state))
	for _, n := range now.left {
		g.key = binary.AppendVarint(g.key, n)
	}
	for f := now.stack; f != nil; f = f.next {
		g.key = binary.AppendVarint(g.key, int64(f.symbol))
	}
	if n, ok := g.known[string(g.key)]; ok {
		return n, read, nil
	}
	if err := g.space.meter.Spend(meter.States, int64(4+len(now.left)/8)); err != nil {
		return 0, nil, err
	}
	n := len(g.places)
	g.places = append(g.places, place{now: now, done: done})
	g.known[string(g.key)] = n
	return n, read, nil
}

// Done reports whether a plan is finished at a place.
func (g *Graph) Done(at int) bool { return g.places[at].done }

// Offers returns what is offered at a place, in the order in which a planner numbers it:
// the terminals that the moves begin with, -1 for none. The list is not to be changed. At
// a place where a plan is finished it is empty.
func (g *Graph) Offers(at int) ([]grammar.Symbol, error) {
	p := &g.places[at]
	if p.known || p.done {
		return p.symbols, nil
	}
	if err := g.space.meter.Step(50); err != nil {
		return nil, err
	}
	seen, err := g.space.look(p.now)
	if err != nil {
		return nil, err
	}
	p.known, p.moves = true, seen.moves
	p.symbols, p.to, p.read = make([]grammar.Symbol, len(seen.moves)), make([]int, len(seen.moves)), make([][]grammar.Symbol, len(seen.moves))
	for i, m := range seen.moves {
		p.symbols[i], p.to[i] = g.space.head(m), -1
	}
	return p.symbols, nil
}

// Take returns where the n-th of the offers of a place leads, from 0, and the terminals
// that the plan then has more of. The list is not to be changed.
func (g *Graph) Take(at, n int) (to int, read []grammar.Symbol, err error) {
	p := g.places[at]
	if p.to[n] < 0 {
		next, _, err := g.space.apply(p.now, p.moves[n])
		if err != nil {
			return 0, nil, err
		}
		// The lists are the place's own, wherever the places are by then.
		if p.to[n], p.read[n], err = g.at(next); err != nil {
			p.to[n] = -1
			return 0, nil, err
		}
	}
	return p.to[n], p.read[n], nil
}

// Places is how many places were seen.
func (g *Graph) Places() int { return len(g.places) }

// Begun returns the terminals that every plan begins with, before anything is offered.
func (g *Graph) Begun() []grammar.Symbol { return g.begun }

// Valid reports whether a word is a plan: a word of the grammar, by a parser that knows
// nothing of the look-ahead, within the limits and with all properties.
func (t *Table) Valid(word []grammar.Symbol, m *meter.Meter) (bool, error) {
	ok, err := t.parser.Recognize(word, m)
	return ok && t.rules.satisfied(word), err
}

// Grammar returns the grammar that the table is of.
func (t *Table) Grammar() *grammar.Grammar { return t.g }
