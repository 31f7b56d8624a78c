package language

import (
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/habit"
	"github.com/stile-playground/stile/core/source"
)

// usedElsewhere reports whether a symbol occurs on another line of a grammar.
func usedElsewhere(text, symbol string, start, end int) bool {
	pattern := habit.NewPattern(`(?:^|[\s|])` + escape(symbol) + `(?:[\s|]|$)`)
	return pattern.Find(text[:start], 0) != nil || pattern.Find(text[min(end, len(text)):], 0) != nil
}

// beforeRule are words that other notations write before a rule.
const beforeRule = " public private protected rule syntax entry abstract partial override inline lexical keyword token terminal nonterminal nonterm type val auto static const final my local set let def production prod top fragment export define pub var start symbol case "

// leftSide reports several symbols on a left side: a word or a mark before the rule, a declaration after
// its symbol, or a name of several words.
func leftSide(text string, fault source.Diagnostic) habit.Proposal {
	if fault.Code != "cfg.left-many" {
		return habit.Proposal{}
	}
	start, end := lineAt(text, fault.Span.Start)
	left := text[fault.Span.Start:fault.Span.End]
	words := strings.Fields(left)
	first, last := words[0], words[len(words)-1]
	before := strings.TrimSpace(strings.TrimSuffix(left, last))
	after := strings.TrimSpace(strings.TrimPrefix(left, first))
	plain := habit.Match(`[A-Za-z_]`, first) != nil
	switch {
	case len(words) == 2 && len(first) > 1 && strings.HasSuffix(first, "."), !plain && !strings.HasPrefix(first, "<") && !usedElsewhere(text, first, start, end), plain && strings.Contains(beforeRule, " "+strings.ToLower(first)+" "),
		plain && len(words) == 2 && usedElsewhere(text, last, start, end) && !usedElsewhere(text, first, start, end) && !strings.Contains(text[int(fault.Span.End):end], first):
		at := fault.Span.Start
		return edited(at, at+source.Pos(len(before)), "", "Remove it", "unexpected "+habit.Quote(before)+" before the rule; its left side is one symbol")
	case habit.Match(`(?:returns|locals|throws|options|scope|extends|implements|is|int|string|@|\[|\(|:|#|\{|<)`, after) != nil:
		from := fault.Span.End - source.Pos(len(after))
		p := edited(from-1, fault.Span.End, "", "Remove it", "unexpected "+habit.Quote(after)+" after the symbol of the rule")
		p.At.Start = from
		return p
	case habit.Match(`[\w' -]+$`, left) == nil:
		return habit.Proposal{}
	}
	p := habit.Proposal{At: fault.Span, Title: "Quote the name", Message: "expected one symbol before the arrow; quote a name with spaces"}
	pattern := habit.NewPattern(`(?:^|\s)(` + escape(left) + `)(?:\s|$)`)
	for m := pattern.Find(text, 0); m != nil; m = pattern.Find(text, m[3]) {
		p.Edits = append(p.Edits, source.Edit{Span: source.Span{Start: source.Pos(m[2]), End: source.Pos(m[3])}, Text: `"` + left + `"`})
	}
	return p
}

