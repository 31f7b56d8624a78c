package team

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/source"
)

// ParseExpression parses an expression. For an invalid expression it returns nil and one
// diagnostic at the first fault.
func ParseExpression(text string) (*Expression, []source.Diagnostic) {
	p := &expressionParser{text: text}
	if len(text) > MaxExpression {
		p.fail(source.Span{End: source.Pos(len(text))}, "limit.expression", fmt.Sprintf("an expression has at most %d bytes", MaxExpression))
	} else if found := source.NewFile("", text).Check(); len(found) > 0 {
		return nil, found
	}
	p.next()
	root := p.or()
	if p.fault == nil && p.now.kind != tokenEnd {
		p.unexpected("an operator such as and, <= or +")
	}
	if p.fault != nil {
		return nil, []source.Diagnostic{*p.fault}
	}
	return &Expression{root: root}, nil
}

type tokenKind uint8

const (
	tokenEnd tokenKind = iota
	tokenName
	tokenNumber
	tokenText
	tokenSign
)

type token struct {
	kind tokenKind
	text string // of a text: its value
	span source.Span
}

type expressionParser struct {
	text  string
	at    int
	now   token
	fault *source.Diagnostic
	nodes int
	depth int
}

// fail records the first fault and stops parsing.
func (p *expressionParser) fail(span source.Span, code, message string) {
	if p.fault == nil {
		p.fault = &source.Diagnostic{Code: code, Span: span, Message: message}
	}
	p.at, p.now = len(p.text), token{span: source.Span{Start: source.Pos(len(p.text)), End: source.Pos(len(p.text))}}
}

func (p *expressionParser) unexpected(wanted string) {
	if p.now.kind == tokenEnd {
		p.fail(p.now.span, "team.expression", "unexpected end; expected "+wanted)
		return
	}
	p.fail(p.now.span, "team.expression", fmt.Sprintf("expected %s, not %s", wanted, p.text[p.now.span.Start:p.now.span.End]))
}

var signTexts = []string{"==", "!=", "<=", ">=", "<", ">", "+", "-", "*", "/", "(", ")", "[", "]", ",", ":", "."}

func (p *expressionParser) next() {
	for p.at < len(p.text) {
		r, size := utf8.DecodeRuneInString(p.text[p.at:])
		if !unicode.IsSpace(r) {
			break
		}
		p.at += size
	}
	start := p.at
	set := func(kind tokenKind, text string) {
		p.now = token{kind, text, source.Span{Start: source.Pos(start), End: source.Pos(p.at)}}
	}
	if p.at == len(p.text) {
		set(tokenEnd, "")
		return
	}
	rest := p.text[p.at:]
	c := rest[0]
	switch {
	case c == '\'' || c == '"':
		p.quoted(c)
		return
	case c >= '0' && c <= '9':
		n := digits(rest)
		if n+1 < len(rest) && rest[n] == '.' && rest[n+1] >= '0' && rest[n+1] <= '9' {
			n += 1 + digits(rest[n+1:])
		}
		p.at += n
		set(tokenNumber, rest[:n])
		return
	case isNameByte(c, true):
		n := 0
		for n < len(rest) && isNameByte(rest[n], n == 0) {
			n++
		}
		p.at += n
		set(tokenName, rest[:n])
		return
	}
	for _, sign := range signTexts {
		if strings.HasPrefix(rest, sign) {
			p.at += len(sign)
			set(tokenSign, sign)
			return
		}
	}
	_, size := utf8.DecodeRuneInString(rest)
	span := source.Span{Start: source.Pos(start), End: source.Pos(start + size)}
	message := fmt.Sprintf("unexpected character %q", rest[:size])
	switch c {
	case '=':
		message = `unknown operator "="; write "==" to compare two values`
	case '&':
		message = `unknown operator; write "and"`
	case '|':
		message = `unknown operator; write "or"`
	case '!':
		message = `unknown operator; write "not"`
	}
	p.fail(span, "team.expression", message)
}

func digits(text string) int {
	n := 0
	for n < len(text) && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	return n
}

func isNameByte(c byte, first bool) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || !first && c >= '0' && c <= '9'
}

