package verify

import (
	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
)

// Neighbour is a valid word with the least edit distance from another word.
type Neighbour struct {
	Word     []grammar.Symbol
	Distance int
	Edits    []Edit // in the order of their positions
}

// Nearest returns the valid word with the least edit distance from a given word; each
// insertion, deletion and substitution counts one. A word is valid if the grammar derives
// it, no terminal occurs more often than caps allow ([grammar.Grammar.Caps]; nil for no
// limit), and an automaton over the terminals accepts it (nil accepts all). Symbols of the
// given word that are not terminals are written -1. The neighbour is nil if there is no
// valid word.
//
// It is Knuth's generalisation of Dijkstra's algorithm (1977) on the triples of
// Bar-Hillel, Perles and Shamir, weighted with edits (as Aho and Peterson 1972
// correct errors with a weighted grammar): cubic in the word and the automaton's
// states. With limits, each use of a terminal that such a word uses too often gets a
// price, which improves the lower bound of the distance (Lagrangian relaxation: Held and
// Karp 1971). Few triples remain within each bound; for these, the minimal uses of limited
// terminals are computed, until some are within the caps. The problem is NP-complete with
// limits, so the meter may end it.
func Nearest(g *grammar.Grammar, caps []int64, extra *automaton.DFA, word []grammar.Symbol, m *meter.Meter) (*Neighbour, error) {
	return NearestWithSilent(g, caps, extra, nil, word, m)
}

// NearestWithSilent is [Nearest] for a grammar with silent terminals: they do not occur in the
// given word, and inserting them costs nothing. The neighbour's word contains them; its
// edits are only those of the other terminals.
func NearestWithSilent(g *grammar.Grammar, caps []int64, extra *automaton.DFA, silent []bool, word []grammar.Symbol, m *meter.Meter) (*Neighbour, error) {
	if silent == nil {
		silent = make([]bool, g.NumTerminals)
	}
	if extra == nil {
		extra = automaton.NewDFA([][]int{make([]int, g.NumTerminals)}, []bool{true})
	}
	x, err := newIntersection(g, Deterministic(extra), m)
	if err != nil {
		return nil, err
	}
	q := &question{x, extra, word, silent}
	u := newUses(q, caps)
	n, bound, made, err := relax(q, u)
	for made == nil && err == nil && bound < unreachable {
		made, bound, err = n.search(bound, u)
	}
	if err != nil || made == nil {
		return nil, err
	}
	made = u.assign(made)
	edits := align(word, dropSilent(made, silent))
	return &Neighbour{Word: made, Distance: len(edits), Edits: edits}, nil
}

// WithoutSilent returns a valid word that equals the given one without silent terminals, or nil if
// there is none.
func WithoutSilent(g *grammar.Grammar, caps []int64, extra *automaton.DFA, silent []bool, word []grammar.Symbol, m *meter.Meter) ([]grammar.Symbol, error) {
	if extra == nil {
		extra = automaton.NewDFA([][]int{make([]int, g.NumTerminals)}, []bool{true})
	}
	x, err := newIntersection(g, Deterministic(extra), m)
	if err != nil {
		return nil, err
	}
	q := &question{x, extra, word, silent}
	u := newUses(q, caps)
	n := newNeighbours(q, u, make([]int32, len(u.caps)))
	if err := n.demand(int32(g.Start), 0); err != nil {
		return nil, err
	}
	made, _, err := n.search(0, u)
	if err != nil || made == nil {
		return nil, err
	}
	return u.assign(made), nil
}

// dropSilent returns a word without silent terminals.
func dropSilent(word []grammar.Symbol, silent []bool) []grammar.Symbol {
	out := make([]grammar.Symbol, 0, len(word))
	for _, s := range word {
		if !silent[s] {
			out = append(out, s)
		}
	}
	return out
}

// question is the input of a search: a grammar, an automaton, and the given word.
type question struct {
	*intersection
	d      *automaton.DFA
	word   []grammar.Symbol
	silent []bool
}

// maxRounds bounds the number of changes of prices. A few rounds find most of the
// improvement.
const maxRounds = 12

// relax searches for the nearest word without limits, and for prices with which its
// distance is a good lower bound of the distance with limits. made is a nearest
// word within the limits if this search already finds it, otherwise nil. The bound is unreachable if the language is
// empty.
func relax(q *question, u *uses) (best *neighbours, bound int32, made []grammar.Symbol, err error) {
	prices := make([]int32, len(u.caps))
	bound = -1
	for range maxRounds {
		n := newNeighbours(q, u, prices)
		if err := n.demand(int32(q.g.Start), 0); err != nil {
			return nil, 0, nil, err
		}
		low := -n.slack
		var found []grammar.Symbol
		for found == nil && low < unreachable {
			at := low
			if found, low, err = n.search(at, nil); err != nil {
				return nil, 0, nil, err
			}
			if found != nil {
				low = at
			}
		}
		if found == nil {
			return n, unreachable, nil, nil
		}
		if low > bound {
			best, bound = n, low
		}
		over, changed := u.adjust(prices, found)
		if !over && len(align(q.word, dropSilent(found, q.silent))) <= int(bound) {
			return best, bound, found, nil
		}
		if !changed {
			break
		}
	}
	return best, max(bound, 0), nil, nil
}

