package grammar

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/stile-playground/stile/core/source"
)

// arrows are the spellings of "->" in other notations.
var arrows = []string{"=", ":", ":=", "-->", "=>", "==>", "⇒", "⟶", "::-"}

// emptyNames are the spellings of ε in other notations.
var emptyNames = []string{"''", "``", "/**/", "<eps>", "Epsilon", "Λ", "()", "[]", "epsilon", "eps", "lambda", "empty", "λ", "ϵ", `\epsilon`, `\varepsilon`, `\lambda`, "<empty>", "<epsilon>", "EPSILON", "<null>", "<nothing>"}

// endNames are the spellings of the end of the input in other notations.
var endNames = []string{"EOF", "<EOF>", "$end", "$eof", "EOI", "⊣", "<<EOF>>", "END_OF_INPUT"}

// bars are the spellings of "|" in other notations. They are terminals of grammars that have words.
var bars = []string{"/", "//", "||", "or", "OR", "Or", "¦", "｜"}

// quotes are the pairs of quotation marks that have no meaning in this notation.
var quotes = []string{"''", "``", "“”", "‘’"}

// meantArrow returns the fix of a line that is a rule in another notation.
func meantArrow(tokens []token) []source.Fix {
	write := func(span source.Span, text string) []source.Fix {
		return []source.Fix{{Title: "Write " + text, Edits: []source.Edit{{Span: span, Text: text}}}}
	}
	first, n := tokens[0], len(tokens)
	switch {
	case first.quoted:
	case strings.HasPrefix(first.name, "//"):
		return write(at(int(first.span.Start), int(first.span.Start)+2), "#")
	case strings.TrimSuffix(first.name, ":") == "start" && n == 2:
		return write(first.span, "%start")
	case n > 1 && slices.Contains(arrows, tokens[1].name):
		return write(tokens[1].span, "->")
	case len(first.name) > 1 && strings.HasSuffix(first.name, ":"):
		return write(at(int(first.span.End)-1, int(first.span.End)), " ->")
	}
	return nil
}

// habits reports terminals that are operators, quotes or comments in other notations. They are
// terminals here: the text is valid, but probably not intended.
func (c *compiler) habits() {
	c.disguised()
	c.misspelt()
	var rule *RuleLine
	semicolons, rules := []Name{}, 0
	for i, line := range c.syntax.Lines {
		var alternatives []Alternative
		switch st := line.Statement.(type) {
		case RuleLine:
			rule = &st
			rules++
			alternatives = st.Alternatives
		case MoreLine:
			alternatives = st.Alternatives
		default:
			continue
		}
		if c.grouped(i, rule.Left.Text, alternatives) {
			continue
		}
		for k, a := range alternatives {
			c.silent(a)
			for j, n := range a.Symbols {
				if !c.bare(n) {
					continue
				}
				if c.emptyComment(a) || c.quotation(a.Symbols[j:]) || c.comment(a.Symbols[j:]) || c.special(a.Symbols[j:]) {
					break
				}
				if end := j == len(a.Symbols)-1; n.Text == ";" && end && k == len(alternatives)-1 {
					semicolons = append(semicolons, n)
				} else {
					c.strange(n, len(a.Symbols) == 1, end)
				}
			}
		}
	}
	if len(semicolons) == rules {
		for _, n := range semicolons {
			c.habit(n, `";" is a terminal; rules end at the end of the line`, `Remove ";"`, "")
		}
	}
}

// strange reports a symbol that has another meaning in another notation. The arguments only and last
// report whether it is the only or the last symbol of its alternative.
func (c *compiler) strange(n Name, only, last bool) {
	stem := strings.TrimSuffix(n.Text, ";")
	switch {
	case last && !only && slices.Contains(endNames, n.Text):
		c.habit(n, source.Quote(n.Text)+" is a terminal; a word ends after its last symbol", "Remove it", "")
	case only && slices.Contains(emptyNames, n.Text):
		c.habit(n, source.Quote(n.Text)+" is a terminal; write ε for the empty word", "Write ε", "ε")
	case stem != n.Text && last && stem != "":
		c.habit(n, `";" is part of the symbol `+source.Quote(n.Text), `Remove ";"`, stem)
	case slices.Contains(bars, n.Text) && len(c.found) > 0 && c.found[0].Code == "cfg.empty":
		c.found = c.found[1:]
		c.habit(n, source.Quote(n.Text)+` is a terminal; alternatives are separated by "|"`, "Write |", "|")
	case slices.Contains(c.g.Names[c.g.NumTerminals:], strings.TrimSuffix(n.Text, ",")):
		c.habit(n, `"," is part of the symbol `+source.Quote(n.Text), `Remove ","`, strings.TrimSuffix(n.Text, ","))
	case c.regular(n):
	case len(n.Text) > 2 && n.Text[0] == '<' && n.Text[len(n.Text)-1] == '>' && !slices.Contains(c.marked, n.Text):
		c.bracketed(n)
	}
}

