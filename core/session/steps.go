package session

import (
	"errors"
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/formulate"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/solve"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/strips"
	"github.com/stile-playground/stile/core/workspace"
)

// RunSteps is the kind of run in which a solver searches for a shortest plan of a problem in
// PDDL.
const RunSteps = "steps"

// StepsSettings are the settings of the search.
type StepsSettings struct {
	From   int          `json:"from,omitempty"` // initial number of steps; 0: a lower bound of the length of a plan
	Most   int          `json:"most,omitempty"` // maximum number of steps; 0: formulate.DefaultHorizon, and none for a problem with costs, numbers, quantifiers, disjunctions or conditional effects
	Limits solve.Limits `json:"limits,omitzero"`
	// Properties is the use of the workspace's formulas: "enforce" compiles those that refer
	// to the problem into the solver's text, "check" only judges the plan, "ignore" does
	// neither; "": "enforce".
	Properties string `json:"properties,omitempty"`
	// Search is "states" for a search of the states without the solver, which is faster if many
	// actions are independent of each other, as in transport; "": the solver, for each number of
	// steps. Problems with costs, numbers, quantifiers, disjunctions or conditional effects are
	// always searched by states.
	Search string `json:"search,omitempty"`
	// Without names the properties that cannot be judged, and are excluded.
	Without []string `json:"without,omitempty"`
}

// Uses of formulas.
const (
	propertiesEnforce = "enforce"
	propertiesCheck   = "check"
	propertiesIgnore  = "ignore"
)

// searchStates is the value of [StepsSettings.Search].
const searchStates = "states"

// check returns an error for invalid settings, and fills in the defaults.
func (s *StepsSettings) check() error {
	if s.Most == 0 {
		s.Most = max(s.From, formulate.DefaultHorizon)
	}
	if s.Properties == "" {
		s.Properties = propertiesEnforce
	}
	switch {
	case s.From < 0 || s.Most < 0 || s.Most > strips.MaxHorizon:
		return source.NewError("limit.horizon", fmt.Sprintf("steps out of range (expected 0 to %d, got %d to %d)", strips.MaxHorizon, s.From, s.Most))
	case s.Search != "" && s.Search != searchStates:
		return source.NewError("steps.search", fmt.Sprintf("unknown search %q (expected \"states\", or none for the solver)", s.Search))
	case s.Search == searchStates && s.From > 0:
		return source.NewError("steps.search", "a search by states has no minimum of steps; remove from")
	case s.From > s.Most:
		return source.NewError("limit.horizon", fmt.Sprintf("the minimum of %d steps exceeds the maximum of %d", s.From, s.Most))
	case s.Properties != propertiesEnforce && s.Properties != propertiesCheck && s.Properties != propertiesIgnore:
		return source.NewError("steps.properties", fmt.Sprintf("unknown use %q of properties (expected \"enforce\", \"check\" or \"ignore\")", s.Properties))
	}
	return nil
}

// StepsTriedEvent reports a number of steps for which the solver is queried or, if it has a status,
// the solver's answer.
type StepsTriedEvent struct {
	Kind  string          `json:"kind"` // "steps.tried"
	Bytes int             `json:"bytes"`
	Tried formulate.Tried `json:"tried"`
}

// StepsOutcome is the result of a search.
type StepsOutcome struct {
	Status  string            `json:"status"` // one of formulate's Status constants
	Message string            `json:"message"`
	Steps   formulate.Steps   `json:"steps"`
	Checks  []formulate.Check `json:"checks"`
}

func stepsEvents() []any { return []any{StepsTriedEvent{Kind: "steps.tried"}} }

// openSteps returns a problem without errors, with its domain.
func openSteps(w workspace.Workspace, file workspace.File) (strips.Opened, error) {
	f := file.Source()
	o, found := strips.Open(f, language.PDDLSiblings(w.Files, file.Name))
	switch {
	case source.HasErrors(found):
		return o, notation.Invalid(f, found)
	case o.Problem == nil:
		return o, source.NewError("steps.problem", file.Name+" is a domain without a problem in the workspace; a plan requires an initial state and a goal")
	case o.Domain == nil:
		return o, source.NewError("steps.domain", file.Name+" names no domain")
	}
	return o, nil
}

