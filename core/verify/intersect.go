package verify

import (
	"encoding/binary"
	"slices"
	"sort"

	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/bitset"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
)

// Nondeterministic is a nondeterministic automaton whose letters are a grammar's
// terminals.
type Nondeterministic interface {
	NumStates() int
	Start() int
	Accepting(state int) bool
	Next(state, letter int) []int
}

// Deterministic returns a deterministic automaton as a [Nondeterministic].
func Deterministic(d *automaton.DFA) Nondeterministic { return deterministic{d} }

type deterministic struct{ *automaton.DFA }

func (d deterministic) Next(state, letter int) []int { return []int{d.DFA.Next(state, letter)} }

// Intersect returns the product of a grammar and an automaton (Bar-Hillel, Perles
// and Shamir 1961) with every triple that derives a word, whether or not the start
// needs it. Right sides with more than two nonterminals are divided, and equal
// rests of them shared, so the time is cubic in the automaton's states and linear
// in the grammar. Terminals that are interchangeable in the grammar remain so if the
// automaton does not distinguish them. The error is a limit of the meter.
func Intersect(g *grammar.Grammar, a Nondeterministic, m *meter.Meter) (*Product, error) {
	x, err := newIntersection(g, a, m)
	if err != nil {
		return nil, err
	}
	for s := g.NumTerminals; s < g.NumSymbols(); s++ {
		for from := range a.NumStates() {
			if err := x.demand(int32(s), int32(from)); err != nil {
				return nil, err
			}
		}
	}
	if err := x.run(); err != nil {
		return nil, err
	}
	return x.product(false)
}

// IntersectNeeded is [Intersect] with only the triples that occur in a derivation from the
// start. It is faster if these are few.
func IntersectNeeded(g *grammar.Grammar, a Nondeterministic, m *meter.Meter) (*Product, error) {
	x, err := newIntersection(g, a, m)
	if err != nil {
		return nil, err
	}
	if err := x.demand(int32(g.Start), int32(a.Start())); err != nil {
		return nil, err
	}
	if err := x.run(); err != nil {
		return nil, err
	}
	return x.product(true)
}

// divided is a production with at most two nonterminals: texts[0] parts[0]
// texts[1] parts[1] texts[2]. Each text is a list of terminals, given by its number.
type divided struct {
	left   int32
	texts  []int32
	parts  []int32
	origin int // the original production, or -1
}

// intersection computes the triples. The words of a nonterminal are followed only from
// states at which it was demanded (as in Earley's algorithm).
type intersection struct {
	g *grammar.Grammar
	a Nondeterministic
	m *meter.Meter

	productions []divided
	byLeft      [][]int32 // by nonterminal, also of rests
	texts       []text

	spans [][]*span // by nonterminal, then from; nil until demanded
	queue []event
}

// text is a list of terminals and its transitions.
type text struct {
	symbols []grammar.Symbol
	to      [][]int32 // by state, computed on demand; sorted
	known   []bool
}

// span has the states that a nonterminal is known to lead to from one state.
type span struct {
	to        bitset.Set
	list      []int32 // the same, in the order found
	processed int     // the number of them that the waiters have processed
	waiting   []waiter
	middle    map[int32]bitset.Set // by production of two nonterminals: states between them
}

// waiter is a production begun at a state that resumes at each end of one of its parts.
type waiter struct {
	production, from int32
	part             int8
}

// event is a demand for a nonterminal from a state, or a new end of it that the waiters
// have not processed yet.
type event struct {
	symbol, from int32
	found        bool
}

func newIntersection(g *grammar.Grammar, a Nondeterministic, m *meter.Meter) (*intersection, error) {
	x := &intersection{g: g, a: a, m: m, byLeft: make([][]int32, g.NumSymbols())}
	productive := g.Productive()
	texts, rests := map[string]int32{}, map[string]int32{}
	for i, p := range g.Productions {
		if slices.ContainsFunc(p.Right, func(s grammar.Symbol) bool { return !productive[s] }) {
			continue
		}
		if err := m.Step(1 + len(p.Right)); err != nil {
			return nil, err
		}
		x.divide(int32(p.Left), p.Right, i, texts, rests)
	}
	x.spans = make([][]*span, len(x.byLeft))
	return x, nil
}

// divide adds a production, and productions for the rest of a long right side. A rest
// begins with a nonterminal, so terminals at the beginning of a right side remain
// alternatives of each other.
func (x *intersection) divide(left int32, right []grammar.Symbol, origin int, texts, rests map[string]int32) {
	for {
		d := divided{left: left, origin: origin}
		origin = -1
		at := 0
		read := func() {
			begin := at
			for at < len(right) && x.g.IsTerminal(right[at]) {
				at++
			}
			d.texts = append(d.texts, x.text(right[begin:at], texts))
		}
		read()
		var rest int32
		if at < len(right) {
			d.parts = append(d.parts, int32(right[at]))
			at++
			read()
		}
		fresh := false
		if at < len(right) {
			begin := at
			at++
			read()
			if at < len(right) {
				d.texts = d.texts[:2]
				rest, fresh = x.rest(right[begin:], rests)
				d.parts = append(d.parts, rest)
				right = right[begin:]
				at = len(right)
				read()
			} else {
				d.parts = append(d.parts, int32(right[begin]))
			}
		}
		x.byLeft[left] = append(x.byLeft[left], int32(len(x.productions)))
		x.productions = append(x.productions, d)
		if !fresh {
			return
		}
		left = rest
	}
}

