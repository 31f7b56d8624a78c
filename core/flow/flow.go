package flow

import (
	"slices"
	"sort"
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// Kind is the kind of a [State].
type Kind uint8

// The kinds of states.
const (
	Ask    Kind = iota // asks its question
	Choose             // chooses the next question of a block
	Accept             // a good end
	Stop               // a bad end
)

// State is a state of a flowchart.
type State struct {
	Name     string
	Kind     Kind
	Question string // or the text of an end; {name} is a variable
	Edges    []Edge
	Span     source.Span
}

// Edge is the transition of an answer.
type Edge struct {
	Answer string
	To     int
	Text   string // its "as" text, or ""
	Span   source.Span
	Group  int // of answers that may be combined, in their order; 0: none
}

// Flow is a compiled flowchart. It never changes and may be shared.
type Flow struct {
	States    []State
	Start     int
	Variables []string          // the variables that texts name, in the order of their first use
	Values    map[string]string // the values that "let" lines give
}

// Text returns a text in which the names of variables are replaced with their values: those in
// values, or else those of "let" lines. A variable without a value is unchanged.
func (f *Flow) Text(text string, values map[string]string) string {
	var b strings.Builder
	done := 0
	variables(text, func(name string, at int) {
		value, ok := values[name]
		if !ok {
			value, ok = f.Values[name]
		}
		if ok {
			b.WriteString(text[done:at-1] + value)
			done = at + len(name) + 1
		}
	})
	return b.String() + text[done:]
}

// Letter returns the name of an edge's letter: the question, a dot, and the
// answer, so that properties can refer to it. For a choice it is the name of the chosen question.
func (f *Flow) Letter(state int, e Edge) string {
	s := f.States[state]
	if s.Kind == Choose {
		return e.Answer
	}
	name, _, _ := strings.Cut(s.Name, "{")
	return name + "." + e.Answer
}

// Letters returns the names of all letters, sorted.
func (f *Flow) Letters() []string {
	seen := map[string]bool{}
	out := []string{}
	for i, s := range f.States {
		for _, e := range s.Edges {
			if l := f.Letter(i, e); !seen[l] {
				seen[l] = true
				out = append(out, l)
			}
		}
	}
	sort.Slice(out, func(a, b int) bool { return out[a] < out[b] })
	return out
}

// Stops returns the letters that lead to a bad end, sorted.
func (f *Flow) Stops() []string {
	out := []string{}
	for i, s := range f.States {
		for _, e := range s.Edges {
			if l := f.Letter(i, e); f.States[e.To].Kind == Stop && !slices.Contains(out, l) {
				out = append(out, l)
			}
		}
	}
	sort.Slice(out, func(a, b int) bool { return out[a] < out[b] })
	return out
}
