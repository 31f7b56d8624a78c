package strips

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/sexpr"
	"github.com/stile-playground/stile/core/source"
)

// Step is a ground action of a plan: "(stack a b)".
type Step struct {
	Action    string
	Arguments []string
}

// String returns the step as it is written.
func (s Step) String() string {
	return "(" + strings.Join(append([]string{s.Action}, s.Arguments...), " ") + ")"
}

// Plan is a sequence of steps.
type Plan []Step

// String formats the plan, one step per line.
func (p Plan) String() string {
	var b strings.Builder
	for _, s := range p {
		b.WriteString(s.String() + "\n")
	}
	return b.String()
}

// ParsePlan reads a plan as [Plan.String] and planners write it: one list per step.
func ParsePlan(file *source.File) (Plan, []source.Diagnostic) {
	plan, _, found := readPlan(file)
	return plan, found
}

// ReadPlan is ParsePlan with the place of each step. In a text without parentheses each
// line is a step, with or without a number before it: "stack a b".
func ReadPlan(file *source.File) (Plan, []source.Span, []source.Diagnostic) {
	if strings.ContainsAny(file.Text, "()") {
		return readPlan(file)
	}
	var out Plan
	var spans []source.Span
	found := file.Check()
	if len(found) > 0 {
		return nil, nil, found
	}
	at := 0
	for line := range strings.Lines(file.Text) {
		text, _, _ := strings.Cut(line, ";")
		text = strings.TrimLeft(text, " \t0123456789.:-*")
		start := source.Pos(at + strings.Index(line, text))
		at += len(line)
		words := strings.Fields(strings.ReplaceAll(fold(text), ",", " "))
		if len(words) == 0 {
			continue
		}
		span := source.Span{Start: start, End: start + source.Pos(len(strings.TrimRight(text, " \t\r\n")))}
		for _, word := range words {
			if !isName(word) {
				found = append(found, notAStep(span))
				break
			}
		}
		out, spans = append(out, Step{Action: words[0], Arguments: words[1:]}), append(spans, span)
	}
	return out, spans, found
}

func notAStep(span source.Span) source.Diagnostic {
	return source.Diagnostic{Code: "strips.step", Span: span, Message: "expected a step: an action and its objects in parentheses, such as (stack a b)"}
}

func readPlan(file *source.File) (Plan, []source.Span, []source.Diagnostic) {
	tree, found := sexpr.Parse(file)
	var out Plan
	var spans []source.Span
	for _, n := range tree.Nodes {
		var words []string
		for _, item := range n.Items {
			if item.Kind == sexpr.KindAtom && isName(item.Text) {
				words = append(words, fold(item.Text))
			}
		}
		if len(words) == 0 || len(words) < len(n.Items) {
			found = append(found, notAStep(n.Span))
			continue
		}
		out, spans = append(out, Step{Action: words[0], Arguments: words[1:]}), append(spans, n.Span)
	}
	return out, spans, found
}

// State is a state during a plan, with its difference from the one before.
type State struct {
	Facts []string // all true atoms and values of functions, sorted
	Gains []string // atoms that became true, sorted
	Loses []string // atoms that became false, sorted
	Cost  int64    // the value of the metric, or of total-cost, in units of 1/[Unit]; see [Problem.Costs]
}

// The codes of a plan's faults.
const (
	FaultAction       = "strips.plan-action"       // unknown action
	FaultArguments    = "strips.plan-arguments"    // wrong number or types of objects
	FaultPrecondition = "strips.plan-precondition" // a precondition is false
	FaultGoal         = "strips.plan-goal"         // the goal is false after the last step
	FaultNumber       = "strips.plan-number"       // an effect has no value
)

// Fault is the fault of a plan, at the first step that cannot be executed.
type Fault struct {
	Code    string
	Step    int     // from 1; for a goal that is not reached, one more than the number of steps
	Literal Literal // the false literal of a precondition or the goal, ground; empty for another condition
	Since   int     // the step that made it false; 0 for the initial state
	Message string
}

// Validate executes a plan from a problem's initial state, as the domain and the problem are written. It uses
// neither grounding nor encoding, because it checks their results. It returns the states
// up to the first fault, beginning with the initial state, and the fault; the fault is
// nil if the plan reaches the goal.
func Validate(d *Domain, p *Problem, plan Plan) ([]State, *Fault) {
	v := &validation{domain: d, problem: p, objects: map[string]string{}, holds: map[string]bool{}, since: map[string]int{}, numbers: map[string]int64{}, layers: d.layers()}
	v.metric = p.factors()
	for _, value := range p.Values {
		v.numbers[value.Function.String()] = value.Value
	}
	for _, o := range d.objects(p) {
		v.objects[o.Name] = o.Type
	}
	for _, a := range p.Init {
		v.holds[a.String()] = true
	}
	v.derive()
	v.cost = v.base()
	states := []State{{Facts: v.facts(), Cost: v.cost}}
	for i, step := range plan {
		effect, fault := v.step(i+1, step)
		if fault != nil {
			fault.Message = fmt.Sprintf("step %d, %s: %s", i+1, step, fault.Message)
			return states, fault
		}
		numbers, fault := v.effects(i+1, step, &effect)
		if fault != nil {
			fault.Message = fmt.Sprintf("step %d, %s: %s", i+1, step, fault.Message)
			return states, fault
		}
		states = append(states, v.apply(i+1, effect, numbers))
	}
	for _, l := range p.Goal {
		if fault := v.check(len(plan)+1, l, FaultGoal); fault != nil {
			fault.Message = "unreached goal: " + fault.Message
			return states, fault
		}
	}
	for _, c := range p.Goals {
		if !v.truth(c, map[string]string{}) {
			return states, &Fault{Code: FaultGoal, Step: len(plan) + 1, Message: "unreached goal: " + c.String() + " does not hold"}
		}
	}
	return states, nil
}

