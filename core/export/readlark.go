package export

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/source"
)

// ReadLark parses a grammar in the notation of Lark, like [ReadGBNF]; a regular expression
// is one terminal. The terminals of Lark's library "common" are built in, templates are
// expanded, and without a rule "start" the first rule is the start symbol. A warning
// reports that texts skipped by %ignore are not part of the result.
func ReadLark(file *source.File) (string, []source.Diagnostic) {
	return read(file, newLark())
}

func newLark() *reader {
	return &reader{separator: ":", comments: []string{"//", "#"}, root: "start", lark: true, item: itemLark, directive: (*reader).larkDirective}
}

// larkLiteral reads a quoted text by the rules of Lark: a backslash before a character that
// needs no escape is a backslash.
func (p *reader) larkLiteral() (text string, ok bool) {
	start := p.at
	var b strings.Builder
	for p.at++; p.at < len(p.text) && p.text[p.at] != '\n'; {
		c := p.text[p.at]
		switch {
		case c == '"':
			p.at++
			return b.String(), true
		case c == '\\' && p.at+1 < len(p.text) && strings.IndexByte(`Uuxnftr"\`, p.text[p.at+1]) >= 0:
			r, end, fault := readEscape(p.text, p.at, escapesC)
			p.take(fault)
			b.WriteRune(r)
			p.at = end
		default:
			b.WriteByte(c)
			p.at++
		}
	}
	p.errorAt(start, p.at, "import.string", "missing closing quote")
	return "", false
}

func itemLark(p *reader) *tree {
	start := p.at
	switch c := p.text[p.at]; {
	case c == '"':
		text, ok := p.larkLiteral()
		if !ok {
			return emptyTree
		}
		fold := p.here("i")
		if fold {
			p.at++
		}
		if rest := strings.TrimLeft(p.text[p.at:], " \t"); strings.HasPrefix(rest, "..") {
			p.at = len(p.text) - len(rest) + 2
			return p.larkRange(start, text, fold)
		}
		return terminal(Part{Text: text, Fold: fold && text != ""}, start, p.at)
	case c == '/':
		pattern, end, ok := cutPattern(p.text, p.at)
		p.at = end
		if !ok {
			p.at = source.LineEnd(p.text, start)
			p.errorAt(start, p.at, "import.class", "missing closing '/'")
			return emptyTree
		}
		for p.at < len(p.text) && strings.IndexByte(patternFlags, p.text[p.at]) >= 0 {
			p.at++
		}
		return terminal(patternPart(pattern, p.text[end:p.at]), start, p.at)
	case c == '(':
		return p.group(')')
	case c == '[': // optional
		if t := p.group(']'); t != nil {
			return &tree{kind: treeRepeat, of: []*tree{t}, most: 1}
		}
		return nil
	}
	t := p.reference()
	if t != nil && p.here("{") {
		for more := true; more; more = p.here(",") {
			p.at++
			t.args = append(t.args, p.choice())
			p.space(true)
		}
		if !p.here("}") {
			p.errorAt(start, start+len(t.name)+1, "import.template", "missing '}' after the arguments of the template")
			return nil
		}
		p.at++
		t.span.End = source.Pos(p.at)
	}
	return t
}

// patternPart returns a regular expression as a terminal, or as a class of characters if it
// consists of a single class.
func patternPart(pattern, flags string) Part {
	if flags == "" && pattern[0] == '[' {
		if c, end, fault := readClass(pattern, 0); fault == nil && end == len(pattern) && !c.any() {
			return Part{Class: c}
		}
	}
	if pattern == "." && flags == "s" {
		return Part{Class: &Class{Not: true}}
	}
	return Part{Pattern: pattern, Flags: flags}
}

// larkRange reads the end of a range after the dots of "a".."z".
func (p *reader) larkRange(start int, low string, fold bool) *tree {
	p.space(false)
	high, ok := "", false
	if p.here(`"`) {
		high, ok = p.larkLiteral()
	}
	first, size := utf8.DecodeRuneInString(low)
	last, length := utf8.DecodeRuneInString(high)
	if !ok || fold || size != len(low) || length != len(high) || size == 0 || length == 0 || last < first {
		p.errorAt(start, p.at, "import.range", `invalid range; expected "a".."z", from one character to a later one`)
		return emptyTree
	}
	return terminal(Part{Class: &Class{Ranges: []Range{{first, last}}}}, start, p.at)
}

// larkDirective reads a line that begins with a percent sign.
func (p *reader) larkDirective() {
	start := p.at
	p.at++
	kind := p.name()
	p.space(false)
	switch kind {
	case "ignore":
		p.choice()
		p.report(start, start+len(strings.TrimRight(p.text[start:p.at], " \t\r\n")), "import.ignore", "texts skipped by %ignore are not part of the imported grammar", source.SeverityWarning)
		return
	case "import":
		p.larkImport(start)
		return
	case "declare":
		for name := p.name(); name != ""; name = p.name() {
			p.refused[name] = true
			p.space(false)
		}
		p.errorAt(start, p.at, "import.declare", "unsupported %declare: a terminal needs a text")
	case "override", "extend":
		p.refuseName()
		p.errorAt(start, source.LineEnd(p.text, start), "import.directive", fmt.Sprintf("unsupported %%%s; write out the rule", kind))
		p.head()
		p.choice()
		return
	default:
		p.errorAt(start, p.at, "import.directive", fmt.Sprintf("unknown directive %%%s", kind))
	}
	p.at = source.LineEnd(p.text, p.at)
}

// refuseName marks the name here as one with a rejected definition.
func (p *reader) refuseName() {
	at := p.at
	p.refused[p.name()] = true
	p.at = at
}

// larkImport reads %import common.INT, %import common.INT -> NUMBER and
// %import common (INT, WS).
func (p *reader) larkImport(start int) {
	from := p.at
	for p.at < len(p.text) && (p.text[p.at] == '.' || p.nameCharacter(p.text[p.at], false)) {
		p.at++
	}
	path := p.text[from:p.at]
	p.space(false)
	names, aliases := []string{}, []string{}
	if p.here("(") {
		list, _, closed := strings.Cut(p.text[p.at+1:], ")")
		p.at = min(p.at+len(list)+2, len(p.text))
		if !closed {
			p.errorAt(start, p.at, "import.group", `missing ')'`)
		}
		for _, name := range strings.Split(list, ",") {
			names = append(names, strings.TrimSpace(name))
		}
		aliases = names
	} else {
		cut := strings.LastIndexByte(path, '.')
		names = append(names, path[cut+1:])
		path = path[:max(cut, 0)]
		aliases = append(aliases, names[0])
		if p.here("->") {
			p.at += 2
			p.space(false)
			aliases[0] = p.name()
		}
	}
	for i, name := range names {
		_, known := common()[name]
		switch {
		case path != "common":
			p.refused[aliases[i]] = true
		case !known:
			p.refused[aliases[i]] = true
			p.errorAt(start, p.at, "import.library", fmt.Sprintf("unknown terminal %q of the library common", name))
		default:
			p.imports[aliases[i]] = name
		}
	}
	if path != "common" {
		p.errorAt(start, p.at, "import.library", fmt.Sprintf("only the library common is built in; write out the rules of %q", path))
	}
	p.space(false)
	if p.at < len(p.text) && !p.here("\n") {
		p.errorAt(p.at, source.LineEnd(p.text, p.at), "import.directive", "unexpected text after %import")
		p.at = source.LineEnd(p.text, p.at)
	}
}

// commonText has the terminals of Lark's library "common", without lazy quantifiers and
// lookbehind.
const commonText = `
DIGIT: "0".."9"
HEXDIGIT: "a".."f" | "A".."F" | DIGIT
INT: DIGIT+
SIGNED_INT: ["+" | "-"] INT
DECIMAL: INT "." INT? | "." INT
_EXP: ("e" | "E") SIGNED_INT
FLOAT: INT _EXP | DECIMAL _EXP?
SIGNED_FLOAT: ["+" | "-"] FLOAT
NUMBER: FLOAT | INT
SIGNED_NUMBER: ["+" | "-"] NUMBER
ESCAPED_STRING: "\"" (/[^"\\\n]/ | "\\" /[^\n]/)* "\""
LCASE_LETTER: "a".."z"
UCASE_LETTER: "A".."Z"
LETTER: UCASE_LETTER | LCASE_LETTER
WORD: LETTER+
CNAME: ("_" | LETTER) ("_" | LETTER | DIGIT)*
WS_INLINE: (" " | "\t")+
WS: /[ \t\f\r\n]/+
CR: "\r"
LF: "\n"
NEWLINE: (CR? LF)+
SH_COMMENT: "#" /[^\n]/*
CPP_COMMENT: "//" /[^\n]/*
C_COMMENT: "/*" (/[^*]/ | "*"+ /[^*\/]/)* "*"+ "/"
SQL_COMMENT: "--" /[^\n]/*
`

// common returns the rules of the library, by name.
func common() map[string]readRule {
	p := newLark()
	p.text = commonText
	p.rules()
	out := map[string]readRule{}
	for _, r := range p.list {
		out[r.name] = r
	}
	return out
}

// maxInstances bounds the instances of templates.
const maxInstances = 500

// resolve instantiates templates, adds the used terminals of the library, and chooses the
// start symbol.
func (p *reader) resolve() {
	if !p.lark {
		return
	}
	p.chooseStart()
	templates := map[string]readRule{}
	list := p.list
	p.list = nil
	for _, r := range list {
		if len(r.params) > 0 {
			templates[r.name] = r
		} else {
			p.list = append(p.list, r)
		}
	}
	library, made, used := common(), map[string]bool{}, map[string]bool{}
	for i := 0; i < len(p.list); i++ {
		p.list[i].body.each(func(t *tree) {
			if t.kind != treeRule {
				return
			}
			if template, ok := templates[t.name]; ok {
				p.instantiate(t, template, made)
			} else if name := p.imports[t.name]; name != "" && !used[t.name] {
				used[t.name] = true
				rule := library[name]
				rule.name = t.name
				rule.body.each(func(t *tree) {
					if t.kind == treeRule && !strings.HasPrefix(t.name, "common.") {
						t.name = "common." + t.name
						p.imports[t.name] = strings.TrimPrefix(t.name, "common.")
					}
				})
				rule.span = t.span
				p.list = append(p.list, rule)
			}
		})
	}
}

// chooseStart chooses the first rule if there is no rule "start".
func (p *reader) chooseStart() {
	first := -1
	for i, r := range p.list {
		if r.name == p.root {
			return
		}
		if name := strings.TrimLeft(r.name, "_"); first < 0 && len(r.params) == 0 && name != "" && name[0] >= 'a' && name[0] <= 'z' {
			first = i
		}
	}
	if first >= 0 {
		r := p.list[first]
		p.root = r.name
		p.report(int(r.span.Start), int(r.span.End), "import.start", fmt.Sprintf("missing rule \"start\"; %q is the start symbol", r.name), source.SeverityWarning)
	}
}

// instantiate replaces a reference to a template with one to an instance.
func (p *reader) instantiate(t *tree, template readRule, made map[string]bool) {
	at := func(code, message string) { p.errorAt(int(t.span.Start), int(t.span.End), code, message) }
	if len(t.args) != len(template.params) {
		at("import.template", fmt.Sprintf("the template %q has %d parameters, not %d", template.name, len(template.params), len(t.args)))
		p.refused[t.name] = true
		return
	}
	with := map[string]*tree{}
	var keys []string
	for i, name := range template.params {
		with[name] = t.args[i]
		keys = append(keys, t.args[i].key())
	}
	name := template.name + "{" + strings.Join(keys, ",") + "}"
	t.name, t.args = name, nil
	if made[name] {
		return
	}
	if len(made) == maxInstances {
		p.refused[name] = true
		at("import.template", fmt.Sprintf("templates have more than %d instances here", maxInstances))
		return
	}
	made[name] = true
	p.list = append(p.list, readRule{name: name, body: template.body.replace(with), span: template.span})
}

// replace returns a copy with arguments for the references to parameters.
func (t *tree) replace(with map[string]*tree) *tree {
	if arg, ok := with[t.name]; ok && t.kind == treeRule && len(t.args) == 0 {
		return arg
	}
	out := *t
	out.of, out.args = nil, nil
	for _, part := range t.of {
		out.of = append(out.of, part.replace(with))
	}
	for _, arg := range t.args {
		out.args = append(out.args, arg.replace(with))
	}
	return &out
}

// key returns a text that is equal only for equal trees.
func (t *tree) key() string {
	out := fmt.Sprintf("%d%q", t.kind, t.name+Spell(t.part))
	if t.kind == treeRule && len(t.args) == 0 {
		out = t.name
	} else if t.kind == treeTerminal {
		out = fmt.Sprintf("%q", Spell(t.part))
	} else if t.kind == treeRepeat {
		out += fmt.Sprintf("~%d..%d", t.least, t.most)
	}
	if len(t.of) == 1 && t.kind != treeRepeat {
		return t.of[0].key()
	}
	for _, part := range t.of {
		out += "(" + part.key() + ")"
	}
	for _, arg := range t.args {
		out += "{" + arg.key() + "}"
	}
	return out
}
