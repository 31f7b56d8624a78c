package language

import (
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/habit"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/source"
)

// commentHabits are the comments of other notations at the beginning of a line. mark begins a
// comment in this notation.
func commentHabits(mark string) []habit.Habit {
	message := "unexpected $0; comments begin with " + mark
	return []habit.Habit{
		{Propose: blockComment(mark)},
		{Pattern: `^[ \t]*(//+|--+)(?:[^>]|$)`, Message: message, Write: mark},
		{Pattern: `^[ \t]*(;+|%+|!+|'+|rem|REM|#!|dnl|\\\*)[ \t]+\S`, Message: message, Write: mark},
		{Pattern: "^[ \t]*(```\\w*|~~~\\w*|---+|===+|\\*\\*\\*+)[ \t]*$", Message: "unexpected $0; a file contains the spec only", Write: ""},
	}
}

// trailingComments are comments of other notations at the end of a line.
func trailingComments() []habit.Habit {
	const message = "unexpected $0; comments begin with #"
	return []habit.Habit{
		{Pattern: `[ \t)"](//+|--|;+|%+)[ \t].*$`, Message: message, Write: "#"},
		{Pattern: `(/\*(.*?)\*/)[ \t]*$`, Message: message, Write: "#$2"},
		{Pattern: `[ \t)"{](/\*+|\(\*|\{-|<!--)[ \t][^*]*$`, Message: message, Write: "#"},
		{Pattern: `(\(\*(.*?)\*\))[ \t]*$`, Message: message, Write: "#$2"},
	}
}

// blockComment rewrites a comment of several lines.
func blockComment(mark string) func(text string, fault source.Diagnostic) habit.Proposal {
	return func(text string, fault source.Diagnostic) habit.Proposal {
		line, _ := lineAt(text, fault.Span.Start)
		for _, m := range [][2]string{{"/*", "*/"}, {"(*", "*)"}, {"<!--", "-->"}, {"{-", "-}"}, {"#|", "|#"}, {`"""`, `"""`}, {"'''", "'''"}} {
			begin := line + len(text[line:]) - len(strings.TrimLeft(text[line:], " \t"))
			if !strings.HasPrefix(text[begin:], m[0]) {
				continue
			}
			inner, _, closed := strings.Cut(text[begin+len(m[0]):], m[1])
			end := begin + len(m[0]) + len(inner) + len(m[1])
			if !closed {
				continue
			}
			var lines []string
			for _, l := range strings.Split(inner, "\n") {
				l = strings.TrimSpace(strings.TrimPrefix(strings.TrimLeft(l, " \t"), "*"))
				if l != "" {
					lines = append(lines, mark+" "+l)
				}
			}
			return edited(source.Pos(begin), source.Pos(end), strings.Join(lines, "\n"), "Write "+mark, "unexpected "+habit.Quote(m[0])+"; comments begin with "+mark)
		}
		return habit.Proposal{}
	}
}

// edited returns a proposal of one edit at its place.
func edited(start, end source.Pos, text, title, message string) habit.Proposal {
	at := source.Span{Start: start, End: end}
	return habit.Proposal{Edits: []source.Edit{{Span: at, Text: text}}, At: at, Title: title, Message: message}
}

// lineAt returns the bounds of the line of a position.
func lineAt(text string, at source.Pos) (start, end int) {
	start = strings.LastIndexByte(text[:at], '\n') + 1
	return start, source.LineEnd(text, start)
}

// nearNames corrects each name that occurs only once to another name of the text that it
// resembles.
func nearNames(text string) (out []habit.Proposal) {
	masked := (&habit.Notation{Comments: "#", Lines: true}).Mask(text)
	count := map[string]int{}
	var names []string
	var first []source.Pos
	pattern := habit.NewPattern(`[\w.-]+`)
	for at := pattern.Find(masked, 0); at != nil; at = pattern.Find(masked, at[1]) {
		name := text[at[0]:at[1]]
		if count[name]++; count[name] == 1 && strings.Trim(name, "_-.") != "" {
			names, first = append(names, name), append(first, source.Pos(at[0]))
		}
	}
	for i, name := range names {
		for _, other := range names {
			if len(out) == maxNear {
				return out
			}
			if count[name] == 1 && other != name && habit.Resembles(name, other) {
				out = append(out, edited(first[i], first[i]+source.Pos(len(name)), other, "Write "+other, "unknown name "+habit.Quote(name)+"; did you mean "+habit.Quote(other)+"?"))
			}
		}
	}
	return out
}