type validation struct {
	domain  *Domain
	problem *Problem
	numbers map[string]int64 // by function: its value
	metric  map[string]int64 // by function: its factor in the cost
	cost    int64
	objects map[string]string // by name: the type
	holds   map[string]bool   // only the true atoms
	since   map[string]int    // by atom: the step that changed it last
	layers  [][]*Axiom        // by stratum
	derived map[string]bool   // the true atoms of derived predicates
}

// step returns the ground action of a step, or its fault.
func (v *validation) step(number int, s Step) ([]Literal, *Fault) {
	a := v.domain.Action(s.Action)
	if a == nil {
		message := "unknown action"
		var names []string
		for _, a := range v.domain.Actions {
			names = append(names, a.Name)
		}
		if near := source.Nearest(s.Action, names); near != "" {
			message += fmt.Sprintf("; did you mean %q?", near)
		}
		return nil, &Fault{Code: FaultAction, Step: number, Message: message}
	}
	if len(s.Arguments) != len(a.Parameters) {
		return nil, &Fault{Code: FaultArguments, Step: number, Message: fmt.Sprintf("%s has %s, not %d", a.Name, count(len(a.Parameters), "object"), len(s.Arguments))}
	}
	values := map[string]string{}
	for i, o := range s.Arguments {
		wanted := a.Parameters[i].Type
		switch t, known := v.objects[o]; {
		case !known:
			return nil, &Fault{Code: FaultArguments, Step: number, Message: fmt.Sprintf("unknown object %q", o)}
		case !v.domain.isA(t, wanted):
			return nil, &Fault{Code: FaultArguments, Step: number, Message: fmt.Sprintf("%s is of type %s, but ?%s of %s is of type %s", o, t, a.Parameters[i].Name, a.Name, wanted)}
		}
		values["?"+a.Parameters[i].Name] = o
	}
	for _, l := range a.Precondition {
		if fault := v.check(number, replace(l, values), FaultPrecondition); fault != nil {
			return nil, fault
		}
	}
	for _, c := range a.Conditions {
		if !v.truth(c, values) {
			return nil, &Fault{Code: FaultPrecondition, Step: number, Message: c.with(values) + " does not hold"}
		}
	}
	var effect []Literal
	for _, l := range a.Effect {
		effect = append(effect, replace(l, values))
	}
	return effect, nil
}

// replace replaces parameters with objects.
func replace(l Literal, values map[string]string) Literal {
	terms := make([]string, len(l.Terms))
	for i, term := range l.Terms {
		terms[i] = term
		if value, ok := values[term]; ok {
			terms[i] = value
		}
	}
	l.Terms = terms
	return l
}

// check returns the fault of a false literal, or nil.
func (v *validation) check(number int, l Literal, code string) *Fault {
	atom := l.Atom.String()
	holds := v.holds[atom]
	if l.Predicate == Equal {
		holds = l.Terms[0] == l.Terms[1]
	}
	if holds != l.Negated {
		return nil
	}
	f := &Fault{Code: code, Step: number, Literal: l, Since: v.since[atom], Message: atom + " does not hold"}
	if l.Negated {
		f.Message = atom + " holds"
	}
	switch {
	case f.Since > 0:
		f.Message += fmt.Sprintf(" since step %d", f.Since)
	case l.Predicate != Equal:
		f.Message += " since the initial state"
	}
	if l.Negated {
		f.Message += ", and must not"
	}
	return f
}

// apply computes the next state.
func (v *validation) apply(number int, effect []Literal, numbers map[string]int64) State {
	after := map[string]bool{}
	for _, l := range effect {
		atom := l.Atom.String()
		after[atom] = after[atom] || !l.Negated
	}
	before := merged(v.holds, nil)
	for atom, holds := range after {
		if v.holds[atom] = true; !holds {
			delete(v.holds, atom)
		}
	}
	gains, loses := v.assign(numbers)
	v.derive()
	var s State
	for _, atom := range sortedKeys(merged(before, v.holds)) {
		switch {
		case v.holds[atom] == before[atom]:
			continue
		case v.holds[atom]:
			s.Gains = append(s.Gains, atom)
		default:
			s.Loses = append(s.Loses, atom)
		}
		v.since[atom] = number
	}
	s.Gains, s.Loses = append(s.Gains, gains...), append(s.Loses, loses...)
	s.Cost = v.cost
	s.Facts = v.facts()
	return s
}

// assign sets functions to new values, and returns their new and their old values, except
// for the total cost.
func (v *validation) assign(numbers map[string]int64) (gains, loses []string) {
	for _, name := range sortedKeys(numbers) {
		before, defined := v.numbers[name]
		after := numbers[name]
		if defined && before == after {
			continue
		}
		if factor, costs := v.metric[name]; costs {
			cost, _ := scaled(after-before, factor, Unit)
			v.cost += cost
		}
		v.numbers[name] = after
		if name == "("+totalCost+")" {
			continue
		}
		if defined {
			loses = append(loses, valued(name, before))
		}
		gains = append(gains, valued(name, after))
	}
	return gains, loses
}
