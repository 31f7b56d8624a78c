package session

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/export"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/pushdown"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
)

func exportMethods() []Method {
	return []Method{method("spec.export", (*Session).specExport), method("spec.import", (*Session).specImport)}
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
// does not support, with codes "export.limits" and so on, and say how to use the text;
// they are repeated as comments in the text if the target has comments. Formulas are
// those of a file with several.
type SpecExportResult struct {
	Text        string       `json:"text"`
	Diagnostics []Diagnostic `json:"diagnostics,omitempty"`
	Formulas    []string     `json:"formulas,omitempty"`
}

// exportable is a spec prepared for export.
type exportable struct {
	graphs   func() ([]export.Graph, bool)
	rules    func() (export.Rules, []export.Note, error)
	regexp   func() (string, error)
	hoa      func() (string, bool)
	letters  []string // that properties may refer to
	notes    []export.Note
	formulas []string
}

func (s *Session) specExport(p SpecExportParams) (SpecExportResult, error) {
	if strings.HasPrefix(p.Format, "guard-") {
		return exportGuard(p)
	}
	file := source.NewFile(p.Name, p.Text)
	spec, err := openExportable(p, file)
	if err != nil {
		return SpecExportResult{}, err
	}
	spec.notes = append(spec.notes, propertyNotes(p, spec.letters)...)
	text, err := spec.write(p)
	if err != nil {
		return SpecExportResult{}, err
	}
	out := SpecExportResult{Text: text, Formulas: spec.formulas}
	var found []source.Diagnostic
	for _, n := range spec.notes {
		d := source.Diagnostic{Code: "export." + string(n.Feature), Severity: source.SeverityInfo, Message: n.Text}
		if n.Lost {
			d.Severity, d.Message = source.SeverityWarning, "not carried over: "+n.Text
		}
		found = append(found, d)
	}
	if len(found) > 0 {
		out.Diagnostics = wireDiagnostics(file, found)
	}
	return out, nil
}

// write exports the spec, and adds the notes on its rules to those of the spec.
func (spec *exportable) write(p SpecExportParams) (string, error) {
	unfit := source.NewError("export.format", fmt.Sprintf("%s cannot be written as %q", p.Name, p.Format))
	text, ok := "", true
	var err error
	switch p.Format {
	case "dot", "mermaid":
		if spec.graphs == nil {
			return "", unfit
		}
		var graphs []export.Graph
		graphs, ok = spec.graphs()
		if p.Format == "mermaid" {
			text = export.MermaidOf(graphs...)
		} else {
			for _, g := range graphs {
				text += g.DOT()
			}
		}
		text = export.Comment(p.Format, spec.notes) + text
	case "hoa":
		if spec.hoa == nil {
			return "", unfit
		}
		text, ok = spec.hoa()
	case "regexp":
		if spec.regexp == nil {
			return "", unfit
		}
		text, err = spec.regexp()
	case "gbnf", "ebnf", "lark", "w3c", "structural-tag":
		if spec.rules == nil {
			return "", unfit
		}
		var r export.Rules
		var notes []export.Note
		if r, notes, err = spec.rules(); err == nil {
			spec.notes = append(notes, spec.notes...)
			text, err = r.Write(p.Format, spec.notes, meter.New(callBudget))
		}
	default:
		return "", source.NewError("export.format", fmt.Sprintf("unknown target %q", p.Format))
	}
	if err == nil && !ok {
		err = source.NewError("limit.guards", "the automaton has too many labels to export")
	}
	return text, err
}

// separatorOf returns the text between two symbols.
func (p SpecExportParams) separatorOf(g *grammar.Grammar) string {
	ofCharacters := func(name string) bool { return export.Unspell(name) != (export.Part{Text: name}) }
	switch {
	case p.Separator != nil:
		return *p.Separator
	case g != nil && slices.ContainsFunc(g.Names[:g.NumTerminals], ofCharacters):
		return ""
	}
	return " "
}

func openExportable(p SpecExportParams, file *source.File) (exportable, error) {
	var out exportable
	var found []source.Diagnostic
	sound := false
	switch workspace.KindOf(p.Name) {
	case workspace.KindGrammar:
		g, more := language.CompileGrammar(file, "")
		if found, sound = more, g != nil; sound {
			out.ofGrammar(p, g)
			out.graphs = func() ([]export.Graph, bool) {
				return []export.Graph{export.GraphOfPDA(p.Name, pushdown.FromGrammar(g))}, true
			}
		}
	case workspace.KindPushdown:
		a, more := language.CompilePushdown(file)
		found, sound = more, a != nil
		if !sound || source.HasErrors(found) {
			break
		}
		g, err := a.Grammar(meter.New(callBudget))
		if err != nil {
			return out, err
		}
		out.ofGrammar(p, g)
		out.graphs = func() ([]export.Graph, bool) { return []export.Graph{export.GraphOfPDA(p.Name, a)}, true }
		if a.Backwards {
			out.notes = append(out.notes, export.BackwardsNote(p.Format)...)
		}
	case workspace.KindFlow:
		f, more := language.CompileFlow(file)
		if found, sound = more, f != nil; !sound {
			break
		}
		separator := p.separatorOf(nil)
		out.letters = f.Letters()
		out.graphs = func() ([]export.Graph, bool) {
			return []export.Graph{export.GraphOfDFA(p.Name, f.DFA(), f.Letters())}, true
		}
		out.rules = func() (export.Rules, []export.Note, error) {
			return export.FromDFA(f.DFA(), f.Letters(), separator), nil, nil
		}
		out.regexp = func() (string, error) { return export.Regexp(f.DFA(), f.Letters(), separator) }
	case workspace.KindAgent:
		a, err := soundAgent(file)
		if err != nil {
			return out, err
		}
		sound = true
		var names []string
		for _, state := range a.States {
			names = append(names, state.Name)
		}
		out.letters = names
		out.notes = export.AgentNotes(a, p.Format)
		out.graphs = func() ([]export.Graph, bool) {
			return []export.Graph{export.GraphOfDFA(a.Name, a.DFA, names)}, true
		}
		out.rules = func() (export.Rules, []export.Note, error) {
			return export.FromAgent(a, meter.New(callBudget))
		}
		out.regexp = func() (string, error) { return export.Regexp(a.DFA, names, p.separatorOf(nil)) }
	case workspace.KindFormulas:
		return out, out.ofFormulas(p, file)
	default:
		return out, source.NewError("export.kind", fmt.Sprintf("%s is not a grammar, an automaton, a flowchart, an agent or formulas", p.Name))
	}
	if !sound || source.HasErrors(found) {
		return out, notation.Invalid(file, found)
	}
	return out, nil
}

// ofGrammar writes a grammar within its limits.
func (spec *exportable) ofGrammar(p SpecExportParams, g *grammar.Grammar) {
	spec.letters = g.Names[:g.NumTerminals]
	spec.notes = export.LimitNotes(g, p.Format)
	spec.rules = func() (export.Rules, []export.Note, error) {
		separator := p.separatorOf(g)
		within, notes, err := export.WithinLimits(g)
		if p.Separator == nil && separator == "" {
			notes = append(notes, export.Note{Feature: "separator", Text: "No space between terminals: this is a grammar of characters."})
		}
		return export.FromGrammar(within, separator), notes, err
	}
}

// ofFormulas opens a file of formulas.
func (spec *exportable) ofFormulas(p SpecExportParams, file *source.File) error {
	list, found := ltl.Parse(file)
	if source.HasErrors(found) {
		return notation.Invalid(file, found)
	}
	if len(list) > 1 {
		for _, n := range list {
			spec.formulas = append(spec.formulas, formulaLabel(n))
		}
	}
	if p.Formula != nil {
		if *p.Formula < 0 || *p.Formula >= len(list) {
			return source.NewError("export.formula", fmt.Sprintf("unknown formula %d (the file has %d, numbered from 0)", *p.Formula, len(list)))
		}
		list = list[*p.Formula : *p.Formula+1]
	}
	m := meter.New(callBudget)
	var automata []*ltl.Automaton
	for _, n := range list {
		alphabet, err := ltl.NewAlphabet(n.Formula.Props(), ltl.Powerset)
		if err != nil {
			return err
		}
		d, err := ltl.Translate(n.Formula, alphabet, m)
		if err != nil {
			return err
		}
		automata = append(automata, d)
	}
	spec.graphs = func() (out []export.Graph, ok bool) {
		for i, d := range automata {
			name := p.Name
			if len(list) > 1 {
				name = formulaLabel(list[i])
			}
			g, ok := export.GraphOfFormula(name, d)
			if !ok {
				return nil, false
			}
			out = append(out, g)
		}
		return out, true
	}
	spec.hoa = func() (text string, ok bool) {
		for i, d := range automata {
			one, ok := export.HOA(list[i].Formula.String(), d.Symbolic, d.Names())
			if !ok {
				return "", false
			}
			text += one
		}
		return text, true
	}
	return nil
}

// formulaLabel is the name of a formula, or its text.
func formulaLabel(n ltl.Named) string {
	return cmp.Or(n.Name, n.Formula.String())
}

// propertyNotes lists the workspace's formulas that refer only to symbols of the spec:
// runs enforce them, the exported text does not.
func propertyNotes(p SpecExportParams, letters []string) []export.Note {
	var out []export.Note
	for _, f := range p.Files {
		if workspace.KindOf(f.Name) != workspace.KindFormulas || f.Name == p.Name || len(letters) == 0 {
			continue
		}
		list, found := ltl.Parse(f.Source())
		if source.HasErrors(found) {
			continue
		}
		var names []string
		for _, n := range list {
			if (notation.Subject{Letters: letters}).Has(n.Formula) {
				names = append(names, formulaLabel(n))
			}
		}
		if len(names) > 0 {
			out = append(out, export.PropertyNote(p.Format, f.Name, names)...)
		}
	}
	return out
}

// SpecImportParams are a text in another notation: "gbnf", "ebnf", "lark" or "hoa".
type SpecImportParams struct {
	Text   string `json:"text"`
	Format string `json:"format"`
}

// SpecImportResult is the same language in .cfg; empty if the text has errors.
type SpecImportResult struct {
	Text        string       `json:"text"`
	Diagnostics []Diagnostic `json:"diagnostics"`
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

func (s *Session) specImport(p SpecImportParams) (SpecImportResult, error) {
	read := importer(p.Format)
	if read == nil {
		return SpecImportResult{}, source.NewError("export.format", fmt.Sprintf("unknown notation %q (expected ebnf, gbnf, hoa or lark)", p.Format))
	}
	file := source.NewFile("import."+p.Format, p.Text)
	text, found := read(file)
	return SpecImportResult{Text: text, Diagnostics: wireDiagnostics(file, found)}, nil
}
