package language

import (
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/habit"
	"github.com/stile-playground/stile/core/source"
)

// initialValue writes the value of a function in the initial state, such as (water 2), as an equation.
func initialValue(text string, fault source.Diagnostic) (p habit.Proposal) {
	open, ok := listAt(text, fault.Span.Start)
	items, end := form(text, open)
	if !ok || fault.Code != "strips.term" || len(items) < 2 || items[len(items)-1] != fault.Span || habit.Match(`-?\d+(?:\.\d+)?$`, text[fault.Span.Start:fault.Span.End]) == nil {
		return p
	}
	name := text[items[0].Start:items[0].End]
	if habit.NewPattern(`\(:functions[^:]*\(`+escape(name)+`[\s)]`).Find(text, 0) == nil {
		return p
	}
	left := strings.TrimRight(text[open:fault.Span.Start], " \t\n") + ")"
	own := "(= " + left + " " + text[fault.Span.Start:fault.Span.End] + ")"
	return edited(open, end, own, "Write "+own, "write a value as "+own+"; "+habit.Quote(name)+" is a function")
}

// usedType replaces the unknown type of an object with the only type of the domain that no object has.
func usedType(text string, fault source.Diagnostic) (p habit.Proposal) {
	types, objects := habit.NewPattern(`\(:types([^()]*)\)`).Find(text, 0), habit.NewPattern(`\(:objects([^()]*)\)`).Find(text, 0)
	if fault.Code != "strips.type" || types == nil || objects == nil || int(fault.Span.Start) < objects[2] || int(fault.Span.End) > objects[3] || !strings.HasPrefix(fault.Message, "unknown") {
		return p
	}
	free := ""
	for _, name := range strings.Fields(text[types[2]:types[3]]) {
		switch {
		case name == "-":
			return p // a hierarchy
		case slices.Contains(strings.Fields(text[objects[2]:objects[3]]), name):
		case free != "":
			return p
		default:
			free = name
		}
	}
	if free == "" {
		return p
	}
	return edited(fault.Span.Start, fault.Span.End, free, "Write "+free, fault.Message)
}

// firstTerm adds a parameter of the action before the terms of an atom with too few terms.
func firstTerm(text string, fault source.Diagnostic) (p habit.Proposal) {
	if p = fewTerms(text, fault); len(p.Edits) == 0 {
		return p
	}
	items, _ := form(text, fault.Span.Start)
	p.Edits[0].Span = source.Span{Start: items[0].End, End: items[0].End}
	return p
}

// partOf corrects an unknown predicate to one whose name begins it, or begins with it.
func partOf(text string, fault source.Diagnostic) (p habit.Proposal) {
	word := text[fault.Span.Start:fault.Span.End]
	section := habit.NewPattern(`\(:predicates\b`).Find(text, 0)
	if section == nil || fault.Code != "strips.predicate" || !strings.HasPrefix(fault.Message, "unknown") {
		return p
	}
	open, _ := listAt(text, fault.Span.Start)
	here, _ := form(text, open)
	list, _ := form(text, source.Pos(section[0]))
	for _, item := range list[1:] {
		if text[item.Start] != '(' {
			continue
		}
		parts, _ := form(text, item.Start)
		if len(parts) == 0 {
			continue
		}
		name := text[parts[0].Start:parts[0].End]
		if terms := strings.Count(text[item.Start:item.End], "?"); len(name) > 1 && terms == len(here)-1 && (strings.HasPrefix(word, name) || strings.HasPrefix(name, word)) {
			return edited(fault.Span.Start, fault.Span.End, name, "Write "+name, "unknown predicate "+habit.Quote(word)+"; did you mean "+habit.Quote(name)+"?")
		}
	}
	return p
}

// repeatsAtom reports whether the atom of a term already occurs in the effect of its action with another term instead
// of this one. The action's parameters are at from.
func repeatsAtom(text string, from int, term source.Span, other string) bool {
	open, ok := listAt(text, term.Start)
	_, end := form(text, open)
	effect := strings.LastIndex(text[from:open], ":effect")
	action, _ := listAt(text, source.Pos(from))
	_, last := form(text, action)
	return ok && effect >= 0 && strings.Contains(text[from+effect:last], text[open:term.Start]+other+text[term.End:end])
}

// sectionAgain removes the second of two equal sections of a domain or a problem.
func sectionAgain(text string, fault source.Diagnostic) (p habit.Proposal) {
	if fault.Code != "strips.twice" || text[fault.Span.Start] != ':' || text[fault.Span.Start-1] != '(' {
		return p
	}
	return habit.Proposal{Edits: cutList(text, fault.Span), At: fault.Span, Title: "Remove it", Message: fault.Message}
}

// sectionMerged moves the contents of the second of two equal sections to the end of the first one, unless a section
// has one value only or the types of names would change.
func sectionMerged(text string, fault source.Diagnostic) (p habit.Proposal) {
	removed := sectionAgain(text, fault)
	if len(removed.Edits) == 0 || len(fault.Notes) == 0 {
		return p
	}
	first, ok := listAt(text, fault.Notes[0].Span.Start)
	again, _ := listAt(text, fault.Span.Start)
	_, end := form(text, first)
	_, last := form(text, again)
	if !ok || end > again {
		return p
	}
	head, before, contents := strings.ToLower(text[fault.Span.Start:fault.Span.End]), text[first:end-1], strings.TrimSpace(text[fault.Span.End:last-1])
	words := strings.Fields(before)
	typed := words[max(len(words)-2, 0)] == "-" || !slices.Contains(strings.Fields(contents), "-")
	lists := slices.Contains([]string{":init", ":predicates", ":functions", ":requirements"}, head)
	if !lists && !(typed && slices.Contains([]string{":objects", ":constants", ":types"}, head)) || contents == "" || strings.Contains(before+contents, ";") {
		return p
	}
	removed.Title = "Move its contents to the first"
	removed.Edits = append([]source.Edit{{Span: source.Span{Start: end - 1, End: end - 1}, Text: " " + contents}}, removed.Edits...)
	return removed
}

// factAsValue writes a fact that is compared with an object as a fact: (= (at car) hall) becomes (at car hall).
func factAsValue(text string, fault source.Diagnostic) (p habit.Proposal) {
	open, ok := listAt(text, fault.Span.Start)
	items, end := form(text, open)
	if !ok || fault.Code != "strips.number" || len(items) != 3 || text[items[0].Start:items[0].End] != "=" || items[2] != fault.Span || text[items[1].Start] != '(' {
		return p
	}
	fact, object := strings.TrimSpace(text[items[1].Start+1:items[1].End-1]), text[fault.Span.Start:fault.Span.End]
	name, _, _ := strings.Cut(fact, " ")
	written := "(" + fact + " " + object + ")"
	p = edited(open, end, written, "Write "+written, "unexpected predicate "+habit.Quote(name)+" in a comparison; write "+written)
	p.At = items[1]
	return p
}
