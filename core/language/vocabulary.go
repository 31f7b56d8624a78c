package language

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
)

// Vocabulary is the set of symbols that the formulas of a workspace can refer to. A formula is
// judged for each spec that defines all its symbols. A conjunct whose symbols no single spec
// defines is not enforced, and is reported.
type Vocabulary struct {
	Subjects []notation.Subject
	Others   []func(symbol string) bool // of files that are not subjects: PDDL problems
	broken   []notation.Scope           // specs with errors
	free     bool                       // no file defines symbols: formulas are only drawn
	meant    func(name string, known func(string) bool) string
}

// VocabularyOf reads the specs of a workspace.
func VocabularyOf(t notation.Table, files []workspace.File) *Vocabulary {
	return newVocabulary(t, files, ltl.Meant)
}

func newVocabulary(t notation.Table, files []workspace.File, meant func(name string, known func(string) bool) string) *Vocabulary {
	v := &Vocabulary{meant: meant}
	specs := 0
	for _, f := range files {
		row := t.Of(f.Name)
		scope := notation.Scope{Table: t, File: f.Source(), Files: files}
		if row.Symbols != nil {
			if knows := row.Symbols(&scope); knows != nil {
				v.Others = append(v.Others, knows)
			}
		}
		if row.Subject == nil {
			continue
		}
		specs++
		if s, ok := row.Subject(scope.File); ok {
			v.Subjects = append(v.Subjects, s)
		} else {
			v.broken = append(v.broken, scope)
		}
	}
	v.free = specs == 0 && len(v.Others) == 0
	return v
}

// knows reports whether some spec defines a symbol.
func (v *Vocabulary) knows(name string) bool { return v.Judges(ltl.NewProp(name)) }

// Judges reports whether one spec defines all symbols of a formula.
func (v *Vocabulary) Judges(f *ltl.Formula) bool {
	return slices.ContainsFunc(v.Subjects, func(s notation.Subject) bool { return s.Has(f) }) ||
		slices.ContainsFunc(v.Others, func(knows func(string) bool) bool { return all(f.Props(), knows) })
}

func all(names []string, holds func(string) bool) bool {
	return !slices.ContainsFunc(names, func(name string) bool { return !holds(name) })
}

// unjudged returns the conjuncts of a formula that no spec can judge.
func (v *Vocabulary) unjudged(f *ltl.Formula) (out []*ltl.Formula) {
	if v.Judges(f) {
		return nil
	}
	for _, c := range ltl.Conjuncts(f) {
		if !v.Judges(c) {
			out = append(out, c)
		}
	}
	return out
}

// Faults returns the diagnostics of a formula that cannot be judged: an error at each unknown
// symbol, or one diagnostic if all symbols are defined, but by different specs. It returns none if
// every conjunct is judged.
func (v *Vocabulary) Faults(file *source.File, n ltl.Named) (found []source.Diagnostic) {
	bad := v.unjudged(n.Formula)
	if len(bad) == 0 {
		return nil
	}
	var letters []string
	for _, s := range v.Subjects {
		letters = append(letters, s.Letters...)
	}
	at := map[string]int{}
	waiting := ""
	for _, o := range ltl.Occurrences(file) {
		if o.Kind != ltl.KindProposition || o.Span.Start < n.Span.Start || o.Span.End > n.Span.End || v.knows(o.Name) {
			continue
		}
		if i := slices.IndexFunc(v.broken, func(f notation.Scope) bool {
			// A notation with families can define symbols that its text does not contain.
			return f.Table.Of(f.File.Name).Generates || strings.Contains(f.File.Text, o.Name)
		}); i >= 0 {
			waiting = v.broken[i].File.Name
			continue
		}
		near := v.meant(o.Name, v.knows)
		fix := source.Edit{Span: o.Span, Text: near}
		if near == "" {
			near = source.Nearest(o.Name, letters)
			fix.Text = ltl.Quote(near)
		}
		if i, again := at[o.Name]; again {
			if near != "" {
				found[i].Fixes[0].Edits = append(found[i].Fixes[0].Edits, fix)
			}
			continue
		}
		d := source.Diagnostic{Code: "ltl.unknown", Span: o.Span, Message: "unknown symbol " + strconv.Quote(o.Name)}
		if near == "" {
			d.Message += ": no spec of the workspace defines it"
		} else {
			d.Message += "; did you mean " + strconv.Quote(near) + "?"
			d.Fixes = []source.Fix{{Title: "Write " + near, Edits: []source.Edit{fix}}}
		}
		at[o.Name] = len(found)
		found = append(found, d)
	}
	if len(found) > 0 {
		return found
	}
	d := source.Diagnostic{Code: "ltl.apart", Severity: source.SeverityWarning, Span: n.Span, Message: "not judged: no single spec defines all of " + strings.Join(bad[0].Props(), ", ")}
	if waiting != "" {
		d.Code, d.Severity, d.Message = "ltl.waiting", source.SeverityInfo, "not judged: fix the errors in "+waiting
	}
	return []source.Diagnostic{d}
}

