package schema

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/regex"
)

// CompilePattern compiles a regular expression of ECMA-262, the dialect of JSON Schema, by characters rather
// than by units of UTF-16. fault describes a construct that RE2 lacks or reads otherwise.
func CompilePattern(text string) (out regex.Expression, fault string) {
	t := &patternReader{text: text}
	t.read()
	if t.fault != "" {
		return nil, t.fault
	}
	return compileRE2(t.out.String())
}

func compileRE2(text string) (regex.Expression, string) {
	out, err := regex.Compile(text)
	if err != nil {
		return nil, err.Error()
	}
	return out, ""
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// patternReader writes an expression of ECMA-262 in the syntax of RE2.
type patternReader struct {
	text  string
	at    int
	out   strings.Builder
	names []string // of groups
	fault string
}

// ecmaSpace are the characters of \s, for a class.
const ecmaSpace = `\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`

// ecmaOther are the other characters.
const ecmaOther = `\x00-\x08\x0e-\x1f!-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e}\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff}`

func (t *patternReader) fail(fault string) {
	if t.fault == "" {
		t.fault = fault
	}
	t.at = len(t.text)
}

func (t *patternReader) rest() string { return t.text[t.at:] }

func (t *patternReader) read() {
	for t.at < len(t.text) {
		switch c := t.text[t.at]; c {
		case '\\':
			boundary := strings.HasPrefix(t.rest(), `\b`) || strings.HasPrefix(t.rest(), `\B`)
			if t.escape(false); boundary {
				t.notRepeated()
			}
		case '[':
			t.class()
		case '^', '$':
			t.at++
			t.out.WriteByte(c)
			t.notRepeated()
		case '.':
			t.at++
			t.out.WriteString(`[^\n\r\x{2028}\x{2029}]`)
		case '(':
			t.group()
		default:
			t.at++
			t.out.WriteByte(c)
		}
	}
}

// notRepeated refuses a repetition of the assertion that was read, which RE2 permits.
func (t *patternReader) notRepeated() {
	if rest := t.rest(); rest != "" && (strings.IndexByte("*+?", rest[0]) >= 0 || len(rest) > 1 && rest[0] == '{' && isDigit(rest[1])) {
		t.fail("an assertion is repeated")
	}
}

// group reads the beginning of a group: capturing, named or not capturing.
func (t *patternReader) group() {
	t.at++
	rest := t.rest()
	switch {
	case strings.HasPrefix(rest, "?:"):
		t.at += 2
	case strings.HasPrefix(rest, "?=") || strings.HasPrefix(rest, "?!") || strings.HasPrefix(rest, "?<=") || strings.HasPrefix(rest, "?<!"):
		t.fail("lookahead and lookbehind are not supported")
		return
	case strings.HasPrefix(rest, "?<"):
		name, _, closed := strings.Cut(rest, ">")
		if !closed || slices.Contains(t.names, name) {
			t.fail("the name of a group is duplicate or has no end")
			return
		}
		t.names = append(t.names, name)
		t.at += len(name) + 1
	case strings.HasPrefix(rest, "?") || strings.HasPrefix(rest, "*"):
		t.fail("unknown group")
		return
	}
	t.out.WriteString("(?:")
}

// escape reads an escape, in a class or outside.
func (t *patternReader) escape(class bool) {
	t.at++
	if t.at == len(t.text) {
		t.fail("trailing backslash")
		return
	}
	c := t.text[t.at]
	t.at++
	switch {
	case c == 's' || c == 'S':
		t.out.WriteString(spaceOf(c, class))
	case c == 'b' && class:
		t.out.WriteString(`\x08`)
	case strings.IndexByte("dDwWtnrfv", c) >= 0 || (c == 'b' || c == 'B') && !class:
		t.out.WriteString(`\` + string(c))
	case c == '0' && (t.rest() == "" || !isDigit(t.rest()[0])):
		t.out.WriteString(`\x00`)
	case c == 'x':
		t.character(t.hexadecimal(2))
	case c == 'u':
		t.character(t.unicode())
	case (c == 'p' || c == 'P') && strings.HasPrefix(t.rest(), "{"): // without braces, ECMA-262 reads the letter p
		t.out.WriteString(`\` + string(c))
	case c < utf8.RuneSelf && c > ' ' && !isDigit(c) && (c|0x20 < 'a' || c|0x20 > 'z'):
		t.out.WriteString(`\` + string(c))
	default:
		t.fail(`unknown escape \` + string(c))
	}
}

// spaceOf returns the class of \s or \S, or its characters for a class.
func spaceOf(c byte, class bool) string {
	characters := ecmaSpace
	if c == 'S' {
		characters = ecmaOther
	}
	if class {
		return characters
	}
	return "[" + characters + "]"
}

// unicode reads the digits of an escape: in braces, four, or those of two surrogates.
func (t *patternReader) unicode() rune {
	if !strings.HasPrefix(t.rest(), "{") {
		r := t.hexadecimal(4)
		if r >= 0xd800 && r < 0xdc00 && strings.HasPrefix(t.rest(), `\u`) {
			t.at += 2
			r = (r-0xd800)<<10 + t.hexadecimal(4) - 0xdc00 + 0x10000
		}
		return r
	}
	digits, _, closed := strings.Cut(t.rest()[1:], "}")
	if !closed || len(digits) > 6 {
		t.fail("malformed escape")
		return 0
	}
	t.at++
	r := t.hexadecimal(len(digits))
	t.at++
	return r
}

func (t *patternReader) character(r rune) {
	if t.fault != "" {
		return
	}
	if r < 0 || r > utf8.MaxRune || r >= 0xd800 && r < 0xe000 {
		t.fail("a surrogate")
		return
	}
	t.out.WriteString(`\x{` + hexadecimalOf(r) + "}")
}

func hexadecimalOf(r rune) string {
	const digits = "0123456789abcdef"
	out := ""
	for ; r > 0 || out == ""; r >>= 4 {
		out = digits[r&15:r&15+1] + out
	}
	return out
}

// hexadecimal reads n digits.
func (t *patternReader) hexadecimal(n int) (r rune) {
	if n == 0 || len(t.rest()) < n {
		t.fail("malformed escape")
		return 0
	}
	for range n {
		c := t.text[t.at]
		t.at++
		switch {
		case c >= '0' && c <= '9':
			r = r<<4 + rune(c-'0')
		case c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F':
			r = r<<4 + rune(c|0x20-'a'+10)
		default:
			t.fail("malformed escape")
			return 0
		}
	}
	return r
}

// class reads a class of characters. An empty class is a fault, and so are brackets in a class, which RE2 may
// read as the name of a class.
func (t *patternReader) class() {
	t.at++
	t.out.WriteByte('[')
	if strings.HasPrefix(t.rest(), "^") {
		t.at++
		t.out.WriteByte('^')
	}
	if strings.HasPrefix(t.rest(), "]") {
		t.fail("an empty class")
		return
	}
	for t.at < len(t.text) {
		switch c := t.text[t.at]; c {
		case ']':
			t.at++
			t.out.WriteByte(']')
			return
		case '[':
			t.at++
			t.out.WriteString(`\[`)
		case '\\':
			t.escape(true)
		default:
			t.at++
			t.out.WriteByte(c)
		}
	}
	t.fail("missing closing ]")
}

// numberFormats are the formats of numbers with their bounds, and those that no JSON value violates.
var numberFormats = map[string][2]string{
	"int32": {"-2147483648", "2147483647"}, "int64": {"-9223372036854775808", "9223372036854775807"},
	"float": {}, "double": {}, "password": {}, "binary": {},
}

// Parts of the formats of texts.
const (
	formatDate = `(?:\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8]))|(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)`
	formatTime = `(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)|23:59:60(?:\.\d+)?(?:[Zz]|[+-]00:00))`
	formatByte = `(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`
	formatHost = `[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*`
	formatAtom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
	uriName    = `(?:[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*`
	uriUser    = `(?:[A-Za-z0-9._~!$&'()*+,;=:-]|%[0-9A-Fa-f]{2})*`
	uriPath    = `(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})`
	uriQuery   = `(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*`
)

// textFormats are the formats of texts as expressions of RE2. They accept no text that is not in the format. A second of 60
// is one of UTC, the name in an email has no quotes, and the host in a uri is no IP literal.
var textFormats = map[string]string{
	"date": "^" + formatDate + "$", "time": "^" + formatTime + "$", "date-time": "^" + formatDate + "[Tt]" + formatTime + "$",
	"uuid":  `^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$`,
	"ipv4":  "^" + formatByte + `(?:\.` + formatByte + "){3}$",
	"email": "^" + formatAtom + `(?:\.` + formatAtom + ")*@" + formatHost + "$",
	"uri": `^[A-Za-z][A-Za-z0-9+.-]*:(?://(?:` + uriUser + "@)?" + uriName + `(?::\d*)?(?:/` + uriPath + "*)*|/?(?:" + uriPath + "+(?:/" + uriPath + `*)*)?)(?:\?` +
		uriQuery + ")?(?:#" + uriQuery + ")?$",
	"byte": `^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$`,
}

func compileFormat(name string) (regex.Expression, string) {
	text, ok := textFormats[name]
	if !ok {
		return nil, "unknown format"
	}
	return compileRE2(text)
}
