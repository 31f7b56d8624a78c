package language

import (
	"path"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/strips"
	"github.com/stile-playground/stile/core/workspace"
)

// PDDLSiblings returns the other PDDL files, which may define the domain of a problem or a problem
// of a domain. Files of the same folder come first.
func PDDLSiblings(files []workspace.File, name string) []*source.File {
	var near, far []*source.File
	for _, f := range files {
		switch {
		case f.Name == name || workspace.KindOf(f.Name) != workspace.KindPDDL:
		case path.Dir(f.Name) == path.Dir(name):
			near = append(near, f.Source())
		default:
			far = append(far, f.Source())
		}
	}
	return append(near, far...)
}

// ofDomain reports whether a name belongs to a domain rather than to a file.
func ofDomain(o source.Occurrence) bool {
	switch o.Kind {
	case strips.KindDomain:
		return true
	case strips.KindPredicate, strips.KindFunction, strips.KindAction, strips.KindType, strips.KindObject:
		return o.Of != ""
	}
	return false
}

// resolveStep turns an occurrence of a proposition such as "stack a b" into one of its action or
// predicate.
func resolveStep(x *notation.Index, f workspace.File, o source.Occurrence) source.Occurrence {
	words := strings.Fields(strings.Trim(strings.ToLower(o.Name), "()"))
	if len(words) == 0 {
		return o
	}
	of, ok := x.Defined(notation.GroupStep, words[0])
	if !ok {
		return o
	}
	if len(words) > 1 {
		at := strings.Index(strings.ToLower(f.Text[o.Span.Start:o.Span.End]), words[0])
		if at < 0 {
			return o
		}
		o.Span.Start += source.Pos(at)
		o.Span.End = o.Span.Start + source.Pos(len(words[0]))
	}
	return source.Occurrence{Kind: of.Kind, Of: of.Of, Name: of.Name, Span: o.Span}
}

// completeSteps completes a text in PDDL.
func completeSteps(c *notation.Completer) {
	open, in, section, starts := c.Around()
	depth := len(open)
	switch {
	case depth == 0:
		c.Opening("define")
	case depth == 1 && in.Items == 0, depth == 2 && starts && open[0].Items <= 1:
		c.Opening("domain", "problem")
	case depth == 1, depth == 2 && starts:
		if inProblem(c) {
			c.Opening(":domain", ":objects", ":init", ":goal", ":metric", ":length")
		} else {
			c.Opening(":requirements", ":types", ":constants", ":predicates", ":functions", ":derived", ":action")
		}
	case section == ":requirements":
		c.Keywords(strips.Requirements()...)
	case section == ":domain":
		completeDomains(c)
	default:
		completeSection(c, in, section, starts, depth)
	}
}

func completeDomains(c *notation.Completer) {
	for _, f := range append(PDDLSiblings(c.Workspace.Files, c.File.Name), c.Filled().Source()) {
		if spec, _ := strips.Parse(f); spec.Domain != nil {
			c.Add(notation.Item{Label: spec.Domain.Name, Kind: strips.KindDomain, Detail: f.Name})
		}
	}
}

// completeSection completes the content of a section of a domain or a problem.
func completeSection(c *notation.Completer, in notation.Form, section string, starts bool, depth int) {
	o, _ := strips.Open(c.Filled().Source(), PDDLSiblings(c.Workspace.Files, c.File.Name))
	switch {
	case len(c.Before) > 0 && c.Before[len(c.Before)-1].Text == "-":
		completeTypes(c, o)
	case section == ":types" || section == ":constants" || section == ":objects" || section == ":predicates" || section == ":functions":
	case section == ":metric" && depth == 2:
		c.Keywords("minimize", "maximize")
	case section == ":action" && depth == 2:
		if in.Items > 0 {
			c.Keywords(":parameters", ":precondition", ":effect")
		}
	case section == ":action" && depth == 3 && follows(c, ":parameters"):
	case starts || depth == 2 || slices.Contains([]string{"and", "or", "not", "imply", "when", "forall", "exists"}, in.Head):
		completeLiterals(c, o, starts, section == ":action")
	default:
		completeTerms(c, o, section)
	}
}

func completeTypes(c *notation.Completer, o strips.Opened) {
	c.Add(notation.Item{Label: strips.Object, Kind: strips.KindType})
	if o.Domain != nil {
		for _, t := range o.Domain.Types {
			c.Add(notation.Item{Label: t.Name, Kind: strips.KindType})
		}
	}
}

// inProblem reports whether the enclosing define declares a problem.
func inProblem(c *notation.Completer) bool {
	problem := false
	for i := 2; i < len(c.Before); i++ {
		if c.Before[i-1].Text == "(" && c.Before[i-2].Text != ")" && strings.EqualFold(c.Before[i-2].Text, "define") {
			problem = strings.EqualFold(c.Before[i].Text, strips.KindProblem)
		}
	}
	return problem
}

// follows reports whether the open list at the position follows a word.
func follows(c *notation.Completer, word string) bool {
	for i := len(c.Before) - 1; i > 0; i-- {
		if c.Before[i].Text == "(" {
			return strings.EqualFold(c.Before[i-1].Text, word)
		}
	}
	return false
}

// completeLiterals adds the candidates for the start of a condition or an effect.
func completeLiterals(c *notation.Completer, o strips.Opened, starts, action bool) {
	c.Opening("and", "not", "or", "imply", "forall", "exists")
	if action {
		c.Opening("when", "increase", "decrease", "assign")
	}
	if o.Domain == nil {
		return
	}
	add := func(kind string, list []strips.Predicate) {
		for _, p := range list {
			i := notation.Item{Label: p.Name, Kind: kind, Detail: formOf(p.Name, p.Parameters)}
			if !starts {
				i.Insert = "(" + p.Name
			}
			c.Add(i)
		}
	}
	add(strips.KindPredicate, o.Domain.Predicates)
	add(strips.KindFunction, o.Domain.Functions)
}

// completeTerms adds the objects, or the parameters of the enclosing action or axiom.
func completeTerms(c *notation.Completer, o strips.Opened, section string) {
	inDomain := section == ":action" || section == ":derived"
	if inDomain {
		from := notation.LastOf(c.Before, section)
		for _, p := range c.Before[max(from, 0):] {
			if strings.HasPrefix(p.Text, "?") {
				c.Add(notation.Item{Label: p.Text, Kind: strips.KindParameter})
			}
		}
	}
	var objects []strips.Typed
	if o.Domain != nil {
		objects = append(objects, o.Domain.Constants...)
	}
	if o.Problem != nil && !inDomain {
		objects = append(objects, o.Problem.Objects...)
	}
	for _, t := range objects {
		if !strings.Contains(t.Name, notation.Placeholder) {
			c.Add(notation.Item{Label: t.Name, Kind: strips.KindObject, Detail: t.Type})
		}
	}
}

// formOf formats a predicate or an action with its parameters.
func formOf(name string, parameters []strips.Typed) string {
	words := []string{name}
	for _, p := range parameters {
		word := "?" + p.Name
		if p.Type != strips.Object {
			word += " - " + p.Type
		}
		words = append(words, word)
	}
	return "(" + strings.Join(words, " ") + ")"
}
