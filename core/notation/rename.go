package notation

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
)

// FileEdits are the changes to a file.
type FileEdits struct {
	File  string
	Edits []source.Edit
}

// Rename returns the edits, in all files, that give the symbol at a position another name.
// It rejects a name that is already used or that the notation cannot express, because the edits
// would change the meaning of the files. The error has code "language.rename".
func (t Table) Rename(w workspace.Workspace, name string, at source.Pos, to string) ([]FileEdits, error) {
	s := t.Find(w, name, at)
	to = strings.TrimSpace(to)
	if s == nil {
		return nil, renameFault("no name at this position")
	}
	if row := t.Of(name); row.Fixed != nil {
		if reason := row.Fixed(s); reason != "" {
			return nil, renameFault(reason)
		}
	}
	switch to {
	case "":
		return nil, renameFault("empty name")
	case s.Name:
		return nil, nil
	}
	var out []FileEdits
	changed := workspace.Workspace{Files: append([]workspace.File{}, w.Files...)}
	for i, f := range w.Files {
		var edits []source.Edit
		for _, p := range s.Places {
			if p.File == f.Name {
				edits = append(edits, source.Edit{Span: p.Span, Text: t.spelling(f, p.Span.Start, to)})
			}
		}
		if len(edits) > 0 {
			out = append(out, FileEdits{f.Name, edits})
			changed.Files[i].Text = source.Apply(f.Text, edits)
		}
	}
	if t.shape(w) != t.shape(changed) {
		return nil, renameFault(fmt.Sprintf("cannot rename %q to %q: the name is already used or not valid here", s.Name, to))
	}
	return out, nil
}

func renameFault(message string) error { return source.NewError("language.rename", message) }

func (t Table) spelling(f workspace.File, at source.Pos, name string) string {
	if row := t.Of(f.Name); row.Spell != nil {
		return row.Spell(f, at, name)
	}
	return name
}

// shape prints the symbols that the occurrences of the files refer to, and the errors of the
// parsers. Two workspaces that differ only in names have the same shape.
func (t Table) shape(w workspace.Workspace) string {
	x := t.Index(w)
	number := map[string]int{}
	var b strings.Builder
	for _, f := range w.Files {
		fmt.Fprintf(&b, "%s\n", f.Name)
		for _, o := range x.of[f.Name] {
			key := x.key(f.Name, o)
			n, ok := number[key]
			if !ok {
				n = len(number)
				number[key] = n
			}
			fmt.Fprintf(&b, "%s %d %t\n", o.Kind, n, o.Defines)
		}
		for _, d := range t.Faults(f) {
			if d.Severity == source.SeverityError {
				fmt.Fprintf(&b, "%s\n", d.Code)
			}
		}
	}
	return b.String()
}

// Faults returns the diagnostics of the parser of a file's notation.
func (t Table) Faults(f workspace.File) []source.Diagnostic {
	if row := t.Of(f.Name); row.Check != nil {
		return row.Check(f.Source())
	}
	return nil
}
