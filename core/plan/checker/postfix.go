package checker

import (
	"slices"

	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/flow"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/plan/space"
)

// stepGrammar is the grammar of lists of steps, in the order they are carried out. Its visible
// terminals occur in a list: the name of a tool, or a sentence that states a step. Its
// silent terminals are letters. The letters of a derivation, from left to right, are the
// word of the plan.
//
// For a grammar of tools this is the postfix form. The derivation of A → t Y₁ … Yₙ begins
// with the letter t and ends with the visible name of t, after its arguments. A letter that
// is a whole right side is an input, which no list mentions. So a list of steps is parsed
// like a word, and its derivation has the word of the plan.
type stepGrammar struct {
	g      *grammar.Grammar
	letter []grammar.Symbol // by terminal: the plan's letter; -1 for a sentence
	counts []bool           // by terminal: it is a letter of the word
	silent []bool           // by terminal: it does not occur in lists

	names     map[grammar.Symbol]grammar.Symbol // by letter: its visible terminal
	chosen    map[grammar.Symbol]grammar.Symbol // by item of a subset: the terminal for a choice of it
	sentences map[string]grammar.Symbol         // by the text of a production
	inputs    []bool                            // by letter: it is never a step
	inFull    bool                              // a list may spell the word letter by letter
	reversed  bool                              // the steps are in the reverse order of the word

	literal map[grammar.Symbol]bool            // nonterminals of g whose terminals are in the order of the word
	subsets map[grammar.Symbol]*grammar.Subset // nonterminals of g for the choices of a subset
}

// spelled returns the step grammar of a language whose words are listed letter by letter.
func spelled(g *grammar.Grammar) *stepGrammar {
	t := &stepGrammar{g: g, names: map[grammar.Symbol]grammar.Symbol{}, inputs: make([]bool, g.NumTerminals)}
	for s := range grammar.Symbol(g.NumTerminals) {
		t.letter, t.counts, t.silent = append(t.letter, s), append(t.counts, true), append(t.silent, false)
		t.names[s] = s
	}
	return t
}

