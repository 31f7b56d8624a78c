package choice

import (
	"slices"
	"strings"
)

// A reply seldom repeats a label exactly. It leaves out the code in front ("a3"), the article or
// the explanation, inflects the verb, or stops at a comma. This file finds such forms. They count
// only if no other option's label explains the words as well.

// content is an option's label reduced to the words that carry its sense.
type content struct {
	option int
	words  []string
	shared []string // by all labels
}

// light words neither identify a label nor separate two of its words.
var light = set(
	"the a an to of for on in at with my our your this that", "der die das den dem des ein eine einen einem einer zu zum zur im am auf mit",
	"la le les l un une de du des d au aux a en", "el los las una uno del al con", "il lo gli i o os as di da em", "的 了 一 个 個 を の", "and und et y e ed 并 和", "you we du man ihr sie vous tu y", "had has have it will",
)

// headMarks end the name of an option in front of its explanation: "search: find pages".
var headMarks = []string{": ", " - ", " – ", " — ", "：", " (", "（"}

// formsOf returns the forms in which a label is equal to its text: without its explanation and
// without the code in front of it, and the code alone.
func formsOf(text string) []string {
	var out []string
	if form := withoutParentheses(text); form != text {
		out = append(out, form)
	}
	for _, mark := range headMarks {
		if head, _, found := strings.Cut(text, mark); found && strings.TrimSpace(head) != "" {
			out = append(out, head)
			if words := wordsOf(head); mark == ": " && len(words) == maxTitle && (isDigit(rune(words[1][0])) || len(words[1]) == 1) {
				out = append(out, text[len(head)+len(mark):])
			}
		}
	}
	if code, rest := codeOf(text); code != "" {
		out = append(out, code, rest)
	}
	return out
}

// maxTitle bounds the words of a title such as "Variant 2".
const maxTitle = 2

// maxCode is the length of the longest code, "step12".
const maxCode = 6

// codeOf splits a label such as "a3 take the photo". A code has letters and then digits, or is one
// letter and a mark.
func codeOf(text string) (code, rest string) {
	code, rest, found := strings.Cut(strings.TrimSpace(text), " ")
	bare := strings.TrimRight(code, ":.)")
	if !found || bare == "" || len(bare) > maxCode || isDigit(rune(bare[0])) {
		return "", ""
	}
	letters := strings.TrimRight(bare, "0123456789")
	coded := letters != bare && len(letters) <= maxCode/2 || len(bare) == 1 && bare != code
	if !coded || strings.Trim(strings.ToLower(letters), "abcdefghijklmnopqrstuvwxyz") != "" {
		return "", ""
	}
	return bare, strings.TrimSpace(rest)
}

// contentsOf returns the labels without their light words and without the words that all of them
// have, as "Ask" in "Ask Tim" and "Ask Tom". If two labels then are the same or one has all words of
// the other, "turn on the heater" and "turn the heater off", only articles are left out.
func contentsOf(options [][]form) []content {
	for _, without := range []map[string]bool{light, set("the a an der die das den dem la le les l el los las")} {
		var out []content
		for i, forms := range options {
			if words := contentOf(forms[0], without); len(words) > 0 {
				out = append(out, content{option: i + 1, words: words})
			}
		}
		if out = distinct(out); out != nil {
			return out
		}
	}
	return nil
}

// distinct returns labels without the words that all of them have; nil if one has all words of
// another.
func distinct(labels []content) []content {
	count := map[string]int{}
	for _, c := range labels {
		for i, w := range c.words {
			if !slices.Contains(c.words[:i], w) {
				count[w]++
			}
		}
	}
	out := make([]content, len(labels))
	for i, c := range labels {
		out[i].option = c.option
		for _, w := range c.words {
			if len(labels) > 1 && count[w] == len(labels) {
				out[i].shared = append(out[i].shared, w)
			} else {
				out[i].words = append(out[i].words, w)
			}
		}
		if len(out[i].words) == 0 { // "search", "search the web"
			out = labels
			break
		}
	}
	for i, a := range out {
		for k, b := range out {
			if i != k && len(a.words) > 1 && b.covers(a.words) && !slices.Equal(a.words, b.words[:min(len(a.words), len(b.words))]) {
				return nil
			}
		}
	}
	return out
}

