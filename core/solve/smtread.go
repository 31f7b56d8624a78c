//go:build !first

package solve

import (
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

// MaxDepth is how deep terms may be nested. Reading is not bounded by it, but what
// follows is a recursion, here and in the solver, whose stack in a page is small.
const MaxDepth = 1_000

// termKind says what a [term] is.
type termKind uint8

const (
	termSymbol termKind = iota
	termNumeral
	termDecimal
	termBits   // #b01 or #x0f
	termString // "…"
	termKeyword
	termList
)

// term is a piece of SMT-LIB: an atom or a list. Of a symbol in bars the text is what is
// between them.
type term struct {
	kind  termKind
	text  string
	span  source.Span
	items []term
}

// tooDeep is the text of a command that was read and, for its depth, not kept.
const tooDeep = "too deep"

// head returns the symbol that a list begins with, or "".
func (t *term) head() string {
	if t.kind == termList && len(t.items) > 0 && t.items[0].kind == termSymbol {
		return t.items[0].text
	}
	return ""
}

func (t *term) is(symbol string) bool { return t.kind == termSymbol && t.text == symbol }

// blame is the place to blame for a whole list: its first item.
func (t *term) blame() source.Span {
	if t.kind == termList && len(t.items) > 0 {
		return t.items[0].blame()
	}
	return t.span
}

// smtReader reads a text form by form.
type smtReader struct {
	text  string
	at    int
	found *faults
	stack []term // read items of the lists that are open
	marks []int  // where in the stack each open list begins
	opens []int  // where in the text
	quiet bool   // a solver wrote it: nothing is reported
	meter *meter.Meter
	spent int   // up to here
	err   error // of the meter; nothing is read any more
}

// next returns the next form, false at the end. A form that the text leaves open is
// reported and not returned.
func (r *smtReader) next() (term, bool) {
	r.stack, r.marks, r.opens = r.stack[:0], r.marks[:0], r.opens[:0]
	deep := false
	for {
		t, ok := r.token()
		if !ok {
			if r.err == nil {
				r.unclosed()
			}
			return term{}, false
		}
		switch {
		case t.kind == termList && t.text == "(":
			if len(r.marks) == MaxDepth && !deep {
				deep = true
				r.report(t.span, "limit.depth", "terms are nested deeper than 1000 here; name what is inside with define-fun, or with let")
			}
			if !deep {
				r.marks, r.opens = append(r.marks, len(r.stack)), append(r.opens, int(t.span.Start))
				continue
			}
			r.skip()
		case t.kind == termList:
			if len(r.marks) == 0 {
				r.report(t.span, "smt.close", "this parenthesis closes nothing")
				continue
			}
			n := len(r.marks) - 1
			begin := r.marks[n]
			list := term{kind: termList, span: source.Span{Start: source.Pos(r.opens[n]), End: t.span.End}}
			list.items = append([]term(nil), r.stack[begin:]...)
			r.stack, r.marks, r.opens = r.stack[:begin], r.marks[:n], r.opens[:n]
			if n == 0 {
				if deep {
					return term{kind: termList, text: tooDeep, span: list.span}, true
				}
				return list, true
			}
			r.stack = append(r.stack, list)
		case len(r.marks) == 0:
			return t, true
		default:
			r.stack = append(r.stack, t)
		}
	}
}

// skip passes over a list whose parenthesis has been read.
func (r *smtReader) skip() {
	for open := 1; open > 0; {
		t, ok := r.token()
		if !ok {
			return
		}
		if t.kind == termList {
			if t.text == "(" {
				open++
			} else {
				open--
			}
		}
	}
}

func (r *smtReader) report(span source.Span, code, message string) {
	if !r.quiet {
		r.found.report(span, code, "%s", message)
	}
}

// unclosed reports what is open at the end. A command at the beginning of a line within an
// open list tells where a parenthesis is missing.
func (r *smtReader) unclosed() {
	if len(r.opens) == 0 || r.quiet {
		return
	}
	outer := source.Pos(r.opens[0])
	d := source.Diagnostic{Code: "smt.open", Span: source.Span{Start: outer, End: outer + 1}, Message: "this list is never closed"}
	for before, rest, more := strings.Cut(r.text[outer:], "\n("); more; before, rest, more = strings.Cut(rest, "\n(") {
		outer += source.Pos(len(before) + len("\n("))
		end := 0
		for end < len(rest) && !endsAtom(rest[end]) {
			end++
		}
		if slices.Contains(smtWords, rest[:end]) {
			d.Message = "this list is not closed before the next one begins"
			d.Notes = []source.Note{{Span: source.Span{Start: outer - 1, End: outer}, Message: "the next one"}}
			break
		}
	}
	r.found.add(d)
}

// token reads the next atom or parenthesis, which is a list whose text is itself.
func (r *smtReader) token() (term, bool) {
	text := r.text
	if r.err = r.meter.Step(r.at - r.spent + 1); r.err != nil {
		return term{}, false
	}
	r.spent = r.at
	for r.at < len(text) {
		switch c := text[r.at]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			r.at++
			continue
		case c == ';':
			r.at = source.LineEnd(text, r.at)
			continue
		}
		break
	}
	if r.at >= len(text) {
		r.err = r.meter.Step(r.at - r.spent)
		return term{}, false
	}
	start := r.at
	done := func(kind termKind, end int, said string) (term, bool) {
		r.at = end
		return term{kind: kind, text: said, span: source.Span{Start: source.Pos(start), End: source.Pos(end)}}, true
	}
	switch c := text[start]; c {
	case '(', ')':
		return done(termList, start+1, text[start:start+1])
	case '"':
		for i := start + 1; i < len(text); i++ {
			if text[i] != '"' {
				continue
			}
			if i+1 < len(text) && text[i+1] == '"' {
				i++
				continue
			}
			return done(termString, i+1, strings.ReplaceAll(text[start+1:i], `""`, `"`))
		}
		end := source.LineEnd(text, start)
		r.report(source.Span{Start: source.Pos(start), End: source.Pos(end)}, "smt.string", "this text has no closing quote")
		return done(termString, end, text[start+1:end])
	case '|':
		if n := strings.IndexByte(text[start+1:], '|'); n >= 0 {
			if strings.IndexByte(text[start+1:start+1+n], '\\') >= 0 {
				r.report(source.Span{Start: source.Pos(start), End: source.Pos(start + n + 2)}, "smt.bar", "a name in bars cannot have a backslash in it")
			}
			return done(termSymbol, start+n+2, text[start+1:start+1+n])
		}
		end := source.LineEnd(text, start)
		r.report(source.Span{Start: source.Pos(start), End: source.Pos(end)}, "smt.bar", "this name has no closing bar")
		return done(termSymbol, end, text[start+1:end])
	}
	end := start
	for end < len(text) && !endsAtom(text[end]) {
		end++
	}
	word := text[start:end]
	return done(r.kindOf(word, source.Span{Start: source.Pos(start), End: source.Pos(end)}), end, word)
}

