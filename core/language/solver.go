package language

import (
	"strings"

	"github.com/stile-playground/stile/core/formulate"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/solve"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/view"
	"github.com/stile-playground/stile/core/workspace"
)

// smtRow returns the row of problems for Z3.
func smtRow() notation.Notation {
	return notation.Notation{
		Kind:     workspace.KindSMT,
		Facts:    notation.Facts{Name: "smt2", Title: "a problem for Z3", Offer: "SMT-LIB for Z3", Embed: "problem.smt2", Static: true, Runs: []string{runSolve, runFormulate}, Template: smtTemplate, About: "Constraints for Z3, with an unsatisfiable core."},
		Document: solverDocument(),
		Editor: notation.Editor{
			Check:       checkSolverText(solve.Z3),
			Occurrences: func(file *source.File) []source.Occurrence { return solve.Occurrences(solve.Z3, file) },
			Lex:         func(file *source.File) []notation.Word { return lexSolver(file, workspace.KindSMT) },
			Words:       smtWords,
			Resolve:     resolveGiven,
			Key: func(file string, o source.Occurrence) string {
				if o.Of == "" || o.Of != givenOf(file) {
					return ""
				}
				within := o.Of
				o.Of = ""
				return notation.Key(within, o)
			},
			Complete: completeSmt,
			Describe: describeSolve,
			Fold:     func(x *notation.Folder) { foldSolver(x, workspace.KindSMT) },
			Spell:    func(_ workspace.File, _ source.Pos, name string) string { return solve.Quote(name) },
		},
	}
}

// lpRow returns the row of problems for HiGHS.
func lpRow() notation.Notation {
	return notation.Notation{
		Kind:     workspace.KindLP,
		Facts:    notation.Facts{Name: "lp", Anchor: "lp-", Title: "a problem for HiGHS", Offer: "LP for HiGHS", Embed: "problem.lp", Static: true, Runs: []string{runSolve, runFormulate}, Template: lpTemplate, About: "A linear program for HiGHS."},
		Document: solverDocument(),
		Editor: notation.Editor{
			Check:       checkSolverText(solve.HiGHS),
			Occurrences: func(file *source.File) []source.Occurrence { return solve.Occurrences(solve.HiGHS, file) },
			Lex:         func(file *source.File) []notation.Word { return lexSolver(file, workspace.KindLP) },
			Words:       lpWords,
			IgnoreCase:  true,
			Complete:    completeLp,
			Describe:    describeSolve,
			Fold:        func(x *notation.Folder) { foldSolver(x, workspace.KindLP) },
		},
	}
}

func checkSolverText(solver solve.Solver) func(file *source.File) []source.Diagnostic {
	return func(file *source.File) []source.Diagnostic { return faultsOf(solve.Check(solver, file)) }
}

func solverDocument() notation.Document {
	return notation.Document{Analyze: analyzeSolver, Draw: drawSolver}
}

// SolverOf returns the solver of a file.
func SolverOf(name string) solve.Solver { return solverOf(workspace.KindOf(name)) }

func analyzeSolver(s *notation.Scope) (a notation.Analysis) {
	a.Tokens = solve.Tokens(SolverOf(s.File.Name), s.File, notation.MaxTokens)
	p, found := checkSolver(s.File, s.Files)
	links := solve.Links(s.File, p)
	constraints := 0
	for _, l := range links {
		if l.Sense == "" {
			constraints++
		}
	}
	if len(p.Names) == 0 && constraints == 0 && len(p.Objectives) == 0 {
		// A file of definitions has no assertions.
		rest := found[:0]
		for _, d := range found {
			if d.Code != "smt.empty" || !definesOnly(s.File) {
				rest = append(rest, d)
			}
		}
		found = rest
	}
	a.Add(found...)
	parts := []string{notation.Count(len(p.Names), "variable"), notation.Count(constraints, "constraint")}
	for i, o := range p.Objectives {
		if i == 3 {
			parts = append(parts, "…")
			break
		}
		parts = append(parts, objectiveText(o))
	}
	a.Summary = strings.Join(parts, ", ")
	for _, n := range p.Named {
		a.Outline = append(a.Outline, notation.OutlineItem{Name: n.Name, Detail: "constraint", Span: n.Span})
	}
	for _, n := range p.Names {
		a.Outline = append(a.Outline, notation.OutlineItem{Name: n.Name, Detail: n.Sort, Span: n.Span})
	}
	a.Outline = a.Outline[:min(len(a.Outline), notation.MaxShown)]
	for _, n := range p.Names[:min(len(p.Names), notation.MaxShown)] {
		a.Symbols = append(a.Symbols, notation.Letter{Name: n.Name, Label: n.Name})
	}
	if a.Sound() && len(links) > 0 && len(p.Names) > 0 {
		a.Draw(view.Solve(p, links, "Variables and constraints", view.Picture))
	}
	return a
}

// checkSolver checks a problem for a solver together with the definitions of its folder.
func checkSolver(file *source.File, files []workspace.File) (solve.Problem, []source.Diagnostic) {
	if given := GivenFor(files, file.Name); given.Text != "" {
		return solve.NewWithPrelude(given, file).Check()
	}
	return solve.Check(SolverOf(file.Name), file)
}

// GivenFor returns the definitions of the problem folder that a formulation in it can use, or an
// empty text.
func GivenFor(files []workspace.File, name string) *source.File {
	if given := givenOf(name); given != "" && workspace.KindOf(name) == workspace.KindSMT {
		if f, ok := (workspace.Workspace{Files: files}).File(given); ok {
			return f.Source()
		}
	}
	return source.NewFile(formulate.FileAPI, "")
}

func drawSolver(s *notation.Scope, w *notation.Graph) {
	p, found := checkSolver(s.File, s.Files)
	if source.HasErrors(found) || len(p.Names) == 0 {
		return
	}
	d := view.Solve(p, solve.Links(s.File, p), "Variables and constraints", view.Complete)
	w.Drawing = &d
	w.PlaceNames(solve.Occurrences(p.Solver, s.File), solve.KindConstant, solve.KindFunction, solve.KindVariable, solve.KindConstraint)
	for _, n := range d.Nodes {
		w.Place(n.ID, n.Span)
	}
}

// definesOnly reports whether a text contains definitions.
func definesOnly(file *source.File) bool {
	for _, o := range solve.Occurrences(solve.Z3, file) {
		if o.Defines {
			return true
		}
	}
	return false
}

// objectiveText returns a short form of an objective.
func objectiveText(o solve.Objective) string {
	const most = 28
	expression := strings.Join(strings.Fields(o.Expression), " ")
	if len(expression) > most {
		expression = strings.ToValidUTF8(expression[:most], "") + "…"
	}
	switch o.Sense {
	case "soft":
		return "wishes"
	case "maximize":
		return strings.TrimSpace("maximize " + expression)
	}
	return strings.TrimSpace("minimize " + expression)
}
