//go:build !first

package session

import (
	"errors"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/earley"
	"github.com/stile-playground/stile/core/formulate"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/lab"
	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/learn"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/strips"
	"github.com/stile-playground/stile/core/team"
	"github.com/stile-playground/stile/core/workspace"
)

// laterMethods are the methods that a page can do without until a person asks for
// more than to edit, draw and step. The module that it loads first, built with the
// tag "first", is smaller for it.
func laterMethods() []Method {
	return slices.Concat(textMethods(), grammarMethods(), formulaMethods(), agentMethods(), guardMethods(), languageMethods(), libraryMethods(), exportMethods(), drawingMethods(), endpointMethods(), planCheckMethods(), runMethods(), teamMethods(), travelMethods(), apibankMethods(), solveMethods(), formulateMethods(), stepsMethods(), problemMethods(), learnMethods(), labMethods())
}

func laterKinds() []runKind {
	return []runKind{
		{RunTeam, []workspace.Kind{workspace.KindTeam}, teamBody, false},
		{RunSolve, []workspace.Kind{workspace.KindSMT, workspace.KindLP}, solveBody, true},
		{RunSteps, []workspace.Kind{workspace.KindPDDL}, stepsBody, false},
		{RunFormulate, []workspace.Kind{workspace.KindProblem, workspace.KindSMT, workspace.KindLP, workspace.KindPDDL}, formulateBody, true},
		{RunBenchmark, nil, benchmarkBody, true}, {RunLearn, nil, learnBody, true},
		{RunLab, []workspace.Kind{workspace.KindLab}, labBody, false},
	}
}

func laterEvents() []any {
	return slices.Concat(teamEvents(), benchmarkEvents(), formulateEvents(), stepsEvents(), learn.Events(), labEvents())
}

func laterSettings() map[string]any {
	return map[string]any{RunTeam: team.Settings{}, RunBenchmark: BenchmarkSettings{}, RunSolve: SolveSettings{}, RunFormulate: formulate.Settings{}, RunSteps: StepsSettings{}, RunLearn: learn.Settings{}, RunLab: lab.Settings{}}
}

// analyzeLater analyses files of kinds that the first module takes for notes. Without a
// summary it is none of them.
func analyzeLater(file *source.File, files []File, out *DocumentAnalyzeResult, at *places) []source.Diagnostic {
	switch out.Kind {
	case workspace.KindTeam:
		return analyzeTeam(file, out, at)
	case workspace.KindSMT, workspace.KindLP:
		return analyzeSolve(file, files, out, at)
	case workspace.KindPDDL:
		return analyzeSteps(file, files, out, at)
	case workspace.KindProblem:
		return analyzeProblem(file, files, out, at)
	case workspace.KindLab:
		return analyzeLab(file, files, out, at)
	}
	if file.Name == toolsFile {
		return analyzeTools(file, workspace.Workspace{Files: files}, out)
	}
	return nil
}

// Budgets of the searches for a word within the limits, and for an ambiguous one, while a
// person types.
var (
	limitBudget     = meter.Budget{Steps: 300_000, States: 30_000}
	ambiguityBudget = meter.Budget{Steps: 200_000, States: 20_000}
)

// laterGrammar warns where no word keeps to the limits, and notes a word with several
// derivation trees, if a short one is found.
func laterGrammar(g *grammar.Grammar) []source.Diagnostic {
	if found := g.CheckLimits(meter.New(limitBudget)); len(found) > 0 {
		return found
	}
	a, err := earley.SearchAmbiguity(g, 8, meter.New(ambiguityBudget))
	if err != nil || a.Witness == nil || a.Trees == earley.InfinitelyMany { // cfg.cyclic reports the last
		return nil
	}
	return []source.Diagnostic{{
		Code: "cfg.ambiguous", Severity: source.SeverityInfo, Span: g.Span(g.Start),
		Message: "ambiguous: several derivation trees of " + strings.Join(*wordNames(g, a.Witness), " "),
	}}
}

// laterVocabulary returns what knows the propositions of the problems in PDDL: facts and
// actions of their domains.
func laterVocabulary(files []File) (out []func(string) bool) {
	for _, f := range files {
		if workspace.KindOf(f.Name) != workspace.KindPDDL {
			continue
		}
		o, _ := strips.Open(f.Source(), language.PDDLBeside(files, f.Name))
		if o.Domain != nil {
			out = append(out, spokenOf(&o.Spec))
		}
	}
	return out
}

// laterCode is the code of an error of a run that has none of its own.
func laterCode(err error) string {
	var log *process.LogError
	var effect *process.EffectError
	switch {
	case errors.As(err, &log):
		return "run.log"
	case errors.As(err, &effect):
		return "effect." + effect.Code
	default:
		return "internal"
	}
}

// analyzeTools reads what the workspace's tools do, and says what specs have that
// no tool stands for.
func analyzeTools(file *source.File, w workspace.Workspace, out *DocumentAnalyzeResult) []source.Diagnostic {
	tools, found := openTools(file, w)
	if tools == nil {
		out.Summary = "tools"
		return found
	}
	out.Summary = count(len(tools.Symbols()), "tool")
	if source.HasErrors(found) {
		return found
	}
	for _, s := range subjectsOf(w.Files) {
		if missing := tools.Missing(s.letters); s.things == wordsOf && len(missing) > 0 {
			found = append(found, source.Diagnostic{
				Code: "tools.missing", Severity: source.SeverityInfo,
				Message: "plans of " + s.name + " cannot be executed: there is no tool or input for " + strings.Join(missing, ", "),
			})
		}
	}
	return found
}
