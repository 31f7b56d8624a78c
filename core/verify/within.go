package verify

import (
	"slices"
	"sort"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
)

// neededTriple is a triple of a derivation whose edits are within the bound. outside is the
// cost of the rest of the cheapest such derivation.
type neededTriple struct {
	triple
	outside int32
	settled bool
	labels  []*label
	users   []int32 // edges that have it as a part
}

// edge is a way to derive a triple, within the bound.
type edge struct {
	left       int32
	parts      []int32
	production int32
	cost       int32   // of its texts, with prices
	paid       int32   // the part of cost that is prices
	uses       []int32 // of its texts
}

// label is a word of a triple: its cost, its uses of limited terminals, and its parts. A
// label is dropped if another one is better.
type label struct {
	of      int32
	edge    int32
	parts   [2]*label
	cost    int32 // with prices
	paid    int32
	uses    []int32
	dropped bool
}

// bounded looks for a valid word within a bound.
type bounded struct {
	*neighbours
	limited bool
	bound   int32 // of the cost of edits and prices
	more    int32 // the least cost beyond the bound
	caps    []int32
	place   []int32 // by class of u: its place in uses, or -1
	u       *uses
	triples []neededTriple
	numbers map[triple]int32
	agenda  [][]int32
	edges   []edge
	queue   []*label
	goal    *label
	next    label // the candidate, before it is kept
}

// within returns a valid word with no more edits than the bound, or else a lower bound for
// the edits of every other word. All arrivals up to the bound must be settled.
func (n *neighbours) within(bound int32, u *uses) (word []grammar.Symbol, more int32, err error) {
	b := &bounded{neighbours: n, limited: u != nil, bound: bound + n.slack, more: unreachable, u: u, numbers: map[triple]int32{}, agenda: make([][]int32, bound+n.slack+1)}
	if b.limited {
		b.caps, b.place = u.binding(bound)
	}
	start := int32(n.g.Start)
	r := n.reaches[start][0]
	for _, to := range r.ends {
		place, q := int(to)/n.d.NumStates(), int(to)%n.d.NumStates()
		if !n.d.Accepting(q) {
			continue
		}
		outside := int32(len(n.word) - place)
		if total := outside + r.cost[to]; total > b.bound {
			b.more = min(b.more, total)
			continue
		}
		b.need(triple{start, 0, to}, outside)
	}
	if err := b.collect(); err != nil {
		return nil, 0, err
	}
	if err := b.derive(); err != nil {
		return nil, 0, err
	}
	if b.goal != nil {
		return b.spell([]grammar.Symbol{}, b.goal), bound, nil
	}
	if b.more < unreachable {
		b.more -= n.slack
	}
	return nil, b.more, nil
}

// need records that a triple is part of a derivation within the bound, with the cost of
// the rest of the derivation, and returns the number of the triple.
func (b *bounded) need(t triple, outside int32) int32 {
	number, known := b.numbers[t]
	if !known {
		number = int32(len(b.triples))
		b.numbers[t] = number
		b.triples = append(b.triples, neededTriple{triple: t, outside: unreachable})
	}
	if at := &b.triples[number]; outside < at.outside {
		at.outside = outside
		b.agenda[outside] = append(b.agenda[outside], number)
	}
	return number
}

// collect finds the triples and the ways to derive them, the cheapest rest first.
func (b *bounded) collect() error {
	for outside := range b.agenda {
		for len(b.agenda[outside]) > 0 {
			last := len(b.agenda[outside]) - 1
			number := b.agenda[outside][last]
			b.agenda[outside] = b.agenda[outside][:last]
			if at := &b.triples[number]; at.settled || at.outside != int32(outside) {
				continue
			}
			b.triples[number].settled = true
			if err := b.m.Spend(meter.States, 2); err != nil {
				return err
			}
			if err := b.expand(number); err != nil {
				return err
			}
		}
	}
	return nil
}

// expand adds the ways to derive a triple, and needs their parts.
func (b *bounded) expand(number int32) error {
	t := b.triples[number]
	var parts [2]triple
	var insides [2]int32
	for _, production := range b.byLeft[t.symbol] {
		d := &b.productions[production]
		var walk func(part int, from, texts, inside int32) error
		walk = func(part int, from, texts, inside int32) error {
			begins, err := b.after(d.texts[part], from)
			if err != nil {
				return err
			}
			if part == len(d.parts) {
				i := sort.Search(len(begins), func(i int) bool { return begins[i].state >= t.to })
				if i == len(begins) || begins[i].state != t.to {
					return nil
				}
				texts += begins[i].cost
				total := t.outside + texts + inside
				if total > b.bound {
					b.more = min(b.more, total)
					return nil
				}
				e := edge{left: number, production: production, cost: texts}
				e.paid, e.uses = b.usesOf(d.texts)
				for k := range part {
					e.parts = append(e.parts, b.need(parts[k], total-insides[k]))
				}
				b.edges = append(b.edges, e)
				return b.m.Spend(meter.States, 1+int64(len(e.uses))/8)
			}
			for _, begin := range begins {
				if over := t.outside + texts + begin.cost + inside; over > b.bound {
					b.more = min(b.more, over)
					continue
				}
				r := b.reaches[d.parts[part]][begin.state]
				if r == nil {
					continue // reaching it costs more than the bound
				}
				last := part+1 == len(d.parts) && len(b.texts[d.texts[part+1]].symbols) == 0
				ends := r.ends
				if last {
					if ends = nil; r.settled[t.to] {
						ends = []int32{t.to}
					}
				}
				if err := b.m.Step(1 + len(ends)); err != nil {
					return err
				}
				for _, end := range ends {
					parts[part], insides[part] = triple{d.parts[part], begin.state, end}, r.cost[end]
					if err := walk(part+1, end, texts+begin.cost, inside+r.cost[end]); err != nil {
						return err
					}
				}
			}
			return nil
		}
		if err := walk(0, t.from, 0, 0); err != nil {
			return err
		}
	}
	return nil
}

