package language

import (
	"strings"

	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/strips"
)

// describeSteps describes the name at a position of a PDDL file.
func describeSteps(d *notation.Scope, c *notation.Card, s *notation.Symbol) {
	o, _ := strips.Open(d.File, PDDLSiblings(d.Files, d.File.Name))
	if o.Domain == nil {
		return
	}
	switch s.Kind {
	case strips.KindPredicate:
		describePredicate(c, o.Domain, s.Name)
	case strips.KindAction:
		a := o.Domain.Action(s.Name)
		if a == nil {
			return
		}
		c.Form = formOf(a.Name, a.Parameters)
		c.Add(sentenceOf("Needs ", a.Precondition, "Has no precondition."), sentenceOf("Makes true: ", positive(a.Effect, false), "Makes nothing true."))
		if no := positive(a.Effect, true); len(no) > 0 {
			c.Add(sentenceOf("Makes false: ", no, ""))
		}
	case strips.KindType:
		var names []string
		for _, t := range append(append([]strips.Typed{}, o.Domain.Constants...), objectsOf(o.Problem)...) {
			if t.Type == s.Name {
				names = append(names, t.Name)
			}
		}
		if len(names) > 0 {
			c.Add("Of this type: " + strings.Join(names[:min(len(names), 20)], ", ") + ".")
		}
	case strips.KindObject:
		for _, t := range append(append([]strips.Typed{}, o.Domain.Constants...), objectsOf(o.Problem)...) {
			if t.Name == s.Name {
				c.Add("Of type " + t.Type + ".")
				break
			}
		}
	case strips.KindDomain:
		c.Add(notation.Count(len(o.Domain.Actions), "action") + ", " + notation.Count(len(o.Domain.Predicates), "predicate") + ".")
	}
}

func objectsOf(p *strips.Problem) []strips.Typed {
	if p == nil {
		return nil
	}
	return p.Objects
}

// describePredicate lists the actions that need a predicate and those that change it.
func describePredicate(c *notation.Card, domain *strips.Domain, name string) {
	for _, p := range domain.Predicates {
		if p.Name == name {
			c.Form = formOf(p.Name, p.Parameters)
		}
	}
	var need, change []string
	for _, a := range domain.Actions {
		if hasPredicate(a.Precondition, name) {
			need = append(need, a.Name)
		}
		if hasPredicate(a.Effect, name) {
			change = append(change, a.Name)
		}
	}
	if len(need) > 0 {
		c.Add("Needed by " + strings.Join(need, ", ") + ".")
	}
	if len(change) > 0 {
		c.Add("Changed by " + strings.Join(change, ", ") + ".")
	} else {
		c.Add("No action changes it.")
	}
}

func hasPredicate(list []strips.Literal, predicate string) bool {
	for _, l := range list {
		if l.Predicate == predicate {
			return true
		}
	}
	return false
}

func positive(list []strips.Literal, negated bool) (out []strips.Literal) {
	for _, l := range list {
		if l.Negated == negated {
			l.Negated = false
			out = append(out, l)
		}
	}
	return out
}

func sentenceOf(begins string, list []strips.Literal, none string) string {
	var parts []string
	for _, l := range list {
		parts = append(parts, l.String())
	}
	if len(parts) == 0 {
		return none
	}
	return begins + strings.Join(parts, " ") + "."
}
