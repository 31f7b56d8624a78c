package export

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/source"
)

// ReadGBNF reads a grammar in the notation of llama.cpp or XGrammar and returns it
// in .cfg: a text becomes one terminal, and so does a class of characters, named
// as it is written; the end of a line is written \n in a name. It is "" where there
// are errors.
func ReadGBNF(file *source.File) (string, []source.Diagnostic) {
	return read(file, &reader{separator: "::=", comment: "#", root: "root"})
}

// ReadLark reads a grammar in the notation of Lark, as [ReadGBNF] does; a regular
// expression is one terminal, too. What is to be ignored between terminals is not
// said in the result.
func ReadLark(file *source.File) (string, []source.Diagnostic) {
	return read(file, &reader{separator: ":", comment: "//", root: "start", lark: true})
}

func read(file *source.File, p *reader) (string, []source.Diagnostic) {
	if found := file.Check(); len(found) > 0 {
		return "", found
	}
	p.text = file.Text
	p.rules()
	p.undefined()
	if source.HasErrors(p.found) {
		return "", p.found
	}
	return p.write(), p.found
}

// tree is a piece of a right side.
type tree struct {
	kind  treeKind
	name  string // of a reference or a terminal
	of    []*tree
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

type readRule struct {
	name string
	body *tree
	span source.Span
}

type reader struct {
	separator, comment, root string
	lark                     bool

	text  string
	at    int
	list  []readRule
	found []source.Diagnostic
	depth int
}

const maxReadDepth = 200

func (p *reader) errorAt(start, end int, code, message string) {
	if len(p.found) < 50 {
		p.found = append(p.found, source.Diagnostic{Code: code, Span: source.Span{Start: source.Pos(start), End: source.Pos(end)}, Message: message})
	}
}

// space skips white space and comments; with lines false it stays on its line.
func (p *reader) space(lines bool) {
	for p.at < len(p.text) {
		rest := p.text[p.at:]
		r, size := utf8.DecodeRuneInString(rest)
		switch {
		case strings.HasPrefix(rest, p.comment):
			p.at = source.LineEnd(p.text, p.at)
		case r == '\n' && !lines:
			return
		case unicode.IsSpace(r):
			p.at += size
		default:
			return
		}
	}
}

func (p *reader) name() string {
	start := p.at
	for p.at < len(p.text) {
		c := p.text[p.at]
		letter := c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || p.at > start && (c >= '0' && c <= '9' || c == '-' && !p.lark)
		if !letter {
			break
		}
		p.at++
	}
	return p.text[start:p.at]
}

// beginsRule reports whether a rule begins here, without reading it.
func (p *reader) beginsRule() bool {
	q := *p
	q.found = nil
	return q.head() != ""
}

// head reads a rule's name and separator, or nothing.
func (p *reader) head() string {
	start := p.at
	if p.lark {
		for p.at < len(p.text) && (p.text[p.at] == '?' || p.text[p.at] == '!') {
			p.at++
		}
	}
	name := p.name()
	if p.lark && p.at < len(p.text) && p.text[p.at] == '.' { // a priority
		p.at++
		for p.at < len(p.text) && (p.text[p.at] >= '0' && p.text[p.at] <= '9' || p.text[p.at] == '-') {
			p.at++
		}
	}
	p.space(false)
	if name == "" || !strings.HasPrefix(p.text[p.at:], p.separator) {
		p.at = start
		return ""
	}
	p.at += len(p.separator)
	return name
}

func (p *reader) rules() {
	for {
		p.space(true)
		if p.at == len(p.text) || len(p.found) >= 50 {
			break
		}
		start := p.at
		if p.lark && p.text[p.at] == '%' {
			p.at = source.LineEnd(p.text, p.at)
			if !strings.HasPrefix(p.text[start:], "%ignore") {
				p.errorAt(start, p.at, "import.directive", "directives are not read; write out the rules they stand for")
			}
			continue
		}
		name := p.head()
		if name == "" {
			p.errorAt(start, start+1, "import.rule", fmt.Sprintf("a rule is expected here: name %s …", p.separator))
			p.at = source.LineEnd(p.text, p.at)
			continue
		}
		span := source.Span{Start: source.Pos(start), End: source.Pos(start + len(name))}
		p.list = append(p.list, readRule{name: name, body: p.choice(), span: span})
	}
	if len(p.list) == 0 && len(p.found) == 0 {
		p.errorAt(0, 0, "import.empty", "there is no rule")
	}
}

// choice reads alternatives, up to what cannot be part of them.
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
		if p.at == len(p.text) || strings.IndexByte("|)]", p.text[p.at]) >= 0 || p.lark && p.text[p.at] == '%' || p.beginsRule() {
			return out
		}
		if p.lark && strings.HasPrefix(p.text[p.at:], "->") { // an alias
			p.at += 2
			p.space(false)
			p.name()
			continue
		}
		t := p.item()
		if t == nil {
			return out
		}
		out.of = append(out.of, p.repeated(t))
	}
}