func newNeighbours(q *question, u *uses, prices []int32) *neighbours {
	n := &neighbours{
		question: q, places: make([][]int, q.g.NumTerminals), price: make([]int32, q.g.NumTerminals),
		weighted: make([]weightedText, len(q.texts)), reaches: make([][]*reach, len(q.byLeft)),
	}
	for i, s := range q.word {
		if s >= 0 {
			n.places[s] = append(n.places[s], i)
		}
	}
	for s, class := range u.class {
		if class >= 0 {
			n.price[s] = prices[class]
		}
	}
	for class, cap := range u.caps {
		n.slack += prices[class] * int32(cap)
	}
	return n
}

// neighbours computes the least number of edits that turn a part of the word into a word
// that a nonterminal derives. A state is a position in the word with a state of the
// automaton: number position*states+state.
type neighbours struct {
	*question
	places   [][]int // by terminal: its positions in the word
	price    []int32 // by terminal: the price of each use
	slack    int32   // the prices of a word that uses all limits up
	weighted []weightedText
	reaches  [][]*reach // by nonterminal, then state; nil until demanded
	agenda   [][]arrival
	lowest   int // lower bound of the costs in the agenda
}

// weightedText has the successors of states for a text, with the number of edits.
type weightedText struct {
	to    [][]costed
	known []bool
}

type costed struct{ state, cost int32 }

// reach has the least known costs of a nonterminal from one state to every other state.
type reach struct {
	cost    []int32 // by state; unreachable if no derivation is known
	settled []bool
	ends    []int32 // settled states, in the order of their costs
	waiting []costedWaiter
	middle  map[int32]*reach // by production of two parts: the states between them
}

type costedWaiter struct {
	waiter
	cost int32
}

// arrival is an entry of the agenda: a nonterminal, or a production up to its second part,
// that leads from one state to another. If to is nowhere, it demands the nonterminal at from.
type arrival struct {
	of       int32 // a nonterminal, or -1 less a production
	from, to int32
}

const nowhere = -1

func (n *neighbours) numStates() int { return (len(n.word) + 1) * n.d.NumStates() }

func (n *neighbours) newReach() (*reach, error) {
	states := n.numStates()
	r := &reach{cost: make([]int32, states), settled: make([]bool, states)}
	for i := range r.cost {
		r.cost[i] = unreachable
	}
	return r, n.m.Spend(meter.States, 1+int64(states)/16)
}

// search returns a valid word with no more edits than a bound, or the next bound to try if
// there is none. If u is nil, there are no limits, and the bound applies to the cost of
// edits and prices less the slack.
func (n *neighbours) search(bound int32, u *uses) (word []grammar.Symbol, next int32, err error) {
	left, err := n.run(bound + n.slack)
	if err != nil {
		return nil, 0, err
	}
	word, beyond, err := n.within(bound, u)
	if left < unreachable {
		left -= n.slack
	}
	return word, min(left, beyond), err
}

// after returns the successors of a state for a text. A letter is inserted, or substituted
// for the next one of the word, or found later in the word, and the letters before it are
// deleted.
func (n *neighbours) after(number, state int32) ([]costed, error) {
	t := &n.weighted[number]
	if t.known == nil {
		t.known, t.to = make([]bool, n.numStates()), make([][]costed, n.numStates())
		if err := n.m.Spend(meter.States, 1+int64(n.numStates())/4); err != nil {
			return nil, err
		}
	}
	if t.known[state] {
		return t.to[state], nil
	}
	now := []costed{{state, 0}}
	for _, s := range n.texts[number].symbols {
		best := make([]int32, n.numStates())
		for i := range best {
			best[i] = unreachable
		}
		if err := n.m.Step(1 + len(best)/16); err != nil {
			return nil, err
		}
		for _, from := range now {
			place, q := int(from.state)/n.d.NumStates(), int(from.state)%n.d.NumStates()
			q = n.d.Next(q, int(s))
			spent := from.cost + n.price[s]
			offer := func(place int, cost int32) {
				at := place*n.d.NumStates() + q
				best[at] = min(best[at], spent+cost)
			}
			if n.silent[s] {
				offer(place, 0)
				continue
			}
			offer(place, 1)
			if place < len(n.word) {
				offer(place+1, 1)
			}
			for _, p := range n.places[s] {
				if p >= place {
					offer(p+1, int32(p-place))
				}
			}
			if err := n.m.Step(3 + len(n.places[s])); err != nil {
				return nil, err
			}
		}
		now = nil
		for at, cost := range best {
			if cost < unreachable {
				now = append(now, costed{int32(at), cost})
			}
		}
	}
	t.known[state], t.to[state] = true, now
	return now, n.m.Spend(meter.States, 1+int64(len(now))/16)
}

