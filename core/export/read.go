package export

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/source"
)

// tree is a part of a right side.
type tree struct {
	kind  treeKind
	name  string // of a reference
	part  Part   // of a terminal
	of    []*tree
	args  []*tree // of a reference to a template
	least int
	most  int // -1 for any number
	span  source.Span
}

type treeKind uint8

const (
	treeTerminal treeKind = iota
	treeRule
	treeSequence
	treeChoice
	treeRepeat
)

// each calls a function for a tree and every tree in it.
func (t *tree) each(f func(*tree)) {
	f(t)
	for _, part := range t.of {
		part.each(f)
	}
	for _, arg := range t.args {
		arg.each(f)
	}
}

type readRule struct {
	name   string
	params []string // of a template
	body   *tree
	span   source.Span
}

// reader parses a grammar of rules. item and directive are the parts that differ between
// the notations.
type reader struct {
	separator string
	comments  []string
	root      string
	lark      bool
	item      func(p *reader) *tree
	directive func(p *reader)

	text    string
	at      int
	list    []readRule
	found   []source.Diagnostic
	faults  map[source.Severity]int // number of each severity
	depth   int
	refused map[string]bool   // names whose definition is refused already
	imports map[string]string // terminals of common.lark, by their names in the file
}

// Limits of an imported grammar.
const (
	maxReadDepth = 200
	maxRepeat    = 2_000  // numbers of a repetition
	maxWritten   = 20_000 // symbols that a repetition makes, written out
	maxFaults    = 50
)

func read(file *source.File, p *reader) (string, []source.Diagnostic) {
	if found := file.Check(); len(found) > 0 {
		return "", found
	}
	p.text = file.Text
	p.refused, p.imports, p.faults = map[string]bool{}, map[string]string{}, map[source.Severity]int{}
	p.rules()
	if !source.HasErrors(p.found) {
		p.resolve()
	}
	p.undefined()
	source.Sort(p.found)
	if source.HasErrors(p.found) {
		return "", p.found
	}
	return p.write(), p.found
}

func (p *reader) errorAt(start, end int, code, message string) {
	p.report(start, end, code, message, source.SeverityError)
}

// report keeps at most maxFaults faults of each severity, so that warnings displace no errors.
func (p *reader) report(start, end int, code, message string, severity source.Severity) {
	if p.faults[severity]++; p.faults[severity] <= maxFaults {
		p.found = append(p.found, source.Diagnostic{Code: code, Severity: severity, Span: span(start, end), Message: message})
	}
}

// take reports a fault, unless it is nil.
func (p *reader) take(f *misread) {
	if f != nil {
		p.errorAt(f.from, f.to, f.code, f.message)
	}
}

func span(start, end int) source.Span {
	return source.Span{Start: source.Pos(start), End: source.Pos(end)}
}

func (p *reader) here(mark string) bool { return strings.HasPrefix(p.text[p.at:], mark) }

// space skips white space and comments; with lines false it stays on its line.
func (p *reader) space(lines bool) {
	for p.at < len(p.text) {
		r, size := utf8.DecodeRuneInString(p.text[p.at:])
		switch {
		case p.comment():
			p.at = source.LineEnd(p.text, p.at)
		case r == '\n' && !lines:
			return
		case unicode.IsSpace(r):
			p.at += size
		case p.lark && r == '\\' && strings.TrimLeft(p.text[p.at+1:source.LineEnd(p.text, p.at)], " \r") == "":
			p.at = min(source.LineEnd(p.text, p.at)+1, len(p.text)) // the line continues
		default:
			return
		}
	}
}

func (p *reader) comment() bool {
	for _, mark := range p.comments {
		if p.here(mark) {
			return true
		}
	}
	return false
}

func (p *reader) name() string {
	start := p.at
	for p.at < len(p.text) && p.nameCharacter(p.text[p.at], p.at == start) {
		p.at++
	}
	return p.text[start:p.at]
}

func (p *reader) nameCharacter(c byte, first bool) bool {
	switch {
	case c == '_', c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z':
		return true
	case c >= '0' && c <= '9':
		return !p.lark || !first
	}
	return c == '-' && !p.lark
}

// beginsRule reports whether a rule begins here, without reading it.
func (p *reader) beginsRule() bool {
	q := *p
	name, _ := q.head()
	return name != ""
}

