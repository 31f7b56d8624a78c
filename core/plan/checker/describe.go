package checker

import (
	"math/rand/v2"
	"slices"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/plan/space"
	"github.com/stile-playground/stile/core/verify"
)

// Grammar returns the grammar of the plans' words.
func (c *Checker) Grammar() *grammar.Grammar { return c.g }

// Symbols returns the names of the plans' symbols, each with its label.
func (c *Checker) Symbols() []string {
	out := make([]string, len(c.labels))
	for t, label := range c.labels {
		if out[t] = c.g.Names[t]; label != out[t] {
			out[t] += ": " + label
		}
	}
	return out
}

// StepLabels returns the labels of the steps that a plan can have.
func (c *Checker) StepLabels() []string {
	var out []string
	add := func(text string) {
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	headed := make([]bool, c.g.NumTerminals) // by letter: it begins a production without a label
	for _, p := range c.g.Productions {
		if c.table == nil {
			break
		}
		if p.Label != "" {
			add(p.Label)
			continue
		}
		for _, s := range p.Right {
			if c.g.IsTerminal(s) {
				headed[s] = true
			}
		}
	}
	for t, label := range c.labels {
		_, listed := c.stepGrammar.names[grammar.Symbol(t)]
		if listed && !c.stepGrammar.inputs[t] && (headed[t] || c.table == nil) {
			add(label)
		}
	}
	return out
}

// InputLabels returns the labels of the inputs of a grammar's plans. Inputs are not steps.
func (c *Checker) InputLabels() []string {
	var out []string
	for t, input := range c.stepGrammar.inputs {
		if input && c.table != nil {
			out = append(out, c.labels[t])
		}
	}
	return out
}

// UseLimit is the limit on the uses of a step.
type UseLimit struct {
	Label string
	Times int64 // or [grammar.Unlimited]
}

// UseLimits returns the limits of all steps that name a letter.
func (c *Checker) UseLimits() []UseLimit {
	var out []UseLimit
	for t, most := range c.rules.Caps {
		if _, listed := c.stepGrammar.names[grammar.Symbol(t)]; listed && !c.stepGrammar.inputs[t] {
			out = append(out, UseLimit{c.labels[t], most})
		}
	}
	return out
}

// Properties returns the properties that plans must satisfy.
func (c *Checker) Properties() []space.Property { return c.rules.Properties }

// Random draws steps at random and returns the valid plan nearest to them. The word is nil if there
// is no valid plan.
func (c *Checker) Random(random *rand.Rand, length int, m *meter.Meter) (steps []space.Step, word []grammar.Symbol, err error) {
	var visible, listed []grammar.Symbol
	for s, silent := range c.stepGrammar.silent {
		if !silent {
			visible = append(visible, grammar.Symbol(s))
		}
	}
	for range length {
		if len(visible) > 0 {
			listed = append(listed, visible[random.IntN(len(visible))])
		}
	}
	t := c.stepGrammar
	near, err := verify.NearestWithSilent(t.g, t.caps(c.rules.Caps), t.automaton(c.rules.Automaton), t.silent, listed, m)
	if err != nil || near == nil {
		return nil, nil, err
	}
	word = t.word(near.Word)
	_, steps, err = c.render(word, m)
	return steps, word, err
}
