package pushdown

import (
	"sort"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
)

// Grammar returns the grammar of an automaton's words, by triples (Hopcroft,
// Motwani and Ullman 2001, §6.3.2): a nonterminal [q X r] derives the words that the automaton
// reads from q with X on top of its stack to r with X popped. Only triples with such a run that
// are reachable from the start are built. A word has as many derivation trees as the automaton has
// accepting runs. The error is a limit of the meter.
func (p *PDA) Grammar(m *meter.Meter) (*grammar.Grammar, error) {
	w, err := p.Words(m)
	if err != nil {
		return nil, err
	}
	return w.Grammar, nil
}

// Words are an automaton's words as a grammar.
type Words struct {
	PDA     *PDA
	Grammar *grammar.Grammar
	// Transitions has, by production, the transition that it represents, or -1.
	Transitions []int

	summaries *summaries
}

// Words returns the grammar of an automaton. The error is a limit of the meter.
func (p *PDA) Words(m *meter.Meter) (*Words, error) {
	w := newSummaries(p, m)
	if err := w.run(); err != nil {
		return nil, err
	}
	return w.words()
}

// head is a state with a symbol on top of the stack.
type head struct{ state, symbol int }

// rule is a move of an automaton in a head: read a letter (or -1 for none, -2 for any), change to
// a state and push symbols.
type rule struct {
	read       int
	to         int
	push       []int
	transition int // -1 for the moves to the end
}

const (
	readNothing = -1
	readAny     = -2
)

// summaries has, for each head of an automaton, the states that the automaton can be in once the
// symbol on top is popped (Sharir and Pnueli 1981). The stack has one more symbol below all others,
// and there is one more state, in which an accepting automaton empties its stack.
type summaries struct {
	p       *PDA
	m       *meter.Meter
	letters map[string]int
	names   []string // of stack symbols; the last is the bottom
	symbols map[string]int
	drain   int     // the state that empties the stack
	from    [][]int // by state: transitions
	accepts []bool  // by state

	rules  map[head][]rule
	popped map[head][]int
	has    map[head]map[int]bool
	users  map[head][]partial
	seen   map[partial]bool
	queue  []partial
}

// partial is a rule of a head with some of its pushed symbols popped.
type partial struct {
	head   head
	rule   int
	popped int
	state  int
}

func newSummaries(p *PDA, m *meter.Meter) *summaries {
	w := &summaries{
		p: p, m: m, letters: map[string]int{}, symbols: map[string]int{}, drain: len(p.States), from: make([][]int, len(p.States)), accepts: make([]bool, len(p.States)),
		rules: map[head][]rule{}, popped: map[head][]int{}, has: map[head]map[int]bool{}, users: map[head][]partial{}, seen: map[partial]bool{},
	}
	for _, q := range p.Accept {
		w.accepts[q] = true
	}
	for i, l := range p.Letters() {
		w.letters[l] = i
	}
	w.symbol(p.StackStart)
	for i, t := range p.Transitions {
		w.from[t.From] = append(w.from[t.From], i)
		w.symbol(t.Pop)
		for _, s := range t.Push {
			w.symbol(s)
		}
	}
	w.names = append(w.names, "⊥")
	return w
}

func (w *summaries) symbol(name string) {
	if _, ok := w.symbols[name]; !ok && name != "" {
		w.symbols[name] = len(w.names)
		w.names = append(w.names, name)
	}
}

func (w *summaries) bottom() int { return len(w.names) - 1 }

func (w *summaries) rulesOf(h head) []rule {
	if known, ok := w.rules[h]; ok {
		return known
	}
	var out []rule
	if h.state == w.drain {
		out = []rule{{read: readNothing, to: w.drain, transition: -1}}
	} else {
		if w.accepts[h.state] || w.p.AcceptEmpty && h.symbol == w.bottom() {
			out = append(out, rule{read: readNothing, to: w.drain, transition: -1})
		}
		for _, i := range w.from[h.state] {
			t := w.p.Transitions[i]
			blind := t.Pop == "" && !t.PopAny
			if !blind && (h.symbol == w.bottom() || !t.PopAny && w.symbols[t.Pop] != h.symbol) {
				continue
			}
			r := rule{read: readNothing, to: t.To, transition: i}
			switch {
			case t.ReadAny:
				r.read = readAny
			case t.Read != "":
				r.read = w.letters[t.Read]
			}
			for _, s := range t.Push {
				r.push = append(r.push, w.symbols[s])
			}
			if t.Keep || blind {
				r.push = append(r.push, h.symbol)
			}
			out = append(out, r)
		}
	}
	w.rules[h] = out
	return out
}

// start returns the initial state and stack of an automaton.
func (w *summaries) start() (state int, stack []int) {
	if w.p.StackStart != "" {
		stack = append(stack, w.symbols[w.p.StackStart])
	}
	return w.p.Start, append(stack, w.bottom())
}

// run computes the summaries of all reachable heads.
func (w *summaries) run() error {
	state, stack := w.start()
	states := []int{state}
	for _, symbol := range stack {
		var next []int
		for _, q := range states {
			h := head{q, symbol}
			if err := w.open(h); err != nil {
				return err
			}
			if err := w.settle(); err != nil {
				return err
			}
			for _, to := range w.popped[h] {
				next = appendNew(next, to)
			}
		}
		states = next
	}
	return nil
}

func appendNew(list []int, n int) []int {
	for _, have := range list {
		if have == n {
			return list
		}
	}
	return append(list, n)
}

// open adds a head to the search.
func (w *summaries) open(h head) error {
	if w.has[h] != nil {
		return nil
	}
	w.has[h] = map[int]bool{}
	if err := w.m.Spend(meter.States, 1); err != nil {
		return err
	}
	for i, r := range w.rulesOf(h) {
		w.add(partial{head: h, rule: i, state: r.to})
	}
	return nil
}

