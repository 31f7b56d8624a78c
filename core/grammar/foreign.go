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
var emptyNames = []string{"epsilon", "eps", "lambda", "empty", "λ", "ϵ", "<empty>", "<epsilon>", "EPSILON"}

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
			if a.Span.Len() == 0 {
				at := at(int(a.Span.Start)-1, int(a.Span.Start))
				c.report(source.Diagnostic{
					Code: "cfg.empty-silent", Severity: source.SeverityInfo, Span: at, Message: "empty alternative; write ε to make it explicit",
					Fixes: []source.Fix{{Title: "Write ε", Edits: []source.Edit{{Span: source.Span{Start: at.End, End: at.End}, Text: " ε"}}}},
				})
			}
			for j, n := range a.Symbols {
				if !c.bare(n) {
					continue
				}
				if c.quotation(a.Symbols[j:]) || c.comment(a.Symbols[j:]) {
					break
				}
				stem, end := strings.TrimSuffix(n.Text, ";"), j == len(a.Symbols)-1
				switch {
				case len(a.Symbols) == 1 && slices.Contains(emptyNames, n.Text):
					c.habit(n, strconv.Quote(n.Text)+" is a terminal; write ε for the empty word", "Write ε", "ε")
				case stem == "" && end && k == len(alternatives)-1:
					semicolons = append(semicolons, n)
				case stem != n.Text && end && stem != "":
					c.habit(n, `";" is part of the symbol `+strconv.Quote(n.Text), `Remove ";"`, stem)
				case len(n.Text) > 2 && n.Text[0] == '<' && n.Text[len(n.Text)-1] == '>':
					c.bracketed(n)
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
	if near := source.Nearest(n.Text, nonterminals); near != "" && near[0] == '<' {
		inner = near
	}
	if slices.Contains(nonterminals, inner) {
		c.habit(n, strconv.Quote(n.Text)+" has no rule; did you mean "+strconv.Quote(inner)+"?", "Write "+inner, quoteName(inner))
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
			c.habit(Name{Text: text, Span: span}, strconv.Quote(text)+" includes its quotation marks; quote with \"", `Use " quotes`, quoteText(text[len(opening):len(text)-len(closing)]))
			return true
		}
	}
	return false
}

// comment reports symbols that are a comment in another notation.
func (c *compiler) comment(symbols []Name) bool {
	n := symbols[0]
	mark := n.Text[:min(2, len(n.Text))]
	if mark != "//" && mark != "/*" {
		return false
	}
	last := symbols[len(symbols)-1]
	whole := Name{Text: "", Span: n.Span.Join(last.Span)}
	text := c.syntax.File.Text[whole.Span.Start:whole.Span.End]
	if mark == "/*" && strings.Count(text, "*/") == 1 && strings.HasSuffix(text, "*/") {
		text = text[:len(text)-2]
	} else if mark == "/*" {
		whole.Span = n.Span
		c.habit(whole, `"/*" is part of a terminal; comments begin with #`, "", "")
		return true
	}
	c.habit(whole, strconv.Quote(mark)+" is part of a terminal; comments begin with #", "Write #", "#"+strings.TrimRight(text[2:], " "))
	return true
}

// grouped reports a line in which brackets group symbols, or *, + or ? repeats one.
func (c *compiler) grouped(line int, left string, alternatives []Alternative) bool {
	var found *Name
	message := ""
	for _, a := range alternatives {
		open := 0
		for _, n := range a.Symbols {
			if !c.bare(n) {
				continue
			}
			open += strings.Count(n.Text, "(") - strings.Count(n.Text, ")")
			if text := foreignOperator(n.Text); found == nil && text != "" {
				found, message = &n, text
			}
		}
		if found == nil && open != 0 {
			for _, n := range a.Symbols {
				if n.Text == "(" && c.bare(n) {
					found, message = &n, `"(" is a terminal; rules do not support groups`
					break
				}
			}
		}
	}
	if found == nil {
		return false
	}
	d := source.Diagnostic{Code: "cfg.habit", Severity: source.SeverityWarning, Span: found.Span, Message: message, Fixes: c.expand(c, line, left)}
	d.Fixes = append(d.Fixes, source.Fix{Title: "Quote it", Edits: []source.Edit{{Span: found.Span, Text: quoteText(found.Text)}}})
	c.report(d)
	return true
}

// foreignOperator returns the message about a terminal that a bracket or an operator of another
// notation is part of, such as (a, b] or a*. It is "" for other terminals.
func foreignOperator(text string) string {
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
		return strconv.Quote(text) + " is one terminal; rules do not support groups"
	case repeats:
		return strconv.Quote(text) + " is one terminal; rules do not support the operator " + strconv.Quote(text[len(core):])
	}
	return ""
}
