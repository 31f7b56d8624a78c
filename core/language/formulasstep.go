package language

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/view"
)

// walkFormula steps through a trace of a formula, by default the first of the file. A step is
// a letter of the first spec that defines the symbols of the formula. Without such a spec it is
// one of the symbols of the file, several joined with "&", or none.
func walkFormula(s *notation.Scope, word []string, r formulaReader) (out notation.Walk, err error) {
	list, found := r.parse(s.File)
	if source.HasErrors(found) || len(list) == 0 {
		return out, notation.Invalid(s.File, found)
	}
	index, _ := strconv.Atoi(s.View)
	f := list[min(max(index, 0), len(list)-1)].Formula
	alphabet, err := ltl.NewAlphabet(f.Props(), ltl.Powerset)
	if err != nil {
		return out, err
	}
	d, err := r.translate(f, alphabet, meter.New(AnalysisBudget))
	if err != nil {
		return out, err
	}
	return walkTrace(d, formulaLetters(s, list, f), word), nil
}

// walkTrace steps through an automaton.
func walkTrace(d *ltl.Automaton, letters traceLetters, word []string) (out notation.Walk) {
	verdicts := d.Verdicts()
	out.Viable = true
	next := func(state int, props []string) int {
		return d.Next(state, func(v int) bool { return slices.Contains(props, d.Name(v)) })
	}
	state := d.Start()
	out.Highlight(view.FormulaNode(state))
	for i, letter := range word {
		step, known := letters.step(letter)
		to := next(state, step)
		if !known || verdicts[to] == ltl.Violated {
			out.Viable, out.Violation, out.Active = false, &i, nil
			return out
		}
		out.Active = []string{view.FormulaNode(to), view.FormulaEdge(state, to)}
		state = to
	}
	out.Viable = verdicts[state] != ltl.Violated
	out.Complete = d.Accepting(state)
	for _, l := range letters.list {
		if step, _ := letters.step(l.Name); verdicts[next(state, step)] != ltl.Violated {
			out.Next = append(out.Next, l)
		}
	}
	return out
}

// traceLetters describes the steps that a formula can read.
type traceLetters struct {
	list   []notation.Letter
	props  []string // the symbols of the formula
	closed bool     // only the letters of a spec are steps
}

func formulaLetters(s *notation.Scope, list []ltl.Named, f *ltl.Formula) traceLetters {
	var names []string
	for _, n := range list {
		names = append(names, n.Formula.Props()...)
	}
	return lettersOf(s, f.Props(), names, func(subject notation.Subject) bool { return subject.Has(f) })
}

// lettersOf returns the letters of the first spec with all symbols of a formula or a rule or, if there is none,
// the names of the file.
func lettersOf(s *notation.Scope, props, names []string, has func(notation.Subject) bool) traceLetters {
	out := traceLetters{props: props}
	for _, subject := range s.Table.Subjects(s.Files) {
		if len(subject.Letters) > 0 && has(subject) {
			out.closed, names = true, subject.Letters
			break
		}
	}
	for _, name := range names {
		if l := (notation.Letter{Name: name, Label: name}); !slices.Contains(out.list, l) {
			out.list = append(out.list, l)
		}
	}
	if !out.closed {
		out.list = append(out.list, notation.Letter{Name: notation.NoSymbol, Label: "none of the symbols"})
	}
	return out
}

// step returns the symbols of the formula that hold at a step, and whether the step is known.
func (t traceLetters) step(letter string) (props []string, known bool) {
	names := []string{letter}
	if !t.closed && !t.has(letter) {
		names = strings.Split(letter, "&")
	}
	for _, name := range names {
		if !t.has(name) {
			return nil, false
		}
		if slices.Contains(t.props, name) {
			props = append(props, name)
		}
	}
	return props, true
}

func (t traceLetters) has(name string) bool {
	return slices.ContainsFunc(t.list, func(l notation.Letter) bool { return l.Name == name })
}