// secondArrow reports a second arrow that is no rule without its line break: a doubled arrow, a lexer
// command of ANTLR, a tree, or an alias of Lark.
func secondArrow(text string, fault source.Diagnostic) habit.Proposal {
	if fault.Code != "cfg.arrow-twice" {
		return habit.Proposal{}
	}
	start, end := lineAt(text, fault.Span.Start)
	for _, stop := range []string{" | ", " #"} {
		if i := strings.Index(text[fault.Span.End:end], stop); i >= 0 {
			end = int(fault.Span.End) + i
		}
	}
	before, after := strings.TrimRight(text[start:fault.Span.Start], " \t"), strings.TrimSpace(text[fault.Span.End:end])
	from, to := source.Pos(start+len(before)), fault.Span.End+source.Pos(len(strings.TrimRight(text[fault.Span.End:end], " \t")))
	command := strings.TrimSuffix(text[fault.Span.Start:to], ";")
	words := strings.Fields(before)
	previous := words[len(words)-1]
	at := source.Span{Start: fault.Span.Start, End: to}
	write := func(written, title, message string) habit.Proposal {
		p := edited(from, to, written, title, message)
		p.At = at
		return p
	}
	switch {
	case strings.HasSuffix(before, "->") || strings.HasSuffix(before, "→") || strings.HasSuffix(before, "=") || previous == "|":
		p := edited(from, fault.Span.End, "", "Remove it", `unexpected second arrow "`+text[fault.Span.Start:fault.Span.End]+`"`)
		p.At = fault.Span
		return p
	case habit.Match(`(?:skip|more|popMode|\w+\(\w*\))(?:[ \t]*,[ \t]*(?:skip|more|popMode|\w+\(\w*\)))*;?$`, after) != nil:
		return write("", "Remove it", "unexpected second arrow in "+habit.Quote(command)+"; rules have no commands")
	case habit.Match(`(?:\^?\(|\{|<|\$)`, after) != nil:
		return write("", "Remove it", "unexpected second arrow in "+habit.Quote(command)+"; rules have no actions")
	case habit.Match(`[\w.-]+$`, after) != nil && (previous == words[0] || !usedElsewhere(text, previous, start, source.LineEnd(text, start)) && strings.Count(" "+before+" ", " "+previous+" ") < 2 && !slices.Contains(words[:len(words)-1], previous)):
		return write(` as "`+after+`"`, "Write as", "unexpected second arrow in "+habit.Quote(command)+"; write an alias as a label")
	}
	return habit.Proposal{}
}

// wordsOfProse are words of sentences that grammars rarely have as symbols.
const wordsOfProse = " the an is are of and for this that here where with to in on by means following grammar every must each any below above can defines describes generates language rules rule note example plan: these so that let which "

// prose reports a line of text that is no rule.
func prose(text string, fault source.Diagnostic) habit.Proposal {
	line := text[fault.Span.Start:fault.Span.End]
	words := strings.Fields(line)
	if fault.Code != "cfg.arrow-missing" || len(words) == 0 || strings.ContainsAny(line, `|=→"[]{}`) || strings.Contains(line, "->") {
		return habit.Proposal{}
	}
	common, plain := 0, true
	for _, w := range words {
		bare := strings.ToLower(strings.Trim(w, ".,:;!?()"))
		if strings.Contains(wordsOfProse, " "+bare+" ") {
			common++
		}
		plain = plain && habit.Match(`\(?[A-Za-zÀ-ÿ0-9'’_<>-]+[.,:;!?)]*$`, w) != nil
	}
	heading := strings.HasSuffix(line, ":") && words[0] != "limit" || strings.HasSuffix(line, ".") && len(words) > 2
	start, end := lineAt(text, fault.Span.Start)
	next := strings.TrimLeft(text[min(end+1, len(text)):], " \t")
	switch {
	case !plain, len(words) < 3 && !heading, len(words) >= 3 && common == 0 && !heading, words[0] == "limit":
		return habit.Proposal{}
	case len(words) == 1 && (strings.HasPrefix(next, "|") || strings.HasPrefix(next, "-") || usedElsewhere(text, strings.TrimSuffix(words[0], ":"), start, end)):
		return habit.Proposal{}
	}
	p := edited(fault.Span.Start, fault.Span.Start, "# ", "Make it a comment", "unexpected text "+habit.Quote(line)+"; comments begin with #")
	p.At = fault.Span
	return p
}

// blocks are the beginnings of blocks of other notations, each with the line that ends the block.
var blocks = [][2]string{{`%\{`, "%}"}, {`\{%`, "%}"}, {`%(?:code|union|parse-param|lex-param|initial-action|printer|destructor)\b[^\n{]*\{`, "}"}, {`(?:@\w+(?:::\w+)?|options|tokens|channels)[ \t]*\{`, "}"}, {`@[ \t]*\{`, "}"}, {`<%`, "%>"}, {`/\*`, "*/"}, {`\(\*`, "*)"}}

// block reports a block of several lines.
func block(text string, fault source.Diagnostic) habit.Proposal {
	start, end := lineAt(text, fault.Span.Start)
	from := start + len(text[start:end]) - len(strings.TrimLeft(text[start:end], " \t"))
	for _, b := range blocks {
		m := habit.Match(b[0], text[from:])
		if m == nil || strings.Contains(text[from+len(m[0]):end], b[1]) {
			continue
		}
		for next := end + 1; next < len(text); next = source.LineEnd(text, next) + 1 {
			if line := strings.TrimSpace(text[next:source.LineEnd(text, next)]); line == b[1] || b[1] != "}" && strings.HasSuffix(line, b[1]) {
				to := source.LineEnd(text, next)
				return edited(source.Pos(start), source.Pos(min(to+1, len(text))), "", "Remove it", "unsupported block "+habit.Quote(strings.TrimRight(text[from:end], " \t"))+"; a grammar contains rules only")
			}
		}
	}
	return habit.Proposal{}
}

