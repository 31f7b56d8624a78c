package cedar

import (
	"slices"

	"github.com/stile-playground/stile/core/source"
)

// temporal reads the block of a temporal condition.
func (p *parser) temporal() *expr {
	start := p.expect("temporal").span
	p.expect("{")
	body := p.past()
	p.expect("}")
	out := p.node(opPast, "", start)
	out.past = body
	return out
}

// pastNode returns a condition from a start to the last token.
func (p *parser) pastNode(op pastOp, start source.Span, window string, kids ...*past) *past {
	return &past{op: op, kids: kids, window: window, span: p.since(start)}
}

func (p *parser) past() *past {
	defer p.nest()()
	start := p.peek().span
	kids := []*past{p.sinces()}
	for p.accept("&&") {
		kids = append(kids, p.sinces())
	}
	if len(kids) == 1 {
		return kids[0]
	}
	return p.pastNode(pastAnd, start, "", kids...)
}

func (p *parser) sinces() *past {
	start := p.peek().span
	out := p.negated()
	if p.accept("since") {
		window := p.within()
		out = p.pastNode(pastSince, start, window, out, p.pastAtom())
	}
	return out
}

func (p *parser) negated() *past {
	start := p.peek().span
	if p.accept("!") {
		defer p.nest()()
		return p.pastNode(pastNot, start, "", p.negated())
	}
	switch {
	case p.is("formerly") || p.is("previous"):
		o := pastFormerly
		if p.next().text == "previous" {
			o = pastPrevious
		}
		window := p.within()
		return p.pastNode(o, start, window, p.pastAtom())
	case p.accept("exists"):
		b := p.binder()
		p.expect(".")
		out := p.pastNode(pastExists, start, "", p.past())
		out.binder = b.name
		return out
	}
	return p.pastAtom()
}

// within reads the length of a window, such as 10m.
func (p *parser) within() string {
	p.expect("within")
	if p.peek().kind != tokenInt {
		p.fail("the length of the window, such as 10m")
	}
	n := p.next().text
	if !slices.Contains([]string{"s", "m", "h", "d"}, p.peek().text) {
		p.fail("s, m, h or d")
	}
	return n + p.next().text
}

// binder reads a variable with its type.
func (p *parser) binder() binder {
	p.expect("(")
	name := p.name()
	p.expect(":")
	kind := p.path()
	p.expect(")")
	return binder{name: name, point: kind == "Timepoint"}
}

// pastAtom reads an event, tp(t), a comparison or a condition in parentheses.
func (p *parser) pastAtom() *past {
	start := p.peek().span
	if p.is("tp") && p.ahead(1) == "(" {
		p.next()
		p.next()
		name := p.name()
		p.expect(")")
		out := p.pastNode(pastPoint, start, "")
		out.binder = name
		return out
	}
	if p.is("(") && p.ahead(1) != "count" && p.ahead(1) != "sum" {
		p.next()
		out := p.past()
		p.expect(")")
		return out
	}
	if p.peek().kind == tokenName && p.ahead(1) == "::" {
		if out := p.event(); out != nil {
			return out
		}
	}
	left := p.term()
	if p.peek().kind != tokenSymbol || !slices.Contains(comparisons, p.peek().text) {
		p.fail("a comparison")
	}
	sign := p.next().text
	right := p.term()
	out := p.pastNode(pastCompare, start, "")
	out.text, out.terms = sign, [2]*term{left, right}
	return out
}

// event reads Type::"action"::kind{…}; it returns nil at an entity.
func (p *parser) event() *past {
	start := p.at
	out := &past{op: pastEvent, span: p.peek().span}
	p.path()
	p.expect("::")
	out.action = p.str(false)
	if !p.accept("::") {
		p.at = start
		return nil
	}
	out.kind = p.name()
	for first := true; first || p.is("{"); first = false {
		p.expect("{")
		for !p.is("}") {
			out.args = append(out.args, p.arg())
			if !p.accept(",") {
				break
			}
		}
		p.expect("}")
	}
	out.span = p.since(out.span)
	return out
}

func (p *parser) arg() arg {
	out := arg{span: p.peek().span, path: []string{p.name()}}
	for p.accept(".") {
		out.path = append(out.path, p.name())
	}
	p.expect(":")
	out.term = p.term()
	out.span = p.since(out.span)
	return out
}

func (p *parser) term() *term {
	defer p.nest()()
	t := p.peek()
	out := &term{span: t.span}
	switch {
	case t.kind == tokenInt || p.is("-"):
		sign := ""
		if p.accept("-") {
			sign = "-"
		}
		if p.peek().kind != tokenInt {
			p.fail("a number")
		}
		out.op, out.text = termInt, sign+p.next().text
	case t.kind == tokenString:
		out.op, out.text = termString, p.str(false)
	case p.accept("*") || p.accept("_"):
		out.op = termAny
	case p.accept("("):
		out = p.term()
		p.expect(")")
	case p.is("count") || p.is("sum"):
		out = p.aggregate()
	case t.kind != tokenName:
		p.fail("a value")
	default:
		p.namedTerm(out)
	}
	out.span = p.since(t.span)
	return out
}

func (p *parser) namedTerm(out *term) {
	name := p.path()
	out.text = name
	switch {
	case name == "true" || name == "false":
		out.op = termBool
	case name == "context" || name == "principal" || name == "resource":
		out.op = termScope
		for p.accept(".") {
			out.path = append(out.path, p.name())
		}
		if name == "context" {
			out.op = termContext
		}
	case p.is("(") || p.is("::"):
		fault(p.peek().span, `"`+name+`" is not imported in temporal conditions: rules do not support macros, entities and decimals`)
	default:
		out.op = termVariable
	}
}

func (p *parser) aggregate() *term {
	out := &term{op: termCount}
	if p.next().text == "sum" {
		out.op, out.text = termSum, p.name()
	}
	p.expect("for")
	out.binders = []binder{p.binder()}
	for p.accept(",") {
		out.binders = append(out.binders, p.binder())
	}
	p.expect(".")
	p.expect("where")
	out.body = p.past()
	return out
}
