// Package earley parses words of arbitrary context-free grammars one terminal at a
// time and returns the valid next terminals.
//
// It implements Earley's algorithm (1970) with nullable symbols skipped at prediction
// (Aycock and Horspool 2002) and Leo's transitive items for right recursion (1991):
// cubic time for every grammar, quadratic for unambiguous grammars, linear for
// LR-regular grammars without hidden right recursion. Useless symbols are removed
// first, so the chart has the correct-prefix property: every terminal that Next
// returns can be continued to a complete word.
//
// Predicted items are not stored. An item set stores its kernel (the items whose dot
// has moved) and the set of predicted nonterminals; the consequences of a prediction
// are in a table of the grammar. The cost of a step therefore depends on the kernel and
// the occurrences of the terminal, not on the number of terminals.
package earley

import (
	"github.com/stile-playground/stile/core/bitset"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
)

// Parser holds the tables of a grammar. It is immutable and safe for concurrent use.
type Parser struct {
	g *grammar.Grammar

	next  []grammar.Symbol // by dotted rule: the symbol after the dot, or complete
	left  []grammar.Symbol // by dotted rule
	prod  []int32          // by dotted rule: the production, -1 for the start's
	first []int32          // by production: its dotted rule with the dot in front, or -1 if left out

	nullable []bool
	closure  []bitset.Set // by nonterminal: the nonterminals it predicts, itself among them
	firsts   []bitset.Set // by nonterminal: the terminals its words begin with
	starters [][]starter  // by symbol: the dotted rules after it that a prediction reaches

	least    []int // by dotted rule: least number of letters after its dot, or -1; see completion.go
	shortest []int // by nonterminal: the production of a shortest word; nil without one
}

// starter is a dotted rule that is reached by reading one symbol, after nullable
// symbols, wherever its left side is predicted.
type starter struct {
	left  grammar.Symbol
	after int32
}

const complete grammar.Symbol = -1

// The dotted rules of S' → S, where S is the start symbol.
const (
	startRule    int32 = 0 // S' → . S
	acceptedRule int32 = 1 // S' → S .
)

// New returns the parser of a grammar.
func New(g *grammar.Grammar) *Parser {
	p := &Parser{
		g: g, nullable: g.Nullable(),
		next: []grammar.Symbol{g.Start, complete}, left: []grammar.Symbol{complete, complete}, prod: []int32{-1, -1},
		first:    make([]int32, len(g.Productions)),
		starters: make([][]starter, g.NumSymbols()),
	}
	useful := g.Useful()
	if !useful[g.Start] {
		p.next[startRule] = complete // nothing can be read, and nothing is accepted
	}
	for i, production := range g.Productions {
		p.first[i] = -1
		if !useful[production.Left] || !allOf(production.Right, useful) {
			continue
		}
		p.first[i] = int32(len(p.next))
		reachable := true
		for k, s := range production.Right {
			rule := p.first[i] + int32(k)
			p.add(s, production.Left, i)
			if reachable {
				p.starters[s] = append(p.starters[s], starter{left: production.Left, after: rule + 1})
				reachable = p.nullable[s]
			}
		}
		p.add(complete, production.Left, i)
	}
	p.predictions()
	p.lengths()
	return p
}

func allOf(list []grammar.Symbol, in []bool) bool {
	for _, s := range list {
		if !in[s] {
			return false
		}
	}
	return true
}

func (p *Parser) add(next, left grammar.Symbol, production int) {
	p.next = append(p.next, next)
	p.left = append(p.left, left)
	p.prod = append(p.prod, int32(production))
}

