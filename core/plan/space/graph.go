package space

import (
	"encoding/binary"
	"math"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

// Graph is the graph of the choices that a planner with exact look-ahead offers: its places
// are configurations, its edges the moves that lead to a complete plan. Places are computed
// on the first visit and kept, so that later plans cost one table look-up per step. Graph
// serves callers that make tens of thousands of plans. It is not safe for concurrent use.
type Graph struct {
	space  *derivation
	places []place
	known  map[string]int
	key    []byte
	begun  []grammar.Symbol // terminals before the first place
}

// place is a configuration with its cached moves.
type place struct {
	now     derivationConfig
	done    bool
	known   bool // moves, symbols, to and read are set
	moves   []Move
	symbols []grammar.Symbol
	to      []int              // by move: its place; -1 if not yet known
	read    [][]grammar.Symbol // by move: the terminals read on the way to its place
}

// Graph returns the graph of the table's plans and its start. The error has code
// "plan.none" if no plan exists, and "plan.graph" for a grammar with subsets, whose moves
// choose several items at once.
func (t *Table) Graph(m *meter.Meter) (g *Graph, start int, err error) {
	if len(t.g.Subsets) > 0 {
		return nil, 0, source.NewError("plan.graph", "a grammar with a %subset has no list of single moves")
	}
	if err := t.rules.possible(t.g, m); err != nil {
		return nil, 0, err
	}
	g = &Graph{space: t.derivation(false, math.MaxInt, m), known: map[string]int{}}
	now, err := g.space.Begin()
	if err != nil {
		return nil, 0, err
	}
	start, g.begun, err = g.at(now)
	return g, start, err
}

// at returns the place of a configuration after all forced steps, and the terminals read
// since the last place.
func (g *Graph) at(c Config) (at int, read []grammar.Symbol, err error) {
	done := false
	for {
		next, status, err := g.space.Step(c)
		if err != nil {
			return 0, nil, err
		}
		if status != Advanced {
			done = status == Finished
			break
		}
		c = next
	}
	now := c.(derivationConfig)
	read = now.word.all()
	// Places do not depend on the way to them: the moves are the same.
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

// Done reports whether the plan is complete at a place.
func (g *Graph) Done(at int) bool { return g.places[at].done }

// Offers returns the moves of a place in the order of the planner's numbers, each as its
// first terminal or -1. It is empty where the plan is complete. The caller must not modify
// the list.
func (g *Graph) Offers(at int) ([]grammar.Symbol, error) {
	p := &g.places[at]
	if p.known || p.done {
		return p.symbols, nil
	}
	if err := g.space.meter.Step(50); err != nil {
		return nil, err
	}
	seen, err := g.space.Look(p.now)
	if err != nil {
		return nil, err
	}
	p.known, p.moves = true, seen.Moves
	p.symbols, p.to, p.read = make([]grammar.Symbol, len(seen.Moves)), make([]int, len(seen.Moves)), make([][]grammar.Symbol, len(seen.Moves))
	for i, m := range seen.Moves {
		p.symbols[i], p.to[i] = g.space.head(m), -1
	}
	return p.symbols, nil
}

// Take returns the place after the n-th offer (from 0) and the terminals that it appends to
// the plan. The caller must not modify the list.
func (g *Graph) Take(at, n int) (to int, read []grammar.Symbol, err error) {
	p := g.places[at]
	if p.to[n] < 0 {
		next, _, err := g.space.Apply(p.now, p.moves[n])
		if err != nil {
			return 0, nil, err
		}
		// p shares its slices with g.places, even if g.at reallocates g.places.
		if p.to[n], p.read[n], err = g.at(next); err != nil {
			p.to[n] = -1
			return 0, nil, err
		}
	}
	return p.to[n], p.read[n], nil
}

// Places returns the number of known places.
func (g *Graph) Places() int { return len(g.places) }

// Begun returns the terminals at the beginning of every plan, before the first offer.
func (g *Graph) Begun() []grammar.Symbol { return g.begun }

// Valid reports whether a word is a plan: a word of the grammar that satisfies limits and
// properties. The check does not use the look-ahead.
func (t *Table) Valid(word []grammar.Symbol, m *meter.Meter) (bool, error) {
	ok, err := t.parser.Recognize(word, m)
	return ok && t.rules.Satisfied(word), err
}

// Grammar returns the table's grammar.
func (t *Table) Grammar() *grammar.Grammar { return t.g }
