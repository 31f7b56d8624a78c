package choice

import (
	"strings"
	"unicode"
)

// labels are the options' labels, prepared for finding them in a text.
type labels struct {
	count   int                // of options
	longest int                // bytes of the longest label
	raw     map[string]int     // exact texts
	folded  map[string]int     // folded texts without separators
	byFirst map[string][]label // by their first word, longest first
	open    map[int]bool       // options that state that the answer is open

	whole    [][]string      // the words of each label
	contents []content       // of the labels
	words    map[string]bool // of all labels
	common   map[string]bool // words of several labels
	letters  map[string]int  // of labels that differ by a capital letter only
	lettered bool            // a label has a single letter as a word
}

// label is a form of an option's label: all of it, or without the parts in parentheses.
type label struct {
	option int
	words  []string
	raw    string
	weak   bool // a word that also occurs in other senses
	asks   bool // it ends with a question mark
}

// ambiguous is the option of a label that several options have.
const ambiguous = -1

func newLabels(options []string) *labels {
	l := &labels{count: len(options), raw: map[string]int{}, folded: map[string]int{}, byFirst: map[string][]label{}, open: map[int]bool{}, words: map[string]bool{}, common: map[string]bool{}}
	set := func(m map[string]int, key string, option int) {
		if before, known := m[key]; known && before != option {
			option = ambiguous
		}
		if key != "" {
			m[key] = option
		}
	}
	short := map[string]int{}
	forms := make([][]form, len(options))
	for i, text := range options {
		l.longest = max(l.longest, len(text))
		set(l.raw, strings.TrimSpace(text), i+1)
		tokens := tokenize(text)
		forms[i] = []form{{text, wordsIn(tokens)}}
		l.whole = append(l.whole, forms[i][0].words)
		set(l.folded, strings.Join(forms[i][0].words, ""), i+1)
		l.open[i+1] = isOpen(tokens)
		for _, text := range formsOf(text) {
			f := form{text, wordsOf(text)}
			forms[i] = append(forms[i], f)
			set(short, strings.Join(f.words, ""), i+1)
		}
		for _, w := range forms[i][0].words {
			l.common[w] = l.common[w] || l.words[w] && len(w) >= minNoun && !light[w]
			l.words[w] = true
			l.lettered = l.lettered || len(w) == 1 && w >= "a" && w <= "z" && !articles[w]
		}
	}
	l.contents, l.letters = contentsOf(forms), lettersOf(options)
	// A complete label takes precedence over a short form of another one.
	for key, option := range short {
		if _, known := l.folded[key]; !known {
			l.folded[key] = option
		}
	}
	for i := range forms {
		for _, f := range forms[i] {
			l.add(i+1, f)
		}
	}
	return l
}

// form is a text that names an option, with its words.
type form struct {
	text  string
	words []string
}

// isOpen reports whether a label has a phrase of [cueOpen].
func isOpen(tokens []token) bool {
	for i, t := range tokens {
		for _, known := range lexicon()[t.text] {
			if known.sense == cueOpen && match(known.elements, tokens, i) >= 0 {
				return true
			}
		}
	}
	return false
}

// add adds a form of a label, unless several options share it.
func (l *labels) add(option int, f form) {
	words := f.words
	if len(words) == 0 || l.folded[strings.Join(words, "")] != option {
		return
	}
	text := strings.TrimSpace(f.text)
	known := label{option: option, words: words, raw: text, weak: len(words) == 1 && !distinctive(text), asks: strings.HasSuffix(text, "?") || strings.HasSuffix(text, "？")}
	list := l.byFirst[words[0]]
	at := 0
	for at < len(list) && len(list[at].words) >= len(words) {
		at++
	}
	l.byFirst[words[0]] = append(list[:at:at], append([]label{known}, list[at:]...)...)
}

// distinctive reports whether a single word cannot occur in a text except as a label.
func distinctive(text string) bool {
	runes := []rune(text)
	if len(runes) < 2 {
		return false
	}
	for _, c := range runes[1:] {
		if unicode.IsDigit(c) || unicode.IsUpper(c) {
			return true
		}
	}
	return len(runes) >= 5 && unicode.IsUpper(runes[0])
}

// withoutParentheses returns a label without a final part in parentheses.
func withoutParentheses(text string) string {
	trimmed := strings.TrimSpace(text)
	if start := strings.LastIndexAny(trimmed, "(（"); start > 0 && (strings.HasSuffix(trimmed, ")") || strings.HasSuffix(trimmed, "）")) {
		return strings.TrimSpace(trimmed[:start])
	}
	return text
}

// wordsOf returns the folded words and numbers of a text.
func wordsOf(text string) []string { return wordsIn(tokenize(text)) }

func wordsIn(tokens []token) []string {
	var out []string
	for _, t := range tokens {
		if t.kind != punct && t.kind != newline {
			out = append(out, t.text)
		}
	}
	return out
}

//go:noinline
func joined(text string) string { return strings.Join(wordsOf(text), "") }

// A form of a label is at most maxForm times as long as the label, without the marks around it.
const (
	maxForm     = 8
	marksAround = " \t\n!.,;:*#>_~-"
)

// exactly returns the option whose label is equal to a text, regardless of case and punctuation; 0
// if there is none, or more than one.
func (l *labels) exactly(text string) int {
	if len(strings.Trim(text, marksAround)) > maxForm*(l.longest+maxForm) {
		return 0
	}
	if n := l.raw[strings.Trim(text, "\"'`*")]; n > 0 {
		return n
	}
	return max(l.folded[joined(text)], 0)
}

// maxMarks bounds the punctuation marks between two words of a label.
const maxMarks = 3

// at returns the longest label at a token, and the index of the token after it.
func (l *labels) at(tokens []token, i int) (found label, end int) {
	for _, known := range l.byFirst[tokens[i].text] {
		j, matched, marks := i, 0, 0
		for j < len(tokens) && matched < len(known.words) {
			switch t := tokens[j]; {
			case t.kind == punct && matched > 0 && marks < maxMarks:
				marks++
			case t.kind != punct && t.kind != newline && t.text == known.words[matched]:
				matched, marks = matched+1, 0
			default:
				matched = len(known.words) + 1
			}
			j++
		}
		if matched == len(known.words) {
			if known.asks && j < len(tokens) && tokens[j].text == "?" {
				j++
			}
			return known, j
		}
	}
	return label{}, i
}
