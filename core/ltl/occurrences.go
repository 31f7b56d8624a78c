package ltl

import (
	"sort"

	"github.com/stile-playground/stile/core/source"
)

// Kinds of [source.Occurrence].
const (
	KindProposition = "proposition"
	KindFormula     = "formula"
)

// Occurrences returns the places of propositions and of the names of formulas, in order.
func Occurrences(file *source.File) []source.Occurrence {
	var out []source.Occurrence
	for _, span := range paragraphs(file.Text) {
		p := &parser{text: file.Text, at: int(span.Start), end: int(span.End)}
		p.next()
		for first := true; p.now.kind != tokenEnd; first = false {
			if p.now.kind == tokenProp {
				o := source.Occurrence{Kind: KindProposition, Name: p.now.name, Span: p.now.span}
				if first && p.peekColon() {
					o.Kind, o.Defines = KindFormula, true
				}
				out = append(out, o)
			}
			p.next()
		}
	}
	return out
}

// Quote writes the name of a proposition, in quotes where it needs them.
func Quote(name string) string { return quoteName(name) }

// Keywords returns the operators and constants of the notation, as they may be written.
func Keywords() []string {
	var out []string
	for word := range words {
		out = append(out, word)
	}
	for _, s := range signs {
		out = append(out, s.text)
	}
	sort.Slice(out, func(a, b int) bool { return out[a] < out[b] })
	return out
}
