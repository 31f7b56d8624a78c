package language

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/habit"
	"github.com/stile-playground/stile/core/source"
)

// glued reports symbols that are joined by signs: E+E, a·b.
func (c *clusters) glued(of cluster) bool {
	if of.quoted {
		return false
	}
	var parts []string
	signs, ruled := 0, false
	rest := of.text
	for rest != "" {
		n := 0
		for n < len(rest) && (plainName(rest[:n+1]) || rest[n] == '_' || n > 0 && rest[n] == '-' && n+1 < len(rest) && plainName(rest[n+1:n+2])) {
			n++
		}
		if n == 0 {
			r, size := utf8.DecodeRuneInString(rest)
			if !strings.ContainsRune("+*,=<>;&·•∘∙⋅", r) {
				return false
			}
			signs++
			if !strings.ContainsRune(",&·•∘∙⋅;", r) {
				parts = append(parts, string(r))
			}
			rest = rest[size:]
			continue
		}
		s, ok := c.g.Lookup(rest[:n])
		if !ok {
			return false
		}
		ruled = ruled || !c.g.IsTerminal(s)
		parts = append(parts, rest[:n])
		rest = rest[n:]
	}
	last := of.text[len(of.text)-1]
	if !ruled || signs == 0 || len(parts) < 2 || !plainName(of.text[:1]) || strings.IndexByte("+*,;", last) >= 0 {
		return false
	}
	c.replace(of, " is one terminal; separate symbols with spaces", strings.Join(parts, " "), true)
	return true
}

// function reports a call or a template: list(step), sep{step, ","}, List<step>.
func (c *clusters) function(of cluster) bool {
	m := habit.NewPattern(`^([$_A-Za-z][\w.]*)([({<\[])`).Find(of.text, 0)
	if m == nil || of.quoted {
		return false
	}
	name, open := of.text[:m[3]], int(of.at.Start)+m[4]
	end := balanced(c.masked, open)
	if end < 0 || c.masked[open] == '[' && !strings.Contains(c.text[open:end], ",") {
		return false
	}
	arguments := argumentsOf(c.text[open+1 : end-1])
	symbol := ""
	for _, a := range arguments {
		if s, ok := c.g.Lookup(a); ok && !c.g.IsTerminal(s) || strings.HasPrefix(a, `"`) {
			symbol = a
			if a[0] != '"' {
				break
			}
		}
	}
	if symbol == "" && len(arguments) == 1 && c.masked[open] == '(' && plainName(arguments[0]) && slices.Contains(strings.Fields(calls), name) {
		symbol = arguments[0]
	}
	if symbol == "" && (len(arguments) < 2 || !unknownWords(c, arguments)) {
		return false
	}
	what := " is a function; rules do not support functions"
	if c.masked[open] != '(' {
		what = " is a template; rules do not support templates"
	}
	written := applied(name, arguments, symbol)
	at := source.Span{Start: of.at.Start, End: source.Pos(end)}
	if tail := c.text[end:min(end+1, len(c.text))]; strings.ContainsAny(tail, "*+?") && tail != "" {
		at.End++
		written = "( " + written + " )" + tail
	}
	c.rewritten(at, habit.Quote(c.text[at.Start:at.End])+what, "Write its symbols", c.text[:at.Start]+written+c.text[at.End:], written != "")
	return true
}

// calls are functions of repetitions and options, with any argument.
const calls = "list nonempty_list option boption ioption loption many many1 star plus opt optional repeat repeat1 OneOrMore ZeroOrMore Optional"

// unknownWords reports whether no argument is a terminal of the grammar, so that the parts of the call
// were meant as a construct.
func unknownWords(c *clusters, arguments []string) bool {
	return slices.ContainsFunc(arguments, func(a string) bool { return c.ruled(a) })
}

// applied writes the symbols of a call as extended BNF, by the words in its name.
func applied(name string, arguments []string, symbol string) string {
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(strings.ToLower(name), w) })
	}
	var symbols []string
	for _, a := range arguments {
		if a != "" && !strings.ContainsAny(a, "(){}<>=") {
			symbols = append(symbols, a)
		}
	}
	if len(symbols) == 0 {
		return ""
	}
	if symbol == "" {
		symbol = symbols[0]
	}
	separator := ""
	for _, s := range symbols {
		if s != symbol && separator == "" {
			separator = s
		}
	}
	switch {
	case has("sep", "comma", "delim", "join", "interleave") || has("list") && separator != "":
		if separator == "" {
			separator = `","`
		}
		return symbol + " ( " + separator + " " + symbol + " )*"
	case has("opt", "maybe"):
		return "[ " + symbol + " ]"
	case has("choice", "alt", "oneof", "one_of", "any", "either", "select") && len(symbols) > 1:
		return "( " + strings.Join(symbols, " | ") + " )"
	case has("seq", "concat", "chain", "then", "all") && len(symbols) > 1:
		return strings.Join(symbols, " ")
	case has("many1", "plus", "one", "nonempty", "repeat1", "some", "list", "array"):
		return "( " + symbol + " )+"
	case has("many", "star", "rep", "zero", "times"):
		return "( " + symbol + " )*"
	}
	return symbol
}

