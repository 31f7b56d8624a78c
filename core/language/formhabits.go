package language

import (
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/habit"
	"github.com/stile-playground/stile/core/sexpr"
	"github.com/stile-playground/stile/core/source"
)

// formHabits are faults of texts of nested lists: parentheses, quotes, brackets and commas.
func formHabits() []habit.Habit {
	return []habit.Habit{
		{Propose: brackets},
		{Pattern: `[ \t()](//+|--|%+|!+|/\*+|\{-)[ \t][^()"]*$`, Message: "unexpected $0; comments begin with ;", Write: ";"},
		{Pattern: `"[ \t]*(,)[ \t]+"`, Message: `unexpected "," after a quoted text; separate items with spaces`, Write: ""},
		{Pattern: `(,)[\s()]`, Message: `unexpected ","; separate items with spaces`, Write: ""},
		{Pattern: `[\s(](,)`, Message: `unexpected ","; separate items with spaces`, Write: ""},
		{Propose: unclosedList, Complete: true}, {Propose: unmatchedClose, Complete: true},
		{All: innerClose, Complete: true},
		{Propose: unclosedList, Late: true}, {Propose: unmatchedClose, Late: true},
		{Pattern: `(“([^”"\n]*)”)`, Message: "quote texts with \", not with “", Write: `"$2"`},
		{Pattern: `(‘([^’"\n]*)’)`, Message: "quote texts with \", not with ‘", Write: `"$2"`},
		{Pattern: `[\s(](['` + "`" + `]([^'"` + "`" + `\n]*)['` + "`" + `])`, Message: "quote texts with \", not with '", Write: `"$2"`},
		{Propose: bareSections},
	}
}

// sections are the keywords of sections, which begin a list.
const sections = " :states :behavior :require :prompt :examples :requirements :types :constants :predicates :action :domain :objects :init :goal "

// bareSections adds the parentheses around sections that are written as bare keywords followed by
// their contents.
func bareSections(text string, fault source.Diagnostic) (p habit.Proposal) {
	open, ok := listAt(text, fault.Span.Start)
	if !ok || !strings.HasSuffix(fault.Code, ".misplaced") {
		return p
	}
	items, _ := form(text, open)
	word := func(i int) string { return text[items[i].Start:items[i].End] }
	begins := func(i int) bool {
		return strings.Contains(sections, " "+word(i)+" ") || strings.HasPrefix(word(i), "(:")
	}
	insert := func(at source.Pos, end source.Pos, written string) {
		p.Edits = append(p.Edits, source.Edit{Span: source.Span{Start: at, End: end}, Text: written})
	}
	for i := 1; i < len(items); i++ {
		if word(i)[0] != ':' || !begins(i) {
			continue
		}
		last := i
		for last+1 < len(items) && !begins(last+1) {
			last++
		}
		if p.At.Len() == 0 {
			p.At, p.Title, p.Message = items[i], "Write ( )", "write a section as a list: ("+word(i)+" …)"
		}
		insert(items[i].Start, items[i].Start, "(")
		if strings.HasPrefix(word(last), "((") && last == i+1 { // a list of the contents
			insert(items[last].Start, items[last].Start+1, "")
		} else {
			insert(items[last].End, items[last].End, ")")
		}
		i = last
	}
	return p
}

// unlisted reports a text in JSON as a single fault, because no rewriting of its parts results
// in a valid text, and shows sample, a valid text.
func unlisted(begin, sample string) habit.Habit {
	return habit.Habit{Propose: func(text string, _ source.Diagnostic) (p habit.Proposal) {
		from := len(text) - len(strings.TrimLeft(text, " \t\r\n"))
		if habit.Match(`[{\[]\s*["{\[]`, text[from:]) == nil {
			return p
		}
		start := source.Pos(from)
		p = edited(start, source.Pos(len(text)), sample, "", "unexpected "+habit.Quote(text[from:from+1])+"; the text begins with "+begin)
		p.At, p.None = source.Span{Start: start, End: start + 1}, true
		return p
	}}
}

// unclosedText closes a text at the end of its first line, if the quote that closes it now is on
// a later line.
func unclosedText(text string, fault source.Diagnostic) habit.Proposal {
	if fault.Code != "sexpr.string" && fault.Code != "sexpr.open" && !strings.HasPrefix(fault.Code, "sexpr") {
		return habit.Proposal{}
	}
	for t := range sexpr.Tokens(text) {
		if t.Kind != sexpr.TokenString {
			continue
		}
		line, _, more := strings.Cut(text[t.Span.Start:t.Span.End], "\n")
		if !t.Bad && (!more || !strings.Contains(line, ")")) {
			continue
		}
		words := strings.TrimRight(line, " \t\r)")
		if len(words) < 2 {
			continue
		}
		end := t.Span.Start + source.Pos(len(words))
		p := edited(end, end, `"`, "Close the quote", "missing closing quote")
		p.At = source.Span{Start: t.Span.Start, End: end}
		return p
	}
	return habit.Proposal{}
}

