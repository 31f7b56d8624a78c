package choice

import "slices"

// group is a list of targets with their common attributes.
type group struct {
	claim
	head, tail target

	weak, marked, optioned, alone bool
}

// group returns the targets from one to another.
func (p *page) group(first, end int) group {
	head, tail := p.targets[first], p.targets[end-1]
	g := group{claim: claim{from: head.from, to: tail.to, number: head.number}, head: head, tail: tail, weak: true, marked: true}
	if n := p.fractionNextTo(head.from, tail.to); n != "" {
		g.options, g.number = append(g.options, 0), n
	}
	for _, t := range p.targets[first:end] {
		if !slices.Contains(g.options, t.option) {
			g.options = append(g.options, t.option)
		}
		if t.option == 0 {
			g.number = t.number
		}
		g.weak, g.marked = g.weak && t.weak, g.marked && t.marked
		g.optioned, g.alone, g.label = g.optioned || t.optioned, g.alone || t.alone, g.label || t.isLabel
	}
	return g
}

// fractionNextTo returns the number that is not an integer and that a conjunction joins to the
// targets between two tokens, "2.5 or 3"; "" if there is none.
func (p *page) fractionNextTo(from, to int) string {
	switch {
	case conjunctions[p.text(from-1)] && p.kind(from-2) == other:
		return p.text(from - 2)
	case conjunctions[p.text(to)] && p.kind(to+1) == other:
		return p.text(to + 1)
	}
	return ""
}

// joint reports whether two targets are parts of one list, "1, 2 and 4", and whether a conjunction
// joins them.
func (p *page) joint(a, b int) (joint, conjunction bool) {
	from, to := p.targets[a].to, p.targets[b].from
	if p.enumerated(a, from, to) {
		return false, false
	}
	if to-from > 6 || p.targets[a].listed || p.targets[b].listed {
		return false, false
	}
	if p.targets[a].alone && p.targets[b].alone && p.stacked(from, to) || p.spanned(p.targets[a], p.targets[b]) {
		return true, true
	}
	for i := from; i < to; i++ {
		switch text := p.text(i); {
		case text == "," || text == "、":
			joint = true
		case joint && sequels[text]:
			conjunction = true
		case joiners[text] || conjunctions[text]:
			joint, conjunction = true, true
		case text == "." && (p.is(i+1, ".") || alternatives[p.text(i+1)]): // "1... or 2"
		case optionNouns[text] || articles[text] || ideographNouns[text] || listWords[text]:
		default:
			return false, false
		}
	}
	return joint, conjunction
}

// enumerated reports whether a target is the first step, and a word such as "then" precedes the next one.
func (p *page) enumerated(k, from, to int) bool {
	before := p.beforePhrase(p.targets[k].from)
	if before < 0 || !has(p.ends[before], cueFirst) {
		return false
	}
	for i := from; i < to; i++ {
		if sequels[p.text(i)] {
			return true
		}
	}
	return false
}

// enclosed reports whether two targets with a comma between them are in parentheses, "no translation (3, 4)".
func (p *page) enclosed(a, b target) bool {
	opened := p.is(a.from-1, "(") || slices.ContainsFunc(p.tokens[a.from:a.to], func(k token) bool { return k.text == "(" })
	return opened && p.is(b.to, ")")
}

// spanned reports whether two labels are next to each other, or two targets are the ends of a range,
// "medium to high", or steps of a chain of arrows.
func (p *page) spanned(a, b target) bool {
	between := a.to
	if p.is(between, ")") {
		between++
	}
	switch {
	case between+1 != b.from:
		return a.isLabel && b.isLabel && a.to == b.from
	case ranges[p.text(between)]:
		return a.isLabel && b.isLabel || between > a.to
	}
	return p.is(between, "→") && p.chained
}

// ranges occur between two labels that are the ends of a range.
var ranges = set("to bis 至 到")

// joiners are the marks that join two options.
var joiners = set("/ & +")

// listWords may occur between the members of a list.
var listWords = set("either l #")

// stacked reports whether there are only line breaks and bullets between two targets.
func (p *page) stacked(from, to int) bool {
	for i := from; i < to; i++ {
		if p.kind(i) != newline && !p.onlyBullets(i) {
			return false
		}
	}
	return true
}
