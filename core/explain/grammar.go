package explain

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/view"
)

// Grammar explains the rules and the limits of a grammar. Like railroad diagrams, it describes
// direct recursion as repetition.
func Grammar(s *grammar.Syntax, g *grammar.Grammar) []Sentence {
	var out []Sentence
	for _, r := range view.Railroads(s, g) {
		text := r.Name + " is " + rule(r.Rail)
		if r.Note != "" { // of a %subset line
			text = r.Name + " is a non-empty selection of " + list(names(r.Rail), "and") + ", in this order"
		}
		if r.Start {
			text = "every word is of the form " + strings.TrimPrefix(text, r.Name+" is ")
			if recursive(r.Rail, r.Name) {
				text += ", where " + r.Name + " is such a word again"
			}
		}
		out = append(out, Sentence{r.Name, sentence(text), r.Span})
	}
	for _, line := range s.Lines {
		if limit, ok := line.Statement.(grammar.LimitLine); ok {
			out = append(out, Sentence{"limit", sentence(limitOf(limit)), limit.Number})
		}
	}
	out = append(out, nested(g)...)
	slices.SortStableFunc(out, func(a, b Sentence) int { return int(a.Span.Start - b.Span.Start) })
	return out
}

// nested explains the use of the stack: it names the nonterminals that contain themselves between
// other symbols.
func nested(g *grammar.Grammar) (out []Sentence) {
	names := func(symbols []grammar.Symbol) string {
		var list []string
		for _, s := range symbols {
			list = append(list, word(g.Names[s]))
		}
		return strings.Join(list, " ")
	}
	for _, p := range g.Productions {
		at := slices.Index(p.Right, p.Left)
		if at <= 0 || at == len(p.Right)-1 {
			continue
		}
		before, left, after := names(p.Right[:at]), word(g.Names[p.Left]), names(p.Right[at+1:])
		out = append(out, Sentence{"stack", sentence(left + " contains itself between " + before + " and " + after + ", so for each " + before + " the stack keeps " + after + ", which must follow"), p.Span})
	}
	return out
}

func limitOf(l grammar.LimitLine) string {
	var symbols []string
	for _, n := range l.Symbols {
		symbols = append(symbols, n.Text)
	}
	return limited(int(l.N), l.Each, symbols, "terminal")
}

// limited explains a limit on the uses of symbols, or, with each, on those of each symbol except
// these.
func limited(n int, each bool, symbols []string, noun string) string {
	times := "at most " + repetitions(n)
	if n == 0 {
		times = "never"
	}
	var words []string
	for _, name := range symbols {
		words = append(words, letter(name))
	}
	switch {
	case !each && len(words) == 1:
		return words[0] + " occurs " + times
	case !each:
		return "each of " + list(words, "and") + " occurs " + times
	case len(words) > 0:
		return "each " + noun + " except " + list(words, "and") + " occurs " + times
	}
	return "each " + noun + " occurs " + times
}

func names(r *view.Rail) (out []string) {
	if len(r.Of) == 0 {
		return []string{symbol(r)}
	}
	for _, part := range r.Of {
		out = append(out, names(part)...)
	}
	return out
}

func recursive(r *view.Rail, name string) bool {
	return r.Kind == view.RailNonterminal && r.Text == name || slices.ContainsFunc(r.Of, func(part *view.Rail) bool { return recursive(part, name) })
}

func symbol(r *view.Rail) string {
	if r.Label != "" {
		return word(r.Text) + " (" + r.Label + ")"
	}
	return word(r.Text)
}

// simple reports whether a rail is a symbol.
func simple(r *view.Rail) bool {
	return r.Kind == view.RailTerminal || r.Kind == view.RailNonterminal
}

// rule explains a complete right side.
func rule(r *view.Rail) string {
	switch {
	case r.Kind == view.RailOptional && r.Of[0].Kind != view.RailLoop:
		return alternatives(r.Of[0], true)
	case r.Kind == view.RailChoice:
		return alternatives(r, false)
	}
	return phrase(r)
}

// alternatives explains a choice, perhaps with the empty word.
func alternatives(r *view.Rail, empty bool) string {
	of := []*view.Rail{r}
	if r.Kind == view.RailChoice {
		of = r.Of
	}
	var parts []string
	plain := true
	for _, part := range of {
		parts = append(parts, phrase(part))
		plain = plain && simple(part)
	}
	if empty {
		parts = append(parts, "empty")
	}
	if plain {
		return list(parts, "or")
	}
	if len(parts) > maxListed {
		parts = append(parts[:maxListed-1:maxListed-1], "one of "+strconv.Itoa(len(parts)-maxListed+1)+" other alternatives")
	}
	return "either " + strings.Join(parts, ", or ")
}

// phrase explains a part of a right side.
func phrase(r *view.Rail) string {
	switch r.Kind {
	case view.RailEmpty:
		return "empty"
	case view.RailNote:
		return "(" + r.Text + ")"
	case view.RailSequence:
		return sequence(r)
	case view.RailChoice:
		return alternatives(r, false)
	case view.RailOptional:
		if of := r.Of[0]; of.Kind == view.RailLoop {
			return "zero or more " + loop(of)
		}
		return "optionally " + inner(r.Of[0])
	case view.RailLoop:
		return "one or more " + loop(r)
	}
	return symbol(r)
}

func loop(r *view.Rail) string {
	text := inner(r.Of[0])
	if len(r.Of) > 1 {
		text += ", separated by " + inner(r.Of[1])
	}
	return text
}

// sequence joins the parts with "then"; the label of an alternative follows in parentheses.
func sequence(r *view.Rail) string {
	var b strings.Builder
	for i, part := range r.Of {
		switch {
		case part.Kind == view.RailNote:
			b.WriteByte(' ')
		case i > 0:
			b.WriteString(", then ")
		}
		b.WriteString(inner(part))
	}
	return b.String()
}

// inner explains a part, in parentheses if it has several.
func inner(r *view.Rail) string {
	if r.Kind == view.RailSequence || r.Kind == view.RailChoice {
		return "(" + phrase(r) + ")"
	}
	return phrase(r)
}
