package solve

import (
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
)

// lpKind is the kind of an [lpToken].
type lpKind uint8

const (
	lpEnd lpKind = iota
	lpWord
	lpNumber
	lpSign     // + -
	lpRelation // < <= =< > >= => =
	lpColon
	lpOther   // an unexpected character, or * / ^ [ ]
	lpSection // the words at the beginning of a section; Text is its name, see lpSections
)

type lpToken struct {
	kind lpKind
	text string
	span source.Span
}

// lpSections contains the words at the beginning of sections, in lower case. They are
// reserved only at the beginning of a line, so a variable may be called free.
var lpSections = map[string]string{
	"minimize": "minimize", "minimise": "minimize", "min": "minimize", "minimum": "minimize",
	"maximize": "maximize", "maximise": "maximize", "max": "maximize", "maximum": "maximize",
	"subject to": "subject to", "such that": "subject to", "st": "subject to", "s.t.": "subject to", "st.": "subject to",
	"bounds": "bounds", "bound": "bounds",
	"general": "general", "generals": "general", "gen": "general", "integer": "general", "integers": "general",
	"binary": "binary", "binaries": "binary", "bin": "binary",
	"semi-continuous": "semi-continuous", "semi": "semi-continuous", "semis": "semi-continuous", "sos": "sos", "end": "end",
}

// lpTokens splits an LP text into tokens.
func lpTokens(text string) []lpToken {
	tokens, _ := lpTokensWithin(text, nil) // a nil meter never fails
	return tokens
}

// lpTokensWithin is lpTokens with a meter.
func lpTokensWithin(text string, m *meter.Meter) ([]lpToken, error) {
	l := lpLexer{text: text, fresh: true}
	for spent := 0; l.at < len(text); l.scan() {
		if l.at-spent >= 1_000 {
			if err := m.Step(l.at - spent); err != nil {
				return nil, err
			}
			spent = l.at
		}
	}
	return append(l.tokens, lpToken{kind: lpEnd, span: source.Span{Start: source.Pos(len(text)), End: source.Pos(len(text))}}), nil
}

// lpLexer splits an LP text into tokens.
type lpLexer struct {
	text   string
	at     int
	fresh  bool // at the beginning of a line
	tokens []lpToken
}

// scan reads a token, a comment or white space.
func (l *lpLexer) scan() {
	switch c := l.text[l.at]; {
	case c == '\n':
		l.fresh = true
		l.at++
	case c == ' ' || c == '\t' || c == '\r':
		l.at++
	case c == '\\':
		l.at = source.LineEnd(l.text, l.at)
	case c == '+' || c == '-':
		l.add(lpSign, l.at+1)
	case c == ':':
		l.add(lpColon, l.at+1)
	case c == '<' || c == '>' || c == '=':
		l.add(lpRelation, relationEnd(l.text, l.at))
	case l.digit(l.at) || c == '.' && l.digit(l.at+1):
		l.add(lpNumber, numberEnd(l.text, l.at))
	case lpNameByte(c) && c != '(' && c != ')' && c != ',':
		l.word()
	default:
		l.add(lpOther, l.at+1)
	}
}

// add appends the token up to an offset.
func (l *lpLexer) add(kind lpKind, end int) {
	if n := len(l.tokens); n == cap(l.tokens) && l.at > 1_000 {
		// Reserve as many tokens as the density of the text so far suggests, but at most
		// three times as many as read so far: the rest of the text may be a single word.
		l.tokens = slices.Grow(l.tokens, min(n*(len(l.text)-l.at)/l.at+64, 3*n))
	}
	l.append(kind, l.text[l.at:end], end)
}

func (l *lpLexer) append(kind lpKind, text string, end int) {
	l.tokens = append(l.tokens, lpToken{kind, text, source.Span{Start: source.Pos(l.at), End: source.Pos(end)}})
	l.at, l.fresh = end, false
}

// word reads a name or the words at the beginning of a section.
func (l *lpLexer) word() {
	end := l.at
	for end < len(l.text) && lpNameByte(l.text[end]) {
		end++
	}
	if section, to := lpSectionAt(l.text, l.at, end, l.fresh); section != "" {
		l.append(lpSection, section, to)
		return
	}
	l.add(lpWord, end)
}

func (l *lpLexer) digit(i int) bool {
	return i < len(l.text) && '0' <= l.text[i] && l.text[i] <= '9'
}

// relationEnd returns the end of the relation at an offset: < <= > >= = =< =>.
func relationEnd(text string, i int) int {
	end := i + 1
	if end < len(text) && (text[end] == '=' || text[i] == '=' && (text[end] == '<' || text[end] == '>')) {
		end++
	}
	return end
}

// lpSectionAt returns the section that begins with the word between two offsets, and the
// end of its words.
func lpSectionAt(text string, from, to int, fresh bool) (string, int) {
	if !fresh {
		return "", 0
	}
	word := strings.ToLower(text[from:to])
	rest := to
	for rest < len(text) && (text[rest] == ' ' || text[rest] == '\t') {
		rest++
	}
	if word == "subject" || word == "such" {
		second := map[string]string{"subject": "to", "such": "that"}[word]
		if end := rest + len(second); end <= len(text) && strings.EqualFold(text[rest:end], second) {
			if end < len(text) && text[end] == ':' {
				end++
			}
			return "subject to", end
		}
		return "", 0
	}
	if word == "semi" && strings.HasPrefix(strings.ToLower(text[to:]), "-continuous") {
		return "semi-continuous", to + len("-continuous")
	}
	section := lpSections[word]
	// A variable or a constraint may have the name of a section if the text after it
	// cannot follow a section's name.
	if section != "" && rest < len(text) && strings.IndexByte(":<>=", text[rest]) >= 0 {
		if section == "subject to" && text[rest] == ':' {
			return section, rest + 1
		}
		return "", 0
	}
	return section, to
}

func lpNameByte(c byte) bool {
	switch {
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c >= 0x80:
		return true
	}
	return strings.IndexByte("!\"#$%&(),.;?@_'`{}~|", c) >= 0
}

// numberEnd returns the end of the number at an offset. It includes an e only before
// digits.
func numberEnd(text string, i int) int {
	digitsFrom := func(i int) int {
		for i < len(text) && '0' <= text[i] && text[i] <= '9' {
			i++
		}
		return i
	}
	i = digitsFrom(i)
	if i < len(text) && text[i] == '.' {
		i = digitsFrom(i + 1)
	}
	if i < len(text) && (text[i] == 'e' || text[i] == 'E') {
		j := i + 1
		if j < len(text) && (text[j] == '+' || text[j] == '-') {
			j++
		}
		if end := digitsFrom(j); end > j {
			return end
		}
	}
	return i
}
