package session

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
)

// vocabulary is what the formulas of a workspace may refer to. A formula is judged
// of a spec that defines all of its symbols; a conjunct that no spec defines is in
// force nowhere, and is reported.
type vocabulary struct {
	subjects []subject
	others   []func(symbol string) bool // problems in PDDL
	broken   []File                     // specs with errors
	free     bool                       // no file defines symbols: formulas are only drawn
}

func vocabularyOf(files []File) *vocabulary {
	v := &vocabulary{subjects: subjectsOf(files), others: laterVocabulary(files)}
	specs := 0
	for _, f := range files {
		switch workspace.KindOf(f.Name) {
		case workspace.KindGrammar, workspace.KindPushdown, workspace.KindFlow, workspace.KindAgent:
			specs++
			if !slices.ContainsFunc(v.subjects, func(s subject) bool { return s.name == f.Name }) {
				v.broken = append(v.broken, f)
			}
		}
	}
	v.free = specs == 0 && len(v.others) == 0
	return v
}

// knows reports whether some spec defines a symbol.
func (v *vocabulary) knows(name string) bool { return v.judges(ltl.NewProp(name)) }

// judges reports whether one spec defines all symbols of a formula.
func (v *vocabulary) judges(f *ltl.Formula) bool {
	return slices.ContainsFunc(v.subjects, func(s subject) bool { return s.has(f) }) ||
		slices.ContainsFunc(v.others, func(knows func(string) bool) bool { return all(f.Props(), knows) })
}

func all(names []string, holds func(string) bool) bool {
	return !slices.ContainsFunc(names, func(name string) bool { return !holds(name) })
}

// unjudged returns the conjuncts of a formula that no spec can judge.
func (v *vocabulary) unjudged(f *ltl.Formula) (out []*ltl.Formula) {
	if v.judges(f) {
		return nil
	}
	for _, c := range ltl.Conjuncts(f) {
		if !v.judges(c) {
			out = append(out, c)
		}
	}
	return out
}

// faults returns why a formula cannot be judged: an error at each unknown symbol, or
// one diagnostic where all symbols are defined, but by different specs. There are none
// where every conjunct is judged.
func (v *vocabulary) faults(file *source.File, n ltl.Named) (found []source.Diagnostic) {
	bad := v.unjudged(n.Formula)
	if len(bad) == 0 {
		return nil
	}
	var letters []string
	for _, s := range v.subjects {
		letters = append(letters, s.letters...)
	}
	at := map[string]int{}
	waiting := ""
	for _, o := range ltl.Occurrences(file) {
		if o.Kind != ltl.KindProposition || o.Span.Start < n.Span.Start || o.Span.End > n.Span.End || v.knows(o.Name) {
			continue
		}
		if i := slices.IndexFunc(v.broken, func(f File) bool {
			// The states and letters of an automaton may be the members of a family.
			return workspace.KindOf(f.Name) == workspace.KindPushdown || strings.Contains(f.Text, o.Name)
		}); i >= 0 {
			waiting = v.broken[i].Name
			continue
		}
		near := ltl.Meant(o.Name, v.knows)
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

// checkProperties returns an error with code "property.unjudged" for the first formula of
// a workspace that no spec can judge, unless its name is among those left out: a run does
// not start with a rule that is silently not in force. The error's Names are all that
// have to be left out. Formulas with errors are an error of their own.
func checkProperties(files []File, without []string) error {
	v := vocabularyOf(files)
	var first *source.Error
	for _, f := range files {
		if workspace.KindOf(f.Name) != workspace.KindFormulas {
			continue
		}
		file := f.Source()
		list, found := ltl.Parse(file)
		if source.HasErrors(found) && found[0].Code != "ltl.empty" {
			return invalid(file, found)
		}
		for _, n := range list {
			faults := v.faults(file, n)
			if len(faults) == 0 {
				continue
			}
			name := propertyName(n)
			if first == nil {
				first = &source.Error{ID: "property.unjudged", Names: slices.Clone(without)}
			}
			if slices.Contains(without, name) {
				continue
			}
			if first.File == nil {
				line := file.Locate(faults[0].Span.Start).Line
				first.File, first.Diagnostics = file, faults
				first.Message = "property " + strconv.Quote(name) + " (" + f.Name + ", line " + strconv.Itoa(line) + ") cannot be judged: " + faults[0].Message
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

// hasPartlyJudged reports whether there is a formula that no one spec can judge as a
// whole.
func hasPartlyJudged(files []File) bool {
	for _, f := range files {
		if workspace.KindOf(f.Name) != workspace.KindFormulas {
			continue
		}
		list, _ := ltl.Parse(f.Source())
		v := vocabularyOf(files)
		for _, n := range list {
			if !v.judges(n.Formula) {
				return true
			}
		}
	}
	return false
}

// withoutUnjudged returns the files without the formulas that no one spec could judge
// as a whole: they were not in force in runs that were recorded before a part of a
// formula was.
func withoutUnjudged(files []File) []File {
	v := vocabularyOf(files)
	var out []File
	for _, f := range files {
		if workspace.KindOf(f.Name) == workspace.KindFormulas {
			list, found := ltl.Parse(f.Source())
			kept := ""
			for _, n := range list {
				if v.judges(n.Formula) {
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

// propertyName is the name of a formula, or else its text.
func propertyName(n ltl.Named) string {
	if n.Name != "" {
		return n.Name
	}
	return n.Formula.String()
}
