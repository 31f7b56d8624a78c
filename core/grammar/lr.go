package grammar

import (
	"encoding/binary"
	"math/bits"
	"sort"

	"github.com/stile-playground/stile/core/bitset"
	"github.com/stile-playground/stile/core/meter"
)

// LR is a summary of a grammar's LR(1) table.
type LR struct {
	States    int
	Conflicts []Conflict // at most one for each state and next terminal
}

// LR1 builds the canonical LR(1) table of a grammar (Knuth 1965). Without
// conflicts it is a proof that the grammar is not ambiguous. The error is the
// meter's: tables of large grammars are very large.
//
// Useless symbols are omitted, because they cannot make the grammar ambiguous.
func (g *Grammar) LR1(m *meter.Meter) (LR, error) {
	b := &lrBuilder{g: g, m: m, numbered: map[string]bool{}, nullable: g.Nullable()}
	b.prepare()
	if err := b.run(); err != nil {
		return LR{}, err
	}
	return LR{States: len(b.states), Conflicts: b.conflicts}, nil
}

// lrItem is a production with a dot; len(g.Productions) is S' → S.
type lrItem struct{ production, dot int }

// lrState holds the kernel items of a state with the lookahead of each.
type lrState struct {
	items  []lrItem
	follow []bitset.Set
}

type lrBuilder struct {
	g         *Grammar
	m         *meter.Meter
	nullable  []bool
	first     []bitset.Set
	useful    []bool // by production
	numbered  map[string]bool
	states    []lrState
	conflicts []Conflict
}

func (b *lrBuilder) prepare() {
	g := b.g
	symbols := g.Useful()
	b.useful = make([]bool, len(g.Productions))
	for i, p := range g.Productions {
		b.useful[i] = symbols[p.Left] && all(p.Right, symbols)
	}
	l := g.Lookahead()
	b.first = make([]bitset.Set, g.NumSymbols())
	for s := range b.first {
		b.first[s] = bitset.New(g.NumTerminals + 1)
		for _, t := range l.First[s] {
			b.first[s].Add(int(t))
		}
	}
}

func (b *lrBuilder) right(production int) []Symbol {
	if production == len(b.g.Productions) {
		return []Symbol{b.g.Start}
	}
	return b.g.Productions[production].Right
}

func (b *lrBuilder) run() error {
	end := bitset.New(b.g.NumTerminals + 1)
	end.Add(b.g.NumTerminals)
	if err := b.number(lrState{items: []lrItem{{production: len(b.g.Productions)}}, follow: []bitset.Set{end}}); err != nil {
		return err
	}
	for at := 0; at < len(b.states); at++ {
		whole, err := b.close(b.states[at])
		if err != nil {
			return err
		}
		if err := b.clashes(whole); err != nil {
			return err
		}
		next := map[Symbol]*lrState{}
		var order []Symbol
		for i, it := range whole.items {
			right := b.right(it.production)
			if it.dot == len(right) {
				continue
			}
			s := right[it.dot]
			if next[s] == nil {
				next[s] = &lrState{}
				order = append(order, s)
			}
			next[s].items = append(next[s].items, lrItem{it.production, it.dot + 1})
			next[s].follow = append(next[s].follow, whole.follow[i])
		}
		for _, s := range order {
			if err := b.number(*next[s]); err != nil {
				return err
			}
		}
	}
	return nil
}

// number returns the number of the state with these kernel items, and adds the state if it is new.
func (b *lrBuilder) number(s lrState) error {
	at := make([]int, len(s.items))
	for i := range at {
		at[i] = i
	}
	place := func(i int) int { return s.items[at[i]].production<<32 | s.items[at[i]].dot }
	sort.Slice(at, func(i, j int) bool { return place(i) < place(j) })
	var key []byte
	for _, i := range at {
		key = binary.AppendUvarint(key, uint64(s.items[i].production))
		key = binary.AppendUvarint(key, uint64(s.items[i].dot))
		for _, w := range s.follow[i] {
			key = binary.LittleEndian.AppendUint64(key, w)
		}
	}
	if b.numbered[string(key)] {
		return nil
	}
	if err := b.m.Spend(meter.States, int64(1+len(key)/8)); err != nil {
		return err
	}
	b.numbered[string(key)] = true
	b.states = append(b.states, s)
	return nil
}

