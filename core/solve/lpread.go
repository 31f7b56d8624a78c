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

// lpToken is a token of an LP text.
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
	var out []lpToken
	fresh := true // at the beginning of a line
	add := func(kind lpKind, from, to int) {
		if len(out) == cap(out) && from > 1_000 {
			// As many as the text so far lets expect, but no more than thrice what there is:
			// what follows may be a single word.
			out = slices.Grow(out, min(len(out)*(len(text)-from)/from+64, 3*len(out)))
		}
		out = append(out, lpToken{kind, text[from:to], source.Span{Start: source.Pos(from), End: source.Pos(to)}})
		fresh = false
	}
	for i, spent := 0, 0; i < len(text); {
		if i-spent >= 1_000 {
			if err := m.Step(i - spent); err != nil {
				return nil, err
			}
			spent = i
		}
		c := text[i]
		switch {
		case c == '\n':
			fresh = true
			i++
		case c == ' ' || c == '\t' || c == '\r':
			i++
		case c == '\\':
			i = source.LineEnd(text, i)
		case c == '+' || c == '-':
			add(lpSign, i, i+1)
			i++
		case c == ':':
			add(lpColon, i, i+1)
			i++
		case c == '<' || c == '>' || c == '=':
			end := i + 1
			if end < len(text) && (text[end] == '=' || c == '=' && (text[end] == '<' || text[end] == '>')) {
				end++
			}
			add(lpRelation, i, end)
			i = end
		case '0' <= c && c <= '9' || c == '.' && i+1 < len(text) && '0' <= text[i+1] && text[i+1] <= '9':
			end := numberEnd(text, i)
			add(lpNumber, i, end)
			i = end
		case lpNameByte(c) && c != '(' && c != ')' && c != ',':
			end := i
			for end < len(text) && lpNameByte(text[end]) {
				end++
			}
			if section, to := lpSectionAt(text, i, end, fresh); section != "" {
				out = append(out, lpToken{lpSection, section, source.Span{Start: source.Pos(i), End: source.Pos(to)}})
				fresh, i = false, to
				continue
			}
			add(lpWord, i, end)
			i = end
		default:
			add(lpOther, i, i+1)
			i++
		}
	}
	return append(out, lpToken{kind: lpEnd, span: source.Span{Start: source.Pos(len(text)), End: source.Pos(len(text))}}), nil
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
	// A variable or a constraint may have the name of a section, if text follows that
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
// only before digits.
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
