package session

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/export"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/pushdown"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
)

// SpecExportParams are a spec, whose name's ending gives its language, and a
// notation: "dot", "mermaid", "hoa", "gbnf", "ebnf", "lark", "w3c", "regexp" or
// "structural-tag", or, of an agent, a guard: "guard-go", "guard-typescript" or
// "guard-python". Separator is written between two symbols in texts. Its default
// is a space, or nothing for a grammar of characters: one with a terminal such as
// ⟨[a-z]⟩ or ⟨"\n"⟩, see [export.Spell]. A guard contains the properties of Files, the
// workspace's.
type SpecExportParams struct {
	Name      string  `json:"name"`
	Text      string  `json:"text"`
	Format    string  `json:"format"`
	Separator *string `json:"separator,omitempty"`
	Files     []File  `json:"files,omitempty"`
}

// SpecExportResult is the spec in the other notation.
type SpecExportResult struct {
	Text string `json:"text"`
}

// exportable is a spec as far as it can be written in other notations.
type exportable struct {
	graph  func() (export.Graph, bool)
	rules  func() export.Rules
	regexp func() (string, error)
	hoa    func() (string, bool)
}

func (s *Session) specExport(p SpecExportParams) (SpecExportResult, error) {
	if strings.HasPrefix(p.Format, "guard-") {
		return exportGuard(p)
	}
	spec, err := openExportable(p)
	if err != nil {
		return SpecExportResult{}, err
	}
	unfit := source.NewError("export.format", fmt.Sprintf("%s cannot be written as %q", p.Name, p.Format))
	tooLarge := source.NewError("limit.guards", "the labels of this automaton are too many to write")
	text, ok := "", true
	switch p.Format {
	case "dot", "mermaid":
		var g export.Graph
		if g, ok = spec.graph(); p.Format == "dot" {
			text = g.DOT()
		} else {
			text = g.Mermaid()
		}
	case "hoa":
		if spec.hoa == nil {
			return SpecExportResult{}, unfit
		}
		text, ok = spec.hoa()
	case "regexp":
		if spec.regexp == nil {
			return SpecExportResult{}, unfit
		}
		text, err = spec.regexp()
	case "gbnf", "ebnf", "lark", "w3c", "structural-tag":
		if spec.rules == nil {
			return SpecExportResult{}, unfit
		}
		r := spec.rules()
		if p.Format != "lark" {
			if r, err = r.Expand(meter.New(callBudget)); err != nil {
				return SpecExportResult{}, err
			}
		}
		switch p.Format {
		case "gbnf":
			text = r.GBNF()
		case "ebnf":
			text = r.EBNF()
		case "lark":
			text = r.Lark()
		case "w3c":
			text = r.W3C()
		default:
			text, err = r.StructuralTag()
		}
	default:
		return SpecExportResult{}, source.NewError("export.format", fmt.Sprintf("there is no notation %q", p.Format))
	}
	if err == nil && !ok {
		err = tooLarge
	}
	return SpecExportResult{Text: text}, err
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

func openExportable(p SpecExportParams) (exportable, error) {
	separator := p.separatorOf(nil)
	file := source.NewFile(p.Name, p.Text)
	var out exportable
	var found []source.Diagnostic
	sound := false
	switch workspace.KindOf(p.Name) {
	case workspace.KindGrammar:
		g, more := compileGrammar(file, "")
		found, sound = more, g != nil
		out.graph = func() (export.Graph, bool) { return export.GraphOfPDA(p.Name, pushdown.FromGrammar(g)), true }
		out.rules = func() export.Rules { return export.FromGrammar(g, p.separatorOf(g)) }
	case workspace.KindPushdown:
		a, more := compilePushdown(file)
		found, sound = more, a != nil
		if !sound || source.HasErrors(found) {
			break
		}
		g, err := a.Grammar(meter.New(callBudget))
		if err != nil {
			return out, err
		}
		out.graph = func() (export.Graph, bool) { return export.GraphOfPDA(p.Name, a), true }
		out.rules = func() export.Rules { return export.FromGrammar(g, separator) }
	case workspace.KindFlow:
		f, more := compileFlow(file)
		found, sound = more, f != nil
		out.graph = func() (export.Graph, bool) { return export.GraphOfDFA(p.Name, f.DFA(), f.Letters()), true }
		out.rules = func() export.Rules { return export.FromDFA(f.DFA(), f.Letters(), separator) }
		out.regexp = func() (string, error) { return export.Regexp(f.DFA(), f.Letters(), separator) }
	case workspace.KindAgent:
		a, more := compileAgent(file)
		found, sound = more, a != nil
		if !sound {
			break
		}
		var names, prompts []string
		var choices [][]string
		for _, state := range a.States {
			names, prompts, choices = append(names, state.Name), append(prompts, state.Text), append(choices, state.OneOf)
		}
		out.graph = func() (export.Graph, bool) { return export.GraphOfDFA(a.Name, a.DFA, names), true }
		out.rules = func() export.Rules { return export.FromSegments(a.DFA, prompts, choices) }
		out.regexp = func() (string, error) { return export.Regexp(a.DFA, names, separator) }
	case workspace.KindFormulas:
		f, err := openFormula(p.Text)
		if err != nil {
			return out, err
		}
		alphabet, err := ltl.NewAlphabet(f.Props(), ltl.Powerset)
		if err != nil {
			return out, err
		}
		d, err := ltl.Translate(f, alphabet, meter.New(callBudget))
		if err != nil {
			return out, err
		}
		sound = true
		out.graph = func() (export.Graph, bool) { return export.GraphOfFormula(p.Name, d) }
		out.hoa = func() (string, bool) { return export.HOA(f.String(), d.Symbolic, d.Names()) }
	default:
		return out, source.NewError("export.kind", p.Name+" is not a spec")
	}
	if !sound || source.HasErrors(found) {
		return out, invalid(file, found)
	}
	return out, nil
}

// SpecImportParams are a text in another notation: "gbnf", "ebnf", "lark" or "hoa".
type SpecImportParams struct {
	Text   string `json:"text"`
	Format string `json:"format"`
}

// SpecImportResult is the same language in .cfg; empty where the text has errors.
type SpecImportResult struct {
	Text        string       `json:"text"`
	Diagnostics []Diagnostic `json:"diagnostics"`
}

// importers read other notations.
var importers = map[string]func(*source.File) (string, []source.Diagnostic){
	"gbnf": export.ReadGBNF, "ebnf": export.ReadGBNF, "lark": export.ReadLark,
	"hoa": func(file *source.File) (string, []source.Diagnostic) {
		return export.ImportHOA(file, meter.New(callBudget))
	},
}

func (s *Session) specImport(p SpecImportParams) (SpecImportResult, error) {
	read, ok := importers[p.Format]
	if !ok {
		return SpecImportResult{}, source.NewError("export.format", fmt.Sprintf("unknown notation %q (expected ebnf, gbnf, hoa or lark)", p.Format))
	}
	file := source.NewFile("import."+p.Format, p.Text)
	text, found := read(file)
	return SpecImportResult{Text: text, Diagnostics: wireDiagnostics(file, found)}, nil
}