// braced removes the line that opens a block, such as "grammar G {", and the line that closes it.
func braced(text string, fault source.Diagnostic) habit.Proposal {
	start, end := lineAt(text, fault.Span.Start)
	line := strings.TrimSpace(text[start:end])
	closing := habit.NewPattern(`^[ \t]*[}\])]+;?[ \t]*$`)
	if !strings.HasSuffix(line, "{") || strings.Contains(line, "->") {
		return habit.Proposal{}
	}
	from := source.Pos(start + strings.Index(text[start:end], line))
	p := habit.Proposal{At: source.Span{Start: from, End: from + source.Pos(len(line))}, Title: "Remove it", Message: "unexpected " + habit.Quote(line) + "; a grammar has no blocks"}
	if m := habit.Match(`([^\s=:]+)[ \t]*(?:=|:|:=|::=)[ \t]*[_@$!]?\{$`, line); m != nil { // a rule of Pest
		p.Edits = append(p.Edits, source.Edit{Span: source.Span{Start: from, End: source.Pos(end)}, Text: m[1] + " ->"})
		p.Title, p.Message = "Write ->", `unexpected `+habit.Quote(line)+`; write the arrow "->"`
		if next := end + 1; next < len(text) && !strings.HasPrefix(strings.TrimSpace(text[next:]), "|") {
			p.Edits[0].Span.End = source.Pos(next + len(text[next:]) - len(strings.TrimLeft(text[next:], " \t")))
			p.Edits[0].Text += " "
		}
	} else {
		p.Edits = cutLine(text, p.At)
	}
	if m := closing.Find(text, end); m != nil {
		p.Edits = append(p.Edits, cutLine(text, source.Span{Start: source.Pos(m[0]), End: source.Pos(m[1])})...)
	}
	return p
}

// listedRule writes a rule whose alternatives are a list of YAML.
func listedRule(text string, fault source.Diagnostic) habit.Proposal {
	start, _ := lineAt(text, fault.Span.Start)
	m := habit.NewPattern(`^([^\s:]+)(:)[ \t]*\n((?:[ \t]*-[ \t]+[^\n]+(?:\n|$))+)`).Find(text, start)
	if m == nil || m[0] != start {
		return habit.Proposal{}
	}
	var parts []string
	for _, line := range strings.Split(strings.TrimSpace(text[m[6]:m[7]]), "\n") {
		parts = append(parts, strings.Trim(strings.TrimPrefix(strings.TrimSpace(line), "-"), ` "'`))
	}
	p := edited(source.Pos(m[2]), source.Pos(m[7]), text[m[2]:m[3]]+" -> "+strings.Join(parts, " | ")+"\n", "Write one rule", `unknown arrow ":"; write "->" and separate alternatives with "|"`)
	p.At = source.Span{Start: source.Pos(m[4]), End: source.Pos(m[5])}
	return p
}

