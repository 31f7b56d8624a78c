package session

import (
	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/strips"
	"github.com/stile-playground/stile/core/workspace"
)

// faultsOfFormulas reports faults in the propositions of formulas about a problem.
func faultsOfFormulas(f *source.File, problem string, spec *strips.Spec) []source.Diagnostic {
	var found []source.Diagnostic
	list, _ := ltl.Parse(f)
	for _, n := range list {
		about, fault := refersTo(spec, n.Formula)
		if about && fault != nil {
			found = append(found, source.Diagnostic{Code: fault.ID, Severity: source.SeverityWarning, Span: n.Span, Message: problem + ": " + fault.Message})
		}
	}
	return found
}

// checkSteps reports faults of formulas that refer to a problem in PDDL.
func checkSteps(s *notation.Scope) []source.Diagnostic {
	var found []source.Diagnostic
	for _, p := range s.Files {
		if s.Table.Of(p.Name).Kind != workspace.KindPDDL {
			continue
		}
		o, faults := strips.Open(p.Source(), language.PDDLSiblings(s.Files, p.Name))
		if o.ProblemFile == nil || o.ProblemFile.Name != p.Name || o.Domain == nil || source.HasErrors(faults) {
			continue
		}
		found = append(found, faultsOfFormulas(s.File, p.Name, &o.Spec)...)
	}
	return found
}
