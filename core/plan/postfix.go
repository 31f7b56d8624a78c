package plan

import (
	"slices"

	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/flow"
	"github.com/stile-playground/stile/core/grammar"
)

// telling is a grammar of plans as they are told: step by step, in the order in
// which they are carried out. Some of its terminals are heard: a tool's name, or a
// sentence that says a step by itself. Others are silent letters: heard or not, the
// letters of a derivation, read from left to right, are the word of the plan.
//
// For a grammar of tools the telling is its postfix form. What A → t Y₁ … Yₙ
// derives begins with the letter t and ends with hearing of t, when what t takes is
// done; a letter that is all there is of a right side is an input, which nobody
// mentions. So a list of steps is parsed by the same means as a word, and its
// derivation says what the word is.
type telling struct {
	g      *grammar.Grammar
	letter []grammar.Symbol // by terminal: the plan's terminal that it is or names; -1 for a sentence
	counts []bool           // by terminal: it is a letter of the word
	silent []bool           // by terminal: it is not heard

	names     map[grammar.Symbol]grammar.Symbol // by terminal of the plan: how its name is heard
	chosen    map[grammar.Symbol]grammar.Symbol // the same of an item chosen of a subset, where that is said
	sentences map[string]grammar.Symbol         // by the text of a production
	inputs    []bool                            // by terminal of the plan: it is never a step
	inFull    bool                              // a plan may be told letter by letter, whatever is a tool
	reversed  bool                              // the steps are told from the word's end to its beginning

	literal map[grammar.Symbol]bool            // nonterminals of g whose terminals are told in the order of the word
	subsets map[grammar.Symbol]*grammar.Subset // nonterminals of g that derive the choices of a subset
}

// spelled returns the telling of a language whose words are told letter by letter.
func spelled(g *grammar.Grammar) *telling {
	t := &telling{g: g, names: map[grammar.Symbol]grammar.Symbol{}, inputs: make([]bool, g.NumTerminals)}
	for s := range grammar.Symbol(g.NumTerminals) {
		t.letter, t.counts, t.silent = append(t.letter, s), append(t.counts, true), append(t.silent, false)
		t.names[s] = s
	}
	return t
}

// answered returns the telling of a flowchart: answers are told, the choice of the
// next question is not.
func answered(g *grammar.Grammar, chart *flow.Flow) *telling {
	t := spelled(g)
	for _, s := range chart.States {
		if s.Kind != flow.Choose {
			continue
		}
		for _, e := range s.Edges {
			if letter, ok := g.Lookup(e.Answer); ok {
				t.silent[letter], t.inputs[letter] = true, true
				delete(t.names, letter)
			}
		}
	}
	return t
}

// word returns the plan's word in a derivation of the telling.
func (t *telling) word(told []grammar.Symbol) []grammar.Symbol {
	out := []grammar.Symbol{}
	for _, s := range told {
		if t.counts[s] {
			out = append(out, t.letter[s])
		}
	}
	return out
}

// caps returns the limits of letters as limits of the telling.
func (t *telling) caps(caps []int64) []int64 {
	out := make([]int64, len(t.letter))
	for s := range out {
		if out[s] = grammar.Unlimited; t.counts[s] {
			out[s] = caps[t.letter[s]]
		}
	}
	return out
}

// automaton returns an automaton over letters as one that does not hear what is no
// letter; nil for nil.
func (t *telling) automaton(d *automaton.DFA) *automaton.DFA {
	if d == nil {
		return nil
	}
	rows, accept := make([][]int, d.NumStates()), make([]bool, d.NumStates())
	for q := range rows {
		accept[q] = d.Accepting(q)
		rows[q] = make([]int, len(t.letter))
		for s := range rows[q] {
			if rows[q][s] = q; t.counts[s] {
				rows[q][s] = d.Next(q, int(t.letter[s]))
			}
		}
	}
	return automaton.NewDFA(rows, accept)
}

