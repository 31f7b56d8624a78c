package language

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/habit"
	"github.com/stile-playground/stile/core/source"
)

// cluster is a run of characters without white space on the right side of a rule: one symbol, or
// several next to each other such as "a".."z".
type cluster struct {
	text   string
	at     source.Span
	left   string // the nonterminal of the rule
	before int    // number of clusters before this one in its alternative
	after  int
	quoted bool // one symbol in quotes
}

// shape is a class of clusters that are constructs of another notation.
type shape struct {
	pattern string // of the complete cluster; X, N and Q are a symbol, a name and a quoted text
	message string // after the construct in quotes
	write   string // replaces the construct; "-" without an equivalent
	expand  bool   // write is extended BNF
	meant   func(c *clusters, of cluster, groups []string) bool
}

// clusters searches the right sides of a grammar for clusters of other notations.
type clusters struct {
	*foreigner
	list   []cluster
	counts map[string]int // of the clusters, by text
}

const (
	noCounts     = " is one terminal; rules do not support counts and repetitions"
	noClass      = " is a class of characters; write one terminal "
	noLabels     = " has a label; write the symbol only"
	noPredicates = " is a predicate; rules do not support predicates"
	noOption     = " is an option; rules do not support options"
	oneCharacter = " is the code of a character; write "
)