// usesOf counts the limited terminals of texts and sums their prices. Without limits,
// prices are ordinary costs.
func (b *bounded) usesOf(texts []int32) (paid int32, uses []int32) {
	uses = make([]int32, len(b.caps))
	for _, text := range texts {
		for _, s := range b.texts[text].symbols {
			if !b.limited {
				continue
			}
			paid += b.price[s]
			if class := b.u.class[s]; class >= 0 && b.place[class] >= 0 {
				uses[b.place[class]]++
			}
		}
	}
	return paid, uses
}

// derive creates labels until one is a valid word, or no label is new.
func (b *bounded) derive() error {
	for i, e := range b.edges {
		for k, part := range e.parts {
			if k == 0 || part != e.parts[0] {
				b.triples[part].users = append(b.triples[part].users, int32(i))
			}
		}
	}
	for i, e := range b.edges {
		if len(e.parts) == 0 {
			if err := b.make(int32(i), [2]*label{}); err != nil || b.goal != nil {
				return err
			}
		}
	}
	for len(b.queue) > 0 {
		l := b.queue[len(b.queue)-1]
		b.queue = b.queue[:len(b.queue)-1]
		if l.dropped {
			continue
		}
		for _, user := range b.triples[l.of].users {
			if err := b.combine(user, l); err != nil || b.goal != nil {
				return err
			}
		}
	}
	return nil
}

// combine creates the labels of an edge from a label of one part and all labels of the
// other part.
func (b *bounded) combine(number int32, l *label) error {
	e := &b.edges[number]
	if len(e.parts) == 1 {
		return b.make(number, [2]*label{l})
	}
	for k := range 2 {
		if e.parts[k] != l.of {
			continue
		}
		// Labels created here are combined with l later, when they are processed.
		for _, other := range b.triples[e.parts[1-k]].labels {
			parts := [2]*label{l, other}
			if k == 1 {
				parts = [2]*label{other, l}
			}
			if err := b.make(number, parts); err != nil || b.goal != nil {
				return err
			}
		}
	}
	return nil
}

// make adds a label, unless it exceeds a limit or an existing label costs and uses no
// more; existing labels that cost and use no less are dropped.
func (b *bounded) make(number int32, parts [2]*label) error {
	e := &b.edges[number]
	at := &b.triples[e.left]
	made := &b.next
	*made = label{of: e.left, edge: number, parts: parts, cost: e.cost, paid: e.paid, uses: append(b.next.uses[:0], e.uses...)}
	for _, part := range parts {
		if part == nil {
			continue
		}
		made.cost += part.cost
		made.paid += part.paid
		for i, n := range part.uses {
			made.uses[i] += n
		}
	}
	if total := made.cost + at.outside; total > b.bound {
		b.more = min(b.more, total)
		return b.m.Step(4 + len(b.caps)/8)
	}
	for i, cap := range b.caps {
		if made.uses[i] > cap {
			return b.m.Step(4 + len(b.caps)/8)
		}
	}
	if err := b.m.Step(4 + len(at.labels)*(1+len(b.caps)/8)); err != nil {
		return err
	}
	kept := 0
	for _, l := range at.labels {
		if l.better(made) {
			return nil
		}
		if !made.better(l) {
			kept++
		}
	}
	made = &label{of: made.of, edge: number, parts: parts, cost: made.cost, paid: made.paid, uses: slices.Clone(made.uses)}
	labels := make([]*label, 0, kept+1)
	for _, l := range at.labels {
		if made.better(l) {
			l.dropped = true
		} else {
			labels = append(labels, l)
		}
	}
	at.labels = append(labels, made)
	b.queue = append(b.queue, made)
	if t := at.triple; t.symbol == int32(b.g.Start) && t.from == 0 && b.d.Accepting(int(t.to)%b.d.NumStates()) {
		b.reached(made, made.cost+int32(len(b.word)-int(t.to)/b.d.NumStates()))
	}
	return b.m.Spend(meter.States, 1+int64(kept)/8+int64(len(b.caps))/16)
}

// reached records a word as the result if its edits, without prices, are within the
// bound.
func (b *bounded) reached(made *label, cost int32) {
	if b.limited {
		cost += b.slack - made.paid
	}
	if cost <= b.bound {
		b.goal = made
	} else {
		b.more = min(b.more, cost)
	}
}

// better reports whether a label has no more edits and uses no more.
func (l *label) better(than *label) bool {
	if l.cost-l.paid > than.cost-than.paid {
		return false
	}
	for i, n := range l.uses {
		if n > than.uses[i] {
			return false
		}
	}
	return true
}

// spell appends the word of a label.
func (b *bounded) spell(word []grammar.Symbol, l *label) []grammar.Symbol {
	d := &b.productions[b.edges[l.edge].production]
	for i, text := range d.texts {
		word = append(word, b.texts[text].symbols...)
		if i < len(d.parts) {
			word = b.spell(word, l.parts[i])
		}
	}
	return word
}
