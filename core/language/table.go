// Package language defines the rows of the notations. A row analyses and draws a file, steps
// through its words, and provides completion, hover, references, renaming and folding. The
// row of experiments is in package lab, which depends on all kinds of runs.
package language

import (
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/verify"
	"github.com/stile-playground/stile/core/workspace"
)

// Kinds of runs of several notations.
const (
	runFormulate = "formulate"
	runSolve     = "solve"
	runSteps     = "steps"
	runMonitor   = "monitor"
)

// plannedRuns are the kinds of runs of a spec whose words are plans.
var plannedRuns = []string{notation.RunPlan, "baseline", "compare"}

// Table returns the notations of the full module.
func Table() notation.Table {
	return notation.Table{
		grammarRow(), pushdownRow(), flowRow(), formulaRow(), agentRow(), teamRow(), problemRow(), smtRow(), lpRow(), pddlRow(), testsRow(), rulesRow(), textRow(),
	}
}

// CoreTable returns the notations of the core module, which a page loads first. It treats all
// files of rows without functions as notes.
func CoreTable() notation.Table {
	t := notation.Table{
		{Kind: workspace.KindGrammar, Document: grammarDocument(compileGrammarPlain, plainProver)},
		{Kind: workspace.KindPushdown, Document: pushdownDocument(plainProver)},
		{Kind: workspace.KindFlow, Document: flowDocument(plainProver)},
		{Kind: workspace.KindFormulas, Document: formulaDocument(plainReader())},
		{Kind: workspace.KindAgent, Document: agentDocument(compileAgentPlain, verify.AgentPlain)},
		// The full module reads PDDL. Until then every symbol is accepted.
		{Kind: workspace.KindPDDL, Document: notation.Document{Symbols: func(*notation.Scope) func(string) bool {
			return func(string) bool { return true }
		}}},
	}
	for _, kind := range []workspace.Kind{workspace.KindTeam, workspace.KindSMT, workspace.KindLP, workspace.KindTests, workspace.KindLab, workspace.KindRules} {
		t = append(t, notation.Notation{Kind: kind})
	}
	return append(t, notation.Notation{Kind: workspace.KindProblem, Facts: notation.Facts{Folder: true}})
}
