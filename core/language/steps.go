package language

import (
	"path"
	"strings"

	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/strips"
	"github.com/stile-playground/stile/core/workspace"
)

// PDDLBeside returns the other files in PDDL, in which the domain of a problem or a
// problem of a domain is looked for: those of the same folder before all others.
func PDDLBeside(files []workspace.File, name string) []*source.File {
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

// ofDomain reports whether what is named belongs to a domain rather than to a file.
func ofDomain(o source.Occurrence) bool {
	switch o.Kind {
	case strips.KindDomain:
		return true
	case strips.KindPredicate, strips.KindAction, strips.KindType, strips.KindObject:
		return o.Of != ""
	}
	return false
}

// step makes the occurrence of an action or of a predicate of one of a proposition that
// speaks of it: "stack a b".
func (x *index) step(f workspace.File, o source.Occurrence) source.Occurrence {
	words := strings.Fields(strings.Trim(strings.ToLower(o.Name), "()"))
	if len(words) == 0 {
		return o
	}
	of, ok := x.steps[words[0]]
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

// steps completes a text in PDDL.
func (c *completer) steps() {
	open, in, section, starts := c.around()
	depth := len(open)
	last := func(text string) bool { return len(c.before) > 0 && c.before[len(c.before)-1].text == text }
	filled := c.filled()
	o, _ := strips.Open(filled.Source(), PDDLBeside(c.w.Files, c.f.Name))
	switch {
	case depth == 0:
		c.opening("define")
	case depth == 1 && in.items == 0, depth == 2 && starts && open[0].items <= 1:
		c.opening("domain", "problem")
	case depth == 1, depth == 2 && starts:
		if c.inProblem() {
			c.opening(":domain", ":objects", ":init", ":goal")
		} else {
			c.opening(":requirements", ":types", ":constants", ":predicates", ":action")
		}
	case section == ":requirements":
		c.keywords(":strips", ":typing", ":negative-preconditions", ":equality")
	case section == ":domain":
		for _, f := range append(PDDLBeside(c.w.Files, c.f.Name), filled.Source()) {
			if spec, _ := strips.Parse(f); spec.Domain != nil {
				c.add(Item{Label: spec.Domain.Name, Kind: strips.KindDomain, Detail: f.Name})
			}
		}
	case last("-"):
		c.add(Item{Label: strips.Object, Kind: strips.KindType})
		if o.Domain != nil {
			for _, t := range o.Domain.Types {
				c.add(Item{Label: t.Name, Kind: strips.KindType})
			}
		}
	case section == ":types" || section == ":constants" || section == ":objects" || section == ":predicates":
	case section == ":action" && depth == 2:
		if in.items > 0 {
			c.keywords(":parameters", ":precondition", ":effect")
		}
	case section == ":action" && depth == 3 && c.behind(":parameters"):
	case starts || in.head == "and" || in.head == "not" || depth == 2:
		c.literals(o, starts)
	default:
		c.terms(o, section == ":action")
	}
}

// filled is the file with a word in the stead of that which has been begun.
func (c *completer) filled() workspace.File {
	f := c.f
	f.Text = c.f.Text[:c.from] + placeholder + c.f.Text[c.place:]
	return f
}

// inProblem reports whether the define around the place is of a problem.
func (c *completer) inProblem() bool {
	problem := false
	for i := 2; i < len(c.before); i++ {
		if c.before[i-1].text == "(" && c.before[i-2].text != ")" && strings.EqualFold(c.before[i-2].text, "define") {
			problem = strings.EqualFold(c.before[i].text, strips.KindProblem)
		}
	}
	return problem
}

// behind reports whether the list that is open at the place stands behind a word.
func (c *completer) behind(word string) bool {
	for i := len(c.before) - 1; i > 0; i-- {
		if c.before[i].text == "(" {
			return strings.EqualFold(c.before[i-1].text, word)
		}
	}
	return false
}

// literals adds what a condition or an effect may begin with.
func (c *completer) literals(o strips.Opened, starts bool) {
	c.opening("and", "not")
	if o.Domain == nil {
		return
	}
	for _, p := range o.Domain.Predicates {
		i := Item{Label: p.Name, Kind: strips.KindPredicate, Detail: formOf(p.Name, p.Parameters)}
		if !starts {
			i.Insert = "(" + p.Name
		}
		c.add(i)
	}
}

// terms adds objects, or the parameters of the action around the place.
func (c *completer) terms(o strips.Opened, action bool) {
	if action {
		from := lastOf(c.before, ":action")
		for _, p := range c.before[max(from, 0):] {
			if strings.HasPrefix(p.text, "?") {
				c.add(Item{Label: p.text, Kind: strips.KindParameter})
			}
		}
	}
	var objects []strips.Typed
	if o.Domain != nil {
		objects = append(objects, o.Domain.Constants...)
	}
	if o.Problem != nil && !action {
		objects = append(objects, o.Problem.Objects...)
	}
	for _, t := range objects {
		if !strings.Contains(t.Name, placeholder) {
			c.add(Item{Label: t.Name, Kind: strips.KindObject, Detail: t.Type})
		}
	}
}

// formOf writes a predicate or an action with its parameters.
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

// steps tells of what is named in a text in PDDL.
func (d describer) steps(c *Card, s *Symbol) {
	o, _ := strips.Open(d.file, PDDLBeside(d.w.Files, d.file.Name))
	if o.Domain == nil {
		return
	}
	switch s.Kind {
	case strips.KindPredicate:
		d.predicate(c, o.Domain, s.Name)
	case strips.KindAction:
		a := o.Domain.Action(s.Name)
		if a == nil {
			return
		}
		c.Form = formOf(a.Name, a.Parameters)
		c.Lines = append(c.Lines, sentenceOf("Needs ", a.Precondition, "Can always be done."), sentenceOf("Makes true: ", positive(a.Effect, false), "Makes nothing true."))
		if no := positive(a.Effect, true); len(no) > 0 {
			c.Lines = append(c.Lines, sentenceOf("Makes false: ", no, ""))
		}
	case strips.KindType:
		var names []string
		for _, t := range append(append([]strips.Typed{}, o.Domain.Constants...), objectsOf(o.Problem)...) {
			if t.Type == s.Name {
				names = append(names, t.Name)
			}
		}
		if len(names) > 0 {
			c.Lines = append(c.Lines, "Of this type: "+strings.Join(names[:min(len(names), 20)], ", ")+".")
		}
	case strips.KindObject:
		for _, t := range append(append([]strips.Typed{}, o.Domain.Constants...), objectsOf(o.Problem)...) {
			if t.Name == s.Name {
				c.Lines = append(c.Lines, "Of type "+t.Type+".")
				break
			}
		}
	case strips.KindDomain:
		c.Lines = append(c.Lines, plural(len(o.Domain.Actions), "action")+", "+plural(len(o.Domain.Predicates), "predicate")+".")
	}
}

func objectsOf(p *strips.Problem) []strips.Typed {
	if p == nil {
		return nil
	}
	return p.Objects
}

// predicate says which actions need a predicate and which change it.
func (d describer) predicate(c *Card, domain *strips.Domain, name string) {
	for _, p := range domain.Predicates {
		if p.Name == name {
			c.Form = formOf(p.Name, p.Parameters)
		}
	}
	var need, change []string
	for _, a := range domain.Actions {
		if speaksOf(a.Precondition, name) {
			need = append(need, a.Name)
		}
		if speaksOf(a.Effect, name) {
			change = append(change, a.Name)
		}
	}
	if len(need) > 0 {
		c.Lines = append(c.Lines, "Needed by "+strings.Join(need, ", ")+".")
	}
	if len(change) > 0 {
		c.Lines = append(c.Lines, "Changed by "+strings.Join(change, ", ")+".")
	} else {
		c.Lines = append(c.Lines, "No action changes it.")
	}
}

func speaksOf(list []strips.Literal, predicate string) bool {
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
