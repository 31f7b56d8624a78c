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
	name := strconv.Quote(earlier.Name)
	if earlier.Name == "" {
		name = "an earlier formula"
	}
	return source.Diagnostic{
		Code: "ltl.contradiction", Severity: source.SeverityInfo, Span: later.Span, Message: "contradiction: no trace satisfies this formula together with " + name,
		Notes: []source.Note{{Span: earlier.Span, Message: "the other formula"}},
	}
}
