package session

import (
	"github.com/stile-playground/stile/core/flow"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/plan"
	"github.com/stile-playground/stile/core/plan/checker"
	"github.com/stile-playground/stile/core/plan/space"
	"github.com/stile-playground/stile/core/pushdown"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
)

// plannable is a spec that has plans, with its limits and formulas. Exactly one of
// grammar, automaton and chart is set.
type plannable struct {
	grammar    *grammar.Grammar
	automaton  *pushdown.PDA
	chart      *flow.Flow
	limits     grammar.Limits
	properties []space.Property
}

// openPlannable checks a spec, its limits (nil: those that it declares) and, if they are
// enforced, the workspace's formulas about it.
func openPlannable(w workspace.Workspace, file workspace.File, limits *grammar.Limits, enforce bool) (*plannable, error) {
	f := file.Source()
	p := &plannable{}
	var found []source.Diagnostic
	var letters []string
	understood := false
	switch workspace.KindOf(file.Name) {
	case workspace.KindGrammar:
		if p.grammar, found = language.CompileGrammar(f, ""); p.grammar != nil {
			letters, p.limits, understood = p.grammar.Names[:p.grammar.NumTerminals], p.grammar.DeclaredLimits(), true
		}
	case workspace.KindPushdown:
		if p.automaton, found = language.CompilePushdown(f); p.automaton != nil {
			letters, p.limits, understood = p.automaton.Letters(), p.automaton.Limits, true
		}
	case workspace.KindFlow:
		if p.chart, found = language.CompileFlow(f); p.chart != nil {
			letters, understood = p.chart.Letters(), true
		}
	default:
		return nil, source.NewError("plan.kind", file.Name+" has no plans; expected a grammar, an automaton or a flowchart")
	}
	if !understood || source.HasErrors(found) {
		return nil, notation.Invalid(f, found)
	}
	if limits != nil {
		p.limits = *limits
	}
	if p.grammar != nil {
		if _, err := p.grammar.Caps(p.limits); err != nil {
			return nil, err
		}
	}
	var err error
	if enforce {
		p.properties, err = workspaceProperties(w, letters)
	}
	return p, err
}

// problem prepares planning, which may take long.
func (p *plannable) problem(m *meter.Meter) (out plan.Problem, err error) {
	switch {
	case p.chart != nil:
		out.Automaton, err = space.NewFlow(p.chart, p.limits, m, p.properties...)
	case p.automaton != nil:
		var words *pushdown.Words
		if words, err = p.automaton.Words(m); err == nil {
			out.Automaton, err = space.NewPushdown(words, p.limits, m, p.properties...)
		}
	default:
		out.Table, err = space.NewTable(p.grammar, p.limits, m, p.properties...)
	}
	return out, err
}

// checker prepares judging plans, which may take long.
func (p *plannable) checker(m *meter.Meter) (*checker.Checker, error) {
	switch {
	case p.chart != nil:
		return checker.NewFlow(p.chart, p.limits, m, p.properties...)
	case p.automaton != nil:
		words, err := p.automaton.Words(m)
		if err != nil {
			return nil, err
		}
		return checker.NewPushdown(words, p.limits, m, p.properties...)
	default:
		return checker.New(p.grammar, p.limits, m, p.properties...)
	}
}
