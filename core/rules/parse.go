package rules

import (
	"strings"

	"github.com/stile-playground/stile/core/exact"
	"github.com/stile-playground/stile/core/source"
)

const (
	// maxNesting bounds the recursion over a formula.
	maxNesting = 100
	// maxParts bounds the formulas and terms of a rule.
	maxParts = 1_000
)

// parser reads the formula of one rule. After a syntax error it skips to the end of the rule.
type parser struct {
	chunk  *chunk
	text   string
	at     int
	depth  int
	parts  int
	failed bool
	run    bool // it reads an event of a run, which may have fields after the atom
	found  []source.Diagnostic
	hints  []hint // to add to the end of atoms
}

// hint is the diagnostic for a pattern that compares a field with a variable, and its
// correction, which adds text to the end of the atom.
type hint struct {
	index int // of the diagnostic
	fix   source.Fix
	add   string
}

func (p *parser) report(d source.Diagnostic) { p.found = append(p.found, d) }

func (p *parser) peek() token { return p.ahead(0) }

func (p *parser) ahead(n int) token {
	last := len(p.chunk.tokens) - 1
	if p.failed {
		return token{span: p.chunk.tokens[last].span}
	}
	return p.chunk.tokens[min(p.at+n, last)]
}

func (p *parser) next() token {
	t := p.peek()
	if !p.failed && p.at < len(p.chunk.tokens)-1 {
		p.at++
	}
	return t
}

// accept consumes a symbol or keyword.
func (p *parser) accept(texts ...string) bool {
	if p.peek().is(texts...) {
		p.next()
		return true
	}
	return false
}

// fail reports the first syntax error of the rule.
func (p *parser) fail(span source.Span, message string, fixes ...source.Fix) {
	if !p.failed {
		p.report(source.Diagnostic{Code: "rules.syntax", Span: span, Message: message, Fixes: fixes})
		p.failed = true
	}
}

// unexpected reports the next token, and the expected text.
func (p *parser) unexpected(expected string) {
	switch t := p.peek(); t.kind {
	case tokenEnd:
		p.fail(t.span, "expected "+expected+" before the end of the rule")
	case tokenBad:
		p.fail(t.span, t.value)
	default:
		p.fail(t.span, "unexpected "+quoteText(t.text)+"; expected "+expected)
	}
}

func quoteText(text string) string {
	if strings.HasPrefix(text, `"`) {
		return text
	}
	return `"` + text + `"`
}

func (p *parser) expect(symbol string) token {
	if !p.peek().is(symbol) {
		p.unexpected(`"` + symbol + `"`)
	}
	return p.next()
}

func (p *parser) rule() *Rule {
	c := p.chunk
	r := &Rule{Name: c.name, NameSpan: c.nameSpan, Span: c.nameSpan.Join(c.tokens[len(c.tokens)-1].span)}
	if c.stray != nil {
		p.fail(c.stray.span, `unexpected text in the first column; indent the lines that continue a rule`, source.Fix{
			Title: "Indent the line", Edits: []source.Edit{{Span: source.Span{Start: c.stray.span.Start, End: c.stray.span.Start}, Text: "  "}},
		})
		return r
	}
	f := p.formula()
	if !p.failed && p.peek().kind != tokenEnd {
		p.trailing()
	}
	if p.failed || source.HasErrors(p.found) && f == nil {
		return r
	}
	r.Formula = f
	if !hasCode(p.found, "rules.syntax") {
		p.resolve(r)
		p.advise(r)
	}
	return r
}

func hasCode(list []source.Diagnostic, code string) bool {
	for _, d := range list {
		if d.Code == code {
			return true
		}
	}
	return false
}

// trailing reports a token after the end of a formula.
func (p *parser) trailing() {
	switch t := p.peek(); {
	case t.is(")"):
		p.fail(t.span, `unmatched ")"`)
	case t.is(":"):
		p.fail(t.span, `unexpected ":"; the name of a rule begins in the first column`)
	case t.is("+", "-", "*", "=", "!=", "<", "<=", ">", ">="):
		p.fail(t.span, "unexpected "+quoteText(t.text)+"; terms and comparisons have no parentheses around them, and comparisons do not chain")
	default:
		p.unexpected(`"->", "|", "&" or "since"`)
	}
}

// enter counts a part and a level of nesting. Each call must be followed by a call of leave.
func (p *parser) enter() {
	p.depth++
	p.count()
	if p.depth > maxNesting {
		p.fail(p.peek().span, "the rule is nested too deeply; divide it into several rules")
	}
}

