package verify

import (
	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/meter"
)

// Agent reports whether a formula over an agent's states holds for every complete run. If
// not, the counterexample is a shortest complete run that violates it. The cost is the
// product of the two automata; the error is a limit of the meter.
func Agent(a *agent.Agent, f *ltl.Formula, m *meter.Meter) (holds bool, counterexample []string, err error) {
	return verifyAgent(a, f, m, ltl.Translate)
}

// AgentPlain is [Agent] with [ltl.TranslatePlain], for the core module.
func AgentPlain(a *agent.Agent, f *ltl.Formula, m *meter.Meter) (holds bool, counterexample []string, err error) {
	return verifyAgent(a, f, m, ltl.TranslatePlain)
}

func verifyAgent(a *agent.Agent, f *ltl.Formula, m *meter.Meter, translate ltl.Translator) (holds bool, counterexample []string, err error) {
	alphabet, err := ltl.NewAlphabet(stateNames(a), ltl.OneHot)
	if err != nil {
		return false, nil, err
	}
	property, err := translate(f, alphabet, m)
	if err != nil {
		return false, nil, err
	}
	table, err := property.Explicit()
	if err != nil {
		return false, nil, err
	}
	word, found, err := automaton.Missing(a.DFA, table, m)
	if err != nil || !found {
		return !found, nil, err
	}
	return false, named(word, alphabet.Props), nil
}

// AgentMissing returns a shortest complete run of an agent that an automaton over its states does
// not accept.
func AgentMissing(a *agent.Agent, d *automaton.DFA, m *meter.Meter) (run []string, found bool, err error) {
	word, found, err := automaton.Missing(a.DFA, d, m)
	if err != nil || !found {
		return nil, false, err
	}
	return named(word, stateNames(a)), true, nil
}

// Difference is a run that one of two agents completes and the other does not.
type Difference struct {
	Run   []string // a shortest one
	First bool     // it is the first agent's
}

// Agents compares two agents by the names of their states. It returns nil if they have the
// same complete runs; reachability and prompts are ignored. The cost is the product of the
// two automata; the error is a limit of the meter.
func Agents(a, b *agent.Agent, m *meter.Meter) (*Difference, error) {
	names := stateNames(a)
	index := map[string]int{}
	for i, name := range names {
		index[name] = i
	}
	for _, name := range stateNames(b) {
		if _, ok := index[name]; !ok {
			index[name] = len(names)
			names = append(names, name)
		}
	}
	first, second := over(a, names), over(b, names)
	word, found, err := automaton.Distinguish(first, second, m)
	if err != nil || !found {
		return nil, err
	}
	return &Difference{Run: named(word, names), First: first.Accepts(word)}, nil
}

// over returns an agent's automaton over a larger alphabet; additional letters lead to a
// dead state.
func over(a *agent.Agent, names []string) *automaton.DFA {
	dead := a.DFA.NumStates()
	rows, accept := make([][]int, dead+1), make([]bool, dead+1)
	for q := range rows {
		rows[q] = make([]int, len(names))
		for i, name := range names {
			letter := a.Index(name)
			rows[q][i] = dead
			if q < dead && letter >= 0 {
				rows[q][i] = a.DFA.Next(q, letter)
			}
		}
		accept[q] = q < dead && a.DFA.Accepting(q)
	}
	return automaton.NewDFA(rows, accept)
}

func stateNames(a *agent.Agent) []string {
	names := make([]string, len(a.States))
	for i, s := range a.States {
		names[i] = s.Name
	}
	return names
}

func named(word []int, names []string) []string {
	out := make([]string, len(word))
	for i, letter := range word {
		out[i] = names[letter]
	}
	return out
}
