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
// workspace, and a number of steps; -1 selects the lower bound of the length of a plan.
type StepsEncodeParams struct {
	Files []File `json:"files"`
	Name  string `json:"name"`
	Steps int    `json:"steps"`
}

// StepsEncodeResult is the problem for other tools: as PDDL in the standard layout, and as SMT-LIB
// that is satisfiable if and only if a plan with that many steps exists. With a metric, the text also
// asks for its best value among the plans with that many steps. The encoding ignores the workspace's
// formulas.
type StepsEncodeResult struct {
	Domain    string `json:"domain"`
	Problem   string `json:"problem"`
	Text      string `json:"text"` // SMT-LIB
	Steps     int    `json:"steps"`
	Least     int    `json:"least"`     // the lower bound of the length of a plan
	Reachable bool   `json:"reachable"` // false: no plan of any length exists
	Facts     int    `json:"facts"`
	Operators int    `json:"operators"`
}

// openStepsOf is openSteps for the named file of a workspace.
func (s *Session) openStepsOf(files []File, name string) (project, strips.Opened, error) {
	w := s.project(files)
	if err := w.Check(); err != nil {
		return w, strips.Opened{}, err
	}
	file, ok := w.File(name)
	if !ok {
		return w, strips.Opened{}, missingFile(name, w.Workspace)
	}
	if w.table.Of(name).Kind != workspace.KindPDDL {
		return w, strips.Opened{}, source.NewError("steps.kind", name+" is not a PDDL file")
	}
	o, err := openSteps(w.Workspace, file)
	return w, o, err
}

func (s *Session) stepsEncode(p StepsEncodeParams) (StepsEncodeResult, error) {
	_, o, err := s.openStepsOf(p.Files, p.Name)
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

// StepsValidateParams are a problem in PDDL and a plan for it, one step per line: an
// action and its objects, with or without parentheses.
type StepsValidateParams struct {
	Files []File `json:"files"`
	Name  string `json:"name"`
	Plan  string `json:"plan"`
}

// StepsFault is the fault of a plan: at a step, numbered from 1, or at the end, whose number is one
// more than that of the last step.
type StepsFault struct {
	Code    string `json:"code"`
	Step    int    `json:"step"`
	Literal string `json:"literal"` // the false literal; "" for another fault
	Since   int    `json:"since"`   // the step that made it false; 0 for the initial state
	Message string `json:"message"`
}

// StepsPlace is the place of a step, in UTF-16 code units.
type StepsPlace struct {
	Text string `json:"text"`
	From int    `json:"from"`
	To   int    `json:"to"`
}

// StepsValidateResult is the execution of a plan up to its first fault: the states, beginning with
// the initial state, and the fault. A plan without a fault reaches the goal; only such a plan has
// Checks.
type StepsValidateResult struct {
	Steps       []StepsPlace      `json:"steps"`
	States      []formulate.State `json:"states"`
	Fault       *StepsFault       `json:"fault,omitempty"`
	Cost        *float64          `json:"cost,omitempty"` // of a plan without a fault, if the problem has costs
	Checks      []formulate.Check `json:"checks"`
	Diagnostics []Diagnostic      `json:"diagnostics"` // of the plan's text
}

func (s *Session) stepsValidate(p StepsValidateParams) (StepsValidateResult, error) {
	w, o, err := s.openStepsOf(p.Files, p.Name)
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
			out.Cost = formulate.CostOf(&o.Spec, states)
			out.Checks = orEmpty(planChecker(w)(&o.Spec, plan, states))
		}
	}
	if len(found) > notation.MaxShown {
		rest := len(found) - notation.MaxShown
		found = append(found[:notation.MaxShown:notation.MaxShown], source.Diagnostic{Code: "limit.found", Severity: source.SeverityInfo, Span: found[notation.MaxShown].Span, Message: fmt.Sprintf("%d more are not listed", rest)})
	}
	out.Diagnostics = wireDiagnostics(file, found)
	return out, nil
}
