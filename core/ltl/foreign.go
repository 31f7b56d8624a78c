package ltl

import (
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// foreign maps operators of other notations to Stile's. Among operators with a common prefix,
// the longest comes first. Words in lower case match any case.
var foreign = []struct{ text, own string }{
	{"<-->", "<->"}, {"<==>", "<->"}, {"<=>", "<->"}, {"===", "<->"}, {"==>", "->"}, {"==", "<->"}, {"!=", "<-> !"}, {"=>", "->"}, {"-->", "->"}, {"=", "<->"},
	{"- >", "->"}, {"-&gt;", "->"}, {"=&gt;", "->"}, {"–>", "->"}, {"—>", "->"}, {"->>", "->"}, {"&amp;&amp;", "&"}, {"&amp;", "&"}, {"➔", "->"}, {"➜", "->"}, {"⇨", "->"}, {"⇔", "<->"}, {"⇒", "->"}, {"∣", "|"}, {"｜", "|"}, {"ǀ", "|"}, {"∥", "|"}, {"＆", "&"}, {"！", "!"}, {"⊕", "<-> !"}, {"^", "<-> !"}, {`/\`, "&"}, {`\/`, "|"}, {"⊤", "true"}, {"⊥", "false"}, {"◯", "X"}, {"◻", "G"}, {"⋄", "F"}, {"◊", "F"}, {"[ ]", "G"}, {"< >", "F"},
	{`\land`, "&"}, {`\wedge`, "&"}, {`\lor`, "|"}, {`\vee`, "|"}, {`\neg`, "!"}, {`\lnot`, "!"}, {`\leftrightarrow`, "<->"}, {`\Leftrightarrow`, "<->"}, {`\iff`, "<->"},
	{`\rightarrow`, "->"}, {`\Rightarrow`, "->"}, {`\implies`, "->"}, {`\to`, "->"}, {`\square`, "G"}, {`\Box`, "G"}, {`\lozenge`, "F"}, {`\Diamond`, "F"}, {`\bigcirc`, "X"}, {`\circ`, "X"}, {`\top`, "true"}, {`\bot`, "false"},
	{`\mathcal{U}`, "U"}, {`\mathbf{G}`, "G"}, {`\mathbf{F}`, "F"}, {`\mathbf{X}`, "X"}, {`\mathbf{U}`, "U"}, {`\mathsf{U}`, "U"}, {"~>", "-> F"}, {"⟶", "->"}, {"⟹", "->"}, {"⊃", "->"}, {"⟺", "<->"}, {"≡", "<->"}, {"￢", "!"}, {"+", "|"}, {"*", "&"}, {",", "&"},
	{"then", "->"}, {"INVARSPEC", "G"}, {"SR", "M"}, {"alw", "G"}, {"ev", "F"}, {"xnor", "<->"}, {"also", "&"}, {"but", "&"}, {"henceforth", "G"}, {"hence", "->"}, {"g", "G"}, {"f", "F"}, {"x", "X"}, {"u", "U"}, {"w", "W"}, {"r", "R"}, {"wx", "WX"},
	{"implies", "->"}, {"imply", "->"}, {"iff", "<->"}, {"equiv", "<->"}, {"xor", "<-> !"}, {"and", "&"}, {"or", "|"}, {"not", "!"},
	{"always", "G"}, {"globally", "G"}, {"never", "G !"}, {"eventually", "F"}, {"finally", "F"}, {"sometimes", "F"}, {"sometime", "F"}, {"forever", "G"}, {"next", "X"}, {"s_eventually", "F"}, {"s_until", "U"}, {"s_next", "X"}, {"s_always", "G"}, {"nexttime", "X"}, {"weaknext", "WX"}, {"weak_next", "WX"},
	{"until", "U"}, {"release", "R"}, {"releases", "R"}, {"unless", "W"}, {"weakuntil", "W"}, {"weak_until", "W"}, {"V", "R"}, {"AG", "G"}, {"AF", "F"}, {"AX", "X"},
	{"box", "G"}, {"diamond", "F"}, {"future", "F"}, {"necessarily", "G"}, {"possibly", "F"}, {"leadsto", "-> F"}, {"wu", "W"}, {"su", "U"}, {"xw", "WX"}, {"nxt", "X"},
}

// past are the past operators of other notations.
const past = " P O S H Y Z T once since historically previously yesterday triggered "

// Bounds of the search for fixes.
const (
	maxRepair  = 4_000 // bytes of a paragraph
	maxRepairs = 40
)

// native returns the foreign operator at the beginning of a text, and its replacement.
func native(text string) (foreignOne, own string) {
	word := text[:identifier(text)]
	for _, f := range foreign {
		n := len(f.text)
		switch {
		case word == "" && strings.HasPrefix(text, f.text), word == f.text, len(word) == n && n > 1 && strings.ToLower(word) == f.text:
			return text[:n], f.own
		}
	}
	if own := nextCombined(word); own != "" { // GF and similar ones
		return word, own
	}
	return "", ""
}

// change is an edit that may fix a fault, with its diagnostic.
type change struct {
	source.Edit
	at            source.Span // the place of the diagnostic, if it is not the place of the edit
	code, message string
	title         string // of the fix; "": of the text
	none          bool   // this notation has no equivalent
}

// rules are the rules of [parser.meant], in order. Operators of other notations precede the names
// that they could be a part of.
var rules = []rule{
	commented, recorded, translated, leading, spacedWeakNext, phrased, headed, listed, chances, conditional, called, reversed, compared, quantified, bounded, unclosed, quoted, foreignBefore, pastOperator, newFormula, nameWithBlanks,
	unnamed, foreignHere, terminated, grouped, doubled, prose, closed, reserved, misspelt, glued, apart,
}

// meant returns a change that may fix the fault of a parser: of the token at the fault, or
// of the one before it.
func (p *parser) meant() (c change, ok bool) {
	rest, last := p.text[p.fault.Span.Start:], p.text[p.before.Start:p.before.End]
	for _, r := range rules {
		if c, ok := r(p, rest, last); ok {
			return c, true
		}
	}
	return change{}, false
}

// operator returns a change that replaces an operator.
func (p *parser) operator(start source.Pos, text, own string) (change, bool) {
	written := own
	if text == "," {
		written = " " + own // a comma follows its argument without a space
	}
	if rest := p.text[int(start)+len(text):]; text == strings.ToLower(text) && identifier(text) == len(text) && (strings.HasPrefix(rest, "! ") || strings.HasPrefix(rest, "!(")) {
		text += "!" // a strong operator of PSL
	}
	return p.change(start, start+source.Pos(len(text)), written, "ltl.foreign", "unknown operator "+strconv.Quote(text)+"; write "+strconv.Quote(own))
}

func foreignBefore(p *parser, _, last string) (change, bool) {
	if text, own := native(last); own != "" && text == last && p.fault.Code != "ltl.end" {
		return p.operator(p.before.Start, last, own)
	}
	return change{}, false
}

func foreignHere(p *parser, rest, last string) (change, bool) {
	at, before := p.fault.Span.Start, p.before
	if last == "(" && before.End == at && match(`\)\s*[^\s)&|<-]`, rest) != nil {
		return p.operator(before.Start, "()", "X")
	}
	if last == "|" && before.End == at && (strings.HasPrefix(rest, "=>") || strings.HasPrefix(rest, "->")) {
		return p.operator(before.Start, last+rest[:2], map[byte]string{'=': "-> X", '-': "->"}[rest[0]])
	}
	if text, own := native(rest); own != "" {
		if after := strings.TrimLeft(rest[len(text):], " \t\n"); (after == "" || after[0] == ')') && identifier(text) == 0 && p.fault.Code != "ltl.end" && strings.TrimSpace(last) != "" {
			return p.change(at, at+source.Pos(len(text)), "", "ltl.argument", "unexpected operator "+strconv.Quote(text)+" at the end of the formula")
		}
		return p.operator(at, text, own)
	}
	if last != "" && before.End == at && strings.HasPrefix(rest, last[:1]) && strings.Contains("&|", last[:1]) {
		return p.change(before.Start, at+1, last, "ltl.foreign", "unknown operator "+strconv.Quote(last+last[:1])+"; write "+strconv.Quote(last))
	}
	return change{}, false
}

func pastOperator(p *parser, rest, last string) (change, bool) {
	for _, name := range []struct {
		text string
		at   source.Pos
	}{{last, p.before.Start}, {rest[:identifier(rest)], p.fault.Span.Start}} {
		if name.text != "" && strings.Contains(past, " "+name.text+" ") {
			c, _ := p.change(name.at, name.at+source.Pos(len(name.text)), "", "ltl.past", "past operator "+strconv.Quote(name.text)+" is not supported; formulas look forward")
			c.none = true
			return c, true
		}
	}
	return change{}, false
}

// newFormula recognises a formula on the line after another one.
func newFormula(p *parser, rest, _ string) (change, bool) {
	at, line := p.fault.Span.Start, p.lineStart()
	if p.fault.Code == "ltl.rest" && line > 0 && rest[0] != ')' && strings.TrimSpace(p.text[line:at]) == "" {
		return p.change(at, at, "\n", "ltl.line", "formulas are separated by a blank line")
	}
	return change{}, false
}

func (p *parser) lineStart() source.Pos {
	return source.Pos(strings.LastIndexByte(p.text[:p.fault.Span.Start], '\n') + 1)
}

// terminated recognises signs that end statements.
func terminated(p *parser, rest, _ string) (change, bool) {
	at := p.fault.Span.Start
	if rest == "" || rest[0] != ';' && rest[:identifier(rest)] != "." {
		return change{}, false
	}
	text := "\n\n"
	if after := strings.TrimLeft(rest[1:], " \t\r"); after == "" || after[0] == '\n' || after[0] == '#' {
		text = ""
	}
	return p.change(at, at+1, text, "ltl.terminator", "unexpected "+strconv.Quote(rest[:1])+"; a blank line ends a formula")
}

// nameWithBlanks returns a change that joins the words of a formula's name, if the fault is
// in such a name.
func nameWithBlanks(p *parser, _, _ string) (c change, ok bool) {
	lineStart := p.lineStart()
	name, _, found := strings.Cut(p.text[lineStart:], ":")
	if !found || int(p.fault.Span.Start-lineStart) >= len(name) {
		return change{}, false
	}
	joined := strings.Join(strings.Fields(name), "_")
	if identifier(joined) != len(joined) || !strings.Contains(joined, "_") {
		return change{}, false
	}
	name = strings.TrimSpace(name)
	start := lineStart + source.Pos(strings.Index(p.text[lineStart:], name))
	return change{
		Edit:    source.Edit{Span: source.Span{Start: start, End: start + source.Pos(len(name))}, Text: joined},
		code:    "ltl.name",
		message: "formula names have no blanks; write " + strconv.Quote(joined),
	}, true
}

// explain returns the given fault, or, if a paragraph uses operators of another notation, a
// diagnostic that names these, with a fix if the changes make the paragraph a formula.
func explain(text string, place source.Span, fault source.Diagnostic, known func(name string) bool) source.Diagnostic {
	if known == nil {
		known = func(name string) bool { return occurs(text[:place.Start], name) || occurs(text[place.End:], name) }
	}
	paragraph := text[place.Start:place.End]
	if len(paragraph) > maxRepair || fault.Code == "ltl.depth" {
		return fault
	}
	var changes []change
	var edits []source.Edit
	p := firstFault(paragraph)
	for range maxRepairs {
		p.known = known
		c, ok := p.meant()
		if ok {
			c.Span, ok = unedited(edits, c.Span)
		}
		if !ok {
			break
		}
		changes = append(changes, c)
		if c.none {
			break
		}
		next := inserted(edits, c.Edit)
		q := firstFault(source.Apply(paragraph, next))
		if q != nil {
			// Reject a change unless it moves the fault to the right, or leaves it in place but deletes text or closes a parenthesis.
			was, _ := unedited(edits, p.fault.Span)
			if now, _ := unedited(next, q.fault.Span); now.Start <= was.Start && !(now.Start == was.Start && (c.Text == "" && c.Span.Len() > 0 || c.Text == ")")) {
				changes = changes[:len(changes)-1]
				break
			}
		}
		if edits, p = next, q; p == nil {
			break
		}
	}
	if len(changes) == 0 {
		return reworded(firstFault(paragraph), paragraph, fault)
	}
	first := changes[len(changes)-1]
	for _, c := range changes {
		if !first.none && c.Span.Start < first.Span.Start {
			first = c
		}
	}
	fault.Code, fault.Message, fault.Span = first.code, first.message, first.Span
	if first.at.Len() > 0 {
		fault.Span = first.at
	}
	if first.code == "ltl.line" {
		fault.Span.End += source.Pos(len(strings.SplitN(paragraph[fault.Span.Start:], "\n", 2)[0]))
	}
	shift := func(s *source.Span) { s.Start, s.End = s.Start+place.Start, s.End+place.Start }
	shift(&fault.Span)
	if p == nil {
		title := "Rewrite the formula"
		if len(edits) == 1 {
			title = first.name()
		}
		for i := range edits {
			shift(&edits[i].Span)
		}
		fault.Fixes = []source.Fix{{Title: title, Edits: edits}}
	}
	return fault
}

// name returns the title of the fix with this change only.
func (c change) name() string {
	switch written := strings.TrimSpace(c.Text); {
	case c.title != "":
		return c.title
	case c.Text == "":
		return "Remove it"
	case written == "":
		return "Insert a blank line"
	default:
		return "Write " + written
	}
}

// firstFault returns the parser of the first invalid paragraph of a text, or nil.
func firstFault(text string) *parser {
	for _, place := range paragraphs(text) {
		if p, _ := parseParagraph(text, place); p.fault != nil {
			return p
		}
	}
	return nil
}

// inserted returns edits with an additional one, in order.
func inserted(edits []source.Edit, e source.Edit) []source.Edit {
	out := make([]source.Edit, 0, len(edits)+1)
	for i := range edits {
		if edits[i].Span.Start > e.Span.Start || edits[i].Span.Start == e.Span.Start && e.Span.Len() == 0 {
			return append(append(append(out, edits[:i]...), e), edits[i:]...)
		}
	}
	return append(append(out, edits...), e)
}

// unedited returns the place of a token before the edits; ok is false if an edit inserted
// the token.
func unedited(edits []source.Edit, s source.Span) (source.Span, bool) {
	back := func(at source.Pos) (source.Pos, bool) {
		moved := source.Pos(0)
		for _, e := range edits {
			start := e.Span.Start + moved
			end := start + source.Pos(len(e.Text))
			switch {
			case at < start:
				return at - moved, true
			case at < end:
				return e.Span.Start, false
			}
			moved = end - e.Span.End
		}
		return at - moved, true
	}
	start, ok := back(s.Start)
	if s.Len() == 0 {
		return source.Span{Start: start, End: start}, ok
	}
	end, also := back(s.End - 1)
	return source.Span{Start: start, End: end + 1}, ok && also && end+1-start == s.End-s.Start
}

// Meant returns a correction for an unknown proposition: for an operator written together
// with a known name, for a constant in capitals, or for a name followed by a full stop; ""
// if there is none.
func Meant(name string, known func(string) bool) string {
	if short, cut := strings.CutSuffix(name, "."); cut && known(short) {
		return quoteName(short)
	} else if _, own := words[short]; cut && own {
		return short
	}
	if lower := strings.ToLower(name); lower == "true" || lower == "false" {
		return lower
	}
	i := len(name) - len(strings.TrimLeft(name, "XFG"))
	if i > 0 && known(name[i:]) {
		return strings.Join(strings.Split(name[:i], ""), " ") + " " + quoteName(name[i:])
	}
	return ""
}

// inserting returns a fix that joins two formulas with "&", if this leaves no fault. The arguments at and
// from are the same position, in the paragraph and in the file.
func inserting(paragraph string, at, from source.Pos) []source.Fix {
	if firstFault(paragraph[:at]+"& "+paragraph[at:]) != nil {
		return nil
	}
	return []source.Fix{{Title: "Write &", Edits: []source.Edit{{Span: source.Span{Start: from, End: from}, Text: "& "}}}}
}
