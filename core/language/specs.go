package language

import (
	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/automaton"
	"github.com/stile-playground/stile/core/export"
	"github.com/stile-playground/stile/core/flow"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/plan"
	"github.com/stile-playground/stile/core/plan/checker"
	"github.com/stile-playground/stile/core/plan/space"
	"github.com/stile-playground/stile/core/pushdown"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/team"
)

func specOfGrammar(file *source.File) (notation.Spec, []source.Diagnostic) {
	g, found := CompileGrammar(file, "")
	if g == nil {
		return nil, found
	}
	return grammarSpec{g}, found
}

type grammarSpec struct{ g *grammar.Grammar }

func (s grammarSpec) Letters() []string      { return s.g.Names[:s.g.NumTerminals] }
func (s grammarSpec) Limits() grammar.Limits { return s.g.DeclaredLimits() }

func (s grammarSpec) CheckLimits(l grammar.Limits) error {
	_, err := s.g.Caps(l)
	return err
}

func (s grammarSpec) Problem(l grammar.Limits, m *meter.Meter, properties []space.Property) (out plan.Problem, err error) {
	out.Table, err = space.NewTable(s.g, l, m, properties...)
	return out, err
}

func (s grammarSpec) Checker(l grammar.Limits, m *meter.Meter, properties []space.Property) (*checker.Checker, error) {
	return checker.New(s.g, l, m, properties...)
}

func (s grammarSpec) Export(o export.Options) (*export.Source, error) {
	return export.SourceOfGrammar(s.g, o), nil
}

func (s grammarSpec) Shape(file *source.File) *team.Shape { return team.GrammarShape(file, s.g) }

func specOfPushdown(file *source.File) (notation.Spec, []source.Diagnostic) {
	p, found := CompilePushdown(file)
	if p == nil {
		return nil, found
	}
	return pushdownSpec{p}, found
}

type pushdownSpec struct{ p *pushdown.PDA }

func (s pushdownSpec) Letters() []string                { return s.p.Letters() }
func (s pushdownSpec) Limits() grammar.Limits           { return s.p.Limits }
func (s pushdownSpec) CheckLimits(grammar.Limits) error { return nil }

func (s pushdownSpec) Problem(l grammar.Limits, m *meter.Meter, properties []space.Property) (out plan.Problem, err error) {
	words, err := s.p.Words(m)
	if err != nil {
		return out, err
	}
	out.Automaton, err = space.NewPushdown(words, l, m, properties...)
	return out, err
}

func (s pushdownSpec) Checker(l grammar.Limits, m *meter.Meter, properties []space.Property) (*checker.Checker, error) {
	words, err := s.p.Words(m)
	if err != nil {
		return nil, err
	}
	return checker.NewPushdown(words, l, m, properties...)
}

func (s pushdownSpec) Export(o export.Options) (*export.Source, error) {
	return export.SourceOfPDA(s.p, o)
}

func specOfFlow(file *source.File) (notation.Spec, []source.Diagnostic) {
	f, found := CompileFlow(file)
	if f == nil {
		return nil, found
	}
	return flowSpec{f}, found
}

type flowSpec struct{ f *flow.Flow }

func (s flowSpec) Letters() []string                { return s.f.Letters() }
func (s flowSpec) DFA() *automaton.DFA              { return s.f.DFA() }
func (s flowSpec) Limits() grammar.Limits           { return grammar.Limits{} }
func (s flowSpec) CheckLimits(grammar.Limits) error { return nil }

func (s flowSpec) Problem(l grammar.Limits, m *meter.Meter, properties []space.Property) (out plan.Problem, err error) {
	out.Automaton, err = space.NewFlow(s.f, l, m, properties...)
	return out, err
}

func (s flowSpec) Checker(l grammar.Limits, m *meter.Meter, properties []space.Property) (*checker.Checker, error) {
	return checker.NewFlow(s.f, l, m, properties...)
}

func (s flowSpec) Export(o export.Options) (*export.Source, error) {
	return export.SourceOfDFA(s.f.DFA(), s.f.Letters(), o), nil
}

func (s flowSpec) Shape(file *source.File) *team.Shape { return team.FlowShape(file, s.f) }

func specOfAgent(file *source.File) (notation.Spec, []source.Diagnostic) {
	a, found := compileContents(file)
	if a == nil {
		return nil, found
	}
	return agentSpec{a}, found
}

type agentSpec struct{ a *agent.Agent }

func (s agentSpec) Letters() []string {
	var names []string
	for _, state := range s.a.States {
		names = append(names, state.Name)
	}
	return names
}

func (s agentSpec) Export(o export.Options) (*export.Source, error) {
	return export.SourceOfAgent(s.a, o), nil
}

func specOfFormulas(file *source.File) (notation.Spec, []source.Diagnostic) {
	list, found := ltl.Parse(file)
	return formulasSpec(list), found
}

type formulasSpec []ltl.Named

// Letters returns none: formulas of other files do not refer to formulas.
func (s formulasSpec) Letters() []string { return nil }

func (s formulasSpec) Export(o export.Options) (*export.Source, error) {
	return export.SourceOfFormulas(s, o)
}
