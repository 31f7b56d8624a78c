// Package flow reads flowcharts and makes automata of them: a question for each
// state, and an edge for each answer (Formal-LLM, Li et al. 2024, §3.2 and Figure 7).
//
//	let seller "Alpha"
//	ask entitled "Is {seller} entitled to sell {company}?"
//	  yes -> checks as "It may sell."    no -> stop as "It may not."
//	in any order checks {
//	  ask liabilities "Which is worse? …"
//	    yes -> stop    no -> next
//	  ask filing "…"
//	    some europe usa china -> next as "File."    none -> next
//	} -> pass
//	accept pass "The preliminary analysis is passed."
//
// A question asks, an answer leads to another question, to an "accept" or a "stop"
// line, or to the built-in end "stop". The questions of "in any order" are asked
// once each, the next one chosen from the remaining ones; "next" continues the block, and after
// the last question leads to the target of the block's arrow. The answers after "some" may be
// combined, in their order. {name} is a variable of the workspace; "let" gives it a value.
package flow

import (
	"strings"

	"github.com/stile-playground/stile/core/lines"
	"github.com/stile-playground/stile/core/source"
)

// Syntax is a parsed .flow text.
type Syntax struct {
	File       *source.File
	statements []statement
}

// Format prints the text again, tidied; see [lines.Format].
func (s *Syntax) Format() string {
	return lines.Format(s.File.Text, func(line []lines.Token) bool {
		return len(line) > 1 && line[0].Kind == lines.Word && (line[1].Kind == lines.Arrow || line[0].Is("some"))
	})
}

// statement is one of letLine, startLine, question, end and block.
type statement interface{ statement() }

type letLine struct{ name, text lines.Token }

type startLine struct{ name lines.Token }

type question struct {
	name    lines.Token
	text    lines.Token
	answers []answer
}

type answer struct {
	name lines.Token
	some []item // answers that may be combined; the name is that of the first
	to   lines.Token
	text string
	span source.Span
}

// item is an answer that may be combined with others.
type item struct {
	name lines.Token
	text string
}

type end struct {
	name    lines.Token
	text    string
	accepts bool
}

type block struct {
	name      lines.Token
	questions []question
	to        lines.Token
}

func (letLine) statement()   {}
func (startLine) statement() {}
func (question) statement()  {}
func (end) statement()       {}
func (block) statement()     {}

// Parse reads a text in the .flow notation. It always returns a tree of the parsed part and every
// problem that it found.
func Parse(file *source.File) (*Syntax, []source.Diagnostic) {
	s := &Syntax{File: file}
	if found := file.Check(); len(found) > 0 {
		return s, found
	}
	p := &parser{}
	for _, t := range lines.Lex(file.Text) {
		// Line ends have no meaning: statements begin with a keyword.
		if t.Kind != lines.Comment && t.Kind != lines.Line {
			p.tokens = append(p.tokens, t)
		}
	}
	end := source.Pos(len(file.Text))
	p.tokens = append(p.tokens, lines.Token{Kind: lines.Line, Span: source.Span{Start: end, End: end}})
	for !p.atEnd() && len(p.found) < maxFound {
		if st := p.statement(); st != nil {
			s.statements = append(s.statements, st)
		}
	}
	return s, p.found
}

// maxFound is the maximum number of diagnostics of a text.
const maxFound = 50

type parser struct {
	tokens []lines.Token
	at     int
	found  []source.Diagnostic
}

func (p *parser) errorAt(span source.Span, code, message string) {
	if len(p.found) < maxFound {
		p.found = append(p.found, source.Diagnostic{Code: code, Span: span, Message: message})
	}
}

func (p *parser) now() lines.Token { return p.ahead(0) }

func (p *parser) ahead(n int) lines.Token { return p.tokens[min(p.at+n, len(p.tokens)-1)] }

func (p *parser) take() lines.Token {
	t := p.now()
	p.at = min(p.at+1, len(p.tokens)-1)
	return t
}

func (p *parser) atEnd() bool { return p.at == len(p.tokens)-1 }

// begins reports whether a statement begins here: with a keyword that is not the name of an
// answer.
func (p *parser) begins() bool {
	t := p.now()
	if p.ahead(1).Kind == lines.Arrow {
		return t.Is("}")
	}
	return t.Is("ask") || t.Is("accept") || t.Is("stop") || t.Is("in") || t.Is("let") || t.Is("start") || t.Is("}")
}

// skip advances to the beginning of a statement.
func (p *parser) skip() {
	for !p.atEnd() && !p.begins() {
		p.at++
	}
}

// name reports whether a token can be the name of a question, an end or a variable. Names that end
// with a colon belong to other notations.
func name(t lines.Token) bool {
	return t.Kind == lines.Word && !strings.HasSuffix(t.Text, ":") && !t.Is("ask") && !t.Is("accept") && !t.Is("in") && !t.Is("let") && !t.Is("start")
}

