package strips

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// checker resolves names.
type checker struct {
	domain  *Domain
	objects []Typed
	found   []source.Diagnostic
}

func (c *checker) report(span source.Span, code, message string, notes ...source.Note) {
	c.found = append(c.found, source.Diagnostic{Code: code, Span: span, Message: message, Notes: notes})
}

// unknown reports a name that is not among the candidates.
func (c *checker) unknown(span source.Span, code, what, name string, candidates []string) {
	d := source.Diagnostic{Code: code, Span: span, Message: fmt.Sprintf("unknown %s %q", what, name)}
	if near := source.Nearest(name, candidates); near != "" {
		d.Message += fmt.Sprintf("; did you mean %q?", near)
		d.Fixes = []source.Fix{{Title: "Write " + near, Edits: []source.Edit{{Span: span, Text: near}}}}
	}
	c.found = append(c.found, d)
}

// unique reports duplicate names.
func (c *checker) unique(what string, n int, name func(i int) (string, source.Span)) {
	first := map[string]source.Span{}
	for i := range n {
		name, span := name(i)
		if before, twice := first[name]; twice && name != "" {
			c.report(span, "strips.twice", fmt.Sprintf("duplicate %s %q", strings.TrimPrefix(strings.TrimPrefix(what, "a "), "an "), name), source.Note{Span: before, Message: "first definition"})
		} else {
			first[name] = span
		}
	}
}

func (c *checker) typed(what string, list []Typed) {
	c.unique(what, len(list), func(i int) (string, source.Span) { return list[i].Name, list[i].Span })
	c.types(list)
}

// named checks constants or objects. Where a parameter has one type, an object of one of several
// types, as VAL reads "either" here, is not accepted.
func (c *checker) named(what string, list []Typed) {
	c.typed(what, list)
	for _, t := range list {
		if len(t.parts) > 1 {
			names := alternatives(t.Type)
			c.found = append(c.found, source.Diagnostic{
				Code: "strips.either", Severity: source.SeverityWarning, Span: t.Span,
				Message: fmt.Sprintf("%s is accepted only where %s all are", t.Name, strings.Join(names, ", ")),
				Notes:   []source.Note{{Span: t.typeAt, Message: fmt.Sprintf("for an object of each type, declare a type: (:types … both - (either %s))", strings.Join(names, " "))}},
			})
		}
	}
}

func (c *checker) types(list []Typed) {
	names := []string{Object}
	for _, t := range c.domain.Types {
		names = append(names, t.Name)
	}
	reported := source.Span{}
	for _, t := range list {
		if t.parts != nil && t.typeAt != reported {
			reported = t.typeAt
			for i, name := range alternatives(t.Type) {
				if !contains(names, name) {
					c.unknown(t.parts[i], "strips.type", "type", name, names)
				}
			}
		}
		if t.parts == nil && t.Type != "" && !contains(names, t.Type) && t.typeAt != reported { // several names can share a type
			c.unknown(t.typeAt, "strips.type", "type", t.Type, names)
			reported = t.typeAt
		}
	}
}

// predicate checks the parameters of a predicate. Their names have no meaning, so a
// duplicate is not an error.
func (c *checker) predicate(p Predicate) {
	before := len(c.found)
	c.typed("a parameter", p.Parameters)
	for i := before; i < len(c.found); i++ {
		if d := &c.found[i]; d.Code == "strips.twice" {
			d.Severity = source.SeverityWarning
		}
	}
}

// checkDomain reports the faults of a domain that do not depend on a problem.
func checkDomain(d *Domain) []source.Diagnostic {
	d.mergeTypes()
	cyclic := cyclicTypes(d.Types)
	c := &checker{domain: d, objects: d.Constants}
	c.unique("a type", len(d.Types), func(i int) (string, source.Span) { return d.Types[i].Name, d.Types[i].Span })
	for _, t := range d.Types {
		if t.Name == Object || cyclic[t.Name] {
			c.report(t.Span, "strips.type", fmt.Sprintf("cyclic type %q", t.Name))
		}
	}
	c.named("a constant", d.Constants)
	c.unique("a predicate", len(d.Predicates), func(i int) (string, source.Span) { return d.Predicates[i].Name, d.Predicates[i].Span })
	for _, p := range d.Predicates {
		c.predicate(p)
	}
	c.unique("an action", len(d.Actions), func(i int) (string, source.Span) { return d.Actions[i].Name, d.Actions[i].Span })
	c.unique("a function", len(d.Functions), func(i int) (string, source.Span) { return d.Functions[i].Name, d.Functions[i].Span })
	for _, f := range d.Functions {
		c.predicate(f)
	}
	for i := range d.Actions {
		c.action(&d.Actions[i])
	}
	c.axioms()
	return c.found
}

func (c *checker) action(a *Action) {
	c.typed("a parameter", a.Parameters)
	for _, l := range a.Precondition {
		c.literal(l, a.Parameters)
	}
	for _, condition := range a.Conditions {
		c.condition(condition, a.Parameters)
	}
	for _, l := range a.Effect {
		c.changed(l, a.Parameters)
	}
	assigned := map[string]source.Span{}
	for i := range a.Effects {
		c.effect(&a.Effects[i], a.Parameters)
		c.assignedOnce(&a.Effects[i], assigned)
	}
	c.opposites(a.Precondition, source.SeverityWarning, "impossible action: the precondition requires %s and its negation")
	opposite := c.opposites(a.Effect, source.SeverityInfo, "contradictory effect: %s is added and deleted; it becomes true")
	used := map[string]bool{}
	literal := func(l Literal) {
		for _, term := range l.Terms {
			used[term] = true
		}
	}
	number := func(f *Atom) { literal(Literal{Atom: *f}) }
	a.EachCondition(literal, number)
	a.EachEffect(literal)
	for _, e := range a.Effects {
		if e.Function != nil {
			number(e.Function)
		}
	}
	for _, p := range a.Parameters {
		if !used["?"+p.Name] && !opposite {
			c.found = append(c.found, source.Diagnostic{Code: "strips.unused", Severity: source.SeverityWarning, Span: p.Span, Message: fmt.Sprintf("unused parameter ?%[2]s of %[1]s; each object creates a separate action", a.Name, p.Name)})
		}
	}
}