// head reads the name, the parameters and the separator of a rule, if one begins here.
func (p *reader) head() (name string, params []string) {
	start := p.at
	if p.lark {
		for p.at < len(p.text) && (p.text[p.at] == '?' || p.text[p.at] == '!') {
			p.at++
		}
	}
	name = p.name()
	if p.lark && name != "" {
		params = p.parameters()
		if p.here(".") { // a priority
			for p.at++; p.at < len(p.text) && (p.text[p.at] >= '0' && p.text[p.at] <= '9' || p.text[p.at] == '-'); {
				p.at++
			}
		}
	}
	p.space(false)
	if name == "" || !p.here(p.separator) {
		p.at = start
		return "", nil
	}
	p.at += len(p.separator)
	return name, params
}

// parameters reads {x, y} of a template.
func (p *reader) parameters() []string {
	end := strings.IndexByte(p.text[p.at:], '}')
	if !p.here("{") || end < 0 {
		return nil
	}
	start := p.at
	var out []string
	for p.at < start+end {
		p.at++
		p.space(false)
		name := p.name()
		p.space(false)
		if name == "" || !p.here(",") && !p.here("}") {
			p.at = start
			return nil
		}
		out = append(out, name)
	}
	p.at++
	return out
}

func (p *reader) rules() {
	for {
		p.space(true)
		if p.at == len(p.text) || p.faults[source.SeverityError] >= maxFaults {
			break
		}
		start := p.at
		if p.directive != nil && p.text[p.at] == '%' {
			p.directive(p)
			continue
		}
		name, params := p.head()
		if name == "" {
			p.errorAt(start, start+1, "import.rule", fmt.Sprintf("expected a rule: name %s …", p.separator))
			p.at = source.LineEnd(p.text, p.at)
			continue
		}
		at := span(start, start+len(name))
		p.list = append(p.list, readRule{name: name, params: params, body: p.choice(), span: at})
	}
	if len(p.list) == 0 && p.faults[source.SeverityError] == 0 {
		p.errorAt(0, 0, "import.empty", "missing rule")
	}
}

// choice reads alternatives up to a character that cannot belong to them.
func (p *reader) choice() *tree {
	out := &tree{kind: treeChoice}
	if p.depth++; p.depth > maxReadDepth {
		p.errorAt(p.at, min(p.at+1, len(p.text)), "import.depth", fmt.Sprintf("groups are nested deeper than %d here", maxReadDepth))
		p.at = len(p.text)
		return out
	}
	defer func() { p.depth-- }()
	for {
		out.of = append(out.of, p.sequence())
		p.space(true)
		if p.at >= len(p.text) || p.text[p.at] != '|' {
			return out
		}
		p.at++
	}
}

func (p *reader) sequence() *tree {
	out := &tree{kind: treeSequence}
	for {
		p.space(true)
		if p.at == len(p.text) || strings.IndexByte("|)]", p.text[p.at]) >= 0 || p.lark && strings.IndexByte("%,}", p.text[p.at]) >= 0 || p.beginsRule() {
			return out
		}
		if p.lark && p.here("->") { // an alias
			p.at += 2
			p.space(false)
			p.name()
			continue
		}
		t := p.item(p)
		if t == nil {
			return out
		}
		out.of = append(out.of, p.repeated(t))
	}
}

// group reads a group after its opening sign.
func (p *reader) group(closing byte) *tree {
	start := p.at
	p.at++
	t := p.choice()
	p.space(true)
	if p.at < len(p.text) && p.text[p.at] == closing {
		p.at++
		return t
	}
	p.errorAt(start, start+1, "import.group", fmt.Sprintf("unmatched; expected %q", closing))
	return nil
}

// reference reads a name, or reports an unexpected sign.
func (p *reader) reference() *tree {
	start := p.at
	if name := p.name(); name != "" {
		return &tree{kind: treeRule, name: name, span: span(start, p.at)}
	}
	_, size := utf8.DecodeRuneInString(p.text[p.at:])
	p.errorAt(p.at, p.at+size, "import.sign", fmt.Sprintf("unexpected %q", p.text[p.at:p.at+size]))
	p.at = source.LineEnd(p.text, p.at)
	return nil
}

func terminal(part Part, start, end int) *tree {
	if part == (Part{}) {
		return &tree{kind: treeSequence, span: span(start, end)}
	}
	return &tree{kind: treeTerminal, part: part, span: span(start, end)}
}

