package checker

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxStrays is the maximum number of unknown words in a terse line; lines with more are
// prose.
const maxStrays = 3

// strays reports the unknown words of a terse line, which consists of symbols and labels without a
// word of prose, such as "1. b1 x". If every unknown word has the form of a symbol, each is an
// unknown step. Otherwise each is unread, provided that the known words are symbols and not labels.
func (s *stepReader) strays(list []piece, mentions []mention) {
	words, terse := s.unknownWords(list, mentions)
	if !terse {
		return
	}
	steps := !slices.ContainsFunc(words, func(p piece) bool { return !s.symbolic(p) })
	named := !slices.ContainsFunc(mentions, func(m mention) bool {
		return m.phrase < 0 || s.text[m.start:m.end] != s.nameOf(s.lexicon.phrases[m.phrase])
	})
	for _, p := range words {
		text := s.text[p.start:p.end]
		if steps {
			s.r.found = append(s.r.found, Found{Label: text, Start: p.start, End: p.end, Step: s.step, listed: -1, letter: -1, Note: noTool})
		}
		if steps || named {
			s.r.unread = append(s.r.unread, Unread{Text: text, Start: p.start, End: p.end, Step: true})
		}
	}
}

// unknownWords returns the words of a line outside its mentions. The line is not terse if one of
// them is a filler word, a number, the name of a symbol or a part of a longer token, or if there
// are more than maxStrays of them.
func (s *stepReader) unknownWords(list []piece, mentions []mention) (words []piece, terse bool) {
	for _, p := range list {
		if within(mentions, p) {
			continue
		}
		_, known := s.g.Lookup(s.text[p.start:p.end])
		if known || isNumber(p.text) || slices.Contains(fillerWords, p.text) || !s.separate(p) {
			return nil, false
		}
		words = append(words, p)
	}
	return words, len(words) <= maxStrays
}

// separate reports whether a word has white space or a separator on both sides.
func (s *stepReader) separate(p piece) bool {
	before, _ := utf8.DecodeLastRuneInString(s.text[:p.start])
	after, _ := utf8.DecodeRuneInString(s.text[p.end:])
	return (p.start == 0 || unicode.IsSpace(before) || strings.ContainsRune(",;+&", before)) &&
		(p.end == len(s.text) || unicode.IsSpace(after) || strings.ContainsRune(",;+&.", after))
}

// symbolic reports whether a word has the form of a symbol: it contains a digit and has the form of
// a terminal of the grammar, or it is a single letter that is not an English word.
func (s *stepReader) symbolic(p piece) bool {
	text := s.text[p.start:p.end]
	if utf8.RuneCountInString(text) == 1 {
		return likeSymbol(text)
	}
	form := symbolForm(text)
	return strings.Contains(form, "0") && slices.ContainsFunc(s.g.Names[:s.g.NumTerminals], func(name string) bool { return symbolForm(name) == form })
}

// symbolForm returns a name with each letter replaced by "a" and each run of digits by "0".
func symbolForm(name string) string {
	var b strings.Builder
	digits := false
	for _, r := range name {
		switch {
		case unicode.IsDigit(r):
			if !digits {
				b.WriteByte('0')
			}
		case unicode.IsLetter(r):
			b.WriteByte('a')
		default:
			b.WriteRune(r)
		}
		digits = unicode.IsDigit(r)
	}
	return b.String()
}
