package language

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/habit"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/source"
)

// explainFormulas explains the errors of syntax in a file of formulas. The symbols of the workspace decide
// between the possible intentions.
func explainFormulas(s *notation.Scope, a *notation.Analysis, v *Vocabulary, found []source.Diagnostic) {
	known := v.knows
	if v.free {
		known = nil
	}
	_, better := ltl.ParseKnown(s.File, known)
	a.Diagnostics = slices.DeleteFunc(a.Diagnostics, func(d source.Diagnostic) bool {
		return slices.ContainsFunc(found, func(o source.Diagnostic) bool { return o.Code == d.Code && o.Span == d.Span })
	})
	a.Diagnostics = append(better, a.Diagnostics...)
	plain := checkText(s, func(s *notation.Scope) []source.Diagnostic {
		_, found := ltl.ParseKnown(s.File, known)
		return found
	})
	check := checkText(s, func(s *notation.Scope) []source.Diagnostic {
		list, found := ltl.ParseKnown(s.File, known)
		for _, n := range list {
			if !v.free {
				found = append(found, v.Faults(s.File, n)...)
			}
		}
		return found
	})
	n := habit.Notation{
		Comments: "#", Check: check,
		Repair: &habit.Repair{Signs: []string{"->", "&", "|", ")", "(", ":"}, Words: []string{"U", "W"}, Skip: []string{"ltl.foreign", "ltl.past", "ltl.name", "ltl.unknown"}},
	}
	// A fix after which the formula has an unknown symbol is the last choice.
	weak := map[source.Span][]source.Fix{}
	errors := func(found []source.Diagnostic) int {
		return count(found, func(d source.Diagnostic) bool { return d.Severity == source.SeverityError })
	}
	before := errors(a.Diagnostics)
	for i, d := range a.Diagnostics {
		if len(d.Fixes) > 0 && d.Severity == source.SeverityError && !slices.Contains(n.Repair.Skip, d.Code) && errors(check(source.Apply(s.File.Text, d.Fixes[0].Edits))) >= before {
			weak[d.Span] = d.Fixes
			a.Diagnostics[i].Fixes = nil
		}
	}
	explain(s, a, n)
	for i, d := range a.Diagnostics {
		if fixes, ok := weak[d.Span]; ok && len(d.Fixes) == 0 {
			a.Diagnostics[i].Fixes = fixes
		}
	}
	n.Check = plain
	explain(s, a, n)
}

// explainUnknown explains an unknown symbol: a formula in quotes, a name that differs from a symbol of a
// spec in its case or its signs, and a name of a spec that is not a step.
func explainUnknown(s *notation.Scope, v *Vocabulary, d *source.Diagnostic) {
	if d.Code != "ltl.unknown" || len(d.Fixes) > 0 {
		return
	}
	written := s.File.Slice(d.Span)
	name := strings.Trim(written, `"`)
	if written != name {
		if list, found := ltl.Parse(source.NewFile("", name)); len(found) == 0 && len(list) == 1 && list[0].Formula.Op != ltl.Prop {
			d.Message = "a formula in quotes is one proposition; remove the quotes"
			d.Fixes = []source.Fix{{Title: "Remove the quotes", Edits: []source.Edit{{Span: d.Span, Text: name}}}}
			return
		}
	}
	near := ""
	for _, subject := range v.Subjects {
		for _, letter := range subject.Letters {
			if near == "" && letter != "" && (letters(letter) == letters(name) || slices.Contains(nameParts(name), letter) || slices.Contains(nameParts(letter), name)) {
				near = letter
			}
		}
	}
	if near != "" {
		d.Message = "unknown symbol " + strconv.Quote(name) + "; did you mean " + strconv.Quote(near) + "?"
		d.Fixes = []source.Fix{{Title: "Write " + near, Edits: []source.Edit{{Span: d.Span, Text: ltl.Quote(near)}}}}
		return
	}
	for _, f := range s.Files {
		row := s.Table.Of(f.Name)
		if row.Subject == nil || row.Occurrences == nil {
			continue
		}
		for _, o := range row.Occurrences(f.Source()) {
			if name == o.Name {
				d.Message = "unknown symbol " + strconv.Quote(o.Name) + ": a " + o.Kind + " of " + f.Name + " is not a step"
				return
			}
		}
	}
}

// letters returns the letters and digits of a name, in lower case.
func letters(name string) string {
	return strings.ToLower(strings.Join(nameParts(name), ""))
}

// nameParts splits a name at its signs and blanks.
func nameParts(name string) []string {
	return strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune("_-. :/$@#?!'`", r) })
}

// oddOperands warns of propositions that are operands of the same operator: twice the same one, or, if each
// step of a spec has one symbol, two that never hold together.
func oddOperands(file *source.File, n ltl.Named, v *Vocabulary) (found []source.Diagnostic) {
	for _, o := range ltl.OperandsOf(file, n) {
		for k := 1; k < len(o.Names); k++ {
			if slices.Contains(o.Names[:k], o.Names[k]) {
				return append(found, source.Diagnostic{
					Code: "ltl.repeated", Severity: source.SeverityWarning, Span: o.Spans[k], Message: "duplicate operand " + strconv.Quote(o.Names[k]) + " of " + strconv.Quote(o.Op.String()),
					Fixes: []source.Fix{{Title: "Remove it", Edits: []source.Edit{{Span: source.Span{Start: o.Spans[k-1].End, End: o.Spans[k].End}}}}},
				})
			}
		}
		if o.Op == ltl.And && !o.Negated && v.exclusive(o.Names) {
			return append(found, source.Diagnostic{
				Code: "ltl.together", Severity: source.SeverityWarning, Span: o.Spans[0].Join(o.Spans[len(o.Spans)-1]),
				Message: strconv.Quote(o.Names[0]) + " and " + strconv.Quote(o.Names[1]) + " never hold at the same step",
			})
		}
	}
	return nil
}

// exclusive reports whether a spec defines all the names, each as a symbol of its own.
func (v *Vocabulary) exclusive(names []string) bool {
	f := ltl.New(ltl.True)
	for _, name := range names {
		f = ltl.New(ltl.And, f, ltl.NewProp(name))
	}
	return slices.ContainsFunc(v.Subjects, func(s notation.Subject) bool { return s.Has(f) })
}
