// Package infer proposes specs from recorded runs: an automaton, as the text of an agent, and short
// formulas, each with the runs for and against it. A person decides; the shortest words on which two
// proposals differ are the questions.
//
// A run is a word of steps: User for a message of a person, Message for a text of the model, Answer
// for its last text, and the name of the tool for a call. Results and reasoning are not steps.
//
// The automaton is the result of merging states of the prefix tree of the runs, in the red-blue order
// (RPNI: Oncina and García 1992; EDSM: Lang, Pearlmutter and Price 1998). States are merged unless a
// failing run contradicts it, or their continuations have other frequencies (ALERGIA: Carrasco and
// Oncina 1994).
package infer

import (
	"slices"
	"strings"
	"unicode"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/monitor"
)

// Run is a recorded run as a word. Failed marks a run that a spec should reject.
type Run struct {
	Name   string   `json:"name"`
	Steps  []string `json:"steps"`
	Failed bool     `json:"failed,omitempty"`
}

// Names of the steps that are not calls.
const (
	User    = "User"
	Message = "Message"
	Answer  = "Answer"
)

// FromConversation returns the steps of a conversation. Each concurrent call is a step of its
// own, in the order of the calls.
func FromConversation(parts []monitor.Part) []string {
	steps := []string{}
	final := monitor.FinalPart(parts)
	for i, p := range parts {
		switch {
		case p.Kind == monitor.PartUser:
			steps = append(steps, User)
		case p.Kind == monitor.PartCall:
			steps = append(steps, StateName(p.Tool))
		case p.Kind == monitor.PartText && !p.Thought && i == final:
			steps = append(steps, Answer)
		case p.Kind == monitor.PartText && !p.Thought:
			steps = append(steps, Message)
		}
	}
	return steps
}

// StateName returns the name of the state for the calls of a tool: the name of the tool, without
// characters that the notation of agents does not allow in a name.
func StateName(tool string) string {
	name := strings.Map(func(c rune) rune {
		if unicode.IsLetter(c) || unicode.IsDigit(c) || strings.ContainsRune("_.:/-", c) {
			return c
		}
		return '-'
	}, tool)
	reserved := slices.Contains(agent.Keywords(), name) || strings.HasPrefix(name, "until") || strings.HasPrefix(name, "always")
	for _, word := range []string{User, Message, Answer} {
		reserved = reserved || agent.PlainName(name) == agent.PlainName(word)
	}
	if reserved || agent.PlainName(name) == "" {
		return "tool-" + name
	}
	return name
}

// word is a distinct word of a sample.
type word struct {
	letters    []int
	pass, fail int   // numbers of runs
	runs       []int // their indices
	refused    bool  // by a person
}

// sample are the distinct words of runs, in the order of their first runs.
type sample struct {
	symbols   []string
	index     map[string]int // of a symbol, in the form of [agent.PlainName]
	spelled   map[string]int // of a symbol, as runs spell it
	words     []word
	known     map[string]int // of a word, by its letters
	conflicts int            // failing runs with the same steps as passing runs
}

func newSample(runs []Run) *sample {
	s := &sample{index: map[string]int{}, spelled: map[string]int{}, known: map[string]int{}}
	for i, r := range runs {
		if len(r.Steps) == 0 {
			continue
		}
		w := s.word(r.Steps)
		w.runs = append(w.runs, i)
		if r.Failed {
			w.fail++
		} else {
			w.pass++
		}
	}
	return s
}

// word returns the entry of a word, which is added if it is new.
func (s *sample) word(steps []string) *word {
	letters, key := make([]int, len(steps)), make([]byte, 0, 2*len(steps))
	for i, step := range steps {
		letter, ok := s.letter(step)
		if !ok {
			letter = len(s.symbols)
			s.index[agent.PlainName(step)], s.spelled[step] = letter, letter
			s.symbols = append(s.symbols, step)
		}
		letters[i] = letter
		key = append(key, byte(letter), byte(letter>>8))
	}
	at, ok := s.known[string(key)]
	if !ok {
		at = len(s.words)
		s.known[string(key)] = at
		s.words = append(s.words, word{letters: letters})
	}
	return &s.words[at]
}

// letter returns the number of a symbol in any spelling.
func (s *sample) letter(step string) (letter int, ok bool) {
	if letter, ok = s.spelled[step]; ok {
		return letter, true
	}
	if letter, ok = s.index[agent.PlainName(step)]; ok {
		s.spelled[step] = letter
	}
	return letter, ok
}

// letters returns the letters of steps, or nil if a symbol is unknown.
func (s *sample) letters(steps []string) []int {
	out := make([]int, len(steps))
	for i, step := range steps {
		letter, ok := s.letter(step)
		if !ok {
			return nil
		}
		out[i] = letter
	}
	return out
}

// decide sets the verdict of a person on words, which precedes that of the runs.
func (s *sample) decide(words [][]string, pass bool) {
	for _, steps := range words {
		if len(steps) == 0 {
			continue
		}
		w := s.word(steps)
		if pass {
			w.pass, w.fail = max(w.pass, 1), 0
		} else {
			w.pass, w.fail, w.refused = 0, max(w.fail, 1), true
		}
	}
}

// settle ignores failing runs that have the same steps as passing runs: the order of the steps is not why
// these runs failed, so they are no counterexamples.
func (s *sample) settle() {
	for i := range s.words {
		if w := &s.words[i]; w.pass > 0 && w.fail > 0 {
			s.conflicts += w.fail
			w.fail = 0
		}
	}
}

// names returns the steps of a word.
func (s *sample) names(letters []int) []string {
	out := make([]string, len(letters))
	for i, letter := range letters {
		out[i] = s.symbols[letter]
	}
	return out
}
