package language

import (
	"strings"

	"github.com/stile-playground/stile/core/habit"
	"github.com/stile-playground/stile/core/source"
)

// listOf returns the list of a fault: its place, and its items as spans and texts.
func listOf(text string, fault source.Diagnostic) (at source.Span, items []source.Span, words []string) {
	open := fault.Span.Start
	if !strings.HasPrefix(text[open:], "(") {
		open, _ = listAt(text, open)
	}
	items, end := form(text, open)
	for _, item := range items {
		words = append(words, text[item.Start:item.End])
	}
	return source.Span{Start: open, End: end}, items, words
}

// infixes are operators of other notations between their arguments, with their names in behaviours.
var infixes = map[string]string{
	"|": "or", "||": "or", "or": "or", "/": "or", "OR": "or", "until": "until", "U": "until", "and": "and", "&": "and", "&&": "and",
	"->": "next", "→": "next", ">": "next", ">>": "next", "then": "next", ";": "next", "=>": "next", ".": "next", ",": "next", "next": "next",
}

// infix writes the operator of a list first.
func infix(text string, fault source.Diagnostic) (p habit.Proposal) {
	if fault.Code != "agent.operator" && fault.Code != "agent.formula" && fault.Code != "agent.state-unknown" {
		return p
	}
	list, _, words := listOf(text, fault)
	if len(words) == 1 && strings.Count(words[0], "|") > 0 { // (a|b)
		words = strings.Split(strings.ReplaceAll(words[0], "|", " | "), " ")
	}
	if len(words) < 3 || len(words)%2 == 0 {
		return p
	}
	own := infixes[words[1]]
	written := own
	for i, word := range words {
		switch {
		case i%2 == 0:
			written += " " + word
		case own == "" || infixes[word] != own || own == "until" && i > 1:
			return p
		}
	}
	return edited(list.Start, list.End, "("+written+")", "Write ("+own+" …)", "write the operator first: ("+own+" …), not "+habit.Quote(text[list.Start:list.End]))
}

// repeatedPart writes a part with a sign of regular expressions, as in (next f* g) or (next (optional f) g), with
// until.
func repeatedPart(text string, fault source.Diagnostic) (p habit.Proposal) {
	_, items, words := listOf(text, fault)
	at := fault.Span
	if fault.Code == "agent.operator" { // (optional f)
		if open, ok := listAt(text, at.Start-1); ok && len(words) == 2 {
			at.Start = at.Start - 1
			_, items, words = listOf(text, source.Diagnostic{Span: source.Span{Start: open + 1, End: open + 1}})
		}
	}
	for i := 1; i+1 < len(items); i++ {
		m := habit.Match(`([\w.-]+)([*+?])$|\((optional|opt|maybe|\?|\+)\s+([\w.-]+|\([^()]*\))\s*\)$`, words[i])
		if items[i].Start != at.Start || m == nil || strings.ContainsAny(words[i+1], "*+?") {
			continue
		}
		part, sign := m[1]+m[4], m[2]+m[3]
		written := map[string]string{"*": "(until ", "+": part + " (until "}[sign]
		if written == "" {
			written = "(until_1 "
		}
		written += part + " " + words[i+1] + ")"
		p = edited(items[i].Start, items[i+1].End, written, "Write "+written, "unexpected "+habit.Quote(words[i])+"; repetition is written (until f g) or (always f)")
		p.At = items[i]
		return p
	}
	return p
}

// endless writes a loop that something follows with until instead of always.
func endless(text string, fault source.Diagnostic) (p habit.Proposal) {
	open, ok := listAt(text, fault.Span.Start)
	outer, found := listAt(text, open)
	if fault.Code != "agent.always-tail" || !ok || !found {
		return p
	}
	inner, end := form(text, open)
	items, _ := form(text, outer)
	for i, item := range items {
		if item.Start == open && len(inner) == 2 && i+1 < len(items) {
			p = edited(open, items[i+1].End, "(until "+text[inner[1].Start:end-1]+" "+text[items[i+1].Start:items[i+1].End]+")", "Write (until f g)", fault.Message)
			p.At = fault.Span
		}
	}
	return p
}

// inputFlag adds the flag of the environment to a state with a source.
func inputFlag(text string, fault source.Diagnostic) (p habit.Proposal) {
	if fault.Code != "agent.from" || !strings.Contains(fault.Message, "not an input") {
		return p
	}
	open, _ := listAt(text, fault.Span.Start)
	p = edited(open, open, "(:flags :env-input) ", "Add (:flags :env-input)", fault.Message)
	p.At = fault.Span
	return p
}

// secondSection moves the items of a second section of the same kind to the first one.
func secondSection(text string, fault source.Diagnostic) (p habit.Proposal) {
	section := text[fault.Span.Start:fault.Span.End]
	first := habit.NewPattern(`\(`+escape(section)+`\b`).Find(text, 0)
	if fault.Code != "agent.twice" || first == nil || section != ":require" && section != ":states" && section != ":examples" {
		return p
	}
	list, items, _ := listOf(text, fault)
	_, end := form(text, source.Pos(first[0]))
	if len(items) < 2 || end > list.Start {
		return p
	}
	return habit.Proposal{
		At: fault.Span, Title: "Join them", Message: fault.Message,
		Edits: append([]source.Edit{{Span: source.Span{Start: end - 1, End: end - 1}, Text: " " + text[items[1].Start:items[len(items)-1].End]}}, cut(text, list)...),
	}
}

// bareFormula quotes a formula that is written as a list.
func bareFormula(text string, fault source.Diagnostic) (p habit.Proposal) {
	begin := strings.LastIndex(text[:fault.Span.Start], "(:require")
	if fault.Code != "agent.require" || begin < 0 {
		return p
	}
	section := habit.NewPattern(`\(:require\s+'?`).Find(text, begin)
	if section == nil || section[0] != begin {
		return p
	}
	_, end := form(text, source.Pos(section[0]))
	formula := text[section[1] : end-1]
	if items, close := form(text, source.Pos(section[1])); strings.HasPrefix(formula, "(") && close == end-1 {
		formula = text[items[0].Start : close-1]
	}
	if strings.Contains(formula, `"`) || strings.TrimSpace(formula) == "" {
		return p
	}
	from := source.Pos(section[1])
	if text[from-1] == '\'' {
		from--
	}
	return edited(from, end-1, `"`+formula+`"`, "Quote it", "quote the formula "+habit.Quote(formula))
}

// nestedProperty closes the list of a property before another property in it.
func nestedProperty(text string, fault source.Diagnostic) (p habit.Proposal) {
	list, items, words := listOf(text, fault)
	for i := 1; i < len(items); i++ {
		if !strings.HasPrefix(words[i], "(:") || !strings.HasPrefix(words[0], ":") {
			continue
		}
		end := items[i-1].End
		return habit.Proposal{
			At: fault.Span, Title: "Close it before", Message: `missing ")" before ` + habit.Quote(words[i]),
			Edits: []source.Edit{{Span: source.Span{Start: end, End: end}, Text: ")"}, {Span: source.Span{Start: list.End - 1, End: list.End}}},
		}
	}
	return p
}
