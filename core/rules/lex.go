package rules

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
)

type tokenKind uint8

const (
	tokenEnd tokenKind = iota
	tokenName
	tokenString // value is the decoded text
	tokenRegex  // a string after ~; value is the pattern
	tokenNumber
	tokenVariable // value is the name without ?
	tokenSymbol
	tokenBad // value is the message
	tokenComment
)

type token struct {
	kind  tokenKind
	text  string
	value string
	span  source.Span
}

// is reports whether a token is a symbol or a name with one of the texts.
func (t token) is(texts ...string) bool {
	if t.kind == tokenSymbol || t.kind == tokenName {
		for _, text := range texts {
			if t.text == text {
				return true
			}
		}
	}
	return false
}

// chunk is the text of a rule: its name, and the tokens of its formula, which end with tokenEnd.
type chunk struct {
	name     string
	nameSpan source.Span
	colon    source.Span
	tokens   []token
	stray    *token // of the first line that is neither indented nor the beginning of a rule
}

// split divides a text into rules at the lines whose first column has NAME and a colon. The first
// result has the tokens before the first rule. Comments are returned separately.
func split(text string) (before []token, chunks []*chunk, comments []token) {
	at := 0
	if strings.HasPrefix(text, "\ufeff") {
		at = len("\ufeff")
	}
	for at < len(text) {
		end := source.LineEnd(text, at)
		line := text[at:end]
		if name, colon := ruleStart(line); colon >= 0 {
			chunks = append(chunks, &chunk{
				name: name, nameSpan: spanOf(at, at+len(name)), colon: spanOf(at+colon, at+colon+1),
			})
			at += colon + 1
		} else if len(chunks) > 0 && line != "" && !strings.ContainsAny(line[:1], " \t\r#") {
			if c := chunks[len(chunks)-1]; c.stray == nil {
				c.stray = &token{kind: tokenBad, text: line, span: spanOf(at, end)}
			}
		}
		l := lexer{text: text, at: at, end: end}
		if n := len(chunks); n > 0 {
			l.before = chunks[n-1].tokens
		}
		tokens, remark := l.line()
		comments = append(comments, remark...)
		if len(chunks) == 0 {
			before = append(before, tokens...)
		} else {
			c := chunks[len(chunks)-1]
			c.tokens = append(c.tokens, tokens...)
		}
		if next := strings.IndexByte(text[end:], '\n'); next >= 0 {
			at = end + next + 1
		} else {
			at = len(text)
		}
	}
	for _, c := range chunks {
		last := c.colon.End
		if n := len(c.tokens); n > 0 {
			last = c.tokens[n-1].span.End
		}
		c.tokens = append(c.tokens, token{span: source.Span{Start: last, End: last}})
	}
	return before, chunks, comments
}

func spanOf(start, end int) source.Span {
	return source.Span{Start: source.Pos(start), End: source.Pos(end)}
}

