package web

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/tool/phrase"
)

// sentences splits a text into sentences. A line break ends a sentence. A full stop ends it
// unless it belongs to a number, an initial, an abbreviation or a name such as "U.S.", or the
// next word does not begin a sentence. In doubt the text is not split, because a model reads
// two joined sentences better than half of one.
func sentences(text string) []string {
	var out []string
	for _, line := range strings.Split(text, "\n") {
		start := 0
		for i := 0; i < len(line); {
			r, size := utf8.DecodeRuneInString(line[i:])
			i += size
			if strings.ContainsRune("。！？", r) {
				out = appendSentence(out, line[start:i])
				start = i
				continue
			}
			if r != '.' && r != '!' && r != '?' {
				continue
			}
			mark := i - size
			end := i
			for end < len(line) { // "?!", "...", quotation marks, brackets and references such as [3]
				r, size := utf8.DecodeRuneInString(line[end:])
				if line[end] == '[' {
					reference, _, closed := strings.Cut(line[end:min(len(line), end+12)], "]")
					if !closed {
						break
					}
					end += len(reference) + len("]")
					continue
				}
				if !strings.ContainsRune(".!?)]}\"'’”»", r) {
					break
				}
				end += size
			}
			if endsHere(line, start, mark, end) {
				out = appendSentence(out, line[start:end])
				start = end
			}
			i = end
		}
		out = appendSentence(out, line[start:])
	}
	return out
}

func appendSentence(out []string, text string) []string {
	if text = strings.TrimSpace(text); text != "" {
		out = append(out, text)
	}
	return out
}

// endsHere reports whether the mark at offset mark of a line ends the sentence that begins
// at offset start; end is the offset after the mark and closing quotes.
func endsHere(line string, start, mark, end int) bool {
	rest := line[end:]
	if strings.TrimSpace(rest) == "" {
		return true
	}
	if rest[0] != ' ' && rest[0] != '\t' {
		return false // 3.14, example.com
	}
	rest = strings.TrimLeft(rest, " \t(\"'“‘«[")
	next, _ := utf8.DecodeRuneInString(rest)
	if unicode.IsLower(next) || strings.ContainsRune(",;:", next) {
		return false
	}
	if line[mark] != '.' || end > mark+1 {
		return true
	}
	from := strings.LastIndexAny(line[start:mark], " \t(\"'“‘«[/–—") + 1 + start
	for !utf8.RuneStart(line[from]) { // the full stop begins a character
		from++
	}
	word := line[from:mark]
	switch {
	case word == "":
		return true
	case isAcronym(word): // U.S., J., Ph.D
		return beginsSentence(rest) && len(word) > 1
	case isAbbreviation(strings.ToLower(word)):
		return false
	case phrase.OneOf(word, "No no Nos p pp"):
		return !(next >= '0' && next <= '9')
	}
	return true
}

// isAcronym reports whether a word consists of single letters separated by full stops.
func isAcronym(word string) bool {
	for _, part := range strings.Split(word, ".") {
		if n := utf8.RuneCountInString(part); n == 0 || n > 2 {
			return false
		}
	}
	r, size := utf8.DecodeRuneInString(word)
	return unicode.IsUpper(r) && (size == len(word) || strings.Contains(word, "."))
}

// beginsSentence reports whether the first word of a text is one that often begins a
// sentence, but hardly ever a name.
func beginsSentence(text string) bool {
	word, _, _ := strings.Cut(text, " ")
	return phrase.OneOf(strings.TrimRight(word, ","), "The A An He She It They We His Her Its Their This That These Those There In On At As After Before By During For From Since "+
		"When While With However Although Both Some Many Most Other Another Today")
}

// isAbbreviation reports whether a full stop after a word usually does not end a sentence.
func isAbbreviation(word string) bool {
	return phrase.OneOf(word, "mr mrs ms dr prof rev hon st sr jr messrs gen col lt maj capt sgt cpl adm cmdr gov sen rep pres supt "+
		"vs cf e.g i.e eg ie viz approx ca c b d r fl est vol ed eds trans fig figs sec ch dept univ assn bros co corp inc ltd mt ft ave blvd rd al "+
		"jan feb mar apr jun jul aug sep sept oct nov dec lit né née op")
}