// oddQuotes adds a quote at a word of the first line with an odd number of quotes.
func oddQuotes(text string) (out []habit.Proposal) {
	for start := 0; start < len(text); {
		end := source.LineEnd(text, start)
		line := " " + text[start:end] + " "
		for i := 1; strings.Count(line, `"`)%2 == 1 && i < len(line) && len(out) < maxNear; i++ {
			before, after := strings.IndexByte(" ()\"", line[i-1]), strings.IndexByte(" ()\"", line[i])
			at := source.Pos(start + i - 1)
			open := strings.Count(line[:i], `"`)%2 == 1
			switch {
			case open && before < 0 && (after == 0 || after == 2):
				p := edited(at, at, `"`, "Close the quote", "missing closing quote")
				p.At.Start = source.Pos(max(start, strings.LastIndexByte(text[:at], '"')))
				out = append(out, p)
			case !open && before == 0 && after < 0:
				p := edited(at, at, `"`, "Open the quote", "missing opening quote")
				p.At.End = at + source.Pos(strings.IndexAny(line[i:], " ()\""))
				out = append(out, p)
			}
		}
		if len(out) > 0 {
			return out
		}
		start = end + 1
	}
	return nil
}

// innerClose closes a list after one of its items on a line, the last ones first, if it is open at the end of
// the text.
func innerClose(text string) (out []habit.Proposal) {
	p := unclosedList(text, source.Diagnostic{Code: "sexpr.open"})
	if len(p.Edits) == 0 || len(p.Edits[0].Text) != 1 {
		return nil
	}
	end := p.Edits[0].Span.Start
	start, _ := lineAt(text, end)
	var open []source.Pos
	for t := range sexpr.Tokens(text[start:end]) {
		at := source.Pos(start) + t.Span.End
		switch t.Kind {
		case sexpr.TokenOpen:
			open = append(open, at-1)
			continue
		case sexpr.TokenClose:
			open = open[:max(len(open)-1, 0)]
		}
		if n := len(open); n > 0 {
			q := p
			q.Edits, q.At = []source.Edit{{Span: source.Span{Start: at, End: at}, Text: ")"}}, source.Span{Start: open[n-1], End: open[n-1] + 1}
			out = append(out, q)
		}
	}
	slices.Reverse(out)
	return out[:min(len(out), maxNear)]
}

// unclosedList closes a list before a line that begins with a list of the same or a smaller
// indentation.
func unclosedList(text string, fault source.Diagnostic) habit.Proposal {
	if fault.Code != "sexpr.open" {
		return habit.Proposal{}
	}
	type list struct {
		at, column int
		action     bool // of PDDL
	}
	last := ""
	var open []list
	end := 0 // of the last token
	for t := range sexpr.Tokens(text) {
		start := int(t.Span.Start)
		line := strings.LastIndexByte(text[:start], '\n') + 1
		first := strings.TrimSpace(text[line:start]) == ""
		switch t.Kind {
		case sexpr.TokenOpen:
			if n := len(open); first && n > 0 && open[n-1].column >= start-line {
				missing := 0
				for missing < n && open[n-1-missing].column >= start-line {
					missing++
				}
				p := edited(source.Pos(end), source.Pos(end), strings.Repeat(")", missing), `Write ")"`, `unmatched "(": missing ")"`)
				at := open[n-missing].at
				p.At = source.Span{Start: source.Pos(at), End: source.Pos(at + 1)}
				return p
			}
			column := start - line
			if !first {
				column = -1 // within a line
			}
			open = append(open, list{at: start, column: column})
		case sexpr.TokenClose:
			if len(open) > 0 {
				open = open[:len(open)-1]
			}
		case sexpr.TokenComment:
			continue
		case sexpr.TokenAtom:
			n := len(open)
			if last == "(" && n > 0 {
				open[n-1].action = strings.EqualFold(t.Text, ":action")
			}
			part := strings.ToLower(t.Text)
			if missing := 0; part == ":effect" || part == ":precondition" || part == ":parameters" {
				for missing < n && !open[n-1-missing].action {
					missing++
				}
				if missing > 0 && missing < n { // a part of an action within a condition
					p := edited(source.Pos(end), source.Pos(end), strings.Repeat(")", missing), `Write ")"`, `unmatched "(": missing ")"`)
					p.At = source.Span{Start: source.Pos(open[n-missing].at), End: source.Pos(open[n-missing].at + 1)}
					return p
				}
			}
		}
		last = text[start:t.Span.End]
		end = int(t.Span.End)
	}
	return habit.Proposal{}
}

