package pushdown

import (
	"fmt"
	"strconv"

	"github.com/stile-playground/stile/core/lines"
	"github.com/stile-playground/stile/core/source"
)

// Syntax is a parsed .pda text:
//
//	start q0 Z
//	accept q2
//	q0 -> q0 (a, Z; S Z) as "begin"
//	for h in 20..11, gap in 0..3 if gap > 0 {
//	  h/gap -> h-1/gap-1 (e, *; *)
//	}
//	limit 1 each except i
//	backwards
//	e as "Grocery shopping"
//
// A transition (read, pop; push) reads a letter, pops the symbol on top of the stack, and pushes
// others, the first of which is then on top. ε is none of them; * reads any letter, pops any
// symbol, and pushes the symbol that was popped. "accept empty" accepts by empty stack, and
// "backwards" means that words are written from their last step to the first. A family has a
// transition for each value of its variables: arithmetic expressions in its names are replaced with
// their values, both between slashes and in {…}. In the text of a transition {*} is the label of its
// letter.
type Syntax struct {
	File       *source.File
	statements []statement
	broken     bool // some statement is invalid
}

// Format prints the text again, tidied; see [lines.Format].
func (s *Syntax) Format() string { return lines.Format(s.File.Text, nil) }

// statement is one of startLine, acceptLine, moveLine, labelLine, limitLine,
// backwardsLine and family.
type statement interface{ statement() }

type startLine struct {
	state lines.Token
	stack []lines.Token // at most one
}

type acceptLine struct {
	states []lines.Token
	empty  source.Span // of "empty"; empty without it
	span   source.Span
}

type moveLine struct {
	from, to lines.Token
	labels   []moveLabel
	text     *lines.Token
}

// moveLabel is (read, pop; push).
type moveLabel struct {
	read, pop lines.Token
	push      []lines.Token
	span      source.Span
}

type labelLine struct{ symbol, text lines.Token }

type limitLine struct {
	n     int64
	each  bool
	names []lines.Token
	span  source.Span
}

type backwardsLine struct{ span source.Span }

type family struct {
	variables []variable
	condition *lines.Expression
	body      []statement
	span      source.Span
	when      source.Span // of the condition
	open      source.Span // of the braces
	closing   source.Span
}

// variable is a variable of a family. Its values are the numbers between from and to, or words.
type variable struct {
	name     lines.Token
	from, to *lines.Expression
	words    []lines.Token
	through  source.Span // of the range
	span     source.Span // of the declaration
}

func (startLine) statement()     {}
func (acceptLine) statement()    {}
func (moveLine) statement()      {}
func (labelLine) statement()     {}
func (limitLine) statement()     {}
func (backwardsLine) statement() {}
func (family) statement()        {}

// Parse reads a text in the .pda notation. It always returns a tree of the parsed part and every
// problem that it found.
func Parse(file *source.File) (*Syntax, []source.Diagnostic) {
	s := &Syntax{File: file}
	if found := file.Check(); len(found) > 0 {
		return s, found
	}
	p := &parser{text: file.Text}
	for _, t := range lines.Lex(file.Text) {
		if t.Kind != lines.Comment {
			p.tokens = append(p.tokens, t)
		}
	}
	s.statements = p.block(0)
	s.broken = source.HasErrors(p.found)
	return s, p.found
}

type parser struct {
	text   string
	tokens []lines.Token
	at     int
	found  []source.Diagnostic
	ended  bool // the maximum number of diagnostics was reached
}

// maxFound is the maximum number of diagnostics of a text.
const maxFound = 50

func (p *parser) errorAt(span source.Span, code, message string) {
	if len(p.found) < maxFound {
		p.found = append(p.found, source.Diagnostic{Code: code, Span: span, Message: message})
	}
	p.ended = len(p.found) >= maxFound
}

func (p *parser) now() lines.Token { return p.tokens[p.at] }

func (p *parser) peek() lines.Token { return p.tokens[min(p.at+1, len(p.tokens)-1)] }

// take returns the token and advances, except at the last token, the end of a line.
func (p *parser) take() lines.Token {
	t := p.tokens[p.at]
	p.at = min(p.at+1, len(p.tokens)-1)
	return t
}

func (p *parser) atEnd() bool { return p.at == len(p.tokens)-1 }

