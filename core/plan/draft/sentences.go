package draft

import (
	"strings"
	"unicode"
)

// Sentence is a sentence of a policy. Number counts from 1, Line is its line in the text.
type Sentence struct {
	Number  int
	Line    int
	Section string // the last heading
	Text    string
}

// abbreviations end with a period that ends no sentence.
var abbreviations = map[string]bool{"e.g.": true, "i.e.": true, "etc.": true, "vs.": true, "approx.": true, "cf.": true}

// Sentences splits a text in Markdown: a paragraph and an item of a list consist of sentences, a heading
// is a section. An item with a number is one sentence, because a person has numbered them.
func Sentences(text string) (out []Sentence) {
	var part []string
	line, section, whole := 0, "", false
	flush := func() {
		list := splitSentences(strings.Join(part, " "))
		if whole && len(list) > 1 {
			list = []string{strings.Join(list, " ")}
		}
		for _, s := range list {
			out = append(out, Sentence{Number: len(out) + 1, Line: line, Section: section, Text: s})
		}
		part, whole = nil, false
	}
	for i, l := range strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n") {
		l = strings.TrimSpace(l)
		item, isItem := cutItem(l)
		heading := strings.TrimLeft(l, "#")
		switch {
		case l == "" || strings.HasPrefix(l, "```"):
			flush()
			continue
		case heading != l && strings.HasPrefix(heading, " "):
			flush()
			section = strings.TrimSpace(heading)
			continue
		case isItem:
			flush()
			whole = l[0] >= '0' && l[0] <= '9'
		}
		if len(part) == 0 {
			line = i + 1
		}
		part = append(part, item)
	}
	flush()
	return out
}

// cutItem removes the mark of an item of a list.
func cutItem(line string) (string, bool) {
	if rest, ok := strings.CutPrefix(line, "- "); ok {
		return strings.TrimSpace(rest), true
	}
	if rest, ok := strings.CutPrefix(line, "* "); ok {
		return strings.TrimSpace(rest), true
	}
	rest := strings.TrimLeft(line, "0123456789")
	if len(rest) < len(line) && (strings.HasPrefix(rest, ". ") || strings.HasPrefix(rest, ") ")) {
		return strings.TrimSpace(rest[2:]), true
	}
	return line, false
}

// splitSentences splits at marks that a capital letter, a digit or a quotation follows.
func splitSentences(text string) (out []string) {
	words := strings.Fields(text)
	from := 0
	for i, w := range words {
		bare := strings.TrimRight(w, `"')*_`)
		if i+1 < len(words) && !(strings.ContainsAny(bare[max(0, len(bare)-1):], ".!?") && startsSentence(words[i+1])) || abbreviations[strings.ToLower(bare)] && i+1 < len(words) {
			continue
		}
		out = append(out, strings.Join(words[from:i+1], " "))
		from = i + 1
	}
	return out
}

func startsSentence(word string) bool {
	for _, r := range strings.TrimLeft(word, `"'(*_`) {
		return unicode.IsUpper(r) || unicode.IsDigit(r)
	}
	return false
}
