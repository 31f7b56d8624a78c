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

// noSymbol is the step of a trace at which no symbol of the file holds.
const noSymbol = "∅"

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
	letters := formulaLetters(s, list, f)
	verdicts := d.Verdicts()
	out.Viable = true
	state := d.Start()
	out.Highlight(view.FormulaNode(state))
	for i, letter := range word {
		step, known := letters.step(letter)
		next := state
		if known {
			next, err = d.Step(state, step)
		}
		if err != nil {
			return out, err
		}
		if !known || verdicts[next] == ltl.Violated {
			out.Viable, out.Violation, out.Active = false, &i, nil
			return out, nil
		}
		out.Active = []string{view.FormulaNode(next), view.FormulaEdge(state, next)}
		state = next
	}
	out.Viable = verdicts[state] != ltl.Violated
	out.Complete = d.Accepting(state)
	for _, l := range letters.list {
		step, _ := letters.step(l.Name)
		if next, err := d.Step(state, step); err == nil && verdicts[next] != ltl.Violated {
			out.Next = append(out.Next, l)
		}
	}
	return out, nil
}

// traceLetters describes the steps that a formula can read.
type traceLetters struct {
	list   []notation.Letter
	props  []string // the symbols of the formula
	closed bool     // only the letters of a spec are steps
}

func formulaLetters(s *notation.Scope, list []ltl.Named, f *ltl.Formula) (out traceLetters) {
	out.props = f.Props()
	for _, subject := range s.Table.Subjects(s.Files) {
		if subject.Has(f) && len(subject.Letters) > 0 {
			out.closed = true
			for _, name := range subject.Letters {
				out.list = append(out.list, notation.Letter{Name: name, Label: name})
			}
			return out
		}
	}
	for _, n := range list {
		for _, name := range n.Formula.Props() {
			if l := (notation.Letter{Name: name, Label: name}); !slices.Contains(out.list, l) {
				out.list = append(out.list, l)
			}
		}
	}
	out.list = append(out.list, notation.Letter{Name: noSymbol, Label: "none of the symbols"})
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
