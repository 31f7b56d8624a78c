package export

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/pushdown"
	"github.com/stile-playground/stile/core/source"
)

// Options of an export.
type Options struct {
	Name      string // of the file
	Format    string
	Separator *string // between two symbols; nil: the default
	Formula   *int    // of a file with several formulas; nil: all
	Budget    meter.Budget
}

// Source is a spec that can be written in formats of other tools. A nil function means
// that the spec cannot be written in the formats that need it.
type Source struct {
	Letters  []string // the letters to which properties can refer
	Notes    []Note
	Formulas []string // of a file with several

	graphs func() ([]Graph, bool)
	rules  func() (Rules, []Note, error)
	regexp func() (string, error)
	hoa    func() (string, bool)
}

// Formats of the kinds of specs, in the order of the page.
var (
	FormatsOfWords    = []string{"dot", "mermaid", "gbnf", "lark", "ebnf", "structural-tag", "w3c"}
	FormatsOfAutomata = []string{"dot", "mermaid", "gbnf", "lark", "ebnf", "structural-tag", "w3c", "regexp"}
	FormatsOfFormulas = []string{"dot", "mermaid", "hoa"}
	FormatsOfGraphs   = []string{"dot", "mermaid"}
)

// Write returns the text in the format of the options, and adds the notes on its rules to those of
// the spec.
func (s *Source) Write(o Options) (text string, err error) {
	unfit := source.NewError("export.format", fmt.Sprintf("%s cannot be written as %q", o.Name, o.Format))
	ok := true
	switch o.Format {
	case "dot", "mermaid":
		if s.graphs == nil {
			return "", unfit
		}
		var graphs []Graph
		graphs, ok = s.graphs()
		if o.Format == "mermaid" {
			text = MermaidOf(graphs...)
		} else {
			for _, g := range graphs {
				text += g.DOT()
			}
		}
		text = Comment(o.Format, s.Notes) + text
	case "hoa":
		if s.hoa == nil {
			return "", unfit
		}
		text, ok = s.hoa()
	case "regexp":
		if s.regexp == nil {
			return "", unfit
		}
		text, err = s.regexp()
	case "gbnf", "ebnf", "lark", "w3c", "structural-tag":
		if s.rules == nil {
			return "", unfit
		}
		var r Rules
		var notes []Note
		if r, notes, err = s.rules(); err == nil {
			s.Notes = append(notes, s.Notes...)
			text, err = r.Write(o.Format, s.Notes, meter.New(o.Budget))
		}
	default:
		return "", source.NewError("export.format", fmt.Sprintf("unknown target %q", o.Format))
	}
	if err == nil && !ok {
		err = source.NewError("limit.guards", "the automaton has too many labels to export")
	}
	return text, err
}

// separator returns the text between two symbols of a grammar, or of an automaton if it is nil.
func (o Options) separator(g *grammar.Grammar) string {
	ofCharacters := func(name string) bool { return Unspell(name) != (Part{Text: name}) }
	switch {
	case o.Separator != nil:
		return *o.Separator
	case g != nil && slices.ContainsFunc(g.Names[:g.NumTerminals], ofCharacters):
		return ""
	}
	return " "
}

// SourceOfGrammar returns a grammar within its limits.
func SourceOfGrammar(g *grammar.Grammar, o Options) *Source {
	return sourceOfRules(g, pushdown.FromGrammar(g), o)
}

// SourceOfPDA returns a pushdown automaton and the grammar of its words.
func SourceOfPDA(p *pushdown.PDA, o Options) (*Source, error) {
	g, err := p.Grammar(meter.New(o.Budget))
	if err != nil {
		return nil, err
	}
	s := sourceOfRules(g, p, o)
	if p.Backwards {
		s.Notes = append(s.Notes, BackwardsNote(o.Format)...)
	}
	return s, nil
}

func sourceOfRules(g *grammar.Grammar, p *pushdown.PDA, o Options) *Source {
	return &Source{
		Letters: g.Names[:g.NumTerminals],
		Notes:   LimitNotes(g, o.Format),
		graphs:  func() ([]Graph, bool) { return []Graph{GraphOfPDA(o.Name, p)}, true },
		rules: func() (Rules, []Note, error) {
			separator := o.separator(g)
			within, notes, err := WithinLimits(g)
			if o.Separator == nil && separator == "" {
				notes = append(notes, Note{Feature: "separator", Text: "No space between terminals: this is a grammar of characters."})
			}
			return FromGrammar(within, separator), notes, err
		},
	}
}

