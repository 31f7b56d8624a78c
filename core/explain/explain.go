// Package explain explains specs in English sentences: one for each rule of a grammar, each
// formula or rule about data, each part of an agent's behaviour, each transition and each question. Equal specs have equal sentences, and no model
// is involved.
package explain

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/source"
)

// Sentence explains the text at a place. Name is the name of the part, if it has one.
type Sentence struct {
	Name string
	Text string
	Span source.Span
}

// sentence returns a text with a capital letter and a full stop.
func sentence(text string) string {
	at := len(text) - len(strings.TrimLeft(text, "("))
	first, size := utf8.DecodeRuneInString(text[at:])
	return text[:at] + string(unicode.ToUpper(first)) + text[at+size:] + "."
}

// maxListed is the number of items that a list of names shows.
const maxListed = 12

// list writes names with a word before the last one: "a, b or c".
func list(names []string, word string) string {
	if len(names) > maxListed {
		names = append(names[:maxListed-1:maxListed-1], strconv.Itoa(len(names)-maxListed+1)+" others")
	}
	return series(names, word)
}

// series is [list] for names of which none may be left out.
func series(names []string, word string) string {
	last := len(names) - 1
	if last <= 0 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " " + word + " " + names[last]
}

// word returns a name as a word of a sentence, in quotation marks unless it looks like one.
func word(name string) string {
	for _, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-.", r) {
			return "“" + name + "”"
		}
	}
	return name
}
