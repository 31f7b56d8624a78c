package session

import (
	"slices"

	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
)

// Diagnostic is a [source.Diagnostic] as a host needs it: with its place in bytes (Start, End), in
// UTF-16 code units (From, To) and as line and column.
type Diagnostic struct {
	Code     string `json:"code"`
	Severity string `json:"severity"` // "error", "warning" or "info"
	Message  string `json:"message"`
	File     string `json:"file,omitempty"`
	Start    int    `json:"start"`
	End      int    `json:"end"`
	From     int    `json:"from"`
	To       int    `json:"to"`
	Line     int    `json:"line"`
	Column   int    `json:"column"`
	Notes    []Note `json:"notes,omitempty"`
	Fixes    []Fix  `json:"fixes,omitempty"`
}

// Note is a [source.Note] with its place in UTF-16 code units.
type Note struct {
	Message string `json:"message"`
	From    int    `json:"from"`
	To      int    `json:"to"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
}

// Fix is a [source.Fix] with its places in UTF-16 code units.
type Fix struct {
	Title string `json:"title"`
	Edits []Edit `json:"edits"`
}

// Edit replaces the UTF-16 range [From, To) with Text.
type Edit struct {
	From int    `json:"from"`
	To   int    `json:"to"`
	Text string `json:"text"`
}

// Token is a coloured range, in UTF-16 code units.
type Token struct {
	From  int    `json:"from"`
	To    int    `json:"to"`
	Class string `json:"class"`
}

// File is a file of a workspace.
type File = workspace.File

// places converts many byte offsets of one file to UTF-16 offsets in one pass.
type places struct {
	file  *source.File
	where []source.Pos
	into  []*int
}

// reserve allocates room for n offsets, before the first put.
func (pl *places) reserve(n int) {
	if len(pl.where) == 0 {
		pl.where, pl.into = make([]source.Pos, 0, n), make([]*int, 0, n)
	}
}

// put registers *into to receive the UTF-16 offset of p.
func (pl *places) put(into *int, p source.Pos) {
	pl.where = append(pl.where, p)
	pl.into = append(pl.into, into)
}

// span calls put for both ends of a span.
func (pl *places) span(from, to *int, s source.Span) {
	pl.put(from, s.Start)
	pl.put(to, s.End)
}

// settle fills in all registered offsets.
func (pl *places) settle() {
	for i, units := range pl.file.UTF16(pl.where) {
		*pl.into[i] = units
	}
}

// wireDiagnostics returns the diagnostics in the order of their places; never nil, so
// that it is an array on the wire.
func wireDiagnostics(file *source.File, list []source.Diagnostic) []Diagnostic {
	out := make([]Diagnostic, len(list))
	at := places{file: file}
	source.Sort(list)
	slices.SortStableFunc(list, func(a, b source.Diagnostic) int { return int(a.Severity) - int(b.Severity) })
	for i, d := range list {
		where := file.Locate(d.Span.Start)
		out[i] = Diagnostic{
			Code: d.Code, Severity: d.Severity.String(), Message: d.Message, File: file.Name,
			Start: int(d.Span.Start), End: int(d.Span.End), Line: where.Line, Column: where.Column,
			Notes: make([]Note, len(d.Notes)), Fixes: make([]Fix, len(d.Fixes)),
		}
		at.span(&out[i].From, &out[i].To, d.Span)
		for j, n := range d.Notes {
			where := file.Locate(n.Span.Start)
			out[i].Notes[j] = Note{Message: n.Message, Line: where.Line, Column: where.Column}
			at.span(&out[i].Notes[j].From, &out[i].Notes[j].To, n.Span)
		}
		for j, f := range d.Fixes {
			out[i].Fixes[j] = Fix{Title: f.Title, Edits: make([]Edit, len(f.Edits))}
			for k, e := range f.Edits {
				out[i].Fixes[j].Edits[k] = Edit{Text: e.Text}
				at.span(&out[i].Fixes[j].Edits[k].From, &out[i].Fixes[j].Edits[k].To, e.Span)
			}
		}
	}
	at.settle()
	return out
}
