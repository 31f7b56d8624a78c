package ltl

import (
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// occurs reports whether a text contains a name as a word.
func occurs(text, name string) bool {
	for at := 0; name != ""; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			break
		}
		start := at + i
		at = start + len(name)
		if (start == 0 || identifier(text[start-1:start]) == 0) && (at == len(text) || identifier(text[at:at+1]) == 0) {
			return true
		}
	}
	return false
}

// parses reports whether a text is a formula, or several.
func parses(text string) bool { return strings.TrimSpace(text) != "" && firstFault(text) == nil }

// group returns the bounds of the innermost parentheses around a position, or of the formula.
func (p *parser) group(at source.Pos) (start, end int) {
	start, end = int(p.start()), p.paragraph()
	if m := match(`(?:[\w.-]+|"[^"\n]*")\s*:\s*`, p.text[start:end]); m != nil && start+len(m[0]) <= int(at) {
		start += len(m[0])
	}
	depth := 0
	for i := int(at) - 1; i >= start; i-- {
		switch p.text[i] {
		case ')':
			depth++
		case '(':
			if depth--; depth < 0 {
				start = i + 1
			}
		}
	}
	depth = 0
	for i := int(at); i < end; i++ {
		switch p.text[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth < 0 {
				return start, i
			}
		}
	}
	return start, end
}

// paragraph returns the end of the paragraph of the fault, without a comment at its end.
func (p *parser) paragraph() int {
	for _, place := range paragraphs(p.text) {
		if place.End >= p.fault.Span.Start {
			text := p.text[:place.End]
			if line := strings.LastIndexByte(text, '\n') + 1; strings.Contains(text[line:], "#") && !strings.Contains(text[line:], `"`) {
				text = text[:line+strings.IndexByte(text[line:], '#')]
			}
			return len(strings.TrimRight(text, " \t\r\n"))
		}
	}
	return len(p.text)
}

// leading recognises the leads-to operator of TLA+, which holds at every step.
func leading(p *parser, rest, _ string) (change, bool) {
	at := p.fault.Span.Start
	m := match(`(~>|↝|leads\s+to|leads_to|leadsto|leadsTo|-->>)\s*`, rest)
	if m == nil {
		return change{}, false
	}
	start, end := p.group(at)
	left, right := strings.TrimSpace(p.text[start:at]), p.text[int(at)+len(m[0]):max(end, int(at)+len(m[0]))]
	if operand(left) != len(left) || operand(right) != len(right) || left == "" || start > 0 && p.text[start-1] == '(' {
		return change{}, false
	}
	own := "G(" + left + " -> F " + right + ")"
	c, ok := p.change(source.Pos(start), source.Pos(end), own, "ltl.foreign", "unknown operator "+strconv.Quote(m[1])+"; write "+strconv.Quote(own))
	c.at, c.title = source.Span{Start: at, End: at + source.Pos(len(m[1]))}, "Write "+own
	return c, ok
}

// reversed recognises an implication whose condition is on the right.
func reversed(p *parser, rest, last string) (change, bool) {
	at := p.fault.Span.Start
	m := match(`(<-+|⇐|←|:-|if\b|provided\b)\s*`, rest)
	if m == nil || last == "" || match(`<-+>`, rest) != nil || p.fault.Code != "ltl.rest" && p.fault.Code != "ltl.open" {
		return change{}, false
	}
	message := "unknown operator " + strconv.Quote(m[1]) + `; write the condition first: "a -> b"`
	start, end := p.group(at)
	left := strings.TrimSpace(p.text[start:at])
	right := strings.TrimSpace(p.text[int(at)+len(m[0]) : max(end, int(at)+len(m[0]))])
	if !parses(left) || !parses(right) {
		return p.unsupported(at, at+source.Pos(len(m[1])), message)
	}
	c, ok := p.change(source.Pos(start), source.Pos(end), right+" -> "+left, "ltl.foreign", message)
	c.at = source.Span{Start: at, End: at + source.Pos(len(m[1]))}
	return c, ok
}

// unnamed recognises the name of a formula without its colon, or with two of them.
func unnamed(p *parser, rest, last string) (change, bool) {
	at, before := p.fault.Span.Start, p.before
	if strings.HasPrefix(rest, ":") && strings.HasSuffix(p.text[:at], ":") {
		return p.change(at, at+1, "", "ltl.name", `unexpected second ":" after the name of the formula`)
	}
	if before.Start != p.start() || p.fault.Code != "ltl.rest" || identifier(last) != len(last) || last == "" || words[last] != 0 || p.known(last) {
		return change{}, false
	}
	mark := match(`(?:[-–—.;)]|=+>?|<-|is\b)?\s*`, rest)[0]
	formula := p.text[int(at)+len(mark):]
	if match(`!?\w|[GFX(!~□◇¬]|\[\]|<>`, formula) == nil || match(`(?:[GFXN]|WX)\b|[(!~□◇¬]|\[\]|<>`, formula) == nil || !parses(p.text[int(at)+len(mark):p.paragraph()]) {
		return change{}, false
	}
	c, ok := p.change(before.End, at+source.Pos(len(mark)), ": ", "ltl.name", `missing ":" after the name `+strconv.Quote(last))
	c.at, c.title = before, "Write "+last+":"
	return c, ok
}