// CheckProperties returns an error with code "property.unjudged" for the first formula of a
// workspace that no spec can judge, unless its name is excluded: a run must not start with a
// formula that is not enforced. The field Names of the error lists every formula to exclude. A
// formula with syntax errors is a separate error.
func CheckProperties(t notation.Table, files []workspace.File, without []string) error {
	v := VocabularyOf(t, files)
	var first *source.Error
	for _, p := range t.Properties(files) {
		file, list, found := p.File, p.Formulas, p.Found
		if source.HasErrors(found) && found[0].Code != "ltl.empty" {
			return notation.Invalid(file, found)
		}
		for _, n := range list {
			faults := v.Faults(file, n)
			if len(faults) == 0 {
				continue
			}
			name := PropertyName(n)
			if first == nil {
				first = &source.Error{ID: "property.unjudged", Names: slices.Clone(without)}
			}
			if slices.Contains(without, name) {
				continue
			}
			if first.File == nil {
				line := file.Locate(faults[0].Span.Start).Line
				first.File, first.Diagnostics = file, faults
				first.Message = "property " + strconv.Quote(name) + " (" + file.Name + ", line " + strconv.Itoa(line) + ") cannot be judged: " + faults[0].Message
			}
			if !slices.Contains(first.Names, name) {
				first.Names = append(first.Names, name)
			}
		}
	}
	if first == nil || first.File == nil {
		return nil
	}
	return first
}

// HasPartlyJudged reports whether the files contain a formula that no single spec can judge
// completely.
func HasPartlyJudged(t notation.Table, files []workspace.File) bool {
	for _, p := range t.Properties(files) {
		v := VocabularyOf(t, files)
		for _, n := range p.Formulas {
			if !v.Judges(n.Formula) {
				return true
			}
		}
	}
	return false
}

// WithoutUnjudged returns the files without the formulas that no single spec can judge completely.
// Runs recorded before version 3 did not enforce these formulas, not even in part.
func WithoutUnjudged(t notation.Table, files []workspace.File) []workspace.File {
	v := VocabularyOf(t, files)
	var out []workspace.File
	for _, f := range files {
		if row := t.Of(f.Name); row.Properties != nil {
			list, found := row.Properties(f.Source())
			kept := ""
			for _, n := range list {
				if v.Judges(n.Formula) {
					kept += f.Text[n.Span.Start:n.Span.End] + "\n\n"
				}
			}
			if len(found) == 0 {
				f.Text = kept
			}
			if kept == "" && len(found) == 0 {
				continue
			}
		}
		out = append(out, f)
	}
	return out
}

// PropertyName returns the name of a formula, or its text if it has no name.
func PropertyName(n ltl.Named) string {
	if n.Name != "" {
		return n.Name
	}
	return n.Formula.String()
}
