// Package phrase formats the parts that the tools' messages share: shortened texts,
// sizes, lists, the nearest known name.
package phrase

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// Shorten cuts a text that has more than most characters after most characters, and adds an ellipsis.
func Shorten(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return string(runes[:most]) + "…"
}

// Nearest returns the name in names that is most similar to name, ignoring case, or "" if
// none is similar (see [source.Nearest]).
func Nearest(name string, names []string) string {
	lower := make([]string, len(names))
	for i, n := range names {
		lower[i] = strings.ToLower(n)
	}
	near := source.Nearest(strings.ToLower(name), lower)
	for i, n := range lower {
		if near != "" && n == near {
			return names[i]
		}
	}
	return ""
}

// Bytes formats a number of bytes: "15 bytes", "18 KB", "1.2 MB".
func Bytes(n int) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d bytes", n)
	case n < 1_000_000:
		return fmt.Sprintf("%d KB", (n+500)/1000)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}

// List joins type names for a sentence: "an image and a text", "nothing" for none.
func List(types []string) string {
	if len(types) == 0 {
		return "nothing"
	}
	words := make([]string, len(types))
	for i, name := range types {
		article := "a "
		if name != "" && strings.ContainsRune("aeiouAEIOU", rune(name[0])) {
			article = "an "
		}
		words[i] = article + name
	}
	if len(words) == 1 {
		return words[0]
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

// OneOf reports whether a word is in a list separated by spaces. A switch over the same
// strings takes several kilobytes of code.
func OneOf(word, list string) bool {
	return word != "" && !strings.Contains(word, " ") && strings.Contains(" "+list+" ", " "+word+" ")
}
