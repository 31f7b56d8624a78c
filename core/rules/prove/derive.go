package prove

import "github.com/stile-playground/stile/core/grammar"

// derivation writes the terms that parts of a session are derived from a grammar. The calls between two
// events are a span. It begins with a call, and ends before the next call that does not belong to it,
// or after the last event; so a session has one division into spans for each division of its calls. A
// span is divided as in the algorithm of Cocke, Younger and Kasami, with the empty word and chains of
// single nonterminals eliminated, so that each term depends on shorter spans only.
type derivation struct {
	*encoder
	g        *grammar.Grammar
	useful   []bool
	nullable []bool
	chains   map[grammar.Symbol][]grammar.Symbol // that derive a complete span alone
	corners  map[grammar.Symbol][]grammar.Symbol // that may begin a word alone
	known    map[spanKey]string
}

// spanKey is a part of a production, or a nonterminal with part -1, and a span. The end of a span that
// may be continued after the session is open.
type spanKey struct{ symbol, part, from, to int }

const open = -1

// derive returns the terms that the calls of the session begin a word and that they are one.
func (e *encoder) derive(g *grammar.Grammar) (begins, complete string) {
	d := &derivation{
		encoder: e, g: g, useful: g.Useful(), nullable: g.Nullable(), known: map[spanKey]string{},
		chains: map[grammar.Symbol][]grammar.Symbol{}, corners: map[grammar.Symbol][]grammar.Symbol{},
	}
	if !d.useful[g.Start] {
		return no, no
	}
	start := []string{d.silent(0, e.events)}
	whole := []string{e.and(d.silent(0, e.events), boolean(d.nullable[g.Start]))}
	for i := range e.events {
		start = append(start, e.and(d.silent(0, i), d.symbol(g.Start, i, open)))
		whole = append(whole, e.and(d.silent(0, i), d.symbol(g.Start, i, e.events)))
	}
	return e.or(start...), e.or(whole...)
}

// silent returns the term that no event from one to before another is a call.
func (d *derivation) silent(from, to int) string {
	var list []string
	for i := from; i < to; i++ {
		list = append(list, not(d.called(i)))
	}
	return d.and(list...)
}

// symbol returns the term that a symbol derives a span.
func (d *derivation) symbol(s grammar.Symbol, from, to int) string {
	if d.g.IsTerminal(s) {
		end := to
		if to == open {
			end = d.events
		}
		return d.and(d.shape(from, "call", d.g.Names[s]), d.silent(from+1, end))
	}
	key := spanKey{int(s), -1, from, to}
	if term, ok := d.known[key]; ok {
		return term
	}
	var list []string
	for _, single := range d.singles(s, to == open) {
		for _, p := range d.g.ByLeft(single) {
			list = append(list, d.divided(p, from, to))
		}
	}
	term := d.or(list...)
	d.known[key] = term
	return term
}

// singles returns the nonterminals that derive a span of s alone: the other symbols derive the
// empty word or, after the nonterminal in an open span, anything.
func (d *derivation) singles(s grammar.Symbol, continued bool) []grammar.Symbol {
	memo := d.chains
	if continued {
		memo = d.corners
	}
	if list, ok := memo[s]; ok {
		return list
	}
	list, seen := []grammar.Symbol{s}, map[grammar.Symbol]bool{s: true}
	for n := 0; n < len(list); n++ {
		for _, p := range d.g.ByLeft(list[n]) {
			right := d.g.Productions[p].Right
			if !d.allUseful(right) {
				continue
			}
			for at, next := range right {
				if !d.g.IsTerminal(next) && !seen[next] && (continued || d.empty(right[at+1:])) {
					seen[next] = true
					list = append(list, next)
				}
				if !d.nullable[next] {
					break
				}
			}
		}
	}
	memo[s] = list
	return list
}

// divided returns the term that a production derives a span such that either a single terminal
// derives it, or at least two symbols derive a part of it.
func (d *derivation) divided(production, from, to int) string {
	right := d.g.Productions[production].Right
	if !d.allUseful(right) {
		return no
	}
	var list []string
	for at, s := range right {
		if d.g.IsTerminal(s) && (to == open || d.empty(right[at+1:])) {
			list = append(list, d.symbol(s, from, to))
		}
		list = append(list, d.split(production, at, from, to))
		if !d.nullable[s] {
			break
		}
	}
	return d.or(list...)
}

// split returns the term that the symbol of a production at an index derives the first part of
// a span, and the following symbols the rest of it, which is not empty.
func (d *derivation) split(production, at, from, to int) string {
	right := d.g.Productions[production].Right
	if at+1 == len(right) {
		return no
	}
	end := to
	if to == open {
		end = d.events
	}
	var list []string
	for middle := from + 1; middle < end && d.err == nil; middle++ {
		if rest := d.rest(production, at+1, middle, to); rest != no {
			list = append(list, d.and(d.symbol(right[at], from, middle), rest))
		}
	}
	return d.or(list...)
}

// rest returns the term that the symbols of a production from an index on derive a span.
func (d *derivation) rest(production, part, from, to int) string {
	key := spanKey{production, part, from, to}
	if term, ok := d.known[key]; ok {
		return term
	}
	right := d.g.Productions[production].Right
	var list []string
	for at := part; at < len(right) && d.err == nil; at++ {
		if to == open || d.empty(right[at+1:]) {
			list = append(list, d.symbol(right[at], from, to))
		}
		list = append(list, d.split(production, at, from, to))
		if !d.nullable[right[at]] {
			break
		}
	}
	term := d.or(list...)
	d.known[key] = term
	return term
}

func (d *derivation) empty(list []grammar.Symbol) bool {
	for _, s := range list {
		if !d.nullable[s] {
			return false
		}
	}
	return true
}

func (d *derivation) allUseful(list []grammar.Symbol) bool {
	for _, s := range list {
		if !d.useful[s] {
			return false
		}
	}
	return true
}
