// Package export converts specs to the notations of other tools: Graphviz DOT, Mermaid,
// the Hanoi omega-automata format, GBNF (llama.cpp), Lark (llguidance), EBNF (XGrammar and
// W3C), regular expressions, the JSON of inference servers, and guards in Go, TypeScript
// and Python. It also imports grammars in GBNF and Lark, and automata in the Hanoi format.
package export

import (
	"fmt"

	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/grammar"
)

// Rules are a grammar of texts for engines that constrain a model's output. The first rule
// is the start.
type Rules struct {
	List []Rule
}

// Rule is a nonterminal with its alternatives. An alternative without parts is the empty text.
type Rule struct {
	Name         string
	Alternatives [][]Part
}

// FromGrammar returns rules for the texts of a grammar's words: the names of the terminals,
// joined by a separator. Symbols that occur in no word are dropped, as some engines
// generate dead ends from them.
func FromGrammar(g *grammar.Grammar, separator string) Rules {
	b := &rulesBuilder{g: g, separator: separator, nullable: g.Nullable(), useful: g.Useful(), numbers: map[place]int{}}
	if !b.useful[g.Start] {
		// The empty language: a rule that derives no text.
		return Rules{List: []Rule{{Name: "root", Alternatives: [][]Part{{{Rule: 0}}}}}}
	}
	b.rules.List = []Rule{{Name: "root"}}
	if separator == "" {
		b.rules.List[0].Alternatives = [][]Part{{{Rule: b.number(place{g.Start, true})}}}
	} else {
		// Words without a separator before them, and the empty word.
		b.rules.List[0].Alternatives = [][]Part{{{Rule: b.number(place{g.Start, false})}}}
		if b.nullable[g.Start] {
			b.rules.List[0].Alternatives = append(b.rules.List[0].Alternatives, nil)
		}
	}
	for at := 0; at < len(b.places); at++ {
		b.fill(b.places[at])
	}
	b.rules.drop()
	return b.rules
}

// place is a nonterminal within a text (a separator precedes each of its terminals, and it
// may be empty) or at the beginning of the text (no separator precedes the first terminal,
// and it is not empty).
type place struct {
	symbol grammar.Symbol
	within bool
}

type rulesBuilder struct {
	g         *grammar.Grammar
	separator string
	nullable  []bool
	useful    []bool
	rules     Rules
	numbers   map[place]int
	places    []place
}

func (b *rulesBuilder) number(p place) int {
	n, ok := b.numbers[p]
	if !ok {
		n = len(b.rules.List)
		b.numbers[p] = n
		name := b.g.Names[p.symbol]
		if !p.within {
			name += "-first"
		}
		b.rules.List = append(b.rules.List, Rule{Name: name})
		b.places = append(b.places, p)
	}
	return n
}

// parts returns a symbol as parts, after a separator within a text.
func (b *rulesBuilder) parts(s grammar.Symbol, within bool) []Part {
	if !b.g.IsTerminal(s) {
		return []Part{{Rule: b.number(place{s, within})}}
	}
	return named(b.g.Names[s], b.separator, within)
}

// named returns the terminal with a name, after a separator within a text.
func named(name, separator string, within bool) []Part {
	p := Unspell(name)
	switch {
	case !within || separator == "":
		return []Part{p}
	case p.Text != "" && !p.Fold:
		return []Part{{Text: separator + p.Text}}
	}
	return []Part{{Text: separator}, p}
}

func (b *rulesBuilder) fill(p place) {
	at := b.numbers[p]
	for _, i := range b.g.ByLeft(p.symbol) {
		right := b.g.Productions[i].Right
		if !b.allUseful(right) {
			continue
		}
		if p.within {
			b.add(at, right, 0)
			continue
		}
		// Any symbol may be the first non-empty one if those before it can be empty.
		for first, s := range right {
			b.add(at, right[first:], 1)
			if !b.nullable[s] {
				break
			}
		}
	}
}

// add adds an alternative. No separator precedes the first beginning symbols, which begin the text.
func (b *rulesBuilder) add(at int, right []grammar.Symbol, beginning int) {
	parts := []Part{}
	for i, s := range right {
		parts = append(parts, b.parts(s, i >= beginning)...)
	}
	b.rules.List[at].Alternatives = append(b.rules.List[at].Alternatives, parts)
}

func (b *rulesBuilder) allUseful(right []grammar.Symbol) bool {
	for _, s := range right {
		if !b.useful[s] {
			return false
		}
	}
	return true
}

// drop removes alternatives that derive no text: a symbol that derives only the empty word
// has none at the beginning of a text. The first rule keeps an alternative.
func (r *Rules) drop() {
	ends := make([]bool, len(r.List))
	whole := func(parts []Part) bool {
		for _, p := range parts {
			if p.isRule() && !ends[p.Rule] {
				return false
			}
		}
		return true
	}
	for changed := true; changed; {
		changed = false
		for i, rule := range r.List {
			for _, parts := range rule.Alternatives {
				if !ends[i] && whole(parts) {
					ends[i], changed = true, true
				}
			}
		}
	}
	number := make([]int, len(r.List))
	var kept []Rule
	for i, rule := range r.List {
		if !ends[i] {
			continue
		}
		number[i] = len(kept)
		var alternatives [][]Part
		for _, parts := range rule.Alternatives {
			if whole(parts) {
				alternatives = append(alternatives, parts)
			}
		}
		kept = append(kept, Rule{Name: rule.Name, Alternatives: alternatives})
	}
	for _, rule := range kept {
		for _, parts := range rule.Alternatives {
			for k, p := range parts {
				if p.isRule() {
					parts[k].Rule = number[p.Rule]
				}
			}
		}
	}
	r.List = kept
}

// FromDFA returns right-linear rules for the texts of an automaton's words: the letters,
// joined by a separator. Each state becomes a rule.
func FromDFA(d *automaton.DFA, letters []string, separator string) Rules {
	distance := d.Distances()
	r := Rules{List: []Rule{{Name: "root"}}}
	// The state after the first letter is within the text; the start is not.
	number := map[int]int{}
	var states []int
	rule := func(state int) int {
		n, ok := number[state]
		if !ok {
			n = len(r.List)
			number[state] = n
			states = append(states, state)
			r.List = append(r.List, Rule{Name: fmt.Sprintf("state-%d", state)})
		}
		return n
	}
	fill := func(at, state int, first bool) {
		var alternatives [][]Part
		for letter := range d.NumLetters() {
			if to := d.Next(state, letter); distance[to] >= 0 {
				alternatives = append(alternatives, append(named(letters[letter], separator, !first), Part{Rule: rule(to)}))
			}
		}
		if d.Accepting(state) {
			alternatives = append(alternatives, nil)
		}
		r.List[at].Alternatives = alternatives
	}
	fill(0, d.Start(), true)
	for at := 0; at < len(states); at++ {
		fill(number[states[at]], states[at], false)
	}
	if distance[d.Start()] < 0 {
		r.List[0].Alternatives = [][]Part{{{Rule: 0}}}
	}
	return r
}
