package export

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// ReadGBNF parses a grammar in the notation of llama.cpp or XGrammar and returns it in
// .cfg. Each text, class of characters and dot becomes one terminal with the name that
// [Spell] returns. The result is "" if there are errors.
func ReadGBNF(file *source.File) (string, []source.Diagnostic) {
	return read(file, &reader{separator: "::=", comments: []string{"#"}, root: "root", item: itemGBNF})
}

// macros are functions that XGrammar evaluates.
var macros = []string{"TagDispatch", "TokenTagDispatch", "Regex", "JSONSchema", "StructuralTag", "Token", "ExcludeToken", "Repeat"}

func itemGBNF(p *reader) *tree {
	start := p.at
	switch c := p.text[p.at]; {
	case c == '"':
		text, end, fault := readQuoted(p.text, p.at, escapesC)
		p.at = end
		p.take(fault)
		p.warnHexadecimal(start, end)
		return terminal(Part{Text: text}, start, end)
	case c == '[':
		class, end, fault := readClass(p.text, p.at)
		p.at = end
		p.take(fault)
		p.warnHexadecimal(start, end)
		return &tree{kind: treeTerminal, part: Part{Class: class}, span: span(start, end)}
	case c == '.':
		p.at++
		return terminal(Part{Class: &Class{Not: true}}, start, p.at)
	case p.here("(="):
		p.skipGroup(start, "import.lookahead", "unsupported lookahead (= …) of XGrammar; remove it")
		return emptyTree
	case c == '(':
		return p.group(')')
	case p.tokenEnd() > 0:
		p.at = p.tokenEnd()
		p.errorAt(start, p.at, "import.token", "unsupported token <…> of a model's vocabulary; write its text in quotes")
		return emptyTree
	}
	t := p.reference()
	if t != nil && p.here("(") && slices.Contains(macros, t.name) && !p.defines(t.name) {
		p.at = start
		p.skipGroup(start+len(t.name), "import.macro", fmt.Sprintf("unsupported macro %s(…) of XGrammar; write out the rules", t.name))
		return emptyTree
	}
	return t
}

// tokenEnd returns the end of a token in angle brackets that begins here, or 0.
func (p *reader) tokenEnd() int {
	line := p.text[p.at:source.LineEnd(p.text, p.at)]
	if end := strings.IndexByte(line, '>'); end > 0 && strings.HasPrefix(strings.TrimPrefix(line, "!"), "<") {
		return p.at + end + 1
	}
	return 0
}

// defines reports whether the text has a rule with a name.
func (p *reader) defines(name string) bool {
	for _, line := range strings.Split(p.text, "\n") {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), name); ok && strings.HasPrefix(strings.TrimSpace(rest), p.separator) {
			return true
		}
	}
	return false
}

// skipGroup skips a construct in parentheses, whose opening one is at open, and reports it as an error.
func (p *reader) skipGroup(open int, code, message string) {
	start, depth, quoted := p.at, 0, false
	for p.at = open; p.at < len(p.text); p.at++ {
		switch c := p.text[p.at]; {
		case c == '\\':
			p.at++
		case c == '"':
			quoted = !quoted
		case c == '(' && !quoted:
			depth++
		case c == ')' && !quoted:
			depth--
		}
		if depth == 0 {
			p.at++
			break
		}
	}
	p.at = min(p.at, len(p.text))
	p.errorAt(start, p.at, code, message)
}

// warnHexadecimal warns of \x with a further digit after its two.
func (p *reader) warnHexadecimal(start, end int) {
	for i := start; i+4 < end; i++ {
		if p.text[i] != '\\' {
			continue
		}
		if p.text[i+1] == 'x' && strings.IndexByte("0123456789abcdefABCDEF", p.text[i+4]) >= 0 {
			p.report(i, i+4, "import.hexadecimal", fmt.Sprintf("XGrammar reads the next digit as part of %s; write four digits after \\u", p.text[i:i+4]), source.SeverityWarning)
		}
		i++
	}
}
