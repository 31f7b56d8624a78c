package language

import (
	"strconv"
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
	if len(words) == 1 { // (a|b)
		words = strings.Fields(strings.NewReplacer("|", " | ", "->", " -> ", "=>", " -> ", "→", " -> ", ">>", " -> ").Replace(words[0]))
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

// repeaters are operators of other notations with one argument, with their signs in regular expressions.
var repeaters = map[string]string{
	"*": "*", "repeat": "*", "loop": "*", "star": "*", "many": "*", "many0": "*", "while": "*", "zero-or-more": "*", "zero_or_more": "*", "rep": "*", "kleene": "*", "iterate": "*", "times": "*", "repeat-n": "*",
	"+": "+", "plus": "+", "one-or-more": "+", "one_or_more": "+", "many1": "+", "some": "+", "repeat1": "+",
	"?": "?", "optional": "?", "opt": "?", "maybe": "?", "optionally": "?", "zero-or-one": "?",
}

// repeatedPart writes a part with a sign of regular expressions, as in (next f* g), (next (optional f) g) or
// (next (repeat 3 f) g), with until.
func repeatedPart(text string, fault source.Diagnostic) (p habit.Proposal) {
	at := fault.Span
	if !strings.HasPrefix(fault.Code, "agent.") || at.Len() == 0 {
		return p
	}
	open, ok := listAt(text, at.Start)
	inner, _ := form(text, open)
	part, sign, bounds, message := "", "", "", ""
	if m := habit.Match(`([\w.-]+)([*+?]|\{(\d+)(?:,(\d+))?\})$`, text[at.Start:at.End]); m != nil && ok {
		part, sign = m[1], m[2]
		message = "unexpected " + habit.Quote(m[0]) + "; repetition is written (until f g) or (always f)"
		if m[3] != "" {
			sign, bounds = "*", "_"+m[3]+"_"+m[4]
			if m[4] == "" {
				bounds += m[3]
			}
		}
	} else if ok && len(inner) > 1 && len(inner) < 4 && inner[0] == at {
		word := func(i int) string { return text[inner[i].Start:inner[i].End] }
		part, sign = word(1), repeaters[word(0)]
		message = "unknown operator " + habit.Quote(word(0)) + "; write a repetition as (until f g)"
		if fault.Code == "agent.arity" && strings.HasPrefix(word(0), "until") {
			sign, bounds, message = "*", strings.TrimPrefix(word(0), "until"), fault.Message
		}
		if len(inner) == 3 {
			number := word(2)
			if habit.Match(`\d+$`, part) != nil {
				part, number = number, part
			}
			if habit.Match(`\d+$`, number) == nil {
				return p
			}
			bounds = "_" + number + "_" + number
		}
		at.Start = open
		open, ok = listAt(text, open)
	}
	items, end := form(text, open)
	for i := 1; ok && sign != "" && i+1 < len(items); i++ {
		next := text[items[i+1].Start:items[i+1].End]
		if items[i].Start != at.Start || strings.HasSuffix(text[items[0].Start:items[0].End], "until") || habit.Match(`[\w.-]+[*+?]$`, next) != nil {
			continue
		}
		written := map[string]string{"*": "(until" + bounds, "+": part + " (until", "?": "(until_1"}[sign] + " " + part + " " + next + ")"
		from, to := items[i].Start, items[i+1].End
		if len(items) == 3 && sign != "+" {
			from, to = open, end
		}
		p = edited(from, to, written, "Write "+written, message)
		p.At = fault.Span
		return p
	}
	return p
}

// numbers are the words for numbers in bounds.
const numbers = " zero one two three four five six seven eight nine ten once twice thrice "

// wordedBound writes a number in a bound with digits.
func wordedBound(text string, fault source.Diagnostic) (p habit.Proposal) {
	m := habit.Match(`(until|always)[_-]?([a-z]+)(?:_([a-z]+))?$`, text[fault.Span.Start:fault.Span.End])
	if m == nil || fault.Code != "agent.operator" {
		return p
	}
	written := m[1]
	for _, word := range m[2:] {
		before, _, ok := strings.Cut(numbers, " "+word+" ")
		if n := strings.Count(before, " "); word != "" && ok && n > 0 {
			if n > 10 {
				n -= 10
			}
			written += "_" + strconv.Itoa(n)
		} else if word != "" {
			return p
		}
	}
	return edited(fault.Span.Start, fault.Span.End, written, "Write "+written, "invalid bound "+habit.Quote(m[0])+`; write it as "`+written+`"`)
}

// emptyPart writes an alternative to nothing, as in (next (or f ε) g), with until_1.
func emptyPart(text string, fault source.Diagnostic) (p habit.Proposal) {
	list, items, words := listOf(text, fault)
	if strings.HasPrefix(text[fault.Span.Start:], "()") {
		open, _ := listAt(text, fault.Span.Start)
		list, items, words = listOf(text, source.Diagnostic{Span: source.Span{Start: open, End: open + 1}})
	}
	outer, ok := listAt(text, list.Start)
	if !ok || len(items) != 3 || words[0] != "or" || habit.Match(`(?:ε|λ|\(\)|empty|nil|null|epsilon|none|nothing|skip|:empty)$`, text[fault.Span.Start:fault.Span.End]) == nil {
		return p
	}
	part := words[1]
	if items[1].Start == fault.Span.Start {
		part = words[2]
	}
	siblings, _ := form(text, outer)
	for i, item := range siblings {
		if item == list && i+1 < len(siblings) && text[siblings[0].Start:siblings[0].End] == "next" {
			next := siblings[i+1]
			written := "(until_1 " + part + " " + text[next.Start:next.End] + ")"
			p = edited(list.Start, next.End, written, "Write "+written, "unexpected "+habit.Quote(text[fault.Span.Start:fault.Span.End])+"; write an optional part as (until_1 f g)")
			p.At = fault.Span
		}
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