func stepsBody(w project, file workspace.File, raw json.RawMessage) (process.Func, error) {
	var settings StepsSettings
	if err := decodeParams(raw, &settings); err != nil {
		return nil, err
	}
	unlimited := settings.Most == 0
	if err := settings.check(); err != nil {
		return nil, err
	}
	o, err := openSteps(w.Workspace, file)
	if err != nil {
		return nil, err
	}
	run := stepsRun{opened: o, settings: settings, workspace: w, unlimited: unlimited}
	if settings.Properties == propertiesEnforce {
		if run.formulas, err = stepsFormulas(w, &o.Spec); err != nil {
			return nil, err
		}
	}
	return func(env *process.Env) (any, error) { return run.run(env) }, nil
}

// stepsRun is a search for a plan.
type stepsRun struct {
	opened    strips.Opened
	settings  StepsSettings
	workspace project
	formulas  []stepsFormula // the formulas that the plan must satisfy
	unlimited bool           // the settings have no maximum of steps
}

func (r *stepsRun) run(env *process.Env) (*StepsOutcome, error) {
	task, err := strips.Ground(r.opened.Domain, r.opened.Problem, env.Meter())
	if err != nil {
		return nil, err
	}
	if r.unlimited && (task.Extended() || r.settings.Search == searchStates) {
		r.settings.Most = 0
	}
	steps, plan, status, message, err := r.search(env, task, r.formulas)
	if err != nil {
		return nil, err
	}
	out := &StepsOutcome{Status: status, Message: message, Steps: steps, Checks: []formulate.Check{}}
	switch {
	case status == formulate.StatusSolved:
		states, fault := strips.Validate(r.opened.Domain, r.opened.Problem, plan)
		out.Steps.States = stepsStates(states)
		if fault != nil {
			out.Status, out.Message = formulate.StatusFailed, "the solver's plan fails validation: "+fault.Message
			return out, nil
		}
		out.Steps.Cost = formulate.CostOf(&r.opened.Spec, states)
		if r.settings.Properties != propertiesIgnore {
			out.Checks = orEmpty(planChecker(r.workspace)(&r.opened.Spec, plan, states))
		}
	case len(r.formulas) > 0 && status == formulate.StatusInfeasible:
		if err := r.without(env, task, out); err != nil {
			return nil, err
		}
	case status == formulate.StatusInfeasible && message == "":
		out.Message = r.none()
	}
	return out, nil
}

// search searches for a shortest plan that satisfies the formulas.
func (r *stepsRun) search(env *process.Env, task *strips.Task, formulas []stepsFormula) (formulate.Steps, strips.Plan, string, string, error) {
	none := func(err error) (formulate.Steps, strips.Plan, string, string, error) {
		return formulate.Steps{}, nil, "", "", err
	}
	encoding, err := task.Encode(env.Meter())
	if err != nil {
		return none(err)
	}
	if err := restrict(encoding, formulas, env.Meter()); err != nil {
		return none(err)
	}
	if r.settings.Search == searchStates {
		return formulate.SearchStates(env, encoding, r.settings.Most, r.settings.Limits)
	}
	return formulate.SearchSteps(env, encoding, r.settings.From, r.settings.Most, r.settings.Limits, func(steps, bytes int, result *solve.Result) {
		tried := formulate.Tried{Steps: steps}
		if result != nil {
			tried.Status, tried.Milliseconds = result.Status, result.Milliseconds
		}
		env.Emit(StepsTriedEvent{Kind: "steps.tried", Bytes: bytes, Tried: tried})
	})
}

// restrict adds formulas to an encoding.
func restrict(e *strips.Encoding, formulas []stepsFormula, m *meter.Meter) error {
	if len(formulas) == 0 {
		return nil
	}
	all := formulas[0].formula
	for _, f := range formulas[1:] {
		all = ltl.New(ltl.And, all, f.formula)
	}
	return e.Restrict(all, m)
}

// none returns the statement that the search found no plan.
func (r *stepsRun) none() string {
	if r.settings.Most == 0 {
		return "no plan exists"
	}
	return "no plan has at most " + notation.Count(r.settings.Most, "step")
}