// answered returns the step grammar of a flowchart: answers are visible, the choice of the
// next question is silent.
func answered(g *grammar.Grammar, chart *flow.Flow) *stepGrammar {
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

// word returns the word of the plan: the letters among the terminals of a derivation.
func (t *stepGrammar) word(listed []grammar.Symbol) []grammar.Symbol {
	out := []grammar.Symbol{}
	for _, s := range listed {
		if t.counts[s] {
			out = append(out, t.letter[s])
		}
	}
	return out
}

// caps converts limits on letters to limits on the step grammar's terminals.
func (t *stepGrammar) caps(caps []int64) []int64 {
	out := make([]int64, len(t.letter))
	for s := range out {
		if out[s] = grammar.Unlimited; t.counts[s] {
			out[s] = caps[t.letter[s]]
		}
	}
	return out
}

// automaton converts an automaton over letters to one over the step grammar's terminals, which
// ignores the terminals that are not letters. It returns nil for nil.
func (t *stepGrammar) automaton(d *automaton.DFA) *automaton.DFA {
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

// postfix returns the step grammar of a table. Its lists are those of
// [space.Table.StepsOf].
func postfix(table *space.Table) *stepGrammar {
	g := table.Grammar()
	b := &postfixer{
		table: table, t: &stepGrammar{names: map[grammar.Symbol]grammar.Symbol{}, chosen: map[grammar.Symbol]grammar.Symbol{}, sentences: map[string]grammar.Symbol{}, inputs: make([]bool, g.NumTerminals), literal: map[grammar.Symbol]bool{}, subsets: map[grammar.Symbol]*grammar.Subset{}},
		numbers: map[listedSymbol]grammar.Symbol{},
	}
	n := g.NumTerminals
	for s := range grammar.Symbol(n) {
		b.terminal(g.Names[s], s, true)
	}
	for s := range grammar.Symbol(n) {
		b.t.names[s] = b.terminal(g.Names[s], s, false)
		b.t.inputs[s] = true
	}
	for _, p := range g.Productions {
		if _, known := b.t.sentences[p.Label]; p.Label != "" && !known {
			b.t.sentences[p.Label] = b.terminal(p.Label, -1, false)
		}
	}
	for i := range g.Subsets {
		for _, item := range g.Subsets[i].Items {
			if _, known := b.t.chosen[item]; !known {
				b.t.chosen[item] = b.terminal(g.Names[item], item, false)
			}
		}
	}
	b.build()
	return b.t
}

// The forms in which a nonterminal of the plan is listed.
const (
	listedNothing = iota // derivations without steps and inputs
	listedTools          // all others, with the arguments before the tool
	listedEither
	listedAlone  // an input that is the complete plan
	listedInFull // every letter in the order of the word
	listedItems  // like listedInFull, for a subset
)

type listedSymbol struct {
	symbol grammar.Symbol
	as     int
}

type postfixer struct {
	table       *space.Table
	t           *stepGrammar
	terminals   []string
	names       []string // of nonterminals
	numbers     map[listedSymbol]grammar.Symbol
	queue       []listedSymbol
	productions []grammar.Production
}

func (b *postfixer) terminal(name string, letter grammar.Symbol, counts bool) grammar.Symbol {
	b.terminals = append(b.terminals, name)
	b.t.letter, b.t.counts, b.t.silent = append(b.t.letter, letter), append(b.t.counts, counts), append(b.t.silent, counts)
	return grammar.Symbol(len(b.terminals) - 1)
}

// listed returns the nonterminal for a symbol that is listed in a form.
func (b *postfixer) listed(s grammar.Symbol, as int) grammar.Symbol {
	key := listedSymbol{s, as}
	n, known := b.numbers[key]
	if !known {
		n = grammar.Symbol(len(b.terminals) + len(b.names))
		b.numbers[key] = n
		b.t.literal[n] = as == listedInFull || as == listedItems
		b.names = append(b.names, b.table.Grammar().Names[s])
		b.queue = append(b.queue, key)
	}
	return n
}

func (b *postfixer) add(left grammar.Symbol, right ...grammar.Symbol) {
	b.productions = append(b.productions, grammar.Production{Left: left, Right: right})
}

func (b *postfixer) build() {
	g := b.table.Grammar()
	start := grammar.Symbol(len(b.terminals))
	b.names = append(b.names, "plan")
	ways := []int{listedTools, listedNothing, listedAlone}
	if !b.onlyTools() {
		ways = append(ways, listedInFull)
		b.t.inFull = true
		for i := range b.t.inputs {
			b.t.inputs[i] = false
		}
	}
	for _, as := range ways {
		b.add(start, b.listed(g.Start, as))
	}
	for i := 0; i < len(b.queue); i++ {
		s, as := b.queue[i].symbol, b.queue[i].as
		left := b.numbers[b.queue[i]]
		if as == listedEither {
			b.add(left, b.listed(s, listedNothing))
			b.add(left, b.listed(s, listedTools))
			continue
		}
		if subset := b.table.Subset(s); subset != nil && as != listedInFull && as != listedItems {
			if as == listedTools { // the chosen items are the steps
				b.add(left, b.listed(s, listedItems))
				b.t.subsets[b.listed(s, listedItems)] = subset
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

// onlyTools reports whether every useful production begins with a tool, has a label, or has at most
// one symbol on its right side.
func (b *postfixer) onlyTools() bool {
	return !slices.ContainsFunc(b.table.Grammar().Productions, func(p grammar.Production) bool {
		used := !slices.ContainsFunc(p.Right, func(s grammar.Symbol) bool { return !b.table.Useful(s) })
		return used && len(p.Right) > 1 && p.Label == "" && len(heads(b.table, p.Right)) == 0
	})
}

// heads returns the tools that a right side can begin with.
func heads(t *space.Table, right []grammar.Symbol) []grammar.Symbol {
	g := t.Grammar()
	if g.IsTerminal(right[0]) {
		return right[:1]
	}
	if !t.ToolLike(right[0]) {
		return nil
	}
	var out []grammar.Symbol
	for _, p := range g.ByLeft(right[0]) {
		out = append(out, g.Productions[p].Right[0])
	}
	return out
}

func (b *postfixer) production(left grammar.Symbol, as int, p grammar.Production) {
	g, described := b.table.Grammar(), p.Label != ""
	letter := func(s grammar.Symbol) grammar.Symbol { return s } // the letters come first
	switch {
	case as == listedInFull || as == listedItems:
		var right, chosen []grammar.Symbol
		for _, s := range p.Right {
			if g.IsTerminal(s) {
				right, chosen = append(right, letter(s), b.t.names[s]), append(chosen, letter(s), b.t.chosen[s])
			} else {
				right, chosen = append(right, b.listed(s, as)), append(chosen, b.listed(s, as))
			}
		}
		b.add(left, right...)
		if as == listedItems && !slices.Equal(right, chosen) {
			b.add(left, chosen...)
		}
	case len(p.Right) == 0:
		if as == listedNothing {
			b.add(left)
		}
	case len(p.Right) == 1 && !described:
		s := p.Right[0]
		switch {
		case !g.IsTerminal(s):
			b.add(left, b.listed(s, as))
		case as == listedTools:
			b.add(left, letter(s))
		case as == listedAlone:
			b.add(left, letter(s), b.t.names[s])
		}
	case as == listedNothing:
	case described:
		if as == listedTools {
			b.described(left, p)
		}
	default:
		for _, head := range heads(b.table, p.Right) {
			b.tool(left, as, head, p.Right[1:])
		}
	}
}

// described adds the forms of a production with a label: its arguments, then its label or
// its tool.
func (b *postfixer) described(left grammar.Symbol, p grammar.Production) {
	sentence := b.t.sentences[p.Label]
	heads := heads(b.table, p.Right)
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

// parts returns the symbols of arguments. Each nonterminal is replaced by the one that derives
// lists with and without steps.
func (b *postfixer) parts(symbols []grammar.Symbol) []grammar.Symbol {
	out := make([]grammar.Symbol, len(symbols))
	for i, s := range symbols {
		if out[i] = s; !b.table.Grammar().IsTerminal(s) {
			out[i] = b.listed(s, listedEither)
		}
	}
	return out
}

// tool adds the forms of a tool with its arguments. A tool without arguments is an input.
func (b *postfixer) tool(left grammar.Symbol, as int, head grammar.Symbol, takes []grammar.Symbol) {
	g := b.table.Grammar()
	nothing := []grammar.Symbol{head}
	for i, s := range takes {
		something := s
		if !g.IsTerminal(s) {
			something = b.listed(s, listedTools)
		}
		if as == listedTools {
			right := append(slices.Clone(nothing), something)
			b.add(left, append(append(right, b.parts(takes[i+1:])...), b.t.names[head])...)
			b.t.inputs[head] = false
		}
		if g.IsTerminal(s) {
			return
		}
		nothing = append(nothing, b.listed(s, listedNothing))
	}
	if as == listedAlone {
		nothing = slices.Insert(nothing, 1, b.t.names[head])
	}
	b.add(left, nothing...)
}