func (p *parser) leave() { p.depth-- }

func (p *parser) count() {
	if p.parts++; p.parts > maxParts {
		p.fail(p.peek().span, "the rule is too long; divide it into several rules")
	}
}

func (p *parser) formula() *Formula {
	p.enter()
	defer p.leave()
	left := p.either()
	if t := p.peek(); p.accept("->", "=>", "implies") {
		right := p.formula()
		return join(OpImplies, t, nil, left, right)
	}
	return left
}

// join makes a formula of parts, or returns nil if a part is missing.
func join(op Op, sign token, w *Window, kids ...*Formula) *Formula {
	for _, k := range kids {
		if k == nil {
			return nil
		}
	}
	return &Formula{Op: op, Kids: kids, Window: w, Sign: sign.span, Span: kids[0].Span.Join(sign.span).Join(kids[len(kids)-1].Span)}
}

func (p *parser) either() *Formula {
	left := p.both()
	depth := p.depth
	for {
		t := p.peek()
		if !p.accept("|", "||", "or") {
			break
		}
		p.enter()
		left = join(OpOr, t, nil, left, p.both())
	}
	p.depth = depth
	return left
}

func (p *parser) both() *Formula {
	first := p.since()
	sign := p.peek()
	parts := []*Formula{first}
	for p.accept("&", "&&", "and") {
		p.count()
		parts = append(parts, p.since())
	}
	if len(parts) == 1 {
		return first
	}
	return join(OpAnd, sign, nil, parts...)
}

func (p *parser) since() *Formula {
	left := p.prefix()
	depth := p.depth
	for {
		t := p.peek()
		if !p.accept("since", "S") {
			break
		}
		p.enter()
		w := p.window()
		left = join(OpSince, t, w, left, p.prefix())
	}
	p.depth = depth
	return left
}

var prefixes = map[string]Op{
	"!": OpNot, "not": OpNot, "once": OpOnce, "O": OpOnce,
	"historically": OpHistorically, "H": OpHistorically, "previous": OpPrevious, "Y": OpPrevious,
}

func (p *parser) prefix() *Formula {
	p.enter()
	defer p.leave()
	t := p.peek()
	if op, ok := prefixes[t.text]; ok && t.is(t.text) {
		p.next()
		var w *Window
		if op != OpNot {
			w = p.window()
		}
		inner := p.prefix()
		if inner == nil {
			return nil
		}
		return &Formula{Op: op, Kids: []*Formula{inner}, Window: w, Sign: t.span, Span: t.span.Join(inner.Span)}
	}
	switch {
	case p.accept("("):
		f := p.formula()
		p.expect(")")
		return f
	case p.termBegins():
		return p.comparison()
	}
	return p.atom()
}

// window reads a window if there is one.
func (p *parser) window() *Window {
	open := p.peek()
	if !p.accept("[") {
		return nil
	}
	shut := 0
	for !p.ahead(shut).is("]") {
		if p.ahead(shut).kind == tokenEnd {
			p.unexpectedWindow(open)
			return nil
		}
		shut++
	}
	n, unit := p.ahead(0), p.ahead(1)
	span := open.span.Join(p.ahead(shut).span)
	for range shut + 1 {
		p.next()
	}
	seconds := map[string]string{"s": "1", "m": "60", "h": "3600", "d": "86400"}[unit.text]
	if shut != 2 || n.kind != tokenNumber || strings.Trim(n.text, "0123456789") != "" || seconds == "" {
		p.report(source.Diagnostic{Code: "rules.window", Span: span, Message: `invalid window; expected a whole number and a unit, such as [30s], [10m], [24h] or [7d]`})
		return nil
	}
	length, err := exact.ParseDecimal(n.text).Multiply(exact.ParseDecimal(seconds))
	if err != nil {
		p.report(source.Diagnostic{Code: "rules.window", Span: span, Message: "the window is too long"})
	}
	return &Window{Seconds: length, Span: span}
}

// unexpectedWindow reports a window without an end.
func (p *parser) unexpectedWindow(open token) {
	if p.peek().kind == tokenNumber && p.ahead(1).is("s", "m", "h", "d") {
		p.fail(p.ahead(2).span, `expected "]" at the end of the window`)
		return
	}
	p.fail(open.span, `unmatched "["; expected a window such as [10m]`)
}

