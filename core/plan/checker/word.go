package checker

import (
	"slices"

	"github.com/stile-playground/stile/core/earley"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/verify"
)

// given is a plan in terms of a step grammar.
type given struct {
	stepGrammar *stepGrammar
	listed      []grammar.Symbol // in the order of the step grammar; -1 for unknown symbols
	at          []int            // by element of listed: its index in Found
	word        []grammar.Symbol // the complete word, if the text has it; else nil
	from        []int            // by letter of word: its index in Found
}

// given converts Found to terms of a step grammar.
func (c *Checker) given(v *Verdict) *given {
	p := &given{stepGrammar: spelled(c.g)}
	if v.Form != FormSteps {
		p.word = []grammar.Symbol{}
		for i, f := range v.Found {
			p.listed, p.at = append(p.listed, f.letter), append(p.at, i)
		}
		p.word, p.from = p.listed, p.at
		return p
	}
	p.stepGrammar = c.stepGrammar
	for i, f := range v.Found {
		p.listed, p.at = append(p.listed, f.listed), append(p.at, i)
	}
	if c.stepGrammar.reversed {
		slices.Reverse(p.listed)
		slices.Reverse(p.at)
	}
	if c.table != nil {
		p.word, p.from = c.structure(v.Found)
	}
	if len(v.Found) == 1 || c.stepGrammar.inFull {
		// A list of bare names may spell the word: a tool would name its arguments.
		alone := &given{stepGrammar: spelled(c.g)}
		for i, f := range v.Found {
			if !f.bare || f.letter < 0 {
				return p
			}
			alone.listed, alone.at = append(alone.listed, f.letter), append(alone.at, i)
		}
		alone.word, alone.from = alone.listed, alone.at
		if word, err := c.wordOf(alone, nil); word != nil && err == nil {
			return alone
		}
	}
	return p
}

// structure returns the word of steps that name all their arguments; nil if a step does not.
func (c *Checker) structure(found []Found) (word []grammar.Symbol, from []int) {
	used := make([]bool, len(found))
	for i, f := range found {
		if f.letter < 0 || len(f.args) == 0 && !f.chosen {
			return nil, nil
		}
		if i+1 < len(found) && f.chosen && found[i+1].chosen && found[i+1].Step == f.Step {
			used[i] = true // the last item chosen with it takes it
		}
		for _, a := range f.args {
			if a.step >= i {
				return nil, nil
			}
			if a.step >= 0 {
				used[a.step] = true
			}
		}
	}
	last := len(found) - 1
	for i := range last {
		if !used[i] {
			return nil, nil
		}
	}
	const longest = 10_000 // a result that several steps take can double the word each time
	var write func(i int) bool
	write = func(i int) bool {
		first := i
		for first > 0 && found[i].chosen && found[first-1].chosen && found[first-1].Step == found[i].Step {
			first--
		}
		for k := first; k <= i; k++ {
			word, from = append(word, found[k].letter), append(from, k)
		}
		for _, a := range found[i].args {
			if len(word) > longest {
				return false
			}
			if a.step < 0 {
				word, from = append(word, a.input), append(from, i)
			} else if !write(a.step) {
				return false
			}
		}
		return true
	}
	if last < 0 || !write(last) {
		return nil, nil
	}
	return word, from
}

// wordOf returns the word of a plan, if it is valid.
func (c *Checker) wordOf(p *given, m *meter.Meter) ([]grammar.Symbol, error) {
	if p.word != nil {
		if slices.Contains(p.word, -1) || !c.rules.Satisfied(p.word) {
			return nil, nil
		}
		ok, err := earley.New(c.g).Recognize(p.word, m)
		if !ok || err != nil {
			return nil, err
		}
		return p.word, nil
	}
	if slices.Contains(p.listed, -1) {
		return nil, nil
	}
	return c.exactly(p, c.rules.Caps, true, m)
}

// exactly returns a word that the list states and that is within the limits caps (nil for no
// limits). If properties is true, the word also satisfies the properties. It returns nil if there
// is no such word.
func (c *Checker) exactly(p *given, caps []int64, properties bool, m *meter.Meter) ([]grammar.Symbol, error) {
	t := p.stepGrammar
	d := c.rules.Automaton
	if !properties {
		d = nil
	}
	if caps == nil {
		caps = make([]int64, c.g.NumTerminals)
		for i := range caps {
			caps[i] = grammar.Unlimited
		}
	}
	listed, err := verify.WithoutSilent(t.g, t.caps(caps), t.automaton(d), t.silent, p.listed, m)
	if err != nil || listed == nil {
		return nil, err
	}
	return t.word(listed), nil
}
