//go:build !first

package session

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/solve"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/strips"
	"github.com/stile-playground/stile/core/view"
	"github.com/stile-playground/stile/core/workspace"
)

// analyzeSolve is document.analyze of a problem for a solver.
func analyzeSolve(file *source.File, files []File, out *DocumentAnalyzeResult, at *places) []source.Diagnostic {
	solver := solverOf(file.Name)
	tokens := solve.Tokens(solver, file, MaxTokens)
	out.colour(at, len(tokens), func(i int) (string, source.Span) { return tokens[i].Class, tokens[i].Span })
	p, found := checkSolve(file, files)
	links := solve.Links(file, p)
	constraints, parts := 0, []string{}
	for _, l := range links {
		if l.Sense == "" {
			constraints++
		}
	}
	if len(p.Names) == 0 && constraints == 0 && len(p.Objectives) == 0 {
		// Definitions that others use need assert nothing.
		rest := found[:0]
		for _, d := range found {
			if d.Code != "smt.empty" || !definesOnly(file) {
				rest = append(rest, d)
			}
		}
		found = rest
	}
	parts = append(parts, count(len(p.Names), "variable"), count(constraints, "constraint"))
	for i, o := range p.Objectives {
		if i == 3 {
			parts = append(parts, "…")
			break
		}
		parts = append(parts, objectiveText(o))
	}
	out.Summary = strings.Join(parts, ", ")
	out.Outline = make([]OutlineItem, min(len(p.Names)+len(p.Named), MaxShown))
	for i := range out.Outline {
		span := source.Span{}
		if i < len(p.Named) {
			out.Outline[i], span = OutlineItem{Name: p.Named[i].Name, Detail: "constraint"}, p.Named[i].Span
		} else {
			n := p.Names[i-len(p.Named)]
			out.Outline[i], span = OutlineItem{Name: n.Name, Detail: n.Sort}, n.Span
		}
		at.span(&out.Outline[i].From, &out.Outline[i].To, span)
	}
	for _, n := range p.Names[:min(len(p.Names), MaxShown)] {
		out.Symbols = append(out.Symbols, Letter{Name: n.Name, Label: n.Name})
	}
	if !source.HasErrors(found) && len(links) > 0 && len(p.Names) > 0 {
		out.Drawing = wireDrawing(view.Solve(p, links, "Variables and constraints", view.Picture), at)
	}
	return found
}

// checkSolve reads a problem for a solver, behind the definitions that its folder has.
func checkSolve(file *source.File, files []File) (solve.Problem, []source.Diagnostic) {
	if given := givenFor(files, file.Name); given.Text != "" {
		return solve.NewBehind(given, file).Check()
	}
	return solve.Check(solverOf(file.Name), file)
}

// solve is drawing.whole of a problem for a solver.
func (w *wholeDrawing) solve(files []File) {
	p, found := checkSolve(w.file, files)
	if source.HasErrors(found) || len(p.Names) == 0 {
		return
	}
	d := view.Solve(p, solve.Links(w.file, p), "Variables and constraints", view.Whole)
	w.drawing = &d
	w.named(solve.Occurrences(p.Solver, w.file), solve.KindConstant, solve.KindFunction, solve.KindVariable, solve.KindConstraint)
	for _, n := range d.Nodes {
		w.place(n.ID, n.Span)
	}
}

// steps is drawing.whole of a problem in PDDL, or of a domain.
func (w *wholeDrawing) steps(files []File) {
	o, found := strips.Open(w.file, language.PDDLBeside(files, w.file.Name))
	if source.HasErrors(found) || o.Domain == nil {
		return
	}
	if o.ProblemFile == w.file {
		m := meter.New(analysisBudget)
		task, err := strips.Ground(o.Domain, o.Problem, m)
		if err != nil {
			return
		}
		// What the meter leaves of them is drawn, too.
		space, _ := task.Explore(view.MaxStates*int(view.Whole), m)
		d := view.StateSpace(task, space, view.Whole)
		if o.DomainFile != w.file {
			d.Unplaced()
		}
		w.drawing = &d
		return
	}
	d := view.Actions(o.Domain, view.Whole)
	w.drawing = &d
	w.named(strips.Occurrences(w.file), strips.KindPredicate, strips.KindAction)
}

