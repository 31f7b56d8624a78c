package language

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/export"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/rules"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/view"
)

// Rules about the order of calls only have automata, whose letters are tools. A letter that a rule
// does not name is a call of any other tool.

// tableOf returns the automaton of a rule over tools, or an error that names the part of the rule that
// no automaton can express.
func tableOf(r *rules.Rule, tools []string, m *meter.Meter) (*automaton.DFA, error) {
	if part, _ := r.Data(); part != "" {
		return nil, source.NewError("rules.data", `no automaton: the rule "`+r.Name+`" depends on `+part+"; only rules about the order of calls have one")
	}
	return r.Automaton(tools, m)
}

// tracesOf is [tableOf] as an automaton over steps. In a one-hot alphabet the last proposition is a call of
// another tool; in a powerset alphabet no proposition holds at such a call.
func tracesOf(r *rules.Rule, letters ltl.Letters, m *meter.Meter) (*ltl.Automaton, error) {
	tools := r.Uses().Tools
	all := append(tools[:len(tools):len(tools)], notation.NoSymbol)
	d, err := tableOf(r, all, m)
	if err != nil {
		return nil, err
	}
	if letters == ltl.OneHot {
		tools = all
	}
	alphabet, err := ltl.NewAlphabet(tools, letters)
	if err != nil {
		return nil, err
	}
	return ltl.OfDFA(d, alphabet), nil
}

// readRules returns the rules of a file without errors.
func readRules(file *source.File) (*rules.File, error) {
	f := rules.Parse(file)
	if source.HasErrors(f.Diagnostics) || len(f.Rules) == 0 {
		return nil, notation.Invalid(file, f.Diagnostics)
	}
	return f, nil
}

// pictureOfRules draws the first rule that has an automaton.
func pictureOfRules(a *notation.Analysis, f *rules.File) {
	if source.HasErrors(f.Diagnostics) {
		return
	}
	for _, r := range f.Rules {
		if d, err := tracesOf(r, ltl.OneHot, meter.New(AnalysisBudget)); err == nil {
			a.Draw(view.Formula(d, r.Name, view.Picture, nil))
			return
		}
	}
}

// drawRules returns a view for each rule of a file; a rule with data has no drawing.
func drawRules(s *notation.Scope, w *notation.Graph) {
	f, err := readRules(s.File)
	if err != nil {
		return
	}
	for i, r := range f.Rules {
		if !w.View(strconv.Itoa(i), r.Name, r.Span) {
			continue
		}
		if automaton, err := tracesOf(r, ltl.OneHot, meter.New(AnalysisBudget)); err == nil {
			d := view.Formula(automaton, r.Name, view.Complete, nil)
			w.Drawing = &d
			for _, node := range d.Nodes {
				w.Place(node.ID, r.Span)
			}
		}
	}
}

// walkRules steps through the calls of a rule, by default the first of the file.
func walkRules(s *notation.Scope, word []string) (out notation.Walk, err error) {
	f, err := readRules(s.File)
	if err != nil {
		return out, err
	}
	index, _ := strconv.Atoi(s.View)
	r := f.Rules[min(max(index, 0), len(f.Rules)-1)]
	d, err := tracesOf(r, ltl.OneHot, meter.New(AnalysisBudget))
	if err != nil {
		return out, err
	}
	tools := r.Uses().Tools
	letters := lettersOf(s, tools, toolsOf(f), func(subject notation.Subject) bool { return subject.Missing != nil && includes(subject.Letters, tools) })
	return walkTrace(d, letters, word), nil
}

func includes(list, names []string) bool {
	return !slices.ContainsFunc(names, func(name string) bool { return !slices.Contains(list, name) })
}

// toolsOf returns the tools that the rules of a file name.
func toolsOf(f *rules.File) (out []string) {
	for _, r := range f.Rules {
		for _, tool := range r.Uses().Tools {
			if !slices.Contains(out, tool) {
				out = append(out, tool)
			}
		}
	}
	return out
}

func specOfRules(file *source.File) (notation.Spec, []source.Diagnostic) {
	f := rules.Parse(file)
	return rulesSpec{file, f}, f.Diagnostics
}

type rulesSpec struct {
	file *source.File
	f    *rules.File
}

// Letters returns none: formulas of other files do not refer to rules.
func (s rulesSpec) Letters() []string { return nil }

// Export writes the selected rule, or all rules of a file that have an automaton.
func (s rulesSpec) Export(o export.Options) (*export.Source, error) {
	m := meter.New(o.Budget)
	names, ordered := make([]string, len(s.f.Rules)), false
	for i, r := range s.f.Rules {
		names[i], ordered = r.Name, ordered || r.Order()
	}
	var notes []export.Note
	out, err := export.SourceOfTraces(names, o, func(i int) (string, *ltl.Automaton, error) {
		r := s.f.Rules[i]
		if part, _ := r.Data(); part != "" && ordered && o.Formula == nil {
			notes = append(notes, export.Note{Feature: "data", Lost: true, Text: "the rule " + r.Name + ", which depends on " + part + "."})
			return "", nil, nil
		}
		d, err := tracesOf(r, ltl.Powerset, m)
		return strings.Join(strings.Fields(s.file.Slice(r.Span)), " "), d, err
	})
	if err == nil {
		out.Notes = notes
	}
	return out, err
}

// Part returns the spec with a single rule.
func (s rulesSpec) Part(view string) notation.Open {
	if n := len(s.f.Rules); n > 1 {
		index, _ := strconv.Atoi(view)
		one := *s.f
		one.Rules = one.Rules[min(max(index, 0), n-1):][:1]
		s.f = &one
	}
	return s
}

// Names returns the tools that the rules name.
func (s rulesSpec) Names() []string { return toolsOf(s.f) }

// Words returns the calls of complete runs that all rules permit.
func (s rulesSpec) Words(m *meter.Meter) (notation.WordSet, error) {
	return s.WordsOver(append(s.Names(), notation.NoSymbol), m)
}

// WordsOver is [rulesSpec.Words] for calls of the given tools.
func (s rulesSpec) WordsOver(letters []string, m *meter.Meter) (notation.WordSet, error) {
	if len(s.f.Rules) == 0 {
		return notation.WordSet{}, notation.Invalid(s.file, s.f.Diagnostics)
	}
	var all *automaton.DFA
	for _, r := range s.f.Rules {
		d, err := tableOf(r, letters, m)
		if err == nil && all != nil {
			d, err = automaton.Product(all, d, func(a, b bool) bool { return a && b }, m)
		}
		if err != nil {
			return notation.WordSet{}, err
		}
		all = d
	}
	return wordsOfDFA(all, letters), nil
}
