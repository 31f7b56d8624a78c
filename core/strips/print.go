package strips

import (
	"fmt"
	"strings"
)

// String formats the domain as PDDL, which parses to the same domain.
func (d *Domain) String() string {
	var b strings.Builder
	b.WriteString("(define (domain " + d.Name + ")\n  (:requirements " + strings.Join(d.requirements(), " ") + ")\n")
	if len(d.Types) > 0 {
		b.WriteString("  (:types")
		for i, t := range d.Types {
			b.WriteString(" " + t.Name)
			if i+1 == len(d.Types) || d.Types[i+1].Parent != t.Parent {
				b.WriteString(" - " + t.Parent)
			}
		}
		b.WriteString(")\n")
	}
	if len(d.Constants) > 0 {
		b.WriteString("  (:constants " + typed(d.Constants, "") + ")\n")
	}
	if len(d.Predicates) > 0 {
		b.WriteString("  (:predicates")
		for _, p := range d.Predicates {
			b.WriteString("\n    (" + strings.TrimRight(p.Name+" "+typed(p.Parameters, "?"), " ") + ")")
		}
		b.WriteString(")\n")
	}
	if len(d.Functions) > 0 {
		b.WriteString("  (:functions")
		for _, f := range d.Functions {
			b.WriteString("\n    (" + strings.TrimRight(f.Name+" "+typed(f.Parameters, "?"), " ") + ") - number")
		}
		b.WriteString(")\n")
	}
	for _, a := range d.Axioms {
		b.WriteString("  (:derived (" + strings.TrimRight(a.Head.Predicate+" "+typed(a.Parameters, "?"), " ") + ")\n    " + a.Condition.String() + ")\n")
	}
	for _, a := range d.Actions {
		b.WriteString("  (:action " + a.Name + "\n    :parameters (" + typed(a.Parameters, "?") + ")\n")
		b.WriteString("    :precondition " + conjunction(a.Precondition, a.Conditions) + "\n    :effect " + conjunction(a.Effect, a.effects()) + ")\n")
	}
	return strings.TrimRight(b.String(), "\n") + ")\n"
}

// String formats the problem as PDDL, which parses to the same problem.
func (p *Problem) String() string {
	var b strings.Builder
	b.WriteString("(define (problem " + p.Name + ")\n  (:domain " + p.Domain + ")\n")
	uses := map[string]bool{}
	if required(nil, p.Goals, uses); len(uses) > 0 {
		b.WriteString("  (:requirements " + strings.Join(inOrder(uses), " ") + ")\n")
	}
	if len(p.Objects) > 0 {
		b.WriteString("  (:objects " + typed(p.Objects, "") + ")\n")
	}
	b.WriteString("  (:init")
	for _, a := range p.Init {
		b.WriteString("\n    " + a.String())
	}
	for _, v := range p.Values {
		b.WriteString("\n    " + valued(v.Function.String(), v.Value))
	}
	b.WriteString(")\n  (:goal " + conjunction(p.Goal, p.Goals) + ")")
	if len(p.Length) > 0 {
		b.WriteString("\n  (:length")
		for _, key := range sortedKeys(p.Length) {
			b.WriteString(fmt.Sprintf(" (%s %d)", key, p.Length[key]))
		}
		b.WriteByte(')')
	}
	if p.Metric != nil {
		b.WriteString("\n  (:metric " + p.direction() + " " + p.Metric.String() + ")")
	}
	b.WriteString(")\n")
	return b.String()
}

func (p *Problem) direction() string {
	if p.Largest {
		return "maximize"
	}
	return "minimize"
}

// requirements returns the requirements of PDDL that the domain uses.
func (d *Domain) requirements() []string {
	uses := map[string]bool{":strips": true, ":typing": len(d.Types) > 0, reqDerived: len(d.Axioms) > 0}
	for _, a := range d.Axioms {
		required(nil, []*Condition{a.Condition}, uses)
	}
	for _, a := range d.Actions {
		required(a.Precondition, a.Conditions, uses)
		for _, e := range a.Effects {
			for _, g := range e.When {
				required(nil, []*Condition{g.Condition}, uses)
			}
			switch {
			case e.Change == "increase" && e.Function.Predicate == totalCost:
				uses[reqCosts] = true
			case e.Change != "":
				uses[reqNumbers] = true
			}
			uses[reqWhen] = uses[reqWhen] || len(e.When)+len(e.Variables) > 0
		}
	}
	return inOrder(uses)
}

func inOrder(uses map[string]bool) (out []string) {
	for _, r := range requirements {
		if uses[r] {
			out = append(out, r)
		}
	}
	return out
}

// required adds the requirements of conditions.
func required(literals []Literal, conditions []*Condition, uses map[string]bool) {
	for _, l := range literals {
		uses[":equality"] = uses[":equality"] || l.Predicate == Equal
		uses[":negative-preconditions"] = uses[":negative-preconditions"] || l.Negated
	}
	of := map[Op]string{OpOr: reqDisjunction, OpForall: reqForall, OpExists: reqExists, OpCompare: reqNumbers}
	for _, c := range conditions {
		if r := of[c.Op]; r != "" {
			uses[r] = true
		}
		if c.Op == OpLiteral {
			required([]Literal{c.Literal}, nil, uses)
		}
		required(nil, c.Parts, uses)
	}
}

func typed(list []Typed, mark string) string {
	var b strings.Builder
	for i, t := range list {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(mark + t.Name)
		last := i+1 == len(list)
		if (last || list[i+1].Type != t.Type) && (t.Type != Object || !last) {
			b.WriteString(" - " + t.Type)
		}
	}
	return b.String()
}

// effects returns the effects beyond literals.
func (a *Action) effects() []*Effect {
	out := make([]*Effect, len(a.Effects))
	for i := range out {
		out[i] = &a.Effects[i]
	}
	return out
}

func conjunction[T fmt.Stringer](list []Literal, more []T) string {
	parts := make([]string, 0, len(list)+len(more))
	for _, l := range list {
		parts = append(parts, l.String())
	}
	for _, part := range more {
		parts = append(parts, part.String())
	}
	switch len(parts) {
	case 0:
		return "()"
	case 1:
		return parts[0]
	}
	return "(and " + strings.Join(parts, " ") + ")"
}
