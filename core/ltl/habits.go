package ltl

import (
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/habit"
	"github.com/stile-playground/stile/core/source"
)

// A rule returns a change for a construct of another notation: at the fault, where the text rest
// begins, or at the token before it.
type rule func(p *parser, rest, last string) (change, bool)

func (p *parser) change(start, end source.Pos, text, code, message string) (change, bool) {
	return change{Edit: source.Edit{Span: source.Span{Start: start, End: end}, Text: text}, code: code, message: message}, true
}

func (p *parser) unsupported(start, end source.Pos, message string) (change, bool) {
	c, ok := p.change(start, end, "", "ltl.foreign", message)
	c.none = true
	return c, ok
}

// match returns the submatches of a pattern at the beginning of a text, or nil.
func match(pattern, text string) []string { return habit.Match(pattern, text) }

// commented recognises comments.
func commented(p *parser, rest, _ string) (change, bool) {
	at := p.fault.Span.Start
	blank := strings.TrimSpace(p.text[strings.LastIndexByte(p.text[:at], '\n')+1:at]) == ""
	m := match(`/\*[\s\S]*?\*/|\(\*[\s\S]*?\*\)|<!--[\s\S]*?-->|(//+|---*|\\\*|%+|;+|/\*|'|REM\b)`, rest)
	switch {
	case m == nil && rest != "" && rest[0] == '*' && strings.HasSuffix(p.text[:at], "("):
		at--
		if m = match(`\(\*[\s\S]*?\*\)`, p.text[at:]); m == nil {
			return change{}, false
		}
		m = append(m, "")
	case m == nil, match(`--+>`, rest) != nil, !blank && strings.IndexByte(";'R", m[0][0]) >= 0:
		return change{}, false
	case m[0][0] == '\'' && strings.Count(strings.SplitN(rest, "\n", 2)[0], "'") > 1:
		return change{}, false
	}
	if p.fault.Code != "ltl.sign" && p.fault.Code != "ltl.rest" && p.fault.Code != "ltl.open" && p.fault.Code != "ltl.argument" && !blank {
		return change{}, false
	}
	mark, text := m[1], "#"
	if mark == "" {
		mark = m[0][:2]
		inner := strings.TrimRight(strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(m[0], "*/"), "*)"), "-->"), " ")
		text = "#" + strings.ReplaceAll(strings.TrimPrefix(inner[2:], "--"), "\n", "\n#")
		if after := strings.TrimLeft(p.text[int(at)+len(m[0]):], " \t\r"); after != "" && after[0] != '\n' {
			text += "\n"
		}
	}
	return p.change(at, at+source.Pos(len(m[0])), text, "ltl.comment", "unexpected "+strconv.Quote(mark)+"; comments begin with #")
}

// heads are the beginnings of properties in other notations. The first group is the name.
var heads = []string{
	`(?:LTLSPEC|CTLSPEC|SPEC|LTL)\s+(?:NAME\s+)?([\w.-]+)\s*:?=`, `ltl\s+([\w.-]+)\s*\{`, `[-*•]\s+"?([\w.-]+)"?\s*:`,
	`(?:property|let|def|define|const|var|rule|spec|assert|formula|check)\s+([\w.-]+)\s*(?::=|=|:)`, `([\w.-]+)\s*(?::=|::=|==|≔|=)`, `\[([\w.-]+)\]`,
	`"([\w. -]+)"\s*(?::=|==|=)`,
	`()(?:never|ltl|always)\s*\{`, `()(?:LTLSPEC|CTLSPEC|SPEC|LTL|ltl|assert|assume|property|check|formula|spec|rule|require|always\s+@\(\w+ \w+\))\b\s*:?`, `()(?:[-*•]|\d+[.)]|\(\d+\))(?:\s|$)`, `()if\b`,
}

