package language

import (
	"fmt"
	"slices"
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
		describeAction(c, a)
	case strips.KindFunction:
		describeFunction(c, o.Domain, s.Name)
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

func describeAction(c *notation.Card, a *strips.Action) {
	c.Form = formOf(a.Name, a.Parameters)
	if len(a.Precondition)+len(a.Conditions) == 0 {
		c.Add("Has no precondition.")
	}
	for _, sentence := range []string{sentenceOf("Needs ", a.Precondition, ""), sentenceOf("Needs ", a.Conditions, "")} {
		if sentence != "" {
			c.Add(sentence)
		}
	}
	yes := positive(a.Effect, false)
	if len(yes) > 0 || len(a.Effects) == 0 {
		c.Add(sentenceOf("Makes true: ", yes, "Makes nothing true."))
	}
	if no := positive(a.Effect, true); len(no) > 0 {
		c.Add(sentenceOf("Makes false: ", no, ""))
	}
	var effects []*strips.Effect
	for i := range a.Effects {
		effects = append(effects, &a.Effects[i])
	}
	if len(effects) > 0 {
		c.Add(sentenceOf("Effects: ", effects, ""))
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
	for i := range domain.Axioms {
		a := &domain.Axioms[i]
		if a.Head.Predicate == name {
			c.Add("Derived from " + a.Condition.String() + ".")
		}
		needs := false
		a.Condition.Each(func(l strips.Literal) { needs = needs || l.Predicate == name }, func(*strips.Atom) {})
		if needs && !slices.Contains(need, a.Head.Predicate) {
			need = append(need, a.Head.Predicate)
		}
	}
	for i := range domain.Actions {
		a := &domain.Actions[i]
		needs, changes := false, false
		a.EachCondition(func(l strips.Literal) { needs = needs || l.Predicate == name }, func(*strips.Atom) {})
		a.EachEffect(func(l strips.Literal) { changes = changes || l.Predicate == name })
		if needs {
			need = append(need, a.Name)
		}
		if changes {
			change = append(change, a.Name)
		}
	}
	addUses(c, need, change, domain.Derived(name))
}

// describeFunction lists the actions that read a function and those that change it.
func describeFunction(c *notation.Card, domain *strips.Domain, name string) {
	for _, f := range domain.Functions {
		if f.Name == name {
			c.Form = formOf(f.Name, f.Parameters)
		}
	}
	var need, change []string
	for i := range domain.Actions {
		a := &domain.Actions[i]
		reads := false
		a.EachCondition(func(strips.Literal) {}, func(f *strips.Atom) { reads = reads || f.Predicate == name })
		if reads {
			need = append(need, a.Name)
		}
		if slices.ContainsFunc(a.Effects, func(e strips.Effect) bool { return e.Function != nil && e.Function.Predicate == name }) {
			change = append(change, a.Name)
		}
	}
	addUses(c, need, change, false)
}

func addUses(c *notation.Card, need, change []string, derived bool) {
	if len(need) > 0 {
		c.Add("Needed by " + strings.Join(need, ", ") + ".")
	}
	if len(change) > 0 {
		c.Add("Changed by " + strings.Join(change, ", ") + ".")
	} else if !derived {
		c.Add("No action changes it.")
	}
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

func sentenceOf[T fmt.Stringer](begins string, list []T, none string) string {
	var parts []string
	for _, l := range list {
		parts = append(parts, l.String())
	}
	if len(parts) == 0 {
		return none
	}
	return begins + strings.Join(parts, " ") + "."
}