// shapes are in the order in which they are tried; the first one that matches a cluster applies.
var shapes = []shape{
	{pattern: `["'](.)["'](?:\.\.\.?|-|…|–|:)["'](.)["']`, message: " is a range; write ⟨[$1-$2]⟩", write: "⟨[$1-$2]⟩"},
	{pattern: `(\w)(?:\.\.\.?|…)(\w)`, message: " is a range; write ⟨[$1-$2]⟩", write: "⟨[$1-$2]⟩"},
	{pattern: `(?:[%#]x|\\x|\\u\{?|U\+|&#x)([\dA-Fa-f]+)[};]*`, message: oneCharacter + "$c", write: "$c"},
	{pattern: `%d(\d+)`, message: oneCharacter + "$c", write: "$c"},
	{pattern: `[%#]x([\dA-Fa-f]+)-(?:#x)?([\dA-Fa-f]+)`, message: oneCharacter + "$c", write: "$c"},
	{pattern: `%[xdb][\dA-Fa-f.-]+`, message: " is the code of characters; write a class of characters as ⟨[A-Z]⟩", write: "-"},
	{pattern: `\[(?:\^[^\]\s]+|[^\]\s]*(?:\\|#x|\[:|&&|[^\w\]]-)[^\s]*|[^\]\s]*\w-\w[^\s]*)\][*+?]?\??`, message: noClass + "$/", write: "$/"},
	{pattern: `(/(?:[^/\\\s]|\\.)*[\[\]\\*+?(|.^$](?:[^/\\\s]|\\.)*/[a-z]*)`, message: " is a regular expression; write one terminal $/", write: "$/"},
	{pattern: `\(\?(?:[=!]|<[=!]).*`, message: " is a lookahead of regular expressions; rules have none", write: ""},
	{pattern: `\(\?(?:P?<\w+>|:|>|[a-z]+\)).*`, message: " is a group of regular expressions; rules have none", write: "-"},
	{pattern: `(?:\.[*+]\??|\\[dDwWsSbBR][*+?]?|\\[pP]\{\w+\}[*+?]?|\.\{\d+,?\d*\})`, message: " is a regular expression; write one terminal $/", write: "$/"},
	{pattern: `"(\\[nrtfv0dwsDWS]|\\[nrt]\\[nrt]|\\[xu][\dA-Fa-f]+)"`, message: ` has no escape here; write ⟨"$1"⟩`, write: `"⟨\"\$1\"⟩"`},
	{pattern: `'(\\[nrtfv0]|\\[nrt]\\[nrt]|\\[xu][\dA-Fa-f]+)'`, message: ` is one terminal; write ⟨"$1"⟩`, write: `"⟨\"\$1\"⟩"`},
	{pattern: `(?:\^("[^"]+")|'([^']+)'i|i("[^"]+")|(?:%i)("[^"]+"))`, message: ` is not one text; write a text in any case as ⟨"a"i⟩`, write: "$i"},
	{pattern: `\^'([^']+)'`, message: ` is not one text; write a text in any case as ⟨"a"i⟩`, write: "$i"},
	{pattern: `[rRbBuULfF]("[^"]*")`, message: " has a prefix; write the text in quotes", write: "$1"},
	{pattern: `(?:'''([^']+)'''|«([^»]+)»|„([^“”]+)[“”]|‚([^‘’]+)[‘’]|\\"([^"\\]+)\\"|&quot;([^&]+)&quot;|\\'([^'\\]+)\\')`, message: ` includes its quotation marks; quote with "`, write: `"$1$2$3$4$5$6$7"`},
	{pattern: `(?:'([^'"]+)"|"([^'"]+)')`, message: ` has an unmatched quote; quote with "`, write: `"$1$2"`},
	{pattern: `([^\s"'\\]+)"`, message: " has an unmatched quote", write: "$1", meant: loneQuote},
	{pattern: `(N)(?:\+=|=|:|<-)(X)`, message: noLabels, write: "$2", meant: labelledSymbol},
	{pattern: `(N)(?:\+=|=|:)(\(.*|\[.*)`, message: noLabels, write: "-"},
	{pattern: `<(?:mut )?\w+:(X)>`, message: noLabels, write: "$1"},
	{pattern: `(N):(N)`, message: noLabels, write: "$1", meant: func(c *clusters, _ cluster, g []string) bool { return c.ruled(g[1]) && !c.ruled(g[2]) }},
	{pattern: `(N)(?:\[\w+\]|@\w+|#\w+)`, message: noLabels, write: "$1", meant: firstRuled},
	{pattern: `(X)(?:~|\^|\*\*|\{)(\d+)\}?`, message: noCounts, write: "$n", meant: counted},
	{pattern: `(\d+)\*(X)`, message: noCounts, write: "$n"},
	{pattern: `(X)(?:~|\*\*|\{)(\d+)(?:\.\.\.?|,)(\d*)\}?`, message: noCounts, write: "$n", expand: true},
	{pattern: `(X)(?:\*|[∗＊⋆⁎]|\^\*|\^\{\*\}|\*\?|\*\+)`, message: ` is one terminal; rules do not support the repetition operator "*"`, write: "( $1 )*", expand: true, meant: lookalike},
	{pattern: `(X)(?:⁺|＋|\^\+|\^\{\+\}|\+\?|\+\+)`, message: ` is one terminal; rules do not support the repetition operator "+"`, write: "( $1 )+", expand: true, meant: lookalike},
	{pattern: `(X)(?:\?\?|？|\?\+)`, message: ` is one terminal; rules do not support the operator "?"`, write: "[ $1 ]", expand: true},
	{pattern: `(X)(?:\^[a-z]|[ⁿⁱᵏᵐ])`, message: noCounts, write: "-", meant: nil},
	{pattern: `\+(N)`, message: ` is one terminal; rules do not support the repetition operator "+"`, write: "( $1 )+", expand: true, meant: firstRuled},
	{pattern: `!\.|&\.|\$\.|!_`, message: " is the end of the input; a word ends after its last symbol", write: "", meant: atLast},
	{pattern: `SOI|<<?SOI>?>|BOF|<BOF>|\$start|\^`, message: " is a terminal; a word begins with its first symbol", write: "", meant: atFirst},
	{pattern: `EOI|EOF|<EOF>|<<EOF>>|END_OF_FILE|end_of_input|\$end|EndOfInput`, message: " is a terminal; a word ends after its last symbol", write: "", meant: atLast},
	{pattern: `(N)\$`, message: " is one terminal; rules have no anchors", write: "$1"},
	{pattern: `[.;]`, message: " is a terminal; a rule ends with its line", write: "", meant: (*clusters).ends},
	{pattern: `%(?:epsilon|eps|lambda|null|none|nil|e|nothing)`, message: " is a terminal; write ε for the empty word", write: "ε"},
	{pattern: `%[A-Za-z][\w-]+`, message: " is a terminal; rules have no directives", write: ""},
	{pattern: `[!&~](X)`, message: noPredicates, write: "", meant: anySymbol},
	{pattern: `[!&~][(\[{'"].*`, message: noPredicates, write: "-"},
	{pattern: `<\w+=\w+>`, message: noOption, write: ""},
	{pattern: `(?:∅|\{\}|<>|\(\)|⊥|\$?\\(?:var)?epsilon\$?|\$?\\lambda\$?|\{?\\(?:var)?epsilon\}?|&epsilon;|&#949;|&lambda;|<[εϵλ]>|\([εϵλ]\)|'[εϵλ]'|@(?:empty|epsilon|eps)|EPS|EPSILON|EMPTY|_?[eE]mpty_?|_?epsilon_?|#?e(?:psilon|ps|mpty)|/\*\*/|\\e|\\0|\(empty\))`, message: " is a terminal; write ε for the empty word", write: "ε", meant: alone},
	{pattern: `(?:nil|Nil|NIL|null|NULL|none|None|nothing|void|-|_|--|~|\^|\.|!|\*|0|@|skip|pass|noop)`, message: " is a terminal; write ε for the empty word", write: "ε", meant: (*clusters).closes},
	{pattern: `(?:\\mid|\\vert|\\\||&#124;|&vert;|\\lvert|\$\\mid\$|\$\|\$|<\|>|\|\|\||∨|┃|│|❘|⎮)`, message: ` is a terminal; alternatives are separated by "|"`, write: "|", meant: between2},
	{pattern: `\$\\?([\w]+)\$`, message: " is one terminal; write it without the marks of LaTeX", write: "$1"},
	{pattern: `\\(?:text\w*|math\w+|term|nonterm|emph)\{([^{}\s]+)\}`, message: " is one terminal; write it without the marks of LaTeX", write: "$1"},
	{pattern: `&lt;(N)&gt;`, message: " has entities of HTML", write: "<$1>"},
	{pattern: `\.\.\.|…|etc\.?|\.\.\.\.+`, message: " is a terminal; write all symbols or alternatives", write: "", meant: elided},
	{pattern: `\(?\d*\.\d+\)?|\(\d+%\)|\[\d+%\]|\{\d+%?\}|@\d*\.\d+|\d+%|<\d*\.\d+>|\|?p=\d*\.\d+`, message: " is a terminal; rules have no probabilities", write: "", meant: weight},
}

