package cedar

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/source"
)

type tokenKind uint8

const (
	tokenEnd tokenKind = iota
	tokenName
	tokenInt
	tokenString // with its quotes
	tokenSymbol
	tokenBad
)

type token struct {
	kind tokenKind
	text string
	span source.Span
}

// symbols are the symbols, longer ones first.
var symbols = []string{
	"::", "==", "!=", "<=", ">=", "&&", "||",
	"(", ")", "{", "}", "[", "]", ",", ";", ":", ".", "@", "?", "$", "!", "<", ">", "=", "+", "-", "*", "/", "%",
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// lex reads the tokens of a text; the last one is tokenEnd.
func lex(text string) (out []token) {
	at := 0
	add := func(kind tokenKind, n int) {
		out = append(out, token{kind, text[at : at+n], source.Span{Start: source.Pos(at), End: source.Pos(at + n)}})
		at += n
	}
	for at < len(text) {
		rest := text[at:]
		switch c := rest[0]; {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n' || strings.HasPrefix(rest, "\ufeff"):
			_, n := utf8.DecodeRuneInString(rest)
			at += n
		case strings.HasPrefix(rest, "//"):
			at = source.LineEnd(text, at)
		case isLetter(c):
			n := 1
			for n < len(rest) && (isLetter(rest[n]) || isDigit(rest[n])) {
				n++
			}
			add(tokenName, n)
		case isDigit(c):
			n := 1
			for n < len(rest) && isDigit(rest[n]) {
				n++
			}
			add(tokenInt, n)
		case c == '"':
			n := 1
			for n < len(rest) && rest[n] != '"' {
				if rest[n] == '\\' {
					n++
				}
				n++
			}
			if n >= len(rest) {
				add(tokenBad, len(rest))
			} else {
				add(tokenString, n+1)
			}
		default:
			n := symbolLength(rest)
			if n > 0 {
				add(tokenSymbol, n)
			} else {
				_, n = utf8.DecodeRuneInString(rest)
				add(tokenBad, n)
			}
		}
	}
	add(tokenEnd, 0)
	return out
}

func symbolLength(rest string) int {
	for _, s := range symbols {
		if strings.HasPrefix(rest, s) {
			return len(s)
		}
	}
	return 0
}

// unquote decodes a string. In a pattern, it returns a regular expression for the pattern, in which
// a star that is not escaped matches any text.
func unquote(quoted string, pattern bool) (string, bool) {
	var b strings.Builder
	put := func(r rune) {
		if pattern {
			b.WriteString(quoteRune(r))
		} else {
			b.WriteRune(r)
		}
	}
	for text := quoted[1 : len(quoted)-1]; text != ""; {
		r, n := utf8.DecodeRuneInString(text)
		if r != '\\' {
			if text = text[n:]; pattern && r == '*' {
				b.WriteString(".*")
			} else {
				put(r)
			}
			continue
		}
		r, n = escape(text, pattern)
		if n == 0 {
			return "", false
		}
		put(r)
		text = text[n:]
	}
	return b.String(), true
}

// escape decodes the escape at the start of a text and returns its length, 0 if it is invalid.
func escape(text string, pattern bool) (rune, int) {
	if len(text) < 2 {
		return 0, 0
	}
	const plain, means = `nrt0\'"`, "\n\r\t\x00\\'\""
	if i := strings.IndexByte(plain, text[1]); i >= 0 {
		return rune(means[i]), 2
	}
	if text[1] == '*' && pattern {
		return '*', 2
	}
	digits, length := "", 0
	if text[1] == 'x' && len(text) >= 4 {
		digits, length = text[2:4], 4
	} else if strings.HasPrefix(text, `\u{`) {
		if end := strings.IndexByte(text, '}'); end > 3 && end <= 9 {
			digits, length = text[3:end], end+1
		}
	}
	code, err := strconv.ParseUint(digits, 16, 32)
	if err != nil || !utf8.ValidRune(rune(code)) || text[1] == 'x' && code > 0x7f {
		return 0, 0
	}
	return rune(code), length
}

// quoteRune returns a regular expression that matches a character.
func quoteRune(r rune) string {
	switch {
	case strings.ContainsRune(`\.+*?()|[]{}^$`, r):
		return `\` + string(r)
	case r < ' ' || r == 0x7f:
		return `\x{` + strconv.FormatInt(int64(r), 16) + "}"
	}
	return string(r)
}
