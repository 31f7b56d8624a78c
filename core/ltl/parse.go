package ltl

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/source"
)

// MaxDepth is the maximal nesting of parentheses and operators of one argument.
const MaxDepth = 1_000

// Named is a formula of a file with its name, which may be empty.
type Named struct {
	Name    string
	Formula *Formula
	Span    source.Span // from the name or the formula to the end of the formula, without comments around it
	// NameSpan is the place of the name.
	NameSpan source.Span
}

// words are the operators written with letters, and the other reserved words.
var words = map[string]Op{
	"true": True, "false": False, "last": Last, "X": Next, "WX": WeakNext, "N": WeakNext, "F": Finally, "G": Globally,
	"U": Until, "R": Release, "W": WeakUntil, "M": StrongRelease,
}

// signs are the operators written with punctuation. Among operators with a common prefix, the
// longest comes first.
var signs = []struct {
	text string
	op   Op
}{
	{"<->", Iff}, {"<>", Finally}, {"->", Implies}, {"&&", And}, {"||", Or}, {"[]", Globally},
	{"&", And}, {"|", Or}, {"!", Not}, {"~", Not}, {"□", Globally}, {"◇", Finally}, {"○", Next},
	{"↔", Iff}, {"→", Implies}, {"∧", And}, {"∨", Or}, {"¬", Not},
}

type tokenKind uint8

const (
	tokenEnd tokenKind = iota
	tokenOp
	tokenProp
	tokenOpen
	tokenClose
	tokenColon
	tokenBad
)

type token struct {
	kind tokenKind
	op   Op
	name string
	span source.Span
}

// Parse reads the formulas of a file, a paragraph each, optionally named as in
// "safe: G !crash". It reports the first fault of every invalid paragraph, and returns the
// formulas of the others.
//
// A fault that is an operator of another notation is explained, with a fix. [ParsePlain] leaves
// that search out.
func Parse(file *source.File) ([]Named, []source.Diagnostic) { return ParseKnown(file, nil) }

// ParseKnown is [Parse] with the propositions of a workspace, which decide between the possible
// intentions of a text. Without them the names of other paragraphs do.
func ParseKnown(file *source.File, known func(name string) bool) ([]Named, []source.Diagnostic) {
	return parse(file, func(text string, place source.Span, fault source.Diagnostic) source.Diagnostic {
		return explain(text, place, fault, known)
	})
}

// ParsePlain is [Parse] without the search for operators of other notations. The core
// module uses it to stay small; the full module repeats the analysis with [Parse].
func ParsePlain(file *source.File) ([]Named, []source.Diagnostic) {
	return parse(file, func(_ string, _ source.Span, fault source.Diagnostic) source.Diagnostic { return fault })
}

func parse(file *source.File, explain func(text string, paragraph source.Span, fault source.Diagnostic) source.Diagnostic) ([]Named, []source.Diagnostic) {
	if found := file.Check(); len(found) > 0 {
		return nil, found
	}
	var out []Named
	var found []source.Diagnostic
	for _, span := range paragraphs(file.Text) {
		p, n := parseParagraph(file.Text, span)
		switch {
		case p.fault != nil:
			found = append(found, explain(file.Text, span, *p.fault))
		case n.Formula != nil: // not comments only
			out = append(out, n)
		}
	}
	if len(out) == 0 && len(found) == 0 {
		found = append(found, source.Diagnostic{Code: "ltl.empty", Message: `no formula yet; add one, such as "G(ask -> F answer)"`})
	}
	return out, found
}

// parseParagraph reads a formula; it is nil if there are only comments.
func parseParagraph(text string, span source.Span) (*parser, Named) {
	p := &parser{text: text, at: int(span.Start), end: int(span.End)}
	n := Named{Span: span}
	p.next()
	if p.now.kind == tokenEnd {
		return p, n
	}
	n.Span.Start = p.now.span.Start
	if p.now.kind == tokenProp && p.peekColon() {
		n.Name, n.NameSpan = p.now.name, p.now.span
		p.next()
		p.next()
	}
	n.Formula = p.formula(0)
	n.Span.End = p.last.End
	if p.fault == nil && p.now.kind != tokenEnd {
		p.fail("ltl.rest", "unexpected text after the formula; an operator is missing or a parenthesis is unmatched")
	}
	return p, n
}

// paragraphs returns the parts of a text between blank lines.
func paragraphs(text string) []source.Span {
	var out []source.Span
	start, end := -1, 0
	for at := 0; at < len(text); {
		next := len(text)
		if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
			next = at + i + 1
		}
		if strings.TrimSpace(text[at:next]) == "" {
			if start >= 0 {
				out = append(out, source.Span{Start: source.Pos(start), End: source.Pos(end)})
			}
			start = -1
		} else {
			if start < 0 {
				start = at
			}
			end = at + len(strings.TrimRight(text[at:next], "\r\n"))
		}
		at = next
	}
	if start >= 0 {
		out = append(out, source.Span{Start: source.Pos(start), End: source.Pos(end)})
	}
	return out
}

type parser struct {
	text    string
	at, end int
	now     token
	fault   *source.Diagnostic
	last    source.Span // of the token before now
	before  source.Span // of the token before the fault

	known func(name string) bool // nil: none
}