// meanings of shapes

func anySymbol(c *clusters, _ cluster, g []string) bool {
	last := g[len(g)-1]
	return last[0] == '"' || known(c.g, "", g) || c.counts[last] > 0
}

func firstRuled(c *clusters, _ cluster, g []string) bool { return c.ruled(g[1]) }

func labelledSymbol(c *clusters, _ cluster, g []string) bool { return g[2][0] == '"' || c.ruled(g[2]) }

// lookalike reports whether an operator is an unusual spelling. Plain operators after names are reported by the analysis of the grammar.
func lookalike(c *clusters, _ cluster, g []string) bool {
	tail := strings.TrimPrefix(g[0], g[1])
	return tail != "*" && (tail != "++" || g[1][0] == '"' || c.ruled(g[1]))
}

// counted excludes powers of single letters, which have another message, and series such as x^2.
func counted(c *clusters, _ cluster, g []string) bool {
	return g[1][0] == '"' || c.ruled(g[1]) || strings.ContainsAny(g[0], "~{") || c.counts[g[1]] > 0
}

func loneQuote(_ *clusters, of cluster, _ []string) bool { return !of.quoted }

func atFirst(_ *clusters, of cluster, _ []string) bool { return of.before == 0 && of.after > 0 }

func atLast(_ *clusters, of cluster, _ []string) bool { return of.after == 0 && of.before > 0 }

func alone(_ *clusters, of cluster, _ []string) bool { return of.after+of.before == 0 }

func between2(_ *clusters, of cluster, _ []string) bool { return of.after > 0 && of.before > 0 }

// elided reports whether dots are probably left-out text: they occur once in the grammar.
func elided(c *clusters, of cluster, _ []string) bool {
	return c.counts[of.text] == 1 && of.before == of.after || alone(c, of, nil) || of.after == 0
}

// weight reports whether a number is at the end of an alternative of several symbols and could be
// a probability.
func weight(c *clusters, of cluster, _ []string) bool {
	return of.after == 0 && of.before > 0 && strings.ContainsAny(of.text, "([{<@%=") || of.after == 0 && of.before > 0 && len(c.counts) > 2 && strings.Contains(of.text, ".")
}

// closes reports whether a cluster is the only other alternative of a recursive rule, like an empty word.
func (c *clusters) closes(of cluster, _ []string) bool {
	s, ok := c.g.Lookup(of.left)
	rules := c.g.ByLeft(s)
	if !ok || of.before+of.after > 0 || len(rules) != 2 || c.counts[of.text] > 1 {
		return false
	}
	return slices.ContainsFunc(rules, func(i int) bool {
		right := c.g.Productions[i].Right
		return len(right) > 1 && slices.Contains(right, s)
	})
}

// ends reports whether a sign is the end of a rule rather than a symbol: it occurs once, at the end of
// a rule, and no other terminal is a sign.
func (c *clusters) ends(of cluster, _ []string) bool {
	return of.after == 0 && of.before > 0 && c.counts[of.text] == 1 && !c.signs(of.text) && !c.ruled("NP") && !c.ruled("VP")
}