func (w *summaries) add(p partial) {
	if !w.seen[p] {
		w.seen[p] = true
		w.queue = append(w.queue, p)
	}
}

// settle applies the rules until a fixpoint is reached.
func (w *summaries) settle() error {
	for len(w.queue) > 0 {
		p := w.queue[len(w.queue)-1]
		w.queue = w.queue[:len(w.queue)-1]
		if err := w.m.Spend(meter.States, 1); err != nil {
			return err
		}
		push := w.rules[p.head][p.rule].push
		if p.popped == len(push) {
			if w.has[p.head][p.state] {
				continue
			}
			w.has[p.head][p.state] = true
			w.popped[p.head] = append(w.popped[p.head], p.state)
			for _, u := range w.users[p.head] {
				w.add(partial{u.head, u.rule, u.popped + 1, p.state})
			}
			continue
		}
		next := head{p.state, push[p.popped]}
		if err := w.open(next); err != nil {
			return err
		}
		w.users[next] = append(w.users[next], p)
		for _, to := range w.popped[next] {
			w.add(partial{p.head, p.rule, p.popped + 1, to})
		}
	}
	return nil
}

// ends reports whether a stack can be emptied from a state, which means that the
// automaton can still accept.
func (w *summaries) ends(state int, stack []int) bool {
	for _, q := range w.emptied(state, append(append([]int{}, stack...), w.bottom())) {
		if q == w.drain {
			return true
		}
	}
	return false
}

// emptied returns the states that the automaton can be in once it has popped a stack, starting in a
// state.
func (w *summaries) emptied(state int, stack []int) []int {
	states := []int{state}
	for _, symbol := range stack {
		var next []int
		for _, q := range states {
			for _, to := range w.popped[head{q, symbol}] {
				next = appendNew(next, to)
			}
		}
		states = next
	}
	return states
}

// triple is a head and the state in which its top symbol is popped.
type triple struct {
	head head
	to   int
}

// wordsBuilder builds the grammar.
type wordsBuilder struct {
	*summaries
	letters      int
	numbers      map[triple]grammar.Symbol
	triples      []triple
	productions  []grammar.Production
	transitions  []int
	nonterminals []string
}

func (w *summaries) words() (*Words, error) {
	letters := w.p.Letters()
	b := &wordsBuilder{summaries: w, letters: len(letters), numbers: map[triple]grammar.Symbol{}, nonterminals: []string{"[start]"}}
	state, stack := w.start()
	if err := b.chains(grammar.Symbol(b.letters), nil, state, stack, w.drain, -1); err != nil {
		return nil, err
	}
	for at := 0; at < len(b.triples); at++ {
		t := b.triples[at]
		for _, r := range w.rules[t.head] {
			reads := [][]grammar.Symbol{nil}
			switch {
			case r.read == readAny:
				reads = nil
				for l := range b.letters {
					reads = append(reads, []grammar.Symbol{grammar.Symbol(l)})
				}
			case r.read >= 0:
				reads[0] = []grammar.Symbol{grammar.Symbol(r.read)}
			}
			for _, read := range reads {
				if err := b.chains(b.numbers[t], read, r.to, r.push, t.to, r.transition); err != nil {
					return nil, err
				}
			}
		}
	}
	g := grammar.New(letters, b.nonterminals, grammar.Symbol(b.letters), b.productions, w.p.LetterLabels(), w.p.Limits)
	return &Words{PDA: w.p, Grammar: g, Transitions: b.transitions, summaries: w}, nil
}

// chains adds a production for each sequence of states through which runs from state to to pop a
// stack.
func (b *wordsBuilder) chains(left grammar.Symbol, right []grammar.Symbol, state int, stack []int, to, transition int) error {
	if len(stack) == 0 {
		if state != to {
			return nil
		}
		p := grammar.Production{Left: left, Right: append([]grammar.Symbol{}, right...)}
		if transition >= 0 {
			p.Label, p.Span = b.p.Transitions[transition].Label, b.p.Transitions[transition].Span
		}
		b.productions = append(b.productions, p)
		b.transitions = append(b.transitions, transition)
		return b.m.Spend(meter.States, int64(1+len(right)))
	}
	h := head{state, stack[0]}
	middles := append([]int{}, b.popped[h]...)
	sort.Slice(middles, func(a, b int) bool { return middles[a] < middles[b] })
	for _, middle := range middles {
		if !b.leads(middle, stack[1:], to) {
			continue
		}
		if err := b.m.Step(1 + len(stack)); err != nil {
			return err
		}
		next := append(right[:len(right):len(right)], b.number(triple{h, middle}))
		if err := b.chains(left, next, middle, stack[1:], to, transition); err != nil {
			return err
		}
	}
	return nil
}

// leads reports whether some run from a state to another pops all symbols of a stack.
func (b *wordsBuilder) leads(state int, stack []int, to int) bool {
	for _, q := range b.emptied(state, stack) {
		if q == to {
			return true
		}
	}
	return false
}

func (b *wordsBuilder) number(t triple) grammar.Symbol {
	n, ok := b.numbers[t]
	if !ok {
		n = grammar.Symbol(b.letters + len(b.nonterminals))
		b.numbers[t] = n
		b.triples = append(b.triples, t)
		b.nonterminals = append(b.nonterminals, "["+b.stateName(t.head.state)+" "+b.names[t.head.symbol]+" "+b.stateName(t.to)+"]")
	}
	return n
}

func (b *wordsBuilder) stateName(state int) string {
	if state == b.drain {
		return "end"
	}
	return b.p.States[state]
}