func (p *parser) statement() statement {
	t := p.now()
	switch {
	case t.Is("ask") && p.begins():
		if q, ok := p.question(); ok {
			return q
		}
		return nil
	case (t.Is("accept") || t.Is("stop")) && p.begins():
		p.take()
		e := end{accepts: t.Is("accept")}
		if e.name = p.now(); !name(e.name) {
			p.errorAt(e.name.Span, "flow.name", "expected a name, such as accept pass \"…\"")
			p.skip()
			return nil
		}
		p.take()
		if text := p.now(); text.Kind == lines.Text {
			e.text = p.text().Text
		}
		return e
	case t.Is("let"):
		p.take()
		l := letLine{name: p.now()}
		if !name(l.name) || p.ahead(1).Kind != lines.Text {
			p.errorAt(t.Span, "flow.let", `expected a variable and its value, such as let name "value"`)
			p.skip()
			return nil
		}
		p.take()
		l.text = p.text()
		return l
	case t.Is("start"):
		p.take()
		s := startLine{name: p.now()}
		if !name(s.name) {
			p.errorAt(t.Span, "flow.name", "expected the first question, such as start entitled")
			p.skip()
			return nil
		}
		p.take()
		return s
	case t.Is("in") && p.ahead(1).Is("any") && p.ahead(2).Is("order"):
		return p.block()
	case p.ahead(1).Kind == lines.Arrow:
		p.errorAt(t.Span, "flow.answer", "unexpected answer; write answers after their question")
		p.take()
		p.take()
		p.skip()
		return nil
	}
	p.errorAt(t.Span, "flow.line", `expected "ask", "accept", "stop", "let", "start" or "in any order"`)
	p.take()
	p.skip()
	return nil
}

// text parses a quoted text.
func (p *parser) text() lines.Token {
	t := p.take()
	if t.Open {
		p.errorAt(t.Span, "flow.text", "missing closing quote")
	}
	return t
}

func (p *parser) question() (question, bool) {
	ask := p.take()
	q := question{name: p.now()}
	if !name(q.name) {
		p.errorAt(ask.Span, "flow.name", `expected a name after "ask", such as ask entitled "May it be sold?"`)
		p.skip()
		return q, false
	}
	p.take()
	if q.text = p.now(); q.text.Kind != lines.Text {
		p.errorAt(q.name.Span, "flow.question", "missing question: add a quoted text after the name")
	} else {
		p.text()
	}
	for {
		a := answer{}
		switch {
		case p.now().Is("some") && p.ahead(1).IsName() && !p.begins():
			var ok bool
			if a.some, ok = p.some(); !ok {
				return q, true
			}
			a.name = a.some[0].name
		case p.now().IsName() && p.ahead(1).Kind == lines.Arrow:
			a.name = p.take()
		default:
			return q, true
		}
		arrow := p.take()
		if a.to = p.now(); a.to.Kind != lines.Word || p.ahead(1).Kind == lines.Arrow {
			p.errorAt(a.name.Span.Join(arrow.Span), "flow.answer", "missing target of the answer, such as yes -> name or yes -> stop")
			continue
		}
		p.take()
		a.span = a.name.Span.Join(a.to.Span)
		a.text = p.asText()
		q.answers = append(q.answers, a)
	}
}

// some parses answers that may be combined, up to their arrow.
func (p *parser) some() (list []item, ok bool) {
	some := p.take()
	for p.now().Kind != lines.Arrow {
		if !p.now().IsName() || p.begins() {
			p.errorAt(some.Span, "flow.some", `expected answers and an arrow after "some", such as some a b -> next`)
			p.skip()
			return nil, false
		}
		i := item{name: p.take()}
		i.text = p.asText()
		list = append(list, i)
	}
	return list, true
}

// asText returns the text after "as", or "" without "as". An "as" without a text is an error.
func (p *parser) asText() string {
	if !p.now().Is("as") {
		return ""
	}
	as := p.take()
	if p.now().Kind == lines.Text {
		return p.text().Text
	}
	p.errorAt(as.Span, "flow.text", `expected a quoted text after "as"`)
	return ""
}

func (p *parser) block() statement {
	in := p.take()
	p.take()
	p.take()
	b := block{name: p.now()}
	if !name(b.name) || !p.ahead(1).Is("{") {
		p.errorAt(in.Span, "flow.block", "expected a block: in any order name { ask … } -> next")
		p.skip()
		return nil
	}
	p.take()
	open := p.take()
	for !p.now().Is("}") {
		if p.atEnd() {
			p.errorAt(open.Span, "flow.brace", "unmatched \"{\"")
			return nil
		}
		if !p.now().Is("ask") {
			p.errorAt(p.now().Span, "flow.block", "expected a question in the block")
			p.take()
			p.skip()
			continue
		}
		if q, ok := p.question(); ok {
			b.questions = append(b.questions, q)
		}
	}
	closing := p.take()
	if p.now().Kind != lines.Arrow || p.ahead(1).Kind != lines.Word {
		p.errorAt(closing.Span, "flow.block", "missing target of the block, such as } -> name")
		b.to = lines.Token{Kind: lines.Word, Text: stopName, Span: closing.Span}
		return b
	}
	p.take()
	b.to = p.take()
	return b
}

// variables calls visit with each {name} in a text and the offset of the name.
func variables(text string, visit func(name string, at int)) {
	for at := 0; ; {
		open := strings.IndexByte(text[at:], '{')
		if open < 0 {
			return
		}
		at += open + 1
		length := strings.IndexByte(text[at:], '}')
		if length < 0 {
			return
		}
		if name := text[at : at+length]; name != "" && !strings.ContainsAny(name, " \t\n{") {
			visit(name, at)
		}
	}
}
