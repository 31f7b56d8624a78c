package export

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/source"
)

// Part is an element of a right side: a text, a class of characters, a regular expression
// or, if none of these is set, a reference to a rule.
type Part struct {
	Text    string
	Fold    bool   // Text matches in upper and lower case
	Class   *Class // matches one character of the class
	Pattern string // a regular expression of Lark
	Flags   string // of Pattern: letters of "imslux"
	Rule    int    // index of a rule
}

func (p Part) isRule() bool { return p.Text == "" && p.Class == nil && p.Pattern == "" }

// Class is a set of characters: those of its ranges or, with Not, all others.
type Class struct {
	Not    bool
	Ranges []Range
}

// Range is the characters from First to Last, both included.
type Range struct{ First, Last rune }

// any reports whether the class contains every character.
func (c *Class) any() bool { return c.Not && len(c.Ranges) == 0 }

// Has reports whether a character is in the class.
func (c *Class) Has(r rune) bool {
	for _, i := range c.Ranges {
		if i.First <= r && r <= i.Last {
			return !c.Not
		}
	}
	return c.Not
}

// commonCharacters are preferred examples of a class that excludes characters.
const commonCharacters = "abcxyz0129 _-.AZ"

// Pick returns a character of the class: a random character of its ranges or, if the class lists
// the characters that it excludes, a common character. below draws a number below n.
func (c *Class) Pick(below func(n int) int) rune {
	if !c.Not && len(c.Ranges) > 0 {
		r := c.Ranges[below(len(c.Ranges))]
		return r.First + rune(below(int(r.Last-r.First)+1))
	}
	from := below(len(commonCharacters))
	for i := range len(commonCharacters) {
		if r := rune(commonCharacters[(from+i)%len(commonCharacters)]); c.Has(r) {
			return r
		}
	}
	for r := ' '; r <= unicode.MaxRune; r++ {
		if c.Has(r) {
			return r
		}
	}
	return unicode.ReplacementChar
}

// Marks around names of terminals in .cfg that are not plain texts.
const (
	openMark  = "⟨"
	closeMark = "⟩"
)

// Spell returns the name of a terminal in .cfg. The name of a text is the text. Other
// terminals are written between ⟨ and ⟩: ⟨[a-z]⟩ is a class, ⟨.⟩ any character, ⟨/a+/i⟩ a
// regular expression, ⟨"ab"i⟩ a text in any case, and ⟨"a\n"⟩ a text that cannot be a name
// or looks like one of these. Different terminals have different names; [Unspell] is the
// inverse.
func Spell(p Part) string {
	switch {
	case p.Class != nil && p.Class.any():
		return openMark + "." + closeMark
	case p.Class != nil:
		return openMark + bracketed(p.Class) + closeMark
	case p.Pattern != "":
		return openMark + "/" + p.Pattern + "/" + p.Flags + closeMark
	case p.Fold:
		return openMark + quoteC(p.Text) + "i" + closeMark
	case strings.HasPrefix(p.Text, openMark) && strings.HasSuffix(p.Text, closeMark), strings.ContainsFunc(p.Text, hidden):
		return openMark + quoteC(p.Text) + closeMark
	}
	return p.Text
}

// hidden reports whether a character is invisible in a name.
func hidden(r rune) bool { return r != ' ' && !unicode.IsPrint(r) }

// Unspell returns the terminal with a name in .cfg. A name that is not a result of [Spell]
// is a text.
func Unspell(name string) Part {
	inner, opened := strings.CutPrefix(name, openMark)
	inner, closed := strings.CutSuffix(inner, closeMark)
	if p, ok := unspell(inner); ok && opened && closed {
		return p
	}
	return Part{Text: name}
}

func unspell(inner string) (Part, bool) {
	switch {
	case inner == ".":
		return Part{Class: &Class{Not: true}}, true
	case strings.HasPrefix(inner, "["):
		c, end, f := readClass(inner, 0)
		return Part{Class: c}, f == nil && end == len(inner)
	case strings.HasPrefix(inner, `"`):
		text, end, f := readQuoted(inner, 0, escapesC)
		fold := f == nil && inner[end:] == "i"
		return Part{Text: text, Fold: fold}, f == nil && text != "" && (fold || end == len(inner))
	case strings.HasPrefix(inner, "/"):
		pattern, end, ok := cutPattern(inner, 0)
		flags := inner[min(end, len(inner)):]
		return Part{Pattern: pattern, Flags: flags}, ok && strings.Trim(flags, patternFlags) == ""
	}
	return Part{}, false
}

// patternFlags are the flags of Lark's regular expressions.
const patternFlags = "imslux"

// cutPattern returns a regular expression between slashes that begins at a place, and its
// end.
func cutPattern(text string, at int) (pattern string, end int, ok bool) {
	for i := at + 1; i < len(text) && text[i] != '\n'; i++ {
		switch text[i] {
		case '\\':
			i++
		case '/':
			return text[at+1 : i], i + 1, i > at+1
		}
	}
	return "", len(text), false
}

// misread is a fault in a range of an imported text.
type misread struct {
	from, to      int
	code, message string
}

// escapes maps the characters after a backslash to their values.
type escapes map[byte]rune

// escapesC are the escapes of texts in GBNF and XGrammar's EBNF.
var escapesC = escapes{
	'n': '\n', 'r': '\r', 't': '\t', '\\': '\\', '"': '"', '[': '[', ']': ']', '\'': '\'', '?': '?',
	'a': 7, 'b': 8, 'f': 12, 'v': 11, 'e': 27, '0': 0,
}