// close adds the productions of the nonterminals after dots.
func (b *lrBuilder) close(s lrState) (lrState, error) {
	out := lrState{items: append([]lrItem(nil), s.items...)}
	place := map[lrItem]int{}
	for i, it := range s.items {
		place[it] = i
		out.follow = append(out.follow, s.follow[i].Copy())
	}
	queue := make([]int, len(out.items))
	queued := make([]bool, len(out.items))
	for i := range queue {
		queue[i], queued[i] = i, true
	}
	for len(queue) > 0 {
		i := queue[0]
		queue, queued[i] = queue[1:], false
		it := out.items[i]
		right := b.right(it.production)
		if it.dot == len(right) || b.g.IsTerminal(right[it.dot]) {
			continue
		}
		// The lookahead: the first terminals of the rest and, if the rest is nullable, the
		// lookahead of the item.
		follow := bitset.New(b.g.NumTerminals + 1)
		vanishes := true
		for _, s := range right[it.dot+1:] {
			follow.Join(b.first[s])
			if !b.nullable[s] {
				vanishes = false
				break
			}
		}
		if vanishes {
			follow.Join(out.follow[i])
		}
		for _, production := range b.g.ByLeft(right[it.dot]) {
			if !b.useful[production] {
				continue
			}
			fresh := lrItem{production: production}
			k, known := place[fresh]
			if !known {
				k = len(out.items)
				place[fresh] = k
				out.items = append(out.items, fresh)
				out.follow = append(out.follow, bitset.New(b.g.NumTerminals+1))
				queued = append(queued, false)
			}
			if out.follow[k].Join(follow) || !known {
				if !queued[k] {
					queue, queued[k] = append(queue, k), true
				}
			}
		}
		if err := b.m.Step(16 + 8*len(right)*len(follow) + 8*len(b.g.ByLeft(right[it.dot]))); err != nil {
			return out, err
		}
	}
	return out, nil
}

// clashes records the terminals with more than one action in a state.
func (b *lrBuilder) clashes(s lrState) error {
	reads := bitset.New(b.g.NumTerminals + 1)
	for _, it := range s.items {
		if right := b.right(it.production); it.dot < len(right) && b.g.IsTerminal(right[it.dot]) {
			reads.Add(int(right[it.dot]))
		}
	}
	byTerminal := map[int][]int{}
	for i, it := range s.items {
		if it.dot < len(b.right(it.production)) {
			continue
		}
		if err := b.m.Step(8 * b.g.NumTerminals); err != nil {
			return err
		}
		for at, w := range s.follow[i] {
			for ; w != 0; w &= w - 1 {
				t := at*64 + bits.TrailingZeros64(w)
				byTerminal[t] = append(byTerminal[t], it.production)
			}
		}
	}
	var found []Conflict
	for t, productions := range byTerminal {
		shift := reads.Has(t)
		if len(productions) < 2 && !shift {
			continue
		}
		c := Conflict{Left: -1, Productions: productions, Lookahead: Symbol(t), Shift: shift}
		if t == b.g.NumTerminals {
			c.Lookahead = AtEnd
		}
		sort.Slice(c.Productions, func(a, b int) bool { return c.Productions[a] < c.Productions[b] })
		found = append(found, c)
	}
	sort.Slice(found, func(i, j int) bool { return uint32(found[i].Lookahead) < uint32(found[j].Lookahead) })
	b.conflicts = append(b.conflicts, found...)
	return nil
}