func (n *neighbours) demand(symbol, from int32) error {
	if n.reaches[symbol] == nil {
		n.reaches[symbol] = make([]*reach, n.numStates())
	}
	if n.reaches[symbol][from] != nil {
		return nil
	}
	r, err := n.newReach()
	if err != nil {
		return err
	}
	n.reaches[symbol][from] = r
	return n.put(arrival{symbol, from, nowhere}, 0)
}

// advance reads the text after the completed parts of a production.
func (n *neighbours) advance(w costedWaiter, state, cost int32) error {
	d := &n.productions[w.production]
	ends, err := n.after(d.texts[w.part], state)
	if err != nil {
		return err
	}
	if err := n.m.Step(2 + len(ends)); err != nil {
		return err
	}
	at := n.reaches[d.left][w.from]
	switch {
	case int(w.part) == len(d.parts):
		for _, end := range ends {
			if err := n.arrive(at, arrival{d.left, w.from, end.state}, w.cost+cost+end.cost); err != nil {
				return err
			}
		}
	case w.part == 1:
		if at.middle == nil {
			at.middle = map[int32]*reach{}
		}
		if at.middle[w.production] == nil {
			if at.middle[w.production], err = n.newReach(); err != nil {
				return err
			}
		}
		for _, end := range ends {
			if err := n.arrive(at.middle[w.production], arrival{-1 - w.production, w.from, end.state}, w.cost+cost+end.cost); err != nil {
				return err
			}
		}
	default:
		for _, end := range ends { // of the first text: there are no costs before it
			if err := n.wait(costedWaiter{waiter{w.production, w.from, 1}, end.cost}, d.parts[0], end.state); err != nil {
				return err
			}
		}
	}
	return nil
}

// arrive adds an arrival to the agenda if its cost is the least so far.
func (n *neighbours) arrive(r *reach, a arrival, cost int32) error {
	if cost >= r.cost[a.to] {
		return nil
	}
	r.cost[a.to] = cost
	return n.put(a, cost)
}

// put adds an arrival with its cost. The meter pays for the agenda, because the words of a
// few rules can be too long for a list of all costs up to theirs.
func (n *neighbours) put(a arrival, cost int32) error {
	if more := int(cost) + 1 - len(n.agenda); more > 0 {
		if err := n.m.Spend(meter.States, int64(more)/4); err != nil {
			return err
		}
		n.agenda = append(n.agenda, make([][]arrival, more)...)
	}
	n.agenda[cost] = append(n.agenda[cost], a)
	n.lowest = min(n.lowest, int(cost))
	return nil
}

func (n *neighbours) wait(w costedWaiter, symbol, from int32) error {
	if err := n.demand(symbol, from); err != nil {
		return err
	}
	at := n.reaches[symbol][from]
	at.waiting = append(at.waiting, w)
	if err := n.m.Spend(meter.States, 1); err != nil {
		return err
	}
	for _, to := range at.ends {
		if err := n.advance(w, to, at.cost[to]); err != nil {
			return err
		}
	}
	return nil
}

// run settles all arrivals that cost no more than a bound, and returns the least cost of
// the others.
func (n *neighbours) run(bound int32) (next int32, err error) {
	for n.lowest < len(n.agenda) {
		entries := n.agenda[n.lowest]
		if len(entries) == 0 {
			n.lowest++
			continue
		}
		cost := int32(n.lowest)
		if cost > bound {
			return cost, nil
		}
		a := entries[len(entries)-1]
		n.agenda[n.lowest] = entries[:len(entries)-1]
		if err := n.settle(a, cost); err != nil {
			return 0, err
		}
	}
	return unreachable, nil
}

func (n *neighbours) settle(a arrival, cost int32) error {
	if a.of < 0 {
		production := -1 - a.of
		d := &n.productions[production]
		r := n.reaches[d.left][a.from].middle[production]
		if r.settled[a.to] || r.cost[a.to] != cost {
			return nil
		}
		r.settled[a.to] = true
		return n.wait(costedWaiter{waiter{production, a.from, 2}, cost}, d.parts[1], a.to)
	}
	if a.to == nowhere {
		for _, production := range n.byLeft[a.of] {
			if err := n.advance(costedWaiter{waiter{production: production, from: a.from}, 0}, a.from, 0); err != nil {
				return err
			}
		}
		return nil
	}
	r := n.reaches[a.of][a.from]
	if r.settled[a.to] || r.cost[a.to] != cost {
		return nil
	}
	r.settled[a.to] = true
	r.ends = append(r.ends, a.to)
	if err := n.m.Spend(meter.States, 1); err != nil {
		return err
	}
	waiting := r.waiting // a waiter added from now on reads r.ends itself
	for _, w := range waiting {
		if err := n.advance(w, a.to, cost); err != nil {
			return err
		}
	}
	return nil
}
