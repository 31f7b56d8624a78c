package language

import (
	"slices"
	"strings"
	"sync"

	"github.com/stile-playground/stile/core/habit"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/sexpr"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/strips"
	"github.com/stile-playground/stile/core/workspace"
)

// otherTexts returns the texts of the files of other notations, in lower case.
func otherTexts(files []workspace.File) (out []string) {
	for _, f := range files {
		if workspace.KindOf(f.Name) != workspace.KindPDDL {
			out = append(out, strings.ToLower(f.Text))
		}
	}
	return out
}

// unusedNames warns of predicates and functions that no action, axiom or goal contains, and of types and constants
// that nothing else contains. A name in a file of another notation may be one of them.
func unusedNames(s *notation.Scope) (found []source.Diagnostic) {
	own := strips.Occurrences(s.File)
	all := slices.Clip(own)
	for _, f := range PDDLSiblings(s.Files, s.File.Name) {
		all = append(all, strips.Occurrences(f)...)
	}
	texts := sync.OnceValue(func() []string { return otherTexts(s.Files) })
	mentioned := func(name string) bool {
		return slices.ContainsFunc(texts(), func(text string) bool { return strings.Contains(text, name) })
	}
	used, problem := map[string]bool{}, false
	facts := map[string]source.Span{} // the first one of each name in the initial state
	initial := initialState(s.File.Text)
	for i, o := range all {
		problem = problem || o.Kind == strips.KindProblem
		switch key := o.Kind + " " + o.Name; {
		case o.Defines:
		case isAtom(o) && i < len(own) && initial.Contains(o.Span.Start):
			if facts[key].Len() == 0 {
				facts[key] = o.Span
			}
		default:
			used[key] = true
		}
	}
	for _, o := range own {
		key := o.Kind + " " + o.Name
		constant := o.Kind == strips.KindObject && o.Of != ""
		judged := isAtom(o) || problem && (constant || o.Kind == strips.KindType)
		if !o.Defines || used[key] || !judged || mentioned(o.Name) {
			continue
		}
		used[key] = true
		kind := o.Kind
		if constant {
			kind = "constant"
		}
		d := source.Diagnostic{Code: "strips.unused", Severity: source.SeverityWarning, Span: o.Span, Message: "unused " + kind + " " + habit.Quote(o.Name)}
		edits := cutList(s.File.Text, o.Span)
		if !isAtom(o) {
			edits = cutName(s.File.Text, o.Span)
		}
		if fact, ok := facts[key]; ok {
			open, _ := listAt(s.File.Text, fact.Start)
			if outer, ok := listAt(s.File.Text, open); ok {
				if items, _ := form(s.File.Text, outer); s.File.Slice(items[0]) == "=" {
					open = outer
				}
			}
			_, end := form(s.File.Text, open)
			d.Span = source.Span{Start: open, End: end}
			d.Message = "unused fact: no condition or goal contains " + habit.Quote(o.Name)
			edits = cut(s.File.Text, d.Span)
		}
		if edits != nil {
			d.Fixes = []source.Fix{{Title: "Remove it", Edits: edits}}
		}
		found = append(found, d)
	}
	return found
}

// hashComments warns of the first comment that other tools do not read as one.
func hashComments(text string) []source.Diagnostic {
	for t := range sexpr.Tokens(text) {
		if t.Kind == sexpr.TokenComment && text[t.Span.Start] == '#' {
			at := source.Span{Start: t.Span.Start, End: t.Span.Start + 1}
			return []source.Diagnostic{{
				Code: "strips.comment", Severity: source.SeverityWarning, Span: at, Message: `comments begin with ";"; other tools do not read "#"`,
				Fixes: []source.Fix{{Title: "Write ;", Edits: []source.Edit{{Span: at, Text: ";"}}}},
			}}
		}
	}
	return nil
}

func isAtom(o source.Occurrence) bool {
	return o.Kind == strips.KindPredicate || o.Kind == strips.KindFunction
}

// initialState returns the place of the initial state of a problem.
func initialState(text string) (at source.Span) {
	if m := habit.NewPattern(`\(:(?:init|INIT)\b`).Find(text, 0); m != nil {
		at.Start = source.Pos(m[0])
		_, at.End = form(text, at.Start)
	}
	return at
}

// cutName removes a name from a list of names with types, together with its type unless other names share the type.
func cutName(text string, at source.Span) []source.Edit {
	open, _ := listAt(text, at.Start)
	items, _ := form(text, open)
	dash := func(i int) bool { return i > 0 && i < len(items) && text[items[i].Start:items[i].End] == "-" }
	for i, item := range items {
		switch {
		case item != at:
		case !dash(i+1) || i > 1 && !dash(i-2):
			return cut(text, at)
		case i+2 < len(items):
			return cut(text, source.Span{Start: at.Start, End: items[i+2].End})
		}
	}
	return nil
}