// limitLine corrects a limit: the word "limit" or "each", or a number that is not a whole one.
func limitLine(text string, fault source.Diagnostic) habit.Proposal {
	start, end := lineAt(text, fault.Span.Start)
	word := text[fault.Span.Start:fault.Span.End]
	words := strings.Fields(text[start:end])
	change := func(written, message string) habit.Proposal {
		return edited(fault.Span.Start, fault.Span.End, written, "Write "+written, message)
	}
	switch {
	case len(words) == 0:
	case fault.Code == "cfg.limit-number":
		m := habit.NewPattern(`\d+`).Find(word, 0)
		if m == nil {
			return habit.Proposal{}
		}
		return change(word[m[0]:m[1]], "expected a whole number after limit, not "+habit.Quote(word))
	case fault.Code == "cfg.limit-form" && source.Distance(strings.ToLower(word), "except", 4) < 4:
		return change("except", "unknown word "+habit.Quote(word)+`; did you mean "except"?`)
	case fault.Code == "cfg.limit-unknown" && word == "except":
		return change("each except", `missing "each" before "except"`)
	case fault.Code == "cfg.limit-unknown" && len(words) > 2 && words[2] == word && len(word) > 2 && source.Distance(strings.ToLower(strings.Trim(word, ",")), "each", 3) < 3 && word != "each," &&
		!slices.ContainsFunc(strings.Fields(text[:start]), func(other string) bool { return habit.Resembles(word, other) }):
		return change("each", "unknown word "+habit.Quote(word)+`; did you mean "each"?`)
	case fault.Code == "cfg.arrow-missing" && len(words) > 2 && words[0] != "limit" && len(words[0]) > 3 && source.Distance(strings.ToLower(words[0]), "limit", 3) < 3 && habit.Match(`\d+$|each$`, words[1]) != nil:
		from := source.Pos(start + strings.Index(text[start:end], words[0]))
		return edited(from, from+source.Pos(len(words[0])), "limit", "Write limit", "unknown word "+habit.Quote(words[0])+`; did you mean "limit"?`)
	}
	return habit.Proposal{}
}

// unknownLimit removes an unknown symbol from a limit, or the limit if it has no other symbol.
func unknownLimit(text string, fault source.Diagnostic) habit.Proposal {
	if fault.Code != "cfg.limit-unknown" || len(fault.Fixes) > 0 {
		return habit.Proposal{}
	}
	start, end := lineAt(text, fault.Span.Start)
	p := habit.Proposal{Edits: cutLine(text, fault.Span), At: fault.Span, Title: "Remove the line", Message: fault.Message}
	if words := strings.Fields(text[start:end]); len(words) > 3 && words[len(words)-2] != "except" {
		p.Edits, p.Title = []source.Edit{{Span: source.Span{Start: fault.Span.Start - 1, End: fault.Span.End}}}, "Remove it"
	}
	return p
}

// directive reports a line that begins with % or @ and does not resemble a directive of this notation.
func directive(text string, fault source.Diagnostic) habit.Proposal {
	start, end := lineAt(text, fault.Span.Start)
	line := strings.TrimSpace(text[start:end])
	m := habit.Match(`[%@][A-Za-z][\w-]*`, line)
	if m == nil || fault.Code != "cfg.directive" && fault.Code != "cfg.arrow-missing" {
		return habit.Proposal{}
	}
	word := strings.ToLower(m[0][1:])
	if source.Distance(word, "start", 3) < 3 || source.Distance(word, "subset", 3) < 3 {
		return habit.Proposal{}
	}
	at := source.Pos(start + strings.Index(text[start:end], line))
	return edited(at, at+source.Pos(len(line)), "", "Remove it", "unsupported directive "+habit.Quote(line))
}

// manyStarts keeps the first symbol after %start.
func manyStarts(text string, fault source.Diagnostic) habit.Proposal {
	words := strings.Fields(text[fault.Span.Start:fault.Span.End])
	if fault.Code != "cfg.start-one" || len(words) < 3 || slices.Contains(words, "->") {
		return habit.Proposal{}
	}
	line := text[fault.Span.Start:fault.Span.End]
	from := fault.Span.Start + source.Pos(strings.Index(line, words[1])+len(words[1]))
	p := edited(from, fault.Span.End, "", "Keep "+words[1], "expected one symbol after %start, not "+habit.Quote(strings.TrimPrefix(line, words[0])))
	p.At.Start = from + 1
	return p
}

// dataFile reports a text in JSON or a table of a program.
func dataFile(text string, _ source.Diagnostic) (p habit.Proposal) {
	from := len(text) - len(strings.TrimLeft(text, " \t\r\n"))
	m := habit.Match(`(?:(?:(?:const|let|var)[ \t]+)?\w+[ \t]*=[ \t]*)?[{\[]\s*(?:["'\[{]|\w+:)`, text[from:])
	if m == nil || strings.Contains(text, "->") {
		return p
	}
	start := source.Pos(from)
	_, end := lineAt(text, start)
	p = edited(start, source.Pos(len(text)), "S -> a", "", "unexpected "+habit.Quote(text[from:end])+"; write a rule with an arrow: S -> a")
	p.At, p.None = source.Span{Start: start, End: source.Pos(end)}, true
	return p
}
