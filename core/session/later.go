//go:build !first

package session

import (
	"slices"

	"github.com/stile-playground/stile/core/formulate"
	"github.com/stile-playground/stile/core/lab"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/team"
	"github.com/stile-playground/stile/core/workspace"
)

// laterMethods are the methods that a page can do without until a person asks for
// more than to edit, draw and step. The module that it loads first, built with the
// tag "first", is smaller for it.
func laterMethods() []Method {
	return slices.Concat(grammarMethods(), formulaMethods(), agentMethods(), languageMethods(), libraryMethods(), drawingMethods(), endpointMethods(), planCheckMethods(), runMethods(), teamMethods(), travelMethods(), apibankMethods(), solveMethods(), formulateMethods(), labMethods())
}

func laterKinds() []runKind {
	return []runKind{
		{RunTeam, []workspace.Kind{workspace.KindTeam}, teamBody},
		{RunSteps, []workspace.Kind{workspace.KindPDDL}, stepsBody},
		{RunFormulate, []workspace.Kind{workspace.KindProblem, workspace.KindSMT, workspace.KindLP, workspace.KindPDDL}, formulateBody},
		{RunBenchmark, nil, benchmarkBody}, {RunSolve, nil, solveBody},
		{RunLab, []workspace.Kind{workspace.KindLab}, labBody},
	}
}

func laterEvents() []any {
	return slices.Concat(teamEvents(), benchmarkEvents(), formulateEvents(), stepsEvents(), labEvents())
}

func laterSettings() map[string]any {
	return map[string]any{RunTeam: team.Settings{}, RunBenchmark: BenchmarkSettings{}, RunSolve: SolveSettings{}, RunFormulate: formulate.Settings{}, RunSteps: StepsSettings{}, RunLab: lab.Settings{}}
}

// analyzeLater analyses files of kinds that the first module takes for notes. Without a
// summary it is none of them.
func analyzeLater(file *source.File, out *DocumentAnalyzeResult, at *places) []source.Diagnostic {
	switch out.Kind {
	case workspace.KindTeam:
		return analyzeTeam(file, out, at)
	case workspace.KindLab:
		return analyzeLab(file, out, at)
	}
	return nil
}

// formatLater formats them. A text of any other kind is left as it is.
func formatLater(file *source.File) (string, []source.Diagnostic) {
	var spec interface{ Format() string }
	var found []source.Diagnostic
	switch workspace.KindOf(file.Name) {
	case workspace.KindTeam:
		spec, found = team.Parse(file)
	case workspace.KindLab:
		spec, found = lab.Parse(file)
	default:
		return file.Text, nil
	}
	if source.HasErrors(found) {
		return file.Text, found
	}
	return spec.Format(), found
}
