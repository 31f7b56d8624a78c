// Package compile makes compiled guards of workspaces: the file that package gate and the
// runtimes for JavaScript and Python read.
package compile

import (
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/gate"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/monitor"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/pushdown"
	"github.com/stile-playground/stile/core/rules"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
)

// Options are the settings of a compilation.
type Options struct {
	Name    string            `json:"name,omitempty"`
	Version string            `json:"version,omitempty"` // of the compiler
	Texts   bool              `json:"texts,omitempty"`   // the file has the texts of its sources
	Only    string            `json:"only,omitempty"`    // the name of the agent, grammar, automaton or flowchart to compile; all if empty
	Tools   []string          `json:"tools,omitempty"`   // the tools that may be called; any that a spec has if empty
	Mapping []monitor.Mapping `json:"mapping,omitempty"` // of an agent's parts, see monitor.MapTrace
	Roles   monitor.Roles     `json:"roles,omitzero"`

	// Unchecked are keywords of JSON Schema that the guard does not check. Without them, a keyword that the runtimes
	// cannot check is an error.
	Unchecked []string `json:"unchecked,omitempty"`
}

// budget bounds the compilation of each table.
var budget = meter.Budget{Steps: 50_000_000, States: 500_000}

// Compile compiles the specs of a workspace: agents, grammars, automata, flowcharts, the formulas
// about them and rules about data. Other files, and the specs that Only excludes, just define
// symbols. The error has code "guard.spec" for a workspace without specs and for a spec that no table
// represents exactly, "guard.schema" for a schema of a tool that the runtimes cannot check, "source.invalid" for a spec with errors, and "property.unjudged" for a formula
// about no spec.
func Compile(table notation.Table, files []workspace.File, o Options) (*gate.File, error) {
	out := &gate.File{Format: gate.Format, Name: o.Name, Version: o.Version, Specs: []gate.Spec{}, Rules: []gate.RuleFile{}, Sources: []gate.Source{}}
	if len(o.Tools) > 0 {
		out.Tools = slices.Clone(o.Tools)
	}
	if err := language.CheckProperties(table, files, nil); err != nil {
		return nil, err
	}
	properties := table.Properties(files)
	for _, f := range files {
		used := true
		var spec *gate.Spec
		var err error
		kind := table.Of(f.Name).Kind
		if o.Only != "" && f.Name != o.Only && kind != workspace.KindRules && kind != workspace.KindFormulas {
			continue
		}
		switch kind {
		case workspace.KindAgent:
			spec, err = ofAgent(f, o)
		case workspace.KindGrammar:
			spec, err = ofGrammar(f)
		case workspace.KindPushdown:
			spec, err = ofPushdown(f)
		case workspace.KindRules:
			err = addRules(out, f)
		case workspace.KindFormulas:
		default:
			spec, err = ofFinite(table.Of(f.Name), f)
			used = spec != nil
		}
		if err != nil {
			return nil, err
		}
		if spec != nil {
			if spec.Properties, err = formulas(spec, properties); err != nil {
				return nil, err
			}
			out.Specs = append(out.Specs, *spec)
		}
		if used {
			out.Sources = append(out.Sources, sourceOf(f, o))
		}
	}
	if len(out.Specs)+len(out.Rules) == 0 {
		return nil, source.NewError("guard.spec", "no spec to guard: expected a file with the ending .agent, .cfg, .pda, .flow or .rules")
	}
	if out.Name == "" {
		out.Name = strings.TrimSuffix(out.Sources[0].Name, "."+ending(out.Sources[0].Name))
	}
	unique(out)
	if err := addSchemas(out, files, o); err != nil {
		return nil, err
	}
	return out, nil
}

func sourceOf(f workspace.File, o Options) gate.Source {
	s := gate.Source{Name: f.Name, SHA256: gate.Sum(f.Text)}
	if o.Texts {
		s.Text = f.Text
	}
	return s
}