// without determines whether the formulas exclude all plans, and which formulas: it
// searches for a plan that need not satisfy them.
func (r *stepsRun) without(env *process.Env, task *strips.Task, out *StepsOutcome) error {
	for _, f := range r.formulas {
		alphabet, err := ltl.NewAlphabet(f.formula.Props(), ltl.Powerset)
		if err != nil {
			return err
		}
		automaton, err := ltl.Translate(f.formula, alphabet, env.Meter())
		if err != nil {
			return err
		}
		if automaton.Distances()[automaton.Start()] < 0 {
			out.Message = f.String() + " cannot hold in any plan"
			return nil
		}
	}
	tried := out.Steps.Tried
	steps, plan, status, message, err := r.search(env, task, nil)
	if err != nil {
		return err
	}
	out.Steps.Tried = append(tried, steps.Tried...)
	with := "with " + namesOf(r.formulas) + ", " + r.none()
	switch status {
	case formulate.StatusSolved:
		states, fault := strips.Validate(r.opened.Domain, r.opened.Problem, plan)
		if fault != nil {
			return nil
		}
		var broken []stepsFormula
		for _, f := range r.formulas {
			trace, err := strips.Trace(r.opened.Domain, r.opened.Problem, f.formula, plan, states)
			if err != nil {
				return err
			}
			if !f.formula.Holds(trace) {
				broken = append(broken, f)
			}
		}
		out.Message = fmt.Sprintf("%s; without, there is one of %s, and it violates %s: %s", with, notation.Count(len(plan), "step"), namesOf(broken), strings.Join(steps.Plan, " "))
	case formulate.StatusInfeasible:
		if message == "" {
			message = r.none()
		}
		out.Message = message + ", with the formulas or without them"
	default:
		out.Message = with + "; a plan without the formulas is unknown: " + message
	}
	return nil
}

// stepsStates converts states for the wire.
func stepsStates(states []strips.State) []formulate.State {
	out := make([]formulate.State, len(states))
	for i, s := range states {
		out[i] = formulate.State{Facts: orEmpty(s.Facts), Gains: orEmpty(s.Gains), Loses: orEmpty(s.Loses)}
	}
	return out
}

// stepsFormula is a formula that refers to a problem.
type stepsFormula struct {
	file, name string
	formula    *ltl.Formula
}

// String returns the name of the formula for a person.
func (f stepsFormula) String() string { return f.file + ": " + f.name }

func namesOf(list []stepsFormula) string {
	var names []string
	for _, f := range list {
		names = append(names, f.name)
	}
	return strings.Join(names, " and ")
}

// stepsFormulas returns the workspace's formulas that refer to a problem, or their
// conjuncts that do: all of their propositions begin with an action or a predicate of its
// domain. The error reports a formula about the problem with another fault.
func stepsFormulas(w project, spec *strips.Spec) ([]stepsFormula, error) {
	var out []stepsFormula
	for _, p := range w.table.Properties(w.Files) {
		if source.HasErrors(p.Found) {
			return nil, notation.Invalid(p.File, p.Found)
		}
		for _, n := range p.Formulas {
			about, _ := refersTo(spec, n.Formula)
			parts := []*ltl.Formula{n.Formula}
			if !about {
				parts = ltl.Conjuncts(n.Formula)
			}
			for _, part := range parts {
				about, fault := refersTo(spec, part)
				if !about {
					continue
				}
				if fault != nil {
					return nil, source.NewError(fault.ID, fmt.Sprintf("%s, line %d: %s", p.File.Name, p.File.Locate(n.Span.Start).Line, fault.Message))
				}
				out = append(out, stepsFormula{p.File.Name, language.PropertyName(n), part})
			}
		}
	}
	return out, nil
}

// refersTo reports whether a formula is about a problem, and its fault if it has one.
func refersTo(spec *strips.Spec, f *ltl.Formula) (about bool, fault *source.Error) {
	props := f.Props()
	for _, name := range props {
		is, err := strips.RefersTo(spec.Domain, spec.Problem, name)
		if !is {
			return false, nil
		}
		if err != nil && fault == nil {
			errors.As(err, &fault)
		}
	}
	return len(props) > 0, fault
}