// postfix returns the telling of a grammar. It follows what [Table.stepsOf] lists.
func (t *Table) postfix() *telling {
	b := &postfixer{
		table: t, t: &telling{names: map[grammar.Symbol]grammar.Symbol{}, chosen: map[grammar.Symbol]grammar.Symbol{}, sentences: map[string]grammar.Symbol{}, inputs: make([]bool, t.g.NumTerminals), literal: map[grammar.Symbol]bool{}, subsets: map[grammar.Symbol]*grammar.Subset{}},
		numbers: map[toldSymbol]grammar.Symbol{},
	}
	n := t.g.NumTerminals
	for s := range grammar.Symbol(n) {
		b.terminal(t.g.Names[s], s, true)
	}
	for s := range grammar.Symbol(n) {
		b.t.names[s] = b.terminal(t.g.Names[s], s, false)
		b.t.inputs[s] = true
	}
	for _, p := range t.g.Productions {
		if _, known := b.t.sentences[p.Label]; p.Label != "" && !known {
			b.t.sentences[p.Label] = b.terminal(p.Label, -1, false)
		}
	}
	for i := range t.g.Subsets {
		for _, item := range t.g.Subsets[i].Items {
			if _, known := b.t.chosen[item]; !known {
				b.t.chosen[item] = b.terminal(t.g.Names[item], item, false)
			}
		}
	}
	b.build()
	return b.t
}

// What a nonterminal of the plan is told as.
const (
	toldNothing = iota // derivations that are nothing at all: neither step nor input
	toldTools          // all others, what a tool takes before the tool
	toldEither
	toldAlone  // an input that is the whole plan, and is told after all
	toldInFull // every letter in the order of the word
	toldItems  // the same, of a subset
)

type toldSymbol struct {
	symbol grammar.Symbol
	as     int
}

type postfixer struct {
	table       *Table
	t           *telling
	terminals   []string
	names       []string // of nonterminals
	numbers     map[toldSymbol]grammar.Symbol
	queue       []toldSymbol
	productions []grammar.Production
}

func (b *postfixer) terminal(name string, letter grammar.Symbol, counts bool) grammar.Symbol {
	b.terminals = append(b.terminals, name)
	b.t.letter, b.t.counts, b.t.silent = append(b.t.letter, letter), append(b.t.counts, counts), append(b.t.silent, counts)
	return grammar.Symbol(len(b.terminals) - 1)
}

// told returns the nonterminal for a symbol told in some way.
func (b *postfixer) told(s grammar.Symbol, as int) grammar.Symbol {
	key := toldSymbol{s, as}
	n, known := b.numbers[key]
	if !known {
		n = grammar.Symbol(len(b.terminals) + len(b.names))
		b.numbers[key] = n
		b.t.literal[n] = as == toldInFull || as == toldItems
		b.names = append(b.names, b.table.g.Names[s])
		b.queue = append(b.queue, key)
	}
	return n
}

func (b *postfixer) add(left grammar.Symbol, right ...grammar.Symbol) {
	b.productions = append(b.productions, grammar.Production{Left: left, Right: right})
}

func (b *postfixer) build() {
	g := b.table.g
	start := grammar.Symbol(len(b.terminals))
	b.names = append(b.names, "plan")
	ways := []int{toldTools, toldNothing, toldAlone}
	if !b.onlyTools() {
		ways = append(ways, toldInFull)
		b.t.inFull = true
		for i := range b.t.inputs {
			b.t.inputs[i] = false
		}
	}
	for _, as := range ways {
		b.add(start, b.told(g.Start, as))
	}
	for i := 0; i < len(b.queue); i++ {
		s, as := b.queue[i].symbol, b.queue[i].as
		left := b.numbers[b.queue[i]]
		if as == toldEither {
			b.add(left, b.told(s, toldNothing))
			b.add(left, b.told(s, toldTools))
			continue
		}
		if subset := b.table.subsets[s]; subset != nil && as != toldInFull && as != toldItems {
			if as == toldTools { // the items chosen are what is done
				b.add(left, b.told(s, toldItems))
				b.t.subsets[b.told(s, toldItems)] = subset
				for _, item := range subset.Items {
					b.t.inputs[item] = false
				}
			}
			continue
		}
		for _, p := range g.ByLeft(s) {
			b.production(left, as, g.Productions[p])
		}
	}
	b.t.g = grammar.New(b.terminals, b.names, start, b.productions, nil, grammar.Limits{})
}

