package gate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// value is a JSON value with its source text.
type value struct {
	kind  byte // '{', '[', '"', '0', 't', 'f' or 'n'
	raw   string
	text  string // of a string
	names []string
	items []value
}

// scanner reads JSON strictly: no duplicate names, no lone surrogates, bounded depth.
type scanner struct {
	text  string
	at    int
	fault string
}

// scan reads a text that is one value of at most max bytes. The fault is "" or a reason that
// all runtimes share.
func scan(text string, max int) (value, string) {
	if len(text) > max {
		return value{}, fmt.Sprintf("larger than %d bytes", max)
	}
	if !utf8.ValidString(text) {
		return value{}, "invalid Unicode"
	}
	s := scanner{text: text}
	s.space()
	v := s.value(1)
	if s.space(); s.fault == "" && s.at < len(text) {
		s.fail("syntax error")
	}
	return v, s.fault
}

func (s *scanner) fail(reason string) {
	if s.fault == "" {
		s.fault = reason
	}
	s.at = len(s.text)
}

func (s *scanner) space() {
	for s.at < len(s.text) && strings.IndexByte(" \t\r\n", s.text[s.at]) >= 0 {
		s.at++
	}
}

func (s *scanner) peek() byte {
	if s.at < len(s.text) {
		return s.text[s.at]
	}
	return 0
}

func (s *scanner) value(depth int) value {
	from := s.at
	v := value{kind: s.peek()}
	switch c := v.kind; {
	case c == '{' || c == '[':
		if depth > MaxDepth {
			s.fail(fmt.Sprintf("nesting deeper than %d", MaxDepth))
			return v
		}
		s.members(&v, depth)
	case c == '"':
		v.text = s.string()
	case c == '-' || c >= '0' && c <= '9':
		v.kind = '0'
		s.number()
	case c == 't':
		s.word("true")
	case c == 'f':
		s.word("false")
	case c == 'n':
		s.word("null")
	default:
		s.fail("syntax error")
	}
	if s.fault == "" {
		v.raw = s.text[from:s.at]
	}
	return v
}

func (s *scanner) members(v *value, depth int) {
	shut := v.kind + 2 // in ASCII, } is two after { and ] two after [
	s.at++
	if s.space(); s.peek() == shut {
		s.at++
		return
	}
	seen := map[string]bool{}
	for s.fault == "" {
		if v.kind == '{' {
			if s.space(); s.peek() != '"' {
				s.fail("syntax error")
				return
			}
			name := s.string()
			if s.space(); s.peek() != ':' {
				s.fail("syntax error")
				return
			}
			s.at++
			if seen[name] {
				s.fail("duplicate name " + show(name))
				return
			}
			seen[name] = true
			v.names = append(v.names, name)
		}
		s.space()
		v.items = append(v.items, s.value(depth+1))
		s.space()
		switch s.peek() {
		case ',':
			s.at++
		case shut:
			s.at++
			return
		default:
			s.fail("syntax error")
		}
	}
}

func (s *scanner) word(text string) {
	if !strings.HasPrefix(s.text[s.at:], text) {
		s.fail("syntax error")
		return
	}
	s.at += len(text)
}

func (s *scanner) digits() {
	from := s.at
	for s.peek() >= '0' && s.peek() <= '9' {
		s.at++
	}
	if s.at == from {
		s.fail("syntax error")
	}
}

func (s *scanner) number() {
	if s.peek() == '-' {
		s.at++
	}
	if s.peek() == '0' {
		s.at++
	} else {
		s.digits()
	}
	if s.peek() == '.' {
		s.at++
		s.digits()
	}
	if c := s.peek(); c == 'e' || c == 'E' {
		s.at++
		if c := s.peek(); c == '+' || c == '-' {
			s.at++
		}
		s.digits()
	}
}

func (s *scanner) string() string {
	s.at++
	var b strings.Builder
	for s.at < len(s.text) {
		c := s.text[s.at]
		s.at++
		switch {
		case c == '"':
			return b.String()
		case c < ' ':
			s.fail("syntax error")
		case c != '\\':
			b.WriteByte(c)
		default:
			b.WriteString(s.escape())
		}
	}
	s.fail("syntax error")
	return ""
}

func (s *scanner) escape() string {
	c := s.peek()
	s.at++
	if i := strings.IndexByte(`"\/bfnrt`, c); c != 0 && i >= 0 {
		return "\"\\/\b\f\n\r\t"[i : i+1]
	}
	if c != 'u' {
		s.fail("syntax error")
		return ""
	}
	r := s.hex()
	if !utf16.IsSurrogate(r) {
		return string(r)
	}
	if strings.HasPrefix(s.text[min(s.at, len(s.text)):], `\u`) {
		s.at += 2
		if r = utf16.DecodeRune(r, s.hex()); r != utf8.RuneError {
			return string(r)
		}
	}
	s.fail("invalid Unicode")
	return ""
}

func (s *scanner) hex() rune {
	if s.at+4 > len(s.text) {
		s.fail("syntax error")
		return 0
	}
	digits := s.text[s.at : s.at+4]
	n, err := strconv.ParseUint(digits, 16, 16)
	if err != nil {
		s.fail("syntax error")
		return 0
	}
	s.at += 4
	return rune(n)
}

// onlyValue returns the text of the value that is an object's only member: the contents of a string, or
// the source of another value. For values other than such objects it returns their own source.
func (v value) onlyValue() string {
	switch {
	case v.kind != '{' || len(v.items) != 1:
		return v.raw
	case v.items[0].kind == '"':
		return v.items[0].text
	}
	return v.items[0].raw
}

// canonical writes a value so that equal values have equal texts: without space, with sorted members, and with
// numbers by their exact decimals.
func (v value) canonical() string {
	switch v.kind {
	case '"':
		return quote(v.text)
	case '0':
		return exact(v.raw)
	case '[':
		return join(v.items, value.canonical)
	case '{':
		var members []string
		for i, name := range v.names {
			members = append(members, quote(name)+":"+v.items[i].canonical())
		}
		slices.Sort(members)
		return "{" + strings.Join(members, ",") + "}"
	}
	return v.raw
}

// exact writes a number as an integer without zeros at its end and a power of ten. An exponent of more than 8
// characters stays as it is.
func exact(raw string) string {
	body, sign := raw, ""
	if body[0] == '-' {
		body, sign = body[1:], "-"
	}
	mantissa, power := body, "0"
	if i := strings.IndexAny(body, "eE"); i >= 0 {
		mantissa, power = body[:i], body[i+1:]
	}
	if len(power) > 8 {
		return raw
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	if digits == "" {
		return "0"
	}
	short := strings.TrimRight(digits, "0")
	n, _ := strconv.Atoi(power) // at most 8 characters, of which the scanner read digits and a sign
	return sign + short + "e" + number(n-len(fraction)+len(digits)-len(short))
}

// kept returns the hash of the canonical text, which a session keeps of arguments.
func (v value) kept() string { return Sum(v.canonical()) }

// spaces are the characters of Unicode's property White_Space.
const spaces = "\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"

func trim(text string) string { return strings.Trim(text, spaces) }
