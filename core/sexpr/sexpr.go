// Package sexpr parses s-expressions with their spans, and formats them.
//
// A list is written in parentheses; a string in double quotes, in which \" and \\ are the only
// escapes; anything else up to white space, a parenthesis, a quote or a semicolon is an atom. A
// comment runs to the end of the line, from a semicolon or from a # where an expression could
// begin.
package sexpr

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/source"
)

// MaxDepth bounds the nesting of lists. The agents of the papers need six.
const MaxDepth = 200

// Kind is the kind of a [Node].
type Kind uint8

// The kinds of nodes.
const (
	KindAtom Kind = iota
	KindString
	KindList
)

// Node is an expression.
type Node struct {
	Kind  Kind
	Text  string // of an atom or string, unquoted
	Span  source.Span
	Items []*Node // of a list

	before   []string // comment lines before it
	after    string   // comment after it on its line
	dangling []string // of a list: comment lines before its closing parenthesis
	blank    bool     // an empty line precedes it (and its comments)
	filled   bool     // as many atoms on a line as fit
	pairs    bool     // see InPairs
}

// Head returns the text of a list's first item if it is an atom, or "".
func (n *Node) Head() string {
	if n.Kind == KindList && len(n.Items) > 0 && n.Items[0].Kind == KindAtom {
		return n.Items[0].Text
	}
	return ""
}

// Blame returns the span for diagnostics about a list: its first item.
func (n *Node) Blame() source.Span {
	if n.Kind == KindList && len(n.Items) > 0 {
		return n.Items[0].Span
	}
	return n.Span
}

// Unknown returns a diagnostic for a word that is not among the candidates, with the
// nearest candidate as a fix, or the list of up to 12 candidates.
func (n *Node) Unknown(code, what string, candidates []string) source.Diagnostic {
	d := source.Diagnostic{Code: code, Span: n.Span, Message: fmt.Sprintf("unknown %s %q", what, n.Text)}
	if near := source.Nearest(n.Text, candidates); near != "" {
		d.Message += fmt.Sprintf("; did you mean %q?", near)
		d.Fixes = []source.Fix{{Title: "Write " + near, Edits: []source.Edit{{Span: n.Span, Text: near}}}}
	} else if len(candidates) > 0 && len(candidates) <= 12 {
		d.Message += " (expected " + strings.Join(candidates, ", ") + ")"
	}
	return d
}

// Places returns the position in the file of each byte of a string's value, and of its end.
func (n *Node) Places(file *source.File) []source.Pos {
	var out []source.Pos
	written := file.Slice(n.Span)
	for i := 1; i < len(written)-1; i++ {
		out = append(out, n.Span.Start+source.Pos(i))
		if written[i] == '\\' && (written[i+1] == '"' || written[i+1] == '\\') {
			i++
		}
	}
	return append(out, n.Span.End-1)
}

// File is a parsed text: its expressions in order.
type File struct {
	Source *source.File
	Nodes  []*Node
	end    []string // comment lines after the last expression
}

// TokenKind classifies the tokens of s-expressions.
type TokenKind uint8

// The kinds of tokens.
const (
	TokenAtom TokenKind = iota
	TokenString
	TokenOpen
	TokenClose
	TokenComment
)

// Token is a piece of text.
type Token struct {
	Kind TokenKind
	Text string // of an atom or string, unquoted
	Span source.Span
	Bad  bool // a string whose closing quote is missing
}

// Tokens yields the tokens of a text that passes [source.File.Check].
func Tokens(text string) iter.Seq[Token] {
	return func(yield func(Token) bool) {
		for i := 0; i < len(text); {
			t, end, ok := nextToken(text, i)
			if ok && !yield(t) {
				return
			}
			i = end
		}
	}
}

// nextToken reads the token at a position, or skips white space.
func nextToken(text string, i int) (t Token, end int, ok bool) {
	span := func(i, j int) source.Span { return source.Span{Start: source.Pos(i), End: source.Pos(j)} }
	switch c := text[i]; c {
	case '(':
		return Token{Kind: TokenOpen, Span: span(i, i+1)}, i + 1, true
	case ')':
		return Token{Kind: TokenClose, Span: span(i, i+1)}, i + 1, true
	case ';', '#':
		end := source.LineEnd(text, i)
		return Token{Kind: TokenComment, Text: strings.TrimRight(text[i:end], " \t\r"), Span: span(i, end)}, end, true
	case '"':
		t, end := readString(text, i)
		return t, end, true
	}
	r, size := utf8.DecodeRuneInString(text[i:])
	end = i + size
	if unicode.IsSpace(r) {
		return t, end, false
	}
	for end < len(text) {
		r, size := utf8.DecodeRuneInString(text[end:])
		if unicode.IsSpace(r) || strings.ContainsRune(`()";`, r) {
			break
		}
		end += size
	}
	return Token{Kind: TokenAtom, Text: text[i:end], Span: span(i, end)}, end, true
}