func (p *expressionParser) quoted(quote byte) {
	start := p.at
	var b strings.Builder
	for i := start + 1; i < len(p.text); i++ {
		switch c := p.text[i]; {
		case c == quote:
			p.at = i + 1
			p.now = token{tokenText, b.String(), source.Span{Start: source.Pos(start), End: source.Pos(p.at)}}
			return
		case c == '\\' && i+1 < len(p.text):
			i++
			b.WriteByte(p.text[i])
		default:
			b.WriteByte(c)
		}
	}
	p.fail(source.Span{Start: source.Pos(start), End: source.Pos(len(p.text))}, "team.expression", "missing closing quote")
}

// take accepts a token and reads the next.
func (p *expressionParser) take(text string) bool {
	if (p.now.kind == tokenSign || p.now.kind == tokenName) && p.now.text == text {
		p.next()
		return true
	}
	return false
}

func (p *expressionParser) expect(sign string) {
	if !p.take(sign) && p.fault == nil {
		p.unexpected(`"` + sign + `"`)
	}
}

// make returns a node that ends with the last token.
func (p *expressionParser) make(n node, start source.Pos, end source.Pos) *node {
	if p.nodes++; p.nodes > maxNodes {
		p.fail(source.Span{Start: start, End: end}, "limit.expression", fmt.Sprintf("an expression has at most %d parts", maxNodes))
	}
	n.span = source.Span{Start: start, End: end}
	return &n
}

// enter counts the nesting depth.
func (p *expressionParser) enter() bool {
	if p.depth++; p.depth > maxNesting {
		p.fail(p.now.span, "limit.expression", fmt.Sprintf("an expression is nested at most %d levels deep", maxNesting))
		return false
	}
	return true
}

func (p *expressionParser) or() *node {
	if !p.enter() {
		return &node{}
	}
	defer func() { p.depth-- }()
	return p.chain(p.and, "or")
}

func (p *expressionParser) and() *node { return p.chain(p.not, "and") }

// chain reads a left-associative chain of operators of one precedence.
func (p *expressionParser) chain(operand func() *node, operators ...string) *node {
	left := operand()
	for {
		operator := ""
		for _, o := range operators {
			if p.now.text == o && (p.now.kind == tokenSign || p.now.kind == tokenName) {
				operator = o
			}
		}
		if operator == "" || p.fault != nil {
			return left
		}
		p.next()
		right := operand()
		left = p.make(node{kind: kindBinary, name: operator, of: []*node{left, right}}, left.span.Start, right.span.End)
	}
}

func (p *expressionParser) not() *node {
	start := p.now.span.Start
	if p.now.kind == tokenName && p.take("not") {
		if !p.enter() {
			return &node{}
		}
		defer func() { p.depth-- }()
		of := p.not()
		return p.make(node{kind: kindNot, of: []*node{of}}, start, of.span.End)
	}
	return p.compare()
}

func (p *expressionParser) compare() *node {
	left := p.sum()
	operator := p.now.text
	if p.now.kind != tokenSign && p.now.kind != tokenName || binary[operator] != bindCompare {
		return left
	}
	p.next()
	right := p.sum()
	if (p.now.kind == tokenSign || p.now.kind == tokenName) && binary[p.now.text] == bindCompare {
		p.fail(p.now.span, "team.expression", `comparisons cannot be chained; join them by "and"`)
	}
	return p.make(node{kind: kindBinary, name: operator, of: []*node{left, right}}, left.span.Start, right.span.End)
}

func (p *expressionParser) sum() *node     { return p.chain(p.product, "+", "-") }
func (p *expressionParser) product() *node { return p.chain(p.negated, "*", "/") }

func (p *expressionParser) negated() *node {
	start := p.now.span.Start
	if p.now.kind == tokenSign && p.take("-") {
		if !p.enter() {
			return &node{}
		}
		defer func() { p.depth-- }()
		of := p.negated()
		return p.make(node{kind: kindNegate, of: []*node{of}}, start, of.span.End)
	}
	return p.path()
}

