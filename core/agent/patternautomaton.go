package agent

import (
	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

// Characters is an automaton over classes of characters: letter i represents the characters from
// From[i] up to the one before From[i+1].
type Characters struct {
	DFA  *automaton.DFA
	From []rune
}

// PatternAutomaton returns the automaton of the texts that match a pattern as a whole.
// The error has code "agent.matches" for a pattern that cannot be read, and the meter's
// for one that is too large.
func PatternAutomaton(text string, m *meter.Meter) (Characters, error) {
	e, fault := parsePattern(text)
	if fault != nil {
		return Characters{}, source.NewError("agent.matches", fault.message)
	}
	d, p, err := e.automaton(m)
	if err == nil {
		d, err = d.Minimize(m)
	}
	if err != nil {
		return Characters{}, err
	}
	return Characters{d, p.from}, nil
}

// Characters returns the automaton of a content that a pattern defines. It reports false for a
// content that lists its texts.
func (c *Content) Characters() (Characters, bool) {
	if c.pattern == nil {
		return Characters{}, false
	}
	return Characters{c.pattern.dfa, c.pattern.from}, true
}
