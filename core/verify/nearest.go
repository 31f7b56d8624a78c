package verify

import (
	"slices"

	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
)

// The kinds of edits.
const (
	EditInsert     = "insert"
	EditDelete     = "delete"
	EditSubstitute = "substitute"
)

// Edit changes a word at one place: it inserts a symbol in front of the symbol
// number At, or deletes that symbol, or substitutes another for it. Places are
// those in the word as it was.
type Edit struct {
	Op     string
	At     int
	Symbol grammar.Symbol // that is there afterwards; -1 where one is deleted
}

// Neighbour is a valid word with the fewest edits that make it of another word.
type Neighbour struct {
	Word     []grammar.Symbol
	Distance int
	Edits    []Edit // in the order of their places
}

// Nearest returns a word of a grammar that uses no terminal more often than caps
// say ([grammar.Grammar.Caps]; nil limits nothing), that an automaton over the
// terminals accepts (nil accepts all), and that has the smallest edit distance from
// a word given, each insertion, deletion and substitution counting one. Symbols of
// the word that are no terminals are written -1. The neighbour is nil where there is
// no valid word at all.
//
// It is Knuth's generalisation of Dijkstra's algorithm (1977) on the triples of
// Bar-Hillel, Perles and Shamir, weighted with edits (as Aho and Peterson 1972
// correct errors with a weighted grammar): cubic in the word and the automaton's
// states. Without limits that is all. With them, the use of a terminal that such a
// word uses too often gets a price, which makes the distance found a better bound
// (Lagrange's relaxation: Held and Karp 1971); then each bound in turn leaves few
// triples, of which the minimal uses of limited terminals are computed, until some
// are within the caps. The question is NP-complete with limits, so the meter may
// end it.
func Nearest(g *grammar.Grammar, caps []int64, extra *automaton.DFA, word []grammar.Symbol, m *meter.Meter) (*Neighbour, error) {
	return NearestHeard(g, caps, extra, nil, word, m)
}

// NearestHeard is [Nearest] for a grammar some of whose terminals are silent: they
// are in no word that is given, and it takes no edit to have them. The neighbour's
// word has them; its edits are those of the others.
func NearestHeard(g *grammar.Grammar, caps []int64, extra *automaton.DFA, silent []bool, word []grammar.Symbol, m *meter.Meter) (*Neighbour, error) {
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
	edits := align(word, heard(made, silent))
	return &Neighbour{Word: made, Distance: len(edits), Edits: edits}, nil
}

// Heard returns a valid word of which only a given one is heard, as [NearestHeard]
// without an edit; nil where there is none.
func Heard(g *grammar.Grammar, caps []int64, extra *automaton.DFA, silent []bool, word []grammar.Symbol, m *meter.Meter) ([]grammar.Symbol, error) {
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

// heard returns a word without what is silent.
func heard(word []grammar.Symbol, silent []bool) []grammar.Symbol {
	out := make([]grammar.Symbol, 0, len(word))
	for _, s := range word {
		if !silent[s] {
			out = append(out, s)
		}
	}
	return out
}

// question is what is asked: of which grammar and automaton a word is wanted, and
// near to which.
type question struct {
	*intersection
	d      *automaton.DFA
	word   []grammar.Symbol
	silent []bool
}

// maxRounds bounds how often prices are changed. A few rounds find most of what
// prices can give.
const maxRounds = 12

// relax looks for the nearest word without limits, and for prices that make its
// distance a good bound of that with limits. made is set where it is within the
// limits and nothing is nearer. The bound is unreachable where there is no word.
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
		if !over && len(align(q.word, heard(found, q.silent))) <= int(bound) {
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

// neighbours finds how many edits it takes at least to make of a piece of the word
// one that a nonterminal derives. Its states are places in the word with states of
// the automaton: number place*states+state.
type neighbours struct {
	*question
	places   [][]int // by terminal: where the word has it
	price    []int32 // by terminal: what each use costs besides
	slack    int32   // what a word may pay in prices that uses all there is
	weighted []weightedText
	reaches  [][]*reach // by nonterminal, then state; nil until demanded
	agenda   [][]arrival
	lowest   int // no entry of the agenda is below it
}

// weightedText is where states go with a text, and with how many edits.
type weightedText struct {
	to    [][]costed
	known []bool
}

type costed struct{ state, cost int32 }

// reach is what is known of a nonterminal from a state on: what it costs to come to
// every other.
type reach struct {
	cost    []int32 // by state; unreachable where no way is known
	settled []bool
	ends    []int32 // settled states, in the order of their costs
	waiting []costedWaiter
	middle  map[int32]*reach // by production of two parts: the states between them
}

type costedWaiter struct {
	waiter
	cost int32
}

// arrival says that a nonterminal, or a production up to its second part, may come
// from a state to another; or that a nonterminal is to begin, and comes nowhere.
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

// search returns a valid word with no more edits than a bound; or, where there is
// none, the next bound to try. Without uses there are no limits, and what is bounded
// is what the edits and the prices cost, less the slack.
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

// after returns where a state goes with a text. A letter is inserted, or takes the
// place of the next one of the word, or is found further on, and what is between
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

// advance reads the text behind the parts of a production that are done.
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
		for _, end := range ends { // of the first text, before which nothing is spent
			if err := n.wait(costedWaiter{waiter{w.production, w.from, 1}, end.cost}, d.parts[0], end.state); err != nil {
				return err
			}
		}
	}
	return nil
}

// arrive puts a way on the agenda if it is the best so far.
func (n *neighbours) arrive(r *reach, a arrival, cost int32) error {
	if cost >= r.cost[a.to] {
		return nil
	}
	r.cost[a.to] = cost
	return n.put(a, cost)
}

// put enters what costs so much. The words of a few rules can be so long that there is
// no room for all costs up to theirs.
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

// run settles all that costs no more than a bound, and returns the least cost of
// what is left.
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
	waiting := r.waiting // and no one who comes now, who is told of it at once
	for _, w := range waiting {
		if err := n.advance(w, a.to, cost); err != nil {
			return err
		}
	}
	return nil
}

// align returns the edits that make one word of another: the fewest, and of these
// the one that keeps or substitutes as early as it can.
func align(from, to []grammar.Symbol) []Edit {
	// least[i][j] is what the rest of both costs from i and j on.
	least := make([][]int, len(from)+1)
	for i := len(from); i >= 0; i-- {
		least[i] = make([]int, len(to)+1)
		for j := len(to); j >= 0; j-- {
			switch {
			case i == len(from):
				least[i][j] = len(to) - j
			case j == len(to):
				least[i][j] = len(from) - i
			default:
				best := least[i+1][j+1]
				if from[i] != to[j] {
					best++
				}
				least[i][j] = min(best, 1+least[i+1][j], 1+least[i][j+1])
			}
		}
	}
	edits := []Edit{}
	for i, j := 0, 0; i < len(from) || j < len(to); {
		switch {
		case i < len(from) && j < len(to) && from[i] == to[j] && least[i][j] == least[i+1][j+1]:
			i, j = i+1, j+1
		case i < len(from) && j < len(to) && least[i][j] == 1+least[i+1][j+1]:
			edits = append(edits, Edit{Op: EditSubstitute, At: i, Symbol: to[j]})
			i, j = i+1, j+1
		case i < len(from) && least[i][j] == 1+least[i+1][j]:
			edits = append(edits, Edit{Op: EditDelete, At: i, Symbol: -1})
			i++
		default:
			edits = append(edits, Edit{Op: EditInsert, At: i, Symbol: to[j]})
			j++
		}
	}
	return slices.Clip(edits)
}
