package language

import (
	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/workspace"
)

// seen is the automaton of the words that contain a letter.
func seen(letters, letter int) *automaton.DFA {
	rows := [][]int{make([]int, letters), make([]int, letters)}
	for l := range letters {
		rows[1][l] = 1
	}
	rows[0][letter] = 1
	return automaton.NewDFA(rows, []bool{false, true})
}

func names(g *grammar.Grammar, word []grammar.Symbol) []string {
	out := make([]string, len(word))
	for i, s := range word {
		out[i] = g.Names[s]
	}
	return out
}

// hoverBudget bounds the search for an example.
var hoverBudget = meter.Budget{Steps: 2_000_000, States: 200_000}

func workspaceOf(s *notation.Scope) workspace.Workspace { return workspace.Workspace{Files: s.Files} }
