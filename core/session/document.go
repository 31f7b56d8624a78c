package session

import (
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
)

func documentMethods() []Method {
	return []Method{
		method("document.analyze", (*Session).documentAnalyze),
		method("step.walk", (*Session).stepWalk),
	}
}

// textMethods need formatters and compression, which the core module does not contain.
func textMethods() []Method {
	return []Method{
		method("document.format", (*Session).documentFormat),
		pure("share.encode", shareEncode),
	}
}

// DocumentParams name a file of a workspace.
type DocumentParams struct {
	Files []File `json:"files"`
	Name  string `json:"name"`
}

// OutlineItem is a definition in a file.
type OutlineItem struct {
	Name   string `json:"name"`
	Detail string `json:"detail"`
	From   int    `json:"from"`
	To     int    `json:"to"`
}

// Letter is a symbol of a spec's alphabet.
type Letter = notation.Letter

// DocumentAnalyzeResult is the information that an editor shows for a file. Drawing is absent for
// a text that cannot be compiled.
type DocumentAnalyzeResult struct {
	Kind        workspace.Kind `json:"kind"`
	Summary     string         `json:"summary"`
	Diagnostics []Diagnostic   `json:"diagnostics"`
	Tokens      []Token        `json:"tokens"`
	Outline     []OutlineItem  `json:"outline"`
	Symbols     []Letter       `json:"symbols"`
	Drawing     *Drawing       `json:"drawing,omitempty"`
}

func (s *Session) documentAnalyze(p DocumentParams) (DocumentAnalyzeResult, error) {
	scope, err := s.open(p)
	if err != nil {
		return DocumentAnalyzeResult{}, err
	}
	row := s.table.Notations.Of(p.Name)
	a := notation.Notes(scope)
	if row.Analyze != nil {
		a = row.Analyze(scope)
	}
	if row.Refine != nil {
		row.Refine(scope, &a)
	}
	if s.table.Plain && needsFull(row, a.Diagnostics) {
		return DocumentAnalyzeResult{}, source.NewError(codeMethod, "the full module analyses this file")
	}
	out := DocumentAnalyzeResult{Kind: row.Kind, Summary: a.Summary, Symbols: orEmpty(a.Symbols)}
	at := &places{file: scope.File}
	out.Tokens = make([]Token, min(len(a.Tokens), notation.MaxTokens))
	at.reserve(2 * len(out.Tokens))
	for i := range out.Tokens {
		out.Tokens[i].Class = a.Tokens[i].Class
		at.span(&out.Tokens[i].From, &out.Tokens[i].To, a.Tokens[i].Span)
	}
	out.Outline = make([]OutlineItem, len(a.Outline))
	for i, item := range a.Outline {
		out.Outline[i] = OutlineItem{Name: item.Name, Detail: item.Detail}
		at.span(&out.Outline[i].From, &out.Outline[i].To, item.Span)
	}
	if a.Drawing != nil {
		drawn := at
		if a.Unplaced {
			drawn = nil
		}
		out.Drawing = wireDrawing(*a.Drawing, drawn)
	}
	at.settle()
	out.Diagnostics = wireDiagnostics(scope.File, shown(a.Diagnostics))
	return out, nil
}

// needsFull reports whether the full module may find more in a file with formulas because that
// module has constructions of automata that need fewer steps. The page repeats a request with the
// full module if the error is [codeMethod], even if it does not load that module otherwise.
func needsFull(row *notation.Notation, found []source.Diagnostic) bool {
	return row.Temporal && slices.ContainsFunc(found, func(d source.Diagnostic) bool { return strings.HasPrefix(d.Code, "limit.") })
}

// shown returns the first diagnostics; errors come before warnings.
func shown(found []source.Diagnostic) []source.Diagnostic {
	if len(found) <= notation.MaxShown {
		return found
	}
	source.Sort(found)
	slices.SortStableFunc(found, func(a, b source.Diagnostic) int { return int(a.Severity) - int(b.Severity) })
	return found[:notation.MaxShown:notation.MaxShown]
}

// open returns a file of a workspace as a scope for the notations.
func (s *Session) open(p DocumentParams) (*notation.Scope, error) {
	file, err := openDocument(p)
	return &notation.Scope{Table: s.table.Notations, File: file, Files: p.Files}, err
}

func openDocument(p DocumentParams) (*source.File, error) {
	w := workspace.Workspace{Files: p.Files}
	if err := w.Check(); err != nil {
		return nil, err
	}
	f, ok := w.File(p.Name)
	if !ok {
		return nil, missingFile(p.Name, w)
	}
	return f.Source(), nil
}

// DocumentFormatParams are a file. The extension of its name selects the notation.
type DocumentFormatParams struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// DocumentFormatResult is the formatted text.
type DocumentFormatResult struct {
	Text    string `json:"text"`
	Changed bool   `json:"changed"`
}

// documentFormat formats a spec. A text with errors is rejected, because formatting a partial tree
// would lose text.
func (s *Session) documentFormat(p DocumentFormatParams) (DocumentFormatResult, error) {
	row := s.table.Notations.Of(p.Name)
	if row.Format == nil {
		return DocumentFormatResult{Text: p.Text}, nil
	}
	file := source.NewFile(p.Name, p.Text)
	text, found := row.Format(file)
	if source.HasErrors(found) {
		return DocumentFormatResult{}, notation.Invalid(file, found)
	}
	return DocumentFormatResult{Text: text, Changed: text != p.Text}, nil
}