// silent reports an alternative without symbols.
func (c *compiler) silent(a Alternative) {
	if a.Span.Len() > 0 {
		return
	}
	at := at(int(a.Span.Start)-1, int(a.Span.Start))
	severity := source.SeverityInfo
	if strings.HasPrefix(strings.TrimLeft(c.syntax.File.Text[a.Span.Start:], " \t"), "|") && c.syntax.File.Text[at.Start] == '|' {
		severity = source.SeverityWarning // a | | b
	}
	c.report(source.Diagnostic{
		Code: "cfg.empty-silent", Severity: severity, Span: at, Message: "empty alternative; write ε to make it explicit",
		Fixes: []source.Fix{{Title: "Write ε", Edits: []source.Edit{{Span: source.Span{Start: at.End, End: at.End}, Text: " ε"}}}},
	})
}

// bare reports whether a symbol is a terminal that is written without quotes.
func (c *compiler) bare(n Name) bool {
	s, ok := c.g.lookup[n.Text]
	return ok && c.g.IsTerminal(s) && c.syntax.File.Text[n.Span.Start] != '"'
}

// habit reports a terminal with two fixes: the probable intention, and quotes that keep the
// terminal.
func (c *compiler) habit(n Name, message, title, text string) {
	var fixes []source.Fix
	if title != "" {
		fixes = []source.Fix{{Title: title, Edits: []source.Edit{{Span: n.Span, Text: text}}}}
	}
	if n.Text != "" {
		fixes = append(fixes, source.Fix{Title: "Quote it", Edits: []source.Edit{{Span: n.Span, Text: quoteText(n.Text)}}})
	}
	c.warnAt(n.Span, "cfg.habit", message, fixes...)
}

// bracketed reports a terminal in angle brackets that looks like a nonterminal.
func (c *compiler) bracketed(n Name) {
	nonterminals := c.g.Names[c.g.NumTerminals:]
	inner := n.Text[1 : len(n.Text)-1]
	if near := source.Nearest(n.Text, nonterminals); near != "" && near[0] == '<' && unclosed(near) == "" {
		inner = near
	}
	if slices.Contains(nonterminals, inner) {
		c.habit(n, source.Quote(n.Text)+" has no rule; did you mean "+source.Quote(inner)+"?", "Write "+inner, quoteName(inner))
	}
}

// quotation reports symbols that are a text in the quotation marks of another notation.
func (c *compiler) quotation(symbols []Name) bool {
	for _, pair := range quotes {
		marks := []rune(pair)
		opening, closing := string(marks[0]), string(marks[1])
		if !strings.HasPrefix(symbols[0].Text, opening) {
			continue
		}
		for i, n := range symbols {
			if !strings.HasSuffix(n.Text, closing) || i == 0 && len(n.Text) < len(opening)+len(closing)+1 {
				continue
			}
			span := symbols[0].Span.Join(n.Span)
			text := c.syntax.File.Text[span.Start:span.End]
			if strings.Contains(text, `"`) {
				return false
			}
			c.habit(Name{Text: text, Span: span}, source.Quote(text)+" includes its quotation marks; quote with \"", `Use " quotes`, quoteText(text[len(opening):len(text)-len(closing)]))
			c.everywhere(text)
			return true
		}
	}
	return false
}

// everywhere extends the first fix of the last diagnostic to all occurrences of its text as a symbol.
func (c *compiler) everywhere(text string) {
	fix := &c.found[len(c.found)-1].Fixes[0]
	written, all := fix.Edits[0].Text, " "+c.syntax.File.Text+" "
	fix.Edits = nil
	for from := 0; ; {
		i := strings.Index(all[from:], text)
		if i < 0 {
			return
		}
		from += i + len(text)
		if strings.TrimSpace(all[from-len(text)-1:from-len(text)]+all[from:from+1]) == "" {
			fix.Edits = append(fix.Edits, source.Edit{Span: at(from-len(text)-1, from-1), Text: written})
		}
	}
}

// comments are the marks that begin comments of other notations, each with its end. A weak mark
// may be a terminal: it begins a comment only if symbols follow it that occur nowhere else.
var comments = []struct {
	begin, end string
	weak       bool
}{{"//", "", false}, {"/*", "*/", false}, {"(*", "*)", false}, {"<!--", "-->", false}, {"--", "", true}, {";", "", true}, {";;", "", true}, {"%", "", true}}

