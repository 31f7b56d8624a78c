//go:build !first

package solve

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// Behind is a text in SMT-LIB that stands behind another one, which gives it functions
// to use: a formulation behind its problem's definitions. What is said of it is at
// places of the text itself.
type Behind struct {
	File  *source.File
	given string       // the name of the file before it
	whole *source.File // both
}

// NewBehind puts a text behind another one.
func NewBehind(given, file *source.File) Behind {
	before := given.Text
	if before != "" && !strings.HasSuffix(before, "\n") {
		before += "\n"
	}
	return Behind{file, given.Name, source.NewFile(file.Name, before+file.Text)}
}

// Text returns both texts, as a solver is given them.
func (b Behind) Text() string { return b.whole.Text }

// lead is how many bytes stand before the text.
func (b Behind) lead() source.Pos { return source.Pos(len(b.whole.Text) - len(b.File.Text)) }

// move returns a place in the text itself; ok is false for one before it, which becomes
// the text's beginning.
func (b Behind) move(s source.Span) (source.Span, bool) {
	if s.Start < b.lead() {
		return source.Span{}, false
	}
	return source.Span{Start: s.Start - b.lead(), End: s.End - b.lead()}, true
}

// Check is [Check] of both. Errors of what stands before are one, at the text's
// beginning; who declares anew what is declared there is told so. Of the problem only
// what the text itself declares and names is left.
func (b Behind) Check() (Problem, []source.Diagnostic) {
	p, found := Check(Z3, b.whole)
	found = b.faults(found)
	var names []Name
	for _, n := range p.Names {
		if span, ok := b.move(n.Span); ok {
			n.Span = span
			names = append(names, n)
		}
	}
	var named []Named
	for _, n := range p.Named {
		if span, ok := b.move(n.Span); ok {
			n.Span = span
			named = append(named, n)
		}
	}
	p.Names, p.Named = names, named
	for i := range p.Objectives {
		p.Objectives[i].Span, _ = b.move(p.Objectives[i].Span)
	}
	return p, found
}

// faults moves what was found in both texts to the text itself.
func (b Behind) faults(list []source.Diagnostic) []source.Diagnostic {
	var out []source.Diagnostic
	before := false
	for _, d := range list {
		span, ok := b.move(d.Span)
		if !ok && d.Code != "smt.empty" {
			if d.Severity == source.SeverityError && !before {
				before = true
				line := b.whole.Locate(d.Span.Start).Line
				out = append(out, source.Diagnostic{Code: "smt.given", Message: fmt.Sprintf("%s, line %d, which stands before this text: %s", b.given, line, d.Message)})
			}
			continue
		}
		d.Span = span
		var notes []source.Note
		for _, n := range d.Notes {
			if at, ok := b.move(n.Span); ok {
				notes = append(notes, source.Note{Span: at, Message: n.Message})
			} else if d.Code == "smt.redeclared" {
				line := b.whole.Locate(n.Span.Start).Line
				d.Message = fmt.Sprintf("%q is given in %s, line %d, which stands before this text: use it, and do not define it anew", b.File.Slice(d.Span), b.given, line)
			}
		}
		d.Notes = notes
		var fixes []source.Fix
		for _, f := range d.Fixes {
			inside := true
			edits := make([]source.Edit, len(f.Edits))
			for i, e := range f.Edits {
				at, ok := b.move(e.Span)
				edits[i], inside = source.Edit{Span: at, Text: e.Text}, inside && ok
			}
			if inside {
				fixes = append(fixes, source.Fix{Title: f.Title, Edits: edits})
			}
		}
		d.Fixes = fixes
		out = append(out, d)
	}
	return out
}

// Result moves the places of an answer to the text itself. What is of the text before
// it has the empty place at the beginning.
func (b Behind) Result(r Result) Result {
	for i := range r.Objectives {
		r.Objectives[i].Span, _ = b.move(r.Objectives[i].Span)
	}
	for i := range r.Model {
		r.Model[i].Span, _ = b.move(r.Model[i].Span)
	}
	for i := range r.Core {
		r.Core[i].Span, _ = b.move(r.Core[i].Span)
	}
	r.Faults = b.faults(r.Faults)
	return r
}
