package cedar

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// maxNesting bounds the depth of expressions.
const maxNesting = 100

// maxOperands bounds the operands of a conjunction or disjunction without parentheses.
const maxOperands = 1_000

// parser reads policies. Its methods panic with a [source.Diagnostic] at a syntax error, which
// [parse] recovers from at the end of the policy.
type parser struct {
	tokens []token
	at     int
	depth  int
}

func (p *parser) peek() token { return p.tokens[p.at] }

// ahead returns the text of the token after n others.
func (p *parser) ahead(n int) string {
	if p.at+n < len(p.tokens) {
		return p.tokens[p.at+n].text
	}
	return ""
}

func (p *parser) next() token {
	t := p.tokens[p.at]
	if t.kind != tokenEnd {
		p.at++
	}
	return t
}

func (p *parser) is(text string) bool {
	t := p.peek()
	return t.text == text && (t.kind == tokenSymbol || t.kind == tokenName)
}

func (p *parser) accept(text string) bool {
	ok := p.is(text)
	if ok {
		p.at++
	}
	return ok
}

func (p *parser) expect(text string) token {
	if !p.is(text) {
		p.fail(`"` + text + `"`)
	}
	return p.next()
}

// fail reports that the next token differs from an expected one.
func (p *parser) fail(expected string) {
	t := p.peek()
	message := `expected ` + expected + `, found "` + t.text + `"`
	switch {
	case t.kind == tokenEnd:
		message = "expected " + expected + ", found the end of the text"
	case t.kind == tokenBad && strings.HasPrefix(t.text, `"`):
		message = `unterminated string (expected ")`
	}
	fault(t.span, message)
}

// nest counts a level of nesting; the caller calls the result at its end.
func (p *parser) nest() func() {
	if p.depth++; p.depth > maxNesting {
		fault(p.peek().span, "the expression is nested too deeply (more than 100 levels)")
	}
	return func() { p.depth-- }
}

// node returns an expression from a start to the last token. One function for all expressions
// keeps the module small, as do the others that make a value of a large type.
func (p *parser) node(op op, text string, start source.Span, kids ...*expr) *expr {
	return &expr{op: op, text: text, kids: kids, span: p.since(start)}
}

// fault ends the reading of the policy with a syntax error.
func fault(span source.Span, message string) {
	panic(source.Diagnostic{Code: "cedar.syntax", Span: span, Message: message})
}

// restore ends the levels of nesting below a depth.
func (p *parser) restore(depth int) { p.depth = depth }

func (p *parser) since(start source.Span) source.Span {
	return start.Join(p.tokens[max(p.at-1, 0)].span)
}

// parse reads the policies of a text and its syntax errors.
func parse(text string) (out []*policy, found []source.Diagnostic) {
	p := &parser{tokens: lex(text)}
	for p.peek().kind != tokenEnd {
		if one, fault := p.policyOr(); fault != nil {
			found = append(found, *fault)
			for p.peek().kind != tokenEnd && p.next().text != ";" {
			}
		} else {
			out = append(out, one)
		}
	}
	return out, found
}

// policyOr reads a policy or returns its first syntax error.
func (p *parser) policyOr() (one *policy, fault *source.Diagnostic) {
	defer func() {
		switch d := recover().(type) {
		case nil:
		case source.Diagnostic:
			fault = &d
		default:
			panic(d)
		}
	}()
	p.depth = 0
	return p.policy(), nil
}

func (p *parser) policy() *policy {
	out := &policy{}
	for p.accept("@") {
		name := p.name()
		if p.accept("(") {
			if value := p.str(false); name == "id" {
				out.id = value
			}
			p.expect(")")
		}
	}
	if p.is("def") {
		fault(p.peek().span, `macros are not imported; replace the calls of "`+p.ahead(2)+`" by its body`)
	}
	if !p.is("permit") && !p.is("forbid") {
		p.fail(`"permit" or "forbid"`)
	}
	head := p.next()
	out.span, out.permit = head.span, head.text == "permit"
	p.expect("(")
	for i, name := range []string{"principal", "action", "resource"} {
		if i > 0 {
			p.expect(",")
		}
		if !p.is(name) {
			p.fail(`"` + name + `"`)
		}
		out.scope = append(out.scope, p.relation())
	}
	p.accept(",")
	p.expect(")")
	for p.is("when") || p.is("unless") {
		out.conds = append(out.conds, p.cond())
	}
	p.expect(";")
	return out
}

func (p *parser) cond() cond {
	out := cond{unless: p.next().text == "unless"}
	if p.is("temporal") {
		out.body = p.temporal()
		return out
	}
	p.accept("guardrails")
	p.expect("{")
	out.body = p.expr()
	p.expect("}")
	return out
}

func (p *parser) name() string {
	if p.peek().kind != tokenName {
		p.fail("a name")
	}
	return p.next().text
}

// str reads a string, or the regular expression of a pattern.
func (p *parser) str(pattern bool) string {
	t := p.peek()
	if t.kind != tokenString {
		p.fail("a string")
	}
	value, ok := unquote(t.text, pattern)
	if !ok {
		fault(t.span, "invalid escape in a string")
	}
	p.next()
	return value
}

func (p *parser) expr() *expr {
	defer p.nest()()
	start := p.peek().span
	if p.accept("if") {
		condition := p.expr()
		p.expect("then")
		yes := p.expr()
		p.expect("else")
		return p.node(opIf, "", start, condition, yes, p.expr())
	}
	return p.chain(opOr, "||", func() *expr { return p.chain(opAnd, "&&", p.relation) })
}