// predictions computes the nonterminals that each nonterminal predicts and its first
// terminals: the closure of "occurs in a right side after only nullable symbols".
func (p *Parser) predictions() {
	n := p.g.NumSymbols()
	nonterminals := n - p.g.NumTerminals
	p.closure, p.firsts = make([]bitset.Set, nonterminals), make([]bitset.Set, nonterminals)
	corners := make([][]int, nonterminals)
	for i := range nonterminals {
		p.closure[i], p.firsts[i] = bitset.New(nonterminals), bitset.New(p.g.NumTerminals)
		p.closure[i].Add(i)
	}
	for s, list := range p.starters {
		for _, st := range list {
			left := int(st.left) - p.g.NumTerminals
			if p.g.IsTerminal(grammar.Symbol(s)) {
				p.firsts[left].Add(s)
			} else {
				corners[left] = append(corners[left], s-p.g.NumTerminals)
			}
		}
	}
	// Every nonterminal inherits from its corners until a fixpoint; users are the
	// nonterminals to recompute after a change.
	users := make([][]int, nonterminals)
	queue := make([]int, 0, nonterminals)
	queued := make([]bool, nonterminals)
	for i, list := range corners {
		for _, c := range list {
			users[c] = append(users[c], i)
		}
	}
	for i := nonterminals - 1; i >= 0; i-- {
		queue, queued[i] = append(queue, i), true
	}
	for len(queue) > 0 {
		i := queue[0]
		queue, queued[i] = queue[1:], false
		changed := false
		for _, c := range corners[i] {
			a := p.closure[i].Join(p.closure[c])
			b := p.firsts[i].Join(p.firsts[c])
			changed = changed || a || b
		}
		if !changed {
			continue
		}
		for _, u := range users[i] {
			if !queued[u] {
				queue, queued[u] = append(queue, u), true
			}
		}
	}
}

// Grammar returns the parser's grammar.
func (p *Parser) Grammar() *grammar.Grammar { return p.g }

// item is a dotted rule whose derivation began after origin terminals.
type item struct {
	rule   int32
	origin int32
}

// itemSet is the set of items after a number of terminals.
type itemSet struct {
	kernel      []item
	predicted   bitset.Set                   // nonterminals
	wants       []want                       // of kernel items with a nonterminal after the dot; sorted
	grouped     map[grammar.Symbol][]waiting // the wants as bit sets, from groupedWants of them on; see wantsets.go
	leo         []leoItem
	needs       []grammar.Antichain // by nonterminal, computed on first use; see limits.go
	completions []completion        // by nonterminal, computed on first use; see completion.go
}

// want is a kernel item with a nonterminal after its dot.
type want struct {
	symbol grammar.Symbol
	item   item
}

// Run parses one word. It is not safe for concurrent use.
type Run struct {
	p    *Parser
	m    *meter.Meter
	sets []*itemSet
	next itemSet              // the set being built; its memory is reused
	seen seenItems            // of the set being built
	have map[int32]bitset.Set // origins of the items in the set being built, by rule; see wantsets.go

	needs *grammar.Needs // the grammar's needs from which those of the sets were computed
}

// Start returns a run of the empty prefix. The meter may be nil.
func (p *Parser) Start(m *meter.Meter) *Run {
	r := &Run{p: p, m: m}
	if p.next[startRule] != complete {
		r.put(&r.next, item{rule: startRule})
	}
	r.finish()
	return r
}

// Len returns the number of terminals read.
func (r *Run) Len() int { return len(r.sets) - 1 }

// put adds an item to the kernel, and the items with the dot after each of the
// nullable symbols that follow.
func (r *Run) put(set *itemSet, it item) {
	for r.seen.add(it) {
		set.kernel = append(set.kernel, it)
		if b := r.have[it.rule]; b != nil {
			b.Add(int(it.origin))
		}
		next := r.p.next[it.rule]
		if next == complete || !r.p.nullable[next] {
			return
		}
		it.rule++
	}
}

// clear resets the sets that detect duplicate items.
func (r *Run) clear() {
	r.seen.clear()
	clear(r.have)
}

// finish appends the built set with its predictions and wants. It copies them into
// slices of exact size, because a long word has as many sets as terminals.
func (r *Run) finish() {
	r.clear()
	set := &itemSet{kernel: append([]item(nil), r.next.kernel...)}
	set.predicted = bitset.New(r.p.g.NumSymbols() - r.p.g.NumTerminals)
	wants := r.next.wants[:0]
	for _, it := range set.kernel {
		next := r.p.next[it.rule]
		if next == complete || r.p.g.IsTerminal(next) {
			continue
		}
		set.predicted.Join(r.p.closure[int(next)-r.p.g.NumTerminals])
		wants = append(wants, want{symbol: next, item: it})
	}
	set.wants = append([]want(nil), wants...)
	r.next.wants = wants
	r.sets = append(r.sets, set)
}

