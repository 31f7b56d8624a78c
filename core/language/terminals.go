package language

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/habit"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/source"
)

// terminal is a construct of another notation that a grammar here reads as terminals.
type terminal struct {
	pattern string // the first group is the construct
	message string // after the construct in quotes
	write   string // replaces the construct; "-" if it has no equivalent
	// expand reports that write is extended BNF, which becomes rules.
	expand bool
	// meant reports whether the match is the construct rather than terminals of a text; nil: always.
	meant func(g *grammar.Grammar, text string, groups []string) bool
}

const (
	noRepetition = " is one terminal; rules do not support repetitions"
	preceded     = `[ \t(]`
	followed     = `(?:[ \t)]|$)`
)

// known reports whether the last group is a symbol of a grammar, or a name that occurs elsewhere.
func known(g *grammar.Grammar, _ string, groups []string) bool {
	_, ok := g.Lookup(groups[len(groups)-1])
	return ok
}

// nonterminal reports whether the last group is a nonterminal.
func nonterminal(g *grammar.Grammar, _ string, groups []string) bool {
	s, ok := g.Lookup(groups[len(groups)-1])
	return ok && !g.IsTerminal(s)
}

// between reports whether a sign occurs only between symbols.
func between(_ *grammar.Grammar, text string, groups []string) bool {
	alone := habit.NewPattern(`(?:->|→|::=|\|)[ \t]*` + escape(groups[1]) + followed + `|[ \t]` + escape(groups[1]) + `[ \t]*(?:\||$)`)
	return alone.Find(text, 0) == nil
}