// headed recognises the name of a property, and words before the formula.
func headed(p *parser, _, last string) (change, bool) {
	start := p.start()
	if p.fault.Span.Start > start && p.before.Start > start+40 {
		return change{}, false
	}
	text := p.text[start:]
	if m := match(`((?:[\w.-]+|"[^"\n]*")\s*:\s*)((?:LTLSPEC|CTLSPEC|INVARSPEC|SPEC|LTL|ltl|assert|assume|property|check|formula|spec|require|invariant)\b\s*)[^\s:&|<=-]`, text); m != nil {
		at := start + source.Pos(len(m[1]))
		c, ok := p.change(at, at+source.Pos(len(m[2])), "", "ltl.foreign", "unexpected "+strconv.Quote(strings.TrimSpace(m[2]))+" before the formula")
		c.at = source.Span{Start: at, End: at + source.Pos(len(strings.TrimSpace(m[2])))}
		return c, ok
	}
	if match(`[A-Za-z]\w*\s+\d+\s*:`, text) != nil {
		return nameWithBlanks(p, "", last)
	}
	for _, head := range heads {
		m := match(head, text)
		if m == nil || start+source.Pos(len(m[0])) < p.before.End {
			continue
		}
		end := start + source.Pos(len(strings.TrimRight(m[0], " \t\n")))
		switch name := m[1]; {
		case strings.Trim(name, "0123456789") == "" && name != "":
			continue
		case name == "" && m[0][:2] == "if":
			return p.change(start, end, "", "ltl.foreign", `unknown operator "if"; write "->"`)
		case name == "":
			return p.change(start, end, "", "ltl.foreign", "unexpected "+strconv.Quote(p.text[start:end])+`; a name is followed by ":"`)
		case p.text[end-1] == '=' && !p.defines(name, end) && match(`[\w.-]+\s*==?`, text) != nil && match(`\s*(?:[GFX!~(\[□◇¬"]|<>|WX|always|never|not|eventually|globally)`, p.text[end:]) == nil:
			continue // an equality
		case match(`[\w.-]+\s*=$`, p.text[start:end]) != nil:
			return p.change(start, end, quoteName(name)+":", "ltl.name", `unexpected operator "="; write a name as "`+quoteName(name)+`:"`)
		default:
			return p.change(start, end, quoteName(name)+":", "ltl.name", `write a name as "`+quoteName(name)+`:"`)
		}
	}
	return change{}, false
}

// defines reports whether an unknown name is before a formula that begins with a known symbol.
func (p *parser) defines(name string, end source.Pos) bool {
	symbol := match(`\s*([\w.-]+)`, p.text[end:])
	return symbol != nil && !p.known(name) && p.known(symbol[1])
}

// start returns the position of the first token of the paragraph.
func (p *parser) start() source.Pos {
	q := &parser{text: p.text, end: p.end}
	for _, place := range paragraphs(p.text) {
		if place.End >= p.fault.Span.Start {
			q.at = int(place.Start)
			break
		}
	}
	q.next()
	return q.now.span.Start
}

// called recognises operators that are written as functions, and propositions with arguments.
func called(p *parser, rest, last string) (change, bool) {
	at, before := p.fault.Span.Start, p.before
	name, start, open := last, before.Start, rest
	if m := match(`[A-Z]+`, rest); m != nil && strings.HasPrefix(rest[len(m[0]):], "(") {
		name, start, open = m[0], at, rest[len(m[0]):] // U(a, b)
	}
	if !strings.HasPrefix(open, "(") || identifier(name) != len(name) || name == "" {
		return change{}, false
	}
	end, args := arguments(open)
	if end == 0 {
		return change{}, false
	}
	whole := source.Span{Start: start, End: source.Pos(len(p.text)-len(p.text[start:])) + source.Pos(len(name)+end)}
	if name == last {
		whole.End = at + source.Pos(end)
	}
	own, binary := "", false
	if op, reserved := words[name]; reserved {
		own, binary = name, op.arity() == 2
	} else if f, o := native(name); f == name {
		own, binary = o, strings.Contains("-> <-> & | U R W", o)
	}
	written := p.text[whole.Start:whole.End]
	if formula := template(name, args); formula != "" {
		return p.change(whole.Start, whole.End, formula, "ltl.foreign", "unknown template "+strconv.Quote(name)+"; write "+strconv.Quote(formula))
	}
	switch {
	case binary && len(args) > 1:
		return p.change(whole.Start, whole.End, "("+strings.Join(args, " "+own+" ")+")", "ltl.foreign", "write "+strconv.Quote(own)+" between its arguments, not "+strconv.Quote(name+"(…)"))
	case own == "" && name == last && p.known(name) && !p.known(written):
		return p.change(at, whole.End, "", "ltl.foreign", "a proposition has no arguments; write "+strconv.Quote(name))
	case own == "" && name == last && whole.Start+source.Pos(len(name)) == at && match(`\([\w\s,.?-]*\)`, open) != nil && len(written) < 60:
		if m := match(`\s*(?:<=|>=|==|!=|<|>|=|≤|≥)\s*[\w.]+`, p.text[whole.End:]); m != nil {
			whole.End += source.Pos(len(m[0]))
			written = p.text[whole.Start:whole.End]
			return p.change(whole.Start, whole.End, quoteText(written), "ltl.foreign", "comparisons are not supported; quote it as one proposition: "+strconv.Quote(written))
		}
		return p.change(whole.Start, whole.End, quoteText(written), "ltl.foreign", "a proposition has no arguments; quote "+strconv.Quote(written))
	}
	return change{}, false
}