// skipLine advances past the end of the line, or to a brace.
func (p *parser) skipLine() {
	for !p.atEnd() && p.now().Kind != lines.Line && !p.now().Is("}") {
		p.at++
	}
}

// skipBlock advances past the block that begins on the line, if any.
func (p *parser) skipBlock() {
	depth := 0
	for ; !p.atEnd() && (depth > 0 || p.now().Kind != lines.Line); p.at++ {
		switch {
		case p.now().Is("{"):
			depth++
		case p.now().Is("}"):
			if depth--; depth <= 0 {
				p.at++
				return
			}
		}
	}
}

// maxDepth is the maximum nesting depth of families.
const maxDepth = 20

// block reads statements up to a closing brace, or at depth 0 to the end.
func (p *parser) block(depth int) []statement {
	var out []statement
	for !p.ended {
		for !p.atEnd() && p.now().Kind == lines.Line {
			p.at++
		}
		switch {
		case p.atEnd():
			return out
		case p.now().Is("}") && depth > 0:
			return out
		case p.now().Is("}"):
			p.errorAt(p.take().Span, "pda.brace", "unmatched \"}\"")
		default:
			if st := p.statement(depth); st != nil {
				out = append(out, st)
			}
		}
	}
	return out
}

func (p *parser) statement(depth int) statement {
	t := p.now()
	next := p.peek()
	switch {
	case next.Kind == lines.Arrow:
		return p.move()
	case next.Is("as") && t.IsName():
		return p.label()
	case t.Is("start"):
		return p.start()
	case t.Is("accept"):
		return p.accept()
	case t.Is("limit"):
		return p.limit()
	case t.Is("for"):
		return p.family(depth)
	case t.Is("backwards"):
		return p.backwards()
	}
	p.errorAt(t.Span, "pda.line", `expected a transition such as "q0 -> q1 (a, Z; S)" or a keyword`)
	p.at++
	p.skipLine()
	return nil
}

// name parses a name, or reports a missing one.
func (p *parser) name(what string) (lines.Token, bool) {
	if t := p.now(); t.IsName() {
		return p.take(), true
	}
	p.errorAt(p.now().Span, "pda.name", "expected "+what)
	p.skipLine()
	return lines.Token{}, false
}

// names parses a list of names.
func (p *parser) names() []lines.Token {
	var out []lines.Token
	for p.now().IsName() {
		out = append(out, p.take())
	}
	return out
}

// mark parses a punctuation mark.
func (p *parser) mark(text, where string) bool {
	if p.now().Is(text) && p.now().Kind == lines.Mark {
		p.take()
		return true
	}
	at := p.now().Span
	if p.now().Kind == lines.Line { // a span of a line break is invisible
		at = p.tokens[p.at-1].Span
	}
	p.errorAt(at, "pda.label", fmt.Sprintf("expected %q: %s", text, where))
	p.skipLine()
	return false
}

func (p *parser) start() statement {
	p.take()
	state, ok := p.name("the start state")
	if !ok {
		return nil
	}
	return startLine{state: state, stack: p.names()}
}

func (p *parser) accept() statement {
	word := p.take()
	names := p.names()
	switch {
	case len(names) == 0:
		p.errorAt(word.Span, "pda.name", `expected an accepting state or "empty" after "accept"`)
		return nil
	}
	st := acceptLine{span: word.Span}
	for _, t := range names {
		if t.Is("empty") {
			st.empty = t.Span
		} else {
			st.states = append(st.states, t)
		}
	}
	return st
}

const labelForm = "write a transition as (read, pop; push)"

func (p *parser) move() statement {
	m := moveLine{}
	if m.from = p.take(); !m.from.IsName() {
		p.errorAt(m.from.Span, "pda.name", "expected a state before the arrow")
		p.skipLine()
		return nil
	}
	p.take()
	var ok bool
	if m.to, ok = p.name("a state"); !ok {
		return nil
	}
	if !p.now().Is("(") {
		p.errorAt(m.from.Span.Join(m.to.Span), "pda.label", "missing label of the transition: "+labelForm)
		p.skipLine()
		return nil
	}
	for p.now().Is("(") {
		l, ok := p.moveLabel()
		if !ok {
			return m // with the valid part
		}
		m.labels = append(m.labels, l)
		// The next part may be on the next line.
		at := p.at
		for !p.atEnd() && p.now().Kind == lines.Line {
			p.at++
		}
		if !p.now().Is("(") {
			p.at = at
		}
	}
	if p.now().Is("as") {
		p.take()
		text := p.now()
		if text.Kind != lines.Text || text.Open {
			p.errorAt(text.Span, "pda.text", `expected a quoted text after "as"`)
			p.skipLine()
			return m
		}
		p.take()
		m.text = &text
	}
	return m
}