// escapesClass are further escapes in classes.
func escapesClass() escapes { return escapes{'-': '-', '^': '^', '/': '/', '.': '.'} }

// readEscape reads the character after a backslash at a place.
func readEscape(text string, at int, known ...escapes) (r rune, end int, f *misread) {
	if at+1 >= len(text) {
		return 0, len(text), &misread{at, len(text), "import.escape", "missing character after the backslash"}
	}
	c := text[at+1]
	if digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]; digits > 0 {
		end = at + 2
		for end < len(text) && end < at+2+digits && strings.IndexByte("0123456789abcdefABCDEF", text[end]) >= 0 {
			end++
		}
		n, err := strconv.ParseUint(text[at+2:end], 16, 32)
		switch {
		case err != nil || end < at+2+digits:
			return 0, end, &misread{at, end, "import.escape", fmt.Sprintf(`\%c needs %d hexadecimal digits`, c, digits)}
		case n > unicode.MaxRune || n >= 0xD800 && n < 0xE000:
			return 0, end, &misread{at, end, "import.escape", fmt.Sprintf("invalid character %s", text[at:end])}
		}
		return rune(n), end, nil
	}
	for _, table := range known {
		if r, ok := table[c]; ok {
			return r, at + 2, nil
		}
	}
	_, size := utf8.DecodeRuneInString(text[at+1:])
	end = at + 1 + size
	return 0, end, &misread{at, end, "import.escape", fmt.Sprintf(`unknown escape %s; a backslash is written \\`, text[at:end])}
}

// readQuoted reads a double-quoted text that begins at a place.
func readQuoted(text string, start int, known escapes) (value string, end int, f *misread) {
	var b strings.Builder
	for at := start + 1; at < len(text) && text[at] != '\n'; {
		switch text[at] {
		case '"':
			return b.String(), at + 1, f
		case '\\':
			r, next, fault := readEscape(text, at, known)
			if f == nil {
				f = fault
			}
			b.WriteRune(r)
			at = next
		default:
			b.WriteByte(text[at])
			at++
		}
	}
	end = source.LineEnd(text, start)
	return "", end, &misread{start, end, "import.string", "missing closing quote"}
}

// readClass reads a class in brackets that begins at a place.
func readClass(text string, start int) (c *Class, end int, f *misread) {
	c = &Class{}
	at := start + 1
	fail := func(from, to int, message string) {
		if f == nil {
			f = &misread{from, to, "import.class", message}
		}
	}
	member := func() rune {
		if text[at] == '\\' {
			r, next, fault := readEscape(text, at, escapesC, escapesClass())
			if f == nil {
				f = fault
			}
			at = next
			return r
		}
		r, size := utf8.DecodeRuneInString(text[at:])
		at += size
		return r
	}
	if strings.HasPrefix(text[at:], "^") {
		c.Not = true
		at++
	}
	for at < len(text) && text[at] != ']' && text[at] != '\n' {
		from := at
		first := member()
		last := first
		if at+1 < len(text) && text[at] == '-' && text[at+1] != ']' && text[at+1] != '\n' {
			at++
			if last = member(); last < first {
				fail(from, at, fmt.Sprintf("invalid range %s: it ends before it begins", text[from:at]))
			}
		}
		c.Ranges = append(c.Ranges, Range{first, last})
	}
	if at >= len(text) || text[at] != ']' {
		at = min(at, len(text))
		return c, at, &misread{start, at, "import.class", `missing ']'`}
	}
	at++
	if len(c.Ranges) == 0 && !c.Not {
		fail(start, at, "empty class")
	}
	return c, at, f
}

// quoteC returns a double-quoted text with backslashes. Control characters have four
// digits, as XGrammar reads more than two after \x.
func quoteC(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		if r == '"' {
			b.WriteString(`\"`)
		} else {
			escapeC(&b, r)
		}
	}
	return b.String() + `"`
}

func escapeC(b *strings.Builder, r rune) {
	switch {
	case r == '\\':
		b.WriteString(`\\`)
	case r == '\n':
		b.WriteString(`\n`)
	case r == '\r':
		b.WriteString(`\r`)
	case r == '\t':
		b.WriteString(`\t`)
	case r > 0xFFFF && hidden(r):
		fmt.Fprintf(b, `\U%08X`, r)
	case hidden(r):
		fmt.Fprintf(b, `\u%04X`, r)
	default:
		b.WriteRune(r)
	}
}

// bracketed returns a class in the notation of regular expressions.
func bracketed(c *Class) string { return writeClass(c, `\-`, `\^`, `\/`) }

// bracketsC returns a class in GBNF. The signs - and ^ are written by number, as llama.cpp
// has no escapes for them.
func bracketsC(c *Class) string { return writeClass(c, `\u002D`, `\u005E`, "/") }

func writeClass(c *Class, dash, caret, slash string) string {
	var b strings.Builder
	b.WriteByte('[')
	if c.Not {
		b.WriteByte('^')
	}
	one := func(r rune) {
		switch r {
		case '-':
			b.WriteString(dash)
		case '^':
			b.WriteString(caret)
		case '/':
			b.WriteString(slash)
		case '[', ']':
			b.WriteString(`\` + string(r))
		default:
			escapeC(&b, r)
		}
	}
	for _, i := range c.Ranges {
		one(i.First)
		if i.Last != i.First {
			b.WriteByte('-')
			one(i.Last)
		}
	}
	return b.String() + "]"
}
