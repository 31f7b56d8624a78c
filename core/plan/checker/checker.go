// Package checker judges plans that a person or a model has written down: as a word,
// in function form or as a list of steps in prose. A verdict has the reading of the
// text, the first fault with its place, and the nearest valid plan.
//
// A word is read by symbols (text.go). A list of steps is read line by line (reader.go,
// clause.go, steps.go) with a lexicon of names and labels (lexicon.go, stem.go), and
// parsed as a partial order of tools (order.go, steplist.go): branches may be listed in
// any order. Lists that no partial order explains are parsed with the postfix grammar
// of the steps (postfix.go).
package checker

import (
	"fmt"

	"github.com/stile-playground/stile/core/flow"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/plan/space"
	"github.com/stile-playground/stile/core/pushdown"
	"github.com/stile-playground/stile/core/source"
)

// Checker judges plans in any form: whether a plan is valid, the first fault if not, and
// the nearest valid plan. It is immutable and safe for concurrent use.
type Checker struct {
	g           *grammar.Grammar // of the plans' words
	rules       *space.Rules
	table       *space.Table     // of a grammar; or
	walk        *space.Automaton // of an automaton
	chart       *flow.Flow       // of a flowchart, in addition to walk
	stepGrammar *stepGrammar     // of lists of steps
	lexicon     *lexicon
	firsts      []firstSet
	labels      []string // by letter
}

// New returns a checker of the plans of a grammar.
func New(g *grammar.Grammar, limits grammar.Limits, m *meter.Meter, properties ...space.Property) (*Checker, error) {
	table, err := space.NewTable(g, limits, m, properties...)
	if err != nil {
		return nil, err
	}
	c := &Checker{g: g, rules: table.Rules(), table: table, stepGrammar: postfix(table), lexicon: newLexicon()}
	for _, p := range g.Productions {
		if p.Label != "" {
			c.lexicon.add(p.Label, c.stepGrammar.sentences[p.Label], -1, false)
		}
	}
	c.addLetters(func(string) string { return "" })
	return c.ready(), nil
}

// NewPushdown returns a checker of the words of a pushdown automaton.
func NewPushdown(w *pushdown.Words, limits grammar.Limits, m *meter.Meter, properties ...space.Property) (*Checker, error) {
	walk, err := space.NewPushdown(w, limits, m, properties...)
	if err != nil {
		return nil, err
	}
	c := &Checker{g: walk.Grammar(), rules: walk.Rules(), walk: walk, stepGrammar: spelled(walk.Grammar()), lexicon: newLexicon()}
	c.stepGrammar.reversed = w.PDA.Backwards
	for _, t := range w.PDA.Transitions {
		if letter, ok := c.g.Lookup(t.Read); ok && t.Label != "" {
			c.lexicon.add(t.Label, letter, letter, false)
		}
	}
	c.addLetters(walk.Label)
	return c.ready(), nil
}

// NewFlow returns a checker of the ways through a flowchart to a good end.
func NewFlow(f *flow.Flow, limits grammar.Limits, m *meter.Meter, properties ...space.Property) (*Checker, error) {
	walk, err := space.NewGoodFlow(f, limits, m, properties...)
	if err != nil {
		return nil, err
	}
	g := walk.Grammar()
	c := &Checker{g: g, rules: walk.Rules(), walk: walk, chart: f, stepGrammar: answered(g, f), lexicon: newLexicon()}
	for i, s := range f.States {
		for _, e := range s.Edges {
			if letter, ok := g.Lookup(f.Letter(i, e)); ok && s.Kind != flow.Choose {
				said := f.Text(s.Question, nil) + " " + e.Answer
				if e.Text != "" {
					c.lexicon.add(said+". "+f.Text(e.Text, nil), letter, letter, false)
				}
				c.lexicon.add(said, letter, letter, false)
			}
		}
	}
	c.addLetters(func(string) string { return "" })
	return c.ready(), nil
}

// Letters returns the names of the plans' symbols.
func (c *Checker) Letters() []string { return c.g.Names[:c.g.NumTerminals] }

// addLetters adds the labels and the names of letters.
func (c *Checker) addLetters(label func(name string) string) {
	listed := func(t grammar.Symbol) grammar.Symbol {
		if c.stepGrammar.inputs[t] {
			return -1
		}
		return c.stepGrammar.names[t]
	}
	for t := range grammar.Symbol(c.g.NumTerminals) {
		if text := label(c.g.Names[t]); text != "" {
			c.lexicon.add(text, listed(t), t, false)
		}
		if c.g.Label(t) != c.g.Names[t] {
			c.lexicon.add(c.g.Label(t), listed(t), t, false)
		}
	}
	for t := range grammar.Symbol(c.g.NumTerminals) {
		c.lexicon.add(c.g.Names[t], listed(t), t, c.g.Label(t) != c.g.Names[t])
	}
}

func (c *Checker) ready() *Checker {
	c.lexicon.settle()
	c.lexicon.kindLabels(c.g)
	c.firsts = firstSets(c.g)
	c.labels = make([]string, c.g.NumTerminals)
	for t := range c.labels {
		c.labels[t] = c.g.Label(grammar.Symbol(t))
		if c.walk != nil && c.walk.Label(c.g.Names[t]) != "" {
			c.labels[t] = c.walk.Label(c.g.Names[t])
		}
	}
	if c.chart == nil {
		return c
	}
	chart := c.chart
	named := make([]bool, len(c.labels))
	for i, s := range chart.States {
		for _, e := range s.Edges {
			if t, ok := c.g.Lookup(chart.Letter(i, e)); ok && !named[t] {
				named[t] = true
				if c.labels[t] = chart.Text(s.Question, nil) + " " + e.Answer; s.Kind == flow.Choose {
					c.labels[t] = "the question " + e.Answer
				}
			}
		}
	}
	return c
}

// nameOf returns the symbol that a phrase mentions.
func (c *Checker) nameOf(p phrase) string {
	if p.letter < 0 {
		return ""
	}
	return c.g.Names[p.letter]
}

// labelOf returns the label of the symbol that a phrase mentions.
func (c *Checker) labelOf(p phrase) string {
	if p.letter < 0 {
		return p.text
	}
	return c.labels[p.letter]
}

// unknown returns the message for a name that the spec does not define.
func (c *Checker) unknown(name string) string {
	message := fmt.Sprintf("unknown symbol %q", name)
	if near := source.Nearest(name, c.g.Names[:c.g.NumTerminals]); near != "" {
		message += fmt.Sprintf("; did you mean %q?", near)
	}
	return message
}