// Push reads a terminal and reports whether a word continues with it. If not, or with
// an error of the meter, the run is unchanged.
func (r *Run) Push(t grammar.Symbol) (bool, error) {
	if !r.p.g.IsTerminal(t) {
		return false, nil
	}
	here := int32(len(r.sets) - 1)
	now := r.sets[here]
	set := &r.next
	set.kernel = set.kernel[:0]
	for _, it := range now.kernel {
		if r.p.next[it.rule] == t {
			r.put(set, item{rule: it.rule + 1, origin: it.origin})
		}
	}
	for _, st := range r.p.starters[t] {
		if now.predicted.Has(int(st.left) - r.p.g.NumTerminals) {
			r.put(set, item{rule: st.after, origin: here})
		}
	}
	if err := r.m.Step(1 + len(now.kernel) + len(r.p.starters[t])); err != nil {
		r.clear()
		return false, err
	}
	if len(set.kernel) == 0 {
		return false, nil
	}
	for i := 0; i < len(set.kernel); i++ {
		it := set.kernel[i]
		if r.p.next[it.rule] != complete || it.rule == acceptedRule {
			continue
		}
		if err := r.completeAt(set, it); err != nil {
			r.clear()
			return false, err
		}
	}
	if err := r.m.Spend(meter.States, int64(len(set.kernel))); err != nil {
		r.clear()
		return false, err
	}
	r.finish()
	return true, nil
}

// completeAt advances the items that wait for the left side of a completed item.
func (r *Run) completeAt(set *itemSet, it item) error {
	if top, ok := r.leo(it.origin, r.p.left[it.rule]); ok {
		r.put(set, top)
		return r.m.Step(1)
	}
	return r.completeEach(set, it)
}

// completeEach is completeAt without Leo items.
func (r *Run) completeEach(set *itemSet, it item) error {
	left := r.p.left[it.rule]
	origin := r.sets[it.origin]
	steps := 1
	if len(origin.wants) >= groupedWants {
		steps += r.putGrouped(set, origin, left)
	} else {
		for _, w := range origin.wants {
			if w.symbol == left {
				r.put(set, item{rule: w.item.rule + 1, origin: w.item.origin})
			}
			steps++
		}
	}
	for _, st := range r.p.starters[left] {
		if origin.predicted.Has(int(st.left) - r.p.g.NumTerminals) {
			r.put(set, item{rule: st.after, origin: it.origin})
		}
		steps++
	}
	return r.m.Step(steps)
}

// Pop undoes the last Push.
func (r *Run) Pop() {
	if len(r.sets) > 1 {
		r.sets = r.sets[:len(r.sets)-1]
	}
}

// Viable reports whether the terminals read are a prefix of a word. It is false only if
// the language is empty, because Push rejects every other invalid prefix.
func (r *Run) Viable() bool { return len(r.sets[len(r.sets)-1].kernel) > 0 }

// Complete reports whether the terminals read are a word.
func (r *Run) Complete() bool {
	for _, it := range r.sets[len(r.sets)-1].kernel {
		if it.rule == acceptedRule && r.p.next[startRule] != complete {
			return true
		}
	}
	return false
}

// Next returns the valid next terminals in increasing order.
func (r *Run) Next() []grammar.Symbol {
	set := r.sets[len(r.sets)-1]
	found := bitset.New(r.p.g.NumTerminals)
	for _, it := range set.kernel {
		switch next := r.p.next[it.rule]; {
		case next == complete:
		case r.p.g.IsTerminal(next):
			found.Add(int(next))
		default:
			found.Join(r.p.firsts[int(next)-r.p.g.NumTerminals])
		}
	}
	var out []grammar.Symbol
	found.Each(func(t int) { out = append(out, grammar.Symbol(t)) })
	return out
}

// Recognize reports whether the language contains a word.
func (p *Parser) Recognize(word []grammar.Symbol, m *meter.Meter) (bool, error) {
	r := p.Start(m)
	for _, t := range word {
		if ok, err := r.Push(t); !ok || err != nil {
			return false, err
		}
	}
	return r.Complete(), nil
}
