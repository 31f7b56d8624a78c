package choice

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kinds of tokens.
const (
	word    = iota
	number  // an integer
	other   // a number that is not an integer
	punct   // one character
	newline //
)

// Marks of tokens.
const (
	bold = 1 << iota
	quoted
)

// token is a word, a number or a punctuation mark.
type token struct {
	kind  int
	text  string // folded; for a punctuation mark, the mark itself
	raw   string // for a word: as it was written
	value int    // for a number; -1: out of every range
	mark  uint8
	space bool // white space precedes
}

// variants maps characters to the one that replaces them; "" removes them.
var variants = map[rune]string{
	'’': "'", '‘': "'", 'ʼ': "'", '´': "'", '“': "\"", '”': "\"", '„': "\"", '‟': "\"", '«': "\"", '»': "\"", '「': "\"", '」': "\"", '『': "\"", '』': "\"",
	'−': "-", '‑': "-", '‐': "-", '–': "—", '―': "—", '…': "...", '\r': "\n", '\u2028': "\n", '\u0085': "\n",
	'\u200b': "", '\u200c': "", '\u200d': "", '\u2060': "", '\ufeff': "", '\ufe0f': "", '\u20e3': "", '\u00ad': "",
}

// circled are the ranges of numbers in circles, each from 1.
var circled = []struct{ first, last rune }{{'①', '⑳'}, {'❶', '❿'}, {'➀', '➉'}, {'➊', '➓'}}

