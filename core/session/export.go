package session

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/stile-playground/stile/core/export"
	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/rules/cedar"
	"github.com/stile-playground/stile/core/source"
)

func exportMethods() []Method {
	return []Method{method("spec.export", (*Session).specExport), pure("spec.import", specImport)}
}

// SpecExportParams are a spec, whose file extension selects its notation, and a target:
// "dot", "mermaid", "hoa", "gbnf", "ebnf", "lark", "w3c", "regexp" or "structural-tag",
// or, for an agent, a guard: "guard-go", "guard-typescript" or "guard-python". Separator
// is written between two symbols in texts. Its default is a space, or nothing for a
// grammar of characters: one with a terminal such as ⟨[a-z]⟩ or ⟨"\n"⟩, see
// [export.Spell]. Formula is the index of one formula in a file of several; without it,
// all of them are written. Files are the workspace: a guard contains its properties, and
// a note lists them if they are not part of the text.
type SpecExportParams struct {
	Name      string  `json:"name"`
	Text      string  `json:"text"`
	Format    string  `json:"format"`
	Separator *string `json:"separator,omitempty"`
	Formula   *int    `json:"formula,omitempty"`
	Files     []File  `json:"files,omitempty"`
}

// SpecExportResult is the exported text. Diagnostics warn about features that the target
// does not support, with codes "export.limits" and so on, and explain how to use the text;
// they are repeated as comments in the text if the target has comments. Formulas are
// those of a file with several.
type SpecExportResult struct {
	Text        string       `json:"text"`
	Diagnostics []Diagnostic `json:"diagnostics,omitempty"`
	Formulas    []string     `json:"formulas,omitempty"`
}

func (s *Session) specExport(p SpecExportParams) (SpecExportResult, error) {
	if strings.HasPrefix(p.Format, "guard-") {
		return exportGuard(s.table.Notations, p)
	}
	file := source.NewFile(p.Name, p.Text)
	spec, err := openExportable(s.table.Notations, p, file)
	if err != nil {
		return SpecExportResult{}, err
	}
	spec.Notes = append(spec.Notes, propertyNotes(s.table.Notations, p, spec.Letters)...)
	text, err := spec.Write(p.options())
	if err != nil {
		return SpecExportResult{}, err
	}
	out := SpecExportResult{Text: text, Formulas: spec.Formulas}
	var found []source.Diagnostic
	for _, n := range spec.Notes {
		d := source.Diagnostic{Code: "export." + string(n.Feature), Severity: source.SeverityInfo, Message: n.Text}
		if n.Lost {
			d.Severity, d.Message = source.SeverityWarning, "not exported: "+n.Text
		}
		found = append(found, d)
	}
	if len(found) > 0 {
		out.Diagnostics = wireDiagnostics(file, found)
	}
	return out, nil
}

// openExportable returns the spec of a file for an export, or the reason why it cannot be exported.
func openExportable(t notation.Table, p SpecExportParams, file *source.File) (*export.Source, error) {
	row := t.Of(p.Name)
	if len(row.Exports) == 0 {
		return nil, source.NewError("export.kind", fmt.Sprintf("%s is not a grammar, an automaton, a flowchart, an agent, a team or formulas", p.Name))
	}
	compiled, found := row.Spec(file)
	spec, ok := compiled.(notation.Exporter)
	if !ok || source.HasErrors(found) {
		return nil, notation.Invalid(file, found)
	}
	return spec.Export(p.options())
}

func (p SpecExportParams) options() export.Options {
	return export.Options{Name: p.Name, Format: p.Format, Separator: p.Separator, Formula: p.Formula, Budget: callBudget}
}

// propertyNotes lists the workspace's formulas that refer only to symbols of the spec:
// runs enforce them, the exported text does not.
func propertyNotes(t notation.Table, p SpecExportParams, letters []string) []export.Note {
	var out []export.Note
	for _, f := range t.Properties(p.Files) {
		if f.File.Name == p.Name || len(letters) == 0 || source.HasErrors(f.Found) {
			continue
		}
		var names []string
		for _, n := range f.Formulas {
			if (notation.Subject{Letters: letters}).Has(n.Formula) {
				names = append(names, export.FormulaLabel(n))
			}
		}
		if len(names) > 0 {
			out = append(out, export.PropertyNote(p.Format, f.File.Name, names)...)
		}
	}
	return out
}

// SpecImportParams are a text in another notation: "gbnf", "ebnf", "lark", "hoa", or "cedar" for
// policies of Cedar and Dogwood.
type SpecImportParams struct {
	Text   string `json:"text"`
	Format string `json:"format"`
}

// SpecImportResult is the same language in .cfg, of policies in .rules; empty if the text has errors.
// Notes are sentences about changes that the import made.
type SpecImportResult struct {
	Text        string       `json:"text"`
	Diagnostics []Diagnostic `json:"diagnostics"`
	Notes       []string     `json:"notes,omitempty"`
}

// importer returns the reader for a notation of another tool, or nil.
func importer(format string) func(file *source.File) (string, []source.Diagnostic) {
	switch format {
	case "gbnf", "ebnf":
		return export.ReadGBNF
	case "lark":
		return export.ReadLark
	case "hoa":
		return func(file *source.File) (string, []source.Diagnostic) {
			return export.ImportHOA(file, meter.New(callBudget))
		}
	}
	return nil
}

func specImport(p SpecImportParams) (SpecImportResult, error) {
	if p.Format == "cedar" {
		file := source.NewFile("import.cedar", p.Text)
		text, found, notes := cedar.Import(file, cedar.Options{})
		return SpecImportResult{Text: text, Diagnostics: wireDiagnostics(file, found), Notes: notes}, nil
	}
	read := importer(p.Format)
	if read == nil {
		return SpecImportResult{}, source.NewError("export.format", fmt.Sprintf("unknown notation %q (expected cedar, ebnf, gbnf, hoa or lark)", p.Format))
	}
	file := source.NewFile("import."+p.Format, p.Text)
	text, found := read(file)
	return SpecImportResult{Text: text, Diagnostics: wireDiagnostics(file, found), Notes: importNotes(p, text)}, nil
}

// maxNamed is the number of rules that a note names.
const maxNamed = 6

// importNotes lists the rules that an import added, and explains the terminals of a grammar of
// characters.
func importNotes(p SpecImportParams, text string) []string {
	if text == "" {
		return nil
	}
	if p.Format == "hoa" {
		return []string{"The nonterminals are the states of the automaton."}
	}
	var notes, added []string
	g, _ := language.CompileGrammar(source.NewFile("import.cfg", text), "")
	if g == nil {
		return nil
	}
	// Most names are words of the text; a search for each would be quadratic.
	words := map[string]bool{}
	for word := range strings.FieldsFuncSeq(p.Text, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		words[word] = true
	}
	for _, name := range g.Names[g.NumTerminals:] {
		if !words[name] && !strings.Contains(p.Text, name) {
			added = append(added, name)
		}
	}
	if n := len(added); n > 0 {
		if n > maxNamed {
			added = append(added[:maxNamed], "…")
		}
		notes = append(notes, notation.Count(n, "rule")+" added for groups and repetitions: "+strings.Join(added, ", ")+".")
	}
	if slices.ContainsFunc(g.Names[:g.NumTerminals], func(name string) bool { return export.Unspell(name).Class != nil }) {
		notes = append(notes, "A symbol such as ⟨[0-9]⟩ is one character of a class; other symbols are texts. White space between symbols is not part of the text.")
	}
	return notes
}
