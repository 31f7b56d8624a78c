package language

import (
	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/counting"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/verify"
)

func (s grammarSpec) Words(*meter.Meter) (notation.WordSet, error) {
	return wordsOfGrammar(s.g, s.g.DeclaredLimits())
}

func (s pushdownSpec) Words(m *meter.Meter) (notation.WordSet, error) {
	g, err := s.p.Grammar(m)
	if err != nil {
		return notation.WordSet{}, err
	}
	return wordsOfGrammar(g, s.p.Limits)
}

func (s flowSpec) Words(*meter.Meter) (notation.WordSet, error) {
	return wordsOfDFA(s.f.DFA(), s.f.Letters()), nil
}

func (s agentSpec) Words(*meter.Meter) (notation.WordSet, error) {
	return wordsOfDFA(s.a.DFA, s.Letters()), nil
}

// FormulaWords returns the traces that satisfy a formula as words: one symbol a step. The symbols
// are the letters of the first spec of the workspace that defines the symbols of the formula.
// Without such a spec they are the symbols of the file, and [notation.NoSymbol] for a step at which none of
// them holds.
func FormulaWords(s *notation.Scope, list []ltl.Named, f *ltl.Formula, m *meter.Meter) (notation.WordSet, error) {
	var letters []string
	for _, l := range formulaLetters(s, list, f).list {
		letters = append(letters, l.Name)
	}
	alphabet, err := ltl.NewAlphabet(letters, ltl.OneHot)
	if err != nil {
		return notation.WordSet{}, err
	}
	d, err := ltl.Translate(f, alphabet, m)
	if err != nil {
		return notation.WordSet{}, err
	}
	table, err := d.Explicit()
	if err != nil {
		return notation.WordSet{}, err
	}
	return wordsOfDFA(table, letters), nil
}

// wordsOfGrammar returns the words of a grammar within limits.
func wordsOfGrammar(g *grammar.Grammar, limits grammar.Limits) (notation.WordSet, error) {
	caps, err := g.Caps(limits)
	if err != nil {
		return notation.WordSet{}, err
	}
	apply, unlimited := &limits, (*grammar.Grammar)(nil)
	if limits.Empty() {
		apply, unlimited = nil, g
	}
	return notation.WordSet{
		Language: counting.LanguageOf(g, caps), Grammar: unlimited,
		Shortest: func(m *meter.Meter) ([]string, error) {
			nearest, err := verify.Nearest(g, caps, nil, nil, m)
			if nearest == nil || err != nil {
				return nil, err
			}
			return WordNames(g, nearest.Word), nil
		},
		Read: func(word []string, m *meter.Meter) (out notation.Reading, err error) {
			w, err := WalkGrammar(g, word, apply, m)
			if err == nil && w.Violation >= 0 {
				word = word[:w.Violation]
				w, err = WalkGrammar(g, word, apply, m)
			}
			return notation.Reading{Fit: len(word), Complete: w.Complete, Next: WordNames(g, w.Next)}, err
		},
	}, nil
}

func wordsOfDFA(d *automaton.DFA, letters []string) notation.WordSet {
	distance, index := d.Distances(), map[string]int{}
	for i, name := range letters {
		index[name] = i
	}
	return notation.WordSet{
		Language: counting.LanguageOfDFA(d, letters),
		Shortest: func(*meter.Meter) ([]string, error) {
			word, ok := d.Shortest()
			if !ok {
				return nil, nil
			}
			names := make([]string, len(word))
			for i, letter := range word {
				names[i] = letters[letter]
			}
			return names, nil
		},
		Read: func(word []string, _ *meter.Meter) (out notation.Reading, err error) {
			state := d.Start()
			for _, name := range word {
				letter, ok := index[name]
				if !ok || distance[d.Next(state, letter)] < 0 {
					break
				}
				state = d.Next(state, letter)
				out.Fit++
			}
			out.Complete = d.Accepting(state)
			for letter, name := range letters {
				if distance[d.Next(state, letter)] >= 0 {
					out.Next = append(out.Next, name)
				}
			}
			return out, nil
		},
	}
}
