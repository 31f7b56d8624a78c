package agent

import (
	"fmt"

	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/sexpr"
	"github.com/stile-playground/stile/core/source"
)

// require reads (:require "formula" …).
func (p *parser) require(n *sexpr.Node) {
	if len(n.Items) == 1 {
		p.errorAt(head(n), "agent.require", `expected quoted formulas after :require, such as (:require "G (Act -> X Act-Inp)")`)
	}
	for _, item := range n.Items[1:] {
		if item.Kind != sexpr.KindString {
			p.errorAt(head(item), "agent.require", `expected a quoted formula, such as (:require "G (Act -> X Act-Inp)")`)
			continue
		}
		list, found := p.formulas(source.NewFile("require.ltl", item.Text))
		for _, d := range found {
			d.Span = p.within(item, d.Span)
			for _, f := range d.Fixes {
				for i, e := range f.Edits {
					f.Edits[i] = source.Edit{Span: p.within(item, e.Span), Text: escaped(e.Text)}
				}
			}
			p.found = append(p.found, d)
		}
		for _, named := range list {
			if p.knows(item, named.Formula) {
				p.spec.Require = append(p.spec.Require, Requirement{Formula: named.Formula, Span: item.Span})
			}
		}
	}
}

// within converts a span of a quoted text to a span of the file.
func (p *parser) within(item *sexpr.Node, s source.Span) source.Span {
	places := item.Places(p.spec.File)
	at := func(i source.Pos) source.Pos { return places[min(max(int(i), 0), len(places)-1)] }
	return source.Span{Start: at(s.Start), End: at(s.End)}
}

// escaped returns a text as a part of a quoted text.
func escaped(text string) string {
	quoted := sexpr.Quote(text)
	return quoted[1 : len(quoted)-1]
}

// knows reports whether a formula refers to states only, and reports its other names.
func (p *parser) knows(item *sexpr.Node, f *ltl.Formula) bool {
	known := true
	for _, name := range f.Props() {
		if _, ok := p.index[name]; ok || len(p.names) == 0 {
			continue
		}
		known = false
		span := item.Span
		for _, o := range ltl.Occurrences(source.NewFile("require.ltl", item.Text)) {
			if o.Name == name {
				span = p.within(item, o.Span)
				break
			}
		}
		d := source.Diagnostic{Code: "agent.state-unknown", Span: span, Message: fmt.Sprintf("unknown state %q", name)}
		if near := source.Nearest(name, p.names); near != "" {
			d.Message += fmt.Sprintf("; did you mean %q?", near)
			d.Fixes = []source.Fix{{Title: "Write " + near, Edits: []source.Edit{{Span: span, Text: near}}}}
		}
		p.found = append(p.found, d)
	}
	return known
}