func (p *parser) termBegins() bool {
	switch t := p.peek(); t.kind {
	case tokenVariable, tokenNumber:
		return true
	case tokenString:
		return !p.ahead(1).is("(", ".")
	default:
		return t.is("-", "+", "true", "false", "null", "count", "sum", "min", "max")
	}
}

func (p *parser) comparison() *Formula {
	left := p.term()
	t := p.peek()
	if !t.is("=", "!=", "<", "<=", ">", ">=") {
		p.unexpected(`"=", "!=", "<", "<=", ">" or ">=" (a term is not a formula)`)
		return nil
	}
	p.next()
	if again := p.peek(); again.is("=") && again.span.Start == t.span.End {
		both := t.span.Join(again.span)
		p.fail(both, "unknown operator "+quoteText(t.text+"=")+"; write "+quoteText(t.text), source.Fix{
			Title: "Write " + t.text, Edits: []source.Edit{{Span: both, Text: t.text}},
		})
	}
	right := p.term()
	if again := p.peek(); again.is("=", "!=", "<", "<=", ">", ">=") {
		p.fail(again.span, "comparisons do not chain; join two of them with &")
	}
	if left == nil || right == nil || p.failed {
		return nil
	}
	return &Formula{Op: OpCompare, Relation: t.text, Terms: [2]*Term{left, right}, Sign: t.span, Span: left.Span.Join(right.Span)}
}

func (p *parser) term() *Term {
	left := p.product()
	for p.peek().is("+", "-") {
		left = p.arithmetic(left, p.product)
	}
	return left
}

func (p *parser) product() *Term {
	left := p.primary()
	for p.peek().is("*") {
		left = p.arithmetic(left, p.primary)
	}
	return left
}

func (p *parser) arithmetic(left *Term, operand func() *Term) *Term {
	sign := p.next()
	// Terms lean to the left, so that the recursion over them is as deep as they are long.
	if p.count(); p.parts > maxParts/2 {
		p.fail(sign.span, "the rule is too long; divide it into several rules")
	}
	right := operand()
	if left == nil || right == nil {
		return nil
	}
	return &Term{Op: TermArithmetic, Sign: sign.text, Kids: [2]*Term{left, right}, Span: left.Span.Join(right.Span)}
}

func (p *parser) primary() *Term {
	p.count()
	t := p.peek()
	switch {
	case t.kind == tokenVariable:
		return &Term{Op: TermVariable, Use: p.variable(), Span: t.span}
	case t.is("count", "sum", "min", "max"):
		return p.aggregate()
	case t.is("("):
		p.fail(t.span, "terms have no parentheses")
		return nil
	}
	v, span := p.literal(true)
	if v == nil {
		return nil
	}
	return &Term{Op: TermLiteral, Value: v, Span: span}
}

func (p *parser) variable() *Use {
	if p.peek().kind != tokenVariable {
		p.unexpected("a variable such as ?x")
		return nil
	}
	t := p.next()
	return &Use{Name: t.value, Span: t.span}
}

// literal reads a literal; nil after an error.
func (p *parser) literal(term bool) (*Value, source.Span) {
	t := p.peek()
	switch {
	case t.is("-"):
		if n := p.ahead(1); n.kind == tokenNumber && n.span.Start == t.span.End {
			p.next()
			p.next()
			return exact.OfNumber(exact.ParseDecimal("-" + n.text)), t.span.Join(n.span)
		}
	case t.kind == tokenNumber:
		p.next()
		return exact.OfNumber(exact.ParseDecimal(t.text)), t.span
	case t.kind == tokenString:
		p.next()
		return exact.OfText(t.value), t.span
	case t.is("true", "false", "null"):
		p.next()
		return exact.Word(t.text), t.span
	}
	if term {
		p.unexpected("a variable, a literal or an aggregate")
	} else {
		p.unexpected("a number, a string, true, false or null")
	}
	return nil, t.span
}

func (p *parser) aggregate() *Term {
	p.enter()
	defer p.leave()
	t := p.next()
	out := &Term{Op: TermAggregate, Function: t.text, Window: p.window()}
	if t.text != "count" || p.accept("distinct") {
		out.Use = p.variable()
		if p.expect("for"); p.failed {
			return nil
		}
	}
	if p.accept("(") {
		out.Operand = p.formula()
		out.Span = t.span.Join(p.expect(")").span)
	} else if out.Operand = p.atom(); out.Operand != nil {
		out.Span = t.span.Join(out.Operand.Span)
	}
	if out.Operand == nil || p.failed {
		return nil
	}
	return out
}
