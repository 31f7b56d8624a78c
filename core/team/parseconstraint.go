package team

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/sexpr"
	"github.com/stile-playground/stile/core/source"
)

// constraints reads the constraints in :local, :global or :constraints.
func (p *parser) constraints(n *sexpr.Node, global bool) []Constraint {
	out := make([]Constraint, 0, len(n.Items))
	for _, item := range n.Items[1:] {
		if p.count == MaxConstraints {
			p.report(item.Span, "limit.constraints", fmt.Sprintf("a team has at most %d constraints", MaxConstraints))
			break
		}
		p.count++
		c := Constraint{Span: item.Span}
		head := item.Head()
		switch {
		case item.Kind == sexpr.KindString && strings.TrimSpace(item.Text) != "":
			c.Text = item.Text
		case head == "check" || head == "ltl":
			if !p.formal(item, &c, global) {
				continue
			}
		case head != "":
			p.unknown(item.Items[0], "team.constraint", "form of constraint", constraintForms)
			continue
		default:
			p.report(blame(item), "team.constraint", `expected a quoted text, (check "…") or (ltl "…")`)
			continue
		}
		out = append(out, c)
	}
	if len(n.Items) == 1 {
		p.report(blame(n), "team.constraint", "expected constraints after "+n.Head()+`: a quoted text, (check "…") or (ltl "…")`)
	}
	return out
}

// formal reads (check "expression" "meaning") or (ltl "formula" "meaning").
func (p *parser) formal(n *sexpr.Node, c *Constraint, global bool) bool {
	head := n.Head()
	if len(n.Items) < 2 || len(n.Items) > 3 || n.Items[1].Kind != sexpr.KindString || n.Items[len(n.Items)-1].Kind != sexpr.KindString {
		p.report(blame(n), "team.constraint", fmt.Sprintf(`expected one quoted text after %s and, optionally, its meaning in words: (%s "…" "…")`, head, head))
		return false
	}
	if len(n.Items) == 3 {
		c.Text = n.Items[2].Text
	}
	text := n.Items[1]
	if head == "ltl" {
		if c.Formula = p.formula(text, global); c.Formula == nil {
			return false
		}
		return true
	}
	e, found := ParseExpression(text.Text)
	if len(found) == 0 {
		found = e.check(global)
	}
	p.inside(text, found)
	c.Check = e
	if global && e != nil {
		p.checks = append(p.checks, placed{node: text, value: &Constraint{Check: e}})
	}
	return len(found) == 0
}

// inside reports diagnostics of a quoted text at their places in the file.
func (p *parser) inside(n *sexpr.Node, found []source.Diagnostic) {
	places := n.Places(p.spec.File)
	for _, d := range found {
		d.Span = placeIn(places, d.Span)
		for i := range d.Fixes {
			for j := range d.Fixes[i].Edits {
				d.Fixes[i].Edits[j].Span = placeIn(places, d.Fixes[i].Edits[j].Span)
			}
		}
		p.found = append(p.found, d)
	}
}

// placeIn returns the place in the file of a span in a quoted text.
func placeIn(places []source.Pos, s source.Span) source.Span {
	at := func(i source.Pos) source.Pos { return places[min(max(int(i), 0), len(places)-1)] }
	return source.Span{Start: at(s.Start), End: at(s.End)}
}

// formula parses a formula over events; it returns nil for an invalid one.
func (p *parser) formula(n *sexpr.Node, global bool) *ltl.Formula {
	before := len(p.found)
	list, found := ltl.Parse(source.NewFile("constraint.ltl", n.Text))
	p.inside(n, found)
	if len(p.found) > before {
		return nil
	}
	if len(list) != 1 {
		p.report(n.Span, "team.formula", fmt.Sprintf("expected one formula in the quotes, not %d", len(list)))
		return nil
	}
	p.checks = append(p.checks, placed{node: n, value: &Constraint{Formula: list[0].Formula}, global: global})
	return list[0].Formula
}

// names resolves the names in checks and formulas, once all executors are parsed.
func (p *parser) names() {
	names := p.spec.names()
	for _, c := range p.checks {
		if c.value.Check != nil {
			p.inside(c.node, c.value.Check.executors(names))
			continue
		}
		var tools []string
		for _, e := range p.spec.Executors {
			for _, t := range e.Tools {
				tools = append(tools, t.Name)
			}
		}
		for _, o := range ltl.Occurrences(source.NewFile("constraint.ltl", c.node.Text)) {
			if o.Kind != ltl.KindProposition {
				continue
			}
			if fault, near := eventFault(o.Name, names, tools, c.global); fault != "" {
				d := source.Diagnostic{Code: "team.proposition", Span: o.Span, Message: fault}
				if near != "" {
					d.Message += fmt.Sprintf("; did you mean %q?", near)
					d.Fixes = []source.Fix{{Title: "Write " + near, Edits: []source.Edit{{Span: o.Span, Text: strings.ReplaceAll(ltl.Quote(near), `"`, `\"`)}}}}
				}
				p.inside(c.node, []source.Diagnostic{d})
			}
		}
	}
}
