package export

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

// Limits of an automaton that is converted to a grammar.
const (
	maxValuations  = 256
	maxTransitions = 20_000
)

// ImportHOA reads an automaton in the Hanoi omega-automata format, as [ReadHOA] does,
// and returns a grammar of its finite words in .cfg, with a rule for each state. A
// terminal is a valuation: a conjunction of all propositions or their negations, as in
// "a & !b". The result is "" if there are errors.
func ImportHOA(file *source.File, m *meter.Meter) (string, []source.Diagnostic) {
	s, names, found := ReadHOA(file, m)
	if s == nil {
		return "", found
	}
	text, err := rightLinear(s, names)
	if err != nil {
		return "", append(found, source.Diagnostic{Code: "limit.letters", Message: err.Error(), Span: file.Full()})
	}
	return text, found
}

func rightLinear(s *automaton.Symbolic, names []string) (string, error) {
	if len(names) > 16 || 1<<len(names) > maxValuations || s.NumStates()<<len(names) > maxTransitions {
		return "", fmt.Errorf("the automaton has too many valuations (%d states, %d propositions) for a grammar", s.NumStates(), len(names))
	}
	distance := s.Distances()
	var b strings.Builder
	rule := func(q int) string { return fmt.Sprintf("state-%d", q) }
	b.WriteString("%start " + rule(s.Start()) + "\n")
	for q := range s.NumStates() {
		var alternatives []string
		for valuation := range 1 << len(names) {
			if to := step(s, q, valuation); distance[to] >= 0 {
				alternatives = append(alternatives, grammar.Quote(valuationName(names, valuation))+" "+rule(to))
			}
		}
		if s.Accepting(q) {
			alternatives = append(alternatives, "ε")
		}
		if len(alternatives) == 0 && q == s.Start() { // the empty language: a rule that derives no word
			alternatives = []string{rule(q)}
		}
		if len(alternatives) > 0 && (distance[q] >= 0 || q == s.Start()) {
			b.WriteString(rule(q) + " -> " + strings.Join(alternatives, " | ") + "\n")
		}
	}
	return b.String(), nil
}

func step(s *automaton.Symbolic, q, valuation int) int {
	return s.Next(q, func(v int) bool { return valuation>>v&1 == 1 })
}

// valuationName returns a valuation as a conjunction.
func valuationName(names []string, valuation int) string {
	var literals []string
	for v, name := range names {
		if strings.ContainsAny(name, " \t&!\"") || name == "" {
			name = quoteC(name)
		}
		if valuation>>v&1 == 0 {
			name = "!" + name
		}
		literals = append(literals, name)
	}
	if len(literals) == 0 {
		return "true"
	}
	return strings.Join(literals, " & ")
}