// oddTypes corrects a supertype that no list of types defines and that resembles another type, and writes the dash before
// a type in a list of names.
func oddTypes(text string) (out []habit.Proposal) {
	masked := strings.ToLower((&habit.Notation{Comments: ";"}).Mask(text))
	section := habit.NewPattern(`\(:(types|objects|constants)\b`)
	defined := []string{strips.Object}
	for m := section.Find(masked, 0); m != nil; m = section.Find(masked, m[1]) {
		items, _ := form(masked, source.Pos(m[0]))
		word := func(i int) string { return masked[items[i].Start:items[i].End] }
		for i := 1; i < len(items) && masked[m[2]] == 't'; i++ {
			if word(i-1) != "-" {
				defined = append(defined, word(i))
			}
		}
		for i := 1; i < len(items); i++ {
			name := word(i)
			switch known := slices.Contains(defined, name); {
			case word(i-1) == "-" && !known && masked[m[2]] == 't' && name[0] != '(':
				for _, other := range defined {
					if habit.Resembles(name, other) && other != "-" {
						out = append(out, edited(items[i].Start, items[i].End, other, "Write "+other, "unknown type "+habit.Quote(name)+"; did you mean "+habit.Quote(other)+"?"))
						break
					}
				}
			case i > 1 && word(i-1) != "-" && known && name != "-" && (masked[m[2]] != 't' || name == strips.Object):
				p := edited(items[i].Start, items[i].Start, "- ", "Write - "+name, `missing "-" before the type `+habit.Quote(name))
				p.At = items[i]
				out = append(out, p)
			}
		}
	}
	return out[:min(len(out), maxNear)]
}

// goalPlace returns the place of a part of the goal, or of the goal if the part is not written in the text.
func goalPlace(text string, part string, problem source.Span) source.Span {
	m := habit.NewPattern(`\(:goal\s`).Find(text, int(problem.Start))
	if m == nil {
		return problem
	}
	items, end := form(text, source.Pos(m[0]))
	for open := m[1]; open < int(end); open++ {
		if text[open] != '(' {
			continue
		}
		words, close := form(text, source.Pos(open))
		written := ""
		for _, w := range words {
			written += " " + text[w.Start:w.End]
		}
		if strings.EqualFold("("+strings.TrimPrefix(written, " ")+")", part) {
			return source.Span{Start: source.Pos(open), End: close}
		}
	}
	if len(items) > 1 {
		return items[1]
	}
	return problem
}

// freeVariable returns the first variable of an action that its list of parameters does not contain, or "".
func freeVariable(text string, at source.Span) string {
	list, ok := listAt(text, at.Start)
	action, more := listAt(text, list)
	if !ok || !more {
		return ""
	}
	_, end := form(text, list)
	_, last := form(text, action)
	pattern := habit.NewPattern(`(\?[\w-]+)`)
	for m := pattern.Find(text[:last], int(end)); m != nil; m = pattern.Find(text[:last], m[1]) {
		name := text[m[0]:m[1]]
		if habit.NewPattern(`\?`+escape(name[1:])+`(?:[\s)])`).Find(text[list:end], 0) == nil {
			return name
		}
	}
	return ""
}

// seriesName returns the first name after the list of objects that differs from name only in its
// number and is not in this list: c2 for a second c1. It returns "" if there is none.
func seriesName(text, name string) string {
	stem := strings.TrimRight(name, "0123456789")
	list := habit.NewPattern(`\(:objects([^()]*)\)`).Find(text, 0)
	if stem == name || list == nil {
		return ""
	}
	pattern := habit.NewPattern(`[\s(](` + escape(stem) + `\d+)[\s)]`)
	for at := pattern.Find(text, list[1]); at != nil; at = pattern.Find(text, at[3]) {
		if other := text[at[2]:at[3]]; habit.NewPattern(`\s`+escape(other)+`(?:\s|$)`).Find(text[list[2]:list[3]], 0) == nil {
			return other
		}
	}
	return ""
}

// otherPart removes a section of a problem from a domain, or of a domain from a problem, and adds a missing goal.
func otherPart(text string, fault source.Diagnostic) (p habit.Proposal) {
	word := strings.ToLower(text[fault.Span.Start:fault.Span.End])
	begin := strings.LastIndex(strings.ToLower(text[:fault.Span.Start]), "(define")
	if fault.Message == "missing :goal" {
		_, end := form(text, source.Pos(max(strings.LastIndexByte(text[:fault.Span.End], '('), 0)))
		p = edited(end-1, end-1, " (:goal (and))", "Add a goal", fault.Message)
		p.At = fault.Span
		return p
	}
	m := habit.Match(`\(define\s+\((domain|problem)\b`, strings.ToLower(text[max(begin, 0):fault.Span.Start]))
	if fault.Code != "strips.section" || m == nil {
		return p
	}
	other := map[string]string{"domain": " :objects :init :goal :metric :domain ", "problem": " :predicates :action :types :constants :functions :derived "}[m[1]]
	if !strings.Contains(other, " "+word+" ") {
		return p
	}
	message := "unexpected " + habit.Quote(word) + " in a " + m[1] + "; it belongs to a "
	if m[1] == "domain" {
		message += "problem"
	} else {
		message += "domain"
	}
	return habit.Proposal{Edits: cutList(text, fault.Span), At: fault.Span, Title: "Remove it", Message: message}
}