// balanced returns the position after the bracket that closes the one at a position, on its line,
// or -1.
func balanced(text string, open int) int {
	depth := 0
	for i := open; i < len(text) && text[i] != '\n'; i++ {
		switch text[i] {
		case '(', '{', '[', '<':
			depth++
		case ')', '}', ']', '>':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// argumentsOf splits the arguments of a call at commas outside quotes.
func argumentsOf(text string) (out []string) {
	quoted, from := byte(0), 0
	for i := 0; i <= len(text); i++ {
		switch {
		case i == len(text) || text[i] == ',' && quoted == 0:
			a := strings.TrimSpace(text[from:i])
			a = strings.TrimPrefix(strings.TrimPrefix(a, "$."), "&")
			if n := len(a); n > 2 && a[0] == '\'' && a[n-1] == '\'' {
				a = `"` + a[1:n-1] + `"`
			}
			out = append(out, a)
			from = i + 1
		case quoted == 0 && (text[i] == '"' || text[i] == '\''):
			quoted = text[i]
		case text[i] == quoted:
			quoted = 0
		}
	}
	return out
}

// decoration consists of the signs that other notations put around the names of symbols.
const decoration = "<>[]{}()$@%:*?!;,.#&^~`|/\\=+«»“”‘’"

// lookalikes replaces letters of Cyrillic and Greek that look like Latin ones, and invisible characters.
var lookalikes = strings.NewReplacer("А", "A", "В", "B", "Е", "E", "К", "K", "М", "M", "Н", "H", "О", "O", "Р", "P", "С", "C", "Т", "T", "Х", "X", "Ѕ", "S", "І", "I",
	"а", "a", "е", "e", "о", "o", "р", "p", "с", "c", "у", "y", "х", "x", "і", "i", "ѕ", "s", "Α", "A", "Β", "B", "Ε", "E", "Ζ", "Z", "Η", "H", "Ι", "I", "Κ", "K", "Μ", "M", "Ν", "N", "Ο", "O", "Ρ", "P", "Τ", "T", "Υ", "Y", "Χ", "X", "ο", "o",
	"\u200b", "", "\u200c", "", "\u200d", "", "\ufeff", "", "\u00ad", "")

// decorated reports a terminal that is a nonterminal with signs of another notation, such as $step, {step}
// and step_opt.
func (c *clusters) decorated(of cluster) bool {
	if of.quoted {
		return false
	}
	bare := strings.Trim(of.text, decoration)
	if latin := lookalikes.Replace(of.text); latin != of.text {
		if _, ok := c.g.Lookup(latin); ok {
			c.replace(of, " has letters that look Latin (Cyrillic or Greek); did you mean "+habit.Quote(latin)+"?", latin, true)
			return true
		}
	}
	for _, prefix := range []string{"this.", "self.", "g.", "G.", "rule:", "ref:", "rules."} {
		bare = strings.TrimPrefix(bare, prefix)
	}
	for _, suffix := range []string{"_opt", "opt", "_list", "-list"} {
		if stem := strings.TrimSuffix(bare, suffix); stem != bare && c.ruled(stem) && !c.ruled(bare) {
			bare = stem
		}
	}
	meant := ""
	for _, name := range []string{bare, "<" + bare + ">"} {
		if c.ruled(name) && name != of.text {
			meant = name
		}
	}
	if meant == "" || bare == "" || meant == bare && strings.Trim(of.text, "*+?") == bare {
		return false
	}
	c.replace(of, " has no rule; did you mean "+habit.Quote(meant)+"?", meant, true)
	return true
}

// textbook reports right sides in which symbols of a single character have no spaces between them: aSb.
func (c *clusters) textbook() {
	for _, name := range c.g.Names[c.g.NumTerminals:] {
		if stem := strings.TrimRight(name, "'0123456789"); len(stem) != 1 || stem[0] < 'A' || stem[0] > 'Z' {
			return
		}
	}
	var found *cluster
	letters := ""
	for i, of := range c.list {
		if !of.quoted && c.joined(of.text) {
			if found == nil {
				found = &c.list[i]
			}
			letters += of.text
		}
	}
	if found == nil || c.reported(found.at) {
		return
	}
	next, done := "", source.Pos(0)
	for _, of := range c.list {
		same := strings.Trim(of.text, letters) == "" && len(of.text) < 6
		if of.quoted || len(of.text) < 2 || !same && !c.joined(of.text) {
			continue
		}
		next += c.text[done:of.at.Start] + strings.Join(strings.Split(of.text, ""), " ")
		done = of.at.End
	}
	apart := strings.Join(strings.Split(found.text, ""), " ")
	c.rewritten(found.at, habit.Quote(found.text)+" is one terminal; separate symbols with spaces", "Write "+apart, next+c.text[done:], true)
}

// joined reports whether a text consists of several symbols of one letter, among them nonterminals.
func (c *clusters) joined(text string) bool {
	if len(text) < 2 || len(text) > 6 || c.ruled(text) {
		return false
	}
	upper, lower := 0, 0
	for i := range len(text) {
		switch letter := text[i]; {
		case letter >= 'A' && letter <= 'Z':
			if upper++; !c.ruled(text[i : i+1]) {
				return false
			}
		case letter >= 'a' && letter <= 'z' || letter >= '0' && letter <= '9':
			lower++
		default:
			return false
		}
	}
	first := text[0] >= 'a' || text[0] <= '9'
	return upper > 1 || upper == 1 && (first && lower < 4 || len(text) == 2)
}

// separated reports a sign between symbols that separates alternatives in PEG and ABNF, joins symbols
// in programs, or excludes a symbol in ISO EBNF.
func (c *clusters) separated() {
	for i, of := range c.list {
		if of.before == 0 || of.after == 0 || c.reported(of.at) {
			continue
		}
		previous, next := c.list[i-1], c.list[i+1]
		nonterminals := len(c.g.Names) - c.g.NumTerminals
		apart := previous.text != of.left && next.text != of.left && next.text != previous.text
		switch {
		case of.text == "/" && previous.text != of.left && (of.before+of.after > 2 || nonterminals > 1 || c.counts["/"] > 1) && !c.signs("/"):
			c.replace(of, ` is a terminal; alternatives are separated by "|"`, "|", true)
			return
		case apart && c.joins(of.text, previous.text, next.text):
			c.replace(of, " is a terminal; separate symbols with spaces only", "", true)
			return
		case of.text == "-" && apart && (next.quoted || c.ruled(next.text)) && !c.signs("-"):
			at := source.Span{Start: of.at.Start, End: next.at.End}
			c.rewritten(at, habit.Quote(c.text[at.Start:at.End])+" is an exception; rules do not support exceptions", "Remove it", strings.TrimRight(c.text[:of.at.Start], " ")+c.text[at.End:], true)
			return
		}
	}
	c.commas()
	c.codes()
}

// joins reports whether the only "+" of a grammar is between two symbols, one of them with rules.
func (c *clusters) joins(sign, previous, next string) bool {
	return sign == "+" && c.counts[sign] == 1 && (c.ruled(next) || c.ruled(previous)) && !c.signs(sign)
}

// separates reports whether a sign is between all symbols of all alternatives, and no alternative is
// a list of a recursive rule.
func (c *clusters) separates(sign string) bool {
	for _, of := range c.list {
		if of.quoted || (of.before%2 == 1) != (of.text == sign) || of.after == 0 && of.before%2 == 1 || of.text == of.left {
			return false
		}
	}
	return !c.signs(sign)
}

// codes reports codes of characters that begin a comment.
func (c *clusters) codes() {
	pattern := habit.NewPattern(`[ \t](#x([\dA-Fa-f]+))(?:[ \t|]|$)`)
	if m := pattern.Find(c.text, 0); m != nil && inRule(c.text, m[2]) {
		at := source.Span{Start: source.Pos(m[2]), End: source.Pos(m[3])}
		written, ok := character(c.text[m[4]:m[5]], 16)
		c.rewritten(at, habit.Quote(c.text[m[2]:m[3]])+" begins a comment; write the character in quotes", "Write the character", c.text[:m[2]]+`"`+written+`"`+c.text[m[3]:], ok)
	}
}

// commas reports commas between symbols, and symbols with a comma if all symbols of an alternative except
// the last one have one and a nonterminal is among them.
func (c *clusters) commas() {
	if i := slices.IndexFunc(c.list, func(of cluster) bool { return of.text == "," }); i >= 0 && c.separates(",") && !c.reported(c.list[i].at) {
		c.replace(c.list[i], " is a terminal; separate symbols with spaces only", "", true)
	}
	for i := 0; i < len(c.list); i++ {
		of := c.list[i]
		if of.before > 0 || of.after == 0 {
			continue
		}
		all, ruled := true, false
		for _, next := range c.list[i : i+of.after+1] {
			stem := strings.TrimSuffix(next.text, ",")
			all = all && (stem != next.text && stem != "" || next.after == 0)
			ruled = ruled || c.ruled(stem)
		}
		if !all || !ruled {
			at := slices.IndexFunc(c.list[i:i+of.after], func(next cluster) bool {
				return len(next.text) > 3 && !next.quoted && strings.HasSuffix(next.text, ",") && plainName(next.text[:len(next.text)-1])
			})
			if at < 0 {
				continue
			}
			of = c.list[i+at]
		}
		if c.reported(of.at) {
			continue
		}
		text, done := "", source.Pos(0)
		for _, next := range c.list {
			if next.after > 0 && strings.HasSuffix(next.text, ",") && !next.quoted {
				text, done = text+c.text[done:next.at.End-1], next.at.End
			}
		}
		at := source.Span{Start: of.at.End - 1, End: of.at.End}
		c.rewritten(at, `"," is part of the symbol `+habit.Quote(of.text)+"; separate symbols with spaces", `Remove ","`, text+c.text[done:], true)
		return
	}
}