// contentOf returns the words of a text without the code of a label and without the given words.
func contentOf(f form, without map[string]bool) []string {
	words := f.words
	if _, rest := codeOf(f.text); rest != "" {
		words = wordsOf(rest)
	}
	return slices.DeleteFunc(slices.Clone(words), func(w string) bool { return without[w] })
}

// Bounds of partial matches.
const (
	minStem     = 4 // letters that two forms of a word share
	maxEnding   = 3 // letters that follow the stem
	minContent  = 2 // words that identify a label
	minIdeogram = 4 // characters that do
	maxGap      = 4 // light words between two words of a label
)

// similar reports whether two words are forms of one: "kneten", "knete".
//
//go:noinline
func similar(a, b string) bool {
	if a == b {
		return true
	}
	if len(a) < minStem-1 || len(b) < minStem-1 || a[:2] != b[:2] {
		return false
	}
	x, y := []rune(a), []rune(b)
	n := 0
	for n < len(x) && n < len(y) && x[n] == y[n] {
		n++
	}
	near := n >= minStem && len(x)-n <= maxEnding && len(y)-n <= maxEnding && 2*n > max(len(x), len(y))
	return !isIdeograph(x[0]) && (near || len(stem(a)) >= minStem-1 && stem(a) == stem(b))
}

// stem returns a word without its ending in "-ing", "-ed" or "-e", and with one consonant at its end:
// that of "running" is "run".
func stem(w string) string {
	for _, ending := range []string{"ing", "ed", "e"} {
		bare, found := strings.CutSuffix(w, ending)
		if n := len(bare); found && n >= minStem-1 {
			if n > minStem-1 && bare[n-1] == bare[n-2] {
				bare = bare[:n-1]
			}
			return bare
		}
	}
	return w
}

// partial returns the option whose label begins with the words at a token, and the index of the
// token after them; 0 if there is none, or if another label has as many of them.
func (l *labels) partial(tokens []token, i int) (option, end int) {
	best, tied := 0, false
	for _, c := range l.contents {
		to, matched := c.prefix(tokens, i)
		if to = c.absorb(tokens, to); !c.identifies(matched) || matched < len(c.words) && !bounds(tokens, to) {
			continue
		}
		switch {
		case matched > best:
			best, option, end, tied = matched, c.option, to, false
		case matched == best && c.option != option:
			tied = true
		}
	}
	if tied || best == 0 {
		return 0, i
	}
	for _, c := range l.contents { // "turn the heater off"
		if _, matched := c.anywhere(tokens, i); c.option != option && matched >= best {
			return 0, i
		}
	}
	return option, end
}

// absorb returns the token after the words of the label at a token that do not identify it, as "box" in
// "the red box".
func (c content) absorb(tokens []token, end int) int {
	for i := end; i < len(tokens) && i <= end+maxGap && tokens[i].kind == word; i++ {
		switch text := tokens[i].text; {
		case slices.Contains(c.shared, text) || text == "one":
			end = i + 1
		case !light[text]:
			return end
		}
	}
	return end
}

// prefix returns the number of words of a label that occur at a token in their order, and the
// token after the last one.
func (c content) prefix(tokens []token, i int) (end, matched int) {
	end = i
	for at := i; at < len(tokens) && at <= end+maxGap && matched < len(c.words); at++ {
		switch t := tokens[at]; {
		case t.kind == newline:
			return end, matched
		case t.kind == punct:
			if matched == 0 || t.text != "-" && t.text != "%" && t.text != "." && t.text != "," {
				return end, matched
			}
		case similar(t.text, c.words[matched]):
			matched++
			end = at + 1
		case matched == 0:
			return end, matched
		case !light[t.text]:
			return c.around(tokens, at, end, matched)
		}
	}
	return end, matched
}

// around continues a match after the object of a verb, a word after an article that the label lacks, "hand the file over
// to an agent", if all other words of the label follow.
func (c content) around(tokens []token, at, end, matched int) (int, int) {
	if !determiners[tokens[at-1].text] || matched+1 > len(c.words) {
		return end, matched
	}
	rest := content{option: c.option, words: c.words[matched:]}
	i := at + 1
	for i < len(tokens) && i <= at+maxGap && light[tokens[i].text] {
		i++
	}
	if i == len(tokens) {
		return end, matched
	}
	if to, n := rest.prefix(tokens, i); n == len(rest.words) {
		return to, len(c.words)
	}
	return end, matched
}

