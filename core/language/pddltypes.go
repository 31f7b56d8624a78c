package language

import (
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/habit"
	"github.com/stile-playground/stile/core/source"
)

// requiredTyping reports types in a domain whose list of requirements does not contain :typing.
func requiredTyping(text string) []source.Diagnostic {
	masked := (&habit.Notation{Comments: ";"}).Mask(text)
	list := habit.NewPattern(`\(:requirements\b([^()]*)\)`).Find(masked, 0)
	types := habit.NewPattern(`\((:types)\s+[\w-]`).Find(masked, 0)
	if list == nil || types == nil || strings.Contains(masked[list[0]:list[1]], ":typing") || strings.Contains(masked[list[0]:list[1]], ":adl") {
		return nil
	}
	return []source.Diagnostic{{
		Code: "strips.requirement", Severity: source.SeverityInfo, Span: source.Span{Start: source.Pos(types[2]), End: source.Pos(types[3])},
		Message: `types need ":typing" in ":requirements"`,
		Fixes:   []source.Fix{{Title: "Add :typing", Edits: []source.Edit{{Span: source.Span{Start: source.Pos(list[3]), End: source.Pos(list[3])}, Text: " :typing"}}}},
	}}
}

// gluedTypes reports variables without a type whose name ends with a sign and a type, such as ?l-lamp.
func gluedTypes(text string) (found []source.Diagnostic) {
	masked := (&habit.Notation{Comments: ";"}).Mask(text)
	types := habit.NewPattern(`\(:types\b([^()]*)\)`).Find(masked, 0)
	if types == nil {
		return nil
	}
	known := strings.Fields(masked[types[2]:types[3]])
	variable := habit.NewPattern(`(\?(\w+)-([\w-]+))[^()]*?\)`)
	for _, list := range eachMatch(masked, `:parameters\s*(\([^()]*\))`, `\(:predicates\s*((?:\([^()]*\)\s*)*)\)`) {
		for m := variable.Find(masked[:list.End], int(list.Start)); m != nil; m = variable.Find(masked[:list.End], m[3]) {
			if kind := masked[m[6]:m[7]]; slices.Contains(known, kind) && !strings.Contains(masked[m[3]:m[1]], " - ") {
				span := source.Span{Start: source.Pos(m[2]), End: source.Pos(m[3])}
				typed := "?" + masked[m[4]:m[5]] + " - " + kind
				found = append(found, source.Diagnostic{
					Code: "strips.type", Severity: source.SeverityWarning, Span: span, Message: `missing spaces around "-": ` + typed,
					Fixes: []source.Fix{{Title: "Write " + typed, Edits: []source.Edit{{Span: span, Text: typed}}}},
				})
			}
		}
	}
	return found
}

// eachMatch returns the places of the first groups of all matches of patterns.
func eachMatch(text string, patterns ...string) (out []source.Span) {
	for _, pattern := range patterns {
		p := habit.NewPattern(pattern)
		for m := p.Find(text, 0); m != nil; m = p.Find(text, m[1]) {
			out = append(out, source.Span{Start: source.Pos(m[2]), End: source.Pos(m[3])})
		}
	}
	return out
}