// moveLabel reads (read, pop; push).
func (p *parser) moveLabel() (l moveLabel, ok bool) {
	l.span = p.take().Span
	if l.read, ok = p.name("a letter, ε or *"); !ok || !p.mark(",", labelForm) {
		return l, false
	}
	if l.pop, ok = p.name("a stack symbol, ε or *"); !ok || !p.mark(";", labelForm) {
		return l, false
	}
	l.push = p.names()
	l.span = l.span.Join(p.now().Span)
	return l, p.mark(")", labelForm)
}

func (p *parser) label() statement {
	l := labelLine{symbol: p.take()}
	p.take()
	if l.text = p.now(); l.text.Kind != lines.Text || l.text.Open {
		p.errorAt(l.text.Span, "pda.text", `expected a quoted text after "as"`)
		p.skipLine()
		return nil
	}
	p.take()
	return l
}

func (p *parser) limit() statement {
	l := limitLine{span: p.take().Span}
	number := p.now()
	n, err := strconv.ParseInt(number.Text, 10, 64)
	if number.Kind != lines.Word || err != nil || n < 0 || n > lines.MaxNumber {
		p.errorAt(number.Span, "pda.limit", `expected "limit 1 each", "limit 1 each except i" or "limit 2 a b"`)
		p.skipLine()
		return nil
	}
	p.take()
	l.n = n
	if p.now().Is("each") {
		p.take()
		l.each = true
		if p.now().Is("except") {
			p.take()
			l.names = p.names()
		}
		return l
	}
	if l.names = p.names(); len(l.names) == 0 {
		p.errorAt(p.now().Span, "pda.limit", `expected "limit 1 each", "limit 1 each except i" or "limit 2 a b"`)
		return nil
	}
	return l
}

func (p *parser) backwards() statement {
	word := p.take()
	if t := p.now(); t.Kind != lines.Line && !t.Is("}") {
		p.errorAt(t.Span, "pda.backwards", `unexpected text after "backwards"`)
		p.skipLine()
	}
	return backwardsLine{word.Span}
}

const familyForm = `write a family as "for h in 20..11 { … }"`

func (p *parser) family(depth int) statement {
	f := family{span: p.take().Span}
	if depth == maxDepth {
		p.errorAt(f.span, "pda.depth", fmt.Sprintf("families are nested too deeply (maximum %d)", maxDepth))
		p.ended = true
		return nil
	}
	begin := p.at
	for {
		v, ok := p.variable()
		if !ok {
			p.at = begin
			p.skipBlock()
			return nil
		}
		v.span = v.name.Span.Join(p.tokens[p.at-1].Span)
		f.variables = append(f.variables, v)
		if !p.now().Is(",") {
			break
		}
		p.take()
	}
	if p.now().Is("if") {
		p.take()
		from := p.now().Span.Start
		for !p.atEnd() && p.now().Kind != lines.Line && !p.now().Is("{") {
			p.at++
		}
		f.when = source.Span{Start: from, End: max(from, p.tokens[p.at-1].Span.End)}
		if f.when.Start == f.when.End {
			p.errorAt(p.now().Span, "pda.condition", `missing condition after "if"`)
			p.skipBlock()
			return nil
		}
		e, ok := p.expression(f.when)
		if !ok {
			p.skipBlock()
			return nil
		}
		f.condition = e
	}
	f.open = p.now().Span
	if !p.mark("{", "write the transitions of a family in { }") {
		return nil
	}
	f.body = p.block(depth + 1)
	if !p.now().Is("}") {
		if !p.ended {
			p.errorAt(f.open, "pda.brace", "unmatched \"{\"")
		}
		return nil
	}
	f.closing = p.take().Span
	return f
}
