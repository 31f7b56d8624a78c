package strips

import "strings"

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
	for _, a := range d.Actions {
		b.WriteString("  (:action " + a.Name + "\n    :parameters (" + typed(a.Parameters, "?") + ")\n")
		b.WriteString("    :precondition " + conjunction(a.Precondition) + "\n    :effect " + conjunction(a.Effect) + ")\n")
	}
	return strings.TrimRight(b.String(), "\n") + ")\n"
}

// String formats the problem as PDDL, which parses to the same problem.
func (p *Problem) String() string {
	var b strings.Builder
	b.WriteString("(define (problem " + p.Name + ")\n  (:domain " + p.Domain + ")\n")
	if len(p.Objects) > 0 {
		b.WriteString("  (:objects " + typed(p.Objects, "") + ")\n")
	}
	b.WriteString("  (:init")
	for _, a := range p.Init {
		b.WriteString("\n    " + a.String())
	}
	b.WriteString(")\n  (:goal " + conjunction(p.Goal) + "))\n")
	return b.String()
}

// requirements returns the requirements of PDDL that the domain uses.
func (d *Domain) requirements() []string {
	uses := [4]bool{true, len(d.Types) > 0, false, false}
	for _, a := range d.Actions {
		for _, l := range a.Precondition {
			if l.Predicate == Equal {
				uses[3] = true
			}
			uses[2] = uses[2] || l.Negated
		}
	}
	var out []string
	for i, r := range requirements {
		if uses[i] {
			out = append(out, r)
		}
	}
	return out
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

func conjunction(list []Literal) string {
	if len(list) == 0 {
		return "()"
	}
	if len(list) == 1 {
		return list[0].String()
	}
	parts := make([]string, len(list))
	for i, l := range list {
		parts[i] = l.String()
	}
	return "(and " + strings.Join(parts, " ") + ")"
}