// ruleStart returns the name of the rule that begins a line and the offset of its colon, or -1.
func ruleStart(line string) (name string, colon int) {
	n := nameLength(line)
	rest := strings.TrimLeft(line[n:], " \t")
	if n == 0 || !strings.HasPrefix(rest, ":") {
		return "", -1
	}
	return line[:n], len(line) - len(rest)
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// nameLength returns the length of the name at the start of a text, 0 if there is none. A minus that begins
// an arrow is not part of a name.
func nameLength(text string) int {
	if text == "" || !isLetter(text[0]) {
		return 0
	}
	n := 1
	for n < len(text) && (isLetter(text[n]) || isDigit(text[n]) || text[n] == '-' && !strings.HasPrefix(text[n:], "->")) {
		n++
	}
	return n
}

// plainName reports whether a text is a name, which needs no quotes.
func plainName(text string) bool { return text != "" && nameLength(text) == len(text) }

// lexer reads the tokens of one line.
type lexer struct {
	text    string
	at, end int
	before  []token // of the lines above
	tokens  []token
}

// symbols are the symbols, longer ones first.
var symbols = []string{
	"->", "=>", "<=", ">=", "!=", "&&", "||",
	"&", "|", "!", "=", "<", ">", "(", ")", "[", "]", ",", ":", ".", "~", "@", "*", "+", "-",
}

func (l *lexer) add(kind tokenKind, length int, value string) {
	l.tokens = append(l.tokens, token{kind: kind, text: l.text[l.at : l.at+length], value: value, span: spanOf(l.at, l.at+length)})
	l.at += length
}

func (l *lexer) line() (tokens, comments []token) {
	for l.at < l.end {
		rest := l.text[l.at:l.end]
		switch c := rest[0]; {
		case c == ' ' || c == '\t' || c == '\r':
			l.at++
		case c == '#':
			end := strings.TrimRight(rest, " \t\r")
			comments = append(comments, token{kind: tokenComment, text: end, span: spanOf(l.at, l.at+len(end))})
			l.at = l.end
		case isLetter(c):
			l.add(tokenName, nameLength(rest), "")
		case isDigit(c):
			n := numberLength(rest)
			l.add(tokenNumber, n, "")
		case c == '?':
			n := 1
			for n < len(rest) && (isLetter(rest[n]) || n > 1 && isDigit(rest[n])) {
				n++
			}
			if n == 1 {
				l.add(tokenBad, 1, `expected the name of a variable after "?"`)
			} else {
				l.add(tokenVariable, n, rest[1:n])
			}
		case c == '"':
			l.quoted(rest)
		default:
			l.symbol(rest)
		}
	}
	return l.tokens, comments
}

func (l *lexer) symbol(rest string) {
	for _, s := range symbols {
		if strings.HasPrefix(rest, s) {
			l.add(tokenSymbol, len(s), "")
			return
		}
	}
	_, n := utf8.DecodeRuneInString(rest)
	l.add(tokenBad, n, `unexpected character "`+rest[:n]+`"`)
}

// numberLength returns the length of the digits, fraction and exponent at the start of a text.
func numberLength(text string) int {
	digits := func(n int) int {
		for n < len(text) && isDigit(text[n]) {
			n++
		}
		return n
	}
	n := digits(0)
	if n+1 < len(text) && text[n] == '.' && isDigit(text[n+1]) {
		n = digits(n + 1)
	}
	if n < len(text) && (text[n] == 'e' || text[n] == 'E') {
		sign := n + 1
		if sign < len(text) && (text[sign] == '+' || text[sign] == '-') {
			sign++
		}
		if end := digits(sign); end > sign {
			n = end
		}
	}
	return n
}

// quoted reads a JSON string, or the pattern after ~, in which only \" is an escape.
func (l *lexer) quoted(rest string) {
	n := 1
	for n < len(rest) && rest[n] != '"' {
		if rest[n] == '\\' {
			n++
		}
		n++
	}
	if n >= len(rest) {
		l.add(tokenBad, len(rest), `unterminated string (expected ")`)
		return
	}
	n++
	previous := l.tokens
	if len(previous) == 0 {
		previous = l.before
	}
	if k := len(previous); k > 0 && previous[k-1].is("~") {
		l.add(tokenRegex, n, unescapeQuotes(rest[1:n-1]))
		return
	}
	tree, fault := json.Tree(rest[:n])
	if fault != nil {
		l.add(tokenBad, n, "invalid string: "+fault.Message)
		return
	}
	l.add(tokenString, n, tree.Text)
}

// unescapeQuotes replaces \" by " and keeps every other pair that begins with a backslash.
func unescapeQuotes(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) {
			if i++; text[i] != '"' {
				b.WriteByte('\\')
			}
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// Plain reports whether a tool or a field with a name needs no quotes anywhere.
func Plain(name string) bool {
	return plainName(name) && !slices.Contains(operators, name)
}