// normalize replaces the variants of digits, quotes, dashes and spaces with one of them, and
// removes invisible characters.
func normalize(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	if strings.ContainsRune(text, '\\') {
		text = strings.NewReplacer(`\times`, "×", `\cdot`, "×", `\div`, "÷").Replace(text)
	}
	text = abbreviations.Replace(text)
	if strings.ContainsAny(text, "[(") {
		for i, box := range checkboxes {
			text = strings.ReplaceAll(text, box, []string{"☐", "☑"}[min(i/emptyBoxes, 1)])
		}
	}
	math := strings.Count(text, "$")%2 == 0 && !hasPrice(text) // $3$, but not a price
next:
	for _, c := range text {
		if c == '$' && math {
			b.WriteByte(' ')
			continue
		}
		if c < utf8.RuneSelf && c > ' ' || c == '\n' {
			b.WriteRune(c)
			continue
		}
		if plain, ok := variants[c]; ok {
			b.WriteString(plain)
			continue
		}
		for _, r := range circled {
			if c >= r.first && c <= r.last {
				writeNumber(&b, int(c-r.first)+1)
				continue next
			}
		}
		switch {
		case c >= '！' && c <= '～':
			b.WriteRune(c - '！' + '!')
		case unicode.IsSpace(c):
			b.WriteByte(' ')
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// abbreviations are written out, since their full stops end no sentence.
var abbreviations = strings.NewReplacer("e.g.", "for example", "E.g.", "for example", "z.B.", "zum Beispiel", "z. B.", "zum Beispiel", "Z.B.", "zum Beispiel", "p. ej.", "por ejemplo", "p. ex.", "par exemple")

// hasPrice reports whether a text has a price, "$30 ".
func hasPrice(text string) bool {
	_, rest, found := strings.Cut(text, "$")
	for found {
		digits := strings.TrimLeft(rest, "0123456789.,")
		if digits != rest && (digits == "" || digits[0] != '$' && digits[0] != '^' && digits[0] != '\\' && !strings.HasPrefix(digits, " \\")) {
			return true
		}
		_, rest, _ = strings.Cut(rest, "$")
		_, rest, found = strings.Cut(rest, "$")
	}
	return false
}

// checkboxes are the boxes of a list in ASCII; the first emptyBoxes of them are empty.
var checkboxes = []string{"[ ]", "( )", "[x]", "[X]", "[✓]", "[✔]", "(x)"}

const emptyBoxes = 2

func writeNumber(b *strings.Builder, n int) { b.WriteString(" " + strconv.Itoa(n) + " ") }

func accent(c rune) string {
	for _, row := range [...]struct{ from, to string }{
		{"àáâãäåā", "a"}, {"èéêëē", "e"}, {"ìíîïī", "i"}, {"òóôõöøō", "o"}, {"ùúûüū", "u"}, {"ýÿ", "y"}, {"ñ", "n"}, {"ç", "c"}, {"ß", "ss"}, {"œ", "oe"}, {"æ", "ae"},
	} {
		if strings.ContainsRune(row.from, c) {
			return row.to
		}
	}
	return ""
}

// foldText returns a text in lower case without accents.
func foldText(text string) string {
	var b strings.Builder
	for _, c := range text {
		c = unicode.ToLower(c)
		if c >= 'ß' && c < 'ƀ' {
			if plain := accent(c); plain != "" {
				b.WriteString(plain)
				continue
			}
		}
		b.WriteRune(c)
	}
	return b.String()
}

// isIdeograph reports whether a character is a separate word: Chinese and Japanese have no
// spaces.
//
//go:noinline
func isIdeograph(c rune) bool {
	return c >= firstIdeograph && (unicode.Is(unicode.Han, c) || unicode.Is(unicode.Hiragana, c) || unicode.Is(unicode.Katakana, c) || c == 'ー')
}

// firstIdeograph precedes all ideographs and kana.
const firstIdeograph = '⺀'

//go:noinline
func isWordRune(c rune) bool {
	if c < utf8.RuneSelf {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || isDigit(c)
	}
	return (unicode.IsLetter(c) || unicode.IsDigit(c) || unicode.IsMark(c)) && !isIdeograph(c)
}

// tokenizer splits a text.
type tokenizer struct {
	text  []rune
	at    int
	out   []token
	mark  uint8
	space bool
}

// runesPerToken is the usual number of characters for each token.
const runesPerToken = 4

// tokenize splits a text into tokens. Underscores and changes from lower to upper case
// separate words, so that "object_detection" and "ObjectDetection" are two words. Emphasis and
// quotation marks become attributes of the tokens inside.
func tokenize(text string) []token {
	t := &tokenizer{text: []rune(normalize(text))}
	t.out = make([]token, 0, len(t.text)/runesPerToken+1)
	for t.at < len(t.text) {
		t.next()
	}
	return t.out
}

//go:noinline
func (t *tokenizer) peek(n int) rune {
	if i := t.at + n; i >= 0 && i < len(t.text) {
		return t.text[i]
	}
	return 0
}

//go:noinline
func (t *tokenizer) add(k token) {
	k.mark, k.space = t.mark, t.space
	t.out, t.space = append(t.out, k), false
}

func (t *tokenizer) next() {
	c := t.text[t.at]
	switch {
	case c == '\n':
		t.mark = 0
		t.add(token{kind: newline, text: "\n"})
		t.at++
	case c == ' ':
		t.space = true
		t.at++
	case isDigit(c) || t.sign():
		t.number()
	case isIdeograph(c):
		t.add(token{kind: word, text: string(c), raw: string(c)})
		t.at++
	case isWordRune(c):
		t.word()
	case c == '*':
		t.emphasis()
	case c == '_':
		t.space = true
		t.at++
	case c == '"' || c == '`' || c == '\'' && (!isWordRune(t.peek(-1)) || t.mark&quoted != 0):
		if c != '\'' || t.mark&quoted != 0 || t.closes('\'') {
			t.mark ^= quoted
		}
		t.at++
	case c == '\\' && strings.ContainsRune("()[]", t.peek(1)):
		t.at += 2
		t.space = true
	default:
		t.add(token{kind: punct, text: string(c)})
		t.at++
	}
}

// sign reports whether a minus sign of a number is next.
func (t *tokenizer) sign() bool {
	return t.peek(0) == '-' && isDigit(t.peek(1)) && !isWordRune(t.peek(-1)) && !isDigit(t.peek(-1))
}

// emphasis reads asterisks. A bullet has a space after it; an emphasis has none.
func (t *tokenizer) emphasis() {
	for t.peek(0) == '*' {
		t.at++
	}
	if t.peek(0) != ' ' || t.mark&bold != 0 {
		t.mark ^= bold
	}
}

// maxQuoted bounds the characters of a text in single quotes.
const maxQuoted = 80

// closes reports whether a quotation mark is closed on its line.
func (t *tokenizer) closes(mark rune) bool {
	for i := 1; i < maxQuoted; i++ {
		switch t.peek(i) {
		case mark:
			return true
		case '\n', 0:
			return false
		}
	}
	return false
}

func (t *tokenizer) number() {
	start := t.at
	if t.text[t.at] == '-' {
		t.at++
	}
	for isDigit(t.peek(0)) || (t.peek(0) == '.' || t.peek(0) == ',') && isDigit(t.peek(1)) {
		t.at++
	}
	text := string(t.text[start:t.at])
	if t.at < len(t.text) && isWordRune(t.peek(0)) {
		// "4x", "2nd": a word that begins with digits.
		for isWordRune(t.peek(0)) {
			t.at++
		}
		raw := string(t.text[start:t.at])
		t.add(token{kind: word, text: foldText(raw), raw: raw})
		return
	}
	value, kind := wholeNumber(text)
	if kind == integer {
		t.add(token{kind: number, text: text, raw: text, value: value})
		return
	}
	t.add(token{kind: other, text: text, raw: text})
}

func (t *tokenizer) word() {
	start := t.at
	for isWordRune(t.peek(0)) && (t.at == start || !unicode.IsUpper(t.peek(0)) || !unicode.IsLower(t.peek(-1))) {
		t.at++
	}
	raw := string(t.text[start:t.at])
	folded := foldText(raw)
	// "option3" is "option 3"; other words with digits are names.
	if stem := strings.TrimRight(folded, "0123456789"); stem != folded && len(raw) == len(folded) && optionNouns[stem] {
		t.add(token{kind: word, text: stem, raw: raw[:len(stem)]})
		value, _ := wholeNumber(folded[len(stem):])
		t.add(token{kind: number, text: folded[len(stem):], raw: folded[len(stem):], value: value})
		return
	}
	if t.peek(0) == '\'' && unicode.IsLetter(t.peek(1)) {
		t.contraction(folded, raw)
		return
	}
	for _, w := range contracted(folded) {
		t.add(token{kind: word, text: w, raw: raw})
	}
}

// contraction adds the words of "can't" and "I'd", or the word before an apostrophe.
func (t *tokenizer) contraction(folded, raw string) {
	end := t.at + 1
	for end < len(t.text) && isWordRune(t.text[end]) {
		end++
	}
	switch tail := foldText(string(t.text[t.at+1 : end])); tail {
	case "t":
		t.at = end
		for _, w := range contracted(folded + "t") {
			t.add(token{kind: word, text: w, raw: raw})
		}
	case "d", "ll", "m", "re", "ve", "s":
		t.at = end
		full := map[string]string{"d": "would", "ll": "will", "m": "am", "re": "are", "ve": "have", "s": "is"}[tail]
		if folded == "let" {
			full = "us"
		}
		t.add(token{kind: word, text: folded, raw: raw})
		t.add(token{kind: word, text: full, raw: full})
	default:
		t.at++
		t.add(token{kind: word, text: folded, raw: raw})
	}
}

// contracted returns the words of a negated verb, or the word.
func contracted(folded string) []string {
	switch folded {
	case "cannot", "cant":
		return []string{"can", "not"}
	case "wont":
		return []string{"will", "not"}
	case "isnt", "arent", "wasnt", "werent", "dont", "doesnt", "didnt", "wouldnt", "couldnt", "shouldnt", "hasnt", "havent", "neednt", "mustnt":
		return []string{strings.TrimSuffix(folded, "nt"), "not"}
	}
	return []string{folded}
}