// signs reports whether a cluster other than the given one consists of signs.
func (c *clusters) signs(except string) bool {
	for text := range c.counts {
		if text != except && habit.Match(`[^\w\s<>"'⟨εÀ-ɏ]+$`, text) != nil && text[0] < 0x80 {
			return true
		}
	}
	return false
}

// ruled reports whether a name is a nonterminal.
func (c *clusters) ruled(name string) bool {
	s, ok := c.g.Lookup(name)
	return ok && !c.g.IsTerminal(s)
}

// collect gathers the clusters of the grammar.
func (c *clusters) collect() {
	syntax, _ := grammar.Parse(c.s.File)
	left := ""
	for _, line := range syntax.Lines {
		var alternatives []grammar.Alternative
		switch st := line.Statement.(type) {
		case grammar.RuleLine:
			left, alternatives = st.Left.Text, st.Alternatives
		case grammar.MoreLine:
			alternatives = st.Alternatives
		}
		for _, a := range alternatives {
			first := len(c.list)
			for i, n := range a.Symbols {
				if last := len(c.list) - 1; i > 0 && last >= first && c.list[last].at.End == n.Span.Start {
					c.list[last].at.End, c.list[last].quoted = n.Span.End, false
					continue
				}
				c.list = append(c.list, cluster{at: n.Span, left: left, quoted: c.text[n.Span.Start] == '"'})
			}
			for i := first; i < len(c.list); i++ {
				c.list[i].before, c.list[i].after = i-first, len(c.list)-1-i
				c.list[i].text = c.text[c.list[i].at.Start:c.list[i].at.End]
				c.counts[c.list[i].text]++
			}
		}
	}
}

// search reports the clusters that are constructs of other notations, each text once.
func (c *clusters) search() {
	c.collect()
	patterns := make([]*habit.Pattern, len(shapes))
	said := map[string]bool{}
	for _, of := range c.list {
		if plainName(of.text) && c.ruled("<"+of.text+">") && !c.ruled(of.text) && !said[of.text] {
			c.decorated(of)
		}
		if said[of.text] || plainName(of.text) || len(of.text) > maxCluster || len(c.found) >= maxClusters {
			continue
		}
		said[of.text] = true
		if s, ok := c.g.Lookup(of.text); ok && !c.g.IsTerminal(s) || c.reported(of.at) {
			continue
		}
		if c.glued(of) || c.function(of) {
			continue
		}
		matched := false
		for i, s := range shapes {
			if patterns[i] == nil {
				patterns[i] = habit.NewPattern("^(?:" + strings.NewReplacer("(X)", `([A-Za-z_][\w-]*|"[^"]+"|'[^']+')`, "(N)", `([A-Za-z_][\w-]*)`).Replace(s.pattern) + ")$")
			}
			if matched = c.shape(patterns[i], s, of); matched {
				break
			}
		}
		if !matched {
			c.decorated(of)
		}
	}
	c.separated()
	c.textbook()
}

// Limits of the search, which happens at each edit.
const (
	maxCluster  = 80 // bytes
	maxClusters = 8  // reports, each of which compiles the grammar
)

// plainName reports whether a text consists of letters, digits and signs that names have.
func plainName(text string) bool {
	for i := range len(text) {
		if c := text[i]; c >= 0x80 || c != '_' && c != '-' && (c < '0' || c > '9' && c < 'A' || c > 'Z' && c < 'a' || c > 'z') {
			return false
		}
	}
	// Words that other notations write for the empty word or the ends of the input.
	return !slices.Contains(strings.Fields(wordsOfShapes), text)
}

const wordsOfShapes = "SOI EOI EOF BOF END_OF_FILE end_of_input EndOfInput EPS EPSILON EMPTY nil Nil NIL null NULL none None nothing void skip pass noop - _ -- 0 etc"

func (c *clusters) reported(at source.Span) bool {
	return slices.ContainsFunc(c.found, func(d source.Diagnostic) bool { return d.Span.Start < at.End && at.Start < d.Span.End })
}

func (c *clusters) shape(p *habit.Pattern, s shape, of cluster) bool {
	m := p.Find(of.text, 0)
	if m == nil || of.quoted && !strings.HasPrefix(s.pattern, `"(`) {
		return false
	}
	groups := []string{of.text}
	for i := 2; i < len(m); i += 2 {
		if m[i] >= 0 {
			groups = append(groups, of.text[m[i]:m[i+1]])
		}
	}
	if s.meant != nil && !s.meant(c, of, groups) {
		return false
	}
	whole := append([]string{of.text}, make([]string, len(m)/2-1)...)
	for i := 1; i < len(m)/2; i++ {
		if m[2*i] >= 0 {
			whole[i] = of.text[m[2*i]:m[2*i+1]]
		}
	}
	written, ok := fill(s.write, whole, true)
	message, _ := fill(s.message, whole, false)
	c.replace(of, message, written, ok && s.write != "-")
	return true
}