func endsAtom(c byte) bool {
	switch c {
	case ' ', '\t', '\n', '\r', '(', ')', '"', ';', '|':
		return true
	}
	return false
}

// kindOf tells the kind of an atom, and reports one that is none.
func (r *smtReader) kindOf(word string, span source.Span) termKind {
	switch c := word[0]; {
	case c == ':':
		return termKeyword
	case c == '#':
		if len(word) > 2 && (word[1] == 'b' && only(word[2:], "01") || word[1] == 'x' && only(word[2:], "0123456789abcdefABCDEF")) {
			return termBits
		}
		r.report(span, "smt.atom", "bits are written #b0110 or #x0f")
		return termBits
	case '0' <= c && c <= '9':
		whole, part, decimal := strings.Cut(word, ".")
		if !only(whole, digits) || decimal && (part == "" || !only(part, digits)) {
			r.report(span, "smt.atom", "a number is digits, or digits with a point between them; a fraction is (/ 1 3), a negative number (- 4)")
		}
		if decimal {
			return termDecimal
		}
		return termNumeral
	}
	if !r.quiet {
		for i := 0; i < len(word); i++ {
			if c := word[i]; c < '!' || c > '~' || c == ',' || c == '`' || c == '[' || c == ']' || c == '{' || c == '}' || c == '\\' || c == '\'' || c == '#' {
				r.report(span, "smt.atom", "a name cannot have this character in it; write it between bars: |"+strings.ReplaceAll(word, "\\", "")+"|")
				break
			}
		}
		if len(word) > 1 && word[0] == '-' && only(word[1:2], digits) {
			r.found.add(source.Diagnostic{Code: "smt.atom", Span: span, Message: "a negative number is written (- " + word[1:] + ")",
				Fixes: []source.Fix{{Title: "Write (- " + word[1:] + ")", Edits: []source.Edit{{Span: span, Text: "(- " + word[1:] + ")"}}}}})
			return termNumeral
		}
	}
	return termSymbol
}

const digits = "0123456789"

func only(text, of string) bool {
	for i := 0; i < len(text); i++ {
		if strings.IndexByte(of, text[i]) < 0 {
			return false
		}
	}
	return true
}