// comment reports symbols that are a comment in another notation.
func (c *compiler) comment(symbols []Name) bool {
	n := symbols[0]
	last := symbols[len(symbols)-1]
	for _, m := range comments {
		if !strings.HasPrefix(n.Text, m.begin) || m.weak && (n.Text != m.begin || len(symbols) < 3 && m.begin == ";" || !c.remark(symbols[1:])) {
			continue
		}
		whole := Name{Text: "", Span: n.Span.Join(last.Span)}
		text := c.syntax.File.Text[whole.Span.Start:whole.Span.End]
		if m.end != "" && (strings.Count(text, m.end) != 1 || !strings.HasSuffix(text, m.end)) {
			whole.Span = n.Span
			c.habit(whole, source.Quote(m.begin)+" is part of a terminal; comments begin with #", "", "")
			return true
		}
		text = strings.TrimSuffix(text, m.end)
		c.habit(whole, source.Quote(m.begin)+" is part of a terminal; comments begin with #", "Write #", "#"+strings.TrimRight(text[len(m.begin):], " "))
		return true
	}
	return false
}

// special reports a special sequence of ISO EBNF: ? any character ?
func (c *compiler) special(symbols []Name) bool {
	last := symbols[len(symbols)-1]
	if len(symbols) < 3 || symbols[0].Text != "?" || last.Text != "?" || !c.bare(last) {
		return false
	}
	whole := Name{Span: symbols[0].Span.Join(last.Span)}
	text := strings.TrimSpace(c.syntax.File.Text[symbols[0].Span.End:last.Span.Start])
	c.habit(whole, `"?" is a terminal; rules have no special sequences`, "Write one terminal", quoteName(text))
	return true
}

// remark reports whether symbols are probably the words of a comment.
func (c *compiler) remark(symbols []Name) bool {
	for _, n := range symbols {
		if !c.bare(n) {
			return false
		}
		used := 0
		for _, r := range c.rules {
			for _, s := range r.alt.Symbols {
				if s.Text == n.Text && s.Span != n.Span {
					used++
				}
			}
		}
		if used > 0 {
			return false
		}
	}
	return len(symbols) > 0
}

// emptyComment reports an alternative that is only a comment, as Yacc writes the empty word.
func (c *compiler) emptyComment(a Alternative) bool {
	text := c.syntax.File.Text[a.Span.Start:a.Span.End]
	if !strings.HasPrefix(text, "/*") || !strings.HasSuffix(text, "*/") || len(text) < 4 || a.Label != nil {
		return false
	}
	if word := strings.ToLower(strings.TrimSpace(text[2 : len(text)-2])); word == "empty" || word == "epsilon" || word == "nothing" || word == "" {
		c.habit(Name{Text: text, Span: a.Span}, source.Quote(text)+" is a terminal; write ε for the empty word", "Write ε", "ε")
		return true
	}
	return false
}

// regular reports a terminal that is a regular expression, or that is repeated with a count.
func (c *compiler) regular(n Name) bool {
	stem, count, counted := strings.Cut(n.Text, "{")
	switch class := characterClass(n.Text); {
	case class != "":
		c.habit(n, source.Quote(n.Text)+" is one terminal; write a class of characters as "+class, "Write "+class, class)
	case len(n.Text) > 2 && n.Text[0] == '/' && strings.LastIndexByte(n.Text, '/') > 0 && strings.ContainsAny(n.Text, `[]\*+?(`):
		c.habit(n, source.Quote(n.Text)+" is one terminal; rules have no regular expressions", "", "")
	case counted && stem != "" && strings.HasSuffix(count, "}") && strings.Trim(count, "0123456789,}") == "" && len(count) > 1:
		title, text := "", ""
		if times, err := strconv.Atoi(count[:len(count)-1]); err == nil && times > 0 && times <= 20 {
			title, text = "Repeat it", strings.TrimSuffix(strings.Repeat(stem+" ", times), " ")
		}
		c.habit(n, source.Quote(n.Text)+" is one terminal; rules have no counts", title, text)
	default:
		return false
	}
	return true
}