// repeated reads the repetition operators after an element. White space may precede the
// first.
func (p *reader) repeated(t *tree) *tree {
	single := false
	for nested := 0; ; nested++ {
		before := p.at
		p.space(false)
		if p.at >= len(p.text) {
			return t
		}
		if nested > maxReadDepth {
			p.errorAt(p.at, p.at+1, "import.depth", fmt.Sprintf("more than %d repetitions of one part here", maxReadDepth))
			p.at = len(p.text)
			return t
		}
		r := &tree{kind: treeRepeat, of: []*tree{t}, span: t.span}
		start := p.at
		switch c := p.text[p.at]; {
		case c == '*':
			r.most = -1
		case c == '+':
			r.least, r.most = 1, -1
		case c == '?' && !p.beginsRule():
			r.most = 1
		case c == '{' && !p.lark, c == '~' && p.lark:
			if !p.bounds(r) {
				return t
			}
			t, single = r, false
			continue
		default:
			p.at = before
			return t
		}
		p.at++
		if single {
			p.errorAt(start, p.at, "import.repeat", fmt.Sprintf("%q follows another operator; put the repetition in parentheses", p.text[start]))
		}
		t, single = r, true
	}
}

// bounds reads {m}, {m,} or {m,n}; in Lark ~m or ~m..n.
func (p *reader) bounds(r *tree) bool {
	start := p.at
	p.at++
	end := start + 1
	for end < len(p.text) && (p.text[end] >= '0' && p.text[end] <= '9' || p.text[end] == ',' && !p.lark || p.text[end] == '.' && p.lark || p.text[end] == ' ') {
		end++
	}
	text := strings.ReplaceAll(strings.TrimSpace(p.text[p.at:end]), "..", ",")
	p.at = end
	closed := p.lark
	if !p.lark && p.here("}") {
		p.at++
		closed = true
	}
	low, high, two := strings.Cut(text, ",")
	least, err := strconv.Atoi(strings.TrimSpace(low))
	most := least
	if two {
		most = -1
		if high = strings.TrimSpace(high); high != "" && err == nil {
			most, err = strconv.Atoi(high)
		}
	}
	if err != nil || !closed || least > maxRepeat || most > maxRepeat || most >= 0 && most < least {
		form := "{2}, {2,} or {2,5}"
		if p.lark {
			form = "~2 or ~2..5"
		}
		p.errorAt(start, p.at, "import.repeat", fmt.Sprintf("invalid repetition; expected %s, with numbers up to %d", form, maxRepeat))
		return false
	}
	r.least, r.most = least, most
	if r.written() > maxWritten {
		p.errorAt(start, p.at, "import.repeat", fmt.Sprintf("this repetition would make more than %d symbols", maxWritten))
		return false
	}
	return true
}

// written estimates the number of symbols of a tree in .cfg.
func (t *tree) written() int {
	n := 0
	for _, part := range t.of {
		n += part.written()
	}
	n = max(n, 1)
	if t.kind == treeRepeat {
		n *= max(t.least, t.most, 1)
	}
	return min(n, maxWritten+1)
}

// undefined reports references to unknown rules.
func (p *reader) undefined() {
	defined := map[string]bool{}
	var names []string
	for _, r := range p.list {
		if defined[r.name] {
			p.errorAt(int(r.span.Start), int(r.span.End), "import.twice", fmt.Sprintf("duplicate rule %q", r.name))
		}
		defined[r.name] = true
		names = append(names, r.name)
	}
	for _, r := range p.list {
		r.body.each(func(t *tree) {
			if t.kind != treeRule || defined[t.name] || p.refused[t.name] || p.imports[t.name] != "" || slices.Contains(r.params, t.name) {
				return
			}
			message := fmt.Sprintf("unknown rule %q", t.name)
			if near := source.Nearest(t.name, names); near != "" {
				message += fmt.Sprintf("; did you mean %q?", near)
			}
			p.errorAt(int(t.span.Start), int(t.span.End), "import.undefined", message)
		})
	}
	if len(p.list) > 0 && !defined[p.root] && !p.refused[p.root] {
		p.errorAt(0, 0, "import.root", fmt.Sprintf("missing start rule %q", p.root))
	}
}
