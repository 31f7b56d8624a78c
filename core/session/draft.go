package session

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/plan/checker"
	"github.com/stile-playground/stile/core/plan/draft"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
)

// RunDraft is the kind of run in which a model writes a specification from a
// description. It needs no spec.
const RunDraft = "draft"

func draftBody(w project, _ workspace.File, raw json.RawMessage) (process.Func, error) {
	var settings draft.Settings
	if err := decodeParams(raw, &settings); err != nil {
		return nil, err
	}
	if err := settings.Check(); err != nil {
		return nil, err
	}
	if slices.Contains(settings.Languages, draft.LanguageRules) {
		return policyDraft(w, settings), nil
	}
	return func(env *process.Env) (any, error) {
		return draft.Run(env, settings, func(files []draft.File) ([]string, error) {
			return draftProblems(w.table, files, settings.Examples, env.Meter())
		})
	}, nil
}

func draftEvents() []any {
	return []any{
		draft.Prompt{Kind: "draft.prompt"}, draft.Delta{Kind: "draft.delta"}, draft.Round{Kind: "draft.round"}, draft.Result{Kind: "draft.done"},
	}
}

// draftProblems compiles the files of a draft and tries the examples. Only an error
// that ends the run is an error here; a spec that is too hard has a problem.
func draftProblems(t notation.Table, files []draft.File, examples draft.Examples, m *meter.Meter) ([]string, error) {
	w := project{table: t}
	var problems []string
	var spec workspace.File
	for _, f := range files {
		file := workspace.File{Name: f.Name, Text: f.Text}
		w.Files = append(w.Files, file)
		for _, d := range compileErrors(t, files, file) {
			problems = append(problems, draft.Problem(file.Source(), d))
		}
		if !t.Of(f.Name).Starts(RunPlan) && t.Of(f.Name).Properties == nil {
			continue
		}
		if t.Of(f.Name).Properties == nil && spec.Name == "" {
			spec = file
		}
	}
	if err := w.Check(); err != nil {
		return []string{err.Error()}, nil
	}
	if len(problems) > 0 || spec.Name == "" {
		return append(problems, missingInProblem(files)...), nil
	}
	drafted, err := openPlannable(w, spec, nil, true)
	if err != nil {
		return []string{err.Error()}, nil
	}
	// A draft has a separate budget, so that a draft which is too hard does not end the run.
	own := meter.New(callBudget)
	checker, err := drafted.checker(own)
	if err != nil {
		return []string{spec.Name + ": " + err.Error()}, nil
	}
	problems = unknownSymbols(w, checker)
	if len(problems) > 0 {
		return problems, nil
	}
	nothing, err := checker.Check("", own)
	if err == nil && !nothing.Valid && nothing.Nearest == nil {
		return []string{spec.Name + ": no plan is valid at all"}, nil
	}
	for _, text := range examples.Pass {
		v, err := checker.Check(text, own)
		switch {
		case err != nil:
			problems = append(problems, err.Error())
		case !v.Valid:
			problems = append(problems, fmt.Sprintf("the plan %q must be valid, but is not: %s", text, v.Fault))
		}
	}
	for _, text := range examples.Fail {
		v, err := checker.Check(text, own)
		switch {
		case err != nil:
			problems = append(problems, err.Error())
		case v.Valid:
			problems = append(problems, fmt.Sprintf("the plan %q must not be valid, but is", text))
		}
	}
	return problems, m.Step(int(own.Spent(meter.Steps)))
}

// unknownSymbols reports symbols of the formulas that the plans do not have.
func unknownSymbols(w project, c *checker.Checker) (problems []string) {
	letters := c.Letters()
	for _, p := range w.table.Properties(w.Files) {
		for _, n := range p.Formulas {
			for _, name := range n.Formula.Props() {
				if !(notation.Subject{Letters: letters}).Has(ltl.NewProp(name)) {
					message := fmt.Sprintf("unknown symbol %q in the plans", name)
					if near := source.Nearest(name, letters); near != "" {
						message += fmt.Sprintf("; did you mean %q?", near)
					}
					problems = append(problems, draft.Problem(p.File, source.Diagnostic{Span: n.Span, Message: message}))
				}
			}
		}
	}
	return problems
}

func compileErrors(t notation.Table, files []draft.File, file workspace.File) []source.Diagnostic {
	row, f := t.Of(file.Name), file.Source()
	var found []source.Diagnostic
	switch {
	case row.Starts(RunPlan):
		var spec notation.Spec
		if spec, found = row.Spec(f); spec == nil && !source.HasErrors(found) {
			found = []source.Diagnostic{{Message: "missing " + row.Name}}
		}
	case row.Properties != nil:
		_, found = row.Properties(f)
	case row.Document.Analyze != nil: // a team, or a file of a problem
		scope := notation.Scope{Table: t, File: f}
		for _, f := range files {
			scope.Files = append(scope.Files, File(f))
		}
		found = row.Document.Analyze(&scope).Diagnostics
	}
	var out []source.Diagnostic
	for _, d := range found {
		if d.Severity == source.SeverityError {
			out = append(out, d)
		}
	}
	return out
}

// missingInProblem reports the files that a drafted problem lacks.
func missingInProblem(files []draft.File) (problems []string) {
	in := func(name string) bool {
		return slices.ContainsFunc(files, func(f draft.File) bool { return f.Name == name && strings.TrimSpace(f.Text) != "" })
	}
	if !slices.ContainsFunc(files, func(f draft.File) bool { return strings.HasPrefix(f.Name, draft.ProblemFolder+"/") }) {
		return nil
	}
	for _, name := range draft.ProblemFiles() {
		if !in(draft.ProblemFolder + "/" + name) {
			problems = append(problems, "missing file "+name)
		}
	}
	return problems
}