// nearAt corrects the unknown name of a fault to the first name in the text that it
// resembles.
func nearAt(text string, fault source.Diagnostic) habit.Proposal {
	name := text[fault.Span.Start:fault.Span.End]
	if !strings.HasPrefix(fault.Message, "unknown") {
		return habit.Proposal{}
	}
	pattern := habit.NewPattern(`[\w-]+`)
	for at := pattern.Find(text, 0); at != nil; at = pattern.Find(text, at[1]) {
		if other := text[at[0]:at[1]]; other != name && habit.Resembles(name, other) {
			return edited(fault.Span.Start, fault.Span.End, other, "Write "+other, "unknown name "+habit.Quote(name)+"; did you mean "+habit.Quote(other)+"?")
		}
	}
	return habit.Proposal{}
}

// maxNear bounds the number of corrections of names that are tried.
const maxNear = 8

// closeQuote closes a string before the next token of the line that cannot be part of it,
// such as an arrow or a comment.
func closeQuote(code string) func(text string, fault source.Diagnostic) habit.Proposal {
	return func(text string, fault source.Diagnostic) habit.Proposal {
		if fault.Code != code {
			return habit.Proposal{}
		}
		_, line := lineAt(text, fault.Span.Start)
		end := source.Pos(line)
		for _, stop := range []string{" | ", " as ", " #", " ->", ")", "]"} {
			if i := strings.Index(text[fault.Span.Start:end], stop); i > 1 {
				end = fault.Span.Start + source.Pos(i)
			}
		}
		end = fault.Span.Start + source.Pos(len(strings.TrimRight(text[fault.Span.Start:end], " \t;,)")))
		p := edited(end, end, `"`, "Close the quote", fault.Message)
		p.At = fault.Span
		return p
	}
}

// explain replaces the faults of an analysis with the foreign constructs that they follow from. If
// other errors remain, diagnostics with the codes in follows are dropped: a line with an error may
// contain the part that they report as missing.
func explain(s *notation.Scope, a *notation.Analysis, n habit.Notation, follows ...string) {
	if a.Sound() {
		return
	}
	found := n.Explain(s.File.Text, a.Diagnostics)
	kept := found[:0:0]
	for _, d := range found {
		drop := d.Severity == source.SeverityInfo
		for _, code := range follows {
			drop = drop || d.Code == code
		}
		if !drop {
			kept = append(kept, d)
		}
	}
	if source.HasErrors(kept) {
		found = kept
	}
	a.Diagnostics = oddDefinitions(s.File.Text, n.Mask(s.File.Text), found)
}

// oddDefinitions reports a misspelt definition instead of the unknown names that resemble it: a name that occurs
// nowhere else, while the other name occurs several times, or differs from it in a colon.
func oddDefinitions(text, masked string, found []source.Diagnostic) []source.Diagnostic {
	for i, d := range found {
		used := text[d.Span.Start:d.Span.End]
		same := func(o source.Diagnostic) bool { return o.Message == d.Message }
		m := habit.Match(`unknown .*; did you mean "([\w:.?-]+)"\?$`, d.Message)
		if m == nil || habit.Match(`[\w.?-]+$`, used) == nil || count(found, same) < 2 && strings.Trim(m[1], ":") != used {
			continue
		}
		definitions := places(masked, m[1])
		if len(definitions) != 1 {
			continue
		}
		out := slices.DeleteFunc(slices.Clone(found), same)
		d.Span, d.Message = definitions[0], habit.Quote(m[1])+" occurs nowhere else; did you mean "+habit.Quote(used)+"?"
		d.Fixes = []source.Fix{{Title: "Write " + used, Edits: []source.Edit{{Span: d.Span, Text: used}}}}
		return slices.Insert(out, min(i, len(out)), d)
	}
	return found
}

// places returns the places of a name.
func places(masked, name string) (out []source.Span) {
	pattern := habit.NewPattern(`(?:^|[\s()])(` + escape(name) + `)(?:[\s()]|$)`)
	for m := pattern.Find(masked, 0); m != nil; m = pattern.Find(masked, m[3]) {
		out = append(out, source.Span{Start: source.Pos(m[2]), End: source.Pos(m[3])})
	}
	return out
}

// keywords returns the words of the manual of a notation.
func keywords(manual []notation.Entry) (out []string) {
	for _, e := range manual {
		for _, w := range e.Words {
			if len(w) > 1 && w[0] < 0x80 && strings.ToLower(w) != strings.ToUpper(w) {
				out = append(out, w)
			}
		}
	}
	return out
}

// checkText returns the function that checks a text of the file of a scope.
func checkText(s *notation.Scope, check func(s *notation.Scope) []source.Diagnostic) func(text string) []source.Diagnostic {
	return func(text string) []source.Diagnostic {
		next := *s
		next.File = source.NewFile(s.File.Name, text)
		return check(&next)
	}
}