// unmatchedClose removes a closing parenthesis: the one of a list before a line that is indented
// like a part of this list, or else the unmatched one.
func unmatchedClose(text string, fault source.Diagnostic) habit.Proposal {
	var open []int // columns of lists that begin a line, or -1
	column, closed := -1, source.Span{}
	for t := range sexpr.Tokens(text) {
		switch t.Kind {
		case sexpr.TokenOpen:
			line := strings.LastIndexByte(text[:t.Span.Start], '\n') + 1
			at := -1
			if strings.TrimSpace(text[line:t.Span.Start]) == "" {
				if at = int(t.Span.Start) - line; column >= 0 && at > column {
					return removal(closed)
				}
				column = -1
			}
			open = append(open, at)
		case sexpr.TokenClose:
			if len(open) == 0 {
				return removal(t.Span)
			}
			if last := open[len(open)-1]; last >= 0 {
				column, closed = last, t.Span
			}
			open = open[:len(open)-1]
		}
	}
	return habit.Proposal{}
}

func removal(at source.Span) habit.Proposal {
	return edited(at.Start, at.End, "", "Remove it", `unmatched ")"`)
}

// brackets replaces brackets and braces with parentheses, in the entire text.
func brackets(text string, fault source.Diagnostic) habit.Proposal {
	var p habit.Proposal
	for t := range sexpr.Tokens(text) {
		if t.Kind != sexpr.TokenAtom {
			continue
		}
		for i := range len(t.Text) {
			k := strings.IndexByte("[]{}", t.Text[i])
			if k < 0 {
				continue
			}
			at := source.Span{Start: t.Span.Start + source.Pos(i), End: t.Span.Start + source.Pos(i) + 1}
			if len(p.Edits) == 0 {
				p.At, p.Title, p.Message = at, "Write ( )", "unexpected "+habit.Quote(t.Text[i:i+1])+"; lists are written with ( and )"
			}
			p.Edits = append(p.Edits, source.Edit{Span: at, Text: "()()"[k : k+1]})
		}
	}
	return p
}

// form returns the spans of the items of the list that a parenthesis opens, and the end
// of the list.
func form(text string, open source.Pos) (items []source.Span, end source.Pos) {
	depth := 0
	for t := range sexpr.Tokens(text[open:]) {
		span := source.Span{Start: t.Span.Start + open, End: t.Span.End + open}
		switch {
		case t.Kind == sexpr.TokenComment:
			continue
		case t.Kind == sexpr.TokenClose:
			if depth--; depth == 0 {
				return items, span.End
			}
			if depth == 1 {
				items[len(items)-1].End = span.End
			}
			continue
		case depth == 1:
			items = append(items, span)
		}
		if t.Kind == sexpr.TokenOpen {
			depth++
		}
	}
	return items, source.Pos(len(text))
}

// listAt returns the position of the parenthesis that opens the list of a position.
func listAt(text string, at source.Pos) (source.Pos, bool) {
	var open []source.Pos
	for t := range sexpr.Tokens(text) {
		if t.Span.Start >= at {
			break
		}
		switch {
		case t.Kind == sexpr.TokenOpen:
			open = append(open, t.Span.Start)
		case t.Kind == sexpr.TokenClose && len(open) > 0:
			open = open[:len(open)-1]
		}
	}
	if len(open) == 0 {
		return 0, false
	}
	return open[len(open)-1], true
}

// nearWord corrects an unknown word without a fix to a similar word from the list of expected
// words in the message: one that differs by at most two edits, regardless of case.
func nearWord(text string, fault source.Diagnostic) habit.Proposal {
	word := text[fault.Span.Start:fault.Span.End]
	_, list, ok := strings.Cut(fault.Message, "(expected ")
	if !ok || len(fault.Fixes) > 0 || len(word) < 3 {
		return habit.Proposal{}
	}
	for _, expected := range strings.Split(strings.TrimSuffix(list, ")"), ", ") {
		if source.Distance(strings.ToLower(word), strings.ToLower(expected), 3) < min(3, len(word)) && len(expected) > 3 {
			message, _, _ := strings.Cut(fault.Message, " (expected")
			return edited(fault.Span.Start, fault.Span.End, expected, "Write "+expected, message+`; did you mean "`+expected+`"?`)
		}
	}
	return habit.Proposal{}
}