// fill replaces the marks of a template: $1 to $9 are groups, $c is the character with a code, $/ a
// terminal that is a class or a regular expression, $i a text in any case, and $n a repeated
// symbol. ok is false if the construct has no equivalent.
func fill(template string, groups []string, write bool) (text string, ok bool) {
	text, ok = template, true
	for i := len(groups) - 1; i > 0; i-- {
		text = strings.ReplaceAll(text, "$"+strconv.Itoa(i), groups[i])
	}
	name := ""
	switch {
	case strings.Contains(text, "$c"):
		base := 16
		if strings.HasPrefix(groups[0], "%d") {
			base = 10
		}
		name, ok = character(groups[1], base)
		if ok && len(groups) > 2 {
			var last string
			last, ok = character(groups[2], base)
			name = "⟨[" + name + "-" + last + "]⟩"
		}
	case strings.Contains(text, "$/"):
		name = classText(groups[0])
	case strings.Contains(text, "$i"):
		for _, g := range groups[1:] {
			name += strings.Trim(g, `"`)
		}
		name = `⟨"` + name + `"i⟩`
	case strings.Contains(text, "$n"):
		return counts(groups)
	default:
		return text, true
	}
	if write || strings.ContainsAny(name, " \t") {
		name = grammar.Quote(name)
	}
	for _, mark := range []string{"$c", "$/", "$i"} {
		text = strings.ReplaceAll(text, mark, name)
	}
	return text, ok
}

// counts writes a counted symbol as extended BNF.
func counts(groups []string) (string, bool) {
	symbol, least := groups[1], groups[2]
	if symbol[0] >= '0' && symbol[0] <= '9' {
		symbol, least = least, symbol
	}
	n, err := strconv.Atoi(least)
	if err != nil || n > maxRepeated || n == 0 {
		return "", false
	}
	if len(groups) < 4 {
		return strings.TrimSuffix(strings.Repeat(symbol+" ", n), " "), true
	}
	if groups[3] == "" {
		return strings.Repeat(symbol+" ", n) + "( " + symbol + " )*", true
	}
	most, err := strconv.Atoi(groups[3])
	if err != nil || most > maxRepeated || most < n {
		return "", false
	}
	return strings.Repeat(symbol+" ", n) + strings.Repeat("[ "+symbol+" ", most-n) + strings.Repeat("] ", most-n), true
}

// maxRepeated is the greatest count that is written out.
const maxRepeated = 9

// character returns the character with a code that is written with digits.
func character(digits string, base int) (string, bool) {
	code, err := strconv.ParseInt(digits, base, 32)
	if err != nil || code < ' ' || !utf8.ValidRune(rune(code)) || code == '"' {
		return digits, false
	}
	return string(rune(code)), true
}

// classText returns the terminal of a class of characters or of a regular expression.
func classText(text string) string {
	code := habit.NewPattern(`#x([\dA-Fa-f]+)`)
	for m := code.Find(text, 0); m != nil; m = code.Find(text, m[0]+1) {
		if c, ok := character(text[m[2]:m[3]], 16); ok {
			text = text[:m[0]] + c + text[m[1]:]
		} else {
			text = text[:m[0]] + `\x` + text[m[2]:m[3]] + text[m[1]:]
		}
	}
	switch {
	case text[0] == '/' && strings.LastIndexByte(text, '/') > 0:
		return "⟨" + text + "⟩"
	case text[0] == '[' && text[len(text)-1] == ']':
		return "⟨" + text + "⟩"
	}
	return "⟨/" + text + "/⟩"
}

// replace reports a cluster, with a fix that replaces all clusters with its text.
func (c *clusters) replace(of cluster, message, written string, fix bool) {
	title := "Write " + written
	switch {
	case written == "":
		title = "Remove it"
	case strings.ContainsAny(written, "()[]"):
		title = "Rewrite it"
	}
	next := ""
	done := source.Pos(0)
	for _, other := range c.list {
		if other.text != of.text {
			continue
		}
		next += c.text[done:other.at.Start]
		done = other.at.End
		switch {
		case written != "" || other.before+other.after > 0:
			next += written
		default: // an alternative needs a symbol
			next += "ε"
		}
	}
	c.rewritten(of.at, habit.Quote(of.text)+message, title, next+c.text[done:], fix)
}
