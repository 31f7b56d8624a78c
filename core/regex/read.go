package regex

import (
	"errors"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// node is a part of an expression.
type node struct {
	op       byte // 'c' a set, 'a' an assertion, '.' a sequence, '|' alternatives, '*' a repetition
	set      *runeSet
	assert   operator
	kids     []*node
	min, max int // max is -1 without a bound
}

// reader parses an expression.
type reader struct {
	text  string
	at    int
	depth int
	flags flags
	err   error
}

type flags struct{ fold, multi, dot bool }

// Compile compiles an expression in the syntax of RE2, as package regexp does.
func Compile(text string) (Expression, error) {
	r := &reader{text: text}
	n := r.either()
	if r.err == nil && r.at < len(text) {
		r.fail("unexpected )")
	}
	if r.err != nil {
		return nil, r.err
	}
	w := &writer{}
	w.write(n)
	w.add(instruction{op: opMatch})
	if len(w.code) >= maxRegexCode {
		return nil, errors.New("the expression is too large")
	}
	return w.code, nil
}

func (r *reader) fail(message string) {
	if r.err == nil {
		r.err = errors.New(message)
		r.at = len(r.text)
	}
}

func (r *reader) rest() string { return r.text[r.at:] }

func (r *reader) accept(prefix string) bool {
	if strings.HasPrefix(r.rest(), prefix) {
		r.at += len(prefix)
		return true
	}
	return false
}

func (r *reader) next() rune {
	c, size := utf8.DecodeRuneInString(r.rest())
	r.at += size
	return c
}

func (r *reader) either() *node {
	if r.depth++; r.depth > maxRegexDepth {
		r.fail("the expression is nested too deeply")
	}
	out := &node{op: '|', kids: []*node{r.sequence()}}
	for r.accept("|") {
		out.kids = append(out.kids, r.sequence())
	}
	r.depth--
	if len(out.kids) == 1 {
		return out.kids[0]
	}
	return out
}

func (r *reader) sequence() *node {
	out := &node{op: '.'}
	repeated := false
	for r.at < len(r.text) {
		switch c := r.text[r.at]; c {
		case '|', ')':
			return out
		case '(':
			if n := r.group(); n != nil {
				out.kids = append(out.kids, n)
			}
		case '*', '+', '?', '{':
			lowest, highest, ok := r.repetition()
			if !ok {
				r.at++
				out.kids = append(out.kids, r.literal('{'))
				break
			}
			r.accept("?") // a lazy repetition matches the same texts
			switch {
			case repeated:
				r.fail("invalid nested repetition operator")
			case len(out.kids) == 0:
				r.fail("missing argument to repetition operator: " + string(rune(c)))
			default:
				last := &out.kids[len(out.kids)-1]
				*last = &node{op: '*', kids: []*node{*last}, min: lowest, max: highest}
				if c == '{' && (lowest >= 2 || highest >= 2) && !(*last).bounded(maxRepeat) {
					r.fail("invalid repeat count")
				}
			}
			repeated = true
			continue
		case '\\':
			out.kids = append(out.kids, r.escape()...)
		default:
			out.kids = append(out.kids, r.plain(c))
		}
		repeated = false
	}
	return out
}

// plain reads a character without a backslash.
func (r *reader) plain(c byte) *node {
	choose := func(multi, single operator) *node {
		r.at++
		if r.flags.multi {
			single = multi
		}
		return &node{op: 'a', assert: single}
	}
	switch c {
	case '^':
		return choose(opLineBegin, opBegin)
	case '$':
		return choose(opLineEnd, opEnd)
	case '.':
		r.at++
		set := &runeSet{not: true}
		if !r.flags.dot {
			set.parts = []runePart{{ranges: "\n\n"}}
		}
		return &node{op: 'c', set: set}
	case '[':
		return r.class()
	}
	return r.literal(r.next())
}

func (r *reader) literal(c rune) *node {
	return &node{op: 'c', set: &runeSet{parts: []runePart{{ranges: string([]rune{c, c}), fold: r.flags.fold}}}}
}

// bounded reports whether the counts of nested repetitions multiply to at most limit.
func (n *node) bounded(limit int) bool {
	if n.op == '*' && n.max != 0 && (n.min > 1 || n.max > 1) {
		count := max(n.max, n.min)
		if count > limit {
			return false
		}
		limit /= count
	}
	for _, k := range n.kids {
		if !k.bounded(limit) {
			return false
		}
	}
	return true
}

// repetition reads a repetition operator; ok is false for a brace that is a character.
func (r *reader) repetition() (lowest, highest int, ok bool) {
	c := r.text[r.at]
	if c != '{' {
		r.at++
		switch c {
		case '*':
			return 0, -1, true
		case '+':
			return 1, -1, true
		}
		return 0, 1, true
	}
	inner, _, closed := strings.Cut(r.text[r.at+1:], "}")
	from, to, comma := strings.Cut(inner, ",")
	lowest, ok = repeatCount(from)
	highest = lowest
	if comma {
		if highest = -1; to != "" {
			var toOK bool
			highest, toOK = repeatCount(to)
			ok = ok && toOK
		}
	}
	if !closed || !ok {
		return 0, 0, false
	}
	r.at += len(inner) + 2
	if lowest > maxRepeat || highest > maxRepeat || highest >= 0 && lowest > highest {
		r.fail("invalid repeat count: {" + inner + "}")
	}
	return lowest, highest, true
}

func repeatCount(text string) (n int, ok bool) {
	if text == "" || len(text) > 1 && text[0] == '0' || strings.Trim(text, "0123456789") != "" {
		return 0, false
	}
	if n, _ = strconv.Atoi(text); len(text) > 8 {
		n = maxRepeat + 1
	}
	return n, true
}

// group reads a group; nil if it only sets flags.
func (r *reader) group() *node {
	flags := r.flags
	r.at++
	if r.accept("?") {
		if r.accept("P<") || r.accept("<") {
			name, _, ok := strings.Cut(r.rest(), ">")
			if !ok || name == "" || strings.ContainsFunc(name, func(c rune) bool { return !isWord(c) }) {
				r.fail("invalid named capture")
				return nil
			}
			if r.err == nil {
				r.at += len(name) + 1
			}
		} else if !r.setFlags() {
			return nil
		}
	}
	n := r.either()
	if !r.accept(")") {
		r.fail("missing closing )")
	}
	r.flags = flags
	return n
}

// setFlags reads flags after "(?" and reports whether a group follows.
func (r *reader) setFlags() bool {
	flags, sign, some := r.flags, true, false
	for r.at < len(r.text) {
		switch c := r.next(); c {
		case 'i':
			flags.fold, some = sign, true
		case 'm':
			flags.multi, some = sign, true
		case 's':
			flags.dot, some = sign, true
		case 'U':
			some = true // greediness does not change which texts match
		case '-':
			if !sign {
				r.fail("invalid or unsupported group flags")
				return false
			}
			sign, some = false, false
		case ':', ')':
			if !sign && !some {
				r.fail("invalid or unsupported group flags")
				return false
			}
			r.flags = flags
			return c == ':'
		default:
			r.fail("invalid or unsupported Perl syntax: (?" + string(c))
			return false
		}
	}
	r.fail("missing closing )")
	return false
}

// escape reads an escape outside of a class.
func (r *reader) escape() []*node {
	assertions := map[byte]operator{'A': opBegin, 'z': opEnd, 'b': opBoundary, 'B': opNoBoundary}
	if len(r.rest()) > 1 {
		c := r.text[r.at+1]
		if op, ok := assertions[c]; ok {
			r.at += 2
			return []*node{{op: 'a', assert: op}}
		}
		if c == 'Q' {
			r.at += 2
			text, _, ended := strings.Cut(r.rest(), `\E`)
			if r.at += len(text); ended {
				r.at += 2
			}
			var out []*node
			for _, c := range text {
				out = append(out, r.literal(c))
			}
			return out
		}
	}
	if part, ok := r.named(); ok {
		return []*node{{op: 'c', set: &runeSet{parts: []runePart{part}}}}
	}
	return []*node{r.literal(r.character())}
}

// The classes of Perl, and those of POSIX, as pairs of bounds.
var namedClasses = map[string]string{
	"d": "09", "s": "\t\n\f\r  ", "w": "09AZ__az",
	"alnum": "09AZaz", "alpha": "AZaz", "ascii": "\x00\x7f", "blank": "\t\t  ", "cntrl": "\x00\x1f\x7f\x7f", "digit": "09", "graph": "!~", "lower": "az",
	"print": " ~", "punct": "!/:@[`{~", "space": "\t\r  ", "upper": "AZ", "word": "09AZ__az", "xdigit": "09AFaf",
}

// named reads \d, \pL, \p{Greek} and their complements.
func (r *reader) named() (part runePart, ok bool) {
	text := r.rest()
	if len(text) < 2 || text[0] != '\\' {
		return part, false
	}
	part.fold = r.flags.fold
	lower := strings.ToLower(text[1:2])
	part.not = lower != text[1:2]
	switch lower {
	case "d", "s", "w":
		r.at += 2
		part.ranges = namedClasses[lower]
		return part, true
	case "p":
	default:
		return part, false
	}
	r.at += 2
	var name string
	if r.accept("{") {
		var closed bool
		if name, _, closed = strings.Cut(r.rest(), "}"); !closed {
			r.fail("invalid character class range: " + text)
			return part, true
		}
		r.at += len(name) + 1
	} else if r.at < len(r.text) {
		name = string(r.next())
	}
	if rest, not := strings.CutPrefix(name, "^"); not {
		name, part.not = rest, !part.not
	}
	if !part.find(name) {
		r.fail(`unknown class \p{` + name + "}")
	}
	return part, true
}

// find sets the characters of a general category or a script.
func (p *runePart) find(name string) bool {
	simple := func(name string) string {
		return strings.ToLower(strings.NewReplacer(" ", "", "_", "", "-", "").Replace(name))
	}
	name = simple(name)
	switch name {
	case "any":
		p.ranges, p.fold = "\x00\U0010ffff", false
		return true
	case "ascii":
		p.ranges = "\x00\x7f"
		return true
	}
	for alias, category := range unicode.CategoryAliases {
		if simple(alias) == name {
			name = simple(category)
			break
		}
	}
	for _, tables := range []map[string]*unicode.RangeTable{unicode.Categories, unicode.Scripts} {
		for known, table := range tables {
			if simple(known) == name {
				p.table = table
				return true
			}
		}
	}
	return false
}

// character reads a character or an escape of one.
func (r *reader) character() rune {
	c := r.next()
	if c != '\\' {
		return c
	}
	start := r.at
	if r.at == len(r.text) {
		r.fail("trailing backslash at end of expression")
		return 0
	}
	c = r.next()
	if i := strings.IndexRune("afnrtv", c); i >= 0 {
		return rune("\a\f\n\r\t\v"[i])
	}
	octal := func(i int) bool { return i < len(r.text) && '0' <= r.text[i] && r.text[i] <= '7' }
	switch {
	case c == 'x':
		return r.hexadecimal()
	case c == '0' || '1' <= c && c <= '7' && octal(r.at):
		n := c - '0'
		for ; r.at < start+3 && octal(r.at); r.at++ {
			n = n*8 + rune(r.text[r.at]-'0')
		}
		return n
	case c < utf8.RuneSelf && (c == '_' || !isWord(c)):
		return c
	}
	r.fail(`invalid escape sequence: \` + string(c))
	return 0
}

func (r *reader) hexadecimal() rune {
	digits := ""
	if r.accept("{") {
		var closed bool
		if digits, _, closed = strings.Cut(r.rest(), "}"); closed {
			r.at += len(digits) + 1
		} else {
			digits = ""
		}
	} else if len(r.rest()) >= 2 {
		digits = r.rest()[:2]
		r.at += 2
	}
	n, err := strconv.ParseUint(digits, 16, 32)
	if err != nil || n > unicode.MaxRune {
		r.fail(`invalid escape sequence: \x`)
	}
	return rune(n)
}

func (r *reader) class() *node {
	r.at++
	set := &runeSet{not: r.accept("^")}
	for first := true; first || !strings.HasPrefix(r.rest(), "]"); first = false {
		if r.at >= len(r.text) {
			r.fail("missing closing ]")
			return nil
		}
		if part, ok := r.posix(); ok {
			set.parts = append(set.parts, part)
			continue
		}
		if part, ok := r.named(); ok {
			set.parts = append(set.parts, part)
			continue
		}
		low := r.character()
		high := low
		if rest := r.rest(); len(rest) >= 2 && rest[0] == '-' && rest[1] != ']' {
			r.at++
			if high = r.character(); high < low {
				r.fail("invalid character class range")
			}
		}
		set.parts = append(set.parts, runePart{ranges: string([]rune{low, high}), fold: r.flags.fold})
	}
	r.accept("]")
	return &node{op: 'c', set: set}
}

// posix reads [:alpha:] or [:^alpha:].
func (r *reader) posix() (part runePart, ok bool) {
	if !strings.HasPrefix(r.rest(), "[:") {
		return part, false
	}
	name, _, closed := strings.Cut(r.rest()[2:], ":]")
	if !closed {
		return part, false
	}
	inner, not := strings.CutPrefix(name, "^")
	part = runePart{ranges: namedClasses[inner], not: not, fold: r.flags.fold}
	if len(inner) < 2 || part.ranges == "" {
		r.fail("invalid character class range: [:" + name + ":]")
		return part, true
	}
	r.at += len(name) + 4
	return part, true
}
