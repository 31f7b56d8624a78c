package language

import (
	"github.com/stile-playground/stile/core/export"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/team"
	"github.com/stile-playground/stile/core/tool/agenttools"
	"github.com/stile-playground/stile/core/view"
	"github.com/stile-playground/stile/core/workspace"
)

func teamRow() notation.Notation {
	return notation.Notation{
		Kind:  workspace.KindTeam,
		Facts: notation.Facts{Name: "team", Title: "a team", Offer: "a team", Runs: []string{"team"}, Template: teamTemplate, Exports: export.FormatsOfGraphs, About: "Executors with tools, and constraints on their results."},
		Document: notation.Document{
			Analyze: analyzeTeam,
			Format: func(file *source.File) (string, []source.Diagnostic) {
				spec, found := team.Parse(file)
				return formatted(file, found, spec.Format)
			},
			Spec: specOfTeam,
		},
		Editor: notation.Editor{
			Check:       func(file *source.File) []source.Diagnostic { return faultsOf(team.Parse(file)) },
			Occurrences: team.Occurrences,
			Lex:         lexForms,
			Words:       teamWords,
			Fixed: func(s *notation.Symbol) string {
				if s.Kind == team.KindTool {
					return "rename the tool in " + agenttools.File
				}
				return fixedFiles(s)
			},
			Complete: completeTeam,
			Describe: describeTeam,
			Fold:     FoldForms,
		},
	}
}

func analyzeTeam(s *notation.Scope) (a notation.Analysis) {
	spec, found := team.Parse(s.File)
	a.Add(found...)
	a.Tokens = team.Tokens(s.File)
	if len(spec.Executors) == 0 {
		a.Summary = "no team yet"
		return a
	}
	constraints := len(spec.Local) + len(spec.Global)
	for _, e := range spec.Executors {
		constraints += len(e.Constraints)
	}
	a.Summary = notation.Count(len(spec.Executors), "executor") + ", " + notation.Count(constraints, "constraint")
	for _, e := range spec.Executors[:min(len(spec.Executors), notation.MaxShown)] {
		a.Symbols = append(a.Symbols, notation.Letter{Name: e.Name, Label: e.Does})
		a.Outline = append(a.Outline, notation.OutlineItem{Name: e.Name, Detail: e.Does, Span: e.Span})
	}
	if a.Sound() {
		a.Draw(view.Team(spec))
	}
	return a
}

func specOfTeam(file *source.File) (notation.Spec, []source.Diagnostic) {
	spec, found := team.Parse(file)
	return teamSpec{spec}, found
}

type teamSpec struct{ spec *team.Spec }

// Letters returns none: formulas cannot refer to executors.
func (s teamSpec) Letters() []string { return nil }

func (s teamSpec) Export(o export.Options) (*export.Source, error) {
	d := view.Team(s.spec)
	g := export.Graph{Name: o.Name}
	index := map[string]int{}
	for i, n := range d.Nodes {
		index[n.ID] = i
		label := n.Label
		if n.Detail != "" {
			label += "\n" + n.Detail
		}
		g.States = append(g.States, export.GraphState{Label: label, Accepting: n.Accepting})
		if n.Start {
			g.Starts = append(g.Starts, i)
		}
	}
	for _, e := range d.Edges {
		g.Edges = append(g.Edges, export.GraphEdge{From: index[e.From], To: index[e.To]})
	}
	return export.SourceOfGraph(g), nil
}