// readString reads a string, which may run over lines. One without a closing
// quote ends with its first line, so that the following lines are still parsed.
func readString(text string, start int) (Token, int) {
	var b strings.Builder
	for i := start + 1; i < len(text); i++ {
		switch {
		case text[i] == '"':
			return Token{Kind: TokenString, Text: b.String(), Span: source.Span{Start: source.Pos(start), End: source.Pos(i + 1)}}, i + 1
		case text[i] == '\\' && i+1 < len(text) && (text[i+1] == '"' || text[i+1] == '\\'):
			i++
			b.WriteByte(text[i])
		default:
			b.WriteByte(text[i])
		}
	}
	end := source.LineEnd(text, start)
	return Token{Kind: TokenString, Text: text[start+1 : end], Span: source.Span{Start: source.Pos(start), End: source.Pos(end)}, Bad: true}, end
}

// Parse parses a text. It always returns a tree and all diagnostics: an unclosed list is closed at
// the end of the text, an unmatched closing parenthesis is skipped.
func Parse(file *source.File) (*File, []source.Diagnostic) {
	p := parser{file: &File{Source: file}, text: file.Text}
	if found := file.Check(); len(found) > 0 {
		return p.file, found
	}
	for t := range Tokens(file.Text) {
		if !p.token(t) {
			break
		}
	}
	p.close()
	return p.file, p.found
}

type parser struct {
	file    *File
	text    string
	open    []*Node
	pending []string // comment lines before the next node
	blank   bool
	last    *Node // the node that owns a comment on its line
	end     source.Pos
	found   []source.Diagnostic
	deep    bool
}

func (p *parser) report(span source.Span, code, message string, notes ...source.Note) {
	p.found = append(p.found, source.Diagnostic{Code: code, Span: span, Message: message, Notes: notes})
}

// token processes one token and reports whether to continue.
func (p *parser) token(t Token) bool {
	between := p.text[p.end:t.Span.Start]
	newline := strings.Count(between, "\n")
	if newline > 1 && len(p.pending) == 0 {
		p.blank = true
	}
	p.end = t.Span.End
	switch t.Kind {
	case TokenComment:
		if newline == 0 && p.last != nil && p.last.after == "" {
			p.last.after = t.Text
		} else {
			p.pending = append(p.pending, t.Text)
		}
	case TokenOpen:
		if len(p.open) == MaxDepth {
			p.report(t.Span, "sexpr.depth", fmt.Sprintf("lists are nested too deeply (maximum %d); the rest is ignored", MaxDepth))
			p.deep = true
			return false
		}
		n := &Node{Kind: KindList, Span: t.Span}
		p.add(n)
		p.open = append(p.open, n)
		p.last = nil
	case TokenClose:
		if len(p.open) == 0 {
			p.report(t.Span, "sexpr.close", "unmatched \")\"")
			return true
		}
		n := p.open[len(p.open)-1]
		p.open = p.open[:len(p.open)-1]
		n.Span.End = t.Span.End
		n.dangling, p.pending, p.blank = p.pending, nil, false
		p.last = n
	case TokenString:
		if t.Bad {
			p.report(t.Span, "sexpr.string", "missing closing quote")
		}
		p.add(&Node{Kind: KindString, Text: t.Text, Span: t.Span})
	default:
		p.add(&Node{Kind: KindAtom, Text: t.Text, Span: t.Span})
	}
	return true
}

func (p *parser) add(n *Node) {
	n.before, n.blank = p.pending, p.blank
	p.pending, p.blank = nil, false
	p.last = n
	if len(p.open) == 0 {
		p.file.Nodes = append(p.file.Nodes, n)
		return
	}
	in := p.open[len(p.open)-1]
	in.Items = append(in.Items, n)
}

// close closes the lists that are open at the end of the text, with one diagnostic for all of
// them, since most often one parenthesis is missing.
func (p *parser) close() {
	if n := len(p.open); n > 0 && !p.deep {
		outer, inner := p.open[0], p.open[n-1]
		var notes []source.Note
		if n > 1 {
			notes = []source.Note{{Span: start(inner), Message: fmt.Sprintf("%d unclosed lists at the end of the text; this is the innermost", n)}}
		}
		p.report(start(outer), "sexpr.open", "unmatched \"(\": missing \")\"", notes...)
		closing := strings.Repeat(")", n)
		if strings.ContainsAny(p.text[strings.LastIndexByte(p.text[:p.end], '\n')+1:p.end], ";#") {
			closing = "\n" + closing // otherwise it would be part of the comment
		}
		// In an unclosed string, the parentheses would become part of the string.
		if !slices.ContainsFunc(p.found, func(d source.Diagnostic) bool { return d.Code == "sexpr.string" }) {
			p.found[len(p.found)-1].Fixes = []source.Fix{{Title: "Close it at the end", Edits: []source.Edit{{Span: source.Span{Start: p.end, End: p.end}, Text: closing}}}}
		}
	}
	for _, n := range p.open {
		n.Span.End = p.end
	}
	p.file.end = p.pending
}

func start(n *Node) source.Span { return source.Span{Start: n.Span.Start, End: n.Span.Start + 1} }