func ending(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// unique renames properties of several specs so that no two have the same name.
func unique(f *gate.File) {
	seen := map[string]bool{}
	for i := range f.Specs {
		s := &f.Specs[i]
		seen[s.Name] = true
		for k := range s.Properties {
			p := &s.Properties[k]
			for seen[p.Name] {
				p.Name += " (" + s.Name + ")"
			}
			seen[p.Name] = true
		}
	}
}

// Text returns the file's text. Equal workspaces have equal texts.
func Text(f *gate.File) (string, error) {
	b, err := json.Marshal(f)
	if err != nil {
		return "", err
	}
	if _, err := gate.Read(string(b) + "\n"); err != nil {
		return "", err
	}
	return string(b) + "\n", nil
}

func addRules(out *gate.File, f workspace.File) error {
	file := f.Source()
	parsed := rules.Parse(file)
	if source.HasErrors(parsed.Diagnostics) {
		return notation.Invalid(file, parsed.Diagnostics)
	}
	r := gate.RuleFile{Name: f.Name, Text: f.Text, Rules: []string{}, Programs: gate.Programs(parsed)}
	for _, rule := range parsed.Rules {
		r.Rules = append(r.Rules, rule.Name)
	}
	out.Rules = append(out.Rules, r)
	return nil
}

// formulas compiles the properties about a spec.
func formulas(s *gate.Spec, files []notation.PropertyFile) ([]gate.Property, error) {
	out := []gate.Property{}
	if len(s.Letters) == 0 {
		return out, nil
	}
	subject := notation.Subject{Letters: s.Letters}
	alphabet, err := ltl.NewAlphabet(s.Letters, ltl.OneHot)
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		for _, n := range file.Formulas {
			part := subject.Part(n.Formula)
			if part == nil {
				continue
			}
			a, err := ltl.Translate(part, alphabet, meter.New(budget))
			if err != nil {
				return nil, err
			}
			d, err := a.Explicit()
			if err != nil {
				return nil, err
			}
			distance := d.Distances()
			if distance[d.Start()] < 0 {
				return nil, source.NewError("guard.spec", "no run satisfies the property "+language.PropertyName(n)+"; every call would be refused")
			}
			p := gate.Property{Name: file.File.Name + ": " + language.PropertyName(n)}
			for q := range d.NumStates() {
				p.Next = append(p.Next, row(d, q, func(int) bool { return true }))
				p.Accept = append(p.Accept, bit(d.Accepting(q)))
				p.Violated = append(p.Violated, bit(distance[q] < 0))
			}
			out = append(out, p)
		}
	}
	return out, nil
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// row returns the successors of a state, -1 for those that are not live.
func row(d *automaton.DFA, q int, live func(q int) bool) []int {
	out := make([]int, d.NumLetters())
	for letter := range out {
		if out[letter] = d.Next(q, letter); !live(out[letter]) {
			out[letter] = -1
		}
	}
	return out
}

// setTable writes the live states of an automaton. The error has code "guard.spec" if it has no
// word.
func setTable(s *gate.Spec, d *automaton.DFA) error {
	distance := d.Distances()
	if distance[d.Start()] < 0 {
		return source.NewError("guard.spec", s.Name+" has no word; every call would be refused")
	}
	s.Kind = "dfa"
	for q := range d.NumStates() {
		s.Next = append(s.Next, row(d, q, func(to int) bool { return distance[to] >= 0 }))
		s.Accept = append(s.Accept, bit(d.Accepting(q)))
	}
	return nil
}

// ofWords returns a spec whose letters are tools.
func ofWords(name string, letters []string) *gate.Spec {
	s := &gate.Spec{Name: name, Letters: letters, Contents: make([]*gate.Content, len(letters))}
	s.Map = gate.Map{Calls: []gate.Named{}, Plain: []gate.Named{}, Results: []gate.Named{}, Offers: letters}
	for i, letter := range letters {
		s.Map.Calls = append(s.Map.Calls, gate.Named{Name: letter, Letters: []int{i}})
	}
	return s
}

// finite is a spec whose words are those of a finite automaton.
type finite interface {
	notation.Spec
	DFA() *automaton.DFA
}

// ofFinite returns the spec of a file in a notation of finite automata, or nil for another notation.
func ofFinite(n *notation.Notation, f workspace.File) (*gate.Spec, error) {
	if n == nil || n.Spec == nil {
		return nil, nil
	}
	file := f.Source()
	compiled, found := n.Spec(file)
	if compiled, ok := compiled.(finite); ok {
		if source.HasErrors(found) {
			return nil, notation.Invalid(file, found)
		}
		s := ofWords(f.Name, compiled.Letters())
		return s, setTable(s, compiled.DFA())
	}
	if compiled == nil && n.Starts(notation.RunPlan) {
		return nil, notation.Invalid(file, found)
	}
	return nil, nil
}

func ofGrammar(f workspace.File) (*gate.Spec, error) {
	file := f.Source()
	syntax, found := grammar.Parse(file)
	g, more := grammar.Compile(syntax, "")
	if found = append(found, more...); g == nil || source.HasErrors(found) {
		return nil, notation.Invalid(file, found)
	}
	return ofContextFree(f.Name, g, g.DeclaredLimits(), false)
}

func ofPushdown(f workspace.File) (*gate.Spec, error) {
	file := f.Source()
	syntax, found := pushdown.Parse(file)
	p, more := pushdown.Compile(syntax)
	if found = append(found, more...); p == nil || source.HasErrors(found) {
		return nil, notation.Invalid(file, found)
	}
	g, err := p.Grammar(meter.New(budget))
	if err != nil {
		return nil, err
	}
	return ofContextFree(f.Name, g, p.Limits, p.Backwards)
}

func ofAgent(f workspace.File, o Options) (*gate.Spec, error) {
	a, err := language.SoundAgent(f.Source())
	if err != nil {
		return nil, err
	}
	steps, err := monitor.StepsOf(a, o.Mapping, o.Roles, o.Tools)
	if err != nil {
		return nil, err
	}
	s := &gate.Spec{Name: f.Name}
	for i, state := range a.States {
		s.Letters = append(s.Letters, state.Name)
		s.Contents = append(s.Contents, contentOf(state, a.Content(i)))
		s.Prompts = append(s.Prompts, state.Text)
		if state.EnvInput {
			s.Environment = append(s.Environment, i)
		}
	}
	if err := setTable(s, a.DFA); err != nil {
		return nil, err
	}
	for q := range s.Next {
		for letter, to := range s.Next[q] {
			if to >= 0 || !a.Live(q) {
				continue
			}
			if before := steps.Implied(q, letter); len(before) > 0 {
				s.Implied = append(s.Implied, gate.Implied{State: q, Letter: letter, Before: before})
			}
		}
	}
	s.Map = mapOf(a, steps, o, s.Contents)
	return s, nil
}

// contentOf returns the restriction of a state's content, nil for none.
func contentOf(state agent.State, c *agent.Content) *gate.Content {
	out := &gate.Content{Empty: state.Empty, MaxChars: 4 * state.MaxTokens} // monitor's estimate of 4 characters per token
	if c == nil && !state.Empty && state.MaxTokens == 0 {
		return nil
	}
	if c == nil {
		return out
	}
	p, ok := c.Characters()
	if !ok {
		for _, option := range state.OneOf {
			out.OneOf = append(out.OneOf, strings.TrimSpace(option))
		}
		return out
	}
	out.Pattern = &gate.Pattern{Source: state.Matches}
	for _, from := range p.From {
		out.Pattern.From = append(out.Pattern.From, int(from))
	}
	distance := p.DFA.Distances()
	for q := range p.DFA.NumStates() {
		out.Pattern.Next = append(out.Pattern.Next, row(p.DFA, q, func(to int) bool { return distance[to] >= 0 }))
		out.Pattern.Accept = append(out.Pattern.Accept, bit(p.DFA.Accepting(q)))
	}
	return out
}
