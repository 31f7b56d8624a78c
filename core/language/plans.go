package language

import (
	"github.com/stile-playground/stile/core/flow"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/plan"
	"github.com/stile-playground/stile/core/plan/checker"
	"github.com/stile-playground/stile/core/plan/space"
	"github.com/stile-playground/stile/core/pushdown"
	"github.com/stile-playground/stile/core/source"
)

func planGrammar(file *source.File) (notation.Plans, []source.Diagnostic) {
	g, found := CompileGrammar(file, "")
	if g == nil {
		return nil, found
	}
	return grammarPlans{g}, found
}

type grammarPlans struct{ g *grammar.Grammar }

func (p grammarPlans) Letters() []string      { return p.g.Names[:p.g.NumTerminals] }
func (p grammarPlans) Limits() grammar.Limits { return p.g.DeclaredLimits() }

func (p grammarPlans) CheckLimits(l grammar.Limits) error {
	_, err := p.g.Caps(l)
	return err
}

func (p grammarPlans) Problem(l grammar.Limits, m *meter.Meter, properties []space.Property) (out plan.Problem, err error) {
	out.Table, err = space.NewTable(p.g, l, m, properties...)
	return out, err
}

func (p grammarPlans) Checker(l grammar.Limits, m *meter.Meter, properties []space.Property) (*checker.Checker, error) {
	return checker.New(p.g, l, m, properties...)
}

func planPushdown(file *source.File) (notation.Plans, []source.Diagnostic) {
	p, found := CompilePushdown(file)
	if p == nil {
		return nil, found
	}
	return pushdownPlans{p}, found
}

type pushdownPlans struct{ p *pushdown.PDA }

func (p pushdownPlans) Letters() []string                { return p.p.Letters() }
func (p pushdownPlans) Limits() grammar.Limits           { return p.p.Limits }
func (p pushdownPlans) CheckLimits(grammar.Limits) error { return nil }

func (p pushdownPlans) Problem(l grammar.Limits, m *meter.Meter, properties []space.Property) (out plan.Problem, err error) {
	words, err := p.p.Words(m)
	if err != nil {
		return out, err
	}
	out.Automaton, err = space.NewPushdown(words, l, m, properties...)
	return out, err
}

func (p pushdownPlans) Checker(l grammar.Limits, m *meter.Meter, properties []space.Property) (*checker.Checker, error) {
	words, err := p.p.Words(m)
	if err != nil {
		return nil, err
	}
	return checker.NewPushdown(words, l, m, properties...)
}

func planFlow(file *source.File) (notation.Plans, []source.Diagnostic) {
	f, found := CompileFlow(file)
	if f == nil {
		return nil, found
	}
	return flowPlans{f}, found
}

type flowPlans struct{ f *flow.Flow }

func (p flowPlans) Letters() []string                { return p.f.Letters() }
func (p flowPlans) Limits() grammar.Limits           { return grammar.Limits{} }
func (p flowPlans) CheckLimits(grammar.Limits) error { return nil }

func (p flowPlans) Problem(l grammar.Limits, m *meter.Meter, properties []space.Property) (out plan.Problem, err error) {
	out.Automaton, err = space.NewFlow(p.f, l, m, properties...)
	return out, err
}

func (p flowPlans) Checker(l grammar.Limits, m *meter.Meter, properties []space.Property) (*checker.Checker, error) {
	return checker.NewFlow(p.f, l, m, properties...)
}
