package language

import (
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/habit"
	"github.com/stile-playground/stile/core/lines"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/source"
)

// repair returns the edits that remove the cause of a diagnostic, or none.
type repair func(text string, at source.Span) []source.Edit

// repaired adds fixes to diagnostics that have none, by code. A fix is offered only if it removes
// the diagnostic and causes no error.
func repaired(s *notation.Scope, a *notation.Analysis, check func(s *notation.Scope) []source.Diagnostic, title string, repairs map[string]repair) {
	checked := 0
	for i, d := range a.Diagnostics {
		edit := repairs[d.Code]
		if edit == nil || len(d.Fixes) > 0 || checked == maxRepairs {
			continue
		}
		edits := edit(s.File.Text, d.Span)
		if len(edits) == 0 {
			continue
		}
		checked++
		after := checkText(s, check)(source.Apply(s.File.Text, edits))
		same := func(other source.Diagnostic) bool { return other.Code == d.Code && other.Message == d.Message }
		if !source.HasErrors(after) && count(after, same) < count(a.Diagnostics, same) {
			a.Diagnostics[i].Fixes = []source.Fix{{Title: title, Edits: edits}}
		}
	}
}

// removing proposes the removal of the cause of an error. repairs maps the codes of
// errors to repairs.
func removing(repairs map[string]repair) habit.Habit {
	return habit.Habit{Propose: func(text string, fault source.Diagnostic) habit.Proposal {
		edit := repairs[fault.Code]
		if edit == nil {
			return habit.Proposal{}
		}
		return habit.Proposal{Edits: edit(text, fault.Span), At: fault.Span, Message: fault.Message, Title: "Remove it"}
	}}
}

// maxRepairs bounds the number of fixes that are checked at each edit of a text.
const maxRepairs = 6

func count(found []source.Diagnostic, is func(source.Diagnostic) bool) (n int) {
	for _, d := range found {
		if is(d) {
			n++
		}
	}
	return n
}

// cut is an edit that removes a span, with the rest of its line if this is blank.
func cut(text string, at source.Span) []source.Edit {
	start, _ := lineAt(text, at.Start)
	_, end := lineAt(text, max(at.Start, at.End-1))
	if strings.TrimSpace(text[start:at.Start])+strings.TrimSpace(text[at.End:max(end, int(at.End))]) == "" {
		return []source.Edit{{Span: source.Span{Start: source.Pos(start), End: source.Pos(min(max(end, int(at.End))+1, len(text)))}}}
	}
	for at.Start > 0 && (text[at.Start-1] == ' ' || text[at.Start-1] == '\t') {
		at.Start--
	}
	return []source.Edit{{Span: at}}
}

// cutLine removes the line of a place.
func cutLine(text string, at source.Span) []source.Edit {
	start, end := lineAt(text, at.Start)
	return cut(text, source.Span{Start: source.Pos(start), End: source.Pos(end)})
}

// cutDuplicate removes a transition, or the line of a text.
func cutDuplicate(text string, at source.Span) []source.Edit {
	_, end := lineAt(text, at.End)
	if habit.Match(`[ \t]+as[ \t]+"`, text[at.End:end]) != nil {
		return cutLine(text, at)
	}
	return cut(text, at)
}

// cutList removes the list whose head is at a place.
func cutList(text string, at source.Span) []source.Edit {
	open, ok := listAt(text, at.Start)
	if !ok {
		return nil
	}
	_, end := form(text, open)
	return cut(text, source.Span{Start: open, End: end})
}

// cutSection removes a section of an agent, if the text contains the required sections
// :states and :behavior.
func cutSection(text string, at source.Span) []source.Edit {
	if !strings.Contains(text, "(:behavior") || !strings.Contains(text, "(:states") {
		return nil
	}
	return cutList(text, at)
}

// cutParameter removes a parameter of a PDDL action, together with its type unless other
// parameters share the type.
func cutParameter(text string, at source.Span) []source.Edit {
	at.Start = source.Pos(len(strings.TrimRight(text[:at.Start], " \t\n")))
	if text[at.Start-1] == '(' {
		return nil
	}
	if m := habit.NewPattern(`\s+-\s+[\w-]+`).Find(text, int(at.End)); m != nil && m[0] == int(at.End) && habit.Match(`\?`, strings.TrimLeft(text[lastWord(text, at.Start):], " \t\n")) == nil {
		at.End = source.Pos(m[1])
	}
	return []source.Edit{{Span: at}}
}

// lastWord returns the start of the word that ends at a position.
func lastWord(text string, end source.Pos) int {
	return strings.LastIndexAny(text[:end], " \t\n(") + 1
}

// cutLet removes a line that consists of a variable and its value.
func cutLet(text string, at source.Span) []source.Edit {
	start, end := lineAt(text, at.Start)
	if habit.Match(`[ \t]*let[ \t]+\S+[ \t]+"[^"\n]*"[ \t]*(?:#|$)`, text[start:end]) == nil {
		return nil
	}
	return cutLine(text, at)
}