func (p *expressionParser) path() *node {
	n := p.primary()
	for p.fault == nil {
		switch {
		case p.take("."):
			if p.now.kind != tokenName {
				p.unexpected("the name of a member")
				return n
			}
			n = p.make(node{kind: kindMember, name: p.now.text, of: []*node{n}}, n.span.Start, p.now.span.End)
			p.next()
		case p.take("["):
			at := p.or()
			end := p.now.span.End
			p.expect("]")
			n = p.make(node{kind: kindIndex, of: []*node{n, at}}, n.span.Start, end)
		default:
			return n
		}
	}
	return n
}

// reserved are the words that cannot name values.
var reserved = map[string]bool{"and": true, "or": true, "not": true, "in": true, "true": true, "false": true, "null": true}

func (p *expressionParser) primary() *node {
	t := p.now
	start := t.span.Start
	switch {
	case t.kind == tokenNumber:
		p.next()
		n, ok := readNumber(t.text)
		if !ok {
			p.fail(t.span, "limit.number", fmt.Sprintf("a number has at most %d digits", maxDigits))
		}
		return p.make(node{kind: kindLiteral, value: n}, start, t.span.End)
	case t.kind == tokenText:
		p.next()
		return p.make(node{kind: kindLiteral, value: Value{Kind: '"', Text: t.text}}, start, t.span.End)
	case t.kind == tokenName && (t.text == "true" || t.text == "false" || t.text == "null"):
		p.next()
		return p.make(node{kind: kindLiteral, value: Value{Kind: t.text[0]}}, start, t.span.End)
	case t.kind == tokenName && !reserved[t.text]:
		p.next()
		if p.now.kind == tokenSign && p.now.text == "(" {
			return p.call(t)
		}
		return p.make(node{kind: kindName, name: t.text}, start, t.span.End)
	case p.take("("):
		n := p.or()
		end := p.now.span.End
		p.expect(")")
		n.span = source.Span{Start: start, End: end}
		return n
	case p.take("["):
		var items []*node
		for p.fault == nil && !(p.now.kind == tokenSign && p.now.text == "]") {
			items = append(items, p.or())
			if !p.take(",") {
				break
			}
		}
		end := p.now.span.End
		p.expect("]")
		return p.make(node{kind: kindList, of: items}, start, end)
	}
	p.unexpected("a value")
	return &node{span: t.span}
}

// call reads the arguments of a function.
func (p *expressionParser) call(name token) *node {
	f := functionOf(name.text)
	if f == nil {
		message := fmt.Sprintf("unknown function %q", name.text)
		if near := source.Nearest(name.text, functionNames()); near != "" {
			message += fmt.Sprintf("; did you mean %q?", near)
		} else {
			message += " (expected " + strings.Join(functionNames(), ", ") + ")"
		}
		p.fail(name.span, "team.function", message)
		return &node{span: name.span}
	}
	p.next() // the parenthesis
	call := node{kind: kindCall, name: name.text}
	for p.fault == nil && !(p.now.kind == tokenSign && p.now.text == ")") {
		if len(call.of) == 1 && f.variable != 'n' {
			call.variable = p.binder(f)
		}
		call.of = append(call.of, p.or())
		if !p.take(",") {
			break
		}
	}
	end := p.now.span.End
	p.expect(")")
	if n := len(call.of); p.fault == nil && (n < f.least || n > f.most) {
		p.fail(name.span, "team.function", fmt.Sprintf("%s expects %s, not %d", f.name, arguments(f), n))
	}
	return p.make(call, name.span.Start, end)
}

// binder reads the variable before a function's second argument.
func (p *expressionParser) binder(f *function) string {
	name := p.now
	if name.kind == tokenName && !reserved[name.text] {
		before := *p
		p.next()
		if p.take(":") {
			return name.text
		}
		*p = before
	}
	p.fail(name.span, "team.function", fmt.Sprintf("%s expects a variable, a colon and an expression after the list: %s(list, x: …)", f.name, f.name))
	return ""
}

func arguments(f *function) string {
	switch {
	case f.most == 1:
		return "one argument"
	case f.least == 2:
		return "two arguments"
	}
	return "one or two arguments"
}