// SourceOfDFA returns the export source of an automaton whose letters have these names.
func SourceOfDFA(d *automaton.DFA, letters []string, o Options) *Source {
	return &Source{
		Letters: letters,
		graphs:  func() ([]Graph, bool) { return []Graph{GraphOfDFA(o.Name, d, letters)}, true },
		rules:   func() (Rules, []Note, error) { return FromDFA(d, letters, o.separator(nil)), nil, nil },
		regexp:  func() (string, error) { return Regexp(d, letters, o.separator(nil)) },
	}
}

// SourceOfGraph returns a spec that is only drawn.
func SourceOfGraph(g Graph) *Source {
	return &Source{graphs: func() ([]Graph, bool) { return []Graph{g}, true }}
}

// SourceOfAgent makes an agent exportable: its letters are the names of its states.
func SourceOfAgent(a *agent.Agent, o Options) *Source {
	var names []string
	for _, state := range a.States {
		names = append(names, state.Name)
	}
	return &Source{
		Letters: names,
		Notes:   AgentNotes(a, o.Format),
		graphs:  func() ([]Graph, bool) { return []Graph{GraphOfAgent(a)}, true },
		rules:   func() (Rules, []Note, error) { return FromAgent(a, meter.New(o.Budget)) },
		regexp:  func() (string, error) { return Regexp(a.DFA, names, o.separator(nil)) },
	}
}

// SourceOfFormulas returns formulas, or the one that the options select.
func SourceOfFormulas(list []ltl.Named, o Options) (*Source, error) {
	m := meter.New(o.Budget)
	names := make([]string, len(list))
	for i, n := range list {
		names[i] = FormulaLabel(n)
	}
	return SourceOfTraces(names, o, func(i int) (string, *ltl.Automaton, error) {
		f := list[i].Formula
		alphabet, err := ltl.NewAlphabet(f.Props(), ltl.Powerset)
		if err != nil {
			return "", nil, err
		}
		d, err := ltl.Translate(f, alphabet, m)
		return f.String(), d, err
	})
}

// SourceOfTraces returns formulas or rules with the given names, or the one that the options select.
// compile returns the text and the automaton of one, or nil to leave it out.
func SourceOfTraces(names []string, o Options, compile func(i int) (string, *ltl.Automaton, error)) (*Source, error) {
	s := &Source{}
	if len(names) > 1 {
		s.Formulas = names
	}
	first, end := 0, len(names)
	if o.Formula != nil {
		if *o.Formula < 0 || *o.Formula >= end {
			return nil, source.NewError("export.formula", fmt.Sprintf("unknown formula %d (the file has %d, numbered from 0)", *o.Formula, end))
		}
		first, end = *o.Formula, *o.Formula+1
	}
	if !slices.Contains(FormatsOfFormulas, o.Format) {
		return s, nil // writing it reports the error
	}
	var labels, texts []string
	var automata []*ltl.Automaton
	for i := first; i < end; i++ {
		text, d, err := compile(i)
		if err != nil {
			return nil, err
		}
		if d != nil {
			labels, texts, automata = append(labels, names[i]), append(texts, text), append(automata, d)
		}
	}
	s.graphs = func() (out []Graph, ok bool) {
		for i, d := range automata {
			name := o.Name
			if len(automata) > 1 {
				name = labels[i]
			}
			g, ok := GraphOfFormula(name, d)
			if !ok {
				return nil, false
			}
			out = append(out, g)
		}
		return out, true
	}
	s.hoa = func() (text string, ok bool) {
		for i, d := range automata {
			one, ok := HOA(texts[i], d.Symbolic, d.Names())
			if !ok {
				return "", false
			}
			text += one
		}
		return text, true
	}
	return s, nil
}

// FormulaLabel returns the name of a formula, or the formula itself if it has no name.
func FormulaLabel(n ltl.Named) string { return cmp.Or(n.Name, n.Formula.String()) }
