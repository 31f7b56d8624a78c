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
	names := []string{Object}
	for _, t := range c.domain.Types {
		names = append(names, t.Name)
	}
	reported := source.Span{}
	for _, t := range list {
		if !contains(names, t.Type) && t.typeAt != reported { // several names can share a type
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
	// A type that is used only as a parent is declared by that.
	parents := map[string]string{}
	for _, t := range d.Types {
		if _, again := parents[t.Name]; !again {
			parents[t.Name] = t.Parent
		}
	}
	for i := 0; i < len(d.Types); i++ {
		parent := d.Types[i].Parent
		if _, known := parents[parent]; parent != Object && !known {
			parents[parent] = Object
			d.Types = append(d.Types, Type{Name: parent, Parent: Object, Span: d.Types[i].Span})
		}
	}
	cyclic := cyclicTypes(parents)
	c := &checker{domain: d, objects: d.Constants}
	c.unique("a type", len(d.Types), func(i int) (string, source.Span) { return d.Types[i].Name, d.Types[i].Span })
	for _, t := range d.Types {
		if t.Name == Object || cyclic[t.Name] {
			c.report(t.Span, "strips.type", fmt.Sprintf("cyclic type %q", t.Name))
		}
	}
	c.typed("a constant", d.Constants)
	c.unique("a predicate", len(d.Predicates), func(i int) (string, source.Span) { return d.Predicates[i].Name, d.Predicates[i].Span })
	for _, p := range d.Predicates {
		c.predicate(p)
	}
	c.unique("an action", len(d.Actions), func(i int) (string, source.Span) { return d.Actions[i].Name, d.Actions[i].Span })
	for i := range d.Actions {
		c.action(&d.Actions[i])
	}
	return c.found
}

// cyclicTypes returns the types that are their own ancestors.
func cyclicTypes(parents map[string]string) map[string]bool {
	cyclic := map[string]bool{}
	round := map[string]int{} // in which a type was first seen
	number := 0
	for name := range parents {
		number++
		for round[name] == 0 && name != Object {
			round[name] = number
			name = parents[name]
		}
		for round[name] == number && name != Object && !cyclic[name] {
			cyclic[name] = true
			name = parents[name]
		}
	}
	return cyclic
}

func hasType(d *Domain, name string) bool {
	return slices.ContainsFunc(d.Types, func(t Type) bool { return t.Name == name })
}

func (c *checker) action(a *Action) {
	c.typed("a parameter", a.Parameters)
	for _, l := range a.Precondition {
		c.literal(l, a.Parameters)
	}
	for _, l := range a.Effect {
		if l.Predicate == Equal {
			c.report(l.Span, "strips.effect", "an effect cannot change equality")
			continue
		}
		c.literal(l, a.Parameters)
	}
	for i, p := range a.Parameters {
		used := false
		for _, l := range append(append([]Literal(nil), a.Precondition...), a.Effect...) {
			used = used || contains(l.Terms, "?"+a.Parameters[i].Name)
		}
		if !used {
			c.found = append(c.found, source.Diagnostic{Code: "strips.unused", Severity: source.SeverityWarning, Span: p.Span, Message: fmt.Sprintf("unused parameter ?%[2]s of %[1]s; each object creates a separate action", a.Name, p.Name)})
		}
	}
}

// literal checks that the predicate of a literal is declared and that the number and the
// types of its terms match.
func (c *checker) literal(l Literal, parameters []Typed) {
	about := []Typed{{Type: Object}, {Type: Object}}
	if l.Predicate != Equal {
		p := c.domain.predicate(l.Predicate)
		if p == nil {
			var names []string
			for _, p := range c.domain.Predicates {
				names = append(names, p.Name)
			}
			at := source.Span{Start: l.Span.Start + 1, End: l.Span.Start + 1 + source.Pos(len(l.Predicate))}
			c.unknown(at, "strips.predicate", "predicate", l.Predicate, names)
			return
		}
		about = p.Parameters
	}
	if len(l.Terms) != len(about) {
		c.report(l.Span, "strips.arity", fmt.Sprintf("%s takes %s, got %d", l.Predicate, count(len(about), "thing"), len(l.Terms)))
		return
	}
	for i, term := range l.Terms {
		t, ok := c.term(term, l.places[i], parameters)
		wanted := about[i].Type
		// A parameter may be bound to objects of narrower types; an object has exactly
		// one type.
		known := t == Object || hasType(c.domain, t) // otherwise the type was reported
		if ok && known && !c.domain.isA(t, wanted) && (term[0] != '?' || !c.domain.isA(wanted, t)) {
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

// term returns the type of a term.
func (c *checker) term(term string, span source.Span, parameters []Typed) (string, bool) {
	what, list, name := "object", c.objects, term
	if bare, variable := strings.CutPrefix(term, "?"); variable {
		what, list, name = "parameter", parameters, bare
	}
	var names []string
	for _, t := range list {
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
	c.typed("an object", p.Objects)
	for _, o := range p.Objects {
		for _, constant := range d.Constants {
			if o.Name == constant.Name {
				c.report(o.Span, "strips.twice", fmt.Sprintf("duplicate object %q: the domain has a constant with that name", o.Name))
			}
		}
	}
	for _, a := range p.Init {
		if a.Predicate == Equal {
			c.report(a.Span, "strips.init", "unexpected equality in the initial state; every object equals only itself")
			continue
		}
		c.literal(Literal{Atom: a}, nil)
	}
	for _, l := range p.Goal {
		c.literal(l, nil)
	}
	return c.found
}
