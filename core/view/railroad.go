package view

import (
	"slices"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/source"
)

// RailKind is the kind of a rail: a symbol, or a way to combine rails.
type RailKind string

// The kinds of rails.
const (
	RailTerminal    RailKind = "terminal"
	RailNonterminal RailKind = "nonterminal"
	RailSequence    RailKind = "sequence" // its parts, one after the other
	RailChoice      RailKind = "choice"   // one of its parts
	RailOptional    RailKind = "optional" // its part, or nothing
	RailLoop        RailKind = "loop"     // the first part, any number of times; the second, if any, between two of them
	RailNote        RailKind = "note"     // a label of an alternative
	RailEmpty       RailKind = "empty"
)

// Rail is a part of a railroad diagram. Text is a symbol or a note; Label is the symbol's label
// if it has one. Span is the place of a symbol in the text.
type Rail struct {
	Kind  RailKind
	Text  string
	Label string
	Of    []*Rail
	Span  source.Span
}

// Railroad is the diagram of a nonterminal.
type Railroad struct {
	Name  string
	Start bool
	Note  string // a restriction that the rails do not show
	Rail  *Rail
	Span  source.Span // of the name in its rule
}

// Railroads returns the diagrams of a grammar's nonterminals in the order of their rules. Direct
// recursion at one end of the alternatives becomes a loop. %subset lines are drawn as a sequence
// of optional items.
func Railroads(s *grammar.Syntax, g *grammar.Grammar) []Railroad {
	r := railroads{g: g, at: map[string]int{}}
	last := ""
	for _, line := range s.Lines {
		switch st := line.Statement.(type) {
		case grammar.RuleLine:
			last = st.Left.Text
			r.add(st.Left, st.Alternatives)
		case grammar.MoreLine:
			if i, ok := r.at[last]; ok {
				r.alternatives[i] = append(r.alternatives[i], st.Alternatives...)
			}
		case grammar.SubsetLine:
			last = ""
			r.subset(st)
		}
	}
	for i := range r.out {
		if r.out[i].Rail == nil {
			r.out[i].Rail = r.rule(r.out[i].Name, r.alternatives[i])
		}
		r.out[i].Start = r.out[i].Name == g.Names[g.Start]
	}
	return r.out
}

type railroads struct {
	g            *grammar.Grammar
	at           map[string]int // by name: the index of the diagram
	out          []Railroad
	alternatives [][]grammar.Alternative
}

func (r *railroads) add(left grammar.Name, alternatives []grammar.Alternative) {
	i, ok := r.at[left.Text]
	if !ok {
		i = len(r.out)
		r.at[left.Text] = i
		r.out = append(r.out, Railroad{Name: left.Text, Span: left.Span})
		r.alternatives = append(r.alternatives, nil)
	}
	r.alternatives[i] = append(r.alternatives[i], alternatives...)
}

func (r *railroads) subset(line grammar.SubsetLine) {
	r.add(line.Left, nil)
	rail := &Rail{Kind: RailSequence}
	for _, item := range line.Items {
		rail.Of = append(rail.Of, &Rail{Kind: RailOptional, Of: []*Rail{r.symbol(item)}})
	}
	at := &r.out[r.at[line.Left.Text]]
	at.Rail, at.Note = rail, "at least one of them"
}

func (r *railroads) symbol(n grammar.Name) *Rail {
	rail := &Rail{Kind: RailTerminal, Text: n.Text, Span: n.Span}
	if s, ok := r.g.Lookup(n.Text); ok {
		if !r.g.IsTerminal(s) {
			rail.Kind = RailNonterminal
		}
		if label := r.g.Label(s); label != n.Text {
			rail.Label = label
		}
	}
	return rail
}