// terminals are constructs of ABNF, PEG, Pest, ANTLR, Lark, GBNF, regular expressions and
// probabilistic grammars.
var terminals = []terminal{
	{pattern: preceded + `(1\*([A-Za-z_][\w-]*))` + followed, message: noRepetition, write: "( $2 )+", expand: true},
	{pattern: preceded + `(\*([A-Za-z_][\w-]*))` + followed, message: noRepetition, write: "( $2 )*", expand: true},
	{pattern: preceded + `(0?\*1([A-Za-z_][\w-]*))` + followed, message: noRepetition, write: "[ $2 ]", expand: true},
	{pattern: preceded + `(\d+\*?\d*[A-Za-z_][\w-]*)` + followed, message: noRepetition, write: "-", meant: func(_ *grammar.Grammar, _ string, g []string) bool { return strings.Contains(g[1], "*") }},
	{pattern: preceded + `(("_+")\*)` + followed, message: noRepetition, write: "( $2 )*", expand: true},
	{pattern: preceded + `(("_+")\+)` + followed, message: noRepetition, write: "( $2 )+", expand: true},
	{pattern: preceded + `(("_+")\?)` + followed, message: noRepetition, write: "[ $2 ]", expand: true},
	{pattern: preceded + `(%[xdb][\dA-Fa-f]+(?:[-.][\dA-Fa-f]+)*)` + followed, message: " is one terminal; write a class of characters as ⟨[A-Z]⟩", write: "-"},
	{pattern: preceded + `(%[si]("_+"))`, message: " has a prefix; write the text in quotes", write: "$2"},
	{pattern: preceded + `(\w+[=:]([A-Za-z_][\w-]*))` + followed, message: " is one terminal; symbols have no names", write: "$2", meant: nonterminal},
	{pattern: preceded + `([!&]([A-Za-z_][\w-]*))` + followed, message: " is one terminal; rules do not support predicates", write: "", meant: known},
	{pattern: preceded + `(\^([A-Za-z_][\w-]*))` + followed, message: " is one terminal; rules have no anchors", write: "$2"},
	{pattern: preceded + `([A-Za-z_][\w-]*\{\d+,\d*\})` + followed, message: noRepetition, write: "-"},
	{pattern: preceded + `(\|\|)` + followed, message: ` is one symbol; alternatives are separated by "|"`, write: "|"},
	{pattern: preceded + `(\{[^{}\n]*[$;=(][^{}\n]*\})` + followed, message: " is an action; rules have no actions", write: ""},
	{pattern: preceded + `(%(?:d?prec|merge|expect|shift|reduce|left|right|nonassoc|assoc)[ \t]+[^\s|]+)`, message: " is not a symbol; rules have no precedence", write: ""},
	{pattern: preceded + `(\?[ \t](\w+)[ \t]\?)` + followed, message: " is a special sequence; rules have no special sequences", write: "$2"},
	{pattern: preceded + `(\?[ \t]([^?|"\n]+[^?|"\s])[ \t]\?)` + followed, message: " is a special sequence; rules have no special sequences", write: `"$2"`},
	{pattern: preceded + `((\d+)[ \t]+\*[ \t]+([A-Za-z_][\w-]*))` + followed, message: noRepetition, write: "×"},
	{pattern: preceded + `(([A-Za-z_][\w-]*)[ \t]+\*\*[ \t]+(\d+))` + followed, message: noRepetition, write: "×"},
	{pattern: preceded + `(([A-Za-z_][\w-]*)[ \t]+%%?[ \t]+("_+"))` + followed, message: " is a list with a separator; rules have none", write: "$2 ( $3 $2 )*", expand: true},
	{pattern: preceded + `(~)` + followed, message: " is a terminal; separate symbols with spaces", write: "", meant: between},
	{pattern: preceded + `(｜|¦|∣|ǀ|︱)` + followed, message: ` is a terminal; alternatives are separated by "|"`, write: "|"},
	{pattern: `[ \t](([A-Za-z_][\w-]*)\.)[ \t]*$`, message: ` includes "."; a rule ends with its line`, write: "$2", meant: func(g *grammar.Grammar, text string, groups []string) bool {
		return known(g, text, groups) || strings.Count(text, "->") == strings.Count(text+"\n", ".\n")
	}},
	{pattern: `^([?!@_]([A-Za-z][\w-]*))[ \t]*(?:->|→|::=)`, message: " includes a sign of another notation", write: "$2", meant: known},
	{pattern: preceded + `(\[[ \t][^\]\n"]*\][*+?]?)` + followed, message: " is a class of characters of another notation", write: "/", meant: func(_ *grammar.Grammar, _ string, g []string) bool { return strings.Contains(g[1], `\`) }},
	{pattern: preceded + `(\\[dDwWsSbB][*+?]?|\.[*+])` + followed, message: " is one terminal; write a class of characters as ⟨[0-9]⟩", write: "/"},
	{pattern: preceded + `([\[{]\d*\.?\d+%?[\]}])` + followed, message: " is a terminal; rules have no probabilities", write: ""},
	{pattern: preceded + `("_+"i)` + followed, message: " is two terminals; write a text in any case as ⟨\"a\"i⟩", write: "⟨"},
	{pattern: preceded + `(([A-Za-z_]\w*)("_+"))` + followed, message: " has no space before the quote", write: "$2 $3"},
	{pattern: preceded + `(("_+")([A-Za-z_]\w*))` + followed, message: " has no space after the quote", write: "$2 $3"},
}

// foreignTerminals replaces the warnings of a valid grammar that are due to constructs of
// other notations with warnings that name these constructs.
func foreignTerminals(s *notation.Scope, a *notation.Analysis, g *grammar.Grammar) {
	if g == nil || len(s.File.Text) > maxForeign {
		return
	}
	f := foreigner{s: s, a: a, g: g, text: s.File.Text, masked: (&habit.Notation{Comments: "#", Lines: true}).Mask(s.File.Text)}
	f.call()
	for _, t := range terminals {
		f.terminal(t)
	}
	(&clusters{foreigner: &f, counts: map[string]int{}}).search()
	if len(f.found) == 0 {
		return
	}
	a.Diagnostics = slices.DeleteFunc(a.Diagnostics, func(d source.Diagnostic) bool {
		return slices.ContainsFunc(f.found, func(o source.Diagnostic) bool { return d.Span.Start < o.Span.End && o.Span.Start < d.Span.End })
	})
	a.Add(f.found...)
	source.Sort(a.Diagnostics)
}

// foreigner searches a grammar for constructs of other notations.
type foreigner struct {
	s            *notation.Scope
	a            *notation.Analysis
	g            *grammar.Grammar
	text, masked string
	found        []source.Diagnostic
}

// report adds a diagnostic about a construct, with a fix if a text replaces it.
func (f *foreigner) report(at source.Span, message, title, written string, fix bool) {
	f.rewritten(at, habit.Quote(f.text[at.Start:at.End])+message, title, f.text[:at.Start]+written+f.text[at.End:], fix)
}

// rewritten adds a diagnostic, with a fix that replaces the text if fix is set, and drops the
// diagnostics that follow from the construct.
func (f *foreigner) rewritten(at source.Span, message, title, text string, fix bool) {
	d := source.Diagnostic{Code: "cfg.foreign", Severity: source.SeverityWarning, Span: at, Message: message}
	if fixed, ok := f.expanded(text); ok && fix {
		d.Fixes = []source.Fix{{Title: title, Edits: []source.Edit{habit.Difference(f.text, fixed)}}}
		_, after := CompileGrammar(source.NewFile(f.s.File.Name, fixed), "")
		f.a.Diagnostics = slices.DeleteFunc(f.a.Diagnostics, func(o source.Diagnostic) bool {
			return !slices.ContainsFunc(after, func(n source.Diagnostic) bool { return n.Code == o.Code && n.Message == o.Message })
		})
	}
	f.found = append(f.found, d)
}

// call reports the first call of a function; others may be its arguments.
func (f *foreigner) call() {
	at, written := call(f.text, f.masked)
	if written != "" {
		f.report(at, " is a function; rules do not support functions", "Expand into rules", written, true)
	}
}

// terminal reports the first occurrence of a construct.
func (f *foreigner) terminal(t terminal) {
	m := habit.NewPattern(t.pattern).Find(f.masked, 0)
	if m == nil || !inRule(f.masked, m[2]) {
		return
	}
	groups := make([]string, len(m)/2)
	for i := range groups {
		if m[2*i] >= 0 {
			groups[i] = f.text[m[2*i]:m[2*i+1]]
		}
	}
	symbol, ok := f.g.Lookup(groups[1])
	if ok && !f.g.IsTerminal(symbol) && m[0] != m[2] || t.meant != nil && !t.meant(f.g, f.masked, groups) {
		return
	}
	at := source.Span{Start: source.Pos(m[2]), End: source.Pos(m[3])}
	if slices.ContainsFunc(f.found, func(d source.Diagnostic) bool { return d.Span == at }) {
		return
	}
	written, fix := t.write, true
	switch written {
	case "-":
		written = repetitions(groups[1])
		t.expand, fix = true, written != ""
	case "×":
		written, fix = counts(groups[1:])
	case "/":
		written = grammar.Quote("⟨/" + groups[1] + "/⟩")
	case "⟨":
		written = grammar.Quote("⟨" + groups[1] + "⟩")
	default:
		for i := 2; i < len(groups); i++ {
			written = strings.ReplaceAll(written, "$"+strconv.Itoa(i), groups[i])
		}
	}
	title := "Write " + written
	switch {
	case t.expand:
		title = "Expand into rules"
	case written == "":
		title = "Remove it"
	}
	f.report(at, t.message, title, written, fix)
}

// repetitions writes a bounded repetition of ABNF or of regular expressions, such as 2*3a and
// a{2,3}, as alternatives; "" for other
// texts.
func repetitions(text string) string {
	m := habit.Match(`(\d*)\*(\d*)([A-Za-z_][\w-]*)$`, text)
	if regular := habit.Match(`([A-Za-z_][\w-]*)\{(\d+),(\d*)\}$`, text); regular != nil {
		m = []string{"", regular[2], regular[3], regular[1]}
	}
	if m == nil {
		return ""
	}
	if least, err := strconv.Atoi(m[1]); m[2] == "" && err == nil && least < 10 {
		return strings.Repeat(m[3]+" ", least) + "( " + m[3] + " )*"
	}
	least, _ := strconv.Atoi(m[1])
	most, err := strconv.Atoi(m[2])
	if err != nil || most > 9 || least > most {
		return ""
	}
	var parts []string
	for n := least; n <= most; n++ {
		if n == 0 {
			parts = append(parts, "ε")
			continue
		}
		parts = append(parts, strings.TrimSpace(strings.Repeat(m[3]+" ", n)))
	}
	return "( " + strings.Join(parts, " | ") + " )"
}

// maxForeign bounds the length of the texts that are searched for foreign constructs,
// because every edit repeats the search.
const maxForeign = 20_000 // bytes

// inRule reports whether a position is part of a rule.
func inRule(text string, at int) bool {
	start, end := lineAt(text, source.Pos(at))
	line := text[start:end]
	return strings.Contains(line, "->") || strings.Contains(line, "::=") || strings.Contains(line, "→") || strings.HasPrefix(strings.TrimSpace(line), "|")
}

// expanded returns a text with its extended BNF written as rules; ok is false if it has an error.
func (f *foreigner) expanded(text string) (string, bool) {
	for range maxExpansions {
		_, found := CompileGrammar(source.NewFile(f.s.File.Name, text), "")
		if source.HasErrors(found) {
			return "", false
		}
		next := ""
		for _, d := range found {
			if d.Code == "cfg.habit" && len(d.Fixes) > 1 && d.Fixes[0].Title == "Expand into rules" {
				next = source.Apply(text, d.Fixes[0].Edits)
				break
			}
		}
		if next == "" {
			return text, true
		}
		text = next
	}
	return "", false
}

// maxExpansions bounds the lines of a text that are expanded.
const maxExpansions = 8

// functions are the functions of parser combinators and tree-sitter, with the brackets of extended
// BNF around their arguments and the separator between them.
var functions = map[string][3]string{
	"seq": {"( ", " ", " )"}, "sequence": {"( ", " ", " )"}, "choice": {"( ", " | ", " )"}, "alt": {"( ", " | ", " )"}, "oneof": {"( ", " | ", " )"}, "one_of": {"( ", " | ", " )"},
	"repeat": {"( ", " ", " )*"}, "many": {"( ", " ", " )*"}, "star": {"( ", " ", " )*"}, "zero_or_more": {"( ", " ", " )*"},
	"repeat1": {"( ", " ", " )+"}, "many1": {"( ", " ", " )+"}, "some": {"( ", " ", " )+"}, "plus": {"( ", " ", " )+"}, "one_or_more": {"( ", " ", " )+"},
	"optional": {"[ ", " ", " ]"}, "opt": {"[ ", " ", " ]"}, "maybe": {"[ ", " ", " ]"},
}

// call returns the span of the first call of a function in a rule, as extended BNF.
func call(text, masked string) (at source.Span, written string) {
	pattern := habit.NewPattern(`[ \t](\w+)\(`)
	for m := pattern.Find(masked, 0); m != nil; m = pattern.Find(masked, m[1]) {
		_, ok := functions[masked[m[2]:m[3]]]
		end := closing(masked, m[3])
		if !ok || end < 0 || !inRule(masked, m[2]) {
			continue
		}
		written = called(text[m[2]:end])
		if strings.HasPrefix(text[m[2]:], "seq") {
			written = written[2 : len(written)-2] // without its parentheses
		}
		return source.Span{Start: source.Pos(m[2]), End: source.Pos(end)}, written
	}
	return at, ""
}

// closing returns the position after the parenthesis that closes the one at a position, on its
// line, or -1.
func closing(text string, open int) int {
	depth := 0
	for i := open; i < len(text) && text[i] != '\n'; i++ {
		switch text[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// called returns a call, name(a, b), as extended BNF.
func called(text string) string {
	name, rest, _ := strings.Cut(text, "(")
	f := functions[name]
	var parts []string
	depth, from := 0, 0
	rest = rest[:len(rest)-1]
	for i := 0; i <= len(rest); i++ {
		if i == len(rest) || rest[i] == ',' && depth == 0 {
			part := strings.TrimSpace(rest[from:i])
			part = strings.TrimPrefix(strings.TrimPrefix(part, "$."), "$.")
			if inner, _, ok := strings.Cut(part, "("); ok && functions[inner][0] != "" && closing(part, len(inner)) == len(part) {
				part = called(part)
			}
			if len(part) > 2 && part[0] == '\'' && part[len(part)-1] == '\'' {
				part = strconv.Quote(part[1 : len(part)-1])
			}
			if part != "" {
				parts = append(parts, part)
			}
			from = i + 1
			continue
		}
		switch rest[i] {
		case '(':
			depth++
		case ')':
			depth--
		}
	}
	return f[0] + strings.Join(parts, f[1]) + f[2]
}
