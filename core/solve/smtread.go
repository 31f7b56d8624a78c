package solve

import (
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

// MaxDepth is the maximum nesting of terms. The reader itself needs no limit, but later
// steps are recursive, here and in the solver, whose stack in a page is small.
const MaxDepth = 1_000

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

// term is an atom or a list of SMT-LIB. The text of a symbol in bars is the part between
// them.
type term struct {
	kind  termKind
	text  string
	span  source.Span
	items []term
}

// tooDeep is the text of a command that was dropped because of its depth.
const tooDeep = "too deep"

// head returns the symbol at the beginning of a list, or "".
func (t *term) head() string {
	if t.kind == termList && len(t.items) > 0 && t.items[0].kind == termSymbol {
		return t.items[0].text
	}
	return ""
}

func (t *term) is(symbol string) bool { return t.kind == termSymbol && t.text == symbol }

// blame returns the place for faults about a list: its first item.
func (t *term) blame() source.Span {
	if t.kind == termList && len(t.items) > 0 {
		return t.items[0].blame()
	}
	return t.span
}

// smtReader reads a text one command at a time.
type smtReader struct {
	text  string
	at    int
	found *faults
	stack []term // items read so far of the open lists
	marks []int  // index in the stack of each open list's first item
	opens []int  // offset in the text
	quiet bool   // of a solver's output: faults are not reported
	meter *meter.Meter
	spent int   // up to here
	err   error // of the meter; reading stops
}

// next returns the next command, false at the end. A command with a missing parenthesis
// is reported and not returned.
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
				r.report(t.span, "limit.depth", "terms nested deeper than 1000; name the inner terms with define-fun or let")
			}
			if !deep {
				r.marks, r.opens = append(r.marks, len(r.stack)), append(r.opens, int(t.span.Start))
				continue
			}
			r.skip()
		case t.kind == termList:
			if len(r.marks) == 0 {
				r.report(t.span, "smt.close", "unmatched )")
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

// skip skips a list whose opening parenthesis has been read.
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

// unclosed reports open lists at the end of the text. A command at the beginning of a
// line within an open list shows where a parenthesis is missing.
func (r *smtReader) unclosed() {
	if len(r.opens) == 0 || r.quiet {
		return
	}
	outer := source.Pos(r.opens[0])
	d := source.Diagnostic{Code: "smt.open", Span: source.Span{Start: outer, End: outer + 1}, Message: "unmatched ("}
	for before, rest, more := strings.Cut(r.text[outer:], "\n("); more; before, rest, more = strings.Cut(rest, "\n(") {
		outer += source.Pos(len(before) + len("\n("))
		end := 0
		for end < len(rest) && !endsAtom(rest[end]) {
			end++
		}
		if slices.Contains(smtWords, rest[:end]) {
			d.Message = "unmatched ( before the next command"
			d.Notes = []source.Note{{Span: source.Span{Start: outer - 1, End: outer}, Message: "the next command"}}
			break
		}
	}
	r.found.add(d)
}

// token reads the next atom or parenthesis. A parenthesis is returned as a list whose
// text is "(" or ")".
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
		r.report(source.Span{Start: source.Pos(start), End: source.Pos(end)}, "smt.string", "missing closing quote")
		return done(termString, end, text[start+1:end])
	case '|':
		if n := strings.IndexByte(text[start+1:], '|'); n >= 0 {
			if strings.IndexByte(text[start+1:start+1+n], '\\') >= 0 {
				r.report(source.Span{Start: source.Pos(start), End: source.Pos(start + n + 2)}, "smt.bar", "unexpected backslash in a name between bars")
			}
			return done(termSymbol, start+n+2, text[start+1:start+1+n])
		}
		end := source.LineEnd(text, start)
		r.report(source.Span{Start: source.Pos(start), End: source.Pos(end)}, "smt.bar", "missing closing bar")
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

// kindOf returns the kind of an atom, and reports a malformed atom.
func (r *smtReader) kindOf(word string, span source.Span) termKind {
	switch c := word[0]; {
	case c == ':':
		return termKeyword
	case c == '#':
		if !isBitVector(word) {
			r.report(span, "smt.atom", "malformed bit vector; write #b0110 or #x0f")
		}
		return termBits
	case '0' <= c && c <= '9':
		return r.numberKind(word, span)
	case r.quiet:
		return termSymbol
	}
	return r.symbolKind(word, span)
}

// isBitVector reports whether an atom is a bit vector such as #b0110 or #x0f.
func isBitVector(word string) bool {
	if len(word) < 3 {
		return false
	}
	switch word[1] {
	case 'b':
		return only(word[2:], "01")
	case 'x':
		return only(word[2:], "0123456789abcdefABCDEF")
	}
	return false
}

// numberKind returns the kind of an atom that begins with a digit.
func (r *smtReader) numberKind(word string, span source.Span) termKind {
	whole, part, decimal := strings.Cut(word, ".")
	if !only(whole, digits) || decimal && (part == "" || !only(part, digits)) {
		r.report(span, "smt.atom", "malformed number; write 12, 1.5, (/ 1 3) for a fraction or (- 4) for a negative number")
	}
	if decimal {
		return termDecimal
	}
	return termNumeral
}

// symbolKind returns the kind of an atom that is a symbol, and reports invalid characters.
// It also reports a negative number such as -1, which counts as a numeral.
func (r *smtReader) symbolKind(word string, span source.Span) termKind {
	for i := 0; i < len(word); i++ {
		if c := word[i]; c < '!' || c > '~' || strings.IndexByte(",`[]{}\\'#", c) >= 0 {
			r.report(span, "smt.atom", "unexpected character in a name; write the name between bars: |"+strings.ReplaceAll(word, "\\", "")+"|")
			break
		}
	}
	if len(word) > 1 && word[0] == '-' && only(word[1:2], digits) {
		r.found.add(source.Diagnostic{Code: "smt.atom", Span: span, Message: "malformed negative number; write (- " + word[1:] + ")",
			Fixes: []source.Fix{{Title: "Write (- " + word[1:] + ")", Edits: []source.Edit{{Span: span, Text: "(- " + word[1:] + ")"}}}}})
		return termNumeral
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