func (p *parser) fail(code, message string) {
	if p.fault == nil {
		span := p.now.span
		p.fault, p.before = &source.Diagnostic{Code: code, Span: span, Message: message}, p.last
	}
}

func (p *parser) next() {
	p.last = p.now.span
	for p.at < p.end {
		r, size := utf8.DecodeRuneInString(p.text[p.at:p.end])
		switch {
		case unicode.IsSpace(r):
			p.at += size
			continue
		case r == '#':
			for p.at < p.end && p.text[p.at] != '\n' {
				p.at++
			}
			continue
		}
		break
	}
	start := p.at
	p.now = token{kind: tokenEnd}
	if p.at < p.end {
		p.now = p.read(p.text[p.at:p.end])
	}
	p.now.span = source.Span{Start: source.Pos(start), End: source.Pos(p.at)}
}

// read reads the first token of a text.
func (p *parser) read(rest string) token {
	for _, s := range signs {
		if strings.HasPrefix(rest, s.text) {
			p.at += len(s.text)
			return token{kind: tokenOp, op: s.op}
		}
	}
	switch rest[0] {
	case '(':
		p.at++
		return token{kind: tokenOpen}
	case ')':
		p.at++
		return token{kind: tokenClose}
	case ':':
		p.at++
		return token{kind: tokenColon}
	case '"':
		return p.readQuoted(rest)
	}
	if n := identifier(rest); n > 0 {
		p.at += n
		name := rest[:n]
		op, reserved := words[name]
		if !reserved {
			return token{kind: tokenProp, name: name}
		}
		if op == Next && strings.HasPrefix(rest[n:], "[!]") {
			p.at += len("[!]")
		}
		return token{kind: tokenOp, op: op}
	}
	_, size := utf8.DecodeRuneInString(rest)
	p.at += size
	return token{kind: tokenBad}
}

func (p *parser) readQuoted(rest string) token {
	var b strings.Builder
	for i := 1; i < len(rest); i++ {
		switch c := rest[i]; {
		case c == '"':
			p.at += i + 1
			return token{kind: tokenProp, name: b.String()}
		case c == '\\' && i+1 < len(rest):
			i++
			b.WriteByte(rest[i])
		default:
			b.WriteByte(c)
		}
	}
	p.at = p.end
	return token{kind: tokenBad, name: rest}
}

// identifier returns the length of the name at the beginning of a text: letters, digits,
// "_", "." and, between those, "-".
func identifier(text string) int {
	end := 0
	for end < len(text) {
		r, size := utf8.DecodeRuneInString(text[end:])
		inside := func(r rune) bool { return r == '_' || r == '.' || unicode.IsLetter(r) || unicode.IsDigit(r) }
		if !inside(r) {
			after, _ := utf8.DecodeRuneInString(text[end+size:])
			if r != '-' || end == 0 || !inside(after) {
				break
			}
		}
		end += size
	}
	return end
}

func (p *parser) peekColon() bool {
	q := *p
	q.next()
	return q.now.kind == tokenColon
}

// formula reads arguments and operators of two arguments until no such operator follows;
// those with the same binding group to the right. A chain of them is read in a loop, so it
// may have any length.
func (p *parser) formula(depth int) *Formula {
	var waiting []*Formula // operators that have their left argument only
	for {
		f := p.unary(depth)
		if p.fault != nil {
			return nil
		}
		binary := p.now.kind == tokenOp && p.now.op.arity() == 2
		for len(waiting) > 0 {
			last := waiting[len(waiting)-1]
			if binary && last.Op.binding() <= p.now.op.binding() {
				break
			}
			last.Right, f = f, last
			waiting = waiting[:len(waiting)-1]
		}
		if !binary {
			return f
		}
		waiting = append(waiting, New(p.now.op, f))
		p.next()
	}
}

func (p *parser) unary(depth int) *Formula {
	if depth > MaxDepth {
		p.fail("ltl.depth", fmt.Sprintf("formulas are nested deeper than %d here", MaxDepth))
		return nil
	}
	t := p.now
	switch {
	case t.kind == tokenProp:
		p.next()
		return NewProp(t.name)
	case t.kind == tokenOp && t.op.arity() == 0:
		p.next()
		return New(t.op)
	case t.kind == tokenOp && t.op.arity() == 1:
		p.next()
		return New(t.op, p.unary(depth+1))
	case t.kind == tokenOpen:
		p.next()
		f := p.formula(depth + 1)
		if p.fault == nil && p.now.kind != tokenClose {
			p.fail("ltl.open", "missing closing parenthesis before this")
		}
		if p.fault == nil {
			p.next()
		}
		return f
	case t.kind == tokenEnd:
		p.fail("ltl.end", "unexpected end of the formula; expected an argument")
	case t.kind == tokenBad && t.name != "":
		p.fail("ltl.string", "missing closing quote of this name")
	case t.kind == tokenBad:
		p.fail("ltl.sign", "unknown operator; quote names that contain punctuation")
	default:
		p.fail("ltl.argument", "expected an argument: a proposition, or a formula in parentheses")
	}
	return nil
}