// onlyTools reports whether every production is a tool's, or says what it does, or
// passes something on.
func (b *postfixer) onlyTools() bool {
	return !slices.ContainsFunc(b.table.g.Productions, func(p grammar.Production) bool {
		used := !slices.ContainsFunc(p.Right, func(s grammar.Symbol) bool { return !b.table.useful[s] })
		return used && len(p.Right) > 1 && p.Label == "" && len(b.table.heads(p.Right)) == 0
	})
}

// heads returns the tools that a right side can begin with; none where it does not
// begin with a tool.
func (t *Table) heads(right []grammar.Symbol) []grammar.Symbol {
	g := t.g
	if g.IsTerminal(right[0]) {
		return right[:1]
	}
	if !t.toolLike[right[0]] {
		return nil
	}
	var out []grammar.Symbol
	for _, p := range g.ByLeft(right[0]) {
		out = append(out, g.Productions[p].Right[0])
	}
	return out
}

func (b *postfixer) production(left grammar.Symbol, as int, p grammar.Production) {
	g, described := b.table.g, p.Label != ""
	letter := func(s grammar.Symbol) grammar.Symbol { return s } // the letters come first
	switch {
	case as == toldInFull || as == toldItems:
		var right, chosen []grammar.Symbol
		for _, s := range p.Right {
			if g.IsTerminal(s) {
				right, chosen = append(right, letter(s), b.t.names[s]), append(chosen, letter(s), b.t.chosen[s])
			} else {
				right, chosen = append(right, b.told(s, as)), append(chosen, b.told(s, as))
			}
		}
		b.add(left, right...)
		if as == toldItems && !slices.Equal(right, chosen) {
			b.add(left, chosen...)
		}
	case len(p.Right) == 0:
		if as == toldNothing {
			b.add(left)
		}
	case len(p.Right) == 1 && !described:
		s := p.Right[0]
		switch {
		case !g.IsTerminal(s):
			b.add(left, b.told(s, as))
		case as == toldTools:
			b.add(left, letter(s))
		case as == toldAlone:
			b.add(left, letter(s), b.t.names[s])
		}
	case as == toldNothing:
	case described:
		if as == toldTools {
			b.described(left, p)
		}
	default:
		for _, head := range b.table.heads(p.Right) {
			b.tool(left, as, head, p.Right[1:])
		}
	}
}

// described adds what a production with a text is told as: its parts, then its text,
// or the tool that it begins with.
func (b *postfixer) described(left grammar.Symbol, p grammar.Production) {
	sentence := b.t.sentences[p.Label]
	heads := b.table.heads(p.Right)
	for _, head := range heads {
		b.t.inputs[head] = false
		parts := append([]grammar.Symbol{head}, b.parts(p.Right[1:])...)
		b.add(left, append(slices.Clip(parts), sentence)...)
		b.add(left, append(slices.Clip(parts), b.t.names[head])...)
	}
	if len(heads) == 0 {
		b.add(left, append(b.parts(p.Right), sentence)...)
	}
}

// parts returns symbols told as tools or nothing.
func (b *postfixer) parts(symbols []grammar.Symbol) []grammar.Symbol {
	out := make([]grammar.Symbol, len(symbols))
	for i, s := range symbols {
		if out[i] = s; !b.table.g.IsTerminal(s) {
			out[i] = b.told(s, toldEither)
		}
	}
	return out
}

// tool adds what a tool and what it takes are told as. A tool that takes nothing
// after all is an input.
func (b *postfixer) tool(left grammar.Symbol, as int, head grammar.Symbol, takes []grammar.Symbol) {
	g := b.table.g
	nothing := []grammar.Symbol{head}
	for i, s := range takes {
		something := s
		if !g.IsTerminal(s) {
			something = b.told(s, toldTools)
		}
		if as == toldTools {
			right := append(slices.Clone(nothing), something)
			b.add(left, append(append(right, b.parts(takes[i+1:])...), b.t.names[head])...)
			b.t.inputs[head] = false
		}
		if g.IsTerminal(s) {
			return
		}
		nothing = append(nothing, b.told(s, toldNothing))
	}
	if as == toldAlone {
		nothing = slices.Insert(nothing, 1, b.t.names[head])
	}
	b.add(left, nothing...)
}
