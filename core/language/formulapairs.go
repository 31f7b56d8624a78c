package language

import (
	"slices"
	"strconv"

	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/source"
)

// pairSteps and pairStates bound the search for two formulas that contradict each other, which happens at each edit.
const (
	pairSteps  = 200_000
	pairStates = 5_000
)

// duplicates reports formulas that are equal to an earlier one.
func duplicates(list []ltl.Named, a *notation.Analysis) {
	first := map[string]ltl.Named{}
	for _, n := range list {
		text := n.Formula.String()
		earlier, found := first[text]
		if !found {
			first[text] = n
			continue
		}
		a.Add(source.Diagnostic{
			Code: "ltl.duplicate", Severity: source.SeverityInfo, Span: n.Span, Message: "duplicate: this formula equals " + nameOf(earlier),
			Notes: []source.Note{{Span: earlier.Span, Message: "the other formula"}},
		})
	}
}

// nameOf returns the quoted name of an earlier formula, if it has one.
func nameOf(earlier ltl.Named) string {
	if earlier.Name == "" {
		return "an earlier formula"
	}
	return strconv.Quote(earlier.Name)
}

// contradictions reports formulas that no trace satisfies together with an earlier one, although a trace satisfies
// each of them. It ends without a report when its budget is spent.
func contradictions(list []ltl.Named, a *notation.Analysis) {
	m := meter.New(meter.Budget{Steps: pairSteps, States: pairStates})
	for k, later := range list {
		for _, earlier := range list[:k] {
			props := earlier.Formula.Props()
			if !slices.ContainsFunc(later.Formula.Props(), func(name string) bool { return slices.Contains(props, name) }) {
				continue
			}
			if never, err := unsatisfiable(ltl.New(ltl.And, earlier.Formula, later.Formula), m); err != nil {
				return
			} else if !never {
				continue
			}
			first, err := unsatisfiable(earlier.Formula, m)
			second, also := unsatisfiable(later.Formula, m)
			if err != nil || also != nil {
				return
			}
			if first || second {
				continue
			}
			a.Add(contradiction(earlier, later))
			break
		}
	}
}

// unsatisfiable reports whether no trace satisfies a formula.
func unsatisfiable(f *ltl.Formula, m *meter.Meter) (bool, error) {
	alphabet, err := ltl.NewAlphabet(f.Props(), ltl.Powerset)
	if err != nil {
		return false, err
	}
	d, err := ltl.Translate(f, alphabet, m)
	if err != nil {
		return false, err
	}
	holds, constant := d.Constant()
	return constant && !holds, nil
}

func contradiction(earlier, later ltl.Named) source.Diagnostic {
	return source.Diagnostic{
		Code: "ltl.contradiction", Severity: source.SeverityInfo, Span: later.Span, Message: "contradiction: no trace satisfies this formula together with " + nameOf(earlier),
		Notes: []source.Note{{Span: earlier.Span, Message: "the other formula"}},
	}
}
