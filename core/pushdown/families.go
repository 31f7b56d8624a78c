package pushdown

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/lines"
	"github.com/stile-playground/stile/core/source"
)

// checkUnknown reports unknown variables of families.
func (c *compiler) checkUnknown(s *Syntax) (variables []source.Occurrence) {
	o := &occurrences{file: s.File}
	o.unknown = func(name string, at source.Span, in *scope, where place) { c.unknownVariable(o, name, at, in, where) }
	o.block(s.statements, nil)
	return o.out
}

// checkVariables reports unused and duplicate variables of families, and duplicate values.
func (c *compiler) checkVariables(s *Syntax, variables []source.Occurrence) {
	used := map[[2]string]bool{}
	for _, v := range variables {
		if v.Kind == KindVariable && !v.Defines {
			used[[2]string{v.Of, v.Name}] = true
		}
	}
	families(s.statements, func(f family) {
		seen := map[string]bool{}
		for i, v := range f.variables {
			switch name := v.name.Text; {
			case seen[name]:
				c.warnAt(v.name.Span, "pda.variable", fmt.Sprintf("duplicate variable %q", name), remove(f.variables[i-1].span.End, v.span.End))
			case !used[[2]string{strconv.Itoa(int(f.span.Start)), name}]:
				c.unusedVariable(f, i)
			}
			seen[v.name.Text] = true
			values := map[string]bool{}
			for k, word := range v.words {
				if values[word.Text] {
					c.warnAt(word.Span, "pda.duplicate", fmt.Sprintf("duplicate value %q (ignored)", word.Text), remove(v.words[k-1].Span.End, word.Span.End))
				}
				values[word.Text] = true
			}
		}
	})
}

func remove(start, end source.Pos) source.Fix {
	return source.Fix{Title: "Remove it", Edits: []source.Edit{{Span: source.Span{Start: start, End: end}}}}
}

// families calls visit with each family of a text.
func families(list []statement, visit func(f family)) {
	for _, st := range list {
		if f, ok := st.(family); ok {
			visit(f)
			families(f.body, visit)
		}
	}
}

// unusedVariable reports a variable that its family does not contain. A name such as q_h probably means q_{h}.
func (c *compiler) unusedVariable(f family, i int) {
	v := f.variables[i]
	name := v.name.Text
	meant := source.Fix{}
	for _, st := range f.body {
		m, ok := st.(moveLine)
		if !ok {
			continue
		}
		names := []lines.Token{m.from, m.to}
		for _, l := range m.labels {
			names = append(names, l.read)
		}
		for _, t := range names {
			if stem, ends := strings.CutSuffix(t.Text, name); ends && stem != "" && t.Kind == lines.Word {
				if meant.Title == "" {
					meant.Title = "Write " + stem + "{" + name + "}"
				}
				meant.Edits = append(meant.Edits, source.Edit{Span: source.Span{Start: t.Span.End - source.Pos(len(name)), End: t.Span.End}, Text: "{" + name + "}"})
			}
		}
	}
	message := fmt.Sprintf("unused variable %q: all its values have the same transition", name)
	switch {
	case meant.Title != "":
		c.warnAt(v.name.Span, "pda.variable", fmt.Sprintf("unused variable %q; w%s", name, meant.Title[1:]), meant)
	case i > 0:
		c.warnAt(v.name.Span, "pda.variable", message, remove(f.variables[i-1].span.End, v.span.End))
	case len(f.variables) > 1:
		c.warnAt(v.name.Span, "pda.variable", message, remove(v.span.Start, f.variables[1].span.Start))
	default:
		unwrap := remove(f.span.Start, f.open.End)
		unwrap.Title = "Remove the family"
		unwrap.Edits = append(unwrap.Edits, source.Edit{Span: f.closing})
		c.warnAt(v.name.Span, "pda.variable", message, unwrap)
	}
}

// unknownVariable reports a variable that no enclosing family declares. It probably means a similar one, or
// the only one that its name lacks.
func (c *compiler) unknownVariable(o *occurrences, name string, at source.Span, in *scope, where place) {
	if in == nil && where <= inBraces {
		return
	}
	var names, lacks []string
	for v := in; v != nil; v = v.outer {
		names = append(names, v.name)
		if !strings.Contains(o.token, v.name) {
			lacks = append(lacks, v.name)
		}
	}
	d := source.Diagnostic{Code: "pda.variable", Span: at, Message: fmt.Sprintf("unknown variable %q", name)}
	switch where {
	case inName, inText:
		d.Severity = source.SeverityWarning
	case inRange:
		d.Code = "pda.range"
	case inCondition:
		d.Code = "pda.condition"
	}
	near := source.Nearest(name, names)
	switch {
	case near != "":
	case len(names) == 1:
		near = names[0]
	case len(lacks) == 1 && where == inName:
		near = lacks[0]
	}
	if near != "" {
		d.Message += fmt.Sprintf("; did you mean %q?", near)
		d.Fixes = []source.Fix{{Title: "Write " + near, Edits: []source.Edit{{Span: at, Text: near}}}}
	}
	c.report(d)
}

// checkConditions reports families without transitions: their condition never holds, or a list is empty.
func (c *compiler) checkConditions(s *Syntax) {
	families(s.statements, func(f family) {
		for _, v := range f.variables {
			if v.from == nil && len(v.words) == 0 {
				c.warnAt(v.name.Span, "pda.never", "the list has no values, so the family has no transitions")
				return
			}
		}
		if f.condition != nil && c.tried[f.span.Start] && !c.held[f.span.Start] {
			c.warnAt(f.when, "pda.never", "the condition is never true, so the family has no transitions")
		}
	})
}

// notNumber returns the reason for which an expression has no value.
func notNumber(e *lines.Expression, b *binding) string {
	reason := fmt.Sprintf("number too large (maximum %d)", lines.MaxNumber)
	e.Variables(func(name string) {
		if v := b.find(name); v != nil && v.word != "" {
			if _, err := strconv.Atoi(v.word); err != nil {
				reason = fmt.Sprintf("variable %q is not a number: %q", name, v.word)
			}
		}
	})
	return reason
}

// isVariable reports whether an expression is a variable with the given name.
func isVariable(e *lines.Expression, name string) bool {
	is := false
	e.Variables(func(v string) { is = is || v == name })
	return is
}
