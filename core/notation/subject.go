package notation

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
)

// Subject is a spec that formulas are checked against.
type Subject struct {
	Name    string
	Letters []string
	Verify  func(f *ltl.Formula, m *meter.Meter) (holds bool, counterexample []string, err error)
	Traces  string // the name of its traces: [Words] or [Runs]

	// Missing returns a shortest trace, also an empty one, that an automaton over the letters does
	// not accept. It is nil in the core module.
	Missing func(d *automaton.DFA, m *meter.Meter) (trace []string, found bool, err error)

	// Satisfiable reports whether some trace within the limits of the spec satisfies a formula. If
	// it is nil, the spec has no limits, and Verify decides it.
	Satisfiable func(f *ltl.Formula, m *meter.Meter) (bool, error)
}

// The names of traces.
const (
	Words = "word"
	Runs  = "run"
)

// Has reports whether all propositions of a formula are letters of the spec.
func (s Subject) Has(f *ltl.Formula) bool {
	for _, name := range f.Props() {
		if !slices.Contains(s.Letters, name) {
			return false
		}
	}
	return true
}

// Part returns the conjunction of the formula's conjuncts about the spec, nil for none.
func (s Subject) Part(f *ltl.Formula) (out *ltl.Formula) {
	if s.Has(f) {
		return f
	}
	for _, c := range ltl.Conjuncts(f) {
		switch {
		case !s.Has(c) || len(c.Props()) == 0:
		case out == nil:
			out = c
		default:
			out = ltl.New(ltl.And, out, c)
		}
	}
	return out
}

// Judge verifies a formula and returns the verdict as a diagnostic at the formula.
func (s Subject) Judge(n ltl.Named, m *meter.Meter) source.Diagnostic {
	holds, word, err := s.Verify(n.Formula, m)
	d := source.Diagnostic{Severity: source.SeverityInfo, Span: n.Span}
	switch {
	case err != nil:
		d.Code, d.Message = source.ErrorCode(err), fmt.Sprintf("not verified for %s: %v", s.Name, err)
	case holds:
		d.Code, d.Message = "ltl.holds", fmt.Sprintf("proved for every %s of %s", s.Traces, s.Name)
	default:
		d.Code, d.Severity = "ltl.violated", source.SeverityWarning
		d.Message = fmt.Sprintf("counterexample in %s: %s", s.Name, strings.Join(word, " "))
	}
	return d
}

// CheckSatisfiable returns a warning if no trace of the spec satisfies a formula, which then rejects every
// run. It returns none if the meter's budget is exhausted.
func (s Subject) CheckSatisfiable(n ltl.Named, m *meter.Meter) []source.Diagnostic {
	satisfiable, within := s.Satisfiable, " within its limits"
	if satisfiable == nil {
		within = ""
		satisfiable = func(f *ltl.Formula, m *meter.Meter) (bool, error) {
			never, _, err := s.Verify(ltl.New(ltl.Not, f), m)
			return !never, err
		}
	}
	if some, err := satisfiable(n.Formula, m); some || err != nil {
		return nil
	}
	return []source.Diagnostic{{
		Code: "ltl.unsatisfiable", Severity: source.SeverityWarning, Span: n.Span,
		Message: fmt.Sprintf("unsatisfiable: no %s of %s satisfies this formula%s", s.Traces, s.Name, within),
	}}
}

// Subjects returns the specs of a workspace that formulas are checked against, without those that
// have errors.
func (t Table) Subjects(files []workspace.File) []Subject {
	var out []Subject
	for _, f := range files {
		if n := t.Of(f.Name); n.Subject != nil {
			if s, ok := n.Subject(f.Source()); ok {
				out = append(out, s)
			}
		}
	}
	return out
}