// definesOnly reports whether a text defines something.
func definesOnly(file *source.File) bool {
	for _, o := range solve.Occurrences(solve.Z3, file) {
		if o.Defines {
			return true
		}
	}
	return false
}

// objectiveText says what is to be the best.
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
		return strings.TrimSpace("the greatest " + expression)
	}
	return strings.TrimSpace("the least " + expression)
}

// analyzeSteps is document.analyze of a text in PDDL.
func analyzeSteps(file *source.File, files []File, out *DocumentAnalyzeResult, at *places) []source.Diagnostic {
	tokens := strips.Tokens(file)
	out.colour(at, len(tokens), func(i int) (string, source.Span) { return tokens[i].Class, tokens[i].Span })
	o, found := strips.Open(file, language.PDDLBeside(files, file.Name))
	var spans []source.Span
	item := func(name, detail string, span source.Span) {
		if len(out.Outline) < MaxShown {
			out.Outline = append(out.Outline, OutlineItem{Name: name, Detail: detail})
			out.Symbols = append(out.Symbols, Letter{Name: name, Label: name})
			spans = append(spans, span)
		}
	}
	var parts []string
	if o.DomainFile == file {
		parts = append(parts, count(len(o.Domain.Actions), "action"), count(len(o.Domain.Predicates), "predicate"))
		for _, p := range o.Domain.Predicates {
			item(p.Name, "predicate of "+count(len(p.Parameters), "thing"), p.Span)
		}
		for _, a := range o.Domain.Actions {
			item(a.Name, "action on "+count(len(a.Parameters), "thing"), a.Span)
		}
	}
	if o.ProblemFile == file {
		parts = append(parts, count(len(o.Problem.Objects), "object"))
		for _, object := range o.Problem.Objects {
			item(object.Name, object.Type, object.Span)
		}
	}
	for i := range out.Outline {
		at.span(&out.Outline[i].From, &out.Outline[i].To, spans[i])
	}
	switch {
	case len(parts) == 0:
		out.Summary = "no domain yet"
		return found
	case source.HasErrors(found) || o.Domain == nil:
	case o.ProblemFile == file:
		if size, fault := drawSpace(o, file, out, at); fault != nil {
			found = append(found, *fault)
		} else {
			parts = append(parts, size)
		}
	default:
		out.Drawing = wireDrawing(view.Actions(o.Domain, view.Picture), at)
	}
	out.Summary = strings.Join(parts, ", ")
	return found
}

// drawSpace draws the states that a problem's steps reach, and says how many there are.
func drawSpace(o strips.Opened, file *source.File, out *DocumentAnalyzeResult, at *places) (string, *source.Diagnostic) {
	m := meter.New(analysisBudget)
	task, err := strips.Ground(o.Domain, o.Problem, m)
	var space strips.Space
	if err == nil {
		space, err = task.Explore(view.MaxStates, m)
	}
	if err != nil {
		return "", &source.Diagnostic{Code: errorCode(err), Severity: source.SeverityInfo, Span: o.Problem.Span, Message: "the states are not drawn: " + err.Error()}
	}
	d := view.StateSpace(task, space, view.Picture)
	if o.DomainFile != file {
		d.Unplaced()
	}
	out.Drawing = wireDrawing(d, at)
	if task.Hopeless != "" {
		return "", &source.Diagnostic{Code: "strips.hopeless", Severity: source.SeverityWarning, Span: o.Problem.Span, Message: fmt.Sprintf("the goal is out of reach: nothing makes %s hold", task.Hopeless)}
	}
	size := count(len(space.States), "state")
	if space.Left > 0 {
		size = "more than " + size
	}
	return size, nil
}

// checkSteps says what is wrong with formulas that speak of a problem in PDDL.
func checkSteps(f *source.File, files []File) []source.Diagnostic {
	var found []source.Diagnostic
	for _, p := range files {
		if workspace.KindOf(p.Name) != workspace.KindPDDL {
			continue
		}
		o, faults := strips.Open(p.Source(), language.PDDLBeside(files, p.Name))
		if o.ProblemFile == nil || o.ProblemFile.Name != p.Name || o.Domain == nil || source.HasErrors(faults) {
			continue
		}
		found = append(found, faultsOfFormulas(f, p.Name, &o.Spec)...)
	}
	return found
}
