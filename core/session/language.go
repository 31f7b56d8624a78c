package session

import (
	"strings"

	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
)

func editorMethods() []Method {
	return []Method{
		method("language.check", (*Session).languageCheck),
		method("language.complete", (*Session).languageComplete),
		method("language.find", (*Session).languageFind),
		method("language.folds", (*Session).languageFolds),
		method("language.hover", (*Session).languageHover),
		method("language.reference", (*Session).languageReference),
		method("language.rename", (*Session).languageRename),
	}
}

// LanguagePlaceParams are a place in a file of a workspace, in UTF-16 code units.
type LanguagePlaceParams struct {
	Files []File `json:"files"`
	Name  string `json:"name"`
	At    int    `json:"at"`
}

// open returns the workspace and the place in bytes.
func (p LanguagePlaceParams) open() (workspace.Workspace, *source.File, source.Pos, error) {
	file, err := openDocument(DocumentParams{Files: p.Files, Name: p.Name})
	if err != nil {
		return workspace.Workspace{}, nil, 0, err
	}
	return workspace.Workspace{Files: p.Files}, file, file.Offset(p.At), nil
}

// LanguageCompleteParams are a place, and the events of a run that is no file of the workspace, an event
// on each line. Rules are completed with their tools and fields.
type LanguageCompleteParams struct {
	Files []File `json:"files"`
	Name  string `json:"name"`
	At    int    `json:"at"`
	Run   string `json:"run,omitempty"`
}

// LanguageItem is a candidate for completion. Insert is the text to insert; if it is
// empty, the label is inserted.
type LanguageItem struct {
	Label  string `json:"label"`
	Kind   string `json:"kind"`
	Detail string `json:"detail,omitempty"`
	Insert string `json:"insert,omitempty"`
}

// LanguageCompleteResult lists the candidates that replace the range [From, To).
type LanguageCompleteResult struct {
	From  int            `json:"from"`
	To    int            `json:"to"`
	Items []LanguageItem `json:"items"`
}

func (s *Session) languageComplete(p LanguageCompleteParams) (LanguageCompleteResult, error) {
	w, file, at, err := LanguagePlaceParams{p.Files, p.Name, p.At}.open()
	if err != nil {
		return LanguageCompleteResult{}, err
	}
	if p.Run != "" && workspace.KindOf(p.Name) == workspace.KindRules {
		w.Files = append([]File{{Name: "run.jsonl", Text: p.Run}}, w.Files...)
	}
	c := s.table.Notations.Complete(w, p.Name, at)
	out := LanguageCompleteResult{Items: make([]LanguageItem, len(c.Items))}
	for i, item := range c.Items {
		out.Items[i] = LanguageItem(item)
	}
	pl := places{file: file}
	pl.span(&out.From, &out.To, c.Span)
	pl.settle()
	return out, nil
}

// LanguagePlace is an occurrence of a name. Defines marks the definition.
type LanguagePlace struct {
	File    string `json:"file"`
	From    int    `json:"from"`
	To      int    `json:"to"`
	Line    int    `json:"line"`
	Text    string `json:"text"` // of the line
	Defines bool   `json:"defines"`
}

// LanguageFindResult is the name at a place with its other occurrences, empty at a
// place without a name.
type LanguageFindResult struct {
	Kind   string          `json:"kind"`
	Name   string          `json:"name"`
	From   int             `json:"from"`
	To     int             `json:"to"`
	Places []LanguagePlace `json:"places"`
}

func (s *Session) languageFind(p LanguagePlaceParams) (LanguageFindResult, error) {
	w, file, at, err := p.open()
	if err != nil {
		return LanguageFindResult{}, err
	}
	out := LanguageFindResult{Places: []LanguagePlace{}}
	symbol := s.table.Notations.Find(w, p.Name, at)
	if symbol == nil {
		return out, nil
	}
	out.Kind, out.Name = symbol.Kind, symbol.Name
	here := places{file: file}
	here.span(&out.From, &out.To, symbol.Span)
	here.settle()
	out.Places = make([]LanguagePlace, len(symbol.Places))
	for _, f := range w.Files {
		there := f.Source()
		at := places{file: there}
		for i, place := range symbol.Places {
			if place.File == f.Name {
				line := there.Locate(place.Span.Start).Line
				out.Places[i] = LanguagePlace{File: place.File, Line: line, Text: there.Line(line), Defines: place.Defines}
				at.span(&out.Places[i].From, &out.Places[i].To, place.Span)
			}
		}
		at.settle()
	}
	return out, nil
}

// LanguageFoldsResult lists the ranges that can be folded.
type LanguageFoldsResult struct {
	Folds []LanguageFold `json:"folds"`
}

// LanguageFold is a range that can be hidden, from the end of the line that stays
// visible.
type LanguageFold struct {
	From int `json:"from"`
	To   int `json:"to"`
}

