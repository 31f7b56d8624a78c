package space

import (
	"github.com/stile-playground/stile/core/earley"
	"github.com/stile-playground/stile/core/flow"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/pushdown"
)

// Automaton is a pushdown automaton or a flowchart prepared for planning: a plan is one of
// its words, chosen letter by letter. It is immutable and safe for concurrent use.
type Automaton struct {
	g     *grammar.Grammar
	rules *Rules
	words *pushdown.Words // or nil
	chart *flow.Flow      // or nil

	plainParser *earley.Parser // of the words
	boundParser *earley.Parser // of the words that satisfy the properties
	labels      map[string]string
}

// NewPushdown prepares planning with a pushdown automaton, within the limits.
func NewPushdown(w *pushdown.Words, limits grammar.Limits, m *meter.Meter, properties ...Property) (*Automaton, error) {
	return newWalkable(&Automaton{g: w.Grammar, words: w, labels: w.PDA.LetterLabels()}, limits, m, properties)
}

// NewFlow prepares a walk through a flowchart. Answers are findings, not preferences: an
// answer that leads to a rejecting end is offered like any other, and properties apply to the
// ways to a good end only.
func NewFlow(f *flow.Flow, limits grammar.Limits, m *meter.Meter, properties ...Property) (*Automaton, error) {
	var stopped *ltl.Formula
	for _, letter := range f.Stops() {
		if stopped == nil {
			stopped = ltl.NewProp(letter)
		} else {
			stopped = ltl.New(ltl.Or, stopped, ltl.NewProp(letter))
		}
	}
	if stopped != nil {
		unless := make([]Property, len(properties))
		for i, p := range properties {
			unless[i] = Property{Name: p.Name, Formula: ltl.New(ltl.Or, p.Formula, ltl.New(ltl.Finally, stopped))}
		}
		properties = unless
	}
	return newWalkable(&Automaton{g: f.Outcomes(), chart: f}, limits, m, properties)
}

// NewGoodFlow prepares walks through a flowchart to good ends only; properties apply to
// every way.
func NewGoodFlow(f *flow.Flow, limits grammar.Limits, m *meter.Meter, properties ...Property) (*Automaton, error) {
	return newWalkable(&Automaton{g: f.Grammar(), chart: f}, limits, m, properties)
}

// Rules returns the limits and properties.
func (w *Automaton) Rules() *Rules { return w.rules }

// Label returns the label of a letter, or "".
func (w *Automaton) Label(letter string) string { return w.labels[letter] }

func newWalkable(w *Automaton, limits grammar.Limits, m *meter.Meter, properties []Property) (*Automaton, error) {
	var err error
	if w.rules, err = NewRules(w.g, limits, properties, m); err != nil {
		return nil, err
	}
	w.plainParser = earley.New(w.g)
	w.boundParser = w.plainParser
	if w.rules.product != nil {
		w.boundParser = earley.New(w.rules.product.Grammar)
	}
	return w, nil
}

// Steps returns the steps of a word of the automaton in the order they are carried out.
func (w *Automaton) Steps(word []string, m *meter.Meter) ([]Step, error) {
	var texts []string
	backwards := false
	if w.chart != nil {
		texts = w.answers(word)
	} else {
		texts = make([]string, len(word))
		runs, _, err := w.words.Runs(word, 1, m)
		if err != nil {
			return nil, err
		}
		backwards = w.words.PDA.Backwards
		i := 0
		for _, run := range runs {
			for _, n := range run {
				if n < 0 || i == len(word) {
					continue
				}
				t := w.words.PDA.Transitions[n]
				if t.Read == "" && !t.ReadAny {
					continue
				}
				texts[i] = t.Label
				if texts[i] == "" {
					texts[i] = w.labels[word[i]]
				}
				if texts[i] == "" {
					texts[i] = word[i]
				}
				i++
			}
		}
	}
	steps := []Step{}
	for i := range word {
		j := i
		if backwards {
			j = len(word) - 1 - i
		}
		if texts[j] != "" {
			steps = append(steps, Step{N: len(steps) + 1, Symbol: word[j], Text: texts[j]})
		}
	}
	return steps, nil
}

// answers returns the answer to each question of a flowchart with its consequence. The
// choice of the next question has no text.
func (w *Automaton) answers(word []string) []string {
	texts := make([]string, len(word))
	at := w.chart.Start
	for i, letter := range word {
		for _, e := range w.chart.States[at].Edges {
			if w.chart.Letter(at, e) != letter {
				continue
			}
			if w.chart.States[at].Kind != flow.Choose {
				texts[i] = w.chart.Text(w.chart.States[at].Question, nil) + " " + e.Answer + "."
				if e.Text != "" {
					texts[i] += " " + w.chart.Text(e.Text, nil)
				}
			}
			at = e.To
			break
		}
	}
	return texts
}