// rule returns the diagram of the alternatives of a nonterminal.
func (r *railroads) rule(name string, alternatives []grammar.Alternative) *Rail {
	var before, after, others []grammar.Alternative // alternatives that begin with the name, end with it, or lack it
	recursive := 0
	for _, a := range alternatives {
		n := 0
		for _, s := range a.Symbols {
			if s.Text == name {
				n++
			}
		}
		switch last := len(a.Symbols) - 1; {
		case n == 0:
			others = append(others, a)
			continue
		case n == 1 && last > 0 && a.Symbols[0].Text == name:
			before = append(before, grammar.Alternative{Symbols: a.Symbols[1:], Label: a.Label})
		case n == 1 && last > 0 && a.Symbols[last].Text == name:
			after = append(after, grammar.Alternative{Symbols: a.Symbols[:last], Label: a.Label})
		}
		recursive++
	}
	switch {
	case recursive == 0 || len(others) == 0:
	case len(after) == recursive:
		return r.repeated(after, others, false)
	case len(before) == recursive:
		return r.repeated(before, others, true)
	}
	return r.choice(alternatives)
}

// repeated returns the diagram of a base with repeated parts before it or, if last is true, after
// it.
func (r *railroads) repeated(parts, base []grammar.Alternative, last bool) *Rail {
	if len(base) == 1 && len(base[0].Symbols) > 0 && base[0].Label == nil {
		if separator, ok := between(parts, base[0].Symbols, last); ok {
			loop := &Rail{Kind: RailLoop, Of: []*Rail{r.choice(base)}}
			if len(separator.Symbols) > 0 {
				loop.Of = append(loop.Of, r.sequence(separator))
			}
			return loop
		}
	}
	many := &Rail{Kind: RailOptional, Of: []*Rail{{Kind: RailLoop, Of: []*Rail{r.choice(parts)}}}}
	rest := r.choice(base)
	of := []*Rail{rest}
	switch rest.Kind {
	case RailEmpty:
		return many
	case RailSequence:
		of = rest.Of
	}
	if last {
		return &Rail{Kind: RailSequence, Of: append(of, many)}
	}
	return &Rail{Kind: RailSequence, Of: append([]*Rail{many}, of...)}
}

// between returns the separator of a list: the symbols of its only repeated part, without those of
// the element. It reports false if the parts do not have this form.
func between(parts []grammar.Alternative, element []grammar.Name, last bool) (separator grammar.Alternative, ok bool) {
	if len(parts) != 1 || parts[0].Label != nil || len(parts[0].Symbols) < len(element) {
		return separator, false
	}
	symbols, n := parts[0].Symbols, len(element)
	same := func(a, b grammar.Name) bool { return a.Text == b.Text }
	if last { // list -> list separator element
		rest := len(symbols) - n
		return grammar.Alternative{Symbols: symbols[:rest]}, slices.EqualFunc(symbols[rest:], element, same)
	}
	return grammar.Alternative{Symbols: symbols[n:]}, slices.EqualFunc(symbols[:n], element, same)
}

func (r *railroads) choice(alternatives []grammar.Alternative) *Rail {
	out := &Rail{Kind: RailChoice}
	empty := false
	for _, a := range alternatives {
		if rail := r.sequence(a); rail.Kind == RailEmpty {
			empty = true
		} else {
			out.Of = append(out.Of, rail)
		}
	}
	switch {
	case len(out.Of) == 0:
		return &Rail{Kind: RailEmpty}
	case len(out.Of) == 1:
		out = out.Of[0]
	}
	if empty {
		return &Rail{Kind: RailOptional, Of: []*Rail{out}}
	}
	return out
}

func (r *railroads) sequence(a grammar.Alternative) *Rail {
	out := &Rail{Kind: RailSequence}
	for _, n := range a.Symbols {
		out.Of = append(out.Of, r.symbol(n))
	}
	if a.Label != nil {
		if len(out.Of) == 1 && out.Of[0].Label == "" {
			out.Of[0].Label = a.Label.Text
		} else {
			out.Of = append(out.Of, &Rail{Kind: RailNote, Text: a.Label.Text, Span: a.Label.Span})
		}
	}
	switch len(out.Of) {
	case 0:
		return &Rail{Kind: RailEmpty}
	case 1:
		return out.Of[0]
	}
	return out
}