// planChecker returns a check of a plan with steps against the workspace's grammars and
// formulas that refer to its actions.
func planChecker(w project) func(spec *strips.Spec, plan strips.Plan, states []strips.State) []formulate.Check {
	return func(spec *strips.Spec, plan strips.Plan, states []strips.State) []formulate.Check {
		var out []formulate.Check
		for _, s := range w.table.Subjects(w.Files) {
			if s.Traces == notation.Words && ofActions(spec.Domain, s.Letters) {
				out = append(out, checkWord(w, s, plan))
			}
		}
		formulas, err := stepsFormulas(w, spec)
		if err != nil {
			return append(out, formulate.Check{Reason: err.Error()})
		}
		for _, f := range formulas {
			check := formulate.Check{File: f.file, Name: f.name}
			trace, err := strips.Trace(spec.Domain, spec.Problem, f.formula, plan, states)
			switch {
			case err != nil:
				check.Reason = err.Error()
			case f.formula.Holds(trace):
				check.Holds = true
			default:
				check.Reason = stateReason(ltl.Explain(f.formula, trace))
			}
			out = append(out, check)
		}
		return append(out, unjudgedChecks(w, spec)...)
	}
}

// unjudgedChecks lists the formulas with symbols that neither the problem nor a spec of
// the workspace defines: each counts as false.
func unjudgedChecks(w project, spec *strips.Spec) (out []formulate.Check) {
	known := language.VocabularyOf(w.table, w.Files)
	known.Others = append(known.Others, language.PDDLSymbols(spec))
	for _, p := range w.table.Properties(w.Files) {
		for _, n := range p.Formulas {
			if faults := known.Faults(p.File, n); len(faults) > 0 {
				out = append(out, formulate.Check{File: p.File.Name, Name: language.PropertyName(n), Reason: "not judged: " + faults[0].Message})
			}
		}
	}
	return out
}

// stateReason explains why a formula is false on a plan. It numbers the states from 0, whereas
// explanations of formulas number them from 1.
func stateReason(r *ltl.Reason) string {
	return "counting the first state as step 1:\n" + strings.TrimRight(r.String(), "\n")
}

// ofActions reports whether all symbols of a spec are actions of a domain, or steps.
func ofActions(d *strips.Domain, letters []string) bool {
	for _, letter := range letters {
		words := strings.Fields(strings.Trim(strings.ToLower(letter), "()"))
		if len(words) == 0 || d.Action(words[0]) == nil {
			return false
		}
	}
	return len(letters) > 0
}

// checkWord checks a plan against a spec of words, whose symbols are actions or complete
// steps: "stack" or "stack a b", in parentheses or not.
func checkWord(w project, s notation.Subject, plan strips.Plan) formulate.Check {
	check := formulate.Check{File: s.Name}
	letterOf := map[string]string{}
	for _, letter := range s.Letters {
		letterOf[strings.Join(strings.Fields(strings.Trim(strings.ToLower(letter), "()")), " ")] = letter
	}
	word := make([]string, len(plan))
	for i, step := range plan {
		letter, ok := letterOf[strings.Trim(step.String(), "()")]
		if !ok {
			letter, ok = letterOf[step.Action]
		}
		if !ok {
			check.Reason = fmt.Sprintf("step %d, %s, is not a symbol of the spec", i+1, step)
			return check
		}
		word[i] = letter
	}
	got, err := walk(w.table, StepWalkParams{Files: w.Files, Name: s.Name, Word: word})
	if err != nil {
		check.Reason = err.Error()
		return check
	}
	next := func(list []Letter) string {
		var names []string
		for _, l := range list[:min(len(list), 8)] {
			names = append(names, l.Name)
		}
		return strings.Join(names, ", ")
	}
	switch {
	case got.Viable && got.Complete:
		check.Holds = true
	case got.Viable:
		check.Reason = "the plan ends too early; expected " + next(got.Next)
	case got.Violation != nil && *got.Violation < len(plan):
		at := *got.Violation
		check.Reason = fmt.Sprintf("unexpected step %d, %s", at+1, plan[at])
		if before, err := walk(w.table, StepWalkParams{Files: w.Files, Name: s.Name, Word: word[:at]}); err == nil && len(before.Next) > 0 {
			check.Reason += "; expected " + next(before.Next)
		}
	default:
		check.Reason = "the plan is not accepted"
	}
	return check
}

// stepsBudget bounds a method whose caller waits for the result.
var stepsBudget = meter.Budget{Steps: 200_000_000, States: 4_000_000}