// chain reads operands with an operator between them, left associative.
func (p *parser) chain(o op, sign string, operand func() *expr) *expr {
	start := p.peek().span
	out := operand()
	for n := 2; p.accept(sign); n++ {
		if n > maxOperands { // the tree is as deep as the chain is long
			fault(p.peek().span, fmt.Sprintf("more than %d operands of %s", maxOperands, sign))
		}
		out = p.node(o, "", start, out, operand())
	}
	return out
}

var comparisons = []string{"==", "!=", "<", "<=", ">", ">="}

func (p *parser) relation() *expr {
	start := p.peek().span
	left := p.sum()
	switch {
	case p.accept("has"):
		var names []string
		if p.peek().kind == tokenString {
			names = []string{p.str(false)}
		} else {
			for names = []string{p.name()}; p.accept("."); {
				names = append(names, p.name())
			}
		}
		out := p.node(opHas, "", start, left)
		out.names = names
		return out
	case p.accept("like"):
		return p.node(opLike, p.str(true), start, left)
	case p.accept("is"):
		out := p.node(opIs, p.path(), start, left)
		if p.accept("in") {
			return p.node(opAnd, "", start, out, p.node(opIn, "", start, left, p.sum()))
		}
		return out
	case p.accept("in"):
		return p.node(opIn, "", start, left, p.sum())
	case p.peek().kind == tokenSymbol && slices.Contains(comparisons, p.peek().text):
		sign := p.next().text
		return p.node(opCompare, sign, start, left, p.sum())
	}
	return left
}

// path reads a name with its namespaces.
func (p *parser) path() string {
	out := p.name()
	for p.is("::") && p.at+1 < len(p.tokens) && p.tokens[p.at+1].kind == tokenName {
		p.next()
		out += "::" + p.name()
	}
	return out
}

func (p *parser) sum() *expr {
	start := p.peek().span
	out := p.product()
	defer p.restore(p.depth)
	for p.is("+") || p.is("-") {
		p.nest() // each operator is a level of the tree
		sign := p.next().text
		out = p.node(opArith, sign, start, out, p.product())
	}
	return out
}

func (p *parser) product() *expr {
	start := p.peek().span
	out := p.unary()
	defer p.restore(p.depth)
	for p.accept("*") {
		p.nest()
		out = p.node(opArith, "*", start, out, p.unary())
	}
	return out
}

func (p *parser) unary() *expr {
	start := p.peek().span
	op := opNot
	if p.is("-") {
		op = opNegate
	}
	if p.accept("!") || p.accept("-") {
		defer p.nest()()
		if op == opNegate && p.peek().kind == tokenInt {
			// The smallest integer has no positive counterpart.
			return p.members(p.node(opInt, "-"+p.next().text, start), start)
		}
		return p.node(op, "", start, p.unary())
	}
	return p.members(p.primary(), start)
}

// members reads the attributes and methods after an expression.
func (p *parser) members(out *expr, start source.Span) *expr {
	defer p.restore(p.depth)
	for ; ; p.nest() { // each member is a level of the tree
		switch {
		case p.accept("."):
			name := p.name()
			if p.is("(") {
				out = p.node(opMethod, name, start, append([]*expr{out}, p.list("(", ")")...)...)
			} else {
				out = p.node(opAttr, name, start, out)
			}
		case p.accept("["):
			out = p.node(opAttr, p.str(false), start, out)
			p.expect("]")
		default:
			return out
		}
		out.span = p.since(start)
	}
}

// list reads expressions between brackets.
func (p *parser) list(open, end string) (out []*expr) {
	p.expect(open)
	for !p.is(end) {
		out = append(out, p.expr())
		if !p.accept(",") {
			break
		}
	}
	p.expect(end)
	return out
}

func (p *parser) primary() *expr {
	t := p.peek()
	switch {
	case t.kind == tokenInt:
		p.next()
		return p.node(opInt, t.text, t.span)
	case t.kind == tokenString:
		return p.node(opString, p.str(false), t.span)
	case p.is("("):
		p.next()
		out := p.expr()
		p.expect(")")
		return out
	case p.is("["):
		return p.node(opList, "", t.span, p.list("[", "]")...)
	case p.is("{"):
		return p.record()
	case p.accept("?"):
		return p.node(opSlot, "?"+p.name(), t.span)
	case p.is("temporal") && p.ahead(1) == "{":
		return p.temporal()
	case t.kind != tokenName:
		p.fail("an expression")
	}
	return p.named()
}

func (p *parser) record() *expr {
	start := p.expect("{").span
	for !p.is("}") {
		if p.peek().kind == tokenString {
			p.str(false)
		} else {
			p.name()
		}
		p.expect(":")
		p.expr()
		if !p.accept(",") {
			break
		}
	}
	p.expect("}")
	return p.node(opRecord, "", start)
}

// named reads an expression that begins with a name.
func (p *parser) named() *expr {
	start := p.peek().span
	name := p.path()
	switch {
	case p.accept("::"):
		id := p.str(false)
		out := p.node(opEntity, name, start)
		out.names = []string{id}
		return out
	case p.is("("):
		return p.node(opCall, name, start, p.list("(", ")")...)
	case name == "true":
		return p.node(opTrue, "", start)
	case name == "false":
		return p.node(opFalse, "", start)
	case slices.Contains([]string{"principal", "action", "resource", "context"}, name):
		return p.node(opVar, name, start)
	}
	fault(p.since(start), `unknown name "`+name+`" (expected principal, action, resource or context)`)
	return nil
}
