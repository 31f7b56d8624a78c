package flow

import (
	"slices"

	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/grammar"
)

// DFA returns the automaton of the words that lead to a good end, over the letters
// that Letters lists; a letter without an edge leads to a dead state, which is the last one.
func (f *Flow) DFA() *automaton.DFA { return f.leadingTo(Accept) }

// place returns the state of the automaton of a state. The start must be state 0.
func (f *Flow) place(state int) int {
	switch state {
	case f.Start:
		return 0
	case 0:
		return f.Start
	}
	return state
}

// leadingTo returns the automaton of the words that lead to ends of some kinds.
func (f *Flow) leadingTo(kinds ...Kind) *automaton.DFA {
	letters := f.Letters()
	index := map[string]int{}
	for i, l := range letters {
		index[l] = i
	}
	dead := len(f.States)
	rows, accept := make([][]int, dead+1), make([]bool, dead+1)
	for at := range rows {
		row := make([]int, len(letters))
		for i := range row {
			row[i] = dead
		}
		rows[at] = row
		if at == dead {
			continue
		}
		state := f.place(at)
		accept[at] = slices.Contains(kinds, f.States[state].Kind)
		for _, e := range f.States[state].Edges {
			row[index[f.Letter(state, e)]] = f.place(e.To)
		}
	}
	return automaton.NewDFA(rows, accept)
}

// Grammar returns the right-linear grammar of the words that lead to a good end: a
// nonterminal for each state, so that planners for grammars also accept flowcharts.
func (f *Flow) Grammar() *grammar.Grammar { return f.endingIn(Accept, Accept) }

// Outcomes returns the grammar of the words that lead to a good or a bad end.
func (f *Flow) Outcomes() *grammar.Grammar { return f.endingIn(Accept, Stop) }

func (f *Flow) endingIn(good, bad Kind) *grammar.Grammar {
	letters := f.Letters()
	index := map[string]int{}
	for i, l := range letters {
		index[l] = i
	}
	var names []string
	var productions []grammar.Production
	labels := map[string]string{}
	for i, s := range f.States {
		names = append(names, "["+s.Name+"]")
		left := grammar.Symbol(len(letters) + i)
		if s.Kind == good || s.Kind == bad {
			productions = append(productions, grammar.Production{Left: left, Span: s.Span})
		}
		for _, e := range s.Edges {
			letter := f.Letter(i, e)
			productions = append(productions, grammar.Production{
				Left: left, Right: []grammar.Symbol{grammar.Symbol(index[letter]), grammar.Symbol(len(letters) + e.To)}, Label: e.Text, Span: e.Span,
			})
			switch {
			case s.Kind == Choose:
				labels[letter] = f.Text(f.States[e.To].Question, nil)
			case e.Text != "":
				labels[letter] = f.Text(e.Text, nil)
			}
		}
	}
	return grammar.New(letters, names, grammar.Symbol(len(letters)+f.Start), productions, labels, grammar.Limits{})
}
