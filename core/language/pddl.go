package language

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/strips"
	"github.com/stile-playground/stile/core/view"
	"github.com/stile-playground/stile/core/workspace"
)

// pddlRow returns the row of planning domains and problems.
func pddlRow() notation.Notation {
	return notation.Notation{
		Kind:  workspace.KindPDDL,
		Facts: notation.Facts{Name: "pddl", Title: "steps in PDDL", Offer: "steps in PDDL", Embed: "problem.pddl", Static: true, Runs: []string{runSteps, runFormulate}, Template: pddlTemplate, About: "Actions, an initial state and a goal: the shortest plan."},
		Document: notation.Document{
			Analyze: analyzePDDL,
			Refine:  explainPDDL,
			Draw:    drawPDDL,
			Format:  formatPDDL,
			Symbols: func(s *notation.Scope) func(proposition string) bool {
				o, _ := strips.Open(s.File, PDDLSiblings(s.Files, s.File.Name))
				if o.Domain == nil {
					return nil
				}
				return PDDLSymbols(&o.Spec)
			},
		},
		Editor: notation.Editor{
			Check:       func(file *source.File) []source.Diagnostic { return faultsOf(strips.Parse(file)) },
			Occurrences: strips.Occurrences,
			Lex:         lexForms,
			Words:       stepsWords,
			IgnoreCase:  true,
			Define: func(o source.Occurrence) (group, name string) {
				if o.Defines && (o.Kind == strips.KindPredicate || o.Kind == strips.KindAction) {
					return notation.GroupStep, o.Name
				}
				return "", ""
			},
			Key: func(_ string, o source.Occurrence) string {
				if ofDomain(o) {
					return notation.Key("domain", o)
				}
				return ""
			},
			Complete: completeSteps,
			Describe: describeSteps,
			Fold:     FoldForms,
			Spell: func(f workspace.File, at source.Pos, name string) string {
				if f.Text[at] == '?' {
					return "?" + strings.TrimPrefix(name, "?")
				}
				return name
			},
		},
	}
}

// PDDLSymbols recognises the propositions of a problem: facts and actions of its domain.
func PDDLSymbols(spec *strips.Spec) func(proposition string) bool {
	return func(name string) bool {
		about, _ := strips.RefersTo(spec.Domain, spec.Problem, name)
		return about
	}
}

func analyzePDDL(s *notation.Scope) (a notation.Analysis) {
	a.Tokens = strips.Tokens(s.File)
	o, found := strips.Open(s.File, PDDLSiblings(s.Files, s.File.Name))
	a.Add(found...)
	item := func(name, detail string, span source.Span) {
		if len(a.Outline) < notation.MaxShown {
			a.Outline = append(a.Outline, notation.OutlineItem{Name: name, Detail: detail, Span: span})
			a.Symbols = append(a.Symbols, notation.Letter{Name: name, Label: name})
		}
	}
	var parts []string
	if o.DomainFile == s.File {
		parts = append(parts, notation.Count(len(o.Domain.Actions), "action"), notation.Count(len(o.Domain.Predicates), "predicate"))
		for _, p := range o.Domain.Predicates {
			kind := "predicate with "
			if o.Domain.Derived(p.Name) {
				kind = "derived " + kind
			}
			item(p.Name, kind+notation.Count(len(p.Parameters), "parameter"), p.Span)
		}
		for _, f := range o.Domain.Functions {
			item(f.Name, "function with "+notation.Count(len(f.Parameters), "parameter"), f.Span)
		}
		for _, action := range o.Domain.Actions {
			item(action.Name, "action with "+notation.Count(len(action.Parameters), "parameter"), action.Span)
		}
	}
	if o.ProblemFile == s.File {
		parts = append(parts, notation.Count(len(o.Problem.Objects), "object"))
		for _, object := range o.Problem.Objects {
			item(object.Name, object.Type, object.Span)
		}
	}
	switch {
	case len(parts) == 0:
		a.Summary = "no domain yet"
		return a
	case !a.Sound() || o.Domain == nil:
	case o.ProblemFile == s.File:
		a.Add(strips.Unset(o.Domain, o.Problem)...)
		if size := drawStates(&a, o, s.File); size != "" {
			parts = append(parts, size)
		}
	default:
		a.Draw(view.Actions(o.Domain, view.Picture))
	}
	a.Summary = strings.Join(parts, ", ")
	return a
}

