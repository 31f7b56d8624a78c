package pushdown

import (
	"strings"

	"github.com/stile-playground/stile/core/lines"
	"github.com/stile-playground/stile/core/source"
)

// expression parses the expression at a position.
func (p *parser) expression(span source.Span) (*lines.Expression, bool) {
	text := p.text[span.Start:span.End]
	e, fault, at := lines.ParseExpression(text)
	if fault != "" {
		start := span.Start + source.Pos(min(at, max(len(strings.TrimSpace(text))-1, 0)))
		p.errorAt(source.Span{Start: start, End: max(span.End, start)}, "pda.expression", fault)
		return nil, false
	}
	return e, true
}

func (p *parser) variable() (variable, bool) {
	v := variable{}
	var ok bool
	if v.name, ok = p.name("a variable"); !ok {
		return v, false
	}
	if e, fault, _ := lines.ParseExpression(v.name.Text); fault != "" || !isVariable(e, v.name.Text) {
		p.errorAt(v.name.Span, "pda.variable", "invalid variable name; use letters and digits, beginning with a letter")
		return v, false
	}
	if !p.now().Is("in") {
		p.errorAt(p.now().Span, "pda.for", `expected "in": `+familyForm)
		return v, false
	}
	p.take()
	if p.now().Is("[") {
		p.take()
		v.words = p.names()
		return v, p.mark("]", `write a list of words as [a b c]`)
	}
	t := p.now()
	low, high, found := strings.Cut(t.Text, "..")
	if t.Kind != lines.Word || !found {
		p.errorAt(t.Span, "pda.range", `expected a range such as 20..11 or a list such as [a b]`)
		return v, false
	}
	p.take()
	v.through = t.Span
	middle := t.Span.Start + source.Pos(len(low))
	if v.from, ok = p.expression(source.Span{Start: t.Span.Start, End: middle}); ok {
		v.to, ok = p.expression(source.Span{Start: middle + 2, End: middle + 2 + source.Pos(len(high))})
	}
	return v, ok
}
