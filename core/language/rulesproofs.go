package language

import (
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/rules"
	"github.com/stile-playground/stile/core/source"
)

// proveRules judges each rule about the order of calls for the first spec of the workspace whose
// letters include the rule's tools: a proof about all its words or runs, or a shortest
// counterexample.
func proveRules(s *notation.Scope, f *rules.File) (found []source.Diagnostic) {
	var subjects []notation.Subject
	m := meter.New(AnalysisBudget)
	for i, r := range f.Rules {
		tools := r.Uses().Tools
		if !r.Order() || len(tools) == 0 {
			continue
		}
		if subjects == nil {
			if subjects = s.Table.Subjects(s.Files); len(subjects) == 0 {
				return nil
			}
		}
		at := slices.IndexFunc(subjects, func(s notation.Subject) bool {
			return s.Missing != nil && !slices.ContainsFunc(tools, func(tool string) bool { return !slices.Contains(s.Letters, tool) })
		})
		if at < 0 {
			continue
		}
		d, err := proveRule(r, subjects[at], m)
		found = append(found, d)
		if err != nil {
			if i+1 < len(f.Rules) {
				d.Span, d.Message = f.Rules[i+1].NameSpan, "rules from here on are not judged: "+err.Error()
				found = append(found, d)
			}
			break
		}
	}
	return found
}

func proveRule(r *rules.Rule, s notation.Subject, m *meter.Meter) (source.Diagnostic, error) {
	d := source.Diagnostic{Code: "rules.holds", Severity: source.SeverityInfo, Span: r.NameSpan, Message: "proved for every " + s.Traces + " of " + s.Name}
	automaton, err := r.Automaton(s.Letters, m)
	var trace []string
	found := false
	if err == nil {
		trace, found, err = s.Missing(automaton, m)
	}
	switch {
	case err != nil:
		d.Code, d.Message = source.ErrorCode(err), "not verified for "+s.Name+": "+err.Error()
	case found:
		d.Code, d.Severity = "rules.violated", source.SeverityWarning
		d.Message = "counterexample in " + s.Name + ": " + strings.Join(trace, " ")
		if len(trace) == 0 {
			d.Message = "counterexample in " + s.Name + ": the empty " + s.Traces
		}
	}
	return d, err
}
