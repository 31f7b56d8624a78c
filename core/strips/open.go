package strips

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// Opened is a domain with one of its problems, each from the file that contains it.
type Opened struct {
	Spec
	DomainFile, ProblemFile *source.File // nil if no file contains one
}

// Open reads a file and adds the missing part from the first of the other files that
// contains it: the domain of a problem, or a problem of the domain. Diagnostics have
// places in the file itself.
func Open(file *source.File, others []*source.File) (Opened, []source.Diagnostic) {
	spec, found := Parse(file)
	o := Opened{Spec: *spec}
	if o.Domain != nil {
		o.DomainFile = file
	}
	if o.Problem != nil {
		o.ProblemFile = file
	}
	switch {
	case o.Domain == nil && o.Problem == nil:
	case o.Domain == nil:
		found = append(found, o.findDomain(others)...)
	case o.Problem == nil:
		o.findProblem(others)
	}
	source.Sort(found)
	return o, found
}

func (o *Opened) findDomain(others []*source.File) []source.Diagnostic {
	var names []string
	for _, f := range others {
		spec, found := Parse(f)
		if spec.Domain == nil {
			continue
		}
		if spec.Domain.Name != o.Problem.Domain {
			names = append(names, spec.Domain.Name)
			continue
		}
		o.Domain, o.DomainFile = spec.Domain, f
		if source.HasErrors(found) {
			return domainFaults(o.Problem, f, found)
		}
		return Check(o.Domain, o.Problem)
	}
	if o.Problem.Domain == "" {
		return nil
	}
	d := source.Diagnostic{Code: "strips.domain", Span: o.Problem.domainAt, Message: fmt.Sprintf("unknown domain %q in this file and the others", o.Problem.Domain)}
	if near := source.Nearest(o.Problem.Domain, names); near != "" {
		d.Message += fmt.Sprintf("; did you mean %q?", near)
		d.Fixes = []source.Fix{{Title: "Write " + near, Edits: []source.Edit{{Span: d.Span, Text: near}}}}
	} else if len(names) > 0 {
		d.Message += " (expected " + strings.Join(names, ", ") + ")"
	}
	return []source.Diagnostic{d}
}

// domainFaults reports the errors of a domain in another file, at its name in the
// problem.
func domainFaults(p *Problem, f *source.File, found []source.Diagnostic) []source.Diagnostic {
	out := []source.Diagnostic{{Code: "strips.domain", Span: p.Span, Message: fmt.Sprintf("the domain %q in %s has errors", p.Domain, f.Name)}}
	for _, d := range found {
		if d.Severity == source.SeverityError {
			out = append(out, source.Diagnostic{Code: d.Code, Span: p.Span, Message: fmt.Sprintf("%s, line %d: %s", f.Name, f.Locate(d.Span.Start).Line, d.Message)})
		}
	}
	return out
}

// findProblem returns a problem without errors of a domain.
func (o *Opened) findProblem(others []*source.File) {
	for _, f := range others {
		spec, found := Parse(f)
		if spec.Problem == nil || spec.Domain != nil || spec.Problem.Domain != o.Domain.Name || source.HasErrors(found) || source.HasErrors(Check(o.Domain, spec.Problem)) {
			continue
		}
		o.Problem, o.ProblemFile = spec.Problem, f
		return
	}
}