// cutStatement removes the statement of a flowchart that defines a name.
func cutStatement(text string, at source.Span) []source.Edit {
	tokens := lines.Lex(text)
	i := slices.IndexFunc(tokens, func(t lines.Token) bool { return t.Span == at })
	if i < 1 || !tokens[i-1].Is("ask") && !tokens[i-1].Is("accept") && !tokens[i-1].Is("stop") {
		return nil
	}
	end := at.End
	for k := i + 1; k+1 < len(tokens); k++ {
		t := tokens[k]
		if (t.Is("ask") || t.Is("accept") || t.Is("stop") || t.Is("in") || t.Is("let") || t.Is("start") || t.Is("}")) && tokens[k+1].Kind != lines.Arrow && tokens[k-1].Kind != lines.Arrow || t.Kind == lines.Comment {
			break
		}
		if t.Kind != lines.Line {
			end = t.Span.End
		}
	}
	return cut(text, source.Span{Start: tokens[i-1].Span.Start, End: end})
}

// cutAnswer removes an answer that is alone on its line.
func cutAnswer(text string, at source.Span) []source.Edit {
	start, end := lineAt(text, at.Start)
	if habit.Match(`[ \t]*(?:"[^"\n]*"|[\w.-]+)[ \t]*->[ \t]*[\w.-]+(?:[ \t]+as[ \t]+"[^"\n]*")?[ \t]*$`, text[start:end]) == nil {
		return nil
	}
	return cutLine(text, at)
}

// cutPart removes a keyword of a PDDL action with its value.
func cutPart(text string, at source.Span) []source.Edit {
	open, ok := listAt(text, at.Start)
	items, _ := form(text, open)
	for i, item := range items {
		if ok && i > 0 && item == at && text[at.Start] == ':' && i+1 < len(items) {
			return cut(text, source.Span{Start: at.Start, End: items[i+1].End})
		}
	}
	return nil
}

// cutState removes the transitions from a state of an automaton.
func cutState(text string, at source.Span) (edits []source.Edit) {
	pattern := habit.NewPattern(`^[ \t]*(` + escape(text[at.Start:at.End]) + `[ \t]*(?:->|→)[^\n{}]*)$`)
	for m := pattern.Find(text, 0); m != nil; m = pattern.Find(text, m[1]) {
		edits = append(edits, cut(text, source.Span{Start: source.Pos(m[2]), End: source.Pos(m[3])})...)
	}
	return edits
}

// cutAlternative removes an alternative of a grammar, with its bar.
func cutAlternative(text string, at source.Span) []source.Edit {
	start, end := lineAt(text, at.Start)
	before, after := strings.TrimRight(text[start:at.Start], " \t"), strings.TrimLeft(text[at.End:end], " \t")
	switch {
	case after != "" && after[0] != '|':
		return nil
	case after != "":
		at.End = source.Pos(end - len(strings.TrimLeft(after[1:], " \t")))
		return []source.Edit{{Span: at}}
	case strings.TrimSpace(before) == "|" || !strings.HasSuffix(before, "|"):
		return cut(text, source.Span{Start: source.Pos(start), End: source.Pos(end)})
	}
	return []source.Edit{{Span: source.Span{Start: source.Pos(start + len(strings.TrimRight(before[:len(before)-1], " \t"))), End: at.End}}}
}

// endRule adds the empty word to the rule of a nonterminal.
func endRule(text string, at source.Span) []source.Edit {
	_, end := lineAt(text, at.Start)
	line := text[at.Start:end]
	if i := strings.Index(line, " #"); i >= 0 {
		line = line[:i]
	}
	end = int(at.Start) + len(strings.TrimRight(line, " \t\r"))
	return []source.Edit{{Span: source.Span{Start: source.Pos(end), End: source.Pos(end)}, Text: " | ε"}}
}

// oddNames warns of names in line-based notations that include a mark of another notation.
func oddNames(file *source.File, code string) (found []source.Diagnostic) {
	tokens := lines.Lex(file.Text)
	known := map[string]bool{}
	for _, t := range tokens {
		if t.IsName() {
			known[t.Text] = true
		}
	}
	for i, t := range tokens {
		n := len(t.Text)
		if t.Kind != lines.Word || n < 2 {
			continue
		}
		warn := func(message, text string) {
			found = append(found, source.Diagnostic{
				Code: code, Severity: source.SeverityWarning, Span: t.Span, Message: message,
				Fixes: []source.Fix{{Title: "Write " + text, Edits: []source.Edit{{Span: t.Span, Text: text}}}},
			})
		}
		inner := t.Text[1 : n-1]
		switch {
		case n > 2 && (t.Text[0] == '\'' && t.Text[n-1] == '\'' || t.Text[0] == '`' && t.Text[n-1] == '`'):
			warn(habit.Quote(t.Text)+" includes its quotation marks; quote with \"", lines.Quote(inner))
		case strings.HasSuffix(t.Text, ":") && (known[t.Text[:n-1]] || i+1 < len(tokens) && tokens[i+1].Kind == lines.Arrow):
			warn(`":" is part of the name `+habit.Quote(t.Text), t.Text[:n-1])
		}
	}
	return found
}

// addApart adds the diagnostics that do not overlap others.
func addApart(a *notation.Analysis, found []source.Diagnostic) {
	for _, d := range found {
		if !slices.ContainsFunc(a.Diagnostics, func(o source.Diagnostic) bool { return o.Span.Start < d.Span.End && d.Span.Start < o.Span.End }) {
			a.Add(d)
		}
	}
}