// characterClass returns the terminal of a class of characters such as [a-z], which may be repeated,
// or "" for other texts.
func characterClass(text string) string {
	core := strings.TrimRight(text, "*+?")
	if len(core) < 5 || len(text) > len(core)+1 || core[0] != '[' || strings.IndexByte(core, ']') != len(core)-1 {
		return ""
	}
	inner := strings.TrimPrefix(core[1:len(core)-1], "^")
	if len(inner) < len(core)-2 || strings.Contains(inner, `\`) { // [^"] and [\t ]
		inner = "a-z"
	}
	letter := func(c byte) bool { return unicode.IsLetter(rune(c)) || unicode.IsDigit(rune(c)) }
	switch {
	case len(inner) < 3 || inner[1] != '-' || !letter(inner[0]) || !letter(inner[2]):
		return ""
	case core == text:
		return "⟨" + text + "⟩"
	}
	return "⟨/" + text + "/⟩"
}

// grouped reports a line in which brackets group symbols, or *, + or ? repeats one.
func (c *compiler) grouped(line int, left string, alternatives []Alternative) bool {
	var found *Name
	message := ""
	for _, a := range alternatives {
		open, parts := 0, 0
		for _, n := range a.Symbols {
			if !c.bare(n) {
				continue
			}
			open += strings.Count(n.Text, "(") - strings.Count(n.Text, ")")
			if n.Text == "[" || n.Text == "{" {
				parts++
			} else if n.Text == "]" || n.Text == "}" {
				parts--
			}
			if text := foreignOperator(n.Text); found == nil && text != "" {
				found, message = &n, text
			}
		}
		if found == nil && (open != 0 || parts > 0) {
			for _, n := range a.Symbols {
				if (n.Text == "(" || n.Text == "[" || n.Text == "{") && c.bare(n) {
					found, message = &n, source.Quote(n.Text)+" is a terminal; rules do not support groups"
					break
				}
			}
		}
	}
	if found == nil {
		return c.bracketsApart(line, left, alternatives)
	}
	d := source.Diagnostic{Code: "cfg.habit", Severity: source.SeverityWarning, Span: found.Span, Message: message, Fixes: c.expand(c, line, left)}
	d.Fixes = append(d.Fixes, source.Fix{Title: "Quote it", Edits: []source.Edit{{Span: found.Span, Text: quoteText(found.Text)}}})
	c.report(d)
	return true
}

// bracketsApart reports brackets and braces with spaces around them. Grammars of programs have such
// terminals, so this is a warning only if other symbols precede or follow them and no other
// terminal of the grammar is a sign.
func (c *compiler) bracketsApart(line int, left string, alternatives []Alternative) bool {
	for _, a := range alternatives {
		open := -1
		for i, n := range a.Symbols {
			switch {
			case !c.bare(n):
			case n.Text == "[" || n.Text == "{":
				open = i
			case open >= 0 && i > open+1 && (n.Text == "]" || n.Text == "}"):
				first := a.Symbols[open]
				severity := source.SeverityInfo
				if i-open+1 < len(a.Symbols) && !c.hasSigns() {
					severity = source.SeverityWarning
				}
				d := source.Diagnostic{
					Code: "cfg.habit", Severity: severity, Span: first.Span, Fixes: c.expand(c, line, left),
					Message: source.Quote(first.Text) + " is a terminal; rules have no optional or repeated parts",
				}
				d.Fixes = append(d.Fixes, source.Fix{Title: "Quote it", Edits: []source.Edit{{Span: first.Span, Text: quoteText(first.Text)}}})
				c.report(d)
				return true
			}
		}
	}
	return false
}

// hasSigns reports whether a terminal other than brackets is a sign. It reads all rules once.
func (c *compiler) hasSigns() bool {
	if !c.signsKnown {
		c.signsKnown = true
		c.signs = slices.ContainsFunc(c.rules, func(r rule) bool {
			return slices.ContainsFunc(r.alt.Symbols, func(n Name) bool {
				return c.bare(n) && strings.IndexFunc(n.Text, unicode.IsLetter) < 0 && strings.Trim(n.Text, "[]{}0123456789") != ""
			})
		})
	}
	return c.signs
}

// foreignOperator returns the message about a terminal that contains a bracket or an operator of
// another notation, such as (a, b] or a*. It returns "" for other terminals.
func foreignOperator(text string) string {
	if strings.HasPrefix(text, "(*") || strings.HasSuffix(text, "*)") {
		return "" // a comment
	}
	if characterClass(text) != "" {
		return ""
	}
	core := strings.TrimRight(text, "*+?")
	inner := strings.Trim(text, "()[]{}*+?")
	strange := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-' }
	if strings.IndexFunc(inner, strange) >= 0 || inner == "" && (core == text || len(core) != 1) {
		return ""
	}
	first, last := text[:1], core[max(len(core)-1, 0):]
	opens := strings.ContainsAny(first, "([{")
	closes := strings.ContainsAny(last, ")]}") && !strings.ContainsAny(core, "([{")
	repeats := core != "" && len(core)+1 == len(text) && strings.IndexFunc(last, unicode.IsPunct) < 0 && core != "/"
	switch {
	case len(text) > 1 && (opens || closes):
		return source.Quote(text) + " is one terminal; rules do not support groups"
	case repeats:
		return source.Quote(text) + " is one terminal; rules do not support the operator " + source.Quote(text[len(core):])
	}
	return ""
}
