package earley

import (
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
)

// Shortest returns a shortest word of a grammar, always the same one; ok is false if the language
// is empty. The error is a [meter.LimitError] for a word longer than [grammar.MaxMinLength]. It
// costs time linear in the grammar and the word.
func Shortest(g *grammar.Grammar) (word []grammar.Symbol, ok bool, err error) {
	if g.Empty() {
		return nil, false, nil
	}
	length := g.MinLength()
	if length[g.Start] < 0 {
		return nil, false, &meter.LimitError{Resource: meter.Steps, Max: grammar.MaxMinLength}
	}
	choice := shortestProductions(g, length)
	return spell(g, choice, []grammar.Symbol{}, g.Start), true, nil
}

// spell appends the word of a symbol that a choice of productions leads to.
func spell(g *grammar.Grammar, choice []int, word []grammar.Symbol, s grammar.Symbol) []grammar.Symbol {
	for stack := []grammar.Symbol{s}; len(stack) > 0; {
		top := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if g.IsTerminal(top) {
			word = append(word, top)
			continue
		}
		right := g.Productions[choice[top]].Right
		for i := len(right) - 1; i >= 0; i-- {
			stack = append(stack, right[i])
		}
	}
	return word
}

// shortestProductions picks, for every nonterminal, a production with which a shortest word of it
// begins. A production is picked only once all symbols of its right side are settled, so the picked
// productions form no cycle, even if some of them contain no terminals.
func shortestProductions(g *grammar.Grammar, length []int) []int {
	choice := make([]int, g.NumSymbols())
	settled := make([]bool, g.NumSymbols())
	open := make([]int, len(g.Productions)) // symbols on the right that are not settled
	users := make([][]int, g.NumSymbols())
	var queue []grammar.Symbol
	for i, p := range g.Productions {
		total := 0
		for _, s := range p.Right {
			if total += length[s]; length[s] < 0 {
				total = -1
				break
			}
		}
		if total != length[p.Left] {
			open[i] = -1
			continue
		}
		open[i] = len(p.Right)
		for _, s := range p.Right {
			users[s] = append(users[s], i)
		}
	}
	settle := func(s grammar.Symbol, production int) {
		if !settled[s] {
			settled[s], choice[s] = true, production
			queue = append(queue, s)
		}
	}
	for s := range grammar.Symbol(g.NumTerminals) {
		settle(s, -1)
	}
	for i, p := range g.Productions {
		if open[i] == 0 {
			settle(p.Left, i)
		}
	}
	for i := 0; i < len(queue); i++ {
		for _, user := range users[queue[i]] {
			if open[user]--; open[user] == 0 {
				settle(g.Productions[user].Left, user)
			}
		}
	}
	return choice
}
