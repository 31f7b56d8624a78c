package grammar

import (
	"sort"

	"github.com/stile-playground/stile/core/source"
)

// Kinds of [source.Occurrence].
const (
	KindNonterminal = "nonterminal"
	KindTerminal    = "terminal" // its label line, if any, is its definition
)

// Occurrences returns the occurrences of symbols, in order.
func Occurrences(file *source.File) []source.Occurrence {
	s, _ := Parse(file)
	lefts := map[string]bool{}
	for _, l := range s.Lines {
		switch st := l.Statement.(type) {
		case RuleLine:
			lefts[st.Left.Text] = true
		case SubsetLine:
			lefts[st.Left.Text] = true
		}
	}
	var out []source.Occurrence
	add := func(n Name, left, label bool) {
		if n.Span.Len() == 0 {
			return
		}
		o := source.Occurrence{Kind: KindTerminal, Name: n.Text, Span: n.Span, Defines: label}
		if lefts[n.Text] {
			o.Kind, o.Defines = KindNonterminal, left
		}
		out = append(out, o)
	}
	each := func(list []Name) {
		for _, n := range list {
			add(n, false, false)
		}
	}
	for _, l := range s.Lines {
		var alternatives []Alternative
		switch st := l.Statement.(type) {
		case StartLine:
			add(st.Symbol, false, false)
		case SubsetLine:
			add(st.Left, true, false)
			each(st.Items)
		case RuleLine:
			add(st.Left, true, false)
			alternatives = st.Alternatives
		case MoreLine:
			alternatives = st.Alternatives
		case LabelLine:
			add(st.Symbol, false, true)
		case LimitLine:
			each(st.Symbols)
		}
		for _, a := range alternatives {
			each(a.Symbols)
		}
	}
	return out
}

// Keywords returns the reserved words of the notation.
func Keywords() []string {
	out := []string{"limit", "each", "except"}
	for word := range reserved {
		out = append(out, word)
	}
	sort.Slice(out, func(a, b int) bool { return out[a] < out[b] })
	return out
}