// item reads a terminal, a reference or a group.
func (p *reader) item() *tree {
	start := p.at
	span := func() source.Span { return source.Span{Start: source.Pos(start), End: source.Pos(p.at)} }
	switch c := p.text[p.at]; {
	case c == '"':
		text, ok := p.quoted()
		if !ok {
			return nil
		}
		if p.lark && strings.HasPrefix(p.text[p.at:], "i") {
			p.at++
			text += " (any case)"
		}
		if text == "" {
			return &tree{kind: treeSequence, span: span()}
		}
		return &tree{kind: treeTerminal, name: replaced(text, "\n", `\n`, "\r", `\r`), span: span()}
	case c == '(':
		p.at++
		t := p.choice()
		if !p.close(')', start) {
			return nil
		}
		return t
	case c == '[' && p.lark: // optional
		p.at++
		t := p.choice()
		if !p.close(']', start) {
			return nil
		}
		return &tree{kind: treeRepeat, of: []*tree{t}, most: 1}
	case c == '[', c == '/' && p.lark:
		closing := byte(']')
		if c == '/' {
			closing = '/'
		}
		for p.at++; p.at < len(p.text) && p.text[p.at] != closing && p.text[p.at] != '\n'; p.at++ {
			if p.text[p.at] == '\\' {
				p.at++
			}
		}
		if p.at >= len(p.text) || p.text[p.at] != closing {
			p.at = min(p.at, len(p.text))
			p.errorAt(start, p.at, "import.class", fmt.Sprintf("a closing %q is missing", closing))
			return nil
		}
		p.at++
		return &tree{kind: treeTerminal, name: p.text[start:p.at], span: span()}
	case c == '.' && !p.lark:
		p.at++
		return &tree{kind: treeTerminal, name: ".", span: span()}
	}
	if name := p.name(); name != "" {
		return &tree{kind: treeRule, name: name, span: span()}
	}
	_, size := utf8.DecodeRuneInString(p.text[p.at:])
	p.errorAt(p.at, p.at+size, "import.sign", fmt.Sprintf("%q is not understood here", p.text[p.at:p.at+size]))
	p.at = source.LineEnd(p.text, p.at)
	return nil
}

func (p *reader) close(mark byte, start int) bool {
	p.space(true)
	if p.at < len(p.text) && p.text[p.at] == mark {
		p.at++
		return true
	}
	p.errorAt(start, start+1, "import.group", fmt.Sprintf("this is not closed by %q", mark))
	return false
}

// quoted reads a text in double quotes.
func (p *reader) quoted() (string, bool) {
	start := p.at
	var b strings.Builder
	for p.at++; p.at < len(p.text) && p.text[p.at] != '\n'; p.at++ {
		c := p.text[p.at]
		if c == '"' {
			p.at++
			return b.String(), true
		}
		if c != '\\' || p.at+1 >= len(p.text) {
			b.WriteByte(c)
			continue
		}
		p.at++
		digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[p.text[p.at]]
		switch c := p.text[p.at]; {
		case c == 'n':
			b.WriteByte('\n')
		case c == 'r':
			b.WriteByte('\r')
		case c == 't':
			b.WriteByte('\t')
		case digits > 0 && p.at+digits < len(p.text):
			n, err := strconv.ParseUint(p.text[p.at+1:p.at+1+digits], 16, 32)
			if err != nil || n > unicode.MaxRune {
				p.errorAt(p.at-1, p.at+1, "import.escape", "this is no character")
				n = '?'
			}
			b.WriteRune(rune(n))
			p.at += digits
		default:
			b.WriteByte(c)
		}
	}
	p.errorAt(start, p.at, "import.string", "this text has no closing quote")
	return "", false
}

// maxRepeat bounds the numbers of a repetition.
const maxRepeat = 100

// repeated reads what says how often something stands.
func (p *reader) repeated(t *tree) *tree {
	for p.at < len(p.text) {
		r := &tree{kind: treeRepeat, of: []*tree{t}}
		switch c := p.text[p.at]; {
		case c == '*':
			r.most = -1
		case c == '+':
			r.least, r.most = 1, -1
		case c == '?':
			r.most = 1
		case c == '{' && !p.lark, c == '~' && p.lark:
			if !p.bounds(r) {
				return t
			}
			t = r
			continue
		default:
			return t
		}
		p.at++
		t = r
	}
	return t
}