// nextCombined splits operators that are written together, such as GF or WXG; "" if the word is none.
func nextCombined(word string) string {
	var out []string
	for rest := word; rest != ""; {
		n := 1
		if strings.HasPrefix(rest, "WX") {
			n = 2
		}
		if op, ok := words[rest[:n]]; !ok || op.arity() != 1 {
			return ""
		}
		out, rest = append(out, rest[:n]), rest[n:]
	}
	if len(out) < 2 {
		return ""
	}
	return strings.Join(out, " ")
}

// glued recognises a binary operator without the space before or after it, and a proposition that
// is written twice.
func glued(p *parser, rest, last string) (change, bool) {
	at, before := p.fault.Span.Start, p.before
	word := rest[:identifier(rest)]
	if p.fault.Code != "ltl.rest" && p.fault.Code != "ltl.open" || p.newLine() || last == "" {
		return change{}, false
	}
	missing := func(start source.Pos, text, written string) (change, bool) {
		return p.change(start, start+source.Pos(len(text)), written, "ltl.rest", "missing space in "+strconv.Quote(text))
	}
	n := len(last)
	switch {
	case word != "" && word == last && words[word] == 0:
		c, ok := p.change(before.End, at+source.Pos(len(word)), "", "ltl.rest", "unexpected second "+strconv.Quote(word))
		c.at = source.Span{Start: at, End: at + source.Pos(len(word))}
		return c, ok
	case len(word) > 1 && strings.IndexByte("UWRM", word[0]) >= 0 && !p.known(word) && (p.known(word[1:]) || word[1] >= 'a' && word[1] <= 'z'):
		return missing(at, word, word[:1]+" "+word[1:])
	case n > 1 && identifier(last) == n && strings.IndexByte("UWRM", last[n-1]) >= 0 && !p.known(last) && (p.known(last[:n-1]) || last[n-2] >= 'a' && last[n-2] <= 'z'):
		return missing(before.Start, last, last[:n-1]+" "+last[n-1:])
	}
	return change{}, false
}

// unclosed recognises a quotation mark whose other one is missing: it closes the name at the first
// word after which the text is a formula, or opens it before the name on the left.
func unclosed(p *parser, rest, last string) (change, bool) {
	at := p.fault.Span.Start
	if !strings.HasPrefix(rest, `"`) || strings.Contains(rest[1:], `"`) && p.fault.Code != "ltl.string" || p.fault.Code == "ltl.name" {
		return change{}, false
	}
	if identifier(last) == len(last) && last != "" && p.before.End == at && words[last] == 0 {
		start := p.before.Start
		for _, name := range []string{last, lastWords(p.text[:at], 2), lastWords(p.text[:at], 3)} {
			if from := at - source.Pos(len(name)); name != "" && (name == last || p.known(name)) {
				start = from
			}
		}
		c, ok := p.change(start, start, `"`, "ltl.string", "missing opening quote of this name")
		c.at, c.title = source.Span{Start: start, End: at + 1}, "Open the quote"
		return c, ok
	}
	if p.fault.Code != "ltl.string" {
		return change{}, false
	}
	line := strings.SplitN(rest, "\n", 2)[0]
	end := 0
	for i := 1; i < len(line) && end == 0; i++ {
		if identifier(line[i:]) > 0 && (i+identifier(line[i:]) == len(line) || identifier(line[i+identifier(line[i:]):]) == 0) {
			i += identifier(line[i:])
			if tail := p.text[int(at)+i : p.paragraph()]; parses(p.text[p.start():at] + `"x"` + tail) {
				end = i
			}
		}
	}
	if end == 0 {
		end = len(strings.TrimRight(line, " \t\r);"))
	}
	c, ok := p.change(at+source.Pos(end), at+source.Pos(end), `"`, "ltl.string", "missing closing quote of this name")
	c.at, c.title = source.Span{Start: at, End: at + source.Pos(end)}, "Close the quote"
	return c, ok
}

// lastWords returns the last n words of a text as they are written, or "".
func lastWords(text string, n int) string {
	at := len(text)
	for ; n > 0; n-- {
		at = len(strings.TrimRight(text[:at], " "))
		word := at
		for word > 0 && identifier(text[word-1:at]) == at-word+1 {
			word--
		}
		if word == at {
			return ""
		}
		at = word
	}
	return text[at:]
}
