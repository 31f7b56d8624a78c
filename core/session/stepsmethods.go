package session

import (
	"fmt"

	"github.com/stile-playground/stile/core/formulate"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/strips"
	"github.com/stile-playground/stile/core/workspace"
)

func stepsMethods() []Method {
	return []Method{method("steps.encode", (*Session).stepsEncode), method("steps.validate", (*Session).stepsValidate)}
}

// StepsEncodeParams are a problem in PDDL, whose domain may be in another file of the
// workspace, and a number of steps; -1 stands for what no plan can be shorter than.
type StepsEncodeParams struct {
	Files []File `json:"files"`
	Name  string `json:"name"`
	Steps int    `json:"steps"`
}

// StepsEncodeResult is the problem for others: as PDDL in the usual layout, and as
// SMT-LIB that is satisfiable if, and only if, there is a plan of so many steps. The
// formulas of the workspace play no part in it.
type StepsEncodeResult struct {
	Domain    string `json:"domain"`
	Problem   string `json:"problem"`
	Text      string `json:"text"` // SMT-LIB
	Steps     int    `json:"steps"`
	Least     int    `json:"least"`     // what no plan can be shorter than
	Reachable bool   `json:"reachable"` // false: there is no plan of any length
	Facts     int    `json:"facts"`
	Operators int    `json:"operators"`
}

// openStepsOf is openSteps of a file of a workspace by its name.
func openStepsOf(files []File, name string) (workspace.Workspace, strips.Opened, error) {
	w := workspace.Workspace{Files: files}
	if err := w.Check(); err != nil {
		return w, strips.Opened{}, err
	}
	file, ok := w.File(name)
	if !ok {
		return w, strips.Opened{}, missingFile(name, w)
	}
	if workspace.KindOf(name) != workspace.KindPDDL {
		return w, strips.Opened{}, source.NewError("steps.kind", name+" is no text in PDDL")
	}
	o, err := openSteps(w, file)
	return w, o, err
}

func (s *Session) stepsEncode(p StepsEncodeParams) (StepsEncodeResult, error) {
	_, o, err := openStepsOf(p.Files, p.Name)
	if err != nil {
		return StepsEncodeResult{}, err
	}
	m := meter.New(stepsBudget)
	task, err := strips.Ground(o.Domain, o.Problem, m)
	if err != nil {
		return StepsEncodeResult{}, err
	}
	encoding, err := task.Encode(m)
	if err != nil {
		return StepsEncodeResult{}, err
	}
	out := StepsEncodeResult{Domain: o.Domain.String(), Problem: o.Problem.String(), Steps: p.Steps, Facts: len(task.Facts), Operators: len(task.Operators)}
	out.Least, out.Reachable = encoding.Least()
	if p.Steps < 0 {
		out.Steps = out.Least
	}
	out.Text, err = encoding.Text(out.Steps, m)
	return out, err
}

// StepsValidateParams are a problem in PDDL and a plan for it, a step a line: an action
// and its objects in parentheses. Without parentheses a line is a step as well.
type StepsValidateParams struct {
	Files []File `json:"files"`
	Name  string `json:"name"`
	Plan  string `json:"plan"`
}

// StepsFault is what is wrong with a plan: at a step, counted from 1, or, where that is
// one more than there are steps, at its end.
type StepsFault struct {
	Code    string `json:"code"`
	Step    int    `json:"step"`
	Literal string `json:"literal"` // that does not hold; "" where it is something else
	Since   int    `json:"since"`   // the step that made it so; 0 for the first state
	Message string `json:"message"`
}

// StepsPlace is where a step stands, in UTF-16 code units.
type StepsPlace struct {
	Text string `json:"text"`
	From int    `json:"from"`
	To   int    `json:"to"`
}

// StepsValidateResult is a plan that was carried out as far as it can be: the states,
// of which there is one before the first step, and what is wrong; a plan without a fault
// reaches the goal. Checks are there for such a plan only.
type StepsValidateResult struct {
	Steps       []StepsPlace      `json:"steps"`
	States      []formulate.State `json:"states"`
	Fault       *StepsFault       `json:"fault,omitempty"`
	Checks      []formulate.Check `json:"checks"`
	Diagnostics []Diagnostic      `json:"diagnostics"` // of the plan's text
}

func (s *Session) stepsValidate(p StepsValidateParams) (StepsValidateResult, error) {
	w, o, err := openStepsOf(p.Files, p.Name)
	if err != nil {
		return StepsValidateResult{}, err
	}
	file := source.NewFile("plan", p.Plan)
	plan, spans, found := strips.ReadPlan(file)
	out := StepsValidateResult{Steps: make([]StepsPlace, len(plan)), States: []formulate.State{}, Checks: []formulate.Check{}}
	at := places{file: file}
	for i, step := range plan {
		out.Steps[i].Text = step.String()
		at.span(&out.Steps[i].From, &out.Steps[i].To, spans[i])
	}
	at.settle()
	if !source.HasErrors(found) {
		states, fault := strips.Validate(o.Domain, o.Problem, plan)
		out.States = stepsStates(states)
		if fault != nil {
			out.Fault = &StepsFault{Code: fault.Code, Step: fault.Step, Since: fault.Since, Message: fault.Message}
			if fault.Literal.Predicate != "" {
				out.Fault.Literal = fault.Literal.String()
			}
			end := source.Pos(len(p.Plan))
			span := source.Span{Start: end, End: end}
			if fault.Step <= len(spans) {
				span = spans[fault.Step-1]
			}
			found = append(found, source.Diagnostic{Code: fault.Code, Span: span, Message: fault.Message})
		} else {
			out.Checks = orEmpty(planChecker(w)(&o.Spec, plan, states))
		}
	}
	if len(found) > notation.MaxShown {
		rest := len(found) - notation.MaxShown
		found = append(found[:notation.MaxShown:notation.MaxShown], source.Diagnostic{Code: "limit.found", Severity: source.SeverityInfo, Span: found[notation.MaxShown].Span, Message: fmt.Sprintf("not listed: %d more", rest)})
	}
	out.Diagnostics = wireDiagnostics(file, found)
	return out, nil
}