// identifies reports whether a number of words of a label is enough to name it.
func (c content) identifies(matched int) bool {
	if matched == 0 {
		return false
	}
	if isIdeograph([]rune(c.words[0])[0]) {
		return matched >= minIdeogram || matched == len(c.words) && matched >= minContent
	}
	return matched >= minContent || matched == len(c.words) && len(c.words[0]) > 1 && !isDigit(rune(c.words[0][0]))
}

// bounds reports whether a token can follow a shortened label: it does not continue its phrase.
//
//go:noinline
func bounds(tokens []token, i int) bool {
	if i >= len(tokens) || tokens[i].kind != word && tokens[i].kind != number {
		return true
	}
	text := tokens[i].text
	return tokens[i].kind == word && (functionWords[text] || breaks[text] || conjunctions[text] || tokens[i].mark != tokens[i-1].mark)
}

// loose returns the option that some of its words name in any order, "the 8:15 train", the index of
// the token after them, and their number; 0 if there is none, or if another label has as many.
func (l *labels) loose(tokens []token, i int) (option, end, matched int) {
	if t := tokens[i]; light[t.text] || t.kind != word && !(t.kind == number && i+1 < len(tokens) && tokens[i+1].text == ":") {
		return 0, i, 0
	}
	tied := false
	for _, c := range l.contents {
		to, n := c.anywhere(tokens, i)
		to = c.absorb(tokens, to)
		switch {
		case n > matched:
			matched, option, end, tied = n, c.option, to, false
		case n == matched && n > 0:
			tied = true
		}
	}
	if tied || matched == 0 || matched == 1 && isGeneric(tokens[i].text) {
		return 0, i, 0
	}
	return option, end, matched
}

// generic words occur in any reply, and a label of several words is not named by one of them alone.
var generic = set("analysis overview summary reasoning context note question input output result results next start do done nothing work",
	"analyse zusammenfassung frage ergebnis nichts eingabe resume entree resultat sortie rien analisis resumen pregunta resultado nada entrada salida")

func isGeneric(text string) bool {
	return generic[text] || optionNouns[text] || functionWords[text] || fillers[text] || len(lexicon()[text]) > 0
}

// anywhere returns the token after the words of a label that follow each other at a token, in any
// order, and their number.
func (c content) anywhere(tokens []token, i int) (end, matched int) {
	var used [maxWords]bool
	end = i
next:
	for at := i; at < len(tokens) && at <= end+maxGap && matched < len(c.words); at++ {
		t := tokens[at]
		if t.kind == punct && t.text == ":" && at > i && tokens[at-1].kind == number && !t.space {
			continue
		}
		if t.kind == punct || t.kind == newline {
			break
		}
		for k, w := range c.words[:min(len(c.words), maxWords)] {
			if !used[k] && similar(t.text, w) {
				used[k] = true
				matched++
				end = at + 1
				continue next
			}
		}
		if matched == 0 || !light[t.text] {
			break
		}
	}
	if isIdeograph([]rune(c.words[0])[0]) && matched < minIdeogram && (matched < minContent || matched < len(c.words)) {
		return i, 0
	}
	return end, matched
}

// maxWords bounds the words of a label that are sought in any order.
const maxWords = 16

// shortened returns the option that a whole text names with some of its label's words, in any
// order; 0 if it names none, or several.
func (l *labels) shortened(text string) int {
	if len(text) > maxForm*(l.longest+maxForm) {
		return 0
	}
	said := contentOf(form{text, wordsOf(text)}, light)
	if len(said) == 0 || len(said) == 1 && isGeneric(said[0]) || isIdeograph([]rune(said[0])[0]) {
		return 0
	}
	found := 0
	for _, c := range l.contents {
		if !c.covers(said) {
			continue
		}
		if found != 0 {
			return 0
		}
		found = c.option
	}
	return found
}

// covers reports whether a label has all of the given words.
func (c content) covers(said []string) bool {
	for _, w := range said {
		known := false
		for _, own := range c.words {
			known = known || similar(w, own) || len(said) == 1 && len(w) >= minStem-1 && strings.HasPrefix(own, w)
		}
		if !known {
			return false
		}
	}
	return true
}