func (x *intersection) text(symbols []grammar.Symbol, texts map[string]int32) int32 {
	key := symbolsKey(symbols)
	n, ok := texts[key]
	if !ok {
		n = int32(len(x.texts))
		texts[key] = n
		x.texts = append(x.texts, text{symbols: symbols})
	}
	return n
}

// rest returns the nonterminal that derives the rest of a right side, and whether it is new.
func (x *intersection) rest(symbols []grammar.Symbol, rests map[string]int32) (symbol int32, fresh bool) {
	key := symbolsKey(symbols)
	if n, ok := rests[key]; ok {
		return n, false
	}
	n := int32(len(x.byLeft))
	rests[key] = n
	x.byLeft = append(x.byLeft, nil)
	return n, true
}

func symbolsKey(symbols []grammar.Symbol) string {
	var b []byte
	for _, s := range symbols {
		b = binary.AppendUvarint(b, uint64(s))
	}
	return string(b)
}

// after returns the successors of a state for a text.
func (x *intersection) after(textNumber, state int32) ([]int32, error) {
	t := &x.texts[textNumber]
	if t.known == nil {
		t.known, t.to = make([]bool, x.a.NumStates()), make([][]int32, x.a.NumStates())
	}
	if t.known[state] {
		return t.to[state], nil
	}
	states := []int32{state}
	for _, s := range t.symbols {
		var next []int32
		for _, from := range states {
			for _, to := range x.a.Next(int(from), int(s)) {
				next = append(next, int32(to))
			}
		}
		if err := x.m.Step(1 + len(next)); err != nil {
			return nil, err
		}
		sort.Slice(next, func(i, j int) bool { return next[i] < next[j] })
		states = slices.Compact(next)
	}
	t.known[state], t.to[state] = true, states
	return states, nil
}

// demand begins the productions of a nonterminal at a state.
func (x *intersection) demand(symbol, from int32) error {
	if x.spans[symbol] == nil {
		x.spans[symbol] = make([]*span, x.a.NumStates())
	}
	if x.spans[symbol][from] != nil {
		return nil
	}
	if err := x.m.Spend(meter.States, 2); err != nil {
		return err
	}
	x.spans[symbol][from] = &span{to: bitset.New(x.a.NumStates())}
	x.queue = append(x.queue, event{symbol: symbol, from: from})
	return nil
}

// run processes events until there are none.
func (x *intersection) run() error {
	for len(x.queue) > 0 {
		e := x.queue[len(x.queue)-1]
		x.queue = x.queue[:len(x.queue)-1]
		if err := x.handle(e); err != nil {
			return err
		}
	}
	return nil
}

func (x *intersection) handle(e event) error {
	if !e.found {
		for _, production := range x.byLeft[e.symbol] {
			if err := x.advance(waiter{production: production, from: e.from}, e.from); err != nil {
				return err
			}
		}
		return nil
	}
	at := x.spans[e.symbol][e.from]
	to := at.list[at.processed]
	at.processed++
	waiting := at.waiting // a waiter added from now on reads the ends itself
	for _, w := range waiting {
		if err := x.advance(w, to); err != nil {
			return err
		}
	}
	return nil
}

// advance reads the text after the completed parts of a production, the last of which ends
// in a state. It then waits for the next part, or has found a triple.
func (x *intersection) advance(w waiter, state int32) error {
	d := &x.productions[w.production]
	ends, err := x.after(d.texts[w.part], state)
	if err != nil {
		return err
	}
	if err := x.m.Step(2 + len(ends)); err != nil {
		return err
	}
	if int(w.part) == len(d.parts) {
		at := x.spans[d.left][w.from]
		for _, end := range ends {
			if at.to.Has(int(end)) {
				continue
			}
			if err := x.m.Spend(meter.States, 1); err != nil {
				return err
			}
			at.to.Add(int(end))
			at.list = append(at.list, end)
			x.queue = append(x.queue, event{d.left, w.from, true})
		}
		return nil
	}
	for _, end := range ends {
		if w.part == 1 && !x.first(w, end) {
			continue
		}
		if err := x.wait(waiter{w.production, w.from, w.part + 1}, d.parts[w.part], end); err != nil {
			return err
		}
	}
	return nil
}

// first reports whether a production of two parts reaches a state between its parts for the
// first time.
func (x *intersection) first(w waiter, state int32) bool {
	at := x.spans[x.productions[w.production].left][w.from]
	if at.middle == nil {
		at.middle = map[int32]bitset.Set{}
	}
	seen, ok := at.middle[w.production]
	if !ok {
		seen = bitset.New(x.a.NumStates())
		at.middle[w.production] = seen
	}
	if seen.Has(int(state)) {
		return false
	}
	seen.Add(int(state))
	return true
}

// wait resumes a production at each end of a part that begins at a state.
func (x *intersection) wait(w waiter, symbol, from int32) error {
	if err := x.demand(symbol, from); err != nil {
		return err
	}
	at := x.spans[symbol][from]
	at.waiting = append(at.waiting, w)
	if err := x.m.Spend(meter.States, 1); err != nil {
		return err
	}
	for _, to := range at.list[:at.processed] {
		if err := x.advance(w, to); err != nil {
			return err
		}
	}
	return nil
}