// opposites warns of an atom that a list has both plainly and negated, and reports whether there is one.
func (c *checker) opposites(literals []Literal, severity source.Severity, message string) (found bool) {
	negated := map[string]bool{} // by atom
	for _, l := range literals {
		atom := l.Atom.String()
		if before, known := negated[atom]; known && before != l.Negated {
			found = true
			c.found = append(c.found, source.Diagnostic{Code: "strips.opposite", Severity: severity, Span: l.Span, Message: fmt.Sprintf(message, atom)})
		}
		negated[atom] = l.Negated
	}
	return found
}

// literal checks that the predicate of a literal is declared and that the number and the
// types of its terms match.
func (c *checker) literal(l Literal, parameters []Typed) {
	about := []Typed{{Type: Object}, {Type: Object}}
	if l.Predicate != Equal {
		p := c.domain.predicate(l.Predicate)
		if p == nil {
			c.undeclared("predicate", l.Atom, c.domain.Predicates, c.domain.function(l.Predicate) != nil)
			return
		}
		about = p.Parameters
	}
	c.terms(l.Atom, about, parameters)
}

// undeclared reports an unknown predicate or function.
func (c *checker) undeclared(what string, a Atom, list []Predicate, other bool) {
	var names []string
	for _, p := range list {
		names = append(names, p.Name)
	}
	at := source.Span{Start: a.Span.Start + 1, End: a.Span.Start + 1 + source.Pos(len(a.Predicate))}
	c.unknown(at, "strips."+what, what, a.Predicate, names)
	if d := &c.found[len(c.found)-1]; other && len(d.Fixes) == 0 {
		d.Message += map[string]string{"predicate": "; it is a function", "function": "; it is a predicate"}[what]
	}
}

// terms checks the number and the types of the terms of an atom or a function.
func (c *checker) terms(l Atom, about, parameters []Typed) {
	if len(l.Terms) != len(about) {
		c.report(l.Span, "strips.arity", fmt.Sprintf("%s takes %s, got %d", l.Predicate, count(len(about), "argument"), len(l.Terms)))
		return
	}
	for i, term := range l.Terms {
		t, ok := c.term(term, l.places[i], parameters)
		wanted := about[i].Type
		// A parameter may be bound to objects of narrower types; an object has exactly
		// one type.
		known := !slices.ContainsFunc(alternatives(t), func(t string) bool { return t != Object && !c.domain.hasType(t) }) // otherwise the type was reported
		if ok && known && !c.domain.isA(t, wanted) && (term[0] != '?' || !c.domain.meet(wanted, t)) {
			c.report(l.places[i], "strips.type", fmt.Sprintf("%s is of type %s, but %s expects a %s", term, t, l.Predicate, wanted))
		}
	}
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func (c *checker) term(term string, span source.Span, parameters []Typed) (string, bool) {
	what, list, name := "object", c.objects, term
	if bare, variable := strings.CutPrefix(term, "?"); variable {
		what, list, name = "parameter", parameters, bare
	}
	var names []string
	for _, t := range slices.Backward(list) { // the innermost variable
		if t.Name == name {
			return t.Type, true
		}
		names = append(names, term[:len(term)-len(name)]+t.Name)
	}
	c.unknown(span, "strips.term", what, term, names)
	return "", false
}

// Check reports the faults of a problem of a domain, at places in the problem's text.
func Check(d *Domain, p *Problem) []source.Diagnostic {
	c := &checker{domain: d, objects: d.objects(p)}
	if p.Domain != "" && p.Domain != d.Name {
		c.unknown(p.domainAt, "strips.domain", "domain", p.Domain, []string{d.Name})
		if last := &c.found[len(c.found)-1]; len(last.Fixes) == 0 {
			last.Message += fmt.Sprintf(" (expected %q)", d.Name)
		}
	}
	c.named("an object", p.Objects)
	for _, o := range p.Objects {
		for _, constant := range d.Constants {
			if o.Name == constant.Name {
				c.report(o.Span, "strips.twice", fmt.Sprintf("duplicate object %q: the domain has a constant with that name", o.Name))
			}
		}
	}
	c.values(p)
	c.metric(p)
	declared := merged(d.declared, p.declared)
	for _, u := range d.uses { // the domain has its own warning
		declared[u.requirement] = true
	}
	c.found = append(c.found, undeclared(p.uses, declared, p.end, p.section)...)
	for _, a := range p.Init {
		if a.Predicate == Equal {
			c.report(a.Span, "strips.init", "unexpected equality in the initial state; every object equals only itself")
			continue
		}
		if c.basic(a, "strips.init", "unexpected predicate") {
			c.literal(Literal{Atom: a}, nil)
		}
	}
	for _, l := range p.Goal {
		c.literal(l, nil)
	}
	for _, condition := range p.Goals {
		c.condition(condition, nil)
	}
	return c.found
}