// templates are constraints of Declare (Pesic and van der Aalst 2006), with $1 and $2 for their arguments.
var templates = map[string]string{
	"existence": "F $1", "exists": "F $1", "absence": "!F $1", "init": "$1", "end": "F(last & $1)",
	"response": "G($1 -> F $2)", "precedence": "(!$2 W $1)", "succession": "(G($1 -> F $2) & (!$2 W $1))",
	"respondedexistence": "(F $1 -> F $2)", "coexistence": "(F $1 <-> F $2)", "chainresponse": "G($1 -> X $2)",
	"chainprecedence": "(!$2 & G(!$1 -> WX !$2))", "notcoexistence": "!(F $1 & F $2)", "notsuccession": "G($1 -> !F $2)",
	"alternateresponse": "G($1 -> X(!$1 U $2))",
}

// template returns the formula of a constraint of Declare, or "".
func template(name string, args []string) string {
	form := templates[strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(name))]
	switch {
	case form == "" || strings.Contains(form, "$2") != (len(args) == 2):
		return ""
	case len(args) == 1:
		return strings.ReplaceAll(form, "$1", args[0])
	case len(args) == 2:
		return strings.NewReplacer("$1", args[0], "$2", args[1]).Replace(form)
	}
	return ""
}

func quoteText(text string) string {
	return `"` + strings.ReplaceAll(strings.ReplaceAll(text, `\`, `\\`), `"`, `\"`) + `"`
}

// arguments returns the length of a text in parentheses and its parts between commas, or 0.
func arguments(text string) (end int, parts []string) {
	depth, from := 0, 1
	for i := range len(text) {
		switch text[i] {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 0 || depth == 1 && text[i] == ',' {
			parts = append(parts, strings.TrimSpace(text[from:i]))
			from = i + 1
		}
		if depth == 0 {
			return i + 1, parts
		}
	}
	return 0, nil
}

// compared recognises comparisons with numbers and texts, and the arrow to the left.
func compared(p *parser, rest, last string) (change, bool) {
	at, before := p.fault.Span.Start, p.before
	m := match(`(?:==|!=|<=|>=|=|<|>|≤|≥|≠)\s*("[^"\n]*"|'[^'\n]*'|-?[\d.]+\b|[\w.-]+)`, rest)
	name := identifier(last) == len(last) && last != "" && words[last] == 0
	if m == nil || !name || words[m[1]] != 0 || match(`<?(?:-|=+>)`, rest) != nil || !strings.ContainsAny(m[1][:1], `"'-0123456789`) && strings.ContainsAny(m[0][:1], "=!≠") {
		return change{}, false
	}
	whole := p.text[before.Start:at] + m[0]
	plain := strings.NewReplacer(`"`, "", "'", "").Replace(whole)
	return p.change(before.Start, at+source.Pos(len(m[0])), `"`+plain+`"`, "ltl.foreign", "comparisons are not supported; quote it as one proposition: "+strconv.Quote(plain))
}

// quantified recognises quantifiers and the path quantifiers of CTL.
func quantified(p *parser, rest, last string) (change, bool) {
	at, before := p.fault.Span.Start, p.before
	word := rest[:identifier(rest)]
	if strings.HasPrefix(rest, `\A`) || strings.HasPrefix(rest, `\E`) {
		return p.unsupported(at, at+2, "quantifiers such as "+strconv.Quote(rest[:2])+" are not supported")
	}
	for _, q := range []struct {
		text string
		at   source.Pos
	}{{last, before.Start}, {word, at}} {
		end := q.at + source.Pos(len(q.text))
		switch q.text {
		case "in", "contains":
			if last != "" && q.text == word {
				return p.unsupported(q.at, end, "unknown operator "+strconv.Quote(q.text)+`; write "a | b" for one of several`)
			}
		case "forall", "exists", "∀", "∃", "each", "every", "all", "some":
			return p.unsupported(q.at, end, "quantifiers such as "+strconv.Quote(q.text)+" are not supported")
		case "EF", "EG", "EX", "E", "EU", "AU":
			if q.text != "E" && q.text != "AU" || strings.TrimLeft(p.text[end:], " ") != "" && strings.ContainsRune("FGXU([", rune(strings.TrimLeft(p.text[end:], " ")[0])) {
				return p.unsupported(q.at, end, "unsupported path operator "+strconv.Quote(q.text)+"; formulas hold on every trace")
			}
		case "A":
			if match(`\s*(?:[FGX]\b|[\[(!])`, p.text[end:]) != nil && !p.known("A") {
				return p.change(q.at, end, "", "ltl.foreign", `remove the path quantifier "A"; formulas hold on every trace`)
			}
		case "while", "before", "after", "when", "whenever", "within", "during", "precedes", "follows", "leads", "else":
			return p.unsupported(q.at, end, "unknown operator "+strconv.Quote(q.text)+" (expected X, F, G, U, W, R or M)")
		}
	}
	if strings.HasPrefix(rest, "∀") || strings.HasPrefix(rest, "∃") {
		return p.unsupported(at, at+3, "quantifiers such as "+strconv.Quote(rest[:3])+" are not supported")
	}
	return change{}, false
}

// bounded recognises bounds of temporal operators.
func bounded(p *parser, rest, last string) (change, bool) {
	stem := strings.TrimSuffix(last, "_")
	if f, own := native(stem); f == stem && words[own] != 0 {
		stem = own
	}
	op, ok := words[stem]
	m := match(`_?[\[{(](?:\s*(\d+)\s*|[\s\d,.:;<>=∞inf-]*)[\]})]|_?(?:<=|>=|<|>|=|≤|≥)\s*\d+|\^\{?(\d+)\}?|_\d+|_\{[^}\n]*\}`, rest)
	if !ok || op.arity() == 0 || m == nil || !strings.ContainsAny(m[0], "0123456789") || rest[0] == '(' {
		return change{}, false
	}
	start, end := p.before.Start, p.fault.Span.Start+source.Pos(len(m[0]))
	times, err := strconv.Atoi(m[1] + m[2])
	if err == nil && (op == Next || op == WeakNext) && times > 0 && times <= 20 {
		return p.change(start, end, strings.TrimSuffix(strings.Repeat(stem+" ", times), " "), "ltl.foreign", "operators have no counts; write "+stem+" "+strconv.Itoa(times)+" times")
	}
	message := "operators have no time bounds such as " + strconv.Quote(m[0])
	if whole, ok := steps(stem, m[0], p.text[end:]); ok {
		c, _ := p.change(start, end+source.Pos(len(p.text[end:])-len(strings.TrimLeft(p.text[end:], " \t")))+source.Pos(operand(strings.TrimLeft(p.text[end:], " \t"))), whole, "ltl.foreign", message)
		c.at, c.title = source.Span{Start: start, End: end}, "Write it with X"
		return c, true
	}
	return p.unsupported(start, end, message)
}

// quoted recognises quotation marks of other notations, and names with signs.
func quoted(p *parser, rest, last string) (change, bool) {
	at := p.fault.Span.Start
	if m := match("'([^'\"\n]+)'|“([^”\"\n]+)”|‘([^’\"\n]+)’|`([^`\"\n]+)`|«([^»\"\n]+)»|„([^“”\"\n]+)[“”]", rest); m != nil {
		return p.change(at, at+source.Pos(len(m[0])), quoteName(strings.Join(m[1:], "")), "ltl.foreign", `quote names with ", not with `+string([]rune(m[0])[:1]))
	}
	adjacent := last != "" && identifier(last) == len(last) && p.before.End == at && words[last] == 0
	switch m := match(`[$@?%:/][\w.$@?:/-]+|[$@?%'’]`, rest); {
	case m == nil:
	case adjacent && strings.HasPrefix(rest, ":") && p.before.Start == p.start():
	case adjacent && match(`[$@?%:/'’][\w.$@?:/-]*`, rest) != nil:
		return p.sign(p.before.Start, last+match(`[$@?%:/'’][\w.$@?:/-]*`, rest)[0])
	case strings.ContainsAny(rest[:1], "$@?%/") && len(m[0]) > 1, rest[0] == ':' && p.known(m[0][1:]):
		return p.sign(at, m[0])
	}
	return change{}, false
}

// sign removes the signs around a known name, and quotes another one.
func (p *parser) sign(start source.Pos, name string) (change, bool) {
	if plain := strings.Trim(name, "$@?%:/'’"); p.known(plain) && !p.known(name) {
		c, ok := p.change(start, start+source.Pos(len(name)), quoteName(plain), "ltl.sign", "unexpected sign in "+strconv.Quote(name)+"; write "+strconv.Quote(plain))
		return c, ok
	}
	return p.change(start, start+source.Pos(len(name)), quoteText(name), "ltl.sign", "quote names that contain signs: "+quoteText(name))
}

// grouped recognises brackets and braces around formulas.
func grouped(p *parser, rest, _ string) (change, bool) {
	at := p.fault.Span.Start
	if rest == "" || strings.IndexByte("[{]}", rest[0]) < 0 {
		return change{}, false
	}
	text := "("
	if rest[0] == ']' || rest[0] == '}' {
		text = ")"
		// A brace that remains after the name of a property.
		if p.fault.Code == "ltl.rest" {
			return p.change(at, at+1, "", "ltl.foreign", "unmatched "+strconv.Quote(rest[:1]))
		}
	}
	return p.change(at, at+1, text, "ltl.foreign", "unexpected "+strconv.Quote(rest[:1])+"; group with ( and )")
}

// doubled recognises an operator that is written twice, and ! after its argument.
func doubled(p *parser, rest, last string) (change, bool) {
	at := p.fault.Span.Start
	q := &parser{text: p.text, at: int(at), end: p.end}
	q.next()
	now, op := q.now, p.text[p.before.Start:p.before.End]
	switch {
	case p.fault.Code == "ltl.argument" && now.kind == tokenOp && now.op.arity() == 2 && match(`[&|<∧∨↔→-]`, rest) != nil && match(`&&?|\|\|?|->|<->|∧|∨|→|↔`, op) != nil:
		return p.change(at, now.span.End, "", "ltl.argument", "unexpected "+strconv.Quote(rest[:now.span.Len()])+" after the operator "+strconv.Quote(op))
	case p.fault.Code != "ltl.argument" && now.kind == tokenOp && now.op == Not && identifier(last) == len(last) && last != "" && p.before.End == at && identifier(rest[1:]) == 0:
		return p.change(p.before.Start, now.span.End, "!"+last, "ltl.foreign", `write "!" before its argument: "!`+last+`"`)
	}
	return change{}, false
}

// prose recognises words of sentences.
func prose(p *parser, rest, last string) (change, bool) {
	at := p.fault.Span.Start
	if m := match(`(?:is|are|will|must|should|does|has|occurs|happens|holds|follows|the)\b`, rest); m != nil && p.fault.Code != "ltl.argument" {
		return p.unsupported(at, at+source.Pos(len(m[0])), "unexpected word "+strconv.Quote(m[0])+"; expected an operator such as ->, & or U")
	}
	return change{}, false
}

// closed returns a change for a missing or an unmatched parenthesis.
func closed(p *parser, rest, _ string) (change, bool) {
	at := p.fault.Span.Start
	switch {
	case p.fault.Code == "ltl.rest" && strings.HasPrefix(rest, ")"):
		return p.change(at, at+1, "", "ltl.rest", `unmatched ")"`)
	case p.fault.Code != "ltl.open", rest != "" && !p.newLine():
		return change{}, false
	}
	var open []source.Span
	q := &parser{text: p.text, at: int(p.start()), end: int(at)}
	for q.next(); q.now.kind != tokenEnd; q.next() {
		switch {
		case q.now.kind == tokenOpen:
			open = append(open, q.now.span)
		case q.now.kind == tokenClose && len(open) > 0:
			open = open[:len(open)-1]
		}
	}
	if len(open) == 0 {
		return change{}, false
	}
	c, ok := p.change(p.before.End, p.before.End, ")", "ltl.open", `unmatched "(": missing ")"`)
	c.at, c.title = open[len(open)-1], `Write ")"`
	return c, ok
}

// newLine reports whether the fault begins a line.
func (p *parser) newLine() bool {
	at := p.fault.Span.Start
	return strings.Contains(p.text[p.before.End:at], "\n")
}

// reworded returns a fault that no change fixes, with a message that quotes the token at the fault.
func reworded(p *parser, paragraph string, fault source.Diagnostic) source.Diagnostic {
	if p == nil {
		return fault
	}
	rest := paragraph[p.fault.Span.Start:]
	q := &parser{text: rest, end: len(rest)}
	q.next()
	text := strconv.Quote(rest[:q.now.span.End])
	begins := q.now.kind == tokenProp || q.now.kind == tokenOpen || q.now.kind == tokenOp && q.now.op.arity() < 2
	switch {
	case (p.fault.Code == "ltl.open" || p.fault.Code == "ltl.rest") && begins:
		fault.Message = "expected an operator such as -> or & before " + text
		fault.Fixes = inserting(paragraph, p.fault.Span.Start, fault.Span.Start)
	case p.fault.Code == "ltl.end" && paragraph[p.before.Start:p.before.End] == ":":
		fault.Code, fault.Message = "ltl.name", "missing formula after its name; a blank line ends a formula"
		if from := fault.Span.Start - p.fault.Span.Start; match(`(?:[\w.-]+|"[^"\n]*")\s*:\s*$`, paragraph) != nil {
			fault.Fixes = []source.Fix{{Title: "Remove the name", Edits: []source.Edit{{Span: source.Span{Start: from, End: from + source.Pos(len(paragraph))}}}}}
		}
		fault.Span.Start -= p.fault.Span.Start - p.before.Start
	case p.fault.Code == "ltl.rest" || p.fault.Code == "ltl.open" && rest != "":
		fault.Message = "unexpected " + text + "; expected an operator such as -> or &"
	case p.fault.Code == "ltl.argument" && q.now.kind == tokenOp && p.before.Len() == 0:
		fault.Message = "missing argument before the operator " + text
	case p.fault.Code == "ltl.argument" && q.now.kind == tokenOp:
		fault.Message = "unexpected operator " + text + "; expected an argument"
	case p.fault.Code == "ltl.argument":
		fault.Message = "expected an argument before " + text + ": a proposition or a formula"
	case p.fault.Code == "ltl.sign":
		fault.Message = "unknown operator " + text + "; quote names that contain punctuation"
	}
	return fault
}

// phrases are operators of several words.
var phrases = []struct{ text, own string }{
	{"infinitely often", "G F"}, {"almost always", "F G"}, {"weak until", "W"}, {"strong until", "U"}, {"weak next", "WX"}, {"strong next", "X"}, {"strong release", "M"}, {"weak release", "R"},
	{"leads to", "-> F"}, {"only if", "->"}, {"if and only if", "<->"}, {"at all times", "G"}, {"from now on", "G"}, {"at some point", "F"}, {"some time", "F"}, {"in the next step", "X"}, {"in the end", "F"},
	{"as well as", "&"}, {"and then", "& X F"}, {"followed by", "& X F"}, {"until then", "U"}, {"it is always the case that", "G"}, {"and also", "&"}, {"or else", "|"},
}

// translations are formulas with operators that this notation lacks, and equivalent ones. The first
// group of a pattern is the operator.
var translations = []struct{ pattern, own, code, message string }{
	{`(?:G|\[\]|□|always)\s*\(\s*([\w.-]+)\s*(?:->|=>|implies)\s*(O|P|once|previously|◆)\s*\(?\s*([\w.-]+)\s*\)?\s*\)$`, "!$1 W $3", "ltl.past", "past operator $2 is not supported; formulas look forward"},
	{`(?:G|\[\]|□|always)\s*\(\s*([\w.-]+)\s*(?:->|=>|implies)\s*(H|historically|■)\s*\(?\s*([\w.-]+)\s*\)?\s*\)$`, "G(!$3 -> G !$1)", "ltl.past", "past operator $2 is not supported; formulas look forward"},
	{`(?:G|\[\]|□|always)\s*\(\s*([\w.-]+)\s*(?:->|=>|implies)\s*(Y|yesterday)\s*\(?\s*([\w.-]+)\s*\)?\s*\)$`, "!$1 & G(X $1 -> $3)", "ltl.past", "past operator $2 is not supported; formulas look forward"},
	{`([\w.-]+)\s+(before!?|precedes)\s+([\w.-]+)$`, "!$3 W $1", "ltl.foreign", "unknown operator $2; write W with the event that may not come first"},
	{`([\w.-]+)\s+(after)\s+([\w.-]+)$`, "!$1 W $3", "ltl.foreign", "unknown operator $2; write W with the event that may not come first"},
	{`()(if)\s+([\w.-]+)\s*,\s*(?:then\s+)?(.*\S)$`, "$3 -> $4", "ltl.foreign", `unknown operator "if"; write "->"`},
	{`()(when|whenever|every time|each time)\s+([\w.-]+)\s*(?:,\s*then|,|then)\s+(.*\S)$`, "G($3 -> $4)", "ltl.foreign", `unknown operator $2; write "G(a -> b)"`},
}

// maxSteps is the greatest bound that is written with X.
const maxSteps = 6

// apart recognises two names without an operator between them: a name with blanks.
func apart(p *parser, rest, last string) (change, bool) {
	at := p.fault.Span.Start
	word := rest[:identifier(rest)]
	if word == "" || last == "" || identifier(last) != len(last) || words[last] != 0 || words[word] != 0 || p.newLine() || p.fault.Code != "ltl.rest" && p.fault.Code != "ltl.open" {
		return p.trailing()
	}
	c, ok := p.change(p.before.Start, at+source.Pos(len(word)), quoteText(last+" "+word), p.fault.Code, "expected an operator such as -> or & before "+strconv.Quote(word))
	c.at, c.title = source.Span{Start: at, End: at + source.Pos(len(word))}, "Quote the name "+strconv.Quote(last+" "+word)
	return c, ok
}

// trailing recognises operators without an argument at the end of a formula.
func (p *parser) trailing() (change, bool) {
	inner := p.fault.Code == "ltl.argument" && strings.HasPrefix(p.text[p.fault.Span.Start:], ")")
	if p.fault.Code != "ltl.end" && !inner {
		return change{}, false
	}
	var tokens []token
	q := &parser{text: p.text, at: int(p.start()), end: int(p.fault.Span.Start)}
	for q.next(); q.now.kind != tokenEnd; q.next() {
		tokens = append(tokens, q.now)
	}
	n := len(tokens)
	for n > 0 && tokens[n-1].kind == tokenOp && tokens[n-1].op.arity() == 1 {
		n--
	}
	if n > 1 && tokens[n-1].kind == tokenOp && tokens[n-1].op.arity() == 2 {
		n--
	}
	if n == len(tokens) || n == 0 || tokens[n-1].kind == tokenOpen || tokens[n-1].kind == tokenColon || tokens[n-1].kind == tokenOp {
		return change{}, false
	}
	at := tokens[n].span.Join(tokens[len(tokens)-1].span)
	last := p.text[at.Start:at.End]
	if inner {
		c, ok := p.change(at.Start, at.End, "", "ltl.argument", `expected an argument before ")": a proposition or a formula`)
		c.at, c.title = p.fault.Span, "Remove the operator "+strconv.Quote(last)
		return c, ok
	}
	return p.change(at.Start, at.End, "", "ltl.end", "unexpected operator "+strconv.Quote(last)+" at the end of the formula")
}