// bounds reads {m}, {m,} or {m,n}; in Lark ~m or ~m..n.
func (p *reader) bounds(r *tree) bool {
	start := p.at
	p.at++
	end := start + 1
	for end < len(p.text) && (p.text[end] >= '0' && p.text[end] <= '9' || p.text[end] == ',' || p.text[end] == '.' || p.text[end] == ' ') {
		end++
	}
	text := strings.ReplaceAll(strings.TrimSpace(p.text[p.at:end]), "..", ",")
	p.at = end
	if !p.lark && p.at < len(p.text) && p.text[p.at] == '}' {
		p.at++
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
	if err != nil || least > maxRepeat || most > maxRepeat || most >= 0 && most < least {
		p.errorAt(start, p.at, "import.repeat", fmt.Sprintf("a repetition is written {2}, {2,} or {2,5}, with numbers up to %d", maxRepeat))
		return false
	}
	r.least, r.most = least, most
	return true
}

// undefined reports references to rules that are not there.
func (p *reader) undefined() {
	defined := map[string]bool{}
	var names []string
	for _, r := range p.list {
		if defined[r.name] {
			p.errorAt(int(r.span.Start), int(r.span.End), "import.twice", fmt.Sprintf("the rule %q is there twice", r.name))
		}
		defined[r.name] = true
		names = append(names, r.name)
	}
	var walk func(t *tree)
	walk = func(t *tree) {
		if t.kind == treeRule && !defined[t.name] {
			message := fmt.Sprintf("there is no rule %q", t.name)
			if near := source.Nearest(t.name, names); near != "" {
				message += fmt.Sprintf("; did you mean %q?", near)
			}
			p.errorAt(int(t.span.Start), int(t.span.End), "import.undefined", message)
		}
		for _, part := range t.of {
			walk(part)
		}
	}
	for _, r := range p.list {
		walk(r.body)
	}
	if len(p.list) > 0 && !defined[p.root] {
		p.errorAt(0, 0, "import.root", fmt.Sprintf("there is no rule %q to begin with", p.root))
	}
}

// write writes the rules in .cfg. Groups and repetitions become rules of their
// own, named after the rule they stand in.
func (p *reader) write() string {
	w := &cfgWriter{taken: map[string]bool{}, rules: map[string]string{}}
	w.terminals(p.list)
	for _, r := range p.list {
		w.taken[r.name] = true
		w.rules[r.name] = r.name
	}
	// A rule whose name is a terminal, too, gets another.
	for _, r := range p.list {
		if w.isTerminal[r.name] {
			w.rules[r.name] = w.fresh(r.name)
		}
	}
	var b strings.Builder
	b.WriteString("%start " + grammar.Quote(w.rules[p.root]) + "\n")
	for _, r := range p.list {
		w.line(w.rules[r.name], r.body)
	}
	b.WriteString(w.out.String())
	return b.String()
}

type cfgWriter struct {
	taken      map[string]bool
	isTerminal map[string]bool
	rules      map[string]string
	out        strings.Builder
}

func (w *cfgWriter) terminals(list []readRule) {
	w.isTerminal = map[string]bool{}
	var walk func(t *tree)
	walk = func(t *tree) {
		if t.kind == treeTerminal {
			w.isTerminal[t.name] = true
			w.taken[t.name] = true
		}
		for _, part := range t.of {
			walk(part)
		}
	}
	for _, r := range list {
		walk(r.body)
	}
}

func (w *cfgWriter) fresh(name string) string {
	for n := 1; ; n++ {
		if out := fmt.Sprintf("%s-%d", name, n); !w.taken[out] {
			w.taken[out] = true
			return out
		}
	}
}

// line writes a rule, and those that it needs behind it.
func (w *cfgWriter) line(name string, body *tree) {
	var later []func()
	alternatives := []*tree{body}
	if body.kind == treeChoice {
		alternatives = body.of
	}
	var parts []string
	for _, alternative := range alternatives {
		var symbols []string
		w.flatten(name, alternative, &symbols, &later)
		if len(symbols) == 0 {
			symbols = []string{"ε"}
		}
		parts = append(parts, strings.Join(symbols, " "))
	}
	w.out.WriteString(grammar.Quote(name) + " -> " + strings.Join(parts, " | ") + "\n")
	for _, write := range later {
		write()
	}
}

// flatten lists the symbols of a tree.
func (w *cfgWriter) flatten(name string, t *tree, symbols *[]string, later *[]func()) {
	helper := func(body *tree) {
		fresh := w.fresh(name)
		*symbols = append(*symbols, grammar.Quote(fresh))
		*later = append(*later, func() { w.line(fresh, body) })
	}
	switch t.kind {
	case treeTerminal:
		*symbols = append(*symbols, grammar.Quote(t.name))
	case treeRule:
		*symbols = append(*symbols, grammar.Quote(w.rules[t.name]))
	case treeSequence:
		for _, part := range t.of {
			w.flatten(name, part, symbols, later)
		}
	case treeChoice:
		if len(t.of) == 1 {
			w.flatten(name, t.of[0], symbols, later)
			return
		}
		helper(t)
	case treeRepeat:
		for range t.least {
			w.flatten(name, t.of[0], symbols, later)
		}
		empty := &tree{kind: treeSequence}
		if t.most < 0 { // again -> f again | ε
			fresh := w.fresh(name)
			w.rules[fresh] = fresh
			again := &tree{kind: treeRule, name: fresh}
			*symbols = append(*symbols, grammar.Quote(fresh))
			*later = append(*later, func() {
				w.line(fresh, &tree{kind: treeChoice, of: []*tree{{kind: treeSequence, of: []*tree{t.of[0], again}}, empty}})
			})
			return
		}
		if t.most > t.least { // (f (f …)?)?
			rest := &tree{kind: treeRepeat, of: t.of, most: t.most - t.least - 1}
			helper(&tree{kind: treeChoice, of: []*tree{{kind: treeSequence, of: []*tree{t.of[0], rest}}, empty}})
		}
	}
}
