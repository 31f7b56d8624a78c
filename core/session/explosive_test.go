package session

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/effort"
)

// Small inputs with unbounded answers: each ends with a limit.
func TestExplosiveInputsEndWithALimit(t *testing.T) {
	untils := "p0"
	equal := "p0"
	var responses, props []string
	for i := 1; i < 30; i++ {
		untils = fmt.Sprintf("(%s) U p%d", untils, i)
		responses = append(responses, fmt.Sprintf("G (p%d -> F p%d)", i-1, i+29))
	}
	for i := 1; i < 13; i++ {
		equal = fmt.Sprintf("(X %s) <-> (p%d U %s)", equal, i, equal)
	}
	for i := range 60 {
		props = append(props, fmt.Sprintf("p%d", i))
	}
	formula := func(text string) any { return FormulaParams{Formula: text, Propositions: props, Letters: "powerset"} }
	// The first case and every third one take little time; samples consist of them.
	cases := []struct {
		name, method string
		params       any
	}{
		{"a long word of an ambiguous grammar", "grammar.accepts", GrammarAcceptsParams{Source: "S -> S S | a", Word: strings.Fields(strings.Repeat("a ", 3000))}},
		{"the 31st step before the last", "formula.automaton", formula("F(p0 & " + strings.Repeat("X ", 30) + "p1)")},
		{"untils to the left", "formula.automaton", formula(untils)},
		{"many responses", "formula.automaton", formula(strings.Join(responses, " & "))},
		{"nested equivalences", "formula.automaton", formula("G (" + equal + ")")},
		{"words of a very ambiguous grammar", "grammar.count", GrammarCountParams{Source: "S -> S S | a S b | b S a | a | b", MaxLength: 60}},
		{"plans without an end", "grammar.plans", map[string]any{"source": "S -> a S S | b", "limits": map[string]any{}}},
		{"a word of an ambiguous grammar", "grammar.sample", GrammarSampleParams{Source: "S -> S S | a S b | ε", Length: 200, Number: 1}},
		{"a table of equal loops", "grammar.parsing", GrammarParsingParams{Source: loops(14)}},
		{"nested bounds", "agent.check", map[string]any{"source": `(define a (:states (A (:text "[A]"))) (:behavior (until_9999 (until_9999 A A) A)))`}},
	}
	for i := 0; i < len(cases); i += effort.SampleStep(3, len(cases)) {
		c := cases[i]
		_, fault := call(t, New(), c.method, c.params)
		if c.method == "agent.check" {
			got := result[AgentCheckResult](t, New(), c.method, c.params)
			if len(got.Diagnostics) != 1 || !strings.HasPrefix(got.Diagnostics[0].Code, "limit.") {
				t.Errorf("%s: %+v", c.name, got.Diagnostics)
			}
			continue
		}
		if fault == nil || !strings.HasPrefix(fault.Code, "limit.") {
			t.Errorf("%s: %+v", c.name, fault)
		}
	}
}

// loops returns a grammar whose LR(1) table has a state for each set of n symbols.
func loops(n int) string {
	var b strings.Builder
	b.WriteString("S -> X\n")
	for i := range n {
		fmt.Fprintf(&b, "X -> l%d X r%d | L%d\n", i, i, i)
		fmt.Fprintf(&b, "L%d ->", i)
		for j := range n {
			if j != i {
				fmt.Fprintf(&b, " t%d L%d |", j, i)
			}
		}
		b.WriteString(" e\n")
	}
	return b.String()
}
