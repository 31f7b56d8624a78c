package solve

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// WithPrelude is an SMT-LIB text preceded by a prelude, whose functions the text can use:
// a formulation after the definitions of its problem. All places are in the text itself.
type WithPrelude struct {
	File  *source.File
	given string       // the name of the prelude's file
	full  *source.File // prelude and text
}

// NewWithPrelude returns a text that follows a prelude.
func NewWithPrelude(given, file *source.File) WithPrelude {
	before := given.Text
	if before != "" && !strings.HasSuffix(before, "\n") {
		before += "\n"
	}
	return WithPrelude{file, given.Name, source.NewFile(file.Name, before+file.Text)}
}

// Text returns the prelude and the text, for the solver.
func (b WithPrelude) Text() string { return b.full.Text }

// lead returns the length of the prelude in bytes.
func (b WithPrelude) lead() source.Pos { return source.Pos(len(b.full.Text) - len(b.File.Text)) }

// move converts a place to one in the text itself; ok is false for a place in the prelude.
func (b WithPrelude) move(s source.Span) (source.Span, bool) {
	if s.Start < b.lead() {
		return source.Span{}, false
	}
	return source.Span{Start: s.Start - b.lead(), End: s.End - b.lead()}, true
}

// Check checks prelude and text. Errors of the prelude become a single error at the
// beginning of the text, and errors about redeclared names mention the prelude. The
// problem has only the declarations and names of the text itself.
func (b WithPrelude) Check() (Problem, []source.Diagnostic) {
	p, found := Check(Z3, b.full)
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

// faults converts diagnostics to places in the text itself.
func (b WithPrelude) faults(list []source.Diagnostic) []source.Diagnostic {
	var out []source.Diagnostic
	before := false
	for _, d := range list {
		span, ok := b.move(d.Span)
		if !ok && d.Code != "smt.empty" {
			if d.Severity == source.SeverityError && !before {
				before = true
				line := b.full.Locate(d.Span.Start).Line
				out = append(out, source.Diagnostic{Code: "smt.given", Message: fmt.Sprintf("%s, line %d, before this text: %s", b.given, line, d.Message)})
			}
			continue
		}
		d.Span = span
		var notes []source.Note
		for _, n := range d.Notes {
			if at, ok := b.move(n.Span); ok {
				notes = append(notes, source.Note{Span: at, Message: n.Message})
			} else if d.Code == "smt.redeclared" {
				line := b.full.Locate(n.Span.Start).Line
				d.Message = fmt.Sprintf("duplicate definition of %q; use the one in %s, line %d", b.File.Slice(d.Span), b.given, line)
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

// Result converts the places of an answer to the text itself. Places in the prelude become
// the empty place at the beginning.
func (b WithPrelude) Result(r Result) Result {
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
