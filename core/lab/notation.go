package lab

import (
	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
)

// Notation returns the row of the notation of experiments.
func Notation() notation.Notation {
	return notation.Notation{
		Kind:  workspace.KindLab,
		Facts: notation.Facts{Name: "experiment", Title: "an experiment", Offer: "an experiment", Runs: []string{"lab"}, Panel: true, Template: template, About: "Tasks × methods × models × seeds, as a table."},
		Document: notation.Document{
			Analyze: analyze,
			Format: func(file *source.File) (string, []source.Diagnostic) {
				x, found := Parse(file)
				if source.HasErrors(found) {
					return file.Text, found
				}
				return x.Format(), found
			},
		},
		Editor: notation.Editor{Words: Manual, CompleteAt: Complete, HoverAt: Hover, Fold: language.FoldForms},
	}
}

// template is the text of a new experiment if the workspace has no spec for one.
const template = `(experiment mine
  (:title "My experiment")
  (:tasks (plans "openagi-tasks" (:first 3)))
  (:methods (baseline zero-shot) (plan (:name "constrained")))
  (:models (simulated rambler 0.3) (simulated first))
  (:seeds 1 2)
  (:columns ("valid plans" valid) ("score" score) ("calls" calls) ("tokens" tokens)))
`

func analyze(s *notation.Scope) (a notation.Analysis) {
	x, found := Parse(s.File)
	a.Tokens = Tokens(s.File)
	a.Summary = "no experiment yet"
	if len(x.Methods) > 0 {
		a.Summary = notation.Count(len(x.Methods), "method") + ", " + notation.Count(len(x.Models), "model") + ", " + notation.Count(len(x.Columns), "column")
	}
	for _, m := range x.Methods[:min(len(x.Methods), notation.MaxShown)] {
		a.Outline = append(a.Outline, notation.OutlineItem{Name: m.Name, Detail: m.Kind, Span: m.Span})
	}
	a.Add(found...)
	a.Add(x.CheckFiles(s.Files)...)
	return a
}