// drawStates draws the reachable states of a problem and returns their number, or reports why the
// number is unknown.
func drawStates(a *notation.Analysis, o strips.Opened, file *source.File) string {
	m := meter.New(AnalysisBudget)
	task, err := strips.Ground(o.Domain, o.Problem, m)
	var space strips.Space
	if err == nil {
		space, err = task.Explore(view.MaxStates, m)
	}
	if err != nil {
		a.Add(source.Diagnostic{Code: source.ErrorCode(err), Severity: source.SeverityInfo, Span: o.Problem.Span, Message: "the states are not drawn: " + err.Error()})
		return ""
	}
	d := view.StateSpace(task, space, view.Picture)
	if o.DomainFile != file {
		d.Unplaced()
	}
	a.Draw(d)
	if task.Hopeless != "" {
		if d, found := missingInit(file, o.Problem); found {
			a.Add(d)
			return ""
		}
		a.Add(source.Diagnostic{Code: "strips.hopeless", Severity: source.SeverityWarning, Span: goalPlace(file.Text, task.Hopeless, o.Problem.Span), Message: fmt.Sprintf("unreachable goal: no action makes %s true", task.Hopeless)})
		return ""
	}
	size := notation.Count(len(space.States), "state")
	if space.Left > 0 {
		size = "more than " + size
	}
	return size
}

// missingInit reports that a problem has no section :init. The fix adds an empty one before the goal.
func missingInit(file *source.File, problem *strips.Problem) (source.Diagnostic, bool) {
	goal := -1
	if !problem.HasInit() {
		goal = strings.Index(withoutComments(file.Text[problem.Span.Start:]), "(:goal")
	}
	if goal < 0 {
		return source.Diagnostic{}, false
	}
	at := problem.Span.Start + source.Pos(goal)
	return source.Diagnostic{
		Code: "strips.init", Severity: source.SeverityWarning, Span: problem.Span, Message: "missing :init: no fact is true at the start",
		Fixes: []source.Fix{{Title: "Add (:init)", Edits: []source.Edit{{Span: source.Span{Start: at, End: at}, Text: "(:init)\n  "}}}},
	}, true
}

// withoutComments returns a text of PDDL with spaces in place of comments and in lower case. Places are kept.
func withoutComments(text string) string {
	out, comment := []byte(text), false
	for i, c := range out {
		comment = c != '\n' && (comment || c == ';')
		switch {
		case comment:
			out[i] = ' '
		case 'A' <= c && c <= 'Z':
			out[i] += 'a' - 'A'
		}
	}
	return string(out)
}

func formatPDDL(file *source.File) (string, []source.Diagnostic) {
	spec, found := strips.Parse(file)
	// A missing domain is an error of the workspace, not of this text.
	if spec.Domain == nil && spec.Problem == nil {
		return file.Text, found
	}
	return formatted(file, found, func() string { return strips.Format(file) })
}

func drawPDDL(s *notation.Scope, w *notation.Graph) {
	o, found := strips.Open(s.File, PDDLSiblings(s.Files, s.File.Name))
	if source.HasErrors(found) || o.Domain == nil {
		return
	}
	if o.ProblemFile == s.File {
		m := meter.New(AnalysisBudget)
		task, err := strips.Ground(o.Domain, o.Problem, m)
		if err != nil {
			return
		}
		// Draw the states that the budget allowed even if there are more.
		space, _ := task.Explore(view.MaxStates*int(view.Complete), m)
		d := view.StateSpace(task, space, view.Complete)
		if o.DomainFile != s.File {
			d.Unplaced()
		}
		w.Drawing = &d
		return
	}
	d := view.Actions(o.Domain, view.Complete)
	w.Drawing = &d
	w.PlaceNames(strips.Occurrences(s.File), strips.KindPredicate, strips.KindAction)
}