func (s *Session) languageFolds(p DocumentFormatParams) (LanguageFoldsResult, error) {
	f := File{Name: p.Name, Text: p.Text}
	list := s.table.Notations.Folds(f)
	out := LanguageFoldsResult{Folds: make([]LanguageFold, len(list))}
	at := places{file: f.Source()}
	for i, span := range list {
		at.span(&out.Folds[i].From, &out.Folds[i].To, span)
	}
	at.settle()
	return out, nil
}

// LanguageCard describes the text in a range. Word is a shortest word that contains the symbol or,
// if OfIt is set, that is derived from the symbol.
type LanguageCard struct {
	From  int      `json:"from"`
	To    int      `json:"to"`
	Kind  string   `json:"kind"`
	Name  string   `json:"name"`
	Form  string   `json:"form,omitempty"`
	Lines []string `json:"lines"`
	Word  []string `json:"word,omitempty"`
	OfIt  bool     `json:"ofIt,omitempty"`
}

// LanguageHoverResult has no card if nothing is known about the text.
type LanguageHoverResult struct {
	Card *LanguageCard `json:"card"`
}

func (s *Session) languageHover(p LanguagePlaceParams) (LanguageHoverResult, error) {
	w, file, at, err := p.open()
	if err != nil {
		return LanguageHoverResult{}, err
	}
	card := s.table.Notations.Hover(w, p.Name, at)
	if card == nil {
		return LanguageHoverResult{}, nil
	}
	out := &LanguageCard{Kind: card.Kind, Name: card.Name, Form: card.Form, Lines: card.Lines, Word: card.Word, OfIt: card.OfIt}
	pl := places{file: file}
	pl.span(&out.From, &out.To, card.Span)
	pl.settle()
	return LanguageHoverResult{Card: out}, nil
}

// LanguageEntry explains words of a notation.
type LanguageEntry struct {
	Words   []string `json:"words"`
	Form    string   `json:"form"`
	Text    string   `json:"text"`
	Example string   `json:"example"`
}

// LanguageReferenceParams are the extension of the notation's files, such as "cfg".
type LanguageReferenceParams struct {
	Kind workspace.Kind `json:"kind"`
}

// LanguageReferenceResult is the notation's manual.
type LanguageReferenceResult struct {
	Entries []LanguageEntry `json:"entries"`
}

func (s *Session) languageReference(p LanguageReferenceParams) (LanguageReferenceResult, error) {
	row := s.table.Notations.Kind(p.Kind)
	if row.Words == nil {
		return LanguageReferenceResult{}, s.unknownNotation(p.Kind)
	}
	entries := row.Words()
	out := LanguageReferenceResult{Entries: make([]LanguageEntry, len(entries))}
	for i, e := range entries {
		out.Entries[i] = LanguageEntry{Words: e.Words, Form: e.Form, Text: e.Text, Example: e.Example}
	}
	return out, nil
}

// unknownNotation returns the error of a kind without a manual.
func (s *Session) unknownNotation(kind workspace.Kind) error {
	var kinds []string
	for _, row := range s.table.Notations {
		if row.Words != nil {
			kinds = append(kinds, string(row.Kind))
		}
	}
	expected := strings.Join(kinds, ", ")
	if last := strings.LastIndex(expected, ", "); last >= 0 {
		expected = expected[:last] + " or " + expected[last+2:]
	}
	return source.NewError("language.kind", `unknown notation "`+string(kind)+`" (expected `+expected+")")
}

// LanguageRenameParams are a place in UTF-16 code units and the new name.
type LanguageRenameParams struct {
	Files []File `json:"files"`
	Name  string `json:"name"`
	At    int    `json:"at"`
	To    string `json:"to"`
}

// LanguageRenameResult lists the changes of a renaming.
type LanguageRenameResult struct {
	Changes []FileEdits `json:"changes"`
}

// FileEdits are changes of a file.
type FileEdits struct {
	File  string `json:"file"`
	Edits []Edit `json:"edits"`
}

func (s *Session) languageRename(p LanguageRenameParams) (LanguageRenameResult, error) {
	w, _, at, err := LanguagePlaceParams{p.Files, p.Name, p.At}.open()
	if err != nil {
		return LanguageRenameResult{}, err
	}
	changes, err := s.table.Notations.Rename(w, p.Name, at, p.To)
	if err != nil {
		return LanguageRenameResult{}, err
	}
	out := LanguageRenameResult{Changes: make([]FileEdits, len(changes))}
	for i, c := range changes {
		f, _ := w.File(c.File)
		out.Changes[i] = FileEdits{File: c.File, Edits: make([]Edit, len(c.Edits))}
		pl := places{file: f.Source()}
		for j, e := range c.Edits {
			out.Changes[i].Edits[j].Text = e.Text
			pl.span(&out.Changes[i].Edits[j].From, &out.Changes[i].Edits[j].To, e.Span)
		}
		pl.settle()
	}
	return out, nil
}
